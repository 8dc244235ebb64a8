"""What queries hand out: plain values, complete, with the words that a page or a command needs."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import lru_cache
from typing import Any, Generic, TypeVar, cast

from sewershed.ledger import log as logbook
from sewershed.ledger import people
from sewershed.ledger.models import Finding as FindingRow
from sewershed.ledger.models import Thing as ThingRow
from sewershed.ledger.numbers import NUMBER
from sewershed.ledger.privacy import Privacy
from sewershed.ledger.projections import duty_of, moment_of, reading_of, state_at, want_of
from sewershed.ledger.reading import RowReader, kept_apart
from sewershed.ledger.standing import Chain
from sewershed.ledger.urgency import Owed
from sewershed.rules.entries import Duty
from sewershed.rules.findings import Finding, Obligation, OtherReading, Outcome, State
from sewershed.rules.record import Moment
from sewershed.rules.todo import Line
from sewershed.rules.unknown import Want
from sewershed.rules.world import World

T = TypeVar("T")
_SAID_ALIKE = 2048  # what is missing is said alike of many things: so many of the latest are not read again


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    """A part of a list: what it shows, how many there are in all, and how many things could not be brought up to now."""

    items: tuple[T, ...]
    total: int
    left_stale: int = 0


@dataclass(frozen=True, slots=True)
class Named:
    """A thing by its names."""

    id: str
    type: str
    label: str
    number: str
    program: str
    source_id: str
    retired_on: str
    joined_into: str
    is_gone: bool


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact of a thing as it stands; `row` is empty where the books derive it."""

    name: str
    label: str
    text: str
    unit: str
    from_day: str
    row: str
    is_hidden: bool
    caution: str = ""  # where what gives it is from memory, or rests on what is


@dataclass(frozen=True, slots=True)
class RowShown:
    """A row of the log as a reader sees it, and what has become of it."""

    id: str
    root: str
    position: int
    kind: str
    name: str
    thing: str
    at: str  # an instant (UTC) or a day, or nothing
    at_is: str
    at_how: str
    recorded_at: str
    recorded_by: str
    performed_by: str
    office: str
    data: Mapping[str, Any]
    number: str
    why: str
    source: str
    batch: str
    stands: str  # "stands", "corrected", "withdrawn", or what it is itself: "withdrawal"


@dataclass(frozen=True, slots=True)
class Holder:
    """An office, its local title, and the persons who hold it, each with id and label."""

    office: str
    title: str
    persons: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Due:
    """One line of what is due: under which clause, on what, whose, when, and why it cannot be told where it cannot."""

    key: str
    rule: str
    rules: tuple[str, ...]
    cites: tuple[str, ...]
    means: str
    edition: str
    program: str
    thing: str
    thing_label: str
    who: str  # the office
    persons: tuple[str, ...]
    who_note: str  # where nobody was found
    to: str
    state: str
    word: str
    label: str  # the item, interval or period
    opened_by: str
    due: Moment | None
    met_by: str
    met_at: Moment | None
    asks: tuple[Want, ...]
    doubts: tuple[str, ...]
    if_read_as: tuple[OtherReading, ...]
    also: tuple[str, ...]
    notes: tuple[str, ...]
    count: int
    meets: tuple[str, ...]  # the events on its own thing that would meet it
    caution: str = ""  # where a rule behind it is from memory, or rests on what is


@dataclass(frozen=True, slots=True)
class Behind:
    """What is over on a thing: a part of it, the latest first, and how much there is of everything ever owed on it."""

    items: tuple[Due, ...]
    total: int  # of what is over
    counts: Mapping[str, int]  # of all that is or was owed, by the desk's word; what is open together under `open`
    opening: frozenset[str]  # the first rows of the events that opened any of it


@dataclass(frozen=True, slots=True)
class Told:
    """A part of what has happened on a thing, in the order of its rows."""

    rows: tuple[RowShown, ...]
    happened: int  # how many events there are of which it is a part
    total: int  # how many rows there are about the thing, corrections and withdrawals among them


def named_of(row: ThingRow, privacy: Privacy) -> Named:
    """Returns a thing as it is shown."""
    kind = privacy.vocabulary.things.get(row.type)
    program = kind.program if kind else ""
    label = privacy.label(row.type, row.label)
    return Named(
        row.id, row.type, label, row.number, program, row.source_id, row.retired_on, row.joined_into, row.is_gone
    )


def row_of(row: logbook.Row, chain: Chain, reader: RowReader, privacy: Privacy) -> RowShown:
    """Returns a row as it is shown."""
    if row.kind == "void":
        stands = "withdrawal"
    elif chain.is_void:
        stands = "withdrawn"
    else:
        stands = "stands" if chain.content.id == row.id else "corrected"
    data = {} if row.kind == "void" else privacy.data(row.kind, row.name, reader.present_data(row))
    return RowShown(
        id=row.id, root=chain.root.id, position=row.position, kind=row.kind, name=row.name, thing=row.thing,
        at=row.at or row.day, at_is=row.at_is, at_how=row.at_how, recorded_at=row.recorded_at,
        recorded_by=row.recorded_by, performed_by=row.performed_by, office=row.office, data=data,
        number=str(kept_apart(chain.root).get(NUMBER, "")), why=row.why, source=row.source, batch=row.batch, stands=stands,
    )  # fmt: skip


