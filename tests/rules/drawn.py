"""Books and records drawn at random, for trials of the engine: entries of every kind, rows of every kind.

Everything is drawn through `random.Random`, which Hypothesis can stand in for, so that a failing example is made small.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from functools import lru_cache
from pathlib import Path
from random import Random
from zoneinfo import ZoneInfo

from sewershed.rules.doors import provider
from sewershed.rules.library import Library, Program, load
from sewershed.rules.moments import end_of, start_of
from sewershed.rules.record import Moment, RecordsInMemory, Row
from sewershed.rules.types import Thing, Type, Value
from sewershed.rules.vocabulary import SAMPLE_RESULT, Fact
from sewershed.rules.world import World

HERE = Path(__file__).parent
VOCABULARY = HERE.parent / "cases" / "engine" / "vocabulary" / "vocabulary.toml"
ZONE = ZoneInfo("America/New_York")
BOOKS = 180  # so many books are drawn; records are drawn for one of them

THINGS = {"t": "town", "s1": "street", "s2": "street", "h1": "house", "h2": "house", "u1": "user", "p1": "permit",
          "pi1": "pipe", "pi2": "pipe"}  # fmt: skip
_STATE = 'id = "state"\nname = "State"\nedition = "1"\n[roles]\nowner = "owner"\ndirector = "director"\n'
_TOWN = """
id = "town"
name = "Town"
parent = "state"
time_zone = "America/New_York"
edition = "1"
[holidays]
base = "US"
[clock]
fiscal_year_start = "07-01"
month_end = "MONTH_END"
unsaid_days = { read = "calendar", doubt = "D-DAYS" }
"""
_UNSAID = """
[[doubt]]
id = "D-DAYS"
about = [ABOUT]
choices = ["calendar", "business"]
settle_by = "director"
means = "which days"
"""
# Which entry gives a fact that others name.
_GIVES = {
    "house.state": "life.house", "house.passed_on": "life.house", "permit.state": "life.permit",
    "permit.expires_on": "life.permit", "street.long": "val.long", "house.kind": "val.kind",
    "house.needs": "val.strongest", "house.minutes": "val.table", "house.busy": "calc.busy",
}  # fmt: skip


@provider(asks={"at_least": {"type": "number"}}, result={"type": "bool"})
def busy(asks, view, thing, moment):
    """Tells whether a house had enough notices in the month before."""
    day = moment.astimezone(ZONE).date() if isinstance(moment, datetime) else moment
    count = sum(1 for one in view.events(thing, ("notice",)) if day - timedelta(days=30) < one.day <= day)
    return count >= asks["at_least"], (f"{count} notices in 30 days",)


# --------------------------------------------------------------------------- books


def _blocks(text: str) -> dict[str, str]:
    """Returns the entries of a file as text, by their ids."""
    blocks = re.split(r"(?m)^(?=\[\[)", text)[1:]
    return {re.search(r'(?m)^id = "(.+)"$', block)[1]: block for block in blocks}


SHELF = _blocks((HERE / "shelf" / "town.toml").read_text("utf-8"))
STATE = _blocks((HERE / "shelf" / "state.toml").read_text("utf-8"))


def with_needs(ids: Iterable[str]) -> frozenset[str]:
    """Returns entries with all that they rest on."""
    found, waiting = set(), list(ids)
    while waiting:
        one = waiting.pop()
        if one in found:
            continue
        found.add(one)
        waiting += [other for other in SHELF if re.search(rf"""["']{re.escape(other)}["']""", SHELF[one])]
        waiting += [entry for fact, entry in _GIVES.items() if re.search(rf"\b{re.escape(fact)}\b", SHELF[one])]
    return frozenset(found)


@dataclass(frozen=True)
class Drawn:
    """One book of drawn entries."""

    ids: frozenset[str]
    library: Library
    text: str
    month_end: str


def book_of(
    ids: Iterable[str], month_end: str = "clamp", *, extra: str = "", texts: Mapping[str, str] | None = None
) -> Drawn:
    """Returns the book of some entries of the shelf, with all that they rest on, below the state's.

    Args:
        ids: of the entries.
        month_end: what the book's clock says of short months.
        extra: further entries, as text.
        texts: entries that take the place of those of the shelf, by id.
    """
    chosen = with_needs(ids)
    text = "\n".join({**SHELF, **(texts or {})}[one] for one in sorted(chosen)) + extra
    above = "\n".join(STATE[one] for one in STATE if f'"{one}"' in text)
    with tempfile.TemporaryDirectory() as folder:
        state, town = Path(folder) / "state", Path(folder) / "town"
        for shelf in (state, town):
            shelf.mkdir()
        (state / "rulebook.toml").write_text(_STATE, "utf-8")
        (state / "state.toml").write_text(above, "utf-8")
        (town / "rulebook.toml").write_text(_TOWN.replace("MONTH_END", month_end), "utf-8")
        about = ", ".join(f'"{one}"' for one in sorted(chosen))
        (town / "town.toml").write_text(text + _UNSAID.replace("ABOUT", about), "utf-8")
        library = load([Program(VOCABULARY, (), (busy,))], [state, town])
    return Drawn(chosen, library, text + above, month_end)


@lru_cache(maxsize=BOOKS)
def book(number: int) -> Drawn:
    """Returns the drawn book of a number: some entries; the first has all of them."""
    random = Random(number)
    every = sorted(SHELF)
    ids = every if number == 0 else [every[number % len(every)], *random.sample(every, random.choice((0, 1, 2, 5)))]
    return book_of(ids, random.choice(("clamp", "roll")))


# --------------------------------------------------------------------------- records

_DAYS = [date(2024, *day) for day in ((1, 5), (1, 10), (1, 20), (1, 31), (2, 1), (2, 9), (2, 29), (3, 1), (3, 5), (3, 9), (3, 10),
         (3, 11), (3, 15), (3, 31), (4, 1), (4, 10), (5, 1), (6, 30), (7, 4), (11, 3))]  # fmt: skip
_HOURS = ("00:00", "07:05", "10:00", "16:00", "23:59")
_TEXTS = ("a", "b", "m1", "2024-01", "2024-02", "2024-03")
_ODD = (-1, Decimal("2.5"), 10**9)
_NUMBERS = (0, 1, 2, 5, 10, 12, 20, 31, 100, 150, 200)


@dataclass(frozen=True)
class Record:
    """What was recorded, and when somebody asks."""

    book: Drawn
    rows: tuple[Row, ...]
    as_of: datetime

    def world(
        self, *, as_of: datetime | None = None, known_at: datetime | None = None, rows: Sequence[Row] | None = None
    ) -> World:
        """Returns a new world over the record, or over a changed one."""
        records = RecordsInMemory(THINGS, self.rows if rows is None else rows, "t")
        return World(self.book.library, "town", records, as_of or self.as_of, known_at)


class Pen:
    """Draws the rows of one record."""

    def __init__(self, random: Random, book: Drawn) -> None:
        self.random, self.book = random, book
        vocabulary = book.library.books["town"].vocabulary
        self.vocabulary = vocabulary
        words = set(re.findall(r"\w+", book.text)) | ({SAMPLE_RESULT} if "[[limit]]" in book.text else set())
        events = [one for one in vocabulary.events.values() if one.on in THINGS.values() and one.name in words]
        self.events = random.sample(events, min(len(events), 6)) or [
            vocabulary.events["notice"]
        ]  # few, so that they meet
        self.facts = {
            thing: [fact for fact in vocabulary.things[kind].facts.values() if fact.name in words and not fact.derived]
            for thing, kind in THINGS.items()
        }
        self.doubts = list(book.library.doubts("town").values())
        self.rows: list[Row] = []
        self.days = random.sample(_DAYS, random.choice((2, 4, 8, 16)))

    def rows_drawn(self, size: int) -> tuple[Row, ...]:
        """Returns that many rows, more or less."""
        for thing in THINGS:
            self.write_facts(thing, None)
        for _ in range(size):
            self.random.choice(
                (
                    self.event,
                    self.event,
                    self.event,
                    self.event,
                    self.some_facts,
                    self.decide,
                    self.correct,
                    self.withdraw,
                )
            )()
        return tuple(self.rows)

    def put(self, row: Row) -> None:
        """Adds a row at the end of the log."""
        at = None
        if self.random.random() < 0.8:
            at = datetime(2024, 1, 1, tzinfo=UTC) + timedelta(days=5 * len(self.rows))
        self.rows.append(replace(row, id=f"r{len(self.rows)}", position=len(self.rows) + 1, recorded_at=at))

    def event(self) -> None:
        """Something happens."""
        kind = self.random.choice(self.events)
        things = [thing for thing, of in THINGS.items() if of == kind.on]
        things += things[:1] * 4  # most happens to one of them
        data = {name: self.value(fact) for name, fact in kind.data.items() if self.random.random() < 0.85}
        moment = self.moment(kind.precision)
        office = self.random.choice(("", "owner", "director"))
        contains = frozenset(self.random.sample(("map", "test"), self.random.choice((0, 1, 2))))
        self.put(
            Row("", "event", kind.name, self.random.choice(things), moment, data, office=office, contains=contains)
        )

    def some_facts(self) -> None:
        """The facts of a thing change, or turn out to be otherwise."""
        self.write_facts(self.random.choice(list(THINGS)), self.random.choice((None, *self.days)))

    def write_facts(self, thing: str, day: date | None) -> None:
        """Enters facts of a thing from a day."""
        known = [fact for fact in self.facts[thing] if not fact.judged_by and self.random.random() < 0.7]
        self.put(Row("", "facts", "", thing, day, {fact.name: self.value(fact) for fact in known}))

    def decide(self) -> None:
        """Somebody decides what is left to a person, settles a doubt, or closes the offices."""
        if self.random.random() < 0.2:
            until = self.random.choice((None, self.random.choice(self.days)))
            self.put(Row("", "event", "offices_closed", "t", self.random.choice(self.days), {"until": until}))
            return
        thing = self.random.choice(("h1", "h2", "u1", "t"))
        data: dict[str, Value] = {"because": "so"}
        if self.random.random() < 0.5:
            doubt = self.random.choice(self.doubts)
            data |= {"doubt": doubt.id, "reading": self.random.choice(doubt.choices)}
        elif THINGS[thing] == "house":
            data |= self.random.choice(({"fact": "sound", "value": True}, {"fact": "house.kind", "value": "odd"}))
        office = self.random.choice(("director", "director", "inspector", ""))  # to whom it is left, or not
        self.put(Row("", "event", "decided", thing, self.moment("either"), data, office=office))

    def correct(self) -> None:
        """A row is corrected; a withdrawn one comes back by it."""
        if (old := self.some_row()) is None:
            return
        what = self.random.choice(("same", "when", "data"))
        row = replace(old, replaces=old.id, voids="")
        if what == "when" and old.kind == "event":
            kind = self.vocabulary.events[old.name]
            row = replace(row, moment=self.moment(kind.precision))
        elif what == "when":
            row = replace(row, moment=self.random.choice((None, *self.days)))
        elif what == "data" and old.name != "decided":
            facts = (
                self.vocabulary.events[old.name].data
                if old.kind == "event"
                else {f.name: f for f in self.facts[old.thing]}
            )
            row = replace(row, data={name: self.value(facts[name]) for name in old.data})
        self.put(row)

    def withdraw(self) -> None:
        """A row is withdrawn."""
        if (old := self.some_row()) is not None:
            self.put(Row("", "void", old.name, old.thing, voids=old.id, why="a slip"))

    def some_row(self) -> Row | None:
        """Returns a row that says something, if there is one."""
        rows = [row for row in self.rows if row.kind != "void"]
        return self.random.choice(rows) if rows else None

    def moment(self, precision: str) -> Moment:
        """Returns a day or an instant."""
        day = self.random.choice(self.days)
        if precision == "day" or (precision != "instant" and self.random.random() < 0.5):
            return day
        hour, minute = map(int, self.random.choice(_HOURS).split(":"))
        return datetime(day.year, day.month, day.day, hour, minute, tzinfo=ZONE).astimezone(UTC)

    def value(self, fact: Fact) -> Value:
        """Returns a value of a fact; now and then: asked and not known."""
        return None if self.random.random() < 0.1 else self.of_type(fact.type, fact.name)

    def of_type(self, kind: Type, name: str = "") -> Value:
        """Returns a value of a type."""
        random = self.random
        match kind.kind:
            case "bool":
                return random.random() < 0.5
            case "number" | "money":
                return random.choice((*_NUMBERS, *_NUMBERS, Decimal("0.2"), Decimal("0.30"), *_ODD))
            case "choice":
                return random.choice(kind.words)
            case "date":
                if random.random() < 0.02:
                    return date.max  # as some write "never"
                return random.choice(self.days) + timedelta(days=random.choice((0, 0, 1, 30)))
            case "ref":
                return Thing(random.choice([one for one, of in THINGS.items() if of == kind.to] or ["none"]), kind.to)
            case "list":
                return tuple(self.of_type(kind.item) for _ in range(random.choice((0, 1, 2, 3))))
            case "record":
                return {part: self.of_type(of) for part, of in kind.fields if random.random() < 0.9}
            case _:
                return self.text(name)

    def text(self, name: str) -> str:
        """Returns a text that some condition may look for."""
        known = {
            "parameter": ("zinc", "bod", "ph"), "unit": ("mg/L", "ug/L", "standard_unit"), "qualifier": ("", "<", ">"),
            "method": ("m1", "m2"), "rule": ("act.by", "*"), "to_role": ("owner", "director"), "whom": ("a", "b", "c"),
        }  # fmt: skip
        return self.random.choice(known.get(name, _TEXTS))


def draw_record(random: Random, size: int = 40) -> Record:
    """Returns a drawn record under a drawn book, and a moment at which it is asked about."""
    drawn = book(random.randrange(BOOKS))
    pen = Pen(random, drawn)
    rows = pen.rows_drawn(random.choice((size // 8, size // 3, size // 2, size)))
    return Record(drawn, rows, asked_at(random, pen.days))


def asked_at(random: Random, days: Sequence[date]) -> datetime:
    """Returns a moment near one of some days, or some time after it: often its first or last second."""
    day = random.choice((max(days), random.choice(days))) + timedelta(
        days=random.choice((0, 0, 1, 5, 10, 20, 31, 60, 200))
    )
    where = random.choice(("start", "end", "noon"))
    if where == "start":
        return start_of(day, ZONE)
    return end_of(day, ZONE) if where == "end" else start_of(day, ZONE) + timedelta(hours=12)


def answers(world: World, things: Iterable[str] = THINGS) -> Mapping[str, object]:
    """Returns all that a world answers about things, but for what only counts days."""
    told: dict[str, object] = {}
    for thing in things:
        told[f"obligations {thing}"] = [replace(one, breach_days=0) for one in world.obligations(thing)]
        told[f"findings {thing}"] = [one if one.about else replace(one, day=None) for one in world.findings(thing)]
        told[f"facts {thing}"] = world.facts(thing)
    return told
