"""A spill from the call to the report, from the command line alone.

Friday 8 March 2024, call at 15:40, confirmed at 16:00, Eastern standard time. By hand: 24 hours later is Saturday 15:40 (from
the confirmation 16:00; the clocks go forward only on Sunday). Five days are 9, 10, 11, 12, 13 March, a Wednesday; five business
days 11 to 15, a Friday. Two hours from the call is 17:40.
"""

from __future__ import annotations

import json

import pytest

TELL, WRITTEN, FORM = "tell", "written", "us.nc.spill.form"


@pytest.fixture
def spill(town) -> str:
    """A spill on Branch Street, called in at 15:40 and confirmed at 16:00."""
    spill = town.begin("spill", "location=Branch Street")
    town.record("call", spill, "2024-03-08 15:40", "what=sewage_in_water", "channel=telephone", now="2024-03-08 15:42")
    town.record("spill_confirmed", spill, "2024-03-08 16:00", now="2024-03-08 16:01")
    return spill


def holder(town, office: str) -> str:
    """Somebody who has held an office since the first days of the year."""
    person = town.begin("person", f"name=Holder of {office}")
    town.record("office_held", person, "2024-01-03", f"office={office}", now="2024-03-08 16:25")
    return person


def assess(town, spill, *settings: str, at: str = "2024-03-08 16:30", **options: str) -> str:
    return town.record("spill_assessed", spill, at, *settings, now=at, **options)


def test_five_gallons_reach_a_creek(town, spill):
    assess(town, spill, "ground_gal=0", "surface_water_gal=5", "reached_water=yes")
    due = town.due(now="2024-03-08 16:45")
    tell, written = due[TELL], due[WRITTEN]
    assert (tell["state"], tell["due"], tell["rules"]) == (
        "due",
        "2024-03-09T15:40-05:00",
        ["us.nc.spring_hope.spill.tell", "us.nc.spill.tell"],
    )
    assert [(one["reading"], one["due"]) for one in tell["if_read_as"]] == [("confirmation", "2024-03-09T16:00-05:00")]
    assert (written["due"], written["rules"]) == ("2024-03-13", ["us.nc.spring_hope.spill.written", FORM])
    assert [(one["reading"], one["due"]) for one in written["if_read_as"]] == [("business days", "2024-03-15")]
    assert written["also"] == [f"{FORM}: due 2024-03-15"]
    assert FORM not in due  # the two stand in one line
    assert written["cites"] == ["SORP III.D"]
    assert written["edition"] == "Spring Hope 2023-12"


def test_the_line_in_the_terminal_has_both_rules_and_both_dates(town, spill):
    assess(town, spill, "ground_gal=0", "surface_water_gal=5", "reached_water=yes")
    said = town("due", "--on", "24-001", now="2024-03-08 16:45").stdout
    line = said[said.index("  5 days left") :].splitlines()
    assert line[0] == (
        "  5 days left          Send the written report within five days of first knowledge of a reportable"
    )
    assert line[1] == "  Wed Mar 13           spill"
    assert " ".join(" ".join(line[2:4]).split()) == (
        "24-001 written · Branch Street · supervisor, nobody on record · SORP III.D; Form CS-SSO Part I"
    )
    assert line[4].strip() == "if read as business days: Fri Mar 15; by Form CS-SSO Part I: Fri Mar 15"
    assert "  22 h 55 min left     Speak to a person at the state" in said
    assert "if read as confirmation: Sat Mar 9, 4:00 pm" in said


def test_a_voice_mail_is_no_call_and_a_person_is(town, spill):
    assess(town, spill, "ground_gal=0", "surface_water_gal=5", "reached_water=yes")
    result = town(
        "record", "state_told", "--on", spill, "--at", "17:00", "--set", "way=voice_mail", now="2024-03-08 17:01"
    )
    assert "  Does not count: A voice mail, a fax or a mail is no verbal report" in result.stderr
    assert town.due(now="2024-03-08 18:00")[TELL]["state"] == "due"
    told = town.record(
        "state_told", spill, "2024-03-08 18:10", "way=person", "spoken_to=staff on duty", "incident_number=202400321"
    )
    assert TELL not in town.due(now="2024-03-08 18:15")
    every = {line["rule"]: line for line in town.lines("due", "--all")}
    for rule in ("us.nc.spring_hope.spill.tell", "us.nc.spill.tell"):
        assert (every[rule]["state"], every[rule]["met_by"]) == ("met", told)
    assert every["us.nc.spring_hope.spill.tell"]["met_at"] == "2024-03-08T18:10-05:00"


