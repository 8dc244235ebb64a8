"""Periodic duties: one obligation for each calendar period (RULEBOOK.md 7.3, ``each``).

``during``: owed inside the period, due on its last day, afterwards missed and never carried over; begins with the first full
period. ``after``: owed after the period's end, within a span; the partial first period is owed too. ``first`` says otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Any

from sewershed.rules.calendars import Period
from sewershed.rules.clocks import Limit
from sewershed.rules.conditions import Condition
from sewershed.rules.entries import CountedSpan, Duty, Each, Pattern
from sewershed.rules.findings import Obligation
from sewershed.rules.moments import day_of, end_of
from sewershed.rules.openings import Case, Opening
from sewershed.rules.patterns import Fit
from sewershed.rules.settling import Ends, first_sure, new, settle
from sewershed.rules.spans import Span
from sewershed.rules.types import Thing
from sewershed.rules.unknown import Unknown, Want, unknown
from sewershed.rules.values import say_value
from sewershed.rules.view import View, tell, view_before

_DAY = timedelta(days=1)
_SECOND = timedelta(seconds=1)


@dataclass(slots=True)
class Counted:
    """How far an amount has come in a period."""

    fit: Fit | None = None  # the event that reached it
    wants: tuple[Want, ...] = ()
    note: str = ""


def periods(case: Case, opening: Opening) -> Iterator[Obligation]:
    """Returns the obligations of all periods that have begun (``during``) or ended (``after``), in order."""
    world = case.world
    roots = case.roots(opening)
    found = case.taken("met_by", opening, roots)
    closed = first_sure(case.taken("closes", opening, roots))
    excuses = case.taken("excused_by", opening, roots)
    extensions = [fit for fit in case.taken("extended_by", opening, roots) if not fit.wants]
    stays = case.stays(roots)
    each = _each(case)
    used: set[str] = set()
    was_missed = ""
    by_day = sorted((fit for fit in found if not fit.wants), key=lambda fit: fit.event.key)
    for period in _listed(case, each, opening):
        governing = _governing(case, period)
        if governing is None:
            continue
        clock = _each(governing)
        made = new(governing, opening, case.key(opening, period.label), opening.start, period.label)
        made.start = period.first
        limit = _limit(governing, opening, clock, period, roots)
        counted = _met_in(governing, clock, period, found, by_day, used, roots)
        if closed is not None and _is_closed(clock, period, closed):
            if counted.fit is None or counted.fit.event.key > closed.event.key:
                if clock.window == "during":
                    made.due = limit.moment
                    made.state, made.ended = "closed", closed.event.name
                    made.notes += (f"ended by {closed.event.name} of {world.say(closed.event.moment)}",)
                    yield made
                    return
                if closed.event.day < period.first:
                    return
        if counted.fit is not None:
            used.add(counted.fit.event.id)
        if counted.note:
            made.notes += (counted.note,)
        ends = Ends(
            met=counted.fit,
            nearly=tuple(fit for fit in found if fit.wants and _is_in(clock, period, fit.event.day)),
            excused=_first_of(excuses, period),
            extended=_last_of(extensions, period),
        )
        settle(governing, opening, made, limit, ends, stays, roots)
        if counted.wants and made.state in ("due", "overdue", "missed"):
            made.state, made.asks = "cannot_tell", unknown([*made.asks, *counted.wants]).wants
        if was_missed and made.state == "due" and governing.duty.catch_up:
            made.is_at_once = True
            made.notes += (f"due at once: {was_missed} was missed",)
        was_missed = period.label if made.state == "missed" else ""
        yield made
    following = world.calendar.period_of(world.today, each.period)  # type: ignore[arg-type]  # the loader checked it
    world.changes_at(end_of(following.last, world.zone))


def _each(case: Case) -> Each:
    for one in case.duty.due:
        if isinstance(one.clock, Each):
            return one.clock
    raise TypeError(f"{case.entry.id} is not periodic")


def _listed(case: Case, each: Each, opening: Opening) -> Iterator[Period]:
    """Returns the periods that are owed and listed by now.

    Edge: a period is listed from its first day (``during``), or from the day after its end (``after``). One that begins on
    the very day on which the duty starts is a full one.
    """
    calendar, today = case.world.calendar, case.world.today
    start = day_of(opening.start, case.world.zone)
    period = calendar.period_of(start, each.period)  # type: ignore[arg-type]  # the loader checked it
    if each.first == "next" and period.first < start:
        period = calendar.next_period(period)
    while (period.first <= today) if each.window == "during" else (period.last < today):
        yield period
        period = calendar.next_period(period)


def _governing(case: Case, period: Period) -> Case | None:
    """Returns the case under the edition of the period's last day, if that is this case's to tell."""
    edition = case.entry.edition_on(period.last)
    if edition is case.edition:
        return case if case.world.is_in_force(case.entry, period.last) else None
    duty = edition.readings.get(case.reading) if edition is not None else None
    if edition is None or not isinstance(duty, Duty):
        return None
    if not case.world.is_in_force(case.entry, period.last):
        return None
    return replace(case, edition=edition, duty=duty)


def _limit(case: Case, opening: Opening, clock: Each, period: Period, roots: Mapping[str, object]) -> Limit:
    world = case.world
    if clock.window == "during" or clock.within is None:
        if case.trace is not None:
            case.trace.append(f"inside {period.label}: due {world.say(period.last)}")
        return Limit(period.last, gone=period.last)
    span: Any = clock.within
    if isinstance(span, CountedSpan):
        setting = case.setting(period.last, roots, (), None)
        number: Any = tell(span.n, setting.view, case.trace)
        if isinstance(number, Unknown):
            return Limit(wants=number.wants)
        span = Span(number, span.unit)  # type: ignore[arg-type]  # the loader checked it
    is_unsaid = span.unsaid
    counted = span.read_as(
        "business" if world.unsaid(case.entry, case.thing, period.last) == "business" else "calendar"
    )
    due = world.calendar.add(period.last, counted)
    how: Any = clock.roll or world.library.books[case.entry.book].calendar.roll
    if how != "none" and type(due) is date:
        due = world.calendar.roll_day(due, how)
    if case.trace is not None:
        case.trace.append(f"within {counted} after the end of {period.label} on {period.last}: due {world.say(due)}")
    return Limit(due, is_unsaid=is_unsaid)


def _is_closed(clock: Each, period: Period, closed: Fit) -> bool:
    """Tells whether a closing reaches a period: one not yet ended then (``during``), or not yet begun (``after``)."""
    return closed.event.day <= period.last if clock.window == "during" else closed.event.day < period.first


def _is_in(clock: Each, period: Period, day: date) -> bool:
    return period.first <= day <= period.last if clock.window == "during" else day > period.last


def _first_of(found: Sequence[Fit], period: Period) -> Fit | None:
    return next((fit for fit in found if not fit.wants and period.first <= fit.event.day), None)


def _last_of(found: Sequence[Fit], period: Period) -> Fit | None:
    within = [fit for fit in found if period.first <= fit.event.day]
    return within[-1] if within else None


# --------------------------------------------------------------------------- what meets a period


def _met_in(
    case: Case,
    clock: Each,
    period: Period,
    found: Sequence[Fit],
    by_day: Sequence[Fit],
    used: set[str],
    roots: Mapping[str, object],
) -> Counted:
    """Returns the event that meets a period.

    Tied by its own ``period``, or else the first inside it (``during``), or the first unused after its end (``after``); with
    an amount, the event that reaches it.
    """
    amounts = [pattern for pattern in case.duty.met_by if pattern.at_least is not None]
    if amounts:
        return _amount(case, amounts[0], period, [fit for fit in found if fit.pattern is amounts[0]], roots)
    wants: list[Want] = []
    for fit in by_day:
        if fit.pattern.period is not None:
            named: Any = tell(fit.pattern.period, view_before(case.world, case.thing, fit.event, {"event": fit.event}))
            if isinstance(named, Unknown):
                wants.extend(named.wants if _is_in(clock, period, fit.event.day) else ())
            elif str(named) == period.label:
                return Counted(fit)
            continue
        if clock.window == "after":
            if fit.event.id not in used and fit.event.day > period.last:
                return Counted(fit)
        elif period.first <= fit.event.day <= period.last:
            return Counted(fit)
        elif fit.event.day > period.last:
            break
    return Counted(note=f"would count if this were known: {wants[0]}") if wants else Counted()


def _amount(case: Case, pattern: Pattern, period: Period, found: Sequence[Fit], roots: Mapping[str, object]) -> Counted:
    """Adds up an amount over a period: plainly, or each distinct thing once, its repeats shown apart."""
    world = case.world
    least_view = View(world, case.thing, roots, day=min(period.last, world.today), moment=world.as_of)
    least: Any = tell(pattern.at_least, least_view, case.trace) if pattern.at_least is not None else 0
    if isinstance(least, Unknown):
        return Counted(wants=least.wants)
    total: Any = 0
    repeats: Any = 0
    wants: list[Want] = []
    most: dict[object, Any] = {}
    for fit in found:
        if not period.first <= fit.event.day <= period.last:
            continue
        if fit.wants:
            wants.extend(fit.wants)
            continue
        amount: Any = 1
        if pattern.amount is not None:
            amount = _told(case, pattern.amount, fit)
            if isinstance(amount, Unknown):
                wants.extend(amount.wants)
                continue
        if pattern.distinct is not None:
            of: Any = _told(case, pattern.distinct, fit)
            if isinstance(of, Unknown):
                wants.extend(of.wants)
                continue
            whole = _length_of(case, pattern.amount, of, fit)
            before = most.get(of, 0)
            now = before + amount
            if whole is not None and now > whole:
                now = whole
            elif whole is None:
                now = max(before, amount)
            most[of] = now
            repeats += amount - (now - before)
            amount = now - before
        total += amount
        if total >= least:
            return Counted(fit, note=_far(total, least, repeats))
    return Counted(wants=unknown(wants).wants, note=_far(total, least, repeats))


def _told(case: Case, condition: Condition, fit: Fit) -> Any:
    more: dict[str, object] = {"event": fit.event}
    if fit.event.thing != case.thing.id:
        about = case.world.thing(fit.event.thing)
        more[about.type] = about
    return tell(condition, view_before(case.world, case.thing, fit.event, more))


def _length_of(case: Case, amount: Condition | None, of: Any, fit: Fit) -> Any:
    """Returns the whole of a distinct thing: its fact of the same name as the amount (a pipe's ``length_ft``), if known."""
    if amount is None or not isinstance(of, Thing):
        return None
    name = amount.source.rpartition(".")[2]
    kind = case.world.vocabulary.things.get(of.type)
    if kind is None or name not in kind.facts:
        return None
    whole = case.world.fact(of, name, view_before(case.world, case.thing, fit.event, {}))
    return None if isinstance(whole, Unknown) else whole


def _far(total: Any, least: Any, repeats: Any) -> str:
    again = f"; {say_value(repeats)} more were repeats" if repeats else ""
    return f"{say_value(total)} of {say_value(least)}{again}"
