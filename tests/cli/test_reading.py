"""Reading from the command line: lists and their filters, keys as they are typed, `may`, `show`, exports, papers, completion."""

from __future__ import annotations

import csv
import io
import json
import shutil
from pathlib import Path

import pytest
from click.shell_completion import ShellComplete

import sewershed
from sewershed.cli import main

KEYS = (  # of a line, as the design lists them
    "key", "rule", "cites", "edition", "thing", "who", "to", "state", "opened_by", "due", "met_by", "asks", "doubts",
    "if_read_as", "also", "notes",
)  # fmt: skip


@pytest.fixture
def spill(town) -> str:
    town.begin("person", "name=A. Operator")
    spill = town.begin("spill", "location=Branch Street")
    town.record("office_held", "A. Operator", "2024-03-01", "office=orc", now="2024-03-08 15:00")
    town.record("call", spill, "2024-03-08 15:40", "what=sewage_in_water", now="2024-03-08 15:42")
    town.record("spill_confirmed", spill, "2024-03-08 16:00", now="2024-03-08 16:01")
    town.record("spill_assessed", spill, "2024-03-08 16:30", "ground_gal=0", "surface_water_gal=5", "reached_water=yes")
    town.record("state_told", spill, "2024-03-08 17:00", "way=voice_mail")
    return spill


def test_a_line_as_json_has_the_keys_of_the_design_first(town, spill):
    for line in town.lines("due"):
        assert tuple(line)[: len(KEYS)] == KEYS
    tell = town.due()["tell"]
    assert (tell["who"], tell["to"], tell["thing"]) == ("orc", "regional_office", spill)
    assert town.lines("show", tell["persons"][0])[0]["label"] == "A. Operator"


def test_lists_spell_out_once_what_they_abbreviate(town, spill):
    for words in (("due",), ("why", "24-001", "tell"), ("show", "24-001")):
        said = " ".join(town(*words).stdout.split())
        assert said.count("SORP: spill response plan") == 1, words
        assert "SORP III.A.3" in said
    assert "SORP" not in town("due", "--program", "fog").stdout
    said = " ".join(town.run("record", str(town.folder), "spill_assessed", "--help").stdout.split())
    assert "decided by the operator in responsible charge" in said


def test_where_nobody_is_found_it_is_said_and_what_to_record(town, spill):
    record = f"sewershed record {town.folder} office_held --on PERSON --at DAY"
    said = " ".join(town("why", "24-001", "written").stdout.split())
    assert "whose supervisor, nobody on record, toward the regional office" in said
    assert f"Nobody is on record as supervisor. Say who it is: {record} --set office=supervisor" in said
    listed = " ".join(town("due", "--on", "24-001").stdout.split())
    assert listed.count("Nobody is on record as ") == 1
    assert f"Say who it is: {record} --set office=OFFICE, with " in listed
    town.record("office_held", "A. Operator", "2024-03-01", "office=supervisor", now="2024-03-08 17:05")
    assert "whose A. Operator (supervisor)" in " ".join(town("why", "24-001", "written").stdout.split())


def test_where_a_thing_names_nobody_the_step_that_is_missing_is_named(town):
    premises = town.begin("premises", "address=1 Ash Street")
    assembly = town.begin("assembly", f"premises={premises}", "type=RP")
    town.record("assembly_installed", assembly, "2024-03-01", now="2024-03-08 16:00")
    said = " ".join(town("due", "--on", assembly).stdout.split())
    assert (
        "The record does not say who the customer is (assembly.premises.owner). Say who it is: "
        f"sewershed record {town.folder} facts PREMISES --set owner=PERSON"
    ) in said


def test_filters_and_what_fails(town, spill):
    assert {line["thing"] for line in town.lines("due", "--on", "24-001")} == {spill}
    assert {line["who"] for line in town.lines("due", "--person", "A. Operator")} == {"orc"}
    assert {line["program"] for line in town.lines("due", "--program", "spills")} == {"spills"}
    assert town.lines("due", "--program", "fog") == []
    said = town("due", "--program", "spill", status=3).stderr
    assert said.startswith("there is no program 'spill'; did you mean 'spills'?; there are backflow, ")
    states = {line["state"] for line in town.lines("due", "--all")}
    assert {"met", "due", "closed"} <= states
    town("due", "--fail-on", "overdue")
    town("due", "--fail-on", "due", status=1)
    assert "there is no thing '24-002'" in town("due", "--on", "24-002", status=3).stderr