def test_why_shows_clause_edition_facts_and_steps(town, spill):
    assess(town, spill, "ground_gal=0", "surface_water_gal=5", "reached_water=yes")
    town.record("state_told", spill, "2024-03-08 17:00", "way=voice_mail")
    (why,) = town.lines("why", "24-001", "tell", now="2024-03-08 17:05")
    assert why["cites"] == ["SORP III.A.3", "SORP III.B.5"]
    assert why["edition"] == "Spring Hope 2023-12"
    assert (why["state"], why["due"]) == ("due", "2024-03-09T15:40-05:00")
    assert why["steps"][0] == "within 24 hours of 2024-03-08T15:40-05:00: due 2024-03-09T15:40-05:00"
    assert [fact["name"] for fact in why["facts"]] == ["call", "spill_confirmed", "spill_assessed"]
    assert why["facts"][2]["data"] == {"ground_gal": "0", "surface_water_gal": "5", "reached_water": True}
    assert [(one["event"], one["when"]) for one in why["not_counted"]] == [("state_told", "Fri Mar 8, 5:00 pm")]
    doubts = {doubt["id"]: {one["reading"]: one["result"] for one in doubt["readings"]} for doubt in why["doubts"]}
    assert doubts["D-SH-04"] == {"first knowledge": "applied until settled", "confirmation": "due Sat Mar 9, 4:00 pm"}
    said = town("why", "24-001", "tell").stdout
    for part in ("The clause", "The facts", "Not counted", "The steps", "Doubts that touch it", "What would change it"):
        assert f"\n{part}\n" in said


@pytest.mark.parametrize(
    ("gallons", "press", "ask"),
    [("999", False, False), ("1000", True, False), ("14999", True, False), ("15000", True, True)],
)
def test_the_public_is_told_by_the_gallons_that_reached_water(town, spill, gallons, press, ask):
    assess(town, spill, "ground_gal=0", f"surface_water_gal={gallons}", "reached_water=yes")
    due = town.due(now="2024-03-08 16:45")
    assert ("us.nc.spill.press" in due, "us.nc.spill.notice.ask" in due) == (press, ask)
    if press:  # 24 hours from the determination at 16:30
        assert due["us.nc.spill.press"]["due"] == "2024-03-09T16:30-05:00"


def test_a_small_one_that_was_held_and_removed_is_only_filed(town, spill):
    assess(
        town, spill, "ground_gal=900", "surface_water_gal=0", "reached_water=no", "contained=yes", "removed_quickly=yes",
        by=holder(town, "orc"),
    )  # fmt: skip
    due = town.due(now="2024-03-08 16:45")
    assert TELL not in due
    assert WRITTEN not in due
    assert due["on_file"]["state"] == "due"


def test_a_small_one_that_spread_needs_a_decision(town, spill):
    assess(
        town, spill, "ground_gal=900", "surface_water_gal=0", "reached_water=no", "contained=no", "removed_quickly=yes"
    )
    tell = town.due(now="2024-03-08 16:45")[TELL]
    assert [(want["kind"], want["what"]) for want in tell["asks"]] == [("gap", "spill.reportable")]
    assert "report if in doubt" in tell["notes"]
    result = town(
        "record", "decide", "--on", spill, "--fact", "reportable", "--value", "no", "--because", "a dry ditch, all removed",
        "--by", holder(town, "orc"), "--at", "16:50", now="2024-03-08 16:51",
    )  # fmt: skip
    assert "24-001 tell" in result.stderr
    assert "Not needed" in result.stderr
    assert TELL not in town.due()


