"""The record as the engine reads it: rows as entered, and the events that are left of them.

Rows come from the log (or from a worked case). Nothing is edited: a correction is a row that replaces, a withdrawal a row
that voids.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from functools import cache
from operator import attrgetter
from typing import Protocol
from zoneinfo import ZoneInfo

from sewershed.rules.moments import day_of, start_of
from sewershed.rules.types import Thing, Value
from sewershed.rules.unknown import Unknown, Want

Moment = date | datetime  # a day, or an instant (aware, UTC)
Key = tuple[datetime, int, int]  # start of the moment; bare days first; position of the root row
END: Key = (datetime.max.replace(tzinfo=UTC), 2, 0)  # after everything
_NOTHING: Mapping[str, Value | Unknown] = {}
BY_KEY = attrgetter("key")


@dataclass(
    slots=True
)  # not frozen, though nothing sets a field: a town has hundreds of thousands, and that takes thrice as long
class Row:
    """One row of the log, as the engine sees it (docs/explanation/the-record.md)."""

    id: str
    kind: str  # "event", "facts" or "void"
    name: str  # the event's type; empty for the other two
    thing: str  # the id of the thing it is about
    moment: Moment | None = None  # None: facts that hold as long as the thing exists, or a void row
    data: Mapping[str, Value] = field(default_factory=dict)  # typed values; a None value: asked and not known
    position: int = 0
    recorded_at: datetime | None = None  # None: counts as always known
    by: str = ""
    office: str = ""
    contains: frozenset[str] = frozenset()
    replaces: str = ""
    voids: str = ""
    why: str = ""
    held: frozenset[str] | None = None  # the offices that `by` held that day; None: the one that the row names


class Records(Protocol):
    """What the engine is handed: the things of a town and the rows about them."""

    def type_of(self, thing: str) -> str | None:
        """Returns the type of a thing, or None where there is no such thing."""

    def rows_of(self, thing: str) -> Sequence[Row]:
        """Returns every row about a thing, in order of position; with it, all rows of a chain that any of them is part of."""

    def pointing_at(self, thing: str, type: str, fact: str) -> Sequence[str]:
        """Returns the ids of the things of a type that have ever had a fact pointing at this thing."""

    def things(self, type: str = "") -> Iterable[str]:
        """Returns the ids of all things, or of those of a type."""

    def town(self) -> str | None:
        """Returns the id of the town itself, or None where the record has none."""


@dataclass(slots=True)
class Chain:
    """A row and everything that later rows did to it: corrected, withdrawn, entered again."""

    root: Row
    last: Row  # the row that holds
    withdrawn: Row | None = None  # the void row, where the chain ends in one

    def event(self, zone: ZoneInfo, moment: Moment | None = None) -> Event:
        """Returns the event that the chain now tells of, at its own moment or at the one that a rule makes it bear."""
        at = self.last.moment if moment is None else moment
        assert at is not None  # every event has a day; rows without one are refused
        return Event(self.root, self.last, at, zone)


def chains(rows: Iterable[Row], known_at: datetime | None = None) -> list[Chain]:
    """Returns the chains of rows, each with the row that holds, in order of their roots.

    Args:
        rows: in any order; they are taken by position.
        known_at: leaves out what was recorded later. A row without ``recorded_at`` counts as always known.

    Edge: a row recorded at that very instant was known.
    """
    by_row: dict[str, Chain] = {}
    found: list[Chain] = []
    for row in sorted(rows, key=lambda row: row.position):
        if known_at is not None and row.recorded_at is not None and row.recorded_at > known_at:
            continue
        if row.kind == "void":
            if chain := by_row.get(row.voids):
                chain.withdrawn = row
                by_row[row.id] = chain
            continue
        chain = by_row.get(row.replaces) if row.replaces else None
        if chain is None:
            chain = Chain(row, row)
            found.append(chain)
        else:
            chain.last, chain.withdrawn = row, None
        by_row[row.id] = chain
    return found


class Event:
    """One thing that happened, as the record now has it: the last row of its chain, under the id of the first."""

    __slots__ = (
        "by", "contains", "data", "day", "held", "id", "judged", "key", "moment", "name", "office", "row", "said_office",
        "start", "thing", "undated",
    )  # fmt: skip

    def __init__(self, root: Row, row: Row, moment: Moment, zone: ZoneInfo) -> None:
        self.id = root.id
        self.row = row.id
        self.name = row.name
        self.thing = row.thing
        self.data = row.data
        self.by = row.by
        self.said_office = row.office
        self.held = row.held
        self.office = row.office if row.held is None or row.office in row.held else ""  # one not held is none
        self.judged: Mapping[str, Value | Unknown] = _NOTHING  # decided later of what it leaves to a person
        self.contains = row.contains
        self.moment = moment
        self.undated: tuple[Want, ...] = ()  # what is wanting to tell which day a rule makes it bear
        if isinstance(moment, datetime):
            self.day = day_of(moment, zone)
            self.start = moment
            self.key: Key = (moment, 1, root.position)
        else:
            self.day = moment
            self.start = start_of(moment, zone)
            self.key = (self.start, 0, root.position)

    @property
    def is_timed(self) -> bool:
        """Tells whether the time of day is known."""
        return self.key[1] == 1

    def may_judge(self, judges: str) -> bool:
        """Tells whether who did it may decide what the law leaves to some offices: they held one of them that day.

        Edge: where an office is named that they did not hold, nothing is decided.

        Args:
            judges: the offices, as the vocabulary or the book names them: "orc", "town, state or EPA".
        """
        if self.said_office != self.office:
            return False
        held = self.held if self.held is not None else frozenset((self.office,))
        return not held.isdisjoint(offices_in(judges))

    def want_of_office(self, office: str) -> Want:
        """Returns the want of an act in an office that nobody is known to have held: the one it names, else this one."""
        what = self.said_office if self.said_office != self.office else office
        return Want("office", what, thing=self.thing, who=self.by, event=self.id, day=self.day)

    @property
    def at(self) -> datetime | Unknown:
        """Returns the instant, or an unknown that wants the time of day."""
        if isinstance(self.moment, datetime):
            return self.moment
        return Unknown((Want("time_of_day", self.name, thing=self.thing, event=self.id, day=self.day),))

    def __repr__(self) -> str:
        return f"<{self.name} {self.id} {self.moment}>"


@cache
def offices_in(judges: str) -> frozenset[str]:
    """Returns the offices that a text names.

    Example:
        >>> sorted(offices_in("town, state or EPA")), sorted(offices_in("orc"))
        (['EPA', 'state', 'town'], ['orc'])
    """
    return frozenset(judges.replace(" or ", ",").replace(" ", "").split(","))


class RecordsInMemory:
    """Records held in memory, for worked cases and for questions put to a few things.

    Args:
        types: the type of each thing, by its id.
        rows: all rows, in any order.
        town: the id of the town itself, if it is among the things.
    """

    def __init__(self, types: Mapping[str, str], rows: Iterable[Row], town: str | None = None) -> None:
        self._types = dict(types)
        self._town = town
        self._rows: dict[str, list[Row]] = {}
        self._pointing: dict[tuple[str, str, str], list[str]] = {}
        ordered = sorted(rows, key=lambda row: row.position)
        by_id = {row.id: row for row in ordered}
        chain_of = {row.id: _root(row, by_id) for row in ordered}
        touched: dict[str, set[str]] = {}  # the things each chain is about
        for row in ordered:
            touched.setdefault(chain_of[row.id], set()).add(row.thing)
        for row in ordered:
            for thing in touched[chain_of[row.id]]:
                self._rows.setdefault(thing, []).append(row)
            if row.kind == "facts":
                for name, value in row.data.items():
                    if isinstance(value, Thing):
                        found = self._pointing.setdefault((value.id, self._types.get(row.thing, ""), name), [])
                        if row.thing not in found:
                            found.append(row.thing)

    def type_of(self, thing: str) -> str | None:
        """Returns the type of a thing, or None where there is no such thing."""
        return self._types.get(thing)

    def rows_of(self, thing: str) -> Sequence[Row]:
        """Returns every row about a thing, with the whole of its chains."""
        return self._rows.get(thing, ())

    def pointing_at(self, thing: str, type: str, fact: str) -> Sequence[str]:
        """Returns the things of a type that have ever had a fact pointing at this thing."""
        return self._pointing.get((thing, type, fact), ())

    def things(self, type: str = "") -> Iterable[str]:
        """Returns the ids of all things, or of those of a type."""
        return [thing for thing, kind in self._types.items() if not type or kind == type]

    def town(self) -> str | None:
        """Returns the id of the town itself."""
        return self._town


def _root(row: Row, by_id: Mapping[str, Row]) -> str:
    seen = row
    while (earlier := by_id.get(seen.replaces or seen.voids)) is not None and earlier.position < seen.position:
        seen = earlier
    return seen.id
