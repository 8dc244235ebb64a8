"""Why, gathered: an answer and everything behind it, for a page, a terminal or a paper to lay out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import takewhile

from sewershed.ledger import canonical, queries
from sewershed.ledger import log as logbook
from sewershed.ledger.errors import NotAllowed
from sewershed.ledger.models import Account
from sewershed.ledger.moments import moment_words
from sewershed.ledger.shown import RowShown, meeting
from sewershed.ledger.wording import OUTCOMES, words_of
from sewershed.rules.entries import Duty, Entry
from sewershed.rules.findings import Explanation, Finding, Obligation, OtherReading
from sewershed.rules.history import Decision
from sewershed.rules.moments import in_time
from sewershed.rules.patterns import is_before
from sewershed.rules.record import Moment
from sewershed.rules.sentences import conditions, pattern
from sewershed.rules.todo import word_of
from sewershed.rules.unknown import Want
from sewershed.rules.vocabulary import EventType
from sewershed.rules.world import World

NOTED, CANNOT_TELL = "noted", "cannot tell"
_DERIVED = re.compile(r"(\S+) = (.+?) by (.+)\Z")
_SHORT = 40  # letters of a result that fit beside its step


@dataclass(frozen=True, slots=True)
class Way:
    """A way to record what meets a duty: the event, and the fields on which it hangs."""

    event: EventType
    fields: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ReadingShown:
    """One way to read an unclear text: what comes out, and whether that is how it is read now."""

    name: str
    result: str
    is_applied: bool
    state: str = ""  # where another answer comes out: its state or outcome


@dataclass(frozen=True, slots=True)
class DoubtShown:
    """A doubt that touches an answer."""

    id: str
    means: str
    readings: tuple[ReadingShown, ...]
    is_decided: bool


@dataclass(frozen=True, slots=True)
class Reasons:
    """An answer and everything behind it."""

    why: Explanation
    world: World
    entry: Entry
    duty: Duty | None
    word: str
    label: str
    rows: tuple[RowShown, ...]  # of the record: what it was opened and met by, and what the conditions read
    unheld: Mapping[
        str, tuple[Want, ...]
    ]  # by root of a row: in which office it was done or decided without being held
    not_counted: tuple[tuple[str, str, str, str], ...]  # event, when, why it does not count, key of the finding
    doubts: tuple[DoubtShown, ...]
    changes: tuple[tuple[str, str], ...]  # if this, then that
    ways: tuple[Way, ...]  # to record what is still open


def gather(
    key: str, *, as_account: Account, as_of: datetime | None = None, known_at: datetime | None = None
) -> Reasons:
    """Returns an answer and everything behind it.

    Raises:
        NotFound: where there is none of that key.
        NotAllowed: for the account.
    """
    found = queries.why(key, as_account=as_account, as_of=as_of, known_at=known_at)
    world = queries.world(as_account=as_account, as_of=as_of, known_at=known_at)
    answer = found.answer
    assert answer is not None  # `why` refuses where there is none
    entry = world.entries[found.rule]
    duty = world.duty(answer) if isinstance(answer, Obligation) else None
    return Reasons(
        found,
        world,
        entry,
        duty,
        word_of(world, answer) if isinstance(answer, Obligation) else OUTCOMES[answer.outcome],
        queries.thing(found.thing, as_account=as_account).label,
        tuple(_rows(as_account, world, found, entry)),
        world.unheld(found.thing),
        (*_not_counted(world, found, duty), *_not_decided(world, found, entry)),
        tuple(_doubts(world, found)),
        tuple(_changes(world, found, duty)),
        ways(world, answer, duty) if isinstance(answer, Obligation) else (),
    )


def ways(world: World, owed: Obligation, duty: Duty | None) -> tuple[Way, ...]:
    """Returns how what is open can be recorded, on its own thing; none where it can no longer be done."""
    found = []
    for event in meeting(world, owed, duty, world.records.type_of(owed.thing) or ""):
        kind = world.vocabulary.events[event]
        tests = [one.when.source for one in duty.met_by if event in one.events and one.when] if duty else []
        read = {name for source in tests for name in re.findall(r"\bevent\.(\w+)", source)}
        fields = tuple(fact.name for fact in kind.data.values() if fact.required or fact.name in read)
        found.append(Way(kind, fields))
    return tuple(found)


def _rows(account: Account, world: World, found: Explanation, entry: Entry) -> Iterator[RowShown]:
    """Yields the rows that an answer rests on: what opened and met it, the latest of each event and fact it reads, of any thing."""
    answer, thing = found.answer, world.thing(found.thing)
    named = [answer.opened_by, answer.met_by] if isinstance(answer, Obligation) else [answer.about if answer else ""]
    read = list(conditions(entry, world.entries))
    events = {(thing.id, name) for condition in read for name in condition.events} | set(found.heard.events)
    facts = {name for condition in read for owner, name in condition.facts if owner == thing.type}
    used = {*named, *found.heard.rows}
    for about, name in events:
        used.update(one.id for one in world.history(world.thing(about)).of((name,))[-1:])
    for name, line in world.history(thing).facts.items():
        if name in facts and (index := line.at(world.today)) >= 0:
            used.add(line.rows[index])
    for doubt in found.doubts:
        used.update(one.event for one in world.decisions(doubt, thing)[-1:])
    town = world.records.town()
    things = dict.fromkeys((thing.id, *(about for about, _ in sorted(events)), *((town,) if town else ())))
    things |= dict.fromkeys(_owners(used))
    shown: dict[str, RowShown] = {}
    for about in things:
        try:
            rows = queries.rows(about, as_account=account, known_at=world.known_at)
        except NotAllowed:
            continue
        shown |= {one.root: one for one in rows if one.stands == "stands" and (one.root in used or one.id in used)}
    yield from sorted(shown.values(), key=lambda one: (one.at, one.position))


def _owners(rows: Iterable[str]) -> Iterator[str]:
    """Yields the things that rows are about."""
    for chunk in logbook.chunks([one for one in rows if one]):
        places = ", ".join(["%s"] * len(chunk))
        yield from (row.thing for row in logbook.select_list(f"id IN ({places})", chunk))


def _not_decided(world: World, found: Explanation, entry: Entry) -> Iterator[tuple[str, str, str, str]]:
    """Yields decisions on what an answer reads that decide nothing, since whoever made them did not hold the office."""
    thing, town = world.thing(found.thing), world.records.town()
    read = {f"{owner}.{name}" for one in conditions(entry, world.entries) for owner, name in one.facts}
    facts = {name.partition(".")[2] for name in read if name.startswith(f"{thing.type}.")}
    about = facts | set(found.doubts) | {one.what for one in (found.answer.asks if found.answer else ())}
    for subject in dict.fromkeys((thing.id, *((town,) if town else ()))):
        for one in world.history(world.thing(subject)).unheld:
            if one.about in about:
                words = words_of([one.event.by], world.as_of)
                yield f"decided {one.about}", _said(world, one.event.moment), words.want(one.want), ""


def _not_counted(world: World, found: Explanation, duty: Duty | None) -> Iterator[tuple[str, str, str, str]]:
    """Yields the events that might have met a duty and do not, each with why.

    They leave the record by some rule, were before it began to count, or lack what is asked.
    """
    wanted = {name for one in duty.met_by for name in one.events} if duty is not None else set()
    for one in world.history(world.thing(found.thing)).not_counted:
        if one.event.name in wanted:
            entry = world.entries[one.finding.rule]
            why = f"{entry.means} ({'; '.join(entry.cites)})"
            yield one.event.name, _said(world, one.event.moment), why, one.finding.key
    answer = found.answer
    if duty is None or not isinstance(answer, Obligation) or duty.rhythm != "once":
        return  # what met an earlier interval or period did count
    evers = {name for one in duty.met_by if one.ever or one.on is not None for name in one.events}
    for event in world.history(world.thing(found.thing)).of(tuple(sorted(wanted))):
        if event.id in (answer.met_by, answer.opened_by):
            continue
        if answer.start is not None and event.name not in evers and is_before(world, event.moment, answer.start):
            yield (
                event.name,
                _said(world, event.moment),
                f"it was before {_said(world, answer.start)}, from which this counts",
                "",
            )
        elif lacking := _lacking(found.steps, f"{event.name} of {world.say(event.moment)}: "):
            yield event.name, _said(world, event.moment), f"it lacks what is asked: {lacking}", ""


def _lacking(steps: Sequence[str], event: str) -> str:
    """Returns, from the steps about an event, why no pattern takes it; "" where one does or it was not looked at."""
    found: list[str] = []
    for number, step in enumerate(steps):
        if step == f"{event}does not meet it":
            inner = takewhile(lambda one: one.startswith("  "), steps[number + 1 :])
            found += [one.strip() for one in inner]
        elif step.startswith(event):
            return ""
    return "; ".join(dict.fromkeys(found))


def _doubts(world: World, found: Explanation) -> Iterator[DoubtShown]:
    answer = found.answer
    assert answer is not None
    thing = world.thing(found.thing)
    for name in dict.fromkeys((*found.doubts, *(one.doubt for one in answer.if_read_as))):
        doubt = world.doubts.get(name)
        if doubt is None:
            continue
        decided = world.decisions(name, thing)
        applied = governing(world, found, name)
        others = {one.reading: one for one in (*_by_reading(answer), *answer.if_read_as) if one.doubt == name}
        main = others.pop(applied, None)
        readings = []
        for choice in doubt.choices:
            other = others.get(choice)
            if choice == applied:
                result = _how_applied(decided, applied)
            elif other is None or (main is not None and (other.state, other.due) == (main.state, main.due)):
                other = None
                result = "the same here" if world.law.readers_of(name) else "shown only: no entry reads it so"
            else:
                result = what_it_gives(world, other)
            readings.append(ReadingShown(choice, result, choice == applied, "" if other is None else other.state))
        by = "" if decided else f" The {_title(world, doubt.settle_by)} settles it." if doubt.settle_by else ""
        yield DoubtShown(name, f"{doubt.means}.{by}", tuple(readings), bool(decided))


def governing(world: World, found: Explanation, doubt: str) -> str:
    """Returns the reading of a doubt by which an answer came out; "" where none is applied.

    Edge: a doubt that was settled after a duty was met or ended leaves it as it was read.
    """
    answer, decided = found.answer, world.decisions(doubt, world.thing(found.thing))
    applied = decided[-1].reading if decided else world.doubts[doubt].applied
    is_read_by_it = isinstance(answer, Obligation) and world.entries[found.rule].reading_of == doubt
    return answer.reading if applied and isinstance(answer, Obligation) and is_read_by_it else applied


def _by_reading(answer: Obligation | Finding) -> tuple[OtherReading, ...]:
    return answer.by_reading if isinstance(answer, Obligation) else ()


def _how_applied(decided: Sequence[Decision], applied: str) -> str:
    """Returns by what a reading governs: who settled it when, or that nobody has, or that it was settled too late for this."""
    if not decided:
        return "applied until settled"
    same = [one for one in decided if one.reading == applied]
    if same:
        return f"decided on {same[-1].day.isoformat()}"
    return f"as it was read; decided only on {decided[-1].day.isoformat()} as {decided[-1].reading}"


def what_it_gives(world: World, other: OtherReading) -> str:
    """Returns what comes out under a reading, in a few words."""
    if other.due is None:
        return other.state.replace("_", " ")
    before = f"{other.state.replace('_', ' ')}, " if other.state in ("met", "met_late") else ""
    return f"{before}due {_said(world, other.due)}"


def _changes(world: World, found: Explanation, duty: Duty | None) -> Iterator[tuple[str, str]]:
    """Yields what would change an answer that is open: what meets it, ends it, moves it."""
    answer = found.answer
    if isinstance(answer, Obligation) and duty is not None and answer.is_open:
        yield from ((pattern(one), _how_met(world, answer.due)) for one in duty.met_by)
        yield from ((pattern(one), "it ends") for one in duty.closes)
        yield from ((pattern(one), "it is excused") for one in duty.excused_by)
        yield from ((pattern(one), "its date moves") for one in duty.extended_by)
        yield from (
            (pattern(one.start), "its clock stands still" if one.effect == "pause" else "it is held")
            for one in duty.stayed_by
        )
        if duty.applies is not None:
            yield f"!({duty.applies.source})", "it is not needed"


def _how_met(world: World, due: Moment | None) -> str:
    """Returns how a duty would be met that were met now. Edge: at the very moment when it is due, in time."""
    if due is None:
        return "met"
    is_late = in_time(world.as_of, due, world.zone) is False
    return f"met late: it was due {_said(world, due)}" if is_late else f"met, in time until {_said(world, due)}"


def step_of(text: str) -> tuple[str, str]:
    """Returns a step of the engine for reading: what was asked, and beside it a short result.

    Edge: where the result is not known, or is longer than a few words, the step says the whole and the result how it is.

    Example:
        >>> step_of("connection.length_ft: 120 < 100"), step_of("  no state_told")
        (('connection.length_ft', '120 < 100'), ('state_told', 'none'))
        >>> step_of("spill.volume_gal = 2375 by SORP III.A")
        ('spill.volume_gal, by SORP III.A', '2375')
    """
    said = text.strip()
    if found := _DERIVED.match(said):
        name, value, by = found.groups()
        is_told = not value.startswith("?")
        return (f"{name}, by {by}", value) if is_told else (said, CANNOT_TELL)
    if said.startswith("no "):
        return said.removeprefix("no "), "none"
    head, colon, result = said.partition(": ")
    if result.startswith("?"):
        return said, CANNOT_TELL
    return (head, result) if colon and len(result) <= _SHORT else (said, NOTED)


def said_at(instant: datetime) -> str:
    """Returns an instant as the log writes it."""
    return canonical.instant_text(instant)


def _said(world: World, moment: Moment) -> str:
    return moment_words(moment, world.zone, world.today)


def _title(world: World, office: str) -> str:
    title = world.book.roles.get(office, "")
    return title if title and "." not in title else office.replace("_", " ")


__all__: Sequence[str] = [
    "CANNOT_TELL", "NOTED", "DoubtShown", "ReadingShown", "Reasons", "Way", "gather", "governing", "said_at", "step_of", "ways", "what_it_gives",
]  # fmt: skip