def test_over_a_thousand_gallons_to_the_ground_is_told_and_written(town, spill):
    assess(
        town,
        spill,
        "ground_gal=1001",
        "surface_water_gal=0",
        "reached_water=no",
        "contained=yes",
        "removed_quickly=yes",
    )
    due = town.due(now="2024-03-08 16:45")
    assert (due[TELL]["state"], due[WRITTEN]["state"]) == ("due", "due")
    assert "on_file" not in due


def test_a_call_found_to_be_nothing_leaves_no_clock_open(town):
    spill = town.begin("spill", "location=Ash Street")
    town.record("call", spill, "2024-03-08 15:40", "what=smell", "channel=telephone", now="2024-03-08 15:42")
    assert town.due("--on", spill, now="2024-03-08 15:45")
    town.record("found_to_be_none", spill, "2024-03-08 16:20", "reason=smell_only")
    assert town.due("--on", spill, now="2024-03-10 09:00") == {}
    said = town("due", "--on", "Ash Street").stdout
    assert said.endswith("Nothing is due. Looked at everything about Ash Street.\n")


def test_a_volume_not_known_is_red_after_a_day(town, spill):
    tell = town.due(now="2024-03-09 15:39")[TELL]
    assert tell["state"] == "due"
    assert "report if in doubt" in tell["notes"]
    tell = town.due(now="2024-03-09 16:40")[TELL]  # 25 hours after the call
    assert (tell["state"], tell["word"]) == ("overdue", "Overdue")
    assert any("may have been missed" in note for note in tell["notes"])
    town("due", "--fail-on", "overdue", status=1)
    assert "Overdue" in town("due").stdout


def test_a_corrected_assessment_moves_what_it_must_and_the_day_before_can_be_seen(town, spill):
    row = assess(town, spill, "ground_gal=0", "surface_water_gal=5", "reached_water=yes")
    assert TELL in town.due(now="2024-03-08 16:45")
    result = town(
        "record", "correct", row, "--why", "it was the neighbor's ditch, dry and held",
        "--set", "surface_water_gal=0", "--set", "reached_water=no", "--set", "ground_gal=5", "--set", "contained=yes",
        "--set", "removed_quickly=yes", "--by", holder(town, "orc"), now="2024-03-09 10:00",
    )  # fmt: skip
    assert "24-001 tell" in result.stderr
    due = town.due(now="2024-03-09 10:01")
    assert TELL not in due
    assert due["on_file"]["state"] == "due"
    then = town.due("--known-at", "2024-03-08 18:00", now="2024-03-09 10:01")
    assert then[TELL]["due"] == "2024-03-09T15:40-05:00"
    assert "on_file" not in then
    (why,) = town.lines("why", "24-001", "tell", "--known-at", "2024-03-08 18:00")
    assert why["state"] == "due"
    assert why["facts"][-1]["data"]["surface_water_gal"] == "5"
    stands = {one["id"]: one["stands"] for one in town.lines("show", "24-001")[0]["rows"]}
    assert stands[row] == "corrected"


def test_settling_a_doubt_moves_what_it_must_and_says_so(town, spill):
    assess(town, spill, "ground_gal=0", "surface_water_gal=5", "reached_water=yes")
    result = town(
        "record", "decide", "--doubt", "D-SH-04", "--reading", "confirmation", "--because", "the manager, by memo",
        "--by", holder(town, "town_manager"), "--at", "2024-03-08", now="2024-03-08 17:00",
    )  # fmt: skip
    assert result.stderr.splitlines()[1:] == [
        "  Due soon  Sat Mar 9, 4:00 pm  24-001 spring_hope.spill.tell  Speak to a person at the state withi…",
        "  Due soon  Sat Mar 9, 3:40 pm  24-001 nc.spill.tell           Speak to a person at the regional of…",
    ]
    lines = {line["rule"]: line for line in town.lines("due", "--all")}
    # The town's own rule counts from the confirmation now; the state's, which says first knowledge, is the stricter one.
    assert lines["us.nc.spring_hope.spill.tell"]["due"] == "2024-03-09T16:00-05:00"
    assert lines["us.nc.spill.tell"]["due"] == "2024-03-09T15:40-05:00"
    (why,) = town.lines("why", "24-001", "spring_hope.spill.tell")
    readings = next(doubt["readings"] for doubt in why["doubts"] if doubt["id"] == "D-SH-04")
    assert readings[1] == {"reading": "confirmation", "result": "decided on 2024-03-08", "is_applied": True}


