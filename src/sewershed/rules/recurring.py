"""Recurring duties: a chain of intervals, each from the last fulfilment (docs/explanation/rulebook.md 9.3, ``every ... from last_met``).

Interval n starts with the trigger (n = 0) or with the last fulfilment; exactly one item is open, and an overdue one says how
many intervals have passed. A late entry splits or joins intervals, because all is worked out anew.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping
from datetime import date
from typing import TYPE_CHECKING

from sewershed.rules.calendars import shifted
from sewershed.rules.clocks import Limit, limit_of
from sewershed.rules.findings import Obligation
from sewershed.rules.moments import day_of, end_of
from sewershed.rules.openings import Case, Opening
from sewershed.rules.patterns import Fit
from sewershed.rules.record import Event, Key, Moment
from sewershed.rules.settling import Ends, first_sure, governed, new, settle, sure
from sewershed.rules.spans import Span
from sewershed.rules.unknown import Unknown

if TYPE_CHECKING:
    from sewershed.rules.world import World


def intervals(case: Case, opening: Opening, begun_with: Event | None = None) -> Iterator[Obligation]:
    """Returns the intervals of a chain in order, the last one open unless the chain was ended.

    Args:
        case: the duty.
        opening: what opened the chain.
        begun_with: the fulfilment from which on they are wanted; None: from the opening on.
    """
    world = case.world
    taken = _Taken(opening)
    start, begun_by = opening.start, ""
    begun: Key | None = None
    if begun_with is not None:
        start, begun_by, begun = begun_with.moment, begun_with.id, begun_with.key
    while (first := case.on(since := day_of(start, world.zone))) is not None:
        roots = case.roots(opening, since)
        taken.begin(begun, roots)
        governing, counted_from, ends = governed(first, start, taken.ends)
        stays = governing.stays(roots)
        limit = limit_of(governing.setting(counted_from, roots, stays, ends.met), governing.duty.due)
        made = new(governing, opening, case.key(opening, begun_by), start, label=f"from {world.say(start)}")
        settle(governing, opening, made, limit, ends, stays, roots)
        if made.state == "overdue":
            _count_passed(world, made, limit, counted_from)
        yield made
        if ends.met is None or opening.void_why is not None:
            return
        start, begun_by, begun = ends.met.event.moment, ends.met.event.id, ends.met.event.key


class _Taken:
    """The events that meet, end, excuse and extend the intervals of one chain, by what each edition asks."""

    def __init__(self, opening: Opening) -> None:
        self.opening = opening
        self.begun: Key | None = None
        self.roots: Mapping[str, object] = {}
        self._found: dict[tuple[date | None, str], tuple[list[Fit], list[Key]]] = {}  # and the place of each

    def begin(self, begun: Key | None, roots: Mapping[str, object]) -> None:
        """Turns to the interval that a fulfilment began (None: the first), with what the names of the place stand for in it."""
        self.begun, self.roots = begun, roots

    def ends(self, case: Case) -> Ends:
        """Returns what ended the interval.

        Edge: what has ended the whole chain, or stands in its place, ends its open interval; nothing is met after it.
        """
        nearly: list[Fit] = []
        met = first_sure(self._after(case, "met_by", self.begun), nearly)
        closed = first_sure(self._after(case, "closes", None), [])
        newer = self.opening.superseded_by
        if met is not None and (closed is not None or newer is not None):
            ended = [event.key for event in (closed.event if closed is not None else None, newer) if event is not None]
            if min(ended) < met.event.key:
                met = None
        excused = sure(self._after(case, "excused_by", self.begun), nearly) if met is None else ()
        extended = (
            sure(self._after(case, "extended_by", self.begun), nearly, before=met) if case.duty.extended_by else ()
        )
        if met is not None:
            return Ends(met, extended=extended)
        return Ends(None, tuple(nearly), closed, excused, extended)

    def _after(self, case: Case, kind: str, begun: Key | None) -> Iterator[Fit]:
        patterns = getattr(case.duty, kind)
        if not patterns:
            return iter(())
        asked = (case.edition.since, kind)
        known = self._found.get(asked)
        if known is None:
            known = self._taken(case, kind)
            if not any(one.when is not None and "since" in one.when.source for one in patterns):
                self._found[asked] = known  # else each interval has its own answer
        found, keys = known
        first = 0 if begun is None else bisect_right(keys, begun)
        return (found[place] for place in range(first, len(found)))

    def _taken(self, case: Case, kind: str) -> tuple[list[Fit], list[Key]]:
        found = list(case.taken(kind, self.opening, self.roots))
        return found, [fit.event.key for fit in found]


def _count_passed(world: World, made: Obligation, limit: Limit, start: Moment) -> None:
    """Says how many intervals have passed since the last fulfilment, were the rhythm kept."""
    span = limit.recurs
    if span is None or made.due is None:
        return
    count = 0
    while count < 10_000:
        passed = shifted(world.calendar.add, start, Span(span.n * (count + 1), span.unit))
        if isinstance(passed, Unknown):
            break
        if world.as_of <= end_of(passed, world.zone):
            world.changes_at(end_of(passed, world.zone))
            break
        count += 1
    if count:
        made.count = count
        made.notes += (f"{count} {'interval has' if count == 1 else 'intervals have'} passed",)
