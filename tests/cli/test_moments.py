"""Times as people type them: what is taken, and how what is none is refused, as it was typed."""

from __future__ import annotations

import pytest

WAYS = '2024-03-08, "2024-03-08 15:40", 15:40 or "3:40 pm" of today, now or today'


@pytest.fixture
def spill(town) -> str:
    return town.begin("spill", "location=Branch Street")


@pytest.mark.parametrize(
    ("typed", "kept"),  # Eastern Standard Time is five hours behind UTC
    [
        ("15:40", "2024-03-08T20:40:00Z"),
        ("3:40 pm", "2024-03-08T20:40:00Z"),
        ("3 pm", "2024-03-08T20:00:00Z"),
        ("12 am", "2024-03-08T05:00:00Z"),
        ("2024-03-07 9:05", "2024-03-07T14:05:00Z"),
        ("2024-03-07 9:05 P.M.", "2024-03-08T02:05:00Z"),
        ("2024-03-07T09:05-05:00", "2024-03-07T14:05:00Z"),
        ("now", "2024-03-08T20:42:00Z"),
    ],
)
def test_a_time_is_taken_as_people_write_it(town, spill, typed, kept):
    town("record", "call", "--on", spill, "--at", typed, "--set", "what=smell")
    assert town.lines("show", spill)[0]["rows"][-1]["at"] == kept


@pytest.mark.parametrize("typed", ["3 pmm", "13 pm", "soon", "8 March", "2024-03-08 soon", "03/08/2024"])
def test_what_is_no_time_is_refused_as_it_was_typed(town, spill, typed):
    said = f"{typed!r} is no time; write {WAYS}\n"
    assert town("record", "call", "--on", spill, "--at", typed, "--set", "what=smell", status=3).stderr == said
    assert town("may", "area_released", "--on", spill, "--at", typed, status=3).stderr == said
    assert town("due", "--as-of", typed, status=3).stderr == said


def test_a_time_in_a_field_needs_its_day(town, spill):
    said = town(
        "record", "start_estimated", "--on", spill, "--at", "now", "--set", "started_at=3 pm", status=3
    ).stderr  # fmt: skip
    assert said == "'3 pm' is no time; write 2024-03-08 or \"2024-03-08 15:40\"\n"
    town("record", "start_estimated", "--on", spill, "--at", "now", "--set", "started_at=2024-03-08 3 pm")
    assert town.lines("show", spill)[0]["rows"][-1]["data"]["started_at"] == "2024-03-08T20:00:00Z"


def test_may_and_as_of_take_a_time_of_today_too(town, spill):
    town("record", "call", "--on", spill, "--at", "3:30 pm", "--set", "what=smell")
    assert "investigate" in town.due("--as-of", "3:30 pm")
    assert "investigate" not in town.due("--as-of", "3:29 pm")
    assert town("may", "area_released", "--on", spill, "--at", "3:41 pm", status=1).stdout.startswith("No: ")
    assert "investigate" in town.due("--as-of", "now")
