"""What the rulebook's pages show: the entries as sentences, as they run, and what they hold open."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse

from sewershed.desk.shell.looking import Looking
from sewershed.desk.shell.parts import Choice, Known, Line, Link
from sewershed.desk.things.lines import line_of, program_title, why_url
from sewershed.ledger import canonical, journal, law, queries, supplements
from sewershed.ledger.errors import NotFound
from sewershed.ledger.law import Law
from sewershed.ledger.models import Account
from sewershed.ledger.moments import day_words
from sewershed.ledger.projections import moment_of
from sewershed.ledger.shown import Due
from sewershed.ledger.wording import OUTCOMES, Words, plain, title, words_of
from sewershed.rules.cases import Case
from sewershed.rules.coverage import cases_naming
from sewershed.rules.entries import Doubt, Edition, Entry
from sewershed.rules.findings import Finding
from sewershed.rules.loading.books import Book, Clause
from sewershed.rules.sentences import editions
from sewershed.rules.world import World

PROGRAM, ARTICLE = "program", "article"
MOST_LINES = 50  # of what an entry holds open, on its page
MOST_FOUND = 100  # entries, and as many clauses, that hold what was asked for
MOST_CASES = 40
MOST_GIVEN = 4  # lines of what a case is given, before the rest folds
KINDS = {
    "duty": "Duty", "act": "What an act needs", "value": "Answer", "standard": "Standard", "limit": "Limit",
    "penalty": "Penalty", "calc": "Calculation", "status": "Life of a thing",
}  # fmt: skip
STATUSES = {
    "rule": "carried by an entry", "judged": "left to a person", "text": "recorded or printed as they stand",
    "outside": "outside of what runs", "unread": "not read yet",
}  # fmt: skip
_ROMAN = re.compile(r"[IVXLC]+\Z")
_COMMA = re.compile(r"(?<=\d),(?=\d{3})")


@dataclass(frozen=True, slots=True)
class Asked:
    """What the address of the contents asks for."""

    by: str = PROGRAM
    at: str = ""
    text: str = ""

    def url(self, **other: str) -> str:
        """Returns the address of the contents with something else asked for."""
        said = {"by": self.by if self.by != PROGRAM else "", "at": self.at, "q": self.text, **other}
        query = urlencode({name: value for name, value in said.items() if value})
        return reverse("rulebook") + (f"?{query}" if query else "")


@dataclass(frozen=True, slots=True)
class EntryLine:
    """An entry in a list: what it asks, where it is printed, its doubts, what it holds open now."""

    id: str
    means: str
    cites: str
    kind: str
    doubts: int
    open: int
    overdue: int
    found: str = ""  # where in it stands what was asked for


@dataclass(frozen=True, slots=True)
class GroupShown:
    """A program or an article in the contents."""

    title: str
    url: str
    count: int
    doubts: int
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class SectionShown:
    """The groups of one book."""

    title: str
    groups: tuple[GroupShown, ...]


@dataclass(frozen=True, slots=True)
class BookShown:
    """A book of the town's line: what it holds, and how much of its source runs."""

    name: str
    edition: str
    entries: int
    doubts: int
    clauses: int
    statuses: tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class ClauseShown:
    """A clause of the register: where it stands, what it says, what carries it."""

    cite: str
    means: str
    status: str
    entries: tuple[Link, ...]


@dataclass(frozen=True, slots=True)
class ContentsShown:
    """What the page of contents shows."""

    asked: Asked
    orders: tuple[Choice, ...]
    sections: tuple[SectionShown, ...]
    heading: str
    lines: tuple[EntryLine, ...]
    more: int  # entries that hold what was asked for and are not shown
    clauses: tuple[ClauseShown, ...]
    books: tuple[BookShown, ...]
    open_doubts: int


