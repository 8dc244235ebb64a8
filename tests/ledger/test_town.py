"""A town is a folder: what its files may say, and what is said where they are wrong."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from sewershed.ledger import clock, rights
from sewershed.ledger.errors import NotAllowed, Refused, TownError
from sewershed.ledger.models import Account
from sewershed.ledger.town import Town, is_private, read_town, write_town
from tests.ledger.conftest import close, found

GOOD = 'book = "x.y"\nname = "Yardley"\ntime_zone = "America/New_York"\n'


def folder(tmp_path: Path, town: str, secret: str = 'secret_key = "k"\n') -> Path:
    (tmp_path / "town.toml").write_text(town)
    (tmp_path / "secret.toml").write_text(secret)
    return tmp_path


def test_what_is_left_out_is_the_usual(tmp_path):
    town = read_town(folder(tmp_path, GOOD))
    assert (town.database, town.is_sqlite, town.is_example, town.clock_shift) == (
        "sqlite:town.db",
        True,
        False,
        timedelta(),
    )
    options = town.database_settings()["OPTIONS"]
    assert options["transaction_mode"] == "IMMEDIATE"
    assert "synchronous=FULL" in options["init_command"]
    assert "journal_mode=WAL" in options["init_command"]


def test_an_address_of_postgresql_is_taken_apart(tmp_path):
    address = 'database = "postgresql://clerk%40hall@127.0.0.1:5433/river%20town?sslmode=require"\n'
    town = read_town(folder(tmp_path, GOOD + address, 'secret_key = "k"\ndatabase_password = "p@ss"\n'))
    settings = town.database_settings()
    assert [settings[name] for name in ("NAME", "USER", "PASSWORD", "HOST", "PORT")] == [
        "river town", "clerk@hall", "p@ss", "127.0.0.1", "5433",
    ]  # fmt: skip
    assert settings["OPTIONS"] == {"options": "-c synchronous_commit=on", "sslmode": "require"}


@pytest.mark.parametrize(
    ("town", "message"),
    [
        (GOOD.replace("name", "nmae"), "unknown key nmae; the keys are"),
        (GOOD.replace('name = "Yardley"\n', ""), 'name is missing; write name = "…"'),
        (GOOD.replace("New_York", "New_Yrok"), "there is no time zone 'America/New_Yrok'"),
        (GOOD + 'database = "mysql://x"\n', "neither sqlite:FILE nor postgresql://"),
        (GOOD + "clock_shift_seconds = 5\n", "clock_shift_seconds is for example towns alone"),
        (GOOD + "book = ", "cannot be read"),
    ],
)
def test_a_town_file_that_is_wrong_says_where(tmp_path, town, message):
    with pytest.raises(TownError, match=message) as refused:
        read_town(folder(tmp_path, town))
    assert str(tmp_path / "town.toml") in str(refused.value)


def test_a_missing_file_says_what_to_do(tmp_path):
    with pytest.raises(TownError, match=r"town\.toml is not there\. Make a town with `sewershed init`"):
        read_town(tmp_path)
    (tmp_path / "town.toml").write_text(GOOD)
    with pytest.raises(TownError, match=r"secret\.toml is not there"):
        read_town(tmp_path)


def test_what_is_written_is_read_back(tmp_path):
    quoted = Town(
        tmp_path / "t", "x.y", 'The "old" \\ town\n', "UTC", is_example=True, clock_shift=timedelta(seconds=-5)
    )
    write_town(quoted)
    again = read_town(quoted.folder)
    assert (again.name, again.is_example, again.clock_shift) == (quoted.name, True, timedelta(seconds=-5))
    assert len(again.secret_key) > 40
    assert is_private(quoted.folder / "secret.toml")
    with pytest.raises(TownError, match="is there already"):
        write_town(quoted)


def test_only_an_example_town_is_told_the_time(tmp_path, django_db_blocker):
    with django_db_blocker.unblock():
        found(tmp_path / "real", "sqlite:town.db", None)
        with pytest.raises(Refused, match=r"Yardley is not an example town: .* Leave out --now"), clock.at(clock.now()):
            pass
        assert abs(clock.now() - datetime.now(UTC)) < timedelta(seconds=5)
        found(tmp_path / "example", "sqlite:town.db", datetime(2023, 10, 17, 13, 0, tzinfo=UTC))
        assert timedelta() <= clock.now() - datetime(2023, 10, 17, 13, 0, tzinfo=UTC) < timedelta(seconds=60)
        with pytest.raises(Refused, match="has no zone"), clock.at(datetime(2023, 10, 17)):  # noqa: DTZ001
            pass
        close()


def test_the_table_of_rights_is_whole():
    for role, row in rights.table().items():
        assert row, role
        for verbs in row.values():
            assert verbs <= set(rights.verbs()), role
            assert "see" in verbs, role
    assert rights.table()["auditor"] == {"*": {"see"}}
    administrator = Account(name="a", roles="administrator")
    auditor = Account(name="b", roles="auditor")
    both = Account(name="c", roles="auditor crew")
    assert rights.may(administrator, "administer", "anything")
    assert not rights.may(auditor, "record", "spills")
    assert rights.may(both, "record", "spills")
    assert not rights.may(both, "record", "fog")
    assert [rights.is_inside(one) for one in (administrator, auditor, both)] == [True, False, True]
    with pytest.raises(NotAllowed):
        rights.require(auditor, "record", "spills")
