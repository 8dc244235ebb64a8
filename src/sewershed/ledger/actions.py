"""The only ways into the record (docs/explanation/the-record.md). Each checks, appends and returns what it did; nothing else writes.

Every action takes the account that acts, and refuses what its roles do not allow. Several compose into one transaction
inside `together()`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from sewershed.ledger import canonical, clock, files, law, numbers, rights, standing, things, working
from sewershed.ledger import log as logbook
from sewershed.ledger.accounts import ACCESS_CHANGED, change_account, note_access, open_account
from sewershed.ledger.adopting import adopt, town_id
from sewershed.ledger.batches import apply_batch, join, split, undo_batch
from sewershed.ledger.checks import reason
from sewershed.ledger.entry import (
    Entry,
    Recorded,
    again,
    check_id,
    checked_source,
    decided_doubt,
    decided_fact,
    event_columns,
    facts_columns,
    fresh_or,
    number_event,
    program_of_row,
    with_thing_number,
)
from sewershed.ledger.errors import NotFound, Refused
from sewershed.ledger.log import Head
from sewershed.ledger.models import Account
from sewershed.ledger.models import Thing as ThingRow
from sewershed.ledger.moments import moment_words
from sewershed.ledger.reading import CONTAINS, kept_apart
from sewershed.rules.record import Moment

together = logbook.writing  # several actions in one transaction: all of them, or none

# Happenings that have an action of their own, which does more than enter a row.
_OWN_ACTION = {
    "decided": "decide",
    "joined": "join",
    "split": "split",
    "supplement_adopted": "adopt",
    "batch_applied": "apply_batch",
    "batch_undone": "undo_batch",
    ACCESS_CHANGED: "change_account",
}
_KEPT_BY_A_CORRECTION = (things.ALIASES, things.SOURCE_ID)


class Stamp(NamedTuple):
    """What a paper must print of its own issue."""

    document: str
    number: str
    head: Head
    issued_at: str
    supplement: str


class Paper(NamedTuple):
    """A paper as rendered: as PDF and as data."""

    pdf: bytes
    data: bytes


# ------------------------------------------------------------------------------------------------ events and facts


def record(
    event: str,
    thing: str,
    *,
    as_account: Account,
    at: str | Moment,
    data: Mapping[str, Any] | None = None,
    performed_by: str = "",
    office: str = "",
    at_is: str = "exact",
    at_how: str = "",
    contains: Sequence[str] = (),
    source: str = "form",
    id: str = "",
) -> Recorded:
    """Records that something happened to a thing.

    Edge: an event at this very instant is taken, one a second later is not. The same id with the same content again
    changes nothing, so that what was entered offline may be sent twice.

    Refuses: what the vocabulary does not know or cannot read, what is after now, what the account may not record, events
    that have an action of their own.

    Raises:
        Refused: with every reason.
        NotAllowed: for the account.
        NotFound: for the thing.
    """
    if event in _OWN_ACTION:
        raise Refused(f"{event} is entered by the action {_OWN_ACTION[event]}")
    with together() as pen:
        entry = Entry.begin(as_account, pen)
        about = entry.thing(thing)
        kind = entry.checks.event_type(event, about.type)
        program = (kind.program if kind else "") or entry.program_of(about.type)
        rights.require(as_account, "correct" if event == things.RETIRED else "record", program)
        columns = event_columns(
            entry, kind, event, thing, at, data or {}, contains, performed_by, office, at_is, at_how
        )
        columns["source"] = checked_source(source)
        if before := again(entry, id, columns):
            return before
        number_event(entry, kind, about, columns)
        return entry.done(entry.append(id=fresh_or(id), **columns))


def set_facts(
    thing: str,
    facts: Mapping[str, Any],
    *,
    as_account: Account,
    type: str = "",
    day: str | Moment = "",
    aliases: Sequence[str] = (),
    source_id: str = "",
    performed_by: str = "",
    office: str = "",
    source: str = "form",
    why: str = "",
    id: str = "",
) -> Recorded:
    """Says facts of a thing, from a day on; without a day, for as long as it exists. A new thing begins with this.

    Edge: on the same day the later row wins. A fact given as None is asked and not known.

    Refuses: what the vocabulary does not know, facts that a person decides, a new thing without its required facts.

    Args:
        thing: its id; empty for a new thing that takes a fresh id.
        facts: by name, each as entered.
        as_account: who enters them.
        type: of a new thing.
        day: the first day on which they hold.
        aliases: other names of the thing.
        source_id: its id in the files it is imported from.
        performed_by: the person from whom they come.
        office: in which office of the law.
        source: how they came.
        why: a reason, where there is one to give.
        id: of the row, for those who may send it twice.

    Raises:
        Refused: with every reason.
        NotAllowed: for the account.
        NotFound: for a thing that is not there and has no type to begin with.
    """
    with together() as pen:
        entry = Entry.begin(as_account, pen)
        about = ThingRow.objects.filter(id=thing).first() if thing else None
        if about is not None and about.is_gone and not type:
            raise NotFound(f"there is no thing {thing!r} in the record, all its rows are void")
        if about is None and not type:
            raise NotFound(f"there is no thing {thing!r} in the record; give the type of a new one")
        if about is not None and type and type != about.type:
            raise Refused(f"{thing} is a {about.type}, not a {type}")
        kind = entry.checks.thing_type(about.type if about else type)
        rights.require(as_account, "record", entry.program_of(kind.name if kind else type))
        thing = thing or logbook.new_id()
        is_new = about is None or about.is_gone
        columns = facts_columns(entry, kind, thing, facts, day, is_new=is_new)
        entry.who(performed_by, office)
        check_id(entry, thing)
        entry.checks.refuse()
        written = canonical.read(columns["data"])
        if aliases:
            written[things.ALIASES] = sorted(aliases)
        if source_id:
            written[things.SOURCE_ID] = source_id
        columns |= {
            "data": canonical.write(written), "performed_by": performed_by, "office": office, "why": why,
            "source": checked_source(source),
        }  # fmt: skip
        if before := again(entry, id, columns):
            return before
        if kind and kind.series and not kind.numbered_by and is_new and about is None:
            columns["data"] = with_thing_number(kind.name, kind.series, columns)
        return entry.done(entry.append(id=fresh_or(id), **columns))


def correct(
    row: str,
    *,
    as_account: Account,
    why: str,
    data: Mapping[str, Any] | None = None,
    without: Sequence[str] = (),
    at: str | Moment | None = None,
    thing: str | None = None,
    performed_by: str | None = None,
    office: str | None = None,
    at_is: str | None = None,
    at_how: str | None = None,
    aliases: Sequence[str] | None = None,
    source: str = "form",
) -> Recorded:
    """Replaces what a row says. What is not given stays as it was; the row itself stays in the log.

    Edge: a row that was withdrawn comes back by a correction.

    Refuses: a correction without a reason, one that changes nothing, or that would make it another kind of event; whatever
    could not be recorded.

    Args:
        row: any id of the chain.
        as_account: who corrects.
        why: the reason.
        data: fields that differ.
        without: fields to leave out, as never asked.
        at: when it really was; for facts the first day, empty for always.
        thing: the thing it was really about.
        performed_by: who really did it.
        office: in which office.
        at_is: how exact the time is.
        at_how: how it was estimated.
        aliases: of a facts row, the other names of the thing.
        source: how the correction came.

    Raises:
        Refused: with every reason.
        NotAllowed: for the account.
        NotFound: for the row or the thing.
    """
    with together() as pen:
        entry = Entry.begin(as_account, pen)
        chain = standing.chain_of(row)
        old = chain.content
        _refuse_own_action(old)
        about = entry.thing(thing) if thing is not None else ThingRow.objects.get(id=old.thing)
        verb = "decide" if old.name == "decided" else "correct"
        for kind_of in {about.type, ThingRow.objects.get(id=old.thing).type}:
            rights.require(as_account, verb, program_of_row(entry, old, kind_of))
        before = {key: value for key, value in entry.law.reader.present_data(old).items() if key not in without}
        by, in_office = _or(performed_by, old.performed_by), _or(office, old.office)
        exact, how = _or(at_is, old.at_is or "exact"), _or(at_how, old.at_how)
        moment = at if at is not None else (old.at or old.day)
        if old.kind == "facts":
            kind = entry.checks.thing_type(about.type)
            if entry.law.reader.type_named(old.name) != about.type:
                entry.checks.problems.append(f"facts of a {old.name} cannot be moved to a {about.type}")
            columns = facts_columns(entry, kind, about.id, data or {}, moment, before=before)
            entry.who(by, in_office)
            entry.checks.refuse()
            columns |= {"performed_by": by, "office": in_office}
        else:
            event = entry.law.reader.event_named(old.name)
            happened = entry.checks.event_type(event, about.type)
            columns = event_columns(
                entry, happened, event, about.id, moment, data or {}, before.pop(CONTAINS, ()), by, in_office, exact, how,
                before=before,
            )  # fmt: skip
        if at is None:
            columns["utc_offset"] = old.utc_offset
        kept = {name: value for name, value in kept_apart(old).items() if name in _KEPT_BY_A_CORRECTION}
        if aliases is not None:
            kept[things.ALIASES] = sorted(aliases)
        columns["data"] = canonical.write({**canonical.read(columns["data"]), **kept})
        if not chain.is_void and _says_the_same(old, columns):
            raise Refused("the row says all this already: nothing was changed, and no row was added")
        columns |= {"replaces": chain.rows[-1].id, "why": reason(why, "a correction"), "source": checked_source(source)}
        return entry.done(entry.append(id=logbook.new_id(), **columns))


def withdraw(row: str, *, as_account: Account, why: str, source: str = "form") -> Recorded:
    """Voids a row that should not have been entered. It stays in the log, and a later correction brings it back.

    Refuses: a withdrawal without a reason, and one of what is withdrawn already.

    Raises:
        Refused: with the reason.
        NotAllowed: for the account.
        NotFound: for the row.
    """
    with together() as pen:
        entry = Entry.begin(as_account, pen)
        chain = standing.chain_of(row)
        old = chain.content
        _refuse_own_action(old)
        rights.require(as_account, "withdraw", program_of_row(entry, old, ThingRow.objects.get(id=old.thing).type))
        if chain.is_void:
            last = chain.rows[-1]
            when = moment_words(canonical.read_instant(last.recorded_at), clock.current_town().zone)
            raise Refused(f"it was withdrawn on {when} by {last.recorded_by}: {last.why}")
        return entry.done(
            entry.append(
                id=logbook.new_id(), kind="void", thing=old.thing, voids=chain.rows[-1].id,
                why=reason(why, "a withdrawal"), source=checked_source(source),
            )
        )  # fmt: skip


def decide(
    thing: str,
    *,
    as_account: Account,
    because: str,
    at: str | Moment,
    fact: str = "",
    value: Any = None,
    doubt: str = "",
    reading: str = "",
    paper: str = "",
    performed_by: str = "",
    office: str = "",
    source: str = "form",
    id: str = "",
) -> Recorded:
    """Records what a person decided: a judged fact of a thing, or which reading of a doubt holds (on the town: for all).

    Refuses: a decision without its reason, of both or neither, of a fact that nobody judges, of a doubt or a reading that
    the books do not have.

    Raises:
        Refused: with every reason.
        NotAllowed: for the account.
        NotFound: for the thing.
    """
    with together() as pen:
        entry = Entry.begin(as_account, pen)
        about = entry.thing(thing)
        rights.require(as_account, "decide", entry.program_of(about.type))
        said: dict[str, Any] = {"because": reason(because, "a decision"), "paper": paper}
        if bool(fact) == bool(doubt):
            raise Refused("a decision is of a fact or of a doubt: give one of them")
        if fact:
            said |= decided_fact(entry, about, fact, value)
        else:
            said |= decided_doubt(entry, doubt, reading)
        kind = entry.law.vocabulary.events["decided"]
        said = {name: one for name, one in said.items() if one != ""}
        columns = event_columns(entry, kind, "decided", thing, at, said, (), performed_by, office, "exact", "")
        columns["source"] = checked_source(source)
        return again(entry, id, columns) or entry.done(entry.append(id=fresh_or(id), **columns))


def ask_private(thing: str, *, as_account: Account, because: str) -> Mapping[str, Any]:
    """Shows the private facts of a thing to somebody from outside, and records that they were asked for, and why.

    Refuses: to do so without a reason; confidential facts, which are for the program's staff, are not shown.

    Raises:
        Refused: with the reason.
        NotAllowed: for an account that may not see the thing at all.
        NotFound: for the thing.
    """
    with together() as pen:
        entry = Entry.begin(as_account, pen)
        about = entry.thing(thing)
        rights.require(as_account, "see", entry.program_of(about.type))
        said = {"about": thing, "because": reason(because, "asking for private values")}
        kind = entry.law.vocabulary.events["private_values_asked"]
        columns = event_columns(entry, kind, kind.name, town_id(), clock.now(), said, (), "", "", "exact", "")
        entry.append(id=logbook.new_id(), source="form", **columns)
        known = entry.law.vocabulary.things[about.type].facts
        return {
            name: value
            for name, value in standing.facts_on(thing, None).items()
            if name in known and known[name].private and not known[name].confidential
        }


# ------------------------------------------------------------------------------------------------ files and papers


def attach(
    about: str,
    content: bytes,
    *,
    as_account: Account,
    name: str,
    mime: str,
    caption: str = "",
    taken_at: str | Moment = "",
    taken_says: str = "",
    point: Mapping[str, Any] | None = None,
    source: str = "form",
    id: str = "",
) -> Recorded:
    """Keeps a file with a thing: a photograph, a sheet, a log. Returns the attachment, a thing of its own.

    Edge: a file of exactly the most bytes is taken.

    Refuses: an empty or too large file, one of a kind that is not kept, and one that is not what it claims.

    Raises:
        Refused: with the reason.
        NotAllowed: for the account.
        NotFound: for the thing.
    """
    files.check(content, mime)
    there = ThingRow.objects.filter(id=about, is_gone=False).first()
    if there is None:
        raise NotFound(f"there is no thing {about!r} in the record")
    kinds = law.in_force().vocabulary.things
    rights.require(as_account, "record", kinds[there.type].program if there.type in kinds else "")
    digest = files.store(content)  # before the row that names it, and for nobody who may not enter that
    with together() as pen:
        entry = Entry.begin(as_account, pen)
        rights.require(as_account, "record", entry.program_of(entry.thing(about).type))
        facts: dict[str, Any] = {
            "about": about, "file": digest, "name": name, "mime": mime, "size_bytes": len(content),
            "caption": caption or None, "taken_at": taken_at or None, "taken_says": taken_says or None, "point": point,
        }  # fmt: skip
        kind = entry.checks.thing_type("attachment")
        columns = facts_columns(
            entry, kind, id or logbook.new_id(), {k: v for k, v in facts.items() if v is not None}, "", is_new=True
        )
        entry.checks.refuse()
        return entry.done(entry.append(id=logbook.new_id(), source=checked_source(source), **columns))


def issue(
    kind: str,
    about: str,
    render: Callable[[Stamp], Paper],
    *,
    as_account: Account,
    template: str,
    at: str | Moment = "",
    signer: str = "",
    performed_by: str = "",
    office: str = "",
) -> Recorded:
    """Issues a paper: takes its number, renders it with that number on it, keeps it, and enters it, all or nothing.

    Edge: the first paper of a kind in a year has number 1.

    Refuses: a thing that is not there, and an account that may not issue. Where rendering fails no number is taken.

    Args:
        kind: what paper it is, such as "spill_report".
        about: the thing it is about.
        render: given the stamp, returns the paper; it is called under the lock, so it should take no longer than a letter.
        as_account: who issues it.
        template: the template it is written with.
        at: when it is issued; now, if left out.
        signer: who signs, as an office.
        performed_by: the person who issues it.
        office: in which office.

    Raises:
        Refused: with every reason.
        NotAllowed: for the account.
        NotFound: for the thing.
    """
    with together() as pen:
        entry = Entry.begin(as_account, pen)
        subject = entry.thing(about)
        rights.require(as_account, "issue", entry.program_of(subject.type))
        now = clock.now()
        document, series = logbook.new_id(), entry.law.vocabulary.things["document"].series or "{yy}-{n:03}"
        year = now.astimezone(clock.current_town().zone).year
        number, count = numbers.take(f"document {kind}", series, year)
        issued_at = canonical.instant_text(now)
        paper = render(Stamp(document, number, pen.head, issued_at, entry.law.supplement))
        facts = {
            "kind": kind, "about": about, "number": number, "sha256": files.store(paper.pdf),
            "data_sha256": files.store(paper.data), "supplement": entry.law.supplement, "template": template,
        }  # fmt: skip
        columns = facts_columns(entry, entry.checks.thing_type("document"), document, facts, "", is_new=True)
        entry.who(performed_by, office)
        entry.checks.refuse()
        kept = {numbers.THING_NUMBER: number, numbers.COUNTS: [count]}
        columns["data"] = canonical.write({**canonical.read(columns["data"]), **kept})
        entry.append(id=logbook.new_id(), source="form", **columns)
        issued = entry.checks.event_type("document_issued", "document")
        said = {"signer": signer} if signer else {}
        happened = event_columns(
            entry, issued, "document_issued", document, at or now, said, (), performed_by, office, "exact", ""
        )
        row = entry.append(id=logbook.new_id(), source="form", **happened)
        return Recorded(row.id, document, number, number, pen.head)


def _refuse_own_action(row: logbook.Row) -> None:
    """Refuses rows that only their own action may undo."""
    if row.name in ("supplement_adopted", "batch_applied", "batch_undone", "joined", ACCESS_CHANGED):
        others = {"supplement_adopted": "adopt another supplement", ACCESS_CHANGED: "change the account again"}
        other = others.get(row.name, "undo the batch")
        raise Refused(f"a row {row.name} is neither corrected nor withdrawn: {other}")


def _says_the_same(row: logbook.Row, columns: Mapping[str, Any]) -> bool:
    """Tells whether a correction would say what a row says already. Edge: 9.5 and 9.50 are not the same: other figures."""
    said = {name: value for name, value in canonical.read(row.data).items() if name not in numbers.KEPT}
    rest = (getattr(row, name) == value for name, value in columns.items() if name != "data")
    return said == canonical.read(columns["data"]) and all(rest)


def _or(given: str | None, before: str) -> str:
    return before if given is None else given


__all__ = [
    "Paper",
    "Recorded",
    "Stamp",
    "adopt",
    "apply_batch",
    "ask_private",
    "attach",
    "change_account",
    "correct",
    "decide",
    "issue",
    "join",
    "note_access",
    "open_account",
    "record",
    "set_facts",
    "split",
    "together",
    "undo_batch",
    "withdraw",
    "working",
]
