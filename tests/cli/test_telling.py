"""What a row changes is told when it is entered: what came to be due, and what is due no longer.

Expected lines come from the spill plan and the state's rules: a spill of 1,000 gallons or more that reaches surface water is
told to the press, the Department and the county; one of 50 gallons on the ground is not.
"""

from __future__ import annotations

import pytest

BY = ("--by", "A. Operator", "--office", "orc")


@pytest.fixture
def spill(town) -> str:
    town("record", "person", "new", "--set", "name=A. Operator")
    town("record", "office_held", "--on", "A. Operator", "--at", "today", "--set", "office=orc")
    spill = town.begin("spill", "location=Oak Avenue")
    town.record("call", spill, "2024-03-08 15:40", "what=smell")
    town("record", "spill_confirmed", "--on", spill, "--at", "now", *BY, now="2024-03-08 16:00")
    return spill


def assessed(town, spill: str) -> str:
    words = [word for one in ("ground_gal=0", "surface_water_gal=3000", "reached_water=yes") for word in ("--set", one)]
    return town("record", "spill_assessed", "--on", spill, "--at", "now", *BY, *words).stdout.strip()


def told(result) -> list[tuple[str, str]]:
    """Returns word and rule of each line that was told."""
    lines = [line.split("  24-001 ") for line in result.stderr.splitlines() if "  24-001 " in line]
    return [(before.strip().partition("  ")[0], after.split()[0]) for before, after in lines]


def test_a_correction_tells_what_is_due_no_longer(town, spill):
    row = assessed(town, spill)
    words = [word for one in ("ground_gal=50", "surface_water_gal=0", "reached_water=no") for word in ("--set", one)]
    result = town("record", "correct", row, "--why", "another creek", *words)
    gone = {rule for word, rule in told(result) if word == "No longer due"}
    assert {"press", "statutory_report", "health_told"} <= gone
    assert "tell" not in gone  # whether it is reportable is now for the operator in charge to decide


def test_a_withdrawal_tells_what_is_due_no_longer(town, spill):
    result = town("record", "withdraw", assessed(town, spill), "--why", "another spill")
    gone = {rule for word, rule in told(result) if word == "Withdrawn"}
    assert {"press", "statutory_report", "health_told"} <= gone


def test_a_correction_that_changes_nothing_adds_no_row(town, spill):
    row = assessed(town, spill)
    before = len(town.lines("show", spill)[0]["rows"])
    for words in ((), ("--set", "surface_water_gal=3000"), ("--by", "A. Operator"), ("--at", "2024-03-08 16:00")):
        refused = town("record", "correct", row, "--why", "none", *words, status=3)
        assert refused.stderr == "the row says all this already: nothing was changed, and no row was added\n"
    assert len(town.lines("show", spill)[0]["rows"]) == before
    town("record", "withdraw", row, "--why", "in error")
    town("record", "correct", row, "--why", "it stood")  # brings it back, unchanged
    assert len(town.lines("show", spill)[0]["rows"]) == before + 2


def test_a_row_moved_to_another_thing_tells_of_both(town, spill):
    other = town.begin("spill", "location=Elm Street")
    call = next(one["id"] for one in town.lines("show", spill)[0]["rows"] if one["name"] == "call")
    result = town("record", "correct", call, "--why", "the other street", "--on", "Elm Street")
    assert "C24-001 dispatch" in result.stderr  # due on the other now
    later = town("record", "correct", call, "--why", "an hour earlier", "--at", "2024-03-08 14:40")
    assert "C24-001 investigate" in later.stderr  # told of where the row stands now, not of where it was entered
    assert town.lines("show", other)[0]["label"] == "call C24-001, Elm Street"


def remarks(town, spill: str, event: str, at: str, *settings: str) -> list[str]:
    words = [word for one in settings for word in ("--set", one)]
    said = town("record", event, "--on", spill, "--at", at, *words, now="2024-03-08 16:00").stderr
    return [line.removeprefix("  Is that right? ") for line in said.splitlines() if "Is that right?" in line]


def test_what_is_before_the_first_report_is_remarked_on_and_entered(town):
    spill = town.begin("spill", "location=Oak Avenue")
    town.record("call", spill, "2024-03-08 15:40", "what=smell")
    assert remarks(town, spill, "crew_arrived", "2024-03-08 15:40") == []
    assert remarks(town, spill, "spill_stopped", "2024-03-08") == []  # some time that day
    assert remarks(town, spill, "crew_arrived", "2024-03-08 15:39") == [
        "Crew arrived on Fri Mar 8, 2024, 3:39 pm is before the first report of it, C24-001 (Fri Mar 8, 2024, 3:40 pm)."
    ]
    assert remarks(town, spill, "call", "2024-03-08 15:30", "what=smell") == []  # a report is the first itself


def test_what_is_far_from_the_rest_is_remarked_on_and_entered(town):
    """From 10 September to 8 March of a leap year there are 180 days, counted by hand."""
    spill = town.begin("spill", "location=Oak Avenue")
    assert remarks(town, spill, "call", "2023-01-05 10:00", "what=smell") == []  # there is no rest
    other = town.begin("spill", "location=Elm Street")
    town.record("call", other, "2024-03-08 15:40", "what=smell")
    far = "Call on {} is more than 180 days from everything else that happened here: look at the year."
    assert remarks(town, other, "call", "2023-09-09", "what=smell") == [far.format("Sat Sep 9, 2023")]
    third = town.begin("spill", "location=Ash Street")
    town.record("call", third, "2024-03-08 15:40", "what=smell")
    assert remarks(town, third, "call", "2023-09-10", "what=smell") == []


def test_a_moment_far_from_its_own_row_is_remarked_on(town):
    spill = town.begin("spill", "location=Oak Avenue")
    said = remarks(town, spill, "call", "2024-03-08 15:40", "what=smell", "noticed_at=2023-03-08 15:00")
    assert said == [
        "First noticed on Wed Mar 8, 2023, 3:00 pm is more than 180 days from the call itself: look at the year."
    ]
    assert remarks(town, spill, "call", "2024-03-08 15:41", "what=smell", "noticed_at=2023-09-10") == []
