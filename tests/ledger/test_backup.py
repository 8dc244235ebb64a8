"""A backup restores to either database with the same head and the same answers; the doctor says what is wrong."""

from __future__ import annotations

import io
import json
import shutil
import tarfile
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from django.db import connection

from sewershed.ledger import actions, backup, clock, files, guards, log, rights, tables, working
from sewershed.ledger.errors import NotFound, TownError
from sewershed.ledger.log import Head
from sewershed.ledger.models import TABLES, Account, Heartbeat, Thing
from sewershed.ledger.verify import verify
from sewershed.project.examining import examine, mend
from sewershed.project.opening import open_town
from sewershed.project.restoring import restore

SQLITE = "sqlite:town.db"
COMPARED = {model: [c for c in tables.columns_of(model) if c not in ("computed_at", "is_stale")] for model in TABLES}


@pytest.fixture
def yard(town, admin) -> str:
    person = actions.set_facts("p1", {"name": "Ä. Person ☂"}, as_account=admin, type="person").thing
    actions.open_account(
        "clerk", as_account=admin, roles={"clerk"}, person=person, password="a long enough pass phrase"
    )
    yard = actions.set_facts("y1", {"address": "1 Main Street", "owner": person}, as_account=admin, type="yard").thing
    call = actions.record("complaint", yard, as_account=admin, at="2024-03-08T15:40", data={"depth_in": "2.50"})
    actions.correct(call.id, as_account=admin, why="a slip", data={"depth_in": "2.5"})
    actions.attach(yard, b"%PDF-1 sheet", as_account=admin, name="sheet.pdf", mime="application/pdf")
    actions.issue(
        "notice", yard, lambda _: actions.Paper(b"%PDF-1 paper", b"{}"), as_account=admin, template="notice@1"
    )
    return yard


def everything() -> dict[str, list[tuple[object, ...]]]:
    """All that follows from the log, whatever the database."""
    return {
        model.__name__: sorted(map(str, model.objects.values_list(*columns))) for model, columns in COMPARED.items()
    }


def packed(path: Path) -> dict[str, bytes]:
    with tarfile.open(path) as archive:
        return {member.name: archive.extractfile(member).read() for member in archive if member.isfile()}


def repacked(path: Path, content: dict[str, bytes]) -> Path:
    with tarfile.open(path, "w:gz") as archive:
        for name, one in content.items():
            member = tarfile.TarInfo(name)
            member.size = len(one)
            archive.addfile(member, io.BytesIO(one))
    return path


def test_there_and_back_the_head_and_the_answers_are_the_same(town, yard, tmp_path, postgres_database):
    head, before = log.head(), everything()
    instant = clock.now()
    made = backup.write(tmp_path / "one.tar.gz")
    assert (made.head, made.faults) == (head, ())
    path = made.path
    for number, address in enumerate((postgres_database, SQLITE)):
        there = restore(path, tmp_path / f"there{number}", database=address)
        assert there.head == head == log.head()
        assert connection.vendor == ("postgresql" if number == 0 else "sqlite")
        assert everything() == before
        assert verify().is_sound
        with clock.at(instant):
            assert working.recompute().differences == ()
        assert Account.objects.get(name="clerk").check_password("a long enough pass phrase")
        facts = Thing.objects.get(type="attachment")
        assert facts.label == "sheet.pdf"
        path = backup.write(tmp_path / f"again{number}.tar.gz").path
    assert packed(path)["log.jsonl"] == packed(made.path)["log.jsonl"]
    actions.record("yard_inspected", yard, as_account=rights.owner(), at="2024-03-09")  # and it goes on
    assert log.head().position == head.position + 1


def test_all_that_a_town_keeps_is_in_its_backup_and_comes_back(town, yard, tmp_path):
    laid = {
        "files/map/Town limits.geojson": b"{}",
        "files/map/caf\u00e9.geojson": b"[]",
        "files/map/x..y (2).json": b"1",
        "files/map/old/streets.geojson": b"2",
        f"files/map/{'a' * 64}": b"a name as long as a hash, and none",
        "files/notes for the auditor.txt": b"3",
        "rulebooks/own/programs/dogs/vocabulary.toml": b"",
    }
    for name, content in laid.items():
        (town.folder / name).parent.mkdir(parents=True, exist_ok=True)
        (town.folder / name).write_bytes(content)
    (tmp_path / "creeks.geojson").write_bytes(b"4")
    (town.maps / "creeks.geojson").symlink_to(tmp_path / "creeks.geojson")
    left_out = {"mail/one.eml", "files/map/.DS_Store", "backups/old.tar.gz", "secret.toml"}
    for name in left_out - {"secret.toml"}:
        (town.folder / name).parent.mkdir(exist_ok=True)
        (town.folder / name).write_bytes(b"-")
    held = {path.relative_to(town.folder).as_posix() for path in town.folder.rglob("*") if path.is_file()}
    database = {name for name in held if name.startswith("town.db")}
    content = packed(backup.write(tmp_path / "one.tar.gz").path)
    assert held - content.keys() == left_out | database
    assert content.keys() - held == {"backup.json", "log.jsonl", "accounts.jsonl"}
    assert laid.items() <= content.items()
    assert backup.inspect(tmp_path / "one.tar.gz").faults == ()
    there = restore(tmp_path / "one.tar.gz", tmp_path / "there").town
    back = {
        path.relative_to(there.folder).as_posix(): path.read_bytes()
        for path in there.folder.rglob("*")
        if path.is_file()
    }
    assert {name: one for name, one in back.items() if name.startswith(("files/", "rulebooks/"))} == {
        name: one for name, one in content.items() if name.startswith(("files/", "rulebooks/"))
    }
    assert not (there.maps / "creeks.geojson").is_symlink()


