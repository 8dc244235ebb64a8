"""Lists that towns keep, read as they are: CSV and its like, and Excel workbooks (.xlsx). Nothing is run, nothing is guessed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal


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


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a list: its number in the file (the first is 1), and a cell for each column."""

    number: int
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Apart:
    """A line that is no row of the list (a title, a total, the head again, a note below), and why it was set apart."""

    number: int
    cells: tuple[Cell, ...]
    because: str


@dataclass(frozen=True, slots=True)
class Sheet:
    """A list as it stands in the file. Every line that is not blank is the head, one of `lines`, or one set `apart`."""

    name: str
    columns: tuple[str, ...]  # each name once: a second "Date" is "Date (2)", a column without a head "column C"
    header_line: int
    lines: tuple[Line, ...]
    remarks: tuple[str, ...]
    apart: tuple[Apart, ...] = ()
    epoch: int | None = None  # 1900 or 1904, from which a workbook counts its days; a text does not say
    units: tuple[tuple[str, str], ...] = ()  # column and the unit that its head, or a line of units below it, names

    def column(self, name: str) -> tuple[tuple[int, Cell], ...]:
        """Returns the cells of a column, each with the number of its line."""
        at = self.columns.index(name)
        return tuple((line.number, line.cells[at]) for line in self.lines)


def open_list(content: bytes, name: str, *, delimiter: str = "") -> tuple[Sheet, ...]:
    """Returns the lists that a file holds: one of a text, one a sheet of a workbook.

    Args:
        content: the file.
        name: its name; what it says must be what the file is.
        delimiter: the sign that parts the cells of a text, where somebody was asked.

    Raises:
        ListRefused: with the reason, in bounded time and memory. Nothing of a refused file is returned.
    """
    raise NotImplementedError
