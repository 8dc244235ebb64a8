"""Duties: who must do what by when, worked out from the record (docs/explanation/rulebook.md 9.3 and 12).

A duty gives one obligation for each opening (`settling.single`), a chain of intervals (`recurring`) or one for each calendar
period (`periodic`); and where its text is in doubt, the same under each reading, side by side.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING, NamedTuple

from sewershed.rules.entries import Duty, Entry
from sewershed.rules.findings import Obligation, OtherReading
from sewershed.rules.moments import day_of, end_of
from sewershed.rules.openings import Case, Opening, openings
from sewershed.rules.patterns import Told
from sewershed.rules.periodic import periods
from sewershed.rules.record import Event
from sewershed.rules.recurring import intervals
from sewershed.rules.settling import NOT_NEEDED, single
from sewershed.rules.types import Thing

if TYPE_CHECKING:
    from sewershed.rules.world import World


def obligations_of(
    world: World, entry: Entry, thing: Thing, trace: list[str] | None = None, only: str = ""
) -> list[Obligation]:
    """Returns all obligations of a duty on a thing, each under the reading that governs it.

    Args:
        world: what is asked.
        entry: the duty's entry.
        thing: what it is about.
        trace: takes the steps of the one that is asked about, when somebody asks why.
        only: the key of the one obligation that is asked about; "" for all.
    """
    if not entry.reading_of:
        found = _under(world, entry, thing, "", only)
        if trace is not None:
            trace.extend(_steps_of(world, entry, thing, "", only))
    else:
        found = _side_by_side(world, entry, thing, trace, only)
    if world.unsaid_doubt(entry):
        _unsaid(world, entry, thing, found, only)
    return found


def _under(world: World, entry: Entry, thing: Thing, reading: str, only: str) -> list[Obligation]:
    """Returns the obligations of a duty on a thing with its doubt read one way."""
    opened = _opened(world, entry, thing, reading, only, is_traced=False)
    return [one for case, opening in opened for one in _owed(case, opening) if not only or one.key == only]


def _owed(case: Case, opening: Opening, begun_with: Event | None = None) -> Iterable[Obligation]:
    """Returns what an opening gives, by the rhythm of the duty; of a chain of intervals from a fulfilment on, where one is given."""
    if opening.start_wants or case.duty.rhythm == "once":
        return (single(case, opening),)
    if case.duty.rhythm == "by periods":
        return periods(case, opening)
    return intervals(case, opening, begun_with)


def _steps_of(world: World, entry: Entry, thing: Thing, reading: str, key: str) -> list[str]:
    """Returns the steps of the one obligation of a key; those of the others in its chain are not taken down."""
    for case, opening in _opened(world, entry, thing, reading, key, is_traced=True):
        begun_by = key.removeprefix(f"{case.key(opening)}|")
        fits = case.taken("met_by", opening, case.roots(opening)) if case.duty.rhythm == "by intervals" else ()
        begun_with = next((fit.event for fit in fits if fit.event.id == begun_by), None)
        for one in _owed(case, opening, begun_with):
            steps = _taken_down(case, opening, one)
            if one.key == key:
                return steps
    return []


def _opened(
    world: World, entry: Entry, thing: Thing, reading: str, only: str, *, is_traced: bool
) -> Iterator[tuple[Case, Opening]]:
    """Yields what opens a duty in one reading, under each edition: all, or what the key of one obligation begins with."""
    for edition in entry.editions:
        duty = edition.readings.get(reading)
        if isinstance(duty, Duty):
            steps, told = (list[str](), list[Told]()) if is_traced else (None, None)
            case = Case(world, entry, edition, duty, thing, reading, steps, told)
            for opening in openings(case):
                if only.startswith(case.key(opening)) or not only:
                    yield case, opening


def _taken_down(case: Case, opening: Opening, one: Obligation) -> list[str]:
    """Returns the steps of an obligation that was just worked out, and begins anew with the next."""
    steps = [*opening.steps, *_of_its_time(case.told or (), one, case.world), *(case.trace or ())]
    if case.trace is not None:
        case.trace.clear()
    return steps


def _of_its_time(told: Sequence[Told], one: Obligation, world: World) -> Iterator[str]:
    """Yields the steps about what was looked at as what may meet an obligation, of the days on which it might have been met."""
    first = date.min if one.start is None else day_of(one.start, world.zone)
    last = one.met_at or (one.due if one.state == "missed" else None) or one.ended_at
    for event, steps in told:
        if first <= event.day and (last is None or event.day <= day_of(last, world.zone)):
            yield from steps


def _side_by_side(world: World, entry: Entry, thing: Thing, trace: list[str] | None, only: str) -> list[Obligation]:
    """Returns the obligations under the reading that governs each, with what the others would give (10)."""
    doubt = world.doubts[entry.reading_of]
    names = list(dict.fromkeys(name for edition in entry.editions for name in edition.readings))
    forms = (form for edition in entry.editions for form in edition.readings.values())
    is_apart = len({form.rhythm for form in forms if isinstance(form, Duty)}) > 1
    by_reading: dict[str, dict[str, Obligation]] = {}
    gone_over: list[str] = []
    for name in names:
        found = _under(world, entry, thing, name, "" if is_apart else only)
        by_reading[name] = {one.key: one for one in found}
    if is_apart:
        result = [one for one in _apart(world, entry, thing, by_reading) if not only or one.key == only]
    else:
        keys = dict.fromkeys(key for found in by_reading.values() for key in found)
        each = ({name: found.get(key) for name, found in by_reading.items()} for key in keys)
        result = []
        for readings in each:
            by = _chosen(world, entry, thing, readings)
            old = readings.get(by.began or "")
            if by.reading and readings.get(by.reading) is None and old is not None:
                readings[by.reading] = _gone_over(
                    world, entry, thing, old, by, gone_over if trace is not None else None
                )
            one = _governed(world, entry, thing, readings, by)
            result += [one] if one is not None else []
    if trace is not None:
        governs = (result[0].reading if result else "") or doubt.applied or names[0]
        trace.extend(gone_over or _steps_of(world, entry, thing, governs, only))
    return result


def _gone_over(
    world: World, entry: Entry, thing: Thing, old: Obligation, by: _Chosen, trace: list[str] | None
) -> Obligation | None:
    """Returns an interval that began while the text was read otherwise, by the reading that governs it now; None: it is none.

    What began it was met as the text was read then, and stands; by the other reading it may never have been met.
    """
    begun = next(
        (
            fit.event
            for case, opening in _opened(world, entry, thing, by.began or "", old.key, is_traced=False)
            for fit in case.taken("met_by", opening, case.roots(opening))
            if case.key(opening, fit.event.id) == old.key
        ),
        None,
    )
    if begun is None:
        return None
    for case, opening in _opened(world, entry, thing, by.reading or "", old.key, is_traced=trace is not None):
        if case.duty.rhythm == "by intervals" and case.key(opening, begun.id) == old.key and not opening.start_wants:
            one = next(intervals(case, opening, begun), None)
            if one is not None and trace is not None:
                trace.extend(_taken_down(case, opening, one))
            return one
    return None


def _apart(
    world: World, entry: Entry, thing: Thing, by_reading: Mapping[str, Mapping[str, Obligation]]
) -> list[Obligation]:
    """Returns the obligations where the readings count differently (by intervals, by periods): nothing answers one by one.

    Each reading's own are taken where it governs; what is open carries what is open under the others. One that stands under the
    same key in several is one, as while nobody knows since when the duty runs.
    """
    open_now = {name: [one for one in found.values() if one.is_open] for name, found in by_reading.items()}
    result, done = [], set()
    for name, found in by_reading.items():
        for one in found.values():
            if one.key in done:
                continue
            is_open = one.is_open
            readings: dict[str, Obligation | None] = {name: one}
            for other, its in by_reading.items():
                if other != name:
                    open_ones = open_now[other]
                    readings[other] = its.get(one.key) or (open_ones[-1] if is_open and open_ones else one)
            chosen = _chosen(world, entry, thing, readings)
            if (chosen.reading or name) == name:
                done.add(one.key)
                governed = _governed(world, entry, thing, readings, chosen)
                if governed is not None:
                    result.append(governed)
    return result


def _governed(
    world: World, entry: Entry, thing: Thing, readings: Mapping[str, Obligation | None], by: _Chosen
) -> Obligation | None:
    doubt = world.doubts[entry.reading_of]
    chosen, decided, note, _ = by
    main = readings.get(chosen) if chosen else None
    alternatives = tuple(
        _other(doubt.id, name, other)
        for name, other in readings.items()
        if not decided and name != chosen and not _alike(main, other)
    )
    alternatives = tuple(replace(one, text=_if_read_as(world, one)) for one in alternatives)
    each = tuple(_other(doubt.id, name, other) for name, other in readings.items())
    if chosen:
        if main is None:
            main = _not_owed(readings) if alternatives else None
        if main is None:
            return None
        main.reading = chosen
        main.if_read_as = alternatives
    else:
        main = _undecided(world, entry, thing, readings, alternatives)
    main.by_reading = each
    if doubt.id not in main.doubts:
        main.doubts += (doubt.id,)
    if note:
        main.notes += (note,)
    return main


def _not_owed(readings: Mapping[str, Obligation | None]) -> Obligation | None:
    """Returns what is not owed as the text is read, where it is open under another reading: so that this is said."""
    other = next((one for one in readings.values() if one is not None and one.is_open), None)
    if other is None:
        return None
    note = "not owed as the text is read"
    return replace(other, state="closed", ended=NOT_NEEDED, due=None, asks=(), notes=(note,), breach_days=0, count=1)


class _Chosen(NamedTuple):
    """The reading that governs an obligation, whether somebody decided it, and a note where it changed too late."""

    reading: str | None
    is_decided: bool = False
    note: str = ""
    began: str | None = None  # by which it began, where that is another


def _chosen(world: World, entry: Entry, thing: Thing, readings: Mapping[str, Obligation | None]) -> _Chosen:
    """Returns the reading that governs an obligation.

    A decision governs what opens on or after its day and what is open on it; what was met or ended before stays as it was read.
    """
    some = next(one for one in readings.values() if one is not None)
    day = day_of(some.start, world.zone) if some.start is not None else world.today
    decisions = world.decisions(entry.reading_of, thing)
    if not decisions:
        return _Chosen(world.doubts[entry.reading_of].applied or None)
    began = chosen = world.reading_at(entry.reading_of, thing, day)
    is_decided = any(decision.day <= day for decision in decisions)
    for decision in decisions:
        if decision.day <= day:
            continue
        before = readings.get(chosen) if chosen else None
        over = (before.met_at or before.ended_at) if before is not None else None
        if over is not None and day_of(over, world.zone) < decision.day:
            note = (
                f"{entry.reading_of} was read as {decision.reading} from {decision.day} on; what was over before stays"
            )
            return _Chosen(chosen, is_decided, note)
        chosen, is_decided = world.reading_at(entry.reading_of, thing, decision.day), True
    return _Chosen(chosen, is_decided, began=began if began != chosen else None)


def _alike(a: Obligation | None, b: Obligation | None) -> bool:
    """Tells whether two readings come to the same result: the same state and, where it still matters, the same date."""
    if a is None or b is None:
        return a is b
    return a.state == b.state and (a.due == b.due or not a.is_open)


def _other(doubt: str, name: str, other: Obligation | None) -> OtherReading:
    """Returns what another reading gives. Edge: what it ends, or does not ask for, has no date."""
    if other is None:
        return OtherReading(doubt, name, "not owed")
    if other.state == "closed":
        return OtherReading(doubt, name, NOT_NEEDED if other.ended == NOT_NEEDED else "ended")
    return OtherReading(doubt, name, other.state, other.due)


def _if_read_as(world: World, other: OtherReading) -> str:
    when = f"due {world.say(other.due)}" if other.due is not None else other.state.replace("_", " ")
    if other.due is not None and other.state != "due":
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
    dated = [one.due for one in found if one.due is not None and one.state != "closed"]
    earliest = min(dated, key=lambda due: end_of(due, world.zone)) if dated else None
    asks = world.doubt_wants(entry.reading_of, thing)
    made = replace(main, due=earliest, asks=asks, notes=(), if_read_as=alternatives, ended="", breach_days=0)
    return replace(made, state="cannot_tell", met_by="", met_at=None, late=False)


def _unsaid(world: World, entry: Entry, thing: Thing, found: list[Obligation], only: str) -> None:
    """Adds the date under the other meaning of "days?" to every obligation whose date it would change."""
    doubt = world.unsaid_doubt(entry)
    other = world.with_other_days()
    readings = dict.fromkeys(one.reading for one in found)
    by_key = {(reading, one.key): one for reading in readings for one in _under(other, entry, thing, reading, only)}
    is_decided = bool(world.decisions(doubt, thing))
    for one in found:
        alternative = by_key.get((one.reading, one.key))
        if alternative is not None and (one.state, one.due) != (alternative.state, alternative.due):
            read = f"{other.unsaid(entry, thing, world.today)} days"
            made = OtherReading(doubt, read, alternative.state, alternative.due)
            one.by_reading += (made,)
            if not is_decided and not _alike(one, alternative):
                one.if_read_as += (replace(made, text=_if_read_as(world, made)),)
        if doubt not in one.doubts:
            one.doubts += (doubt,)