def contents(asked: Asked, account: Account, looking: Looking) -> ContentsShown:
    """Returns the contents of the town's books, by program or by article, and the entries of what is chosen or searched.

    Raises:
        NotAllowed: for an account that may see nothing.
    """
    running = _law(looking)
    world = queries.world(as_account=account, as_of=looking.as_of, known_at=looking.known_at)
    held = queries.open_by_rule(as_account=account) if not looking.is_elsewhere else {}
    unsettled = frozenset(one for one in world.doubts if not world.decisions(one, None))
    every, more = running.library.entries(running.book_id), 0
    if asked.text:
        wanted = _wanted(asked.text)
        found = [(one, where) for one in every.values() if (where := _found(texts_of(running, one.id), wanted))]
        lines = [_line(one, held, unsettled, where) for one, where in found[:MOST_FOUND]]
        more = max(0, len(found) - MOST_FOUND)
        heading = f"{len(found)} {'entry' if len(found) == 1 else 'entries'}"
    else:
        chosen = [one for one in every.values() if asked.at and asked.at in _groups_of(one, asked.by)]
        lines = [_line(one, held, unsettled) for one in sorted(chosen, key=lambda one: _natural(one.cites[0] if one.cites else one.id))]  # fmt: skip
        heading = program_title(asked.at) if asked.by == PROGRAM else asked.at
    return ContentsShown(
        asked=asked,
        orders=tuple(Choice(text, asked.url(by=by if by != PROGRAM else "", at="", q=""), is_chosen=asked.by == by) for by, text in ((PROGRAM, "By program"), (ARTICLE, "By article"))),
        sections=tuple(_sections(running, asked, unsettled)), heading=heading, lines=tuple(lines),
        more=more,
        clauses=tuple(_clauses_found(running, asked.text)) if asked.text else (),
        books=tuple(_book(one) for one in running.library.line(running.book_id)) if not (asked.text or asked.at) else (),
        open_doubts=len(unsettled),
    )  # fmt: skip


def _law(looking: Looking) -> Law:
    return law.in_force(canonical.instant_text(looking.known_at) if looking.known_at else "")


def _groups_of(entry: Entry, by: str) -> tuple[str, ...]:
    if by == PROGRAM:
        return (PurePosixPath(entry.file).stem,)
    return tuple(dict.fromkeys(article_of(cite) for cite in entry.cites))


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


def _natural(text: str) -> list[tuple[bool, int, str]]:
    """Returns what a text is sorted by so that 22-9 comes before 22-10."""
    return [(part.isdigit(), int(part) if part.isdigit() else 0, part) for part in re.split(r"(\d+)", text)]


def _sections(running: Law, asked: Asked, unsettled: frozenset[str]) -> Iterator[SectionShown]:
    """Yields the groups: programs of the whole line, or the articles of each book."""
    line = running.library.line(running.book_id)
    if asked.by == PROGRAM:
        entries = [one for book in line for one in book.entries.values()]
        yield SectionShown("", tuple(_grouped(entries, asked, unsettled)))
        return
    for book in line:
        groups = tuple(_grouped(book.entries.values(), asked, unsettled))
        if groups:
            yield SectionShown(book.name, groups)


def _grouped(entries: Iterable[Entry], asked: Asked, unsettled: frozenset[str]) -> Iterator[GroupShown]:
    groups: dict[str, list[Entry]] = {}
    for one in entries:
        for name in _groups_of(one, asked.by):
            groups.setdefault(name, []).append(one)
    for name, found in sorted(groups.items(), key=lambda item: _natural(item[0])):
        doubts = {doubt for one in found for doubt in _doubts_of(one) if doubt in unsettled}
        said = program_title(name) if asked.by == PROGRAM else name
        yield GroupShown(said, asked.url(at=name, q=""), len(found), len(doubts), name == asked.at and not asked.text)


def _doubts_of(entry: Entry) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*entry.doubts, *((entry.reading_of,) if entry.reading_of else ()))))


def _line(entry: Entry, held: Mapping[str, tuple[int, int]], unsettled: frozenset[str], found: str = "") -> EntryLine:
    open_, overdue = held.get(entry.id, (0, 0))
    doubts = sum(one in unsettled for one in _doubts_of(entry))
    return EntryLine(entry.id, entry.means, "; ".join(entry.cites), KINDS.get(entry.kind, title(entry.kind)), doubts, open_, overdue, found)  # fmt: skip


def _book(book: Book) -> BookShown:
    counts: dict[str, int] = {}
    for clause in (book.register or {}).values():
        counts[clause.status] = counts.get(clause.status, 0) + 1
    statuses = tuple((counts[name], text) for name, text in STATUSES.items() if name in counts)
    return BookShown(book.name, book.edition, len(book.entries), len(book.doubts), sum(counts.values()), statuses)


# ------------------------------------------------------------------------------------------------ searching


