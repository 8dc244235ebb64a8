"""What the pages from a call to the finding show, from the ledger's queries, in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.urls import reverse

from sewershed.desk.shell.parts import Known, Link, Running
from sewershed.desk.spills import places
from sewershed.desk.spills.forms import BACKUP, CALL, CONFIRMED, MANHOLES, NONE, NOT_OURS, POINT, PRIVATE, SPILL
from sewershed.desk.things.lines import how_long, line_of, running_of, when, why_url
from sewershed.desk.things.queries import said_of
from sewershed.ledger import clock, law, people, queries
from sewershed.ledger.errors import NotFound
from sewershed.ledger.models import Account
from sewershed.ledger.moments import clock_words
from sewershed.ledger.projections import moment_of
from sewershed.ledger.shown import Due, Named, RowShown
from sewershed.ledger.wording import Words, capital, label_of, title, words_of
from sewershed.rules.calendars import shifted
from sewershed.rules.entries import Duty, Within
from sewershed.rules.moments import day_of, end_of, is_instant
from sewershed.rules.record import Moment
from sewershed.rules.spans import Span
from sewershed.rules.todo import leader
from sewershed.rules.unknown import Unknown

PROGRAM = "spills"
DISPATCHED, HAS_MESSAGE, ARRIVED = "dispatched", "dispatch_confirmed", "crew_arrived"
FOUND_WORDS = {CONFIRMED: "A spill", NONE: "No spill", PRIVATE: "From a private line", NOT_OURS: "Another system's"}
FINDINGS = tuple(FOUND_WORDS)
SAME_HOUR = timedelta(hours=1)
RECENT = timedelta(hours=24)
MOST_RECENT = 40  # reports looked at for one that may be the same
MOST_NEAR = 4
NEAR_FT = 1000  # so near that two calls may be of one spill; a person decides whether they are
FEW_FT = 100  # distances are said to so many feet
MILE_FT = 5280  # a statute mile
MOST_RUNG = 6

# What is done on site, in the order in which it is mostly done; a vocabulary without one of them leaves it out.
STEPS: Sequence[tuple[str, Sequence[str]]] = (
    ("Keep people safe", ("made_safe", "area_secured")),
    ("Hold it", ("spill_contained",)),
    ("Photographs", ("photographs_taken",)),
    ("Cause and course", ("cause_found", "destination_found")),
    ("Start and stop", ("start_estimated", "spill_stopped")),
    ("Clean up", ("area_clean", "site_disinfected", "area_released")),
    ("Who came, and what was harmed", ("orc_visited", "damage_assessed")),
)

INDOORS = ("Backed up indoors", ("backup_advised", MANHOLES, "claim_form_given"))


# ------------------------------------------------------------------------------------------------ the register


def causes_of(rows: Sequence[RowShown]) -> tuple[str, ...]:
    """Returns the causes that were found last."""
    found = next(
        (row.data["causes"] for row in reversed(rows) if row.name == "cause_found" and row.data.get("causes")), ()
    )
    return tuple(str(one) for one in found)


def with_cause(cause: str, account: Account) -> set[str]:
    """Returns the spills of which a cause was found, by the last word on each."""
    return {
        thing
        for thing, causes in queries.last_said("cause_found", "causes", as_account=account).items()
        if cause in causes
    }


def cause_words() -> list[tuple[str, str]]:
    """Returns the causes that the vocabulary knows."""
    event = law.in_force().vocabulary.events.get("cause_found")
    item = event.data["causes"].type.item if event else None
    return [(word, title(word)) for word in (item.words if item else ())]


def state_words() -> list[tuple[str, str]]:
    """Returns the states that a report can be in, as the town's book derives them."""
    state = law.in_force().vocabulary.things[SPILL].facts.get("state")
    return [(word, title(word)) for word in (state.type.words if state else ())]


def with_lines(account: Account, person: str = "") -> set[str]:
    """Returns the spills on which something is open, for a person or for anybody."""
    return queries.with_open(as_account=account, program=PROGRAM, person=person)


def state_of(state: str, rows: Sequence[RowShown]) -> str:
    """Returns how a report stands, with what it turned out to be where it is no spill.

    Args:
        state: as the town's book derives it; nothing where its book derives none.
        rows: what happened.
    """
    last = finding_of(rows)
    reason = last.data.get("reason") if last is not None and last.name == NONE else None
    if reason or state:
        return title(str(reason or state))
    return FOUND_WORDS[last.name] if last is not None else "Reported"


def finding_of(rows: Sequence[RowShown]) -> RowShown | None:
    """Returns the last word on what it is, or None while nobody has said."""
    return next((row for row in reversed(rows) if row.name in FINDINGS), None)


