"""Infiltration for each inch-mile, and how complete a map is; both worked by hand."""

from __future__ import annotations

from fractions import Fraction

import pytest

from sewershed.programs.collection.completeness import completeness
from sewershed.programs.collection.infiltration import infiltration
from sewershed.rules.figures import CannotEstimateError


def test_two_pipes():
    # 8 in x 1 mile + 10 in x half a mile = 13 inch-miles; 1,600 / 13
    found = infiltration(1_600, [(8, 5_280), (10, 2_640)])
    assert (found.inch_miles, found.gpd_per_inch_mile) == (13, Fraction(1_600, 13))
    assert found.steps[:2] == ("8 in x 5,280 ft / 5,280 = 8 inch-miles", "10 in x 2,640 ft / 5,280 = 5 inch-miles")


@pytest.mark.parametrize("pipes", [[], [(0, 10)], [(8, 0)]])
def test_a_pipe_that_is_none_is_refused(pipes: list[tuple[int, int]]):
    with pytest.raises(CannotEstimateError):
        infiltration(1, pipes)


def test_36_of_120_pipes():
    # spring_hope_a.md 5.9: 36 of 120 segments with material, year and taps are 30.0 %
    whole, half = {"material": True, "year": True, "taps": True}, {"material": True}
    found = completeness([whole] * 36 + [half] * 84, ["material", "year", "taps"])
    assert (found.whole, found.percent) == (36, 30)
    assert found.missing == {"material": 0, "year": 84, "taps": 84}
    with pytest.raises(CannotEstimateError):
        completeness([], ["material"])
