"""Texts as lists: encodings, what parts the cells, marks of quotation. Expected cells are written by hand."""

from __future__ import annotations

import pytest

from sewershed.exchange import delimited, rows
from sewershed.exchange.delimited import decoded, parted_by, read_text
from sewershed.exchange.rows import ListRefused
from sewershed.exchange.sheet import csv_bytes


def cells(content: bytes, delimiter: str = "") -> list[tuple[str, ...]]:
    return [one for _, one in read_text(content, "a.csv", delimiter).rows]


CAFE = "Name,Town\nCafé Olé,A\n"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "windows-1252"])
def test_letters_come_through_in_each_encoding_of_an_office(encoding):
    page = read_text(CAFE.encode(encoding), "a.csv")
    assert [one for _, one in page.rows] == [("Name", "Town"), ("Café Olé", "A")]
    assert bool(page.remarks) == (encoding == "windows-1252")  # only where it was not sure


def test_letters_of_two_encodings_are_refused_with_their_line():
    mixed = "Name\nCafé\n".encode() + "Olé\n".encode("windows-1252")
    with pytest.raises(ListRefused, match=r"two ways: as UTF-8, and otherwise on line 3"):
        decoded(mixed)


def test_a_letter_of_no_encoding_is_refused_with_its_line():
    with pytest.raises(ListRefused, match="line 2 is neither UTF-8 nor Windows-1252"):
        decoded(b"Name\n\x81\n")  # 0x81 is no letter of Windows-1252


@pytest.mark.parametrize(
    "content", [b"a,b\n\x00\x01,c\n", bytes(range(32)) * 4, b"\xff\xfe\x00\x00a\x00\x00\x00", b"\xff\xfea"]
)
def test_what_is_no_text_is_refused(content):
    with pytest.raises(ListRefused):
        decoded(content)


def test_lost_letters_and_odd_signs_are_said_and_kept():
    text, remarks = decoded(("Name\n" + "a" * 200 + "\nCaf\ufffd\x0b\n").encode())
    assert "Caf\ufffd\x0b" in text
    assert [remark.rpartition(" ")[2] for remark in remarks] == ["3", "3"]


@pytest.mark.parametrize(
    ("text", "sign"),
    [
        ("a,b\n1,2\n", ","),
        ("a;b\n1,5;2\n3,5;4\n", ";"),  # commas part decimals: two of three lines have one
        ("a\tb\nx, y\tz\n", "\t"),
        ("a|b\n1|2\n", "|"),
        ('a,b\n"x;y",2\n"z;w",3\n', ","),
        ("Report; spring\na,b,c\n1,2,3\n", ","),  # a title above holds the other
        ("Name\nA\nB\n", ","),  # one column, and nothing to part
    ],
)
def test_what_parts_the_cells_is_told_where_it_is_sure(text, sign):
    assert parted_by(text) == sign


def test_two_signs_that_part_alike_are_asked_about():
    with pytest.raises(ListRefused, match="comma or semicolon") as refused:
        parted_by("last, first;phone\nA, B;1\n")
    assert refused.value.delimiters == (",", ";")
    assert cells(b"last, first;phone\nA, B;1\n", ";") == [("last, first", "phone"), ("A, B", "1")]


def test_one_column_with_commas_in_some_lines_is_asked_about():
    with pytest.raises(ListRefused) as refused:
        parted_by("Address\n1 Main St\n2 Main St, Apt 3\n4 Main St\n")
    assert refused.value.delimiters == (",",)


def test_the_hint_of_a_spreadsheet_is_taken_and_lines_keep_their_numbers():
    page = read_text(b"sep=;\r\nlast, first;phone\r\nA, B;1\r\n", "a.csv")
    assert page.rows == ((2, ("last, first", "phone")), (3, ("A, B", "1")))


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_a_line_break_within_marks_belongs_to_its_cell_and_lines_are_counted_as_they_stand(end):
    text = end.join(["a,b", '"one', 'two",2', "", "3,4", ""])
    page = read_text(text.encode(), "a.csv")
    assert page.rows == ((1, ("a", "b")), (2, (f"one{end}two", "2")), (5, ("3", "4")))
    assert page.blank == (4,)


@pytest.mark.parametrize("text", ['a,b\n1,2\n"open,3\n4,5\n', 'a,b\n1,2\n"x"y,3\n4,5\n'])
def test_marks_that_do_not_close_are_refused_with_the_line_where_they_open(text):
    with pytest.raises(ListRefused, match="line 3 do not close"):
        read_text(text.encode(), "a.csv")


def test_a_text_that_looks_like_a_formula_is_a_text():
    assert cells(b"name,n\n=1+1,2\n+1,2\n-1,2\n@SUM(A1),2\n")[1:] == [
        ("=1+1", "2"),
        ("+1", "2"),
        ("-1", "2"),
        ("@SUM(A1)", "2"),
    ]


def test_a_list_of_ours_comes_back_as_it_went_out():
    said = [["=1+1", "a"], ["-x", "b"], ["'quoted'", "c"], ["two\nlines, and a comma", 'd "e"']]
    assert cells(csv_bytes(["name", "note"], said)) == [("name", "note"), *(tuple(one) for one in said)]


def test_the_most_cells_are_read_and_one_more_is_refused(monkeypatch):
    monkeypatch.setattr(delimited, "MOST_CELLS", 6)
    assert len(cells(b"a,b\n1,2\n3,4\n")) == 3
    with pytest.raises(ListRefused, match="more than 6 cells"):
        cells(b"a,b\n1,2\n3,4\n5,6\n")


def test_the_most_columns_are_read_and_one_more_is_refused():
    most = rows.MOST_COLUMNS
    assert len(cells((",".join("a" * most) + "\n").encode())[0]) == most
    with pytest.raises(ListRefused, match="301 cells"):
        cells((",".join("a" * (most + 1)) + "\n").encode())


def test_a_cell_of_the_most_letters_is_read_and_one_more_is_refused():
    most = rows.MOST_LETTERS
    assert len(cells(b"a,b\n" + b"x" * most + b",1\n")[1][0]) == most
    with pytest.raises(ListRefused, match="32,767 letters"):
        cells(b"a,b\n" + b"x" * (most + 1) + b",1\n")
    with pytest.raises(ListRefused):
        cells(b"a,b\n" + b"x" * 200_000 + b",1\n")  # more than the reader itself takes