def obligation_of(row: Owed, now: datetime) -> Obligation:
    """Returns a stored obligation as the engine gave it, in the state that it has at an instant."""
    more = json.loads(row.more)
    return Obligation(
        key=row.key, rule=row.rule, thing=row.thing,
        state=cast(State, state_at(row.state, row.due_by, row.missed_from, now)),
        since=_day(more.get("since")), due=moment_of(more.get("due")), start=moment_of(more.get("start")),
        opened_by=row.opened_by, met_by=row.met_by, met_at=moment_of(more.get("met_at")), late=more.get("late"),
        asks=_wants(row.asks), notes=_texts(row.notes), label=more.get("label", ""), doubts=_texts(row.doubts),
        if_read_as=_readings(row.readings), reading=more.get("reading", ""), is_at_once=row.is_at_once,
        is_open_ended=bool(more.get("is_open_ended")), ended=more.get("ended", ""), until=moment_of(more.get("until")),
        count=int(more.get("count", 1)),
    )  # fmt: skip


def finding_of(row: FindingRow) -> Finding:
    """Returns a stored finding as the engine gave it, without its steps."""
    more = json.loads(row.more)
    return Finding(
        rule=row.rule, kind=row.kind, thing=row.thing, outcome=cast(Outcome, row.outcome), since=_day(more.get("since")),
        about=row.event, day=_day(row.day), asks=_wants(row.asks), doubts=_texts(row.doubts), if_read_as=_readings(row.readings),
        reading=more.get("reading", ""), is_void=row.is_void, defends=tuple(more.get("defends", ())),
        notes=_texts(row.notes),
    )  # fmt: skip


def due_of(
    world: World,
    line: Line,
    things: Mapping[str, ThingRow],
    persons: Mapping[str, str],
    holdings: Sequence[people.Holding],
) -> Due:
    """Returns a line of the list with everything that is printed of it.

    Args:
        world: knows the law and the day.
        line: the engine's line.
        things: by id.
        persons: by key, whom the thing itself names.
        holdings: of offices.
    """
    one, entry = line.first, world.entries[line.first.rule]
    duty = duty_of(world, one)
    named = persons.get(one.key, "")
    found = (named,) if named else people.holders(duty.who, world.today, holdings)
    thing = things.get(one.thing)
    kind = world.vocabulary.things.get(thing.type) if thing else None
    return Due(
        key=one.key, rule=one.rule, rules=line.rules, cites=entry.cites, means=entry.means,
        edition=world.edition(entry, one.since), program=kind.program if kind else "", thing=one.thing,
        thing_label=thing.label if thing else one.thing, who=duty.who, persons=found,
        who_note=people.Who(duty.who, found, "").note, to=duty.to, state=line.state, word=line.word, label=one.label,
        opened_by=one.opened_by, due=line.due, met_by=one.met_by, met_at=one.met_at, asks=line.asks, doubts=line.doubts,
        if_read_as=line.if_read_as, also=line.also, notes=line.notes, count=line.count,
        meets=meeting(world, one, duty, thing.type) if thing else (), caution=caution_of(world, line.rules),
    )  # fmt: skip


def caution_of(world: World, rules: Sequence[str]) -> str:
    """Returns what stands beside a line of which several rules are the ground, the leading one first; "" where all are verified."""
    leading, *others = rules
    said = [world.law.caution(leading)] if world.law.caution(leading) else []
    said += [f"{'; '.join(world.entries[one].cites)}: {text}" for one in others if (text := world.law.caution(one))]
    return "; ".join(said)


def meeting(world: World, owed: Obligation, duty: Duty | None, type: str) -> tuple[str, ...]:
    """Returns the events on its own thing that would meet what is owed; none where it can no longer be done.

    Args:
        world: knows the vocabulary.
        owed: what is owed.
        duty: the form of the duty that governs it.
        type: of the thing.
    """
    if duty is None or not owed.is_open or owed.state == "missed":
        return ()
    named = dict.fromkeys(event for one in duty.met_by for event in one.events)
    return tuple(one for one in named if world.vocabulary.events[one].on in ("", type))


def _day(text: str | None) -> date | None:
    return date.fromisoformat(text) if text else None


@lru_cache(_SAID_ALIKE)
def _texts(items: str) -> tuple[str, ...]:
    return tuple(json.loads(items))


@lru_cache(_SAID_ALIKE)
def _wants(items: str) -> tuple[Want, ...]:
    return tuple(map(want_of, json.loads(items)))


@lru_cache(_SAID_ALIKE)
def _readings(items: str) -> tuple[OtherReading, ...]:
    return tuple(map(reading_of, json.loads(items)))
