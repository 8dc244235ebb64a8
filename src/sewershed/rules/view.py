"""The record as a condition may see it: from a moment, about a thing, up to a place in the order (RULEBOOK.md 4 and 8.2).

A condition about an event sees the record just before it: earlier events, and the other events of its day where both carry
only a day. Where the place of a bare day within its day decides, nobody can tell: a view that came across such a day keeps what has
only a day (`bare`), and the question is asked again from the other view (`other`); two answers are no answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING

from sewershed.rules.calendars import Calendar
from sewershed.rules.moments import end_of
from sewershed.rules.record import Event, Key, Moment
from sewershed.rules.types import Thing, Value
from sewershed.rules.unknown import Unknown, Want, unknown

if TYPE_CHECKING:
    from sewershed.rules.conditions import Condition
    from sewershed.rules.world import World

END: Key = (datetime.max.replace(tzinfo=UTC), 2, 0)
_FIRST = -1  # a position before all others


class View:
    """What a condition sees. It answers the questions of `sewershed.rules.conditions.Scope`."""

    __slots__ = ("about", "bare", "day", "is_late", "moment", "roots", "seen", "thing", "trace", "upto", "world")

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
        is_late: bool = False,
    ) -> None:
        self.world = world
        self.thing = thing
        self.roots = roots
        self.day = day
        self.moment = moment
        self.upto = upto
        self.about = about
        self.is_late = is_late
        self.bare: list[Event] = []  # what has only a day, on a day where its place may decide
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
            self._changes_tomorrow()
            return self.world.today if self.about is None else self.day
        if name in self.roots:
            return self.roots[name]  # type: ignore[return-value]  # the caller put in what the loader was told
        return self.thing

    def subject(self) -> Thing:
        """Returns the thing that bare ``happened``, ``last`` and ``count`` are about."""
        return self.thing

    def now(self) -> Moment:
        """Returns the moment from which windows are counted back."""
        self._changes_tomorrow()
        return self.moment

    def _changes_tomorrow(self) -> None:
        """Notes that an answer about things as they stand hangs on the day that is asked about."""
        if self.about is None:
            self.world.changes_at(end_of(self.world.today, self.world.zone))

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
        if about is None:
            return history.before(names, self.upto) if self.upto is not END else history.of(names)
        if about.day in (history.bare_days if about.is_timed else history.timed_days):
            return self._on_a_mixed_day(history.of(names), about)
        found = history.before(names, self.upto)
        if about.is_timed or not found or found[-1].key < about.key:
            return found
        return [event for event in found if event is not about]

    def ask(self, name: str) -> Value | Unknown:
        """Returns the book's answer to what a program asks."""
        return self.world.ask(name, self)

    def meets(self, standard: str) -> bool | Unknown:
        """Tells whether the event, or the thing, at hand meets a standard."""
        return self.world.meets(standard, self)

    # ---------------------------------------------------------------- bare days among times

    def _on_a_mixed_day(self, events: Sequence[Event], about: Event) -> Sequence[Event]:
        """Returns what is seen on a day of which some rows have a time and some have none, and marks the doubt."""
        seen = []
        for event in events:
            if event is about:
                continue
            if event.day == about.day and event.is_timed != about.is_timed:
                self.bare.append(about if event.is_timed else event)
                bare_first = not event.is_timed  # as the order has it: bare days before times
                if bare_first is not self.is_late:
                    seen.append(event)
            elif event.key < self.upto:
                seen.append(event)
        return seen

    def wants_of_the_day(self) -> Unknown:
        """Returns the unknown that asks the time of day of everything whose place in its day decides."""
        return unknown(Want("time_of_day", e.name, thing=e.thing, event=e.id, day=e.day) for e in self.bare)

    def other(self) -> View:
        """Returns the view from which bare days of this day come last instead of first."""
        found = self.again()
        found.is_late = True
        return found

    def again(self) -> View:
        """Returns the same view with nothing seen yet."""
        return View(
            self.world,
            self.thing,
            self.roots,
            day=self.day,
            moment=self.moment,
            upto=self.upto,
            about=self.about,
            is_late=self.is_late,
        )


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
    if view.bare and not view.is_late and condition.evaluate(view.other()) != value:
        return view.wants_of_the_day()
    return value


def key_before(event: Event) -> Key:
    """Returns the key up to which an event sees the record: just before its instant, or all bare days of its day."""
    return (event.start, 1, _FIRST)


def view_before(world: World, thing: Thing, event: Event, roots: Mapping[str, object], day: date | None = None) -> View:
    """Returns the view of the record just before an event."""
    return View(
        world,
        thing,
        roots,
        day=event.day if day is None else day,
        moment=event.moment,
        upto=key_before(event),
        about=event,
    )
