"""What opens a duty: events, items of theirs, or a standing condition (RULEBOOK.md 7.3, ``opens``).

A `Case` is one duty on one thing under one form: what all its obligations share, looked up once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING, Any

from sewershed.rules.clocks import Setting
from sewershed.rules.conditions import Condition
from sewershed.rules.entries import Duty, Edition, Entry
from sewershed.rules.moments import day_of, end_of, start_of
from sewershed.rules.patterns import Fit, fits, is_before, is_shared, since
from sewershed.rules.record import Event, Moment
from sewershed.rules.stays import Interval, stays_of
from sewershed.rules.types import Thing
from sewershed.rules.unknown import Unknown, Want, unknown
from sewershed.rules.view import View, tell, view_before

if TYPE_CHECKING:
    from sewershed.rules.world import World


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
    start_wants: tuple[Want, ...] = ()  # what is wanting to tell when it starts


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
        elif self.duty.opens.each is not None and opening.wants:
            roots["item"] = Unknown(opening.wants)  # the list itself is not known
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
        self, start: Moment, roots: Mapping[str, object], stays: Sequence[Interval], met: Fit | None
    ) -> Setting:
        """Returns what the clock is read in: facts of the day it starts, and the history up to the moment asked about.

        Unsaid days are read as on the day it was met; for what is open, as they are read now (7.9).
        """
        day = day_of(start, self.world.zone)
        settled = met.event.day if met is not None else self.world.today
        view = View(self.world, self.thing, roots, day=day, moment=self.world.as_of)
        calendar = self.world.library.books[self.entry.book].calendar
        unsaid = self.world.unsaid(self.entry, self.thing, settled)
        return Setting(self.world, view, start, stays, unsaid, calendar, self.trace)

    def key(self, opening: Opening, part: str = "") -> str:
        """Returns the stable key of an obligation: rule, thing, root of the trigger, and item, interval or period."""
        return f"{self.entry.id}|{self.thing.id}|{opening.key}{'|' + part if part else ''}"


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
        if not _is_under(case, event):
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
        if event.name not in opens.events or not _is_under(case, event) or _opens(case, event) is None:
            continue
        for opening in _items(case, event, ()):
            opening.void_why = withdrawn.why
            yield opening


def _is_under(case: Case, event: Event) -> bool:
    """Tells whether an event falls under this edition, and no child's entry stands in its place that day."""
    return case.edition.is_on(event.day) and case.world.is_in_force(case.entry, event.day)


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
        world.changes_at(end_of(world.today, world.zone))
        if case.edition.is_on(world.today):
            yield Opening("while", world.today, wants=moment.wants, standing=standing, start_wants=moment.wants)
    elif isinstance(moment, date) and is_before(world, world.as_of, moment):
        world.changes_at(start_of(moment, world.zone))
    elif isinstance(moment, date):
        day = day_of(moment, world.zone)
        first = case.entry.editions[0]
        if first.since is not None and day < first.since:
            # What stood before the entry was in force is under it from its first day on.
            if case.edition is first and first.since <= world.today:
                yield Opening("while", first.since, standing=standing)
        elif case.edition.is_on(day):
            yield Opening("while", moment, standing=standing)
