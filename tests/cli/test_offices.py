"""What the command says of somebody who decides, assesses or signs in an office that they did not hold (DESIGN 4.4).

Friday 8 March 2024: 900 gallons to the ground, held and, so says whoever assessed it, quickly removed. Below the plan's 1,000
gallons such a spill is only filed, but whether it was removed quickly is for the operator in responsible charge (SORP III.A.4).
"""

from __future__ import annotations

import json

import pytest

CREW = "A. Crew did not hold orc (operator in responsible charge) on Fri Mar 8"
TELL, SMALL = "tell", ("ground_gal=900", "surface_water_gal=0", "reached_water=no", "contained=yes")


@pytest.fixture
def spill(town) -> str:
    spill = town.begin("spill", "location=Branch Street")
    town.record("call", spill, "2024-03-08 15:40", "what=sewage_in_water", "channel=telephone", now="2024-03-08 15:42")
    town.record("spill_confirmed", spill, "2024-03-08 16:00", now="2024-03-08 16:01")
    return spill


def person(town, name: str, office: str = "") -> str:
    found = town.begin("person", f"name={name}")
    if office:
        town.record("office_held", found, "2024-01-03", f"office={office}", now=town.now)
    return found


def entered(town, *words: str, now: str):
    return town("record", *words, now=now).stderr.splitlines()


def test_a_judged_field_of_the_crew_is_entered_and_left_to_the_operator(town, spill):
    person(town, "A. Crew", "staff"), person(town, "A. Operator", "orc")
    fields = [word for one in (*SMALL, "removed_quickly=yes") for word in ("--set", one)]
    said = entered(
        town, "spill_assessed", "--on", spill, "--at", "2024-03-08 16:30", *fields, "--by", "A. Crew", "--office", "staff",
        now="2024-03-08 16:31",
    )  # fmt: skip
    assert said[1:3] == [
        f"  Entered, but what it judges does not count: {CREW}; whoever held it may decide, or record office_held",
        f"    sewershed record {town.folder} office_held --on 'A. Crew' --at 2024-03-08 --set office=orc",
    ]
    (why,) = town.lines("why", "24-001", "tell")
    assert [(one["kind"], one["what"]) for one in why["asks"]] == [
        ("decision", "spill_assessed.removed_quickly"),
        ("office", "orc"),
    ]
    assert [(one["name"], [want["what"] for want in one["short_of"]]) for one in why["facts"]] == [
        ("call", []),
        ("spill_confirmed", []),
        ("spill_assessed", ["orc"]),
    ]
    shown = " ".join(town("why", "24-001", "tell").stdout.split())
    assert f"done by A. Crew as dispatched staff {CREW}" in shown
    decide = (
        "decide",
        "--on",
        "24-001",
        "--fact",
        "spill_assessed.removed_quickly",
        "--value",
        "yes",
        "--because",
        "dry at 4 pm",
    )
    said = entered(town, *decide, "--by", "A. Operator", "--at", "17:00", now="2024-03-08 17:01")
    assert not any("Entered, but" in line for line in said)
    assert TELL not in town.due()
    assert town.due()["on_file"]["state"] == "due"


def test_a_decision_of_the_crew_decides_nothing_until_the_office_is_recorded(town, spill):
    crew = person(town, "A. Crew", "staff")
    town.record("spill_assessed", spill, "2024-03-08 16:30", *SMALL[:3], "contained=no")
    decide = ("decide", "--on", spill, "--fact", "reportable", "--value", "no", "--because", "a dry ditch")
    said = entered(town, *decide, "--by", "A. Crew", "--office", "orc", "--at", "16:50", now="2024-03-08 16:51")
    assert said[1].startswith("  Entered, but it decides nothing: A. Crew did not hold orc")
    assert town.due()[TELL]["state"] == "due"
    (why,) = town.lines("why", "24-001", "tell")
    assert [(one["event"], one["because"]) for one in why["not_counted"]] == [
        (
            "decided reportable",
            "A. Crew did not hold orc (Operator in responsible charge) on Fri Mar 8; whoever held it may decide, or record office_held",
        )
    ]
    town.record("office_held", crew, "2024-03-08", "office=orc", "from=2024-03-01", now="2024-03-08 18:00")
    assert TELL not in town.due()


