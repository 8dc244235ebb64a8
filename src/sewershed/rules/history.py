"""What the record says of one thing: its facts from day to day, and its events in order (docs/explanation/rulebook.md 11).

Rows become a history in passes: chains to effective rows, events dated as a rule says, events after the moment asked about
left out, acts that do not count judged in order and taken out. What was withdrawn, and what does not count, is kept apart
with its reason.

Acts are judged no further than somebody asks: to tell whether one counts, another thing's acts before it may have to be
judged, and for those this thing's before them. So the order in which things are worked out makes no difference.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING, NamedTuple

from sewershed.rules.basis import Basis
from sewershed.rules.moments import day_of, is_instant, start_of
from sewershed.rules.record import BY_KEY, END, Chain, Event, Key, chains
from sewershed.rules.types import Thing, Value
from sewershed.rules.unknown import Unknown, Want, unknown

if TYPE_CHECKING:
    from sewershed.rules.findings import Finding
    from sewershed.rules.world import World

DECIDED = "decided"


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


@dataclass(frozen=True, slots=True)
class Unheld:
    """A decision of somebody who did not hold, that day, the office to which the law leaves it: it decides nothing."""

    event: Event
    about: str  # the fact or the doubt
    judge: str

    @property
    def want(self) -> Want:
        """Returns what is wanting for it to count."""
        return self.event.want_of_office(self.judge)


class Said(NamedTuple):
    """What one row said of one fact."""

    day: date  # the first day it holds
    position: int  # of the root row: on one day the later one wins
    fact: str
    value: Value
    row: str


class History:
    """The facts and events of one thing, as known and as of the moments a world is asked about."""

    __slots__ = (
        "_by_name",
        "_counted",
        "_happened",
        "_is_judging",
        "_merged",
        "_next",
        "_not_counted",
        "_world",
        "bare_days",
        "basis",
        "decisions",
        "facts",
        "is_gone",
        "thing",
        "timed_days",
        "unheld",
        "withdrawn",
    )

    def __init__(self, world: World, thing: Thing) -> None:
        self.thing = thing
        self.facts: dict[str, Timeline] = {}
        self.withdrawn: list[Withdrawn] = []
        self.decisions: list[Decision] = []
        self.unheld: list[Unheld] = []  # in order
        self.is_gone = False  # there were rows about it, and none of them stands
        self.bare_days: set[date] = set()  # days on which something happened of which no time is known
        self.timed_days: set[date] = set()
        self.basis = Basis()  # what the judging of it read
        self._world = world
        self._happened: list[Event] = []  # all that happened, in order
        self._next = 0  # the first of it that is not judged yet
        self._is_judging = False
        self._counted: list[Event] = []
        self._by_name: dict[str, list[Event]] = {}
        self._merged: dict[tuple[str, ...], list[Event]] = {}
        self._not_counted: list[NotCounted] = []

    # ---------------------------------------------------------------- what it is asked

    @property
    def events(self) -> Sequence[Event]:
        """Returns all events that count, in order."""
        self._judge(END)
        return self._counted

    @property
    def not_counted(self) -> Sequence[NotCounted]:
        """Returns the events that do not count, in order, each with the finding that says so."""
        self._judge(END)
        return self._not_counted

    @property
    def sure_upto(self) -> Key:
        """Returns the key before which it stands fast what counts: what is being judged right now lies behind it."""
        return self._happened[self._next].key if self._is_judging else END

    def of(self, names: tuple[str, ...]) -> Sequence[Event]:
        """Returns the events of the named types, in order."""
        return self.before(names, END)

    def before(self, names: tuple[str, ...], upto: Key) -> Sequence[Event]:
        """Returns the events of the named types whose place in the order is before a key."""
        self._judge(upto)
        events = self._named(names)
        if not events or events[-1].key < upto:
            return events
        return events[: bisect_left(events, upto, key=BY_KEY)]

    def _named(self, names: tuple[str, ...]) -> Sequence[Event]:
        if len(names) == 1:
            return self._by_name.get(names[0], ())
        found = self._merged.get(names)
        if found is None:
            found = sorted((event for name in set(names) for event in self._by_name.get(name, ())), key=BY_KEY)
            self._merged[names] = found
        return found

    # ---------------------------------------------------------------- from rows to what happened

    def read(self) -> None:
        """Reads the rows: effective ones, dated as a rule says, up to the moment asked about."""
        world = self._world
        said: list[Said] = []
        standing: list[Chain] = []
        rows = world.records.rows_of(self.thing.id)
        about_it = [chain for chain in chains(rows, world.known_at) if chain.last.thing == self.thing.id]
        self.is_gone = bool(rows) and all(chain.withdrawn is not None for chain in about_it)
        for chain in about_it:
            if chain.root.kind == "facts":
                said += self._said_by(chain)
            elif chain.withdrawn is None:
                standing.append(chain)
            elif self._is_upto(event := chain.event(world.zone)):
                self.withdrawn.append(Withdrawn(event, chain.withdrawn.why))
        self.withdrawn.sort(key=lambda one: one.event.key)
        self._say(said)  # a rule that dates an event may ask for facts
        happened = [event for chain in standing if self._is_upto(event := self.dated(chain))]
        happened.sort(key=BY_KEY)
        decided = [event for event in happened if event.name == DECIDED]
        if decided:
            self._decide(said, decided, happened)
        for event in happened:
            (self.timed_days if event.is_timed else self.bare_days).add(event.day)
        self._happened = happened
        if not any(event.name in world.law.voids_on for event in happened):
            self._count(happened)
            self._next = len(happened)

    def _said_by(self, chain: Chain) -> Iterator[Said]:
        if chain.withdrawn is not None:
            return
        row = chain.last
        day = date.min if row.moment is None else day_of(row.moment, self._world.zone)
        if row.data and day > self._world.today:
            self.basis.changes_at(start_of(day, self._world.zone))
        for name, value in row.data.items():
            yield Said(day, chain.root.position, name, value, row.id)

    def dated(self, chain: Chain) -> Event:
        """Returns the event of a chain, on the day that a rule makes it bear; on its own while that cannot be told."""
        event = chain.event(self._world.zone)
        moment = self._world.dated(self.thing, event)
        if isinstance(moment, Unknown):
            event.undated = moment.wants
        return event if moment is None or isinstance(moment, Unknown) else chain.event(self._world.zone, moment)

    def _is_upto(self, event: Event) -> bool:
        """Tells whether an event is not after the moment asked about; one that is will be seen when its time has come."""
        world = self._world
        if event.moment <= world.as_of if is_instant(event.moment) else event.day <= world.today:
            return True
        self.basis.changes_at(event.start)
        return False

    def _say(self, said: Sequence[Said]) -> None:
        self.facts.clear()
        for one in sorted(said, key=lambda one: (one.day, one.position)):
            line = self.facts.setdefault(one.fact, Timeline())
            line.days.append(one.day)
            line.values.append(one.value)
            line.rows.append(one.row)

    def _decide(self, said: list[Said], decided: Sequence[Event], happened: Sequence[Event]) -> None:
        for event in decided:
            if event.data.get("fact"):
                owner, _, fact = str(event.data["fact"]).rpartition(".")
                if owner in self._world.vocabulary.events:  # what an event leaves to a person
                    self._decide_datum(event, owner, fact, happened)
                elif self._is_decided(event, fact, self._world.judge_of(self.thing.type, fact)):
                    said.append(Said(event.day, event.key[2], fact, event.data.get("value"), event.id))
            if event.data.get("doubt"):
                doubt, reading = str(event.data["doubt"]), str(event.data.get("reading", ""))
                known = self._world.doubts.get(doubt)
                if self._is_decided(event, doubt, known.settle_by if known is not None else ""):
                    self.decisions.append(Decision(event.day, event.key, doubt, reading, event.id))
        self._say(said)

    def _decide_datum(self, event: Event, owner: str, name: str, happened: Sequence[Event]) -> None:
        """Decides what the latest event of a type, before the decision, leaves to a person."""
        fact = self._world.vocabulary.events[owner].data.get(name)
        before = [one for one in happened if one.name == owner and one.key < event.key]
        if fact is None or not before:
            return
        is_decided = self._is_decided(event, f"{owner}.{name}", fact.judged_by)
        if is_decided or name not in before[-1].judged:
            value = event.data.get("value") if is_decided else unknown([event.want_of_office(fact.judged_by)])
            before[-1].judged = {**before[-1].judged, name: value}

    def _is_decided(self, event: Event, about: str, judge: str) -> bool:
        """Tells whether a decision was made by who may make it, and keeps it apart where it was not."""
        if not judge or event.may_judge(judge):
            return True
        self.unheld.append(Unheld(event, about, judge))
        return False

    def wants_of(self, about: str, day: date) -> tuple[Want, ...]:
        """Returns what is wanting for the last decision on a fact or a doubt, up to a day, that decides nothing."""
        return tuple(one.want for one in self.unheld if one.about == about and one.event.day <= day)[-1:]

    # ---------------------------------------------------------------- what counts

    def _judge(self, upto: Key) -> None:
        """Judges, in order, the acts before a key that have not been judged: what does not count leaves the record."""
        while not self._is_judging and self._next < len(self._happened) and self._happened[self._next].key < upto:
            together = self._together()
            if any(event.name in self._world.law.voids_on for event in together):
                with self._judging():
                    self._judge_together(together)
            else:
                self._count(together)
            self._next += len(together)

    @contextmanager
    def _judging(self) -> Iterator[None]:
        self._is_judging = True
        self._world.in_progress.append(self.thing.id)
        try:
            with self._world.resting_on(self.basis):
                yield
        finally:
            self._is_judging = False
            self._world.in_progress.pop()

    def _together(self) -> list[Event]:
        """Returns the next event, and with it all of its day where one of them has only a day: they see each other."""
        first = self._happened[self._next]
        if first.day not in self.bare_days:
            return [first]
        last = self._next
        while last < len(self._happened) and self._happened[last].day == first.day:
            last += 1
        return self._happened[self._next : last]

    def _judge_together(self, together: Sequence[Event]) -> None:
        """Judges events that see each other: as if all counted, then as if those did that counted so, until it stands."""
        counted = list(together)
        self._count(counted)
        void: dict[str, Finding] = {}
        for _ in together:
            is_alone = len(together) == 1
            findings = [self._world.void_finding(self.thing, event, is_alone=is_alone) for event in together]
            void = {event.id: one for event, one in zip(together, findings, strict=True) if one is not None}
            still = [event for event in together if event.id not in void]
            if still == counted:
                break
            self._take_back(together[0].key)
            self._count(still)
            counted = still
            if is_alone:
                break
        self._not_counted += [NotCounted(event, void[event.id]) for event in together if event.id in void]

    def _count(self, events: Sequence[Event]) -> None:
        for event in events:
            self._counted.append(event)
            self._by_name.setdefault(event.name, []).append(event)
            for names, merged in self._merged.items():
                if event.name in names:
                    merged.append(event)

    def _take_back(self, first: Key) -> None:
        """Takes what was counted from a key on out again."""
        for counted in (self._counted, *self._by_name.values(), *self._merged.values()):
            while counted and counted[-1].key >= first:
                counted.pop()
