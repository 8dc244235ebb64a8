"""`sewershed import`: the plan first, then approved or refused; what must be said; lines to mend; the same list twice; undone."""

from __future__ import annotations

import csv
import json
from pathlib import Path

STATIONS = """LS #,Lift Station Name,In Service,Generator
1,Branch Street,01/16/2014,On site
2,Mill,03/02/1998,portable
3,School,13/45/2009,none
"""


def write(name: str, text: str) -> str:
    Path(name).write_text(text)
    return name


def test_a_plan_is_read_approved_applied_and_undone(town):
    file = write("stations.csv", STATIONS)
    said = town("import", file, "--as-thing", "station", "--plan", status=1).stdout
    assert "Lift Station Name  name  (it is so called in the record)" in said
    assert "line 4  cannot be read: In Service is '13/45/2009': there is no such day" in said
    assert "3 lines: 2 begin, 1 cannot be read." in said
    plan = said.rsplit("--approve ", 1)[1].strip()
    town("import", file, "--as-thing", "station", "--approve", "0" * 12, status=3)
    done = town("import", file, "--as-thing", "station", "--approve", plan, "--not-read", "mend.csv", status=1)
    batch = done.stdout.strip()
    (head, row) = list(csv.reader(Path("mend.csv").read_text("utf-8-sig").splitlines()))
    assert head[-2:] == ["Why it was not taken", "Line of the file"]
    assert row == ["3", "School", "13/45/2009", "none", "In Service is '13/45/2009': there is no such day", "4"]
    labels = [json.loads(line)["label"] for line in town("export", "station").stdout.splitlines()]
    assert sorted(labels) == ["Branch Street", "Mill"]
    again = town("import", file, "--as-thing", "station", "--plan", status=1).stdout
    assert "3 lines: 2 stay as they are, 1 cannot be read." in again
    assert "There is nothing to bring in." in again
    town("record", "undo", batch, "--why", "the wrong file")
    assert town("export", "station").stdout == ""


def test_every_line_stands_in_the_json(town):
    file = write("stations.csv", STATIONS)
    head, *lines = town.lines("import", file, "--as-thing", "station", "--plan", status=1)
    assert {name: head[name] for name in ("lines", "begin", "same", "refused", "key")} == {
        "lines": 3, "begin": 2, "same": 0, "refused": 1, "key": ["LS #"],
    }  # fmt: skip
    assert [(one["line"], one["does"], one["id"]) for one in lines] == [
        (2, "begin", "1"), (3, "begin", "2"), (4, "refused", "3"),
    ]  # fmt: skip
    assert lines[0]["data"] == {"name": "Branch Street", "in_service_since": "2014-01-16", "generator": "on_site"}
    (done,) = town.lines("import", file, "--as-thing", "station", "--apply", status=1)
    assert (done["begin"], done["plan"]) == (2, head["plan"])


def test_what_is_still_to_be_said_is_refused_with_what_to_type(town):
    town.begin("station", "name=Mill", "in_service_since=2000-01-01")
    file = write("rounds.csv", "Date,Station\n3/4/2024,Mill\n")
    said = town("import", file, "--event", "station_visited", "--plan", status=3).stderr
    assert "answer with --answer" in " ".join(said.split())
    assert '--answer "Date.day_order=mdy"' in " ".join(said.split())
    town("import", file, "--event", "station_visited", "--answer", "Date.day_order=mdy", "--apply")
    (line,) = town.lines(
        "import", file, "--event", "station_visited", "--answer", "Date.day_order=dmy", "--plan", status=1
    )[1:]
    assert line["reasons"] == ["station_visited: 2024-04-03 has not come yet; enter it when it has happened"]
    other = write("names.csv", "Who\nMill\n")
    said = town("import", other, "--as-thing", "station", "--plan", status=3).stderr
    assert "say which column tells one station from another" in " ".join(said.split())
    said = town("import", other, "--event", "station_visited", "--map", "Who=thing", "--plan", status=3).stderr
    assert "--map COLUMN=at" in " ".join(said.split())


def test_a_choice_that_many_share_tells_none_from_another(town):
    """By hand: two assemblies of one type at one address are two, told apart by their serials."""
    town("import", write("at.csv", "Address\n1 Mill Race\n"), "--as-thing", "premises", "--apply")
    file = write("backflow.csv", "Type,Serial Number,Address\nRP,0041,1 Mill Race\nRP,0042,1 Mill Race\n")
    head, *_ = town.lines("import", file, "--as-thing", "assembly", "--plan")
    assert (head["key"], head["begin"]) == (["Serial Number"], 2)


def test_columns_are_said_where_their_names_do_not_tell(town):
    file = write("list.csv", "A,B,C\nMill,2,x\n")
    words = (
        "--as-thing",
        "station",
        "--map",
        "A=name",
        "--map",
        "B=pumps",
        "--key",
        "A",
        "--same",
        "in_service_since=2014-01-16",
    )
    (line,) = town.lines("import", file, *words, "--plan")[1:]
    assert line["data"] == {"name": "Mill", "pumps": "2", "in_service_since": "2014-01-16"}
    said = town("import", file, *words, "--map", "C=nothing", "--plan", status=3).stderr
    assert "station has no 'nothing'" in said


def test_how_it_is_typed(town):
    file = write("list.csv", "A\nx\n")
    assert "--as-thing TYPE or --event EVENT" in town("import", file, "--plan", status=2).stderr
    assert "see first what would change with --plan" in " ".join(
        town("import", file, "--as-thing", "station", status=2).stderr.split()
    )
    assert "no lists of 'stashun'" in town("import", file, "--as-thing", "stashun", "--plan", status=3).stderr
    assert "NAME=VALUE" in town("import", file, "--as-thing", "station", "--map", "A", "--plan", status=2).stderr
    empty = write("empty.csv", "")
    assert "empty" in town("import", empty, "--as-thing", "station", "--plan", status=3).stderr
