"""What may be destroyed, from the command line. Days are counted by hand: three years of 8 March 2024 run through 8 March 2027."""

from __future__ import annotations

import pytest

LAST, FREE = "2027-03-08", "2027-03-09"
SPILLS, DOCUMENTS = "retention_spill_report_years", "retention_document_years"


@pytest.fixture
def spill(town) -> str:
    """A call of 8 March 2024 that turned out to be nothing that day."""
    spill = town.begin("spill", "location=Branch Street")
    town.record("call", spill, "2024-03-08 15:40", "what=smell")
    town.record("found_to_be_none", spill, "2024-03-08 16:20", "reason=smell_only")
    return spill


def standing(town, spill: str, day: str) -> dict[str, object]:
    (line,) = town.lines("due", "--retention", "--on", spill, "--as-of", day)
    return line


def test_on_the_last_day_it_is_kept_and_on_the_next_it_may_go(town, spill):
    for day, state in ((LAST, "kept"), (FREE, "may_go")):
        line = standing(town, spill, day)
        assert (line["state"], line["last_on"], line["until"], line["may_go_on"]) == (state, "2024-03-08", LAST, FREE)
    assert (line["cites"], line["rules"]) == (["WQCS permit III.2"], ["us.nc.retention.spill_report"])
    assert (line["edition"], line["certainty"]) == ("North Carolina rules 2023", ["memory"])
    assert line["caution"] == "from memory: check before relying on it"


def test_the_list_says_clause_and_days_and_that_nothing_is_destroyed(town, spill):
    said = " ".join(town("due", "--retention", "--as-of", FREE).stdout.split())
    assert (
        "Keep records of spills and complaints for three years (WQCS permit III.2; North Carolina rules 2023)" in said
    )
    assert "(WQCS permit III.2; North Carolina rules 2023) from memory: check before relying on it" in said
    assert (
        "May be destroyed 1 call C24-001, Branch Street, of Fri Mar 8, 2024; kept until Mon Mar 8, free since Tue Mar 9"
        in said
    )
    assert "1 record may be destroyed. Nothing is destroyed by this program" in said
    rows = town.lines("verify")[0]["head"]
    town("due", "--retention", "--as-of", FREE)
    assert town.lines("verify")[0]["head"] == rows


def test_something_that_happens_later_begins_it_anew(town, spill):
    town.record("caller_followed_up", spill, "2024-03-10", f"call={town.lines('show', spill)[0]['rows'][1]['id']}")
    assert standing(town, spill, "2027-03-10")["state"] == "kept"
    assert standing(town, spill, "2027-03-11")["state"] == "may_go"


def test_a_hold_keeps_it_until_it_is_lifted(town, spill):
    hold = town.record("records_held", "town", "2024-03-10", f"about={spill}", "because=a claim")
    line = standing(town, spill, FREE)
    assert (line["state"], line["until"]) == ("held", None)
    assert line["holds"] == [{"row": hold, "until": None, "because": "a claim"}]
    assert f"held until it is lifted: a claim (row {hold})" in " ".join(
        town("due", "--retention", "--as-of", FREE).stdout.split()
    )
    town.record("records_released", "town", "2024-03-20", f"hold={hold}", now="2024-03-20 09:00")
    assert standing(town, spill, FREE)["state"] == "may_go"
    assert town.lines("due", "--retention", "--on", spill, "--as-of", "2024-03-20")[0]["state"] == "held"
    assert town.lines("due", "--retention", "--on", spill, "--as-of", "2024-03-21")[0]["state"] == "kept"


@pytest.mark.parametrize(
    ("fields", "state"),
    [
        (["kind=retention_log_years"], "may_go"),
        ([f"kind={SPILLS}"], "held"),
        ([], "held"),
        (["about=another"], "may_go"),
        (["until=2027-03-09"], "held"),
        (["until=2027-03-08"], "may_go"),
    ],
)
def test_a_hold_reaches_what_it_names_and_lasts_as_long_as_it_says(town, spill, fields, state):
    town.record("records_held", "town", "2024-03-10", "because=an audit", *fields)
    assert standing(town, spill, FREE)["state"] == state


def test_what_is_not_over_is_not_free(town):
    spill = town.begin("spill", "location=Ash Street")
    town.record("call", spill, "2024-03-08 15:40", "what=sewage_on_ground")
    line = standing(town, spill, FREE)
    assert (line["state"], line["is_open"]) == ("kept", True)


def test_where_no_book_says_how_long_it_cannot_be_told(town, spill):
    town("report", "spill_report", spill, "--issue")
    lines = [line for line in town.lines("due", "--retention", "--as-of", FREE) if line["kind"] == DOCUMENTS]
    assert [(line["state"], line["until"], line["asks"][0]["kind"]) for line in lines] == [
        ("cannot_tell", None, "no_answer")
    ]
    said = " ".join(town("due", "--retention", "--as-of", FREE).stdout.split())
    assert "Papers that were issued missing: no rulebook in force says how long Cannot tell 1" in said


def test_it_takes_no_option_of_the_other_list(town):
    said = town("due", "--retention", "--program", "fog", status=2).stderr
    assert "--retention lists records: it takes --on, --as-of and --known-at alone" in " ".join(said.split())