def test_as_of_and_known_at_are_asked_from_the_log(town, spill):
    town.now = "2024-03-10 09:00"
    then = town.due("--as-of", "2024-03-08 15:50")
    assert set(then) >= {"tell", "investigate"}
    assert "cause" not in then  # it was not confirmed yet
    later = town.due("--as-of", "2024-03-14")
    assert later["written"]["state"] == "overdue"
    assert spill in {line["thing"] for line in town.due("--known-at", "2024-03-08 15:42").values()}
    assert spill not in {line["thing"] for line in town.due("--known-at", "2024-03-08 15:41").values()}
    assert town("due", "--as-of", "2024-02-30", status=3).stderr.startswith("'2024-02-30' is not a date")


@pytest.mark.parametrize(
    "typed",
    [
        ["24-001", "tell"],
        ["Branch", "spring_hope.spill.tell"],
        ["24-001", "us.nc.spring_hope.spill.tell"],
        ["us.nc.spring_hope.spill.tell|24-001"],
        ["spill", "24-001,", "Branch", "Street", "tell"],
    ],
)
def test_a_key_is_typed_in_many_ways(town, spill, typed):
    assert town.lines("why", *typed)[0]["rule"] == "us.nc.spring_hope.spill.tell"


def test_a_spill_goes_by_its_call_until_it_is_confirmed(town, spill):
    """The first spill is 24-001 by its confirmation; the second call is C24-002, and its spill, once confirmed, 24-002."""
    other = town.begin("spill", "location=Ash Street")
    town.record("call", other, "2024-03-08 17:10", "what=smell", now="2024-03-08 17:12")
    (shown,) = town.lines("show", "C24-002")
    assert (shown["id"], shown["label"]) == (other, "call C24-002, Ash Street")
    assert {line["short_key"].split()[0] for line in town.lines("due", "--on", other)} == {"C24-002"}
    assert town.lines("why", "C24-002", "investigate")[0]["thing"] == other
    town.record("spill_confirmed", other, "2024-03-08 17:30", now="2024-03-08 17:31")
    (shown,) = town.lines("show", "24-002")
    assert (shown["id"], shown["label"]) == (other, "spill 24-002, Ash Street")


def test_every_short_key_of_the_list_leads_to_its_line(town, spill):
    lines = town.lines("due", "--all")
    for line in lines:
        assert town.lines("why", *line["short_key"].split())[0]["key"] == line["key"], line["short_key"]


def test_a_key_that_fits_nothing_or_several_says_what_there_is(town, spill):
    said = town("why", "24-001", "tel", status=3).stderr.splitlines()
    assert said[0] == (
        "no rule about spill 24-001, Branch Street ends with the words 'tel'; did you mean 'tell'?; there are:"
    )
    assert "  us.nc.spring_hope.spill.tell" in said
    assert "there is no thing '23-999'" in town("why", "23-999", "tell", status=3).stderr
    assert "no key begins with 'us.nc.spill.tell|24-001|-'" in town("why", "us.nc.spill.tell|24-001|-", status=3).stderr
    assert town("why", status=2).stderr.endswith("give the key of an answer, or --last\n")


def test_a_thing_of_several_words_is_not_taken_for_its_first_word_and_a_rule(town, spill):
    """Another spill begins with the same word: what is said is of the thing that was named, not of the other."""
    town.begin("spill", "location=Branch Road")
    said = town("why", "Branch", "Street", "tel", status=3).stderr
    assert said.startswith("no rule about spill 24-001, Branch Street ends with the words 'tel'; did you mean 'tell'?")
    assert town("why", "Branch", "Road", "tell", status=3).stderr == (
        "nothing was ever due or found about spill Branch Road\n"
    )


def test_a_thing_without_a_rule_lists_the_rules_about_it(town, spill):
    for words in (["24-001"], ["Branch", "Street"]):
        said = town("why", *words, status=3).stderr.splitlines()
        assert "  us.nc.spring_hope.spill.tell" in said
    assert town("why", "24-001", status=3).stderr.startswith("'24-001' is no key; write the thing and the last words")
    assert said[0] == "say which rule about spill 24-001, Branch Street, by its last words; there are:"


