"""The record as a condition may see it: from a moment, about a thing, up to a place in the order (docs/explanation/rulebook.md 6 and 11.3).

A condition about an event sees the record just before it: earlier events, and the other events of its day where both carry
only a day. Where the place of a bare day within its day decides, nobody can tell: a view that came across such a day keeps
what has only a day (`bare`) and what it may stand before or after (`across`), and the question is asked again from the views
in which it stands elsewhere (`others`); two answers are no answer.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from itertools import combinations
from typing import TYPE_CHECKING

from sewershed.rules.calendars import Calendar
from sewershed.rules.moments import day_of, end_of, start_of
from sewershed.rules.record import BY_KEY, END, Event, Key, Moment
from sewershed.rules.spans import CLOCK_UNITS, Span
from sewershed.rules.types import Thing, Value
from sewershed.rules.unknown import Unknown, Want, unknown

if TYPE_CHECKING:
    from sewershed.rules.conditions import Condition
    from sewershed.rules.history import History
    from sewershed.rules.world import World

_FIRST = -1  # a position before all others
_FEW = 5  # bare days beside a time on one day, of which every choice is tried
_NOTHING: frozenset[str] = frozenset()


class View:
    """What a condition sees. It answers the questions of `sewershed.rules.conditions.Scope`."""

    __slots__ = (
        "about",
        "across",
        "bare",
        "day",
        "moment",
        "roots",
        "seen",
        "swapped",
        "thing",
        "trace",
        "upto",
        "world",
    )

    def __init__(
        self,
        world: World,
        thing: Thing,
        roots: Mapping[str, object],
        *,
        day: date,
        moment: Moment,
        upto: Key = END,
        about: Event | None = None,
        swapped: frozenset[str] = _NOTHING,
    ) -> None:
        self.world = world
        self.thing = thing
        self.roots = roots
        self.day = day
        self.moment = moment
        self.upto = upto
        self.about = about
        self.swapped = swapped  # events that stand on the other side of what the view is about than the order has them
        self.bare: list[Event] = []  # what has only a day, on a day where its place may decide
        self.across: list[Event] = []  # what it may stand before or after
        self.trace: list[str] | None = None  # takes the steps of derived facts, while somebody asks why
        self.seen: dict[tuple[str, str], object] = {}

    # ---------------------------------------------------------------- what a condition asks

    @property
    def calendar(self) -> Calendar:
        """Returns the calendar of the town's book."""
        return self.world.calendar

    def root(self, name: str) -> Value | Event | Unknown:
        """Returns what a name of the place stands for."""
        if name == "today":
            self.hangs_on_the_day()
            return day_of(self.moment, self.world.zone)
        if name in self.roots:
            return self.roots[name]  # type: ignore[return-value]  # the caller put in what the loader was told
        return self.thing

    def subject(self) -> Thing:
        """Returns the thing that bare ``happened``, ``last`` and ``count`` are about."""
        return self.thing

    def now(self) -> Moment:
        """Returns the moment from which windows are counted back."""
        return self.moment

    def forgets(self, moment: Moment, window: Span) -> None:
        """Notes that something of a moment lies in a window now and will not, when time has gone on."""
        if window.unit not in CLOCK_UNITS or window.length is None:
            self.hangs_on_the_day()
        elif self.is_now:
            self.world.changes_at(start_of(moment, self.world.zone) + window.length)

    def fact(self, thing: Thing, name: str) -> Value | Unknown:
        """Returns a fact of a thing as it was on the day of this view."""
        key = (thing.id, name)
        if key in self.seen:
            return self.seen[key]  # type: ignore[return-value]  # it was put there below
        found = self.world.fact(thing, name, self)
        self.seen[key] = found
        return found

    def events(self, thing: Thing, names: tuple[str, ...]) -> Sequence[Event]:
        """Returns the events of a thing that this view reaches, in order."""
        history = self.world.history(thing)
        about = self.about
        if self.trace is not None:
            self.world.heard.events.update(dict.fromkeys((thing.id, name) for name in names))
        if about is None:
            return history.before(names, self.upto)
        if about.day in (history.bare_days if about.is_timed else history.timed_days):
            return self._on_a_mixed_day(history, names, about)
        return _without(history.before(names, self.upto), about)

    def ask(self, name: str) -> Value | Unknown:
        """Returns the book's answer to what a program asks."""
        return self.world.ask(name, self)

    def meets(self, standard: str) -> bool | Unknown:
        """Tells whether the event, or the thing, at hand meets a standard."""
        return self.world.meets(standard, self)

    # ---------------------------------------------------------------- what it is

    @property
    def is_now(self) -> bool:
        """Tells whether it is of things as they stand, so that it moves on with the moment that is asked about."""
        return self.about is None and self.moment is self.world.as_of

    def hangs_on_the_day(self) -> None:
        """Notes that what is told here of things as they stand may be otherwise tomorrow."""
        if self.is_now:
            self.world.changes_at(end_of(self.world.today, self.world.zone))

    def again(self, swapped: frozenset[str] | None = None) -> View:
        """Returns the same view with nothing seen yet."""
        return View(
            self.world,
            self.thing,
            self.roots,
            day=self.day,
            moment=self.moment,
            upto=self.upto,
            about=self.about,
            swapped=self.swapped if swapped is None else swapped,
        )

    def of(self, thing: Thing) -> View:
        """Returns the same view about another thing: what its conditions name is that thing, not the one that led to it."""
        return self if thing == self.thing else self._beside(thing, {})

    def knowing(self, **more: object) -> View:
        """Returns the same view in which further names stand for something."""
        return self._beside(self.thing, {**self.roots, **more})

    def _beside(self, thing: Thing, roots: Mapping[str, object]) -> View:
        found = self.again()
        found.thing, found.roots = thing, roots
        found.bare, found.across, found.trace = self.bare, self.across, self.trace  # a doubt there is a doubt here
        return found

    # ---------------------------------------------------------------- bare days among times

    def _on_a_mixed_day(self, history: History, names: tuple[str, ...], about: Event) -> Sequence[Event]:
        """Returns what is seen on a day of which some rows have a time and some have none, and marks the doubt."""
        zone = self.world.zone
        last = self.upto if about.is_timed else (end_of(about.day, zone), 2, 0)
        found = history.before(names, last)
        first = bisect_left(found, (start_of(about.day, zone), 0, _FIRST), key=BY_KEY)
        seen = list(found[:first])
        for event in found[first:]:
            if event is about:
                continue
            if event.is_timed != about.is_timed:
                self.bare.append(about if event.is_timed else event)
                self.across.append(event)
                is_before = not event.is_timed  # as the order has it: bare days before times
                if is_before is (event.id in self.swapped):
                    continue
            seen.append(event)
        return seen

    def wants_of_the_day(self) -> Unknown:
        """Returns the unknown that asks the time of day of everything whose place in its day decides."""
        return unknown(Want("time_of_day", e.name, thing=e.thing, event=e.id, day=e.day) for e in self.bare)

    def others(self) -> Iterator[View]:
        """Returns the views in which bare days of this day stand elsewhere than the order has them.

        What the view is about stands after each of the times in turn; of bare days that stand before it, any may stand
        behind it. Edge: of more than five of one day, not every choice is tried: each alone, the first and the last so many.
        """
        if self.about is None or self.swapped:
            return
        across = sorted({event.id: event for event in self.across}.values(), key=BY_KEY)
        if self.about.is_timed:
            moved = list(_choices([event.id for event in across]))
        else:
            moved = [{event.id for event in across if event.start <= last} for last in {e.start for e in across}]
        for swapped in moved:
            yield self.again(frozenset(swapped))


