"""Tables as files: CSV for programs, Excel for people. Exact numbers stay exact, texts stay texts.

An Excel file is a ZIP of a few XML files (ECMA-376, Office Open XML, part 1); what is written here is the least that it
needs: one sheet, texts in place, numbers, days as numbers with a format.
"""

from __future__ import annotations

import csv
import io
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import Any
from xml.sax.saxutils import escape

XLSX_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
MOST_ROWS = 1_048_576  # of a sheet, its head counted (ECMA-376 leaves it to Excel, which has so many)
_ROWS_A_PART = 50  # of a CSV file that goes out while it is made
_MOST_DIGITS = 15  # of a number in a cell: it is kept as an IEEE 754 double
_DAY_ZERO = date(1899, 12, 30)  # Excel counts 1900 as a leap year: from 1900-03-01 on its days count from here
_FIRST_DAY = date(1900, 3, 1)
_PLAIN, _HEAD, _DAY = 0, 1, 2  # the cell formats of _STYLES
_STARTS_FORMULA = ("=", "+", "-", "@", "\t", "\r")

_NAMESPACE = "http://schemas.openxmlformats.org"
_MAIN = f"{_NAMESPACE}/spreadsheetml/2006/main"
_RELATIONS = f"{_NAMESPACE}/officeDocument/2006/relationships"
_DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_PARTS = {
    "[Content_Types].xml": (
        f'<Types xmlns="{_NAMESPACE}/package/2006/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        '<Default Extension="xml" ContentType="application/xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{XLSX_TYPE}.main+xml"/>'
        '<Override PartName="/xl/worksheets/sheet1.xml" '
        'ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/>'
        '<Override PartName="/xl/styles.xml" '
        'ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"/></Types>'
    ),
    "_rels/.rels": (
        f'<Relationships xmlns="{_NAMESPACE}/package/2006/relationships">'
        f'<Relationship Id="rId1" Type="{_RELATIONS}/officeDocument" Target="xl/workbook.xml"/></Relationships>'
    ),
    "xl/workbook.xml": (
        f'<workbook xmlns="{_MAIN}" xmlns:r="{_RELATIONS}">'
        '<sheets><sheet name="List" sheetId="1" r:id="rId1"/></sheets></workbook>'
    ),
    "xl/_rels/workbook.xml.rels": (
        f'<Relationships xmlns="{_NAMESPACE}/package/2006/relationships">'
        f'<Relationship Id="rId1" Type="{_RELATIONS}/worksheet" Target="worksheets/sheet1.xml"/>'
        f'<Relationship Id="rId2" Type="{_RELATIONS}/styles" Target="styles.xml"/></Relationships>'
    ),
    "xl/styles.xml": (
        f'<styleSheet xmlns="{_MAIN}">'
        '<numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/></numFmts>'
        '<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font>'
        '<font><b/><sz val="11"/><name val="Calibri"/></font></fonts>'
        '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>'
        '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>'
        '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>'
        '<cellXfs count="3"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>'
        '<xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/>'
        '<xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs>'
        '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>'
    ),
}


def csv_bytes(head: Sequence[str], rows: Iterable[Sequence[Any]]) -> bytes:
    r"""Returns a table as CSV: UTF-8 with the mark by which Excel knows it, lines ended as RFC 4180 says.

    Edge: a text that a spreadsheet would take for a formula has an apostrophe before it, since a list may hold what a
    stranger typed; numbers keep their sign.

    Example:
        >>> csv_bytes(["what", "gal"], [["=1+1", -5], [None, Decimal("2.50")]]).decode("utf-8-sig")
        "what,gal\r\n'=1+1,-5\r\n,2.50\r\n"
    """
    return b"".join(csv_parts(head, rows))