def _wanted(text: str) -> tuple[str, ...]:
    """Returns the words and figures that are looked for; a comma between thousands is none."""
    return tuple(_COMMA.sub("", text.lower()).split())


def texts_of(running: Law, entry: str) -> tuple[str, ...]:
    """Returns every text in which an entry can be found: meaning, clauses, sentences, doubts."""
    return _texts(running.supplement, running.book_id)[entry]


@lru_cache(maxsize=4)
def _texts(supplement: str, book_id: str) -> Mapping[str, tuple[str, ...]]:
    running = Law(supplement, book_id)
    clauses = _clauses(running)
    doubts = running.library.doubts(book_id)
    return {one.id: tuple(_texts_of(one, clauses, doubts)) for one in running.library.entries(book_id).values()}


def _texts_of(entry: Entry, clauses: Mapping[str, Clause], doubts: Mapping[str, Doubt]) -> Iterator[str]:
    yield entry.means
    yield "; ".join(entry.cites)
    for _, reading, lines in editions(entry):
        yield from (f"{name} {text}" for name, text in lines)
        if reading:
            yield f"read as {reading}"
    yield from (clauses[one].means for one in entry.covers if one in clauses)
    for one in _doubts_of(entry):
        if one in doubts:
            yield f"{one}: {doubts[one].means}"
    if entry.note:
        yield entry.note
    yield entry.id


def _found(texts: Sequence[str], wanted: Sequence[str]) -> str:
    """Returns the first text in which the most telling of what is wanted stands; nothing where something is not there."""
    plain_texts = [_COMMA.sub("", one.lower()) for one in texts]
    if not all(any(word in one for one in plain_texts) for word in wanted):
        return ""
    best = max(range(len(texts)), key=lambda place: (sum(word in plain_texts[place] for word in wanted), -place))
    return texts[best]


def _clauses(running: Law) -> dict[str, Clause]:
    line = running.library.line(running.book_id)
    return {id_: one for book in reversed(line) for id_, one in (book.register or {}).items()}


def _clauses_found(running: Law, text: str) -> Iterator[ClauseShown]:
    wanted, count = _wanted(text), 0
    carrying = _carrying(running)
    for one in _clauses(running).values():
        if _found((one.cite, one.means), wanted):
            count += 1
            if count > MOST_FOUND:
                return
            yield _clause(one, carrying)


def _carrying(running: Law) -> dict[str, list[Entry]]:
    found: dict[str, list[Entry]] = {}
    for entry in running.library.entries(running.book_id).values():
        for clause in entry.covers:
            found.setdefault(clause, []).append(entry)
    return found


def _clause(clause: Clause, carrying: Mapping[str, Sequence[Entry]]) -> ClauseShown:
    entries = tuple(Link(one.means, reverse("rulebook_entry", args=[one.id])) for one in carrying.get(clause.id, ()))
    said = STATUSES.get(clause.status, clause.status)
    return ClauseShown(clause.cite, clause.means, said[:1].upper() + said[1:], entries)


# ------------------------------------------------------------------------------------------------ one entry


@dataclass(frozen=True, slots=True)
class Sentence:
    """A labelled line of an entry; where it names other entries, these stand in its place."""

    name: str
    text: str
    entries: tuple[Link, ...] = ()


@dataclass(frozen=True, slots=True)
class ReadingShown:
    """What one reading of an edition says beside what all of them say."""

    name: str
    note: str
    lines: tuple[Sentence, ...]


@dataclass(frozen=True, slots=True)
class EditionShown:
    """An edition of an entry: since when, what it says, and how else it may be read."""

    when: str
    is_in_force: bool
    lines: tuple[Sentence, ...]
    readings: tuple[ReadingShown, ...]


@dataclass(frozen=True, slots=True)
class DoubtShown:
    """A doubt that touches an entry, and how it stands."""

    id: str
    means: str
    readings: tuple[tuple[str, str], ...]
    stands: str
    is_open: bool


@dataclass(frozen=True, slots=True)
class DecisionShown:
    """A decision on a doubt: what, for what, since when, by whom, because."""

    doubt: str
    reading: str
    about: str
    about_url: str
    when: str
    because: str
    row: str
    counts: bool


@dataclass(frozen=True, slots=True)
class FindingShown:
    """A finding under an entry."""

    word: str
    about: str
    when: str
    url: str


