"""What a worked case gives: its things and rows, checked against the vocabulary and handed to the engine as its record.

A case says in TOML what a town's log would hold. Values are read by the types of the vocabulary, and a row that the form
would refuse is refused here in the same words (RULEBOOK.md 10, events entered).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

from sewershed.rules.history import DECIDED
from sewershed.rules.moments import end_of, is_instant, read_moment
from sewershed.rules.problems import did_you_mean
from sewershed.rules.record import Moment, Row
from sewershed.rules.types import Thing, Type, Value
from sewershed.rules.vocabulary import EventType, Fact, Vocabulary

TOWN = "town"
_ROW_KEYS = (
    "id", "event", "facts", "voids", "subject", "at", "day", "data", "not_known", "by", "role", "contains",
    "recorded_at", "replaces", "why",
)  # fmt: skip


class GivenError(ValueError):
    """A row or a fact of a case that cannot be taken, with the reason in a sentence."""


def instant_asked(text: str, zone: ZoneInfo) -> datetime:
    """Returns the instant that ``as_of`` or ``known_at`` names. Edge: a bare day is its last second."""
    return end_of(read_moment(text, zone), zone)


class Given:
    """The record of a case, held in memory. It answers what `sewershed.rules.record.Records` asks."""

    def __init__(self, vocabulary: Vocabulary, zone: ZoneInfo) -> None:
        self.vocabulary = vocabulary
        self.zone = zone
        self.kinds: dict[str, str] = {}  # the type of each thing, by its id
        self.rows: dict[str, Row] = {}  # by id, in the order in which they were entered
        self.roots: dict[str, str] = {}  # the first row of each row's chain

    def type_of(self, thing: str) -> str | None:
        """Returns the type of a thing, or None where the case has no such thing."""
        return self.kinds.get(thing)

    def rows_of(self, thing: str) -> Sequence[Row]:
        """Returns every row about a thing, and all rows of each chain that one of them belongs to."""
        chains = {self.roots[row.id] for row in self.rows.values() if row.thing == thing}
        return [row for row in self.rows.values() if self.roots[row.id] in chains]

    def pointing_at(self, thing: str, type: str, fact: str) -> Sequence[str]:
        """Returns the ids of the things of a type that have ever had a fact pointing at this thing."""
        facts = [row for row in self.rows.values() if row.kind == "facts" and _points(row.data.get(fact), thing)]
        return list(dict.fromkeys(row.thing for row in facts if self.kinds[row.thing] == type))

    def things(self, type: str = "") -> Sequence[str]:
        """Returns the ids of all things, or of those of a type."""
        return [thing for thing, kind in self.kinds.items() if type in ("", kind)]

    def town(self) -> str | None:
        """Returns the id of the thing that is the town itself, or None where the case has none."""
        return next(iter(self.things(TOWN)), None)

    # ---------------------------------------------------------------- taking in

    def take(self, facts: Mapping[str, Mapping[str, Any]], events: Sequence[Mapping[str, Any]]) -> None:
        """Takes everything a case gives: things with their facts, then rows in the order in which they were entered.

        Raises:
            GivenError: for the first thing or row that a form would refuse.
            MomentError: for a time that is none, or not one.
        """
        for thing, said in facts.items():
            kind = said.get("_type")
            if kind not in self.vocabulary.things:
                raise GivenError(f"{thing}: unknown thing '{kind}'{did_you_mean(str(kind), self.vocabulary.things)}")
            self.kinds[thing] = str(kind)
        for thing, said in facts.items():
            for day, data in _by_day({name: value for name, value in said.items() if name != "_type"}):
                since = f" from {day}" if day else ""
                self._take_facts({"id": f"facts of {thing}{since}", "subject": thing}, day, data)
        for said in events:
            self._take_row(said)

    def _take_row(self, said: Mapping[str, Any]) -> None:
        row = str(said.get("id", ""))
        for key in said:
            if key not in _ROW_KEYS:
                raise GivenError(f"{row}: unknown key '{key}'{did_you_mean(key, _ROW_KEYS)}")
        if not row:
            raise GivenError("a row needs an id")
        if row in self.rows:
            raise GivenError(f"{row}: id used twice")
        subject = str(said.get("subject", ""))
        if subject not in self.kinds:
            raise GivenError(f"{row}: no thing '{subject}' in facts{did_you_mean(subject, self.kinds)}")
        for key in ("replaces", "voids"):
            if key in said and said[key] not in self.rows:
                raise GivenError(
                    f"{row}: {key}: no row '{said[key]}' before it{did_you_mean(str(said[key]), self.rows)}"
                )
        if "voids" in said:
            self._add(said, "void", "", None, {})
        elif "facts" in said:
            nulls = dict.fromkeys(said.get("not_known", ()))
            self._take_facts(said, said.get("day"), {**said["facts"], **nulls})
        elif "event" in said:
            self._take_event(said)
        else:
            raise GivenError(f"{row}: a row needs event, facts or voids")

    def _take_facts(self, said: Mapping[str, Any], day: str | None, data: Mapping[str, Any]) -> None:
        kind = self.kinds[said["subject"]]
        known = self.vocabulary.things[kind].facts
        for name in data:
            fact = known.get(name)
            if fact is not None and fact.derived:
                raise GivenError(
                    f"{said['id']}: {kind}.{name} follows from the record ({fact.derived}); it is not entered"
                )
            if fact is not None and fact.judged_by:
                raise GivenError(
                    f"{said['id']}: {kind}.{name} is decided by {fact.judged_by}; "
                    "enter it by the event decided (fact, value, because)"
                )
        moment = None if day is None else read_moment(str(day), self.zone)
        self._add(said, "facts", "", moment, self._data(str(said["id"]), kind, known, data))

    def _take_event(self, said: Mapping[str, Any]) -> None:
        row, name, thing = str(said["id"]), str(said["event"]), str(said["subject"])
        corrected = self.rows.get(str(said.get("replaces", "")))
        if corrected is not None and corrected.name != name:
            raise GivenError(f"{row}: a correction must stay a {corrected.name}; void it and enter a new event")
        kind = self.vocabulary.events.get(name)
        if kind is None:
            raise GivenError(f"{row}: unknown event '{name}'{did_you_mean(name, self.vocabulary.events)}")
        if kind.on and kind.on != self.kinds[thing]:
            raise GivenError(f"{row}: {name} is about a {kind.on}, not a {self.kinds[thing]}")
        if "at" not in said:
            raise GivenError(f"{row}: {name} needs at = a day or a time")
        moment = read_moment(str(said["at"]), self.zone)
        if kind.precision == "instant" and not is_instant(moment):
            raise GivenError(f"{row}: {name} needs the time of day")
        if kind.precision == "day" and is_instant(moment):
            raise GivenError(f"{row}: {name} takes only a day")
        data = dict(said.get("data", {}))
        decided = self._decided(row, kind, thing, data)
        self._add(said, "event", name, moment, {**self._data(row, name, kind.data, data), **decided})

    def _decided(self, row: str, event: EventType, thing: str, data: dict[str, Any]) -> dict[str, Value]:
        """Returns the value that a decision gives, read by the type of the fact it decides; it is taken out of the data."""
        if event.name != DECIDED or "fact" not in data or "value" not in data:
            return {}
        kind, name = self.kinds[thing], str(data["fact"])
        known = self.vocabulary.things[kind].facts
        if name not in known:
            raise GivenError(f"{row}: {kind} has no '{name}'{did_you_mean(name, known)}")
        return {"value": self._value(f"{row}: value of {kind}.{name}", known[name].type, data.pop("value"))}

    def _add(
        self, said: Mapping[str, Any], kind: str, name: str, moment: Moment | None, data: Mapping[str, Value]
    ) -> None:
        row = str(said["id"])
        before, voids = str(said.get("replaces", "")), str(said.get("voids", ""))
        recorded = said.get("recorded_at")
        self.roots[row] = self.roots.get(before or voids, row)
        self.rows[row] = Row(
            id=row,
            kind=kind,
            name=name,
            thing=str(said["subject"]),
            moment=moment,
            data=data,
            position=len(self.rows) + 1,
            recorded_at=None if recorded is None else instant_asked(str(recorded), self.zone),
            by=str(said.get("by", "")),
            office=str(said.get("role", "")),
            contains=frozenset(str(key) for key in said.get("contains", ())),
            replaces=before,
            voids=voids,
            why=str(said.get("why", "")),
        )

    # ---------------------------------------------------------------- values

    def data(self, event: str, said: Mapping[str, Any]) -> dict[str, Value]:
        """Returns the data of an act that is asked about ahead, typed.

        Raises:
            GivenError: for a datum that the event does not have, or a value of another type.
        """
        kind = self.vocabulary.events.get(event)
        if kind is None:
            raise GivenError(f"unknown event '{event}'{did_you_mean(event, self.vocabulary.events)}")
        return self._data("may", event, kind.data, said)

    def _data(self, row: str, owner: str, known: Mapping[str, Fact], said: Mapping[str, Any]) -> dict[str, Value]:
        found: dict[str, Value] = {}
        for name, value in said.items():
            if name not in known:
                raise GivenError(f"{row}: {owner} has no '{name}'{did_you_mean(name, known)}")
            found[name] = None if value is None else self._value(f"{row}: {owner}.{name}", known[name].type, value)
        return found

    def _value(self, what: str, kind: Type, value: Any) -> Value:
        match kind.kind:
            case "bool" if isinstance(value, bool):
                return value
            case "number" | "money" if isinstance(value, int | Decimal) and not isinstance(value, bool):
                return value
            case "text" | "file" if isinstance(value, str):
                return value
            case "choice" if isinstance(value, str) and value in kind.words:
                return str(value)
            case "date" | "instant" | "moment" if isinstance(value, str | date):
                moment = read_moment(str(value), self.zone)
                if kind.kind == "moment" or is_instant(moment) == (kind.kind == "instant"):
                    return moment
            case "ref" if isinstance(value, str) and self.kinds.get(value) == kind.to:
                return Thing(value, kind.to)
            case "list" if isinstance(value, list) and kind.item is not None:
                item = kind.item
                return tuple(self._value(what, item, one) for one in value)
            case "record" if isinstance(value, Mapping):
                fields = dict(kind.fields)
                for name in value:
                    if name not in fields:
                        raise GivenError(f"{what} has no '{name}'{did_you_mean(name, fields)}")
                return {name: self._value(f"{what}.{name}", fields[name], one) for name, one in value.items()}
        raise GivenError(f"{what} is {value!r}, {kind} is needed")


def _points(value: Value, thing: str) -> bool:
    if isinstance(value, Thing):
        return value.id == thing
    return isinstance(value, tuple) and any(_points(item, thing) for item in value)


def _by_day(said: Mapping[str, Any]) -> Iterator[tuple[str | None, dict[str, Any]]]:
    """Yields the facts of a thing by the day from which they hold: first what always holds, then each day of a history."""
    yield None, {name: value for name, value in said.items() if not _is_history(value)}
    days: dict[str, dict[str, Any]] = {}
    for name, value in said.items():
        if _is_history(value):
            for day, one in value:
                days.setdefault(str(day), {})[name] = one
    yield from sorted(days.items())


def _is_history(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(one, list) and len(one) == 2 for one in value)
