"""Well-typed conditions drawn at random, straight along the grammar, and towns in which a part of the facts is missing.

Brackets stand only where the grammar wants them, so that what binds tighter is tried too. Without `own` a condition keeps to
what the Common Expression Language can say as well: whole numbers, texts, true and false, lists, instants.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from random import Random
from typing import Any

from sewershed.rules.types import INSTANT, Type
from tests.rules.conditions.town import Town, event

START = datetime(2024, 3, 5, 15, tzinfo=UTC)
NAMES = {"start": INSTANT, "event": Type("event", events=("repair", "notice"))}
WORDS = ("home", "shop", "a")
_SIZES = (1, 1, 1, 1, 2, 2, 3)

_NUMBERS = range(-9, 21)
FACTS: Mapping[str, Sequence[Any]] = {
    "kitchen": (True, False),
    "sound": (True, False),
    "rooms": _NUMBERS,
    "seats": (0, 1, 2),
    "width_ft": _NUMBERS,
    "depth_ft": _NUMBERS,
    "use": WORDS[:2],
    "note": WORDS,
    "words": ((), ("home",), ("a", "shop"), ("home", "a", "a")),
    "depths_ft": ((), (0,), (1, 2), (7, -3, 2)),
    "wired_at": (START, START.replace(hour=14), START.replace(hour=16)),
}
_DATA: Mapping[str, Sequence[Any]] = {
    "proper": (True, False),
    "length_ft": _NUMBERS,
    "until": (date(2024, 3, 5), date(2024, 4, 5)),
    "began": (date(2024, 3, 5), START, START.replace(hour=16)),
    "days": (0, 1, 2),
}
_DATA_OF = {"repair": ("proper", "length_ft", "until", "began"), "notice": ("until", "days")}
_MOMENTS = ("2024-03-04", "2024-03-05", "2024-03-05T10:00", "2024-03-05T12:00", "2024-04-01")


def some(random: Random, values: Mapping[str, Sequence[Any]], *, missing: float) -> dict[str, Any]:
    """Returns a value for each key, but for a share of them that is missing."""
    return {key: random.choice(options) for key, options in values.items() if random.random() >= missing}


@dataclass(frozen=True)
class World:
    """All that could be known: the facts of the house, an event at hand (the last one), and up to three that came before."""

    facts: Mapping[str, Any]
    events: Sequence[tuple[str, str, str, Mapping[str, Any]]]  # id, type, moment, data

    def names(self) -> list[tuple[str, str]]:
        """Returns the name of everything: ("", fact) and (event, datum)."""
        return [("", fact) for fact in self.facts] + [(root, key) for root, _, _, data in self.events for key in data]

    def town(self, missing: Container[tuple[str, str]] = ()) -> Town:
        """Returns the town in which some of it is missing."""
        facts = {fact: value for fact, value in self.facts.items() if ("", fact) not in missing}
        *history, at_hand = (
            event(root, name, at, **{key: value for key, value in data.items() if (root, key) not in missing})
            for root, name, at, data in self.events
        )
        history.sort(key=lambda event: event.key)
        return Town(facts, roots={"start": START, "event": at_hand}, events=history, now="2024-04-01")


def draw_world(random: Random) -> World:
    """Returns a world."""
    events = []
    for n in range(random.randint(1, 4)):
        name = random.choice(sorted(_DATA_OF))
        data = some(random, {key: _DATA[key] for key in _DATA_OF[name]}, missing=0)
        events.append((f"e{n}", name, random.choice(_MOMENTS), data))
    return World(some(random, FACTS, missing=0), events)


def draw_condition(random: Random, *, own: bool, known: bool = True) -> str:
    """Returns a condition of the type true/false.

    Args:
        random: what draws.
        own: with decimals, division, days, moments, events and history, which CEL does not have or has otherwise.
        known: with ``known``.
    """
    return _Writer(random, own=own, known=known).truth(random.randint(0, 3))


class _Writer:
    def __init__(self, random: Random, *, own: bool, known: bool) -> None:
        self.random = random
        self.own = own
        self.known = known
        self.number_names: list[str] = []
        self.text_names: list[str] = []
        self.event_names: list[str] = ["event"]

    def pick(self, *options: Any) -> Any:
        return self.random.choice(options)

    def joined(self, signs: tuple[str, ...], part: Any, most: int = 3) -> str:
        parts = [part() for _ in range(min(most, self.pick(*_SIZES)))]
        return parts[0] + "".join(f" {self.pick(*signs)} {other}" for other in parts[1:])

    # ---------------------------------------------------------------- true/false

    def truth(self, depth: int) -> str:
        if depth and self.pick(*range(6)) == 0:
            return f"{self.either(depth - 1)} ? {self.either(depth - 1)} : {self.truth(depth - 1)}"
        return self.either(depth)

    def either(self, depth: int) -> str:
        return self.joined(("||",), lambda: self.joined(("&&",), lambda: self.relation(depth)))

    def relation(self, depth: int) -> str:
        kinds = [self.comparison, self.comparison, self.word_comparison, self.plain, self.listed, self.instants]
        if depth:
            kinds += [self.bracket, self.bracket, self.same, self.each]
        if self.own:
            kinds += [self.days, self.moments, self.history, self.data]
        return self.pick(*kinds)(depth)

    def bracket(self, depth: int) -> str:
        return f"{self.pick('', '', '!', '!!')}({self.truth(depth - 1)})"

    def same(self, depth: int) -> str:
        return f"({self.truth(depth - 1)}) {self.pick('==', '!=')} {self.plain(depth)}"

    def plain(self, depth: int) -> str:
        if self.known and self.pick(*range(4)) == 0:
            return f"{self.pick('', '!')}known(house.{self.pick(*FACTS)})"
        return self.pick(
            "true", "false", "house.kitchen", "house.kitchen", "house.sound", "!house.kitchen", "!house.sound"
        )

    def comparison(self, depth: int) -> str:
        return (
            f"{self.number(min(depth, 2))} {self.pick('==', '!=', '<', '<=', '>', '>=')} {self.number(min(depth, 2))}"
        )

    def word_comparison(self, depth: int) -> str:
        left = self.pick("house.use", "house.note", *self.text_names)
        return f"{left} {self.pick('==', '!=')} {self.pick('house.note', *(repr(word) for word in WORDS[:2]))}"

    def instants(self, depth: int) -> str:
        return f"house.wired_at {self.pick('==', '!=', '<', '<=', '>', '>=')} start"

    def listed(self, depth: int) -> str:
        match self.pick(0, 1, 2, 3):
            case 0:
                return f"{self.pick('house.note', *(repr(word) for word in WORDS))} in house.words"
            case 1:
                return f"{self.number(0)} in house.depths_ft"
            case 2:
                return f"{self.number(0)} in [{self.number(0)}, {self.number(0)}]"
            case _:
                return f"size(house.{self.pick('words', 'depths_ft')}) {self.pick('==', '<', '>')} {self.pick(0, 1, 2)}"

    def each(self, depth: int) -> str:
        names = self.pick(self.number_names, self.text_names)
        name, where = (
            f"x{len(self.number_names) + len(self.text_names)}",
            "words" if names is self.text_names else "depths_ft",
        )
        names.append(name)
        inside = self.truth(depth - 1)
        names.pop()
        return f"house.{where}.{self.pick('all', 'exists')}({name}, {inside})"

    # ---------------------------------------------------------------- numbers

    def number(self, depth: int) -> str:
        return self.joined(("+", "-"), lambda: self.product(depth))

    def product(self, depth: int) -> str:
        kind = self.pick(*range(8))
        if kind == 0:  # a quotient without a remainder, or a division by zero
            by = self.pick("house.seats", "1", "0", "3")
            return f"{self.single(0)} * {by} / {by}"
        if kind == 1 and self.own:
            return f"{self.single(depth)} / {self.single(depth)}"
        return self.joined(("*",), lambda: self.single(depth), most=2)

    def single(self, depth: int) -> str:
        if depth and self.pick(*range(3)) == 0:
            inside = self.number(depth - 1)
            if self.pick(*range(3)) == 0:
                inside = f"{self.either(depth - 1)} ? {inside} : {self.number(depth - 1)}"
            return f"{self.pick('', '', '-')}({inside})"
        names = [
            "house.rooms",
            "house.seats",
            "house.width_ft",
            "house.depth_ft",
            *self.number_names,
            "0",
            "1",
            "2",
            "7",
        ]
        if self.own:
            names += [
                "0.1",
                "2.5",
                "count('repair')",
                "house.depths_ft.sum(d, d)",
                f"{self.pick(*self.event_names)}.length_ft",
            ]
        return self.pick("", "", "-") + self.pick(*names)

    # ---------------------------------------------------------------- what only our conditions have

    def data(self, depth: int) -> str:
        return f"{self.pick('', '!')}{self.pick(*self.event_names)}.proper"

    def days(self, depth: int) -> str:
        day = self.pick("until", "day", "day")
        right = self.pick(
            "day('2024-03-05')", "today", "add(event.day, '1 month')", "event.until", "last('repair').day"
        )
        return f"{self.pick(*self.event_names)}.{day} {self.pick('==', '<', '<=')} {right}"

    def moments(self, depth: int) -> str:
        left = f"{self.pick(*self.event_names)}.{self.pick('began', 'began', 'at')}"
        right = self.pick("event.began", "start", "event.at", "today", "max(event.began, house.wired_at)")
        return f"{left} {self.pick('==', '<', '<=', '>')} {right}"

    def history(self, depth: int) -> str:
        name = self.pick("repair", "notice", "repair|notice")
        if not depth:
            return f"happened('{name}')"
        hidden, self.event_names = self.event_names, (["event", "it"] if "repair" in name else ["event"])
        fits = self.truth(depth - 1)
        self.event_names = hidden
        match self.pick(0, 1, 2, 3):
            case 0:
                return f"happened('{name}', {fits})"
            case 1:
                return f"count('{name}', {fits}) {self.pick('==', '>')} {self.pick(0, 1, 2)}"
            case 2:
                return f"count('{name}', {fits}, '{self.pick('1 month', '24 hours', '30 days')}') > {self.pick(0, 1)}"
            case _:
                return f"last('{name}', {fits}).id == '{self.pick('e0', 'e1')}'"
