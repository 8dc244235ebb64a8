"""Statuses: the life of a thing, told as steps from state to state (RULEBOOK.md 7.6).

The life is folded over the events strictly in order, a timed step being taken when its day has ended. An event that some
step names but none fits is an illegal step: reported, not applied. Where the place of a bare day among the times of its day
would change the state, the state is unknown from there and the time of day is asked.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING

from sewershed.rules.entries import Entry, StatusForm, Step
from sewershed.rules.findings import Finding
from sewershed.rules.moments import day_of, end_of, start_of
from sewershed.rules.record import Event, Key, Moment
from sewershed.rules.types import Thing
from sewershed.rules.unknown import Unknown, Want, unknown
from sewershed.rules.view import END, View, tell, view_before

if TYPE_CHECKING:
    from sewershed.rules.world import World

_SECOND = timedelta(seconds=1)


@dataclass(frozen=True, slots=True)
class Stand:
    """How a life stands: its state and the dates it has set."""

    state: str | Unknown
    sets: tuple[tuple[str, Moment | Unknown], ...] = ()

    def date(self, name: str) -> Moment | Unknown | None:
        """Returns a date that a step set, or None where none has."""
        return dict(self.sets).get(name)


@dataclass(slots=True)
class Life:
    """A life as folded: how it stands from each key on, and the steps that did not fit."""

    keys: list[Key] = field(default_factory=list)
    stands: list[Stand] = field(default_factory=list)
    illegal: list[Finding] = field(default_factory=list)
    next_step: Moment | None = None  # the end of the day on which a timed step is next taken
    start: Stand = field(default_factory=lambda: Stand(""))

    def before(self, key: Key) -> Stand:
        """Returns how it stands just before a key."""
        index = bisect_left(self.keys, key)
        return self.stands[index - 1] if index else self.start


def status_of(world: World, thing: Thing, entry: Entry, view: View) -> Stand:
    """Returns how a life stands as a view sees it."""
    history = world.history(thing)
    if view.about is not None:
        names = world.law.events_of_status[entry.id]
        # Asks the view too, so that it notes bare days of the same day, and sees them late where it is the other view.
        seen = view.events(thing, names)
        if view.is_late or not history.is_whole:
            return _fold(world, thing, entry, seen, view.upto, is_reporting=False).before(END)
        return life_of(world, thing, entry).before(view.about.key)
    return life_of(world, thing, entry).before(view.upto)


def life_of(world: World, thing: Thing, entry: Entry) -> Life:
    """Returns the whole life of a thing up to the moment the world is asked about."""
    key = (thing.id, entry.id)
    life = world.lives.get(key)
    if life is None:
        world.lives[key] = Life(
            start=Stand(unknown([Want("no_answer", entry.id, thing=thing.id)]))
        )  # while it is folded
        history = world.history(thing)
        events = history.of(world.law.events_of_status[entry.id])
        life = _fold(world, thing, entry, events, END, is_reporting=True)
        if history.is_whole:
            world.lives[key] = life
        else:
            del world.lives[key]
    if life.next_step is not None:
        world.changes_at(start_of(life.next_step, world.zone))
    return life


def _fold(world: World, thing: Thing, entry: Entry, events: Sequence[Event], upto: Key, *, is_reporting: bool) -> Life:
    first_form = _form_on(world, entry, thing, events[0].day if events else world.today)
    if first_form is None:
        return Life(start=Stand(unknown([Want("no_answer", entry.id, thing=thing.id)])))
    fold = _Fold(world, thing, entry, Life(start=Stand(first_form.start)), is_reporting)
    for day, group in groupby(events, key=attrgetter("day")):
        fold.take_day(day, list(group))
    fold.pass_time(upto if upto is not END else None)
    return fold.life


def _form_on(world: World, entry: Entry, thing: Thing, day: date) -> StatusForm | None:
    form = world.form(entry, thing, day)
    return form if isinstance(form, StatusForm) else None


class _Fold:
    """One fold of a life over its events."""

    def __init__(self, world: World, thing: Thing, entry: Entry, life: Life, is_reporting: bool) -> None:
        self.world, self.thing, self.entry, self.life, self.is_reporting = world, thing, entry, life, is_reporting
        self.stand = life.start

    def take_day(self, day: date, events: list[Event]) -> None:
        """Takes the events of one day, and asks the time of day of bare ones where their place decides."""
        bare = [event for event in events if not event.is_timed]
        if bare and len(bare) < len(events):
            self._take_mixed_day(events, bare)
            return
        for event in events:
            self.pass_time(event.key)
            self.take(event)

    def _take_mixed_day(self, events: list[Event], bare: list[Event]) -> None:
        """Takes a day of times and bare days: how it stands before each time, and at its end, must not hang on their places."""
        self.pass_time(events[0].key)
        before = self.stand
        orders = [events, *_other_orders(events, bare)]
        stands = [_stands(self, before, order) for order in orders]
        wants = [Want("time_of_day", e.name, thing=self.thing.id, event=e.id, day=e.day) for e in bare]
        illegal = len(self.life.illegal)
        for event in events:
            if event.is_timed and len({one[event.id] for one in stands}) > 1:
                self._set((event.start, 0, 0), Stand(unknown(wants), self.stand.sets))
                self.stand = stands[0][event.id]  # goes on by the order of the record; what follows is set below
            self.take(event)
        if len({one[""] for one in stands}) > 1:
            del self.life.illegal[illegal:]
            self._set(events[-1].key, Stand(unknown(wants), self.stand.sets))

    def take(self, event: Event) -> None:
        """Takes one event: the first step whose event, state and condition fit."""
        form = _form_on(self.world, self.entry, self.thing, event.day)
        if form is None:
            return
        named = False
        for step in form.steps:
            if event.name not in step.events:
                continue
            named = True
            if isinstance(self.stand.state, Unknown):
                if step.come_from:
                    continue
            elif step.come_from and self.stand.state not in step.come_from:
                continue
            view = view_before(self.world, self.thing, event, {"event": event})
            holds = True if step.when is None else tell(step.when, view)
            if isinstance(holds, Unknown):
                self._set(event.key, Stand(holds, self.stand.sets))
                return
            if holds:
                self._step(step, event.key, view)
                return
        if named and not isinstance(self.stand.state, Unknown):
            self._report(event)

    def pass_time(self, upto: Key | None) -> None:
        """Takes the timed steps whose day has ended before a key (None: before the moment asked about)."""
        end = self.world.as_of if upto is None else upto[0]
        while True:
            due = self._next_timed()
            if due is None:
                return
            step, moment = due
            ends = end_of(day_of(moment, self.world.zone), self.world.zone) + _SECOND
            if ends > end:
                if upto is None:
                    self.life.next_step = ends
                return
            key: Key = (ends, 0, -1)
            if self.life.keys and key < self.life.keys[-1]:
                key = self.life.keys[-1]
            view = View(self.world, self.thing, {}, day=day_of(moment, self.world.zone), moment=moment, upto=key)
            before = self.stand
            self._step(step, key, view)
            if self.stand == before:
                return

    def _next_timed(self) -> tuple[Step, Moment] | None:
        form = _form_on(self.world, self.entry, self.thing, self.world.today)
        if form is None or isinstance(self.stand.state, Unknown):
            return None
        for step in form.steps:
            if step.at is None or (step.come_from and self.stand.state not in step.come_from):
                continue
            view = _StandView(self.world, self.thing, self.stand)
            moment = tell(step.at, view)
            if isinstance(moment, date) and self.stand.state != step.to:
                return step, moment
        return None

    def _step(self, step: Step, key: Key, view: View) -> None:
        sets = dict(self.stand.sets)
        for name, condition in step.sets:
            value = tell(condition, view)
            sets[name] = value if isinstance(value, (date, Unknown)) else unknown([Want("fact", name)])
        self._set(key, Stand(step.to, tuple(sorted(sets.items()))))

    def _set(self, key: Key, stand: Stand) -> None:
        self.stand = stand
        self.life.keys.append(key)
        self.life.stands.append(stand)

    def _report(self, event: Event) -> None:
        if not self.is_reporting:
            return
        self.life.illegal.append(
            Finding(
                rule=self.entry.id,
                kind="status",
                thing=self.thing.id,
                outcome="NOT_MET",
                since=None,
                about=event.id,
                day=event.day,
                steps=(f"{event.name} does not fit the state {self.stand.state}; the state stays as it was",),
            )
        )


def _stands(fold: _Fold, before: Stand, order: list[Event]) -> dict[str, Stand]:
    """Returns how it stands before each event of an order, by the event's id, and at the end of it, under ""."""
    trial = _Fold(fold.world, fold.thing, fold.entry, Life(start=before), is_reporting=False)
    stands: dict[str, Stand] = {}
    for event in order:
        stands[event.id] = trial.stand
        trial.take(event)
    stands[""] = trial.stand
    return stands


class _StandView(View):
    """A view in which the dates of a life are those that its fold has set so far."""

    __slots__ = ("stand",)

    def __init__(self, world: World, thing: Thing, stand: Stand) -> None:
        super().__init__(world, thing, {}, day=world.today, moment=world.as_of)
        self.stand = stand

    def fact(self, thing: Thing, name: str) -> object:  # type: ignore[override]
        """Returns a date of this life, or else the fact as the world has it."""
        if thing.id == self.thing.id:
            value = self.stand.date(name)
            if value is not None:
                return value
        return super().fact(thing, name)


def _other_orders(events: list[Event], bare: list[Event]) -> list[list[Event]]:
    """Returns the other places that bare days may take among the times of their day: each moved alone, and all last."""
    timed = [event for event in events if event.is_timed]
    orders = [timed + bare]
    for moved in bare:
        rest = [event for event in bare if event is not moved]
        orders += [rest + timed[:place] + [moved] + timed[place:] for place in range(1, len(timed) + 1)]
    return orders
