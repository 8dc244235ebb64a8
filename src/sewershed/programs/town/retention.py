"""How long a record is kept, and from when on it may be destroyed. Nothing here destroys anything."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from fractions import Fraction
from typing import Literal

from sewershed.rules.calendars import Calendar
from sewershed.rules.moments import day_of
from sewershed.rules.spans import Span
from sewershed.rules.types import Number

State = Literal["may_go", "held", "kept", "cannot_tell"]
_MONTHS = 12  # of a year


class RetentionError(ValueError):
    """A time of keeping that cannot be counted."""


@dataclass(frozen=True, slots=True)
class Hold:
    """Somebody said that records must be kept beyond their time."""

    id: str
    first: date
    last: date | None  # none: until it is lifted
    because: str = ""

    def is_on(self, day: date) -> bool:
        """Tells whether it holds on a day. Edge: its first and its last day belong to it."""
        return self.first <= day and (self.last is None or day <= self.last)


@dataclass(frozen=True, slots=True)
class Standing:
    """How a record stands on a day: until when it is kept, and from when on it may be destroyed; None: not known yet."""

    state: State
    until: date | None = None
    may_go_on: date | None = None


def kept_until(last: date, years: Number, calendar: Calendar) -> date:
    """Returns the last day on which a record must be kept.

    Law: as long as the book answers to the ask, counted from the last day of the record.
    Units: years, in whole months.
    Edge: "at least three years" of 10 May 2023 runs through 10 May 2026; on the 11th they have passed. A day that its month
        does not have is counted as the book counts months.
    Refuses: with `RetentionError`, a time that is no whole number of months, and one below nothing.

    Example:
        >>> from zoneinfo import ZoneInfo
        >>> town = Calendar(ZoneInfo("America/New_York"))
        >>> str(kept_until(date(2023, 5, 10), 3, town)), str(kept_until(date(2024, 2, 29), 3, town))
        ('2026-05-10', '2027-02-28')
    """
    months = Fraction(years) * _MONTHS
    if months < 0 or months.denominator != 1:
        raise RetentionError(f"{years} years are no whole number of months from nothing on")
    return day_of(calendar.add(last, Span(int(months), "months")), calendar.zone) if months else last


def standing_of(
    last: date | None,
    years: Number | None,
    holds: Sequence[Hold],
    day: date,
    calendar: Calendar,
    *,
    is_open: bool = False,
) -> Standing:
    """Returns how a record stands on a day.

    Edge: on the last day of its time it is still kept, and on the last day of a hold still held. A hold that has ended moves
        the day on which the record may go only where it outlasted its time.
    Refuses: nothing; where the day of the record or the time of keeping is not known it cannot be told, held or not.

    Args:
        last: the last day of the record; None: no day is on record.
        years: how long the book has it kept; None: no book says.
        holds: those that reach the record, ended ones too.
        day: the day asked about.
        calendar: of the town.
        is_open: something about it is still to be done, so that it is not over yet.
    """
    begun = [one for one in holds if one.first <= day]
    is_held = any(one.is_on(day) for one in begun)
    if last is None or years is None:
        return Standing("held" if is_held else "cannot_tell")
    until = kept_until(last, years, calendar)
    if is_held:
        ends = [one.last for one in begun if one.is_on(day)]
        known = None if None in ends else max((until, *(one for one in ends if one is not None)))
        return Standing("held", known, None if known is None else known + timedelta(days=1))
    until = max((until, *(one.last for one in begun if one.last is not None)))
    if is_open:
        return Standing("kept")
    return Standing("may_go" if day > until else "kept", until, until + timedelta(days=1))