def test_a_finding_is_explained_too(town, spill):
    (why,) = town.lines("why", "24-001", "tell_counts")
    assert (why["outcome"], why["counts"]) == ("NOT_MET", False)
    assert "does not hold: event.way" in why["steps"][-1]


def test_last_is_what_is_most_urgent_about_the_thing_of_the_last_row(town, spill):
    assert town.lines("why", "--last")[0]["thing"] == spill


def test_may_asks_ahead_and_records_nothing(town, spill):
    head = town.lines("verify")[0]["head"]
    result = town("may", "area_released", "--on", "24-001", status=1)
    assert result.stdout.startswith("No: area_released on spill 24-001, Branch Street\n")
    assert result.stdout.splitlines()[2:] == [
        "  Not met      The perimeter stays until the area is clean (SORP III.C.4)",
        "               - wanting before it: area_clean (the area is clean of sewage and debris)",
        "",
        "SORP: spill response plan",
    ]
    town("record", "area_clean", "--on", "24-001", "--at", "17:30", now="2024-03-08 17:31")
    allowed = town("may", "area_released", "--on", "24-001", now="2024-03-08 18:00").stdout
    assert allowed.startswith("Yes: area_released on spill 24-001, Branch Street\n\n  Met          The perimeter")
    town("may", "area_released", "--on", "24-001", "--known-at", "2024-03-08 17:30", status=1)
    head = town.lines("verify")[0]["head"]
    town("may", "state_told", "--on", "24-001", "--set", "way=person", "--set", "spoken_to=staff")
    (finding,) = town.lines("may", "state_told", "--on", "24-001", "--set", "way=fax", status=1)
    said = " ".join(town("may", "state_told", "--on", "24-001", "--set", "way=fax", status=1).stdout.split())
    assert "- it would need: event.way == 'emergency_management' || event.way == 'person' && known(" in said
    assert (finding["outcome"], finding["counts"]) == ("NOT_MET", False)
    assert town("may", "call", "--on", "24-001").stdout.startswith("No rule of the town's books is about it: call")
    said = town("may", "area_released", "--on", "24-001", "--office", "orcs", status=3).stderr
    assert said.startswith("there is no office 'orcs'; did you mean 'orc'?")
    assert "unknown event 'area_relased'" in town("may", "area_relased", "--on", "24-001", status=3).stderr
    assert town.lines("verify")[0]["head"] == head


def test_show_has_the_rows_the_findings_and_the_offices(town, spill):
    (shown,) = town.lines("show", "24-001")
    assert [one["name"] for one in shown["rows"]] == [
        "spill",
        "call",
        "spill_confirmed",
        "spill_assessed",
        "state_told",
    ]
    assert {one["rule"]: one["outcome"] for one in shown["findings"]}["us.nc.spill.tell_counts"] == "NOT_MET"
    said = town("show", "24-001").stdout
    assert shown["rows"][1]["id"] in said
    (then,) = town.lines("show", "24-001", "--known-at", "2024-03-08 16:10", now="2024-03-08 18:00")
    assert [one["name"] for one in then["rows"]] == ["spill", "call", "spill_confirmed"]
    assert "reportable" not in {one["name"] for one in then["facts"]}
    offices = {one["office"]: one["persons"] for one in town.lines("show", "--offices")}
    assert len(offices["orc"]) == 1
    assert offices["town_manager"] == []


def test_the_log_is_exported_with_private_values_left_out(town, spill, tmp_path):
    town.record("call", spill, "2024-03-08 17:10", "what=smell", "reporter=A caller")
    rows = [json.loads(line) for line in town("export", "log").stdout.splitlines()]
    assert [row["position"] for row in rows] == list(range(1, len(rows) + 1))
    assert rows[-1]["data"]["reporter"] == "(private)"
    said = town("export", "log", "--with-private", status=3).stderr
    assert "needs a reason" in said
    asked = town("export", "log", "--with-private", "--because", "the audit of 2024").stdout.splitlines()
    rows = [json.loads(line) for line in asked]
    assert rows[-2]["data"]["reporter"] == "A caller"
    assert (rows[-1]["name"], rows[-1]["data"]["because"]) == (
        "private_values_asked",
        "export of log: the audit of 2024",
    )
    town("export", "log", "-o", str(tmp_path / "log.csv"))
    with (tmp_path / "log.csv").open(newline="") as file:
        table = list(csv.DictReader(file))
    assert json.loads(table[-1]["data"])["because"].startswith("export of log")