def csv_parts(head: Sequence[str], rows: Iterable[Sequence[Any]]) -> Iterator[bytes]:
    r"""Yields what `csv_bytes` returns in parts, so that a long list need not be whole before the first of it goes out.

    Example:
        >>> list(csv_parts(["what"], [["Oak"]]))
        [b'\xef\xbb\xbfwhat\r\nOak\r\n']
    """
    text = io.StringIO("\ufeff")
    text.seek(0, io.SEEK_END)
    writer = csv.writer(text)
    writer.writerow(head)
    for number, row in enumerate(rows, start=1):
        writer.writerow([_csv_cell(value) for value in row])
        if not number % _ROWS_A_PART:
            yield text.getvalue().encode()
            text.seek(0)
            text.truncate()
    if rest := text.getvalue():
        yield rest.encode()


def xlsx_bytes(head: Sequence[str], rows: Iterable[Sequence[Any]]) -> bytes:
    """Returns a table as an Excel file of one sheet, its head bold and fixed.

    Edge: a number with more than 15 digits is written as a text, since Excel would lose the rest; so are days before March
    1900. The same table gives the same bytes.

    Refuses: more rows than a sheet has.

    Raises:
        ValueError: for too many rows.
    """
    lines = [_row(1, head, _HEAD)]
    for position, row in enumerate(rows, start=2):
        if position > MOST_ROWS:
            raise ValueError(f"an Excel sheet has {MOST_ROWS:,} rows and the list has more: narrow it, or take CSV")
        lines.append(_row(position, row, _PLAIN))
    fixed = '<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" state="frozen"/></sheetView></sheetViews>'
    sheet = f'<worksheet xmlns="{_MAIN}">{fixed}<sheetData>{"".join(lines)}</sheetData></worksheet>'
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in {**_PARTS, "xl/worksheets/sheet1.xml": sheet}.items():
            archive.writestr(zipfile.ZipInfo(name), _DECLARATION + content, zipfile.ZIP_DEFLATED)
    return packed.getvalue()


def _csv_cell(value: Any) -> str:
    if value is None:
        return ""
    return guarded(value) if isinstance(value, str) else _text(value)


def guarded(text: str) -> str:
    """Returns a text with an apostrophe before it where a spreadsheet would take it for a formula.

    Example:
        >>> guarded("=1+1"), guarded("Oak")
        ("'=1+1", 'Oak')
    """
    return f"'{text}" if text.startswith(_STARTS_FORMULA) else text


def _row(position: int, values: Sequence[Any], style: int) -> str:
    cells = (_cell(f"{column_letters(column)}{position}", value, style) for column, value in enumerate(values))
    return f'<row r="{position}">{"".join(cells)}</row>'


def _cell(place: str, value: Any, style: int) -> str:
    if value is None or value == "":
        return ""
    if isinstance(value, date) and not isinstance(value, datetime) and value >= _FIRST_DAY:
        return f'<c r="{place}" s="{_DAY}"><v>{(value - _DAY_ZERO).days}</v></c>'
    if isinstance(value, int | Decimal) and not isinstance(value, bool) and _fits(value):
        return f'<c r="{place}" s="{style}"><v>{_text(value)}</v></c>'
    said = escape("".join(one for one in _text(value) if one >= " " or one in "\t\n\r"))  # XML has no other signs
    return f'<c r="{place}" s="{style}" t="inlineStr"><is><t xml:space="preserve">{said}</t></is></c>'


def _fits(value: int | Decimal) -> bool:
    number = Decimal(value)
    return number.is_finite() and len(number.normalize().as_tuple().digits) <= _MOST_DIGITS


def _text(value: Any) -> str:
    """Returns a value as text; an exact number with all its digits."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Decimal):
        return format(value, "f")
    return value.isoformat() if isinstance(value, date) else str(value)


def column_letters(column: int) -> str:
    """Returns the letters of a column, counted from nothing.

    Example:
        >>> column_letters(0), column_letters(25), column_letters(26), column_letters(701), column_letters(702)
        ('A', 'Z', 'AA', 'ZZ', 'AAA')
    """
    letters = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters
