"""The log: gapless, chained, guarded; what is changed or cut off behind our back is found."""

from __future__ import annotations

import hashlib
import json

import pytest
from django.db import DatabaseError, connection, transaction

from sewershed.ledger import actions, guards, log
from sewershed.ledger.errors import LedgerError, Refused
from sewershed.ledger.log import Head
from sewershed.ledger.verify import verify


def a_yard(admin, address: str = "1 Main Street", **more) -> str:
    return actions.set_facts("", {"address": address, **more}, as_account=admin, type="yard").thing


def without_guards() -> None:
    with connection.cursor() as cursor:
        for name in guards._SQLITE if connection.vendor == "sqlite" else guards._POSTGRESQL:
            cursor.execute(f"DROP TRIGGER {name}" + ("" if connection.vendor == "sqlite" else " ON log"))


def test_a_record_begins_with_the_town_and_its_supplement(town):
    rows = list(log.select())
    assert [(row.position, row.kind, row.name, row.thing) for row in rows] == [
        (1, "facts", "town", "town"),
        (2, "event", "supplement_adopted", "town"),
    ]
    assert verify().is_sound


def test_the_hash_covers_every_column_and_the_hash_before(town, admin):
    a_yard(admin)
    before = log.BEGINNING
    for row in log.select():
        text = json.dumps([before, *row[:-1]], ensure_ascii=False, separators=(",", ":"))
        assert row.hash == hashlib.sha256(text.encode()).hexdigest()
        before = row.hash


def test_data_is_canonical_with_the_digits_that_were_entered(town, admin):
    thing = a_yard(admin, area_ft2="2.50", use="shop", is_paved=True, debt_usd="12.5")
    (row,) = log.select_list("thing = %s", [thing])
    kept = json.loads(row.data)
    assert {name: kept[name] for name in ("area_ft2", "use", "is_paved", "debt_usd")} == {
        "area_ft2": "2.50",
        "use": "shop",
        "is_paved": True,
        "debt_usd": "12.50",
    }
    assert row.data == json.dumps(kept, sort_keys=True, separators=(",", ":"))


@pytest.mark.parametrize(
    "statement",
    ["UPDATE log SET why = 'x' WHERE position = 1", "DELETE FROM log", "DELETE FROM log WHERE position = 2"],
)
def test_the_guards_refuse_a_change(town, statement):
    with pytest.raises(DatabaseError, match="log"), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)
    assert verify().is_sound


def test_the_guards_refuse_what_skips_them(town):
    if connection.vendor == "postgresql":
        statement = "TRUNCATE log"
    else:
        columns = ", ".join(log.COLUMNS)
        statement = f"INSERT OR REPLACE INTO log ({columns}) SELECT {columns} FROM log WHERE position = 1"
    with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)
    assert verify().is_sound


def test_the_guards_refuse_a_gap(town):
    columns = ", ".join(log.COLUMNS)
    rest = ", ".join(column for column in log.COLUMNS if column not in ("position", "id"))
    with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"INSERT INTO log ({columns}) SELECT 4, 'other', {rest} FROM log WHERE position = 1")


def test_missing_guards_are_seen_and_made_again(town):
    assert guards.missing() == []
    without_guards()
    assert len(guards.missing()) == 3
    guards.make()
    assert guards.missing() == []


def test_a_row_changed_behind_our_back_is_found(town, admin):
    for number in range(5):
        a_yard(admin, f"{number} Main Street")
    without_guards()
    with connection.cursor() as cursor:
        cursor.execute("UPDATE log SET recorded_by = 'somebody' WHERE position = 4")
    (fault,) = verify().faults
    assert fault.startswith("row 4 (")
    assert "was changed after it was written" in fault


def test_a_row_changed_with_a_fitting_hash_is_found_at_the_next(town, admin):
    for number in range(3):
        a_yard(admin, f"{number} Main Street")
    rows = list(log.select())
    forged = rows[3]._replace(recorded_by="somebody")
    forged = forged._replace(hash=log.hash_of(forged[:-1], rows[2].hash))
    without_guards()
    with connection.cursor() as cursor:
        cursor.execute("UPDATE log SET recorded_by = 'somebody', hash = %s WHERE position = 4", [forged.hash])
    (fault,) = verify().faults
    assert fault.startswith("row 5 (")


def test_a_row_taken_out_is_found(town, admin):
    for number in range(3):
        a_yard(admin, f"{number} Main Street")
    without_guards()
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM log WHERE position = 3")
    assert verify().faults[0].startswith("row 3 of the log: taken out")


def test_rows_cut_off_at_the_end_are_found_by_a_head_written_down(town, admin):
    for number in range(3):
        a_yard(admin, f"{number} Main Street")
    written_down = log.head()
    without_guards()
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM log WHERE position > 3")
    assert verify().is_sound  # the chain alone cannot tell
    (fault,) = verify(Head.read(written_down.short)).faults
    assert fault.startswith("the log ends at row 3, but row 5 was written down: 2 rows were cut off at the end.")


def test_an_older_head_is_still_part_of_the_log(town, admin):
    older = log.head()
    a_yard(admin)
    assert verify(older).is_sound
    other = Head(older.position, "0" * 64)
    assert "is not the one that the paper or the backup came from" in verify(other).faults[0]


def test_a_head_is_read_or_refused():
    assert Head.read(" 12:0123456789ab ") == Head(12, "0123456789ab")
    for text in ("12", "12:0123456789a", "x:0123456789ab", "12:0123456789aX"):  # eleven figures are one too few
        with pytest.raises(Refused):
            Head.read(text)


def test_half_of_an_action_is_never_recorded(town, admin):
    head = log.head()

    class Halfway(Exception):
        pass

    def half() -> None:
        with actions.together():
            a_yard(admin)
            raise Halfway

    with pytest.raises(Halfway):
        half()
    assert log.head() == head


def test_a_failure_that_is_swallowed_inside_still_keeps_all_out(town, admin):
    head = log.head()

    def swallow() -> None:
        with actions.together():
            a_yard(admin)
            with pytest.raises(Refused):
                a_yard(admin, area_ft2="large")

    with pytest.raises(LedgerError, match="nothing was recorded"):
        swallow()
    assert log.head() == head


def test_what_no_database_can_hold_is_refused(town, admin):
    for text in ("zero \x00 byte", "half \ud800 character"):
        with pytest.raises(Refused):
            actions.withdraw(log.select_list("position = 1")[0].id, as_account=admin, why=text)
