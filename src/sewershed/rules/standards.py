"""Standards: what a thing, or an event's data, must satisfy (docs/explanation/rulebook.md 9.4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sewershed.rules.entries import Entry, Form, StandardForm
from sewershed.rules.findings import Finding
from sewershed.rules.record import Event
from sewershed.rules.types import Thing
from sewershed.rules.unknown import Unknown, Want, unknown
from sewershed.rules.verdicts import Verdict, finding_of
from sewershed.rules.view import View, tell, view_before

if TYPE_CHECKING:
    from sewershed.rules.world import World


def judge_standard(
    world: World, entry: Entry, thing: Thing, event: Event | None, *, has_steps: bool = True
) -> Finding | None:
    """Returns the finding of a standard about an event, or about a thing as it now is; None where it is not in force."""
    if has_steps or world.in_progress:
        return _judged(world, entry, _view(world, thing, event), event, has_steps=has_steps)
    key = (entry.id, thing.id, event)
    if key not in world.verdicts:  # duties, lives and findings ask the same again and again
        world.verdicts[key] = _judged(world, entry, _view(world, thing, event), event, has_steps=False)
    return world.verdicts[key]


def _judged(world: World, entry: Entry, view: View, event: Event | None, *, has_steps: bool) -> Finding | None:
    def judge(form: Form, verdict: Verdict) -> None:
        if not isinstance(form, StandardForm):
            return
        for scope in (form.applies, form.when):
            if scope is not None and verdict.is_regulated:
                verdict.take_scope(tell(scope, view, verdict.steps))
        if verdict.is_regulated:
            verdict.take(tell(form.test, view, verdict.steps), f"does not hold: {form.test.source}")

    finding = finding_of(world, entry, "standard", view.thing, view.day, judge, event, has_steps=has_steps)
    form = world.form(entry, view.thing, view.day)
    if finding is not None and isinstance(form, StandardForm) and form.defends and finding.outcome == "MET":
        finding.defends = form.defends
    return finding


def _view(world: World, thing: Thing, event: Event | None) -> View:
    return world.standing(thing) if event is None else view_before(world, thing, event, {"event": event})


def meets(world: World, standard: str, view: View) -> bool | Unknown:
    """Tells whether the event (or else the thing) that a view is about meets a standard, as the view sees it.

    Refuses: unknown where the standard is not in force or does not concern it; not being regulated is no pass.
    """
    no_answer = unknown([Want("no_answer", standard, thing=view.thing.id)])
    entry, event = world.entries.get(standard), view.roots.get("event")
    event = event if isinstance(event, Event) else None
    if entry is None or not _concerns(world.form(entry, view.thing, view.day), view.thing, event):
        return no_answer
    if event is None and not (view.is_now and view.day == world.today):
        finding = _judged(world, entry, view, None, has_steps=False)
    else:
        finding = judge_standard(world, entry, view.thing, event, has_steps=False)
    if finding is None or finding.outcome == "NOT_REGULATED":
        return no_answer
    if finding.outcome == "CANNOT_TELL":
        return Unknown(finding.asks)
    return finding.outcome == "MET"


def _concerns(form: Form | None, thing: Thing, event: Event | None) -> bool:
    """Tells whether a standard is about things of this type, or about events of this name."""
    if not isinstance(form, StandardForm):
        return False
    return form.on == thing.type or (event is not None and event.name in form.of)
