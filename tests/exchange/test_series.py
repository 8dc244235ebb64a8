"""Logs of meters looked through. Amounts and edges are worked out by hand."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from zoneinfo import ZoneInfo

import pytest

from sewershed.exchange.series import Reading, Remark, counted, gaps, out_of_order, stuck, twice

NEW_YORK = ZoneInfo("America/New_York")
D = Decimal
HOUR, DAY = timedelta(hours=1), timedelta(days=1)


def days(*values: str | None, key: str = "", notes: dict[int, str] | None = None) -> list[Reading]:
    """Returns readings a week apart, the first on line 2."""
    first = date(2024, 1, 2)
    return [
        Reading(2 + n, key, first + 7 * n * DAY, None if one is None else D(one), (notes or {}).get(n, ""))
        for n, one in enumerate(values)
    ]


def at(line: int, *said: int, value: str = "1", key: str = "") -> Reading:
    return Reading(line, key, datetime(*said, tzinfo=UTC), D(value))


def kinds(remarks: tuple[Remark, ...]) -> list[tuple[str, tuple[int, ...], bool]]:
    return [(one.kind, one.lines, one.is_question) for one in remarks]


# ------------------------------------------------------------------------------------------------ twice


def test_the_same_reading_twice_is_said_and_another_value_is_asked_about():
    same, other, more = at(2, 2024, 1, 1, 5), at(3, 2024, 1, 1, 5, value="1.0"), at(4, 2024, 1, 1, 5, value="2")
    assert kinds(twice([same, other])) == [("twice", (2, 3), False)]  # 1 and 1.0 are the same number
    assert kinds(twice([same, other, more])) == [("differs", (2, 3, 4), True)]


def test_readings_of_another_moment_or_meter_are_not_the_same():
    assert twice([at(2, 2024, 1, 1, 5), at(3, 2024, 1, 1, 6), at(4, 2024, 1, 1, 5, key="b")]) == ()


def test_a_day_and_a_time_on_it_are_two_moments():
    assert twice([Reading(2, "", date(2024, 1, 1), D(1)), at(3, 2024, 1, 1, 0)]) == ()
    assert kinds(twice([Reading(2, "", date(2024, 1, 1), D(1)), Reading(3, "", date(2024, 1, 1), None)])) == [
        ("differs", (2, 3), True)
    ]


# ------------------------------------------------------------------------------------------------ stuck


def test_so_many_of_the_same_in_a_row_are_said_and_one_fewer_are_not():
    assert kinds(stuck(days("5", "5", "5", "6"), 3)) == [("stuck", (2, 3, 4), False)]
    assert stuck(days("5", "5", "6", "5"), 3) == ()
    assert stuck(days("5", "5", None, "5"), 3) == ()


def test_what_a_meter_shows_at_rest_is_left_out():
    assert stuck(days("0", "0.00", "0"), 2, resting=D(0)) == ()
    assert kinds(stuck(days("0", "0.00", "0"), 2)) == [("stuck", (2, 3, 4), False)]


def test_each_meter_is_looked_at_by_itself():
    mixed = [
        one for pair in zip(days("5", "5", "5", key="a"), days("7", "8", "9", key="b"), strict=True) for one in pair
    ]
    assert [one.says.partition(":")[0] for one in stuck(mixed, 3)] == ["a"]


def test_once_is_not_stuck():
    with pytest.raises(ValueError, match="twice or more"):
        stuck([], 1)


# ------------------------------------------------------------------------------------------------ counters


def test_a_counter_that_rises_or_stands_says_nothing():
    assert counted(days("1", "1", "170"), NEW_YORK, most_an_hour=D(1)) == ()


def test_a_counter_that_fell_is_asked_about_where_its_size_is_not_known():
    (remark,) = counted(days("9993.5", "1.2"), NEW_YORK)
    assert (remark.kind, remark.is_question, remark.amount, remark.lines) == ("fell", True, None, (2, 3))


def test_a_counter_rolled_over_where_its_size_is_known_and_the_amount_fits():
    (remark,) = counted(days("9993.5", "1.2"), NEW_YORK, rolls_at=D(10000), most_an_hour=D(1))
    assert (remark.kind, remark.is_question, remark.amount) == ("rolled_over", False, D("7.7"))  # 10000 - 9993.5 + 1.2


@pytest.mark.parametrize(("after", "kind"), [("185.5", "rolled_over"), ("185.6", "fell")])
def test_what_rolled_over_fits_up_to_the_time_between(after, kind):
    """From the first second of one day to the last of that a week later lie 8 days, 192 hours: 6.5 + 185.5."""
    (remark,) = counted(days("9993.5", after), NEW_YORK, rolls_at=D(10000), most_an_hour=D(1))
    assert remark.kind == kind


@pytest.mark.parametrize(("after", "kind"), [("4000", "rolled_over"), ("4001", "fell")])
def test_without_a_rate_half_of_the_meter_fits(after, kind):
    (remark,) = counted(days("9000", after), NEW_YORK, rolls_at=D(10000))
    assert remark.kind == kind


@pytest.mark.parametrize(("before", "kind"), [("9999.9", "rolled_over"), ("10000", "fell")])
def test_a_meter_never_shows_the_count_at_which_it_begins_again(before, kind):
    (remark,) = counted(days(before, "1"), NEW_YORK, rolls_at=D(10000))
    assert remark.kind == kind


def test_a_replaced_meter_is_said_by_a_row_and_gives_no_amount():
    (remark,) = counted(days("1229.1", "0.4", notes={1: "new hour meter on pump 1"}), NEW_YORK, rolls_at=D(10000))
    assert (remark.kind, remark.is_question, remark.amount) == ("replaced", False, None)


def test_a_note_beside_a_counter_that_rose_may_mean_another_one_and_is_asked_about():
    assert kinds(counted(days("5", "8.8", notes={1: "new hour meter"}), NEW_YORK)) == [("replaced", (2, 3), True)]


def test_the_note_of_the_reading_before_says_nothing_of_the_later_one():
    (remark,) = counted(days("1229.1", "0.4", notes={0: "new hour meter"}), NEW_YORK)
    assert remark.kind == "fell"


@pytest.mark.parametrize(("after", "count"), [("192", 0), ("192.1", 1)])
def test_more_than_the_time_holds_is_asked_about(after, count):
    found = counted(days("0", after), NEW_YORK, most_an_hour=D(1))
    assert kinds(found) == [("too_much", (2, 3), True)] * count


def test_between_instants_the_time_is_exact():
    readings = [at(2, 2024, 1, 1, 5, value="10"), at(3, 2024, 1, 1, 7, value="12")]
    assert counted(readings, NEW_YORK, most_an_hour=D(1)) == ()
    readings[1] = at(3, 2024, 1, 1, 7, value="12.1")
    assert kinds(counted(readings, NEW_YORK, most_an_hour=D(1))) == [("too_much", (2, 3), True)]


def test_a_reading_that_is_not_known_is_passed_over():
    assert kinds(counted(days("10", None, "5"), NEW_YORK)) == [("fell", (2, 4), True)]


# ------------------------------------------------------------------------------------------------ order and gaps


def test_a_step_back_in_time_is_said():
    readings = [at(2, 2024, 1, 1, 5), at(3, 2024, 1, 1, 7), at(4, 2024, 1, 1, 6), at(5, 2024, 1, 1, 8)]
    assert kinds(out_of_order(readings, NEW_YORK)) == [("back", (3, 4), False)]


def test_a_list_from_the_newest_to_the_oldest_is_in_order():
    assert out_of_order([at(2, 2024, 1, 3), at(3, 2024, 1, 2), at(4, 2024, 1, 1)], NEW_YORK) == ()
    assert kinds(
        out_of_order(
            [at(2, 2024, 1, 3), at(3, 2024, 1, 1), at(4, 2024, 1, 2), at(5, 2024, 1, 1), at(6, 2023, 1, 1)], NEW_YORK
        )
    ) == [("back", (3, 4), False)]


def test_the_same_moment_and_a_day_beside_its_time_are_no_step():
    assert out_of_order([at(2, 2024, 1, 1, 5), at(3, 2024, 1, 1, 5), at(4, 2024, 1, 1, 6)], NEW_YORK) == ()
    assert out_of_order([at(2, 2024, 1, 2, 6), Reading(3, "", date(2024, 1, 2), D(1))], NEW_YORK) == ()


@pytest.mark.parametrize(("second", "count"), [(0, 0), (1, 1)])
def test_a_reading_in_time_is_no_gap_and_a_second_later_is(second, count):
    readings = [at(2, 2024, 1, 1, 5), Reading(3, "", datetime(2024, 1, 1, 6, 0, second, tzinfo=UTC), D(1))]
    assert kinds(gaps(readings, NEW_YORK, HOUR)) == [("gap", (2, 3), False)] * count


def test_bare_days_are_counted_as_days_however_long_they_are():
    """10 March 2024 has 23 hours in New York, 3 November 25."""
    for first in (date(2024, 3, 10), date(2024, 11, 3)):
        assert gaps([Reading(2, "", first, D(1)), Reading(3, "", first + DAY, D(1))], NEW_YORK, DAY) == ()
        (gap,) = gaps([Reading(2, "", first, D(1)), Reading(3, "", first + 2 * DAY, D(1))], NEW_YORK, DAY)
        assert "no reading for 2 days" in gap.says


def test_gaps_are_found_in_the_order_of_time():
    assert gaps([at(2, 2024, 1, 1, 7), at(3, 2024, 1, 1, 5), at(4, 2024, 1, 1, 6)], NEW_YORK, HOUR) == ()


def test_readings_every_no_time_are_refused():
    with pytest.raises(ValueError, match="every so often"):
        gaps([], NEW_YORK, timedelta())
