"""The to-do list: one line a duty and subject, most urgent first (docs/explanation/rulebook.md 14)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from sewershed.rules.findings import Obligation, OtherReading
from sewershed.rules.moments import end_of, is_instant
from sewershed.rules.record import Moment
from sewershed.rules.unknown import Want, unknown

if TYPE_CHECKING:
    from sewershed.rules.world import World

SOON = timedelta(days=7)
_NEVER = datetime.max.replace(tzinfo=UTC)


@dataclass(slots=True)
class Line:
    """One line of the list: the most urgent open item of a duty on a subject, and what stands behind it."""

    rules: tuple[str, ...]  # the leading one first
    thing: str
    state: str
    word: str  # the desk's: Overdue, Due soon, Waiting, Cannot tell, Needs decision, Excused, Stayed
    due: Moment | None
    first: Obligation
    count: int
    asks: tuple[Want, ...] = ()
    if_read_as: tuple[OtherReading, ...] = ()
    doubts: tuple[str, ...] = ()
    also: tuple[str, ...] = ()  # the other duties' dates, where several are merged: "us.nc.x: due …"
    notes: tuple[str, ...] = ()


def todo(world: World, obligations: list[Obligation]) -> list[Line]:
    """Returns the lines of everything that is open, most urgent first."""
    by_subject: dict[tuple[str, str], list[Obligation]] = {}
    past = out_of_sight(world, obligations)
    for one in obligations:
        if one.is_open and one.key not in past:
            by_subject.setdefault((leader(world, one.rule), one.thing), []).append(one)
    lines = [_line(world, found) for found in by_subject.values()]
    return sorted(lines, key=lambda line: _rank(world, line))


def out_of_sight(world: World, obligations: Iterable[Obligation]) -> frozenset[str]:
    """Returns the keys of the missed periods that are history, not a line of the list: a later one has been met, or somebody said why."""
    known = list(obligations)
    met_since: dict[tuple[str, str], datetime] = {}  # the start of the last period that was met
    for one in known:
        if one.state in ("met", "met_late") and one.start is not None:
            key, start = (one.rule, one.thing), end_of(one.start, world.zone)
            met_since[key] = max(start, met_since.get(key, start))
    return frozenset(
        one.key
        for one in known
        if one.state == "missed" and (one.explained_by or _is_past_history(world, one, met_since))
    )


def _is_past_history(world: World, one: Obligation, met_since: dict[tuple[str, str], datetime]) -> bool:
    """Tells whether a missed period has had its successor met, so that it is out of sight."""
    met = met_since.get((one.rule, one.thing))
    return one.state == "missed" and met is not None and one.start is not None and end_of(one.start, world.zone) < met


def leader(world: World, rule: str) -> str:
    """Returns the rule under which duties merged by ``most_stringent`` are listed: the parent's at the end of the chain."""
    entry = world.entries[rule]
    seen = set()
    while entry.combine is not None and entry.combine.how == "most_stringent" and entry.id not in seen:
        seen.add(entry.id)
        entry = world.entries[entry.combine.other]
    return entry.id


def _line(world: World, found: list[Obligation]) -> Line:
    found.sort(key=lambda one: _urgency(world, one))
    first = found[0]
    rules = tuple(dict.fromkeys(one.rule for one in found))
    also = tuple(
        f"{one.rule}: {'due ' + world.say(one.due) if one.due is not None else one.state}"
        for one in found[1:]
        if one.rule != first.rule and one.label == first.label
    )
    return Line(
        rules=rules,
        thing=first.thing,
        state=first.state,
        word=word_of(world, first),
        due=first.due,
        first=first,
        count=len([one for one in found if one.rule == first.rule]),
        asks=unknown(want for one in found if one.due == first.due for want in one.asks).wants,
        if_read_as=tuple(dict.fromkeys(other for one in found for other in one.if_read_as)),
        doubts=tuple(dict.fromkeys(doubt for one in found for doubt in one.doubts)),
        also=also,
        notes=first.notes,
    )


def word_of(world: World, one: Obligation) -> str:
    """Returns the desk's word for an obligation."""
    match one.state:
        case "overdue" | "missed":
            return "Overdue"
        case "due":
            if one.is_at_once or (one.due is not None and _is_soon(world, one.due)):
                return "Due soon"
            return "Waiting"
        case "waiting":
            return "Waiting"
        case "cannot_tell":
            if any(want.kind in ("doubt", "decision", "gap", "silence", "no_figure") for want in one.asks):
                return "Needs decision"
            return "Cannot tell"
        case "stayed":
            return "Stayed"
        case "excused":
            return "Excused"
        case "met":
            return "Met"
        case "met_late":
            return "Met late"
        case "superseded":
            return "Replaced"
        case "void":
            return "Withdrawn"
    return "Not needed" if one.ended == "not needed" else "Ended"


def _is_soon(world: World, due: Moment) -> bool:
    """Tells whether something is due within seven days. Edge: of a day, seven days from today is still soon."""
    left = end_of(due, world.zone) - world.as_of
    return left <= (SOON if is_instant(due) else SOON + timedelta(days=1))


_ORDER = {"overdue": 0, "missed": 0, "due": 1, "cannot_tell": 1, "waiting": 3, "stayed": 4, "excused": 5}


def _urgency(world: World, one: Obligation) -> tuple[int, datetime, int]:
    rank = _ORDER.get(one.state, 9)
    if one.state == "cannot_tell" and one.due is None:
        rank = 2
    if one.is_at_once and one.due is None:
        return (rank, world.as_of, locality(world, one.rule))
    if one.due is None:
        return (rank, _NEVER, locality(world, one.rule))
    return (rank, end_of(one.due, world.zone), locality(world, one.rule))


def locality(world: World, rule: str) -> int:
    """Returns where a rule stands in the law, which says who leads where dates are equal.

    The town's own book comes first, and in each book the entries come as they stand in its files, these by name.
    """
    return world.law.places[rule]


def _rank(world: World, line: Line) -> tuple[int, datetime, int, str, str]:
    return (*_urgency(world, line.first), line.rules[0], line.thing)
