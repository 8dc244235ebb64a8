"""Tables as files, read back by openpyxl and by the csv module: what went in comes out, as what it was."""

from __future__ import annotations

import csv
import io
from datetime import date, datetime
from decimal import Decimal

import openpyxl
import pytest

from sewershed.exchange import sheet

HEAD = ["Station", "Visits", "Gallons", "On", "Seen"]
ROWS = [
    ["Premier", 203, Decimal("1402.50"), date(2023, 10, 13), True],
    ["581 North", 0, Decimal("-0.5"), None, False],
    ["", None, Decimal("0.1"), date(1900, 3, 1), None],
]


def read(content: bytes) -> list[list[object]]:
    book = openpyxl.load_workbook(io.BytesIO(content))
    assert book.sheetnames == ["List"]
    return [list(row) for row in book["List"].iter_rows(values_only=True)]


def test_excel_reads_numbers_as_numbers_and_days_as_days():
    head, *rows = read(sheet.xlsx_bytes(HEAD, ROWS))
    assert head == HEAD
    assert rows == [
        ["Premier", 203, 1402.5, datetime(2023, 10, 13), "yes"],  # noqa: DTZ001  # openpyxl gives a day so
        ["581 North", 0, -0.5, None, "no"],
        [None, None, 0.1, datetime(1900, 3, 1), None],  # noqa: DTZ001
    ]


def test_the_head_is_bold_and_stays_in_sight():
    page = openpyxl.load_workbook(io.BytesIO(sheet.xlsx_bytes(HEAD, ROWS)))["List"]
    assert [page["A1"].font.b, page["A2"].font.b] == [True, False]
    assert page.freeze_panes == "A2"


def test_a_text_is_never_a_formula():
    strange = ["=1+1", "+1", "-1", "@SUM(A1)", '=HYPERLINK("//elsewhere")', "\tx", "a & b < c", "two\nlines", " kept "]
    _, *rows = read(sheet.xlsx_bytes(["what"], [[one] for one in strange]))
    assert [row[0] for row in rows] == strange
    _, *lines = csv.reader(io.StringIO(sheet.csv_bytes(["what"], [[one] for one in strange]).decode("utf-8-sig")))
    assert [line[0][0] for line in lines[:6]] == ["'"] * 6
    assert [line[0] for line in lines[6:]] == strange[6:]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (999_999_999_999_999, 999_999_999_999_999),  # 15 digits: the last that a double of IEEE 754 always keeps
        (9_999_999_999_999_999, "9999999999999999"),  # 16: would become 10,000,000,000,000,000
        (Decimal("0.1234567890123456"), "0.1234567890123456"),
        (10**20, 10**20),  # one digit and zeros
        (date(1900, 2, 28), "1900-02-28"),  # before Excel's leap day that there was not
    ],
)
def test_what_excel_would_change_is_written_as_a_text(value, expected):
    assert read(sheet.xlsx_bytes(["n"], [[value]]))[1] == [expected]


def test_a_sign_that_xml_does_not_have_is_left_out():
    assert read(sheet.xlsx_bytes(["n"], [["bell\x07"]]))[1] == ["bell"]


def test_csv_keeps_exact_numbers_and_is_known_as_utf8():
    content = sheet.csv_bytes(HEAD, ROWS)
    assert content.startswith(b"\xef\xbb\xbf")
    assert list(csv.reader(io.StringIO(content.decode("utf-8-sig"))))[1] == [
        "Premier",
        "203",
        "1402.50",
        "2023-10-13",
        "yes",
    ]


def test_the_same_table_gives_the_same_bytes():
    assert sheet.xlsx_bytes(HEAD, ROWS) == sheet.xlsx_bytes(HEAD, ROWS)


def test_a_list_that_no_sheet_holds_is_refused(monkeypatch):
    monkeypatch.setattr(sheet, "MOST_ROWS", 3)
    assert len(read(sheet.xlsx_bytes(["n"], [[1], [2]]))) == 3
    with pytest.raises(ValueError, match="3 rows and the list has more: narrow it, or take CSV"):
        sheet.xlsx_bytes(["n"], [[1], [2], [3]])
