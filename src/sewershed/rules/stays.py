"""Stays: what stops a clock, or holds back enforcement, from one event to another (docs/explanation/rulebook.md 9.3).

``pause``: the clock stands still, and the limit moves by as long. ``hold``: the date runs on, enforcement waits.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import accumulate, takewhile
from typing import TYPE_CHECKING

from sewershed.rules.entries import Duty
from sewershed.rules.moments import day_of, end_of, start_of
from sewershed.rules.patterns import Candidates, is_before
from sewershed.rules.record import END, Event, Moment
from sewershed.rules.spans import Span
from sewershed.rules.types import Thing

if TYPE_CHECKING:
    from sewershed.rules.world import World

_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Interval:
    """One stay: from a moment to a moment (None: it still runs)."""

    start: Moment
    end: Moment | None
    effect: str
    by: Event


@dataclass(frozen=True, slots=True)
class Moved:
    """A limit after the pauses: moved, or standing still with so much left."""

    limit: Moment
    left: str = ""  # "20 days left", while a pause runs
    steps: tuple[str, ...] = ()


class Stays:
    """Stays in order of their beginning."""

    def __init__(self, world: World, intervals: Sequence[Interval] = ()) -> None:
        self.zone = world.zone
        self._all = sorted(intervals, key=lambda one: start_of(one.start, self.zone))
        ends = (start_of(one.end, self.zone) if one.end is not None else END[0] for one in self._all)
        self._over_by = list(accumulate(ends, max))  # by when each, and all that began before it, were over

    def __bool__(self) -> bool:
        """Tells whether there are any."""
        return bool(self._all)

    def since(self, moment: Moment) -> Iterator[Interval]:
        """Returns, in order, the stays that were not over before the day of a moment."""
        first = bisect_left(self._over_by, start_of(day_of(moment, self.zone), self.zone))
        return (self._all[place] for place in range(first, len(self._all)))

    def between(self, first: Moment, last: Moment) -> Iterator[Interval]:
        """Returns, in order, the stays that were not over before the day of the first moment, nor began after the last."""
        end = end_of(last, self.zone)
        return takewhile(lambda stay: start_of(stay.start, self.zone) <= end, self.since(first))


def stays_of(world: World, thing: Thing, duty: Duty, roots: Mapping[str, object]) -> Stays:
    """Returns the stays of a duty on a thing."""
    found = []
    for stay in duty.stayed_by:
        ends = Candidates(world, thing, (stay.end,), roots).all(roots) if stay.end else iter(())
        end: Event | None = None
        last_end: Moment | None = None
        for fit in Candidates(world, thing, (stay.start,), roots).all(roots):
            if fit.wants or (last_end is not None and is_before(world, fit.event.moment, last_end)):
                continue
            if end is None or end.key <= fit.event.key:
                end = next((one.event for one in ends if not one.wants and one.event.key > fit.event.key), None)
            found.append(Interval(fit.event.moment, end.moment if end else None, stay.effect, fit.event))
            if end is None:
                break
            last_end = end.moment
    return Stays(world, found)


def paused(world: World, base: Moment, start: Moment, span: Span | None, stays: Stays) -> Moved:
    """Returns where a limit comes to lie after the pauses.

    A day limit moves by whole days from the first to the last day of a pause, a limit at an instant to the second; business
    days skip the days of the pause. One already running at the start counts from the start. One that begins after the limit
    moves nothing.

    Args:
        world: for zone and calendar.
        base: the limit without pauses.
        start: what the clock counts from.
        span: the span counted, where it counts business days; else None.
        stays: all stays; holds are passed over.
    """
    if not stays:
        return Moved(base)
    limit: Moment = base
    steps: list[str] = []
    stood_until: Moment = start  # where pauses overlap, the clock stands still only once
    for stay in stays.since(start):
        begin = stay.start if is_before(world, stood_until, stay.start) else stood_until
        if start_of(begin, world.zone) > end_of(limit, world.zone):
            break
        if stay.effect != "pause" or (stay.end is not None and not is_before(world, begin, stay.end)):
            continue
        if stay.end is None:
            return Moved(limit, _left(world, begin, limit, span), tuple(steps))
        moved = _moved(world, limit, begin, stay.end, span)
        steps.append(
            f"paused from {world.say(begin)} to {world.say(stay.end)}: limit moves from {world.say(limit)} to {world.say(moved)}"
        )
        limit, stood_until = moved, stay.end
    return Moved(limit, steps=tuple(steps))


def _moved(world: World, limit: Moment, begin: Moment, end: Moment, span: Span | None) -> Moment:
    if isinstance(limit, datetime):
        return limit + (start_of(end, world.zone) - start_of(begin, world.zone))
    first, last = day_of(begin, world.zone), day_of(end, world.zone)
    if span is not None and span.unit == "business_days":
        # The business days from the first day of the pause to the day before its last are not counted.
        skipped = sum(
            1
            for n in range((last - first).days)
            if world.calendar.is_business_day(first + n * _DAY) and first + n * _DAY <= limit
        )
        moved = day = limit
        while skipped:
            day += _DAY
            if world.calendar.is_business_day(day):
                moved = day
                if not first <= day < last:
                    skipped -= 1
        return moved
    return limit + (last - first)


def _left(world: World, begin: Moment, limit: Moment, span: Span | None) -> str:
    if isinstance(limit, datetime):
        left = limit - start_of(begin, world.zone)
        hours, minutes = divmod(int(left.total_seconds()) // 60, 60)
        return f"{hours}:{minutes:02} hours left"
    first = day_of(begin, world.zone)
    if span is not None and span.unit == "business_days":
        count = sum(1 for n in range(1, (limit - first).days + 1) if world.calendar.is_business_day(first + n * _DAY))
        return f"{count} business {'day' if count == 1 else 'days'} left"
    days = (limit - first).days
    return f"{days} {'day' if days == 1 else 'days'} left"


def held_at(stays: Stays, world: World, moment: datetime) -> Interval | None:
    """Returns the hold that runs at a moment, or None. Edge: on its last day, or at its last instant, it no longer runs."""
    for stay in stays.between(moment, moment):
        has_ended = stay.end is not None and start_of(stay.end, world.zone) <= moment
        if stay.effect == "hold" and not has_ended:
            return stay
    return None


def days_stayed(world: World, stays: Stays, first: date, last: date) -> int:
    """Returns how many of the days from first to last (both counted) lie in a stay, its last day not counted."""
    days: set[date] = set()
    for stay in stays.between(first, last):
        begin = max(day_of(stay.start, world.zone), first)
        end = min(day_of(stay.end, world.zone) if stay.end is not None else last + _DAY, last + _DAY)
        days.update(begin + n * _DAY for n in range(max(0, (end - begin).days)))
    return len(days)