@dataclass(frozen=True, slots=True)
class CaseShown:
    """A worked case: what is given, when it is asked, what must come out, where that comes from."""

    name: str
    given: tuple[str, ...]
    more: tuple[str, ...]  # of what is given, where it is much
    as_of: str
    expected: tuple[str, ...]
    origin: str


@dataclass(frozen=True, slots=True)
class EntryShown:
    """Everything that the page of an entry shows."""

    entry: Entry
    kind: str
    crumb: tuple[Link, ...]
    program_groups: tuple[GroupShown, ...]
    siblings: tuple[tuple[str, str, int, bool], ...]
    editions: tuple[EditionShown, ...]
    printed: tuple[Known, ...]
    doubts: tuple[DoubtShown, ...]
    decisions: tuple[DecisionShown, ...]
    lines: tuple[Line, ...]
    held: int
    findings: tuple[FindingShown, ...]
    today_url: str
    cases: tuple[CaseShown, ...]
    more_cases: int
    book: str
    notes: tuple[Known, ...]
    is_not_in_force: bool


def entry_shown(name: str, account: Account, looking: Looking) -> EntryShown:
    """Returns an entry with everything that hangs on it, as of the instant at which the page looks.

    Raises:
        NotFound: where the town's books have no such entry.
        NotAllowed: for an account that may see nothing.
    """
    running = _law(looking)
    every = running.library.entries(running.book_id)
    entry = every.get(name)
    if entry is None:
        raise NotFound(f"the books of the town have no entry {name!r}")
    world = queries.world(as_account=account, as_of=looking.as_of, known_at=looking.known_at)
    page = queries.due(
        as_account=account, rule=name, as_of=looking.as_of, known_at=looking.known_at, limit=MOST_LINES
    ) if not looking.is_elsewhere else None  # fmt: skip
    dues = page.items if page else ()
    found = queries.findings(as_account=account, rule=name, outcomes=("NOT_MET", "CANNOT_TELL"), limit=MOST_LINES)
    names = {person for due in dues for person in due.persons} | {one.thing for one in found}
    words = words_of(names, looking.instant, running=running)
    cases = [
        one for one in (_case(case, entry, every) for case in cases_naming(entry, _cases(running))) if one.expected
    ]
    program = PurePosixPath(entry.file).stem
    unsettled = frozenset(one for one in world.doubts if not world.decisions(one, None))
    asked = Asked(PROGRAM, program)
    shown = tuple(_editions(entry, world, words))
    return EntryShown(
        entry=entry, kind=KINDS.get(entry.kind, title(entry.kind)),
        crumb=(Link("Rulebook", reverse("rulebook")), Link(program_title(program), asked.url())),
        program_groups=tuple(_grouped(every.values(), asked, unsettled)),
        siblings=tuple(
            (one.means, reverse("rulebook_entry", args=[one.id]), sum(doubt in unsettled for doubt in _doubts_of(one)), one.id == name)
            for one in every.values()
            if PurePosixPath(one.file).stem == program
        ),
        editions=shown, printed=tuple(_printed(entry, running)), doubts=tuple(_doubts(entry, world, words)),
        decisions=tuple(_decisions(entry, world, words, account)),
        lines=tuple(_held(one, words, account) for one in dues), held=page.total if page else 0,
        findings=tuple(_finding(one, words) for one in found) if not looking.is_elsewhere else (),
        today_url=f"{reverse('today')}?{urlencode({'whose': 'all', 'rule': name})}",
        cases=tuple(cases[:MOST_CASES]), more_cases=max(0, len(cases) - MOST_CASES),
        book=_book_of(running, entry), notes=tuple(_notes(entry, every)),
        is_not_in_force=not any(one.is_in_force for one in shown),
    )  # fmt: skip


def _held(due: Due, words: Words, account: Account) -> Line:
    """Returns a line of what an entry holds open: on its own page the thing says more than what is asked."""
    line = line_of(due, words, account, is_alone=True)
    label = f", {due.label}" if due.label and "T" not in due.label and due.label != str(due.due) else ""
    return replace(line, what=f"{_capital(due.thing_label)}{label}")


def _book_of(running: Law, entry: Entry) -> str:
    book = running.library.books[entry.book]
    return f"{book.name} {book.edition}".strip()


