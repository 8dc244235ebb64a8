"""What has happened at a spill, as its pages need it: the last row of a kind, and what it says in words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from sewershed.ledger.projections import moment_of
from sewershed.ledger.shown import RowShown
from sewershed.ledger.wording import Words
from sewershed.rules.moments import day_of, is_instant
from sewershed.rules.record import Moment

FOUND_OTHERWISE = ("found_to_be_none", "found_private", "found_not_ours")  # it is no spill of the town's
MOST_SAID = 120


@dataclass(frozen=True, slots=True)
class History:
    """The rows of a spill that stand, in order of time."""

    rows: tuple[RowShown, ...]
    words: Words

    @classmethod
    def of(cls, thing: str, rows: Iterable[RowShown], words: Words) -> History:
        """Returns the history that rows of the record make: what stands, happened and is about the spill, in order of time."""
        about = (one for one in rows if one.thing == thing and one.kind == "event" and one.stands == "stands")
        known = [one for one in about if moment_of(one.at) is not None]
        return cls(tuple(sorted(known, key=lambda one: (*_order(one, words), one.position))), words)

    def all(self, *names: str) -> Sequence[RowShown]:
        """Returns the rows of the named events."""
        return [one for one in self.rows if one.name in names]

    def first(self, *names: str) -> RowShown | None:
        """Returns the first row of the named events, or None."""
        return next(iter(self.all(*names)), None)

    def last(self, *names: str, when: Callable[[RowShown], bool] = lambda _: True) -> RowShown | None:
        """Returns the last row of the named events that fits, or None."""
        return next((one for one in reversed(self.rows) if one.name in names and when(one)), None)

    def root(self, id: str) -> RowShown | None:
        """Returns the row that others refer to by an id, or None."""
        return next((one for one in self.rows if one.root == id), None)

    def last_said(self, name: str, *events: str) -> Any:
        """Returns what the last of some events says that says something of a field, or None."""
        found = self.last(*events, when=lambda one: one.data.get(name) is not None)
        return found.data[name] if found else None

    def said(self, row: RowShown | None, name: str) -> str:
        """Returns what a row says of a field, in words; nothing where it says nothing."""
        value = row.data.get(name) if row else None
        if row is None or value is None:
            return ""
        event = self.words.vocabulary.events[row.name]
        known = event.data.get(name)
        return self.words.value(value, known.type if known else None)

    def at(self, row: RowShown) -> Moment:
        """Returns when a row happened."""
        found = moment_of(row.at)
        assert found is not None
        return found

    def when(self, row: RowShown) -> str:
        """Returns when a row happened, in words."""
        return self.words.moment(self.at(row))

    @property
    def outcome(self) -> RowShown | None:
        """Returns the finding that it is no spill of the town's, where that is the last word on it."""
        last = self.last("spill_confirmed", *FOUND_OTHERWISE)
        return last if last is not None and last.name in FOUND_OTHERWISE else None

    @property
    def started(self) -> Moment | None:
        """Returns when it started, as last estimated."""
        return moment_of(self.last_said("started_at", "start_estimated"))

    @property
    def stopped(self) -> Moment | None:
        """Returns when it stopped, as said or when that was recorded; None while it runs."""
        row = self.last("spill_stopped")
        return None if row is None else moment_of(row.data.get("stopped_at")) or self.at(row)


def _order(row: RowShown, words: Words) -> tuple[date, str]:
    moment = moment_of(row.at)
    assert moment is not None
    return day_of(moment, words.zone), moment.isoformat() if is_instant(moment) else ""


def shortened(text: str) -> str:
    """Returns a text as a line has room for it.

    Example:
        >>> shortened("grease")
        'grease'
    """
    return text if len(text) <= MOST_SAID else f"{text[: MOST_SAID - 1]}…"
