"""Logs of meters, looked through: readings twice, stuck, rolled over, replaced, out of order, missing. Nothing is mended."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from itertools import groupby, pairwise
from math import ceil
from zoneinfo import ZoneInfo

from sewershed.exchange.columns import says_replaced
from sewershed.exchange.rows import lines_in_words
from sewershed.rules.moments import end_of, is_instant, say, start_of
from sewershed.rules.record import Moment

_HOUR = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Reading:
    """One reading of one meter: the line it stands on, of which meter, when, how much (None: it is not known), and its note."""

    line: int
    key: str
    when: Moment
    value: Decimal | None
    note: str = ""


@dataclass(frozen=True, slots=True)
class Remark:
    """Something that a person should see about some lines. `is_question`: what it means has to be answered."""

    kind: str  # twice, differs, stuck, rolled_over, replaced, fell, too_much, back, gap
    lines: tuple[int, ...]
    says: str
    is_question: bool = False
    amount: Decimal | None = None  # of a counter: what went through between the two readings, where that can be told


def twice(readings: Sequence[Reading]) -> tuple[Remark, ...]:
    """Returns readings of the same meter and moment: the same value again, or another.

    Edge: two readings of one bare day are of the same moment; a day and a time on it are not. A value that is not known
    differs from one that is. Values are compared as numbers: 5 and 5.0 are the same.
    """
    found: dict[tuple[str, bool, Moment], list[Reading]] = {}
    for one in readings:
        found.setdefault((one.key, is_instant(one.when), one.when), []).append(one)
    remarks: list[Remark] = []
    for (key, _, when), those in found.items():
        if len(those) < 2:
            continue
        lines = tuple(one.line for one in those)
        if len({one.value for one in those}) == 1:
            remarks.append(
                Remark("twice", lines, f"{_of(key)}the same reading of {_when(when)} stands on {lines_in_words(lines)}")
            )
        else:
            values = ", ".join("not known" if one.value is None else str(one.value) for one in those)
            says = f"{_of(key)}{lines_in_words(lines)} give different readings of {_when(when)} ({values}): which is right?"
            remarks.append(Remark("differs", lines, says, is_question=True))
    return tuple(remarks)


def stuck(readings: Sequence[Reading], times: int, *, resting: Decimal | None = None) -> tuple[Remark, ...]:
    """Returns where a meter shows the same so many times in a row or more.

    Args:
        readings: in the order of the list; those of each meter are looked at by themselves.
        times: from how many on it is said.
        resting: what the meter shows where nothing happens and which is therefore left out: 0 of a rain gauge.

    Edge: so many are said, one fewer are not. A value that is not known ends the row.

    Refuses: fewer than two times, with ValueError.
    """
    if times < 2:
        raise ValueError(f"a meter shows the same twice or more, not {times} times")
    remarks: list[Remark] = []
    for key, those in _by_key(readings):
        for value, run in groupby(those, key=lambda one: one.value):
            lines = tuple(one.line for one in run)
            if value is not None and value != resting and len(lines) >= times:
                says = f"{_of(key)}{value} stands {len(lines)} times in a row ({lines_in_words(lines)}): was it stuck?"
                remarks.append(Remark("stuck", lines, says))
    return tuple(remarks)


def counted(
    readings: Sequence[Reading], zone: ZoneInfo, *, rolls_at: Decimal | None = None, most_an_hour: Decimal | None = None
) -> tuple[Remark, ...]:
    """Returns where a counter fell (rolled over, was replaced, or has to be asked about) or counted more than it can.

    Args:
        readings: in the order of time; those of each meter are looked at by themselves. One that is not known is passed over.
        zone: of the town, for how long lies between days.
        rolls_at: the count at which the meter begins again at zero (10000 for four figures), where that is known.
        most_an_hour: what can go through in an hour (1 for an hour meter), where that is known.

    Units: those of the meter.

    Edge: a counter that fell is never taken to have run backwards. It was replaced where the note of the later reading says
    so: what the old one counted after its last reading is not known, so no amount is given. Where the note says so and the
    count rose all the same, the note may mean another meter, and that is asked. It rolled over where `rolls_at`
    is known and what comes out fits: into the time by `most_an_hour` (as much as the time holds still fits), else into half
    of the meter (half still fits). A reading of `rolls_at` or more contradicts it, and is asked about. Between bare days lies
    at most the first second of the one to the last of the other.
    """
    remarks: list[Remark] = []
    for key, those in _by_key([one for one in readings if one.value is not None]):
        for one, other in pairwise(those):
            remarks += _between(key, one, other, zone, rolls_at, most_an_hour)
    return tuple(remarks)


def _between(
    key: str, one: Reading, other: Reading, zone: ZoneInfo, rolls_at: Decimal | None, most_an_hour: Decimal | None
) -> Iterator[Remark]:
    if one.value is None or other.value is None:
        return
    lines = (one.line, other.line)
    shows = f"{_of(key)}the counter shows {other.value} on line {other.line} after {one.value} on line {one.line}"
    most = None
    if most_an_hour is not None:
        hours = Fraction(int((end_of(other.when, zone) - start_of(one.when, zone)).total_seconds()), 3600)
        most = Fraction(most_an_hour) * (hours if is_instant(other.when) else ceil(hours))  # a day ends a second early
    amount = other.value - one.value
    if says_replaced(other.note) and amount < 0:
        says = f"{shows}: it was replaced or set to zero, as the note says; what it counted in between is not known"
        yield Remark("replaced", lines, says)
    elif says_replaced(other.note):
        says = f"{shows}, and the note says that a meter was replaced: is it this one?"
        yield Remark("replaced", lines, says, is_question=True)
    elif amount < 0:
        yield _fell(shows, lines, one.value, other.value, rolls_at, most)
    elif most is not None and amount > most:
        says = f"{shows}: {amount} do not fit into the time between them ({_plain(most)} at most): was it read wrong?"
        yield Remark("too_much", lines, says, is_question=True)


def _fell(
    shows: str, lines: tuple[int, int], before: Decimal, after: Decimal, rolls_at: Decimal | None, most: Fraction | None
) -> Remark:
    if rolls_at is None:
        says = f"{shows}: did it roll over (then say at which count), was it replaced, or was it read wrong?"
        return Remark("fell", lines, says, is_question=True)
    if before >= rolls_at:
        says = f"{shows}: a counter that begins again at {rolls_at} shows no {before}; say at which count it does"
        return Remark("fell", lines, says, is_question=True)
    amount = rolls_at - before + after
    fits = Fraction(amount) <= (most if most is not None else Fraction(rolls_at) / 2)
    if fits:
        return Remark(
            "rolled_over", lines, f"{shows}: it rolled over at {rolls_at}, which makes {amount}", amount=amount
        )
    says = f"{shows}: had it rolled over at {rolls_at}, it would have counted {amount}, which does not fit; was it replaced, or read wrong?"
    return Remark("fell", lines, says, is_question=True)


def out_of_order(readings: Sequence[Reading], zone: ZoneInfo) -> tuple[Remark, ...]:
    """Returns where a reading is earlier than the one before it in the list: the clock jumped back, or lines were moved.

    Edge: a list that runs from the newest to the oldest is in order, too: the direction is that of most of its lines. The
    same moment again is no step back; `twice` tells of it.
    """
    remarks: list[Remark] = []
    for key, those in _by_key(readings):
        steps = [(one, other, _step(one, other, zone)) for one, other in pairwise(those)]
        direction = -1 if sum(step < 0 for *_, step in steps) > sum(step > 0 for *_, step in steps) else 1
        for one, other, step in steps:
            if step * direction < 0:
                than = "before" if direction > 0 else "after"
                says = f"{_of(key)}line {other.line} ({say(other.when, zone)}) lies {than} line {one.line} ({say(one.when, zone)})"
                remarks.append(
                    Remark("back", (one.line, other.line), f"{says}: was the clock set, or were lines moved?")
                )
    return tuple(remarks)


def gaps(readings: Sequence[Reading], zone: ZoneInfo, every: timedelta) -> tuple[Remark, ...]:
    """Returns where the next reading comes later than it should.

    Edge: a reading exactly `every` after the one before is in time, one a second later is not. Of bare days the days count,
    however long they are. Readings are taken in the order of time, not of the list.

    Refuses: a time of zero or less, with ValueError.
    """
    if every <= timedelta():
        raise ValueError(f"readings come every so often, not every {every}")
    remarks: list[Remark] = []
    for key, those in _by_key(readings):
        in_time = sorted(those, key=lambda one: start_of(one.when, zone))
        for one, other in pairwise(in_time):
            apart = _apart(one.when, other.when, zone)
            if apart > every:
                says = f"{_of(key)}no reading for {_long(apart)} between line {one.line} ({say(one.when, zone)}) and line {other.line} ({say(other.when, zone)})"
                remarks.append(Remark("gap", (one.line, other.line), says))
    return tuple(remarks)


def _by_key(readings: Sequence[Reading]) -> Iterator[tuple[str, list[Reading]]]:
    found: dict[str, list[Reading]] = {}
    for one in readings:
        found.setdefault(one.key, []).append(one)
    yield from found.items()


def _step(one: Reading, other: Reading, zone: ZoneInfo) -> int:
    """Returns whether the second reading is later (1), earlier (-1), or of the same day or instant (0)."""
    if is_instant(one.when) != is_instant(other.when) and _day(one.when, zone) == _day(other.when, zone):
        return 0
    first, last = start_of(one.when, zone), start_of(other.when, zone)
    return (last > first) - (last < first)


def _day(when: Moment, zone: ZoneInfo) -> date:
    return when.astimezone(zone).date() if is_instant(when) else when


def _apart(one: Moment, other: Moment, zone: ZoneInfo) -> timedelta:
    if is_instant(one) and is_instant(other):
        return other - one
    return _day(other, zone) - _day(one, zone)


def _of(key: str) -> str:
    return f"{key}: " if key else ""


def _when(when: Moment) -> str:
    return when.strftime("%Y-%m-%d %H:%M UTC") if isinstance(when, datetime) else when.isoformat()


def _plain(number: Fraction) -> str:
    return str(number.numerator) if number.denominator == 1 else f"{Decimal(number.numerator) / number.denominator:.1f}"


def _long(apart: timedelta) -> str:
    if apart % timedelta(days=1) == timedelta():
        return "a day" if apart.days == 1 else f"{apart.days} days"
    hours, rest = divmod(apart, _HOUR)
    minutes = int(rest.total_seconds()) // 60
    return (
        " ".join(part for part in (f"{hours} h" if hours else "", f"{minutes} min" if minutes else "") if part)
        or "seconds"
    )
