"""Reads ``due``: the grammar of clocks (docs/explanation/rulebook.md 7.5)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from sewershed.rules.entries import (
    AtOnce,
    Before,
    Clock,
    ClockCase,
    Each,
    Earliest,
    Every,
    Latest,
    On,
    OpenEnded,
    Within,
)
from sewershed.rules.loading.reader import Names, Reader

CLOCKS = ("within", "before", "on", "every", "each", "at_once", "open_ended", "earliest", "latest")
PERIODS = ("day", "week", "month", "quarter", "half_year", "calendar_year", "fiscal_year")
ROLLS = ("", "none", "next", "previous")
_BESIDE = {
    "within": ("of",),
    "before": ("of",),
    "every": ("from",),
    "each": ("within", "window", "first"),
}


def read_due(reader: Reader, value: object, names: Names) -> tuple[ClockCase, ...]:
    """Returns the cases of a duty's ``due``, in order."""
    listed = value if isinstance(value, list) else [value]
    cases = []
    for index, table in enumerate(listed):
        path = f"due[{index}]" if len(listed) > 1 else "due"
        if not isinstance(table, Mapping):
            reader.fault('a clock is needed, e.g. { within = "30 days" }', path)
            continue
        clock = read_clock(reader, {k: v for k, v in table.items() if k != "if"}, names, path)
        if clock is not None:
            cases.append(ClockCase(clock, reader.maybe(table, "if", names, path)))
    return tuple(cases)


def read_clock(reader: Reader, table: Mapping[str, Any], names: Names, path: str) -> Clock | None:
    """Returns one clock, or None with its problems noted."""
    kinds = [key for key in CLOCKS if key in table]
    if "each" in kinds and "within" in kinds:
        kinds.remove("within")
    if len(kinds) != 1:
        reader.fault(f"exactly one of {'/'.join(CLOCKS)}, found {kinds}", path)
        return None
    kind = kinds[0]
    reader.keys(table, (kind, "roll", *_BESIDE.get(kind, ())), path)
    roll = reader.word(table, "roll", ROLLS, "", path)
    match kind:
        case "at_once":
            return AtOnce()
        case "open_ended":
            return OpenEnded()
        case "earliest" | "latest":
            clocks = [read_clock(reader, sub, names, f"{path}.{kind}[{i}]") for i, sub in enumerate(table[kind])]
            good = tuple(rolled(clock, roll) for clock in clocks if clock is not None)
            return Earliest(good) if kind == "earliest" else Latest(good)
        case "on":
            of = reader.moment(table["on"], names, f"{path}.on")
            return None if of is None else On(of, roll)
        case "each":
            return _each(reader, table, names, path, roll)
    span = reader.span(table[kind], names, path)
    if kind == "every":
        if table.get("from") != "last_met":
            reader.fault('every needs from = "last_met"; a fixed rhythm is each = period', path)
            return None
        return None if span is None else Every(span, roll)
    if kind == "before" and "of" not in table:
        reader.fault("before needs of = the moment it is counted back from", path)
        return None
    of = reader.moment(table["of"], names, f"{path}.of") if "of" in table else None
    if span is None or ("of" in table and of is None):
        return None
    if kind == "before" and of is not None:
        return Before(span, of, roll)
    return Within(span, of, roll)


def rolled(clock: Clock, roll: str) -> Clock:
    """Returns a clock that rolls as said, where it does not say itself; an earliest or latest hands it to its clocks."""
    if isinstance(clock, (Earliest, Latest)):
        return replace(clock, clocks=tuple(rolled(one, roll) for one in clock.clocks))
    if not roll or isinstance(clock, (AtOnce, OpenEnded)) or clock.roll:
        return clock
    return replace(clock, roll=roll)


def _each(reader: Reader, table: Mapping[str, Any], names: Names, path: str, roll: str) -> Each | None:
    period = reader.word(table, "each", PERIODS, "", path)
    if not period:
        return None
    within = reader.span(table["within"], names, path) if "within" in table else None
    window = reader.word(table, "window", ("during", "after"), "after" if "within" in table else "during", path)
    if window == "after" and "within" not in table:
        reader.fault('window = "after" needs within = how long after the period', path)
        return None
    if window == "during" and "within" in table:
        reader.fault('within belongs to window = "after"; inside a period a thing is due on its last day', path)
        return None
    first = reader.word(table, "first", ("next", "partial"), "partial" if window == "after" else "next", path)
    return Each(period, within, window, first, roll)