def test_nobody_is_named_who_decided(town, spill):
    town.record("spill_assessed", spill, "2024-03-08 16:30", *SMALL[:3], "contained=no")
    said = entered(
        town, "decide", "--on", spill, "--fact", "reportable", "--value", "no", "--because", "x", "--at", "16:50",
        now="2024-03-08 16:51",
    )  # fmt: skip
    assert said[1] == (
        "  Entered, but it decides nothing: nobody is named who did it as orc (operator in responsible charge); "
        "correct the row to name whoever held it then"
    )


def test_the_operators_account_settles_a_doubt_for_the_town_on_behalf_of_its_manager(town, spill):
    operator, manager = person(town, "A. Operator", "orc"), person(town, "A. Manager", "town_manager")
    town("account", "op", "--new", "--roles", "operator", "--person", operator)
    settle = ("decide", "--doubt", "D-SH-04", "--reading", "confirmation", "--because", "memo", "--at", "2024-03-08")
    said = entered(town, *settle, "--as", "op", now="2024-03-08 17:00")  # by the operator, who may not
    assert said[1].startswith("  Entered, but it decides nothing: A. Operator did not hold town_manager on Fri Mar 8")
    lines = {line["rule"]: line["due"] for line in town.lines("due", "--all")}
    assert lines["us.nc.spring_hope.spill.tell"] == "2024-03-09T15:40-05:00"
    entered(town, *settle, "--as", "op", "--by", manager, now="2024-03-08 17:05")
    lines = {line["rule"]: line["due"] for line in town.lines("due", "--all")}
    assert lines["us.nc.spring_hope.spill.tell"] == "2024-03-09T16:00-05:00"


def test_a_report_signed_in_an_office_that_was_not_held_is_not_certified(town, spill):
    person(town, "A. Crew", "staff"), person(town, "A. Operator", "orc")
    issue = ("report", "spill_report", "24-001", "--issue", "--data", "--office", "orc", "-o", "report.json")
    said = town(*issue, "--by", "A. Crew", now="2024-03-08 18:00").stderr
    assert "Entered, but not as done in that office: A. Crew did not hold orc" in said
    paper = json.loads((town.folder.parent / "report.json").read_text())["paper"]
    signed = paper["certification"]
    assert (signed["name"], signed["title"], signed["day"]) == (None, None, None)
    assert signed["wanting"] == "A. Crew did not hold orc (operator in responsible charge) on Fri Mar 8, 2024"
    assert paper["not_known"][-1] == {
        "head": "Certification",
        "labels": ["Name", "Title", "Telephone", "Date certified"],
    }
    said = town(*issue, "--by", "A. Operator").stderr
    assert "Entered, but" not in said
    signed = json.loads((town.folder.parent / "report.json").read_text())["paper"]["certification"]
    assert (signed["name"], signed["title"], signed["wanting"]) == (
        "A. Operator",
        "operator in responsible charge",
        None,
    )


def test_a_doubt_that_no_entry_reads_is_decided_and_nothing_follows(town, spill):
    manager = person(town, "A. Manager", "town_manager")
    settle = ("decide", "--by", manager, "--because", "it is so", "--at", "2024-03-08")
    said = entered(town, *settle, "--doubt", "D-SH-14", "--reading", "the crew leader", now="2024-03-08 17:00")
    assert said[1:] == ["  Nothing follows from it: no entry of the books reads D-SH-14 one way or the other."]
    said = entered(
        town, "decide", "--by", manager, "--because", "memo", "--at", "2024-03-08", "--doubt", "D-SH-04", "--reading", "confirmation",
        now="2024-03-08 17:00",
    )  # fmt: skip
    assert not any("Nothing follows" in line for line in said)
