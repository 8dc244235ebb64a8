"""Walks the chain of the log and says which row is wrong.

Law: nothing; it is what makes the record a witness. A row changed behind our back no longer fits its own hash; a row
taken out leaves a hole; rows cut off at the end are found by a head written down elsewhere (on a paper, in a backup).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from sewershed.ledger import log as logbook
from sewershed.ledger.errors import LedgerError
from sewershed.ledger.log import BEGINNING, Head
from sewershed.ledger.reading import where

MANY = 20  # so many faults are named; a log with more is broken from the first of them on


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the walk found: the end of the log, and what is wrong."""

    head: Head
    faults: tuple[str, ...] = field(default=())

    @property
    def is_sound(self) -> bool:
        """Tells whether nothing is wrong."""
        return not self.faults


def verify(stated: Head | None = None, progress: Callable[[int], None] | None = None) -> Verdict:
    """Walks the whole log and returns what is wrong with it.

    Edge: an empty log is sound. A stated head at an earlier position is fine as long as the row there has that hash.

    Args:
        stated: a head written down elsewhere, to find rows cut off at the end.
        progress: told the position every thousand rows.
    """
    faults: list[str] = []
    position, digest = 0, BEGINNING
    is_stated_seen = stated is None or stated.position == 0
    for row in logbook.select():
        if row.position != position + 1:
            gone = (
                f"row {position + 1}" if row.position == position + 2 else f"rows {position + 1} to {row.position - 1}"
            )
            faults.append(f"{gone} of the log: taken out; the next is {where_of(row)}")
        elif logbook.hash_of(row[:-1], digest) != row.hash:
            faults.append(f"{where_of(row)}: it, or its hash, was changed after it was written")
        position, digest = row.position, row.hash
        if stated is not None and position == stated.position:
            is_stated_seen = True
            if not digest.startswith(stated.hash):
                faults.append(
                    f"row {position} of the log: its hash is {digest[:20]}…, but {stated.short} was written down: "
                    "the log is not the one that the paper or the backup came from, or was rewritten up to here"
                )
        if progress is not None and position % 1000 == 0:
            progress(position)
        if len(faults) >= MANY:
            faults.append("and perhaps more: the walk ends here")
            break
    if not is_stated_seen and stated is not None and len(faults) < MANY:
        faults.append(
            f"the log ends at row {position}, but row {stated.position} was written down: "
            f"{stated.position - position} rows were cut off at the end. Restore a backup made since."
        )
    return Verdict(Head(position, digest), tuple(faults))


def where_of(row: logbook.Row) -> str:
    """Returns the words that name a row, whatever was done to it."""
    try:
        return where(row)
    except (LedgerError, KeyError, ValueError):
        return f"row {row.position} ({row.id})"
