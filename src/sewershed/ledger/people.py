"""Offices and who holds them, and who it is that a duty means (docs/explanation/the-record.md).

An office is a word of the book's roles: what counts in law. It is held by rows `office_held` on persons. A duty's `who`
is an office; whose person that is on a day is found by an assignment, by a path of the vocabulary, or by the holders.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from sewershed.ledger import canonical, standing
from sewershed.ledger import log as logbook
from sewershed.rules.history import DECIDED
from sewershed.rules.vocabulary import Vocabulary

OFFICE_HELD, ASSIGNED = "office_held", "assigned"
ORDER = ("principal", "backup", "designee")
NOBODY = "nobody found"
RowsOf = Callable[[str], Sequence[logbook.Row]]
_PATH = re.compile(r"[a-z_]+(\.[a-z_]+)+\Z")


@dataclass(frozen=True, slots=True)
class Holding:
    """A person in an office: from a day, to a day, in person or for another."""

    person: str
    office: str
    as_: str
    first: date
    last: date | None
    paper: str
    row: str

    def is_on(self, day: date) -> bool:
        """Tells whether it runs on a day. Edge: its first and its last day belong to it."""
        return self.first <= day and (self.last is None or day <= self.last)


@dataclass(frozen=True, slots=True)
class Who:
    """Whom an office means on a day: the persons, the principal first, and how they were found; none: `note` says so."""

    office: str
    persons: tuple[str, ...]
    how: str  # assigned, path, holder, or nothing

    @property
    def note(self) -> str:
        """Returns the words for the line where nobody was found."""
        return "" if self.persons else f"{self.office}: {NOBODY}"


def holdings(known_at: str = "") -> list[Holding]:
    """Returns every holding of an office that stands, or stood as far as was known at an instant."""
    found = []
    rows = logbook.select_list(
        "(kind = 'event' AND name = %s)"
        " OR (voids <> '' AND voids IN (SELECT id FROM log WHERE kind = 'event' AND name = %s))",
        [OFFICE_HELD, OFFICE_HELD],
    )
    for chain in standing.chains(one for one in rows if not known_at or one.recorded_at <= known_at):
        if chain.is_void:
            continue
        content = chain.content
        data = canonical.read(content.data)
        day = standing.day_of(content)
        first = date.fromisoformat(data["from"]) if data.get("from") else day
        if first is None:
            continue
        last = date.fromisoformat(data["until"]) if data.get("until") else None
        as_ = data.get("as") or ORDER[0]
        found.append(Holding(content.thing, data["office"], as_, first, last, data.get("paper") or "", chain.root.id))
    return found


def holders(office: str, day: date, known: Sequence[Holding] | None = None) -> tuple[str, ...]:
    """Returns the persons in an office on a day, principals first, each once."""
    on = [one for one in (holdings() if known is None else known) if one.office == office and one.is_on(day)]
    return tuple(dict.fromkeys(one.person for one in sorted(on, key=lambda one: (ORDER.index(one.as_), one.first))))


def offices(person: str, day: date, known: Sequence[Holding] | None = None) -> frozenset[str]:
    """Returns the offices that a person holds on a day."""
    return frozenset(
        one.office for one in (holdings() if known is None else known) if one.person == person and one.is_on(day)
    )


def judging(vocabulary: Vocabulary) -> frozenset[str]:
    """Returns the events that decide, or hold what a person decides: whether that counts hangs on who did it."""
    judged = (name for name, kind in vocabulary.events.items() if any(one.judged_by for one in kind.data.values()))
    return frozenset((DECIDED, *judged))


def acted_in_offices(persons: Iterable[str], vocabulary: Vocabulary) -> list[str]:
    """Returns the things about which persons did something that counts, or not, by the offices that they held."""
    found: dict[str, None] = {}
    names = sorted({old for name in judging(vocabulary) for old in (name, *vocabulary.events[name].was)})
    for chunk in logbook.chunks(list(dict.fromkeys(persons))):
        places, events = (", ".join(["%s"] * len(one)) for one in (chunk, names))
        where = f"performed_by <> '' AND performed_by IN ({places}) AND (office <> '' OR name IN ({events}))"
        rows = logbook.select_list(where, [*chunk, *names])
        found.update(dict.fromkeys(row.thing for row in rows))
    return list(found)


def with_assignments(things: Iterable[str]) -> frozenset[str]:
    """Returns those of some things on which somebody was ever assigned."""
    found: set[str] = set()
    for chunk in logbook.chunks(list(things)):
        places = ", ".join(["%s"] * len(chunk))
        where = f"kind = 'event' AND name = %s AND thing IN ({places})"
        found.update(row.thing for row in logbook.select_list(where, [ASSIGNED, *chunk]))
    return frozenset(found)


class Finder:
    """Finds whom a thing itself names for an office on a day: by an assignment, or by a path of the vocabulary.

    It notes which other things it read and the next day on which the answer may be another, so that what is stored can be
    kept up to date.
    """

    def __init__(
        self, thing: str, kind: str, day: date, roles: Mapping[str, str], rows_of: RowsOf, *, is_assigned: bool
    ) -> None:
        self.thing = thing
        self.kind = kind
        self.day = day
        self.roles = roles
        self.rows_of = rows_of
        self.is_assigned = is_assigned  # somebody was assigned at some time: else its rows need not be read for that
        self.read: set[str] = set()
        self.next_day: date | None = None
        self._assignments: list[standing.Chain] | None = None
        self._followed: dict[str, str] = {}
        self._persons: dict[tuple[str, str], str] = {}
        self._stands: dict[str, list[standing.Chain]] = {}

    def person(self, rule: str, office: str) -> str:
        """Returns the person, or nothing where the thing names none and the holders of the office are meant."""
        asked = (rule, office)
        if asked not in self._persons:
            self._persons[asked] = self._person(rule, office)
        return self._persons[asked]

    def _person(self, rule: str, office: str) -> str:
        person = self.assigned(rule)
        path = self.roles.get(office, "")
        if person or not _PATH.match(path):
            return person
        if path not in self._followed:
            self._followed[path] = self._follow(path)
        return self._followed[path]

    def assigned(self, rule: str) -> str:
        """Returns the person to whom the thing, or one rule on it, is assigned; the latest assignment counts.

        Edge: an assignment runs from its day to `until`, both within it. One that names a rule goes before one that does not.
        """
        best: tuple[bool, date, int] | None = None
        person = ""
        if not self.is_assigned:
            return person
        if self._assignments is None:
            stands = self._standing(self.thing)
            self._assignments = [chain for chain in stands if chain.content.name == ASSIGNED]
        for chain in self._assignments:
            row = chain.content
            data, first = canonical.read(row.data), standing.day_of(row)
            what, last = data.get("what") or "", _day(data.get("until"))
            if first is None or what not in ("", rule):
                continue
            self._changes_on(first)
            self._changes_on(last + timedelta(days=1) if last else None)
            rank = (bool(what), first, chain.root.position)
            if first <= self.day and (last is None or self.day <= last) and (best is None or rank > best):
                best, person = rank, str(data.get("to") or "")
        return person

    def _follow(self, path: str) -> str:
        """Returns the id at the end of a path such as `assembly.premises.owner`, or nothing where a step is not known."""
        first, *steps = path.split(".")
        thing = self.thing
        if first != self.kind:
            return ""
        for step in steps:
            reached = standing.facts_on(thing, self.day, self._standing(thing)).get(step)
            if not isinstance(reached, str) or not reached:
                return ""
            thing = reached
        return thing

    def _standing(self, thing: str) -> list[standing.Chain]:
        if thing not in self._stands:
            stands = self._stands[thing] = standing.standing_about(thing, self.rows_of(thing))
            if thing != self.thing:
                self.read.add(thing)
            for chain in stands:
                if chain.content.kind == "facts":
                    self._changes_on(standing.day_of(chain.content))
        return self._stands[thing]

    def _changes_on(self, day: date | None) -> None:
        if day is not None and day > self.day and (self.next_day is None or day < self.next_day):
            self.next_day = day


def who(thing: str, kind: str, rule: str, office: str, day: date, roles: Mapping[str, str]) -> Who:
    """Returns whom an office means for a rule on a thing on a day.

    Refuses: nothing; where nobody is found its `note` says so, and the line shows it.
    """
    finder = Finder(thing, kind, day, roles, standing.rows_about, is_assigned=True)
    if person := finder.assigned(rule):
        return Who(office, (person,), "assigned")
    if person := finder.person(rule, office):
        return Who(office, (person,), "path")
    found = holders(office, day)
    return Who(office, found, "holder" if found else "")


def _day(text: str | None) -> date | None:
    return date.fromisoformat(text) if text else None
