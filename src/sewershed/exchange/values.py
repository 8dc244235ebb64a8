"""What a cell says, once a person answered what the file leaves open: day or month first, which unit, whose clock.

What is open is asked by column and never guessed by row. A typed value is read by the one reader of entered values.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType
from zoneinfo import ZoneInfo

from sewershed.exchange.columns import Match, Target
from sewershed.exchange.lists import Cell, Sheet
from sewershed.rules.record import Moment
from sewershed.rules.types import Type, Value

Answers = Mapping[str, str]  # of one column: kind of question -> value of the choice
NO_ANSWERS: Answers = MappingProxyType({})


class Null(Enum):
    """No value, of two kinds that are kept apart."""

    BLANK = "blank"  # nothing is said: not asked
    NOT_KNOWN = "not known"  # asked, and not known


@dataclass(frozen=True, slots=True)
class Unread:
    """A cell that could not be read: why, and what stands in it. `readings` are the values it may be, if it may be several."""

    why: str
    text: str
    readings: tuple[Value, ...] = ()


@dataclass(frozen=True, slots=True)
class Choice:
    """An answer to a question: the value to keep, and how it reads."""

    value: str
    label: str


@dataclass(frozen=True, slots=True)
class Question:
    """What must be asked of a column because the file does not say it.

    Without choices the column contradicts itself, and is not read at all: `asks` says why, `lines` where.
    """

    column: str
    kind: str  # day_order, century, decimal, half_day, epoch, unit, clock, below
    asks: str
    choices: tuple[Choice, ...]
    lines: tuple[int, ...]  # some that show it


def questions_about(
    sheet: Sheet, matches: Sequence[Match], targets: Sequence[Target], zone: ZoneInfo
) -> tuple[Question, ...]:
    """Returns what must be asked before the columns that matched can be read."""
    raise NotImplementedError


def readings_of(
    sheet: Sheet,
    matches: Sequence[Match],
    targets: Sequence[Target],
    zone: ZoneInfo,
    answered: Mapping[str, Answers] = MappingProxyType({}),
) -> Mapping[str, Answers]:
    """Returns how each column is read: by what the file says of itself, then by what was answered (column -> kind -> value).

    Hand each column's part to `read_cell`. A column that contradicts itself is read so that each of its cells is unread.
    """
    raise NotImplementedError


def filled_down(sheet: Sheet, readings: Mapping[str, Answers]) -> Sheet:
    """Returns the list with blanks filled from above, in the columns where somebody answered that a blank means the same."""
    raise NotImplementedError


def read_cell(cell: Cell, kind: Type, answers: Answers, zone: ZoneInfo) -> Value | Null | Unread:
    """Returns what a cell says as a value of a type, that it says nothing, or why it could not be read."""
    raise NotImplementedError


def read_moment_of(
    day: Cell, clock: Cell, day_answers: Answers, clock_answers: Answers, zone: ZoneInfo
) -> Moment | Null | Unread:
    """Returns the moment of a day in one column and a time of day in another; the day alone where no time stands."""
    raise NotImplementedError
