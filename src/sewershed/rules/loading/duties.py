"""Reads duties: what opens them, and what meets, ends and moves them (docs/explanation/rulebook.md 9.3)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from sewershed.rules.conditions import Condition
from sewershed.rules.entries import ClockCase, Duty, Each, Opens, Pattern, Stay
from sewershed.rules.loading.clocks import ROLLS, read_due, rolled
from sewershed.rules.loading.reader import Names, Reader, Table
from sewershed.rules.problems import did_you_mean
from sewershed.rules.types import DATE, TEXT, Type


def read_duty(reader: Reader, table: Table) -> Duty | None:
    """Returns the form of a duty: who, what opens it, by when, what meets and ends it."""
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
