"""Where a list stands in its file: head, lines, what is set apart, what file it is. Expected lines are written by hand."""

from __future__ import annotations

import io
from datetime import date
from decimal import Decimal

import openpyxl
import pytest

from sewershed.exchange import lists
from sewershed.exchange.lists import BadCell, ListRefused, open_list
from tests.exchange.workbooks import text, with_sheet, workbook


def of(said: str, **more: str):
    (sheet,) = open_list(said.encode(), "a.csv", **more)
    return sheet


def cells(sheet) -> list[tuple[object, ...]]:
    return [line.cells for line in sheet.lines]


def apart(sheet) -> list[tuple[int, str]]:
    return [(one.number, one.because) for one in sheet.apart]


TOTAL, HEAD, NOTE = "a total, which follows from the lines above", "the head again", "a note to the list"
ABOVE = "above the head of the list"

# ------------------------------------------------------------------------------------------------ the head


def test_a_title_above_the_head_is_set_apart():
    sheet = of("Pump hours 2024\n\nStation,On,Hours\nMill,2024-01-02,5\nDepot,2024-01-02,6\n")
    assert (sheet.columns, sheet.header_line) == (("Station", "On", "Hours"), 3)
    assert [line.number for line in sheet.lines] == [4, 5]
    assert apart(sheet) == [(1, ABOVE)]
    assert sheet.remarks == ("line 1 set apart: above the head of the list",)


def test_a_line_with_far_too_many_cells_hides_no_head():
    plain = "Mill,2024-01-02,5\n"
    sheet = of(f"Station,On,Hours\n{plain}a,note,that,nobody,put,in,marks,of,quotation\n{plain * 3}")
    assert (sheet.header_line, len(sheet.lines), [(one.number, one.is_bad) for one in sheet.apart]) == (
        1,
        4,
        [(3, True)],
    )


@pytest.mark.parametrize("first", ["Mill,2024-01-02,5", "Mill,x,7.5", "Mill,1/2/2024,x", "Mill,08:10,x"])
def test_a_list_without_a_head_is_refused_with_the_value_that_is_no_name(first):
    with pytest.raises(ListRefused, match="no head: line 1 holds"):
        of(f"{first}\nDepot,2024-01-02,6\n")


def test_a_head_without_a_line_below_is_refused():
    with pytest.raises(ListRefused, match="head on line 1 and no line below"):
        of("Station,Hours\n")


def test_a_list_of_one_column_is_a_list():
    sheet = of("Address\n1 Main St\n2 Main St\n")
    assert (sheet.columns, cells(sheet)) == (("Address",), [("1 Main St",), ("2 Main St",)])


def test_names_come_once_and_those_left_out_are_made():
    sheet = of("Date,,Date,Note\n1,x,2,n\n3,y,4,\n")
    assert sheet.columns == ("Date", "column B", "Date (2)", "Note")
    assert len(sheet.remarks) == 2


def test_a_column_with_neither_name_nor_value_is_left_out():
    sheet = of(",Station,,Hours,,\n,Mill,,5,,\n,Depot,,6,,\n")
    assert (sheet.columns, cells(sheet)) == (("Station", "Hours"), [("Mill", "5"), ("Depot", "6")])


def test_units_come_from_the_head_and_from_the_line_below_it():
    sheet = of("Station,Level,Flow (gpm),Rain\n,ft,,in\nMill,3.1,110,0\n")
    assert sheet.units == (("Level", "ft"), ("Flow (gpm)", "gallon/minute"), ("Rain", "in"))
    assert apart(sheet) == [(2, "the units of the columns")]


# ------------------------------------------------------------------------------------------------ lines


def test_a_short_line_is_filled_and_a_long_one_is_set_apart_as_bad():
    sheet = of("a,b,c\n1,2\n1,2,3\n1,2,3,\n1,2,3,4\n9,8,7\n")
    assert cells(sheet) == [("1", "2", None), ("1", "2", "3"), ("1", "2", "3"), ("9", "8", "7")]
    assert [(one.number, one.is_bad) for one in sheet.apart] == [(5, True)]


