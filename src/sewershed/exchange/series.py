"""Logs of meters, looked through: readings twice, stuck, rolled over, replaced, out of order, missing. Nothing is mended."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from zoneinfo import ZoneInfo

from sewershed.rules.record import Moment


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
    """Returns readings of the same meter and moment: the same value again, or another."""
    raise NotImplementedError


def stuck(readings: Sequence[Reading], times: int) -> tuple[Remark, ...]:
    """Returns where a meter shows the same so many times in a row or more."""
    raise NotImplementedError


def counted(
    readings: Sequence[Reading], zone: ZoneInfo, *, rolls_at: Decimal | None = None, most_an_hour: Decimal | None = None
) -> tuple[Remark, ...]:
    """Returns where a counter fell (rolled over, was replaced, or has to be asked about) or counted more than it can."""
    raise NotImplementedError


def out_of_order(readings: Sequence[Reading], zone: ZoneInfo) -> tuple[Remark, ...]:
    """Returns where a reading is earlier than the one on the line before it: the clock jumped back, or lines were moved."""
    raise NotImplementedError


def gaps(readings: Sequence[Reading], zone: ZoneInfo, every: timedelta) -> tuple[Remark, ...]:
    """Returns where the next reading comes later than it should."""
    raise NotImplementedError
