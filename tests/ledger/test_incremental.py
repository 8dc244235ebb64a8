"""Whatever is entered, in whatever order, while time passes: what was stored step by step is what is built anew.

Entries are drawn from the vocabulary itself, for the tests' own place and for the first town's books, so that every kind of
entry the books have is met with data that nobody thought of.
"""

from __future__ import annotations

import random
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from sewershed.ledger import actions, clock, law, log, rights, working
from sewershed.ledger.errors import Refused
from sewershed.ledger.models import Thing
from sewershed.ledger.records import LogRecords
from sewershed.ledger.verify import verify
from sewershed.project.founding import init
from sewershed.rules.entering import Entering, check_event, check_facts
from sewershed.rules.record import Row, offices_in
from sewershed.rules.types import Type
from sewershed.rules.vocabulary import Fact
from tests.ledger.conftest import close, found
from tests.trials import trials

START = datetime(2024, 1, 2, 15, 0, tzinfo=UTC)
FEWEST = 8  # rows, so that a series says something
STEPS = 40


class Drawn:
    """Draws entries for a town and enters them."""

    def __init__(self, seed: int) -> None:
        self.draw = random.Random(seed)
        self.now = START
        self.vocabulary = law.in_force().vocabulary
        self.admin = rights.owner()
        book = law.in_force().library.law(law.in_force().book_id)
        wanted = [name for name in (*book.duties_on, *book.standards_on, *book.lives_of) if name != "town"]
        self.types = sorted(self.draw.sample(sorted(set(wanted)), min(4, len(set(wanted)))))
        for name in self.types:  # and what these must point at
            needed = [fact.type.to for fact in self.vocabulary.things[name].facts.values() if fact.required]
            self.types += [to for to in needed if to and to not in self.types]
        judged = {
            office
            for known in self.judged().values()
            for fact in known.values()
            for office in offices_in(fact.judged_by)
        }
        roles = law.in_force().book.roles
        self.offices = sorted(judged & set(roles)) or sorted(roles)[:2]

    def judged(self) -> dict[str, dict[str, Fact]]:
        """Returns what is left to a person, by the type of thing: facts of it, and data of its events."""
        found: dict[str, dict[str, Fact]] = {}
        for name in self.types:
            found[name] = {fact.name: fact for fact in self.vocabulary.things[name].facts.values() if fact.judged_by}
        for event in self.vocabulary.events.values():
            for fact in event.data.values() if event.on in self.types else ():
                if fact.judged_by:
                    found[event.on][f"{event.name}.{fact.name}"] = fact
        return found

    def step(self) -> None:
        self.now += timedelta(minutes=self.draw.choice((1, 7, 60, 60 * 24, 60 * 24 * 40)))
        with clock.at(self.now):
            ways = (
                self.thing,
                self.facts,
                self.event,
                self.event,
                self.event,
                self.correct,
                self.withdraw,
                self.office,
            )
            self.draw.choice((*ways, self.decide))()

    def thing(self) -> None:
        kind = self.draw.choice(self.types)
        required = [name for name, fact in self.vocabulary.things[kind].facts.items() if fact.required]
        said = {name: self.value(self.vocabulary.things[kind].facts[name].type) for name in required}
        self.enter(actions.set_facts, "", {**said, **self.some_facts(kind)}, type=kind)

    def facts(self) -> None:
        for thing in self.some_thing():
            day = self.draw.choice(("", self.day(), self.day(ahead=30)))
            self.enter(actions.set_facts, thing.id, self.some_facts(thing.type), day=day)

    def event(self) -> None:
        for thing in self.some_thing():
            kinds = [event for event in self.vocabulary.events.values() if event.on == thing.type]
            if not kinds:
                continue
            kind = self.draw.choice(kinds)
            data = {name: self.value(f.type) for name, f in kind.data.items() if f.required or self.draw.random() < 0.6}
            self.enter(actions.record, kind.name, thing.id, at=self.at(kind.precision), data=data, **self.who())

    def office(self) -> None:
        """Somebody turns out to have taken up an office, on whatever day."""
        person = self.draw.choice(("ann", "bob"))
        if not Thing.objects.filter(id=person, is_gone=False).exists():
            self.enter(actions.set_facts, person, {"name": person}, type="person")
        until = self.draw.choice((None, None, self.day()))
        data = {"office": self.draw.choice(self.offices), "from": self.day(), "until": until}
        self.enter(actions.record, "office_held", person, at=self.day(), data=data)

    def who(self) -> dict[str, str]:
        """Returns who did something, in which office, where anybody says so."""
        there = list(Thing.objects.filter(id__in=("ann", "bob"), is_gone=False).values_list("id", flat=True))
        person = self.draw.choice((*there, "", "")) if there else ""
        return {"performed_by": person, "office": self.draw.choice(("", self.draw.choice(self.offices)))}

    def decide(self) -> None:
        """Somebody, who may or may not, decides what is left to a person."""
        for thing in self.some_thing():
            known = self.judged().get(thing.type, {})
            if known:
                name = self.draw.choice(sorted(known))
                what = {"fact": name, "value": self.value(known[name].type), "because": "drawn"}
                self.enter(actions.decide, thing.id, at=self.at("either"), **what, **self.who())

    def correct(self) -> None:
        for row in self.some_row():
            at = self.at("day" if row.day else "instant") if row.at or row.day else None
            self.enter(actions.correct, row.id, why="drawn", at=at)

    def withdraw(self) -> None:
        for row in self.some_row():
            self.enter(actions.withdraw, row.id, why="drawn")

    def enter(self, action, *what, **how) -> None:
        with suppress(Refused):  # there is none to point at, a name is missing, it lies ahead
            action(*what, as_account=self.admin, **how)

    def some_thing(self) -> list[Thing]:
        things = list(Thing.objects.filter(type__in=self.types, is_gone=False).order_by("began"))
        return [self.draw.choice(things)] if things else []

    def some_row(self) -> list[log.Row]:
        rows = [row for row in log.select("position > 2") if row.kind != "void"]
        return [self.draw.choice(rows)] if rows else []

    def some_facts(self, kind: str) -> dict[str, object]:
        known = [fact for fact in self.vocabulary.things[kind].facts.values() if not (fact.derived or fact.judged_by)]
        return {fact.name: self.value(fact.type) for fact in known if self.draw.random() < 0.4}

    def day(self, ahead: int = 0) -> str:
        back = self.draw.randrange(-ahead, 400) if ahead else self.draw.randrange(0, 400)
        return (self.now - timedelta(days=back, hours=12)).date().isoformat()

    def at(self, precision: str) -> str:
        if precision == "day" or (precision == "either" and self.draw.random() < 0.5):
            return self.day()
        return (self.now - timedelta(minutes=self.draw.choice((0, 5, 90, 60 * 30, 60 * 24 * 100)))).isoformat()

    def value(self, kind: Type) -> object:
        draw = self.draw
        if draw.random() < 0.1 and kind.kind != "ref":
            return None
        match kind.kind:
            case "bool":
                return draw.random() < 0.5
            case "number" | "money":
                return draw.choice(("0", "1", "999", "1000", "1001", "14.5", "25000"))
            case "choice":
                return draw.choice(kind.words)
            case "date":
                return self.day(ahead=200)
            case "instant":
                return self.at("instant")
            case "moment":
                return self.at("either")
            case "ref":
                there = list(Thing.objects.filter(type=kind.to, is_gone=False).values_list("id", flat=True))
                return draw.choice(there) if there else None
            case "list":
                return [self.value(kind.item) for _ in range(draw.randrange(3))] if kind.item else []
            case "record":
                return {name: self.value(sub) for name, sub in kind.fields}
            case "text":
                return draw.choice(("a", "b", "x1"))
        return None


