"""The only way out of the record (docs/explanation/the-record.md): every read on behalf of an account, with what it may not see left out.

What is stored beside the log is brought up to now before it is shown, up to 200 things; how many are left is said with each
list over the town, and those count as cannot tell. With `as_of` or `known_at` the answer is worked out from the log itself.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from itertools import pairwise
from typing import Any

from django.db.models import Count, Q, QuerySet

from sewershed.ledger import canonical, clock, files, law, people, rights, standing, urgency, working
from sewershed.ledger import log as logbook
from sewershed.ledger import remarks as remarking
from sewershed.ledger.checks import Checks
from sewershed.ledger.errors import NotFound, Refused
from sewershed.ledger.log import Head
from sewershed.ledger.models import Account, Alias, Batch, CurrentFact
from sewershed.ledger.models import Finding as FindingRow
from sewershed.ledger.models import Obligation as ObligationRow
from sewershed.ledger.models import Thing as ThingRow
from sewershed.ledger.privacy import Privacy
from sewershed.ledger.projections import OPEN, PAST, duty_of, fact_rows
from sewershed.ledger.records import LogRecords
from sewershed.ledger.sharing import shared
from sewershed.ledger.shown import (
    Behind,
    Due,
    Fact,
    Holder,
    Named,
    Page,
    RowShown,
    Told,
    due_of,
    finding_of,
    named_of,
    obligation_of,
    row_of,
)
from sewershed.ledger.tables import columns_of
from sewershed.rules.findings import OPEN_STATES as IS_OPEN
from sewershed.rules.findings import Explanation, Exposure, Finding, Obligation
from sewershed.rules.memory import uncollected
from sewershed.rules.moments import MomentError, end_of, is_instant, read_moment
from sewershed.rules.record import Moment
from sewershed.rules.todo import Line, word_of
from sewershed.rules.types import Value
from sewershed.rules.unknown import Unknown, Want
from sewershed.rules.world import World

MOST = 200  # of a list, unless another number is asked for
MOST_LETTERS = (
    500  # of a text that is looked for; SQLite refuses patterns of more than 50,000 bytes, and no name is so long
)
NOTHING = Q(pk__in=())
BEGINNING = 50  # things of a long list that is handed out in parts: its first part comes sooner than the others
TOLD_EACH = 50  # things of another day worked out between two signs of progress
DOCUMENT = "document"  # whose number is one of its kind's series: by itself it means another thing first
LABEL = "label"  # what lists are ordered by where no fact is named
BEGAN = "began"  # lists can be ordered by it, too: things in the order in which they were begun
_STATE_NOW = {OPEN: "due", PAST: "missed"}  # or overdue, which is as open
_COMPARISONS = {"=": "", "<": "__lt", "<=": "__lte", ">": "__gt", ">=": "__gte", "has": "__icontains"}


# ------------------------------------------------------------------------------------------------ things


def thing(name: str, *, as_account: Account) -> Named:
    """Returns a thing by its id, its number, an alias or its label.

    Refuses: a name of several things, with all of them.

    Raises:
        NotFound: where there is none.
        Refused: where there are several.
        NotAllowed: for the account.
    """
    privacy, several = Privacy(as_account, law.in_force().vocabulary), _called(name)
    if not several:
        raise NotFound(f"there is no thing {name!r} in the record")
    if len(several) > 1:
        raise Refused(
            [
                f"{name!r} names several things; give the id of one:",
                *(f"{t.id}  {privacy.label(t.type, t.label)}" for t in several),
            ]
        )
    shown = named_of(several[0], privacy)
    rights.require(as_account, "see", shown.program)
    return shown


def called(name: str, *, as_account: Account, type: str = "") -> tuple[Named, ...]:
    """Returns what a whole name means, as far as the account may see it: one thing by its id, else by number, label, alias.

    Edge: the number of a call means the thing on which the call stands, also where it was joined there. A number that a
    paper shares with a spill means the spill: a paper goes by its kind and number, `spill report 24-001`.

    Args:
        name: as typed; small letters and capitals are one.
        as_account: who asks.
        type: of the thing; any, if left out.
    """
    privacy = Privacy(as_account, law.in_force().vocabulary)
    shown = (
        named_of(one, privacy) for one in _called(name, type) if one.id == name or not privacy.hides_label(one.type)
    )
    return tuple(one for one in shown if rights.may(as_account, "see", one.program))


def things(
    type: str,
    *,
    as_account: Account,
    where: Iterable[tuple[str, str, str]] = (),
    text: str = "",
    within: Collection[str] | None = None,
    order: str = "",
    offset: int = 0,
    limit: int = MOST,
) -> Page[Named]:
    """Returns things of a type, those that are there, in the order of their labels or of a fact.

    Args:
        type: the type.
        as_account: who asks.
        where: facts that must hold: name, one of = < <= > >= has, and the value as text.
        text: must stand in the label, the number or an alias.
        within: only these, by id; all, if left out.
        order: a fact to order by, `label` or `began`; with a minus before it, from the largest. Those of which the fact is
            not known come last.
        offset: so many are left out at the beginning.
        limit: so many are returned.

    Raises:
        Refused: for a fact or a comparison that there is not.
        NotAllowed: for the account.
    """
    found, privacy = _things_that(type, as_account, where, text, within, order)
    total = found.count()
    chosen = _ordered(found, type, order, offset, limit)
    return Page(tuple(named_of(one, privacy) for one in chosen), total, working.freshen(one.id for one in chosen))


def things_in_parts(
    type: str,
    *,
    as_account: Account,
    where: Iterable[tuple[str, str, str]] = (),
    text: str = "",
    within: Collection[str] | None = None,
    order: str = "",
    at_once: int = MOST,
) -> Iterator[tuple[Named, ...]]:
    """Yields all that `things` would return, a part at a time: which they are is asked once, at the beginning.

    Edge: the first part is a small one, so that whoever waits sees that it has begun.

    Raises:
        Refused: for a fact or a comparison that there is not.
        NotAllowed: for the account.
    """
    found, privacy = _things_that(type, as_account, where, text, within, order)
    ids = _ids(found, type, order)
    starts = [0, *range(min(at_once, BEGINNING), len(ids), at_once)] if ids else []
    for start, end in pairwise([*starts, len(ids)]):
        part = ids[start:end]
        working.freshen(part)
        by_id = {one.id: one for one in ThingRow.objects.filter(id__in=part)}
        yield tuple(named_of(by_id[one], privacy) for one in part)


def _things_that(
    type: str,
    account: Account,
    where: Iterable[tuple[str, str, str]],
    text: str,
    within: Collection[str] | None,
    order: str,
) -> tuple[QuerySet[ThingRow], Privacy]:
    vocabulary = law.in_force().vocabulary
    kind = vocabulary.things.get(type)
    if kind is None:
        raise Refused(f"there is no type of thing {type!r}; there are {', '.join(sorted(vocabulary.things))}")
    rights.require(account, "see", kind.program)
    privacy = Privacy(account, vocabulary)
    found = ThingRow.objects.filter(type=type, is_gone=False, joined_into="")
    for name, comparison, value in where:
        if name not in kind.facts or privacy.hides(type, name):
            raise Refused(f"{type} has no '{name}' to look for; it has {', '.join(sorted(kind.facts))}")
        found = found.filter(
            id__in=_facts_that(type, name, kind.facts[name].type.kind, comparison, value).values("thing")
        )
    if text:
        found = found.filter(
            _named_like(text) & Q(number__icontains=text[:MOST_LETTERS])
            if privacy.hides_label(type)
            else _named_like(text)
        )
    if within is not None:
        found = found.filter(id__in=within)
    by = order.removeprefix("-")
    if by not in ("", LABEL, BEGAN) and (by not in kind.facts or privacy.hides(type, by)):
        raise Refused(f"{type} has no '{by}' to order by; it has {', '.join(sorted(kind.facts))}")
    return found, privacy


def counts(*, as_account: Account) -> dict[str, int]:
    """Returns how many things there are of each type that the account may see; a type without any is left out."""
    vocabulary = law.in_force().vocabulary
    found = ThingRow.objects.filter(is_gone=False, joined_into="").order_by().values_list("type").annotate(Count("id"))
    seen = {name for name, kind in vocabulary.things.items() if rights.may(as_account, "see", kind.program)}
    return {name: count for name, count in found if name in seen}


def find(text: str, *, as_account: Account, limit: int = 20) -> Page[Named]:
    """Returns things of any type whose label, number or alias holds a text, as far as the account may see them.

    Edge: those whose whole number, label or id it is come first. An empty text finds nothing; by names that the account may
    not see nothing is found either.
    """
    text = text.strip()
    vocabulary = law.in_force().vocabulary
    privacy = Privacy(as_account, vocabulary)
    may_see = (name for name, kind in vocabulary.things.items() if rights.may(as_account, "see", kind.program))
    seen = [name for name in may_see if not privacy.hides_label(name)]
    if not text:
        return Page((), 0)
    found = ThingRow.objects.filter(Q(id=text) | _named_like(text), type__in=seen, is_gone=False)
    exact = list(found.filter(_named(text)).order_by("type", "label")[:limit])
    rest = found.exclude(id__in=[one.id for one in exact]).order_by("type", "label", "id")[: limit - len(exact)]
    return Page(tuple(named_of(one, privacy) for one in (*exact, *rest)), found.count())


def facts_of(
    things: Sequence[str], type: str, names: Sequence[str], *, as_account: Account
) -> dict[str, dict[str, str]]:
    """Returns some facts of some things of one type as they stand, by thing and name; what is not known is left out.

    Raises:
        NotAllowed: for the account.
    """
    vocabulary = law.in_force().vocabulary
    kind = vocabulary.things.get(type)
    rights.require(as_account, "see", kind.program if kind else rights.EVERY)
    privacy = Privacy(as_account, vocabulary)
    shown: dict[str, dict[str, str]] = {one: {} for one in things}
    seen = [name for name in names if not privacy.hides(type, name)]
    for chunk in logbook.chunks(list(things)):
        found = CurrentFact.objects.filter(thing__in=chunk, name__in=seen)
        for thing, name, text in found.values_list("thing", "name", "text"):
            shown[thing][name] = text
    return shown


def things_having(
    type: str, names: Sequence[str], *, as_account: Account, limit: int
) -> dict[str, tuple[str, dict[str, str]]]:
    """Returns things of a type of which some fact is known, by id: the label and those of the facts that are known.

    Edge: which are left out where there are more than `limit` is the same from one asking to the next.

    Raises:
        NotAllowed: for the account.
    """
    vocabulary = law.in_force().vocabulary
    kind = vocabulary.things.get(type)
    rights.require(as_account, "see", kind.program if kind else rights.EVERY)
    working.freshen()
    privacy = Privacy(as_account, vocabulary)
    seen = [name for name in names if not privacy.hides(type, name)]
    known = CurrentFact.objects.filter(type=type, name__in=seen).exclude(text="")
    facts: dict[str, dict[str, str]] = {}
    for thing, name, text in known.values_list("thing", "name", "text"):
        facts.setdefault(thing, {})[name] = text
    if not facts:
        return {}
    there = ThingRow.objects.filter(type=type, is_gone=False, joined_into="", id__in=known.values("thing"))
    hidden = privacy.label(type, "")
    labels = there.order_by("id").values_list("id", "label")[:limit]
    return {one: (hidden or label, facts[one]) for one, label in labels if one in facts}


def recorded(thing: str, *, as_account: Account) -> dict[str, Any]:
    """Returns the facts of a thing that are recorded, by name and in the form of the log; None is asked and not known.

    Edge: a fact that a correction left out, or that the account may not see, is not there.

    Raises:
        NotFound: for the thing.
        NotAllowed: for the account.
    """
    subject = _subject(thing, as_account)
    running = law.in_force()
    privacy, kind = Privacy(as_account, running.vocabulary), running.vocabulary.things[subject.type]
    present: dict[str, Any] = {}
    dated = [one.content for one in standing.standing_about(subject.id) if one.content.kind == "facts"]
    for row in sorted(dated, key=lambda one: (one.day or one.at or "", one.position)):
        if (standing.day_of(row) or date.min) <= clock.today():
            present |= running.reader.present_data(row)
    return {name: value for name, value in present.items() if name in kind.facts and not privacy.hides(kind.name, name)}


def facts(
    thing: str, *, as_account: Account, as_of: datetime | None = None, known_at: datetime | None = None
) -> tuple[Fact, ...]:
    """Returns the facts of a thing as they stand, recorded and derived; what the account may not see says only that it is there.

    Raises:
        NotFound: where there is no such thing.
        NotAllowed: for the account.
    """
    subject = _subject(thing, as_account)
    if as_of is not None or known_at is not None:
        made = world(as_account=as_account, as_of=as_of, known_at=known_at)
        vocabulary, ground, columns = made.vocabulary, made.law, columns_of(CurrentFact)
        there = made.records.type_of(subject.id) is not None  # else it had not begun then
        stored = (
            [CurrentFact(**dict(zip(columns, one, strict=True))) for one in fact_rows(made, subject.id)]
            if there
            else []
        )
    else:
        working.freshen([subject.id])
        running = law.in_force()
        vocabulary, ground = running.vocabulary, running.ground
        stored = list(CurrentFact.objects.filter(thing=subject.id))
    privacy, kind = Privacy(as_account, vocabulary), vocabulary.things[subject.type]
    shown = []
    for row in sorted(stored, key=lambda one: one.name):
        known = kind.facts.get(row.name)
        label = (known.label or known.name.replace("_", " ")) if known else row.name
        hidden = privacy.hides(subject.type, row.name)
        unit = known.type.unit if known else ""
        caution = "" if row.row else ground.caution_of(f"{subject.type}.{row.name}")
        text = privacy.word if hidden else row.text
        shown.append(Fact(row.name, label, text, unit, row.from_day, row.row, hidden, caution))
    return tuple(shown)


def rows(
    thing: str, *, as_account: Account, known_at: datetime | None = None, root: str = "", after: int = 0
) -> tuple[RowShown, ...]:
    """Returns every row about a thing, corrections and withdrawals among them, in the order in which they were entered.

    Args:
        thing: its id.
        as_account: who asks.
        known_at: only those recorded by then, each as it stood then; all, if left out.
        root: only the row of this id and what corrected or withdrew it.
        after: only those that stand behind this position.

    Raises:
        NotFound: where there is no such thing.
        NotAllowed: for the account.
    """
    subject = _subject(thing, as_account)
    running = law.in_force()
    privacy, reader = Privacy(as_account, running.vocabulary), running.reader
    found = _rows_by(known_at, standing.chain_of(root).rows if root else standing.rows_about(subject.id))
    chain_of = {row.id: chain for chain in standing.chains(found) for row in chain.rows}
    return tuple(row_of(row, chain_of[row.id], reader, privacy) for row in found if row.position > after)


def rows_page(
    thing: str, *, as_account: Account, known_at: datetime | None = None, offset: int = 0, limit: int = MOST
) -> Page[RowShown]:
    """Returns a part of the rows about a thing, the latest entered first: of a thing that has thousands.

    Raises:
        NotFound: where there is no such thing.
        NotAllowed: for the account.
    """
    subject = _subject(thing, as_account)
    running = law.in_force()
    privacy, reader = Privacy(as_account, running.vocabulary), running.reader
    found = _rows_by(known_at, standing.rows_about(subject.id))
    chain_of = {row.id: chain for chain in standing.chains(found) for row in chain.rows}
    part = found[::-1][offset : offset + limit]
    return Page(tuple(row_of(row, chain_of[row.id], reader, privacy) for row in part), len(found))


def told(
    thing: str,
    *,
    as_account: Account,
    as_of: datetime | None = None,
    known_at: datetime | None = None,
    roots: Collection[str] = (),
    offset: int = 0,
    limit: int | None = None,
) -> Told:
    """Returns a part of the events that stand and happened on a thing, the latest part first, each part in order of its rows.

    Edge: what is known by its day alone stands before what has a time that day; of one moment, what was entered first.

    Args:
        thing: its id.
        as_account: who asks.
        as_of: only what had happened by then; all, if left out.
        known_at: only what had been recorded by then, as it stood then.
        roots: first rows of chains that are wanted besides, each with all that corrected or withdrew it.
        offset: so many are left out, counted from the latest.
        limit: so many are returned; left out, it is every row about the thing, those of facts and withdrawals too.

    Raises:
        NotFound: where there is no such thing.
        NotAllowed: for the account.
    """
    subject = _subject(thing, as_account)
    running = law.in_force()
    privacy, reader = Privacy(as_account, running.vocabulary), running.reader
    found = _rows_by(known_at, standing.rows_about(subject.id))
    zone = clock.current_town().zone
    until, last_day = (_text(as_of), as_of.astimezone(zone).date().isoformat()) if as_of is not None else ("", "")
    chain_of: dict[str, standing.Chain] = {}
    events: list[tuple[str, str, int, str]] = []
    wanted: set[str] = set()

    def has_come(row: logbook.Row) -> bool:
        return not until or (row.at <= until if row.at else row.day <= last_day)

    for chain in standing.chains(found):
        row = chain.content
        chain_of.update((one.id, chain) for one in chain.rows)
        if limit is None or chain.root.id in roots:
            wanted.update(one.id for one in chain.rows if one.thing == subject.id and has_come(one))
        stands = row.kind == "event" and not chain.is_void and row.thing == subject.id
        if stands and has_come(row) and (row.at or row.day):
            events.append((str(standing.day_of(row)), row.at, row.position, row.id))
    events.sort()
    end = len(events) - offset
    wanted.update(one[3] for one in events[max(0, end - limit if limit is not None else 0) : max(0, end)])
    shown = tuple(row_of(row, chain_of[row.id], reader, privacy) for row in found if row.id in wanted)
    return Told(shown, len(events), len(found))


def last_row(thing: str, *, as_account: Account) -> int:
    """Returns the position of the last row about a thing; 0 where there is none.

    Raises:
        NotFound: where there is no such thing.
        NotAllowed: for the account.
    """
    return standing.last_position(_subject(thing, as_account).id)


def happened(events: Collection[str], things: Sequence[str], *, as_account: Account) -> dict[str, tuple[RowShown, ...]]:
    """Returns the events of some names that stand on some things, by thing, in the order in which they happened.

    Edge: what is known by its day alone stands before what has a time that day; of one moment, what was entered first.

    Raises:
        NotAllowed: for the account, of any of them.
    """
    running = law.in_force()
    types = set(ThingRow.objects.filter(id__in=list(things)).values_list("type", flat=True))
    for kind in (running.vocabulary.things[name] for name in types if name in running.vocabulary.things):
        rights.require(as_account, "see", kind.program)
    privacy, reader = Privacy(as_account, running.vocabulary), running.reader
    found: dict[str, tuple[RowShown, ...]] = {}
    for thing, rows in standing.rows_about_many(things).items():
        chains = [one for one in standing.standing_about(thing, rows) if one.content.kind == "event"]
        shown = [row_of(one.content, one, reader, privacy) for one in chains if one.root.name in events]
        found[thing] = tuple(sorted(shown, key=lambda row: (row.at[:10], row.at, row.position)))
    return found


def last_said(event: str, field: str, *, as_account: Account) -> dict[str, Any]:
    """Returns what the last event of a name says in one of its fields, by thing, over the whole town.

    Edge: a thing on which the event did not happen, and one that the account may not see the field of, is not there.

    Raises:
        NotAllowed: for the account.
    """
    running = law.in_force()
    kind = running.vocabulary.events[event]
    rights.require(as_account, "see", kind.program or rights.EVERY)
    if Privacy(as_account, running.vocabulary).hides_datum(event, field):
        return {}
    rows = logbook.select_list(
        "(kind = 'event' AND name = %s)"
        " OR (voids <> '' AND voids IN (SELECT id FROM log WHERE kind = 'event' AND name = %s))",
        [event, event],
    )
    latest: dict[str, tuple[str, int, Any]] = {}
    for chain in standing.chains(rows):
        row = chain.content
        if chain.is_void or (said := running.reader.present_data(row).get(field)) is None:
            continue
        place = (row.at or row.day, row.position, said)
        if row.thing not in latest or place[:2] > latest[row.thing][:2]:
            latest[row.thing] = place
    return {thing: place[2] for thing, place in latest.items()}


def row(id: str, *, as_account: Account) -> RowShown:
    """Returns one row of the log, by its id.

    Raises:
        NotFound: where there is none.
        NotAllowed: for the account.
    """
    chain = standing.chain_of(id)
    _subject(chain.root.thing, as_account)  # refuses what the account may not see
    running = law.in_force()
    one = next(row for row in chain.rows if row.id == id)
    return row_of(one, chain, running.reader, Privacy(as_account, running.vocabulary))


def remarks(row: str, *, as_account: Account) -> tuple[str, ...]:
    """Returns what looks unlikely of a row; nothing refuses it, and nothing rests on it.

    Raises:
        NotFound: where there is no such row.
        NotAllowed: for the account.
    """
    chain, running = standing.chain_of(row), law.in_force()
    subject = _subject(chain.content.thing, as_account)
    privacy, reader = Privacy(as_account, running.vocabulary), running.reader
    about = [one for one in standing.standing_about(subject.id) if one.content.kind == "event"]
    kinds = {
        name: running.vocabulary.events.get(reader.event_named(name)) for name in {one.content.name for one in about}
    }
    days = [day for one in about if kinds[one.content.name] and (day := standing.day_of(one.content)) is not None]
    reports = [one for one in about if (kind := kinds[one.content.name]) is not None and kind.report]
    return remarking.remarks_of(
        running, row_of(chain.content, chain, reader, privacy), days,
        [row_of(one.content, one, reader, privacy) for one in reports],
    )  # fmt: skip


def remarks_on(rows: Sequence[RowShown]) -> dict[str, tuple[str, ...]]:
    """Returns what looks unlikely of the events among every row about a thing, by the id of each."""
    return remarking.remarks(law.in_force(), rows)


# ------------------------------------------------------------------------------------------------ what is owed and found


def over(
    things: Sequence[str] = (), *, as_account: Account, is_all: bool = False
) -> dict[str, tuple[str, str, datetime | None]]:
    """Returns, by key, what is over as stored now: its thing, its state and its date. For seeing what an entry changed of it.

    Args:
        things: only about these; of the whole town, if there are none.
        as_account: who asks.
        is_all: what is open, too.
    """
    narrowed = _narrowed(_world_of_nothing(), as_account, "", "", "")
    found = narrowed.stored(is_all=True)
    found = found if is_all else found.exclude(state__in=urgency.OPEN_STATES)
    found = found.filter(thing__in=things) if things else found
    return {
        key: (about, state, due_by)
        for key, about, state, due_by in found.values_list("key", "thing", "state", "due_by")
    }


def due(
    *,
    as_account: Account,
    thing: str = "",
    among: Sequence[str] | None = None,
    program: str = "",
    person: str = "",
    rule: str = "",
    is_all: bool = False,
    as_of: datetime | None = None,
    known_at: datetime | None = None,
    offset: int = 0,
    limit: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Page[Due]:
    """Returns what is due and what was, most urgent first: one line a duty and subject; with `is_all` every obligation.

    Args:
        as_account: who asks.
        thing: only about this one.
        among: only about these, as stored now: for a page of a list.
        program: only of this one.
        person: only what this person must do: what is assigned, what the thing's own path names, what falls to offices held.
        rule: only under this one.
        is_all: closed, met and withdrawn ones too, one line each.
        as_of: another instant, worked out from the log.
        known_at: as it was known then.
        offset: so many are left out at the beginning.
        limit: so many are returned; all, if left out.
        progress: of another instant over the town: told how many things are worked out, of how many.

    Raises:
        NotFound: for a thing that is not there.
        NotAllowed: for the account.
    """
    subject = _subject(thing, as_account) if thing else None
    if as_of is not None or known_at is not None:
        made = world(as_account=as_account, as_of=as_of, known_at=known_at, is_whole=subject is None)
        left, total = 0, None
        with uncollected():
            found = made.obligations(subject.id) if subject else _all_obligations(made, progress)
            found = [one for one in found if rule in ("", one.rule)]
            persons = _named_persons(made, found)
    else:
        about = [subject.id] if subject else among
        left = working.freshen(about)
        made = _world_of_nothing()
        narrowed = _narrowed(made, as_account, program, person, rule)
        total = None
        if about is not None:
            rows = list(narrowed.about(about, is_all=is_all))
        elif is_all and limit is not None:
            every = narrowed.stored(is_all=True).order_by("key")
            rows, total = list(urgency.Owed.of(every[offset : offset + limit])), every.count()
            offset = 0  # the part is what is at hand
        elif limit is None:
            rows = list(urgency.Owed.of(narrowed.stored(is_all=is_all).order_by("key")))
        else:
            rows = urgency.most_urgent(made, narrowed, offset + limit)
            total = urgency.count_lines(made, narrowed)
        persons = {one.key: one.person for one in rows}
        found = [obligation_of(one, made.as_of) for one in rows]
    holdings = people.holdings()
    lines = _lines(made, found, is_all=is_all)
    allowed = _programs_seen(as_account, made)
    things = {line.thing for line in lines}
    named = {one.id: one for chunk in logbook.chunks(list(things)) for one in ThingRow.objects.filter(id__in=chunk)}
    privacy = Privacy(as_account, made.vocabulary)
    for one in named.values():
        one.label = privacy.label(one.type, one.label)
    shown = [due_of(made, line, named, persons, holdings) for line in lines]
    kept = [
        one
        for one in shown
        if one.program in allowed and program in ("", one.program) and (not person or person in one.persons)
    ]
    end = None if limit is None else offset + limit
    return Page(tuple(kept[offset:end]), len(kept) if total is None else total, left)


def behind(
    thing: str,
    *,
    as_account: Account,
    as_of: datetime | None = None,
    known_at: datetime | None = None,
    offset: int = 0,
    limit: int | None = None,
) -> Behind:
    """Returns a part of what is over on a thing, the latest first, and how much there is of everything ever owed on it.

    Raises:
        NotFound: where there is no such thing.
        NotAllowed: for the account.
    """
    owed = _owed_on(_subject(thing, as_account), as_account, as_of, known_at)
    over = [key for key, state, _ in owed.known if state not in IS_OPEN][::-1]
    ended = [key for key, state, _ in owed.known if state == "closed"]  # it ended, or was not needed after all
    one_each = {state: key for key, state, _ in owed.known if state not in (*IS_OPEN, "closed")}
    examples, _ = owed.in_full([*one_each.values(), *ended])
    word_by_key = {one.key: word_of(owed.made, one).lower() for one in examples}
    counts: dict[str, int] = {}
    for key, state, _ in owed.known:
        word = "open" if state in IS_OPEN else word_by_key[key if state == "closed" else one_each[state]]
        counts[word] = counts.get(word, 0) + 1
    items = _due(owed, as_account, over[offset:][:limit])
    return Behind(items, len(over), counts, frozenset(opened_by for _, _, opened_by in owed.known))


def beside(
    key: str,
    thing: str,
    *,
    as_account: Account,
    as_of: datetime | None = None,
    known_at: datetime | None = None,
    limit: int,
) -> Page[Due]:
    """Returns what is and was owed on a thing, what is not over first; what has a key is always among it.

    Raises:
        NotFound: where there is no such thing.
        NotAllowed: for the account.
    """
    owed = _owed_on(_subject(thing, as_account), as_account, as_of, known_at)
    keys = [one for one, _, _ in sorted(owed.known, key=lambda one: one[1] not in IS_OPEN)]
    chosen = keys[:limit]
    return Page(_due(owed, as_account, chosen if key in chosen or key not in keys else [*chosen[:-1], key]), len(keys))


@dataclass(frozen=True, slots=True)
class _Owed:
    """All that is or was owed on a thing, by key, state and what opened it; in full only what is asked for."""

    made: World
    known: Sequence[tuple[str, str, str]]
    stored: Mapping[str, Obligation] | None  # None: it is stored

    def in_full(self, keys: Sequence[str]) -> tuple[list[Obligation], dict[str, str]]:
        """Returns some of them in full, in the order asked for, and by key the person whom the thing itself names."""
        if self.stored is not None:
            found = [self.stored[key] for key in keys]
            return found, _named_persons(self.made, found)
        rows = {
            one.key: one
            for chunk in logbook.chunks(keys)
            for one in urgency.Owed.of(ObligationRow.objects.filter(key__in=chunk))
        }
        persons = {one.key: one.person for one in rows.values()}
        return [obligation_of(rows[key], self.made.as_of) for key in keys], persons


def _owed_on(subject: ThingRow, account: Account, as_of: datetime | None, known_at: datetime | None) -> _Owed:
    if as_of is not None or known_at is not None:
        made = world(as_account=account, as_of=as_of, known_at=known_at)
        with uncollected():
            found = {one.key: one for one in made.obligations(subject.id)}
        return _Owed(made, [(one.key, one.state, one.opened_by) for one in found.values()], found)
    working.freshen([subject.id])
    made = _world_of_nothing()
    stored = _narrowed(made, account, "", "", "").stored(is_all=True).filter(thing=subject.id).order_by("key")
    known = [
        (key, _STATE_NOW.get(state, state), by) for key, state, by in stored.values_list("key", "state", "opened_by")
    ]
    return _Owed(made, known, None)


def _due(owed: _Owed, account: Account, keys: Sequence[str]) -> tuple[Due, ...]:
    found, persons = owed.in_full(keys)
    holdings = people.holdings() if found else []
    privacy = Privacy(account, owed.made.vocabulary)
    named = {one.id: one for one in ThingRow.objects.filter(id__in={one.thing for one in found})}
    for one in named.values():
        one.label = privacy.label(one.type, one.label)
    return tuple(due_of(owed.made, _line_of_one(owed.made, one)[0], named, persons, holdings) for one in found)


def with_open(*, as_account: Account, program: str, person: str = "") -> set[str]:
    """Returns the things on which something of a program is open, for a person or for anybody.

    Raises:
        NotAllowed: for an account that may see nothing.
    """
    rights.require(as_account, "see", rights.EVERY)
    working.freshen(None)
    made = _world_of_nothing()
    stored = _narrowed(made, as_account, program, person, "").stored()
    excused = urgency.Owed.of(stored.filter(state="excused"))  # for good, or until something happens
    found = {one.thing for one in excused if obligation_of(one, made.as_of).is_open}
    found.update(stored.exclude(state="excused").order_by().values_list("thing", flat=True).distinct())
    return found


def _narrowed(made: World, account: Account, program: str, person: str, rule: str) -> urgency.Narrowed:
    """Returns of which stored obligations a list is made that an account asks for."""
    seen = _programs_seen(account, made)
    is_whole = not program and seen == {kind.program for kind in made.vocabulary.things.values()}
    held = people.offices(person, made.today) if person else frozenset()
    return urgency.Narrowed(None if is_whole else seen & {program} if program else seen, rule, person, held)


def _programs_seen(account: Account, made: World) -> frozenset[str]:
    programs = {kind.program for kind in made.vocabulary.things.values()}
    return frozenset(program for program in programs if rights.may(account, "see", program))


def obligations(
    *, as_account: Account, thing: str = "", rule: str = "", states: Sequence[str] = (), limit: int = MOST
) -> tuple[Obligation, ...]:
    """Returns stored obligations as the engine gave them, with the state that they have now, by key.

    Raises:
        NotAllowed: for the account.
    """
    subject = _subject(thing, as_account) if thing else None
    working.freshen([subject.id] if subject else None)
    found = ObligationRow.objects.order_by("key")
    found = found.filter(thing=subject.id) if subject else found
    found = found.filter(rule=rule) if rule else found
    now = clock.now()
    seen = [obligation_of(one, now) for one in urgency.Owed.of(found) if rights.may(as_account, "see", one.program)]
    return tuple(one for one in seen if not states or one.state in states)[:limit]


def open_by_rule(*, as_account: Account) -> dict[str, tuple[int, int]]:
    """Returns how many obligations each rule holds open now, and how many of them are overdue, as far as they may be seen.

    Raises:
        NotAllowed: for an account that may see nothing.
    """
    rights.require(as_account, "see", rights.EVERY)
    working.freshen(None)
    kinds = law.in_force().vocabulary.things.values()
    programs = {kind.program for kind in kinds if rights.may(as_account, "see", kind.program)}
    found = ObligationRow.objects.filter(program__in=programs, state__in=urgency.OPEN_STATES).order_by()
    late = Count("key", filter=Q(state="open", due_by__lt=clock.now()))
    counted = found.values("rule").annotate(count=Count("key"), late=late)
    return {one["rule"]: (one["count"], one["late"]) for one in counted}


def findings(
    *,
    as_account: Account,
    thing: str = "",
    rule: str = "",
    outcomes: Sequence[str] = (),
    limit: int = MOST,
    as_of: datetime | None = None,
    known_at: datetime | None = None,
) -> tuple[Finding, ...]:
    """Returns findings, by key, without their steps: those are worked out by `why`. With `as_of` or `known_at` of one thing.

    Raises:
        NotAllowed: for the account.
    """
    subject = _subject(thing, as_account) if thing else None
    if subject is not None and (as_of is not None or known_at is not None):
        made = world(as_account=as_account, as_of=as_of, known_at=known_at)
        then = {one.key: one for one in made.findings(subject.id, has_steps=False)}
        kept = (one for _, one in sorted(then.items()) if rule in ("", one.rule))
        return tuple(one for one in kept if not outcomes or one.outcome in outcomes)[:limit]
    working.freshen([subject.id] if subject else None)
    found = FindingRow.objects.order_by("key")
    found = found.filter(thing=subject.id) if subject else found
    found = found.filter(rule=rule) if rule else found
    found = found.filter(outcome__in=outcomes) if outcomes else found
    kinds = law.in_force().vocabulary.things.values()
    seen = {kind.program for kind in kinds if rights.may(as_account, "see", kind.program)}
    return tuple(finding_of(one) for one in found.filter(program__in=seen)[:limit])


def why(
    key: str, *, as_account: Account, as_of: datetime | None = None, known_at: datetime | None = None
) -> Explanation:
    """Returns everything that an obligation or a finding rests on: clause, meaning, edition, steps, doubts.

    Raises:
        NotFound: where there is none of that key.
        NotAllowed: for the account.
    """
    made = world(as_account=as_account, as_of=as_of, known_at=known_at)
    found = made.why(key)
    if found is None:
        raise NotFound(f"there is nothing under the key {key!r}; `sewershed due --all` shows the keys")
    _subject(found.thing, as_account)  # refuses what the account may not see
    found.steps = Privacy(as_account, made.vocabulary).steps(found.steps)
    return found


def unheld(
    thing: str, *, as_account: Account, as_of: datetime | None = None, known_at: datetime | None = None
) -> dict[str, tuple[Want, ...]]:
    """Returns, by the first row of each event of a thing, in which office it is said to be done or decided without being held.

    Raises:
        NotFound: for the thing.
        NotAllowed: for the account.
    """
    subject = _subject(thing, as_account)
    made = world(as_account=as_account, as_of=as_of, known_at=known_at)
    return made.unheld(subject.id) if made.records.type_of(subject.id) is not None else {}


def may(
    event: str,
    thing: str,
    *,
    as_account: Account,
    at: str | Moment = "",
    office: str = "",
    data: Mapping[str, Any] | None = None,
    contains: Iterable[str] = (),
    known_at: datetime | None = None,
) -> list[Finding]:
    """Returns how every rule about an act would judge it, were it done: nothing is recorded.

    Edge: with `known_at` it is judged by what had been recorded then.

    Refuses: an event or a field that the vocabulary does not know.

    Raises:
        Refused: with every reason.
        NotFound: for the thing.
        NotAllowed: for the account.
    """
    subject = _subject(thing, as_account)
    made = world(as_account=as_account, known_at=known_at)
    checks = Checks(law.in_force(_text(known_at) if known_at else ""), subject.id)
    kind = checks.event_type(event, subject.type)
    typed = checks.data(event, kind.data, data or {}) if kind else {}
    checks.refuse()
    moment = _asked(at, made)
    if moment != made.as_of:
        made = world(as_account=as_account, as_of=_latest(made, moment), known_at=known_at)
    privacy = Privacy(as_account, made.vocabulary)
    found = made.may(event, subject.id, moment, office, typed, contains)
    for one in found:
        one.steps = tuple(privacy.steps(one.steps))
    return found


def answer(name: str, *, as_account: Account, thing: str = "", day: date | None = None) -> Value | Unknown:
    """Returns what the books answer to an ask, or a fact of a thing, on a day.

    Raises:
        NotFound: for the thing.
        NotAllowed: for the account.
    """
    subject = _subject(thing, as_account) if thing else None
    return world(as_account=as_account).answer(name, subject.id if subject else None, day)


def exposure(thing: str, *, as_account: Account) -> list[Exposure]:
    """Returns what the breaches on a thing expose to; never an assessment.

    Raises:
        NotFound: for the thing.
        NotAllowed: for the account.
    """
    return world(as_account=as_account).exposure(_subject(thing, as_account).id)


def world(
    *, as_account: Account, as_of: datetime | None = None, known_at: datetime | None = None, is_whole: bool = False
) -> World:
    """Returns the record under the law as of an instant, as known at an instant: for papers and for those who ask much.

    Args:
        as_account: who asks.
        as_of: the instant; now, if left out.
        known_at: as it was known then.
        is_whole: the whole record is fetched at once, for those who ask about the whole town.

    Edge: with `known_at` the law is the supplement that was adopted then.

    Refuses: an account that may see nothing.

    Raises:
        NotAllowed: for the account.
    """
    rights.require(as_account, "see", rights.EVERY)
    known = _text(known_at) if known_at else ""
    running = law.in_force(known)
    records = LogRecords(running.reader, known_at=known)
    if is_whole:
        with uncollected():
            records.prefetch_all()
    return World(running.library, running.book_id, records, as_of or clock.now(), known_at)


# ------------------------------------------------------------------------------------------------ people, papers, the rest


def who(key: str, *, as_account: Account) -> people.Who:
    """Returns whom an obligation means today; where nobody is found its note says so.

    Raises:
        NotFound: where there is no such obligation.
        NotAllowed: for the account.
    """
    owed = ObligationRow.objects.filter(key=key).first()
    if owed is None:
        raise NotFound(f"there is no obligation {key!r}")
    subject = _subject(owed.thing, as_account)
    return people.who(subject.id, subject.type, owed.rule, owed.office, clock.today(), law.in_force().book.roles)


def holders(*, as_account: Account, day: date | None = None) -> tuple[Holder, ...]:
    """Returns who holds which office on a day, and the offices that nobody holds.

    Raises:
        NotAllowed: for the account.
    """
    rights.require(as_account, "see", rights.EVERY)
    on = day or clock.today()
    known = [one for one in people.holdings() if one.is_on(on)]
    privacy = Privacy(as_account, law.in_force().vocabulary)
    rows = ThingRow.objects.filter(id__in={one.person for one in known})
    labels = {one.id: privacy.label(one.type, one.label) for one in rows}
    shown = []
    for office, title in sorted(law.in_force().book.roles.items()):
        persons = people.holders(office, on, known)
        shown.append(Holder(office, title, tuple((person, labels.get(person, person)) for person in persons)))
    return tuple(shown)


def documents(*, as_account: Account, about: str = "", kind: str = "") -> tuple[Mapping[str, str], ...]:
    """Returns papers that were issued, each with its facts, its id under `id` and whether it was withdrawn.

    Raises:
        NotAllowed: for the account.
    """
    return _with_facts("document", as_account, {"about": about, "kind": kind})


def attachments(about: str, *, as_account: Account) -> tuple[Mapping[str, str], ...]:
    """Returns the files kept with a thing, each with its facts and its id under `id`.

    Raises:
        NotFound: for the thing.
        NotAllowed: for the account.
    """
    return _with_facts("attachment", as_account, {"about": _subject(about, as_account).id})


def file(digest: str, *, as_account: Account) -> bytes:
    """Returns the content of a kept file, checked against its hash.

    Raises:
        NotFound: where it is not there, or is no longer what its hash says.
        NotAllowed: for the account.
    """
    rights.require(as_account, "see", rights.EVERY)
    return files.read(digest)


def batches(*, as_account: Account) -> tuple[Batch, ...]:
    """Returns the imports and joinings, the latest first.

    Raises:
        NotAllowed: for the account.
    """
    rights.require(as_account, "see", rights.EVERY)
    return tuple(Batch.objects.order_by("-applied_at", "id"))


def accounts(*, as_account: Account) -> tuple[Account, ...]:
    """Returns the accounts, by name.

    Raises:
        NotAllowed: for the account.
    """
    rights.require(as_account, "administer", rights.EVERY)
    return tuple(Account.objects.order_by("name"))


def head(*, as_account: Account) -> Head:
    """Returns the end of the log, which stands on every paper.

    Raises:
        NotAllowed: for the account.
    """
    rights.require(as_account, "see", rights.EVERY)
    return logbook.head()


# ------------------------------------------------------------------------------------------------ what these share


def _named(text: str) -> Q:
    if len(text) > MOST_LETTERS:
        return NOTHING
    alias = Alias.objects.filter(text__iexact=text).values("thing")
    return Q(id=text) | Q(label__iexact=text) | Q(number__iexact=text) | Q(id__in=alias)


def _called(name: str, type: str = "") -> list[ThingRow]:
    """Returns the things that go by a whole name, the best of its meanings."""
    named = ThingRow.objects.filter(type=type) if type else ThingRow.objects.all()
    if by_id := named.filter(id=name).first():
        return [by_id]
    several = list(named.filter(_named(name), is_gone=False).order_by("began")[:MOST]) if name else []
    several = [one for one in several if not one.joined_into] or several
    return [one for one in several if not (one.type == DOCUMENT and one.number == name)] or several


def _named_like(text: str) -> Q:
    if len(text) > MOST_LETTERS:
        return NOTHING
    alias = Alias.objects.filter(text__icontains=text).values("thing")
    return Q(label__icontains=text) | Q(number__icontains=text) | Q(id__in=alias)


def _rows_by(known_at: datetime | None, rows: Sequence[logbook.Row]) -> Sequence[logbook.Row]:
    """Returns the rows that were recorded by an instant; all, if there is none."""
    known = _text(known_at) if known_at else ""
    return [one for one in rows if one.recorded_at <= known] if known else rows


def _subject(thing: str, account: Account) -> ThingRow:
    found = ThingRow.objects.filter(id=thing).first()
    if found is None:
        raise NotFound(f"there is no thing {thing!r} in the record")
    kind = law.in_force().vocabulary.things.get(found.type)
    rights.require(account, "see", kind.program if kind else rights.EVERY)
    return found


def _all_obligations(made: World, progress: Callable[[int, int], None] | None = None) -> list[Obligation]:
    things, here = list(made.records.things()), os.getpid()

    def of(part: Sequence[str]) -> list[Obligation]:
        found: list[Obligation] = []
        for count, thing in enumerate(part):
            found += made.obligations(thing)
            if progress is not None and not count % TOLD_EACH and os.getpid() == here:  # the others come as far
                progress(count * len(things) // len(part), len(things))
        return found

    return [one for part in shared(things, of) for one in part]


def _named_persons(made: World, found: Sequence[Obligation]) -> dict[str, str]:
    """Returns, by key, the person whom a thing itself names; for obligations that were not stored."""
    assigned = people.with_assignments({one.thing for one in found})
    rows_of = made.records.entered if isinstance(made.records, LogRecords) else standing.rows_about
    finder_of = working.finder_of(made, rows_of, assigned)
    finders = {thing: finder_of(thing) for thing in {one.thing for one in found}}
    return {one.key: finders[one.thing].person(one.rule, duty_of(made, one).who) for one in found}


def _lines(made: World, found: Sequence[Obligation], *, is_all: bool) -> list[Any]:
    if not is_all:
        return list(made.todo(found))
    return [line for one in found for line in _line_of_one(made, one)]


def _line_of_one(made: World, one: Obligation) -> list[Any]:
    return [
        Line(
            rules=(one.rule,), thing=one.thing, state=one.state, word=word_of(made, one), due=one.due, first=one, count=1,
            asks=one.asks, if_read_as=one.if_read_as, doubts=one.doubts, notes=one.notes,
        )
    ]  # fmt: skip


def _world_of_nothing() -> World:
    """Returns a world that knows the law and the instant but no thing: enough to sort what is stored."""
    running = law.in_force()
    return World(running.library, running.book_id, LogRecords(running.reader), clock.now())


def _asked(at: str | Moment, made: World) -> Moment:
    if not isinstance(at, str):
        return at
    try:
        return read_moment(at, made.zone) if at else made.as_of
    except MomentError as error:
        raise Refused(str(error)) from None


def _latest(made: World, moment: Moment) -> datetime:
    asked = moment if is_instant(moment) else end_of(moment, made.zone)
    return max(made.as_of, asked)


def _facts_that(type: str, name: str, kind: str, comparison: str, value: str) -> QuerySet[CurrentFact]:
    if len(value) > MOST_LETTERS:
        return CurrentFact.objects.none()
    if comparison not in _COMPARISONS:
        raise Refused(f"{comparison!r} compares nothing; write one of {' '.join(_COMPARISONS)}")
    column = {"number": "number", "money": "number", "date": "day", "instant": "day", "moment": "day", "ref": "ref"}
    field = "text" if comparison == "has" else column.get(kind, "text")
    found = CurrentFact.objects.filter(type=type, name=name)
    try:
        return found.filter(**{f"{field}{_COMPARISONS[comparison]}": value})
    except Exception as error:
        raise Refused(f"{name} is a {kind}: {value!r} cannot be compared with it") from error


def _ordered(found: QuerySet[ThingRow], type: str, order: str, offset: int, limit: int) -> list[ThingRow]:
    name = order.removeprefix("-")
    if name in ("", LABEL, BEGAN):
        return list(found.order_by(order or LABEL, "id")[offset : offset + limit])
    facts = CurrentFact.objects.filter(type=type, name=name, thing__in=found.values("id"))
    sign = "-" if order.startswith("-") else ""
    ids = list(
        facts.order_by(f"{sign}number", f"{sign}day", f"{sign}text", "thing").values_list("thing", flat=True)[
            offset : offset + limit
        ]
    )
    by_id = {one.id: one for one in found.filter(id__in=ids)}
    shown = [by_id[one] for one in ids]
    if len(shown) < limit:  # those of which the fact is not known come last, in either direction
        begin = max(0, offset - facts.count())
        rest = found.exclude(id__in=facts.values("thing")).order_by("label", "id")
        shown += rest[begin : begin + limit - len(shown)]
    return shown


def _ids(found: QuerySet[ThingRow], type: str, order: str) -> list[str]:
    """Returns the ids of all of them, in the order in which `_ordered` gives them part by part."""
    name = order.removeprefix("-")
    if name in ("", LABEL, BEGAN):
        return list(found.order_by(order or LABEL, "id").values_list("id", flat=True))
    sign = "-" if order.startswith("-") else ""
    facts = CurrentFact.objects.filter(type=type, name=name, thing__in=found.values("id"))
    known = facts.order_by(f"{sign}number", f"{sign}day", f"{sign}text", "thing").values_list("thing", flat=True)
    rest = found.exclude(id__in=facts.values("thing")).order_by("label", "id").values_list("id", flat=True)
    return [*known, *rest]


def _with_facts(type: str, account: Account, wanted: Mapping[str, str]) -> tuple[Mapping[str, str], ...]:
    kind = law.in_force().vocabulary.things[type]
    rights.require(account, "see", kind.program)
    found = ThingRow.objects.filter(type=type, is_gone=False)
    for name, value in wanted.items():
        if value:
            found = found.filter(id__in=CurrentFact.objects.filter(type=type, name=name, text=value).values("thing"))
    shown = {one.id: {"id": one.id, "label": one.label} for one in found.order_by("began")}
    for row in CurrentFact.objects.filter(thing__in=list(shown)):
        shown[row.thing][row.name] = row.text
    return tuple(shown.values())


def _text(instant: datetime) -> str:
    return canonical.instant_text(instant.astimezone(UTC))


__all__ = [
    "accounts", "answer", "attachments", "batches", "behind", "beside", "called", "counts", "documents", "due", "exposure", "facts", "facts_of", "file", "find",
    "findings", "happened", "head", "holders", "last_row", "last_said", "may", "obligations", "over", "recorded", "remarks", "row", "rows", "rows_page",
    "thing", "things", "things_in_parts", "told", "unheld", "who", "why", "with_open", "world",
]  # fmt: skip
