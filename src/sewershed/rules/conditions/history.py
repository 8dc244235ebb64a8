"""What has happened: ``happened``, ``first``, ``last`` and ``count`` over the events that a condition may see."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from operator import attrgetter
from typing import Any, Protocol
from zoneinfo import ZoneInfo

from sewershed.rules.calendars import shifted
from sewershed.rules.conditions.scope import Local, Run, Scope
from sewershed.rules.conditions.terms import History, Term
from sewershed.rules.conditions.truth import all_missing, disjunction
from sewershed.rules.moments import day_of, is_after, start_of
from sewershed.rules.record import Event
from sewershed.rules.unknown import Unknown, Want

Fits = Callable[[Event], Any] | None
_START = attrgetter("start")


class Runs(Protocol):
    """What makes the functions of terms."""

    zone: ZoneInfo

    def run(self, term: Term) -> Run:
        """Returns the function that works a term out."""


def events_of(runs: Runs, term: History) -> Run:
    """Returns the function that gives the events a term looks through, in order: those of its thing, within its window.

    Edge: the window is (t - span, t]: an event exactly one span ago is outside, one at t inside. Where the window or the
    event has only a day, days are compared.
    """
    thing, names, window, zone = runs.run(term.thing), term.events, term.window, runs.zone

    def run(scope: Scope, local: Local) -> object:
        about = thing(scope, local)
        if isinstance(about, Unknown):
            return about
        found = scope.events(about, names)
        if window is None:
            return found
        end = scope.now()
        start = shifted(scope.calendar.sub, end, window)
        if isinstance(start, Unknown):
            return start
        first = bisect_left(found, start_of(day_of(start, zone), zone), key=_START)
        late = (found[place] for place in range(first, len(found)))
        inside = [e for e in late if is_after(e.moment, start, zone) and not is_after(e.moment, end, zone)]
        if inside:
            scope.forgets(inside[0].moment, window)
        return inside

    return run


def history(runs: Runs, term: History) -> Run:
    """Returns the function that works a history term out."""
    events, fits = events_of(runs, term), None if term.fits is None else runs.run(term.fits)
    look, thing, wanted = _LOOKS[term.name], runs.run(term.thing), "|".join(term.events)

    def run(scope: Scope, local: Local) -> object:
        found = events(scope, local)
        if isinstance(found, Unknown):
            return found
        value = look(found, None if fits is None else lambda event: fits(scope, (*local, event)))
        if value is None:
            return Unknown((Want("event", wanted, thing=thing(scope, local).id),))
        return value

    return run


def _has_happened(events: Sequence[Event], fits: Fits) -> bool | Unknown:
    return bool(events) if fits is None else disjunction(map(fits, events))


def _first(events: Sequence[Event], fits: Fits) -> Event | Unknown | None:
    """Returns the earliest event that fits, or None. Edge: an earlier one of which that cannot be told makes it unknown."""
    return _first_of(events, fits)


def _last(events: Sequence[Event], fits: Fits) -> Event | Unknown | None:
    """Returns the latest event that fits, or None. Edge: a later one of which that cannot be told makes it unknown."""
    return _first_of(reversed(events), fits)


def _first_of(events: Iterable[Event], fits: Fits) -> Event | Unknown | None:
    missing: Unknown | None = None
    for event in events:
        answer = True if fits is None else fits(event)
        if answer is True:
            return event if missing is None else missing
        if answer is not False:
            missing = answer if missing is None else missing | answer
    return missing


def _count(events: Sequence[Event], fits: Fits) -> int | Unknown:
    """Returns how many fit. Edge: a single one of which that cannot be told makes the number unknown."""
    if fits is None:
        return len(events)
    answers = [fits(event) for event in events]
    missing = all_missing(answers)
    return answers.count(True) if missing is None else missing


_LOOKS: dict[str, Callable[[Sequence[Event], Fits], Any]] = {
    "happened": _has_happened,
    "first": _first,
    "last": _last,
    "count": _count,
}
