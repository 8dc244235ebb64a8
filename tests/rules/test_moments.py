"""Moments: reading, ordering, lateness. Numbers in names are those of the edge cases of the rulebook's specification.

Zone America/New_York: clocks went back on 2023-11-05 at 02:00 to 01:00 and forward on 2024-03-10 at 02:00 to 03:00
(15 U.S.C. 260a: first Sunday of November, second Sunday of March).
"""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sewershed.rules.moments import (
    MomentError,
    day_of,
    end_of,
    in_time,
    is_after,
    is_instant,
    read_day,
    read_moment,
    say,
    start_of,
)

NEW_YORK = ZoneInfo("America/New_York")
SECOND, DAY = timedelta(seconds=1), timedelta(days=1)

DAYS = st.dates(date(1970, 1, 1), date(2060, 12, 31))
INSTANTS = st.integers(0, 91 * 366 * 86_400).map(lambda seconds: datetime(1970, 1, 1, tzinfo=UTC) + SECOND * seconds)


def read(text: str) -> date:
    return read_moment(text, NEW_YORK)


def refusal(text: str, zone: ZoneInfo = NEW_YORK) -> str:
    with pytest.raises(MomentError) as error:
        read_moment(text, zone)
    return str(error.value)


# Reading


def test_a_bare_day_is_a_day_and_no_instant() -> None:
    moment = read("2024-03-05")
    assert moment == date(2024, 3, 5)
    assert not is_instant(moment)


@pytest.mark.parametrize(
    ("text", "utc"),
    [
        ("2024-03-05T10:00", "2024-03-05T15:00:00+00:00"),  # five hours behind in winter
        ("2024-07-05T10:00", "2024-07-05T14:00:00+00:00"),  # four in summer
        ("2024-03-05T10:00:01", "2024-03-05T15:00:01+00:00"),
        ("2024-03-05T10:00Z", "2024-03-05T10:00:00+00:00"),
        ("2024-03-05T10:00-07:00", "2024-03-05T17:00:00+00:00"),  # exact, whatever the zone
        ("2024-03-05T10:00+05:30", "2024-03-05T04:30:00+00:00"),
        ("2024-03-05T00:00", "2024-03-05T05:00:00+00:00"),
        ("2024-03-05T23:59:59", "2024-03-06T04:59:59+00:00"),
    ],
)
def test_an_instant_is_read_into_utc(text: str, utc: str) -> None:
    moment = read(text)
    assert is_instant(moment)
    assert moment.isoformat() == utc
    assert moment.tzinfo is UTC


def test_5_a_local_time_that_happens_twice_is_refused_with_both_offsets() -> None:
    assert refusal("2023-11-05T01:30") == (
        "2023-11-05T01:30 happens twice in America/New_York (clocks go back); "
        "give the offset, e.g. 2023-11-05T01:30-04:00 or 2023-11-05T01:30-05:00"
    )


def test_5_a_local_time_that_never_happens_is_refused() -> None:
    assert refusal("2024-03-10T02:30") == "2024-03-10T02:30 does not exist in America/New_York (clocks go forward)"


def test_the_other_zones_are_named_with_their_own_offsets() -> None:
    assert refusal("2023-11-05T01:30:15", ZoneInfo("America/Chicago")) == (
        "2023-11-05T01:30:15 happens twice in America/Chicago (clocks go back); "
        "give the offset, e.g. 2023-11-05T01:30:15-05:00 or 2023-11-05T01:30:15-06:00"
    )
    assert read_moment("2023-11-05T01:30", ZoneInfo("America/Phoenix")) == datetime(2023, 11, 5, 8, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "utc"),
    [
        ("2023-11-05T00:59:59", "04:59:59"),
        ("2023-11-05T02:00", "07:00:00"),
        ("2024-03-10T01:59:59", "06:59:59"),
        ("2024-03-10T03:00", "07:00:00"),
        ("2023-11-05T01:30-04:00", "05:30:00"),
        ("2023-11-05T01:30-05:00", "06:30:00"),
    ],
)
def test_the_seconds_beside_the_change_and_the_offsets_are_accepted(text: str, utc: str) -> None:
    assert read(text).isoformat()[11:19] == utc


