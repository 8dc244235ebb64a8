"""What follows from the record, worked out and kept beside it (docs/explanation/the-record.md).

A write concerns a thing and those whose answers were worked out by reading it. Up to 200 are worked out in the same
transaction; more are marked stale in it. What is stale, or whose next instant has passed, is worked out when somebody reads
it or by the tick, whichever comes first. Nothing here is the truth: all of it can be built anew from the log.
"""

from __future__ import annotations

import fcntl
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

from django.db import models
from django.db.models import F, Q, QuerySet

from sewershed.ledger import clock, law, people, standing, tables, things
from sewershed.ledger import log as logbook
from sewershed.ledger.errors import Refused
from sewershed.ledger.law import Law
from sewershed.ledger.log import Head, Pen
from sewershed.ledger.models import (
    TABLES,
    Alias,
    Batch,
    CurrentFact,
    EventKey,
    Finding,
    Heartbeat,
    Moved,
    Obligation,
    Reader,
    Ref,
    Series,
    Thing,
)
from sewershed.ledger.projections import Worked, work_out
from sewershed.ledger.records import LogRecords
from sewershed.ledger.sharing import shared
from sewershed.rules.memory import uncollected
from sewershed.rules.world import OFFICES_CLOSED, World

AT_ONCE = 200  # things worked out within one transaction, or on reading; more wait for the worker
AT_A_TIME = 5_000  # things whose answers a recompute holds in memory before it writes them
SILENT = timedelta(minutes=5)  # after this a worker is taken for dead; it beats each minute
_MAY_DIFFER: dict[type[models.Model], tuple[str, ...]] = {
    Thing: ("computed_at", "is_stale")
}  # columns that say when, not what


@dataclass(frozen=True, slots=True)
class Recomputed:
    """What building anew found: how much there is, and where it was not what was stored."""

    head: Head
    things: int
    obligations: int
    findings: int
    differences: tuple[str, ...]


# ------------------------------------------------------------------------------------------------ on writing


@logbook.before_commit
def catch_up(pen: Pen) -> None:
    """Works out the things that a write concerns, or marks them stale where they are many."""
    concerned = concerned_by([*pen.concerned, *_done_in_offices(pen)])
    if any(_root_name(row) == OFFICES_CLOSED for row in pen.added):
        Thing.objects.update(is_stale=True)  # a day off moves the business days of everything
    if len(concerned) <= AT_ONCE:
        store(concerned, law.in_force(), clock.now())
    else:
        mark_stale(concerned)


def _done_in_offices(pen: Pen) -> list[str]:
    """Returns the things about which something counts, or not, by an office that is said here to be held by somebody."""
    rows = [row for row in pen.added if _root_name(row) == people.OFFICE_HELD]
    holders = [one.thing for row in rows for one in (standing.chain_of(row.id).rows if row.replaces else (row,))]
    return people.acted_in_offices(holders, law.in_force().vocabulary) if holders else []


def _root_name(row: logbook.Row) -> str:
    """Returns which event a row says, corrects or withdraws."""
    return standing.chain_of(row.id).root.name if row.voids else row.name


def concerned_by(written: Sequence[str]) -> list[str]:
    """Returns the things whose answers may change with rows on some: these, what they point at, and the readers of both."""
    base = dict.fromkeys(written)
    for chunk in logbook.chunks(list(written)):
        base.update(dict.fromkeys(Ref.objects.filter(thing__in=chunk).order_by("to").values_list("to", flat=True)))
    found = dict(base)
    for chunk in logbook.chunks(list(base)):
        readers = Reader.objects.filter(thing__in=chunk).order_by("reader")
        found.update(dict.fromkeys(readers.values_list("reader", flat=True)))
    return list(found)


def mark_stale(concerned: Sequence[str]) -> None:
    """Marks things whose answers must be worked out before they are shown."""
    for chunk in logbook.chunks(concerned):
        Thing.objects.filter(id__in=chunk).update(is_stale=True)


def store(concerned: Sequence[str], running: Law, now: datetime) -> None:
    """Works out things and puts what follows from them in place of what stood there."""
    with uncollected():  # what is made here stays until it is put
        records = LogRecords(running.reader)
        records.prefetch([*concerned, *filter(None, [records.town()])])  # every answer rests on the town's days off
        world = World(running.library, running.book_id, records, now)
        finders = finder_of(world, records.entered, people.with_assignments(concerned))
        _put(concerned, work_out(world, concerned, finders), now)


