"""What still stands of the rows: chains of corrections, and the facts of a thing on a day (docs/explanation/rulebook.md 11.1, docs/explanation/the-record.md).

The ledger needs this to correct, to compare an import with what is known, and to name a thing. What follows from the
record in law is the engine's to say.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db import connection

from sewershed.ledger import canonical
from sewershed.ledger import log as logbook
from sewershed.ledger.clock import current_town
from sewershed.ledger.errors import NotFound
from sewershed.ledger.models import Moved
from sewershed.ledger.reading import KEPT_APART


@dataclass(frozen=True, slots=True)
class Chain:
    """A row and all that corrected, withdrew or restored it, in order of position."""

    rows: tuple[logbook.Row, ...]

    @property
    def root(self) -> logbook.Row:
        """Returns the first row: its id is what others refer to."""
        return self.rows[0]

    @property
    def is_void(self) -> bool:
        """Tells whether it is withdrawn."""
        return self.rows[-1].kind == "void"

    @property
    def content(self) -> logbook.Row:
        """Returns the latest row that says something; where the chain is void, what it said before."""
        if self.rows[-1].kind != "void":
            return self.rows[-1]
        return next(row for row in reversed(self.rows) if row.kind != "void")


def chain_of(row_id: str) -> Chain:
    """Returns the chain to which a row belongs; any id of the chain may be named.

    Raises:
        NotFound: where there is no such row.
    """
    found = logbook.select_list("id = %s", [row_id])
    if not found:
        raise NotFound(f"there is no row {row_id} in the log")
    root = found[0]
    while root.replaces or root.voids:
        root = logbook.select_list("id = %s", [root.replaces or root.voids])[0]
    rows, names = [root], [root.id]
    while names:
        later = logbook.following(names)
        rows += later
        names = [row.id for row in later]
    return Chain(tuple(sorted(rows, key=lambda row: row.position)))


def chains(rows: Iterable[logbook.Row]) -> list[Chain]:
    """Returns the chains of rows that are given in order of position, in the order of their roots."""
    root_of: dict[str, str] = {}
    found: dict[str, list[logbook.Row]] = {}
    for row in rows:
        before = row.replaces or row.voids
        root = root_of.get(before, row.id) if before else row.id
        root_of[row.id] = root
        found.setdefault(root, []).append(row)
    return [Chain(tuple(chain)) for chain in found.values()]


def rows_about(thing: str) -> list[logbook.Row]:
    """Returns the rows of every chain in which a thing was ever named, in order of position."""
    return logbook.select_list(
        "thing = %s OR id IN (SELECT moved.row FROM moved WHERE moved.thing = %s)", [thing, thing]
    )


def last_position(thing: str) -> int:
    """Returns where in the log the last row about a thing stands, of those that `rows_about` returns; 0 where there is none."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT max(position) FROM log WHERE thing = %s OR id IN (SELECT moved.row FROM moved WHERE moved.thing = %s)",
            [thing, thing],
        )
        return int(cursor.fetchone()[0] or 0)


def rows_about_many(things: Sequence[str]) -> dict[str, list[logbook.Row]]:
    """Returns, for each of many things, what `rows_about` returns."""
    found: dict[str, list[logbook.Row]] = {thing: [] for thing in things}
    for chunk in logbook.chunks(things):
        places = ", ".join(["%s"] * len(chunk))
        for row in logbook.select_list(f"thing IN ({places})", chunk):
            found[row.thing].append(row)
        moved = list(Moved.objects.filter(thing__in=chunk).values_list("thing", "row"))
        rows = logbook.rows_named({row for _, row in moved})
        for thing, row_id in moved:
            found[thing].append(rows[row_id])
        for thing in {thing for thing, _ in moved}:
            found[thing].sort()
    return found


def standing_about(thing: str, rows: Sequence[logbook.Row] | None = None) -> list[Chain]:
    """Returns the chains that stand and are about a thing, in order of their roots."""
    found = chains(rows_about(thing) if rows is None else rows)
    return [chain for chain in found if not chain.is_void and chain.content.thing == thing]


def facts_on(thing: str, day: date | None, standing: Sequence[Chain] | None = None) -> dict[str, Any]:
    """Returns the recorded facts of a thing on a day, as the log writes them; without a day, the latest of each.

    Edge: a facts row counts from its day; without a day it counts always. Same day: the later root wins.
    """
    known = standing_about(thing) if standing is None else standing
    dated = []
    for chain in known:
        row = chain.content
        if row.kind == "facts":
            from_day = day_of(row)
            if day is None or from_day is None or from_day <= day:
                dated.append((from_day or date.min, chain.root.position, row))
    facts: dict[str, Any] = {}
    for _, _, row in sorted(dated, key=lambda item: item[:2]):
        facts |= {name: value for name, value in canonical.read(row.data).items() if not name.startswith(KEPT_APART)}
    return facts


def day_of(row: logbook.Row) -> date | None:
    """Returns the day of a row in the town's zone, or None where it has no time."""
    if row.day:
        return date.fromisoformat(row.day)
    if row.at:
        return canonical.read_instant(row.at).astimezone(current_town().zone).date()
    return None
