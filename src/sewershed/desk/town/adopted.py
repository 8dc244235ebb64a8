"""The law that the town runs, and a newer one that it may adopt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sewershed.desk.town.models import KeptPlan
from sewershed.desk.town.queries import TOWN
from sewershed.ledger import (
    canonical,
    clock,
    law,
    queries,
    rights,
    supplements,
)
from sewershed.ledger.adopting import Plan
from sewershed.ledger.log import Head
from sewershed.ledger.models import Account
from sewershed.ledger.wording import words_of

MOST_COMPARED = 1000  # things over which two laws are compared while the page waits


@dataclass(frozen=True, slots=True)
class AdoptionShown:
    """A supplement that the town adopted."""

    number: str
    hash: str
    when: str
    by: str
    row: str
    is_running: bool


@dataclass(frozen=True, slots=True)
class BookShown:
    """A book of the town's line."""

    id: str
    name: str
    edition: str
    entries: int
    doubts: int


@dataclass(frozen=True, slots=True)
class LawShown:
    """The law that the town runs, how it came to it, and whether a newer one is installed."""

    adoptions: tuple[AdoptionShown, ...]
    books: tuple[BookShown, ...]
    is_newer_installed: bool


def law_shown(account: Account) -> LawShown:
    """Returns the law that the town runs."""
    rights.require(account, "see", TOWN)
    running, words = law.in_force(), words_of([])
    rows = supplements.adoptions()
    adoptions = [
        AdoptionShown(
            str(canonical.read(row.data).get("number", "")), digest[:12], words.moment(canonical.read_instant(row.recorded_at)),
            row.recorded_by, row.id, row is rows[-1][0],
        )
        for row, digest in rows
    ]  # fmt: skip
    books = [
        BookShown(one.id, one.name, one.edition, len(one.entries), len(one.doubts))
        for one in running.library.line(running.book_id)
    ]
    return LawShown(tuple(reversed(adoptions)), tuple(books), is_newer_installed())


def is_newer_installed() -> bool:
    """Tells whether other rulebooks are installed than those that run."""
    return supplements.hash_of(installed()) != law.in_force().supplement


def installed() -> dict[str, bytes]:
    """Returns the files of the supplement that would be adopted: the installed books, with the town's own."""
    town = clock.current_town()
    return supplements.gather(town.book, *supplements.installed(town.own_books))


def counts(account: Account) -> Mapping[str, int]:
    """Returns how many things there are of each type."""
    return queries.counts(as_account=account)


def is_large(account: Account) -> bool:
    """Tells whether the town is so large that comparing two laws over it is work for the worker."""
    return sum(counts(account).values()) > MOST_COMPARED


def plan_wanted() -> str:
    """Returns what is wanted by whoever asks what the installed books would change: the same text for the same."""
    return f"plan {supplements.hash_of(installed())} after {law.in_force().supplement}"


def kept_plan() -> Plan | None:
    """Returns what adopting the installed books would change, as it was worked out last, or None."""
    supplement, before = supplements.hash_of(installed()), law.in_force().supplement
    found = KeptPlan.objects.filter(supplement=supplement, before=before).first()
    if found is None:
        return None
    said = canonical.read(found.content)
    lists = (tuple(said[name]) for name in ("entries", "consequences", "unreadable"))
    return Plan(supplement, before, Head.read(said["head"]), *lists)