def tell(condition: Condition, view: View, trace: list[str] | None = None) -> Value | Event | Unknown:
    """Returns the value of a condition from a view; unknown where only the time of day of something could decide it.

    Args:
        condition: what is asked.
        view: what it may see.
        trace: takes the steps, when somebody asks why.
    """
    value: Value | Event | Unknown
    if trace is None:
        value = condition.evaluate(view)
    else:
        asked = view.again()
        asked.trace = trace
        value, steps = condition.explain(asked)
        trace.extend(steps)
        view.bare.extend(asked.bare)
        view.across.extend(asked.across)
    if not view.across:
        return value
    for other in view.others():
        told = condition.evaluate(other)
        if told != value:
            missing = [want for one in (value, told) if isinstance(one, Unknown) for want in one.wants]
            return unknown([*missing, *view.wants_of_the_day().wants])
    return value


def _choices(ids: Sequence[str]) -> Iterator[set[str]]:
    """Yields what may stand elsewhere: any of a few; of many, each alone, and the first and the last so many."""
    if len(ids) <= _FEW:
        yield from (set(some) for count in range(1, len(ids) + 1) for some in combinations(ids, count))
        return
    yield from ({one} for one in ids)
    yield from (set(ids[:count]) for count in range(2, len(ids) + 1))
    yield from (set(ids[-count:]) for count in range(2, len(ids)))


def _without(events: Sequence[Event], event: Event) -> Sequence[Event]:
    """Returns events without one of them, if it is there: it stands among the last, those of its own day."""
    if not events or events[-1].key < event.key:
        return events
    place = bisect_left(events, event.key, key=BY_KEY)
    return [*events[:place], *events[place + 1 :]] if events[place] is event else events


def key_before(event: Event) -> Key:
    """Returns the key up to which an event sees the record: just before its instant, or all bare days of its day."""
    return (event.start, 1, _FIRST)


def view_before(world: World, thing: Thing, event: Event, roots: Mapping[str, object]) -> View:
    """Returns the view of the record just before an event."""
    return View(world, thing, roots, day=event.day, moment=event.moment, upto=key_before(event), about=event)
