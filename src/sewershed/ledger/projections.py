"""What the engine says of a thing, as rows of the tables beside the log.

States are stored without now: what is due, overdue or missed is *open*, and which of them is read from `due_by` and
`missed_from` at the instant of reading.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field, fields
from datetime import date, datetime
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import lru_cache
from typing import Any
from zoneinfo import ZoneInfo

from sewershed.ledger import canonical
from sewershed.ledger.people import Finder
from sewershed.ledger.tables import Values
from sewershed.rules.entries import Duty
from sewershed.rules.findings import Finding, Obligation, OtherReading
from sewershed.rules.moments import end_of, is_instant, start_of
from sewershed.rules.record import Moment, chains
from sewershed.rules.todo import locality, out_of_sight
from sewershed.rules.types import Thing, Value
from sewershed.rules.unknown import Unknown, Want
from sewershed.rules.world import World

OPEN, PAST = "open", "past"  # past: missed, and out of sight since a later period was met
_NOW_STATES = frozenset({"due", "overdue", "missed"})  # which of them depends on the instant of reading
_LARGEST = Decimal(10) ** 20


@dataclass(slots=True)
class Worked:
    """What follows from the record of some things, as rows of the tables."""

    obligations: list[Values] = field(default_factory=list)
    findings: list[Values] = field(default_factory=list)
    facts: list[Values] = field(default_factory=list)
    readers: list[Values] = field(default_factory=list)
    next_change: dict[str, datetime | None] = field(default_factory=dict)


def work_out(world: World, things: Iterable[str], finder_of: Callable[[str], Finder]) -> Worked:
    """Returns what a world says of things, as rows.

    Args:
        world: the record under the law, as of now.
        things: their ids; one that the record does not hold is left out.
        finder_of: gives, for a thing, what finds whom it names for an office under a rule.
    """
    worked, rules, edition_on = Worked(), _Rules(world), next_edition_on(world)
    for thing in things:
        if world.records.type_of(thing) is None:
            continue
        finder, program = finder_of(thing), program_of(world, thing)
        owed = world.obligations(thing)
        past = out_of_sight(world, owed)
        worked.obligations += [_obligation(rules, one, finder, program, is_past=one.key in past) for one in owed]
        worked.findings += [_finding(world, one) for one in _each_once(world.findings(thing, has_steps=False))]
        worked.facts += fact_rows(world, thing)
        worked.readers += [(read, thing) for read in sorted(world.reads(thing) | finder.read)]
        worked.next_change[thing] = _next_change(world, thing, finder.next_day, edition_on)
    return worked


class _Rules:
    """What a world says of its rules, looked up once for all that is stored."""

    def __init__(self, world: World) -> None:
        self.world = world
        self._localities: dict[str, int] = {}
        self._duties: dict[tuple[str, date | None, str], Duty] = {}

    def locality(self, rule: str) -> int:
        """Returns where a rule stands in the law, the town's own book first."""
        if rule not in self._localities:
            self._localities[rule] = locality(self.world, rule)
        return self._localities[rule]

    def duty(self, one: Obligation) -> Duty:
        """Returns the form of the duty that governs an obligation."""
        key = (one.rule, one.since, one.reading)
        if key not in self._duties:
            self._duties[key] = duty_of(self.world, one)
        return self._duties[key]


def _next_change(world: World, thing: str, *days: date | None) -> datetime | None:
    """Returns the next instant after which the answers about a thing may differ without a new row, or None."""
    instants = [world.next_change(thing), *(start_of(day, world.zone) for day in days if day is not None)]
    return min((at for at in instants if at is not None), default=None)


def next_edition_on(world: World) -> date | None:
    """Returns the next day on which some entry of the law begins, ends or changes, or None."""
    editions = [edition for entry in world.entries.values() for edition in entry.editions]
    days = [day for edition in editions for day in (edition.since, edition.until) if day is not None]
    return min((day for day in days if day > world.today), default=None)


def last_instant(due: Moment | None, zone: ZoneInfo) -> datetime | None:
    """Returns the last lawful instant of a limit: of a day its last second in the town."""
    if due is None or is_instant(due):
        return due
    return end_of(due, zone)


def state_at(state: str, due_by: datetime | None, missed_from: datetime | None, now: datetime) -> str:
    """Returns the state of a stored obligation at an instant.

    Edge: at the last lawful instant itself it is still due.

    Example:
        >>> from datetime import UTC
        >>> limit = datetime(2024, 3, 9, 20, 40, tzinfo=UTC)
        >>> state_at("open", limit, None, limit), state_at("open", limit, None, limit.replace(second=1))
        ('due', 'overdue')
        >>> state_at("past", limit, limit, limit.replace(second=1))
        'missed'
    """
    if state != OPEN:
        return "missed" if state == PAST else state
    if missed_from is not None and now > missed_from:
        return "missed"
    return "overdue" if due_by is not None and now > due_by else "due"


def want_data(want: Want) -> dict[str, Any]:
    """Returns a want as data, without what it does not say."""
    return {name: value for name in _WANT if (value := getattr(want, name)) not in ("", None)}


_WANT = tuple(field.name for field in fields(Want))


