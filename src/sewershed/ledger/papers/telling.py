"""How the state was told of a spill, as the record has it, and how what it is owed stands, by each reading of the text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

from sewershed.ledger.models import Account
from sewershed.ledger.moments import moment_words
from sewershed.ledger.papers.source import Source
from sewershed.ledger.wording import plain
from sewershed.rules.findings import Obligation
from sewershed.rules.moments import end_of
from sewershed.rules.record import Event, Moment
from sewershed.rules.todo import leader

TOLD = "state_told"
AGENCY, EMERGENCY = "person", "emergency_management"  # the ways in which a call reaches a person
# What to type for a call that was made and that nobody has entered.
TO_RECORD = (
    f'sewershed record TOWN {TOLD} --on {{spill}} --at "WHEN" --set way={AGENCY} --set spoken_to="WHOM" '
    '--by "NAME" --office OFFICE'
)


@dataclass(frozen=True, slots=True)
class Doubtful:
    """A duty to tell the state that comes out in two ways: by which doubt, and how by each of its readings."""

    doubt: str
    duty: str
    came_out: tuple[tuple[str, str], ...]


def calls(source: Source) -> tuple[Event, ...]:
    """Returns the first call to a person of the agency and the first to the emergency office, in order, as far as there are any.

    Edge: a message that counts for nothing is no call.
    """
    ways = (source.first(TOLD, when=lambda event, way=way: event.data.get("way") == way) for way in (AGENCY, EMERGENCY))  # type: ignore[misc]
    return tuple(sorted((event for event in ways if event is not None), key=lambda event: event.key))


def whom(source: Source, call: Event, agency: str) -> str:
    """Returns whose person was spoken to: the emergency office's, or the agency's, as the papers name it."""
    return f"the {source.title(EMERGENCY)}" if call.data.get("way") == EMERGENCY else agency


def entered(source: Source, call: Event) -> Moment | None:
    """Returns when a call was first entered, where that was on a later day than the call itself."""
    at = next(row.recorded_at for row in source.world.records.rows_of(call.thing) if row.id == call.id)
    return at if at is not None and at.astimezone(source.zone).date() > call.day else None


def by_reading(source: Source) -> tuple[Doubtful, ...]:
    """Returns, of each doubt by whose readings a duty to tell the state comes out in two ways, how it comes out by each.

    Edge: a duty that is owed day after day is said once, of the first day that differs. Two readings that give only another
    date come out the same.
    """
    found: dict[str, dict[str, Doubtful]] = {}
    for one in _owed(source):
        if len({other.state for other in one.by_reading}) > 1 and one.state not in ("closed", "superseded"):
            doubt = one.by_reading[0].doubt
            came_out = tuple((other.reading, _came_out(source, other.state, other.due)) for other in one.by_reading)
            means = source.world.doubts[doubt].means
            found.setdefault(doubt, {}).setdefault(
                one.rule, Doubtful(f"{doubt}: {means}", _what(source, one), came_out)
            )
    return tuple(one for rules in found.values() for one in rules.values())


def standing(source: Source) -> tuple[str, ...]:
    """Returns how each duty to tell the state stands that nothing has met; of those that are one line, the town's own word."""
    places, found = source.world.law.places, dict[str, Obligation]()
    for one in sorted(_owed(source), key=lambda one: (_last(source, one.due), places[one.rule])):
        if one.is_open:
            found.setdefault(leader(source.world, one.rule), one)
    return tuple(f"{_what(source, one)}: {_came_out(source, one.state, one.due)}" for one in found.values())


def remarks(
    kind: str, about: str, *, as_account: Account, as_of: datetime | None = None, known_at: datetime | None = None
) -> tuple[str, ...]:
    """Returns what whoever makes a paper should see beside it: of a spill report, that no call to the state is on record.

    Args:
        kind: which paper.
        about: the id of the thing.
        as_account: who asks.
        as_of: the instant it is about; now, if left out.
        known_at: leaves out what was recorded later.
    """
    if kind != "spill_report":
        return ()
    source = Source(about, as_account=as_account, as_of=as_of, known_at=known_at)
    owed = () if calls(source) else standing(source)
    if not owed:
        return ()
    line = TO_RECORD.format(spill=source.number or source.thing.id)
    return (
        f"No call to a person at the state is on record. {'. '.join(owed)}.",
        f"If one was made, enter it with the time at which it was made; the record keeps when it was entered:\n  {line}",
    )


def _owed(source: Source) -> Iterator[Obligation]:
    """Yields what is owed of telling the state of this spill."""
    for one in source.world.obligations(source.thing.id):
        duty = source.world.duty(one)
        if duty is not None and one.state != "void" and any(TOLD in pattern.events for pattern in duty.met_by):
            yield one


def _last(source: Source, due: Moment | None) -> datetime:
    return end_of(due, source.zone) if due is not None else datetime.max.replace(tzinfo=UTC)


def _what(source: Source, one: Obligation) -> str:
    entry = source.world.entries[one.rule]
    return f"{entry.means} ({entry.cites[0]})" if entry.cites else entry.means


def _came_out(source: Source, state: str, due: Moment | None) -> str:
    """Returns how something owed comes out, with its date."""
    if due is None:
        return plain(state)
    when = moment_words(due, source.zone)
    said = {
        "met": "met; due",
        "met_late": "met late; due",
        "overdue": "overdue since",
        "missed": "missed on",
        "due": "due",
    }
    return f"{said.get(state, f'{plain(state)}; if owed, due')} {when}"