# ------------------------------------------------------------------------------------------------ a call


@dataclass(frozen=True, slots=True)
class Near:
    """A report that may be of the same spill."""

    thing: str
    label: str
    note: str
    url: str
    is_same: bool  # hour and place


@dataclass(frozen=True, slots=True)
class Ring:
    """Somebody to telephone."""

    person: str
    name: str
    office: str
    phone: str


@dataclass(frozen=True, slots=True)
class Starts:
    """A clock that a call starts: what for, how long, until when."""

    means: str
    cites: str
    until: str
    caution: str = ""  # where the rule is from memory


def near(
    account: Account, at: Moment, where: str = "", point: tuple[float, float] | None = None, not_this: str = ""
) -> tuple[Near, ...]:
    """Returns the reports that a call may be another of: those near in time and place first, then the open ones of the day.

    Edge: a report exactly 24 hours away is looked at. Nothing is joined here: a person does that.
    """
    page = queries.things(SPILL, as_account=account, order="-began", limit=MOST_RECENT)
    ids = [one.id for one in page.items if one.id != not_this]
    rows = queries.happened({CALL, *FINDINGS}, ids, as_account=account)
    facts = queries.facts_of(ids, SPILL, ["location", "state", POINT], as_account=account)
    words = words_of()
    found = []
    for one in page.items:
        calls = [row for row in rows.get(one.id, ()) if row.name == CALL]
        called = moment_of(calls[0].at) if calls else None
        if called is None or one.id == not_this:
            continue
        apart = _apart(at, called, words)
        if apart > RECENT:
            continue
        is_over = any(row.name in FINDINGS and row.name != CONFIRMED for row in rows[one.id])
        said, there = facts[one.id].get("location", ""), places.point_of(facts[one.id].get(POINT, ""))
        feet = places.distance_ft(point, there) if point and there else None
        shared = places.shared_words(where, said) if where else 0
        is_near = (feet is not None and feet <= NEAR_FT) or shared > 0
        if not is_near and is_over:
            continue
        notes = [
            capital(_day_words(called, words)),
            *([_feet(feet)] if feet is not None and feet <= 10 * MILE_FT else []),
        ]
        is_same = is_near and apart <= SAME_HOUR
        if is_same:
            notes.append("same hour, same place")
        elif is_over:
            notes.append("closed since")
        rank = (not is_same, not is_near, is_over, -shared, feet or 0.0, apart)
        found.append(
            (rank, Near(one.id, capital(one.label), ", ".join(notes), reverse("spill", args=[one.id]), is_same))
        )
    return tuple(shown for _, shown in sorted(found, key=lambda item: item[0]))[:MOST_NEAR]


def _apart(one: Moment, other: Moment, words: Words) -> timedelta:
    if is_instant(one) and is_instant(other):
        assert isinstance(one, datetime)
        assert isinstance(other, datetime)
        return abs(one - other)
    return abs(day_of(one, words.zone) - day_of(other, words.zone))


def _day_words(moment: Moment, words: Words) -> str:
    day = day_of(moment, words.zone)
    said = {0: "today", 1: "yesterday"}.get((words.today - day).days)
    if said is None:
        return words.moment(moment)
    return f"{said}, {clock_words(moment, words.zone)}" if is_instant(moment) else said


def _feet(feet: float) -> str:
    """Returns a distance as people say it.

    Example:
        >>> _feet(40.0), _feet(1234.0), _feet(7920.0)
        ('within 100 ft', 'about 1,200 ft away', 'about 1.5 miles away')
    """
    if feet <= FEW_FT:
        return f"within {FEW_FT} ft"
    if feet < MILE_FT:
        return f"about {round(feet / FEW_FT) * FEW_FT:,} ft away"
    return f"about {feet / MILE_FT:.1f} miles away"


def to_ring(account: Account) -> tuple[Ring, ...]:
    """Returns whom to telephone when a call has come: who would go first, then the others who hold an office of the program.

    The book says which offices owe something once somebody is sent; who holds them today comes first.
    """
    running, today = law.in_force(), clock.today()
    known = people.holdings()
    sent, called = _offices_owing({DISPATCHED}), _offices_owing({CALL})
    first, then = sent - called, (called | _offices_owing({CONFIRMED})) - sent  # who owes both is who sends
    found: dict[str, str] = {}
    for offices in (sorted(first), sorted(then)):
        for office in offices:
            for person in people.holders(office, today, known):
                found.setdefault(person, office)
    found.pop(account.person, None)
    chosen = list(found)[:MOST_RUNG]
    phones = queries.facts_of(chosen, "person", ["phone"], as_account=account)
    words = words_of(chosen, running=running)
    return tuple(Ring(one, words.name(one), words.office(found[one]), phones[one].get("phone", "")) for one in chosen)


