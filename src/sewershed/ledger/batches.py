"""Batches: rows that are entered together, from a file or by joining, and can be undone together (docs/explanation/the-record.md).

A plan is made outside any transaction and says line by line what would change. It is approved by its hash. Applying makes
nothing up: where rows on which the plan rests have changed, a plan is made again, and if it differs it goes back for
approval.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any

from sewershed.ledger import canonical, clock, law, numbers, rights, standing, things
from sewershed.ledger import log as logbook
from sewershed.ledger.adopting import town_id
from sewershed.ledger.checks import Checks, reason, when_columns
from sewershed.ledger.entry import Entry, Recorded, event_columns, number_event
from sewershed.ledger.errors import LedgerError, NotFound, Refused
from sewershed.ledger.law import Law
from sewershed.ledger.log import Draft, Head
from sewershed.ledger.models import Account, Alias, Batch, EventKey, Ref
from sewershed.ledger.models import Thing as ThingRow
from sewershed.ledger.reading import KEPT_APART, value_reader, where
from sewershed.rules.memory import uncollected
from sewershed.rules.types import Type
from sewershed.rules.vocabulary import EventType, Fact, ThingType

IMPORT, JOINING = "import", "joining"
TOLD_EACH = 200  # lines looked at between two signs of progress


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
    by: str = ""  # who did it, a person's id
    data: Mapping[str, Any] = field(default_factory=dict)
    problems: tuple[str, ...] = ()  # why it could not be read: it is refused with them


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
    note: str = ""  # beside what it would do: which line says the same, what stands at that time already


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
    not_read: str = ""  # the hash of the lines that could not be read, kept as a list to mend

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
    progress: Callable[[int, int], None] | None = None,
) -> Plan:
    """Returns what a file would change, line by line; nothing is written.

    Edge: a line that says only what is known already gives no row, so that the same file twice changes nothing. An event
    without an id in the file is known by its thing, its time and all that it says; what was corrected or withdrawn by hand
    since stays so. Two lines that say the same are one; two that say different things of one id are refused but the first.

    Refuses: an account that may not import into a program of the lines. A line that cannot be entered stands in the plan
    with its reasons; the others can be applied.

    Args:
        lines: the lines, their columns taken as fields.
        as_account: who imports.
        day: the day on which the file was true; changed facts hold from it. Today, if left out.
        file: the hash of the file, which is kept.
        note: what it is, in words.
        map: which column was taken as which field.
        progress: told how many lines have been looked at, of how many.
    """
    running = law.in_force()
    kept = tuple(lines)
    for kind in {line.type for line in kept}:
        known = running.vocabulary.things.get(kind)
        rights.require(as_account, "import", known.program if known else rights.EVERY)
    head = logbook.head()
    return _make(running, head, kept, day or clock.today().isoformat(), file, note, map, progress)


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
            plan = replace(again, not_read=plan.not_read)
        doing = [change for change in plan.changes if change.columns]
        if not doing:
            return ""
        batch = logbook.new_id()
        drafts = _drafts(entry, doing, batch, source)
        counts = plan.counts
        said = {
            "batch": batch, "kind": IMPORT, "note": plan.note, "file": plan.file, "plan": plan.hash, "map": plan.map,
            "not_read": plan.not_read, **counts,
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
        for kind in _types_of({row.thing for row in rows}):
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


@dataclass(slots=True)
class _Known:
    """What the record says of the things and the events of a file, read once; and what its earlier lines have said."""

    things: Mapping[tuple[str, str], str]  # by type and id in the file
    facts: Mapping[str, Mapping[str, Any]]
    events: Mapping[tuple[str, str], standing.Chain]  # by event and id in the file
    happened: Mapping[tuple[str, str, str], list[standing.Chain]]  # by event, thing and any time that its rows say
    begun: dict[tuple[str, str], int] = field(default_factory=dict)  # with this file: the line
    told: dict[tuple[str, ...], tuple[int, Mapping[str, Any]]] = field(
        default_factory=dict
    )  # the line, and what it said

    @classmethod
    def of(cls, lines: Sequence[Line], day: str) -> _Known:
        """Reads what is known of the things and the events of lines."""
        things = _known_things(lines)
        named = {line.thing or things.get((line.type, line.source_id), "") for line in lines} - {""}
        chains = {thing: standing.chains(rows) for thing, rows in standing.rows_about_many(sorted(named)).items()}
        on = date.fromisoformat(day)
        facts, happened = {}, dict[tuple[str, str, str], list[standing.Chain]]()
        for thing, found in chains.items():
            about = [one for one in found if one.content.thing == thing]
            facts[thing] = standing.facts_on(thing, on, [one for one in about if not one.is_void])
            for one in about:
                if one.content.kind == "event" and not (
                    one.is_void and one.rows[-1].batch
                ):  # undone is as never entered
                    for when in {row.at or row.day for row in one.rows if row.kind == "event"}:
                        happened.setdefault((one.content.name, thing, when), []).append(one)
        by_root = {one.root.id: one for found in chains.values() for one in found}
        return cls(things, facts, _known_events(lines, by_root), happened)


def _make(
    running: Law,
    head: Head,
    lines: Sequence[Line],
    day: str,
    file: str,
    note: str,
    map: str,
    progress: Callable[[int, int], None] | None = None,
) -> Plan:
    known = _Known.of(lines, day)
    changes = []
    for place, line in enumerate(lines):
        if progress is not None and place % TOLD_EACH == 0:
            progress(place, len(lines))
        changes.append(_change(running, line, day, known))
    return Plan(head, tuple(lines), tuple(changes), day, file, note, map)


def _change(running: Law, line: Line, day: str, known: _Known) -> Change:
    thing = line.thing or known.things.get((line.type, line.source_id), "")
    if line.problems:
        return Change(line.number, "refused", line.type, line.source_id, thing, reasons=line.problems)
    checks = Checks(running, thing)
    kind = checks.thing_type(line.type)
    change = Change(line.number, "same", line.type, line.source_id, thing)
    if line.event:
        change = _event_change(checks, line, change, known)
    elif kind is not None:
        change = _facts_change(checks, kind, line, change, day, known)
    try:
        checks.refuse()
    except Refused as refused:
        return Change(line.number, "refused", line.type, line.source_id, thing, reasons=refused.reasons)
    if change.what == "begin":
        known.begun[line.type, line.source_id] = line.number
    return change


def _facts_change(checks: Checks, kind: ThingType, line: Line, change: Change, day: str, known: _Known) -> Change:
    thing = change.thing
    checks.judged(kind.name, kind.facts, line.facts)
    written = checks.written(kind.name, kind.facts, line.facts)
    if not thing:
        checks.required(kind.name, kind.facts, line.facts)
        if not line.source_id:
            checks.problems.append("the line names no thing: neither an id of the file nor one of the record")
    if checks.problems:
        return change
    key = ("thing", thing) if thing else ("new", line.type, line.source_id)
    earlier = known.told.setdefault(key, (line.number, written))
    if earlier[0] != line.number:
        return _again(checks, change, line.source_id or line.thing, earlier, kind.facts, written)
    if not thing:
        data = written | {things.SOURCE_ID: line.source_id}
        return replace(change, what="begin", columns={"kind": "facts", "name": kind.name, "data": data})
    facts = known.facts.get(thing, {})
    differs = {
        name: value
        for name, value in written.items()
        if name not in facts or not _same(kind.facts[name].type, facts[name], value)
    }
    if not differs:
        return change
    # A thing that was found by its name goes by that name also after the list has given it another one.
    is_by_name = line.source_id and known.things.get((line.type, line.source_id)) != thing
    kept = {things.ALIASES: [line.source_id]} if is_by_name else {}
    columns = {"kind": "facts", "name": kind.name, "day": day, "data": differs | kept}
    return replace(change, what="change", columns=columns, before={name: facts.get(name) for name in differs})


def _again(
    checks: Checks,
    change: Change,
    id: str,
    earlier: tuple[int, Mapping[str, Any]],
    known: Mapping[str, Fact],
    said: Any,
) -> Change:
    """Returns what a line does whose id an earlier line has: nothing where it says the same; else it is refused."""
    if _says(known, earlier[1], said):
        return replace(change, note=f"line {earlier[0]} says the same")
    checks.problems.append(f"line {earlier[0]} has the same id {id}: one of them is wrong")
    return change


def _says(known: Mapping[str, Fact], there: Mapping[str, Any], said: Mapping[str, Any]) -> bool:
    """Tells whether a row says what a line says, no more and no less."""
    return there.keys() == said.keys() and all(
        name in known and _same(known[name].type, there[name], value) if name in known else there[name] == value
        for name, value in said.items()
    )


def _same(kind: Type, known: Any, said: Any) -> bool:
    """Tells whether a file says what is known. Edge: 9.50 and 9.5 are one number, however many digits each has."""
    if known is None or said is None:
        return known is said
    read = value_reader(kind)
    return bool(read(known) == read(said))


def _event_change(checks: Checks, line: Line, change: Change, known: _Known) -> Change:
    kind, thing = checks.event_type(line.event, line.type), change.thing
    if not thing and (line.type, line.source_id) not in known.begun:
        checks.problems.append(
            f"there is no {line.type} with the id {line.source_id or '(none)'} for this {line.event}"
        )
    when = checks.when(line.at, line.event, precision=kind.precision if kind else "either")
    if when is None and not checks.problems:
        checks.problems.append(f"{line.event} needs a time")
    if kind is None:
        return change
    checks.person("performed_by", line.by)
    written = checks.written(line.event, kind.data, line.data)
    checks.required(line.event, kind.data, line.data)
    if checks.problems:
        return change
    columns = {"kind": "event", "name": line.event, **when_columns(when, line.at), "at_is": "exact"}
    if line.by:
        columns["performed_by"] = line.by
    said = {"at": columns["at"], "day": columns["day"], "by": line.by, **written}
    token = thing or f"{line.type} {line.source_id}"
    if line.event_id:
        return _numbered(checks, line, change, known, kind, columns, written, {**said, "thing": token})
    earlier = known.told.setdefault((line.event, token, canonical.write(said)), (line.number, said))
    if earlier[0] != line.number:
        return replace(change, note=f"line {earlier[0]} says the same")
    beside = ""
    for chain in known.happened.get((line.event, thing, columns["at"] or columns["day"]), ()):
        if _was_said(chain, columns, kind.data, written, line.by):
            return replace(change, note=_since(chain, columns, kind.data, written))
        if not chain.is_void and (chain.content.at, chain.content.day) == (columns["at"], columns["day"]):
            beside = f"beside another {line.event} of that time, row {chain.content.id}"
    return replace(change, what="event", columns=columns | {"data": written}, note=beside)


def _numbered(
    checks: Checks, line: Line, change: Change, known: _Known, kind: EventType, columns: dict[str, Any], written: dict[str, Any],
    said: Mapping[str, Any],
) -> Change:  # fmt: skip
    """Returns what a line does that says an event by its id in the file: what has that id already is corrected."""
    earlier = known.told.setdefault(("event", line.event, line.event_id), (line.number, said))
    if earlier[0] != line.number:
        return _again(checks, change, line.event_id, earlier, kind.data, said)
    columns = columns | {"data": written | {things.SOURCE_ID: line.event_id}}
    chain = known.events.get((line.event, line.event_id))
    if chain is None:
        return replace(change, what="event", columns=columns)
    if chain.content.thing == change.thing and _was_said(chain, columns, kind.data, written, line.by):
        return replace(change, note=_since(chain, columns, kind.data, written))
    why = {"replaces": chain.rows[-1].id, "why": "the file says otherwise now"}
    before = {name: value for name, value in _said(chain.content).items() if written.get(name) != value}
    return replace(change, what="event", columns=columns | why, before=before)


def _was_said(
    chain: standing.Chain, columns: Mapping[str, Any], known: Mapping[str, Fact], written: Mapping[str, Any], by: str
) -> bool:
    """Tells whether a chain says what a line says, or said it before somebody corrected or withdrew it."""
    return any(
        (row.at, row.day) == (columns["at"], columns["day"])
        and _says(known, _said(row), written)
        and by in ("", row.performed_by)
        for row in chain.rows
        if row.kind == "event" and row.name == columns["name"]
    )


def _since(
    chain: standing.Chain, columns: Mapping[str, Any], known: Mapping[str, Fact], written: Mapping[str, Any]
) -> str:
    """Returns what has become of a row that a line repeats."""
    if chain.is_void:
        return f"entered before and withdrawn since, row {chain.rows[-1].id}"
    row = chain.content
    if (row.at, row.day) == (columns["at"], columns["day"]) and _says(known, _said(row), written):
        return ""
    return f"entered before and corrected since, row {row.id}"


def _said(row: logbook.Row) -> dict[str, Any]:
    """Returns what a row says, without what the ledger wrote itself."""
    return {name: value for name, value in canonical.read(row.data).items() if not name.startswith(KEPT_APART)}


def _known_things(lines: Sequence[Line]) -> dict[tuple[str, str], str]:
    found: dict[tuple[str, str], str] = {}
    wanted = sorted({line.source_id for line in lines if line.source_id})
    for chunk in logbook.chunks(wanted):
        for thing in ThingRow.objects.filter(source_id__in=chunk, is_gone=False).order_by("began"):
            found[thing.type, thing.source_id] = thing.joined_into or thing.id
    return found


def _known_events(lines: Sequence[Line], loaded: Mapping[str, standing.Chain]) -> dict[tuple[str, str], standing.Chain]:
    """Returns the events that came from files and were not undone since, by event and id in the file."""
    found: dict[tuple[str, str], standing.Chain] = {}
    wanted = sorted({line.event_id for line in lines if line.event_id})
    for chunk in logbook.chunks(wanted):
        for key in EventKey.objects.filter(source_id__in=chunk).order_by("id"):
            chain = loaded.get(key.row) or standing.chain_of(key.row)
            if not (chain.is_void and chain.rows[-1].batch):
                found[key.event, key.source_id] = chain
    return found


# ------------------------------------------------------------------------------------------------ applying and undoing


def _drafts(entry: Entry, doing: Sequence[Change], batch: str, source: str) -> list[Draft]:
    fresh: dict[tuple[str, str], str] = {}
    series = _numbers_for(entry, doing)
    abouts: dict[str, ThingRow] = {}
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
        kind = entry.law.vocabulary.events.get(columns["name"]) if change.what == "event" else None
        is_numbering = kind and (kind.series or entry.law.vocabulary.things[change.type].numbered_by == kind.name)
        if is_numbering and not columns.get("replaces"):
            if thing not in abouts:
                abouts[thing] = ThingRow.objects.filter(id=thing).first() or ThingRow(id=thing, type=change.type)
            number_event(entry, kind, abouts[thing], columns)
            given = canonical.read(columns["data"]).get(numbers.THING_NUMBER, "")
            abouts[thing].number = abouts[thing].number or given
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
    filled = {key: value for key, value in said.items() if value != "" and key in kind.data}
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
    places, begun = {row.position for row in rows}, set[str]()
    for chunk in logbook.chunks(sorted({row.thing for row in rows if row.kind == "facts" and not row.replaces})):
        begun |= {one.id for one in ThingRow.objects.filter(id__in=chunk) if one.began in places}
    seen: set[str] = set()
    for chunk in logbook.chunks(sorted(ids)):
        for row in logbook.following(chunk):
            if row.batch != batch:
                seen.add(row.id)
                yield f"{where(row)} corrects or withdraws a row of the batch"
    for thing, about in standing.rows_about_many(sorted(begun)).items():
        # What was withdrawn, or undone with its own batch, rests on nothing.
        for chain in standing.standing_about(thing, about):
            row = chain.content
            if chain.root.id not in ids and row.id not in seen:
                yield f"{where(row)} is about a thing that began with the batch"
    for chunk in logbook.chunks(sorted(begun)):
        for ref in Ref.objects.filter(to__in=chunk).exclude(thing__in=begun):
            stands = any(ref.to in canonical.read(c.content.data).values() for c in standing.standing_about(ref.thing))
            if stands and not any(row.thing == ref.thing for row in rows):
                yield f"{ref.thing} ({ref.type}) names {ref.to}, which began with the batch, as its {ref.fact}"


def _types_of(named: Iterable[str]) -> set[str]:
    """Returns the types of things."""
    found: set[str] = set()
    for chunk in logbook.chunks(sorted(named)):
        found.update(ThingRow.objects.filter(id__in=chunk).values_list("type", flat=True))
    return found