def _editions(entry: Entry, world: World, words: Words) -> Iterator[EditionShown]:
    """Yields each edition, the newest first: what all its readings say, then what each says besides."""
    by_edition: dict[tuple[Any, Any], list[tuple[Edition, str, list[tuple[str, str]]]]] = {}
    for one in editions(entry):
        by_edition.setdefault((one[0].since, one[0].until), []).append(one)
    now = entry.edition_on(words.today)
    for readings in reversed(list(by_edition.values())):
        edition = readings[0][0]
        shared = [line for line in readings[0][2] if all(line in lines for _, _, lines in readings)]
        own = [
            ReadingShown(name, _how_read(entry.reading_of, name, world), tuple(_said(line, words) for line in lines if line not in shared))
            for _, name, lines in readings
            if name
        ]  # fmt: skip
        since = f"since {day_words(edition.since)}" if edition.since else ""
        until = f"until {day_words(edition.until)}" if edition.until else ""
        when = " ".join(filter(None, (since, until))) or "always"
        yield EditionShown(when, edition is now, tuple(_said(line, words) for line in shared), tuple(own))


def _said(line: tuple[str, str], words: Words) -> Sentence:
    """Returns a line with offices in the town's words, and other entries as links; conditions stand as the book has them."""
    name, text = line
    if name == "whose":
        who, _, to = text.partition(", toward ")
        return Sentence("Whose", f"{words.office(who)}, toward {_the(words.office(to))}" if to else words.office(who))
    if name == "a gap is decided by":
        return Sentence(_capital(name), words.office(text))
    named, comma, grace = text.partition(", after ")
    parts = named.split(", ")
    if all(one in words.entries for one in parts):
        links = tuple(Link(words.entries[one].means, reverse("rulebook_entry", args=[one])) for one in parts)
        return Sentence(_capital(name), f"{comma}{grace}", links)
    return Sentence(_capital(name), text)


def _the(office: str) -> str:
    said = _small(office)
    return said if said.startswith("the ") else f"the {said}"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _small(text: str) -> str:
    return text[:1].lower() + text[1:] if text[1:2].islower() else text


def _how_read(doubt: str, reading: str, world: World) -> str:
    decided = world.decisions(doubt, None) if doubt else []
    if decided:
        return "So decided" if decided[-1].reading == reading else ""
    known = world.doubts.get(doubt)
    return "Applied until somebody decides" if known is not None and known.applied == reading else ""


def _printed(entry: Entry, running: Law) -> Iterator[Known]:
    """Yields where it is printed: each clause with what it says."""
    clauses = _clauses(running)
    covered = [clauses[one] for one in entry.covers if one in clauses]
    for one in covered:
        yield Known(one.cite, one.means)
    said = {one.cite for one in covered}
    for cite in entry.cites:
        if not any(cite == one or one.startswith((f"{cite}(", f"{cite}.")) for one in said):
            yield Known(cite, "", missing="" if covered else "No clause of a register stands beside it")


def _doubts(entry: Entry, world: World, words: Words) -> Iterator[DoubtShown]:
    for id_ in _doubts_of(entry):
        doubt = world.doubts.get(id_)
        if doubt is None:
            continue
        decided = world.decisions(id_, None)
        if decided:
            stands = f"Decided {day_words(decided[-1].day, words.today)}: {decided[-1].reading}"
        elif doubt.applied:
            stands = f"Read until somebody decides as: {doubt.applied}"
        else:
            stands = "Until somebody decides, what hangs on it cannot be told"
        by = f" {_capital(_the(words.office(doubt.settle_by)))} settles it." if doubt.settle_by and not decided else ""
        readings = tuple((one, _how_read(id_, one, world)) for one in doubt.choices)
        yield DoubtShown(id_, doubt.means, readings, f"{stands}.{by}", not decided)


def _decisions(entry: Entry, world: World, words: Words, account: Account) -> Iterator[DecisionShown]:
    """Yields every decision on the doubts of an entry, for all or for one thing."""
    wanted = set(_doubts_of(entry))
    if not wanted:
        return

    def counting(thing: str) -> set[str]:
        return {each.event for doubt in wanted for each in world.decisions(doubt, world.thing(thing))}

    for one in journal.decided(sorted(wanted), as_account=account):
        moment, data = moment_of(one.row.at), one.row.data
        yield DecisionShown(
            str(data.get("doubt", "")), str(data.get("reading", "")), one.label, reverse("thing", args=[one.row.thing]),
            words.moment(moment) if moment else "", str(data.get("because", "")), one.row.id, one.row.root in counting(one.row.thing),
        )  # fmt: skip


