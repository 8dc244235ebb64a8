"""What the record says of one thing: its facts from day to day, and its events in order (RULEBOOK.md 8).

Rows become a history in passes: chains to effective rows, events dated as a rule says, events after the day asked about
left out, acts that do not count judged in order and taken out. What was withdrawn, and what does not count, is kept apart
with its reason.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from operator import attrgetter
from typing import TYPE_CHECKING

from sewershed.rules.moments import day_of, is_instant
from sewershed.rules.record import Event, Key, chains
from sewershed.rules.types import Thing, Value

if TYPE_CHECKING:
    from sewershed.rules.findings import Finding
    from sewershed.rules.world import World

DECIDED = "decided"
_BY_KEY = attrgetter("key")


@dataclass(slots=True)
class Timeline:
    """What one fact was, from day to day: the days on which a row set it (the first may be "always"), in order."""

    days: list[date] = field(default_factory=list)
    values: list[Value] = field(default_factory=list)
    rows: list[str] = field(default_factory=list)

    def at(self, day: date) -> int:
        """Returns the index of what holds on a day, or -1 where nothing has been said yet. Edge: a row holds from its day."""
        return bisect_right(self.days, day) - 1


@dataclass(slots=True)
class Withdrawn:
    """An event that was withdrawn, and why."""

    event: Event
    why: str


@dataclass(slots=True)
class NotCounted:
    """An event that does not count: which rule says so, and how."""

    event: Event
    finding: Finding


@dataclass(frozen=True, slots=True)
class Decision:
    """Somebody settled a doubt for this thing (or, on the town, for all)."""

    day: date
    key: Key
    doubt: str
    reading: str
    event: str


class History:
    """The facts and events of one thing, as known and as of the moments a world is asked about."""

    __slots__ = (
        "bare_days",
        "by_name",
        "decisions",
        "events",
        "facts",
        "future_days",
        "is_whole",
        "merged",
        "not_counted",
        "reads",
        "thing",
        "timed_days",
        "withdrawn",
    )

    def __init__(self, thing: Thing) -> None:
        self.thing = thing
        self.facts: dict[str, Timeline] = {}
        self.events: list[Event] = []
        self.by_name: dict[str, list[Event]] = {}
        self.merged: dict[tuple[str, ...], list[Event]] = {}
        self.withdrawn: list[Withdrawn] = []
        self.not_counted: list[NotCounted] = []
        self.decisions: list[Decision] = []
        self.bare_days: set[date] = set()  # days on which something happened of which no time is known
        self.timed_days: set[date] = set()
        self.future_days: list[date] = []  # days after the one asked about on which a fact changes
        self.reads: set[str] = set()  # other things that the judging of this history read
        self.is_whole = False

    def of(self, names: tuple[str, ...]) -> Sequence[Event]:
        """Returns the events of the named types, in order."""
        if len(names) == 1:
            return self.by_name.get(names[0], ())
        found = self.merged.get(names)
        if found is None:
            found = sorted((event for name in names for event in self.by_name.get(name, ())), key=_BY_KEY)
            if self.is_whole:
                self.merged[names] = found
        return found

    def before(self, names: tuple[str, ...], upto: Key) -> Sequence[Event]:
        """Returns the events of the named types whose place in the order is before a key."""
        events = self.of(names)
        if not events or events[-1].key < upto:
            return events
        return events[: bisect_left(events, upto, key=_BY_KEY)]

    def event(self, event_id: str) -> Event | None:
        """Returns the event with a root id, or None."""
        return next((event for event in self.events if event.id == event_id), None)


def read_history(world: World, thing: Thing) -> History:
    """Returns the history of a thing in a world. The world keeps it; ask the world, not this."""
    history = History(thing)
    world.keep(history)
    dated: list[Event] = []
    said: list[tuple[date, int, str, Value, str]] = []
    for chain in chains(world.records.rows_of(thing.id), world.known_at):
        if chain.last.thing != thing.id:
            continue
        if chain.root.kind == "facts":
            if chain.withdrawn is None:
                day = date.min if chain.last.moment is None else day_of(chain.last.moment, world.zone)
                said += [
                    (day, chain.root.position, name, value, chain.last.id) for name, value in chain.last.data.items()
                ]
            continue
        if chain.last.moment is None:
            continue
        event = Event(chain.root, chain.last, chain.last.moment, world.zone)
        if chain.withdrawn is not None:
            history.withdrawn.append(Withdrawn(event, chain.withdrawn.why))
            continue
        moment = world.dated(thing, event)
        if moment is not None and moment != event.moment:
            event = Event(chain.root, chain.last, moment, world.zone)
        if _is_upto(event, world.as_of, world.today):
            dated.append(event)
        else:
            history.future_days.append(event.day)
    for event in dated:
        if event.name == DECIDED and event.data.get("fact"):
            value = event.data.get("value")
            fact = str(event.data["fact"]).rpartition(".")[2]
            said.append((event.day, event.key[2], fact, value, event.id))
    _say(history, said, world.today)
    dated.sort(key=_BY_KEY)
    for event in dated:
        finding = world.void_finding(thing, event)
        if finding is not None:
            history.not_counted.append(NotCounted(event, finding))
            continue
        history.events.append(event)
        history.by_name.setdefault(event.name, []).append(event)
        (history.timed_days if event.is_timed else history.bare_days).add(event.day)
        if event.name == DECIDED and event.data.get("doubt"):
            doubt, reading = str(event.data["doubt"]), str(event.data.get("reading", ""))
            history.decisions.append(Decision(event.day, event.key, doubt, reading, event.id))
    history.is_whole = True
    return history


def _is_upto(event: Event, as_of: datetime, today: date) -> bool:
    return event.moment <= as_of if is_instant(event.moment) else event.day <= today


def _say(history: History, said: list[tuple[date, int, str, Value, str]], today: date) -> None:
    said.sort(key=lambda one: (one[0], one[1]))
    for day, _, name, value, row in said:
        line = history.facts.setdefault(name, Timeline())
        line.days.append(day)
        line.values.append(value)
        line.rows.append(row)
        if day > today:
            history.future_days.append(day)
