"""Statuses: the life of a thing, told as steps from state to state (docs/explanation/rulebook.md 9.6).

The life is folded over the events strictly in order, a timed step being taken when its day has ended. An event that some
step names but none fits is an illegal step: reported, not applied. Where the place of a bare day among the times of its day
would change the state, the state is unknown from there and the time of day is asked.

It is folded no further than somebody asks, since the steps of one life may hang on another.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING

from sewershed.rules.entries import Entry, StatusForm, Step
from sewershed.rules.findings import Finding
from sewershed.rules.moments import day_of, end_of, start_of
from sewershed.rules.record import BY_KEY, END, Event, Key, Moment
from sewershed.rules.types import Thing
from sewershed.rules.unknown import Unknown, Want, unknown
from sewershed.rules.view import View, tell, view_before

if TYPE_CHECKING:
    from sewershed.rules.world import World

_DAY = timedelta(days=1)
_BEFORE_ALL: Key = (datetime.min.replace(tzinfo=UTC), 0, -1)


@dataclass(frozen=True, slots=True)
class Stand:
    """How a life stands: its state, the dates it has set, and the timed steps taken since something happened."""

    state: str | Unknown
    sets: tuple[tuple[str, Moment | Unknown], ...] = ()
    timed: frozenset[tuple[int, Moment]] = field(default=frozenset(), compare=False)

    def date(self, name: str) -> Moment | Unknown | None:
        """Returns a date that a step set, or None where none has."""
        return dict(self.sets).get(name)


def status_of(world: World, thing: Thing, entry: Entry, view: View) -> Stand:
    """Returns how a life stands as a view sees it."""
    life, about = life_of(world, thing, entry), view.about
    if about is None:
        is_past = view.upto is END and view.day < world.today
        return life.before((start_of(view.day + _DAY, world.zone), 0, -1) if is_past else view.upto)
    history = world.history(thing)
    seen = view.events(thing, life.names)  # so that it notes bare days of the same day, and sees them where they stand
    is_mixed = about.day in (history.bare_days if about.is_timed else history.timed_days)
    if not is_mixed and about.key <= history.sure_upto:
        return life.before(about.key)
    first = (start_of(about.day, world.zone), 0, 0)  # after what the end of the day before brought
    today = seen[bisect_left(seen, first, key=BY_KEY) :]
    in_order = [event for event in today if event.is_timed != about.is_timed or event.key < about.key]
    return life.continued(first, in_order)


def life_of(world: World, thing: Thing, entry: Entry) -> Life:
    """Returns the life of a thing: it folds itself as far as it is asked."""
    key = (thing.id, entry.id)
    life = world.lives.get(key)
    if life is None:
        life = world.lives[key] = Life(world.plain, thing, entry)
    return life


@dataclass(frozen=True, slots=True)
class _Timed:
    """A timed step that comes next: the instant after its day, its place among the steps, and its moment."""

    ends: datetime
    place: int
    step: Step
    moment: Moment


class Life:
    """One life, folded as far as it was asked."""

    def __init__(self, world: World, thing: Thing, entry: Entry) -> None:
        self.world, self.thing, self.entry = world, thing, entry
        self.names = world.law.events_of_status[entry.id]
        self._fold = _Fold(world, thing, entry, _start_of_life(world, thing, entry))
        self._folded = 0  # how many of its events
        self._is_folding = False

    def before(self, key: Key) -> Stand:
        """Returns how it stands just before a key."""
        self._fold_upto(key)
        return self._fold.before(key)

    def continued(self, first: Key, events: Sequence[Event]) -> Stand:
        """Returns how it would stand after some events that follow on how it stood before a key."""
        fold = _Fold(self.world, self.thing, self.entry, self.before(first))
        fold.take_all(events)
        return fold.stand

    @property
    def illegal(self) -> Sequence[Finding]:
        """Returns the events that some step names but none fits."""
        self._fold_upto(END)
        return self._fold.illegal

    def _fold_upto(self, upto: Key) -> None:
        """Folds what happened before a key, as far as it stands fast what counts."""
        if self._is_folding:
            return
        history = self.world.history(self.thing)
        self._is_folding = True
        self.world.in_progress.append(self.thing.id)
        try:
            with self.world.resting_on(history.basis):
                upto = min(upto, history.sure_upto)
                events = history.before(self.names, upto)
                while self._folded < len(events):
                    together = self._together(events[self._folded])
                    self._folded += len(together)
                    self._fold.take_all(together)
                self._fold.pass_time(upto)
        finally:
            self._is_folding = False
            self.world.in_progress.pop()

    def _together(self, first: Event) -> Sequence[Event]:
        """Returns the next event, and with it all of its day where some have a time and some have none."""
        history = self.world.history(self.thing)
        if first.day not in history.bare_days or first.day not in history.timed_days:
            return [first]
        end = (end_of(first.day, self.world.zone), 2, 0)
        return history.before(self.names, min(end, history.sure_upto))[self._folded :]


class _Fold:
    """How a life stands from each key on, as events and time lead it from a start."""

    def __init__(self, world: World, thing: Thing, entry: Entry, start: Stand) -> None:
        self.world, self.thing, self.entry = world, thing, entry
        self.start = self.stand = start
        self.keys: list[Key] = []
        self.stands: list[Stand] = []
        self.illegal: list[Finding] = []

    def before(self, key: Key) -> Stand:
        """Returns how it stands just before a key."""
        place = bisect_left(self.keys, key)
        return self.stands[place - 1] if place else self.start

    def take_all(self, events: Sequence[Event]) -> None:
        """Takes events in order, and asks the time of day of bare ones where their place among times decides."""
        bare = [event for event in events if not event.is_timed]
        if bare and len(bare) < len(events):
            self._take_mixed_day(events, bare)
            return
        for event in events:
            self.pass_time(event.key)
            self.take(event)

    def _take_mixed_day(self, events: Sequence[Event], bare: Sequence[Event]) -> None:
        """Takes a day of times and bare days: how it stands before each time, and at its end, must not hang on their places."""
        self.pass_time(events[0].key)
        orders = [events, *_other_orders(events, bare)]
        stands = [_Fold(self.world, self.thing, self.entry, self.stand).through(order) for order in orders]
        wants = [Want("time_of_day", e.name, thing=self.thing.id, event=e.id, day=e.day) for e in bare]
        illegal = len(self.illegal)
        for event in events:
            if event.is_timed and len({one[event.id] for one in stands}) > 1:
                self._set((event.start, 0, 0), replace(self.stand, state=unknown(wants)))
                self.stand = stands[0][event.id]  # goes on by the order of the record; what follows is set below
            self.take(event)
        if len({one[""] for one in stands}) > 1:
            del self.illegal[illegal:]
            self._set(events[-1].key, replace(self.stand, state=unknown(wants)))

    def through(self, events: Iterable[Event]) -> dict[str, Stand]:
        """Returns how it stands before each of some events, by the event's id, and at the end of them, under ""."""
        stands: dict[str, Stand] = {}
        for event in events:
            stands[event.id] = self.stand
            self.take(event)
        stands[""] = self.stand
        return stands

    def take(self, event: Event) -> None:
        """Takes one event: the first step whose event, state and condition fit."""
        form = _form_on(self.world, self.entry, self.thing, event.day)
        if form is None:
            return
        is_named = False
        for step in form.steps:
            if event.name not in step.events:
                continue
            is_named = True
            if not self._is_from_here(step):
                continue
            view = view_before(self.world, self.thing, event, {"event": event})
            holds = True if step.when is None else tell(step.when, view)
            if isinstance(holds, Unknown):
                self._set(event.key, replace(self.stand, state=holds))
                return
            if holds:
                self._step(step, event.key, view, frozenset())
                return
        if is_named and not isinstance(self.stand.state, Unknown):
            self._report(event)

    def _is_from_here(self, step: Step) -> bool:
        """Tells whether a step may be taken from the present state. Edge: from an unknown one only a step from any state."""
        return not step.come_from or self.stand.state in step.come_from

    # ---------------------------------------------------------------- what time brings

    def pass_time(self, upto: Key) -> None:
        """Takes the timed steps whose day has ended before a key (of the end: before the moment asked about).

        Edge: each is taken once for one date, until something happens: two that lead to each other come to rest. Where the
        day of a step hangs on a missing fact, nobody can tell whether it has been taken.
        """
        end = self.world.as_of if upto is END else upto[0]
        while (due := self._next_timed()) is not None:
            if due.ends > end:
                if upto is END:
                    self.world.changes_at(due.ends)
                return
            timed = self.stand.timed | {(due.place, due.moment)}
            key: Key = (due.ends, 0, -1)
            if self.keys and key < self.keys[-1]:
                key = self.keys[-1]
            day = day_of(due.moment, self.world.zone)
            view = View(self.world, self.thing, {}, day=day, moment=due.moment, upto=key)
            holds = True if due.step.when is None else tell(due.step.when, view)
            if isinstance(holds, Unknown):
                self._set(key, replace(self.stand, state=holds, timed=timed))
            elif holds:
                self._step(due.step, key, view, timed)
            else:
                self._set(key, replace(self.stand, timed=timed))

    def _next_timed(self) -> _Timed | None:
        """Returns the timed step whose day ends first; the state becomes unknown where that of one is missing."""
        form = _form_on(self.world, self.entry, self.thing, self.world.today)
        found: list[_Timed] = []
        for place, step in enumerate(form.steps if form is not None else ()):
            if step.at is None or isinstance(self.stand.state, Unknown) or not self._is_from_here(step):
                continue
            if self.stand.state == step.to:
                continue
            moment = tell(step.at, _StandView(self.world, self.thing, self.stand))
            if isinstance(moment, Unknown) and any(want.kind != "event" for want in moment.wants):
                self._set(self.keys[-1] if self.keys else _BEFORE_ALL, replace(self.stand, state=moment))
                return None
            if isinstance(moment, date) and (place, moment) not in self.stand.timed:
                day = day_of(moment, self.world.zone)
                if day < date.max:  # the last day of all never ends
                    found.append(_Timed(start_of(day + _DAY, self.world.zone), place, step, moment))
        return min(found, key=lambda one: (one.ends, one.place), default=None)

    # ---------------------------------------------------------------- what it comes to

    def _step(self, step: Step, key: Key, view: View, timed: frozenset[tuple[int, Moment]]) -> None:
        sets = dict(self.stand.sets)
        for name, condition in step.sets:
            value = tell(condition, view)
            sets[name] = value if isinstance(value, (date, Unknown)) else unknown([Want("fact", name)])
        self._set(key, Stand(step.to, tuple(sorted(sets.items())), timed))

    def _set(self, key: Key, stand: Stand) -> None:
        self.stand = stand
        self.keys.append(key)
        self.stands.append(stand)

    def _report(self, event: Event) -> None:
        self.illegal.append(
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


def _start_of_life(world: World, thing: Thing, entry: Entry) -> Stand:
    """Returns how a life begins, by the first edition of it."""
    form = _form_on(world, entry, thing, entry.editions[0].since or world.today)
    return Stand(form.start if form is not None else unknown([Want("no_answer", entry.id, thing=thing.id)]))


def _form_on(world: World, entry: Entry, thing: Thing, day: date) -> StatusForm | None:
    form = world.form(entry, thing, day)
    return form if isinstance(form, StatusForm) else None


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


def _other_orders(events: Sequence[Event], bare: Sequence[Event]) -> list[list[Event]]:
    """Returns the other places that bare days may take among the times of their day: each moved alone, and all last."""
    timed = [event for event in events if event.is_timed]
    orders = [[*timed, *bare]]
    for moved in bare:
        rest = [event for event in bare if event is not moved]
        orders += [[*rest, *timed[:place], moved, *timed[place:]] for place in range(1, len(timed) + 1)]
    return orders
