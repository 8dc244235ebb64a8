"""Which records may be destroyed, which are kept or held, and of which that cannot be told. It destroys nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime

from sewershed.ledger import queries
from sewershed.ledger.models import Account
from sewershed.ledger.wording import names_of
from sewershed.programs.town.retention import Hold, RetentionError, Standing, standing_of
from sewershed.rules.entries import Entry
from sewershed.rules.history import History
from sewershed.rules.record import Event
from sewershed.rules.types import Number
from sewershed.rules.unknown import Unknown, Want
from sewershed.rules.vocabulary import Kept
from sewershed.rules.world import World

HELD, RELEASED = "records_held", "records_released"


@dataclass(frozen=True, slots=True)
class Law:
    """What the books say of one kind of record on the day asked about."""

    years: Number | None
    entries: tuple[Entry, ...]  # that answer, the most local first
    edition: str
    asks: tuple[Want, ...]  # where no book answers, what is wanting


@dataclass(frozen=True, slots=True)
class Retained:
    """One record: what it is, how it stands, and under which law."""

    kind: Kept
    thing: str
    label: str
    row: str  # of an event; "" for the whole file of a thing
    event: str
    last: date | None  # the last day of the record
    standing: Standing
    holds: tuple[Hold, ...]  # that reach it on the day asked about
    law: Law
    is_open: bool = False  # something about it is still to be done


def retained(
    *,
    as_account: Account,
    as_of: datetime | None = None,
    known_at: datetime | None = None,
    thing: str = "",
    tell: Callable[[str], None] = lambda _: None,
) -> list[Retained]:
    """Returns every record of the kinds that the vocabulary names, by kind, each as it stands on a day.

    Edge: the file of a thing ends with the last day on which anything happened to it; while something about it is still to
    be done it is not over. What was joined into another thing is kept with that.

    Args:
        as_account: who asks.
        as_of: the instant; now, if left out.
        known_at: as it was known then.
        thing: the id of the only thing asked about; all, if left out.
        tell: is told which kind is being looked at.

    Raises:
        NotAllowed: for the account.
    """
    world = queries.world(as_account=as_account, as_of=as_of, known_at=known_at, is_whole=not thing)
    ids = [thing] if thing else list(world.records.things())
    holds = list(_holds(world))
    found: list[Retained] = []
    for kind in world.vocabulary.kept.values():
        tell(kind.means)
        law = _law(world, kind)
        found += [_stood(world, one, holds) for one in _records(world, kind, law, ids)]
    labels = names_of(one.thing for one in found)
    return [replace(one, label=labels.get(one.thing, one.thing)) for one in found]


def _law(world: World, kind: Kept) -> Law:
    entries = []
    for entry in world.law.answers.get(kind.ask, ()):
        if entry.edition_on(world.today) is None:
            continue
        entries.append(entry)
        if entry.combine is None or entry.combine.how == "replaces":
            break
    answer = world.answer(kind.ask)
    edition = entries[0].edition_on(world.today) if entries else None
    named = world.edition(entries[0], edition.since) if edition is not None else ""
    if isinstance(answer, Unknown):
        return Law(None, tuple(entries), named, answer.wants)
    return Law(answer, tuple(entries), named, ())  # type: ignore[arg-type]  # the vocabulary has it a number


def _records(world: World, kind: Kept, law: Law, ids: Sequence[str]) -> Iterator[Retained]:
    unknown = Standing("cannot_tell")
    on = {kind.thing} if kind.thing else {world.vocabulary.events[name].on for name in kind.events}
    for thing in ids:
        if world.records.type_of(thing) not in on:
            continue
        history = world.history(world.thing(thing))
        if kind.thing:
            if not (history.of(("joined",)) or history.is_gone):
                last = max((one.day for one in _happened(history)), default=None)
                yield Retained(kind, thing, "", "", "", last, unknown, (), law)
        else:
            for event in _happened(history):
                if event.name not in kind.events:
                    continue
                yield Retained(kind, thing, "", event.id, event.name, event.day, unknown, (), law)


def _happened(history: History) -> list[Event]:
    """Returns all that is on record of a thing, in order: what does not count in law is a record all the same."""
    found = [*history.events, *(one.event for one in history.not_counted)]
    return sorted(found, key=lambda one: one.key)


def _stood(world: World, record: Retained, holds: Sequence[tuple[Event, Hold]]) -> Retained:
    """Returns a record with how it stands."""
    reach = [
        hold
        for event, hold in holds
        if event.data.get("about") in (None, record.thing) and event.data.get("kind") in (None, record.kind.ask)
    ]
    try:
        standing = standing_of(record.last, record.law.years, reach, world.today, world.calendar)
        is_open = (
            standing.state == "may_go"
            and not record.row
            and any(one.is_open for one in world.obligations(record.thing))
        )
        if is_open:
            standing = standing_of(record.last, record.law.years, reach, world.today, world.calendar, is_open=True)
    except RetentionError:
        standing, is_open = Standing("cannot_tell"), False
    on = tuple(one for one in reach if one.is_on(world.today))
    return replace(record, standing=standing, holds=on, is_open=is_open)


def _holds(world: World) -> Iterator[tuple[Event, Hold]]:
    """Yields each hold on records, with its last day where it has one or was lifted."""
    town = world.records.town()
    if town is None:
        return
    history = world.history(world.thing(town))
    lifted = {one.data.get("hold"): one.day for one in history.of((RELEASED,))}
    for event in history.of((HELD,)):
        ends = [day for day in (event.data.get("until"), lifted.get(event.id)) if isinstance(day, date)]
        yield event, Hold(event.id, event.day, min(ends) if ends else None, str(event.data.get("because") or ""))


__all__ = ["Law", "Retained", "retained"]