@pytest.mark.parametrize("name", ["files/../out", "files/map/.hidden", "files//out", "files/a\\b", "files/", "mail/one.eml/../../files/x"])  # fmt: skip
def test_a_name_that_no_town_keeps_is_never_unpacked(town, yard, tmp_path, name):
    content = packed(backup.write(tmp_path / "good.tar.gz").path)
    bad = repacked(tmp_path / "bad.tar.gz", content | {name: b"x"})
    if name.startswith("files/"):
        with pytest.raises(TownError, match="is no file that a town keeps"):
            backup.unpack(bad, tmp_path / "there")
    else:
        backup.unpack(bad, tmp_path / "there")
    assert not (tmp_path / "out").exists()
    assert not (tmp_path / "there" / "files" / "x").exists()


def test_secrets_are_in_no_backup(town, yard, tmp_path):
    made = backup.write()
    assert made.path.parent == town.backups
    assert made.path.stat().st_mode & 0o077 == 0
    content = packed(made.path)
    assert next(iter(content)) == "backup.json"
    assert {"town.toml", "log.jsonl", "accounts.jsonl"} <= set(content)
    assert not any("secret" in name for name in content)
    assert not any(town.secret_key.encode() in one for one in content.values())
    assert json.loads(content["backup.json"])["head"] == str(log.head())
    assert len(content["log.jsonl"].splitlines()) == log.head().position


def test_a_backup_that_was_changed_is_not_restored(town, yard, tmp_path):
    good = backup.write(tmp_path / "good.tar.gz").path
    content = packed(good)
    lines = content["log.jsonl"].splitlines(keepends=True)
    kept = next(name for name in content if len(Path(name).name) == 64)
    for change, message in (
        ({"log.jsonl": b"".join(lines[:-1])}, "states the head"),  # cut off at the end
        ({"log.jsonl": b"".join(lines[:-1]) + lines[-1].replace(b'"admin"', b'"nobody"')}, None),
        ({kept: b"changed"}, "is not what its hash says"),
        ({"files/../../out": b"x"}, "is no file that a town keeps"),
        ({"backup.json": b'{"form": 2}'}, "is a backup of form 2"),
    ):
        bad = repacked(tmp_path / "bad.tar.gz", content | change)
        if message is None:  # the last row was changed and its hash left: the head still agrees, the chain does not
            restore(bad, tmp_path / "changed")
            assert not verify().is_sound
            continue
        with pytest.raises(TownError, match=message):
            restore(bad, tmp_path / "there")
        assert not (tmp_path / "there").exists()
    assert not (tmp_path / "out").exists()


def test_a_backup_is_looked_at_without_restoring_it(town, yard, tmp_path):
    good = backup.write(tmp_path / "good.tar.gz").path
    before = (log.head(), Account.objects.count())
    found = backup.inspect(good)
    content = packed(good)
    kept = [name for name in content if name.startswith("files/")]
    assert (found.rows, found.accounts, found.files, found.faults) == (log.head().position, 2, len(kept), ())
    assert found.manifest["head"] == str(log.head())
    lines = content["log.jsonl"].splitlines(keepends=True)
    for change, said in (
        ({"log.jsonl": b"".join(lines[:-1])}, "but its log ends in"),
        ({"log.jsonl": b"".join(lines[:-1]) + lines[-1].replace(b'"admin"', b'"nobody"')}, "does not follow from"),
        ({kept[0]: b"changed"}, "is not what its hash says"),
        ({"files/../../out": b"x"}, "is no file that a town keeps"),
    ):
        (fault,) = backup.inspect(repacked(tmp_path / "bad.tar.gz", content | change)).faults
        assert said in fault
    broken = tmp_path / "broken.tar.gz"
    broken.write_bytes(good.read_bytes()[:-100])
    with pytest.raises(TownError, match=r"broken\.tar\.gz is damaged, it cannot be read to its end"):
        backup.inspect(broken)
    with pytest.raises(TownError, match="is a backup of form 2"):
        backup.inspect(repacked(tmp_path / "later.tar.gz", content | {"backup.json": b'{"form": 2}'}))
    assert (log.head(), Account.objects.count()) == before


