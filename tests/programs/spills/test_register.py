"""The register and its year. The gap is that of the town whose former operator handed over nothing for 1 to 4 July 2022;
rates are worked by hand beside their test."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from fractions import Fraction

import pytest

from sewershed.programs.spills.register import Gap, Spill, missing_days, spills_per_100_miles, statements, year_table
from sewershed.rules.figures import CannotEstimateError

FIRST, LAST = date(2022, 7, 1), date(2023, 6, 30)
GAP = Gap(date(2022, 7, 1), date(2022, 7, 4), "the former operator handed over none")


def spill(number, day, causes=("grease",), total=100, water=0, is_reportable=False):
    return Spill(number, day, "somewhere", causes, total, water, is_reportable)


def test_spills_for_each_100_miles_and_year():
    assert spills_per_100_miles(3, 12) == 25  # 3 / 12 x 100
    assert spills_per_100_miles(0, 12) == 0
    assert spills_per_100_miles(5, Decimal("26.6"), 2) == Fraction(500) / Fraction("53.2")


@pytest.mark.parametrize("figures", [(1, 0), (1, -1), (-1, 1), (1, 1, 0)])
def test_a_rate_of_nothing_is_refused(figures):
    with pytest.raises(CannotEstimateError):
        spills_per_100_miles(*figures)


def test_both_ends_of_the_year_belong_to_it():
    days = [date(2022, 6, 30), FIRST, LAST, date(2023, 7, 1)]
    year = year_table([spill(str(n), day) for n, day in enumerate(days)], FIRST, LAST)
    assert [s.number for s in year.spills] == ["1", "2"]
    assert [m.count for m in year.months] == [1, *[0] * 10, 1]


def test_the_first_and_the_last_day_of_a_month_belong_to_it():
    days = [
        date(2022, 7, 31),
        date(2022, 8, 1),
        date(2022, 8, 31),
        date(2022, 9, 1),
        date(2023, 2, 28),
        date(2023, 3, 1),
    ]
    year = year_table([spill(str(n), day) for n, day in enumerate(days)], FIRST, LAST)
    assert [m.first for m in year.months][:3] == [date(2022, 7, 1), date(2022, 8, 1), date(2022, 9, 1)]
    assert [m.count for m in year.months] == [1, 2, 1, 0, 0, 0, 0, 1, 1, 0, 0, 0]  # July to June


def test_volumes_that_are_not_known_are_counted_and_not_summed():
    year = year_table(
        [spill("1", FIRST, total=900), spill("2", LAST, total=None, water=None, is_reportable=None)], FIRST, LAST
    )
    assert (year.known_gal, year.without_volume, year.without_water, year.undecided) == (900, 1, 1, 1)
    assert year.months[-1].without_volume == 1


def test_causes_may_add_up_to_more_than_spills():
    year = year_table([spill("1", FIRST, ("grease", "roots")), spill("2", LAST, ()), spill("3", LAST)], FIRST, LAST)
    assert year.by_cause == (("grease", 2), ("not known", 1), ("roots", 1))


def test_a_number_twice_and_a_year_that_runs_backwards():
    with pytest.raises(ValueError, match="twice"):
        year_table([spill("1", FIRST), spill("1", LAST)], FIRST, LAST)
    with pytest.raises(ValueError, match="before it begins"):
        year_table([], LAST, FIRST)
    with pytest.raises(ValueError, match="before it begins"):
        Gap(LAST, FIRST, "why")


@pytest.mark.parametrize(
    ("gaps", "days"),
    [
        ([], 0),
        ([GAP], 4),
        ([GAP, Gap(date(2022, 7, 4), date(2022, 7, 5), "lost")], 5),  # a day in two gaps is one day
        ([Gap(date(2021, 1, 1), date(2022, 7, 1), "before")], 1),
        ([Gap(date(2023, 6, 30), date(2024, 1, 1), "after")], 1),
        ([Gap(date(2022, 6, 29), date(2022, 6, 30), "the day before")], 0),
        ([Gap(date(2000, 1, 1), date(2030, 1, 1), "all")], 365),
    ],
)
def test_days_without_records(gaps, days):
    assert missing_days(gaps, FIRST, LAST) == days


def test_none_on_record_is_not_none_happened():
    said = statements(year_table([], FIRST, LAST, [GAP]))
    assert said == (
        "No reportable spill is on record for the 361 days of which records are held.",
        "Records are missing for 4 of 365 days: 2022-07-01 to 2022-07-04 (the former operator handed over none).",
        "Whether there was a spill on those days is not known.",
    )


def test_a_whole_year_says_so():
    assert statements(year_table([], FIRST, LAST)) == ("No reportable spill is on record for all 365 days.",)
    one = statements(year_table([spill("1", FIRST, is_reportable=True)], FIRST, LAST))
    assert one == ("1 reportable spill is on record for all 365 days.",)


def test_a_leap_year_has_366_days():
    year = year_table([], date(2023, 7, 1), date(2024, 6, 30))
    assert statements(year) == ("No reportable spill is on record for all 366 days.",)


def test_what_is_open_is_said():
    year = year_table(
        [
            spill("1", FIRST, is_reportable=True),
            spill("2", FIRST, is_reportable=True),
            spill("3", LAST, total=None, water=None, is_reportable=None),
        ],
        FIRST,
        LAST,
        [Gap(date(2022, 12, 25), date(2022, 12, 25), "sheet lost")],
    )
    assert statements(year) == (
        "2 reportable spills are on record for the 364 days of which records are held.",
        "It is not yet decided of 1 spill whether it had to be reported.",
        "The volume of 1 spill is not known and not in the sums.",
        "It is not known of 1 spill how much reached surface water.",
        "Records are missing for 1 of 365 days: 2022-12-25 (sheet lost).",
        "Whether there was a spill on those days is not known.",
    )
    assert [m.is_incomplete for m in year.months].index(True) == 5  # December


def test_a_year_without_any_record():
    year = year_table([], FIRST, LAST, [Gap(date(2022, 1, 1), date(2023, 12, 31), "burnt")])
    assert statements(year)[0] == "No records are held for any day of the year."
