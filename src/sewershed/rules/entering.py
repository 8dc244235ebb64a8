"""What somebody enters, read by the types of the vocabulary: a typed value, or the reason why it is none.

Forms, files, the command and the cases of a book are all read here, and refused in the same words. The engine never sees a
value that was not: numbers are exact, days are days, instants are in UTC, references are things. What only a town's record
can say (whether a thing or a file is there) is noted for whoever keeps it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime
from decimal import Decimal
from types import MappingProxyType
from typing import Any
from zoneinfo import ZoneInfo

from sewershed.rules.moments import MomentError, day_of, is_after, is_instant, read_day, read_moment, say
from sewershed.rules.problems import did_you_mean
from sewershed.rules.record import Moment, Row
from sewershed.rules.types import Number, Thing, Type, Value
from sewershed.rules.vocabulary import EventType, Fact, OneOf, ThingType, Vocabulary

MOST_SHOWN = 60  # letters of a value that a message repeats
MOST_LISTED = 12  # names and words that a message lists
_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)\Z", re.ASCII)
_FILE = re.compile(r"[0-9a-f]{64}\Z")
_YES = {"true": True, "yes": True, "false": False, "no": False}
_SHAPES = {"Point": 0, "LineString": 1, "Polygon": 2, "MultiLineString": 2, "MultiPolygon": 3}
_PLACES = 7  # of a coordinate: about a centimeter


class EntryError(ValueError):
    """A row that is refused, with every reason."""

    def __init__(self, reasons: Sequence[str]) -> None:
        self.reasons = tuple(reasons)
        super().__init__("; ".join(reasons))


class Entering:
    """Reads what is entered under a vocabulary, and notes every problem.

    Args:
        vocabulary: with the derived facts of the town's line.
        zone: of the town, for local times.
        now: what has not happened by then is refused; without it nobody asks.
    """

    def __init__(self, vocabulary: Vocabulary, zone: ZoneInfo, now: datetime | None = None) -> None:
        self.vocabulary = vocabulary
        self.zone = zone
        self.now = now
        self.problems: list[str] = []
        self.refs: list[tuple[str, Thing]] = []  # each with where it stands: they must be in the record
        self.files: list[tuple[str, str]] = []  # hashes: they must be kept

    # ---------------------------------------------------------------- which kind

    def thing_type(self, name: str) -> ThingType | None:
        """Returns a type of thing that may be entered, or notes why not."""
        kind = self.vocabulary.things.get(name)
        if kind is None:
            self.problems.append(f"unknown thing '{name}'{did_you_mean(name, self.vocabulary.things)}")
        elif kind.retired:
            self.problems.append(f"{name} is no longer entered; its records can still be read")
            return None
        return kind

    def event_type(self, name: str, thing_type: str) -> EventType | None:
        """Returns an event that may be entered on a type of thing, or notes why not."""
        kind = self.vocabulary.events.get(name)
        if kind is None:
            self.problems.append(f"unknown event '{name}'{did_you_mean(name, self.vocabulary.events)}")
            return None
        if kind.retired:
            self.problems.append(f"{name} is no longer entered; its records can still be read")
            return None
        if kind.on and kind.on != thing_type:
            self.problems.append(f"{name} is about a {kind.on}, not a {thing_type}")
            return None
        return kind

    # ---------------------------------------------------------------- when

    def when(
        self, said: str | Moment | None, what: str, *, precision: str = "either", is_plan: bool = False
    ) -> Moment | None:
        """Returns when something was, or None where it was not said or notes why it cannot be.

        Edge: the present instant is not after now; a day that has begun in the town is not either. A plan (facts that will
        hold from a day) may lie ahead.

        Refuses: a time that is no time, a bare day where the time of day is needed, a time where only a day is entered,
        and what is after now. Each is noted as a problem.
        """
        if said is None or said == "":
            return None
        try:
            moment: Moment = said if isinstance(said, date) else read_moment(str(said), self.zone)
        except MomentError as error:
            self.problems.append(str(error))
            return None
        if precision == "instant" and not is_instant(moment):
            self.problems.append(f"{what} needs the time of day")
        if precision == "day" and is_instant(moment):
            self.problems.append(f"{what} takes only a day, such as {day_of(moment, self.zone).isoformat()}")
        if not is_plan:
            self._come(what, moment)
        return moment

    def _come(self, what: str, moment: Moment) -> None:
        """Notes what has not come yet."""
        if self.now is not None and is_after(moment, self.now, self.zone):
            self.problems.append(f"{what}: {say(moment, self.zone)} has not come yet; enter it when it has happened")

    # ---------------------------------------------------------------- what

    def data(
        self,
        owner: str,
        known: Mapping[str, Fact],
        said: Mapping[str, Any],
        beside: Mapping[str, Any] = MappingProxyType({}),
    ) -> dict[str, Value]:
        """Returns what was said, typed; None (asked and not known) stays. Each field that cannot be taken is noted.

        Args:
            owner: the thing or event that has the fields.
            known: the fields.
            said: as entered.
            beside: what the row says already, where this corrects it: one field may say which words another takes.
        """
        read: dict[str, Value] = {}
        for name, value in said.items():
            fact = known.get(name)
            if fact is None:
                self._no_field(owner, name, known)
            elif fact.derived:
                self.problems.append(f"{owner}.{name} follows from the record ({fact.derived}); it is not entered")
            elif fact.retired and value is not None:
                self.problems.append(f"{owner}.{name} is no longer entered; its records can still be read")
            else:
                read[name] = self._fact(f"{owner}.{name}", fact, value, {**beside, **said})
        self.in_order(owner, known, read)
        return read

    def _no_field(self, owner: str, name: str, known: Mapping[str, Fact]) -> None:
        """Notes a field that there is not: with the one that is meant, else with those there are."""
        there = [one.name for one in known.values() if not (one.retired or one.derived)]
        rest = " …" if len(there) > MOST_LISTED else ""
        listed = f"; it has {', '.join(there[:MOST_LISTED])}{rest}" if there else "; it has no fields"
        self.problems.append(f"{owner} has no '{name}'{did_you_mean(name, known) or listed}")

    def _fact(self, what: str, fact: Fact, value: Any, said: Mapping[str, Any]) -> Value:
        """Returns a typed value that keeps to the bounds of its field, or notes what is wrong with it."""
        read = self.value(what, fact.type, value)
        if isinstance(read, Decimal) and fact.least is not None and read < fact.least:
            self.problems.append(f"{what} is {_shown(value)}: write {fact.least} or more")
        if isinstance(read, Decimal) and fact.most is not None and read > fact.most:
            self.problems.append(f"{what} is {_shown(value)}: write {fact.most} or less")
        if isinstance(read, date) and fact.not_future:
            self._come(what, read)
        if fact.one_of is not None and isinstance(read, str) and read.strip():
            return self.chosen(what, fact.one_of, read, said)
        return read

    def chosen(self, what: str, one_of: OneOf, value: str, said: Mapping[str, Any]) -> str:
        """Returns a word that must be one of those which the record or the books hold; here nobody knows them."""
        return value

    def in_order(self, owner: str, known: Mapping[str, Fact], read: Mapping[str, Value]) -> None:
        """Notes a field that passes another which it may not pass. Edge: two that are equal are in order."""
        for name, fact in known.items():
            first, last = read.get(name), read.get(fact.not_after) if fact.not_after else None
            passes = isinstance(first, Decimal) and isinstance(last, Decimal) and first > last
            if isinstance(first, date) and isinstance(last, date):
                passes = is_after(first, last, self.zone)
            if passes:
                than = "after" if isinstance(first, date) else "more than"
                shown = [say(one, self.zone) if isinstance(one, date) else one for one in (first, last)]
                self.problems.append(f"{owner}.{name} is {shown[0]}, {than} {fact.not_after}, {shown[1]}")

    def value(self, what: str, kind: Type, value: Any) -> Value:
        """Returns a typed value, or notes what is wrong with it and returns None."""
        if value is None or (isinstance(value, str) and value.strip() == "" and kind.kind != "text"):
            return None
        before = len(self.problems)
        try:
            return self._value(what, kind, value)
        except MomentError as error:
            self.problems.append(f"{what}: {error}")
        except (ValueError, TypeError) as error:
            if len(self.problems) == before:
                self.problems.append(f"{what} is {_shown(value)}: {error}")
        return None

    def _value(self, what: str, kind: Type, value: Any) -> Value:
        match kind.kind:
            case "choice":
                if value not in kind.words:
                    raise ValueError(f"write one of {', '.join(kind.words)}{did_you_mean(str(value), kind.words)}")
                return str(value)
            case "moment" | "instant":
                return self._moment(kind, value)
            case "ref":
                thing = Thing(value.id if isinstance(value, Thing) else _text(value), kind.to)
                self.refs.append((what, thing))
                return thing
            case "file":
                if not (isinstance(value, str) and _FILE.match(value)):
                    raise ValueError("a file is named by its hash: attach it first")
                self.files.append((what, value))
                return value
            case "list":
                if not isinstance(value, list | tuple) or kind.item is None:
                    raise TypeError("a list is needed")
                return tuple(self._item(f"{what}[{n}]", kind.item, one) for n, one in enumerate(value))
            case "record":
                return self._record(what, kind, value)
        reader = _READERS.get(kind.kind)
        if reader is None:
            raise ValueError(f"nothing of type {kind.kind} is entered")
        return reader(value)

    def _item(self, what: str, kind: Type, value: Any) -> Value:
        if value is None or value == "":
            self.problems.append(f"{what} is empty: leave it out, or say what it is")
        return self.value(what, kind, value)

    def _moment(self, kind: Type, value: Any) -> Moment:
        moment = read_moment(value, self.zone) if isinstance(value, str) else value
        if not isinstance(moment, date):
            raise TypeError("write a day such as 2024-03-05, or a time such as 2024-03-05T10:00")
        if kind.kind == "instant" and not is_instant(moment):
            raise ValueError("the time of day is needed")
        return moment

    def _record(self, what: str, kind: Type, value: Any) -> Mapping[str, Value]:
        if not isinstance(value, Mapping):
            raise TypeError("fields are needed")
        fields = dict(kind.fields)
        for name in sorted(set(value) - set(fields)):
            self.problems.append(f"{what} has no '{name}'{did_you_mean(name, fields)}")
        return {name: self.value(f"{what}.{name}", fields[name], one) for name, one in value.items() if name in fields}

    def judged(self, owner: str, known: Mapping[str, Fact], said: Mapping[str, Any]) -> None:
        """Notes facts that a person decides: they are entered only by a decision."""
        for name, value in said.items():
            fact = known.get(name)
            if fact is not None and fact.judged_by and value is not None:
                self.problems.append(
                    f"{owner}.{name} is decided by {fact.judged_by}; record who decided it, when and why (decided)"
                )

    def required(self, owner: str, known: Mapping[str, Fact], said: Mapping[str, Any]) -> None:
        """Notes required fields that were not said; what was said and could not be taken is noted already."""
        for name, fact in known.items():
            if fact.required and not fact.retired and not str(_or_nothing(said.get(name))).strip():
                self.problems.append(f"{owner}.{name} is needed: {fact.means or 'it was left out'}")


# ------------------------------------------------------------------------------------------------ values by themselves


def _bool(value: Any) -> Value:
    if isinstance(value, str) and value.strip().lower() in _YES:
        return _YES[value.strip().lower()]
    if not isinstance(value, bool):
        raise TypeError("write yes or no")
    return value


def _number(value: Any) -> Number:
    """Returns an exact number with the digits that were entered."""
    if isinstance(value, float):
        raise TypeError("a number must come with the digits that were entered, not as a binary float")
    if isinstance(value, bool):
        raise TypeError("a number is needed")
    text = format(value, "f") if isinstance(value, Decimal) else str(value).strip()
    if not _NUMBER.match(text):
        raise ValueError("write a number with figures and a point, without commas or unit")
    return Decimal(text.removesuffix("."))


_MOST_MONEY = 10**15


def _money(value: Any) -> Value:
    number = Decimal(str(_number(value)))
    if abs(number) >= _MOST_MONEY:
        raise ValueError("that is more money than there is")
    if number != (rounded := round(number, 2)):
        raise ValueError("money has two places")
    return rounded


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError("a text is needed; put it in quotes")
    return value


def _day(value: Any) -> date:
    if isinstance(value, date) and not isinstance(value, datetime):
        return value
    if not isinstance(value, str):
        raise TypeError("write a day such as 2024-03-05")
    return read_day(value)


def _geometry(value: Any) -> Value:
    if not isinstance(value, Mapping) or value.get("type") not in _SHAPES or "coordinates" not in value:
        raise ValueError(f"a shape needs type, one of {', '.join(_SHAPES)}, and coordinates")
    return {
        "type": str(value["type"]),
        "coordinates": _coordinates(value["coordinates"], _SHAPES[str(value["type"])]),
    }


def _coordinates(value: Any, depth: int) -> tuple[Value, ...]:
    if not isinstance(value, list | tuple):
        raise TypeError("coordinates are lists of longitude and latitude")
    if depth:
        return tuple(_coordinates(one, depth - 1) for one in value)
    if len(value) != 2:
        raise ValueError("a position is longitude and latitude")
    east, north = (Decimal(str(_number(repr(one) if isinstance(one, float) else one))) for one in value)
    if abs(east) > 180 or abs(north) > 90:
        raise ValueError(f"{east}, {north} is not on the earth: longitude first, then latitude, in degrees")
    return tuple(round(one, _PLACES).normalize() + 0 for one in (east, north))


_READERS: Mapping[str, Callable[[Any], Value]] = {
    "bool": _bool, "number": _number, "money": _money, "text": _text, "date": _day, "geometry": _geometry,
}  # fmt: skip


def _or_nothing(value: Any) -> Any:
    return "" if value is None else value


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= MOST_SHOWN else f"{text[: MOST_SHOWN - 3]}…"


# ------------------------------------------------------------------------------------------------ whole rows


def decided_value(entering: Entering, thing_type: str, fact: str, value: Any) -> Value:
    """Returns what a person decided about a fact, typed as that fact; notes a fact that nobody decides."""
    owner, _, name = fact.rpartition(".")
    known = entering.vocabulary.to_decide(thing_type, fact)
    if known is None:
        owner = owner if owner in entering.vocabulary.events else thing_type
        why = f"{owner} has no '{name}'{did_you_mean(name, entering.vocabulary.things[thing_type].facts)}"
    elif not (known.judged_by or known.derived):
        owner = owner or thing_type
        why = f"{owner}.{name} is not decided by anybody; {'correct the row' if owner != thing_type else 'set it as a fact'}"
    else:
        return entering.value("decided.value", known.type, value)
    entering.problems.append(f"decided.value is {_shown(value)}: {why}")
    return None


def check_event(
    entering: Entering, thing_type: str, row: Row, said: Mapping[str, Any], when: Any, was: Row | None
) -> Row:
    """Returns a row of an event with its values typed.

    Args:
        entering: reads it.
        thing_type: of the thing it is about.
        row: the row without its data and moment.
        said: the data as entered.
        when: the moment as entered.
        was: the row that it replaces, if it is a correction.

    Raises:
        EntryError: with every reason why it is refused.
    """
    if was is not None and was.name != row.name:
        raise EntryError([f"a correction must stay a {was.name}; void it and enter a new event"])
    kind = entering.event_type(row.name, thing_type)
    if kind is None:
        raise EntryError(entering.problems)
    moment = entering.when(when, kind.name, precision=kind.precision)
    if when is None:
        entering.problems.append(f"{row.name} needs a day or a time")
    data = entering.data(row.name, kind.data, {name: one for name, one in said.items() if not _is_decided(row, name)})
    if row.name == "decided" and data.get("fact") and "value" in said:
        data["value"] = decided_value(entering, thing_type, str(data["fact"]), said["value"])
    return _row(entering, row, "event", moment, data)


def _is_decided(row: Row, name: str) -> bool:
    return row.name == "decided" and name == "value"


def check_facts(entering: Entering, thing_type: str, row: Row, said: Mapping[str, Any], when: Any) -> Row:
    """Returns a row of facts with its values typed; a judged fact is not entered so, but decided.

    Raises:
        EntryError: with every reason why it is refused.
    """
    thing = entering.thing_type(thing_type)
    if thing is None:
        raise EntryError(entering.problems)
    moment = entering.when(when, "the first day of facts", is_plan=True)
    entering.judged(thing_type, thing.facts, said)
    return _row(entering, row, "facts", moment, entering.data(thing_type, thing.facts, said))


def _row(entering: Entering, row: Row, kind: str, moment: Moment | None, data: Mapping[str, Value]) -> Row:
    if entering.problems:
        raise EntryError(entering.problems)
    return replace(row, kind=kind, name=row.name if kind == "event" else "", moment=moment, data=data)


__all__ = ["Entering", "EntryError", "check_event", "check_facts", "decided_value"]
