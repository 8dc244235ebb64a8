"""What opens a duty: events, items of theirs, or a standing condition (docs/explanation/rulebook.md 9.3, ``opens``).

A `Case` is one duty on one thing under one form: what all its obligations share, looked up once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import TYPE_CHECKING, Any

from sewershed.rules.clocks import Setting
from sewershed.rules.conditions import Condition
from sewershed.rules.entries import Duty, Edition, Entry
from sewershed.rules.moments import day_of, end_of, start_of
from sewershed.rules.patterns import Candidates, Fit, Told, are_shared, is_before, rests_on_item
from sewershed.rules.record import Event, Moment
from sewershed.rules.stays import Stays, stays_of
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
    steps: tuple[str, ...] = ()  # how it came to open, where somebody asks why


@dataclass(slots=True)
class Case:
    """One duty on one thing under one form, and what all its obligations share."""

    world: World
    entry: Entry
    edition: Edition
    duty: Duty
    thing: Thing
    reading: str = ""
    trace: list[str] | None = None  # takes the steps of one obligation after another, when somebody asks why
    told: list[Told] | None = None  # takes what was looked at as what may meet any of them
    _shared: dict[str, Any] = field(default_factory=dict)
    _editions: dict[date | None, Case] = field(
        default_factory=dict
    )  # the same under other editions, by their first day

    def under(self, edition: Edition) -> Case | None:
        """Returns the same under another edition, or None where that says nothing in this reading."""
        self._editions.setdefault(self.edition.since, self)
        found = self._editions.get(edition.since)
        duty = edition.readings.get(self.reading)
        if found is None and isinstance(duty, Duty):
            found = replace(self, edition=edition, duty=duty, _shared={})
            self._editions[edition.since] = found
        return found

    def on(self, day: date) -> Case | None:
        """Returns the same under the edition of a day, or None where none is in force, or a child's entry stands instead."""
        edition = self.entry.edition_on(day)
        if edition is None or not self.world.is_in_force(self.entry, day):
            return None
        return self.under(edition)

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

    def taken(self, kind: str, opening: Opening, roots: Mapping[str, object]) -> Iterator[Fit]:
        """Returns the events that meet, close, excuse or extend, from the opening on, in order."""
        patterns = getattr(self.duty, kind)
        if not patterns:
            return iter(())
        found: Candidates | None = self._shared.get(kind)
        if found is None:
            found = Candidates(self.world, self.thing, patterns, roots)
            if are_shared(patterns):
                self._shared[kind] = found
        return found.since(opening.start, opening.trigger, roots, self.told if kind == "met_by" else None)

    def stays(self, roots: Mapping[str, object]) -> Stays:
        """Returns the stays of this duty on this thing."""
        found: Stays | None = self._shared.get("stays")
        if found is None:
            found = stays_of(self.world, self.thing, self.duty, roots)
            conditions = [one for stay in self.duty.stayed_by for one in (stay.start.when, stay.start.on)]
            if not any(one is not None and rests_on_item(one.source) for one in conditions):
                self._shared["stays"] = found
        return found

    def setting(self, start: Moment, roots: Mapping[str, object], stays: Stays, met: Fit | None) -> Setting:
        """Returns what the clock is read in: facts of the day it starts, and the history up to the moment asked about.

        Unsaid days are read as on the day it was met; for what is open, as they are read now (10).
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
    keys = _Keys(case)
    for event in world.history(thing).of(opens.events):
        if not _is_under(case, event):
            continue
        steps: list[str] = []
        wants = _opens(case, event, steps)
        if wants is None:
            continue
        if opens.once is not None and not wants:
            wants = keys.use(event, opens.once)
            if wants is None:
                continue
        items = _items(case, event, wants)
        for opening in items:
            opening.steps = tuple(steps)
        found.extend(items)
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


class _Keys:
    """The keys by which a duty opens once each, as far as they are used up."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self.used: set[tuple[object, ...]] = set()
        self.is_unsure = False  # some event opened without its key being known

    def use(self, event: Event, once: Sequence[Condition]) -> tuple[Want, ...] | None:
        """Uses a key up; returns what is wanting to tell whether it was free (nothing: it was), or None where it was not.

        Edge: an event whose key is not known opens for certain only while no other has; it uses up no key of another.
        """
        view = view_before(self.case.world, self.case.thing, event, {"event": event, "trigger": event})
        key = tuple(tell(one, view) for one in once)
        missing = unknown(want for value in key if isinstance(value, Unknown) for want in value.wants).wants
        if missing:
            is_first = not self.used and not self.is_unsure
            self.is_unsure = True
            return () if is_first else missing
        if key in self.used:
            return None
        self.used.add(key)
        return ()