@pytest.mark.parametrize("text", ["2023-11-05T01:00", "2023-11-05T01:59:59"])
def test_both_ends_of_the_doubled_hour_are_refused(text: str) -> None:
    assert "happens twice" in refusal(text)


@pytest.mark.parametrize("text", ["2024-03-10T02:00", "2024-03-10T02:59:59"])
def test_both_ends_of_the_missing_hour_are_refused(text: str) -> None:
    assert "does not exist" in refusal(text)


def test_every_minute_of_both_changes_is_read_once_or_refused() -> None:
    back = [f"2023-11-05T{hour:02}:{minute:02}" for hour in range(24) for minute in range(60)]
    forward = [f"2024-03-10T{hour:02}:{minute:02}" for hour in range(24) for minute in range(60)]
    refused = []
    for text in back + forward:
        try:
            assert say(read(text), NEW_YORK)[:16] == text
        except MomentError:
            refused.append(text[:13])
    assert refused == ["2023-11-05T01"] * 60 + ["2024-03-10T02"] * 60


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("2023-02-29", "'2023-02-29' is not a date; 2023-02 has the days 01 to 28"),
        ("2023-02-29T10:00", "'2023-02-29' is not a date; 2023-02 has the days 01 to 28"),
        ("1900-02-29", "'1900-02-29' is not a date; 1900-02 has the days 01 to 28"),
        ("2024-02-30", "'2024-02-30' is not a date; 2024-02 has the days 01 to 29"),
        ("2024-04-31", "'2024-04-31' is not a date; 2024-04 has the days 01 to 30"),
        ("2024-12-00", "'2024-12-00' is not a date; 2024-12 has the days 01 to 31"),
        ("2024-13-01", "'2024-13-01' is not a date; the months are 01 to 12"),
        ("0000-01-01", "'0000-01-01' is not a date; the years are 0001 to 9999"),
        ("5 March 2024", "'5 March 2024' is not a date; write year, month and day, e.g. 2024-02-29"),
        ("2024-3-5", "'2024-3-5' is not a date; write year, month and day, e.g. 2024-02-29"),
        ("20240305", "'20240305' is not a date; write year, month and day, e.g. 2024-02-29"),
        ("", "'' is not a date; write year, month and day, e.g. 2024-02-29"),
        ("2024-03-05 10:00", "'2024-03-05 10:00' is not a date; write year, month and day, e.g. 2024-02-29"),
        ("2024-03-05T24:00", "'2024-03-05T24:00' has no time of day; it runs from 00:00:00 to 23:59:59"),
        ("2024-03-05T10:60", "'2024-03-05T10:60' has no time of day; it runs from 00:00:00 to 23:59:59"),
        (
            "2024-03-05T10",
            "'2024-03-05T10' is not a moment; write a day, e.g. 2024-03-05, or a time, e.g. 2024-03-05T10:00",
        ),
        (
            "2024-03-05T10:00:00.5",
            "'2024-03-05T10:00:00.5' is not a moment; write a day, e.g. 2024-03-05, or a time, e.g. 2024-03-05T10:00",
        ),
        (
            "2024-03-05T10:00-24:00",
            "'2024-03-05T10:00-24:00' has no offset of a clock; write hours and minutes, e.g. -05:00",
        ),
        ("0001-01-01T00:00+05:00", "'0001-01-01T00:00+05:00' lies outside the years 0001 to 9999"),
        ("9999-12-31T23:00", "'9999-12-31T23:00' lies outside the years 0001 to 9999"),
        (
            "\u0662\u0660\u0662\u0664-\u0660\u0663-\u0660\u0665",
            "'\u0662\u0660\u0662\u0664-\u0660\u0663-\u0660\u0665' is not a date; write year, month and day, e.g. 2024-02-29",
        ),
    ],
)
def test_what_is_no_moment_is_refused(text: str, message: str) -> None:
    assert refusal(text) == message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("0000-13-01", "'0000-13-01' is not a date; the years are 0001 to 9999"),
        ("0001-13-01", "'0001-13-01' is not a date; the months are 01 to 12"),
        ("0001-00-01", "'0001-00-01' is not a date; the months are 01 to 12"),
        ("0001-12-32", "'0001-12-32' is not a date; 0001-12 has the days 01 to 31"),
    ],
)
def test_the_first_year_is_a_year(text: str, message: str) -> None:
    with pytest.raises(MomentError) as raised:
        read_day(text)
    assert str(raised.value) == message


