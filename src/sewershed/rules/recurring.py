"""Recurring duties: a chain of intervals, each from the last fulfilment (RULEBOOK.md 7.3, ``every ... from last_met``).

Interval n starts with the trigger (n = 0) or with the last fulfilment; exactly one item is open, and an overdue one says how
many intervals have passed. A late entry splits or joins intervals, because all is worked out anew.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from sewershed.rules.clocks import Limit, limit_of
from sewershed.rules.entries import Duty, Edition
from sewershed.rules.findings import Obligation
from sewershed.rules.moments import day_of, end_of
from sewershed.rules.openings import Case, Opening
from sewershed.rules.patterns import Fit
from sewershed.rules.record import Moment
from sewershed.rules.settling import Ends, amended, first_sure, new, settle
from sewershed.rules.spans import Span

if TYPE_CHECKING:
    from sewershed.rules.world import World


def intervals(case: Case, opening: Opening) -> Iterator[Obligation]:
    """Returns the intervals of a chain in order, the last one open unless the chain was closed."""
    world = case.world
    roots = case.roots(opening, day_of(opening.start, world.zone))
    met = case.taken("met_by", opening, roots)
    sure = [fit for fit in met if not fit.wants]
    nearly = tuple(fit for fit in met if fit.wants)
    closed = first_sure(case.taken("closes", opening, roots))
    excuses = [fit for fit in case.taken("excused_by", opening, roots) if not fit.wants]
    extensions = [fit for fit in case.taken("extended_by", opening, roots) if not fit.wants]
    stop = closed.event.key if closed is not None else None
    start, begun_by = opening.start, ""
    number = 0
    while True:
        fit = sure[number] if number < len(sure) else None
        if fit is not None and (stop is not None and stop < fit.event.key):
            fit = None
        if not world.is_in_force(case.entry, day_of(start, world.zone)):
            return
        governing = _governing(case, start)
        roots = case.roots(opening, day_of(start, world.zone))
        stays = case.stays(roots)
        limit = limit_of(governing.setting(start, roots, stays, fit), governing.duty.due)
        until = fit.event.key if fit is not None else None
        ends = Ends(
            met=fit,
            nearly=nearly if fit is None else (),
            closed=closed if fit is None else None,
            excused=_last_within(excuses, start, until, case.world),
            extended=_last_within(extensions, start, until, case.world),
        )
        governing, limit = amended(governing, start, ends, limit, roots, stays)
        made = new(governing, opening, case.key(opening, begun_by), start, label=f"from {world.say(start)}")
        plain = opening if fit is None or opening.superseded_by is None else replace(opening, superseded_by=None)
        settle(governing, plain, made, limit, ends, stays, roots)
        if made.state == "overdue":
            _count_passed(world, made, limit, start)
        yield made
        if fit is None or opening.void_why is not None:
            return
        start, begun_by = fit.event.moment, fit.event.id
        number += 1


def _last_within(found: list[Fit], start: Moment, until: object, world: World) -> Fit | None:
    """Returns the last event that falls into an interval."""
    first = end_of(start, world.zone) if found else None
    within = [
        fit
        for fit in found
        if (until is None or fit.event.key < until)  # type: ignore[operator]  # both are keys
        and (first is None or fit.event.day >= day_of(start, world.zone))
    ]
    return within[-1] if within else None


def _governing(case: Case, start: Moment) -> Case:
    """Returns the case under the edition of the interval's first day; one still open may fall under a later one (9.4)."""
    day = day_of(start, case.world.zone)
    if case.edition.is_on(day):
        return case
    edition: Edition | None = case.entry.edition_on(day)
    duty = edition.readings.get(case.reading) if edition is not None else None
    if edition is None or not isinstance(duty, Duty):
        return case
    return replace(case, edition=edition, duty=duty)


def _count_passed(world: World, made: Obligation, limit: Limit, start: Moment) -> None:
    """Says how many intervals have passed since the last fulfilment, were the rhythm kept."""
    span = limit.recurs
    if span is None or made.due is None:
        return
    count = 0
    while count < 10_000:
        passed = world.calendar.add(start, Span(span.n * (count + 1), span.unit))
        if world.as_of <= end_of(passed, world.zone):
            world.changes_at(end_of(passed, world.zone))
            break
        count += 1
    if count:
        made.count = count
        made.notes += (f"{count} {'interval has' if count == 1 else 'intervals have'} passed",)
