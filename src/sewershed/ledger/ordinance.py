"""The ordinance as it runs: every clause of the text in its own order, what became of it, and entries in words.

The desk's pages and the paper for the attorney say the same, from here. What does not change with the record is worked out
once a supplement.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from itertools import takewhile

from sewershed.ledger import steps, supplements
from sewershed.ledger.law import Law
from sewershed.ledger.moments import day_words
from sewershed.ledger.wording import Words, capital, label_of, many, plain, small, title, words_of
from sewershed.rules.cases import Case
from sewershed.rules.coverage import cases_by_entry
from sewershed.rules.entries import Doubt, Edition, Entry, Form
from sewershed.rules.loading.books import Book, Clause
from sewershed.rules.sentences import conditions, editions
from sewershed.rules.vocabulary import Vocabulary

STATUSES = {
    "rule": "carried by an entry", "judged": "left to a person", "text": "recorded or printed as they stand",
    "outside": "outside of what runs", "unread": "not read yet",
}  # fmt: skip
STATUS_OF_ONE = STATUSES | {"text": "recorded or printed as it stands"}
KINDS = {
    "duty": "Duty", "act": "What an act needs", "value": "Answer", "standard": "Standard", "limit": "Limit",
    "penalty": "Penalty", "calc": "Calculation", "status": "Life of a thing",
}  # fmt: skip
_NAME = re.compile(r"(?<!['|.\w])[a-z]+(?:_[a-z]+)+(?!['|(.\w])")  # not within a condition
_ROMAN = re.compile(r"[IVXLC]+\Z")
_KEPT = 4  # laws of which the words are kept


# ------------------------------------------------------------------------------------------------ clauses


@dataclass(frozen=True, slots=True)
class Carrier:
    """What carries a clause: an entry, a doubt, a fact, an event, a thing, a paper, an office; or why nothing does."""

    kind: str  # entry, doubt, fact, event, thing, paper, role, reason
    name: str  # as the register writes it
    said: str
    thing: str = ""  # the type of thing on whose pages it is found


@dataclass(frozen=True, slots=True)
class Passage:
    """A place of the text: a clause of the register; in a book without one, where an entry says that it is printed."""

    id: str  # in the register; the entry's, where there is none
    cite: str
    means: str
    kind: str
    status: str
    carriers: tuple[Carrier, ...]
    entries: tuple[str, ...]  # those that carry it, each once
    is_register: bool = True

    @property
    def said(self) -> str:
        """Returns what became of it, in words."""
        if self.status == "rule" and not self.entries:
            return "Left in doubt"
        return capital(STATUS_OF_ONE.get(self.status, self.status))


@dataclass(frozen=True, slots=True)
class Article:
    """An article with its clauses in the order of the text."""

    name: str
    book: str  # whose register it stands in
    text: str  # the text it belongs to: what its articles begin with
    passages: tuple[Passage, ...]

    def counts(self) -> dict[str, int]:
        """Returns how many clauses have each status."""
        return counted(self.passages)


@dataclass(frozen=True, slots=True)
class Text:
    """One of the texts of a book, with its articles."""

    name: str
    book: str
    articles: tuple[Article, ...]

    @property
    def count(self) -> int:
        """Returns how many clauses it has."""
        return sum(len(one.passages) for one in self.articles)


def counted(passages: Iterable[Passage]) -> dict[str, int]:
    """Returns how many of some clauses have each status, in the order of the statuses."""
    found = dict.fromkeys(STATUSES, 0)
    for one in passages:
        found[one.status] += 1
    return {status: count for status, count in found.items() if count}


def article_of(cite: str) -> str:
    """Returns the article in which a clause stands: what comes before its paragraphs.

    Example:
        >>> article_of("22-359(f)(2)"), article_of("22-95 grab sample"), article_of("WQCS permit IV.2")
        ('22-359', '22-95', 'WQCS permit IV')
        >>> article_of("15A NCAC 02T .0403(a)(4)"), article_of("40 CFR 403.8(f)(2)"), article_of("Reply, head")
        ('15A NCAC 02T .0403', '40 CFR 403.8', 'Reply, head')
    """
    words = cite.partition("(")[0].split()
    numbered = [place for place, word in enumerate(words) if any(letter.isdigit() for letter in word) or _ROMAN.match(word.partition(".")[0])]  # fmt: skip
    if not numbered:
        return " ".join(words)
    last = numbered[-1]
    head, dot, _ = words[last].partition(".")
    if dot and _ROMAN.match(head):
        words[last] = head
    return " ".join(words[: last + 1]).rstrip(",;")


def text_of(article: str) -> str:
    """Returns by what the articles of one text are known: the word with which they begin, two where it is a number.

    Example:
        >>> text_of("SORP III"), text_of("Reply, head"), text_of("22-359"), text_of("2.10.C"), text_of("15A NCAC 02T .0403")
        ('SORP', 'Reply', '22', '2', '15A NCAC')
    """
    words = article.replace(",", "").split()
    if len(words) == 1:
        return re.split(r"[-.]", words[0])[0] or words[0]
    return " ".join(words[:2]) if words[0][0].isdigit() else words[0]


def natural(text: str) -> list[tuple[bool, int, str]]:
    """Returns what a text is sorted by so that 22-9 comes before 22-10."""
    return [(part.isdigit(), int(part) if part.isdigit() else 0, part) for part in re.split(r"(\d+)", text)]


def texts(running: Law) -> tuple[Text, ...]:
    """Returns every text of the town's line of books with all its clauses, in the order of the register.

    Edge: a book without a register gives the places that its entries name, in the order of their numbers. An entry that no
        clause of its register names follows the clauses of its article.
    """
    return _texts(running.supplement, running.book_id)


def articles(running: Law) -> dict[str, Article]:
    """Returns every article by its name; where two books have one of the same name, the more local."""
    return _articles(running.supplement, running.book_id)


def passages(running: Law) -> dict[str, Passage]:
    """Returns every clause of the registers by its id."""
    return _passages(running.supplement, running.book_id)


@lru_cache(maxsize=_KEPT)
def _texts(supplement: str, book_id: str) -> tuple[Text, ...]:
    running = Law(supplement, book_id)
    return tuple(one for book in running.library.line(book_id) for one in _texts_of(book, running))


@lru_cache(maxsize=_KEPT)
def _articles(supplement: str, book_id: str) -> dict[str, Article]:
    every = [one for text in _texts(supplement, book_id) for one in text.articles]
    return {one.name: one for one in reversed(every)}


@lru_cache(maxsize=_KEPT)
def _passages(supplement: str, book_id: str) -> dict[str, Passage]:
    every = [one for text in _texts(supplement, book_id) for article in text.articles for one in article.passages]
    return {one.id: one for one in every if one.is_register}


def _texts_of(book: Book, running: Law) -> Iterator[Text]:
    found: dict[str, list[Passage]] = {}
    carrying: dict[str, list[str]] = {}
    for entry in book.entries.values():
        for clause in entry.covers:
            carrying.setdefault(clause, []).append(entry.id)
    for row in (book.register or {}).values():
        found.setdefault(article_of(row.cite), []).append(_passage(row, carrying.get(row.id, ()), running))
    named = {one for many_ in found.values() for passage in many_ for one in passage.entries}
    rest = [one for one in book.entries.values() if one.id not in named and one.cites]
    for entry in sorted(rest, key=lambda one: natural(one.cites[0])):
        cite = entry.cites[0]
        carrier = Carrier("entry", entry.id, entry.means)
        place = Passage(entry.id, cite, entry.means, entry.kind, "rule", (carrier,), (entry.id,), is_register=False)
        found.setdefault(article_of(cite), []).append(place)
    by_text: dict[str, list[Article]] = {}
    for name, clauses in found.items():
        by_text.setdefault(text_of(name), []).append(Article(name, book.id, text_of(name), tuple(clauses)))
    for name, many_ in by_text.items():
        yield Text(_named(name, many_, book), book.id, tuple(many_))


def _named(name: str, every: list[Article], book: Book) -> str:
    """Returns what a text is called: by its long name where the book has one, by what its articles share, or from where to where."""
    if long := book.abbreviations.get(name):
        return f"{capital(long)} ({name})"
    if not name.isdigit():
        words = [one.name.replace(",", "").split() for one in every]
        shared = takewhile(lambda column: len(set(column)) == 1, zip(*words, strict=False))
        return " ".join(column[0] for column in shared) or name
    numbered = [one.name for one in every if re.fullmatch(r"\d+[-.]\d.*", one.name)] or [one.name for one in every]
    return numbered[0] if len(numbered) == 1 else f"{numbered[0]} to {numbered[-1]}"


def _passage(clause: Clause, covering: Iterable[str], running: Law) -> Passage:
    carriers = tuple(_carriers(clause, running))
    entries = dict.fromkeys((*(one.name for one in carriers if one.kind == "entry"), *covering))
    return Passage(clause.id, clause.cite, clause.means, clause.kind, clause.status, carriers, tuple(entries))


def _carriers(clause: Clause, running: Law) -> Iterator[Carrier]:
    """Yields what a row of the register says that carries it (docs/explanation/rulebook.md 3)."""
    if clause.status == "outside":
        yield Carrier("reason", "", clause.where)
    elif clause.status == "rule":
        yield from (_law_named(one, running) for one in clause.where.split(", ") if one)
    else:
        for pointer in clause.where.split("; "):
            word, _, name = pointer.strip().partition(" ")
            if name:
                yield _carrier(word, name, running)


def _law_named(name: str, running: Law) -> Carrier:
    entry = running.library.entries(running.book_id).get(name)
    if entry is not None:
        return Carrier("entry", name, entry.means)
    doubt = running.library.doubts(running.book_id).get(name)
    return Carrier("doubt", name, doubt.means if doubt else name)


def _carrier(word: str, name: str, running: Law) -> Carrier:
    vocabulary: Vocabulary = running.vocabulary
    owner, dot, field = name.partition(".")
    match word:
        case "entry":
            return _law_named(name, running)
        case "fact" if owner in vocabulary.things and dot:
            kind = vocabulary.things[owner]
            fact = kind.facts.get(field)
            label = label_of(fact) if fact else title(field)
            judge = running.book.roles.get(fact.judged_by, plain(fact.judged_by)) if fact and fact.judged_by else ""
            by = f", which the {judge} decides" if judge else ""
            return Carrier("fact", name, f"the fact “{label}” of a {plain(owner)}{by}", owner)
        case "event" if owner in vocabulary.events:
            event = vocabulary.events[owner]
            said = f"the event “{title(owner)}”"
            if dot and field in event.data:
                said = f"“{label_of(event.data[field])}” of {said}"
            return Carrier("event", name, said, event.on)
        case "thing" if name in vocabulary.things:
            return Carrier("thing", name, f"the list of {many(vocabulary.things[name]).lower()}", name)
        case "paper":
            return Carrier("paper", name, f"the {title(name).lower()}")
        case "role":
            return Carrier("role", name, f"the office of {running.book.roles.get(name, plain(name))}")
    return Carrier("reason", name, f"{word} {name}")


# ------------------------------------------------------------------------------------------------ entries in words


@dataclass(frozen=True, slots=True)
class Sentence:
    """A labelled line of an entry; where it names other entries, these stand in its place by id and meaning."""

    name: str
    text: str
    entries: tuple[tuple[str, str], ...] = ()
    raw: str = ""  # as the rule has it, where that is not the text

    @property
    def whole(self) -> str:
        """Returns the line without its label, other entries by their meaning, and with the rule's own words."""
        return "; ".join(means for _, means in self.entries) + " ".join(filter(None, (self.text, self.raw)))