def _finding(one: Finding, words: Words) -> FindingShown:
    when = words.moment(one.day) if one.day is not None else ""
    return FindingShown(OUTCOMES[one.outcome], words.name(one.thing), when, why_url(one.key))


def _notes(entry: Entry, every: Mapping[str, Entry]) -> Iterator[Known]:
    if entry.certainty != "verified":
        yield Known("How sure", f"From {entry.certainty}: check the text before relying on it")
    if entry.combine is not None:
        other = every.get(entry.combine.other)
        url = reverse("rulebook_entry", args=[other.id]) if other else ""
        yield Known("Beside", other.means if other else entry.combine.other, plain(entry.combine.how), url)
    if entry.note:
        yield Known("Note", entry.note)


# ------------------------------------------------------------------------------------------------ worked cases


def _cases(running: Law) -> Sequence[Case]:
    return supplements.cases_of(tuple(one.id for one in running.library.line(running.book_id)))


def _case(case: Case, entry: Entry, every: Mapping[str, Entry]) -> CaseShown:
    given = [f"{name}: {_pairs(facts)}" for name, facts in case.facts.items()]
    given += [_event(one) for one in case.events]
    expected = [text for key, value in case.expect.items() for text in _expected(key, value, entry, every)]
    shown = MOST_GIVEN if len(given) > MOST_GIVEN + 1 else len(given)
    return CaseShown(
        case.id, tuple(given[:shown]), tuple(given[shown:]), case.as_of.replace("T", " "), tuple(expected), case.origin
    )


def _event(one: Mapping[str, Any]) -> str:
    data = one.get("data") or {}
    by = f" by the {plain(str(one['role']))}" if one.get("role") else ""
    return f"{str(one.get('at', '')).replace('T', ' ')}: {plain(str(one.get('event', '')))}{by}" + (
        f" ({_pairs(data)})" if data else ""
    )


def _pairs(said: Mapping[str, Any]) -> str:
    return ", ".join(f"{plain(name.lstrip('_'))} {_value(value)}" for name, value in said.items())


def _value(value: Any) -> str:
    if isinstance(value, Mapping):
        return f"({_pairs(value)})"
    if isinstance(value, list | tuple):
        return ", ".join(_value(one) for one in value) or "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def _expected(key: str, value: Any, entry: Entry, every: Mapping[str, Entry]) -> Iterator[str]:
    """Yields what a case expects of an entry; what it expects of others is left out."""
    if not isinstance(value, list):
        yield f"{plain(key)}: {_value(value)}"
        return
    for one in value if key != "todo" else ():  # how lines fold together is no case of the entry
        if not isinstance(one, Mapping):
            yield f"{plain(key)}: {_value(one)}"
            continue
        said = dict(one)
        rule = said.pop("rule", None) or said.pop("penalty", None)
        if rule in (None, entry.id) or rule not in every:
            yield _one_expected(key, said)


def _one_expected(key: str, said: dict[str, Any]) -> str:
    match key:
        case "obligations":
            head = plain(str(said.pop("state", "owed")))
        case "findings" | "may":
            outcome = str(said.pop("outcome", ""))
            head = OUTCOMES.get(outcome, outcome)
        case "answers":
            name, of = said.pop("name", ""), said.pop("subject", "")
            head = f"{name}{f' of {of}' if of else ''} is {_value(said.pop('is', 'not said'))}"
        case _:
            head = plain(key)
    others = said.pop("if_read_as", None)
    rest = ", ".join(f"{_WORDS_OF_A_CASE.get(name, plain(name))} {_value(item)}".strip() for name, item in said.items())
    if isinstance(others, list):
        rest = "; ".join(filter(None, (rest, *(f"read otherwise: {_pairs(one)}" for one in others if isinstance(one, Mapping)))))  # fmt: skip
    said_all = ", ".join(filter(None, (head, rest)))
    return said_all if key == "answers" else _capital(said_all)


_WORDS_OF_A_CASE = {"label": "for", "about": "for", "asks": "missing"}
