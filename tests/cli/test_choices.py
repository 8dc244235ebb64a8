"""Fields whose words stand in the record or in the town's books: what is none of them is refused, with those there are.

Expected words come from the state's form and its table of offices as the books hold them, and from what each test enters.
"""

from __future__ import annotations

import pytest


@pytest.fixture
def spill(town) -> str:
    return town.begin("spill", "location=Branch Street")


def test_a_call_goes_by_its_number_or_its_row_and_by_nothing_else(town, spill):
    town("record", "person", "new", "--set", "name=A. Operator")
    words = ("record", "caller_followed_up", "--on", spill, "--at", "now", "--set")
    refused = town(*words, "call=C24-001", status=3)
    assert refused.stderr == "caller_followed_up.call is 'C24-001': nothing is recorded here as call\n"
    call = town.record("call", spill, "2024-03-08 15:42", "what=smell")
    for named in ("C24-001", call):
        row = town(*words, f"call={named}").stdout.strip()
        (shown,) = [one for one in town.lines("show", spill)[0]["rows"] if one["id"] == row]
        assert shown["data"]["call"] == call
    other = town.begin("spill", "location=Elm Street")
    town.record("call", other, "2024-03-08 15:42", "what=smell")
    refused = town(*words, "call=C24-002", status=3)  # a call of another spill
    assert refused.stderr == ("caller_followed_up.call is 'C24-002': write one of C24-001 (Fri Mar 8, 2024, 3:42 pm)\n")


def test_an_estimate_is_chosen_by_its_row_and_after_a_correction_as_well(town, spill):
    estimate = town.record("volume_estimated", spill, "2024-03-08 15:42", "method=eyeball", "result_gal=40")
    corrected = town("record", "correct", estimate, "--why", "misread", "--set", "result_gal=45").stdout.strip()
    row = town.record("volume_chosen", spill, "2024-03-08 15:42", f"estimate={corrected}")
    (shown,) = [one for one in town.lines("show", spill)[0]["rows"] if one["id"] == row]
    assert shown["data"]["estimate"] == estimate


def test_estimates_to_choose_from_say_their_method_and_result(town, spill):
    estimate = town.record("volume_estimated", spill, "2024-03-08 15:42", "method=area_depth", "result_gal=40")
    words = ("record", "volume_chosen", "--on", spill, "--at", "now", "--set", "estimate=first")
    assert town(*words, status=3).stderr == (
        f"volume_chosen.estimate is 'first': write one of {estimate} (area depth, 40, Fri Mar 8, 2024, 3:42 pm)\n"
    )


def test_a_question_is_one_that_the_form_asks_about_its_cause(town, spill):
    words = ("record", "form_answered", "--on", spill, "--at", "now", "--set", "answer=Yes")
    town(*words, "--set", "cause=roots", "--set", "question=program")
    refused = town(*words, "--set", "cause=roots", "--set", "question=progam", status=3)
    assert refused.stderr == (
        "form_answered.question is 'progam': write one of program, cleaning_increased, actions, inspected; "
        "did you mean 'program'?\n"
    )
    refused = town(*words, "--set", "cause=root", "--set", "question=program", status=3)
    assert "form_answered.cause is 'root': write one of natural_conditions, grease, roots" in refused.stderr
    row = town(*words, "--set", "cause=roots", "--set", "question=program").stdout.strip()
    refused = town("record", "correct", row, "--why", "typed wrong", "--set", "question=ordinance", status=3)
    assert refused.stderr.startswith("form_answered.question is 'ordinance': write one of program")


def test_help_and_list_show_the_words(town, run):
    folder = str(town.folder)
    shown = run("record", folder, "form_answered", "--help").stdout
    assert "cause=roots" in shown
    assert "- program: " in shown
    listed = run("record", folder, "--list", "--about", "form_answered").stdout
    assert "- program: " in listed
    assert "One of natural_conditions, grease, roots" in " ".join(listed.split())
    assert (
        "a call of the same thing, by its number or its row's id"
        in run("record", folder, "caller_followed_up", "--help").stdout
    )
    assert "number, in gallon, 0 or more" in run("record", folder, "volume_estimated", "--help").stdout


def test_an_unknown_county_is_refused_with_the_nearest(run, tmp_path):
    refused = run("init", "us.nc.spring_hope", str(tmp_path / "t"), "--set", "county=Nsh", status=3)
    assert refused.stderr.startswith("town.county is 'Nsh': write one of Avery, ")
    assert refused.stderr.endswith("(100 in all); did you mean 'Nash'?\n")
    run(
        "init", "us.nh.hampton", str(tmp_path / "u"), "--set", "county=Rockingham"
    )  # its books know no county: any is taken


def test_an_office_is_one_of_the_book(town):
    town("record", "person", "new", "--set", "name=A. Operator")
    refused = town("record", "office_held", "--on", "A. Operator", "--at", "today", "--set", "office=ocr", status=3)
    assert refused.stderr.endswith("did you mean 'orc'?\n")


def test_what_cannot_be_is_refused(town, spill):
    refused = town(
        "record", "volume_estimated", "--on", spill, "--at", "now", "--set", "method=eyeball", "--set", "result_gal=-5", status=3
    )  # fmt: skip
    assert refused.stderr == "volume_estimated.result_gal is '-5': write 0 or more\n"
    refused = town(
        "record", "start_estimated", "--on", spill, "--at", "now", "--set", "started_at=2024-03-08 15:43", status=3
    )
    assert refused.stderr == (
        "start_estimated.started_at: 2024-03-08T15:43-05:00 has not come yet; enter it when it has happened\n"
    )
