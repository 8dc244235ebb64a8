"""Duties: who must do what by when, worked out from the record (RULEBOOK.md 7.3 and 9).

A duty gives one obligation for each thing that opens it (`single` here), a chain of intervals (`recurring`) or one for each
calendar period (`periodic`). What they share stands here: what opens a duty, which edition and reading governs, what ends
it, and the state it is in.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import TYPE_CHECKING, Any

from sewershed.rules.clocks import Limit, Setting, limit_of
from sewershed.rules.conditions import Condition
from sewershed.rules.entries import Duty, Each, Edition, Entry, Every
from sewershed.rules.findings import Obligation, OtherReading, State
from sewershed.rules.moments import day_of, end_of, in_time, is_instant, start_of
from sewershed.rules.patterns import Fit, fits, is_before, is_shared, since
from sewershed.rules.record import Event, Moment
from sewershed.rules.stays import Interval, days_stayed, held_at, stays_of
from sewershed.rules.types import Thing
from sewershed.rules.unknown import Unknown, Want, unknown
from sewershed.rules.view import View, tell, view_before

if TYPE_CHECKING:
    from sewershed.rules.world import World

REPORT_IF_IN_DOUBT = "report if in doubt"
MAY_HAVE_BEEN_MISSED = "may have been missed"
NOT_NEEDED = "not needed"


@dataclass(slots=True)
class Opening:
    """One thing that opens a duty: an event (and an item of it), or a standing condition."""

    key: str  # the root of the trigger, and the item
    start: Moment
    trigger: Event | None = None
    item: Any = None
    label: str = ""
    wants: tuple[Want, ...] = ()  # what is wanting to tell whether it opens at all
    void_why: str | None = None  # the trigger was withdrawn, and why
    superseded_by: Event | None = None
    standing: Condition | None = None


@dataclass(slots=True)
class Case:
    """One duty on one thing under one form, and what all its obligations share."""

    world: World
    entry: Entry
    edition: Edition
    duty: Duty
    thing: Thing
    reading: str = ""
    trace: list[str] | None = None
    _shared: dict[str, Any] = field(default_factory=dict)

    def roots(self, opening: Opening, since_day: date | None = None) -> dict[str, object]:
        """Returns what the names of the place stand for in an obligation."""
        roots: dict[str, object] = {}
        if opening.trigger is not None:
            roots["trigger"] = opening.trigger
        if opening.item is not None:
            roots["item"] = opening.item
        if since_day is not None:
            roots["since"] = since_day
        return roots

    def taken(self, kind: str, opening: Opening, roots: Mapping[str, object]) -> list[Fit]:
        """Returns the events that meet, close, excuse or extend, from the opening on; shared ones are looked up once."""
        patterns = getattr(self.duty, kind)
        if not patterns:
            return []
        found = self._shared.get(kind)
        if found is None:
            trace = self.trace if kind == "met_by" else None
            found = fits(self.world, self.thing, patterns, roots, trace)
            if is_shared(patterns):
                self._shared[kind] = found
        return since(self.world, found, opening.start, opening.trigger)

    def stays(self, roots: Mapping[str, object]) -> list[Interval]:
        """Returns the stays of this duty on this thing."""
        if not self.duty.stayed_by:
            return []
        found: list[Interval] | None = self._shared.get("stays")
        if found is None:
            found = stays_of(self.world, self.thing, self.duty, roots)
            if is_shared([stay.start for stay in self.duty.stayed_by]):
                self._shared["stays"] = found
        return found

    def setting(
        self, opening: Opening, start: Moment, roots: Mapping[str, object], stays: Sequence[Interval]
    ) -> Setting:
        """Returns what the clock is read in: facts of the day it starts, and the history up to the moment asked about."""
        day = day_of(start, self.world.zone)
        view = View(self.world, self.thing, {**roots, "today": self.world.today}, day=day, moment=self.world.as_of)
        calendar = self.world.library.books[self.entry.book].calendar
        unsaid = self.world.unsaid(self.entry, self.thing, day)
        return Setting(self.world, view, start, stays, unsaid, calendar, self.trace)

    def key(self, opening: Opening, part: str = "") -> str:
        """Returns the stable key of an obligation: rule, thing, root of the trigger, and item, interval or period."""
        return f"{self.entry.id}|{self.thing.id}|{opening.key}{'|' + part if part else ''}"


# --------------------------------------------------------------------------- what opens a duty


def openings(case: Case) -> Iterator[Opening]:
    """Returns everything that opens a duty on a thing, in order; withdrawn triggers too, marked."""
    opens = case.duty.opens
    if opens.standing is not None:
        yield from _standing(case, opens.standing, opens.since)
        return
    world, thing = case.world, case.thing
    found: list[Opening] = []
    used: set[tuple[object, ...]] = set()
    for event in world.history(thing).of(opens.events):
        if not case.edition.is_on(event.day) or not world.is_in_force(case.entry, event.day):
            continue
        wants = _opens(case, event)
        if wants is None:
            continue
        if opens.once is not None and not wants:
            view = view_before(world, thing, event, {"event": event, "trigger": event})
            once = tuple(_plain(tell(one, view)) for one in opens.once)
            if once in used:
                continue
            used.add(once)
        found.extend(_items(case, event, wants))
    if opens.replace:
        _supersede(found)
    yield from found
    for withdrawn in world.history(thing).withdrawn:
        event = withdrawn.event
        if event.name in opens.events and case.edition.is_on(event.day) and world.is_in_force(case.entry, event.day):
            if _opens(case, event) is not None:
                for opening in _items(case, event, ()):
                    opening.void_why = withdrawn.why
                    yield opening


def _plain(value: object) -> object:
    return "?" if isinstance(value, Unknown) else value


def _opens(case: Case, event: Event) -> tuple[Want, ...] | None:
    """Returns what is wanting to tell whether an event opens the duty (nothing: it does), or None where it does not."""
    when = case.duty.opens.when.get(event.name)
    if when is None:
        return ()
    value = tell(when, view_before(case.world, case.thing, event, {"event": event, "trigger": event}), case.trace)
    if isinstance(value, Unknown):
        return value.wants
    return () if value else None


def _items(case: Case, event: Event, wants: tuple[Want, ...]) -> list[Opening]:
    each = case.duty.opens.each
    if each is None:
        return [Opening(event.id, event.moment, event, wants=wants)]
    if isinstance(each, tuple):
        items: Sequence[Any] = each
    else:
        value: Any = tell(each, view_before(case.world, case.thing, event, {"event": event, "trigger": event}))
        if isinstance(value, Unknown):
            return [Opening(event.id, event.moment, event, wants=unknown([*wants, *value.wants]).wants)]
        items = value
    made = []
    for index, item in enumerate(items):
        label = str(item.get("id", index + 1)) if isinstance(item, Mapping) else str(item)
        made.append(Opening(f"{event.id}|{label}", event.moment, event, item, label, wants))
    return made


def _supersede(found: list[Opening]) -> None:
    triggers = list(dict.fromkeys(opening.trigger for opening in found if opening.trigger and not opening.wants))
    for opening in found:
        later = [one for one in triggers if opening.trigger is not None and one.key > opening.trigger.key]
        opening.superseded_by = later[0] if later else None


def _standing(case: Case, standing: Condition, start: Condition | None) -> Iterator[Opening]:
    world = case.world
    view = world.standing(case.thing)
    moment: Any = tell(start, view, case.trace) if start is not None else None
    if isinstance(moment, Unknown):
        holds = tell(standing, view)
        if holds is False:
            return
        yield Opening("while", world.today, wants=moment.wants, standing=standing)
    elif isinstance(moment, date) and not is_before(world, world.as_of, moment):
        day = day_of(moment, world.zone)
        # A standing duty that began before this edition is governed by it from its first day on.
        if case.edition.until is None or day < case.edition.until:
            yield Opening("while", moment, standing=standing)


# --------------------------------------------------------------------------- working one duty out


def obligations_of(
    world: World, entry: Entry, thing: Thing, trace: list[str] | None = None, only: str = ""
) -> list[Obligation]:
    """Returns all obligations of a duty on a thing, each under the reading that governs it.

    Args:
        world: what is asked.
        entry: the duty's entry.
        thing: what it is about.
        trace: takes the steps, when somebody asks why.
        only: the key of the one obligation that is asked about; "" for all.
    """
    if not entry.reading_of:
        found = _under(world, entry, thing, "", trace, only)
    else:
        found = _side_by_side(world, entry, thing, trace, only)
    if world.unsaid_doubt(entry):
        _unsaid(world, entry, thing, found, only)
    return found


def _under(
    world: World, entry: Entry, thing: Thing, reading: str, trace: list[str] | None, only: str
) -> list[Obligation]:
    """Returns the obligations of a duty on a thing with its doubt read one way."""
    from sewershed.rules.periodic import periods
    from sewershed.rules.recurring import intervals

    found: list[Obligation] = []
    for edition in entry.editions:
        duty = edition.readings.get(reading)
        if not isinstance(duty, Duty):
            continue
        case = Case(world, entry, edition, duty, thing, reading, trace)
        for opening in openings(case):
            if only and not only.startswith(case.key(opening)):
                continue
            if duty.has(Each):
                found.extend(periods(case, opening))
            elif duty.has(Every):
                found.extend(intervals(case, opening))
            else:
                found.append(single(case, opening))
    return [one for one in found if not only or one.key == only]


def _side_by_side(world: World, entry: Entry, thing: Thing, trace: list[str] | None, only: str) -> list[Obligation]:
    """Returns the obligations under the reading that governs each, with what the others would give (7.9)."""
    doubt = world.doubts[entry.reading_of]
    names = list(dict.fromkeys(name for edition in entry.editions for name in edition.readings))
    by_reading: dict[str, dict[str, Obligation]] = {}
    for name in names:
        steps = trace if trace is not None and name == (doubt.applied or names[0]) else None
        by_reading[name] = {one.key: one for one in _under(world, entry, thing, name, steps, only)}
    keys = list(dict.fromkeys(key for found in by_reading.values() for key in found))
    result = []
    for key in keys:
        result.append(_governed(world, entry, thing, key, {name: by_reading[name].get(key) for name in names}))
    return [one for one in result if one is not None]


def _governed(
    world: World, entry: Entry, thing: Thing, key: str, readings: Mapping[str, Obligation | None]
) -> Obligation | None:
    some = next(one for one in readings.values() if one is not None)
    opened = day_of(some.start, world.zone) if some.start is not None else world.today
    doubt = world.doubts[entry.reading_of]
    chosen = world.reading_at(entry.reading_of, thing, opened)
    note = ""
    for decision in world.decisions(entry.reading_of, thing):
        if decision.day <= opened:
            continue
        before = readings.get(chosen) if chosen else None
        if before is not None and before.state in ("met", "met_late") and before.met_at is not None:
            if day_of(before.met_at, world.zone) < decision.day:
                note = f"{doubt.id} was read as {decision.reading} from {decision.day} on; what was met before stays"
                break
        chosen = world.reading_at(entry.reading_of, thing, decision.day)
    alternatives = tuple(
        OtherReading(doubt.id, name, other.state if other else "not owed", other.due if other else None)
        for name, other in readings.items()
        if name != chosen and not _alike(readings.get(chosen) if chosen else None, other)
    )
    alternatives = tuple(replace(one, text=_if_read_as(world, one)) for one in alternatives)
    if chosen:
        main = readings.get(chosen)
        if main is None:
            return None
        main.reading = chosen
        main.if_read_as += alternatives
    else:
        main = _undecided(world, entry, thing, readings, alternatives)
    main.doubts = tuple(dict.fromkeys((*main.doubts, doubt.id)))
    if note:
        main.notes += (note,)
    return main


def _alike(a: Obligation | None, b: Obligation | None) -> bool:
    if a is None or b is None:
        return a is b
    return a.state == b.state and a.due == b.due


def _if_read_as(world: World, other: OtherReading) -> str:
    when = f"due {world.say(other.due)}" if other.due is not None else other.state.replace("_", " ")
    if other.due is not None and other.state not in ("due",):
        when = f"{other.state.replace('_', ' ')}, due {world.say(other.due)}"
    return f"if read as {other.reading}: {when}"


def _undecided(
    world: World,
    entry: Entry,
    thing: Thing,
    readings: Mapping[str, Obligation | None],
    alternatives: tuple[OtherReading, ...],
) -> Obligation:
    """Returns the obligation where no reading is applied: what all give, or else it cannot be told."""
    found = [one for one in readings.values() if one is not None]
    main = found[0]
    if len(found) == len(readings) and all(_alike(main, one) for one in found):
        return main
    doubt = world.doubts[entry.reading_of]
    dated = [one.due for one in found if one.due is not None]
    earliest = min(dated, key=lambda due: end_of(due, world.zone)) if dated else None
    asked = Want("doubt", doubt.id, thing=thing.id, who=doubt.settle_by)
    return replace(
        main, state="cannot_tell", due=earliest, asks=(asked,), if_read_as=alternatives, met_by="", late=False
    )


def _unsaid(world: World, entry: Entry, thing: Thing, found: list[Obligation], only: str) -> None:
    """Adds the date under the other meaning of "days?" to every obligation whose date it would change."""
    doubt = world.unsaid_doubt(entry)
    other = world.with_other_days()
    by_key = {one.key: one for one in _under(other, entry, thing, _first_reading(entry, found), None, only)}
    for one in found:
        alternative = by_key.get(one.key)
        if alternative is not None and not _alike(one, alternative):
            read = f"{other.unsaid(entry, thing, world.today)} days"
            made = OtherReading(doubt, read, alternative.state, alternative.due)
            one.if_read_as += (replace(made, text=_if_read_as(world, made)),)
        if doubt not in one.doubts:
            one.doubts += (doubt,)


def _first_reading(entry: Entry, found: Sequence[Obligation]) -> str:
    return found[0].reading if found and entry.reading_of else ""


# --------------------------------------------------------------------------- one obligation


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
    limit = limit_of(case.setting(opening, opening.start, roots, stays), case.duty.due)
    case, limit = _amended(case, opening, ends, limit, roots, stays)
    made = new(case, opening, case.key(opening), opening.start)
    return settle(case, opening, made, limit, ends, stays, roots)


def _amended(
    case: Case, opening: Opening, ends: Ends, limit: Limit, roots: Mapping[str, object], stays: Sequence[Interval]
) -> tuple[Case, Limit]:
    """Returns the edition that governs at last, and its limit, where the law changed while the duty was open (9.4)."""
    world = case.world
    for edition in case.entry.editions:
        first = edition.since
        if first is None or edition.transition == "new_only" or first > world.today:
            continue
        if case.edition.since is not None and first <= case.edition.since:
            continue
        if day_of(opening.start, world.zone) >= first:
            continue
        ended = [fit.event.day for fit in (ends.met, ends.closed) if fit is not None]
        duty = edition.readings.get(case.reading)
        if (ended and min(ended) < first) or not isinstance(duty, Duty):
            continue
        case = Case(world, case.entry, edition, duty, case.thing, case.reading, case.trace)
        start = first if edition.transition == "restart" else opening.start
        if case.trace is not None:
            case.trace.append(
                f"amended from {first}: {'counted anew from that day' if start == first else 'counted by the new text'}"
            )
        limit = limit_of(case.setting(opening, start, roots, stays), duty.due)
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
    made.late = None if on_time is None else not on_time
    made.state = "met_late" if on_time is False else "met"
    if on_time is None:
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
