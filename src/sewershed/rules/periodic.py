"""Periodic duties: one obligation for each calendar period (docs/explanation/rulebook.md 9.3, ``each``).

``during``: owed inside the period, due on its last day, afterwards missed and never carried over; begins with the first full
period. ``after``: owed after the period's end, within a span; the partial first period is owed too. ``first`` says otherwise.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from sewershed.rules.calendars import Period, shifted
from sewershed.rules.clocks import Limit, rolled, span_of
from sewershed.rules.conditions import Condition
from sewershed.rules.entries import Each, Pattern
from sewershed.rules.findings import Obligation
from sewershed.rules.moments import day_of, end_of, start_of
from sewershed.rules.openings import Case, Opening
from sewershed.rules.patterns import Fit
from sewershed.rules.record import Moment
from sewershed.rules.settling import Ends, extended, first_sure, governed, new, settle
from sewershed.rules.stays import Stays
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
    taken = _Taken(opening, roots)
    was_missed = ""
    for owed in _listed(case, opening):
        period = owed.period
        first = case.on(period.last)
        if first is None:
            continue
        closed, newer = taken.closed(first), opening.superseded_by
        is_closed = closed is not None and closed.event.day < period.first
        if is_closed or (newer is not None and newer.day < period.first):
            return
        if closed is not None and (owed.clock.window != "during" or closed.event.day > period.last):
            closed = None
        governing, counted_from, ends = _governed(first, owed, taken, closed)
        clock = _clock_on(governing, opening, period.first)[0] or owed.clock
        limit = _limit(governing, opening, clock, period, counted_from, roots)
        limit.wants += owed.wants
        counted = taken.counted(governing, clock, period)
        if ends.met is not None:
            taken.use(ends.met)
        ends.excused = taken.excused(governing, period, limit) if ends.met is None else ()
        ends.extended = taken.extended(governing, period, limit, ends.met)
        made = new(governing, opening, case.key(opening, period.label), period.first, period.label)
        if counted.note:
            made.notes += (counted.note,)
        settle(governing, opening, made, limit, ends, governing.stays(roots), roots)
        if (counted.wants or owed.wants) and made.state in ("due", "overdue", "missed"):
            made.asks = unknown([*made.asks, *counted.wants]).wants
            made.state = "due" if made.state == "due" and not counted.wants else "cannot_tell"
        if was_missed and made.state == "due" and governing.duty.catch_up:
            made.is_at_once = True
            made.notes += (f"due at once: {was_missed} was missed",)
        was_missed = period.label if made.state == "missed" else ""
        yield made


def _governed(case: Case, owed: Owed, taken: _Taken, closed: Fit | None) -> tuple[Case, Moment, Ends]:
    """Returns the edition that governs a period at last: of its last day, or a later one that takes over what is open.

    Edge: what is owed inside a period is over with it, so that no later edition reaches it.
    """

    def ends_under(one: Case) -> Ends:
        counted = taken.counted(one, owed.clock, owed.period)
        nearly = taken.nearly(one, owed.clock, owed.period) if counted.fit is None else ()
        return Ends(counted.fit, nearly, closed)

    if owed.clock.window == "during":
        return case, owed.period.last, ends_under(case)
    return governed(case, owed.period.last, ends_under)


def _listed(case: Case, opening: Opening) -> Iterator[Owed]:
    """Returns the periods that are owed and listed by now.

    Edge: a period is listed from its first day (``during``), or from the day after its end (``after``). One that begins on
    the very day on which the duty starts is a full one.
    """
    world, calendar, today = case.world, case.world.calendar, case.world.today
    day = day_of(opening.start, world.zone)
    is_first = True
    while day <= today:
        clock, wants = _clock_on(case.on(day) or case, opening, day)
        if clock is None:  # of none of the cases today; the next day another may hold
            day += _DAY
            continue
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


def _limit(
    case: Case, opening: Opening, clock: Each, period: Period, counted_from: Moment, roots: Mapping[str, object]
) -> Limit:
    world = case.world
    if clock.window == "during" or clock.within is None:
        if case.trace is not None:
            case.trace.append(f"inside {period.label}: due {world.say(period.last)}")
        return Limit(period.last, gone=period.last)
    setting = case.setting(counted_from, roots, Stays(world), None)
    span = span_of(setting, clock.within)
    if isinstance(span, Limit):
        return span
    is_unsaid = span.unsaid
    counted = world.said(span, case.entry, case.thing, period.last)
    plain = shifted(world.calendar.add, counted_from, counted)
    if isinstance(plain, Unknown):
        return Limit(wants=plain.wants)
    due = rolled(setting, plain, clock.roll)
    if case.trace is not None:
        since = f"after the end of {period.label} on" if counted_from == period.last else "from"
        case.trace.append(f"within {counted} {since} {world.say(counted_from)}: due {world.say(due)}")
    return Limit(due, is_unsaid=is_unsaid)


def _day_of(fit: Fit) -> date:
    return fit.event.day


# --------------------------------------------------------------------------- what meets, ends, excuses or extends a period


class _Taken:
    """The events that count for the periods of one duty on one thing, by what each edition asks."""

    def __init__(self, opening: Opening, roots: Mapping[str, object]) -> None:
        self.opening, self.roots = opening, roots
        self._fulfilments: dict[date | None, _Fulfilments] = {}  # by the first day of the edition
        self._others: dict[tuple[date | None, str], list[Fit]] = {}
        self._used: set[str] = set()  # the events that have met or extended a period
        self._until: dict[tuple[date | None, str], object] = {}  # until when each excuse runs

    def closed(self, case: Case) -> Fit | None:
        """Returns the first event that ends the duty."""
        return first_sure(self._of(case, "closes"), [])

    def counted(self, case: Case, clock: Each, period: Period) -> Counted:
        """Returns the event that meets a period, or how far its amount has come."""
        return self._met_by(case).of(case, clock, period, self.roots, self._used)

    def nearly(self, case: Case, clock: Each, period: Period) -> tuple[Fit, ...]:
        """Returns the events that would meet a period if a fact were known."""
        return self._met_by(case).nearly(clock, period)

    def use(self, fit: Fit) -> None:
        """Notes that an event has met a period: another period it does not meet."""
        self._used.add(fit.event.id)

    def excused(self, case: Case, period: Period, limit: Limit) -> tuple[Fit, ...]:
        """Returns what excuses a period: what came before its limit had passed, and runs into the period at least."""
        last = self._last(case, period, limit)
        return tuple(
            fit
            for fit in self._of(case, "excused_by")
            if not fit.wants and fit.event.day <= last and self._runs_into(case, fit, period)
        )

    def extended(self, case: Case, period: Period, limit: Limit, met: Fit | None) -> tuple[Fit, ...]:
        """Returns what extends a period: what came while it was open and no earlier one was extended by it."""
        found = []
        fits = self._of(case, "extended_by")
        for place in range(bisect_left(fits, period.first, key=_day_of), len(fits)):
            fit = fits[place]
            if fit.event.day > self._last(case, period, limit) or (met is not None and fit.event.key >= met.event.key):
                break
            if not fit.wants and fit.event.id not in self._used:
                limit = extended(case, limit, fit, self.roots)
                self._used.add(fit.event.id)
                found.append(fit)
        return tuple(found)

    def _last(self, case: Case, period: Period, limit: Limit) -> date:
        """Returns the last day of a period's limit, or, while there is none, of the period."""
        return day_of(limit.moment, case.world.zone) if limit.moment is not None else period.last

    def _runs_into(self, case: Case, fit: Fit, period: Period) -> bool:
        """Tells whether an excuse runs into a period, as far as that is known. Edge: one without an end runs into all."""
        key = (case.edition.since, fit.event.id)
        if key not in self._until and fit.pattern.date is not None:
            view = view_before(case.world, case.thing, fit.event, {**self.roots, "event": fit.event})
            self._until[key] = tell(fit.pattern.date, view)
        until: Any = self._until.get(key)
        return until is None or isinstance(until, Unknown) or day_of(until, case.world.zone) >= period.first

    def _of(self, case: Case, kind: str) -> list[Fit]:
        key = (case.edition.since, kind)
        if key not in self._others:
            self._others[key] = list(case.taken(kind, self.opening, self.roots))
        return self._others[key]

    def _met_by(self, case: Case) -> _Fulfilments:
        found = self._fulfilments.get(case.edition.since)
        if found is None:
            taken = case.taken("met_by", self.opening, self.roots)
            found = self._fulfilments[case.edition.since] = _Fulfilments(case, taken)
        return found