def _opens(case: Case, event: Event, steps: list[str] | None = None) -> tuple[Want, ...] | None:
    """Returns what is wanting to tell whether an event opens the duty (nothing: it does), or None where it does not.

    The steps say how things stood just before the event: what has happened since may be otherwise.
    """
    when = case.duty.opens.when.get(event.name)
    if when is None:
        return ()
    own: list[str] | None = None if case.trace is None or steps is None else []
    value = tell(when, view_before(case.world, case.thing, event, {"event": event, "trigger": event}), own)
    if own is not None and steps is not None:
        may = "may open it" if isinstance(value, Unknown) else "opens it"
        steps.append(f"{event.name} of {case.world.say(event.moment)}: {may}, as things stood just before")
        steps.extend(f"  {step}" for step in own)
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
    return [
        Opening(f"{event.id}|{label}", event.moment, event, item, label, wants)
        for item, label in zip(items, _labels(items), strict=True)
    ]


def _labels(items: Sequence[Any]) -> list[str]:
    """Returns what the items are called: by their id, else by their number; the second of one name is told apart."""
    labels: list[str] = []
    for number, item in enumerate(items, start=1):
        name = item.get("id") if isinstance(item, Mapping) else item
        plain = label = str(number if name is None else name)
        again = 1
        while label in labels:
            again += 1
            label = f"{plain} ({again})"
        labels.append(label)
    return labels


def _supersede(found: Sequence[Opening]) -> None:
    """Marks what a newer trigger stands in the place of; one that may not open at all supersedes nothing."""
    newer: Event | None = None
    last: Event | None = None  # of those that certainly open, the one that comes next in the order
    for opening in reversed(found):
        if last is not None and opening.trigger is not last:
            newer = last
        opening.superseded_by = newer
        if not opening.wants:
            last = opening.trigger


def _standing(case: Case, standing: Condition, start: Condition | None) -> Iterator[Opening]:
    world = case.world
    if world.history(case.thing).is_gone:
        return
    view = world.standing(case.thing)
    steps: list[str] | None = None if case.trace is None else []
    moment: Any = tell(start, view, steps) if start is not None else None
    if isinstance(moment, Unknown):
        holds = tell(standing, view)
        if holds is False:
            return
        world.changes_at(end_of(world.today, world.zone))
        if case.edition.is_on(world.today):
            yield Opening(
                "while",
                world.today,
                wants=moment.wants,
                standing=standing,
                start_wants=moment.wants,
                steps=tuple(steps or ()),
            )
    elif isinstance(moment, date) and is_before(world, world.as_of, moment):
        world.changes_at(start_of(moment, world.zone))
    elif isinstance(moment, date):
        day = day_of(moment, world.zone)
        first = case.entry.editions[0]
        if first.since is not None and day < first.since:
            # What stood before the entry was in force is under it from its first day on.
            if case.edition is first and first.since <= world.today:
                yield Opening("while", first.since, standing=standing, steps=tuple(steps or ()))
        elif case.edition.is_on(day) and world.is_in_force(case.entry, day):
            yield Opening("while", moment, standing=standing, steps=tuple(steps or ()))
