"""What changes from one law to another, in sentences: in the entries, and in what follows from the record."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from sewershed.ledger.law import Law


def entries(before: Law, after: Law) -> Iterator[str]:
    """Yields a sentence for each entry that is new, gone or other than it was."""
    yield from ()


def consequences(before: Law, after: Law, now: datetime) -> Iterator[str]:
    """Yields a sentence for each obligation and each finding that would change."""
    yield from ()