def test_leap_days_are_read() -> None:
    assert read_day("2024-02-29") == date(2024, 2, 29)
    assert read_day("2000-02-29") == date(2000, 2, 29)


@given(INSTANTS)
def test_what_is_said_is_read_back_the_same(instant: datetime) -> None:
    assert read(say(instant, NEW_YORK)) == instant


@given(DAYS)
def test_a_day_that_is_said_is_read_back_the_same(day: date) -> None:
    assert read(say(day, NEW_YORK)) == day


@pytest.mark.parametrize(
    ("utc", "said"),
    [
        ("2023-11-06T00:00Z", "2023-11-05T19:00-05:00"),
        ("2023-11-05T05:30Z", "2023-11-05T01:30-04:00"),  # the first of the two
        ("2023-11-05T06:30Z", "2023-11-05T01:30-05:00"),
        ("2024-03-10T07:00Z", "2024-03-10T03:00-04:00"),
        ("2024-03-05T15:00:01Z", "2024-03-05T10:00:01-05:00"),
    ],
)
def test_an_instant_is_said_in_local_time(utc: str, said: str) -> None:
    assert say(read(utc), NEW_YORK) == said


# Days and their ends


@pytest.mark.parametrize(("day", "hours"), [("2023-11-05", 25), ("2024-03-10", 23), ("2024-03-11", 24)])
def test_a_day_is_as_long_as_it_is(day: str, hours: int) -> None:
    assert end_of(read(day), NEW_YORK) - start_of(read(day), NEW_YORK) == timedelta(hours=hours) - SECOND


def test_an_instant_is_its_own_start_and_end() -> None:
    instant = read("2024-03-05T10:00")
    assert start_of(instant, NEW_YORK) is instant
    assert end_of(instant, NEW_YORK) is instant


@pytest.mark.parametrize(
    "name",
    [
        "America/New_York",
        "America/Chicago",
        "America/Denver",
        "America/Phoenix",
        "America/Los_Angeles",
        "America/Anchorage",
        "America/Puerto_Rico",
        "Pacific/Honolulu",
        "America/Havana",  # its clocks go back over midnight: the first hour of a day happens twice
        "America/Sao_Paulo",  # its clocks went forward at midnight: days that began at 01:00
    ],
)
def test_a_day_begins_with_its_first_second_in_every_zone(name: str) -> None:
    zone = ZoneInfo(name)
    days = [date(2006, 1, 1) + DAY * n for n in range(366 * 20)]
    for day in days:
        first = start_of(day, zone)
        assert first.tzinfo is UTC
        assert first.astimezone(zone).date() == day
        assert (first - SECOND).astimezone(zone).date() == day - DAY
        assert end_of(day, zone) + SECOND == start_of(day + DAY, zone)


@given(INSTANTS)
def test_an_instant_lies_within_its_day(instant: datetime) -> None:
    day = day_of(instant, NEW_YORK)
    assert start_of(day, NEW_YORK) <= instant <= end_of(day, NEW_YORK)


def test_midnight_belongs_to_the_day_that_begins() -> None:
    assert day_of(read("2024-03-05T00:00"), NEW_YORK) == date(2024, 3, 5)
    assert day_of(read("2024-03-04T23:59:59"), NEW_YORK) == date(2024, 3, 4)
    assert day_of(date(2024, 3, 5), NEW_YORK) == date(2024, 3, 5)