@dataclass(frozen=True, slots=True)
class ReadingSaid:
    """What one reading of an edition says beside what all of them say."""

    name: str
    lines: tuple[Sentence, ...]


@dataclass(frozen=True, slots=True)
class EditionSaid:
    """An edition of an entry: when it is in force, what all its readings say, then what each says besides."""

    edition: Edition
    when: str
    lines: tuple[Sentence, ...]
    readings: tuple[ReadingSaid, ...]


def editions_said(running: Law, entry: str) -> tuple[EditionSaid, ...]:
    """Returns each edition of an entry in words, the newest first."""
    return _said(running.supplement, running.book_id)[entry]


def in_force(running: Law, entry: Entry, day: date) -> EditionSaid | None:
    """Returns the edition of an entry that is in force on a day, or None."""
    return next((one for one in editions_said(running, entry.id) if one.edition.is_on(day)), None)


@lru_cache(maxsize=_KEPT)
def _said(supplement: str, book_id: str) -> Mapping[str, tuple[EditionSaid, ...]]:
    running = Law(supplement, book_id)
    every, words = running.library.entries(book_id), words_of(running=running)
    return {one.id: tuple(_editions_said(one, every, words)) for one in every.values()}


def _editions_said(entry: Entry, every: Mapping[str, Entry], words: Words) -> Iterator[EditionSaid]:
    about = next((on for one in entry.editions for form in one.readings.values() if (on := _about(form))), "")
    asked = (one.source for one in conditions(entry, {}) if one.type.kind == "bool")
    said = {source: steps.condition(source, words, about) for source in asked}
    by_edition: dict[tuple[date | None, date | None], list[tuple[Edition, str, list[tuple[str, str]]]]] = {}
    for one in editions(entry):
        by_edition.setdefault((one[0].since, one[0].until), []).append(one)
    for readings in reversed(list(by_edition.values())):
        edition = readings[0][0]
        shared = [line for line in readings[0][2] if all(line in lines for _, _, lines in readings)]
        own = tuple(
            ReadingSaid(name, tuple(_sentence(line, every, words, said) for line in lines if line not in shared))
            for _, name, lines in readings
            if name
        )
        since = f"since {day_words(edition.since)}" if edition.since else ""
        until = f"until {day_words(edition.until)}" if edition.until else ""
        when = " ".join(filter(None, (since, until))) or "always"
        yield EditionSaid(edition, when, tuple(_sentence(line, every, words, said) for line in shared), own)


