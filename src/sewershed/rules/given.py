"""What a worked case gives: its things and rows, checked as they are when entered, and handed to the engine as its record.

A case says in TOML what a town's log would hold. Values are read by the types of the vocabulary, and a row that would be
refused when somebody enters it is refused here in the same words (docs/explanation/rulebook.md 18, events entered).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from sewershed.rules.entering import Entering, EntryError, check_event, check_facts
from sewershed.rules.moments import end_of, read_moment
from sewershed.rules.problems import did_you_mean
from sewershed.rules.record import Row
from sewershed.rules.types import Thing, Value
from sewershed.rules.vocabulary import Vocabulary

TOWN = "town"
_ROW_KEYS = (
    "id", "event", "facts", "voids", "subject", "at", "day", "data", "not_known", "by", "role", "contains",
    "recorded_at", "replaces", "why",
)  # fmt: skip


class GivenError(ValueError):
    """A thing or a row of a case that is refused, with the reason in a sentence."""


def instant_asked(text: str, zone: ZoneInfo) -> datetime:
    """Returns the instant that ``as_of`` or ``known_at`` names. Edge: a bare day is its last second.

    Example:
        >>> instant_asked("2024-03-05", ZoneInfo("America/New_York")).isoformat()
        '2024-03-06T04:59:59+00:00'
    """
    return end_of(read_moment(text, zone), zone)


class Given:
    """The record of a case, held in memory. It answers what `sewershed.rules.record.Records` asks."""

    def __init__(self, vocabulary: Vocabulary, zone: ZoneInfo) -> None:
        self.vocabulary = vocabulary
        self.zone = zone
        self.kinds: dict[str, str] = {}  # the type of each thing, by its id
        self.rows: dict[str, Row] = {}  # by id, in the order in which they were entered
        self.roots: dict[str, str] = {}  # the first row of each row's chain

    # ---------------------------------------------------------------- what the engine asks

    def type_of(self, thing: str) -> str | None:
        """Returns the type of a thing, or None where the case has no such thing."""
        return self.kinds.get(thing)

    def rows_of(self, thing: str) -> Sequence[Row]:
        """Returns every row about a thing, and all rows of each chain that one of them belongs to."""
        chains = {self.roots[row.id] for row in self.rows.values() if row.thing == thing}
        return [row for row in self.rows.values() if self.roots[row.id] in chains]

    def pointing_at(self, thing: str, type: str, fact: str) -> Sequence[str]:
        """Returns the ids of the things of a type that have ever had a fact pointing at this thing."""
        pointing = [
            row.thing for row in self.rows.values() if Thing(thing, self.kinds[thing]) in _refs(row.data.get(fact))
        ]
        return [one for one in dict.fromkeys(pointing) if self.kinds[one] == type]

    def things(self, type: str = "") -> Sequence[str]:
        """Returns the ids of all things, or of those of a type."""
        return [thing for thing, kind in self.kinds.items() if type in ("", kind)]

    def town(self) -> str | None:
        """Returns the id of the thing that is the town itself, or None where the case has none."""
        return next(iter(self.things(TOWN)), None)

    # ---------------------------------------------------------------- what the case says

    def take(self, facts: Mapping[str, Mapping[str, Any]], events: Sequence[Mapping[str, Any]]) -> None:
        """Takes everything a case gives: things with their facts, then rows in the order in which they were entered.

        Raises:
            GivenError: for the first thing or row that is refused.
        """
        for thing, said in facts.items():
            kind = str(said.get("_type", ""))
            if kind not in self.vocabulary.things:
                raise GivenError(f"{thing}: unknown thing '{kind}'{did_you_mean(kind, self.vocabulary.things)}")
            self.kinds[thing] = kind
        for thing, said in facts.items():
            for day, data in _by_day({name: value for name, value in said.items() if name != "_type"}):
                row = f"facts of {thing}" + (f" from {day}" if day else "")
                self._take_row({"id": row, "subject": thing, "facts": data} | ({"day": day} if day else {}))
        for said in events:
            self._take_row(said)

    def data(self, event: str, said: Mapping[str, Any]) -> dict[str, Value]:
        """Returns the data of an act that is asked about ahead, typed.

        Raises:
            GivenError: for an unknown event or datum, or a value of another type.
        """
        kind = self.vocabulary.events.get(event)
        if kind is None:
            raise GivenError(f"unknown event '{event}'{did_you_mean(event, self.vocabulary.events)}")
        entering = Entering(self.vocabulary, self.zone)
        data = entering.data(event, kind.data, said)
        if entering.problems:
            raise GivenError("; ".join(entering.problems))
        return data

    def _take_row(self, said: Mapping[str, Any]) -> None:
        row = str(said.get("id", ""))
        try:
            taken = self._read(row, said)
        except ValueError as error:
            raise GivenError(f"{row}: {error}") from None
        for ref in (ref for value in taken.data.values() for ref in _refs(value)):
            if self.kinds.get(ref.id) != ref.type:
                raise GivenError(
                    f"{row}: no {ref.type} '{ref.id}' in facts{did_you_mean(ref.id, self.things(ref.type))}"
                )
        self.roots[row] = self.roots.get(taken.replaces or taken.voids, row)
        self.rows[row] = taken

    def _read(self, row: str, said: Mapping[str, Any]) -> Row:
        """Returns a row with its values typed.

        Raises:
            ValueError: with the reasons why it is refused.
        """
        for key in said:
            if key not in _ROW_KEYS:
                raise EntryError([f"unknown key '{key}'{did_you_mean(key, _ROW_KEYS)}"])
        if not row or row in self.rows:
            raise EntryError(["id used twice" if row else "a row needs an id"])
        subject = str(said.get("subject", ""))
        if subject not in self.kinds:
            raise EntryError([f"no thing '{subject}' in facts{did_you_mean(subject, self.kinds)}"])
        for key in ("replaces", "voids"):
            if key in said and said[key] not in self.rows:
                raise EntryError([f"{key}: no row '{said[key]}' before it{did_you_mean(str(said[key]), self.rows)}"])
        bare = Row(
            id=row,
            kind="void",
            name=str(said.get("event", "")),
            thing=subject,
            position=len(self.rows) + 1,
            recorded_at=instant_asked(str(said["recorded_at"]), self.zone) if "recorded_at" in said else None,
            by=str(said.get("by", "")),
            office=str(said.get("role", "")),
            contains=frozenset(str(key) for key in said.get("contains", ())),
            replaces=str(said.get("replaces", "")),
            voids=str(said.get("voids", "")),
            why=str(said.get("why", "")),
        )
        kind, entering = self.kinds[subject], Entering(self.vocabulary, self.zone)
        if "voids" in said:
            return bare
        if "facts" in said:
            data = {**said["facts"], **dict.fromkeys(said.get("not_known", ()))}
            return check_facts(entering, kind, bare, data, said.get("day"))
        if "event" in said:
            was = self.rows.get(bare.replaces)
            return check_event(entering, kind, bare, said.get("data", {}), said.get("at"), was)
        raise EntryError(["a row needs event, facts or voids"])


def _refs(value: Value) -> list[Thing]:
    """Returns the things that a value points to."""
    if isinstance(value, Thing):
        return [value]
    if isinstance(value, Mapping):
        value = tuple(value.values())
    return [ref for item in value for ref in _refs(item)] if isinstance(value, tuple) else []


def _by_day(said: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yields the facts of a thing by the day from which they hold: first what always holds, then each day of a history."""
    yield "", {name: value for name, value in said.items() if not _is_history(value)}
    days: dict[str, dict[str, Any]] = {}
    for name, value in said.items():
        if _is_history(value):
            for day, one in value:
                days.setdefault(str(day), {})[name] = one
    yield from sorted(days.items())


def _is_history(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(one, list) and len(one) == 2 for one in value)
