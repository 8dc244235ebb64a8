"""The writer's clock: which instant is now.

A town runs on the real clock, which nobody can give. An example town runs on a clock shifted by an amount fixed when it
was made, and alone accepts another now.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, date, datetime

from sewershed.ledger.errors import Refused, TownError
from sewershed.ledger.town import Town

_given: ContextVar[datetime | None] = ContextVar("given_now", default=None)


def current_town() -> Town:
    """Returns the town that this process serves."""
    from django.conf import settings  # settings are made from the town: not at import time

    town: Town | None = settings.TOWN
    if town is None:
        raise TownError("no town is open: name its folder, or set SEWERSHED_TOWN to it")
    return town


def now() -> datetime:
    """Returns the present instant, UTC, to the second; in an example town, of its own clock."""
    given = _given.get()
    if given is not None:
        return given
    return (datetime.now(UTC) + current_town().clock_shift).replace(microsecond=0)


def today() -> date:
    """Returns the present day of the town."""
    return now().astimezone(current_town().zone).date()


@contextmanager
def at(instant: datetime) -> Iterator[None]:
    """Makes another instant now, in an example town.

    Refuses: in a town that is not an example, since the record says when each row was really written; an instant
    without a zone.

    Raises:
        Refused: in either case.
    """
    town = current_town()
    if not town.is_example:
        raise Refused(f"{town.name} is not an example town: its record keeps the real time. Leave out --now.")
    if instant.tzinfo is None:
        raise Refused(f"{instant.isoformat()} has no zone; give the offset, such as {instant.isoformat()}-05:00")
    mark = _given.set(instant.astimezone(UTC).replace(microsecond=0))
    try:
        yield
    finally:
        _given.reset(mark)