def _sentence(line: tuple[str, str], every: Mapping[str, Entry], words: Words, said: Mapping[str, str]) -> Sentence:
    """Returns a line with offices in the town's words, other entries by their meaning, conditions and events in words.

    Args:
        line: its label and text.
        every: the entries, by id.
        words: of the law.
        said: the entry's conditions in words, by how the rule has them.
    """
    name, text = line
    roles = words.roles
    if name == "whose":
        who, _, to = text.partition(", toward ")
        office = office_said(who, roles)
        return Sentence("Whose", f"{office}, toward {the_office(to, roles)}" if to else office)
    if name == "a gap is decided by":
        return Sentence(capital(name), office_said(text, roles))
    named, comma, grace = text.partition(", after ")
    parts = named.split(", ")
    if all(one in every for one in parts):
        return Sentence(capital(name), f"{comma}{grace}", tuple((one, every[one].means) for one in parts))
    shown, has_condition = _in_words(text, words, said)
    return Sentence(capital(name), shown, raw=text if has_condition else "")


def _about(form: Form) -> str:
    """Returns the type of thing that a form is about, whose facts need no name before them; "" for none."""
    return str(getattr(form, "on", "") or getattr(form, "thing", ""))


def _in_words(text: str, words: Words, said: Mapping[str, str]) -> tuple[str, bool]:
    """Returns a line with its conditions in words, the longest first, and its events as people call them; and whether it has conditions."""
    marks: list[str] = []
    for source in sorted((one for one in said if said[one] != one), key=len, reverse=True):
        if source in text:
            text = text.replace(source, f"\x00{len(marks)}\x00")
            marks.append(small(said[source]))
    text = _NAME.sub(lambda match: plain(match[0]) if match[0] in words.vocabulary.events else match[0], text)
    for number, mark in enumerate(marks):
        text = text.replace(f"\x00{number}\x00", mark)
    return text, bool(marks)


