"""Excel workbooks (.xlsx) as rows of cells, read by openpyxl after the archive itself was looked at.

The archive is looked at first because a hostile one costs its reader: how much it unpacks to, how many tags its parts have,
no document type (entities are declared there), no macros. Formulas are never worked out: what the file kept is read.
"""

from __future__ import annotations

import io
import re
import warnings
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from functools import lru_cache
from typing import Any
from xml.etree import ElementTree as ET  # parts with a document type are refused before

import openpyxl
from openpyxl.utils.cell import coordinate_to_tuple
from openpyxl.utils.datetime import CALENDAR_MAC_1904

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

MOST_UNPACKED = 100_000_000  # bytes of all parts together
MOST_PARTS = 2000
MOST_TAGS = 5_000_000  # tags, and attributes, of one part: a reader keeps each in memory
MOST_LINES = 1_048_576  # of a sheet in Excel
MOST_SHEETS = 100
_DIGITS = 15  # of a number that Excel keeps
_FARTHEST = 20  # powers of ten of a number: no town counts further, or finer
_BLANK_RUN = 1000  # blank lines in a row that are counted; more end no list
_ASIDE = re.compile(r'"[^"]*"|\\.|_.|\*.|\[[^\]]*\]')  # of a format: what is written as it stands, colors, conditions
_ENCODING = re.compile(rb"<\?xml[^>]*?encoding\s*=\s*[\"']([^\"']*)[\"']")
_ZEROS = re.compile(r"0{2,}\Z")
_DAMAGED = (
    "the workbook is damaged or was not written by a spreadsheet program ({why}); open it in Excel and save it again"
)


def read_workbook(content: bytes) -> tuple[Page, ...]:
    """Returns the sheets of a workbook that hold anything.

    Edge: a formula gives the value that was stored with it; without one it is a bad cell, as is an error (#REF!). A number
    shown with leading zeros (format 00000) is the text that is shown; a percentage is a text with its sign, "25%"; a time of
    day is "T07:05:00", as ISO 8601 writes it where it stands alone. A day
    whose format shows no time of day, at midnight, is a day.

    Refuses: with `ListRefused`, what unpacks to too much, macros, document types, damage.
    """
    formulas = _looked_at(content)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # openpyxl warns of what it leaves out: colors, validation, charts
        try:
            return tuple(_pages(content, formulas))
        except (ListRefused, MemoryError):
            raise
        except Exception as error:  # a damaged workbook fails anywhere within openpyxl
            raise ListRefused(_DAMAGED.format(why=shown(str(error)) or type(error).__name__)) from error


# ------------------------------------------------------------------------------------------------ the archive


def _looked_at(content: bytes) -> Mapping[str, Mapping[tuple[int, int], bool]]:
    """Returns where formulas stand in each part, and whether a value is stored with each; refuses what would cost too much."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            parts = archive.infolist()
            _kind(archive)
            if len(parts) > MOST_PARTS:
                raise ListRefused(
                    f"the workbook has {len(parts):,} parts; a list has a few. Save the list alone as .xlsx"
                )
            unpacked = sum(part.file_size for part in parts)
            if unpacked > MOST_UNPACKED:
                raise ListRefused(
                    f"the workbook unpacks to {unpacked:,} bytes and {MOST_UNPACKED:,} is the most that is read; "
                    "save the list alone, without other sheets and formatted empty rows, or as CSV"
                )
            if len({part.filename for part in parts}) != len(parts):
                raise ListRefused(_DAMAGED.format(why="a part is in it twice"))
            return {part.filename: _part(archive, part) for part in parts if _is_xml(part.filename)}
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError, ValueError) as error:
        if isinstance(error, ListRefused):
            raise
        raise ListRefused(_DAMAGED.format(why=shown(str(error)))) from None


def _is_xml(name: str) -> bool:
    return name.lower().endswith((".xml", ".rels", ".vml"))


def _kind(archive: zipfile.ZipFile) -> None:
    """Refuses an archive that is something other than a workbook of Excel without macros."""
    names = {name.lower() for name in archive.namelist()}
    if "mimetype" in names and "content.xml" in names:
        raise ListRefused("this is an OpenDocument file (.ods); save the list as .xlsx or CSV")
    if "xl/workbook.bin" in names:
        raise ListRefused("this is a binary workbook (.xlsb); save the list as .xlsx or CSV")
    if "[content_types].xml" not in names or not any(name.startswith("xl/") for name in names):
        raise ListRefused("this is a packed archive and no workbook; take the list out of it, as .xlsx or CSV")
    if any(name.endswith("vbaproject.bin") or "/macrosheets/" in name for name in names):
        raise ListRefused("the workbook holds macros, which are programs; save it as .xlsx, which leaves them out")


def _part(archive: zipfile.ZipFile, part: zipfile.ZipInfo) -> Mapping[tuple[int, int], bool]:
    text = archive.read(part)
    declared = _ENCODING.match(text.removeprefix(b"\xef\xbb\xbf")[:200])
    if (
        text[:2] in (b"\xff\xfe", b"\xfe\xff")
        or b"\x00" in text[:4]
        or (declared and declared[1].lower() not in (b"utf-8", b"us-ascii", b"ascii"))
    ):
        raise ListRefused(_DAMAGED.format(why=f"{part.filename} is not UTF-8"))
    if b"<!DOCTYPE" in text or b"<!ENTITY" in text:
        raise ListRefused(
            f"{part.filename} declares a document type, which no workbook does and which can make its reader swell; "
            "do not open this file, and ask who sent it"
        )
    if b"macroEnabled" in text and part.filename.lower() == "[content_types].xml":
        raise ListRefused("the workbook says that it holds macros, which are programs; save it as .xlsx")
    if text.count(b"<") > MOST_TAGS or text.count(b"=") > MOST_TAGS:
        raise ListRefused(
            f"{part.filename} has more than {MOST_TAGS:,} tags, more than is read at once; part the list into files, "
            "for example one a year, or save it as CSV"
        )
    if part.filename.startswith("xl/worksheets/") and (b"<f" in text or b":f" in text):
        return _formulas(text)
    return {}


def _formulas(text: bytes) -> Mapping[tuple[int, int], bool]:
    """Returns the places (line and column, from 1) of formulas, and whether a value is stored with each."""
    found: dict[tuple[int, int], bool] = {}
    line = column = 0
    try:
        for event, element in ET.iterparse(io.BytesIO(text), events=("start", "end")):  # noqa: S314  # see _part
            tag = element.tag.rpartition("}")[2]
            if tag == "row" and event == "start":
                line, column = int(element.get("r") or line + 1), 0
            elif tag == "c" and event == "end":
                column += 1
                if element.get("r"):
                    line, column = coordinate_to_tuple(element.get("r"))
                inside = {child.tag.rpartition("}")[2]: child for child in element}
                if "f" in inside:  # a text may be stored that is empty
                    stored = "v" in inside and (bool(inside["v"].text) or element.get("t") == "str")
                    found[line, column] = stored
            elif tag == "row":
                element.clear()
    except (ET.ParseError, ValueError, KeyError) as error:
        raise ListRefused(_DAMAGED.format(why=shown(str(error)))) from None
    return found


# ------------------------------------------------------------------------------------------------ the sheets


def _pages(content: bytes, formulas: Mapping[str, Mapping[tuple[int, int], bool]]) -> Iterator[Page]:
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


def _page(
    sheet: Any, epoch: int, formulas: Mapping[tuple[int, int], bool], remarks: tuple[str, ...], room: int
) -> Page:
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
