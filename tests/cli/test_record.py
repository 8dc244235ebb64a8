"""Recording from the command line: every shape of input, every refusal, and what follows told."""

from __future__ import annotations

import json

import pytest


@pytest.fixture
def spill(town) -> str:
    spill = town.begin("spill", "location=Branch Street")
    town.record("call", spill, "2024-03-08 15:40", "what=sewage_on_ground", now="2024-03-08 15:42")
    return spill


def test_the_id_alone_is_printed_and_what_follows_goes_beside(town, spill):
    result = town("record", "spill_confirmed", "--on", spill, "--at", "16:00", now="2024-03-08 16:01")
    (shown,) = town.lines("show", spill)
    assert result.stdout.strip() == shown["rows"][-1]["id"]
    assert result.stderr.startswith("spill 24-001, Branch Street: row ")
    assert "  Met          Fri Mar 8, 5:40 pm  24-001 investigate" in result.stderr


@pytest.mark.parametrize("said", ['{"what": "smell"}', '{"data": {"what": "smell"}, "at": "2024-03-08T15:50"}'])
def test_fields_come_as_json_from_standard_input(town, spill, said):
    whole = "data" in json.loads(said)
    at = () if whole else ("--at", "2024-03-08 15:50")
    row = town("record", "call", "--on", spill, *at, "--json", "-", stdin=said, now="2024-03-08 15:55").stdout.strip()
    entered = town.lines("show", spill)[0]["rows"][-1]
    assert (entered["id"], entered["at"], entered["data"]) == (row, "2024-03-08T20:50:00Z", {"what": "smell"})


def test_a_row_sent_twice_under_one_id_is_one_row(town, spill):
    said = ("--set", "what=smell", "--at", "15:50", "--id", "from-the-truck-1")
    first = town("record", "call", "--on", spill, *said, now="2024-03-08 15:55").stdout
    assert town("record", "call", "--on", spill, *said).stdout == first == "from-the-truck-1\n"
    assert len(town.lines("show", spill)[0]["rows"]) == 3


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("call", "--at", "now"), "say on which spill call happened: --on THING"),
        (("call", "--on", "SPILL"), "say when with --at: 2024-03-08"),
        (("cal", "--on", "SPILL"), "no event or thing is called 'cal'; did you mean 'call'?"),
        (("call", "--on", "SPILL", "--at", "now", "--set", "smell"), "'smell' sets nothing; write FIELD=VALUE"),
        ((), "say what to record, or --list to see what there is"),
    ],
)
def test_what_is_said_wrongly_is_a_matter_of_usage(town, spill, words, message):
    words = [word.replace("SPILL", spill) for word in words]
    now = ("--now", "2024-03-08 15:55") if words and words[0] == "call" else ()
    result = town.run("record", str(town.folder), *words, *now, status=2)
    assert message in " ".join(result.stderr.split())
    assert result.stdout == ""


@pytest.mark.parametrize(
    ("settings", "at", "messages"),
    [
        (
            ["what=smel", "wat=1"],
            "15:50",
            ["call.what is 'smel': write one of manhole_overflowing", "call has no 'wat'; did you mean 'what'?"],
        ),
        ([], "16:50", ["call: 2024-03-08T16:50-05:00 has not come yet; enter it when it has happened"]),
        ([], "2024-03-10 02:30", ["does not exist in America/New_York (clocks go forward)"]),
        (["noticed_at=2024-02-30"], "15:50", ["'2024-02-30' is not a date; 2024-02 has the days 01 to 29"]),
    ],
)
def test_data_that_is_refused_is_named_whole_and_nothing_is_entered(town, spill, settings, at, messages):
    fields = [word for one in settings for word in ("--set", one)]
    result = town("record", "call", "--on", spill, "--at", at, *fields, now="2024-03-08 15:55", status=3)
    said = " ".join(result.stderr.split())
    assert [message for message in messages if message not in said] == []
    assert len(town.lines("show", spill)[0]["rows"]) == 2


def test_json_that_is_none_or_says_too_much(town, spill):
    def refused(said: str) -> str:
        words = ("call", "--on", spill, "--at", "15:50", "--json", "-")
        return town("record", *words, stdin=said, now="2024-03-08 15:55", status=3).stderr

    assert refused("{what").startswith("<stdin> is not JSON: ") or refused("{what").startswith("- is not JSON: ")
    assert "holds no object" in refused("[1]")
    assert "unknown key colour; beside data there may be thing, at" in refused('{"data": {}, "colour": 1}')
    # A number with its digits stays as it was entered, also in JSON.
    row = town(
        "record", "spill_assessed", "--on", spill, "--at", "15:50", "--json", "-", stdin='{"ground_gal": 12.50}'
    ).stdout.strip()
    entered = next(one for one in town.lines("show", spill)[0]["rows"] if one["id"] == row)
    assert entered["data"] == {"ground_gal": "12.50"}


def test_values_are_read_by_their_type(town, spill):
    town.begin("person", "name=A. Operator")
    row = town.record(
        "cause_found", spill, "2024-03-08 16:00", "causes=grease,roots", "rags=yes", "description=Rags, and grease"
    )
    entered = next(one for one in town.lines("show", spill)[0]["rows"] if one["id"] == row)
    assert entered["data"] == {"causes": ["grease", "roots"], "rags": True, "description": "Rags, and grease"}
    row = town.record("start_estimated", spill, "2024-03-08 16:05", "started_at=2024-03-08 9:30", "how=seen")
    entered = next(one for one in town.lines("show", spill)[0]["rows"] if one["id"] == row)
    assert entered["data"]["started_at"] == "2024-03-08T14:30:00Z"
    row = town.record("dispatched", spill, "2024-03-08 16:06", "person=a. operator", "way=")
    entered = next(one for one in town.lines("show", spill)[0]["rows"] if one["id"] == row)
    assert town.lines("show", entered["data"]["person"])[0]["label"] == "A. Operator"
    assert entered["data"]["way"] is None  # set to nothing: asked and not known


def test_a_photograph_is_kept_with_the_thing_it_shows(town, spill, tmp_path):
    photo = tmp_path / "manhole.png"
    photo.write_bytes(b"\x89PNG\r\n\x1a\nand so on")
    town.record("photographs_taken", spill, "2024-03-08 16:00", "stage=on_site", f"files=@{photo}")
    thing = town("record", "attach", spill, str(photo), "--caption", "the same again").stdout.strip()
    (shown,) = town.lines("show", spill)
    first, second = shown["attachments"]
    assert first["file"] == second["file"] == shown["rows"][-1]["data"]["files"][0]
    assert (second["id"], second["caption"], first["name"]) == (thing, "the same again", "manhole.png")
    said = town(
        "record", "photographs_taken", "--on", spill, "--at", "16:01", "--set", "files=@no.png", now="2024-03-08 16:02",
        status=3,
    ).stderr  # fmt: skip
    assert said == "there is no file 'no.png' to attach\n"


def test_a_row_is_corrected_and_withdrawn_with_a_reason(town, spill):
    row = town.record("spill_assessed", spill, "2024-03-08 16:00", "ground_gal=100")
    town(
        "record",
        "correct",
        row,
        "--why",
        "misread",
        "--set",
        "ground_gal=1500",
        "--at",
        "16:02",
        now="2024-03-08 17:00",
    )
    town("record", "withdraw", row, "--why", "another spill", now="2024-03-08 17:05")
    rows = town.lines("show", spill)[0]["rows"]
    assert [(one["name"], one["stands"], one["why"]) for one in rows[-3:]] == [
        ("spill_assessed", "withdrawn", None),
        ("spill_assessed", "withdrawn", "misread"),
        ("", "withdrawal", "another spill"),
    ]
    assert town("record", "withdraw", row, "--why", "again", status=3).stderr.startswith("it was withdrawn on ")
    assert "Missing option '--why'" in town("record", "withdraw", row, status=2).stderr


def test_facts_of_a_thing_from_a_day_on(town, spill):
    town(
        "record",
        "facts",
        "C24-001",
        "--set",
        "incident_number=202400321",
        "--alias",
        "the creek spill",
        now="2024-03-08 16:00",
    )
    (shown,) = town.lines("show", "the creek spill")
    assert {one["name"]: one["value"] for one in shown["facts"]}["incident_number"] == "202400321"
    said = town("record", "facts", "C24-001", "--set", "is_prolonged=yes", status=3).stderr
    assert said.startswith("spill.is_prolonged is decided by orc; record who decided it, when and why (decided)")


