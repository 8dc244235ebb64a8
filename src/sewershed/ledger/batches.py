"""Batches: rows that are entered together, from a file or by joining, and can be undone together (docs/explanation/the-record.md).

A plan is made outside any transaction and says line by line what would change. It is approved by its hash. Applying makes
nothing up: where rows on which the plan rests have changed, a plan is made again, and if it differs it goes back for
approval.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from sewershed.ledger import canonical, clock, law, numbers, rights, standing, things
from sewershed.ledger import log as logbook
from sewershed.ledger.adopting import town_id
from sewershed.ledger.checks import Checks, reason, when_columns
from sewershed.ledger.entry import Entry, Recorded, event_columns
from sewershed.ledger.errors import LedgerError, NotFound, Refused
from sewershed.ledger.law import Law
from sewershed.ledger.log import Draft, Head
from sewershed.ledger.models import Account, Alias, Batch, EventKey, Ref
from sewershed.ledger.models import Thing as ThingRow
from sewershed.ledger.reading import value_reader, where
from sewershed.rules.memory import uncollected
from sewershed.rules.types import Type

IMPORT, JOINING = "import", "joining"


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One line of a file, its columns taken as fields: facts of a thing, or an event on a thing.

    The thing is named by its type and its id in the file (`source_id`), or by its id here (`thing`).
    """

    number: int  # of the line in the file
    type: str
    source_id: str = ""
    thing: str = ""
    facts: Mapping[str, Any] = field(default_factory=dict)
    event: str = ""  # an event instead of facts
    event_id: str = ""  # its id in the file
    at: str = ""
    data: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Change:
    """What one line would do."""

    number: int
    what: str  # begin, change, event, same, refused
    type: str
    source_id: str
    thing: str  # empty: it begins with this batch
    columns: Mapping[str, Any] = field(default_factory=dict)
    before: Mapping[str, Any] = field(default_factory=dict)  # what is known now of the fields that differ
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Plan:
    """What a batch would do, bound to the head under which it was made."""

    head: Head
    lines: tuple[Line, ...]
    changes: tuple[Change, ...]
    day: str
    file: str = ""
    note: str = ""
    map: str = ""

    @property
    def counts(self) -> Mapping[str, int]:
        """Returns how many lines begin, change, repeat or cannot be read."""
        count = Counter(change.what for change in self.changes)
        return {
            "begun": count["begin"], "changed": count["change"] + count["event"],
            "unchanged": count["same"], "refused": count["refused"],
        }  # fmt: skip

    @property
    def hash(self) -> str:
        """Returns what the approval is bound to: all that it would do, whatever the head."""
        said = [[c.number, c.what, c.thing, dict(c.columns), list(c.reasons)] for c in self.changes]
        return hashlib.sha256(canonical.write([self.file, self.day, said]).encode()).hexdigest()


