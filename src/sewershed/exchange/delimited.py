"""Lists as text: cells parted by a comma, a semicolon, a tab or a bar, in the encodings that offices save.

A text never runs: what begins with =, +, - or @ is a text like any other. The apostrophe that our own tables put before such
a text (exchange/sheet.py) is taken away again, so that a list of ours comes back as it went out.
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator
from itertools import islice

from sewershed.exchange.rows import MOST_CELLS, MOST_COLUMNS, MOST_LETTERS, ListRefused, Page, Row, lines_in_words

DELIMITERS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar"}
_LOOKED_AT = 1000  # rows that tell which sign parts the cells
_ENOUGH = 0.5  # of them must have the same number of cells
_SEP = re.compile(r"\"?sep=([,;\t|])\"?\r?\n", re.IGNORECASE)
_GUARDED = re.compile(r"'[=+\-@\t\r]")
_SAYS = re.compile(r"[^\s,;|]")  # anything but blanks and what parts them
_ODD = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


def read_text(content: bytes, name: str, delimiter: str = "") -> Page:
    """Returns the rows of a text.

    Edge: a line that is shorter or longer than others is returned as it is. A line break within quotation marks belongs to
    its cell; the row has the number of the line on which it begins.

    Refuses: with `ListRefused`, what is no text, letters of two encodings, marks that do not close, more cells than are
    read, and a text of which it cannot be told what parts its cells: then with the signs that may.
    """
    text, remarks = decoded(content)
    said = _SEP.match(text)
    first = 1
    if said:
        text, first = text[said.end() :], 2
        delimiter = delimiter or said[1]
    delimiter = delimiter or parted_by(text)
    rows: list[Row] = []
    blank: list[int] = []
    cells_in_all = 0
    for number, cells in _rows(text, delimiter, first):
        if not any(one.strip() for one in cells):
            blank.append(number)
            continue
        cells_in_all += len(cells)
        if len(cells) > MOST_COLUMNS:
            raise ListRefused(
                f"line {number} has {len(cells):,} cells and a list may have {MOST_COLUMNS} columns; look whether "
                f"a {DELIMITERS.get(delimiter, delimiter)} parts the cells of this file"
            )
        if cells_in_all > MOST_CELLS:
            raise ListRefused(
                f"the list has more than {MOST_CELLS:,} cells (at line {number}), more than is read at once; "
                "part it into files, for example one a year"
            )
        rows.append((number, tuple(_own(one) for one in cells)))
    return Page(name, tuple(rows), tuple(remarks), blank=tuple(blank))


def decoded(content: bytes) -> tuple[str, list[str]]:
    """Returns the text of a file, and what is to be said of how it was read.

    Edge: UTF-8 is taken where every byte fits; else Windows-1252, which is what Excel in this country saves as CSV.

    Refuses: with `ListRefused`, bytes that no text has, and a text that is partly the one and partly the other.
    """
    remarks: list[str] = []
    if content.startswith((b"\xff\xfe\x00\x00", b"\x00\x00\xfe\xff")):
        raise ListRefused("the text is saved as UTF-32, which no office program reads; save it as CSV UTF-8")
    utf_16 = _utf_16(content)
    try:
        text = content.decode(utf_16) if utf_16 else content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        if utf_16:
            raise ListRefused(
                f"the text is saved as UTF-16 and damaged at byte {error.start + 1:,}; save it again, best as CSV UTF-8"
            ) from None
        text = _windows(content, error)
        remarks.append(
            "read as Windows-1252, the letters of Excel's plain CSV; look whether names with accents are right"
        )
    text = text.removeprefix("\ufeff").removesuffix("\x1a")
    odd = _ODD.findall(text)
    if "\x00" in text or len(odd) > len(text) // 100:
        raise ListRefused("the file is no text (it holds signs that no text has); save the list as CSV or .xlsx")
    if odd:
        line = text[: next(_ODD.finditer(text)).start()].count("\n") + 1
        remarks.append(f"signs that cannot be printed stand in the text, the first on line {line}")
    if "\ufffd" in text:
        line = text[: text.index("\ufffd")].count("\n") + 1
        remarks.append(f"letters were lost before the file came here (shown as \ufffd), the first on line {line}")
    return text, remarks


def _utf_16(content: bytes) -> str:
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "utf-16"
    sample = content[:4000]
    if len(sample) < 4 or b"\x00" not in sample:
        return ""
    even, odd = sample[::2].count(0), sample[1::2].count(0)
    if not even and odd > len(sample) // 4:
        return "utf-16-le"
    return "utf-16-be" if not odd and even > len(sample) // 4 else ""


def _windows(content: bytes, error: UnicodeDecodeError) -> str:
    """Returns a text of Windows-1252; one that is UTF-8 elsewhere would be read wrong there."""
    line = content.count(b"\n", 0, error.start) + 1
    if not content.decode("utf-8", "ignore").isascii():
        raise ListRefused(
            f"letters are saved in two ways: as UTF-8, and otherwise on line {line}, so that some would be read wrong; "
            "open the list where it was made and save it as CSV UTF-8"
        )
    try:
        return content.decode("windows-1252")
    except UnicodeDecodeError as other:
        line = content.count(b"\n", 0, other.start) + 1
        raise ListRefused(
            f"a letter on line {line} is neither UTF-8 nor Windows-1252; save the list as CSV UTF-8 where it was made"
        ) from None


def parted_by(text: str) -> str:
    r"""Returns the sign that parts the cells of a text.

    Edge: the sign under which most rows have the same number of cells, two or more; a text without any such sign is a
    list of one column. Two signs that do it alike are not chosen between.

    Refuses: with `ListRefused`, naming the signs to ask about.

    Example:
        >>> parted_by("Name;Gallons\nA, B;1,5\nC;2,5\n"), parted_by("Name\nA\nB\n")
        (';', ',')
    """
    fits: dict[str, float] = {}
    broken: dict[str, ListRefused] = {}
    for sign in DELIMITERS:
        if sign not in text:
            continue
        try:
            widths = Counter(
                len(cells) for _, cells in islice(_rows(text, sign), _LOOKED_AT) if any(map(str.strip, cells))
            )
        except ListRefused as error:
            broken[sign] = error
            continue
        usual, times = widths.most_common(1)[0] if widths else (1, 1)
        if usual > 1 and times >= _ENOUGH * widths.total():
            fits[sign] = times / widths.total()
    best = [sign for sign, share in fits.items() if share == max(fits.values())]
    if len(best) == 1:
        return best[0]
    if not fits and broken:
        raise broken[max(broken, key=text.count)]
    there = tuple(sign for sign in (best or DELIMITERS) if sign in text)
    if not there or not _SAYS.search(text):
        return ","
    named = " or ".join(DELIMITERS[sign] for sign in there)
    raise ListRefused(f"it cannot be told what parts the cells of this list ({named}); say which", delimiters=there)


def _rows(text: str, delimiter: str, first: int = 1) -> Iterator[tuple[int, list[str]]]:
    """Yields each row with the number of the line on which it begins."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True, skipinitialspace=True)
    begins = first
    try:
        for cells in reader:
            if any(len(one) > MOST_LETTERS for one in cells):
                raise ListRefused(
                    f"a cell of line {begins} has more than {MOST_LETTERS:,} letters; look whether its quotation marks close"
                )
            yield begins, cells
            begins = reader.line_num + first
    except csv.Error:
        raise ListRefused(
            f"the quotation marks of {lines_in_words([begins])} do not close, so that it cannot be told where its cells end; "
            "put that line right (a mark within a text is written twice) or save the list as .xlsx"
        ) from None


def _own(cell: str) -> str:
    """Returns a text without the apostrophe that guards it from a spreadsheet."""
    return cell[1:] if _GUARDED.match(cell) else cell
