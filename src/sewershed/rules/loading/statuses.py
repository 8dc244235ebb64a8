"""Reads statuses: the life of a thing and its steps (docs/explanation/rulebook.md 9.6)."""

from __future__ import annotations

from sewershed.rules.entries import StatusForm, Step
from sewershed.rules.loading.reader import Reader, Table
from sewershed.rules.loading.values import target_of
from sewershed.rules.types import Type


def read_status(reader: Reader, table: Table) -> StatusForm | None:
    """Returns the form of a status: the states of a life and its steps."""
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
