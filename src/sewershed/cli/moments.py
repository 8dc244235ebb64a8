"""Moments as they are typed behind an option; in which words they are shown stands in the ledger."""

from __future__ import annotations

import re
from datetime import datetime
from typing import TYPE_CHECKING

from sewershed.cli.failing import Failure
from sewershed.ledger.moments import clock_text, instant_of, iso_text

if TYPE_CHECKING:
    from sewershed.cli.towns import Here

WAYS = '2024-03-08, "2024-03-08 15:40", 15:40 or "3:40 pm" of today, now or today'


def typed(here: Here, text: str, precision: str = "either") -> str:
    """Returns a moment as the ledger reads it; `now`, `today` and a time of day alone are of the present day.

    Edge: what is known by its day alone happens `now` on the present day.

    Refuses: what is neither a day nor a time, naming every way to write one.
    """
    said = text.strip()
    if said == "today" or (said == "now" and precision == "day"):
        return here.today.isoformat()
    if said == "now":
        return here.now.astimezone(here.zone).isoformat(timespec="minutes")  # a person's now has no seconds
    made = f"{here.today}T{clock}" if (clock := clock_text(said)) else iso_text(said)
    if not re.match(r"\d{4}-\d\d-\d\d(T\d\d:\d\d|\Z)", made):
        raise Failure(f"{text!r} is no time; write {WAYS}")
    return made


def typed_instant(here: Here, text: str) -> datetime:
    """Returns the instant that is asked about. Edge: a bare day is asked about at its last second."""
    return here.now if text.strip() == "now" else instant_of(typed(here, text), here.zone)
