"""Where a page looks: the day asked about, to the minute, and the hours that a clock change skips or repeats."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from sewershed.desk.shell.looking import looking

ZONE = ZoneInfo("America/New_York")
NOW = datetime(2023, 10, 17, 15, 20, tzinfo=UTC)  # 11:20 in the town, four hours behind


def asked(**words: str):
    return looking(words, NOW, ZONE)


@pytest.mark.parametrize("words", [{}, {"day": ""}, {"day": "  ", "time": "10:00"}, {"known": "then"}])
def test_without_a_day_a_page_looks_at_now(words):
    here = asked(**words)
    assert not here.is_elsewhere
    assert (here.instant, here.known_at, here.query) == (NOW, None, "")
    assert (here.words, here.day, here.time) == ("Tue Oct 17, 2023, 11:20 am", "2023-10-17", "11:20")


def test_a_day_is_asked_about_at_its_last_minute():
    here = asked(day="2023-06-30")
    assert here.as_of == datetime(2023, 7, 1, 3, 59, tzinfo=UTC)  # 23:59, four hours behind
    assert here.words == "Fri Jun 30, 2023, 11:59 pm"
    assert here.known_at is None


def test_what_had_been_recorded_by_then():
    here = asked(day="2023-06-30", time="08:05", known="then")
    assert here.as_of == here.known_at == datetime(2023, 6, 30, 12, 5, tzinfo=UTC)
    assert here.query == "?day=2023-06-30&time=08%3A05&known=then"


def test_another_page_asked_with_the_same_words_looks_at_the_same_instant():
    from urllib.parse import parse_qsl

    here = asked(day="2023-12-01", time="00:00", known="then")
    assert asked(**dict(parse_qsl(here.query[1:]))) == here


def test_an_hour_that_was_skipped_is_said_and_not_guessed():
    here = asked(day="2023-03-12", time="02:30")
    assert not here.is_elsewhere
    assert "2023-03-12" in here.problem


def test_an_hour_that_came_twice_is_said_and_not_guessed():
    here = asked(day="2023-11-05", time="01:30")
    assert not here.is_elsewhere
    assert "twice" in here.problem or "2023-11-05" in here.problem


@pytest.mark.parametrize(("time", "utc_hour"), [("00:59", 4), ("03:00", 8)])
def test_the_hours_around_the_repeated_one_are_plain(time, utc_hour):
    as_of = asked(day="2023-11-05", time=time).as_of
    assert as_of is not None
    assert as_of.hour == utc_hour


@pytest.mark.parametrize("words", [{"day": "yesterday"}, {"day": "2023-02-30"}, {"day": "2023-06-30", "time": "25:00"}])
def test_what_is_no_day_or_time_is_said(words):
    here = asked(**words)
    assert here.problem
    assert not here.is_elsewhere


def test_one_may_look_ahead():
    assert asked(day="2024-06-30").is_elsewhere
