"""The vocabulary: everything a town can record, declared once with its type (docs/explanation/rulebook.md 5).

Forms, imports, the command, the interface for programs, the checks of conditions and the reference pages all come from it.
One file a program; a program may add facts to a thing of another, and a name declared twice is an error.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from pathlib import Path
from typing import Any

from sewershed.rules.problems import Problems, RulebookError, did_you_mean
from sewershed.rules.types import BOOL, DATE, INSTANT, KINDS, NUMBER, TEXT, Number, Type
from sewershed.rules.units import unit as read_unit

PRECISIONS = ("instant", "day", "either")

SAMPLE_RESULT = "sample_result"
SAMPLE_FIELDS = ("parameter", "value", "unit", "qualifier", "method", "sample_type", "point", "statistic")


@dataclass(frozen=True, slots=True)
class OneOf:
    """Where the words stand of which a text must be one, where that is not a closed list."""

    source: str  # "event", "form", "roles" or "books"
    name: str = ""  # the event of the same thing to which it points by id, or the paper whose form it is
    table: str = ""  # of the form
    by: str = ""  # the field beside it that names the part of the table


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing that can be said: a fact of a thing, or a datum of an event."""

    name: str
    type: Type
    means: str = ""
    label: str = ""
    judged_by: str = ""  # who decides it, where the law leaves it to a person
    required: bool = False
    private: bool = False
    confidential: bool = False
    was: tuple[str, ...] = ()
    retired: bool = False
    least: Number | None = None
    most: Number | None = None
    not_future: bool = False  # it has happened: a moment after now is refused
    not_after: str = ""  # the field beside it that it may not pass: a moment or a number
    one_of: OneOf | None = None
    derived: str = ""  # the entry of a book that gives it; empty: it is recorded


@dataclass(frozen=True, slots=True)
class Has:
    """All things of a type whose fact points here."""

    name: str
    many: str
    by: str


@dataclass(frozen=True, slots=True)
class ThingType:
    """A kind of thing: a spill, a station, an assembly."""

    name: str
    program: str
    means: str = ""
    label: str = ""  # a template over its facts
    plural: str = ""
    series: str = ""  # the format of its number, if it has one
    numbered_by: str = ""  # the event that takes the number; empty: taken when the thing begins
    facts: Mapping[str, Fact] = field(default_factory=dict)
    has: Mapping[str, Has] = field(default_factory=dict)
    was: tuple[str, ...] = ()
    retired: bool = False


@dataclass(frozen=True, slots=True)
class EventType:
    """A kind of happening, and the one kind of thing it is about ("" for the reserved ones: any thing)."""

    name: str
    program: str
    on: str
    precision: str = "either"
    means: str = ""
    label: str = ""
    series: str = ""
    report: bool = False  # a report of something that may turn out to be nothing
    service: bool = False  # a paper given to somebody
    data: Mapping[str, Fact] = field(default_factory=dict)
    was: tuple[str, ...] = ()
    retired: bool = False


@dataclass(frozen=True, slots=True)
class Kept:
    """Which records an ask says how long to keep: the whole file of each thing of a type, or each event of some names."""

    ask: str
    means: str
    thing: str = ""
    events: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """All that can be recorded, and all that programs ask of a book."""

    parameters: Mapping[str, str] = field(default_factory=dict)  # name -> unit
    asks: Mapping[str, Type] = field(default_factory=dict)
    things: Mapping[str, ThingType] = field(default_factory=dict)
    events: Mapping[str, EventType] = field(default_factory=dict)
    kept: Mapping[str, Kept] = field(default_factory=dict)  # by ask

    def with_facts(self, added: Mapping[str, Iterable[Fact]]) -> Vocabulary:
        """Returns a vocabulary in which things have further (derived) facts; the names must be new."""
        things = dict(self.things)
        for name, facts in added.items():
            thing = things[name]
            things[name] = replace(thing, facts={**thing.facts, **{fact.name: fact for fact in facts}})
        return replace(self, things=things)

    def events_on(self, thing_type: str) -> tuple[EventType, ...]:
        """Returns the events that can happen to a type of thing, the reserved ones last."""
        return tuple(e for e in self.events.values() if e.on == thing_type) + tuple(
            e for e in self.events.values() if not e.on
        )

    def to_decide(self, thing_type: str, name: str) -> Fact | None:
        """Returns what a decision on a thing names: a fact of it (`sound`), or what an event leaves to a person (`repair.tidy`)."""
        owner, _, short = name.rpartition(".")
        if owner in self.events:
            event = self.events[owner]
            return event.data.get(short) if event.on in ("", thing_type) else None
        thing = self.things.get(thing_type) if owner in ("", thing_type) else None
        return thing.facts.get(short) if thing is not None else None


