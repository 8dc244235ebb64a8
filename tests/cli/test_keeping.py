"""Keeping a record whole from the command line: walked, backed up, restored, examined, mended, and faults found behind our back."""

from __future__ import annotations

import json
import sqlite3

import pytest


@pytest.fixture
def spill(town) -> str:
    spill = town.begin("spill", "location=Branch Street")
    town.record("call", spill, "2024-03-08 15:40", "what=sewage_on_ground", now="2024-03-08 15:42")
    return spill


def behind_our_back(town, *statements: str) -> None:
    """Changes the log as somebody with the file in their hands could."""
    with sqlite3.connect(town.folder / "town.db") as database:
        guards = database.execute(
            "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'log'"
        ).fetchall()
        for name, _ in guards:
            database.execute(f"DROP TRIGGER {name}")
        for statement in statements:
            database.execute(statement)
        for _, text in guards:
            database.execute(text)
    database.close()


def test_a_sound_record(town, spill):
    (found,) = town.lines("verify")
    assert (found["rows"], found["faults"]) == (4, [])
    assert found["head"].startswith("4:")
    said = town("verify").stdout
    assert said.splitlines()[0] == "4 rows, each as it was written."
    assert town.lines("verify", "--head", found["head"])[0]["faults"] == []


def test_a_row_that_was_changed_is_named(town, spill):
    behind_our_back(town, 'UPDATE log SET data = \'{"what":"smell"}\' WHERE position = 4')
    (found,) = town.lines("verify", status=1)
    (fault,) = found["faults"]
    assert fault.startswith("row 4 (")
    assert fault.endswith("it, or its hash, was changed after it was written")
    assert "  ! row 4 (" in town("verify", status=1).stdout


def test_rows_cut_off_at_the_end_are_found_by_a_head_written_down(town, spill):
    head = town.lines("verify")[0]["head"]
    behind_our_back(town, "DELETE FROM log WHERE position = 4")
    assert town.lines("verify")[0]["faults"] == []  # nobody could tell without the paper
    (fault,) = town.lines("verify", "--head", head, status=1)[0]["faults"]
    assert fault.startswith("the log ends at row 3, but row 4 was written down: 1 rows were cut off at the end.")
    said = town("verify", "--head", "four", status=3).stderr
    assert said.startswith("'four' is not the head of a log; it is written 1234:0123456789abcdef0123")


def test_recompute_gives_what_is_stored_and_mends_what_is_not(town, spill):
    assert town.lines("recompute")[0]["differences"] == []
    with sqlite3.connect(town.folder / "town.db") as database:
        database.execute("UPDATE obligation SET state = 'met' WHERE rule = 'us.nc.spring_hope.spill.investigate'")
    database.close()
    (found,) = town.lines("recompute", status=1)
    assert len(found["differences"]) == 2  # what stood there, and what stands there now
    assert town.lines("recompute")[0]["differences"] == []


def test_a_backup_restores_to_the_same_head(town, spill, tmp_path):
    (made,) = town.lines("backup", "-o", str(tmp_path / "town.tar.gz"))
    (restored,) = map(json.loads, town.run("restore", made["path"], "again", "--json").stdout.splitlines())
    assert restored["head"] == made["head"] == town.lines("verify")[0]["head"]
    assert restored["things"] == 2
    said = town.run("restore", made["path"], "again", status=3).stderr
    assert "is a town. Name an empty folder." in said
    (tmp_path / "broken.tar.gz").write_bytes(b"not one")
    assert "cannot be read as a backup" in town.run("restore", "broken.tar.gz", "other", status=3).stderr
    assert not (tmp_path / "other").exists()


def test_the_doctor_says_what_is_wrong_and_mends_what_loses_nothing(town, spill):
    def ailments(*words: str, status: int = 1) -> list[dict[str, object]]:
        result = town.run("doctor", str(town.folder), *words, "--json", status=status)
        return [json.loads(line) for line in result.stdout.splitlines()]

    town("backup", now="2024-03-08 16:00")
    (town.folder / "secret.toml").chmod(0o644)
    found = ailments()
    assert [one["can_be_mended"] for one in found if "can be read by others" in str(one["what"])] == [True]
    assert all(one["what"] and one["matters"] and one["do"] for one in found)
    mended = ailments("--mend")
    assert any("can be read by others" in str(one.get("mended", "")) for one in mended)
    assert not any("can be read by others" in str(one.get("what", "")) for one in ailments())
    said = town.run("doctor", "no-town", status=2).stderr
    assert "Directory 'no-town' does not exist" in said


def test_a_folder_that_is_no_town_is_a_matter_of_usage(run, tmp_path):
    (tmp_path / "empty").mkdir()
    for words in (("due", "empty"), ("record", "empty", "call"), ("verify", "empty")):
        said = " ".join(run(*words, status=2).stderr.split())
        assert "'empty' is not the folder of a town: it has no town.toml. Make one with `sewershed init`." in said
    assert "'nowhere' is not the folder of a town" in " ".join(run("due", "nowhere", status=2).stderr.split())


def test_a_town_is_made_once_and_of_a_book_that_there_is(run):
    made = json.loads(run("init", "us.nh.hampton", "hampton", "--administrator", "boss", "--json").stdout)
    assert (made["name"], made["book"], made["administrator"]) == ("Hampton", "us.nh.hampton", "boss")
    assert "is there already" in run("init", "us.nh.hampton", "hampton", status=3).stderr
    said = run("init", "us.nh.hamptn", "other", status=3).stderr
    assert said.startswith("there is no rulebook 'us.nh.hamptn'; there are us, us.nc")
    assert run("due", "hampton").stdout.startswith("Hampton  ")


def test_a_town_runs_on_postgresql_and_moves_to_a_file(run, postgres_database):
    run("init", "us.nc.spring_hope", "large", "--database", postgres_database, "--set", "county=Nash")
    spill = run("record", "large", "spill", "new", "--set", "location=Ash Street").stdout.strip()
    run("record", "large", "call", "--on", spill, "--at", "now", "--set", "what=smell")
    keys = [json.loads(line)["key"] for line in run("due", "large", "--on", spill, "--json").stdout.splitlines()]
    assert keys
    (backup,) = map(json.loads, run("backup", "large", "--json").stdout.splitlines())
    (again,) = map(json.loads, run("restore", backup["path"], "small", "--json").stdout.splitlines())
    assert again["head"] == backup["head"]
    assert [
        json.loads(line)["key"] for line in run("due", "small", "--on", spill, "--json").stdout.splitlines()
    ] == keys
    assert run("recompute", "small").stdout.endswith("It is what was stored.\n")