def test_tables_are_exported_as_csv(town, spill):
    (row,) = csv.DictReader(io.StringIO(town("export", "spill", "--format", "csv").stdout))
    assert (row["number"], row["location"], row["surface_water_gal"]) == ("24-001", "Branch Street", "5")
    header = town("export", "station", "--format", "csv").stdout.splitlines()
    assert len(header) == 1  # none yet, and the columns all the same
    town.begin("station", "name==cmd|' /C calc'!A0", "in_service_since=2000-01-01")
    (row,) = csv.DictReader(io.StringIO(town("export", "station", "--format", "csv").stdout))
    assert row["name"] == "'=cmd|' /C calc'!A0"  # a text that came in a list, and runs in no spreadsheet
    assert town("export", "spil", status=3).stderr.startswith("there is no type of thing 'spil'; there are ")
    lines = [json.loads(line) for line in town("export", "due").stdout.splitlines()]
    assert {line["state"] for line in lines} >= {"met", "due"}


def test_papers_are_drafted_and_issued(town, spill, tmp_path):
    kinds = {one["kind"]: one for one in town.lines("report")}
    assert kinds["spill_report"]["about"] == "spill"
    town("report", "spill_report", "24-001", "-o", "draft.pdf")
    assert (tmp_path / "draft.pdf").read_bytes().startswith(b"%PDF-")
    data = json.loads(town("report", "spill-report", "24-001", "--data", "-o", "-").stdout)
    assert data["frame"]["is_draft"] is True
    (issued,) = town.lines("report", "spill_report", "24-001", "--issue", "--by", "A. Operator", "--office", "orc")
    assert (issued["number"], Path(issued["path"]).parents[2]) == ("24-001", town.folder)  # in its files
    (shown,) = town.lines("show", spill)
    assert [one["number"] for one in shown["documents"]] == ["24-001"]
    why = json.loads(town("report", "statement_of_reasons", "24-001", "tell", "--data", "-o", "-").stdout)
    assert why["paper"]["key"].startswith("us.nc.spring_hope.spill.tell|")
    assert town("report", "spill_repot", "24-001", status=3).stderr.startswith(
        "there is no paper 'spill_repot'; did you mean 'spill_report'?; there are "
    )
    assert "say which spill the spill report is about" in town("report", "spill_report", status=2).stderr


def test_a_newer_supplement_is_planned_approved_and_adopted(town, spill, tmp_path):
    plan = town("adopt", "--plan").stdout
    assert plan == "The town runs these rulebooks already: there is nothing to adopt.\n"
    revised = tmp_path / "revised"
    revised.mkdir()
    shutil.copytree(Path(sewershed.__file__).parent / "rulebooks/us/nc/spring_hope", revised / "spring_hope")
    spills = revised / "spring_hope" / "spills.toml"
    spills.write_text(spills.read_text().replace('due = { within = "2 hours" }', 'due = { within = "1 hour" }'))
    (planned,) = town.lines("adopt", "--books", str(revised), "--plan", status=1)
    assert any("us.nc.spring_hope.spill.investigate" in line and "1 hour" in line for line in planned["entries"])
    assert (
        "To adopt it: --approve " + planned["plan"][:12]
        in town("adopt", "--books", str(revised), "--plan", status=1).stdout
    )
    said = town("adopt", "--books", str(revised), "--approve", "000000000000", status=3).stderr
    assert said.startswith(f"the plan is {planned['plan'][:12]} now, not 000000000000")
    town("adopt", "--books", str(revised), "--approve", planned["plan"][:12], "--number", "2")
    other = town.begin("spill", "location=Ash Street")
    town.record("call", other, "2024-03-08 17:30", "what=smell")
    assert town.due("--on", other)["investigate"]["due"] == "2024-03-08T18:30-05:00"


