"""What is asked of nothing: an empty word, a time before the record, a name that is none, a paper without a place."""

from __future__ import annotations

import re
from pathlib import Path

import pytest


@pytest.mark.parametrize(
    ("words", "param"),
    [
        (("due", "--on", ""), "'--on'"),
        (("due", "--person", ""), "'--person'"),
        (("due", "--program", ""), "'--program'"),
        (("due", "--as-of", ""), "'--as-of'"),
        (("show", ""), "'[THING]'"),
        (("record", "decide", "--on", "", "--because", "x", "--at", "now"), "'--on'"),
        (("record", "call", "--on", "x", "--at", "now", "--by", ""), "'--by'"),
    ],
)
def test_an_empty_word_means_neither_all_nor_nobody(town, words, param):
    refused = town(*words, status=2).stderr
    assert f"Invalid value for {param}: it is empty; leave it out, or say something" in refused


def test_before_the_record_nothing_was_known(town):
    for words in (("due",), ("show", "town"), ("may", "plan_reviewed", "--on", "town")):
        refused = town(*words, "--known-at", "2020-01-01", status=3)
        assert refused.stderr.startswith(
            "nothing was known on Wed Jan 1, 2020, 11:59:59 pm: the first row was recorded on Tue Jan 2, 2024, 9:00"
        )


def test_what_is_listed_about_a_word_is_of_that_word(town, run):
    folder = str(town.folder)
    about_town = run("record", folder, "--list", "--about", "town").stdout
    assert [line for line in about_town.splitlines() if re.fullmatch(r"\w+ new", line)] == [
        "town new"
    ]  # a program has that name too
    about_spills = run("record", folder, "--list", "--about", "spills").stdout
    assert [line for line in about_spills.splitlines() if re.fullmatch(r"\w+ new", line)] == [
        "spill new",
        "equipment new",
    ]
    assert "caller_followed_up" in about_spills
    refused = run("record", folder, "--list", "--about", "spil", status=3).stderr
    assert refused == "nothing is called 'spil'; did you mean 'spill'?\n"


def test_a_field_that_there_is_not_brings_those_there_are(town):
    spill = town.begin("spill", "location=Elm Street")
    assert town("record", "facts", spill, "--set", "wether=dry", status=3).stderr == (
        "spill has no 'wether'; did you mean 'weather'?\n"
    )
    decision = ("--value", "yes", "--because", "the pipe is deep", "--at", "now")
    refused = town("record", "decide", "--on", spill, "--fact", "is_prolong", *decision, status=3).stderr
    assert refused == "spill has no 'is_prolong'; did you mean 'is_prolonged'?\n"
    refused = town("record", "dispatched", "--on", spill, "--at", "now", "--set", "colour=red", status=3).stderr
    assert "dispatched has no 'colour'; it has person, way, equipment" in refused


def test_a_paper_that_is_issued_without_a_place_lies_in_the_town_s_files(town, tmp_path):
    spill = town.begin("spill", "location=Elm Street")
    before = set(tmp_path.iterdir())
    issued = town("report", "spill_report", spill, "--issue")
    assert set(tmp_path.iterdir()) == before
    path = issued.stdout.strip()
    assert path.startswith(f"{town.folder}/files/")
    assert Path(path).read_bytes().startswith(b"%PDF-")
    assert "issued and kept in the town's files; -o writes a copy." in issued.stderr
    drawn = town("report", "spill_report", spill)
    assert drawn.stdout.strip() in {path.name for path in tmp_path.iterdir()}
    assert "a draft: nothing was kept; written here, -o says where else." in drawn.stderr


def test_a_command_says_what_time_it_is_where_the_last_row_is_later(town, run):
    """The clock of the town began at 9:00 on 2 January; a row is entered with --now, two months on."""
    town("record", "spill", "new", "--set", "location=Elm Street", now="2024-03-08 15:42")
    said = run("due", str(town.folder)).stderr
    assert said.startswith("It is Tue Jan 2, 2024, 9:0")
    assert "recorded later, on Fri Mar 8, 2024, 3:42 pm, with --now" in " ".join(said.split())
    assert town("due").stderr == ""


def test_nothing_is_said_of_the_clock_where_it_is_past_the_last_row(first_folder, run):
    assert run("due", str(first_folder)).stderr == ""