def _reserved(name: str, means: str, **data: Type) -> EventType:
    facts = {key: Fact(key, kind) for key, kind in data.items()}
    return EventType(name, "", "", means=means, data=facts)


RESERVED: Mapping[str, EventType] = {
    event.name: event
    for event in (
        _reserved(
            "decided",
            "A person decided what the law leaves to a person: a fact, a gap, or which reading of a doubt holds",
            fact=TEXT,
            value=TEXT,
            doubt=TEXT,
            reading=TEXT,
            because=TEXT,
            paper=TEXT,
        ),
        _reserved("retired", "The thing is no longer there or no longer used", because=TEXT),
        _reserved("joined", "The thing turned out to be another one, which goes on", into=TEXT, because=TEXT),
        _reserved("split", "The thing turned out to be several", into=Type("list", item=TEXT), because=TEXT),
        _reserved(
            "offices_closed",
            "The town's offices were closed on this day, or will be from the first day on, so that it is no business day",
            first=DATE,
            until=DATE,
            because=TEXT,
        ),
        _reserved("assigned", "Somebody does this for the town", to=TEXT, what=TEXT, until=DATE),
        _reserved(
            "miss_explained",
            "Why a period of a duty was missed, or all up to this day where none is named: it stays missed, and leaves the list",
            rule=TEXT,
            period=TEXT,
            because=TEXT,
        ),
    )
}

_FACT_KEYS = {
    "type", "unit", "of", "to", "item", "means", "label", "judged_by", "required", "private", "confidential",
    "was", "retired", "min", "max", "not_future", "not_after", "one_of",
}  # fmt: skip
_NUMBERS, _MOMENTS = ("number", "money"), ("date", "instant", "moment")
_ONE_OF = ("event", "form", "roles", "books")
_THING_KEYS = {"facts", "has", "means", "label", "plural", "series", "numbered_by", "was", "retired"}
_EVENT_KEYS = {"on", "precision", "data", "means", "label", "series", "report", "service", "was", "retired"}


def read_type(spec: Mapping[str, Any]) -> Type:
    """Returns the type that a declaration such as ``{ type = "number", unit = "ft" }`` gives.

    Raises:
        ValueError: with a sentence that says what is wrong with the declaration.
    """
    kind = spec.get("type")
    if kind not in KINDS or kind in ("record", "event", "span"):
        known = sorted(set(KINDS) - {"record", "event", "span"})
        raise ValueError(f"unknown type {kind!r}{did_you_mean(str(kind), known)}; the types are {', '.join(known)}")
    if kind == "number":
        unit = str(spec.get("unit", ""))
        if unit:
            read_unit(unit)
        return Type("number", unit=unit)
    if kind == "money":
        return Type("money", unit=str(spec.get("unit", "")))
    if kind == "choice":
        words = tuple(spec.get("of", ()))
        if not words or not all(isinstance(word, str) for word in words):
            raise ValueError("a choice needs of = [its words]")
        return Type("choice", words=words)
    if kind == "ref":
        if not spec.get("to"):
            raise ValueError("a ref needs to = the type of thing it points to")
        return Type("ref", to=str(spec["to"]))
    if kind == "list":
        item = spec.get("item")
        if not isinstance(item, Mapping):
            raise ValueError("a list needs item = the type of its items")
        if isinstance(item.get("type"), str):
            return Type("list", item=read_type(item))
        fields = tuple((name, read_type(sub)) for name, sub in item.items())
        return Type("list", item=Type("record", fields=fields))
    return Type(str(kind))


