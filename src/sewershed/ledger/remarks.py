"""What looks unlikely of a row, though nothing refuses it: a day far from all else, something before anybody had heard of it.

It is said to whoever enters the row, and beside the row as long as it stands. Nothing rests on it.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from sewershed.ledger import canonical, clock
from sewershed.ledger.law import Law
from sewershed.ledger.moments import moment_of, moment_words
from sewershed.ledger.shown import RowShown
from sewershed.ledger.wording import label_of
from sewershed.rules.history import DECIDED
from sewershed.rules.moments import MomentError, day_of, is_after, start_of
from sewershed.rules.record import Moment
from sewershed.rules.vocabulary import EventType

MOMENTS = ("moment", "instant")  # a date may well lie far off: a permit runs for years
LATE_DAYS = 2  # between a decision and its entry: it governs from its own day on, and may change what was over since
FAR_DAYS = 180  # between two things that happened of which one may bear a wrong year


@dataclass(frozen=True, slots=True)
class _Event:
    """An event that stands: its row, what kind it is and when it happened."""

    row: RowShown
    kind: EventType
    moment: Moment


def remarks(running: Law, rows: Sequence[RowShown]) -> dict[str, tuple[str, ...]]:
    """Returns what looks unlikely of the events of a thing, in sentences, by the id of each; what is likely is left out.

    Edge: exactly so many days apart is not far; a decision of the day before is not late; the very moment of the first report is not before it. What was entered soon
    after it happened is not remarked on, however far the rest is: it is entered as it happens.

    Args:
        running: the law.
        rows: every row about the thing.
    """
    zone = clock.current_town().zone
    events = [event for one in rows if (event := _event(running, one)) is not None]
    days = sorted(day_of(one.moment, zone) for one in events)
    report = _first_report(events)
    found = {one.row.root: tuple(_of(one, days, report)) for one in events}
    return {root: said for root, said in found.items() if said}


def remarks_of(running: Law, row: RowShown, days: Sequence[date], reports: Sequence[RowShown]) -> tuple[str, ...]:
    """Returns what `remarks` would say of one row, by the days of all that happened on its thing and the reports among it."""
    event = _event(running, row)
    known = [one for report in reports if (one := _event(running, report)) is not None]
    return tuple(_of(event, sorted(days), _first_report(known))) if event is not None else ()


def _first_report(events: Iterable[_Event]) -> _Event | None:
    zone = clock.current_town().zone
    return min((one for one in events if one.kind.report), key=lambda one: start_of(one.moment, zone), default=None)


def _event(running: Law, row: RowShown) -> _Event | None:
    kind = running.vocabulary.events.get(running.reader.event_named(row.name))
    moment = _moment(row.at)
    is_event = row.kind == "event" and row.stands == "stands"
    return _Event(row, kind, moment) if is_event and kind is not None and moment is not None else None


def _of(event: _Event, days: Sequence[date], report: _Event | None) -> Iterator[str]:
    """Yields what looks unlikely of an event among the days of all of them, the first report being another or itself."""
    zone, row, moment = clock.current_town().zone, event.row, event.moment
    entered, day = day_of(canonical.read_instant(row.recorded_at), zone), day_of(moment, zone)
    name = row.name.replace("_", " ")
    said = f"{name} on {moment_words(moment, zone)}"
    late = entered - day
    if row.name == DECIDED and late >= timedelta(days=LATE_DAYS):
        yield f"{said} is {late.days} days before this entry of it: it governs from that day on"
    if not event.kind.report and report is not None and is_after(report.moment, moment, zone):
        first = f"{report.row.number or report.row.root} ({_words(report)})"
        yield f"{said} is before the first report of it, {first}"
    elif len(days) > 1 and abs(late) > timedelta(days=FAR_DAYS) and _is_alone(day, days):
        yield f"{said} is more than {FAR_DAYS} days from everything else that happened here: look at the year"
    for field, fact in event.kind.data.items():
        value = _moment(row.data.get(field)) if fact.type.kind in MOMENTS else None
        if value is not None and abs(day_of(value, zone) - day) > timedelta(days=FAR_DAYS):
            said = f"{label_of(fact)} on {moment_words(value, zone)}"
            yield f"{said} is more than {FAR_DAYS} days from the {name} itself: look at the year"


def _is_alone(day: date, days: Sequence[date]) -> bool:
    """Tells whether nothing else lies within so many days of one of some days, which are in order."""
    near = timedelta(days=FAR_DAYS)
    return bisect_right(days, day + near) - bisect_left(days, day - near) == 1


def _words(event: _Event) -> str:
    """Returns what an event says that it must say, and when it was."""
    needed = [name for name, fact in event.kind.data.items() if fact.required and not fact.private]
    said = [str(event.row.data[name]).replace("_", " ") for name in needed if event.row.data.get(name)]
    return ", ".join([*said, moment_words(event.moment, clock.current_town().zone)])


def _moment(text: object) -> Moment | None:
    """Returns a moment as a row has it, or None where it has none or the account may not see it."""
    if not isinstance(text, str) or not text:
        return None
    try:
        return moment_of(text, clock.current_town().zone)
    except MomentError:
        return None
