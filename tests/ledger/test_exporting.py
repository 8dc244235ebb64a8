"""Exports: the whole log and the tables of things, with private values left out and marked."""

from __future__ import annotations

import pytest

from sewershed.ledger import actions, exporting
from sewershed.ledger.errors import NotAllowed, Refused


@pytest.fixture
def yard(town, admin) -> str:
    actions.set_facts("p1", {"name": "A. Person"}, as_account=admin, type="person")
    actions.set_facts(
        "y1",
        {"address": "1 Main Street", "gate_code": "1234", "debt_usd": "5", "owner": "p1"},
        as_account=admin,
        type="yard",
    )
    return "y1"


def test_every_row_of_the_log_is_there_in_its_order(town, admin, yard):
    first = actions.record("complaint", yard, as_account=admin, at="2024-03-08T15:40", data={"what": "smell"})
    actions.correct(first.id, as_account=admin, why="a slip", at="2024-03-08T15:30")
    rows = list(exporting.log_rows(as_account=admin))
    assert [row["position"] for row in rows] == list(range(1, 7))  # the town, its supplement, a person, a yard, the two
    assert [(row["name"], row["stands"]) for row in rows[-2:]] == [("complaint", "corrected"), ("complaint", "stands")]
    assert rows[-1]["replaces"] == first.id
    assert (rows[-1]["thing_type"], rows[-1]["at"], rows[-1]["utc_offset"]) == (
        "yard",
        "2024-03-08T20:30:00Z",
        "-05:00",
    )
    assert rows[-1]["number"] == "C24-001"
    assert rows[3]["data"] == {
        "address": "1 Main Street", "gate_code": "(private)", "debt_usd": "(private)", "owner": "p1",
    }  # fmt: skip


def test_private_values_are_there_when_they_are_asked_for(town, admin, yard):
    rows = list(exporting.log_rows(as_account=admin, with_private=True))
    assert (rows[3]["data"]["gate_code"], rows[3]["data"]["debt_usd"]) == ("1234", "5.00")
    auditor = actions.open_account("auditor", as_account=admin, roles={"auditor"})
    rows = list(exporting.log_rows(as_account=auditor, with_private=True))
    assert rows[3]["data"]["gate_code"] == "(private)"  # no export shows more than the account may see


def test_the_table_of_a_type_has_its_facts_as_columns(town, admin, yard):
    columns, rows = exporting.things("yard", as_account=admin)
    (row,) = rows
    assert columns[: len(exporting.THING_COLUMNS)] == exporting.THING_COLUMNS
    assert tuple(row) == tuple(columns)
    assert (row["number"], row["address"], row["gate_code"], row["area_ft2"]) == (
        "Y24-001",
        "1 Main Street",
        "(private)",
        None,
    )
    (row,) = exporting.things("yard", as_account=admin, with_private=True)[1]
    assert row["gate_code"] == "1234"


def test_what_there_is_not_and_who_may_not(town, admin, yard):
    with pytest.raises(Refused, match="there is no type of thing 'yrd'; there are "):
        exporting.things("yrd", as_account=admin)
    nobody = actions.open_account("nobody", as_account=admin, roles=set())
    assert list(exporting.log_rows(as_account=nobody)) == []
    with pytest.raises(NotAllowed):
        exporting.things("yard", as_account=nobody)