@pytest.mark.parametrize(
    "label",
    [
        "Total",
        "TOTAL:",
        "Totals",
        "Grand Total",
        "Sub-total",
        "Subtotal",
        "Total for Mill",
        "Total March",
        "March total",
        "2024 Total",
        "Sum",
        "Average",
    ],
)
def test_a_total_is_set_apart_wherever_it_stands(label):
    sheet = of(f"Station,Gallons\nMill,5\n{label},5\nDepot,6\n{label},11\n")
    assert cells(sheet) == [("Mill", "5"), ("Depot", "6")]
    assert apart(sheet) == [(3, TOTAL), (5, TOTAL)]


@pytest.mark.parametrize(
    "name", ["Total Wine", "Totally Tacos", "Sum Dim", "Average Joe", "Subtotal Subs", "Marching Totals Band"]
)
def test_a_name_that_begins_like_a_total_is_a_line(name):
    assert len(of(f"Kitchen,Gallons\nA,5\n{name},900\n").lines) == 2


def test_a_total_beside_words_is_a_line():
    assert len(of("Kitchen,Hauler,Gallons\nA,H,5\nTotal,Hauler B,900\n").lines) == 2


def test_a_line_called_total_with_a_formula_is_a_total():
    rows = (
        f'<row r="1">{text("A1", "Kitchen")}{text("B1", "Gallons")}</row><row r="2">{text("A2", "A")}<c r="B2"><v>5</v></c></row>'
        f'<row r="3">{text("A3", "Total pumped out")}<c r="B3"><f>SUM(B2:B2)</f><v>5</v></c></row>'
    )
    (sheet,) = open_list(with_sheet(rows), "a.xlsx")
    assert (cells(sheet), apart(sheet)) == ([("A", Decimal(5))], [(3, TOTAL)])


@pytest.mark.parametrize(
    "note", ["* estimated", "Note: spills apart", "Page 1 of 2", "End of report", "Printed 3/4/2024", "25 records"]
)
def test_a_note_is_set_apart_and_a_name_alone_is_a_line(note):
    assert apart(of(f"Kitchen,Gallons\nA,5\n{note},\n")) == [(3, NOTE)]
    assert apart(of("Kitchen,Gallons\nA,5\nNoteworthy Foods,\n")) == []


def test_the_head_again_on_a_printed_page_is_set_apart():
    sheet = of("Kitchen,Gallons\nA,5\nKitchen,Gallons\nB,6\n")
    assert (cells(sheet), apart(sheet)) == ([("A", "5"), ("B", "6")], [(3, HEAD)])


def test_every_line_is_accounted_for():
    said = "Title\n\nKitchen,Gallons\nA,5\n\nB,6,7\nTotal,11\nC,7\n* a note\n"
    sheet = of(said)
    seen = {sheet.header_line} | {line.number for line in sheet.lines} | {one.number for one in sheet.apart}
    assert seen == {1, 3, 4, 6, 7, 8, 9}  # all but the blank ones
    assert sheet.remarks[-1] == "line 5: blank"


def test_formulas_are_said_by_column():
    rows = f'<row r="1">{text("A1", "Kitchen")}{text("B1", "Due")}</row>' + "".join(
        f'<row r="{n}">{text(f"A{n}", "A")}<c r="B{n}"><f>1+1</f>{"<v>2</v>" if n < 4 else ""}</c></row>'
        for n in (2, 3, 4)
    )
    (sheet,) = open_list(with_sheet(rows), "a.xlsx")
    assert sheet.remarks == (
        "'Due' holds formulas (lines 2 to 4); what was stored with them when the file was saved is read",
    )
    assert [line.cells[1] for line in sheet.lines[:2]] == [Decimal(2), Decimal(2)]
    assert isinstance(sheet.lines[2].cells[1], BadCell)