def test_a_time_without_an_offset_is_refused_because_the_machine_would_supply_its_own() -> None:
    without_offset = datetime(2024, 3, 5, 10)  # noqa: DTZ001 - that is what is tested
    for ask in (day_of, say):
        with pytest.raises(TypeError, match="no offset"):
            ask(without_offset, NEW_YORK)


# After


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ("2024-03-05T10:00:01", "2024-03-05T10:00", True),
        ("2024-03-05T10:00", "2024-03-05T10:00", False),
        ("2024-03-05T10:00", "2024-03-05T15:00Z", False),  # the same instant
        ("2024-03-06", "2024-03-05", True),
        ("2024-03-05", "2024-03-05", False),
        ("2024-03-05T23:59:59", "2024-03-05", False),
        ("2024-03-06T00:00", "2024-03-05", True),
        ("2024-03-06T03:00Z", "2024-03-05", False),  # 22:00 of the 5th in New York
        ("2024-03-05", "2024-03-05T00:00", False),
        ("2024-03-06", "2024-03-05T23:59:59", True),
    ],
)
def test_after_is_strict_and_a_bare_day_needs_a_later_day(a: str, b: str, expected: bool) -> None:
    assert is_after(read(a), read(b), NEW_YORK) is expected


@given(st.one_of(DAYS, INSTANTS), st.one_of(DAYS, INSTANTS))
def test_of_two_moments_at_most_one_is_after_the_other(a: date, b: date) -> None:
    assert not (is_after(a, b, NEW_YORK) and is_after(b, a, NEW_YORK))


# In time


@pytest.mark.parametrize(
    ("event", "limit", "expected"),
    [
        ("2023-11-04T07:05", "2023-11-04T07:05", True),  # 3: the very minute
        ("2023-11-04T07:06", "2023-11-04T07:05", False),
        ("2023-11-04", "2023-11-04T07:05", None),  # 4: the limit falls inside the day
        ("2023-11-03", "2023-11-04T07:05", True),
        ("2023-11-05", "2023-11-04T07:05", False),
        ("2023-11-04", "2023-11-04T00:00", None),  # in time at the very first second
        ("2023-11-04", "2023-11-03T23:59:59", False),
        ("2023-11-04", "2023-11-04T23:59:58", None),
        ("2023-11-04", "2023-11-04T23:59:59", True),  # no second of the day is late
        ("2024-03-02T23:59:59", "2024-03-02", True),  # 6
        ("2024-03-03T00:00", "2024-03-02", False),
        ("2024-03-02", "2024-03-02", True),
        ("2024-03-03", "2024-03-02", False),
        ("2024-03-10T23:59:59", "2024-03-10", True),  # 7: a day of 23 hours
        ("2024-03-11T00:00", "2024-03-10", False),
    ],
)
def test_in_time(event: str, limit: str, expected: bool | None) -> None:
    assert in_time(read(event), read(limit), NEW_YORK) is expected


@given(DAYS, st.integers(-30 * 3600, 30 * 3600))
def test_a_bare_day_is_late_or_not_as_all_of_its_instants_are(day: date, seconds: int) -> None:
    limit = start_of(day, NEW_YORK) + SECOND * seconds
    ends = {in_time(end(day, NEW_YORK), limit, NEW_YORK) for end in (start_of, end_of)}
    assert in_time(day, limit, NEW_YORK) == (ends.pop() if len(ends) == 1 else None)


def test_an_aware_time_of_another_zone_is_the_same_instant() -> None:
    noon = datetime(2024, 3, 5, 12, tzinfo=timezone(timedelta(hours=-5)))
    assert day_of(noon, NEW_YORK) == date(2024, 3, 5)
    assert say(noon, NEW_YORK) == "2024-03-05T12:00-05:00"
    assert in_time(noon, read("2024-03-05T12:00"), NEW_YORK) is True
