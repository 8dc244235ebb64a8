"""The library: all rulebooks and the vocabulary, loaded and checked as one.

`load` either returns a library in which every name, type, unit and reference holds, or raises every problem at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from sewershed.rules.doors import Function, Provider
from sewershed.rules.entries import Doubt, Entry
from sewershed.rules.law import Law
from sewershed.rules.loading import checks
from sewershed.rules.loading.books import Book, read_book, read_register, read_toml
from sewershed.rules.loading.entries import RawEntry, read_doubt, read_entry, split_file
from sewershed.rules.loading.forms import PaperForm, check_forms
from sewershed.rules.loading.reader import Reader, Surroundings
from sewershed.rules.loading.values import declared_type
from sewershed.rules.memory import uncollected
from sewershed.rules.problems import Problems, RulebookError, did_you_mean
from sewershed.rules.types import DATE, Type
from sewershed.rules.vocabulary import Fact, Vocabulary, read_vocabulary

_NOT_ENTRIES = ("rulebook.toml",)


@dataclass(frozen=True, slots=True)
class Program:
    """What a program hands to the rules: its vocabulary, its calculations, and what its papers take from a book."""

    vocabulary: Path
    functions: tuple[Function, ...] = ()
    providers: tuple[Provider, ...] = ()
    forms: tuple[PaperForm, ...] = ()


@dataclass(frozen=True, slots=True)
class Library:
    """Every rulebook loaded, with the vocabulary they speak."""

    vocabulary: Vocabulary
    books: Mapping[str, Book]
    functions: Mapping[str, Function] = field(default_factory=dict)
    providers: Mapping[str, Provider] = field(default_factory=dict)
    _laws: dict[str, Law] = field(default_factory=dict, repr=False, compare=False)

    def law(self, book: str) -> Law:
        """Returns the law of a place, sorted by what its entries are asked about; made once."""
        if book not in self._laws:
            self._laws[book] = Law(self.line(book))
        return self._laws[book]

    def line(self, book: str) -> tuple[Book, ...]:
        """Returns a book and its parents, the most local first.

        Raises:
            KeyError: with the books there are, when there is none of that id.
        """
        if book not in self.books:
            known = ", ".join(sorted(self.books))
            raise KeyError(f"no rulebook '{book}'{did_you_mean(book, self.books)}; there are {known}")
        return _line(self.books[book], self.books)

    def entries(self, book: str) -> dict[str, Entry]:
        """Returns every entry that a town of this book lives under, by id, the most local first."""
        return {entry.id: entry for one in self.line(book) for entry in one.entries.values()}

    def doubts(self, book: str) -> dict[str, Doubt]:
        """Returns every doubt of a line of books, by id."""
        return {doubt.id: doubt for one in self.line(book) for doubt in one.doubts.values()}


def _line(book: Book, books: Mapping[str, Book]) -> tuple[Book, ...]:
    line = [book]
    while line[-1].parent and line[-1].parent in books and books[line[-1].parent] not in line:
        line.append(books[line[-1].parent])
    return tuple(line)


def load(programs: Iterable[Program], books: Iterable[Path]) -> Library:
    """Returns the library of the given programs and book folders.

    Args:
        programs: what each program hands to the rules.
        books: folders, each with a rulebook.toml; parents are found by id among them.

    Raises:
        RulebookError: with every problem found, each with its file and entry.
    """
    with uncollected():
        return _load(list(programs), books)


def _load(programs: Sequence[Program], books: Iterable[Path]) -> Library:
    problems = Problems()
    vocabulary = read_vocabulary((program.vocabulary for program in programs), problems)
    functions = {one.name: one for program in programs for one in program.functions}
    providers = {one.name: one for program in programs for one in program.providers}
    shelf = _shelve(books, problems)
    raw = _raw_entries(shelf, problems)
    if not len(problems) or shelf:
        _read_all(shelf, raw, vocabulary, functions, providers, problems)
    forms = [one for program in programs for one in program.forms]
    if forms:  # a law that was adopted is read without: a paper that takes more since says so when it is made
        check_forms(shelf.values(), forms, {one.id for one in raw}, problems)
    if len(problems):
        raise RulebookError(problems)
    return Library(vocabulary, shelf, functions, providers)


def _shelve(folders: Iterable[Path], problems: Problems) -> dict[str, Book]:
    shelf: dict[str, Book] = {}
    for folder in folders:
        book = read_book(folder, problems)
        if book is None:
            continue
        if book.id in shelf:
            problems.add(f"{folder.name}/rulebook.toml", f"book id {book.id} is used twice")
            continue
        shelf[book.id] = book
    parents = {book.parent for book in shelf.values()}
    for book in shelf.values():
        if not book.has_zone and book.id not in parents:
            problems.add(f"{book.folder.name}/rulebook.toml", "'time_zone' is missing")
        if book.id in parents:
            book.has_zone = False  # its towns' zones count
        if book.parent and book.parent not in shelf:
            near = did_you_mean(book.parent, shelf)
            problems.add(f"{book.folder.name}/rulebook.toml", f"no rulebook '{book.parent}' for its parent{near}")
        line = _line(book, shelf)
        if line[-1].parent in {one.id for one in line}:
            problems.add(f"{book.folder.name}/rulebook.toml", f"{book.id} is its own ancestor")
        book.roles = {role: title for one in reversed(line) for role, title in one.own_roles.items()}
        book.abbreviations = {short: means for one in reversed(line) for short, means in one.own_abbreviations.items()}
        book.register = read_register(book.folder, book.id, problems)
    return shelf


def _raw_entries(shelf: Mapping[str, Book], problems: Problems) -> list[RawEntry]:
    found: list[RawEntry] = []
    seen: dict[str, str] = {}
    for book in shelf.values():
        for path in sorted(book.folder.glob("*.toml")):
            if path.name in _NOT_ENTRIES:
                continue
            file = f"{book.folder.name}/{path.name}"
            for raw in split_file(read_toml(path, file, problems), book.id, file, problems):
                if raw.id in seen:
                    problems.add(file, f"{raw.id}: id used twice (also in {seen[raw.id].rpartition('/')[2]})")
                    continue
                seen[raw.id] = file
                found.append(raw)
    return found


def _read_all(
    shelf: Mapping[str, Book],
    raw: Sequence[RawEntry],
    vocabulary: Vocabulary,
    functions: Mapping[str, Function],
    providers: Mapping[str, Provider],
    problems: Problems,
) -> None:
    doubts = {one.id: read_doubt(one, problems) for one in raw if one.kind == "doubt"}
    for doubt in doubts.values():
        shelf[doubt.book].doubts[doubt.id] = doubt
    standards = {one.id for one in raw if one.kind == "standard"}
    derived = _derived(shelf, raw, vocabulary, functions, providers, problems)
    for book in shelf.values():
        book.vocabulary = _with_line(vocabulary, book, shelf, derived)
        around = Surroundings(book, book.vocabulary, functions, providers, standards)
        for one in raw:
            if one.book == book.id and one.kind != "doubt":
                book.entries[one.id] = read_entry(one, around, doubts, problems)
    checks.check_all(shelf, {one.id for one in raw}, doubts, problems)


def _derived(
    shelf: Mapping[str, Book],
    raw: Sequence[RawEntry],
    vocabulary: Vocabulary,
    functions: Mapping[str, Function],
    providers: Mapping[str, Provider],
    problems: Problems,
) -> dict[str, dict[str, Fact]]:
    """Returns the facts each book derives, by "thing.fact": they join the vocabulary before any condition is read."""
    derived: dict[str, dict[str, Fact]] = {book: {} for book in shelf}
    for one in raw:
        targets = dict(_targets(one, shelf, vocabulary, functions, providers))
        for target, kind in targets.items():
            thing, _, fact = target.partition(".")
            if thing in vocabulary.things and fact not in vocabulary.things[thing].facts:
                derived[one.book][target] = Fact(fact, kind, means=str(one.table.get("means", "")), derived=one.id)
    return derived


def _targets(
    raw: RawEntry,
    shelf: Mapping[str, Book],
    vocabulary: Vocabulary,
    functions: Mapping[str, Function],
    providers: Mapping[str, Provider],
) -> Iterable[tuple[str, Type]]:
    target = str(raw.table.get("as", ""))
    if raw.kind not in ("value", "status", "calc") or "." not in target:
        return
    if raw.kind == "status":
        yield target, Type("choice", words=tuple(str(state) for state in raw.table.get("states", ())))
        tables = [raw.table, *raw.table.get("versions", ()), *raw.table.get("readings", ())]
        thing = target.partition(".")[0]
        for table in tables:
            for step in table.get("steps", ()):
                for name in step.get("set", {}):
                    yield f"{thing}.{name}", DATE
        return
    around = Surroundings(shelf[raw.book], vocabulary, functions, providers, ())
    kind = declared_type(Reader(around, raw.id, raw.file, Problems()), raw.table)  # its problems are noted on reading
    if kind is not None:
        yield target, kind


def _with_line(
    vocabulary: Vocabulary, book: Book, shelf: Mapping[str, Book], derived: Mapping[str, Mapping[str, Fact]]
) -> Vocabulary:
    added: dict[str, dict[str, Fact]] = {}
    for one in _line(book, shelf):
        for target, fact in derived[one.id].items():
            added.setdefault(target.partition(".")[0], {}).setdefault(fact.name, fact)
    return vocabulary.with_facts({thing: facts.values() for thing, facts in added.items()})
