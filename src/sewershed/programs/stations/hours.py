"""Pump hours: what each pump ran, read from counters that roll over, are replaced or stand still, and how it drifts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from itertools import pairwise

from sewershed.rules.figures import CannotEstimateError, measured, plain
from sewershed.rules.types import Number

HOURS_A_DAY = 24


@dataclass(frozen=True, slots=True)
class Reading:
    """What an hour counter showed on a day. `is_new` says that the counter was replaced since and began at zero."""

    day: date
    hours: Number
    is_new: bool = False


@dataclass(frozen=True, slots=True)
class Ran:
    """How long a pump ran between two readings, or why that cannot be told."""

    first: date
    last: date
    hours: Fraction | None
    question: str = ""

    @property
    def hours_a_day(self) -> Fraction | None:
        """Returns the hours a day, or None where the hours cannot be told."""
        return None if self.hours is None else self.hours / (self.last - self.first).days


@dataclass(frozen=True, slots=True)
class Shares:
    """The share of each pump in what all of a station ran, in percent, with the working."""

    percent: Mapping[str, Fraction]
    steps: tuple[str, ...]


def ran(readings: Sequence[Reading], *, rolls_at: Number | None = None) -> tuple[Ran, ...]:
    """Returns how long a pump ran between each two readings.

    Units: hours.
    Edge: a counter that shows the same again ran for no hour, and that is asked about: a counter that is stuck looks alike.
        A reading lower than before is never taken for a negative time: it rolled over where `rolls_at` is known and the hours
        that come out fit into the time, else it is asked about. A new counter counts from zero; what the old one ran after
        its last reading is not known, and the interval says so.
    Refuses: readings out of order or two of one day, and hours below zero.

    Example:
        >>> [str(one.hours) for one in ran([Reading(date(2024, 1, 1), 9990), Reading(date(2024, 1, 8), 14)], rolls_at=10000)]
        ['24']
    """
    return tuple(_between(one, other, rolls_at) for one, other in pairwise(readings))


def drift_percent(before_hours_a_day: Number, now_hours_a_day: Number) -> Fraction:
    """Returns by how many percent a pump runs more (or less) than before: a worn pump or a leak shows here first.

    Units: hours a day; percent.
    Edge: none. A pump that ran nothing before has no percentage.
    Refuses: a time of zero before, and times below zero.

    Example:
        >>> drift_percent(4, 5), drift_percent(4, 3)
        (Fraction(25, 1), Fraction(-25, 1))
    """
    before = measured(before_hours_a_day, "the hours a day before", above=0)
    now = measured(now_hours_a_day, "the hours a day now", least=0)
    return (now - before) * 100 / before


def shares(hours: Mapping[str, Number]) -> Shares:
    """Returns the share of each pump in what all pumps of a station ran: pumps that alternate run alike.

    Units: hours; percent.
    Edge: a pump that did not run has a share of zero.
    Refuses: pumps that ran nothing at all, and times below zero.

    Example:
        >>> {pump: int(share) for pump, share in shares({"1": 30, "2": 10}).percent.items()}
        {'1': 75, '2': 25}
    """
    each = {pump: measured(one, f"the hours of {pump}", least=0) for pump, one in hours.items()}
    whole = sum(each.values(), Fraction(0))
    if not whole:
        raise CannotEstimateError("no pump ran, so none has a share; look whether the counters work")
    percent = {pump: one * 100 / whole for pump, one in each.items()}
    steps = [f"all pumps: {' + '.join(plain(one) for one in each.values())} = {plain(whole)} h"]
    steps += [f"{pump}: {plain(one)} of {plain(whole)} h are {plain(percent[pump], 1)} %" for pump, one in each.items()]
    return Shares(percent, tuple(steps))


def _between(one: Reading, other: Reading, rolls_at: Number | None) -> Ran:
    if other.day <= one.day:
        raise CannotEstimateError(
            f"the reading of {other.day} does not come after that of {one.day}; put them in order"
        )
    low = measured(one.hours, f"the reading of {one.day}, in hours,", least=0)
    high = measured(other.hours, f"the reading of {other.day}, in hours,", least=0)
    most = HOURS_A_DAY * ((other.day - one.day).days + 1)  # the time of day of a reading is not known
    if other.is_new:
        return Ran(one.day, other.day, None, f"the counter was replaced: it ran {plain(high)} h since; what the old one ran after {one.day} is not known")  # fmt: skip
    hours = high - low
    if hours < 0 and rolls_at is not None and 0 <= hours + Fraction(rolls_at) <= most:
        return Ran(one.day, other.day, hours + Fraction(rolls_at))
    if hours < 0:
        return Ran(one.day, other.day, None, f"the counter shows {plain(high)} after {plain(low)}: was it replaced, did it roll over, was it read wrong?")  # fmt: skip
    if hours > most:
        return Ran(one.day, other.day, None, f"{plain(hours)} h do not fit into {most} h: was it read wrong?")
    return Ran(one.day, other.day, hours, "the counter stands still: did the pump not run, or is it stuck?" if not hours else "")  # fmt: skip
