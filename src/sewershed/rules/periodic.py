"""Periodic duties: one obligation for each calendar period (RULEBOOK.md 7.3, ``each``).

``during``: owed inside the period, due on its last day, afterwards missed and never carried over; begins with the first full
period. ``after``: owed after the period's end, within a span; the partial first period is owed too. ``first`` says otherwise.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Any

from sewershed.rules.calendars import Period
from sewershed.rules.clocks import Limit
from sewershed.rules.conditions import Condition
from sewershed.rules.entries import CountedSpan, Duty, Each, Pattern
from sewershed.rules.findings import Obligation
from sewershed.rules.moments import day_of, end_of, start_of
from sewershed.rules.openings import Case, Opening
from sewershed.rules.patterns import Fit
from sewershed.rules.settling import Ends, first_sure, new, settle
from sewershed.rules.spans import Span
from sewershed.rules.types import Thing
from sewershed.rules.unknown import Unknown, Want, unknown
from sewershed.rules.values import say_value
from sewershed.rules.view import View, tell, view_before

_DAY = timedelta(days=1)


@dataclass(slots=True)
class Counted:
    """How far an amount has come in a period."""

    fit: Fit | None = None  # the event that reached it
    wants: tuple[Want, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class Owed:
    """One period in which a thing is owed, the clock by which it is, and what is wanting to tell that."""

    period: Period
    clock: Each
    wants: tuple[Want, ...] = ()


def periods(case: Case, opening: Opening) -> Iterator[Obligation]:
    """Returns the obligations of all periods that have begun (``during``) or ended (``after``), in order."""
    roots = case.roots(opening)
    fulfilments = Fulfilments(case, case.taken("met_by", opening, roots))
    closed = first_sure(case.taken("closes", opening, roots))
    excuses = case.taken("excused_by", opening, roots)
    extensions = [fit for fit in case.taken("extended_by", opening, roots) if not fit.wants]
    stays = case.stays(roots)
    was_missed = ""
    for owed in _listed(case, opening):
        period, clock = owed.period, owed.clock
        if closed is not None and closed.event.day < period.first:
            return
        governing = _governing(case, period)
        if governing is None:
            continue
        if governing is not case:
            clock = _clock_on(governing, opening, period.first)[0] or clock
        made = new(governing, opening, case.key(opening, period.label), period.first, period.label)
        limit = _limit(governing, opening, clock, period, roots)
        limit.wants += owed.wants
        counted = fulfilments.of(governing, clock, period, roots)
        if counted.note:
            made.notes += (counted.note,)
        is_cut_short = closed is not None and clock.window == "during" and closed.event.day <= period.last
        ends = Ends(
            met=counted.fit,
            nearly=fulfilments.nearly(clock, period),
            closed=closed if is_cut_short else None,
            excused=_first_of(excuses, period),
            extended=_last_of(extensions, period),
        )
        settle(governing, opening, made, limit, ends, stays, roots)
        if (counted.wants or owed.wants) and made.state in ("due", "overdue", "missed"):
            made.asks = unknown([*made.asks, *counted.wants]).wants
            made.state = "due" if made.state == "due" and not counted.wants else "cannot_tell"
        if was_missed and made.state == "due" and governing.duty.catch_up:
            made.is_at_once = True
            made.notes += (f"due at once: {was_missed} was missed",)
        was_missed = period.label if made.state == "missed" else ""
        yield made


def _listed(case: Case, opening: Opening) -> Iterator[Owed]:
    """Returns the periods that are owed and listed by now.

    Edge: a period is listed from its first day (``during``), or from the day after its end (``after``). One that begins on
    the very day on which the duty starts is a full one.
    """
    world, calendar, today = case.world, case.world.calendar, case.world.today
    day = day_of(opening.start, world.zone)
    is_first = True
    while day <= today:
        clock, wants = _clock_on(case, opening, day)
        if clock is None:
            return
        period = calendar.period_of(day, clock.period)  # type: ignore[arg-type]  # the loader checked it
        if clock.first == "next" and period.first < day and is_first:
            period = calendar.next_period(period)
        is_first = False
        listed_on = period.first if clock.window == "during" else period.last + _DAY
        if listed_on > today:
            world.changes_at(end_of(listed_on - _DAY, world.zone))
            return
        yield Owed(period, clock, wants)
        day = period.last + _DAY
    world.changes_at(end_of(day - _DAY, world.zone))


def _clock_on(case: Case, opening: Opening, day: date) -> tuple[Each | None, tuple[Want, ...]]:
    """Returns the periodic clock that holds on a day: of the first case that does, or that may, with the question."""
    wants: list[Want] = []
    first: Each | None = None
    for one in case.duty.due:
        if not isinstance(one.clock, Each):
            continue
        if one.when is None:
            return first or one.clock, tuple(wants)
        upto = (start_of(day + _DAY, case.world.zone), -1, 0)
        view = View(case.world, case.thing, case.roots(opening), day=day, moment=day, upto=upto)
        holds = tell(one.when, view, case.trace)
        if isinstance(holds, Unknown):
            wants.extend(holds.wants)
            first = first or one.clock
        elif holds:
            return first or one.clock, tuple(wants)
    return first, tuple(wants)


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


def _is_in(clock: Each, period: Period, day: date) -> bool:
    return period.first <= day <= period.last if clock.window == "during" else day > period.last


def _first_of(found: Sequence[Fit], period: Period) -> Fit | None:
    return next((fit for fit in found if not fit.wants and period.first <= fit.event.day), None)


def _last_of(found: Sequence[Fit], period: Period) -> Fit | None:
    within = [fit for fit in found if period.first <= fit.event.day]
    return within[-1] if within else None


# --------------------------------------------------------------------------- what meets a period


class Fulfilments:
    """The events that may meet the periods of a duty, each looked up once.

    An event counts for the period it names (``period``), or else inside the period it falls into (``during``), or for the
    first unmet one that ended before it (``after``: first in, first out).
    """

    def __init__(self, case: Case, found: Sequence[Fit]) -> None:
        self.amount = next((one for one in case.duty.met_by if one.at_least is not None), None)
        self.unsure = [fit for fit in found if fit.wants]
        self.untied: list[Fit] = []
        self.tied: dict[str, Fit] = {}
        self.unnamed: list[Fit] = []  # does not say its period
        self.next_unused = 0
        for fit in found:
            if fit.wants:
                continue
            if fit.pattern.period is None:
                self.untied.append(fit)
                continue
            view = view_before(case.world, case.thing, fit.event, {"event": fit.event})
            named: Any = tell(fit.pattern.period, view)
            if isinstance(named, Unknown):
                self.unnamed.append(Fit(fit.event, fit.pattern, named.wants))
            else:
                self.tied.setdefault(str(named), fit)
        self.untied.sort(key=lambda fit: fit.event.key)
        self.days = [fit.event.day for fit in self.untied]

    def of(self, case: Case, clock: Each, period: Period, roots: Mapping[str, object]) -> Counted:
        """Returns the event that meets a period, or how far its amount has come."""
        if self.amount is not None:
            first, last = bisect_left(self.days, period.first), bisect_right(self.days, period.last)
            unsure = [fit for fit in self.unsure if period.first <= fit.event.day <= period.last]
            return _amount(case, self.amount, period, self.untied[first:last], unsure, roots)
        if period.label in self.tied:
            return Counted(self.tied[period.label])
        if clock.window == "during":
            index = bisect_left(self.days, period.first)
            if index < len(self.days) and self.days[index] <= period.last:
                return Counted(self.untied[index])
            return Counted()
        while self.next_unused < len(self.untied):
            fit = self.untied[self.next_unused]
            self.next_unused += 1
            if fit.event.day > period.last:
                return Counted(fit)
        return Counted()

    def nearly(self, clock: Each, period: Period) -> tuple[Fit, ...]:
        """Returns the events that would meet a period if a fact were known."""
        return tuple(fit for fit in (*self.unsure, *self.unnamed) if _is_in(clock, period, fit.event.day))


def _amount(
    case: Case,
    pattern: Pattern,
    period: Period,
    found: Sequence[Fit],
    unsure: Sequence[Fit],
    roots: Mapping[str, object],
) -> Counted:
    """Adds up an amount over a period: plainly, or each distinct thing once, its repeats shown apart."""
    world = case.world
    least_view = View(world, case.thing, roots, day=min(period.last, world.today), moment=world.as_of)
    least: Any = tell(pattern.at_least, least_view, case.trace) if pattern.at_least is not None else 0
    if isinstance(least, Unknown):
        return Counted(wants=least.wants)
    total: Any = 0
    repeats: Any = 0
    wants: list[Want] = [want for fit in unsure for want in fit.wants]
    most: dict[object, Any] = {}
    for fit in found:
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
