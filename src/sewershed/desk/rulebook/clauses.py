"""A clause of the text: what it says, what became of it, and every entry that carries it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.urls import reverse

from sewershed.desk.shell.parts import Link
from sewershed.ledger import ordinance
from sewershed.ledger.law import Law
from sewershed.ledger.ordinance import Carrier, Passage
from sewershed.ledger.papers import KINDS


@dataclass(frozen=True, slots=True)
class ClauseLine:
    """A clause in a list: where it stands, what it says, what became of it and what carries it."""

    id: str
    cite: str
    means: str
    status: str  # the word of the register
    said: str
    carriers: tuple[Link, ...]


def clause_line(place: Passage, running: Law) -> ClauseLine:
    """Returns a clause as a line of a list."""
    return ClauseLine(place.id, place.cite, place.means, place.status, place.said, tuple(carriers_of(place, running)))


def carriers_of(place: Passage, running: Law) -> Iterator[Link]:
    """Yields what carries a clause, each with its page where it has one; entries that say so themselves come last."""
    for one in place.carriers:
        yield Link(one.said, _url(one))
    named = {one.name for one in place.carriers}
    every = running.library.entries(running.book_id)
    yield from (Link(every[one].means, entry_url(one)) for one in place.entries if one not in named and one in every)


def entry_url(entry: str) -> str:
    """Returns the address of the page of an entry."""
    return reverse("rulebook_entry", args=[entry])


def clause_url(clause: str) -> str:
    """Returns the address of the page of a clause."""
    return reverse("rulebook_clause", args=[clause])


def _url(carrier: Carrier) -> str:
    match carrier.kind:
        case "entry":
            return entry_url(carrier.name)
        case "doubt":
            return reverse("doubt", args=[carrier.name])
        case "paper":
            return f"{reverse('documents')}?kind={carrier.name}" if carrier.name in KINDS else ""
        case "role":
            return reverse("town_people")
        case "fact" | "event" | "thing":
            return reverse("register", args=[carrier.thing]) if carrier.thing else ""
    return ""


def beside(place: Passage, running: Law) -> tuple[Link | None, Link | None]:
    """Returns the clauses before and after one in the order of the text."""
    order = list(ordinance.passages(running).values())
    at = order.index(place)
    before = order[at - 1] if at else None
    after = order[at + 1] if at + 1 < len(order) else None
    return _link(before), _link(after)


def _link(place: Passage | None) -> Link | None:
    return Link(place.cite, clause_url(place.id), place.means) if place else None
