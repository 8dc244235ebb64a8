"""Drawdown and reliability, worked by hand on both sides of each edge."""

from __future__ import annotations

from fractions import Fraction

import pytest

from sewershed.programs.stations.capacity import drawdown, reliability, round_well_ft2
from sewershed.rules.figures import CannotEstimateError

TWICE_AND_A_HALF = Fraction(5, 2)


def test_a_drawdown_with_its_fill():
    # 24 ft2: an inch holds 2 ft3 = 14.96104 gal. 10 in in 4 min: 37.4026 gpm out. 2 in in 8 min: 3.74026 gpm in.
    found = drawdown(area_ft2=24, drop_in=10, minutes=4, fill_in=2, fill_minutes=8)
    assert found.gpm == Fraction("41.14286")
    assert found.steps[-1] == "the pump moves both: 37.4026 + about 3.7403 = about 41.1429 gpm"


def test_without_a_fill_it_is_the_least():
    found = drawdown(area_ft2=24, drop_in=10, minutes=4)
    assert found.gpm == Fraction("37.4026")
    assert found.steps[-1].endswith("so the pump moves at least this")


def test_a_round_well():
    assert round(float(round_well_ft2(8)), 4) == 50.2655  # pi times 16


@pytest.mark.parametrize(
    ("flow_gpd", "is_enough"), [(57_599, True), (57_600, True), (57_601, False)]
)  # 2.5 x 57,600 / 1,440 = 100 gpm
def test_exactly_two_and_a_half_times_is_enough(flow_gpd: int, is_enough: bool):
    assert (
        reliability(pumps_gpm=[100, 120], average_flow_gpd=flow_gpd, times_average=TWICE_AND_A_HALF).is_enough
        is is_enough
    )


def test_a_single_pump_leaves_nothing():
    found = reliability(pumps_gpm=[500], average_flow_gpd=1, times_average=1)
    assert (found.firm_gpm, found.is_enough) == (0, False)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"area_ft2": 0}, "the area of the wet well, in square feet, is 0; it must be above 0"),
        ({"drop_in": -1}, "the drop, in inches, is -1; it must be above 0"),
        ({"minutes": 0}, "the time of the drop, in minutes, is 0; it must be above 0"),
        ({"fill_in": 1}, "the time of the rise, in minutes, is 0; it must be above 0"),
    ],
)
def test_what_cannot_be_is_refused(wrong: dict[str, int], said: str):
    with pytest.raises(CannotEstimateError, match=said):
        drawdown(**{"area_ft2": 24, "drop_in": 10, "minutes": 4} | wrong)


def test_no_pump_is_refused():
    with pytest.raises(CannotEstimateError, match="there is no pump"):
        reliability(pumps_gpm=[], average_flow_gpd=1, times_average=1)


@pytest.mark.parametrize("times", [0, -1])
def test_no_times_are_refused(times: int):
    with pytest.raises(CannotEstimateError, match="how many times the average flow is needed"):
        reliability(pumps_gpm=[1], average_flow_gpd=1, times_average=times)