class PlanChanged(LedgerError):
    """The record changed under a plan, and what the batch would do is no longer what was approved."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        super().__init__("the record has changed since the plan was made: look at the new plan and approve it again")


def plan_batch(
    lines: Iterable[Line],
    *,
    as_account: Account,
    day: str = "",
    file: str = "",
    note: str = "",
    map: str = "",
) -> Plan:
    """Returns what a file would change, line by line; nothing is written.

    Edge: a line that says only what is known already gives no row, so that the same file twice changes nothing.

    Refuses: an account that may not import into a program of the lines. A line that cannot be entered stands in the plan
    with its reasons; the others can be applied.

    Args:
        lines: the lines, their columns taken as fields.
        as_account: who imports.
        day: the day on which the file was true; changed facts hold from it. Today, if left out.
        file: the hash of the file, which is kept.
        note: what it is, in words.
        map: which column was taken as which field.
    """
    running = law.in_force()
    kept = tuple(lines)
    for kind in {line.type for line in kept}:
        known = running.vocabulary.things.get(kind)
        rights.require(as_account, "import", known.program if known else rights.EVERY)
    head = logbook.head()
    return _make(running, head, kept, day or clock.today().isoformat(), file, note, map)


def apply_batch(plan: Plan, *, as_account: Account, source: str = "import row") -> str:
    """Applies an approved plan in one transaction, and returns the id of the batch.

    Edge: a plan that would change nothing gives no batch, and an empty id.

    Refuses: a plan under which the record has changed so that it would do something else now (`PlanChanged`, with the new
    plan); an account that may not import.

    Raises:
        PlanChanged: with the plan to approve.
        NotAllowed: for the account.
    """
    with uncollected(), logbook.writing() as pen:  # the rows stay until they are written
        entry = Entry.begin(as_account, pen)
        for kind in {change.type for change in plan.changes}:
            rights.require(as_account, "import", entry.program_of(kind) or rights.EVERY)
        if _rests_on_changed(plan):
            again = _make(entry.law, pen.head, plan.lines, plan.day, plan.file, plan.note, plan.map)
            if again.hash != plan.hash:
                raise PlanChanged(again)
        doing = [change for change in plan.changes if change.columns]
        if not doing:
            return ""
        batch = logbook.new_id()
        drafts = _drafts(entry, doing, batch, source)
        counts = plan.counts
        said = {
            "batch": batch, "kind": IMPORT, "note": plan.note, "file": plan.file, "plan": plan.hash, "map": plan.map, **counts,
        }  # fmt: skip
        drafts.append(_batch_row(entry, "batch_applied", said, batch))
        entry.append_all(drafts)
        return batch


def undo_batch(batch: str, *, as_account: Account, why: str) -> Recorded:
    """Takes a batch back: what it began is void, what it had changed stands as it stood before.

    Edge: a row that the batch replaced is entered again as it was, since a withdrawal would void its whole chain.

    Refuses: a batch on whose rows later rows rest, with the list of those; one that was undone.

    Raises:
        Refused: with the list.
        NotFound: where there is no such batch.
        NotAllowed: for the account.
    """
    with logbook.writing() as pen:
        entry = Entry.begin(as_account, pen)
        known = Batch.objects.filter(id=batch).first()
        if known is None:
            raise NotFound(f"there is no batch {batch!r}")
        if known.undone_at:
            raise Refused(f"the batch {batch} was undone on {known.undone_at}")
        rows = [row for row in logbook.select_list("batch = %s", [batch]) if row.name != "batch_applied"]
        for kind in {ThingRow.objects.get(id=row.thing).type for row in rows}:
            rights.require(as_account, "import" if known.kind == IMPORT else "correct", entry.program_of(kind))
        resting = list(_resting_on(batch, rows))
        if resting:
            raise Refused([f"the batch cannot be undone: {len(resting)} later rows rest on it", *resting])
        because = reason(why, "undoing a batch")
        undo = logbook.new_id()
        drafts = [_undoing(row, entry.account.name, because, undo) for row in _last_of_chains(rows)]
        said = {"batch": batch, "because": because}
        drafts.append(_batch_row(entry, "batch_undone", said, undo))
        return entry.done(entry.append_all(drafts)[-1])


def join(thing: str, into: str, *, as_account: Account, why: str, source: str = "form") -> str:
    """Joins a thing into another that it turned out to be, and returns the id of the batch, by which it can be undone.

    What happened to the one is corrected to have happened to the other, and what pointed at the one points at the other.
    Its facts stay with it, as what was known of it; its names become names of the other.

    Refuses: things of different types, a thing into itself, one that is joined already.

    Raises:
        Refused: with the reason.
        NotFound: for either thing.
        NotAllowed: for the account.
    """
    with logbook.writing() as pen:
        entry = Entry.begin(as_account, pen)
        old, new = entry.thing(thing), entry.thing(into)
        rights.require(as_account, "correct", entry.program_of(old.type))
        if old.type != new.type or old.id == new.id:
            raise Refused(
                f"{thing} is a {old.type}, {into} a {new.type}: only two different things of one type are joined"
            )
        if old.joined_into or new.joined_into:
            raise Refused(f"{thing if old.joined_into else into} was joined into another already")
        because = reason(why, "joining")
        batch = logbook.new_id()
        moved = [
            _replacing(chain.content, chain.rows[-1].id, as_account.name, because, batch, thing=into)
            for chain in standing.standing_about(thing)
            if chain.content.kind == "event"
        ]
        pointing = [
            _pointing_to(row, last, thing, into, as_account.name, because, batch) for row, last in _refs_to(thing)
        ]
        names = sorted({name for name in (old.number, old.label, *_aliases(old.id)) if name})
        alias = Draft(
            id=logbook.new_id(), kind="facts", name=old.type, thing=into, recorded_by=as_account.name, batch=batch,
            data=canonical.write({things.ALIASES: names}), why=because, source=source,
        )  # fmt: skip
        kind = entry.law.vocabulary.events["joined"]
        said = {"into": into, "because": because}
        columns = event_columns(entry, kind, "joined", thing, clock.now(), said, (), "", "", "exact", "")
        joined = Draft(id=logbook.new_id(), recorded_by=as_account.name, batch=batch, source=source, **columns)
        counts = {
            "kind": JOINING,
            "note": f"{old.label} into {new.label}: {because}",
            "changed": len(moved) + len(pointing),
        }
        row = _batch_row(entry, "batch_applied", {"batch": batch, **counts}, batch)
        entry.append_all([*moved, *pointing, alias, joined, row])
        return batch


def split(thing: str, into: Sequence[str], *, as_account: Account, why: str, source: str = "form") -> Recorded:
    """Says that a thing turned out to be several, which are in the record already; its rows stay with it.

    Refuses: fewer than two things, things of another type, things that are not there.

    Raises:
        Refused: with the reason.
        NotFound: for a thing.
        NotAllowed: for the account.
    """
    with logbook.writing() as pen:
        entry = Entry.begin(as_account, pen)
        about = entry.thing(thing)
        rights.require(as_account, "correct", entry.program_of(about.type))
        parts = [entry.thing(part) for part in dict.fromkeys(into)]
        if len(parts) < 2 or any(part.type != about.type or part.id == thing for part in parts):
            raise Refused(f"{thing} is split into at least two other things of its type, a {about.type}")
        said = {"into": [part.id for part in parts], "because": reason(why, "splitting")}
        kind = entry.law.vocabulary.events["split"]
        columns = event_columns(entry, kind, "split", thing, clock.now(), said, (), "", "", "exact", "")
        return entry.done(entry.append(id=logbook.new_id(), source=source, **columns))


# ------------------------------------------------------------------------------------------------ making a plan


def _make(running: Law, head: Head, lines: Sequence[Line], day: str, file: str, note: str, map: str) -> Plan:
    known = _known_things(lines)
    facts = _known_facts(set(known.values()), day)
    events = _known_events(lines)
    changes, fresh = [], dict[tuple[str, str], int]()
    for line in lines:
        key = (line.type, line.source_id)
        thing = line.thing or known.get(key, "")
        if not line.event and not thing and line.source_id and key in fresh:
            reasons = (f"line {fresh[key]} has the same id {line.source_id}: one of them is wrong",)
            changes.append(Change(line.number, "refused", line.type, line.source_id, "", reasons=reasons))
            continue
        changes.append(_change(running, line, thing, facts.get(thing, {}), day, events, key in fresh))
        if changes[-1].what == "begin":
            fresh[key] = line.number
    return Plan(head, tuple(lines), tuple(changes), day, file, note, map)


def _change(
    running: Law,
    line: Line,
    thing: str,
    facts: Mapping[str, Any],
    day: str,
    events: Mapping[tuple[str, str], logbook.Row],
    is_begun_here: bool,
) -> Change:
    checks = Checks(running, thing)
    kind = checks.thing_type(line.type)
    columns: dict[str, Any] = {}
    before: dict[str, Any] = {}
    what = "same"
    if line.event:
        what, columns = _event_change(checks, line, thing, events, is_begun_here=is_begun_here)
    elif kind is not None:
        checks.judged(kind.name, kind.facts, line.facts)
        written = checks.written(kind.name, kind.facts, line.facts)
        if not thing:
            checks.required(kind.name, kind.facts, line.facts)
            if not line.source_id:
                checks.problems.append("the line names no thing: neither an id of the file nor one of the record")
            what = "begin"
            columns = {"kind": "facts", "name": kind.name, "data": written | {things.SOURCE_ID: line.source_id}}
        else:
            differs = {
                name: value
                for name, value in written.items()
                if name not in facts or not _same(kind.facts[name].type, facts[name], value)
            }
            if differs:
                what, before = "change", {name: facts.get(name) for name in differs}
                columns = {"kind": "facts", "name": kind.name, "day": day, "data": differs}
    try:
        checks.refuse()
    except Refused as refused:
        return Change(line.number, "refused", line.type, line.source_id, thing, reasons=refused.reasons)
    return Change(line.number, what, line.type, line.source_id, thing, columns, before)


def _same(kind: Type, known: Any, said: Any) -> bool:
    """Tells whether a file says what is known. Edge: 9.50 and 9.5 are one number, however many digits each has."""
    if known is None or said is None:
        return known is said
    read = value_reader(kind)
    return bool(read(known) == read(said))


def _event_change(
    checks: Checks, line: Line, thing: str, events: Mapping[tuple[str, str], logbook.Row], *, is_begun_here: bool
) -> tuple[str, dict[str, Any]]:
    kind = checks.event_type(line.event, line.type)
    if not thing and not is_begun_here:
        checks.problems.append(
            f"there is no {line.type} with the id {line.source_id or '(none)'} for this {line.event}"
        )
    when = checks.when(line.at, line.event, precision=kind.precision if kind else "either")
    if when is None and not checks.problems:
        checks.problems.append(f"{line.event} needs a time")
    written = checks.written(line.event, kind.data, line.data) if kind else {}
    if kind:
        checks.required(line.event, kind.data, line.data)
    if line.event_id:
        written = written | {things.SOURCE_ID: line.event_id}
    columns = {
        "kind": "event", "name": line.event, **when_columns(when, line.at), "at_is": "exact", "data": written,
    }  # fmt: skip
    there = events.get((line.event, line.event_id)) if line.event_id else None
    if there is None:
        return "event", columns
    said = {name: value for name, value in canonical.read(there.data).items() if name not in numbers.KEPT}
    if (there.at, there.day, said) == (columns["at"], columns["day"], written):
        return "same", {}
    return "event", columns | {"replaces": there.id, "why": "the file says otherwise now"}


def _known_things(lines: Sequence[Line]) -> dict[tuple[str, str], str]:
    found: dict[tuple[str, str], str] = {}
    wanted = sorted({line.source_id for line in lines if line.source_id})
    for chunk in logbook.chunks(wanted):
        for thing in ThingRow.objects.filter(source_id__in=chunk, is_gone=False).order_by("began"):
            found[thing.type, thing.source_id] = thing.joined_into or thing.id
    return found


def _known_facts(known: set[str], day: str) -> dict[str, dict[str, Any]]:
    on = date.fromisoformat(day)
    return {
        thing: standing.facts_on(thing, on, standing.standing_about(thing, rows))
        for thing, rows in standing.rows_about_many(sorted(known)).items()
    }


def _known_events(lines: Sequence[Line]) -> dict[tuple[str, str], logbook.Row]:
    """Returns what stands of the events that came from files, by event and id in the file."""
    found: dict[tuple[str, str], logbook.Row] = {}
    wanted = sorted({line.event_id for line in lines if line.event_id})
    for chunk in logbook.chunks(wanted):
        for key in EventKey.objects.filter(source_id__in=chunk):
            chain = standing.chain_of(key.row)
            if not chain.is_void:
                found[key.event, key.source_id] = chain.content
    return found


# ------------------------------------------------------------------------------------------------ applying and undoing


def _drafts(entry: Entry, doing: Sequence[Change], batch: str, source: str) -> list[Draft]:
    fresh: dict[tuple[str, str], str] = {}
    series = _numbers_for(entry, doing)
    drafts = []
    for change in doing:
        key = (change.type, change.source_id)
        columns, data = dict(change.columns), dict(change.columns["data"])
        thing = change.thing or fresh.get(key, "")
        if change.what == "begin":
            thing = fresh[key] = logbook.new_id()
            taken = series.get(change.type)
            if taken:
                number, count = taken.pop(0)
                data |= {numbers.THING_NUMBER: number, numbers.COUNTS: [count]}
        columns["data"] = canonical.write(data)
        drafts.append(
            Draft(
                id=logbook.new_id(), thing=thing, recorded_by=entry.account.name, batch=batch,
                source=f"{source} {change.number}", **columns,
            )
        )  # fmt: skip
    return drafts


def _numbers_for(entry: Entry, doing: Sequence[Change]) -> dict[str, list[tuple[str, str]]]:
    beginning = Counter(change.type for change in doing if change.what == "begin")
    found = {}
    for name, how_many in beginning.items():
        kind = entry.law.vocabulary.things[name]
        if kind.series and not kind.numbered_by:
            found[name] = numbers.take_many(name, kind.series, clock.today().year, how_many)
    return found


def _batch_row(entry: Entry, name: str, said: Mapping[str, Any], batch: str) -> Draft:
    kind = entry.law.vocabulary.events[name]
    filled = {key: value for key, value in said.items() if value != ""}
    columns = event_columns(entry, kind, name, town_id(), clock.now(), filled, (), "", "", "exact", "")
    return Draft(id=logbook.new_id(), recorded_by=entry.account.name, batch=batch, source="command", **columns)


def _rests_on_changed(plan: Plan) -> bool:
    """Tells whether rows were added since the plan on things that it names, or would begin."""
    named = {change.thing for change in plan.changes if change.thing}
    for chunk in logbook.chunks(sorted(named)):
        places = ", ".join(["%s"] * len(chunk))
        if logbook.select_list(f"position > %s AND thing IN ({places})", [plan.head.position, *chunk]):
            return True
    beginning = {change.source_id for change in plan.changes if change.what == "begin"}
    return any(
        ThingRow.objects.filter(source_id__in=chunk, began__gt=plan.head.position).exists()
        for chunk in logbook.chunks(sorted(beginning))
    )


def _last_of_chains(rows: Sequence[logbook.Row]) -> list[logbook.Row]:
    """Returns one row of each chain that the batch touched, the first."""
    seen: set[str] = set()
    found = []
    for row in rows:
        root = standing.chain_of(row.id).root.id if row.replaces or row.voids else row.id
        if root not in seen:
            seen.add(root)
            found.append(row)
    return found


def _undoing(row: logbook.Row, account: str, why: str, undo: str) -> Draft:
    chain = standing.chain_of(row.id) if row.replaces or row.voids else standing.Chain((row,))
    before = [one for one in chain.rows if one.position < row.position]
    if not before or before[-1].kind == "void":
        return Draft(
            id=logbook.new_id(), kind="void", thing=chain.content.thing, voids=chain.rows[-1].id, why=why,
            recorded_by=account, batch=undo, source="command",
        )  # fmt: skip
    return _replacing(before[-1], chain.rows[-1].id, account, why, undo)


def _replacing(
    row: logbook.Row, last: str, account: str, why: str, batch: str, *, thing: str = "", data: str = ""
) -> Draft:
    """Returns a correction that says what a row says, but for its thing or its data."""
    if not data:
        raw = canonical.read(row.data)
        data = canonical.write({name: value for name, value in raw.items() if name not in numbers.KEPT})
    return Draft(
        id=logbook.new_id(), kind=row.kind, name=row.name, thing=thing or row.thing, at=row.at, day=row.day,
        at_is=row.at_is, at_how=row.at_how, utc_offset=row.utc_offset, performed_by=row.performed_by, office=row.office,
        data=data, recorded_by=account, replaces=last, why=why, batch=batch, source=row.source,
    )  # fmt: skip


def _pointing_to(row: logbook.Row, last: str, thing: str, into: str, account: str, why: str, batch: str) -> Draft:
    data = canonical.read(row.data)
    changed = {name: into if value == thing else value for name, value in data.items() if name not in numbers.KEPT}
    return _replacing(row, last, account, why, batch, data=canonical.write(changed))


def _refs_to(thing: str) -> list[tuple[logbook.Row, str]]:
    """Returns the facts rows that stand and point at a thing, each with the last row of its chain."""
    found = []
    for pointing in Ref.objects.filter(to=thing).values_list("thing", flat=True).distinct().order_by("thing"):
        for chain in standing.standing_about(pointing):
            content = chain.content
            if content.kind == "facts" and thing in canonical.read(content.data).values():
                found.append((content, chain.rows[-1].id))
    return found


def _aliases(thing: str) -> list[str]:
    return list(Alias.objects.filter(thing=thing).values_list("text", flat=True))


def _resting_on(batch: str, rows: Sequence[logbook.Row]) -> Iterable[str]:
    """Yields a sentence for each later row that rests on a row of a batch."""
    ids = {row.id for row in rows}
    begun = {row.thing for row in rows if row.kind == "facts" and not row.replaces} & {
        thing.id for thing in ThingRow.objects.filter(id__in={row.thing for row in rows}) if _began_in(thing, ids)
    }
    last = rows[-1].position if rows else 0
    seen: set[str] = set()
    for chunk in logbook.chunks(sorted(ids)):
        for row in logbook.following(chunk):
            if row.batch != batch:
                seen.add(row.id)
                yield f"{where(row)} corrects or withdraws a row of the batch"
    for chunk in logbook.chunks(sorted(begun)):
        places = ", ".join(["%s"] * len(chunk))
        for row in logbook.select_list(f"position > %s AND batch <> %s AND thing IN ({places})", [last, batch, *chunk]):
            if row.id not in seen:
                yield f"{where(row)} is about a thing that began with the batch"
        for ref in Ref.objects.filter(to__in=chunk).exclude(thing__in=begun):
            stands = any(ref.to in canonical.read(c.content.data).values() for c in standing.standing_about(ref.thing))
            if stands and not any(row.thing == ref.thing for row in rows):
                yield f"{ref.thing} ({ref.type}) names {ref.to}, which began with the batch, as its {ref.fact}"


def _began_in(thing: ThingRow, ids: set[str]) -> bool:
    return bool(logbook.select_list("position = %s", [thing.began])[0].id in ids)
