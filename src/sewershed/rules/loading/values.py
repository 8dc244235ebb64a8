"""Reads what gives a typed answer: values and calcs (docs/explanation/rulebook.md 9.1 and 9.8)."""

from __future__ import annotations

from itertools import pairwise

from sewershed.rules.conditions import Condition
from sewershed.rules.entries import Axis, CalcForm, ValueCase, ValueForm
from sewershed.rules.loading.reader import Names, Reader, Table
from sewershed.rules.problems import did_you_mean
from sewershed.rules.types import Type, Value
from sewershed.rules.vocabulary import read_type


def target_of(reader: Reader, table: Table, key: str = "as") -> tuple[str, str]:
    """Returns what an entry answers and the type of thing it is about ("" for an ask)."""
    target = str(table[key])
    thing, dot, fact = target.partition(".")
    if not dot:
        return target, ""
    if not reader.thing(thing, key):
        return "", ""
    known = reader.vocabulary.things[thing].facts.get(fact)
    if known is not None and not known.derived:
        reader.fault(f"{target} is recorded by people; a book derives new facts only, under another name")
        return "", ""
    return target, thing


def declared_type(reader: Reader, table: Table) -> Type | None:
    """Returns the type that an entry declares for its answer."""
    try:
        return read_type({key: table[key] for key in ("type", "of", "unit") if key in table})
    except ValueError as error:
        reader.fault(str(error))
        return None


def read_value(reader: Reader, table: Table) -> ValueForm | None:
    """Returns the form of a value: a typed answer, by constant, criteria, rank or table."""
    if not reader.needs(table, "as", "type"):
        return None
    target, thing = target_of(reader, table)
    kind = declared_type(reader, table)
    if not target or kind is None:
        return None
    if not thing:
        asked = reader.vocabulary.asks.get(target)
        if asked is None:
            known = reader.vocabulary.asks
            reader.fault(f"no program asks '{target}'{did_you_mean(target, known)}")
            return None
        if asked != kind:
            reader.fault(f"{target} is asked as {asked}, answered as {kind}")
            return None
    names = reader.names(thing)
    applies = reader.maybe(table, "applies", names)
    judged_by = str(table.get("judged_by", ""))
    ways = [key for key in ("is", "cases", "axes", "silent") if key in table]
    if len(ways) != 1:
        reader.fault(f"exactly one of is/cases/axes/silent, found {ways}")
        return None
    if "silent" in table:
        return ValueForm(target, kind, thing, silent=True, judged_by=judged_by)
    if "axes" in table:
        axes, cells = _table(reader, table, names, kind)
        return ValueForm(target, kind, thing, axes=axes, cells=cells, judged_by=judged_by, applies=applies)
    if "is" in table:
        cases: tuple[ValueCase, ...] = (ValueCase(None, _answer(reader, table["is"], kind, names, "is")),)
    else:
        cases = tuple(read_cases(reader, table["cases"], kind, names, "cases"))
        if "otherwise" in table:
            cases += (ValueCase(None, _answer(reader, table["otherwise"], kind, names, "otherwise")),)
    order = tuple(str(word) for word in table.get("strongest", ()))
    for word in order:
        if kind.kind == "choice" and word not in kind.words:
            reader.fault(f"strongest: '{word}' is not one of {'/'.join(kind.words)}")
    if order and (kind.kind != "choice" or set(kind.words) - set(order)):
        left_out = ", ".join(word for word in kind.words if word not in order)
        reader.fault(f"strongest must rank every word of a choice; it leaves out {left_out or kind}")
    return ValueForm(target, kind, thing, cases=cases, strongest=order, judged_by=judged_by, applies=applies)


def read_cases(reader: Reader, listed: list[Table], kind: Type, names: Names, path: str) -> list[ValueCase]:
    """Returns the cases of an answer, each with its condition."""
    cases = []
    for index, case in enumerate(listed):
        where = f"{path}[{index}]"
        reader.keys(case, ("if", "is"), where)
        if reader.needs(case, "is", path=where):
            when = reader.maybe(case, "if", names, where)
            cases.append(ValueCase(when, _answer(reader, case["is"], kind, names, f"{where}.is")))
    return cases


