"""Clocks at work: from a duty's ``due`` to a limit (docs/explanation/rulebook.md 7.5).

A limit is a day or an instant, or the reason why there is none: nothing to count from has happened yet, a fact is missing, a
pause runs, or the text gives no number.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import TYPE_CHECKING, Any

from sewershed.rules.calendars import Calendar, shifted
from sewershed.rules.conditions import Condition
from sewershed.rules.entries import (
    AtOnce,
    Before,
    Clock,
    ClockCase,
    CountedSpan,
    Earliest,
    Every,
    Latest,
    On,
    OpenEnded,
    Within,
)
from sewershed.rules.moments import end_of, is_instant
from sewershed.rules.record import Moment
from sewershed.rules.spans import Span, SpanError
from sewershed.rules.stays import Stays, paused
from sewershed.rules.unknown import Unknown, Want, unknown
from sewershed.rules.view import View, tell

if TYPE_CHECKING:
    from sewershed.rules.world import World


@dataclass(slots=True)
class Limit:
    """When a thing is due, or why there is no date."""

    moment: Moment | None = None
    is_waiting: bool = False
    is_at_once: bool = False
    is_open_ended: bool = False
    left: str = ""  # while a pause runs: no date is shown, only what is left
    wants: tuple[Want, ...] = ()
    latest: Moment | None = None  # the latest date it may have, where a missing fact decides between several
    is_one_of_several: bool = False  # a missing fact decides between dates, of which this is the earliest known
    may_be_earlier: bool = False  # something wanting may set a date before it, or leave none
    gone: Moment | None = None  # of ``before``: the moment after which it can no longer be done
    is_unsaid: bool = False  # some span in it does not say which days
    recurs: Span | None = None  # of a chain: its interval
    note: str = ""  # what moved it

    @property
    def is_dated(self) -> bool:
        """Tells whether there is a date."""
        return self.moment is not None

    @property
    def may_be_any(self) -> bool:
        """Tells whether it has no date because something is wanting: a fact, with which it may have any, or the text."""
        return not self.is_dated and not self.is_waiting and bool(self.wants)


_FROM_THE_START = Limit()  # of a clock that counts from where its setting starts: nothing is missing


@dataclass(slots=True)
class Setting:
    """What a clock is read in: the world, what it counts from, and what may stop it."""

    world: World
    view: View
    start: Moment
    stays: Stays
    unsaid: str  # how "days?" is read
    calendar: Calendar  # of the entry's own book: it says how limits roll
    trace: list[str] | None = None


def limit_of(setting: Setting, cases: Sequence[ClockCase]) -> Limit:
    """Returns the limit of a duty: of the first case that holds; of the earliest of those that still may, with the question."""
    possible: list[Limit] = []
    wants: list[Want] = []
    for case in cases:
        holds = True if case.when is None else tell(case.when, setting.view, setting.trace)
        if isinstance(holds, Unknown):
            wants.extend(holds.wants)
            possible.append(_limit(setting, case.clock))
        elif holds:
            possible.append(_limit(setting, case.clock))
            break
    else:  # none holds for certain, and the text may say nothing for what is left
        possible.append(Limit(wants=(Want("gap", "due"),)))
    if not wants:
        return possible[0]
    dated = [one for one in possible if one.is_dated]
    first = min(dated, key=lambda one: _end(setting, one)) if dated else possible[0]
    if len(dated) == len(possible) and all((one.moment, one.gone) == (first.moment, first.gone) for one in dated):
        return first  # whichever case holds, the date is the same
    missing = unknown([*wants, *first.wants]).wants
    if dated:
        first.latest = max(dated, key=lambda one: _end(setting, one)).moment if len(dated) == len(possible) else None
        first.may_be_earlier = any(one.may_be_earlier or one.may_be_any for one in possible)
        first.is_one_of_several = True
    first.wants = missing
    return first


def _end(setting: Setting, limit: Limit) -> datetime:
    assert limit.moment is not None
    return end_of(limit.moment, setting.world.zone)


def _limit(setting: Setting, clock: Clock) -> Limit:
    match clock:
        case AtOnce():
            return Limit(is_at_once=True)
        case OpenEnded():
            return Limit(is_open_ended=True)
        case Within():
            return _counted(setting, clock.span, clock.of, clock.roll, "within")
        case Every():
            return _counted(setting, clock.span, None, clock.roll, "every")
        case Before():
            return _before(setting, clock)
        case On():
            base, missing = _moment(setting, clock.of)
            if base is None:
                return missing
            limit = rolled(setting, base, clock.roll)
            _note(setting, f"due on {setting.world.say(limit)}")
            return Limit(limit, wants=missing.wants)
        case Earliest():
            return _earliest(setting, clock)
        case Latest():
            return _latest(setting, clock)
    raise TypeError(f"{type(clock).__name__} is no clock of a single date")  # ``each`` is periodic


def _moment(setting: Setting, of: Condition | None) -> tuple[Moment | None, Limit]:
    """Returns the moment a clock counts from, or None and what the limit is without it."""
    if of is None:
        return setting.start, _FROM_THE_START
    value: Any = tell(of, setting.view, setting.trace)
    if isinstance(value, date):  # an instant too
        return value, Limit()
    if isinstance(value, Unknown):
        first = value.wants[0]
        if first.kind == "time_of_day" and first.day is not None:
            return first.day, Limit(wants=value.wants)  # from its first moment: the strict side
        if all(want.kind == "event" for want in value.wants):
            return None, Limit(is_waiting=True, wants=value.wants)
        return None, Limit(wants=value.wants)
    return None, Limit(wants=(Want("fact", of.source),))


def span_of(setting: Setting, span: Span | CountedSpan) -> Span | Limit:
    """Returns the span of a clock, its number read from the record where it stands there; or why there is none."""
    if isinstance(span, Span):
        return span
    number: Any = tell(span.n, setting.view, setting.trace)
    if isinstance(number, Unknown):
        return Limit(wants=number.wants)
    try:
        return Span(number, span.unit)  # type: ignore[arg-type]  # the loader checked the unit
    except SpanError as error:
        _note(setting, f"{span.n.source}: {error}")
        return Limit(wants=(Want("fact", span.n.source),))


def _counted(setting: Setting, given: Span | CountedSpan, of: Condition | None, roll: str, word: str) -> Limit:
    base, missing = _moment(setting, of)
    if base is None:
        return missing
    span = span_of(setting, given)
    if isinstance(span, Limit):
        return span
    is_unsaid = span.unsaid
    counted = span.read_as("business" if setting.unsaid == "business" else "calendar")
    plain = shifted(setting.world.calendar.add, base, counted)
    if isinstance(plain, Unknown):
        return Limit(wants=plain.wants)
    moved = paused(setting.world, plain, base, counted, setting.stays)
    limit = rolled(setting, moved.limit, roll)
    if setting.trace is not None:
        read = f" (read as {counted})" if is_unsaid else ""
        _note(setting, f"{word} {span}{read} of {setting.world.say(base)}: due {setting.world.say(plain)}")
        for step in moved.steps:
            _note(setting, step)
        if limit != moved.limit:
            _note(setting, f"not a business day: rolls to {setting.world.say(limit)}")
    recurs = counted if word == "every" else None
    if moved.left:
        return Limit(left=moved.left, wants=missing.wants, is_unsaid=is_unsaid, recurs=recurs)
    return Limit(limit, wants=missing.wants, is_unsaid=is_unsaid, recurs=recurs)


def _before(setting: Setting, clock: Before) -> Limit:
    base, missing = _moment(setting, clock.of)
    if base is None:
        return missing
    span = span_of(setting, clock.span)
    if isinstance(span, Limit):
        return span
    counted = span.read_as("business" if setting.unsaid == "business" else "calendar")
    plain = shifted(setting.world.calendar.sub, base, counted)
    if isinstance(plain, Unknown):
        return Limit(wants=plain.wants)
    limit = rolled(setting, plain, clock.roll)
    _note(setting, f"{span} before {setting.world.say(base)}: due {setting.world.say(limit)}")
    return Limit(limit, wants=missing.wants, gone=base, is_unsaid=span.unsaid)


def rolled(setting: Setting, limit: Moment, roll: str) -> Moment:
    """Returns a limit moved off a day that is none of business, as its clock says, or its book; an instant stays.

    Edge: where no business day comes any more the limit stays where it is.
    """
    how: Any = roll or setting.calendar.roll
    if how == "none" or is_instant(limit):
        return limit
    try:
        return setting.world.calendar.roll_day(limit, how)
    except OverflowError:  # the last days of all: there is no business day after them
        return limit


def _earliest(setting: Setting, clock: Earliest) -> Limit:
    """Returns the earliest; what has not happened is passed over, a missing fact leaves the others standing and is asked."""
    limits = [_limit(setting, one) for one in clock.clocks]
    dated = [one for one in limits if one.is_dated]
    missing = unknown(want for one in limits if not one.is_dated and not one.is_waiting for want in one.wants).wants
    recurs = next((one.recurs for one in limits if one.recurs is not None), None)
    is_unsaid = any(one.is_unsaid for one in limits)
    left = next((one.left for one in limits if one.left), "")
    if not dated:
        if left:
            return Limit(left=left, wants=missing, recurs=recurs, is_unsaid=is_unsaid)
        waiting = [one for one in limits if one.is_waiting]
        if missing or not waiting:
            return Limit(wants=missing)
        return Limit(is_waiting=True, wants=waiting[0].wants)
    first = min(dated, key=lambda one: _end(setting, one))
    wants = unknown([*first.wants, *missing]).wants
    may_be_earlier = bool(missing) or first.may_be_earlier
    return Limit(
        first.moment, wants=wants, gone=first.gone, is_unsaid=is_unsaid, recurs=recurs, may_be_earlier=may_be_earlier
    )


def _latest(setting: Setting, clock: Latest) -> Limit:
    """Returns the latest; until all have happened it waits, and with a fact missing it cannot be told."""
    limits = [_limit(setting, one) for one in clock.clocks]
    missing = unknown(want for one in limits if not one.is_dated and not one.is_waiting for want in one.wants).wants
    left = next((one.left for one in limits if one.left), "")
    if missing:
        return Limit(wants=missing)
    waiting = [one for one in limits if one.is_waiting]
    if waiting:
        return Limit(is_waiting=True, wants=unknown(want for one in waiting for want in one.wants).wants)
    if left:
        return Limit(left=left)
    last = max(limits, key=lambda one: _end(setting, one))
    return replace(last, wants=unknown(want for one in limits for want in one.wants).wants)


def _note(setting: Setting, step: str) -> None:
    if setting.trace is not None:
        setting.trace.append(step)
