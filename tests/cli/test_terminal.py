"""How the command speaks of files: as whoever stands in a folder would type them."""

from __future__ import annotations

import re

import pytest

from sewershed.cli import terminal


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "HERE/town/town.toml is there already: HERE/town is a town",
            "town/town.toml is there already: town is a town",
        ),
        ("nothing lies in HERE", "nothing lies in ."),
        ("HERE-again/a.toml, HEREAFTER/b.toml and /somewhere/HERE/c.toml", None),  # other folders
        ("file:HERE/a", "file:a"),
    ],
)
def test_files_are_named_from_where_one_stands(tmp_path, monkeypatch, text, said):
    monkeypatch.chdir(tmp_path)
    full = text.replace("HERE", str(tmp_path))
    assert terminal.from_here(full) == (full if said is None else said)


def test_in_the_root_of_all_folders_nothing_is_shortened(monkeypatch):
    monkeypatch.chdir("/")
    assert terminal.from_here("/srv/town is a town") == "/srv/town is a town"


def test_messages_name_the_town_from_where_one_stands(town):
    said = town.run("init", "us.nc.spring_hope", str(town.folder), "--set", "county=Nash", status=3).stderr
    assert said == "town/town.toml is there already: town is a town. Name an empty folder.\n"
    made = town("backup").stdout.splitlines()[0]
    assert re.fullmatch(r"town/backups/[0-9TZ-]+\.tar\.gz", made)


@pytest.mark.parametrize(
    "words",
    [("export", "log", "-o", "no/x.csv"), ("backup", "-o", "no/x.csv"), ("report", "year_table", "-o", "no/x.csv")],
)
def test_what_cannot_be_written_is_refused_before_it_is_made(town, words):
    said = town(*words, status=3).stderr
    assert said == "there is no folder no to write x.csv into; make it first\n"