def check_read_alike() -> None:
    """The engine's own reading of what was entered gives the same values as the ledger's reading of the log."""
    running = law.in_force()
    types = dict(Thing.objects.values_list("id", "type"))
    records = LogRecords(running.reader)
    typed = {row.id: row for thing in types for row in records.rows_of(thing)}  # of a decision, as what is decided
    for row in log.select("kind <> 'void'"):
        read, said = typed[row.id], running.reader.present_data(row)
        bare = Row("x", row.kind, row.name if row.kind == "event" else "", row.thing)
        when = row.at or row.day or None
        entering, kind = Entering(running.vocabulary, running.book.zone), types[row.thing]
        if row.kind == "event":
            again = check_event(entering, kind, bare, said, when, None)
        else:
            again = check_facts(entering, kind, bare, said, when)
        assert again.moment == read.moment
        assert {k: v for k, v in again.data.items() if v is not None} == {
            k: v for k, v in read.data.items() if v is not None
        }


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(trials(60)))
@pytest.mark.parametrize("place", ["yards", "first town"])
def test_step_by_step_is_as_built_anew(place: str, seed: int, tmp_path: Path, django_db_blocker) -> None:
    with django_db_blocker.unblock():
        if place == "yards":
            found(tmp_path / "town", "sqlite:town.db", START)
        else:
            init("us.nc.spring_hope", tmp_path / "town", example_now=START)
        drawn = Drawn(seed)
        step = -1
        while step < STEPS - 1 or (
            log.head().position <= FEWEST and step < 20 * STEPS
        ):  # much of what is drawn is refused
            step += 1
            drawn.step()
            if step % 10 == 9:
                with clock.at(drawn.now + timedelta(days=drawn.draw.choice((0, 0, 1, 45, 400)))):
                    differences = working.recompute().differences
                assert differences == (), f"after step {step} at {drawn.now}: {differences}"
                drawn.now = max(drawn.now, datetime.fromisoformat(str(Thing.objects.get(id="town").computed_at)))
        assert verify().is_sound
        check_read_alike()
        assert log.head().position > FEWEST, drawn.types
        close()
