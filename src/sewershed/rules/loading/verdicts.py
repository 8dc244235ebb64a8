"""Reads what gives a verdict: limits, standards and acts (docs/explanation/rulebook.md 9.2, 9.4 and 9.5)."""

from __future__ import annotations

from sewershed.rules.conditions import Condition
from sewershed.rules.entries import ActForm, Content, LimitForm, Need, Pattern, StandardForm
from sewershed.rules.loading.reader import Reader, Table
from sewershed.rules.problems import did_you_mean
from sewershed.rules.types import Type, Value
from sewershed.rules.units import UnitError, is_convertible
from sewershed.rules.vocabulary import SAMPLE_RESULT

BOUNDS = ("max", "below", "min", "above")


def read_limit(reader: Reader, table: Table) -> LimitForm | None:
    """Returns the form of a limit: the bounds of a parameter, and which results they concern."""
    if not reader.needs(table, "parameter", "unit"):
        return None
    parameter, unit = str(table["parameter"]), str(table["unit"])
    known = reader.vocabulary.parameters
    if parameter not in known:
        reader.fault(f"unknown parameter '{parameter}'{did_you_mean(parameter, known)}")
        return None
    try:
        is_fit = is_convertible(unit, known[parameter])
    except UnitError as error:
        reader.fault(f"unit: {error}; {parameter} is kept in {known[parameter]}")
        return None
    if not is_fit:
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


def read_standard(reader: Reader, table: Table) -> StandardForm | None:
    """Returns the form of a standard: what a thing, or the data of an event, must satisfy."""
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


def read_act(reader: Reader, table: Table) -> ActForm | None:
    """Returns the form of an act: who may do it, what must stand before it, what it must hold."""
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
