"""Reads the nine kinds of entry, each from its table to its form (docs/explanation/rulebook.md 9)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import pairwise
from typing import Any

from sewershed.rules.conditions import Condition
from sewershed.rules.entries import (
    ActForm,
    Axis,
    CalcForm,
    ClockCase,
    Content,
    Duty,
    Each,
    Form,
    LimitForm,
    Need,
    Opens,
    Pattern,
    PenaltyForm,
    StandardForm,
    StatusForm,
    Stay,
    Step,
    ValueCase,
    ValueForm,
)
from sewershed.rules.loading.clocks import ROLLS, read_due, rolled
from sewershed.rules.loading.reader import Names, Reader
from sewershed.rules.problems import did_you_mean
from sewershed.rules.types import DATE, NUMBER, TEXT, Type, Value
from sewershed.rules.units import is_convertible
from sewershed.rules.vocabulary import SAMPLE_RESULT, read_type

Table = Mapping[str, Any]

SHARED = {
    "id", "cites", "means", "covers", "doubts", "from", "until", "versions", "transition", "readings", "reading_of",
    "combine", "silent", "note", "certainty",
}  # fmt: skip
KEYS = {
    "value": {"as", "type", "of", "unit", "is", "cases", "otherwise", "axes", "cells", "strongest", "judged_by", "applies"},
    "limit": {"parameter", "unit", "max", "below", "min", "above", "at", "method", "sample_type", "statistic", "when",
              "breach", "applies"},
    "duty": {"applies", "who", "to", "on", "opens", "due", "met_by", "closes", "excused_by", "extended_by", "stayed_by", "breach",
             "roll", "if_unknown", "catch_up"},
    "standard": {"applies", "test", "on", "of", "when", "who", "breach", "defends"},
    "act": {"applies", "acts", "when", "by", "if", "needs", "contents", "dated", "else", "breach"},
    "status": {"as", "states", "start", "steps"},
    "penalty": {"for", "ladder", "then", "cap", "per", "amount", "part", "most", "within", "factors"},
    "calc": {"function", "asks", "as", "type", "of", "unit"},
}  # fmt: skip
BOUNDS = ("max", "below", "min", "above")


def read_form(reader: Reader, kind: str, table: Table) -> Form | None:
    """Returns the form of an entry of a kind, or None with its problems noted."""
    reader.keys(table, KEYS[kind] | SHARED)
    return _READERS[kind](reader, table)


# --------------------------------------------------------------------------- value


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


def _value(reader: Reader, table: Table) -> ValueForm | None:
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
        cases = tuple(_cases(reader, table["cases"], kind, names, "cases"))
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


def _cases(reader: Reader, listed: list[Table], kind: Type, names: Names, path: str) -> list[ValueCase]:
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


# --------------------------------------------------------------------------- limit


def _limit(reader: Reader, table: Table) -> LimitForm | None:
    if not reader.needs(table, "parameter", "unit"):
        return None
    parameter, unit = str(table["parameter"]), str(table["unit"])
    known = reader.vocabulary.parameters
    if parameter not in known:
        reader.fault(f"unknown parameter '{parameter}'{did_you_mean(parameter, known)}")
        return None
    if not is_convertible(unit, known[parameter]):
        reader.fault(f"unit '{unit}' cannot be turned into {known[parameter]} ({parameter})")
        return None
    sample = reader.vocabulary.events.get(SAMPLE_RESULT)
    if sample is None:
        reader.fault(f"no program declares {SAMPLE_RESULT}, so nothing can be measured against a limit")
        return None
    names = reader.names(sample.on, event=Type("event", events=(SAMPLE_RESULT,)))
    bounds: list[tuple[str, Condition | Value]] = []
    for key in BOUNDS:
        if key in table:
            given = table[key]
            bounds.append((key, reader.number(given, names, key) if isinstance(given, str) else given))
    if not bounds:
        reader.fault("one of max/below/min/above is needed")
    return LimitForm(
        parameter,
        unit,
        tuple(bounds),
        at=str(table.get("at", "")),
        method=str(table.get("method", "")),
        sample_type=str(table.get("sample_type", "")),
        statistic=str(table.get("statistic", "any_sample")),
        when=reader.maybe(table, "when", names),
        applies=reader.maybe(table, "applies", names),
        breach=reader.breach(table),
    )


# --------------------------------------------------------------------------- duty


def _duty(reader: Reader, table: Table) -> Duty | None:
    if not reader.needs(table, "who", "on", "opens", "due"):
        return None
    thing = reader.thing(table["on"], "on")
    if not thing:
        return None
    who = reader.role(table["who"])
    to = reader.role(table["to"]) if "to" in table else ""
    opens, trigger, item = _opens(reader, table["opens"], thing)
    inner: dict[str, Type] = {}
    if trigger is not None:
        inner["trigger"] = trigger
    if item is not None:
        inner["item"] = item
    clocks = read_due(reader, table["due"], reader.names(thing, since=DATE, **inner))
    met_by = reader.patterns(table["met_by"], thing, "met_by", inner, amounts=True) if "met_by" in table else ()
    periodic = any(isinstance(case.clock, Each) for case in clocks)
    if any(pattern.at_least is not None for pattern in met_by) and not periodic:
        reader.fault("at_least needs due = { each = period }")
    if periodic and not all(isinstance(case.clock, Each) for case in clocks):
        reader.fault("each cannot stand beside another kind of clock", "due")
    closes = reader.patterns(table["closes"], thing, "closes", inner) if "closes" in table else ()
    if not closes:
        for name in opens.events:
            if reader.event(name).report:
                reader.fault(f"closes is missing: {name} is a report of something, and may turn out to be nothing")
    roll = reader.word(table, "roll", ROLLS, "")
    if roll:
        clocks = tuple(_rolled(case, roll) for case in clocks)
    return Duty(
        on=thing,
        who=who,
        to=to,
        opens=opens,
        due=clocks,
        met_by=met_by,
        closes=closes,
        excused_by=_dated(reader, table, "excused_by", thing, "until", inner),
        extended_by=_dated(reader, table, "extended_by", thing, "to", inner),
        stayed_by=tuple(_stays(reader, table.get("stayed_by", []), thing, inner)),
        applies=reader.maybe(table, "applies", reader.names(thing, **inner)),
        breach=reader.breach(table),
        if_unknown=reader.word(table, "if_unknown", ("ask", "treat_as_owed"), "ask"),
        catch_up=bool(table.get("catch_up", False)),
    )


def _rolled(case: ClockCase, roll: str) -> ClockCase:
    return replace(case, clock=rolled(case.clock, roll))


def _dated(
    reader: Reader, table: Table, key: str, thing: str, date_key: str, inner: Mapping[str, Type]
) -> tuple[Pattern, ...]:
    if key not in table:
        return ()
    found = reader.patterns(table[key], thing, key, inner, date_key=date_key)
    if key == "extended_by":
        for index, pattern in enumerate(found):
            if pattern.date is None:
                reader.fault("'to' is missing: the new date", f"{key}[{index}]")
    return found


def _opens(reader: Reader, spec: Table, thing: str) -> tuple[Opens, Type | None, Type | None]:
    reader.keys(spec, ("event", "when", "each", "once", "replace", "while", "from"), "opens")
    if "while" in spec:
        names = reader.names(thing)
        standing = reader.condition(spec["while"], names, "opens.while")
        since = reader.moment(spec["from"], names, "opens.from") if reader.needs(spec, "from", path="opens") else None
        return Opens(standing=standing, since=since), None, None
    events = reader.events(spec.get("event", ()), thing, "")
    when: dict[str, Condition] = {}
    given = spec.get("when")
    by_event = given if isinstance(given, Mapping) else dict.fromkeys(events, given) if given is not None else {}
    for name, source in by_event.items():
        if name not in events:
            reader.fault(f"'{name}' does not open this duty{did_you_mean(name, events)}", "opens.when")
            continue
        path = f"opens.when.{name}" if isinstance(given, Mapping) else "opens.when"
        kind = Type("event", events=events if not isinstance(given, Mapping) else (name,))
        found = reader.condition(source, reader.names(thing, event=kind, trigger=kind), path)
        if found is not None:
            when[name] = found
        if not isinstance(given, Mapping):
            when = dict.fromkeys(events, found) if found is not None else {}
            break
    trigger = Type("event", events=events)
    names = reader.names(thing, event=trigger, trigger=trigger)
    each, item = _each_item(reader, spec, names)
    once = None
    if "once" in spec:
        compiled = [reader.condition(key, names, f"opens.once[{i}]", None) for i, key in enumerate(spec["once"])]
        once = tuple(key for key in compiled if key is not None)
    return Opens(events, when, each, once, bool(spec.get("replace", False))), trigger, item


def _each_item(reader: Reader, spec: Table, names: Names) -> tuple[Condition | tuple[str, ...] | None, Type | None]:
    if "each" not in spec:
        return None, None
    if isinstance(spec["each"], list):
        return tuple(str(item) for item in spec["each"]), TEXT
    each = reader.condition(spec["each"], names, "opens.each", expect=None)
    if each is None:
        return None, None
    if each.type.kind != "list":
        reader.fault(f'"{spec["each"]}" is {each.type}, a list is needed', "opens.each")
        return None, None
    return each, each.type.item


def _stays(reader: Reader, listed: Any, thing: str, inner: Mapping[str, Type]) -> list[Stay]:
    stays = []
    for index, spec in enumerate(listed if isinstance(listed, list) else [listed]):
        path = f"stayed_by[{index}]"
        reader.keys(spec, ("from", "to", "effect", "when", "on"), path)
        if not reader.needs(spec, "from", "effect", path=path):
            continue
        effect = reader.word(spec, "effect", ("pause", "hold"), "hold", path)
        beside = {key: spec[key] for key in ("on",) if key in spec}
        start = reader.pattern(
            {"event": spec["from"], **beside, **({"when": spec["when"]} if "when" in spec else {})}, thing, path, inner
        )
        end = reader.pattern({"event": spec["to"], **beside}, thing, path, inner) if "to" in spec else None
        if start is not None:
            stays.append(Stay(start, end, effect))
    return stays


# --------------------------------------------------------------------------- standard, act


def _standard(reader: Reader, table: Table) -> StandardForm | None:
    if not reader.needs(table, "test"):
        return None
    if ("on" in table) == ("of" in table):
        reader.fault("exactly one of on (a thing) and of (an event) is needed")
        return None
    of: tuple[str, ...] = ()
    if "of" in table:
        of = reader.events(table["of"], None)
        if not of:
            return None
        thing = reader.event(of[0]).on
        names = reader.names(thing, event=Type("event", events=of))
    else:
        thing = reader.thing(table["on"], "on")
        if not thing:
            return None
        names = reader.names(thing)
    test = reader.condition(table["test"], names, "test")
    if test is None:
        return None
    return StandardForm(
        test=test,
        on="" if of else thing,
        of=of,
        applies=reader.maybe(table, "applies", names),
        when=reader.maybe(table, "when", names),
        who=reader.role(table["who"]) if "who" in table else "",
        breach=reader.breach(table),
        defends=tuple(table.get("defends", ())),
    )


def _act(reader: Reader, table: Table) -> ActForm | None:
    if not reader.needs(table, "acts"):
        return None
    acts = reader.events(table["acts"], None)
    if not acts:
        return None
    thing = reader.event(acts[0]).on
    for name in acts[1:]:
        if reader.event(name).on != thing:
            reader.fault(f"acts must be about one kind of thing: {acts[0]} is about {thing}, {name} is not")
            return None
    event = Type("event", events=acts)
    names = reader.names(thing, event=event)
    needs = []
    for index, spec in enumerate(table.get("needs", ())):
        path = f"needs[{index}]"
        reader.keys(spec, ("event", "when", "on", "lead", "within"), path)
        plain = {key: spec[key] for key in ("event", "when", "on") if key in spec}
        pattern = _need(reader, plain, thing, path, event)
        if pattern is not None:
            lead = reader.plain_span(spec["lead"]) if "lead" in spec else None
            within = reader.plain_span(spec["within"]) if "within" in spec else None
            needs.append(Need(pattern, lead, within))
    contents = []
    for index, spec in enumerate(table.get("contents", ())):
        path = f"contents[{index}]"
        reader.keys(spec, ("key", "what", "if"), path)
        if reader.needs(spec, "key", "what", path=path):
            contents.append(Content(str(spec["key"]), str(spec["what"]), reader.maybe(spec, "if", names, path)))
    if not any(key in table for key in ("by", "if", "needs", "contents", "dated")):
        reader.fault("an act needs one of by/if/needs/contents/dated")
    return ActForm(
        acts=acts,
        on=thing,
        applies=reader.maybe(table, "applies", names),
        when=reader.maybe(table, "when", names),
        by=tuple(reader.role(role) for role in table.get("by", ())),
        test=reader.maybe(table, "if", names),
        needs=tuple(needs),
        contents=tuple(contents),
        dated=reader.moment(table["dated"], names, "dated") if "dated" in table else None,
        is_void=reader.word(table, "else", ("violation", "void"), "violation") == "void",
        breach=reader.breach(table),
    )


def _need(reader: Reader, plain: Table, thing: str, path: str, act: Type) -> Pattern | None:
    """Reads the event that an act needs: its ``when`` calls that event ``it``, and the act itself ``event``."""
    scope = reader.names(thing, event=act)
    on, about = None, thing
    if "on" in plain:
        on, about = reader.path_to_things(plain["on"], scope, f"{path}.on")
        if on is None:
            return None
    events = reader.events(plain.get("event", ()), about, path)
    if not events:
        return None
    names = {**scope, "it": Type("event", events=events)}
    return Pattern(events=events, when=reader.maybe(plain, "when", names, path), on=on, ever=True)


# --------------------------------------------------------------------------- status, penalty, calc


def _status(reader: Reader, table: Table) -> StatusForm | None:
    if not reader.needs(table, "as", "states", "start", "steps"):
        return None
    target, thing = target_of(reader, table)
    if not target or not thing:
        if target:
            reader.fault(f"a status is a fact of a thing; write as = \"thing.fact\", not '{target}'")
        return None
    states = tuple(str(state) for state in table["states"])
    for state in (table["start"], *(step.get("to") for step in table["steps"])):
        if state is not None and state not in states:
            reader.fault(f"'{state}' is not one of {'/'.join(states)}")
    steps = [_step(reader, spec, thing, states, f"steps[{index}]") for index, spec in enumerate(table["steps"])]
    fact = target.partition(".")[2]
    good = tuple(step for step in steps if step is not None)
    return StatusForm(thing, fact, states, str(table["start"]), good)


def _step(reader: Reader, spec: Table, thing: str, states: tuple[str, ...], path: str) -> Step | None:
    reader.keys(spec, ("event", "at", "from", "if", "to", "set"), path)
    if not reader.needs(spec, "to", path=path):
        return None
    if ("event" in spec) == ("at" in spec):
        reader.fault("exactly one of event and at is needed", path)
        return None
    names = reader.names(thing)
    events: tuple[str, ...] = ()
    at = None
    if "event" in spec:
        events = reader.events(spec["event"], thing, path)
        names["event"] = Type("event", events=events)
    else:
        at = reader.moment(spec["at"], names, f"{path}.at")
    if not events and at is None:
        return None
    come_from = tuple(str(state) for state in spec.get("from", ()))
    for state in come_from:
        if state not in states:
            reader.fault(f"'{state}' is not one of {'/'.join(states)}", path)
    sets = []
    for name, source in spec.get("set", {}).items():
        found = reader.moment(source, names, f"{path}.set.{name}")
        if found is not None:
            sets.append((name, found))
    return Step(str(spec["to"]), events, at, come_from, reader.maybe(spec, "if", names, path), tuple(sets))


def _penalty(reader: Reader, table: Table) -> PenaltyForm | None:
    if not reader.needs(table, "for"):
        return None
    ways = [key for key in ("ladder", "per", "most") if key in table]
    if len(ways) != 1:
        reader.fault(f"exactly one of ladder/per/most, found {ways}")
        return None
    then = None
    if "then" in table:
        then = reader.number(table["then"], {"n": NUMBER}, "then")
    per = ""
    if "per" in table:
        per = reader.word(table, "per", ("day", "week", "month"), "day")
        reader.needs(table, "amount")
    # What a breach is about depends on the rules listed, so that cases may name no thing: only history of the subject.
    most = tuple(_cases(reader, table.get("most", []), NUMBER, reader.names(""), "most"))
    return PenaltyForm(
        rules=tuple(str(rule) for rule in table["for"]),
        ladder=tuple(table.get("ladder", ())),
        then=then,
        cap=table.get("cap"),
        per=per,
        amount=table.get("amount"),
        part=reader.word(table, "part", ("none", "full"), "none"),
        most=most,
        within=reader.plain_span(table["within"]) if "within" in table else None,
        factors=tuple(str(factor) for factor in table.get("factors", ())),
    )


def _calc(reader: Reader, table: Table) -> CalcForm | None:
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


_READERS: Mapping[str, Callable[[Reader, Table], Form | None]] = {
    "value": _value,
    "limit": _limit,
    "duty": _duty,
    "standard": _standard,
    "act": _act,
    "status": _status,
    "penalty": _penalty,
    "calc": _calc,
}