class _Reader:
    """Reads vocabulary files one after another and notes every problem."""

    def __init__(self, problems: Problems) -> None:
        self.problems = problems
        self.parameters: dict[str, str] = {}
        self.asks: dict[str, Type] = {}
        self.kept: dict[str, Kept] = {}
        self.things: dict[str, ThingType] = {}
        self.events: dict[str, EventType] = dict(RESERVED)
        self.files: dict[str, str] = {}

    def read(self, path: Path) -> None:
        file, program = path.name if path.parent.name == "" else f"{path.parent.name}/{path.name}", path.parent.name
        try:
            data = tomllib.loads(path.read_text("utf-8"), parse_float=Decimal)
        except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
            self.problems.add(file, f"cannot be read: {error}")
            return
        for key in data:
            if key not in ("parameters", "asks", "things", "events"):
                known = ("parameters", "asks", "things", "events")
                self.problems.add(file, f"unknown table '{key}'{did_you_mean(key, known)}")
        for name, spec in data.get("parameters", {}).items():
            if self._new(file, f"parameter {name}"):
                self.parameters[name] = str(spec.get("unit", ""))
        for name, spec in data.get("asks", {}).items():
            if self._new(file, f"ask {name}") and (kind := self._type(file, f"ask {name}", spec)):
                self.asks[name] = kind
                if "keeps" in spec:
                    self._keeps(file, name, kind, spec)
        for name, spec in data.get("things", {}).items():
            self._thing(file, program, name, spec)
        for name, spec in data.get("events", {}).items():
            self._event(file, program, name, spec)

    def _keeps(self, file: str, name: str, kind: Type, spec: Mapping[str, Any]) -> None:
        keeps = spec["keeps"]
        ways = "{ thing = … } or { events = [ … ] }"
        if not isinstance(keeps, Mapping) or len(keeps) != 1 or set(keeps) - {"thing", "events"}:
            self.problems.add(file, f"ask {name}: keeps is written {ways}")
        elif kind != Type("number", unit="years"):
            self.problems.add(file, f"ask {name}: how long records are kept is a number in years, not {kind}")
        else:
            means, events = str(spec.get("means", "")), tuple(keeps.get("events", ()))
            self.kept[name] = Kept(name, means, str(keeps.get("thing", "")), events)

    def _new(self, file: str, what: str) -> bool:
        if what in self.files:
            self.problems.add(file, f"{what} is declared twice (also in {self.files[what]})")
            return False
        self.files[what] = file
        return True

    def _keys(self, file: str, what: str, spec: Mapping[str, Any], known: set[str]) -> None:
        for key in spec:
            if key not in known:
                self.problems.add(file, f"{what}: unknown key '{key}'{did_you_mean(key, known)}")

    def _type(self, file: str, what: str, spec: Mapping[str, Any]) -> Type | None:
        try:
            return read_type(spec)
        except ValueError as error:
            self.problems.add(file, f"{what}: {error}")
            return None

    def _fact(self, file: str, owner: str, name: str, spec: Mapping[str, Any]) -> Fact | None:
        what = f"{owner}.{name}"
        self._keys(file, what, spec, _FACT_KEYS)
        kind = self._type(file, what, spec)
        if kind is None or not self._new(file, what):
            return None
        return Fact(
            name,
            kind,
            means=str(spec.get("means", "")),
            label=str(spec.get("label", "")),
            judged_by=str(spec.get("judged_by", "")),
            required=bool(spec.get("required", False)),
            private=bool(spec.get("private", False)),
            confidential=bool(spec.get("confidential", False)),
            was=tuple(spec.get("was", ())),
            retired=bool(spec.get("retired", False)),
            least=self._bound(file, what, kind, "min", spec),
            most=self._bound(file, what, kind, "max", spec),
            not_future=self._only(file, what, kind, "not_future", _MOMENTS, spec) is True,
            not_after=str(self._only(file, what, kind, "not_after", (*_NUMBERS, *_MOMENTS), spec) or ""),
            one_of=self._one_of(file, what, kind, spec),
        )

    def _only(self, file: str, what: str, kind: Type, key: str, kinds: Iterable[str], spec: Mapping[str, Any]) -> Any:
        """Returns what a key says that only some types may have."""
        if key in spec and kind.kind not in kinds:
            self.problems.add(file, f"{what}: {key} is for {', '.join(kinds)}, not for a {kind.kind}")
            return None
        return spec.get(key)

    def _bound(self, file: str, what: str, kind: Type, key: str, spec: Mapping[str, Any]) -> Number | None:
        bound = self._only(file, what, kind, key, _NUMBERS, spec)
        if bound is not None and (isinstance(bound, bool) or not isinstance(bound, int | Decimal)):
            self.problems.add(file, f"{what}: {key} must be a number")
            return None
        return bound

    def _one_of(self, file: str, what: str, kind: Type, spec: Mapping[str, Any]) -> OneOf | None:
        said = self._only(file, what, kind, "one_of", ("text",), spec)
        if said is None:
            return None
        source = next((one for one in _ONE_OF if isinstance(said, Mapping) and one in said), "")
        allowed = {source, "table", "by"} if source == "form" else {source}
        if not source or set(said) - allowed or (source == "form" and "table" not in said):
            ways = "{ event = … }, { form = …, table = …, by = … }, { roles = true } or { books = true }"
            self.problems.add(file, f"{what}: one_of is written {ways}")
            return None
        name = "" if said[source] is True else str(said[source])
        return OneOf(source, name, str(said.get("table", "")), str(said.get("by", "")))

    def _thing(self, file: str, program: str, name: str, spec: Mapping[str, Any]) -> None:
        self._keys(file, f"things.{name}", spec, _THING_KEYS)
        thing = self.things.get(name)
        described = any(key in spec for key in ("means", "label", "series"))
        if thing is None:
            thing = ThingType(name, program)
        if described:
            self._new(file, f"thing {name}")
            thing = replace(
                thing,
                program=program,
                means=str(spec.get("means", "")),
                label=str(spec.get("label", "")),
                plural=str(spec.get("plural", "")),
                series=str(spec.get("series", "")),
                numbered_by=str(spec.get("numbered_by", "")),
                was=tuple(spec.get("was", ())),
                retired=bool(spec.get("retired", False)),
            )
        facts = dict(thing.facts)
        for key, sub in spec.get("facts", {}).items():
            if fact := self._fact(file, name, key, sub):
                facts[key] = fact
        has = dict(thing.has)
        for key, sub in spec.get("has", {}).items():
            if self._new(file, f"{name}.{key}"):
                has[key] = Has(key, str(sub.get("many", "")), str(sub.get("by", "")))
        self.things[name] = replace(thing, facts=facts, has=has)

    def _event(self, file: str, program: str, name: str, spec: Mapping[str, Any]) -> None:
        what = f"events.{name}"
        self._keys(file, what, spec, _EVENT_KEYS)
        if name in RESERVED:
            self.problems.add(file, f"{what}: '{name}' is reserved for the engine; choose another name")
            return
        if not self._new(file, what):
            return
        if spec.get("precision", "either") not in PRECISIONS:
            self.problems.add(file, f"{what}: precision must be instant, day or either, not {spec['precision']!r}")
        if not spec.get("on"):
            self.problems.add(file, f"{what}: on = the thing it is about is missing")
            return
        data = {}
        for key, sub in spec.get("data", {}).items():
            if fact := self._fact(file, name, key, sub):
                data[key] = fact
        self.events[name] = EventType(
            name,
            program,
            str(spec["on"]),
            precision=str(spec.get("precision", "either")),
            means=str(spec.get("means", "")),
            label=str(spec.get("label", "")),
            series=str(spec.get("series", "")),
            report=bool(spec.get("report", False)),
            service=bool(spec.get("service", False)),
            data=data,
            was=tuple(spec.get("was", ())),
            retired=bool(spec.get("retired", False)),
        )

    def finish(self) -> Vocabulary:
        """Checks what one file says about another's names, and returns the whole."""
        for thing in self.things.values():
            for fact in thing.facts.values():
                self._points(f"{thing.name}.{fact.name}", fact.type)
                self._beside(thing.name, thing.name, fact, thing.facts)
            for has in thing.has.values():
                other = self.things.get(has.many)
                if other is None:
                    self._lost(f"{thing.name}.{has.name}", has.many, self.things, "thing")
                elif has.by not in other.facts or other.facts[has.by].type != Type("ref", to=thing.name):
                    self.problems.add(
                        self.files[f"{thing.name}.{has.name}"],
                        f"{thing.name}.{has.name}: {has.many} has no fact '{has.by}' that points to a {thing.name}",
                    )
        for event in self.events.values():
            if event.on and event.on not in self.things:
                self._lost(f"events.{event.name}", event.on, self.things, "thing")
            for fact in event.data.values():
                self._points(f"{event.name}.{fact.name}", fact.type)
                self._beside(event.name, event.on, fact, event.data)
        for kept in self.kept.values():
            self._names(f"ask {kept.ask}", "thing", (kept.thing,) if kept.thing else (), self.things)
            self._names(f"ask {kept.ask}", "event", kept.events, self.events)
        sample = self.events.get(SAMPLE_RESULT)
        if sample is not None:
            for name in SAMPLE_FIELDS:
                if name not in sample.data:
                    self.problems.add(self.files[f"events.{SAMPLE_RESULT}"], f"{SAMPLE_RESULT} must have '{name}'")
        return Vocabulary(self.parameters, self.asks, self.things, self.events, self.kept)

    def _names(self, what: str, sort: str, names: Iterable[str], known: Mapping[str, object]) -> None:
        for name in names:
            if name not in known:
                self._lost(what, name, known, sort)

    def _points(self, what: str, kind: Type) -> None:
        if kind.kind == "list" and kind.item is not None:
            self._points(what, kind.item)
        if kind.kind == "record":
            for _, sub in kind.fields:
                self._points(what, sub)
        if kind.kind == "ref" and kind.to not in self.things:
            self._lost(what, kind.to, self.things, "thing")

    def _beside(self, owner: str, thing: str, fact: Fact, known: Mapping[str, Fact]) -> None:
        """Checks what a field says of others: of one beside it, of an event of the same thing."""
        what = f"{owner}.{fact.name}"
        if fact.not_after and fact.not_after not in known:
            self._lost(what, fact.not_after, known, "field")
        if fact.one_of and fact.one_of.by and fact.one_of.by not in known:
            self._lost(what, fact.one_of.by, known, "field")
        if fact.one_of and fact.one_of.source == "event":
            here = [name for name, event in self.events.items() if event.on in ("", thing)]
            if fact.one_of.name not in here:
                self._lost(what, fact.one_of.name, here, f"event of a {thing}")

    def _lost(self, what: str, name: str, known: Iterable[str], sort: str) -> None:
        self.problems.add(self.files.get(what, ""), f"{what}: no {sort} '{name}'{did_you_mean(name, known)}")


def read_vocabulary(paths: Iterable[Path], problems: Problems | None = None) -> Vocabulary:
    """Returns the vocabulary of the given files, one a program.

    Args:
        paths: the files, in any order.
        problems: where problems are noted; without it they are raised together.

    Raises:
        RulebookError: with every problem, when no ``problems`` was handed in and there are some.
    """
    found = Problems() if problems is None else problems
    reader = _Reader(found)
    for path in paths:
        reader.read(path)
    vocabulary = reader.finish()
    if problems is None and len(found):
        raise RulebookError(found)
    return vocabulary


RESERVED_FIELDS: Mapping[str, Type] = {
    "id": TEXT,
    "at": INSTANT,
    "day": DATE,
    "by": TEXT,
    "role": TEXT,
    "kind": TEXT,
    "contains": Type("list", item=TEXT),
}

__all__ = [
    "BOOL",
    "NUMBER",
    "RESERVED",
    "RESERVED_FIELDS",
    "SAMPLE_RESULT",
    "EventType",
    "Fact",
    "Has",
    "Kept",
    "OneOf",
    "ThingType",
    "Vocabulary",
    "read_type",
    "read_vocabulary",
]
