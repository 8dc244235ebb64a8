"""How one obligation stands: what met it, ended it, excused it, or left it open (RULEBOOK.md 9.1 and 9.4).

The states come by precedence: void, met or met late, closed, superseded, excused, stayed, cannot tell, waiting, and by its
date missed, overdue or due.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Any

from sewershed.rules.clocks import Limit, limit_of
from sewershed.rules.entries import Duty
from sewershed.rules.findings import Obligation, State
from sewershed.rules.moments import day_of, end_of, in_time, is_instant, start_of
from sewershed.rules.openings import Case, Opening
from sewershed.rules.patterns import Fit
from sewershed.rules.record import Event, Moment
from sewershed.rules.stays import Interval, days_stayed, held_at
from sewershed.rules.unknown import Unknown, Want, unknown
from sewershed.rules.view import View, tell, view_before

if TYPE_CHECKING:
    from sewershed.rules.world import World

REPORT_IF_IN_DOUBT = "report if in doubt"
MAY_HAVE_BEEN_MISSED = "may have been missed"
NOT_NEEDED = "not needed"


@dataclass(slots=True)
class Ends:
    """What ended, or may end, one obligation: the events that count, from its start on."""

    met: Fit | None = None
    nearly: tuple[Fit, ...] = ()  # would meet it if a fact were known
    closed: Fit | None = None
    excused: Fit | None = None
    extended: Fit | None = None


def ends_of(case: Case, opening: Opening, roots: Mapping[str, object]) -> Ends:
    """Returns the earliest event that meets, closes and excuses, and the latest that extends."""
    met = case.taken("met_by", opening, roots)
    extended = [fit for fit in case.taken("extended_by", opening, roots) if not fit.wants]
    return Ends(
        met=first_sure(met),
        nearly=tuple(fit for fit in met if fit.wants),
        closed=first_sure(case.taken("closes", opening, roots)),
        excused=first_sure(case.taken("excused_by", opening, roots)),
        extended=extended[-1] if extended else None,
    )


def first_sure(found: Sequence[Fit]) -> Fit | None:
    """Returns the first event that certainly fits."""
    return next((fit for fit in found if not fit.wants), None)


def single(case: Case, opening: Opening) -> Obligation:
    """Returns the one obligation that an opening gives under a clock of one date."""
    roots = case.roots(opening)
    ends = ends_of(case, opening, roots)
    stays = case.stays(roots)
    if opening.start_wants:
        made = new(case, opening, case.key(opening), opening.start)
        made.start = None
        return settle(case, opening, made, Limit(wants=opening.start_wants), ends, stays, roots)
    limit = limit_of(case.setting(opening.start, roots, stays, ends.met), case.duty.due)
    case, limit = amended(case, opening.start, ends, limit, roots, stays)
    made = new(case, opening, case.key(opening), opening.start)
    return settle(case, opening, made, limit, ends, stays, roots)


def amended(
    case: Case, start: Moment, ends: Ends, limit: Limit, roots: Mapping[str, object], stays: Sequence[Interval]
) -> tuple[Case, Limit]:
    """Returns the edition that governs at last, and its limit, where the law changed while something was open (9.4).

    Args:
        case: under the edition of the trigger's day, or of the interval's first.
        start: what the clock counts from.
        ends: what met or ended it; what was met before an edition's first day is never touched.
        limit: by that first edition.
        roots: the names of the place.
        stays: of the duty.
    """
    world = case.world
    for edition in case.entry.editions:
        first = edition.since
        if first is None or edition.transition == "new_only" or first > world.today:
            continue
        if case.edition.since is not None and first <= case.edition.since:
            continue
        if day_of(start, world.zone) >= first:
            continue
        ended = [fit.event.day for fit in (ends.met, ends.closed) if fit is not None]
        duty = edition.readings.get(case.reading)
        if (ended and min(ended) < first) or not isinstance(duty, Duty):
            continue
        case = Case(world, case.entry, edition, duty, case.thing, case.reading, case.trace)
        counted_from: Moment = first if edition.transition == "restart" else start
        if case.trace is not None:
            how = "counted anew from that day" if counted_from == first else "counted by the new text"
            case.trace.append(f"amended from {first}: {how}")
        limit = limit_of(case.setting(counted_from, roots, stays, ends.met), duty.due)
    return case, limit


def new(case: Case, opening: Opening, key: str, start: Moment, label: str = "") -> Obligation:
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
    stays: Sequence[Interval],
    roots: Mapping[str, object],
) -> Obligation:
    """Returns an obligation with its state, by the precedence of RULEBOOK.md 9.1."""
    world = case.world
    made.due = limit.moment
    made.is_at_once, made.is_open_ended = limit.is_at_once, limit.is_open_ended
    if ends.extended is not None and ends.extended.pattern.date is not None:
        _extend(case, made, limit, ends.extended, roots)
    if opening.void_why is not None:
        return _void(made, opening, ends)
    met = ends.met
    if ends.closed is not None and (met is None or ends.closed.event.key < met.event.key):
        met = None
    if opening.superseded_by is not None and met is not None and opening.superseded_by.key < met.event.key:
        met = None
    applies = _applies(case, opening, met, roots)
    if isinstance(applies, tuple) and not applies:
        made.state, made.ended = "closed", NOT_NEEDED
        made.notes += (f"not needed: {case.duty.applies.source if case.duty.applies else ''} does not hold",)
        return made
    if met is not None:
        return _met(case, made, limit, met, stays)
    _name_nearly(made, ends.nearly)
    if ends.closed is not None:
        return _closed(world, made, ends.closed.event)
    standing = _standing_value(case, opening)
    if standing is False:
        made.state, made.ended = "closed", f"no longer: {opening.standing.source if opening.standing else ''}"
        return made
    if opening.superseded_by is not None:
        made.state = "superseded"
        made.notes += (f"replaced by {opening.superseded_by.name} of {world.say(opening.superseded_by.moment)}",)
        return made
    if ends.excused is not None and _excuse(case, made, ends.excused, roots):
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
    if met is not None:
        event = met.event
        at = View(world, thing, roots, day=event.day, moment=event.moment, upto=(event.start, 1, event.key[2]))
        if tell(condition, at, case.trace) is not False:
            return True
    value = tell(condition, world.standing(thing, roots), case.trace)
    if isinstance(value, Unknown):
        return True if met is not None else value.wants
    return True if value else ()


def _standing_value(case: Case, opening: Opening) -> object:
    if opening.standing is None:
        return True
    return tell(opening.standing, case.world.standing(case.thing), case.trace)


def _extend(case: Case, made: Obligation, limit: Limit, fit: Fit, roots: Mapping[str, object]) -> None:
    view = view_before(case.world, case.thing, fit.event, {**roots, "event": fit.event})
    to: Any = tell(fit.pattern.date, view) if fit.pattern.date is not None else None
    if isinstance(to, date):
        made.due = limit.moment = to
        limit.left = ""
        limit.wants = ()
        made.notes += (f"extended to {case.world.say(to)} by {fit.event.name} of {case.world.say(fit.event.moment)}",)
        if case.trace is not None:
            case.trace.append(made.notes[-1])
    elif isinstance(to, Unknown):
        made.asks += to.wants


def _met(case: Case, made: Obligation, limit: Limit, met: Fit, stays: Sequence[Interval]) -> Obligation:
    world, event = case.world, met.event
    made.met_by, made.met_at = event.id, event.moment
    if limit.is_at_once:
        made.state, made.late = "met", None
        made.notes += (
            f"done {_elapsed(world, made.start, event)} after; the text gives no number, so no verdict on time",
        )
        return made
    if limit.moment is None:
        made.state, made.late = "met", False if limit.is_open_ended or limit.is_waiting or limit.left else None
        return made
    on_time = in_time(event.moment, limit.moment, world.zone)
    if on_time is False and held_at(stays, world, start_of(event.moment, world.zone)) is not None:
        on_time = True
        made.notes += ("met while enforcement was held, so in time",)
    if on_time is False and limit.is_one_of_several and not _is_past(world, event.moment, limit.latest):
        on_time = None
        made.asks = limit.wants
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
    made.notes += (f"ended by {event.name} of {world.say(event.moment)}",)
    return made


def _excuse(case: Case, made: Obligation, fit: Fit, roots: Mapping[str, object]) -> bool:
    """Tells whether an excuse holds now; one that has run out leaves the duty due on its last day at the earliest."""
    world = case.world
    made.notes += (f"excused by {fit.event.name} of {world.say(fit.event.moment)}",)
    if fit.pattern.date is None:
        made.state = "excused"
        return True
    view = view_before(world, case.thing, fit.event, {**roots, "event": fit.event})
    until: Any = tell(fit.pattern.date, view)
    if isinstance(until, Unknown):
        made.asks += until.wants
        made.state = "excused"
        return True
    made.until = until
    world.changes_at(end_of(until, world.zone))
    if world.as_of <= end_of(until, world.zone):
        made.state = "excused"
        return True
    if made.due is None or end_of(made.due, world.zone) < end_of(until, world.zone):
        made.due = until
    return False


def _open(
    case: Case, made: Obligation, limit: Limit, stays: Sequence[Interval], doubtful: tuple[Want, ...]
) -> Obligation:
    """Returns an unmet obligation with its state now: stayed, cannot tell, waiting, due, overdue or missed."""
    world = case.world
    made.asks = unknown([*made.asks, *doubtful, *limit.wants]).wants
    hold = held_at(stays, world, world.as_of)
    for stay in stays:
        if stay.end is not None:
            world.changes_at(start_of(stay.end, world.zone))
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
    if doubtful:
        made.notes += (REPORT_IF_IN_DOUBT if made.state == "due" else MAY_HAVE_BEEN_MISSED,)
    return made


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


def _breach_days(case: Case, due: Moment, last: date, stays: Sequence[Interval], *, is_last_counted: bool) -> int:
    """Returns the days in breach: after the limit and its grace, until the day before fulfilment (or today), less stays."""
    world = case.world
    from_day = day_of(due, world.zone)
    grace = case.duty.breach.grace
    if grace is not None:
        from_day = day_of(world.calendar.add(from_day, grace), world.zone)
    days = (last - from_day).days - (0 if is_last_counted else 1)
    if days <= 0:
        return 0
    first = date.fromordinal(from_day.toordinal() + 1)
    until = last if is_last_counted else date.fromordinal(last.toordinal() - 1)
    return days - days_stayed(world, stays, first, until)