def finder_of(world: World, rows_of: people.RowsOf, assigned: Container[str]) -> Callable[[str], people.Finder]:
    """Returns what makes, for a thing, the finder of the persons whom it names.

    Args:
        world: knows the things and the day.
        rows_of: gives the rows about a thing.
        assigned: the things on which somebody was ever assigned.
    """
    roles = world.book.roles

    def of(thing: str) -> people.Finder:
        kind, is_assigned = world.records.type_of(thing) or "", thing in assigned
        return people.Finder(thing, kind, world.today, roles, rows_of, is_assigned=is_assigned)

    return of


def _put(concerned: Sequence[str], worked: Worked, now: datetime) -> None:
    tables.put_in_place(Obligation, ["key"], "thing", concerned, worked.obligations)
    tables.put_in_place(Finding, ["key"], "thing", concerned, worked.findings)
    tables.put_in_place(CurrentFact, ["thing", "name"], "thing", concerned, worked.facts)
    tables.put_in_place(Reader, ["thing", "reader"], "reader", concerned, worked.readers)
    changed = [(one, at, now, False) for one, at in worked.next_change.items()]
    tables.change(Thing, ["id", "next_change_at", "computed_at", "is_stale"], changed)


# ------------------------------------------------------------------------------------------------ on reading


def out_of_date(now: datetime) -> QuerySet[Thing]:
    """Returns the things whose stored answers may no longer hold: stale, or their next instant has passed.

    Edge: what was worked out before its next instant does not hold at it; what was worked out at that very instant does.
    What was worked out later than now does not hold either: an example town's clock can be set back.
    """
    has_come = Q(next_change_at=now, computed_at__lt=F("next_change_at"))
    # Each from its own index: asked in one breath, SQLite reads all the things.
    each = (Q(is_stale=True), Q(next_change_at__lt=now), has_come, Q(computed_at__gt=now))
    first, *rest = (Thing.objects.filter(one).values("id") for one in each)
    return Thing.objects.filter(id__in=first.union(*rest, all=True))


def freshen(only: Iterable[str] | None = None) -> int:
    """Works out what is out of date, up to 200 things, and returns how many are left: those count as cannot tell.

    Args:
        only: the things that somebody wants to read; all, if left out.
    """
    now = clock.now()
    waiting = out_of_date(now)
    if only is not None:
        waiting = waiting.filter(id__in=list(only))
    wanted = list(waiting.order_by("id").values_list("id", flat=True)[: AT_ONCE + 1])
    if not wanted:
        return 0
    if len(wanted) > AT_ONCE:
        return waiting.count()
    _work(wanted, now)
    return 0


def tick(upto: datetime | None = None, progress: Callable[[int], None] | None = None) -> int:
    """Works out everything that is out of date, some at a time, and returns how many things that were."""
    now = upto or clock.now()
    done = 0
    while wanted := list(out_of_date(now).order_by("id").values_list("id", flat=True)[:AT_ONCE]):
        _work(wanted, now)
        done += len(wanted)
        if progress is not None:
            progress(done)
    Heartbeat.objects.filter(id=1).update(ticked_to=now)
    return done


def beat(worker: str) -> bool:
    """Gives a worker's sign of life, and tells whether it may work: another that is alive keeps the town to itself.

    Edge: a worker that has been silent for exactly `SILENT` is still taken for alive. One of the same machine is not:
    whoever asks holds the lock of the town's folder, so that the other must be dead.

    Args:
        worker: its name; where it has several words, the first is its machine.
    """
    now = clock.now()
    machine, _, own = worker.partition(" ")
    with logbook.writing():
        found = Heartbeat.objects.filter(id=1).first()
        is_other = found is not None and found.worker != worker and not (own and found.worker.startswith(f"{machine} "))
        if found is not None and is_other and now - found.beat_at <= SILENT:
            return False
        Heartbeat.objects.update_or_create(id=1, defaults={"worker": worker, "beat_at": now})
    return True


def _work(wanted: Sequence[str], now: datetime) -> None:
    with logbook.writing():  # what is read inside cannot change before it is stored
        store(wanted, law.in_force(), now)


# ------------------------------------------------------------------------------------------------ anew


