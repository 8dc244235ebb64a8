"""How long a spill ran, from its moments. A day is never read as midnight."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from fractions import Fraction
from zoneinfo import ZoneInfo

from sewershed.rules.figures import CannotEstimateError, measured, stated
from sewershed.rules.moments import end_of, say, start_of
from sewershed.rules.record import Moment
from sewershed.rules.types import Number


@dataclass(frozen=True, slots=True)
class Duration:
    """How long something ran, in minutes: the shortest and the longest it can have been."""

    shortest_minutes: Fraction
    longest_minutes: Fraction

    @property
    def minutes(self) -> Fraction | None:
        """Returns the minutes where they are known, None where only a range is."""
        return self.shortest_minutes if self.shortest_minutes == self.longest_minutes else None


def duration_between(start: Moment, stop: Moment, zone: ZoneInfo) -> Duration:
    """Returns how long it was between two moments, as a range where only a day is known.

    Law: a day without a time is never read as midnight: a start on a day lies anywhere within it, and so does a stop.
    Units: minutes; seconds as parts of a minute. A day has 23, 24 or 25 hours, as the clocks of the zone say.
    Edge: the shortest is never below zero. A start and a stop on the same bare day: from nothing to the whole day.
    Refuses: a stop that lies before the start in any case.

    Example:
        >>> from datetime import UTC, date
        >>> zone = ZoneInfo("America/New_York")
        >>> at = datetime(2024, 3, 8, 20, 40, tzinfo=UTC)
        >>> duration_between(at, at + timedelta(minutes=95), zone).minutes
        Fraction(95, 1)
        >>> duration_between(date(2024, 3, 8), at, zone).minutes is None
        True
    """
    first_start, last_start = bounds(start, zone)
    first_stop, last_stop = bounds(stop, zone)
    if last_stop < first_start:
        raise CannotEstimateError(f"the stop ({say(stop, zone)}) is before the start ({say(start, zone)}); check both")
    return Duration(minutes_in(max(timedelta(0), first_stop - last_start)), minutes_in(last_stop - first_start))


def bounds(moment: Moment, zone: ZoneInfo) -> tuple[datetime, datetime]:
    """Returns the first and the last instant a moment can have been: a day's first and last, an instant itself twice."""
    return start_of(moment, zone), end_of(moment, zone)


def minutes_in(span: timedelta) -> Fraction:
    """Returns a span of time in minutes, exactly."""
    return Fraction(span // timedelta(microseconds=1), 60_000_000)


@dataclass(frozen=True, slots=True)
class Ran:
    """A time during which it ran, with how its start and its stop were estimated.

    ``no_overflow_at`` is the last evidence before the start that nothing ran over; it widens the range, not the total.
    """

    start: Moment
    stop: Moment
    zone: ZoneInfo
    start_how: str
    stop_how: str
    no_overflow_at: Moment | None = None

    def lasted(self) -> Duration:
        """Returns how long it ran.

        Edge: as `duration_between`.
        Refuses: as `duration_between`, and a start or a stop without how it was estimated.
        """
        stated(self.start_how, "how the start was estimated", "it decides the volume")
        stated(self.stop_how, "how the stop was estimated", "it decides the volume")
        return duration_between(self.start, self.stop, self.zone)

    def longest_minutes(self) -> Fraction:
        """Returns the longest it can have run, back to the last evidence that nothing ran over."""
        longest = self.lasted().longest_minutes
        if self.no_overflow_at is None:
            return longest
        return max(longest, duration_between(self.no_overflow_at, self.stop, self.zone).longest_minutes)


def hours_for_form(minutes: Number) -> int:
    """Returns a duration in whole hours, as a form asks that wants it rounded to the nearest hour.

    Units: minutes in, hours out.
    Edge: half an hour rounds up; under half an hour is 0, which the form shows beside the minutes.
    Refuses: a negative duration.

    Example:
        >>> hours_for_form(95), hours_for_form(90), hours_for_form(29)
        (2, 2, 0)
    """
    known = measured(minutes, "the duration, in minutes,", least=0)
    return int((known / 60 + Fraction(1, 2)) // 1)
