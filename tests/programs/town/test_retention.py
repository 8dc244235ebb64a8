"""How long records are kept: both sides of each edge, worked by hand on a calendar."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from zoneinfo import ZoneInfo

import pytest

from sewershed.programs.town.retention import Hold, RetentionError, Standing, kept_until, standing_of
from sewershed.rules.calendars import Calendar

TOWN = Calendar(ZoneInfo("America/New_York"))
MADE, UNTIL, FREE = date(2023, 5, 10), date(2026, 5, 10), date(2026, 5, 11)  # "at least three years"


def hold(first: date, last: date | None = None) -> Hold:
    return Hold("h", first, last, "a suit")


@pytest.mark.parametrize(
    ("last", "years", "until"),
    [
        (MADE, 3, UNTIL),
        (date(2024, 2, 29), 3, date(2027, 2, 28)),  # 2027 has no 29 February: the last of the month
        (date(2024, 2, 29), 4, date(2028, 2, 29)),
        (MADE, Decimal("0.5"), date(2023, 11, 10)),
        (MADE, 0, MADE),
    ],
)
def test_the_last_day_of_keeping(last, years, until):
    assert kept_until(last, years, TOWN) == until


def test_a_month_without_the_day_rolls_where_the_book_rolls():
    assert kept_until(date(2024, 2, 29), 3, Calendar(TOWN.zone, month_end="roll")) == date(2027, 3, 1)


@pytest.mark.parametrize("years", [-1, Decimal("0.3"), Decimal("2.51")])
def test_no_whole_number_of_months_is_refused(years):
    with pytest.raises(RetentionError, match="no whole number of months"):
        kept_until(MADE, years, TOWN)


@pytest.mark.parametrize(("day", "state"), [(date(2026, 5, 9), "kept"), (UNTIL, "kept"), (FREE, "may_go")])
def test_on_the_last_day_it_is_kept_and_on_the_next_it_may_go(day, state):
    assert standing_of(MADE, 3, (), day, TOWN) == Standing(state, UNTIL, FREE)


@pytest.mark.parametrize(
    ("holds", "day", "standing"),
    [
        ([hold(date(2026, 1, 1))], FREE, Standing("held")),  # until it is lifted: nobody knows when
        ([hold(date(2026, 1, 1), date(2026, 8, 31))], date(2026, 8, 31), Standing("held", date(2026, 8, 31), date(2026, 9, 1))),
        ([hold(date(2026, 1, 1), date(2026, 8, 31))], date(2026, 9, 1), Standing("may_go", date(2026, 8, 31), date(2026, 9, 1))),
        ([hold(date(2024, 1, 1), date(2024, 8, 31))], FREE, Standing("may_go", UNTIL, FREE)),  # over before its time was
        ([hold(date(2026, 6, 1))], date(2026, 5, 31), Standing("may_go", UNTIL, FREE)),  # not placed yet
        ([hold(date(2024, 1, 1))], date(2024, 2, 1), Standing("held")),
    ],
)  # fmt: skip
def test_holds_extend_it(holds, day, standing):
    assert standing_of(MADE, 3, holds, day, TOWN) == standing


def test_what_is_not_known_is_never_free():
    assert standing_of(MADE, None, (), date(2099, 1, 1), TOWN) == Standing("cannot_tell")
    assert standing_of(None, 3, (), date(2099, 1, 1), TOWN) == Standing("cannot_tell")
    assert standing_of(None, None, [hold(MADE)], FREE, TOWN) == Standing("held")


def test_what_is_not_over_is_kept():
    assert standing_of(MADE, 3, (), FREE, TOWN, is_open=True) == Standing("kept")
