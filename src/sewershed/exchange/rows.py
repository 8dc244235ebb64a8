"""What a file of a list gives before it is known where its head is: rows of cells, and why a file is not read."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal

MOST_BYTES = 20_000_000  # of a file as it comes
MOST_CELLS = 500_000  # of all its lines together
MOST_COLUMNS = 300
MOST_LETTERS = 32_767  # of one cell, as many as Excel has room for
_SHOWN = 60  # letters of a text that a message repeats
_FEW = 6  # numbers of lines that a message lists


class ListRefused(ValueError):
    """A file that is not read: what is wrong, where, why it matters and what to do.

    `delimiters` holds the signs that may part its cells, where that alone could not be told: ask, and open it again with one.
    """

    def __init__(self, why: str, *, delimiters: tuple[str, ...] = ()) -> None:
        self.delimiters = delimiters
        super().__init__(why)


@dataclass(frozen=True, slots=True)
class BadCell:
    """A cell that holds no value: a formula whose result was not kept, an error of the spreadsheet."""

    text: str
    why: str


Cell = str | Decimal | date | datetime | bool | BadCell | None
Row = tuple[int, tuple[Cell, ...]]  # the number of its line in the file (the first is 1), and its cells


@dataclass(frozen=True, slots=True)
class Page:
    """The rows of a text, or of one sheet of a workbook; blank ones are left out and counted."""

    name: str
    rows: tuple[Row, ...]
    remarks: tuple[str, ...] = ()
    epoch: int | None = None
    formulas: tuple[tuple[int, int], ...] = ()  # line and column (from 0) of each cell that holds a formula
    blank: tuple[int, ...] = ()  # lines with nothing on them, among the others


def is_blank(cell: Cell) -> bool:
    """Tells whether nothing is written in a cell."""
    return cell is None or (isinstance(cell, str) and not cell.strip())


def shown(text: str) -> str:
    r"""Returns a text as messages repeat it: on one line, and not too long.

    Example:
        >>> shown("two\nlines")
        'two lines'
    """
    line = " ".join("".join(one if one.isprintable() else " " for one in text).split())
    return line if len(line) <= _SHOWN else f"{line[: _SHOWN - 1]}…"


def lines_in_words(numbers: Iterable[int]) -> str:
    """Returns numbers of lines as a sentence says them, neighbors together.

    Edge: two neighbors are listed, three or more become "4 to 6". Of many the first are said, and how many follow.

    Example:
        >>> lines_in_words([4]), lines_in_words([4, 5, 7, 8, 9])
        ('line 4', 'lines 4, 5, 7 to 9')
    """
    ordered = sorted(set(numbers))
    runs: list[list[int]] = []
    for number in ordered:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    parts: list[str] = []
    for run in runs:
        parts += [f"{run[0]} to {run[-1]}"] if len(run) > 2 else [str(one) for one in run]
    left = len(parts) - _FEW
    if left > 0:
        parts = [*parts[:_FEW], f"and {left} more"]
    return f"{'line' if len(ordered) == 1 else 'lines'} {', '.join(parts)}"