class _Fulfilments:
    """The events that may meet the periods of a duty, each looked up once.

    An event counts for the period it names (``period``), or else inside the period it falls into (``during``), or for the
    first unmet one that ended before it (``after``: first in, first out).
    """

    def __init__(self, case: Case, found: Iterable[Fit]) -> None:
        self.amount = next((one for one in case.duty.met_by if one.at_least is not None), None)
        self.unsure: list[Fit] = []
        self.untied: list[Fit] = []
        self.tied: dict[str, Fit] = {}
        for fit in found:
            if fit.wants:
                self.unsure.append(fit)
            elif fit.pattern.period is None:
                self.untied.append(fit)
            else:
                view = view_before(case.world, case.thing, fit.event, {"event": fit.event})
                named: Any = tell(fit.pattern.period, view)
                if isinstance(named, Unknown):  # does not say its period
                    self.unsure.append(Fit(fit.event, fit.pattern, named.wants))
                else:
                    self.tied.setdefault(str(named), fit)
        self.days = [fit.event.day for fit in self.untied]
        self.next = 0  # the first of these that may still be unused

    def of(
        self, case: Case, clock: Each, period: Period, roots: Mapping[str, object], used: Collection[str]
    ) -> Counted:
        """Returns the event that meets a period, or how far its amount has come."""
        first, last = bisect_left(self.days, period.first), bisect_right(self.days, period.last)
        if self.amount is not None:
            return _amount(case, self.amount, period, self.untied[first:last], self._unsure_in(period), roots)
        if period.label in self.tied:
            return Counted(self.tied[period.label])
        if clock.window == "during":
            return Counted(self.untied[first] if first < last else None)
        self.next = max(last, self.next)
        while self.next < len(self.untied) and self.untied[self.next].event.id in used:
            self.next += 1
        return Counted(self.untied[self.next] if self.next < len(self.untied) else None)

    def nearly(self, clock: Each, period: Period) -> tuple[Fit, ...]:
        """Returns the events that would meet a period if a fact were known."""
        after = bisect_right(self.unsure, period.last, key=_day_of)
        return tuple(self.unsure[after:] if clock.window == "after" else self._unsure_in(period))

    def _unsure_in(self, period: Period) -> Sequence[Fit]:
        after = bisect_right(self.unsure, period.last, key=_day_of)
        return self.unsure[bisect_left(self.unsure, period.first, key=_day_of) : after]


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
    possible: Any = 0  # how much more it may be, were the whole of a thing known
    of_whole: list[Want] = []
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
            now = max(before, amount) if whole is None or isinstance(whole, Unknown) else min(before + amount, whole)
            if isinstance(whole, Unknown) and before:
                possible += before + amount - now
                of_whole.extend(whole.wants)
            most[of] = now
            repeats += amount - (now - before)
            amount = now - before
        total += amount
        if total >= least:
            return Counted(fit, note=_far(total, least, repeats))
    if total + possible >= least:
        wants.extend(of_whole)
    return Counted(wants=unknown(wants).wants, note=_far(total, least, repeats))


def _told(case: Case, condition: Condition, fit: Fit) -> Any:
    more: dict[str, object] = {"event": fit.event}
    if fit.event.thing != case.thing.id:
        about = case.world.thing(fit.event.thing)
        more[about.type] = about
    return tell(condition, view_before(case.world, case.thing, fit.event, more))


def _length_of(case: Case, amount: Condition | None, of: Any, fit: Fit) -> Any:
    """Returns the whole of a distinct thing: its fact of the same name as the amount (a pipe's ``length_ft``), if it has one."""
    if amount is None or not isinstance(of, Thing):
        return None
    name = amount.source.rpartition(".")[2]
    kind = case.world.vocabulary.things.get(of.type)
    if kind is None or name not in kind.facts:
        return None
    return case.world.fact(of, name, view_before(case.world, case.thing, fit.event, {}))


def _far(total: Any, least: Any, repeats: Any) -> str:
    again = f"; {say_value(repeats)} more were repeats" if repeats else ""
    return f"{say_value(total)} of {say_value(least)}{again}"
