"""The archive of a workbook: what is counted, to the last one that is taken. Hostile ones stand in test_workbook.py."""

from __future__ import annotations

import pytest

from sewershed.exchange import archive
from sewershed.exchange.archive import looked_at
from sewershed.exchange.rows import ListRefused
from tests.exchange.workbooks import SHEET, packed, parts_of, text, with_sheet, workbook

PLAIN = workbook(["Id", "Gallons"], [["a", 1], ["b", 2]])


def test_formulas_are_found_with_what_is_stored_whatever_the_part_is_called():
    cells = (
        '<c r="A2"><f>1</f><v>1</v></c><c r="B2"><f>1</f></c><c r="C2"><f>1</f><v></v></c><c r="D2" t="str"><f>1</f><v></v></c><c><v>5</v></c>'
        "<c><f/><v>6</v></c>"
    )
    found = looked_at(with_sheet(f'<row r="2">{cells}</row><row><c><f>1</f><v>7</v></c></row>'))[SHEET]
    assert found == {(2, 1): True, (2, 2): False, (2, 3): False, (2, 4): True, (2, 6): True, (3, 1): True}
    prefixed = b'<x:worksheet xmlns:x="a"><x:sheetData><x:row r="4"><x:c r="B4"><x:f>1</x:f></x:c></x:row></x:sheetData></x:worksheet>'
    assert looked_at(packed({**parts_of(PLAIN), "xl/other.bin": prefixed}))["xl/other.bin"] == {(4, 2): False}


@pytest.mark.parametrize(
    ("bound", "count"),
    [
        ("MOST_UNPACKED", sum(len(part) for part in parts_of(PLAIN).values())),
        ("MOST_PARTS", len(parts_of(PLAIN))),
        # of the longest part, styles.xml: styleSheet 1; numFmts 2; fonts 1 + 3 + 4; fills 1 + 4; borders 1 + 6; cellStyleXfs 2;
        # cellXfs 1 + 3; cellStyles 2
        ("MOST_TAGS", 31),
        ("MOST_TOGETHER", 31),
        ("MOST_ATTRIBUTES", 6),  # of the second xf
        ("MOST_DEEP", 6),  # worksheet, sheetData, row, c, is, t
    ],
)
def test_the_most_is_taken_and_one_more_is_refused(monkeypatch, bound, count):
    monkeypatch.setattr(archive, bound, count)
    assert looked_at(PLAIN)
    monkeypatch.setattr(archive, bound, count - 1)
    with pytest.raises(ListRefused):
        looked_at(PLAIN)


def test_rows_are_counted_one_by_one_and_what_stands_beside_them_together(monkeypatch):
    rows = "".join(f'<row r="{n}">{text(f"A{n}", "a")}</row>' for n in range(1, 60))  # four tags each
    content = with_sheet(rows)
    monkeypatch.setattr(archive, "MOST_TOGETHER", 31)
    assert looked_at(content)
    with pytest.raises(ListRefused, match="more tags than are read at once"):
        looked_at(with_sheet(f"<row>{'<c/>' * 31}</row>"))
    assert looked_at(with_sheet(f"<row>{'<c/>' * 30}</row>"))


def test_a_picture_in_a_workbook_is_let_alone():
    assert (
        looked_at(packed({**parts_of(PLAIN), "xl/media/image1.png": b"\x89PNG<!DOCTYPE a>"}))["xl/media/image1.png"]
        == {}
    )
