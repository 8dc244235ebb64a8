"""Work grows in line with the record: four times as many events on one thing cost at most five times the work.

Work is counted in lines of Python that are run, not in seconds, so that it is the same on every machine.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta

import pytest

from sewershed.rules.record import RecordsInMemory, Row
from sewershed.rules.world import World
from tests.rules.drawn import book_of
from tests.trials import IS_SOAK

FEW = 1_000 if IS_SOAK else 250
MANY = 4 * FEW
START = date(2005, 1, 3)
TYPES = {"t": "town", "h1": "house", "u1": "user"}


def events(name: str, count: int, *, thing: str = "h1", every: int = 1, first: int = 1, **data) -> list[Row]:
    """Returns so many events of a name, so many days apart; a datum that is a list is gone through in turn."""
    rows = []
    for number in range(count):
        told = {key: value[number % len(value)] if isinstance(value, list) else value for key, value in data.items()}
        rows.append(Row("", "event", name, thing, START + timedelta(days=first + number * every), told))
    return rows


def timed(rows: list[Row]) -> list[Row]:
    """Returns the same events with a time of day."""
    at = [datetime(row.moment.year, row.moment.month, row.moment.day, 15, tzinfo=UTC) for row in rows]
    return [Row("", "event", row.name, row.thing, moment, row.data) for row, moment in zip(rows, at, strict=True)]


def facts(day: date | None, **data) -> Row:
    return Row("", "facts", "", "h1", day, data)


OPENED = [facts(None, opened_on=START, first_on=START, kitchen=True, use="shop")]
NOTICE = events("notice", 1, first=0)
MONTHS = [f"{2005 + number // 12}-{number % 12 + 1:02}" for number in range(360)]

# By what is tried: the entries of the shelf, and the rows of so many events.
KINDS: dict[str, tuple[tuple[str, ...], Callable[[int], list[Row]]]] = {
    "chain": (("every",), lambda size: [*NOTICE, *events("repair", size, every=2)]),
    "chain of a standing condition": (
        ("every.while",),
        lambda size: [*OPENED, *events("inspected", size, every=2, result="pass")],
    ),
    "chain with extensions, excuses and holds": (
        ("every", "every.once"),
        lambda size: [
            *NOTICE,
            *events("repair", size // 4, every=8),
            *events("extension", size // 4, every=8, first=3, until=START + timedelta(days=40)),
            *events("waiver", size // 4, every=8, first=4, until=START),
            *events("stay_began", size // 8, every=16, first=5),
            *events("stay_ended", size // 8, every=16, first=7),
        ],
    ),
    "periods": (("monthly", "quarterly"), lambda size: [*NOTICE, *events("record", size, every=7)]),
    "periods, named": (("monthly.tied",), lambda size: [*NOTICE, *events("record", size, every=7, period=MONTHS)]),
    "periods inside": (
        ("weekly", "either"),
        lambda size: [*OPENED, *events("inspected", size, every=7, result="pass")],
    ),
    "single duties": (
        ("day", "cases", "applies", "unsaid", "read", "amended.too"),
        lambda size: [*events("notice", size // 2, every=4), *events("repair", size // 2, every=4, first=2)],
    ),
    "single duties, unmet": (
        ("day", "oncekey", "once"),
        lambda size: [*events("notice", size // 2, every=4), *events("told", size // 2, every=4)],
    ),
    "replaced": (("months",), lambda size: events("notice", size, every=2)),
    "pauses": (
        ("hours", "business"),
        lambda size: [
            *events("notice", size // 4, every=8, serious=True),
            *events("stay_began", size // 4, every=8, first=2, granted=True),
            *events("stay_ended", size // 4, every=8, first=3),
            *events("repair", size // 4, every=8, first=4, proper=True),
        ],
    ),
    "lives": (
        ("life.house", "act.by"),
        lambda size: [
            *events("inspected", size // 2, every=4, result=["pass", "fail"]),
            *events("repair", size // 2, every=4, first=2),
        ],
    ),
    "lives, bare days and times": (
        ("life.house",),
        lambda size: [
            *timed(events("inspected", size // 2, every=4, result=["pass", "fail"])),
            *events("repair", size // 2, every=4),
        ],
    ),
    "acts that do not count": (
        ("void.repair",),
        lambda size: [
            *events("inspected", size // 2, every=4, result=["fail", "pass"]),
            *events("repair", size // 2, every=4, first=1),
        ],
    ),
    "acts that do not count, by a life": (
        ("void.record", "life.house"),
        lambda size: [
            *events("inspected", size // 2, every=4, result=["pass", "pass", "fail"]),
            *events("record", size // 2, every=4, first=1),
        ],
    ),
    "acts that do not count, bare days and times": (
        ("void.repair", "life.house"),
        lambda size: [
            *events("inspected", size // 2, every=4, result=["fail", "pass"]),
            *timed(events("repair", size // 2, every=4)),
        ],
    ),
    "acts that look back": (
        ("act.count", "void.inspected"),
        lambda size: [
            *events("bill_adjusted", size // 2, every=4),
            *events("inspected", size // 2, every=4, result=["pass", "fail"]),
        ],
    ),
    "corrections": (("day", "every"), lambda size: [*NOTICE, *events("repair", size // 2, every=4) * 2]),
    "facts": (
        ("val.table", "every.while"),
        lambda size: [*OPENED, *(facts(START + timedelta(days=day), width_ft=day % 50) for day in range(size))],
    ),
    "results": (
        ("lim.zinc", "lim.read"),
        lambda size: events(
            "sample_result",
            size,
            thing="u1",
            parameter="zinc",
            value=1,
            unit="mg/L",
            qualifier=["", "<"],
            point="outlet",
        ),
    ),
}


def entered(rows: list[Row]) -> list[Row]:
    """Returns rows as they were entered, one after another; one that stands twice is corrected the second time."""
    first: dict[int, str] = {}
    made = []
    for number, row in enumerate(rows, start=1):
        name = f"r{number}"
        root = first.setdefault(id(row), name)
        replaces = root if root != name else ""
        made.append(Row(name, row.kind, row.name, row.thing, row.moment, row.data, number, replaces=replaces))
    return made


def lines_run(entries: tuple[str, ...], rows: list[Row]) -> int:
    """Returns how many lines of Python it takes to answer everything about one thing."""
    records = RecordsInMemory(TYPES, entered(rows), "t")
    world = World(book_of(entries).library, "town", records, datetime(2040, 1, 1, tzinfo=UTC))
    count = 0

    def line(frame, event, arg):
        nonlocal count
        count += event == "line"
        return line

    before = sys.gettrace()
    sys.settrace(line)
    try:
        for ask in (world.obligations, world.findings, world.facts, world.exposure):
            ask(rows[0].thing)
    finally:
        sys.settrace(before)
    return count


def test_work_that_does_not_is_noticed() -> None:
    """Each of the repairs may meet each of the notices, since nobody said which: all are named in the notes of all."""

    def rows(size: int) -> list[Row]:
        return [*events("notice", size // 2, days=3, sample="a"), *events("repair", size // 2, first=size)]

    few, many = (lines_run(("counted",), rows(size)) for size in (FEW, MANY))
    assert many > 5 * few


@pytest.mark.parametrize("kind", KINDS)
def test_work_grows_in_line_with_the_record(kind: str) -> None:
    entries, rows = KINDS[kind]
    few, many = (lines_run(entries, rows(size)) for size in (FEW, MANY))
    assert few > FEW  # it was looked at
    assert many < 5 * few, f"{few:,} lines for {FEW:,} events, {many:,} for {MANY:,}"