def _answer(reader: Reader, given: object, kind: Type, names: Names, path: str) -> Condition | Value:
    """Returns a constant, or a condition of the declared type."""
    if kind.kind == "choice" and given in kind.words:
        return str(given)
    if kind.kind == "bool" and isinstance(given, bool):
        return given
    if isinstance(given, str):
        if kind.kind == "text":
            return given
        return reader.condition(given, names, path, expect=kind)
    if kind.kind in ("number", "money") and not isinstance(given, bool):
        return given  # type: ignore[return-value]  # an int or a Decimal, as the file reader made it
    if kind.kind == "list" and isinstance(given, list):
        return tuple(given)
    reader.fault(f"{given!r} is not {kind}", path)
    return None


def _table(reader: Reader, table: Table, names: Names, kind: Type) -> tuple[tuple[Axis, ...], tuple[object, ...]]:
    axes = []
    for index, spec in enumerate(table["axes"]):
        path = f"axes[{index}]"
        reader.keys(spec, ("fact", "exact", "bands", "gap", "open_top"), path)
        if not reader.needs(spec, "fact", path=path):
            continue
        fact = reader.condition(spec["fact"], names, f"{path}.fact", expect=None)
        bands = tuple((low, high) for low, high in spec.get("bands", ()))
        for earlier, later in pairwise(bands):
            if later[0] < earlier[1]:
                reader.fault(f"bands overlap: {_band(earlier)} and {_band(later)}")
        if fact is not None:
            exact = tuple(spec.get("exact", ()))
            axes.append(Axis(fact, exact, bands, spec.get("gap") == "next", spec.get("open_top")))
    _fits(reader, table.get("cells", ()), axes, 0, kind)
    return tuple(axes), tuple(_frozen(row) for row in table.get("cells", ()))


def _band(band: tuple[Value, Value]) -> str:
    return f"[{band[0]}, {band[1]}]"


def _frozen(cell: object) -> object:
    return tuple(_frozen(sub) for sub in cell) if isinstance(cell, list) else cell


def _fits(reader: Reader, cells: object, axes: list[Axis], level: int, kind: Type) -> None:
    if level == len(axes):
        return
    axis = axes[level]
    rows = axis.exact or axis.bands
    what = "values" if axis.exact else "bands"
    if not isinstance(cells, (list, tuple)) or len(cells) != len(rows):
        reader.fault(f"cells do not fit axis {level + 1} ({len(rows)} {what})")
        return
    for sub in cells:
        before = len(reader.problems)
        _fits(reader, sub, axes, level + 1, kind)
        if len(reader.problems) > before:
            return


def read_calc(reader: Reader, table: Table) -> CalcForm | None:
    """Returns the form of a calc: a function of a program with the figures that the book gives it."""
    if not reader.needs(table, "function"):
        return None
    name = str(table["function"])
    provider = reader.around.providers.get(name)
    if provider is None:
        reader.fault(f"unknown function '{name}'{did_you_mean(name, reader.around.providers)}")
        return None
    asks = dict(table.get("asks", {}))
    silent = table.get("silent", ())
    silent = tuple(silent) if isinstance(silent, (list, tuple)) else ()
    for ask in asks:
        if ask not in provider.asks:
            reader.fault(f"{name} does not ask '{ask}'{did_you_mean(ask, provider.asks)}")
    missing = sorted(set(provider.asks) - set(asks) - set(silent))
    if missing:
        reader.fault(f"{name} also asks {', '.join(missing)}; answer or list under silent")
    for ask, given in asks.items():
        kind = provider.asks.get(ask)
        if kind is not None:
            asks[ask] = _answer(reader, given, kind, {}, f"asks.{ask}")
    if "as" not in table:
        return CalcForm(name, asks, provider=provider)
    target, thing = target_of(reader, table)
    kind = declared_type(reader, table) if reader.needs(table, "type") else None
    if not target or kind is None:
        return None
    if kind != provider.result:
        reader.fault(f"{name} gives {provider.result}, declared as {kind}")
        return None
    return CalcForm(name, asks, target, kind, thing, provider)
