"""Calendars: counting, holidays, periods. Numbers in names are those of the edge cases of the rulebook's specification.

Expected days are counted by hand on a printed calendar, or come from the holiday lists that are cited.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sewershed.rules.calendars import PERIODS, Calendar, CalendarError, Closure, Period, PeriodKind, holidays_of
from sewershed.rules.moments import in_time, read_day, read_moment, say
from sewershed.rules.spans import Span, SpanError, parse_span

NEW_YORK = ZoneInfo("America/New_York")
FEDERAL = Calendar(NEW_YORK, base="US", fiscal_year_start="07-01")
CAROLINA = Calendar(NEW_YORK, base="US-NC", fiscal_year_start="07-01")
HAMPSHIRE = Calendar(NEW_YORK, base="US-NH", fiscal_year_start="07-01")
WEEKDAYS = Calendar(NEW_YORK)
DAY, SECOND = timedelta(days=1), timedelta(seconds=1)

DAYS = st.dates(date(1990, 1, 1), date(2050, 12, 31))
INSTANTS = st.integers(0, 60 * 366 * 86_400).map(lambda seconds: datetime(1990, 1, 1, tzinfo=UTC) + SECOND * seconds)


def days(*texts: str) -> frozenset[date]:
    return frozenset(read_day(text) for text in texts)


def closures(*said: tuple[str, str]) -> frozenset[Closure]:
    return frozenset((date.fromisoformat(first), date.fromisoformat(last)) for first, last in said)


def add(calendar: Calendar, text: str, span: str) -> str:
    return say(calendar.add(read_moment(text, calendar.zone), parse_span(span)), calendar.zone)


def sub(calendar: Calendar, text: str, span: str) -> str:
    return say(calendar.sub(read_moment(text, calendar.zone), parse_span(span)), calendar.zone)


# Minutes and hours: elapsed time


@pytest.mark.parametrize(
    ("start", "span", "limit"),
    [
        ("2023-11-04T20:00", "24 hours", "2023-11-05T19:00-05:00"),  # 1: clocks go back
        ("2024-03-09T16:00", "24 hours", "2024-03-10T17:00-04:00"),  # 2: clocks go forward
        ("2023-11-03T07:05", "24 hours", "2023-11-04T07:05-04:00"),  # 3: the 4th has 24 hours still
        ("2023-11-05T00:30", "60 minutes", "2023-11-05T01:30-04:00"),
        ("2023-11-05T00:30", "120 minutes", "2023-11-05T01:30-05:00"),
        ("2024-03-10T01:59", "1 minute", "2024-03-10T03:00-04:00"),
        ("2024-02-28T23:30", "1 hour", "2024-02-29T00:30-05:00"),
        ("2023-02-28T23:30", "1 hour", "2023-03-01T00:30-05:00"),
        ("2024-03-05T10:00", "1.5 hours", "2024-03-05T11:30-05:00"),
        ("2024-03-05T10:00", "0 hours", "2024-03-05T10:00-05:00"),
        ("2024-03-10", "24 hours", "2024-03-11T01:00-04:00"),  # a bare day of 23 hours: from its first moment
        ("2023-11-05", "24 hours", "2023-11-05T23:00-05:00"),  # one of 25 hours: its last hour is late
        ("2024-03-05", "2 hours", "2024-03-05T02:00-05:00"),
    ],
)
def test_hours_are_elapsed_time(start: str, span: str, limit: str) -> None:
    assert add(FEDERAL, start, span) == limit


@pytest.mark.parametrize(
    ("moment", "span", "limit"),
    [
        # 72 hours before Monday 9 March 2026, 09:00; clocks went forward on the 8th, so it is 08:00 on Friday.
        ("2026-03-09T09:00", "72 hours", "2026-03-06T08:00-05:00"),
        ("2023-11-06T09:00", "24 hours", "2023-11-05T09:00-05:00"),
        ("2023-11-05T09:00", "24 hours", "2023-11-04T10:00-04:00"),
        ("2024-03-05", "1 minute", "2024-03-04T23:59-05:00"),
    ],
)
def test_hours_are_counted_back_as_elapsed_time(moment: str, span: str, limit: str) -> None:
    assert sub(FEDERAL, moment, span) == limit


@given(INSTANTS, st.integers(0, 10_000), st.sampled_from(["hours", "minutes"]))
def test_hours_there_and_back_return(instant: datetime, n: int, unit: str) -> None:
    span = parse_span(f"{n} {unit}")
    later = FEDERAL.add(instant, span)
    assert isinstance(later, datetime)
    assert FEDERAL.sub(later, span) == instant
    assert (later - instant).total_seconds() == n * (3600 if unit == "hours" else 60)


# Days and weeks


@pytest.mark.parametrize(
    ("start", "span", "limit"),
    [
        ("2024-03-01T00:01", "1 day", "2024-03-02"),  # 6
        ("2024-03-01T23:59", "1 day", "2024-03-02"),
        ("2024-03-09T12:00", "1 day", "2024-03-10"),  # 7: 23 hours long
        ("2023-11-04T12:00", "1 day", "2023-11-05"),  # 25 hours long
        ("2024-03-01T15:00", "5 days", "2024-03-06"),  # 8
        ("2024-03-01T03:00Z", "1 day", "2024-03-01"),  # 22:00 of 29 February in New York
        ("2024-02-28", "1 day", "2024-02-29"),
        ("2023-02-28", "1 day", "2023-03-01"),
        ("2024-03-01", "12 days", "2024-03-13"),  # 18
        ("2023-12-31", "1 day", "2024-01-01"),
        ("2024-03-01", "0 days", "2024-03-01"),
        ("2024-03-01", "2 weeks", "2024-03-15"),
        ("2025-12-02", "30 days", "2026-01-01"),  # 16, before it is rolled
        ("2026-01-15", "45 days", "2026-03-01"),  # 20
    ],
)
def test_days_end_with_a_local_day_and_the_first_is_not_counted(start: str, span: str, limit: str) -> None:
    assert add(FEDERAL, start, span) == limit


@pytest.mark.parametrize(
    ("moment", "span", "limit"),
    [
        ("2024-12-31", "180 days", "2024-07-04"),  # 15
        ("2024-03-01", "1 day", "2024-02-29"),
        ("2023-03-01", "1 day", "2023-02-28"),
        ("2024-03-15", "2 weeks", "2024-03-01"),
        ("2024-03-11T00:00", "1 day", "2024-03-10"),
    ],
)
def test_days_are_counted_back(moment: str, span: str, limit: str) -> None:
    assert sub(FEDERAL, moment, span) == limit


@pytest.mark.parametrize(
    ("notice", "span", "repair", "is_met"),
    [
        ("2023-11-03T07:05", "24 hours", "2023-11-04T07:05", True),  # 3
        ("2023-11-03T07:05", "24 hours", "2023-11-04T07:06", False),
        ("2023-11-03T07:05", "24 hours", "2023-11-04", None),  # 4
        ("2024-03-01T00:01", "1 day", "2024-03-02T23:59", True),  # 6
        ("2024-03-01T00:01", "1 day", "2024-03-03T00:00", False),
        ("2024-03-09T12:00", "1 day", "2024-03-10T23:59", True),  # 7
        ("2024-03-09T12:00", "1 day", "2024-03-11T00:00", False),
        ("2024-03-01T15:00", "5 days", "2024-03-01", True),  # 8
        ("2024-03-01T15:00", "5 days", "2024-03-06", True),
        ("2024-03-01T15:00", "5 days", "2024-03-07", False),
    ],
)
def test_a_limit_and_its_lateness(notice: str, span: str, repair: str, is_met: bool | None) -> None:
    limit = FEDERAL.add(read_moment(notice, NEW_YORK), parse_span(span))
    assert in_time(read_moment(repair, NEW_YORK), limit, NEW_YORK) is is_met


@given(st.one_of(DAYS, INSTANTS), st.integers(0, 2_000), st.sampled_from(["days", "weeks"]))
def test_days_there_and_back_return(moment: date, n: int, unit: str) -> None:
    span = parse_span(f"{n} {unit}")
    later = FEDERAL.add(moment, span)
    assert type(later) is date
    assert FEDERAL.sub(later, span) == FEDERAL.add(moment, parse_span("0 days"))
    assert FEDERAL.add(later, parse_span(f"1 {unit}")) == FEDERAL.add(moment, parse_span(f"{n + 1} {unit}"))


# Business days


@pytest.mark.parametrize(
    ("calendar", "start", "span", "limit"),
    [
        (CAROLINA, "2023-11-03", "5 business days", "2023-11-13"),  # 12: Friday 10 November is kept
        (CAROLINA, "2023-11-03", "4 business days", "2023-11-09"),
        (WEEKDAYS, "2023-11-03", "5 business days", "2023-11-10"),
        (FEDERAL, "2026-07-02", "3 business days", "2026-07-08"),  # 13: Friday 3 July is kept for the 4th
        (FEDERAL, "2026-07-02", "1 business day", "2026-07-06"),
        (WEEKDAYS, "2026-07-02", "3 business days", "2026-07-07"),
        (FEDERAL, "2024-03-01", "5 business days", "2024-03-08"),  # 17, the other reading
        (FEDERAL, "2024-03-01T23:59", "5 business days", "2024-03-08"),
        (FEDERAL, "2024-03-02", "1 business day", "2024-03-04"),  # from a Saturday
        (FEDERAL, "2024-03-03", "1 business day", "2024-03-04"),  # from a Sunday
        (FEDERAL, "2024-03-02", "0 business days", "2024-03-02"),  # nothing is counted, nothing moves
        (FEDERAL, "2024-12-31", "1 business day", "2025-01-02"),  # over New Year
        (FEDERAL, "2021-12-30", "1 business day", "2022-01-03"),  # New Year of 2022 was kept on 31 December 2021
        (CAROLINA, "2024-06-18", "1 business day", "2024-06-20"),  # the package's list for NC has 19 June
        (CAROLINA, "2024-03-08", "5 business days", "2024-03-15"),  # a written report by the state's form
    ],
)
def test_business_days_forward(calendar: Calendar, start: str, span: str, limit: str) -> None:
    assert add(calendar, start, span) == limit


@pytest.mark.parametrize(
    ("calendar", "moment", "span", "limit"),
    [
        (FEDERAL, "2026-04-06", "2 business days", "2026-04-02"),  # 14: Good Friday is no federal holiday
        (CAROLINA, "2026-04-06", "2 business days", "2026-04-01"),  # but one in North Carolina
        (FEDERAL, "2026-04-06", "1 business day", "2026-04-03"),
        (FEDERAL, "2024-03-03", "1 business day", "2024-03-01"),  # from a Sunday
        (FEDERAL, "2025-01-02", "1 business day", "2024-12-31"),
        (FEDERAL, "2022-01-03", "1 business day", "2021-12-30"),
        (FEDERAL, "2024-03-03", "0 business days", "2024-03-03"),
    ],
)
def test_business_days_back(calendar: Calendar, moment: str, span: str, limit: str) -> None:
    assert sub(calendar, moment, span) == limit


@pytest.mark.parametrize(
    ("calendar", "limit"),
    [
        (CAROLINA, "2024-06-20"),
        (replace(CAROLINA, dropped=days("2024-06-19")), "2024-06-19"),  # the town works on it
        (replace(CAROLINA, added=days("2024-06-20")), "2024-06-21"),  # the text closes one more
        (replace(CAROLINA, closed=closures(("2024-06-20", "2024-06-21"))), "2024-06-24"),  # a storm
        (replace(CAROLINA, dropped=days("2024-06-19"), closed=closures(("2024-06-19", "2024-06-19"))), "2024-06-20"),
        (replace(CAROLINA, dropped=days("2024-06-19"), added=days("2024-06-19")), "2024-06-20"),
        (replace(CAROLINA, dropped=days("2024-06-16")), "2024-06-20"),  # a Sunday is none for being dropped
    ],
)
def test_a_town_adds_drops_and_closes(calendar: Calendar, limit: str) -> None:
    assert add(calendar, "2024-06-18", "1 business day") == limit


def test_a_changed_calendar_forgets_what_the_old_one_knew() -> None:
    day = date(2024, 6, 18)
    assert CAROLINA.is_business_day(day)
    assert not replace(CAROLINA, closed=frozenset({(day, day)})).is_business_day(day)
    assert CAROLINA.is_business_day(day)


def test_a_closure_of_thousands_of_years_is_passed_over_at_once() -> None:
    """As where somebody types 9999 for a year: nothing is open after it, and before it all is as it was."""
    asked = replace(CAROLINA, closed=closures(("2024-06-20", "9999-12-31")))
    assert add(asked, "2024-06-18", "0 business days") == "2024-06-18"
    with pytest.raises(SpanError, match="leaves the years"):
        add(asked, "2024-06-18", "1 business day")


def test_an_instant_is_asked_about_as_its_local_day() -> None:
    friday_night = read_moment("2024-03-02T03:00Z", NEW_YORK)  # 22:00 on Friday 1 March
    assert FEDERAL.is_business_day(friday_night)
    assert FEDERAL.roll_day(friday_night, "next") == date(2024, 3, 1)
    assert FEDERAL.period_of(friday_night, "day").label == "2024-03-01"
    assert FEDERAL.business_days_between(friday_night, date(2024, 3, 4)) == 1


CLOSED = st.sets(st.dates(date(2023, 12, 1), date(2024, 2, 15)), max_size=25).map(frozenset)
CLOSURES = st.sets(
    st.tuples(st.dates(date(2023, 12, 1), date(2024, 2, 15)), st.integers(0, 9)).map(
        lambda one: (one[0], one[0] + DAY * one[1])
    ),
    max_size=6,
).map(frozenset)
WINTER = st.dates(date(2023, 12, 1), date(2024, 2, 15))


def is_open(calendar: Calendar, day: date) -> bool:
    """The plain meaning of RULEBOOK 2 and 5.3, one day at a time."""
    if day.weekday() > 4 or day in calendar.added or any(first <= day <= last for first, last in calendar.closed):
        return False
    return day in calendar.dropped or day not in holidays_of(calendar.base, day.year)


def step_by_step(calendar: Calendar, day: date, n: int) -> date:
    step = DAY if n > 0 else -DAY
    for _ in range(abs(n)):
        day += step
        while not is_open(calendar, day):
            day += step
    return day


@given(WINTER, st.integers(0, 300), st.sampled_from(["", "US", "US-NC", "US-NH"]), CLOSED, CLOSED, CLOSURES)
def test_business_days_are_those_of_a_count_by_hand(
    day: date, n: int, base: str, added: frozenset[date], dropped: frozenset[date], closed: frozenset[Closure]
) -> None:
    calendar = Calendar(NEW_YORK, base=base, added=added, dropped=dropped, closed=closed)
    span = Span(n, "business_days")
    later, earlier = calendar.add(day, span), calendar.sub(day, span)
    assert later == step_by_step(calendar, day, n)
    assert earlier == step_by_step(calendar, day, -n)
    assert calendar.business_days_between(day, later) == n
    assert calendar.business_days_between(day, earlier) == -n
    assert calendar.is_business_day(day) == is_open(calendar, day)


@given(WINTER, WINTER, CLOSURES)
def test_business_days_between_are_those_of_a_count_by_hand(
    first: date, last: date, closed: frozenset[Closure]
) -> None:
    calendar = replace(CAROLINA, closed=closed)
    low, high = min(first, last), max(first, last)
    span = [low + DAY * n for n in range((high - low).days + 1)]
    counted = span[1:] if first <= last else span[:-1]
    number = sum(is_open(calendar, day) for day in counted)
    assert calendar.business_days_between(first, last) == (number if first <= last else -number)


# Which days are holidays. Federal: 5 U.S.C. 6103 and the yearly lists of the Office of Personnel Management; days that fall
# on Saturday are kept on Friday, on Sunday on Monday.

OPM = {
    2021: "01-01 01-18 02-15 05-31 06-18 07-05 09-06 10-11 11-11 11-25 12-24 12-31",
    2023: "01-02 01-16 02-20 05-29 06-19 07-04 09-04 10-09 11-10 11-23 12-25",
    2024: "01-01 01-15 02-19 05-27 06-19 07-04 09-02 10-14 11-11 11-28 12-25",
    2026: "01-01 01-19 02-16 05-25 06-19 07-03 09-07 10-12 11-11 11-26 12-25",
}


@pytest.mark.parametrize("year", OPM)
def test_federal_holidays_are_those_published(year: int) -> None:
    kept = {day for day in holidays_of("US", year) if day.weekday() < 5}
    assert kept == days(*(f"{year}-{text}" for text in OPM[year].split()))


@pytest.mark.parametrize(
    ("calendar", "day", "is_business_day"),
    [
        (CAROLINA, "2023-11-10", False),  # 12
        (CAROLINA, "2023-11-09", True),
        (CAROLINA, "2023-11-13", True),
        (FEDERAL, "2026-07-03", False),  # 13
        (FEDERAL, "2026-07-02", True),
        (FEDERAL, "2026-07-06", True),
        (CAROLINA, "2024-06-19", False),  # in the package's list, whatever the town decides
        (CAROLINA, "2024-10-14", True),  # Columbus Day is federal, not kept by the state
        (FEDERAL, "2024-10-14", False),
        (CAROLINA, "2024-03-29", False),  # Good Friday
        (HAMPSHIRE, "2024-03-29", True),
        (CAROLINA, "2024-11-29", False),  # the day after Thanksgiving
        (HAMPSHIRE, "2024-11-29", False),
        (FEDERAL, "2024-11-29", True),
        (FEDERAL, "2024-03-02", False),  # a Saturday
        (FEDERAL, "2024-03-03", False),
        (FEDERAL, "2024-03-04", True),
    ],
)
def test_whether_a_day_is_a_business_day(calendar: Calendar, day: str, is_business_day: bool) -> None:
    assert calendar.is_business_day(read_day(day)) is is_business_day


def test_the_list_is_made_only_for_the_year_that_is_asked() -> None:
    assert {day.year for day in holidays_of("US-NC", 2031)} == {2031}
    assert holidays_of("", 2031) == frozenset()


@pytest.mark.parametrize("base", ["US-ZZ", "ZZ", "us", "US-", "US-North Carolina", "utils"])
def test_a_list_that_nobody_knows_is_refused_when_asked(base: str) -> None:
    with pytest.raises(CalendarError) as error:
        Calendar(NEW_YORK, base=base).is_business_day(date(2024, 3, 4))
    assert str(error.value) == f'no list of holidays \'{base}\'; write e.g. "US", "US-NC", or "" for none'


# Months and years


@pytest.mark.parametrize(
    ("start", "span", "clamp", "roll"),
    [
        ("2023-08-31", "6 months", "2024-02-29", "2024-03-01"),  # 9
        ("2024-08-31", "6 months", "2025-02-28", "2025-03-01"),
        ("2024-08-30", "6 months", "2025-02-28", "2025-03-01"),
        ("2024-08-28", "6 months", "2025-02-28", "2025-02-28"),
        ("2024-01-31", "1 month", "2024-02-29", "2024-03-01"),  # 10
        ("2024-01-31", "2 months", "2024-03-31", "2024-03-31"),  # from the original day, never chained
        ("2024-01-31", "3 months", "2024-04-30", "2024-05-01"),
        ("2024-01-29", "1 month", "2024-02-29", "2024-02-29"),
        ("2023-01-29", "1 month", "2023-02-28", "2023-03-01"),
        ("2023-12-31", "2 months", "2024-02-29", "2024-03-01"),
        ("2024-02-29", "1 year", "2025-02-28", "2025-03-01"),  # 11
        ("2024-02-29", "4 years", "2028-02-29", "2028-02-29"),
        ("2024-02-29", "12 months", "2025-02-28", "2025-03-01"),
        ("2023-02-28", "1 year", "2024-02-28", "2024-02-28"),  # the last day does not stick to month ends
        ("2023-11-15", "2 months", "2024-01-15", "2024-01-15"),
        ("2024-01-31T23:30", "1 month", "2024-02-29", "2024-03-01"),
        ("2024-02-01T03:00Z", "1 month", "2024-02-29", "2024-03-01"),  # 31 January in New York
        ("2024-01-31", "0 months", "2024-01-31", "2024-01-31"),
    ],
)
def test_months_keep_the_number_of_the_day(start: str, span: str, clamp: str, roll: str) -> None:
    assert add(FEDERAL, start, span) == clamp
    assert add(replace(FEDERAL, month_end="roll"), start, span) == roll


@pytest.mark.parametrize(
    ("moment", "span", "clamp", "roll"),
    [
        ("2024-03-31", "1 month", "2024-02-29", "2024-03-01"),
        ("2023-03-31", "1 month", "2023-02-28", "2023-03-01"),
        ("2024-01-15", "1 month", "2023-12-15", "2023-12-15"),
        ("2024-01-31", "2 months", "2023-11-30", "2023-12-01"),
        ("2024-02-29", "1 year", "2023-02-28", "2023-03-01"),
    ],
)
def test_months_are_counted_back_alike(moment: str, span: str, clamp: str, roll: str) -> None:
    assert sub(FEDERAL, moment, span) == clamp
    assert sub(replace(FEDERAL, month_end="roll"), moment, span) == roll


@given(DAYS, st.integers(0, 240), st.booleans())
def test_a_clamped_month_never_passes_its_end(day: date, n: int, back: bool) -> None:
    count = FEDERAL.sub if back else FEDERAL.add
    limit = count(day, Span(n, "months"))
    months = (limit.year - day.year) * 12 + limit.month - day.month
    assert months == (-n if back else n)
    assert limit.day == day.day or (limit.day < day.day and (limit + DAY).day == 1)


@given(DAYS, st.integers(0, 240), st.booleans())
def test_a_rolled_month_is_the_clamped_one_or_the_day_after(day: date, n: int, back: bool) -> None:
    rolling = replace(FEDERAL, month_end="roll")
    clamped = (FEDERAL.sub if back else FEDERAL.add)(day, Span(n, "months"))
    rolled = (rolling.sub if back else rolling.add)(day, Span(n, "months"))
    assert rolled == (clamped if clamped.day == day.day else clamped + DAY)


@given(st.one_of(DAYS, INSTANTS), st.integers(0, 40))
def test_a_year_is_twelve_months(moment: date, n: int) -> None:
    assert FEDERAL.add(moment, Span(n, "years")) == FEDERAL.add(moment, Span(12 * n, "months"))


# What is not counted


def test_unsaid_days_are_not_counted_until_they_are_read() -> None:
    for count in (FEDERAL.add, FEDERAL.sub):
        with pytest.raises(SpanError) as error:
            count(date(2024, 3, 1), parse_span("5 days?"))
        assert str(error.value) == "'5 days?' does not say which days; it must be read one way before it is counted"


def test_17_both_readings_of_unsaid_days() -> None:
    unsaid = parse_span("5 days?")
    assert FEDERAL.add(date(2024, 3, 1), unsaid.read_as("calendar")) == date(2024, 3, 6)
    assert FEDERAL.add(date(2024, 3, 1), unsaid.read_as("business")) == date(2024, 3, 8)


def test_18_days_from_the_record_may_be_written_as_decimals() -> None:
    assert FEDERAL.add(date(2024, 3, 1), Span(Decimal("12.0"), "days")) == date(2024, 3, 13)


@pytest.mark.parametrize("unit", ["hours", "days", "business_days", "months", "years"])
def test_a_limit_beyond_the_calendar_is_refused(unit: str) -> None:
    span = parse_span(f"9999999 {unit}".replace("_", " "))
    if unit == "hours":
        span = parse_span("99999999 hours")
    with pytest.raises(SpanError) as error:
        FEDERAL.add(date(2024, 3, 1), span)
    assert str(error.value) == f"{span} from 2024-03-01 leaves the years 0001 to 9999"


# Roll


@pytest.mark.parametrize(
    ("calendar", "day", "following", "previous"),
    [
        (FEDERAL, "2026-01-01", "2026-01-02", "2025-12-31"),  # 16: New Year's Day, a Thursday
        (FEDERAL, "2026-01-02", "2026-01-02", "2026-01-02"),
        (FEDERAL, "2024-03-02", "2024-03-04", "2024-03-01"),  # a Saturday
        (FEDERAL, "2024-03-03", "2024-03-04", "2024-03-01"),
        (FEDERAL, "2026-07-03", "2026-07-06", "2026-07-02"),  # a holiday before a weekend
        (WEEKDAYS, "2026-01-01", "2026-01-01", "2026-01-01"),
        (CAROLINA, "2024-12-25", "2024-12-27", "2024-12-23"),  # 24, 25 and 26 December
    ],
)
def test_a_day_is_rolled_to_a_business_day(calendar: Calendar, day: str, following: str, previous: str) -> None:
    assert str(calendar.roll_day(read_day(day), "next")) == following
    assert str(calendar.roll_day(read_day(day), "previous")) == previous
    assert str(calendar.roll_day(read_day(day), "none")) == day


# Periods


@pytest.mark.parametrize(
    ("day", "kind", "first", "last", "label"),
    [
        ("2024-02-05", "day", "2024-02-05", "2024-02-05", "2024-02-05"),
        ("2024-02-05", "week", "2024-02-05", "2024-02-11", "2024-W06"),  # a Monday
        ("2024-02-11", "week", "2024-02-05", "2024-02-11", "2024-W06"),
        ("2024-02-12", "week", "2024-02-12", "2024-02-18", "2024-W07"),
        # ISO 8601: the week belongs to the year of its Thursday.
        ("2024-12-29", "week", "2024-12-23", "2024-12-29", "2024-W52"),
        ("2024-12-30", "week", "2024-12-30", "2025-01-05", "2025-W01"),
        ("2021-01-03", "week", "2020-12-28", "2021-01-03", "2020-W53"),
        ("2021-01-04", "week", "2021-01-04", "2021-01-10", "2021-W01"),
        ("2027-01-01", "week", "2026-12-28", "2027-01-03", "2026-W53"),
        ("2023-01-01", "week", "2022-12-26", "2023-01-01", "2022-W52"),
        ("2024-02-29", "month", "2024-02-01", "2024-02-29", "2024-02"),
        ("2023-02-28", "month", "2023-02-01", "2023-02-28", "2023-02"),
        ("2024-12-01", "month", "2024-12-01", "2024-12-31", "2024-12"),
        ("2024-03-31", "quarter", "2024-01-01", "2024-03-31", "2024-Q1"),
        ("2024-04-01", "quarter", "2024-04-01", "2024-06-30", "2024-Q2"),
        ("2024-09-30", "quarter", "2024-07-01", "2024-09-30", "2024-Q3"),
        ("2024-12-31", "quarter", "2024-10-01", "2024-12-31", "2024-Q4"),
        ("2024-06-30", "half_year", "2024-01-01", "2024-06-30", "2024-H1"),
        ("2024-07-01", "half_year", "2024-07-01", "2024-12-31", "2024-H2"),
        ("2024-12-31", "calendar_year", "2024-01-01", "2024-12-31", "2024"),
        ("2025-01-01", "calendar_year", "2025-01-01", "2025-12-31", "2025"),
        ("2024-06-30", "fiscal_year", "2023-07-01", "2024-06-30", "FY2024"),
        ("2024-07-01", "fiscal_year", "2024-07-01", "2025-06-30", "FY2025"),
        ("2024-02-29", "fiscal_year", "2023-07-01", "2024-06-30", "FY2024"),
    ],
)
def test_the_period_of_a_day(day: str, kind: PeriodKind, first: str, last: str, label: str) -> None:
    assert FEDERAL.period_of(read_day(day), kind) == Period(kind, read_day(first), read_day(last), label)


@pytest.mark.parametrize(
    ("start", "day", "first", "last", "label"),
    [
        ("10-01", "2024-09-30", "2023-10-01", "2024-09-30", "FY2024"),  # the federal one
        ("10-01", "2024-10-01", "2024-10-01", "2025-09-30", "FY2025"),
        ("01-01", "2024-12-31", "2024-01-01", "2024-12-31", "FY2024"),
        ("03-01", "2024-02-29", "2023-03-01", "2024-02-29", "FY2024"),  # ends on a leap day
        ("03-01", "2023-02-28", "2022-03-01", "2023-02-28", "FY2023"),
        ("02-28", "2024-02-28", "2024-02-28", "2025-02-27", "FY2025"),
    ],
)
def test_fiscal_years_begin_where_the_book_says(start: str, day: str, first: str, last: str, label: str) -> None:
    calendar = Calendar(NEW_YORK, fiscal_year_start=start)
    assert calendar.period_of(read_day(day), "fiscal_year") == Period(
        "fiscal_year", read_day(first), read_day(last), label
    )


def test_40_sixty_days_after_a_fiscal_year() -> None:
    year = FEDERAL.period_of(date(2024, 6, 30), "fiscal_year")
    assert FEDERAL.add(year.last, Span(60, "days")) == date(2024, 8, 29)


def test_32_a_month_and_a_day_is_the_first_of_the_next() -> None:
    february = FEDERAL.period_of(date(2024, 2, 10), "month")
    assert FEDERAL.add(february.last, Span(1, "days")) == date(2024, 3, 1)


@pytest.mark.parametrize("start", ["02-29", "13-01", "07-32", "7-1", "July 1", "00-01"])
def test_a_fiscal_year_begins_on_a_day_of_every_year(start: str) -> None:
    with pytest.raises(CalendarError) as error:
        Calendar(NEW_YORK, fiscal_year_start=start)
    assert str(error.value) == (
        f"fiscal_year_start '{start}' is not a day of every year; write month and day, e.g. \"07-01\""
    )


def test_a_fiscal_year_that_the_book_does_not_say_is_refused() -> None:
    with pytest.raises(CalendarError) as error:
        WEEKDAYS.period_of(date(2024, 2, 5), "fiscal_year")
    assert str(error.value) == (
        'the book does not say when its fiscal year begins; write [clock] fiscal_year_start = "07-01"'
    )


def test_unknown_words_are_refused() -> None:
    with pytest.raises(CalendarError, match=r"^unknown period 'quater'; did you mean 'quarter'\?$"):
        FEDERAL.period_of(date(2024, 2, 5), "quater")  # type: ignore[arg-type]
    with pytest.raises(CalendarError, match=r"^month_end must be clamp or roll, not 'last'$"):
        Calendar(NEW_YORK, month_end="last")  # type: ignore[arg-type]
    with pytest.raises(CalendarError, match=r"^roll must be none, next or previous, not 'back'$"):
        Calendar(NEW_YORK, roll="back")  # type: ignore[arg-type]


STARTS = st.sampled_from(["01-01", "02-28", "03-01", "07-01", "10-01", "12-31"])


@given(DAYS, st.sampled_from(PERIODS), STARTS)
def test_every_day_is_in_exactly_one_period_of_a_kind(day: date, kind: PeriodKind, start: str) -> None:
    calendar = Calendar(NEW_YORK, fiscal_year_start=start)
    period = calendar.period_of(day, kind)
    assert period.first <= day <= period.last
    assert calendar.period_of(period.first, kind) == period
    assert calendar.period_of(period.last, kind) == period
    following = calendar.next_period(period)
    assert following.first == period.last + DAY
    assert following.kind == kind
    assert following.label > period.label


def test_all_days_of_thirty_years_fall_into_periods_one_after_another() -> None:
    for kind in PERIODS:
        period = FEDERAL.period_of(date(2000, 1, 1), kind)
        labels = []
        while period.first.year < 2030:
            labels.append(period.label)
            inside = [period.first + DAY * n for n in range((period.last - period.first).days + 1)]
            assert all(FEDERAL.period_of(day, kind) == period for day in inside)
            period = FEDERAL.next_period(period)
        assert len(set(labels)) == len(labels) >= 30


def test_calendars_are_equal_by_what_they_say() -> None:
    asked, fresh = Calendar(NEW_YORK, base="US"), Calendar(NEW_YORK, base="US")
    asked.is_business_day(date(2024, 3, 1))
    assert asked == fresh
    assert hash(asked) == hash(fresh)
    assert asked != Calendar(NEW_YORK, base="US", closed=closures(("2024-03-01", "2024-03-01")))