def recompute(*, is_compared: bool = True, progress: Callable[[str], None] | None = None) -> Recomputed:
    """Builds everything that follows from the log anew, beside what is stored, and lets it take over in one short lock.

    Edge: rows entered while it runs are worked out after the exchange; then nothing is compared.

    Refuses: to run while another one does (`Refused`).

    Args:
        is_compared: says where what was stored differs from what was built.
        progress: told what is being done.
    """
    with _alone():
        return _recompute(progress or (lambda _: None), is_compared=is_compared)


@contextmanager
def _alone() -> Iterator[None]:
    """Keeps a second recompute out, also one in another process, since both would fill the same tables."""
    with (clock.current_town().folder / ".recompute").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Refused("a recompute of this town is running: wait for it") from None
        yield


def _recompute(tell: Callable[[str], None], *, is_compared: bool) -> Recomputed:
    if is_compared:
        tell("bringing what is stored up to now")
        tick()
    now = clock.now()
    running, head = law.in_force(), logbook.head()
    tell("reading the log")
    for model in TABLES:
        tables.begin_beside(model)
    with uncollected():  # most of what is made here stays until it is over
        counts = _build(running, head, now, tell)
    differences: list[str] = []
    if is_compared:
        tell("comparing")
        for model in TABLES:
            differences += _differences(model)
    with logbook.writing() as pen:
        for model in TABLES:
            tables.take_over(model)
        if pen.head != head:
            differences = []
            later = logbook.select_list("position > %s", [head.position])
            mark_stale(concerned_by(things.note(later, running.reader)))
    freshen()
    return Recomputed(head, *counts, tuple(differences))


def _build(running: Law, head: Head, now: datetime, tell: Callable[[str], None]) -> tuple[int, int, int]:
    """Builds all tables beside those that are stored, and returns how many things, obligations and findings there are."""
    rows = list(logbook.select("position <= %s", [head.position]))
    reader = running.reader
    by_thing, moved = things.moved_and_chains(rows)
    made, aliases = [], []
    for thing, own in by_thing.items():
        one, names = things.thing_of(thing, own, reader)
        if one is not None:
            made.append(one)
            aliases += [Alias(thing=thing, text=text) for text in sorted(names)]
    refs = {(ref.to, ref.type, ref.fact, ref.thing): ref for row in rows for ref in things.refs_of(row, reader)}
    records = LogRecords.of(reader, head.position, made, by_thing, refs.values(), people.holdings())
    world = World(running.library, running.book_id, records, now)
    tell(f"working out {len(made):,} things")
    assigned = {row.thing for row in rows if row.name == people.ASSIGNED}
    finders = finder_of(world, lambda thing: by_thing.get(thing, []), assigned)

    def put_beside(part: Sequence[str]) -> list[_Put]:
        some = (part[start : start + AT_A_TIME] for start in range(0, len(part), AT_A_TIME))
        return [_put_beside(work_out(world, few, finders)) for few in some]

    parts = [one for each in shared([one.id for one in made], put_beside) for one in each]
    next_change = {thing: at for part in parts for thing, at in part.next_change.items()}
    tell("writing")
    for one in made:
        one.next_change_at, one.computed_at, one.is_stale = next_change[one.id], now, False
    models_made: dict[type[models.Model], Sequence[models.Model]] = {
        Thing: made, Alias: aliases, EventKey: things.event_keys(rows), Ref: list(refs.values()), Moved: moved,
        Series: things.series_of(rows), Batch: things.batches_of(rows),
    }  # fmt: skip
    for model, found in models_made.items():
        tables.fill_beside(model, tables.values_of(found))
    return len(made), sum(part.obligations for part in parts), sum(part.findings for part in parts)


class _Put(NamedTuple):
    """What was worked out of some things and put into the tables beside: how much, and when it next changes."""

    obligations: int
    findings: int
    next_change: dict[str, datetime | None]


def _put_beside(worked: Worked) -> _Put:
    tables.fill_beside(Obligation, worked.obligations)
    tables.fill_beside(Finding, worked.findings)
    tables.fill_beside(CurrentFact, worked.facts)
    tables.fill_beside(Reader, worked.readers)
    return _Put(len(worked.obligations), len(worked.findings), worked.next_change)


def _differences(model: type[models.Model]) -> list[str]:
    stored, built = tables.differing(model, _MAY_DIFFER.get(model, ()))
    name = tables.table_of(model)
    return [f"{name}: stored but not built anew: {row}" for row in stored] + [
        f"{name}: built anew but not stored: {row}" for row in built
    ]
