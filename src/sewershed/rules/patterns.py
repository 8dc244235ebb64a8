"""Patterns: which events count for meeting, closing, excusing or extending a duty (docs/explanation/rulebook.md 9.3)."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from sewershed.rules.entries import Pattern
from sewershed.rules.moments import day_of, is_instant
from sewershed.rules.record import Event, Moment
from sewershed.rules.types import Thing
from sewershed.rules.unknown import Unknown, Want
from sewershed.rules.view import tell, view_before

if TYPE_CHECKING:
    from sewershed.rules.world import World

_OF_THE_ITEM = re.compile(r"\b(trigger|item|since)\b")


@dataclass(slots=True)
class Fit:
    """An event that a pattern takes (or, with wants, would take if they were known)."""

    event: Event
    pattern: Pattern
    wants: tuple[Want, ...] = ()


class Told(NamedTuple):
    """An event that was looked at, and the steps by which it fits or does not."""

    event: Event
    steps: tuple[str, ...]


class Candidates:
    """The events that some patterns may take, in order. Each is looked at when somebody comes by it, and once.

    Edge: where a pattern names what opened the duty, it is looked at anew for each obligation.
    """

    def __init__(self, world: World, thing: Thing, patterns: Sequence[Pattern], roots: Mapping[str, object]) -> None:
        self.world, self.thing = world, thing
        self._all = [
            (event, pattern, about)
            for pattern in patterns
            for about in _things_of(world, thing, pattern, roots)
            for event in world.history(about).of(pattern.events)
        ]
        self._all.sort(key=lambda one: one[0].key)
        self._days = [event.day for event, _, _ in self._all]
        self._is_ever = any(pattern.ever for pattern in patterns)
        self._told: dict[int, Fit | None] = {}

    def since(
        self, start: Moment, trigger: Event | None, roots: Mapping[str, object], trace: list[Told] | None = None
    ) -> Iterator[Fit]:
        """Returns the events that the patterns take from a start on, and those they would take if a fact were known.

        Edge: an event of the start's own instant counts, and one of the same day where either has only a day. One before
        the start counts where the pattern says ``ever``. What opened the duty never counts.
        """
        day = day_of(start, self.world.zone)
        for place in range(0 if self._is_ever else bisect_left(self._days, day), len(self._all)):
            event, pattern, _ = self._all[place]
            if trigger is not None and event.id == trigger.id:
                continue
            if not pattern.ever and is_before(self.world, event.moment, start):
                continue
            fit = self._fit(place, roots, trace)
            if fit is not None:
                yield fit

    def all(self, roots: Mapping[str, object]) -> Iterator[Fit]:
        """Returns all events that the patterns take, whenever they happened."""
        fits = (self._fit(place, roots, None) for place in range(len(self._all)))
        return (fit for fit in fits if fit is not None)

    def _fit(self, place: int, roots: Mapping[str, object], trace: list[Told] | None) -> Fit | None:
        if place in self._told:
            return self._told[place]
        event, pattern, about = self._all[place]
        fit: Fit | None = Fit(event, pattern)
        if pattern.when is not None:
            names = {**roots, "event": event} if about == self.thing else {**roots, "event": event, about.type: about}
            steps: list[str] | None = None if trace is None else []
            value = tell(pattern.when, view_before(self.world, self.thing, event, names), steps)
            fit = Fit(event, pattern, value.wants) if isinstance(value, Unknown) else fit if value else None
            if trace is not None and steps is not None:
                how = "does not meet it" if fit is None else "may meet it" if fit.wants else "meets what is asked"
                said = f"{event.name} of {self.world.say(event.moment)}: {how}"
                trace.append(Told(event, (said, *(f"  {step}" for step in steps))))
        if pattern.when is None or not rests_on_item(pattern.when.source):
            self._told[place] = fit
        return fit


def _things_of(world: World, thing: Thing, pattern: Pattern, roots: Mapping[str, object]) -> Sequence[Thing]:
    if pattern.on is None:
        return (thing,)
    found = world.things_on(pattern, thing, world.standing(thing, roots))
    return () if isinstance(found, Unknown) else found


def is_before(world: World, moment: Moment, other: Moment) -> bool:
    """Tells whether a moment is before another one. Edge: where one has only a day, an earlier day is needed."""
    if is_instant(moment) and is_instant(other):
        return moment < other
    return day_of(moment, world.zone) < day_of(other, world.zone)


@lru_cache(maxsize=4096)
def rests_on_item(source: str) -> bool:
    """Tells whether a condition names the trigger, the item or the interval: then each obligation has its own answer."""
    return _OF_THE_ITEM.search(source) is not None


def are_shared(patterns: Sequence[Pattern]) -> bool:
    """Tells whether all obligations of a duty on a thing look for these patterns among the same events."""
    return not any(pattern.on is not None and rests_on_item(pattern.on.source) for pattern in patterns)
