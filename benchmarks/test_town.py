"""A town with 50,000 things and 300,000 obligations: built anew, read, and asked about another day."""

from __future__ import annotations

import time
from datetime import timedelta
from itertools import cycle

import pytest

from benchmarks import town as drawn
from benchmarks.measured import measure, note_line
from sewershed.ledger import queries, rights, working

ROUNDS = 3


def test_recompute(benchmark, large_town, database):
    engine_s, counts = [], {}

    def work():
        marks = []
        done = working.recompute(is_compared=False, progress=lambda said: marks.append((said, time.perf_counter())))
        begun = next(at for said, at in marks if said.startswith("working out"))
        engine_s.append(next(at for said, at in marks if said == "writing") - begun)
        counts.update(things=done.things, obligations=done.obligations, findings=done.findings, rows=done.head.position)

    def note() -> str:
        return (
            f"{counts['things']:,} things, {counts['rows']:,} rows, {counts['obligations']:,} obligations, "
            f"{counts['findings']:,} findings; what is stored is not compared with what is built"
        )

    with large_town.opened():
        measure(benchmark, f"recompute of the large town, {database}", work, bound_s=40, rounds=ROUNDS, note=note)
    assert counts["things"] >= 50_000
    assert counts["obligations"] >= 300_000
    note_line(
        f"    of it the engine, {database}", 25, engine_s, "what is owed, found, read and known, as rows of the tables"
    )


def test_another_day(benchmark, worked_out_town, database):
    day = drawn.NOW - timedelta(days=100)
    with worked_out_town.opened():
        admin = rights.owner()
        page = measure(
            benchmark, f"the same town asked as of another day, {database}",
            lambda: queries.due(as_account=admin, as_of=day, limit=50), bound_s=30, rounds=ROUNDS,
        )  # fmt: skip
    assert len(page.items) == 50


# ------------------------------------------------------------------------------------------------ reading


@pytest.fixture
def asked(worked_out_town):
    """The large town, open, and who asks."""
    with worked_out_town.opened():
        yield rights.owner()


def reading(benchmark, what, work, database):
    """Measures a query; the desk, whose pages are made of such queries, is the next issue."""
    return measure(
        benchmark, f"{what}, by the queries alone, {database}", work, bound_s=0.15, rounds=40, warmup_rounds=1, is_p95=True
    )  # fmt: skip


def test_first_page_of_due(benchmark, asked, database):
    page = reading(
        benchmark, "the first 50 lines of what is due", lambda: queries.due(as_account=asked, limit=50), database
    )
    assert len(page.items) == 50


def test_due_of_a_program(benchmark, asked, database):
    page = reading(
        benchmark, "the same of one program", lambda: queries.due(as_account=asked, program="fog", limit=50), database
    )  # fmt: skip
    assert len(page.items) == 50


@pytest.mark.parametrize("kind", ["assembly", "interceptor", "spill"])
def test_a_thing_with_its_timeline(benchmark, asked, database, kind):
    things = cycle([one.id for one in queries.things(kind, as_account=asked, limit=50).items])

    def work():
        thing = next(things)
        return (
            queries.thing(thing, as_account=asked),
            queries.facts(thing, as_account=asked),
            queries.rows(thing, as_account=asked),
            queries.due(thing=thing, is_all=True, as_account=asked),
            queries.findings(thing=thing, as_account=asked),
            queries.documents(about=thing, as_account=asked),
            queries.attachments(thing, as_account=asked),
        )

    found = reading(benchmark, f"all about one {kind}: facts, rows, obligations, findings, papers", work, database)
    assert found[1]
    assert found[2]


def test_a_filtered_list(benchmark, asked, database):
    page = reading(
        benchmark, "assemblies of a type, by serial number, a page from the middle",
        lambda: queries.things("assembly", as_account=asked, where=[("type", "=", "RP")], order="serial", offset=1_000, limit=50),
        database,
    )  # fmt: skip
    assert len(page.items) == 50


def test_a_search(benchmark, asked, database):
    page = reading(
        benchmark, "premises whose address holds a text", lambda: queries.things("premises", as_account=asked, text="96 Oak", limit=50),
        database,
    )  # fmt: skip
    assert page.items


def test_why(benchmark, asked, database):
    thing = queries.things("assembly", as_account=asked, limit=1).items[0].id
    keys = cycle([one.key for one in queries.due(thing=thing, is_all=True, as_account=asked).items])
    found = reading(benchmark, "why, of one obligation", lambda: queries.why(next(keys), as_account=asked), database)
    assert found.steps is not None
