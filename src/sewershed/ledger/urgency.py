"""The to-do list of a large town, a part at a time, in the order of the engine's own list (docs/explanation/rulebook.md 14).

The list has one line a duty and subject, and a line stands where its most urgent obligation stands. So the stored
obligations are read in order of urgency, each kind from an index, until there are lines enough; then everything open about
those is fetched, and the engine makes its lines of it.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from django.db.models import Count, QuerySet

from sewershed.ledger import log as logbook
from sewershed.ledger.models import Obligation
from sewershed.rules.todo import leader
from sewershed.rules.world import World

OPEN_STATES = ("open", "waiting", "cannot_tell", "stayed", "excused")
_NEVER = datetime.max.replace(tzinfo=UTC)
_RUN = 500
_Place = tuple[datetime, int, str, str]  # the date, how local the rule is, the rule, the thing
Group = tuple[str, str]  # the leading rule, and the thing


def most_urgent(world: World, stored: QuerySet[Obligation], upto: int) -> list[Obligation]:
    """Returns everything open that stands behind the first lines of a list.

    Args:
        world: knows the law and the instant.
        stored: what the list is made of.
        upto: how many lines.
    """
    groups: dict[Group, None] = {}
    for rule, thing in _in_order(world, stored.filter(state__in=OPEN_STATES)):
        group = (leader(world, rule), thing)
        if group not in groups and len(groups) == upto:
            break
        groups[group] = None
    found = []
    for chunk in logbook.chunks(list({thing for _, thing in groups})):
        rows = stored.filter(state__in=OPEN_STATES, thing__in=chunk).order_by("key")
        found += [one for one in rows if (leader(world, one.rule), one.thing) in groups]
    return found


def count_lines(world: World, stored: QuerySet[Obligation]) -> int:
    """Returns how many lines a list has."""
    open_ = stored.filter(state__in=OPEN_STATES).order_by()
    by_leader: dict[str, dict[str, int]] = {}
    for rule, things in open_.values_list("rule").annotate(Count("thing", distinct=True)):
        by_leader.setdefault(leader(world, rule), {})[rule] = things
    count = 0
    for merged in by_leader.values():
        if len(merged) == 1:
            count += sum(merged.values())
        else:  # a thing that owes several of them is one line
            count += open_.filter(rule__in=merged).values("thing").distinct().count()
    return count


def _in_order(world: World, stored: QuerySet[Obligation]) -> Iterator[Group]:
    """Yields rule and thing of each obligation, most urgent first, as the engine's list ranks them."""
    now = world.as_of
    is_open, cannot_tell = stored.filter(state="open"), stored.filter(state="cannot_tell")
    undated = is_open.filter(due_by=None)
    yield from _drawn(_dated(is_open.filter(due_by__lt=now)))
    yield from _drawn(
        heapq.merge(
            _dated(is_open.filter(due_by__gte=now)),
            _dated(cannot_tell.exclude(due_by=None)),
            _at(now, undated.filter(is_at_once=True)),
            _at(_NEVER, undated.filter(is_at_once=False)),
        )
    )
    yield from _drawn(_at(_NEVER, cannot_tell.filter(due_by=None)))
    for state in ("waiting", "stayed", "excused"):
        one = stored.filter(state=state)
        yield from _drawn(heapq.merge(_dated(one.exclude(due_by=None)), _at(_NEVER, one.filter(due_by=None))))


def _drawn(places: Iterator[_Place]) -> Iterator[Group]:
    return ((rule, thing) for _, _, rule, thing in places)


def _dated(stored: QuerySet[Obligation]) -> Iterator[_Place]:
    """Yields the places of obligations with a date, in order; read in runs, since mostly only the first are wanted."""
    yield from _runs(
        stored.order_by("due_by", "locality", "rule", "thing").values_list("due_by", "locality", "rule", "thing")
    )


def _at(instant: datetime, stored: QuerySet[Obligation]) -> Iterator[_Place]:
    for locality, rule, thing in _runs(
        stored.order_by("locality", "rule", "thing").values_list("locality", "rule", "thing")
    ):
        yield instant, locality, rule, thing


def _runs(rows: QuerySet[Obligation, Any]) -> Iterator[Any]:
    start = 0
    while found := list(rows[start : start + _RUN]):
        yield from found
        if len(found) < _RUN:
            return
        start += _RUN