def office_said(office: str, roles: Mapping[str, str]) -> str:
    """Returns how the town calls an office; one that a thing itself names is said by its own word."""
    said = roles.get(office, "")
    return capital(said) if said and "." not in said else title(office)


def the_office(office: str, roles: Mapping[str, str]) -> str:
    """Returns an office within a sentence.

    Example:
        >>> the_office("town_manager", {"town_manager": "town manager"}), the_office("board", {"board": "The Board"})
        ('the town manager', 'the Board')
    """
    said = office_said(office, roles)
    said = said[:1].lower() + said[1:] if said[1:2].islower() else said
    return said if said.startswith("the ") else f"the {said}"


def kind_of(entry: Entry) -> str:
    """Returns what an entry is, in a word or two."""
    return KINDS.get(entry.kind, title(entry.kind))


def doubts_of(entry: Entry) -> tuple[str, ...]:
    """Returns the doubts that touch an entry, each once."""
    return tuple(dict.fromkeys((*entry.doubts, *((entry.reading_of,) if entry.reading_of else ()))))


def doubts_touching(passage: Passage, entries: Mapping[str, Entry], doubts: Mapping[str, Doubt]) -> tuple[str, ...]:
    """Returns the doubts that touch a clause: named by its row, or touching an entry that carries it."""
    own = [one.name for one in passage.carriers if one.kind == "doubt"]
    own += [one.id for one in doubts.values() if passage.id in one.covers]
    return tuple(dict.fromkeys((*own, *(one for each in passage.entries if each in entries for one in doubts_of(entries[each])))))  # fmt: skip


def caution_of(running: Law, entry: str) -> str:
    """Returns what stands beside whatever rests on an entry that nobody held against its source; nothing where somebody did."""
    return capital(running.library.law(running.book_id).caution(entry))


# ------------------------------------------------------------------------------------------------ worked cases


def worked(running: Law) -> Mapping[str, tuple[Case, ...]]:
    """Returns the worked cases that came with the installed rulebooks, by the entries that each names."""
    return _worked(running.supplement, running.book_id)


@lru_cache(maxsize=_KEPT)
def _worked(supplement: str, book_id: str) -> Mapping[str, tuple[Case, ...]]:
    running = Law(supplement, book_id)
    cases = supplements.cases_of(tuple(one.id for one in running.library.line(book_id)))
    found = cases_by_entry(running.library.entries(book_id).values(), cases)
    return {entry: tuple(many_) for entry, many_ in found.items()}
