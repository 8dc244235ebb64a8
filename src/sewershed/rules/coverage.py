"""Coverage: whether every clause of a source is accounted for, and every entry worked by hand (docs/explanation/rulebook.md 3).

The register lists the clauses; each row says what carries it. A row with the status *rule* names entries. One that a person
decides, or that only says something, names with a word of what kind it is whatever carries it, several parted by semicolons:

    entry us.nc.spill.tell      fact spill.county      event call      event spill_stopped.how
    thing station               paper spill_report     role orc

One that is *outside* gives its reason in words, and one that is *unread* names nothing yet.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from sewershed.rules.cases import Case
from sewershed.rules.entries import CalcForm, Entry, StatusForm, ValueForm
from sewershed.rules.library import Library
from sewershed.rules.loading.books import Book, Clause
from sewershed.rules.loading.checks import forms
from sewershed.rules.problems import did_you_mean
from sewershed.rules.vocabulary import Vocabulary

OURS = ("engine", "sewershed")  # an expected value that comes from us proves nothing
CARRIED = ("judged", "text")


@dataclass(frozen=True, slots=True)
class Coverage:
    """How far the register of a book is carried.

    `clauses` counts them by topic, kind and status; `problems` are rows and entries that are not accounted for, in sentences;
    `unverified` are the entries that rest on memory.
    """

    book: str
    clauses: Mapping[tuple[str, str, str], int]
    problems: tuple[str, ...]
    unverified: tuple[str, ...]

    def by(self, column: int) -> dict[str, Counter[str]]:
        """Returns the counts of each status by topic (column 0) or by kind (column 1)."""
        found: dict[str, Counter[str]] = {}
        for key, count in self.clauses.items():
            found.setdefault(key[column], Counter())[key[2]] += count
        return dict(sorted(found.items()))


def coverage(book: Book, library: Library, cases: Iterable[Case], papers: Collection[str]) -> Coverage:
    """Returns how far a book's own register is carried, and what of it and of its entries is not accounted for.

    Edge: a book without a register has no clause; its entries must be worked all the same. A row that is unread is counted
        and is no problem; one that names nothing is.

    Args:
        book: the book.
        library: the library in which it stands.
        cases: worked cases, of whatever book: what a parent says may be worked in a child's.
        papers: the names of the documents that programs make.
    """
    rows = (book.register or {}).values()
    problems = [text for row in rows for text in _wrong(row, book, library, papers)]
    problems += [
        f"{entry.id}: no worked case names it, or what it answers; write one under cases/, its origin the text itself, a "
        "published table or a sum worked by hand"
        for entry in not_worked(book.entries.values(), cases_below(book, library, cases))
    ]
    return Coverage(
        book.id,
        Counter((row.topic, row.kind, row.status) for row in rows),
        tuple(problems),
        tuple(entry.id for entry in book.entries.values() if entry.certainty != "verified"),
    )


def cases_by_entry(entries: Iterable[Entry], cases: Iterable[Case]) -> dict[str, list[Case]]:
    """Returns, by the ids of entries, the worked cases that name each: by its id, by what it answers, or under `about`."""
    answered_by: dict[str, list[str]] = {}
    for entry in entries:
        for name in answers_of(entry):
            answered_by.setdefault(name, []).append(entry.id)
    found: dict[str, list[Case]] = {}
    for case in cases:
        named = {*case.about, *_names(case.expect)} & answered_by.keys()
        for entry_id in dict.fromkeys(one for name in sorted(named) for one in answered_by[name]):
            found.setdefault(entry_id, []).append(case)
    return found


def cases_below(book: Book, library: Library, cases: Iterable[Case]) -> list[Case]:
    """Returns the cases that can work an entry of a book: its own, and those of the books below it."""
    below = {one for one in library.books if book in library.line(one)}
    return [case for case in cases if case.book in below]


def not_worked(entries: Iterable[Entry], cases: Iterable[Case]) -> list[Entry]:
    """Returns the entries that no worked case names whose expected value comes from outside.

    Edge: a case names an entry by its id, by what the entry answers (the fact or the question it gives), or under `about`.
        A calculation that gives no fact is worked with its program, where its figures are arguments.
    """
    named: set[str] = set()
    for case in cases:
        if not case.origin.casefold().startswith(OURS):
            named |= {*case.about, *_names(case.expect)}
    return [entry for entry in entries if not (answers_of(entry) & named) and not _gives_nothing(entry)]


def answers_of(entry: Entry) -> set[str]:
    """Returns by what a case names an entry: its id, and the fact or the question that it answers."""
    found = {entry.id}
    for form in forms(entry):
        if isinstance(form, StatusForm):
            found.add(f"{form.thing}.{form.fact}")
        elif isinstance(form, ValueForm | CalcForm) and form.target:
            found.add(form.target)
    return found


def _gives_nothing(entry: Entry) -> bool:
    return all(isinstance(form, CalcForm) and not form.target for form in forms(entry))


def _names(said: Any) -> Iterator[str]:
    """Yields every text of what a case expects, keys too."""
    if isinstance(said, str):
        yield said
    elif isinstance(said, Mapping):
        for key, value in said.items():
            yield str(key)
            yield from _names(value)
    elif isinstance(said, list | tuple):
        for one in said:
            yield from _names(one)


def _wrong(row: Clause, book: Book, library: Library, papers: Collection[str]) -> Iterator[str]:
    where = f"{book.id} register.tsv: {row.id}"
    if row.status == "unread":
        if row.where:
            yield f"{where} is unread and yet names {row.where!r}; give it the status of what carries it, or name nothing"
        return
    if not row.where.strip():
        yield f"{where} has status {row.status} and names nothing; write what carries it, or why nothing should"
        return
    if row.status == "rule":
        known = library.entries(book.id).keys() | library.doubts(book.id).keys()
        for name in row.where.split(", "):
            if name not in known:
                yield f"{where} names the entry {name!r}, and there is none{did_you_mean(name, known)}"
    elif row.status in CARRIED:
        for pointer in row.where.split("; "):
            if fault := _missing(pointer.strip(), book, library, papers):
                yield f"{where} {fault}"


def _missing(pointer: str, book: Book, library: Library, papers: Collection[str]) -> str:
    word, _, name = pointer.partition(" ")
    known = _known(word, book, library, papers)
    if known is None:
        kinds = "entry, fact, event, thing, paper, role"
        return f"says {pointer!r}; begin with what it is, one of {kinds}, as in 'fact spill.county'"
    return "" if name in known else f"names the {word} {name!r}, and there is none{did_you_mean(name, known)}"


def _known(word: str, book: Book, library: Library, papers: Collection[str]) -> Collection[str] | None:
    vocabulary: Vocabulary = book.vocabulary
    if word == "entry":
        return library.entries(book.id).keys() | library.doubts(book.id).keys()
    if word == "fact":
        return {f"{kind}.{fact}" for kind, thing in vocabulary.things.items() for fact in (*thing.facts, *thing.has)}
    if word == "event":
        return {
            name
            for kind, event in vocabulary.events.items()
            for name in (kind, *(f"{kind}.{one}" for one in event.data))
        }
    if word == "thing":
        return set(vocabulary.things)
    if word == "paper":
        return papers
    return set(book.roles) if word == "role" else None
