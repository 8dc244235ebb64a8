"""What a station pumps: the drawdown test, its capacity with the largest pump out, and whether that is enough.

No agency sets the method of a drawdown test; it is the field's usual one, worked from the wet well's size.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from sewershed.rules.figures import CannotEstimateError, measured, plain
from sewershed.rules.types import Number

GAL_PER_FT3 = Fraction("7.48052")  # 1,728 cubic inches over 231, to five places, as handbooks print it
PI = Fraction("3.14159265358979323846")
MINUTES_A_DAY = 1440


@dataclass(frozen=True, slots=True)
class Pumped:
    """What a pump moves, in gallons a minute, with the working."""

    gpm: Fraction
    steps: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Reliability:
    """Whether a station moves enough with its largest pump out."""

    firm_gpm: Fraction
    needed_gpm: Fraction
    is_enough: bool
    steps: tuple[str, ...]


def round_well_ft2(diameter_ft: Number) -> Fraction:
    """Returns the area of a round wet well, in square feet.

    Units: diameter in feet.
    Edge: none; the area is exact to twenty digits of pi.
    Refuses: a diameter of zero or less.

    Example:
        >>> round(float(round_well_ft2(6)), 3)
        28.274
    """
    side = measured(diameter_ft, "the diameter of the wet well, in feet,", above=0)
    return PI * side * side / 4


def drawdown(
    *, area_ft2: Number, drop_in: Number, minutes: Number, fill_in: Number = 0, fill_minutes: Number = 0
) -> Pumped:
    """Returns what a pump moves by a drawdown test: what left the wet well, and what came in meanwhile.

    Law: none; the field's usual method. The inflow is measured by letting the well fill with the pumps off.
    Units: square feet, inches, minutes; the result in gallons a minute.
    Edge: without a fill test the inflow is taken as none, and the steps say that the result is then the least it can be.
    Refuses: an area, drop or time of zero or less, and a fill without its time.

    Example:
        >>> tested = drawdown(area_ft2=28, drop_in=12, minutes=2, fill_in=3, fill_minutes=3)
        >>> round(float(tested.gpm), 2)
        122.18
    """
    area = measured(area_ft2, "the area of the wet well, in square feet,", above=0)
    drop = measured(drop_in, "the drop, in inches,", above=0)
    time = measured(minutes, "the time of the drop, in minutes,", above=0)
    fill = measured(fill_in, "the rise, in inches,", least=0)
    per_inch = area / 12 * GAL_PER_FT3
    out = per_inch * drop / time
    steps = [
        f"an inch of the wet well holds {plain(area)} ft2 / 12 x {plain(GAL_PER_FT3, 5)} = {plain(per_inch)} gal",
        f"out: {plain(drop)} in x {plain(per_inch)} gal / {plain(time)} min = {plain(out)} gpm",
    ]
    if not fill:
        steps.append("no fill test: what came in meanwhile is not known, so the pump moves at least this")
        return Pumped(out, tuple(steps))
    rise_time = measured(fill_minutes, "the time of the rise, in minutes,", above=0)
    inflow = per_inch * fill / rise_time
    steps.append(f"in: {plain(fill)} in x {plain(per_inch)} gal / {plain(rise_time)} min = {plain(inflow)} gpm")
    steps.append(f"the pump moves both: {plain(out)} + {plain(inflow)} = {plain(out + inflow)} gpm")
    return Pumped(out + inflow, tuple(steps))


def reliability(*, pumps_gpm: Sequence[Number], average_flow_gpd: Number, times_average: Number) -> Reliability:
    """Returns whether the pumps that are left move enough when the largest is out.

    Law: none of its own: how many times the average flow is needed is the book's to say (`firm_times_average_flow`).
    Units: gallons a minute for each pump, gallons a day for the average flow.
    Edge: exactly as much as is needed is enough. A single pump leaves nothing, so that any flow is too much.
    Refuses: no pump, a capacity below zero, a flow below zero, and times of zero or less.

    Example:
        >>> reliability(pumps_gpm=[100, 120], average_flow_gpd=57600, times_average=Fraction(5, 2)).is_enough
        True
        >>> reliability(pumps_gpm=[100, 120], average_flow_gpd=57601, times_average=Fraction(5, 2)).is_enough
        False
    """
    if not pumps_gpm:
        raise CannotEstimateError("there is no pump; give what each of them moves, in gallons a minute")
    each = [measured(one, "what a pump moves, in gallons a minute,", least=0) for one in pumps_gpm]
    flow = measured(average_flow_gpd, "the average flow, in gallons a day,", least=0)
    times = measured(times_average, "how many times the average flow is needed", above=0)
    firm, needed = sum(each, Fraction(0)) - max(each), times * flow / MINUTES_A_DAY
    steps = (
        f"{' + '.join(plain(one) for one in each)} gpm; the largest, {plain(max(each))}, is out: {plain(firm)} gpm are left",
        f"needed: {plain(times)} x {plain(flow)} gpd / {MINUTES_A_DAY:,} min = {plain(needed)} gpm",
        f"{plain(firm)} {'>=' if firm >= needed else '<'} {plain(needed)}: {'enough' if firm >= needed else 'not enough'}",
    )
    return Reliability(firm, needed, firm >= needed, steps)
