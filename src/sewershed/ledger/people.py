"""Offices and who holds them, and who it is that a duty means (DESIGN.md 4.4).

An office is a word of the book's roles: what counts in law. It is held by rows `office_held` on persons. A duty's `who`
is an office; whose person that is on a day is found by an assignment, by a path of the vocabulary, or by the holders.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from sewershed.ledger import canonical, standing
from sewershed.ledger import log as logbook

OFFICE_HELD, ASSIGNED = "office_held", "assigned"
ORDER = ("principal", "backup", "designee")
NOBODY = "nobody found"
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


def holdings() -> list[Holding]:
    """Returns every holding of an office that stands."""
    found = []
    for row in logbook.select_list("kind = 'event' AND name = %s AND replaces = ''", [OFFICE_HELD]):
        chain = standing.chain_of(row.id)
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


def assigned(thing: str, rule: str, day: date, stands: Sequence[standing.Chain] | None = None) -> str:
    """Returns the person to whom a thing, or one rule on it, is assigned on a day; the latest assignment counts.

    Edge: an assignment runs from its day to `until`, both within it. One that names a rule goes before one that does not.
    """
    known = standing.standing_about(thing) if stands is None else stands
    best: tuple[bool, date, int] | None = None
    person = ""
    for chain in known:
        row = chain.content
        if row.kind != "event" or row.name != ASSIGNED:
            continue
        data, from_day = canonical.read(row.data), standing.day_of(row)
        what = data.get("what") or ""
        until = date.fromisoformat(data["until"]) if data.get("until") else None
        if from_day is None or from_day > day or (until is not None and day > until) or what not in ("", rule):
            continue
        rank = (bool(what), from_day, chain.root.position)
        if best is None or rank > best:
            best, person = rank, str(data.get("to") or "")
    return person


def follow(path: str, thing: str, thing_type: str, facts: Callable[[str], Mapping[str, Any]]) -> str:
    """Returns the id at the end of a path such as `assembly.premises.owner`, or nothing where a step is not known.

    Args:
        path: begins with the type of the thing.
        thing: where it starts.
        thing_type: its type; a path of another type finds nothing.
        facts: gives the facts of a thing.
    """
    first, *steps = path.split(".")
    if first != thing_type:
        return ""
    for step in steps:
        reached = facts(thing).get(step)
        if not isinstance(reached, str) or not reached:
            return ""
        thing = reached
    return thing


def own_person(
    thing: str, thing_type: str, rule: str, office: str, day: date, roles: Mapping[str, str]
) -> tuple[str, str]:
    """Returns the person that a thing itself names for an office, and how: by an assignment or by a path of the book."""
    person = assigned(thing, rule, day)
    if person:
        return person, "assigned"
    path = roles.get(office, "")
    if _PATH.match(path):
        person = follow(path, thing, thing_type, lambda one: standing.facts_on(one, day))
        return person, "path" if person else ""
    return "", ""


def who(thing: str, thing_type: str, rule: str, office: str, day: date, roles: Mapping[str, str]) -> Who:
    """Returns whom an office means for a rule on a thing on a day.

    Refuses: nothing; where nobody is found its `note` says so, and the line shows it.
    """
    person, how = own_person(thing, thing_type, rule, office, day, roles)
    if person:
        return Who(office, (person,), how)
    found = holders(office, day)
    return Who(office, found, "holder" if found else "")
