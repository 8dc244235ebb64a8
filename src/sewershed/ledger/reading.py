"""Rows of the log as the engine reads them: the texts of the table become values of the types that the vocabulary gives.

A name that the vocabulary has since given up is read under the name that took its place (`was`). What cannot be read is
named with its position, never passed over.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date
from decimal import Decimal, InvalidOperation
from functools import partial
from typing import Any

from sewershed.ledger import canonical
from sewershed.ledger import log as logbook
from sewershed.ledger.errors import Unreadable
from sewershed.rules.record import Moment
from sewershed.rules.record import Row as EngineRow
from sewershed.rules.types import Thing, Type, Value
from sewershed.rules.vocabulary import Fact, Vocabulary

KEPT_APART = "_"  # names in `data` that begin so are the ledger's own: aliases, numbers, the id in an imported file
CONTAINS = "contains"  # the parts of a document that an event carries
_Reader = Callable[[Any], Value]


class RowReader:
    """Reads rows under one vocabulary."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        self._thing_types = _renamed(vocabulary.things)
        self._event_types = _renamed(vocabulary.events)
        self._facts = {name: _readers(thing.facts) for name, thing in vocabulary.things.items()}
        self._data = {name: _readers(event.data) for name, event in vocabulary.events.items()}

    def type_named(self, name: str) -> str:
        """Returns the present name of a type of thing; one that the vocabulary does not know comes back as it is."""
        return self._thing_types.get(name, name)

    def event_named(self, name: str) -> str:
        """Returns the present name of an event; one that the vocabulary does not know comes back as it is."""
        return self._event_types.get(name, name)

    def read(self, row: logbook.Row) -> EngineRow:
        """Returns a row with typed values.

        Refuses: a row whose event, type or field the vocabulary does not know, or whose value is not of its type.

        Raises:
            Unreadable: naming the row.
        """
        try:
            data, contains = self._read_data(row)
            return EngineRow(
                id=row.id,
                kind=row.kind,
                name=self.event_named(row.name) if row.kind == "event" else "",
                thing=row.thing,
                moment=moment_of(row),
                data=data,
                position=row.position,
                recorded_at=canonical.read_instant(row.recorded_at),
                by=row.performed_by,
                office=row.office,
                contains=contains,
                replaces=row.replaces,
                voids=row.voids,
                why=row.why,
            )
        except (ValueError, TypeError, InvalidOperation, AttributeError) as error:
            raise Unreadable([f"{where(row)}: {error}"]) from error

    def _read_data(self, row: logbook.Row) -> tuple[Mapping[str, Value], frozenset[str]]:
        raw = canonical.read(row.data)
        if row.kind == "void":
            return {}, frozenset()
        if row.kind == "event":
            readers = self._data.get(self.event_named(row.name))
            if readers is None:
                raise ValueError(f"the vocabulary has no event '{row.name}'")
        else:
            readers = self._facts.get(self.type_named(row.name))
            if readers is None:
                raise ValueError(f"the vocabulary has no thing '{row.name}'")
        data: dict[str, Value] = {}
        contains: frozenset[str] = frozenset()
        for name, value in raw.items():
            found = readers.get(name)
            if found is not None:
                data[found[0]] = None if value is None else _named(found, value)
            elif name == CONTAINS and row.kind == "event":
                contains = frozenset(value)
            elif not name.startswith(KEPT_APART):
                raise ValueError(f"{row.name} has no '{name}'")
        return data, contains

    def facts_of(self, row: logbook.Row) -> Mapping[str, Fact]:
        """Returns what the vocabulary says of the fields of a row, by their present names."""
        if row.kind == "event":
            kind = self.vocabulary.events.get(self.event_named(row.name))
            return kind.data if kind else {}
        thing = self.vocabulary.things.get(self.type_named(row.name))
        return thing.facts if thing else {}

    def present_data(self, row: logbook.Row) -> dict[str, Any]:
        """Returns what a row says, in the form of the log, under the present names, without what the ledger wrote itself."""
        if row.kind == "event":
            readers = self._data.get(self.event_named(row.name), {})
        else:
            readers = self._facts.get(self.type_named(row.name), {})
        raw = canonical.read(row.data)
        return {
            readers[name][0] if name in readers else name: value
            for name, value in raw.items()
            if not name.startswith(KEPT_APART)
        }

    def problems(self, rows: Iterable[logbook.Row]) -> Iterator[str]:
        """Yields what is wrong with each row that cannot be read."""
        for row in rows:
            try:
                self.read(row)
            except Unreadable as error:
                yield from error.rows


def where(row: logbook.Row) -> str:
    """Returns the words that name a row in a message."""
    what = {"event": row.name, "facts": f"facts of a {row.name}", "void": "withdrawal"}[row.kind]
    return f"row {row.position} ({row.id}, {what} on {row.thing}, recorded {row.recorded_at} by {row.recorded_by})"


def moment_of(row: logbook.Row) -> Moment | None:
    """Returns when it was: an instant, a day, or nothing."""
    if row.at:
        return canonical.read_instant(row.at)
    return date.fromisoformat(row.day) if row.day else None


