"""A million results held against a limit, and a million duties evaluated; openfisca-core does the same two rules in the same run.

The rules are of a small book of our own: not more than 0.2 mg/L of zinc, and the report of a test comes within 30 days. What is compared is not the same work: we read the rows of each thing, keep the clause, the edition and what is missing,
and say since when and until when; openfisca compares two columns of numbers. How many break each rule is worked out by hand,
and both must come to it.
"""

from __future__ import annotations

import gc
import json
import subprocess
import sys
import time
from collections import Counter
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from pathlib import Path

import pytest

from benchmarks import towns
from benchmarks.measured import measure
from sewershed.rules.library import Library, load
from sewershed.rules.record import RecordsInMemory, Row
from sewershed.rules.world import World

MILLION = 1_000_000
ROUNDS = 20
AT_ONCE = MILLION // ROUNDS
EACH = 10  # results of one user, tests of one assembly
NOW = datetime(2026, 11, 30, 20, 0, tzinfo=UTC)
PEER = Path(sys.prefix) / "peer" / "bin" / "python"  # an environment of its own: it brings numpy

# By hand. 7919 and 400 have no common divisor, so of each 400 numbers n the value n * 7919 % 400 takes each of 0 to 399 once, and
# 199 of these are above 200: 199 * 2,500.
OVER_LIMIT = 497_500
# n % 60 is 0 to 59 days ago; due after 30 days, overdue from the day after that on: 31 to 59, which are 29 of 60. A million has
# 16,666 such rounds and 40 days of one more, of which 31 to 39 are overdue: 16,666 * 29 + 9.
OVERDUE = 483_323

BOOK = """
id = "bench"
name = "Bench"
edition = "1"
time_zone = "America/New_York"
[roles]
owner = "owner"
"""
RULES = """
[[limit]]
id = "bench.zinc"
cites = ["1"]
means = "Not more than 0.2 mg/L of zinc"
parameter = "zinc"
unit = "mg/L"
max = 0.2

[[duty]]
id = "bench.test"
cites = ["2"]
means = "The report of a test comes within 30 days"
who = "owner"
on = "assembly"
opens = { event = "assembly_tested" }
due = { within = "30 days" }
met_by = { event = "test_report_sent" }
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    """The book of these two rules."""
    folder = tmp_path_factory.mktemp("bench")
    (folder / "rulebook.toml").write_text(BOOK)
    (folder / "rules.toml").write_text(RULES)
    return load(towns.programs(), [folder])


@pytest.fixture(scope="module")
def peer() -> dict:
    """What openfisca-core took, and came to."""
    assert PEER.exists(), "openfisca-core has an environment of its own: run `make bench`, which makes it"
    program = Path(__file__).with_name("peer.py")
    done = subprocess.run([PEER, program, str(MILLION)], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def results(numbers: range) -> RecordsInMemory:
    """Returns users with ten results each, a day apart."""
    users = {f"u{n}": "user" for n in numbers[::EACH]}
    rows = [
        Row(
            f"r{n}", "event", "sample_result", f"u{n - n % EACH}", date(2026, 11, 1) + timedelta(n % EACH),
            {"parameter": "zinc", "value": Decimal(n * 7919 % 400) / 1000, "unit": "mg/L"},
        )
        for n in numbers
    ]  # fmt: skip
    return RecordsInMemory(users, rows)


def assemblies(numbers: range) -> RecordsInMemory:
    """Returns assemblies that were tested ten times each, with no report of any."""
    things = {f"a{n}": "assembly" for n in numbers[::EACH]}
    rows = [
        Row(f"t{n}", "event", "assembly_tested", f"a{n - n % EACH}", NOW.date() - timedelta(n % 60)) for n in numbers
    ]
    return RecordsInMemory(things, rows)


def broken_limits(world: World, things: list[str]) -> Counter[str]:
    return Counter(one.outcome for thing in things for one in world.findings(thing, has_steps=False))


def duties(world: World, things: list[str]) -> Counter[str]:
    return Counter(one.state for thing in things for one in world.obligations(thing))


@pytest.mark.parametrize(
    ("rule", "record", "evaluate", "counted", "of_ours", "expected"),
    [
        ("limit", results, broken_limits, "results held against a limit", "NOT_MET", OVER_LIMIT),
        ("duty", assemblies, duties, "duties evaluated", "overdue", OVERDUE),
    ],
)
def test_a_million(benchmark, library, peer, rule, record, evaluate, counted, of_ours, expected):
    came_to: Counter[str] = Counter()
    took: list[float] = []  # of the processor, as the peer's
    numbers = iter(range(0, MILLION, AT_ONCE))

    def setup():
        first = next(numbers)
        records = record(range(first, first + AT_ONCE))
        gc.collect()
        return (World(library, "bench", records, NOW), list(records.things())), {}

    def work(world, things):
        begun = time.process_time()
        came_to.update(evaluate(world, things))
        took.append(time.process_time() - begun)

    def note() -> str:
        ours, theirs = sum(took) / MILLION, peer[rule]
        return (
            f"of the processor, a million in {ours * MILLION:.1f} s, {ours * 1e6:.1f} us each; openfisca-core {peer['version']}, all at once: "
            f"{theirs['at_once_s'] * 1e6:.3f} us each, 1/{ours / theirs['at_once_s']:.0f} of ours; one by one: "
            f"{theirs['alone_s'] * 1e6:.0f} us, {theirs['alone_s'] / ours:.1f} times ours"
        )

    measure(
        benchmark, f"{AT_ONCE:,} {counted}, twenty times", work, bound_s=None, rounds=ROUNDS, setup=setup, note=note
    )
    assert sum(came_to.values()) == MILLION, came_to
    assert came_to[of_ours] == peer[rule]["broken"] == expected, came_to
