"""Distinct feet: what overlaps counts once, what is run again is told apart."""

from __future__ import annotations

from datetime import date
from fractions import Fraction

import pytest

from sewershed.programs.collection.cleaned import Pass, cleaned
from sewershed.rules.figures import CannotEstimateError

YEAR = {"first": date(2023, 7, 1), "last": date(2024, 6, 30)}
DAY = date(2024, 1, 15)


def test_300_feet_jetted_eighteen_times_are_300():
    # practice 1.2: 18 x 300 = 5,400 ft run, of which 300 are distinct and 5,100 again
    found = cleaned([Pass("A", DAY, 300)] * 18, {"A": 300}, of_ft=52_800, **YEAR)
    assert (found.distinct_ft, found.again_ft) == (300, 5_100)


def test_5360_of_ten_miles_and_of_twelve():
    # spring_hope_a.md 5.1: 10.15 % of 52,800 ft and 8.46 % of 63,360 ft
    passes, lengths = [Pass("A", DAY, 3_000), Pass("B", DAY, 2_360)], {"A": 3_000, "B": 2_360}
    ten, twelve = (cleaned(passes, lengths, of_ft=of, **YEAR) for of in (52_800, 63_360))
    assert (round(float(ten.percent), 2), round(float(twelve.percent), 2)) == (10.15, 8.46)


def test_parts_that_overlap_are_joined():
    # 0-200 and 150-300 cover 300; 400-450 another 50; within one of 500 ft
    passes = [Pass("A", DAY, 200, 0, 200), Pass("A", DAY, 150, 150, 300), Pass("A", DAY, 50, 400, 450)]
    found = cleaned(passes, {"A": 500}, of_ft=1_000, **YEAR)
    assert (found.distinct_ft, found.again_ft, found.percent) == (350, 50, 35)


def test_a_part_within_another_adds_nothing():
    found = cleaned([Pass("A", DAY, 300, 0, 300), Pass("A", DAY, 50, 100, 150)], {"A": 300}, of_ft=1_000, **YEAR)
    assert found.distinct_ft == 300


def test_feet_without_a_place_count_once_and_never_above_the_pipe():
    found = cleaned([Pass("A", DAY, 200), Pass("A", DAY, 250), Pass("A", DAY, 900)], {"A": 300}, of_ft=1_000, **YEAR)
    assert found.distinct_ft == 300


@pytest.mark.parametrize(("day", "feet"), [(date(2023, 6, 30), 0), (date(2023, 7, 1), 300), (date(2024, 6, 30), 300), (date(2024, 7, 1), 0)])  # fmt: skip
def test_both_ends_of_the_year_belong_to_it(day: date, feet: int):
    assert cleaned([Pass("A", day, 300)], {"A": 300}, of_ft=1_000, **YEAR).distinct_ft == feet


def test_what_cannot_be_is_refused():
    with pytest.raises(CannotEstimateError, match="the pipe B was cleaned and is not among the pipes"):
        cleaned([Pass("B", DAY, 1)], {"A": 300}, of_ft=1_000, **YEAR)
    with pytest.raises(CannotEstimateError, match="ends at 10 ft before it begins at 20"):
        cleaned([Pass("A", DAY, 10, 20, 10)], {"A": 300}, of_ft=1_000, **YEAR)
    with pytest.raises(CannotEstimateError, match="must be above 0"):
        cleaned([], {}, of_ft=0, **YEAR)


def test_a_pipe_shorter_than_a_foot_and_one_of_no_length():
    found = cleaned([Pass("A", DAY, 1), Pass("B", DAY, 1)], {"A": Fraction(1, 2), "B": 0}, of_ft=1_000, **YEAR)
    assert (found.distinct_ft, found.again_ft) == (Fraction(1, 2), Fraction(3, 2))  # 1 - 1/2 and 1 - 0
