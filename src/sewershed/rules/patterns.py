"""Patterns: which events count for meeting, closing, excusing or extending a duty (RULEBOOK.md 7.3)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from sewershed.rules.conditions import Condition
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


def fits(
    world: World, thing: Thing, patterns: Sequence[Pattern], roots: Mapping[str, object], trace: list[str] | None = None
) -> list[Fit]:
    """Returns the events that any of the patterns takes, and those it would take if a fact were known, in order."""
    found: list[Fit] = []
    for pattern in patterns:
        found.extend(_fits(world, thing, pattern, roots, trace))
    if len(patterns) > 1 or (patterns and patterns[0].on is not None):
        found.sort(key=lambda fit: fit.event.key)
    return found


def _fits(
    world: World, thing: Thing, pattern: Pattern, roots: Mapping[str, object], trace: list[str] | None
) -> Iterator[Fit]:
    things: Sequence[Thing] = (thing,)
    if pattern.on is not None:
        on = world.things_on(pattern, thing, world.standing(thing, roots))
        if isinstance(on, Unknown):
            return
        things = on
    for about in things:
        for event in world.history(about).of(pattern.events):
            if pattern.when is None:
                yield Fit(event, pattern)
                continue
            more = {**roots, "event": event} if about == thing else {**roots, "event": event, about.type: about}
            value = tell(pattern.when, view_before(world, thing, event, more), trace)
            if isinstance(value, Unknown):
                yield Fit(event, pattern, value.wants)
            elif value:
                yield Fit(event, pattern)


def since(
    world: World, found: Sequence[Fit], start: Moment, trigger: Event | None, *, is_strict: bool = False
) -> list[Fit]:
    """Returns the fits that count from a start on: not before it, unless the pattern says ``ever``; never the trigger.

    Edge: an event of the start's own instant counts, and one of the same day where either has only a day; with
    ``is_strict`` it must be after the start.
    """
    kept = []
    for fit in found:
        event = fit.event
        if trigger is not None and event.id == trigger.id:
            continue
        if fit.pattern.ever or not is_before(world, event.moment, start, or_same=is_strict):
            kept.append(fit)
    return kept


def is_before(world: World, moment: Moment, other: Moment, *, or_same: bool = False) -> bool:
    """Tells whether a moment is before another one. Edge: where one has only a day, an earlier day is needed."""
    if is_instant(moment) and is_instant(other):
        return moment <= other if or_same else moment < other
    day, other_day = day_of(moment, world.zone), day_of(other, world.zone)
    return day <= other_day if or_same else day < other_day


@lru_cache(maxsize=4096)
def rests_on_item(source: str) -> bool:
    """Tells whether a condition names the trigger, the item or the interval: then each obligation has its own answer."""
    return _OF_THE_ITEM.search(source) is not None


def is_shared(patterns: Sequence[Pattern]) -> bool:
    """Tells whether all obligations of a duty on a thing share what these patterns take."""
    conditions: list[Condition | None] = []
    for pattern in patterns:
        conditions += [pattern.when, pattern.on]
    return not any(condition is not None and rests_on_item(condition.source) for condition in conditions)
