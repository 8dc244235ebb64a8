"""What the reading of every kind of entry shares: keys, words, conditions, spans, moments and patterns, with their messages."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from sewershed.rules.conditions import Condition, ConditionError, compile_condition
from sewershed.rules.doors import Function, Provider
from sewershed.rules.entries import Breach, CountedSpan, Pattern
from sewershed.rules.loading.books import Book
from sewershed.rules.problems import Problems, did_you_mean
from sewershed.rules.spans import Span, SpanError, parse_span
from sewershed.rules.types import BOOL, DATE, Type
from sewershed.rules.vocabulary import EventType, Vocabulary

SPAN_UNITS = ("minutes", "hours", "days", "business days", "weeks", "months", "years")
MOMENT_KINDS = ("date", "instant", "moment")
Names = Mapping[str, Type]
Table = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What an entry is read against: its book, the vocabulary of its line, the programs' calculations, all standards."""

    book: Book
    vocabulary: Vocabulary
    functions: Mapping[str, Function]
    providers: Mapping[str, Provider]
    standards: Collection[str]


class Reader:
    """Reads one form of one entry and notes every problem under the entry's id."""

    def __init__(self, around: Surroundings, entry: str, file: str, problems: Problems) -> None:
        self.around = around
        self.vocabulary = around.vocabulary
        self.book = around.book
        self.entry = entry
        self.file = file
        self.problems = problems

    # ---------------------------------------------------------------- messages

    def fault(self, text: str, path: str = "") -> None:
        """Notes a problem: "entry.path: text"."""
        self.problems.add(self.file, f"{self.entry}{'.' + path if path else ''}: {text}")

    def keys(self, table: Mapping[str, Any], known: Collection[str], path: str = "") -> None:
        """Notes every key that is not known here."""
        for key in table:
            if key not in known:
                self.fault(f"unknown key '{key}'{did_you_mean(key, known)}", path)

    def needs(self, table: Mapping[str, Any], *keys: str, path: str = "") -> bool:
        """Tells whether all these keys are there, and notes those that are not."""
        missing = [key for key in keys if key not in table]
        for key in missing:
            self.fault(f"'{key}' is missing", path)
        return not missing

    def word(self, table: Mapping[str, Any], key: str, known: Collection[str], default: str, path: str = "") -> str:
        """Returns one of the known words, noting any other."""
        value = str(table.get(key, default))
        if value not in known:
            self.fault(f"{key} must be {_listing(known)}, not {value!r}", path)
            return default
        return value

    # ---------------------------------------------------------------- names of the vocabulary

    def thing(self, name: object, path: str) -> str:
        """Returns the name of a type of thing, or "" (noted) where there is none."""
        if name in self.vocabulary.things:
            return str(name)
        self.fault(f"unknown thing '{name}'{did_you_mean(str(name), self.vocabulary.things)}", path)
        return ""

    def events(self, names: object, on: str | None, path: str = "") -> tuple[str, ...]:
        """Returns the names of events, noting unknown ones and, with ``on``, those about another type of thing."""
        listed = [names] if isinstance(names, str) else list(names) if isinstance(names, Iterable) else []
        found = []
        for name in listed:
            event = self.vocabulary.events.get(str(name))
            if event is None:
                self.fault(f"unknown event '{name}'{did_you_mean(str(name), self.vocabulary.events)}")
            elif on and event.on and event.on != on:
                self.fault(f"event {name} is about {_a(event.on)}, not {_a(on)}")
            else:
                found.append(str(name))
        if not listed:
            self.fault("'event' is missing", path)
        return tuple(found)

    def event(self, name: str) -> EventType:
        """Returns the declaration of a known event."""
        return self.vocabulary.events[name]

    def role(self, value: object, path: str = "") -> str:
        """Returns a role of the book, noting one that it does not have."""
        role = str(value)
        if role not in self.book.roles:
            known = ", ".join(sorted(self.book.roles)) or "none"
            self.fault(f"unknown role '{role}'; the roles of {self.book.id} are {known}", path)
        return role

    # ---------------------------------------------------------------- conditions

    def names(self, thing: str, **more: Type) -> dict[str, Type]:
        """Returns the names in scope about a type of thing, with those of the place."""
        names: dict[str, Type] = {"today": DATE}
        if thing:
            names[thing] = Type("ref", to=thing)
        names.update(more)
        return names

    def condition(self, source: object, names: Names, path: str, expect: Type | None = BOOL) -> Condition | None:
        """Returns a compiled condition, or None with the problem noted."""
        text = "true" if source is True else "false" if source is False else str(source)
        try:
            return compile_condition(
                text,
                names,
                self.vocabulary,
                functions=self.around.functions,
                expect=expect,
                zone=self.book.zone if self.book.has_zone else None,
                standards=self.around.standards,
            )
        except ConditionError as error:
            self.fault(f'condition "{text}": {error}', path)
            return None

    def maybe(self, table: Mapping[str, Any], key: str, names: Names, path: str = "") -> Condition | None:
        """Returns the true/false condition under a key, or None where the key is not there."""
        if key not in table:
            return None
        return self.condition(table[key], names, f"{path}.{key}" if path else key)

    def moment(self, source: object, names: Names, path: str) -> Condition | None:
        """Returns a condition that gives a date or an instant."""
        found = self.condition(source, names, path, expect=None)
        if found is not None and found.type.kind not in MOMENT_KINDS:
            self.fault(f'"{source}" is {found.type}, a date or instant is needed', path)
            return None
        return found

    def number(self, source: object, names: Names, path: str) -> Condition | None:
        """Returns a condition that gives a number."""
        found = self.condition(source, names, path, expect=None)
        if found is not None and found.type.kind not in ("number", "money"):
            self.fault(f'"{source}" is {found.type}, a number is needed', path)
            return None
        return found

    def path_to_things(self, source: object, names: Names, path: str) -> tuple[Condition | None, str]:
        """Returns a path to a thing or a list of things, and the type of the things it leads to."""
        found = self.condition(source, names, path, expect=None)
        if found is None:
            return None, ""
        kind = found.type.item if found.type.kind == "list" and found.type.item is not None else found.type
        if kind.kind != "ref":
            self.fault(f'{path}: "{source}" is {found.type}, a thing or a list of things is needed')
            return None, ""
        return found, kind.to

    # ---------------------------------------------------------------- spans

    def span(self, value: object, names: Names, path: str = "") -> Span | CountedSpan | None:
        """Returns a span, or one whose number comes from the record."""
        if isinstance(value, Mapping):
            self.keys(value, ("n", "unit"), path)
            if not self.needs(value, "n", "unit", path=path):
                return None
            unit = str(value["unit"])
            if unit not in SPAN_UNITS:
                self.fault(f"unit must be {_listing(SPAN_UNITS)}, not {unit!r}", path)
                return None
            number = self.number(value["n"], names, f"{path}.n")
            return None if number is None else CountedSpan(number, unit.replace(" ", "_"))
        return self.plain_span(value)

    def plain_span(self, value: object) -> Span | None:
        """Returns a span written as text, noting one that cannot be read, or "?" without the book's word on it."""
        try:
            span = parse_span(str(value))
        except SpanError as error:
            self.fault(str(error))
            return None
        if span.unsaid and not self.book.unsaid_doubt:
            self.fault('a span with "?" needs [clock] unsaid_days = { read, doubt } in rulebook.toml')
            return None
        return span

    # ---------------------------------------------------------------- patterns

    def patterns(
        self, value: object, thing: str, path: str, more: Names, *, date_key: str = "", amounts: bool = False
    ) -> tuple[Pattern, ...]:
        """Returns the patterns under a key: one table, or a list of them."""
        listed = value if isinstance(value, list) else [value]
        found = []
        for index, table in enumerate(listed):
            where = f"{path}[{index}]"
            if not isinstance(table, Mapping):
                self.fault('a table is needed, e.g. { event = "repair" }', where)
            elif pattern := self.pattern(table, thing, where, more, date_key=date_key, amounts=amounts):
                found.append(pattern)
        return tuple(found)

    def pattern(
        self,
        table: Mapping[str, Any],
        thing: str,
        path: str,
        more: Names,
        *,
        date_key: str = "",
        amounts: bool = False,
    ) -> Pattern | None:
        """Returns one pattern of events; ``more`` names what else is in scope: the trigger, the item."""
        keys = ["event", "when", "on", "ever"]
        if date_key:
            keys.append(date_key)
        if amounts:
            keys += ["period", "sum", "at_least", "distinct"]
        self.keys(table, keys, path)
        scope = self.names(thing, **more)
        on, about = None, thing
        if "on" in table:
            on, about = self.path_to_things(table["on"], scope, f"{path}.on")
            if on is None:
                return None
        events = self.events(table.get("event", ()), about, path)
        if not events:
            return None
        names = {**scope, "event": Type("event", events=events)}
        if about and about not in names:
            names[about] = Type("ref", to=about)
        date = self.moment(table[date_key], names, f"{path}.{date_key}") if date_key in table and date_key else None
        return Pattern(
            events=events,
            when=self.maybe(table, "when", names, path),
            on=on,
            ever=bool(table.get("ever", False)),
            period=self.condition(table["period"], names, f"{path}.period", expect=None) if "period" in table else None,
            amount=self.number(table["sum"], names, f"{path}.sum") if "sum" in table else None,
            at_least=self.number(table["at_least"], scope, f"{path}.at_least") if "at_least" in table else None,
            distinct=self.condition(table["distinct"], names, f"{path}.distinct", None)
            if "distinct" in table
            else None,
            date=date,
        )

    def breach(self, table: Mapping[str, Any]) -> Breach:
        """Returns what a breach exposes to."""
        spec = table.get("breach")
        if spec is None:
            return Breach()
        self.keys(spec, ("penalty", "grace"), "breach")
        grace = self.plain_span(spec["grace"]) if "grace" in spec else None
        return Breach(tuple(spec.get("penalty", ())), grace)


def _listing(words: Collection[str]) -> str:
    listed = [word for word in words if word]  # an empty one says that nothing stands there
    return listed[0] if len(listed) == 1 else ", ".join(listed[:-1]) + " or " + listed[-1]


def _a(noun: str) -> str:
    return f"an {noun}" if noun[:1] in "aeiou" else f"a {noun}"
