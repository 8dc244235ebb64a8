"""Infiltration for each inch of diameter and mile of pipe: how tight a sewer is, whatever its size."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from sewershed.rules.figures import CannotEstimateError, measured, plain
from sewershed.rules.types import Number

FEET_A_MILE = 5280


@dataclass(frozen=True, slots=True)
class Infiltration:
    """Gallons a day for each inch-diameter-mile, with the working."""

    inch_miles: Fraction
    gpd_per_inch_mile: Fraction
    steps: tuple[str, ...]


def infiltration(flow_gpd: Number, pipes: Sequence[tuple[Number, Number]]) -> Infiltration:
    """Returns the infiltration into a stretch of sewer for each inch of diameter and mile of length.

    Law: none; the field's measure. New work is commonly held to 100 or 200 by design standards, which a book would say.
    Units: gallons a day; of each pipe inches of diameter and feet of length.
    Edge: none; the result is exact.
    Refuses: no pipe, a diameter or length of zero or less, a flow below zero.

    Example:
        >>> found = infiltration(1600, [(8, 5280)])
        >>> int(found.inch_miles), int(found.gpd_per_inch_mile)
        (8, 200)
    """
    if not pipes:
        raise CannotEstimateError("there is no pipe; give of each its diameter in inches and its length in feet")
    flow = measured(flow_gpd, "the infiltration, in gallons a day,", least=0)
    inch_miles, steps = Fraction(0), []
    for diameter_in, length_ft in pipes:
        inches = measured(diameter_in, "the diameter, in inches,", above=0)
        feet = measured(length_ft, "the length, in feet,", above=0)
        inch_miles += inches * feet / FEET_A_MILE
        steps.append(f"{plain(inches)} in x {plain(feet)} ft / 5,280 = {plain(inches * feet / FEET_A_MILE)} inch-miles")
    if len(pipes) > 1:
        steps.append(f"together {plain(inch_miles)} inch-miles")
    steps.append(f"{plain(flow)} gpd / {plain(inch_miles)} = {plain(flow / inch_miles, 1)} gpd for each inch-mile")
    return Infiltration(inch_miles, flow / inch_miles, tuple(steps))