def test_a_supplement_whose_papers_could_not_be_written_is_not_adopted(town, tmp_path):
    revised = tmp_path / "revised" / "spring_hope"
    shutil.copytree(Path(sewershed.__file__).parent / "rulebooks/us/nc/spring_hope", revised)
    (revised / "forms/spill_response_plan.toml").write_text('paper = "spill_response_plan"\n')
    said = " ".join(town("adopt", "--books", str(revised.parent), "--plan", status=3).stderr.split())
    assert said.startswith("5 problems in the rulebooks: none is used until they are mended. us.nc.spring_hope/forms/")
    assert "spill_response_plan: 'purpose' is missing: What the plan is for" in said


def test_accounts(town, spill):
    town("account", "clerk", "--new", "--roles", "clerk", "--person", "A. Operator")
    accounts = {one["name"]: one for one in town.lines("account")}
    assert (accounts["clerk"]["roles"], accounts["clerk"]["is_active"]) == (["clerk"], True)
    town("account", "clerk", "--close")
    assert town.lines("account", "clerk")[0]["is_active"] is False
    assert town("account", "admin", "--close", status=3).stderr.startswith("admin is the last administrator")
    assert "there is no role crewe" in town("account", "x", "--new", "--roles", "crewe", status=3).stderr
    assert "Roles\n" in town("account").stdout


def completed(*words: str) -> list[str]:
    """Returns what the shell would offer after some words; the last may have been begun."""
    offered = ShellComplete(main, {}, "sewershed", "_SEWERSHED_COMPLETE").get_completions(list(words[:-1]), words[-1])
    return [item.value for item in offered]


def test_the_shell_completes_what_the_town_has(town, spill):
    folder = str(town.folder)
    assert "due" in completed("du")
    assert completed("record", folder, "spill_conf") == ["spill_confirmed"]
    assert completed("record", folder, "state_told", "--on", "24") == ["24-001"]
    assert completed("record", folder, "state_told", "--set", "sp") == ["spoken_to="]
    assert completed("record", folder, "state_told", "--by", "a.") == ["A. Operator"]
    early = town.begin(
        "spill", "location=Ash Street"
    )  # the shell asks by the town's own clock, which stands in January
    town.record("call", early, "2024-01-02 08:30", "what=smell", now="2024-01-02 09:00")
    assert completed("why", folder, "C24-0") == ["C24-002"]
    assert completed("why", folder, "C24-002", "te") == ["tell"]
    assert completed("may", folder, "area_rel") == ["area_released"]
    assert completed("report", folder, "press") == ["press_release"]
    assert completed("export", folder, "lo") == ["log"]
    assert completed("why", "nowhere", "") == []


def test_the_program_itself_exits_as_it_says(program, first_folder):
    town = str(first_folder)
    assert program("due", town, "--json").returncode == 0
    assert program("due", "nowhere").returncode == 2
    refused = program("show", town, "nothing")
    assert (refused.returncode, refused.stdout) == (3, "")
    assert refused.stderr == "there is no thing 'nothing' in the record\n"
    assert program("rules", "check").returncode == 0
    source = program(_SEWERSHED_COMPLETE="bash_source")
    assert "_sewershed_completion" in source.stdout


def test_show_speaks_of_the_towns_clock_of_people_by_name_and_of_a_withdrawal_plainly(town):
    spill = town.begin("spill", "location=Branch Street")
    crew = town.begin("person", "name=A. Crew")
    town.record("dispatched", spill, "2024-03-08 15:45", f"person={crew}", "way=telephone")
    row = town.record(
        "start_estimated", spill, "2024-03-08 16:05", "started_at=2024-03-08 14:00", "started_is=estimated", "how=by the caller",
        by=crew,
    )  # fmt: skip
    town("record", "withdraw", row, "--why", "of another spill", now="2024-03-08 16:30")
    said = " ".join(town("show", spill).stdout.split())
    assert "person A. Crew; way telephone" in said
    assert "started_at Fri Mar 8, 2:00 pm" in said
    assert f"withdrawal of row {row}" in said
    assert "recorded Fri Mar 8, 4:30 pm by admin why: of another spill" in said
    assert "done by A. Crew" in said
    assert "always" not in said
    again = town("record", "withdraw", row, "--why", "again", status=3).stderr
    assert again.startswith("it was withdrawn on Fri Mar 8, 2024, 4:30 pm by admin: of another spill")
