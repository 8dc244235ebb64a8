"""A write, from the action to what follows from it stored: checked, added to the log, worked out, committed to the disk."""

from __future__ import annotations

import random
from datetime import timedelta
from itertools import count
from pathlib import Path
from statistics import median

from benchmarks import town as drawn
from benchmarks import towns
from benchmarks.measured import measure, note_line
from sewershed.ledger import actions, batches, log, queries, rights

LINES = 70_000
MEDIANS: dict[tuple[str, int], float] = {}  # of writes on a station, by database and days


def busy(made: towns.Made, kind: str, event: str, rows: int) -> str:
    """Returns a thing with about so many rows, made out of nothing: it stands in the town and is worked out."""
    admin = rights.owner()
    first = (drawn.TODAY - timedelta(rows)).isoformat()
    own = {"in_service_since": first} if kind == "station" else {"capacity_gal": "1000"}
    facts = {"name": f"{kind} of {rows} rows", **own}
    thing = actions.set_facts("", facts, as_account=admin, type=kind).thing
    vocabulary = log.select_list("thing = %s", [thing])[0].vocabulary
    draw = drawn.Draw(admin.name, vocabulary, random.Random(thing))
    days = [drawn.TODAY - timedelta(n) for n in range(rows - 1, 0, -1)]
    rows_made = [draw.event(thing, event, day) for day in days]
    if kind == "interceptor":
        rows_made = [draw.event(thing, "interceptor_started", drawn.TODAY - timedelta(rows)), *rows_made]
    with log.writing() as pen:
        pen.append(rows_made)
    return thing


def write(thing: str, event: str):
    """Returns what records one more event on a thing, each a minute after the one before, and works it out."""
    admin, minutes = rights.owner(), count(600, -1)

    def once() -> None:
        at = drawn.NOW - timedelta(minutes=next(minutes))
        actions.record(event, thing, as_account=admin, at=at.isoformat())

    return once


def test_300_rows(benchmark, small_town, database):
    with small_town.opened():
        thing = busy(small_town, "interceptor", "interceptor_serviced", 290)
        measure(
            benchmark, f"a write on a thing with 300 rows, brought up to date, {database}", write(thing, "interceptor_serviced"),
            bound_s=0.02, rounds=40, warmup_rounds=3,
        )  # fmt: skip


def test_365_visits(benchmark, small_town, database):
    visits(benchmark, small_town, database, 365, None)


def test_3650_visits(benchmark, small_town, database):
    visits(benchmark, small_town, database, 3650, 0.25)
    ratio = MEDIANS[database, 3650] / MEDIANS[database, 365]
    note_line(
        f"ten times the visits cost so many times as much, {database}",
        None,
        [ratio],
        "times; linear growth stays at or below 10",
    )


def visits(benchmark, made, database, days, bound_s):
    with made.opened():
        thing = busy(made, "station", "station_visited", days)
        once = write(thing, "station_visited")
        measure(
            benchmark, f"a write on a station with {days:,} daily visits, brought up to date, {database}", once,
            bound_s=bound_s, rounds=15, warmup_rounds=2,
        )  # fmt: skip
        MEDIANS[database, days] = median(benchmark.stats.stats.sorted_data)


def test_the_lock_of_a_large_import(benchmark, small_town, database):
    """70,000 lines: how long everybody else waits for the lock while they are applied."""
    with small_town.opened():
        admin = rights.owner()
        place = queries.things("premises", as_account=admin, limit=1).items[0].id
        facts = {"premises": place, "type": "RP", "size_in": "2"}
        begun = count(1)

        def plan():
            prefix = next(begun)  # else the second round would change nothing
            lines = [
                batches.Line(number=n, type="assembly", source_id=f"{prefix}-{n}", facts={**facts, "serial": f"S{n}"})
                for n in range(1, LINES + 1)
            ]
            return (batches.plan_batch(lines, as_account=admin),), {}

        measure(
            benchmark, f"the longest lock of applying {LINES:,} lines, {database}",
            lambda made: batches.apply_batch(made, as_account=admin), bound_s=15, rounds=1, setup=plan,
        )  # fmt: skip


def test_300_rows_among_50000_things(benchmark, worked_out_town, database, tmp_path: Path):
    made = worked_out_town if database != "SQLite" else towns.copy_of(worked_out_town, tmp_path / "town")
    with made.opened():
        thing = busy(made, "interceptor", "interceptor_serviced", 290)
        measure(
            benchmark, f"the same in a town with 50,000 things, {database}", write(thing, "interceptor_serviced"),
            bound_s=0.02, rounds=40, warmup_rounds=3,
        )  # fmt: skip
