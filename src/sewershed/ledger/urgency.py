"""The to-do list of a large town, a part at a time, in the order of the engine's own list (docs/explanation/rulebook.md 14).

The list has one line a duty and subject, and a line stands where its most urgent obligation stands. So the stored
obligations are read in order of urgency, each kind from an index, until there are lines enough; then everything open about
those is fetched, and the engine makes its lines of it.
"""

from __future__ import annotations

import heapq
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, NamedTuple

from django.db.models import Count, Q, QuerySet, TextField
from django.db.models.functions import Cast

from sewershed.ledger import log as logbook
from sewershed.ledger.models import Obligation
from sewershed.rules.todo import leader
from sewershed.rules.world import World

OPEN_STATES = ("open", "waiting", "cannot_tell", "stayed", "excused")
_NEVER = datetime.max.replace(tzinfo=UTC)
_RUN = 500
_Place = tuple[datetime, int, str, str]  # the date, where the rule stands in the law, the rule, the thing
Group = tuple[str, str]  # the leading rule, and the thing


class Owed(NamedTuple):
    """A stored obligation as a list reads it: its columns alone, since a page of a large town reads thousands."""

    key: str
    rule: str
    thing: str
    program: str
    office: str
    person: str
    state: str
    due_by: datetime | None
    missed_from: datetime | None
    is_at_once: bool
    opened_by: str
    met_by: str
    asks: str
    doubts: str
    readings: str
    notes: str
    more: str

    @classmethod
    def of(cls, stored: QuerySet[Obligation]) -> Iterator[Owed]:
        """Yields stored obligations, in the order in which they are asked for."""
        return map(cls._make, stored.values_list(*cls._fields))


@dataclass(frozen=True, slots=True)
class Narrowed:
    """Of which stored obligations a list is made; what is empty, or None, leaves none out."""

    programs: frozenset[str] | None = None
    rule: str = ""
    person: str = ""  # those that the thing names for it, or that fall to an office that the person holds
    offices: frozenset[str] = frozenset()  # that the person holds

    def stored(self, *, is_all: bool = False) -> QuerySet[Obligation]:
        """Returns the open ones of the whole town; with `is_all` also what is over."""
        found = Obligation.objects.all() if is_all else Obligation.objects.filter(state__in=OPEN_STATES)
        found = found if self.programs is None else found.filter(program__in=self.programs)
        found = found.filter(rule=self.rule) if self.rule else found
        if self.person:
            found = found.filter(Q(person=self.person) | Q(person="", office__in=self.offices))
        return found

    def has(self, one: Owed) -> bool:
        """Tells whether one is among them."""
        is_meant = one.person == self.person or (not one.person and one.office in self.offices)
        return (
            (self.programs is None or one.program in self.programs)
            and self.rule in ("", one.rule)
            and (not self.person or is_meant)
        )

    def about(self, things: Collection[str], *, is_all: bool = False) -> Iterator[Owed]:
        """Yields those about some things, for each in order of their keys; with `is_all` also what is over."""
        for chunk in logbook.chunks(list(things)):
            found = Obligation.objects.filter(thing__in=chunk)
            if not is_all:
                # Left to itself, SQLite looks for the states first: it takes a state for as rare as a thing.
                found = found.alias(its_state=Cast("state", TextField())).filter(its_state__in=OPEN_STATES)
            yield from (one for one in Owed.of(found.order_by("key")) if self.has(one))


def most_urgent(world: World, narrowed: Narrowed, upto: int) -> list[Owed]:
    """Returns everything open that stands behind the first lines of a list.

    Args:
        world: knows the law and the instant.
        narrowed: what the list is made of.
        upto: how many lines.
    """
    groups: dict[Group, None] = {}
    for rule, thing in _in_order(world, narrowed.stored(is_all=True)):
        group = (leader(world, rule), thing)
        if group not in groups and len(groups) == upto:
            break
        groups[group] = None
    rows = narrowed.about({thing for _, thing in groups})
    return [one for one in rows if (leader(world, one.rule), one.thing) in groups]


def count_lines(world: World, narrowed: Narrowed) -> int:
    """Returns how many lines a list has.

    The duties on the things of its programs are named instead of the programs: then an index alone answers.
    """
    known = world.vocabulary.things
    rules = {
        entry.id
        for kind, entries in world.law.duties_on.items()
        for entry in entries
        if narrowed.programs is None or (kind in known and known[kind].program in narrowed.programs)
    }
    open_ = replace(narrowed, programs=None).stored().filter(rule__in=rules).order_by()
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
