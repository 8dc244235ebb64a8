"""What somebody enters, read by the types of the vocabulary: a typed value, or the reason why it is none.

The engine never sees a value that was not read here: numbers are exact, days are days, instants are in UTC, references are
things.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from decimal import Decimal, InvalidOperation
from typing import Any
from zoneinfo import ZoneInfo

from sewershed.rules.moments import MomentError, is_instant, read_day, read_moment
from sewershed.rules.problems import did_you_mean
from sewershed.rules.record import Moment, Row
from sewershed.rules.types import Thing, Type, Value
from sewershed.rules.vocabulary import EventType, Fact, Vocabulary


class EntryError(ValueError):
    """A row that is refused, with every reason."""

    def __init__(self, reasons: Sequence[str]) -> None:
        self.reasons = tuple(reasons)
        super().__init__("; ".join(reasons))


def read_value(kind: Type, value: Any, zone: ZoneInfo) -> Value:
    """Returns a value typed as the vocabulary says.

    Args:
        kind: the declared type.
        value: as a form, a file or the log has it: text, number, true or false, a list, a mapping.
        zone: of the town, for local times.

    Raises:
        ValueError: with a sentence, when it is no value of that type.
    """
    reader = _READERS.get(kind.kind)
    if reader is None:
        raise ValueError(f"nothing of type {kind.kind} is entered")
    return reader(kind, value, zone)


def _bool(_: Type, value: Any, __: ZoneInfo) -> Value:
    if value is True or value is False:
        return bool(value)
    raise ValueError("write true or false")


def _choice(kind: Type, value: Any, _: ZoneInfo) -> Value:
    if value not in kind.words:
        raise ValueError(f"write one of {', '.join(kind.words)}{did_you_mean(str(value), kind.words)}")
    return str(value)


def _moment(kind: Type, value: Any, zone: ZoneInfo) -> Value:
    moment = value if isinstance(value, date) else read_moment(str(value), zone)
    if kind.kind == "instant" and not is_instant(moment):
        raise ValueError("the time of day is needed")
    return moment


def _list(kind: Type, value: Any, zone: ZoneInfo) -> Value:
    if isinstance(value, (list, tuple)) and kind.item is not None:
        return tuple(read_value(kind.item, one, zone) for one in value)
    raise ValueError("a list is needed")


def _record(kind: Type, value: Any, zone: ZoneInfo) -> Value:
    fields = dict(kind.fields)
    unknown = [name for name in value if name not in fields] if isinstance(value, Mapping) else ["?"]
    if unknown:
        raise ValueError(f"there is no '{unknown[0]}'{did_you_mean(str(unknown[0]), fields)}")
    return {name: None if one is None else read_value(fields[name], one, zone) for name, one in value.items()}


def _number(_: Type, value: Any, __: ZoneInfo) -> Value:
    if isinstance(value, (int, Decimal)) and not isinstance(value, bool):
        return value
    try:
        number = Decimal(value) if isinstance(value, str) else Decimal("NaN")
    except InvalidOperation:
        number = Decimal("NaN")
    if not number.is_finite():
        raise ValueError("write a number with its digits, e.g. 12.5")
    return int(number) if number == number.to_integral_value() and "." not in value else number


_READERS: Mapping[str, Callable[[Type, Any, ZoneInfo], Value]] = {
    "bool": _bool,
    "number": _number,
    "money": _number,
    "text": lambda _, value, __: str(value),
    "file": lambda _, value, __: str(value),
    "choice": _choice,
    "date": lambda _, value, __: value if type(value) is date else read_day(str(value)),
    "instant": _moment,
    "moment": _moment,
    "ref": lambda kind, value, _: value if isinstance(value, Thing) else Thing(str(value), kind.to),
    "list": _list,
    "record": _record,
    "geometry": lambda _, value, __: value,  # conditions cannot name it; the ledger checks its shape
}


def read_fields(
    owner: str, known: Mapping[str, Fact], said: Mapping[str, Any], zone: ZoneInfo, reasons: list[str]
) -> dict[str, Value]:
    """Returns what was said, typed; ``None`` (asked and not known) stays. Each field that cannot be taken is a reason."""
    read: dict[str, Value] = {}
    for name, value in said.items():
        fact = known.get(name)
        if fact is None:
            reasons.append(f"{owner} has no '{name}'{did_you_mean(name, known)}")
        elif fact.derived:
            reasons.append(f"{owner}.{name} follows from the record ({fact.derived}); it is not entered")
        elif value is None:
            read[name] = None
        else:
            try:
                read[name] = read_value(fact.type, value, zone)
            except (ValueError, MomentError) as error:
                reasons.append(f"{owner}.{name} is {value!r}: {error}")
    return read


def read_when(text: Any, kind: EventType | None, zone: ZoneInfo, reasons: list[str]) -> Moment | None:
    """Returns when something was, or None with the reason: no moment, or no time of day where one is needed."""
    if text is None:
        return None
    try:
        moment: Moment = text if isinstance(text, date) else read_moment(str(text), zone)
    except MomentError as error:
        reasons.append(str(error))
        return None
    if kind is not None and kind.precision == "instant" and not is_instant(moment):
        reasons.append(f"{kind.name} needs the time of day")
    if kind is not None and kind.precision == "day" and is_instant(moment):
        reasons.append(f"{kind.name} takes only a day, such as {moment.astimezone(zone).date().isoformat()}")
    return moment


def decided_value(vocabulary: Vocabulary, thing_type: str, fact: str, value: Any, zone: ZoneInfo) -> Value:
    """Returns what a person decided about a fact, typed as that fact.

    Raises:
        ValueError: when a thing of that type has no such fact, nobody judges it, or the value is none of its type.
    """
    name = fact.rpartition(".")[2]
    known = vocabulary.things[thing_type].facts
    if name not in known:
        raise ValueError(f"{thing_type} has no '{name}'{did_you_mean(name, known)}")
    if not (known[name].judged_by or known[name].derived):
        raise ValueError(f"{thing_type}.{name} is not decided by anybody; set it as a fact")
    return read_value(known[name].type, value, zone)


def check_event(
    vocabulary: Vocabulary,
    zone: ZoneInfo,
    thing_type: str,
    row: Row,
    said: Mapping[str, Any],
    when: Any,
    was: Row | None,
) -> Row:
    """Returns a row of an event with its values typed.

    Args:
        vocabulary: with the derived facts of the town's line.
        zone: of the town.
        thing_type: of the thing it is about.
        row: the row without its data and moment.
        said: the data as entered.
        when: the moment as entered.
        was: the row that it replaces, if it is a correction.

    Raises:
        EntryError: with every reason why it is refused.
    """
    reasons: list[str] = []
    kind = vocabulary.events.get(row.name)
    if kind is None:
        raise EntryError([f"unknown event '{row.name}'{did_you_mean(row.name, vocabulary.events)}"])
    if kind.on and kind.on != thing_type:
        reasons.append(f"{row.name} is about a {kind.on}, not a {thing_type}")
    if was is not None and was.name != row.name:
        reasons.append(f"a correction must stay a {was.name}; void it and enter a new event")
        raise EntryError(reasons)
    moment = read_when(when, kind, zone, reasons)
    if when is None:
        reasons.append(f"{row.name} needs a day or a time")
    data = read_fields(row.name, kind.data, said, zone, reasons)
    if row.name == "decided" and data.get("fact") and "value" in said:
        try:
            data["value"] = decided_value(vocabulary, thing_type, str(data["fact"]), said["value"], zone)
        except ValueError as error:
            reasons.append(f"decided.value is {said['value']!r}: {error}")
    if reasons:
        raise EntryError(reasons)
    return Row(
        row.id, "event", row.name, row.thing, moment, data, row.position, row.recorded_at, row.by, row.office,
        row.contains, row.replaces, row.voids, row.why,
    )  # fmt: skip


def check_facts(
    vocabulary: Vocabulary, zone: ZoneInfo, thing_type: str, row: Row, said: Mapping[str, Any], when: Any
) -> Row:
    """Returns a row of facts with its values typed; a judged fact is not entered so, but decided.

    Raises:
        EntryError: with every reason why it is refused.
    """
    reasons: list[str] = []
    thing = vocabulary.things.get(thing_type)
    if thing is None:
        raise EntryError([f"unknown thing '{thing_type}'{did_you_mean(thing_type, vocabulary.things)}"])
    moment = read_when(when, None, zone, reasons)
    data = read_fields(thing_type, thing.facts, said, zone, reasons)
    for name in data:
        judged_by = thing.facts[name].judged_by
        if judged_by and data[name] is not None:
            reasons.append(
                f"{thing_type}.{name} is decided by {judged_by}; record who decided it, when and why (decided)"
            )
    if reasons:
        raise EntryError(reasons)
    return Row(
        row.id, "facts", "", row.thing, moment, data, row.position, row.recorded_at, row.by, row.office,
        row.contains, row.replaces, row.voids, row.why,
    )  # fmt: skip