def reasons_on_paper(town, *key: str, now: str) -> dict[str, object]:
    return json.loads(town("report", "statement_of_reasons", *key, "--data", "-o", "-", now=now).stdout)["paper"]


def settle_as_confirmation(town, day: str, now: str) -> None:
    town(
        "record", "decide", "--doubt", "D-SH-04", "--reading", "confirmation", "--because", "the manager, by memo",
        "--by", holder(town, "town_manager"), "--at", day, now=now,
    )  # fmt: skip


def test_the_steps_and_the_table_are_those_of_the_reading_that_governs(town, spill):
    assess(town, spill, "ground_gal=0", "surface_water_gal=5", "reached_water=yes")
    settle_as_confirmation(town, "2024-03-08", "2024-03-08 17:00")
    key = ("24-001", "spring_hope.spill.tell")
    (why,) = town.lines("why", *key, now="2024-03-08 17:05")
    assert why["due"] == "2024-03-09T16:00-05:00"
    assert "within 24 hours of 2024-03-08T16:00-05:00: due 2024-03-09T16:00-05:00" in [
        step.strip() for step in why["steps"]
    ]
    assert not any("due 2024-03-09T15:40" in step for step in why["steps"])
    readings = [[one["result"], one["is_applied"]] for one in of_doubt(why)["readings"]]
    assert readings == [["due Sat Mar 9, 3:40 pm", False], ["decided on 2024-03-08", True]]
    paper = reasons_on_paper(town, *key, now="2024-03-08 17:06")
    assert [(one["name"], one["result"], one["is_applied"]) for one in of_doubt(paper)["readings"]] == [
        ("first knowledge", "due Sat Mar 9, 3:40 pm", False), ("confirmation", "the answer above", True),
    ]  # fmt: skip


def test_what_was_met_before_a_doubt_was_settled_stays_as_it_was_read_and_says_so(town, spill):
    assess(town, spill, "ground_gal=0", "surface_water_gal=5", "reached_water=yes")
    town.record("state_told", spill, "2024-03-08 18:10", "way=person", "spoken_to=staff on duty")
    settle_as_confirmation(town, "2024-03-10", "2024-03-10 09:00")
    key = ("24-001", "spring_hope.spill.tell")
    (why,) = town.lines("why", *key, now="2024-03-10 09:05")
    assert "within 24 hours of 2024-03-08T15:40-05:00: due 2024-03-09T15:40-05:00" in why["steps"]
    assert [[one["result"], one["is_applied"]] for one in of_doubt(why)["readings"]] == [
        ["as it was read; decided only on 2024-03-10 as confirmation", True], ["met, due Sat Mar 9, 4:00 pm", False],
    ]  # fmt: skip
    paper = reasons_on_paper(town, *key, now="2024-03-10 09:06")
    assert (paper["state"], paper["met_at"], paper["due"]) == (
        "Met",
        "2024-03-08T18:10-05:00",
        "2024-03-09T15:40-05:00",
    )
    assert [one["is_applied"] for one in of_doubt(paper)["readings"]] == [True, False]
    assert of_doubt(paper)["settled_by"].endswith("as confirmation; what was over before stays as it was read")


def of_doubt(said: dict[str, object]) -> dict[str, object]:
    """Returns the doubt D-SH-04 from why or from the paper."""
    return next(one for one in said["doubts"] if "D-SH-04" in one.get("id", one["means"]))


