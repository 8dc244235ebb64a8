"""Excel workbooks (.xlsx) as rows of cells, read by openpyxl after the archive itself was looked at (exchange/archive.py).

Formulas are never worked out: what the file kept is read.
"""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Iterator, Mapping
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from functools import lru_cache
from typing import Any

import openpyxl
from openpyxl.utils.datetime import CALENDAR_MAC_1904

from sewershed.exchange.archive import DAMAGED, Formulas, looked_at
from sewershed.exchange.rows import (
    MOST_CELLS,
    MOST_COLUMNS,
    MOST_LETTERS,
    BadCell,
    Cell,
    ListRefused,
    Page,
    Row,
    is_blank,
    shown,
)

MOST_LINES = 1_048_576  # of a sheet in Excel
MOST_SHEETS = 100
_DIGITS = 15  # of a number that Excel keeps
_FARTHEST = 20  # powers of ten of a number: no town counts further, or finer
_BLANK_RUN = 1000  # blank lines in a row that are counted; more end no list
_ASIDE = re.compile(r'"[^"]*"|\\.|_.|\*.|\[[^\]]*\]')  # of a format: what is written as it stands, colors, conditions
_ZEROS = re.compile(r"0{2,}\Z")


def read_workbook(content: bytes) -> tuple[Page, ...]:
    """Returns the sheets of a workbook that hold anything.

    Edge: a formula gives the value that was stored with it; without one it is a bad cell, as is an error (#REF!). A number
    shown with leading zeros (format 00000) is the text that is shown; a percentage is a text with its sign, "25%"; a time of
    day is "T07:05:00", as ISO 8601 writes it where it stands alone. A day whose format shows no time of day, at midnight,
    is a day.

    Refuses: with `ListRefused`, what unpacks to too much, macros, document types, damage.
    """
    formulas = looked_at(content)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # openpyxl warns of what it leaves out: colors, validation, charts
        try:
            return tuple(_pages(content, formulas))
        except (ListRefused, MemoryError):
            raise
        except Exception as error:  # a damaged workbook fails anywhere within openpyxl
            raise ListRefused(DAMAGED.format(why=shown(str(error)) or type(error).__name__)) from error


# ------------------------------------------------------------------------------------------------ the sheets


def _pages(content: bytes, formulas: Mapping[str, Formulas]) -> Iterator[Page]:
    book = openpyxl.load_workbook(io.BytesIO(content), read_only=True, data_only=True, keep_links=False)
    try:
        epoch = 1904 if book.epoch == CALENDAR_MAC_1904 else 1900
        if len(book.worksheets) > MOST_SHEETS:
            raise ListRefused(f"the workbook has {len(book.worksheets):,} sheets; save the sheet with the list alone")
        room = MOST_CELLS
        for sheet in book.worksheets:
            sheet.reset_dimensions()  # what it says of its size need not be so
            where = str(sheet._worksheet_path)  # noqa: SLF001  # it is said nowhere else which part a sheet is
            remarks = ("this sheet is hidden in the workbook",) if sheet.sheet_state != "visible" else ()
            page = _page(sheet, epoch, formulas.get(where.lstrip("/"), {}), remarks, room)
            room -= sum(len(cells) for _, cells in page.rows)
            yield page
    finally:
        book.close()


def _page(sheet: Any, epoch: int, formulas: Formulas, remarks: tuple[str, ...], room: int) -> Page:
    rows: list[Row] = []
    blank: list[int] = []
    told: list[int] = []
    held: list[tuple[int, int]] = []
    for number, cells in enumerate(sheet.iter_rows(), start=1):
        if number > MOST_LINES:
            raise ListRefused(
                f"sheet '{shown(sheet.title)}' says that it has more lines than Excel has ({MOST_LINES:,})"
            )
        read = (
            [_cell(one, formulas.get((number, column))) for column, one in enumerate(cells, start=1)] if cells else []
        )
        while read and is_blank(read[-1]):
            read.pop()
        if not read:
            if len(told) < _BLANK_RUN:
                told.append(number)
            continue
        blank += told if rows else []
        told = []
        if len(read) > MOST_COLUMNS:
            raise ListRefused(
                f"line {number} of sheet '{shown(sheet.title)}' reaches to column {len(read):,} and a list may have "
                f"{MOST_COLUMNS}; delete what stands far to the right"
            )
        room -= len(read)
        if room < 0:
            raise ListRefused(
                f"the workbook has more than {MOST_CELLS:,} cells (at line {number} of sheet '{shown(sheet.title)}'), "
                "more than is read at once; part the list into files, for example one a year"
            )
        held += [(number, at) for at in range(len(read)) if (number, at + 1) in formulas]
        rows.append((number, tuple(read)))
    return Page(sheet.title, tuple(rows), remarks, epoch, tuple(held), tuple(blank))


def _cell(cell: Any, stored: bool | None) -> Cell:
    """Returns what a cell holds. `stored`: None where it holds no formula, else whether its value was kept."""
    value = cell.value
    if stored is False:
        return BadCell("(formula)", "it holds a formula whose result was not saved; open the file in Excel and save it")
    if value is None:
        return None
    if cell.data_type == "e":
        if value == "#N/A":
            return "#N/A"
        return BadCell(
            str(value), f"the spreadsheet shows an error there, {value}; put the cell right and save the file"
        )
    return _value(value, "General" if isinstance(value, str | bool) else str(cell.number_format))


def _value(value: Any, form: str) -> Cell:
    match value:
        case bool():
            return value
        case str():
            value = value.replace("_x000D_", "")  # how a workbook writes the first half of a line's end
            return (
                value
                if len(value) <= MOST_LETTERS
                else BadCell(value[:100], f"it has more than {MOST_LETTERS:,} letters")
            )
        case int() | float():
            return _number(value, form)
        case datetime():
            moment = (value + timedelta(microseconds=500_000)).replace(microsecond=0)  # kept as a fraction of a day
            return moment.date() if moment.time() == time() and not _shows_time(form) else moment
        case date():
            return value
        case time():
            return f"T{value.replace(microsecond=0).isoformat()}"
        case timedelta():
            seconds = round(value.total_seconds())
            return f"{seconds // 3600}:{seconds % 3600 // 60:02}:{seconds % 60:02}"
    return BadCell(shown(str(value)), "it is neither text, number, day nor yes or no")


def _number(value: float, form: str) -> Cell:
    number = Decimal(value) if isinstance(value, int) else Decimal(f"{value:.{_DIGITS}g}")
    if not number.is_finite() or abs(number.adjusted()) > _FARTHEST:
        return BadCell(shown(str(value)), "the number is too large or too small to be one")
    plain = _ASIDE.sub("", form.partition(";")[0])
    if "%" in plain:
        return f"{_plainly(number * 100)}%"
    if _ZEROS.match(plain) and number >= 0 and number == int(number):
        return str(int(number)).zfill(len(plain))
    return number


def _plainly(number: Decimal) -> str:
    text = format(number, "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


@lru_cache(maxsize=512)
def _shows_time(form: str) -> bool:
    return bool(re.search(r"[hs]", _ASIDE.sub("", form), re.IGNORECASE))
