"""The record as the engine reads it: rows as entered, and the events that are left of them.

Rows come from the log (or from a worked case). Nothing is edited: a correction is a row that replaces, a withdrawal a row
that voids.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Protocol

from sewershed.rules.types import Value

Moment = date | datetime  # a day, or an instant (aware, UTC)


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the log, as the engine sees it (DESIGN.md 4.1)."""

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


class Records(Protocol):
    """What the engine is handed: the things of a town and the rows about them."""

    def type_of(self, thing: str) -> str | None:
        """Returns the type of a thing, or None where there is no such thing."""

    def rows_of(self, thing: str) -> Sequence[Row]:
        """Returns every row about a thing, in order of position."""

    def pointing_at(self, thing: str, type: str, fact: str) -> Sequence[str]:
        """Returns the ids of the things of a type that have ever had a fact pointing at this thing."""

    def town(self) -> str | None:
        """Returns the id of the town itself, or None where the record has none."""
