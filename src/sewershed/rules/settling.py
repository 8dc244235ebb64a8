"""How one obligation stands: what met it, ended it, excused it, or left it open (docs/explanation/rulebook.md 12 and 15).

The states come by precedence: void, met or met late, closed, superseded, excused, stayed, cannot tell, waiting, and by its
date missed, overdue or due.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import TYPE_CHECKING, Any

from sewershed.rules.calendars import shifted
from sewershed.rules.clocks import Limit, limit_of
from sewershed.rules.findings import Obligation, State
from sewershed.rules.moments import day_of, end_of, in_time, is_instant, start_of
from sewershed.rules.openings import Case, Opening
from sewershed.rules.patterns import Fit
from sewershed.rules.record import Event, Moment
from sewershed.rules.stays import Stays, days_stayed, held_at
from sewershed.rules.unknown import Unknown, Want, unknown
from sewershed.rules.view import tell, view_before

if TYPE_CHECKING:
    from sewershed.rules.world import World

REPORT_IF_IN_DOUBT = "report if in doubt"
MAY_HAVE_BEEN_MISSED = "may have been missed"
MISS_EXPLAINED = "miss_explained"
NOT_NEEDED = "not needed"


@dataclass(slots=True)
class Ends:
    """What ended, or may end, one obligation: the events that count, from its start on."""

    met: Fit | None = None
    nearly: tuple[Fit, ...] = ()  # unmet: what would meet, end, excuse or extend it if a fact were known
    closed: Fit | None = None
    excused: tuple[Fit, ...] = ()
    extended: tuple[Fit, ...] = ()

    @property
    def first_on(self) -> date | None:
        """Returns the day on which it was met or ended, or None while it is open."""
        days = [fit.event.day for fit in (self.met, self.closed) if fit is not None]
        return min(days, default=None)


def ends_of(case: Case, opening: Opening, roots: Mapping[str, object]) -> Ends:
    """Returns the earliest event that meets and closes, and those that excuse and, while it is open, extend."""
    nearly: list[Fit] = []
    met = first_sure(case.taken("met_by", opening, roots), nearly)
    closed = first_sure(case.taken("closes", opening, roots), nearly)
    extended = sure(case.taken("extended_by", opening, roots), nearly, before=met)
    excused = sure(case.taken("excused_by", opening, roots), nearly) if met is None else ()
    return Ends(met, tuple(nearly) if met is None else (), closed, excused, extended)


def first_sure(found: Iterable[Fit], nearly: list[Fit]) -> Fit | None:
    """Returns the first event that certainly fits, and adds what stands before it and may fit."""
    for fit in found:
        if not fit.wants:
            return fit
        nearly.append(fit)
    return None


def sure(found: Iterable[Fit], nearly: list[Fit], before: Fit | None = None) -> tuple[Fit, ...]:
    """Returns the events that certainly fit, of those before another one, and adds what may fit."""
    kept: list[Fit] = []
    for fit in found:
        if before is not None and fit.event.key >= before.event.key:
            break
        (nearly if fit.wants else kept).append(fit)
    return tuple(kept)


def single(case: Case, opening: Opening) -> Obligation:
    """Returns the one obligation that an opening gives under a clock of one date."""
    roots = case.roots(opening)
    if opening.start_wants:  # what is there may lie before it starts: nothing meets it yet
        made = new(case, opening, case.key(opening), None)
        return settle(case, opening, made, Limit(wants=opening.start_wants), Ends(), Stays(case.world), roots)
    case, counted_from, ends = governed(case, opening.start, lambda one: ends_of(one, opening, roots))
    stays = case.stays(roots)
    limit = limit_of(case.setting(counted_from, roots, stays, ends.met), case.duty.due)
    made = new(case, opening, case.key(opening), opening.start)
    return settle(case, opening, made, limit, ends, stays, roots)


def governed(case: Case, start: Moment, ends_under: Callable[[Case], Ends]) -> tuple[Case, Moment, Ends]:
    """Returns the edition that governs something at last, what its clock counts from, and what ended it (15).

    What was met or ended before an edition's first day is never touched by it; what is open on that day goes over to an
    edition that says so.

    Args:
        case: under the edition of the trigger's day, of the interval's first or of the period's last.
        start: what the clock counts from.
        ends_under: what ended it, by what an edition asks.
    """
    ends, counted_from = ends_under(case), start
    for edition in case.entry.editions:
        first = edition.since
        if (
            first is None
            or edition.transition == "new_only"
            or not day_of(start, case.world.zone) < first <= case.world.today
        ):
            continue
        later = case.under(edition)
        if later is None or (ends.first_on is not None and ends.first_on < first):
            continue
        case, ends = later, ends_under(later)
        counted_from = first if edition.transition == "restart" else start
        if case.trace is not None:
            how = "counted anew from that day" if counted_from == first else "counted by the new text"
            case.trace.append(f"amended from {first}: {how}")
    return case, counted_from, ends


def new(case: Case, opening: Opening, key: str, start: Moment | None, label: str = "") -> Obligation:
    """Returns an obligation that is merely open."""
    return Obligation(
        key=key,
        rule=case.entry.id,
        thing=case.thing.id,
        state="due",
        since=case.edition.since,
        start=start,
        opened_by=opening.trigger.id if opening.trigger is not None else "",
        label=label or opening.label,
        doubts=case.entry.doubts,
        reading=case.reading,
    )


def settle(
    case: Case,
    opening: Opening,
    made: Obligation,
    limit: Limit,
    ends: Ends,
    stays: Stays,
    roots: Mapping[str, object],
) -> Obligation:
    """Returns an obligation with its state, by the precedence of docs/explanation/rulebook.md 12."""
    world = case.world
    for fit in ends.extended:
        limit = extended(case, limit, fit, roots)
        made.notes += (limit.note,)
    made.due = limit.moment
    made.is_at_once, made.is_open_ended = limit.is_at_once, limit.is_open_ended
    if opening.void_why is not None:
        return _void(made, opening, ends)
    met, closed, newer = ends.met, ends.closed, opening.superseded_by
    if closed is not None and newer is not None and newer.key < closed.event.key:
        closed = None
    over = [event.key for event in (closed.event if closed is not None else None, newer) if event is not None]
    if met is not None and over and min(over) < met.event.key:
        met = None
    applies = _applies(case, opening, met, roots)
    if isinstance(applies, tuple) and not applies:
        made.state, made.ended = "closed", NOT_NEEDED
        made.notes += (f"not needed: {case.duty.applies.source if case.duty.applies else ''} does not hold",)
        return made
    if met is not None:
        return _met(case, made, limit, met, stays)
    _name_nearly(made, ends.nearly)
    if closed is not None:
        if case.trace is not None:
            case.trace.append(f"{closed.event.name} of {world.say(closed.event.moment)}: it ends")
        return _closed(world, made, closed.event)
    standing = _standing_value(case, opening)
    if standing is False:
        made.state, made.ended = "closed", f"no longer: {opening.standing.source if opening.standing else ''}"
        return made
    if newer is not None:
        made.state = "superseded"
        made.notes += (f"replaced by {newer.name} of {world.say(newer.moment)}",)
        return made
    if _is_excused(case, made, ends.excused, roots):
        return made
    wants = [*opening.wants]
    if isinstance(applies, tuple):
        wants.extend(applies)
    if isinstance(standing, Unknown):
        wants.extend(standing.wants)
    return _open(case, made, limit, stays, unknown(wants).wants)


def _void(made: Obligation, opening: Opening, ends: Ends) -> Obligation:
    made.state, made.late = "void", False
    why = f": {opening.void_why}" if opening.void_why else ""
    made.notes += (f"what opened it was withdrawn{why}",)
    if ends.met is not None:
        made.notes += (f"it had been met by {ends.met.event.id}, which stands but meets nothing",)
    return made


def _applies(case: Case, opening: Opening, met: Fit | None, roots: Mapping[str, object]) -> bool | tuple[Want, ...]:
    """Tells whether the duty is this thing's: True; an empty tuple: no; else what is wanting to tell.

    Asked at the fulfilment if there is one, else as things now stand. A fulfilment meets the duty unless it certainly was
    not owed, then and now.
    """
    condition = case.duty.applies
    if condition is None:
        return True
    world, thing = case.world, case.thing
    if met is not None and tell(condition, view_before(world, thing, met.event, roots), case.trace) is not False:
        return True
    value = tell(condition, world.standing(thing, roots), case.trace)
    if isinstance(value, Unknown):
        return True if met is not None else value.wants
    return True if value else ()


def _standing_value(case: Case, opening: Opening) -> object:
    if opening.standing is None:
        return True
    return tell(opening.standing, case.world.standing(case.thing), case.trace)


def extended(case: Case, limit: Limit, fit: Fit, roots: Mapping[str, object]) -> Limit:
    """Returns the limit after an extension: its date in the place of the old one, which no pause moves.

    Edge: where the new date is not known the old one is shown, and neither holds for certain.
    """
    view = view_before(case.world, case.thing, fit.event, {**roots, "event": fit.event})
    to: Any = tell(fit.pattern.date, view) if fit.pattern.date is not None else unknown([])
    by = f"by {fit.event.name} of {case.world.say(fit.event.moment)}"
    if isinstance(to, Unknown):
        note = f"extended {by}, to a date that is not known"
        wants = unknown([*limit.wants, *to.wants]).wants
        return replace(limit, wants=wants, latest=None, is_one_of_several=True, may_be_earlier=True, left="", note=note)
    note = f"extended to {case.world.say(to)} {by}"
    if case.trace is not None:
        case.trace.append(note)
    gone = limit.gone
    if gone is not None and end_of(gone, case.world.zone) < end_of(to, case.world.zone):
        gone = to
    return Limit(to, gone=gone, note=note)


def _met(case: Case, made: Obligation, limit: Limit, met: Fit, stays: Stays) -> Obligation:
    world, event = case.world, met.event
    made.met_by, made.met_at = event.id, event.moment
    if limit.is_at_once:
        made.state, made.late = "met", None
        made.notes += (
            f"done {_elapsed(world, made.start, event)} after; the text gives no number, so no verdict on time",
        )
        return made
    if limit.moment is None:
        is_surely_in_time = limit.is_open_ended or limit.is_waiting or limit.left
        made.state, made.late, made.asks = (
            "met",
            False if is_surely_in_time else None,
            () if is_surely_in_time else limit.wants,
        )
        return made
    on_time = in_time(event.moment, limit.moment, world.zone)
    if on_time is False and held_at(stays, world, start_of(event.moment, world.zone)) is not None:
        on_time = True
        made.notes += ("met while enforcement was held, so in time",)
    if on_time is False and limit.is_one_of_several and not _is_past(world, event.moment, limit.latest):
        on_time = None
        made.asks = limit.wants
    if on_time is True and limit.may_be_earlier:
        on_time = None
        made.asks = limit.wants
    if event.undated:
        on_time = None
        made.asks = unknown([*made.asks, *event.undated]).wants
    made.late = None if on_time is None else not on_time
    made.state = "met_late" if on_time is False else "met"
    if on_time is None and not made.asks:
        made.asks += event.at.wants if isinstance(event.at, Unknown) else ()
    if on_time is False:
        made.breach_days = _breach_days(case, limit.moment, event.day, stays, is_last_counted=False)
    if case.trace is not None:
        how = {True: "in time", False: "late", None: "in time or late, by its time of day"}[on_time]
        case.trace.append(f"{event.name} of {world.say(event.moment)} against {world.say(limit.moment)}: {how}")
    return made


def _elapsed(world: World, start: Moment | None, event: Event) -> str:
    if start is not None and is_instant(start) and is_instant(event.moment):
        seconds = int((event.moment - start).total_seconds())
        return f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    days = (event.day - day_of(start, world.zone)).days if start is not None else 0
    return f"{days} {'day' if days == 1 else 'days'}"


def _name_nearly(made: Obligation, nearly: Sequence[Fit]) -> None:
    for fit in nearly:
        wanting = ", ".join(str(want) for want in fit.wants)
        made.notes += (f"{fit.event.name} {fit.event.id} would count if this were known: {wanting}",)


def _closed(world: World, made: Obligation, event: Event) -> Obligation:
    made.state, made.ended = "closed", event.name
    made.ended_at = event.moment
    made.notes += (f"ended by {event.name} of {world.say(event.moment)}",)
    return made


def _is_excused(case: Case, made: Obligation, excuses: Sequence[Fit], roots: Mapping[str, object]) -> bool:
    """Tells whether an excuse holds now; once the last has run out, the duty is due on its last day at the earliest."""
    world = case.world
    missing: list[Want] = []
    ends: list[Moment] = []
    for fit in excuses:
        made.notes += (f"excused by {fit.event.name} of {world.say(fit.event.moment)}",)
        view = view_before(world, case.thing, fit.event, {**roots, "event": fit.event})
        until: Any = tell(fit.pattern.date, view) if fit.pattern.date is not None else None
        if until is None:
            made.state = "excused"
            return True
        if isinstance(until, Unknown):
            missing.extend(until.wants)
        else:
            ends.append(until)
    last = max(ends, key=lambda until: end_of(until, world.zone), default=None)
    made.until = last
    if last is not None:
        world.changes_at(end_of(last, world.zone))
    if missing or (last is not None and world.as_of <= end_of(last, world.zone)):
        made.asks = unknown([*made.asks, *missing]).wants
        made.state = "excused"
        return True
    if last is not None and (made.due is None or end_of(made.due, world.zone) < end_of(last, world.zone)):
        made.due = last
    return False


def _open(case: Case, made: Obligation, limit: Limit, stays: Stays, doubtful: tuple[Want, ...]) -> Obligation:
    """Returns an unmet obligation with its state now: stayed, cannot tell, waiting, due, overdue or missed."""
    world = case.world
    made.asks = unknown([*made.asks, *doubtful, *limit.wants]).wants
    hold = held_at(stays, world, world.as_of)
    if limit.left:
        made.state, made.due = "stayed", None
        made.notes += (limit.left,)
        return made
    if hold is not None:
        made.state = "stayed"
        made.notes += (f"held since {world.say(hold.start)}; the date runs on",)
        return made
    if doubtful and case.duty.if_unknown != "treat_as_owed":
        made.state = "cannot_tell"
        return made
    if made.due is None:
        if limit.is_at_once or limit.is_open_ended:
            made.state = "due"
        else:
            made.state = "waiting" if limit.is_waiting else "cannot_tell"
        return made
    made.state = _by_date(world, made.due, limit.gone)
    is_owed_in_doubt = case.duty.if_unknown == "treat_as_owed"
    if made.state != "due" and limit.is_one_of_several and not _is_past(world, world.as_of, limit.latest):
        if not is_owed_in_doubt:
            made.state = "cannot_tell"
            return made
        doubtful = doubtful or limit.wants
    if made.state in ("overdue", "missed"):
        made.breach_days = _breach_days(case, made.due, world.today, stays, is_last_counted=True)
    if made.state == "missed":
        _explain(case, made)
    if doubtful:
        made.notes += (REPORT_IF_IN_DOUBT if made.state == "due" else MAY_HAVE_BEEN_MISSED,)
    return made


def _explain(case: Case, made: Obligation) -> None:
    """Names the row that says why something was missed, if there is one.

    Edge: said on its last day or later; one that names no period is about all that were missed by then.
    """
    world = case.world
    for event in world.history(case.thing).of((MISS_EXPLAINED,)):
        is_of_it = event.data.get("rule") == made.rule and event.data.get("period") in (None, "", made.label)
        if is_of_it and made.due is not None and day_of(made.due, world.zone) <= event.day:
            made.explained_by = event.id
            made.notes += (f"missed: {event.data.get('because') or 'no reason given'} (recorded {event.day})",)
            return


def _by_date(world: World, due: Moment, gone: Moment | None) -> State:
    """Returns due, overdue or missed. Edge: on its last day, or at the very second of the limit, it is still due."""
    limit = end_of(due, world.zone)
    world.changes_at(limit)
    if world.as_of <= limit:
        return "due"
    if gone is not None:
        world.changes_at(end_of(gone, world.zone))
        if world.as_of > (gone if is_instant(gone) else end_of(gone, world.zone)):
            return "missed"
    return "overdue"


def _is_past(world: World, moment: Moment, latest: Moment | None) -> bool:
    """Tells whether a moment is past the latest date a limit may have; with none known it never is."""
    if latest is None:
        return False
    world.changes_at(end_of(latest, world.zone))
    return in_time(moment, latest, world.zone) is False


def _breach_days(case: Case, due: Moment, last: date, stays: Stays, *, is_last_counted: bool) -> int:
    """Returns the days in breach: after the limit and its grace, until the day before fulfilment (or today), less stays."""
    world = case.world
    from_day = day_of(due, world.zone)
    grace = case.duty.breach.grace
    if grace is not None:
        end = shifted(world.calendar.add, from_day, world.said(grace, case.entry, case.thing, from_day))
        if isinstance(end, Unknown):
            return 0  # as where the offices are closed for good: it has not run out
        from_day = day_of(end, world.zone)
    days = (last - from_day).days - (0 if is_last_counted else 1)
    if days <= 0:
        return 0
    first = date.fromordinal(from_day.toordinal() + 1)
    until = last if is_last_counted else date.fromordinal(last.toordinal() - 1)
    return days - days_stayed(world, stays, first, until)