def want_of(data: Mapping[str, Any]) -> Want:
    """Returns the want that `want_data` wrote."""
    day = date.fromisoformat(data["day"]) if data.get("day") else None
    return Want(**{**data, "day": day})


def reading_data(other: OtherReading) -> dict[str, Any]:
    """Returns what would come out under another reading, as data."""
    return {name: value for name, value in asdict(other).items() if value not in ("", None)}


def reading_of(data: Mapping[str, Any]) -> OtherReading:
    """Returns the other reading that `reading_data` wrote."""
    return OtherReading(**{**data, "due": moment_of(data.get("due"))})


def moment_of(text: str | None) -> Moment | None:
    """Returns a moment from its canonical text."""
    if not text:
        return None
    return canonical.read_instant(text) if "T" in text else date.fromisoformat(text)


def _obligation(rules: _Rules, one: Obligation, finder: Finder, program: str, *, is_past: bool) -> Values:
    world, duty = rules.world, rules.duty(one)
    state = PAST if is_past else OPEN if one.state in _NOW_STATES else one.state
    due_by = last_instant(one.due, world.zone)
    is_dated = one.due is not None and not is_instant(one.due)
    more = {
        "due": one.due, "start": one.start, "met_at": one.met_at, "late": one.late, "label": one.label,
        "since": one.since, "reading": one.reading, "is_open_ended": one.is_open_ended or None, "ended": one.ended, "until": one.until,
        "count": one.count if one.count != 1 else None,
    }  # fmt: skip
    return (
        one.key, one.rule, one.thing, program, duty.who, duty.to, finder.person(one.rule, duty.who),
        state, due_by, is_dated, one.is_at_once, rules.locality(one.rule),
        due_by if one.state == "missed" else None,
        one.opened_by, one.met_by, _list(map(want_data, one.asks)), _names(one.doubts or world.entries[one.rule].doubts),
        _list(map(reading_data, one.if_read_as)), _list(one.notes), _said(more),
    )  # fmt: skip


def _finding(world: World, one: Finding) -> Values:
    """Returns a finding as a row; one about a thing as it stands has no day, which would be that of the asking."""
    more = {"since": one.since, "reading": one.reading, "defends": one.defends or None}
    return (
        one.key, one.rule, one.kind, one.thing, program_of(world, one.thing), one.about, one.outcome,
        one.day.isoformat() if one.day and one.about else "", one.is_void, _list(map(want_data, one.asks)), _names(one.doubts),
        _list(map(reading_data, one.if_read_as)), _list(one.notes), _said(more),
    )  # fmt: skip


def _fact(thing: str, kind: str, name: str, value: Value, day: date | None, row: str) -> Values:
    return (
        thing, kind, name, _text(value), _number(value), _day(value), value.id if isinstance(value, Thing) else "",
        day.isoformat() if day else "", row,
    )  # fmt: skip


def fact_rows(world: World, thing: str) -> list[Values]:
    """Returns the facts of a thing as a world has them, as rows of the table.

    Edge: a thing that is gone, since all its rows were withdrawn, has none: the books would derive some from nothing.
    """
    kind = world.thing(thing).type
    found = [
        _fact(thing, kind, name, value, day, row)
        for name, (value, day, row) in world.facts(thing).items()
        if not isinstance(value, Unknown)
    ]
    is_there = any(one[-1] for one in found) or any(
        one.withdrawn is None for one in chains(world.records.rows_of(thing))
    )
    return found if is_there else []


def program_of(world: World, thing: str) -> str:
    """Returns the program to which a thing's type belongs."""
    kind = world.vocabulary.things.get(world.thing(thing).type)
    return kind.program if kind is not None else ""


def duty_of(world: World, one: Obligation) -> Duty:
    """Returns the form of the duty that governs an obligation; where its edition is gone, any that there is."""
    found = world.duty(one)
    if found is None:
        forms = (form for edition in world.entries[one.rule].editions for form in edition.readings.values())
        found = next(form for form in forms if isinstance(form, Duty))
    return found


def _each_once(findings: Iterable[Finding]) -> list[Finding]:
    """Returns findings with each key once: an event that takes two illegal steps of one life is one finding."""
    return list({one.key: one for one in findings}.values())


def _list(items: Iterable[Any]) -> str:
    kept = list(items)
    return canonical.write(kept) if kept else "[]"


@lru_cache(maxsize=1024)
def _names(names: tuple[str, ...]) -> str:
    """Returns a list of names: the same few stand at thousands of rows."""
    return _list(names)


def _said(more: Mapping[str, Any]) -> str:
    return canonical.write({name: value for name, value in more.items() if value not in ("", None)})


def _text(value: Value) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else canonical.write(value).strip('"')


def _number(value: Value) -> Decimal | None:
    """Returns a number to sort by, to nine places; what does not fit the column is left out of sorting."""
    if isinstance(value, bool) or not isinstance(value, int | Decimal | Fraction):
        return None
    with localcontext() as context:
        context.prec = 40
        number = (
            Decimal(value.numerator) / Decimal(value.denominator) if isinstance(value, Fraction) else Decimal(value)
        )
        return number.quantize(Decimal(10) ** -9) if abs(number) < _LARGEST else None


def _day(value: Value) -> str:
    if isinstance(value, datetime):
        return canonical.instant_text(value)
    return value.isoformat() if isinstance(value, date) else ""
