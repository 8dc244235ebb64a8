"""What the pages of an entry and of a clause show: sentences, editions, doubts, what is held open, worked cases."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from urllib.parse import urlencode

from django.urls import reverse

from sewershed.desk.rulebook.clauses import beside, carriers_of, clause_url, entry_url
from sewershed.desk.rulebook.contents import (
    PROGRAM,
    Asked,
    EntryLine,
    GroupShown,
    Standing,
    article_url,
    entry_line,
    law_at,
    open_doubts,
    print_url,
    program_of,
    programs,
)
from sewershed.desk.rulebook.doubts import DecisionShown, DoubtShown, decisions_shown, doubts_shown, how_read
from sewershed.desk.shell.looking import Looking
from sewershed.desk.shell.parts import Known, Line, Link
from sewershed.desk.things.lines import line_of, program_title, why_url
from sewershed.ledger import ordinance, queries
from sewershed.ledger.errors import NotFound
from sewershed.ledger.law import Law
from sewershed.ledger.models import Account
from sewershed.ledger.ordinance import Passage, Sentence, doubts_of, doubts_touching, kind_of
from sewershed.ledger.shown import Due
from sewershed.ledger.wording import OUTCOMES, Words, capital, plain, words_of
from sewershed.ledger.worked import CaseSaid, case_said
from sewershed.rules.entries import Entry
from sewershed.rules.findings import Finding
from sewershed.rules.world import World

MOST_LINES = 50  # of what an entry holds open, on its page
MOST_CASES = 10  # of a whole list that may be asked for
MOST_GIVEN = 4  # lines of what a case is given, before the rest folds


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
class FindingShown:
    """A finding under an entry."""

    word: str
    about: str
    when: str
    url: str


@dataclass(frozen=True, slots=True)
class CaseShown:
    """A worked case in a list, with where it is run and where its figures can be changed."""

    said: CaseSaid
    given: tuple[str, ...]
    more: tuple[str, ...]  # of what is given, where it is much
    run_url: str
    what_if_url: str


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
    what_if_url: str
    print_url: str
    book: str
    notes: tuple[Known, ...]
    is_not_in_force: bool
    caution: str


def entry_shown(name: str, account: Account, looking: Looking, *, has_all_cases: bool = False) -> EntryShown:
    """Returns an entry with everything that hangs on it, as of the instant at which the page looks.

    Args:
        name: its id.
        account: who looks.
        looking: at which instant.
        has_all_cases: all worked cases are listed, not the first few.

    Raises:
        NotFound: where the town's books have no such entry.
        NotAllowed: for an account that may see nothing.
    """
    running = law_at(looking)
    entry = entry_named(name, running)
    every = running.library.entries(running.book_id)
    world = queries.world(as_account=account, as_of=looking.as_of, known_at=looking.known_at)
    page = queries.due(
        as_account=account, rule=name, as_of=looking.as_of, known_at=looking.known_at, limit=MOST_LINES
    ) if not looking.is_elsewhere else None  # fmt: skip
    dues = page.items if page else ()
    found = queries.findings(as_account=account, rule=name, outcomes=("NOT_MET", "CANNOT_TELL"), limit=MOST_LINES)
    names = {person for due in dues for person in due.persons} | {one.thing for one in found}
    words = words_of(names, looking.instant, running=running)
    cases = cases_of(entry, running)
    most = len(cases) if has_all_cases else MOST_CASES
    program = program_of(entry)
    unsettled = open_doubts(world)
    asked = Asked(PROGRAM, program)
    shown = tuple(_editions(entry, world, words, running))
    return EntryShown(
        entry=entry, kind=kind_of(entry), crumb=crumb_to(entry),
        program_groups=tuple(programs(every.values(), asked, unsettled)),
        siblings=tuple(
            (one.means, entry_url(one.id), sum(doubt in unsettled for doubt in doubts_of(one)), one.id == name)
            for one in every.values()
            if program_of(one) == program
        ),
        editions=shown, printed=tuple(_printed(entry, running)), doubts=tuple(doubts_shown(doubts_of(entry), world, words)),
        decisions=tuple(decisions_shown(doubts_of(entry), world, words, account)),
        lines=tuple(_held(one, words, account) for one in dues), held=page.total if page else 0,
        findings=tuple(_finding(one, words) for one in found) if not looking.is_elsewhere else (),
        today_url=f"{reverse('today')}?{urlencode({'whose': 'all', 'rule': name})}",
        cases=tuple(_case(one, entry) for one in cases[:most]), more_cases=max(0, len(cases) - most),
        what_if_url=reverse("what_if", args=[name]), print_url=print_url(ordinance.article_of(entry.cites[0]) if entry.cites else ""),
        book=book_of(running, entry), notes=tuple(_notes(entry, every)),
        is_not_in_force=not any(one.is_in_force for one in shown), caution=ordinance.caution_of(running, entry.id),
    )  # fmt: skip


def entry_named(name: str, running: Law) -> Entry:
    """Returns an entry of the town's law.

    Raises:
        NotFound: where there is none of that id.
    """
    entry = running.library.entries(running.book_id).get(name)
    if entry is None:
        raise NotFound(f"the books of the town have no entry {name!r}")
    return entry


def crumb_to(entry: Entry) -> tuple[Link, ...]:
    """Returns where the pages of an entry stand."""
    program = program_of(entry)
    return Link("Rulebook", reverse("rulebook")), Link(program_title(program), Asked(PROGRAM, program).url())


def book_of(running: Law, entry: Entry) -> str:
    """Returns the book of an entry with its edition."""
    book = running.library.books[entry.book]
    return f"{book.name} {book.edition}".strip()


def cases_of(entry: Entry, running: Law) -> list[CaseSaid]:
    """Returns the worked cases that expect something of an entry, in words."""
    every = running.library.entries(running.book_id)
    said = (case_said(one, entry, every) for one in ordinance.worked(running).get(entry.id, ()))
    return [one for one in said if one.expected]


def _case(said: CaseSaid, entry: Entry) -> CaseShown:
    shown = MOST_GIVEN if len(said.given) > MOST_GIVEN + 1 else len(said.given)
    what_if = f"{reverse('what_if', args=[entry.id])}?{urlencode({'case': said.key})}"
    run = reverse("rulebook_case", args=[entry.id, said.key])
    return CaseShown(said, said.given[:shown], said.given[shown:], run, what_if)


def _held(due: Due, words: Words, account: Account) -> Line:
    """Returns a line of what an entry holds open: on its own page the thing says more than what is asked."""
    line = line_of(due, words, account, is_alone=True)
    label = f", {due.label}" if due.label and "T" not in due.label and due.label != str(due.due) else ""
    return replace(line, what=f"{capital(due.thing_label)}{label}")


def _editions(entry: Entry, world: World, words: Words, running: Law) -> Iterator[EditionShown]:
    """Yields each edition, the newest first: what all its readings say, then what each says besides."""
    for one in ordinance.editions_said(running, entry.id):
        readings = tuple(
            ReadingShown(reading.name, how_read(entry.reading_of, reading.name, world), reading.lines)
            for reading in one.readings
        )
        yield EditionShown(one.when, one.edition.is_on(words.today), one.lines, readings)


def _printed(entry: Entry, running: Law) -> Iterator[Known]:
    """Yields where it is printed: each clause with what it says."""
    known = ordinance.passages(running)
    covered = [known[one] for one in entry.covers if one in known]
    for one in covered:
        yield Known(one.cite, one.means, url=clause_url(one.id))
    said = {one.cite for one in covered}
    for cite in entry.cites:
        if not any(cite == one or one.startswith((f"{cite}(", f"{cite}.")) for one in said):
            yield Known(cite, "", missing="" if covered else "No clause of a register stands beside it")


def _finding(one: Finding, words: Words) -> FindingShown:
    when = words.moment(one.day) if one.day is not None else ""
    return FindingShown(OUTCOMES[one.outcome], words.name(one.thing), when, why_url(one.key))


def _notes(entry: Entry, every: Mapping[str, Entry]) -> Iterator[Known]:
    if entry.combine is not None:
        other = every.get(entry.combine.other)
        url = entry_url(other.id) if other else ""
        yield Known("Beside", other.means if other else entry.combine.other, plain(entry.combine.how), url)
    if entry.note:
        yield Known("Note", entry.note)


# ------------------------------------------------------------------------------------------------ a clause


@dataclass(frozen=True, slots=True)
class RuleShown:
    """An entry on the page of a clause that it carries."""

    line: EntryLine
    edition: EditionShown | None
    editions: int
    cases: int
    what_if_url: str
    caution: str


@dataclass(frozen=True, slots=True)
class ClauseShown:
    """Everything that the page of a clause shows."""

    place: Passage
    article: str
    crumb: tuple[Link, ...]
    siblings: tuple[
        tuple[str, str, str, str, bool], ...
    ]  # id, cite, what it says, what became of it, whether it is this one
    before: Link | None
    after: Link | None
    carriers: tuple[Link, ...]
    rules: tuple[RuleShown, ...]
    doubts: tuple[DoubtShown, ...]
    decisions: tuple[DecisionShown, ...]
    print_url: str
    book: str


def clause_shown(id: str, account: Account, looking: Looking) -> ClauseShown:
    """Returns a clause of the register with every entry that carries it, as of the instant at which the page looks.

    Raises:
        NotFound: where no register has such a clause.
        NotAllowed: for an account that may see nothing.
    """
    running = law_at(looking)
    place = ordinance.passages(running).get(id)
    if place is None:
        raise NotFound(f"no register of the town's books has a clause {id!r}")
    world = queries.world(as_account=account, as_of=looking.as_of, known_at=looking.known_at)
    held = queries.open_by_rule(as_account=account) if not looking.is_elsewhere else {}
    words = words_of((), looking.instant, running=running)
    standing, every = Standing(running, held, open_doubts(world)), running.library.entries(running.book_id)
    doubts = doubts_touching(place, every, world.doubts)
    name = ordinance.article_of(place.cite)
    article = ordinance.articles(running)[name]
    before, after = beside(place, running)
    rules = [every[one] for one in place.entries if one in every]
    return ClauseShown(
        place=place, article=name, crumb=(Link("Rulebook", reverse("rulebook") + "?by=article"), Link(name, article_url(name))),
        siblings=tuple((one.id, one.cite, one.means, one.said, one.id == place.id) for one in article.passages if one.is_register),
        before=before, after=after, carriers=tuple(carriers_of(place, running)),
        rules=tuple(_rule(one, standing, world, words) for one in rules),
        doubts=tuple(doubts_shown(doubts, world, words)), decisions=tuple(decisions_shown(doubts, world, words, account)),
        print_url=print_url(name), book=running.library.books[article.book].name,
    )  # fmt: skip


def _rule(entry: Entry, standing: Standing, world: World, words: Words) -> RuleShown:
    running = standing.running
    shown = list(_editions(entry, world, words, running))
    in_force = next((one for one in shown if one.is_in_force), None)
    return RuleShown(
        entry_line(entry, standing), in_force, len(shown), len(cases_of(entry, running)),
        reverse("what_if", args=[entry.id]), ordinance.caution_of(running, entry.id),
    )  # fmt: skip
