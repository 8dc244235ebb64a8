"""What a page and a write ask of the record: how often, and that no question reads the whole of a table that grows.

A page must cost the same in a town of fifty thousand things (DESIGN 10, measured by `make bench`); here it is held by the
plans of its questions, which SQLite makes without regard to how much there is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from urllib.parse import quote

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from sewershed.ledger import actions, queries
from sewershed.ledger.models import LogRow
from tests.desk.recorded import spill

GROWING = frozenset(
    {"log", "thing", "obligation", "finding", "current_fact", "reader", "ref", "moved", "event_key", "alias"}
)
OF_FEW = frozenset({"thing_stale"})  # an index that holds only what waits


def read_whole(asked: Iterable[Mapping[str, str]]) -> set[str]:
    """Returns each growing table that one of some questions reads from end to end."""
    found: set[str] = set()
    for one in asked:
        is_from_an_end = "WHERE" not in one["sql"] and "LIMIT" in one["sql"]
        if not one["sql"].startswith("SELECT") or is_from_an_end:
            continue
        named = dict(re.findall(r'"(\w+)" ([A-Z]\d+)\b', one["sql"]))
        real = {short: table for table, short in named.items()}
        with connection.cursor() as cursor:
            cursor.execute(f"EXPLAIN QUERY PLAN {one['sql'].replace('%', '%%')}", ())
            steps = [str(row[3]) for row in cursor.fetchall()]
        for step in steps:
            seen = re.match(r"SCAN (\w+)(?: USING (?:COVERING )?INDEX (\w+))?", step)
            table = real.get(seen[1], seen[1]) if seen else ""
            if seen and table in GROWING and seen[2] not in OF_FEW:
                found.add(f"{table}: {one['sql'][:200]}")
    return found


@pytest.fixture
def oak(town, admin) -> str:
    return spill(admin)


@pytest.mark.parametrize(
    ("name", "path", "statements", "counts"),
    [
        ("today", "/", 41, {"thing"}),  # how many things there are of each type is counted
        ("a program of it", "/?program=spills", 38, {"thing"}),
        ("by person", "/?by=person", 41, {"thing"}),
        ("mine", "/?whose=orc", 36, {"thing"}),
        ("a thing", "/thing/orc/", 54, set()),
        ("a spill", "/spills/s1/", 85, set()),
        ("its rows", "/thing/s1/rows/", 17, set()),
        ("a register", "/things/spill/", 18, set()),
        ("in order of a fact", "/things/spill/?sort=-source", 21, set()),
        ("narrowed", "/things/spill/?source=sanitary_sewer", 18, set()),
        ("open ones", "/spills/?open=yes", 48, set()),
        ("of a cause", "/spills/?cause=grease", 40, set()),
        ("the log", "/log/", 30, set()),
        ("the log of an account", "/log/?by=account:admin", 30, set()),
        ("the log of a day", "/log/?from=2024-03-11&to=2024-03-11", 32, set()),
        ("the log of facts", "/log/?what=facts", 30, set()),
        ("a calendar", "/calendar/", 30, set()),
        ("its row", "/row/{row}/", 26, set()),
        ("what can be recorded", "/thing/s1/record/", 20, set()),
        ("a form", "/thing/s1/record/crew_arrived/", 20, set()),
    ],
    ids=lambda value: value if isinstance(value, str) and "/" not in value else "",
)
def test_a_page_asks_seldom_and_reads_no_table_whole(oak, signed_in, name, path, statements, counts):
    client = signed_in()
    path = path.replace("{row}", str(LogRow.objects.filter(thing="s1").first().id))
    assert client.get(path).status_code == 200
    with CaptureQueriesContext(connection) as asked:
        client.get(path)
    assert len(asked) <= statements
    assert {one.partition(":")[0] for one in read_whole(asked.captured_queries)} <= counts


def test_an_answer_reads_no_table_whole(oak, admin, signed_in):
    client = signed_in()
    key = queries.due(as_account=admin, thing=oak).items[0].key
    client.get(f"/why/{quote(key)}")
    with CaptureQueriesContext(connection) as asked:
        assert client.get(f"/why/{quote(key)}").status_code == 200
    assert len(asked) <= 54
    assert read_whole(asked.captured_queries) == set()


def test_a_write_a_correction_and_a_withdrawal_read_no_table_whole(oak, admin):
    actions.record("crew_arrived", oak, as_account=admin, at="2024-03-11T09:30", data={"is_running": True})
    with CaptureQueriesContext(connection) as asked:
        row = actions.record(
            "spill_stopped", oak, as_account=admin, at="2024-03-11T09:50", data={"because": "corrected"}
        ).id
    assert len(asked) <= 32
    assert read_whole(asked.captured_queries) == set()
    with CaptureQueriesContext(connection) as asked:
        actions.correct(row, as_account=admin, why="read wrongly", at="2024-03-11T09:51")
    assert read_whole(asked.captured_queries) == set()
    with CaptureQueriesContext(connection) as asked:
        actions.withdraw(row, as_account=admin, why="another spill")
    assert read_whole(asked.captured_queries) == set()


def test_a_table_that_is_read_whole_is_found(town):
    """The offence that the guard is held against: no index tells from where a row came."""
    with CaptureQueriesContext(connection) as asked, connection.cursor() as cursor:
        cursor.execute("SELECT position FROM log WHERE source = %s", ["form"])
        cursor.execute("SELECT position FROM log WHERE id = %s", ["c1"])
    (found,) = read_whole(asked.captured_queries)
    assert found.startswith("log: ")
