"""The log as somebody reads it who asks what was entered: by whom, when, about what, and what a correction changed.

Newest first, a page at a time. Rows about things that an account may not see are left out, private values too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from django.db import connection

from sewershed.ledger import canonical, clock, law, rights, standing
from sewershed.ledger import log as logbook
from sewershed.ledger.models import Account
from sewershed.ledger.models import Thing as ThingRow
from sewershed.ledger.privacy import Privacy
from sewershed.ledger.shown import Page, RowShown, row_of
from sewershed.rules.moments import start_of

CORRECTIONS, FACTS, WITHDRAWALS = "corrections", "facts", "withdrawals"  # what is looked for, beside the events
EVERYTHING = "1 = 1"
_KINDS = {CORRECTIONS: "replaces <> ''", FACTS: "kind = 'facts'", WITHDRAWALS: "kind = 'void'"}


@dataclass(frozen=True, slots=True)
class Asked:
    """What of the log is asked for; what is left empty narrows nothing."""

    thing: str = ""  # its id
    person: str = ""  # who did it
    account: str = ""  # who entered it
    what: str = ""  # an event, or one of the words above
    first: date | None = None  # the day on which it was recorded, in the town
    last: date | None = None
    batch: str = ""  # the rows that were entered together, in the order of their lines


@dataclass(frozen=True, slots=True)
class Entered:
    """A row, the thing it is about, and for a correction or a withdrawal what had been said before."""

    row: RowShown
    label: str  # of the thing
    earlier: RowShown | None  # the row that it corrects or withdraws
    earlier_label: str


def entered(
    asked: Asked, *, as_account: Account, offset: int = 0, limit: int, beyond: int | None = None
) -> Page[Entered]:
    """Returns a part of the log, the latest row first; what was entered together, in its own order.

    Edge: a day asked about is the town's own, both days belong to the span.

    Args:
        asked: what of the log.
        as_account: who asks.
        offset: so many are left out at the beginning.
        limit: so many are returned.
        beyond: only what follows on this position in that order; it is then not counted how many rows there are.

    Raises:
        NotAllowed: for an account that may see nothing.
    """
    rights.require(as_account, "see", rights.EVERY)
    where, values, known = _condition(asked, as_account)
    with connection.cursor() as cursor:
        if beyond is not None:
            where, values, total = f"{where} AND position {'>' if asked.batch else '<'} %s", [*values, beyond], 0
        elif known is not None:
            total = known
        else:
            cursor.execute(f"SELECT count(*) FROM log WHERE {where}", values)  # our own words, values apart
            total = int(cursor.fetchone()[0])
        if where == EVERYTHING:  # positions have no gaps: they say themselves which rows those are
            where, values, offset = "position BETWEEN %s AND %s", [total - offset - limit + 1, total - offset], 0
        columns = ", ".join(logbook.COLUMNS)
        order = "position" if asked.batch else "position DESC"
        # Which rows those are an index tells alone; only then are they read.
        chosen = f"SELECT position FROM log WHERE {where} ORDER BY {order} LIMIT %s OFFSET %s"  # as above
        text = f"SELECT {columns} FROM log WHERE position IN ({chosen}) ORDER BY {order}"
        cursor.execute(text, [*values, limit, offset])
        rows = [logbook.Row._make(row) for row in cursor.fetchall()]
    return Page(tuple(_shown(rows, as_account)), total)


def kinds(*, as_account: Account) -> tuple[str, ...]:
    """Returns the events of which the log holds rows, by name.

    Raises:
        NotAllowed: for an account that may see nothing.
    """
    rights.require(as_account, "see", rights.EVERY)
    with connection.cursor() as cursor:
        cursor.execute(  # from name to name along the index: the rows of each are not walked
            "WITH RECURSIVE found(name) AS (SELECT min(name) FROM log WHERE kind = 'event' UNION ALL SELECT "
            "(SELECT min(log.name) FROM log WHERE log.kind = 'event' AND log.name > found.name) FROM found WHERE "
            "found.name IS NOT NULL) SELECT name FROM found WHERE name IS NOT NULL"
        )
        return tuple(row[0] for row in cursor.fetchall())


def writers(*, as_account: Account) -> tuple[str, ...]:
    """Returns the names of the accounts that there are or were, since the log names them.

    Raises:
        NotAllowed: for an account that may see nothing.
    """
    rights.require(as_account, "see", rights.EVERY)
    return tuple(Account.objects.order_by("name").values_list("name", flat=True))


def decided(doubts: Iterable[str], *, as_account: Account) -> tuple[Entered, ...]:
    """Returns the decisions on some doubts that stand, in the order in which they were entered.

    Raises:
        NotAllowed: for an account that may see nothing.
    """
    rights.require(as_account, "see", rights.EVERY)
    wanted = [f'%"doubt":{canonical.write(one)}%' for one in doubts]
    if not wanted:
        return ()
    like = " OR ".join(["data LIKE %s"] * len(wanted))
    rows = logbook.select_list(f"kind = 'event' AND name = 'decided' AND ({like})", wanted)
    vocabulary = law.in_force().vocabulary
    seen = {name for name, kind in vocabulary.things.items() if rights.may(as_account, "see", kind.program)}
    types: dict[str, str] = {}
    for chunk in logbook.chunks(list({row.thing for row in rows})):
        types.update(ThingRow.objects.filter(id__in=chunk).values_list("id", "type"))
    shown = _shown([row for row in rows if types.get(row.thing) in seen], as_account)
    return tuple(one for one in shown if one.row.stands == "stands")


def _condition(asked: Asked, account: Account) -> tuple[str, list[str | int], int | None]:
    """Returns what a row must meet, as SQL with its values apart, and how many rows do, where that need not be counted."""
    parts: list[str] = [EVERYTHING]
    values: list[str | int] = []
    vocabulary = law.in_force().vocabulary
    hidden = [name for name, kind in vocabulary.things.items() if not rights.may(account, "see", kind.program)]
    if hidden:
        places = ", ".join(["%s"] * len(hidden))
        parts.append(f"thing NOT IN (SELECT thing.id FROM thing WHERE thing.type IN ({places}))")
        values += hidden
    if asked.thing:
        parts.append("(thing = %s OR id IN (SELECT moved.row FROM moved WHERE moved.thing = %s))")
        values += [asked.thing, asked.thing]
    for column, value in (("performed_by", asked.person), ("recorded_by", asked.account)):
        if value:
            parts.append(f"{column} <> '' AND {column} = %s")
            values.append(value)
    if asked.batch:
        parts.append("batch <> '' AND batch = %s AND name <> 'batch_applied'")
        values.append(asked.batch)
    if asked.what in _KINDS:
        parts.append(_KINDS[asked.what])
    elif asked.what:
        parts.append("kind = 'event' AND name = %s")
        values.append(asked.what)
    known = None if len(parts) > 1 else logbook.head().position  # positions have no gaps
    if asked.first is not None or asked.last is not None:
        part, bounds, count = _recorded(asked.first, asked.last)
        known = None if known is None else count
        parts.append(part)
        values += bounds
    return " AND ".join(parts), values, known


def _recorded(first: date | None, last: date | None) -> tuple[str, list[str | int], int]:
    """Returns the condition that a row was recorded on some days, with its values apart, and how many were.

    Positions are what a page is cut by, so the condition names them, too. Mostly they are all that it names: the clock went
    back nowhere in between, and then the rows of some days stand side by side.
    """
    zone = clock.current_town().zone
    begin = canonical.instant_text(start_of(first, zone)) if first is not None else ""
    end = canonical.instant_text(start_of(last + timedelta(days=1), zone)) if last is not None else "~"  # behind all
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*), min(position), max(position) FROM log WHERE recorded_at >= %s AND recorded_at < %s",
            [begin, end],
        )
        count, lowest, highest = cursor.fetchone()
    if not count:
        return "1 = 0", [], 0
    part, values = "position BETWEEN %s AND %s", [lowest, highest]
    if count == highest - lowest + 1:
        return part, values, count
    return f"{part} AND recorded_at >= %s AND recorded_at < %s", [*values, begin, end], count


def _shown(rows: Sequence[logbook.Row], account: Account) -> Iterator[Entered]:
    running = law.in_force()
    reader, privacy = running.reader, Privacy(account, running.vocabulary)
    chain_of = {row.id: chain for chain in standing.chains(_with_chains(rows)) for row in chain.rows}
    labels: dict[str, str] = {}
    things = {one.thing for row in rows for one in chain_of[row.id].rows}
    for chunk in logbook.chunks(list(things)):
        named = ThingRow.objects.filter(id__in=chunk)
        labels.update((one.id, privacy.label(one.type, one.label)) for one in named)
    for row in rows:
        chain = chain_of[row.id]
        before = [one for one in chain.rows if one.position < row.position and one.kind != "void"]
        earlier = row_of(before[-1], chain, reader, privacy) if before else None
        yield Entered(
            row_of(row, chain, reader, privacy), labels.get(row.thing, row.thing), earlier,
            labels.get(earlier.thing, earlier.thing) if earlier else "",
        )  # fmt: skip


def _with_chains(rows: Sequence[logbook.Row]) -> list[logbook.Row]:
    """Returns the rows with all that they correct or withdraw and all that corrects or withdraws them, in order."""
    found = {row.id: row for row in rows}
    fresh = list(rows)
    while fresh:
        met: dict[str, logbook.Row] = {}
        ids = [row.id for row in fresh]
        earlier = {one for row in fresh for one in (row.replaces, row.voids) if one} - found.keys()
        met |= logbook.rows_named(earlier)
        for chunk in logbook.chunks(ids):
            places = ", ".join(["%s"] * len(chunk))
            for column in ("replaces", "voids"):  # each has an index of those that are not empty
                later = logbook.select_list(f"{column} <> '' AND {column} IN ({places})", chunk)
                met |= {row.id: row for row in later}
        fresh = [row for id_, row in met.items() if id_ not in found]
        found |= met
    return sorted(found.values(), key=lambda row: row.position)