def _offices_owing(events: set[str]) -> set[str]:
    """Returns the offices that owe something about a spill once one of some events has happened."""
    running = law.in_force()
    found = set()
    for entry in running.library.entries(running.book_id).values():
        edition = entry.edition_on(clock.today())
        for form in edition.readings.values() if edition else ():
            if isinstance(form, Duty) and form.on == SPILL and events & set(form.opens.events):
                found.add(form.who)
    return found


def starts(account: Account, at: Moment) -> tuple[Starts, ...]:
    """Returns the clocks that a call starts, as the books in force set them: those that run a fixed time from the call.

    Edge: of several rules of one duty the one that leads its line is named.
    """
    made = queries.world(as_account=account)
    words, today = words_of(), made.today
    begin = end_of(at, made.zone)
    found: dict[str, tuple[datetime, Starts]] = {}
    for entry in made.entries.values():
        form = made.form(entry, None, today)
        if not isinstance(form, Duty) or form.on != SPILL or CALL not in form.opens.events or form.opens.when.get(CALL):
            continue
        case = next((one for one in form.due if one.when is None), None)
        if case is None or not isinstance(case.clock, Within) or case.clock.of or not isinstance(case.clock.span, Span):
            continue
        until = shifted(made.calendar.add, begin, case.clock.span)
        if isinstance(until, Unknown):
            continue  # as where the offices are closed for good
        lead = leader(made, entry.id)
        shown = Starts(entry.means, words.cites([entry.id]), capital(_until(until, words)), words.law.caution(entry.id))  # fmt: skip
        if lead not in found or entry.id == lead:
            found[lead] = (end_of(until, made.zone), shown)
    return tuple(shown for _, shown in sorted(found.values(), key=lambda item: item[0]))


def _until(moment: Moment, words: Words) -> str:
    if day_of(moment, words.zone) == words.today and is_instant(moment):
        return f"today {clock_words(moment, words.zone)}"
    return words.moment(moment)


# ------------------------------------------------------------------------------------------------ sending somebody


@dataclass(frozen=True, slots=True)
class Sent:
    """Somebody who was sent, and whether they have the message."""

    person: str
    name: str
    phone: str
    when: str
    confirmed: str
    arrived: str


@dataclass(frozen=True, slots=True)
class CallShown:
    """A call as it was taken."""

    number: str
    when: str
    what: str
    phone: str
    said: tuple[Known, ...]


@dataclass(frozen=True, slots=True)
class SpillAtHand:
    """A spill while it is being looked into: what the callers said, the clock, who was sent, what was done."""

    thing: Named
    location: str
    point: tuple[float, float] | None
    calls: tuple[CallShown, ...]
    sent: tuple[Sent, ...]
    first: Due | None
    running: Running | None
    why: Link | None
    whose: str
    outcome: str
    found: str  # which finding, as the vocabulary calls it
    is_open: bool
    premises: str
    rows: tuple[RowShown, ...]
    dues: tuple[Due, ...]
    words: Words

    @property
    def point_words(self) -> str:
        """Returns latitude and longitude."""
        return f"{self.point[0]:.6f}, {self.point[1]:.6f}" if self.point else ""

    @property
    def point_url(self) -> str:
        """Returns what a telephone opens its own map with."""
        return f"geo:{self.point[0]:.6f},{self.point[1]:.6f}" if self.point else ""

    @property
    def has_arrived(self) -> bool:
        """Tells whether somebody is, or was, on site."""
        return any(one.name in (ARRIVED, *FINDINGS, "spill_investigated") for one in self.rows)

    @property
    def is_spill(self) -> bool:
        """Tells whether it was confirmed, and nothing else was found since."""
        return self.found == CONFIRMED


def at_hand(thing: str, account: Account) -> SpillAtHand:
    """Returns a spill as those need it who send somebody, and who stand before it.

    Raises:
        NotFound: for the thing, also where it is no spill.
        NotAllowed: for the account.
    """
    named = spill_named(thing, account)
    rows = queries.happened(set(law.in_force().vocabulary.events), [named.id], as_account=account)[named.id]
    facts = queries.facts_of([named.id], SPILL, ["location", POINT, "premises"], as_account=account)[named.id]
    dues = queries.due(as_account=account, thing=named.id).items
    persons = {str(row.data.get("person") or "") for row in rows} | {row.performed_by for row in rows}
    persons |= {str(row.data.get("premises") or "") for row in rows} | {one for due in dues for one in due.persons}
    words = words_of(persons)
    calls = [row for row in rows if row.name == CALL]
    finding = finding_of(rows)
    clocked = next((one for one in dues if one.due is not None and is_instant(one.due)), None)
    return SpillAtHand(
        thing=named, location=facts.get("location", named.label), point=places.point_of(facts.get(POINT, "")),
        calls=tuple(_call(row, words) for row in calls), sent=tuple(_sent(rows, words, account)), first=clocked,
        running=running_of(clocked, words) if clocked else None,
        why=Link("Why", why_url(clocked.key)) if clocked else None,
        whose=line_of(clocked, words, account).whose if clocked else "",
        outcome=_outcome(finding, words), found=finding.name if finding else "",
        is_open=finding is None or finding.name == CONFIRMED, premises=facts.get("premises", ""), rows=rows, dues=dues,
        words=words,
    )  # fmt: skip


