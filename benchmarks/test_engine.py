"""The engine by itself, in memory: mixed subjects of about seven events each, from rows of the log to what is owed.

A million subjects by compiled rules comes later; this shows where the engine stands until then, and that it is linear.
"""

from __future__ import annotations

import gc

import pytest

from benchmarks import town as drawn
from benchmarks import towns
from benchmarks.measured import measure
from sewershed.ledger import log, things
from sewershed.ledger.models import Thing
from sewershed.ledger.reading import RowReader
from sewershed.ledger.records import LogRecords
from sewershed.rules.world import World


def record(count: int):
    """Returns the record of so many subjects, none of its rows read yet, and how many rows it has."""
    reader = RowReader(LIBRARY.books[drawn.BOOK].vocabulary)
    rows = [
        log.Row(
            n, d.id, d.kind, d.name, d.thing, d.at, d.day, d.at_is, d.at_how, d.utc_offset, "2026-11-30T20:00:00Z", "", "",
            d.recorded_by, d.data, d.replaces, d.voids, d.why, "", d.source, d.vocabulary, "",
        )
        for n, d in enumerate(drawn.subjects(count, drawn.Draw("admin", "")), 1)
    ]  # fmt: skip
    by_thing, _ = things.moved_and_chains(rows)
    refs = {(ref.to, ref.type, ref.fact, ref.thing): ref for row in rows for ref in things.refs_of(row, reader)}
    made = [Thing(id=thing, type=own[0].name) for thing, own in by_thing.items()]
    return LogRecords.of(reader, len(rows), made, by_thing, refs.values(), ()), len(rows)


LIBRARY = towns.library()


@pytest.mark.parametrize(("subjects", "rounds"), [(1, 50), (100, 15), (10_000, 3)])
def test_engine(benchmark, subjects, rounds):
    counted = {}

    def setup():
        gc.collect()
        return record(subjects), {}

    def work(records, rows):
        world = World(LIBRARY, drawn.BOOK, records, drawn.NOW)
        owed = found = 0
        for thing in records.things():
            owed += len(world.obligations(thing))
            found += len(world.findings(thing, has_steps=False))
        counted.update(rows=rows, owed=owed, found=found)

    def note() -> str:
        median = benchmark.stats.stats.median
        return (
            f"{counted['rows']:,} rows, {counted['owed']:,} obligations, {counted['found']:,} findings: "
            f"{median / counted['owed'] * 1e6:.0f} us an obligation, {counted['owed'] / median:,.0f} obligations a second"
        )

    subject = "subject" if subjects == 1 else "subjects"
    measure(
        benchmark, f"the engine by itself, {subjects:,} mixed {subject}", work, bound_s=None, rounds=rounds, setup=setup,
        warmup_rounds=1, note=note,
    )  # fmt: skip