def kept_apart(row: logbook.Row) -> dict[str, Any]:
    """Returns what the ledger itself wrote into a row: aliases, numbers, the id in an imported file."""
    if f'"{KEPT_APART}' not in row.data:
        return {}
    return {name: value for name, value in canonical.read(row.data).items() if name.startswith(KEPT_APART)}


def refs_in(data: Mapping[str, Value]) -> Iterator[tuple[str, Thing]]:
    """Yields each reference that typed values hold, with the name it stands under."""
    for name, value in data.items():
        for thing in _things(value):
            yield name, thing


def value_reader(kind: Type) -> Callable[[Any], Value]:
    """Returns the function that turns what the log holds into a value of a type."""
    return _reader(kind)


def decided_value(kind: Type, text: str) -> Value:
    """Returns the value that a decision gives to a fact of a type; the log holds it as one text.

    Edge: a text or a choice stands as it is; anything else is what JSON makes of it, numbers apart.
    """
    if kind.kind in ("bool", "list", "record", "geometry"):
        return _reader(kind)(canonical.read(text))
    return _reader(kind)(text)


def decided_text(value: Any) -> str:
    """Returns a value, in the form of the log, as the one text that a decision holds."""
    return value if isinstance(value, str) else canonical.write(value)


def _things(value: Value) -> Iterator[Thing]:
    if isinstance(value, Thing):
        yield value
    elif isinstance(value, tuple):
        for item in value:
            yield from _things(item)
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from _things(item)


def _named(found: tuple[str, _Reader], value: Any) -> Value:
    name, read = found
    try:
        return read(value)
    except (ValueError, TypeError, InvalidOperation, AttributeError) as error:
        raise ValueError(f"{name} is {canonical.write(value)}: {str(error) or 'not a number'}") from error


def _renamed(types: Mapping[str, Any]) -> dict[str, str]:
    names = {old: name for name, kind in types.items() for old in kind.was}
    return names | {name: name for name in types}


def _readers(facts: Mapping[str, Fact]) -> dict[str, tuple[str, _Reader]]:
    readers: dict[str, tuple[str, _Reader]] = {}
    for name, fact in facts.items():
        read = _reader(fact.type)
        for old in fact.was:
            readers[old] = (name, read)
    for name, fact in facts.items():
        readers[name] = (name, _reader(fact.type))
    return readers


def _reader(kind: Type) -> _Reader:
    match kind.kind:
        case "bool":
            return _bool
        case "number" | "money":
            return _number
        case "text" | "file":
            return _text
        case "choice":
            return partial(_choice, frozenset(kind.words))
        case "date":
            return date.fromisoformat
        case "instant":
            return canonical.read_instant
        case "moment":
            return _moment
        case "ref":
            return partial(_ref, kind.to)
        case "list":
            assert kind.item is not None
            return partial(_list, _reader(kind.item))
        case "record":
            return partial(_record, {name: _reader(sub) for name, sub in kind.fields})
        case "geometry":
            return _geometry
        case _:
            raise TypeError(f"nothing of type {kind.kind} is recorded")


def _bool(value: Any) -> Value:
    if not isinstance(value, bool):
        raise TypeError("not true or false")
    return value


def _number(value: Any) -> Value:
    if not isinstance(value, str):
        raise TypeError("not a number as the log writes it")
    try:
        number = Decimal(value)
    except InvalidOperation:
        raise ValueError("not a number") from None
    if not number.is_finite():
        raise ValueError("not a number")
    return number


def _text(value: Any) -> Value:
    if not isinstance(value, str):
        raise TypeError("not a text")
    return value


def _choice(words: frozenset[str], value: Any) -> Value:
    if value not in words:
        raise ValueError(f"none of {', '.join(sorted(words))}")
    return str(value)


def _moment(value: Any) -> Value:
    return canonical.read_instant(value) if "T" in value else date.fromisoformat(value)


def _ref(to: str, value: Any) -> Value:
    if not isinstance(value, str) or not value:
        raise ValueError(f"not the id of a {to}")
    return Thing(value, to)


def _list(read: _Reader, value: Any) -> Value:
    if not isinstance(value, list):
        raise TypeError("not a list")
    return tuple(read(item) for item in value)


def _record(readers: Mapping[str, _Reader], value: Any) -> Value:
    if not isinstance(value, dict):
        raise TypeError("not a record of fields")
    unknown = sorted(set(value) - set(readers))
    if unknown:
        raise ValueError(f"there is no field {', '.join(unknown)}")
    return {name: None if item is None else readers[name](item) for name, item in value.items()}


def _geometry(value: Any) -> Value:
    if not isinstance(value, dict) or set(value) != {"type", "coordinates"}:
        raise TypeError("not a shape with type and coordinates")
    return {"type": str(value["type"]), "coordinates": _coordinates(value["coordinates"])}


def _coordinates(value: Any) -> Value:
    return tuple(_coordinates(item) for item in value) if isinstance(value, list) else _number(value)