def spill_named(thing: str, account: Account) -> Named:
    """Returns a spill by its id, its number or an alias.

    Raises:
        NotFound: where there is none.
        NotAllowed: for the account.
    """
    named = queries.thing(thing, as_account=account)
    if named.type != SPILL:
        raise NotFound(f"{named.label} is no spill")
    return named


def _call(row: RowShown, words: Words) -> CallShown:
    moment = moment_of(row.at)
    what = title(str(row.data.get("what") or ""))
    left_out = (label_of(words.vocabulary.events[CALL].data["what"]),)
    said = tuple(one for one in said_of(row, words.vocabulary, words, SPILL) if one.name not in left_out)
    return CallShown(
        row.number, _day_words(moment, words) if moment else "", what, str(row.data.get("reporter_phone") or ""), said
    )


def _sent(rows: Sequence[RowShown], words: Words, account: Account) -> Iterator[Sent]:
    """Yields each person who was sent, with the last that is known of them."""
    persons = list(dict.fromkeys(str(row.data.get("person") or "") for row in rows if row.name == DISPATCHED))
    phones = queries.facts_of(persons, "person", ["phone"], as_account=account)
    for person in persons:
        last: Mapping[str, str] = {
            row.name: _day_words(moment, words)
            for row in rows
            if row.data.get("person") == person and (moment := moment_of(row.at)) is not None
        }
        yield Sent(
            person, words.name(person), phones[person].get("phone", ""), last.get(DISPATCHED, ""), last.get(HAS_MESSAGE, ""),
            last.get(ARRIVED, ""),
        )  # fmt: skip


def _outcome(row: RowShown | None, words: Words) -> str:
    if row is None:
        return ""
    moment = moment_of(row.at)
    reason = row.data.get("reason")
    said = title(str(reason)) if reason else FOUND_WORDS[row.name]
    return f"{said}, {_day_words(moment, words)}" if moment else said


# ------------------------------------------------------------------------------------------------ on site


@dataclass(frozen=True, slots=True)
class Step:
    """A step on site: whether it was done, whether it is due, and where it is recorded."""

    event: str
    title: str
    means: str
    word: str
    note: str
    clause: str
    why_url: str
    url: str
    is_done: bool


@dataclass(frozen=True, slots=True)
class Steps:
    """Steps under one heading."""

    title: str
    steps: tuple[Step, ...]


def steps(spill: SpillAtHand) -> tuple[Steps, ...]:
    """Returns what is done on site, with what was done of it and what the books ask for."""
    vocabulary, found = spill.words.vocabulary, []
    is_backup = any(row.data.get("what") == BACKUP for row in spill.rows if row.name == CALL)
    for heading, events in (*((INDOORS,) if is_backup else ()), *STEPS):
        there = tuple(_step(name, spill) for name in events if name in vocabulary.events)
        if there:
            found.append(Steps(heading, there))
    return tuple(found)


def _step(event: str, spill: SpillAtHand) -> Step:
    words = spill.words
    kind = words.vocabulary.events[event]
    done = [row for row in spill.rows if row.name == event]
    due = next((one for one in spill.dues if event in one.meets), None)
    note, word = "", ""
    if done:
        last = done[-1]
        moment = moment_of(last.at)
        said = "; ".join(one.value for one in said_of(last, words.vocabulary, words, SPILL) if one.value)
        times = f"{len(done)} times, last " if len(done) > 1 else ""
        note = f"{times}{_day_words(moment, words) if moment else ''}{f': {said}' if said else ''}"
    if due is not None:
        word = due.word
        note = note or ", ".join(filter(None, (how_long(due, words), when(due, words))))
    return Step(
        event, title(event), kind.means, word, note, words.cites(due.rules[:1]) if due else "",
        why_url(due.key) if due else "", reverse("site_step", args=[spill.thing.id, event]), bool(done),
    )  # fmt: skip


def may_be_step(event: str) -> bool:
    """Tells whether an event is one of the steps on site, the arrival among them."""
    return event == ARRIVED or any(event in names for _, names in (INDOORS, *STEPS))
