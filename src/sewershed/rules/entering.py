"""What somebody enters, read by the types of the vocabulary: a typed value, or the reason why it is none.

The engine never sees a value that was not read here: numbers are exact, days are days, instants are in UTC, references are
things.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime
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
    match kind.kind:
        case "bool":
            if not isinstance(value, bool):
                raise ValueError("write true or false")
            return value
        case "number" | "money":
            return _number(value)
        case "text" | "file":
            return str(value)
        case "choice":
            if value not in kind.words:
                raise ValueError(f"write one of {', '.join(kind.words)}{did_you_mean(str(value), kind.words)}")
            return str(value)
        case "date":
            return value if isinstance(value, date) and not isinstance(value, datetime) else read_day(str(value))
        case "instant" | "moment":
            moment = value if isinstance(value, date) else read_moment(str(value), zone)
            if kind.kind == "instant" and not is_instant(moment):
                raise ValueError("the time of day is needed")
            return moment
        case "ref":
            return value if isinstance(value, Thing) else Thing(str(value), kind.to)
        case "list":
            if not isinstance(value, (list, tuple)) or kind.item is None:
                raise ValueError("a list is needed")
            return tuple(read_value(kind.item, one, zone) for one in value)
        case "record":
            if not isinstance(value, Mapping):
                raise ValueError("fields are needed")
            fields = dict(kind.fields)
            for name in value:
                if name not in fields:
                    raise ValueError(f"there is no '{name}'{did_you_mean(name, fields)}")
            return {name: read_value(fields[name], one, zone) for name, one in value.items()}
        case "geometry":
            return value  # type: ignore[no-any-return]  # conditions cannot name it; the ledger checks its shape
    raise ValueError(f"nothing of type {kind.kind} is entered")


def _number(value: Any) -> int | Decimal:
    if isinstance(value, bool) or isinstance(value, float):
        raise ValueError("write a number with its digits, e.g. 12.5")
    if isinstance(value, (int, Decimal)):
        return value
    try:
        number = Decimal(str(value))
    except InvalidOperation:
        raise ValueError("write a number with its digits, e.g. 12.5") from None
    if not number.is_finite():
        raise ValueError("write a number with its digits, e.g. 12.5")
    return int(number) if number == number.to_integral_value() and "." not in str(value) else number


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
        ValueError: when a thing of that type has no such fact, or the value is none of its type.
    """
    name = fact.rpartition(".")[2]
    known = vocabulary.things[thing_type].facts
    if name not in known:
        raise ValueError(f"{thing_type} has no '{name}'{did_you_mean(name, known)}")
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
