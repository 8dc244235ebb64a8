"""What looks unlikely of a row, though nothing refuses it: a day far from all else, something before anybody had heard of it.

It is said once, to whoever enters the row. Nothing rests on it.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta

from sewershed.ledger import choices, clock, standing
from sewershed.ledger.law import Law
from sewershed.ledger.moments import moment_words
from sewershed.ledger.reading import moment_of
from sewershed.ledger.standing import Chain
from sewershed.ledger.wording import label_of
from sewershed.rules.history import DECIDED
from sewershed.rules.moments import day_of, is_after, start_of
from sewershed.rules.record import Moment

MOMENTS = ("moment", "instant")  # a date may well lie far off: a permit runs for years
LATE_DAYS = 2  # between a decision and its entry: it governs from its own day on, and may change what was over since
FAR_DAYS = 180  # between two things that happened of which one may bear a wrong year


def remarks(running: Law, row: str) -> Iterator[str]:
    """Yields what looks unlikely of an event, in sentences.

    Edge: exactly so many days apart is not far; a decision of the day before is not late; the very moment of the first report is not before it. What happened of late
    is not remarked on, however far the rest is: it is entered as it happens.

    Args:
        running: the law.
        row: any id of the event's rows.
    """
    chain = standing.chain_of(row)
    moment = moment_of(chain.content)
    kind = running.vocabulary.events.get(running.reader.event_named(chain.content.name))
    if chain.is_void or chain.content.kind != "event" or moment is None or kind is None:
        return
    zone = clock.current_town().zone
    others = [
        (when, one)
        for one in standing.standing_about(chain.content.thing)
        if one.content.kind == "event" and one.root.id != chain.root.id and (when := moment_of(one.content)) is not None
    ]
    name = chain.content.name.replace("_", " ")
    said = f"{name} on {moment_words(moment, zone)}"
    late = day_of(clock.now(), zone) - day_of(moment, zone)
    if chain.root.name == DECIDED and late >= timedelta(days=LATE_DAYS):
        yield f"{said} is {late.days} days before this entry of it: it governs from that day on"
    reports = [(when, one) for when, one in others if _is_report(running, one)]
    first, report = min(reports, key=lambda found: start_of(found[0], zone)) if reports else (moment, chain)
    if not kind.report and is_after(first, moment, zone):
        yield f"{said} is before the first report of it, {choices.event_words(running, report)}"
    elif others and _is_far(moment, clock.now()) and all(_is_far(moment, when) for when, _ in others):
        yield f"{said} is more than {FAR_DAYS} days from everything else that happened here: look at the year"
    for field, value in running.reader.read(chain.content).data.items():
        fact = kind.data[field]
        if isinstance(value, date) and fact.type.kind in MOMENTS and _is_far(value, moment):
            said = f"{label_of(fact)} on {moment_words(value, zone)}"
            yield f"{said} is more than {FAR_DAYS} days from the {name} itself: look at the year"


def _is_report(running: Law, chain: Chain) -> bool:
    kind = running.vocabulary.events.get(running.reader.event_named(chain.content.name))
    return kind is not None and kind.report


def _is_far(one: Moment, other: Moment) -> bool:
    zone = clock.current_town().zone
    return abs(day_of(one, zone) - day_of(other, zone)) > timedelta(days=FAR_DAYS)