def test_a_workbook_gives_each_of_its_lists_and_names_what_is_none():
    book = openpyxl.Workbook()
    book.active.title = "Cover"
    book.active.append(["Lists of the town"])
    for title in ("Testers", "Gauges"):
        page = book.create_sheet(title)
        page.append(["Number", "Since"])
        page.append(["007", date(2024, 3, 4)])
    book.create_sheet("Sheet4")
    made = io.BytesIO()
    book.save(made)
    found = open_list(made.getvalue(), "a.xlsx")
    assert [sheet.name for sheet in found] == ["Testers", "Gauges"]
    assert found[0].lines[0].cells == ("007", date(2024, 3, 4))
    assert [remark.split(":")[0] for remark in found[0].remarks] == [
        "sheet 'Cover'",
        "sheet 'Sheet4' is empty; it was not read",
    ]
    assert found[1].remarks == ()


# ------------------------------------------------------------------------------------------------ what file it is

NO_LISTS = {
    "an old workbook": (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\x00" * 600, "list.xls", r"\.xls"),
    "an old workbook called csv": (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\x00" * 600, "list.csv", "though its name ends in .csv"),
    "a PDF called csv": (b"%PDF-1.7\na,b\n1,2\n", "list.csv", "a PDF"),
    "a page called xls": (b"<html><table><tr><td>1</td></tr></table></html>", "list.xls", "HTML"),
    "a page called csv": (b"\xef\xbb\xbf <!DOCTYPE html><p>a,b\n", "list.csv", "HTML"),
    "a sheet of 2003": (b'<?xml version="1.0"?><Workbook/>', "list.xml", "XML"),
    "JSON": (b'[{"a": 1}]', "list.csv", "JSON"),
    "a picture": (b"\x89PNG\r\n\x1a\n", "list.csv", "a picture"),
    "a program": (b"MZ" + b"\x00" * 90, "list.csv", "a program"),
    "a workbook called csv": (workbook(["a"], [["b"]]), "list.csv", r"ends in \.csv"),
    "a text called xlsx": (b"a,b\n1,2\n", "list.xlsx", r"ends in \.xlsx"),
    "a workbook with macros": (workbook(["a"], [["b"]]), "list.xlsm", "macros"),
    "a word processor's": (b"a,b\n1,2\n", "list.docx", r"\.docx"),
    "nothing": (b"", "list.csv", "empty"),
    "blank lines": (b"\n\n , ,\n", "list.csv", "empty|nothing"),
}  # fmt: skip


@pytest.mark.parametrize("what", NO_LISTS)
def test_what_is_no_list_is_refused_by_its_name(what):
    content, name, says = NO_LISTS[what]
    with pytest.raises(ListRefused, match=says):
        open_list(content, name)


@pytest.mark.parametrize("name", ["a.csv", "A.CSV", "a.tsv", "a.txt", "a"])
def test_a_text_may_have_the_name_of_one(name):
    assert len(open_list(b"a,b\n1,2\n", name)[0].lines) == 1


@pytest.mark.parametrize("name", ["a.xlsx", "A.XLSX", "a"])
def test_a_workbook_may_have_the_name_of_one(name):
    assert len(open_list(workbook(["a"], [["b"]]), name)[0].lines) == 1


def test_a_file_of_the_most_bytes_is_read_and_one_more_is_refused(monkeypatch):
    content = b"a,b\n1,2\n"
    monkeypatch.setattr(lists, "MOST_BYTES", len(content))
    assert open_list(content, "a.csv")
    with pytest.raises(ListRefused, match="9 bytes and 8 is the most"):
        open_list(content + b"\n", "a.csv")


def test_a_sign_that_parts_nothing_is_refused():
    with pytest.raises(ListRefused, match="parts no cells"):
        of("a,b\n1,2\n", delimiter="x")
