"""Hour counters: sums, what rolls over, what is replaced, what stands still, what cannot be."""

from __future__ import annotations

from datetime import date
from fractions import Fraction

import pytest

from sewershed.programs.stations.hours import Reading, drift_percent, ran, shares
from sewershed.rules.figures import CannotEstimateError

FIRST, NEXT = date(2024, 1, 1), date(2024, 1, 8)  # seven days: 168 h, 192 with the hours of the days of reading


def test_hours_between_two_readings():
    (one,) = ran([Reading(FIRST, 100), Reading(NEXT, 128)])
    assert (one.hours, one.hours_a_day, one.question) == (28, 4, "")


@pytest.mark.parametrize(("hours", "fits"), [(292, True), (293, False)])  # 192 h fit into a week and a day, 193 do not
def test_more_hours_than_there_are(hours: int, fits: bool):
    (one,) = ran([Reading(FIRST, 100), Reading(NEXT, hours)])
    assert (one.hours is not None) is fits
    assert fits or one.question == "193 h do not fit into 192 h: was it read wrong?"


def test_it_rolled_over():
    (one,) = ran([Reading(FIRST, 9990), Reading(NEXT, 14)], rolls_at=10_000)
    assert one.hours == 24  # 10 to the end and 14 from zero
    (one,) = ran([Reading(FIRST, 9990), Reading(NEXT, 14)])
    assert one.hours is None  # nobody said that it rolls over: asked, never guessed
    (one,) = ran([Reading(FIRST, 5000), Reading(NEXT, 14)], rolls_at=10_000)
    assert one.hours is None  # 5,014 h do not fit into a week
    assert "was it replaced" in one.question


@pytest.mark.parametrize(
    ("before", "after", "hours"),
    [(10_000, 0, 0), (9990, 182, 192), (9990, 183, None)],  # at the end and at zero it is the same; 193 h do not fit
)
def test_what_rolled_over_fits_into_its_days(before: int, after: int, hours: int | None):
    (one,) = ran([Reading(FIRST, before), Reading(NEXT, after)], rolls_at=10_000)
    assert one.hours == hours


def test_a_new_counter_and_one_that_stands_still():
    (one,) = ran([Reading(FIRST, 900), Reading(NEXT, 20, is_new=True)])
    assert one.hours is None
    assert "it ran 20 h since; what the old one ran after 2024-01-01 is not known" in one.question
    (one,) = ran([Reading(FIRST, 900), Reading(NEXT, 900)])
    assert (one.hours, one.question) == (0, "the counter stands still: did the pump not run, or is it stuck?")


def test_readings_out_of_order_are_refused():
    with pytest.raises(CannotEstimateError, match="does not come after that of 2024-01-08; put them in order"):
        ran([Reading(NEXT, 1), Reading(FIRST, 2)])
    with pytest.raises(CannotEstimateError, match="put them in order"):
        ran([Reading(NEXT, 1), Reading(NEXT, 2)])


def test_shares_of_pumps_that_alternate():
    # 30 + 10 + 0 = 40 h: three quarters, a quarter, nothing
    found = shares({"pump 1": 30, "pump 2": 10, "pump 3": 0})
    assert dict(found.percent) == {"pump 1": 75, "pump 2": 25, "pump 3": 0}
    assert found.steps == ("all pumps: 30 + 10 + 0 = 40 h", "pump 1: 30 of 40 h are 75 %", "pump 2: 10 of 40 h are 25 %", "pump 3: 0 of 40 h are 0 %")  # fmt: skip
    with pytest.raises(CannotEstimateError, match="no pump ran, so none has a share"):
        shares({"pump 1": 0, "pump 2": 0})
    with pytest.raises(CannotEstimateError, match="the hours of pump 2 is -1; it must be 0 or more"):
        shares({"pump 1": 1, "pump 2": -1})


def test_drift():
    assert drift_percent(4, 5) == 25
    assert drift_percent(3, 2) == Fraction(-100, 3)
    with pytest.raises(CannotEstimateError):
        drift_percent(0, 5)
