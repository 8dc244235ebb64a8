"""Workbooks: what each kind of cell gives, and what is refused. Parts are written by hand; so are the values expected."""

from __future__ import annotations

import io
import time
import zipfile
from datetime import date, datetime
from decimal import Decimal

import openpyxl
import pytest

from sewershed.exchange import workbook as reader
from sewershed.exchange.rows import BadCell, ListRefused
from sewershed.exchange.workbook import read_workbook
from tests.exchange.workbooks import MAIN, SHEET, packed, parts_of, text, with_parts, with_sheet, workbook

PLAIN = workbook(["Id", "Gallons"], [["a", 1], ["b", 2]])
ROWS = ((1, ("Id", "Gallons")), (2, ("a", Decimal(1))), (3, ("b", Decimal(2))))


def one_cell(value: object, form: str = "General", *, is_1904: bool = False) -> object:
    """Returns what is read of a cell that openpyxl wrote."""
    book = openpyxl.Workbook()
    if is_1904:
        book.epoch = openpyxl.utils.datetime.CALENDAR_MAC_1904
    page = book.active
    page.append(["name"])
    page["A2"] = value
    page["A2"].number_format = form
    made = io.BytesIO()
    book.save(made)
    (read,) = read_workbook(made.getvalue())
    assert read.epoch == (1904 if is_1904 else 1900)
    return read.rows[1][1][0]


def test_a_workbook_of_our_own_is_read():
    (page,) = read_workbook(PLAIN)
    assert (page.name, page.rows, page.epoch) == ("List", ROWS, 1900)


@pytest.mark.parametrize(
    ("value", "form", "expected"),
    [
        ("00123", "@", "00123"),
        (123, "00000", "00123"),  # five zeros: the number is shown with as many figures
        (123, "0", Decimal(123)),
        (123, "#,##0.00", Decimal(123)),
        (0.25, "0%", "25%"),
        (0.0725, "0.00%", "7.25%"),
        (0.1, "General", Decimal("0.1")),
        (0.1 + 0.2, "General", Decimal("0.3")),  # 15 digits, as Excel shows it
        (1234.5, '"about" 0.0', Decimal("1234.5")),
        (True, "General", True),
        ("yes", "General", "yes"),
        (date(2024, 3, 4), "mm/dd/yyyy", date(2024, 3, 4)),
        (datetime(2024, 3, 4), "mm/dd/yyyy", date(2024, 3, 4)),  # noqa: DTZ001
        (datetime(2024, 3, 4), "mm/dd/yyyy hh:mm", datetime(2024, 3, 4)),  # noqa: DTZ001  # it shows a time: midnight
        (datetime(2024, 3, 4, 7, 5, 9), "mm/dd/yyyy", datetime(2024, 3, 4, 7, 5, 9)),  # noqa: DTZ001
        (0.5, "h:mm AM/PM", "T12:00:00"),
        (1.5, "[h]:mm:ss", "36:00:00"),
        ("#N/A", "General", "#N/A"),
    ],
)
def test_a_cell_is_what_it_shows(value, form, expected):
    read = one_cell(value, form)
    assert (read, type(read)) == (expected, type(expected))


@pytest.mark.parametrize("is_1904", [False, True])
def test_days_are_the_same_in_both_counts(is_1904):
    assert one_cell(date(2024, 3, 4), "yyyy-mm-dd", is_1904=is_1904) == date(2024, 3, 4)


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        ("<f>1+1</f><v>2</v>", Decimal(2)),
        ("<f>1+1</f>", None),
        ("<f>1+1</f><v></v>", None),
    ],
)
def test_a_formula_gives_what_is_stored_and_nothing_is_worked_out(cell, expected):
    head = f'<row r="1">{text("A1", "n")}</row>'
    (page,) = read_workbook(with_sheet(f'{head}<row r="2"><c r="A2">{cell}</c></row>'))
    read = page.rows[1][1][0]
    assert page.formulas == ((2, 0),)
    if expected is None:
        assert isinstance(read, BadCell)
        assert "not saved" in read.why
    else:
        assert read == expected


def test_a_line_break_of_two_signs_in_a_cell_is_one_break():
    (page,) = read_workbook(
        with_sheet(f'<row r="1">{text("A1", "n")}</row><row r="2">{text("A2", "two_x000D_&#10;lines")}</row>')
    )
    assert page.rows[1] == (2, ("two\nlines",))


def test_a_formula_whose_result_is_an_empty_text_is_blank():
    (page,) = read_workbook(
        with_sheet(
            f'<row r="1">{text("A1", "n")}{text("B1", "m")}</row><row r="2"><c r="A2" t="str"><f>""</f><v></v></c>{text("B2", "x")}</row>'
        )
    )
    assert page.rows[1] == (2, (None, "x"))


@pytest.mark.parametrize("error", ["#REF!", "#VALUE!", "#DIV/0!"])
def test_an_error_of_the_spreadsheet_is_a_bad_cell(error):
    (page,) = read_workbook(
        with_sheet(f'<row r="1">{text("A1", "n")}</row><row r="2"><c r="A2" t="e"><v>{error}</v></c></row>')
    )
    read = page.rows[1][1][0]
    assert isinstance(read, BadCell)
    assert read.text == error


def test_a_number_beyond_all_measure_is_a_bad_cell():
    (page,) = read_workbook(
        with_sheet(
            f'<row r="1">{text("A1", "n")}</row><row r="2"><c r="A2"><v>1E400</v></c><c r="B2"><v>1E21</v></c><c r="C2"><v>1E20</v></c><c r="D2"><v>1E-21</v></c></row>'
        )
    )
    assert [type(cell) for cell in page.rows[1][1]] == [BadCell, BadCell, Decimal, BadCell]


def test_rows_left_out_are_counted_where_they_stand_among_others():
    rows = f'<row r="3">{text("A3", "a")}</row><row r="5">{text("A5", "b")}</row><row r="9"><c r="A9"/></row>'
    (page,) = read_workbook(with_sheet(rows))
    assert ([number for number, _ in page.rows], page.blank) == ([3, 5], (4,))


def test_a_hidden_sheet_says_so():
    book = openpyxl.Workbook()
    book.active.append(["a", "b"])
    hidden = book.create_sheet("old")
    hidden.append(["c", "d"])
    hidden.sheet_state = "hidden"
    made = io.BytesIO()
    book.save(made)
    first, second = read_workbook(made.getvalue())
    assert (first.remarks, second.remarks) == ((), ("this sheet is hidden in the workbook",))


# ------------------------------------------------------------------------------------------------ hostile files

LAUGHS = (
    b'<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">'
    + b"".join(b'<!ENTITY c%d "%s">' % (n, b"&b;" * 10) for n in range(9))
    + b"]><worksheet><sheetData><row><c><v>&c8;</v></c></row></sheetData></worksheet>"
)
OUTSIDE = b'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><worksheet>&x;</worksheet>'
UNFOLDED = f'<worksheet xmlns="{MAIN}"><sheetData>'.encode()


def liar() -> bytes:
    """Returns a workbook whose sheet says that it is short and unpacks to 200 MB."""
    big = packed({**parts_of(PLAIN), SHEET: b"<" + b"a" * 200_000_000})
    real, said = (200_000_001).to_bytes(4, "little"), (1000).to_bytes(4, "little")
    return big.replace(real, said)


def twice() -> bytes:
    made = io.BytesIO(PLAIN)
    with pytest.warns(UserWarning, match="Duplicate name"), zipfile.ZipFile(made, "a") as archive:
        archive.writestr(SHEET, b"<worksheet/>")
    return made.getvalue()


def locked() -> bytes:
    """Returns a workbook whose parts say that they are encrypted (bit 0 of their flags, in both headers)."""
    content = bytearray(PLAIN)
    for sign, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        place = content.find(sign)
        while place >= 0:
            content[place + at] |= 1
            place = content.find(sign, place + 1)
    return bytes(content)


HOSTILE = {
    "a bomb that unpacks to 150 MB": lambda: packed({**parts_of(PLAIN), "xl/media/a.xml": b"\x00" * 150_000_000}),
    "a bomb that lies about it": liar,
    "entities that swell": lambda: packed({**parts_of(PLAIN), SHEET: LAUGHS}),
    "an entity from outside": lambda: packed({**parts_of(PLAIN), SHEET: OUTSIDE}),
    "entities in another part": lambda: packed({**parts_of(PLAIN), "xl/styles.xml": LAUGHS}),
    "entities hidden by UTF-16": lambda: packed({**parts_of(PLAIN), SHEET: LAUGHS.decode().encode("utf-16")}),
    "entities hidden by another encoding": lambda: packed(
        {**parts_of(PLAIN), SHEET: b'<?xml version="1.0" encoding="cp037"?>' + LAUGHS[21:].decode().encode("cp037")}
    ),
    "too many tags in a row": lambda: packed({**parts_of(PLAIN), SHEET: UNFOLDED + b"<row>" + b"<c/>" * 6_000_000}),
    "too many tags beside the rows": lambda: packed({**parts_of(PLAIN), SHEET: UNFOLDED + b"</sheetData>" + b"<mergeCell/>" * 250_000}),
    "too many rows": lambda: packed({**parts_of(PLAIN), SHEET: UNFOLDED + b"<row/>" * 3_000_001}),
    "too many styles": lambda: packed({**parts_of(PLAIN), "xl/styles.xml": b"<styleSheet>" + b"<xf/>" * 250_000 + b"</styleSheet>"}),
    "rows where no rows belong": lambda: packed({**parts_of(PLAIN), "xl/styles.xml": b"<sst>" + b"<si/>" * 250_000 + b"</sst>"}),
    "tags nested deeply": lambda: packed({**parts_of(PLAIN), SHEET: UNFOLDED + b"<a>" * 100_000}),
    "too many attributes": lambda: packed(
        {**parts_of(PLAIN), SHEET: UNFOLDED + b"<a " + b" ".join(b'b%d=""' % n for n in range(101)) + b"/></sheetData></worksheet>"}
    ),
    "entities in a part by another name": lambda: packed(
        {
            **{name: part.replace(b"sheet1.xml", b"sheet1.bin") for name, part in parts_of(PLAIN).items() if name != SHEET},
            "xl/worksheets/sheet1.bin": LAUGHS,
        }
    ),
    "macros": lambda: packed({**parts_of(PLAIN), "xl/vbaProject.bin": b"x"}),
    "macros by its own word": lambda: packed(
        {**parts_of(PLAIN), "[Content_Types].xml": parts_of(PLAIN)["[Content_Types].xml"].replace(b"sheet.main+xml", b"sheet.macroEnabled.main+xml")}
    ),
    "a binary workbook": lambda: packed({"[Content_Types].xml": b"<Types/>", "xl/workbook.bin": b"x"}),
    "an OpenDocument sheet": lambda: packed({"mimetype": b"application/vnd.oasis.opendocument.spreadsheet", "content.xml": b"<a/>"}),
    "an archive that is no workbook": lambda: packed({"list.csv": b"a,b\n"}),
    "an empty archive": lambda: packed({}),
    "a document of Word": lambda: packed({"[Content_Types].xml": b"<Types/>", "word/document.xml": b"<a/>"}),
    "a row far below": lambda: with_sheet(f'<row r="1">{text("A1", "a")}</row><row r="999999999999">{text("A1", "a")}</row>'),
    "a column far to the right": lambda: with_sheet(f'<row r="1">{text("A1", "a")}{text("XFD1", "b")}</row>'),
    "a row that is no number": lambda: with_sheet(f'<row r="x">{text("A1", "a")}</row>'),
    "a style that there is not": lambda: with_sheet('<row r="1"><c r="A1" s="99"><v>1</v></c></row>'),
    "a shared text that there is not": lambda: with_sheet('<row r="1"><c r="A1" t="s"><v>7</v></c></row>'),
    "a sheet cut off": lambda: packed({**parts_of(PLAIN), SHEET: parts_of(PLAIN)[SHEET][:300]}),
    "an archive cut off": lambda: PLAIN[: len(PLAIN) // 2],
    "too many parts": lambda: packed({**parts_of(PLAIN), **{f"xl/{n}.xml": b"<a/>" for n in range(2001)}}),
    "a part twice": twice,
    "a part locked with a password": locked,
}  # fmt: skip


@pytest.mark.parametrize("what", HOSTILE)
def test_a_hostile_workbook_is_refused_in_bounded_time(what):
    content = HOSTILE[what]()
    began = time.monotonic()
    with pytest.raises(ListRefused) as refused:
        read_workbook(content)
    assert len(str(refused.value)) > 40  # what, and what to do
    assert time.monotonic() - began < 60  # a few seconds on a machine that does nothing else


def test_a_size_that_a_sheet_only_claims_costs_nothing():
    sheet = parts_of(PLAIN)[SHEET].replace(b"<sheetViews>", b'<dimension ref="A1:XFD1048576"/><sheetViews>')
    assert b"dimension" in sheet
    (page,) = read_workbook(packed({**parts_of(PLAIN), SHEET: sheet}))
    assert page.rows == ROWS


def test_the_most_cells_are_read_and_one_more_is_refused(monkeypatch):
    monkeypatch.setattr(reader, "MOST_CELLS", 6)
    assert len(read_workbook(PLAIN)[0].rows) == 3
    monkeypatch.setattr(reader, "MOST_CELLS", 5)
    with pytest.raises(ListRefused, match="more than 5 cells"):
        read_workbook(PLAIN)


def test_a_workbook_with_a_part_unknown_to_us_is_read():
    assert read_workbook(with_parts(PLAIN, xl__theme__theme9_dot_xml=b"<a/>"))[0].rows == ROWS
