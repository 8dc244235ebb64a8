"""Looking at another day: which instant a page is asked about, and whether with what is known now or was known then.

A page says it in its address (`?day=2023-06-30&time=23:59&known=then`), so that a view can be kept and passed on.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

from sewershed.ledger.moments import clock_words, day_words, instant_of
from sewershed.rules.moments import MomentError

LAST_MINUTE = "23:59"


@dataclass(frozen=True, slots=True)
class Looking:
    """Where a page looks: at now, or at another instant as it is known now or was known then."""

    now: datetime
    zone: ZoneInfo
    as_of: datetime | None = None
    is_as_known_then: bool = False
    problem: str = ""

    @property
    def is_elsewhere(self) -> bool:
        """Tells whether another instant than now is asked about: then nothing can be recorded."""
        return self.as_of is not None

    @property
    def instant(self) -> datetime:
        """Returns the instant asked about."""
        return self.as_of or self.now

    @property
    def known_at(self) -> datetime | None:
        """Returns the instant up to which the record is read, or None for all of it."""
        return self.as_of if self.is_as_known_then else None

    @property
    def words(self) -> str:
        """Returns the instant in words.

        Example:
            >>> from datetime import UTC
            >>> Looking(datetime(2023, 10, 17, 15, 20, tzinfo=UTC), ZoneInfo("America/New_York")).words
            'Tue Oct 17, 2023, 11:20 am'
        """
        local = self.instant.astimezone(self.zone)
        return f"{day_words(local.date())}, {clock_words(local.replace(second=0), self.zone)}"

    @property
    def day(self) -> str:
        """Returns the day asked about, as a form has it."""
        return f"{self.instant.astimezone(self.zone):%Y-%m-%d}"

    @property
    def time(self) -> str:
        """Returns the time of day asked about, as a form has it."""
        return f"{self.instant.astimezone(self.zone):%H:%M}"

    @property
    def query(self) -> str:
        """Returns what an address ends with so that the next page looks at the same instant; nothing for now."""
        if not self.is_elsewhere:
            return ""
        return "?" + urlencode(
            {"day": self.day, "time": self.time, "known": "then" if self.is_as_known_then else "now"}
        )


def looking(asked: Mapping[str, str], now: datetime, zone: ZoneInfo) -> Looking:
    """Returns where a page looks, from its address.

    Edge: without a time the last minute of the day is asked about. A time that a clock change skips or repeats is a problem
    to be shown, and the page then looks at now.
    """
    day = asked.get("day", "").strip()
    if not day:
        return Looking(now, zone)
    try:
        as_of = instant_of(f"{day} {asked.get('time', '').strip() or LAST_MINUTE}", zone)
    except MomentError as error:
        return Looking(now, zone, problem=str(error))
    return Looking(now, zone, as_of, asked.get("known") == "then")
