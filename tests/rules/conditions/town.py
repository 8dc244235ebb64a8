"""A made-up town for the tests of conditions: its vocabulary, and a scope in which a test says what is known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from sewershed.rules.calendars import Calendar
from sewershed.rules.conditions import Condition, compile_condition
from sewershed.rules.moments import read_moment
from sewershed.rules.record import Event, Moment, Row
from sewershed.rules.spans import Span
from sewershed.rules.types import DATE, Thing, Type
from sewershed.rules.unknown import Unknown, Want
from sewershed.rules.vocabulary import read_vocabulary

ZONE = ZoneInfo("America/New_York")
VOCABULARY = read_vocabulary([Path(__file__).with_name("vocabulary.toml")])
HOUSE, STREET, PERSON = Thing("h1", "house"), Thing("s1", "street"), Thing("p1", "person")
NAMES = {
    "house": Type("ref", to="house"),
    "event": Type("event", events=("repair",)),
    "trigger": Type("event", events=("notice",)),
    "since": DATE,
    "today": DATE,
}
TODAY = date(2024, 6, 1)


def moment(text: str) -> Moment:
    """Returns a moment of the town's zone."""
    return read_moment(text, ZONE)


def event(id: str, name: str, at: str, *, thing: str = HOUSE.id, **data: Any) -> Event:
    """Returns an event; `by`, `office` and `contains` may stand among its data."""
    about = {key: data.pop(key) for key in ("by", "office", "contains") if key in data}
    row = Row(id, "event", name, thing, moment(at), data=data, **about)
    return Event(row, row, moment(at), ZONE)


class Town:
    """A scope over plain mappings: what is not in them is missing."""

    def __init__(
        self,
        facts: Mapping[str, Any] | None = None,
        *,
        things: Mapping[str, Mapping[str, Any]] | None = None,
        events: Sequence[Event] = (),
        roots: Mapping[str, Any] | None = None,
        asks: Mapping[str, Any] | None = None,
        meets: Mapping[str, Any] | None = None,
        now: str = "2024-06-01",
    ) -> None:
        self.facts = {HOUSE.id: facts or {}, **(things or {})}
        self.all_events = events
        self.roots = {"house": HOUSE, "today": TODAY, **(roots or {})}
        self.asks = asks or {}
        self.standards = meets or {}
        self.at = moment(now)
        self.calendar = Calendar(ZONE, base="US")

    def root(self, name: str) -> Any:
        return self.roots[name] if name in self.roots else Unknown((Want("event", name),))

    def fact(self, thing: Thing, name: str) -> Any:
        value = self.facts.get(thing.id, {}).get(name)
        if value is not None:
            return value
        judged_by = VOCABULARY.things[thing.type].facts[name].judged_by
        kind = "decision" if judged_by else "fact"
        return Unknown((Want(kind, f"{thing.type}.{name}", thing=thing.id, who=judged_by),))

    def events(self, thing: Thing, names: tuple[str, ...]) -> Sequence[Event]:
        return [event for event in self.all_events if event.thing == thing.id and event.name in names]

    def subject(self) -> Thing:
        return HOUSE

    def now(self) -> Moment:
        return self.at

    def forgets(self, moment: Moment, window: Span) -> None:
        pass

    def ask(self, name: str) -> Any:
        return self.asks.get(name, Unknown((Want("no_answer", name),)))

    def meets(self, id: str) -> Any:
        return self.standards[id]


def condition(source: str, expect: Type | None = None, **more: Any) -> Condition:
    """Returns a compiled condition over the town's names."""
    names = {**NAMES, **more.pop("names", {})}
    return compile_condition(source, names, VOCABULARY, expect=expect, zone=ZONE, **more)


def value_of(source: str, town: Town | None = None, **more: Any) -> Any:
    """Returns the value of a condition in a town, having checked that its explanation says the same."""
    compiled, scope = condition(source, **more), town or Town()
    value = compiled.evaluate(scope)
    assert compiled.explain(scope)[0] == value
    return value


def wants_of(source: str, town: Town | None = None, **more: Any) -> list[str]:
    """Returns what is missing to tell the value of a condition, which must not be known."""
    value = value_of(source, town, **more)
    assert isinstance(value, Unknown), value
    return [str(want) for want in value.wants]