@pytest.mark.parametrize(
    ("now", "then"),
    [
        ("2024-03-09 15:40", "met, in time until Sat Mar 9, 3:40 pm"),  # 24 hours from the call, to the minute
        ("2024-03-09 15:41", "met late: it was due Sat Mar 9, 3:40 pm"),
    ],
)
def test_what_would_meet_it_says_whether_in_time_or_late(town, spill, now, then):
    assess(town, spill, "ground_gal=0", "surface_water_gal=5", "reached_water=yes")
    (why,) = town.lines("why", "24-001", "spring_hope.spill.tell", now=now)
    met = [one["then"] for one in why["changes"] if one["if"].startswith("state_told")]
    assert met == [then]


def test_what_might_have_met_it_and_did_not_is_listed_with_the_reason(town, spill):
    assess(town, spill, "ground_gal=0", "surface_water_gal=5", "reached_water=yes")
    town.record("state_told", spill, "2024-03-08 15:39", "way=person", "spoken_to=staff on duty")  # call at 15:40
    town.record("state_told", spill, "2024-03-08 16:40", "way=emergency_management", "outside_business_hours=no")
    (why,) = town.lines("why", "24-001", "spring_hope.spill.tell", now="2024-03-08 17:05")
    assert why["state"] == "due"
    because = {one["when"]: one["because"] for one in why["not_counted"]}
    assert because["Fri Mar 8, 3:39 pm"] == "it was before Fri Mar 8, 3:40 pm, from which this counts"
    assert "outside_business_hours" in because["Fri Mar 8, 4:40 pm"], because
    paper = reasons_on_paper(town, "24-001", "spring_hope.spill.tell", now="2024-03-08 17:06")
    assert paper["not_counted"] == [
        {"what": "State told", "when": one["when"], "because": one["because"]} for one in why["not_counted"]
    ]


@pytest.mark.parametrize(
    ("gallons", "is_told"),
    [
        ("1000", False),
        ("1001", True),
    ],  # SORP III.A.3: over 1,000 gallons to the ground; of exactly 1,000 it says nothing
)
def test_a_decision_that_decides_nothing_says_so(town, spill, gallons, is_told):
    by = holder(town, "orc")
    assess(town, spill, f"ground_gal={gallons}", "surface_water_gal=0", "reached_water=no")
    result = town(
        "record", "decide", "--on", spill, "--fact", "reportable", "--value", "no", "--because", "a dry ditch",
        "--by", by, "--at", "16:50", now="2024-03-08 16:51",
    )  # fmt: skip
    assert ("it decides nothing, since the text itself decides:" in result.stderr) is is_told
    assert ("spill.reportable = yes by SORP III.A.3, SORP III.A.4" in result.stderr) is is_told
    assert (TELL in town.due()) is is_told


def test_a_decision_dated_back_tells_of_every_spill_whose_verdict_it_changes_and_asks(town):
    """Called at 15:40, confirmed at 16:00, told at 15:50 next day: late of the call, in time of the confirmation."""
    for place in ("Branch Street", "Oak Street"):
        spill = town.begin("spill", f"location={place}")
        town.record("call", spill, "2024-03-08 15:40", "what=sewage_in_water", now="2024-03-08 15:42")
        town.record("spill_confirmed", spill, "2024-03-08 16:00", now="2024-03-08 16:01")
        assess(town, spill, "ground_gal=0", "surface_water_gal=5", "reached_water=yes")
        told = ("2024-03-09 15:50", "way=person", "spoken_to=staff on duty")
        town.record("state_told", spill, *told, now="2024-03-09 15:52")
    manager = holder(town, "town_manager")
    reading = ("--doubt", "D-SH-04", "--reading", "confirmation", "--because", "memo", "--by", manager)
    said = town("record", "decide", *reading, "--at", "2024-03-08", now="2024-03-10 10:00").stderr
    met = [line.split("  ")[1:4] for line in said.splitlines() if " tell " in line]
    assert sorted(met) == [
        ["Met", "Sat Mar 9, 4:00 pm", "24-001 tell"],
        ["Met", "Sat Mar 9, 4:00 pm", "24-002 tell"],
    ], said
    assert "  Is that right? Decided on Fri Mar 8, 2024 is 2 days before this entry of it" in said
    said = town("record", "decide", *reading, "--at", "2024-03-09", now="2024-03-10 10:05").stderr
    assert "Is that right?" not in said