def test_two_calls_of_one_spill_are_joined_and_taken_apart(town, spill):
    other = town.begin("spill", "location=Branch St at the bridge")
    town.record("call", other, "2024-03-08 15:50", "what=sewage_in_water")
    batch = town("record", "join", other, spill, "--why", "one manhole").stdout.strip()
    assert calls(town, spill) == ["call", "call"]
    assert town.lines("show", other)[0]["joined_into"] == spill
    town("record", "undo", batch, "--why", "two manholes after all")
    assert (calls(town, spill), calls(town, other)) == (["call"], ["call"])


def calls(town, spill) -> list[str]:
    rows = town.lines("show", spill)[0]["rows"]
    known = town.lines("show", spill)[0]["id"]
    return [one["name"] for one in rows if (one["name"], one["stands"], one["thing"]) == ("call", "stands", known)]


def test_list_prints_what_the_vocabulary_has(town):
    events = {one["event"]: one for one in map(json.loads, town.run("record", str(town.folder), "--list", "--json").stdout.splitlines()) if "event" in one}  # fmt: skip
    assert events["call"]["on"] == "spill"
    assert next(field for field in events["state_told"]["fields"] if field["name"] == "way")["required"] is True
    said = town.run("record", str(town.folder), "--list", "--about", "spill").stdout
    assert "spill new\n" in said
    assert "\n    call\n" in said
    assert "person, voice_mail, fax, emergency_management, email (needed)" in said
    assert "\n    pump_run" not in said
    assert town.run("record", str(town.folder), "--list", "--about", "spil", status=3).stderr.startswith(
        "nothing is called 'spil'"
    )


def test_the_help_of_an_event_shows_its_fields(town):
    said = town.run("record", str(town.folder), "state_told", "--help").stdout
    assert "way                     person, voice_mail, fax, emergency_management, email (needed)" in said
    assert "sewershed record TOWN state_told --on SPILL" in said
    said = town.run("record", str(town.folder), "spill", "--help").stdout
    assert "location" in said
    assert "spill new" in said


def test_only_an_example_town_takes_another_now(run, first_folder, tmp_path):
    run("init", "us.nh.hampton", "real")
    said = run("due", "real", "--now", "2024-03-08 15:55", status=3).stderr
    assert said == "Hampton is not an example town: its record keeps the real time. Leave out --now.\n"


def test_an_account_may_do_what_its_roles_say(town, spill):
    town("account", "auditor", "--new", "--roles", "auditor")
    said = town("record", "spill_confirmed", "--on", spill, "--at", "16:00", "--as", "auditor", now="2024-03-08 16:01", status=3).stderr  # fmt: skip
    assert said.startswith("auditor may not record in spills (its roles: auditor)")
    town.record("call", spill, "2024-03-08 16:05", "what=smell", "reporter=A caller")
    shown = town.lines("show", spill, "--as", "auditor")[0]["rows"][-1]
    assert shown["data"]["reporter"] == "(private)"
    assert town("due", "--as", "nobody", status=3).stderr.startswith("there is no account 'nobody'; there are admin")


def test_what_happened_to_the_town_needs_no_name_of_it(town):
    town("record", "plan_revised", "--at", "2024-03-01", "--set", "version=March 2024", now="2024-03-08 15:55")
    (shown,) = town.lines("show", "Spring Hope")
    assert [row["data"] for row in shown["rows"] if row["name"] == "plan_revised"] == [{"version": "March 2024"}]


def test_of_a_row_that_does_not_count_the_line_is_given_that_corrects_it(town, spill):
    said = ("state_told", "--on", spill, "--at", "15:50", "--set", "way=person")
    result = town("record", *said, now="2024-03-08 15:55")
    row = result.stdout.strip()
    assert f"correct {row} --why ... --set ..." in result.stderr
    town("record", "correct", row, "--why", "the name was left out", "--set", "spoken_to=Staff", now="2024-03-08 15:56")
    told = town("record", *said, "--set", "spoken_to=Staff", now="2024-03-08 15:57")
    assert "Does not count" not in told.stderr
