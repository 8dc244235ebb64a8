"""Limits: a bound on a measured parameter, and a result held against it (docs/explanation/rulebook.md 9.2).

A result is turned into the limit's unit exactly and compared at full precision: nothing is rounded. Averages are results with
a statistic of their own; the engine never averages.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sewershed.rules.conditions import Condition
from sewershed.rules.entries import Entry, Form, LimitForm
from sewershed.rules.findings import Finding
from sewershed.rules.record import Event
from sewershed.rules.types import Thing
from sewershed.rules.units import UnitError, convert
from sewershed.rules.unknown import Unknown, Want
from sewershed.rules.values import say_value
from sewershed.rules.verdicts import Verdict, finding_of
from sewershed.rules.view import tell, view_before

if TYPE_CHECKING:
    from sewershed.rules.world import World

_SIGNS = {"max": "<=", "below": "<", "min": ">=", "above": ">"}
_UPPER = ("max", "below")
_STATED = (("at", "point"), ("method", "method"))


def judge_limit(world: World, entry: Entry, thing: Thing, event: Event, *, has_steps: bool = True) -> Finding | None:
    """Returns the finding of a limit about a laboratory result, or None where the limit does not concern it."""
    form = world.form(entry, thing, event.day)
    if not isinstance(form, LimitForm) or event.data.get("parameter") != form.parameter:
        return None

    def judge(one: Form, verdict: Verdict) -> None:
        if isinstance(one, LimitForm):
            _judge(world, one, thing, event, verdict)

    finding = finding_of(world, entry, "limit", thing, event.day, judge, event, has_steps=has_steps)
    return None if finding is None or finding.outcome == "NOT_REGULATED" else finding


def _judge(world: World, form: LimitForm, thing: Thing, event: Event, verdict: Verdict) -> None:
    unstated = [_want(event, name) for key, name in _STATED if getattr(form, key) and event.data.get(name) is None]
    if not _concerns(form, event):
        verdict.is_regulated = False
        return
    view = view_before(world, thing, event, {"event": event})
    for scope in (form.applies, form.when):
        if scope is not None and verdict.is_regulated:
            verdict.take_scope(tell(scope, view, verdict.steps))
    if not verdict.is_regulated:
        return
    sample_type = event.data.get("sample_type")
    if form.sample_type and sample_type != form.sample_type:
        verdict.note(f"a {sample_type or '?'} sample; the limit is for a {form.sample_type} one")
        verdict.missing.append(_want(event, "sample_type"))
        return
    value, unit = event.data.get("value"), event.data.get("unit")
    if value is None or unit is None:
        verdict.missing.append(_want(event, "value" if value is None else "unit"))
        return
    try:
        figure = convert(value, str(unit), form.unit)  # type: ignore[arg-type]  # a number, by the vocabulary
    except UnitError as error:
        verdict.note(str(error))
        verdict.missing.append(_want(event, "unit"))
        return
    for bound, given in form.bounds:
        limit = tell(given, view) if isinstance(given, Condition) else given
        if isinstance(limit, Unknown):
            verdict.missing.extend(limit.wants)
            continue
        held = _holds(bound, figure, limit, str(event.data.get("qualifier") or ""))
        said = f"{form.parameter}: {event.data.get('qualifier') or ''}{say_value(figure)} {_SIGNS[bound]} {say_value(limit)} {form.unit}"
        verdict.note(said)
        if held is None:
            verdict.missing.append(_want(event, "value"))
        elif not held and unstated:
            verdict.missing.extend(unstated)
        else:
            verdict.take(held, f"does not hold: {said}")


def _concerns(form: LimitForm, event: Event) -> bool:
    """Tells whether a result is of the limit's point, method and statistic, as far as it says."""
    if (event.data.get("statistic") or "any_sample") != form.statistic:
        return False
    stated = ((getattr(form, key), event.data.get(name)) for key, name in _STATED)
    return all(not wanted or value is None or value == wanted for wanted, value in stated)


def _want(event: Event, name: str) -> Want:
    return Want("fact", f"{event.name}.{name}", thing=event.thing, event=event.id)


def _holds(bound: str, figure: Any, limit: Any, qualifier: str) -> bool | None:
    """Tells whether a figure keeps a bound; None where a result below or above what can be measured cannot tell.

    Edge: the figure at the bound keeps ``max`` and ``min``, and breaks ``below`` and ``above``. A result "<" its reporting
    limit keeps an upper bound when that limit is within it; "<" never tells of a lower bound, ">" never of an upper one it
    does not already break.
    """
    plain: bool = {"max": figure <= limit, "below": figure < limit, "min": figure >= limit, "above": figure > limit}[
        bound
    ]
    if qualifier in ("<", "ND", "not_detected"):
        return True if bound in _UPPER and (plain or figure == limit) else None
    if qualifier == ">":
        if bound in _UPPER:
            return None if plain and figure != limit else False
        return True if plain or figure == limit else None
    return plain
