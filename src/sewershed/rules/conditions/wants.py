"""Who is asked: what is missing gets its name, the thing it is about and the event it belongs to."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date, datetime
from typing import Any

from sewershed.rules.conditions.scope import Local, Run, Scope
from sewershed.rules.conditions.terms import Datum, Extreme, IfElse, ItemField, Term, ThingFact
from sewershed.rules.conditions.terms import Local as LocalName
from sewershed.rules.record import Event
from sewershed.rules.unknown import Unknown, Want, WantKind

RunOf = Callable[[Term], Run]
DIVISION_BY_ZERO = Unknown((Want("arithmetic", "division by zero"),))


def datum(event: Event, name: str, judged_by: str = "") -> Want:
    """Returns the want for a datum of an event: to be recorded, or to be decided where the law leaves it to a person."""
    kind: WantKind = "decision" if judged_by else "fact"
    return Want(kind, f"{event.name}.{name}", thing=event.thing, who=judged_by, event=event.id)


def missing_field(term: ItemField, run_of: RunOf) -> Run:
    """Returns how the want for a field of a record is made: after the list that the record stands in, where that is known."""
    source = term.record.source if isinstance(term.record, LocalName) else None
    if isinstance(source, Datum):
        event = run_of(source.event)
        return lambda scope, local: datum(event(scope, local), f"{source.name}.{term.name}")
    if isinstance(source, ThingFact):
        thing, path = run_of(source.thing), f"{source.thing.type.to}.{source.name}.{term.name}"
        return lambda scope, local: Want("fact", path, thing=thing(scope, local).id)
    return lambda scope, _: Want("fact", term.text, thing=scope.subject().id)


def times_of_day(*terms: Term, run_of: RunOf) -> Callable[[Scope, Local], Unknown]:
    """Returns how the unknown is made that asks the time of day of every moment among these of which only the day is known."""
    makers = [(run_of(leaf), _time_of_day(leaf, run_of)) for term in terms for leaf in _moments_in(term)]

    def make(scope: Scope, local: Local) -> Unknown:
        values = ((run(scope, local), want) for run, want in makers)
        found = dict.fromkeys(want(scope, local, value) for value, want in values if _is_day(value))
        return Unknown(tuple(found) or (Want("time_of_day", terms[-1].text, thing=scope.subject().id),))

    return make


def _moments_in(term: Term) -> Iterator[Term]:
    if isinstance(term, IfElse):
        yield from _moments_in(term.yes)
        yield from _moments_in(term.no)
    elif isinstance(term, Extreme):
        for item in term.items:
            yield from _moments_in(item)
    elif term.type.kind == "moment":
        yield term


def _is_day(value: Any) -> bool:
    return isinstance(value, date) and not isinstance(value, datetime)


def _time_of_day(term: Term, run_of: RunOf) -> Callable[[Scope, Local, date], Want]:
    if isinstance(term, Datum):
        event = run_of(term.event)

        def of_datum(scope: Scope, local: Local, day: date) -> Want:
            at = event(scope, local)
            return Want("time_of_day", f"{at.name}.{term.name}", thing=at.thing, event=at.id, day=day)

        return of_datum
    if isinstance(term, ThingFact):
        thing, path = run_of(term.thing), f"{term.thing.type.to}.{term.name}"
        return lambda scope, local, day: Want("time_of_day", path, thing=thing(scope, local).id, day=day)
    return lambda scope, _, day: Want("time_of_day", term.text, thing=scope.subject().id, day=day)
