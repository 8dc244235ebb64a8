"""Acts: who may do what, after what, and whether it counts (docs/explanation/rulebook.md 9.5).

The same judgement answers three questions: was it lawful, does it count, and may it be done.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date, timedelta
from typing import TYPE_CHECKING

from sewershed.rules.calendars import shifted
from sewershed.rules.entries import ActForm, Entry, Form, Need
from sewershed.rules.findings import Finding, OtherReading
from sewershed.rules.moments import end_of, start_of
from sewershed.rules.record import Event, Moment
from sewershed.rules.spans import CLOCK_UNITS, Span
from sewershed.rules.types import Thing
from sewershed.rules.unknown import Unknown, Want, unknown
from sewershed.rules.verdicts import Verdict, finding_of
from sewershed.rules.view import View, tell, view_before

if TYPE_CHECKING:
    from sewershed.rules.world import World

POWER_DELEGATED = "power_delegated"
Told = tuple[bool | Unknown, str]  # the answer to one part, and the step that says it


def find_act(world: World, entry: Entry, thing: Thing, event: Event, *, has_steps: bool = True) -> Finding | None:
    """Returns the finding of an act rule, with what unsaid days read the other way would make of it."""
    finding, doubt = judge_act(world, entry, thing, event, has_steps=has_steps), world.unsaid_doubt(entry)
    if finding is None or not doubt or world.decisions(doubt, thing):
        return finding
    other = world.with_other_days()
    told = judge_act(other, entry, thing, event, has_steps=False)
    if told is None or told.outcome == finding.outcome:
        return finding
    read = f"{other.unsaid(entry, thing, event.day)} days"
    beside = OtherReading(doubt, read, told.outcome, text=f"if read as {read}: {told.outcome}")
    doubts = tuple(dict.fromkeys((*finding.doubts, doubt)))
    return replace(finding, doubts=doubts, if_read_as=(*finding.if_read_as, beside))


def judge_act(world: World, entry: Entry, thing: Thing, event: Event, *, has_steps: bool = True) -> Finding | None:
    """Returns the finding of an act rule about an event; None where it is not in force or only says how to date it."""
    key = (entry.id, thing.id, event)
    if not has_steps and not world.in_progress and key in world.verdicts:
        return world.verdicts[key]

    def judge(form: Form, verdict: Verdict) -> None:
        if isinstance(form, ActForm):
            _judge(world, entry, form, thing, event, verdict)

    finding = finding_of(world, entry, "act", thing, event.day, judge, event, has_steps=has_steps)
    form = world.form(entry, thing, event.day)
    if finding is None or not isinstance(form, ActForm):
        return None
    if not (form.by or form.needs or form.contents or form.test is not None):
        return None
    finding.is_void = form.is_void and finding.outcome == "NOT_MET"
    return finding


def _judge(world: World, entry: Entry, form: ActForm, thing: Thing, event: Event, verdict: Verdict) -> None:
    view = view_before(world, thing, event, {"event": event})
    for scope in (form.applies, form.when):
        if scope is not None and verdict.is_regulated:
            verdict.take_scope(tell(scope, view, verdict.steps))
    if not verdict.is_regulated:
        return
    if form.by:
        value, step = _in_every_place(view, lambda seen: _has_power(world, entry, form, event, seen))
        verdict.note(step)
        verdict.take(value, "not one of those who may do it")
    for need in form.needs:
        value, step = _in_every_place(view, lambda seen, need=need: _has_needed(world, entry, need, thing, event, seen))  # type: ignore[misc]
        verdict.note(step)
        verdict.take(value, f"wanting: {step}")
    if form.test is not None:
        verdict.take(tell(form.test, view, verdict.steps), f"does not hold: {form.test.source}")
    for content in form.contents:
        applies = True if content.when is None else tell(content.when, view)
        held = content.key in event.contains
        if isinstance(applies, Unknown):
            if not held:
                verdict.missing.extend(applies.wants)
        elif applies and not held:
            verdict.failed.append(f"lacks {content.what}")


def _in_every_place(view: View, ask: Callable[[View], Told]) -> Told:
    """Returns what is told, where it does not hang on the place of a bare day in its day; else that place is asked."""
    value, step = ask(view)
    if any(ask(other)[0] != value for other in view.others()):
        return view.wants_of_the_day(), step
    return value, step


def _has_power(world: World, entry: Entry, form: ActForm, event: Event, view: View) -> Told:
    if event.said_office != event.office:
        return unknown([event.want_of_office(event.said_office)]), ""
    if not event.office:
        return unknown([Want("fact", f"{event.name}.role", thing=event.thing, event=event.id)]), ""
    if event.office in form.by:
        return True, f"done by {event.office}, who may"
    town = world.records.town()
    if town is not None:
        for power in view.events(world.thing(town), (POWER_DELEGATED,)):
            if _passes(power, entry, event):
                return True, f"done by {event.office}, to whom it was delegated on {power.day}"
    return False, f"done by {event.office}; it is for {', '.join(form.by)}"


def _passes(power: Event, entry: Entry, act: Event) -> bool:
    """Tells whether a delegation covers an act. Edge: on its last day it still does."""
    until = power.data.get("until")
    is_for_this = power.data.get("rule") in (entry.id, "*") and power.data.get("to_role") == act.office
    return is_for_this and (not isinstance(until, date) or act.day <= until)


def _has_needed(world: World, entry: Entry, need: Need, thing: Thing, act: Event, view: View) -> Told:
    """Tells whether what must stand before an act stands, early enough and not too early, and says so."""
    pattern = need.pattern
    what = " or ".join(pattern.events)
    things = world.things_on(pattern, thing, view)
    if isinstance(things, Unknown):
        return things, f"{what} before it"
    wants: list[Want] = []
    unfit = ""
    for about in things:
        for event in view.events(about, pattern.events):
            if pattern.when is not None:
                fits = tell(pattern.when, view.knowing(it=event))
                if isinstance(fits, Unknown):
                    wants.extend(fits.wants)
                    continue
                if not fits:
                    continue
            apart = _apart(world, entry, need, event, act)
            if apart is True:
                return True, f"{event.name} of {world.say(event.moment)} stands{_asked(need)}"
            if isinstance(apart, Unknown):
                wants.extend(apart.wants)
            unfit = f"{event.name} of {world.say(event.moment)} is not{_asked(need)} {world.say(act.moment)}"
    if wants:
        return unknown(wants), f"{what}{_asked(need)} the act"
    return False, unfit or f"no {what} before {world.say(act.moment)}"


def _asked(need: Need) -> str:
    lead = f", at least {need.lead} before" if need.lead else ""
    within = f", at most {need.within} before" if need.within else ""
    return lead + within


def _apart(world: World, entry: Entry, need: Need, event: Event, act: Event) -> bool | Unknown:
    """Tells whether a needed event lies as far before the act as asked. Edge: exactly that far is far enough, either way."""
    answers: list[bool | Unknown] = []
    if need.lead is not None:
        lead = world.said(need.lead, entry, world.thing(act.thing), act.day)
        answers.append(_is_early_enough(world, event, lead, act))
    if need.within is not None:
        within = world.said(need.within, entry, world.thing(act.thing), act.day)
        early = _is_early_enough(world, event, within, act, is_strict=True)
        answers.append(early if isinstance(early, Unknown) else not early)
    if any(answer is False for answer in answers):
        return False
    for answer in answers:
        if isinstance(answer, Unknown):
            return answer
    return True


def _is_early_enough(world: World, event: Event, span: Span, act: Event, *, is_strict: bool = False) -> bool | Unknown:
    """Tells whether an event lies at least (strictly: more than) a span before an act."""
    if event.undated or act.undated:
        return unknown([*event.undated, *act.undated])
    if span.unit not in CLOCK_UNITS:
        limit = shifted(world.calendar.add, event.day, span)
        if isinstance(limit, Unknown):
            return False  # it lies behind every act
        return act.day > limit if is_strict else act.day >= limit
    early, late = _ends(world, event.moment)
    first, last = _ends(world, act.moment)
    soonest, latest = _plus(world, early, span), _plus(world, late, span)
    step = timedelta(seconds=1) if is_strict else timedelta(0)
    if latest + step <= first:
        return True
    if soonest + step > last:
        return False
    bare = [one for one in (event, act) if not one.is_timed]
    return unknown(Want("time_of_day", one.name, thing=one.thing, event=one.id, day=one.day) for one in bare)


def _ends(world: World, moment: Moment) -> tuple[Moment, Moment]:
    return start_of(moment, world.zone), end_of(moment, world.zone)


def _plus(world: World, moment: Moment, span: Span) -> Moment:
    return end_of(world.calendar.add(moment, span), world.zone)


def may(world: World, act: Event, thing: Thing, entries: Sequence[Entry]) -> list[Finding]:
    """Returns how every rule about an act would judge it, were it done: what is wanting for it to be lawful."""
    found = (find_act(world, entry, thing, act) for entry in entries)
    return [finding for finding in found if finding is not None and finding.outcome != "NOT_REGULATED"]
