"""Adopting a supplement: what would change, in sentences, and then a row (docs/explanation/the-record.md)."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from sewershed.ledger import canonical, clock, comparing, law, rights, supplements
from sewershed.ledger import log as logbook
from sewershed.ledger.entry import Entry, Recorded, event_columns, facts_columns
from sewershed.ledger.errors import Refused
from sewershed.ledger.law import Law
from sewershed.ledger.log import Draft
from sewershed.ledger.models import Account
from sewershed.ledger.models import Thing as ThingRow
from sewershed.ledger.records import TOWN_TYPE

TOWN_ID = "town"  # the id of the town itself in its own record


@dataclass(frozen=True, slots=True)
class Plan:
    """What adopting a supplement would do: to the entries, and to every obligation and finding."""

    supplement: str
    before: str  # the supplement it would follow; empty for the first
    head: logbook.Head
    entries: tuple[str, ...]  # sentences
    consequences: tuple[str, ...]  # sentences
    unreadable: tuple[str, ...] = ()  # what of the record could not be read under it: it cannot be adopted

    @property
    def hash(self) -> str:
        """Returns what the approval is bound to."""
        said = [self.supplement, self.before, *self.entries, *self.consequences, *self.unreadable]
        return hashlib.sha256(canonical.write(said).encode()).hexdigest()


def plan(parts: Mapping[str, bytes], *, as_account: Account, progress: Callable[[int], None] | None = None) -> Plan:
    """Returns what adopting a supplement would change, without changing anything.

    Refuses: an account that may not administer; books that do not load, or whose words of papers do not fit the papers. Rows that could not be read under the new
    vocabulary are named in the plan, which then cannot be approved.

    Args:
        parts: the supplement's files, from `supplements.gather`.
        as_account: who asks.
        progress: told how many things have been compared.
    """
    rights.require(as_account, "administer", rights.EVERY)
    digest = supplements.keep(parts)
    supplements.check_forms(digest)
    head = logbook.head()
    before = law.in_force()
    after = Law(digest, before.book_id)
    unreadable = hindrances(before, after)
    if unreadable:
        return Plan(digest, before.supplement, head, (), (), tuple(unreadable))
    if digest == before.supplement:
        return Plan(digest, before.supplement, head, (), ())
    entries = comparing.entries(before, after)
    consequences = comparing.consequences(before, after, clock.now(), progress)
    return Plan(digest, before.supplement, head, tuple(entries), tuple(consequences))


def adopt(approved: Plan, *, as_account: Account, number: str = "", source: str = "command") -> Recorded:
    """Adopts a supplement whose plan was approved: a row on the town, and everything is worked out anew.

    Edge: rows entered since the plan was made do not hinder it, as long as they can be read under the new vocabulary.

    Refuses: a supplement under which a row of the log cannot be read, naming the rows; one that runs already; a plan made
    against another supplement than the one that runs.

    Args:
        approved: the plan.
        as_account: who adopts it.
        number: the number of the supplement, as the codifier has it.
        source: how it came.

    Raises:
        Refused: with the reason.
        NotAllowed: for the account.
    """
    rights.require(as_account, "administer", rights.EVERY)
    with logbook.writing() as pen:
        entry = Entry.begin(as_account, pen)
        if approved.before != entry.law.supplement:
            raise Refused("another supplement was adopted since this plan was made: make the plan again")
        if approved.supplement == entry.law.supplement:
            raise Refused("this supplement runs already: there is nothing to adopt")
        after = Law(approved.supplement, entry.law.book_id)
        unreadable = hindrances(entry.law, after)
        if unreadable:
            raise Refused(["the record cannot be read under this supplement:", *unreadable])
        said = {"hash": approved.supplement} | ({"number": number} if number else {})
        kind = entry.law.vocabulary.events[supplements.ADOPTED]
        columns = event_columns(entry, kind, supplements.ADOPTED, town_id(), clock.now(), said, (), "", "", "exact", "")
        row = entry.append(id=logbook.new_id(), source=source, **columns)
        ThingRow.objects.update(is_stale=True)
        return entry.done(row)


def hindrances(before: Law, after: Law) -> list[str]:
    """Returns why a supplement cannot follow another: names that would mean something else, rows that cannot be read."""
    words = after.library.vocabulary
    return [*comparing.changed_types(before.library.vocabulary, words), *supplements.unreadable(words)]


def found(digest: str, facts: Mapping[str, Any], account: Account) -> None:
    """Enters the first two rows of a record: the town itself, and the supplement it begins with.

    Refuses: a log that has rows.
    """
    book_id = clock.current_town().book
    first = Law(digest, book_id)
    with logbook.writing() as pen:
        if pen.head.position:
            raise Refused("the log has rows: the town has begun already")
        entry = Entry.begin(account, pen, running=first)
        town = facts_columns(entry, entry.checks.thing_type(TOWN_TYPE), TOWN_ID, facts, "", is_new=True)
        kind = entry.checks.event_type(supplements.ADOPTED, TOWN_TYPE)
        adopted = event_columns(
            entry,
            kind,
            supplements.ADOPTED,
            TOWN_ID,
            clock.now(),
            {"hash": digest, "number": "1"},
            (),
            "",
            "",
            "exact",
            "",
        )
        drafts = [
            Draft(id=logbook.new_id(), recorded_by=account.name, source="command", **columns)
            for columns in (town, adopted)
        ]
        entry.append_all(drafts)


def town_id() -> str:
    """Returns the id of the town itself in its record."""
    town = ThingRow.objects.filter(type=TOWN_TYPE, is_gone=False).order_by("began").first()
    if town is None:
        raise Refused("the record has no thing of type town; run `sewershed doctor`")
    return town.id