def test_a_backup_is_restored_only_where_nothing_is(town, yard, tmp_path):
    path = backup.write(tmp_path / "one.tar.gz").path
    with pytest.raises(TownError, match="is there already"):
        restore(path, town.folder)
    with pytest.raises(TownError, match="cannot be read as a backup"):
        restore(town.folder / "town.toml", tmp_path / "there")


# ------------------------------------------------------------------------------------------------ the doctor


def said(town, stated: Head | None = None) -> list[str]:
    return [str(one) for one in examine(town.folder, stated)]


def test_a_sound_town_has_nothing_wrong(town, yard):
    backup.write()
    assert said(town) == []


def test_a_town_without_a_backup_is_told_so(town, yard):
    (one,) = said(town)
    assert one.startswith("there is no backup. A lost disk would be a lost record.")
    backup.write()
    with clock.at(clock.now() + timedelta(days=7)):
        assert said(town) == []
    with clock.at(clock.now() + timedelta(days=8)):
        (one,) = said(town)
    assert one.startswith("the newest backup is 8 days old")


def test_what_can_be_mended_is_mended(town, yard):
    backup.write()
    (town.folder / "secret.toml").chmod(0o644)
    with connection.cursor() as cursor:
        name = next(iter(guards._SQLITE if connection.vendor == "sqlite" else guards._POSTGRESQL))
        cursor.execute(f"DROP TRIGGER {name}" + ("" if connection.vendor == "sqlite" else " ON log"))
    Account.objects.filter(name="admin").update(is_active=False)
    with actions.together():
        for number in range(201):
            actions.set_facts(f"z{number}", {}, as_account=Account(name="x", roles="clerk"), type="yard")
    with pytest.raises(TownError, match=r"stands unguarded .* doctor .* --mend"):
        open_town(town.folder)
    found = said(town)
    assert [one.split(" ")[0:3] for one in found] == [
        [str(town.folder / "secret.toml"), "can", "be"],
        ["the", "log", "stands"],
        ["no", "account", "may"],
        ["201", "things", "wait"],
    ]
    assert mend(town.folder) == []
    assert said(town) == []
    assert rights.owner().name == "admin2"
    shutil.move(town.folder / "secret.toml", town.folder / "old.toml")
    (one,) = said(town)
    assert "secret.toml is not there" in one
    assert mend(town.folder) == []


def test_a_file_that_is_lost_or_changed_is_named(town, yard):
    backup.write()
    digest = files.sha256(b"%PDF-1 sheet")
    files.path_of(digest).write_bytes(b"other")
    (one,) = said(town)
    assert "is no longer what its hash says" in one
    with pytest.raises(NotFound):
        files.read(digest)
    files.path_of(digest).unlink()
    (one,) = said(town)
    assert one.startswith(f"the file {digest[:12]}… named by row")


def test_rows_cut_off_since_the_last_backup_are_found_by_it(town, yard):
    backup.write()
    with connection.cursor() as cursor:
        for name in guards._SQLITE if connection.vendor == "sqlite" else guards._POSTGRESQL:
            cursor.execute(f"DROP TRIGGER {name}" + ("" if connection.vendor == "sqlite" else " ON log"))
        cursor.execute("DELETE FROM log WHERE position = (SELECT max(position) FROM log)")
    guards.make()
    (one,) = [one for one in said(town) if "cut off" in one]
    assert "Keep a copy of the folder as evidence" in one


def test_a_supplement_that_was_changed_or_lost_is_named(town, yard):
    backup.write()
    (book,) = (town.files / "rulebooks").glob("*/books/x.y/yards.toml")
    book.write_text(book.read_text().replace("24 hours", "48 hours"))
    (one,) = said(town)
    assert "were changed" in one
    shutil.rmtree(book.parents[2])
    (one,) = said(town)
    assert one.startswith("the adopted supplement cannot be used")


def test_a_silent_worker_and_a_wrong_clock_are_named(town, yard):
    backup.write()
    now = clock.now()
    Heartbeat.objects.create(id=1, worker="worker", beat_at=now)
    with clock.at(now + timedelta(minutes=5)):
        assert said(town) == []
    with clock.at(now + timedelta(minutes=5, seconds=1)):
        (one,) = said(town)
    assert one.startswith("the worker worker gave its last sign of life")
    with clock.at(datetime(2024, 1, 1, tzinfo=UTC)):
        assert any("the clock says 2024-01-01T00:00:00Z, but the last row" in one for one in said(town))


def test_a_folder_that_is_no_town_is_told_apart(town, tmp_path):
    (one,) = examine(tmp_path / "nothing")
    assert "town.toml is not there" in str(one)
    if town.is_sqlite:
        connection.close()
        town.database_file.unlink()
        (one,) = said(town)
        assert "has lost its database" in one
        with pytest.raises(TownError, match="lost its database"):
            open_town(town.folder)


def test_an_own_key_that_others_can_read_is_seen_by_its_mode(town):
    secret = town.folder / "secret.toml"
    assert secret.stat().st_mode & 0o777 == 0o600
