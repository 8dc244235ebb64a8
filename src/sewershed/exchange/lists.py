"""Lists that towns keep, read as they are: CSV and its like, and Excel workbooks (.xlsx). Nothing is run, nothing is guessed.

A list is a head with a name for each column, and lines below it. What else stands in the file (a title, a total, the head
again on each printed page, a note below) is set apart with the reason, so that every line is accounted for.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from sewershed.exchange.columns import unit_of_heading, unit_word
from sewershed.exchange.delimited import DELIMITERS, read_text
from sewershed.exchange.rows import MOST_BYTES, BadCell, Cell, ListRefused, Page, Row, is_blank, lines_in_words, shown
from sewershed.exchange.sheet import column_letters
from sewershed.exchange.workbook import read_workbook

_TEXTS = ("csv", "tsv", "tab", "txt")
_MOST_ABOVE = 30  # rows in which the head is looked for
_WIDE = Decimal("0.6")  # of the columns in use: a head names most columns
_LONGEST_NAME = 120  # letters
_NUMBER = re.compile(r"[(+-]?\s*[$€]?\s*[+-]?\d[\d.,\s]*%?\)?\Z", re.ASCII)
_DAY = re.compile(r"\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}\b|\d{1,2}:\d\d", re.ASCII)
_WHEN = (
    r"(january|february|march|april|may|june|july|august|september|october|november|december"
    r"|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|\d{4}|fy ?\d+|q[1-4]|month|year|week|day|daily|weekly|monthly|yearly|annual)"
)
_TOTAL = re.compile(
    rf"((grand|sub|overall|running|{_WHEN}( {_WHEN})*)[ -]?)?totals?( (for|of|in) .*| {_WHEN}( {_WHEN})*)?\Z"
    r"|(sum|average|avg|mean|count)\Z"
)
_FOOT = re.compile(
    r"end of (the )?(report|list|file|export)|page \d+|(report )?(printed|exported|generated|run|created) .*\d"
    r"|[\d,]+ (records?|rows?|lines?|items?)\b|notes?:|\*"
)
_NO_LIST = {  # how a file begins that is something else, what it is, what to do
    b"\xd0\xcf\x11\xe0": ("an old Excel workbook (.xls), or one locked with a password", "save it in Excel as .xlsx without a password, or as CSV"),
    b"%PDF": ("a PDF", "ask for the list as CSV or .xlsx from where the PDF was made"),
    b"{\\rtf": ("a letter (RTF)", "save the table in it as CSV or .xlsx"),
    b"\x89PNG": ("a picture", "ask for the list itself"),
    b"\xff\xd8\xff": ("a photograph", "ask for the list itself"),
    b"GIF8": ("a picture", "ask for the list itself"),
    b"MZ": ("a program", "do not open it, and ask who sent it"),
    b"\x7fELF": ("a program", "do not open it, and ask who sent it"),
    b"\x1f\x8b": ("a packed file", "unpack it and take the list in it"),
    b"7z\xbc\xaf": ("a packed file", "unpack it and take the list in it"),
    b"Rar!": ("a packed file", "unpack it and take the list in it"),
    b"BZh": ("a packed file", "unpack it and take the list in it"),
    b"\xfd7zXZ": ("a packed file", "unpack it and take the list in it"),
    b"SQLite format 3": ("a database", "export the table from it as CSV"),
    b"\x00\x01\x00\x00Standard": ("an Access database", "export the table from it as CSV or .xlsx"),
}  # fmt: skip
_MARKUP = re.compile(rb"(\xef\xbb\xbf)?\s*<(!doctype|html|head|body|table|\?xml|!--|meta|svg|script)", re.IGNORECASE)
_JSON = re.compile(rb"(\xef\xbb\xbf)?\s*(\{\s*\"|\[\s*[\[{])")
_ZIP = (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a list: its number in the file (the first is 1), and a cell for each column."""

    number: int
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Apart:
    """A line that is no row of the list (a title, a total, the head again, a note below), and why it was set apart.

    `is_bad` says that it may well be a row and could not be taken for one: it has more cells than the head has names.
    """

    number: int
    cells: tuple[Cell, ...]
    because: str
    is_bad: bool = False


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
    r"""Returns the lists that a file holds: one of a text, one a sheet of a workbook.

    Args:
        content: the file.
        name: its name; what it says must be what the file is.
        delimiter: the sign that parts the cells of a text, where somebody was asked.

    Edge: a file of the most bytes is read, one more is not. A sheet that holds no list is named in the remarks of the
    others. Values are as they stand in the file: of a text every cell is a text, of a workbook what was stored.

    Refuses: a file that is not what its name says, programs and macros, archives that swell, what is damaged, more than
    is read at once, a text of which it cannot be told what parts its cells, a file without a list in it.

    Raises:
        ListRefused: with the reason, in bounded time and memory. Nothing of a refused file is returned.

    Example:
        >>> sheet, = open_list(b"Facility;Gallons\nA;1,000\nTotal;1,000\n", "kitchens.csv")
        >>> sheet.columns, [line.cells for line in sheet.lines], [(one.number, one.because) for one in sheet.apart]
        (('Facility', 'Gallons'), [('A', '1,000')], [(3, 'a total, which follows from the lines above')])
    """
    kind = _kind(content, name)
    if delimiter and delimiter not in DELIMITERS:
        raise ListRefused(f"'{delimiter}' parts no cells; choose {', '.join(DELIMITERS.values())}")
    pages = read_workbook(content) if kind == "xlsx" else (read_text(content, name, delimiter),)
    found: list[Sheet] = []
    without: list[str] = []
    for page in pages:
        if not page.rows:
            without.append(
                f"sheet '{shown(page.name)}' is empty" if kind == "xlsx" else "the file holds nothing but blanks"
            )
            continue
        try:
            found.append(_sheet(page))
        except ListRefused as error:
            without.append(f"sheet '{shown(page.name)}': {error}" if kind == "xlsx" else str(error))
    if not found:
        raise ListRefused(f"{'; '.join(without) or 'the workbook has no sheet'}; look whether it is the right file")
    if without:
        first = found[0]
        found[0] = _with_remarks(first, tuple(f"{one}; it was not read" for one in without))
    return tuple(found)


def _with_remarks(sheet: Sheet, more: tuple[str, ...]) -> Sheet:
    return Sheet(
        sheet.name, sheet.columns, sheet.header_line, sheet.lines, sheet.remarks + more, sheet.apart, sheet.epoch, sheet.units
    )  # fmt: skip


# ------------------------------------------------------------------------------------------------ what file it is


def _kind(content: bytes, name: str) -> str:
    """Returns "xlsx" or "text"; refuses what is neither, or is not what its name says."""
    if not content:
        raise ListRefused("the file is empty; look whether it was saved, and choose it again")
    if len(content) > MOST_BYTES:
        raise ListRefused(
            f"the file has {len(content):,} bytes and {MOST_BYTES:,} is the most that is read; part it, for example by year"
        )
    ending = name.rpartition(".")[2].lower() if "." in name else ""
    for sign, (what, to_do) in _NO_LIST.items():
        if content.startswith(sign):
            says = f", though its name ends in .{ending}" if ending in (*_TEXTS, "xlsx") else ""
            raise ListRefused(f"this is {what}{says}; {to_do}")
    if _MARKUP.match(content[:500]):
        raise ListRefused(
            "this is a page or other markup (HTML, XML) and no list; open it in Excel and save it as .xlsx or CSV"
        )
    if _JSON.match(content[:500]):
        raise ListRefused("this is JSON and no list of lines; export it as CSV or .xlsx")
    is_packed = content.startswith(_ZIP)
    if ending == "xlsm":
        raise ListRefused("an .xlsm may hold macros, which are programs; save it as .xlsx, which leaves them out")
    if ending in _TEXTS and is_packed:
        raise ListRefused(
            f"the name ends in .{ending} and this is no text (a workbook or archive); name it for what it is"
        )
    if ending == "xlsx" and not is_packed:
        raise ListRefused(
            "the name ends in .xlsx and this is no workbook; name it .csv if it is a text, else ask for it again"
        )
    if ending and ending not in (*_TEXTS, "xlsx"):
        raise ListRefused(
            f"a list comes as .csv, .tsv, .txt or .xlsx, and this is .{shown(ending)}; save it as one of them"
        )
    return "xlsx" if is_packed else "text"


# ------------------------------------------------------------------------------------------------ where the list is


def _sheet(page: Page) -> Sheet:
    """Returns the list of a page: its head, its lines, and what was set apart."""
    at = _head(page.rows)
    header_line, names = page.rows[at]
    names = _trimmed(names)
    apart = [Apart(number, cells, "above the head of the list") for number, cells in page.rows[:at]]
    rest = page.rows[at + 1 :]
    remarks = list(page.remarks)
    units: dict[int, str] = {n: unit for n, one in enumerate(names) if (unit := unit_of_heading(str(one or "")))}
    if rest and (below := _units_below(rest[0][1])):
        apart.append(Apart(*rest[0], "the units of the columns"))
        units |= below
        rest = rest[1:]
    width = len(names) + _nameless(names, rest)
    rows: list[Row] = []
    formulas = {number for number, _ in page.formulas}
    for number, cells in rest:
        why, is_bad = _why_apart(names, cells, width, has_formula=number in formulas)
        if why:
            apart.append(Apart(number, cells, why, is_bad))
        else:
            rows.append((number, cells + (None,) * (width - len(cells))))
    kept = [n for n in range(width) if _name_at(names, n) or any(not is_blank(cells[n]) for _, cells in rows)]
    columns = _columns(names, kept, remarks)
    lines = [Line(number, tuple(cells[n] for n in kept)) for number, cells in rows]
    if not lines:
        raise ListRefused(
            f"there is a head on line {header_line} and no line below it; look whether the list was filtered"
        )
    _remark(page, lines, apart, dict(zip(kept, columns, strict=True)), remarks)
    return Sheet(
        page.name, columns, header_line, tuple(lines), tuple(remarks), tuple(sorted(apart, key=lambda one: one.number)),
        page.epoch, tuple((column, units[n]) for n, column in zip(kept, columns, strict=True) if n in units),
    )  # fmt: skip


def _head(rows: Sequence[Row]) -> int:
    """Returns which row is the head: the first that names most columns and holds neither number nor day.

    Edge: what stands above it must be narrower (a title, the day of the report), else the list has no head. The columns that
    count are those filled in a fifth of the first rows, so that one line with far too many cells hides no head.
    """
    first = rows[: _MOST_ABOVE * 2]
    used = Counter(at for _, cells in first for at, cell in enumerate(cells) if not is_blank(cell))
    least = max(Decimal(1), sum(times * 5 >= len(first) for times in used.values()) * _WIDE)
    for at, (number, cells) in enumerate(rows[:_MOST_ABOVE]):
        filled = [cell for cell in cells if not is_blank(cell)]
        if len(filled) < least:
            continue
        if all(isinstance(cell, str) and _is_name(cell) for cell in filled):
            return at
        raise ListRefused(
            f"the list has no head: line {number} holds {_first_value(filled)}, and above it no line names the columns; "
            "write the names of the columns on a line above"
        )
    raise ListRefused("no line names the columns of the list; write their names on a line above it, one a column")


def _first_value(filled: Sequence[Cell]) -> str:
    for cell in filled:
        if not (isinstance(cell, str) and _is_name(cell)):
            return f"'{shown(cell.text if isinstance(cell, BadCell) else str(cell))}'"
    return "values"


def _is_name(cell: str) -> bool:
    text = cell.strip()
    return len(text) <= _LONGEST_NAME and not _NUMBER.match(text) and not _DAY.match(text)


def _trimmed(cells: tuple[Cell, ...]) -> tuple[Cell, ...]:
    """Returns cells without the blank ones at the end."""
    end = len(cells)
    while end and is_blank(cells[end - 1]):
        end -= 1
    return cells[:end]


def _nameless(names: Sequence[Cell], rest: Sequence[Row]) -> int:
    """Returns how many columns stand right of the last name and are filled in most lines: columns whose name was left out."""
    further = 0
    for at in range(len(names), max((len(cells) for _, cells in rest), default=0)):
        filled = sum(len(cells) > at and not is_blank(cells[at]) for _, cells in rest)
        if filled * 2 <= len(rest):
            break
        further += 1
    return further


def _units_below(cells: Sequence[Cell]) -> dict[int, str]:
    """Returns the units that a line below the head gives, by column; nothing where it is an ordinary line."""
    found: dict[int, str] = {}
    for at, cell in enumerate(cells):
        if is_blank(cell):
            continue
        unit = unit_word(cell) if isinstance(cell, str) else ""
        if not unit:
            return {}
        found[at] = unit
    return found


def _why_apart(names: Sequence[Cell], cells: Sequence[Cell], width: int, *, has_formula: bool) -> tuple[str, bool]:
    """Returns why a line is no row of the list ("" if it is one), and whether it may be one that could not be taken."""
    filled = [cell for cell in cells if not is_blank(cell)]
    first = filled[0]
    if isinstance(first, str):
        label = " ".join(first.lower().strip(" :*.").split())
        others = filled[1:]
        is_total = _TOTAL.match(label) or (has_formula and label.startswith("total"))
        if others and is_total and all(_is_number(one) for one in others):
            return "a total, which follows from the lines above", False
        if not others and width > 1 and _FOOT.match(" ".join(first.lower().split())):
            return "a note to the list", False
    is_head = len(filled) > 1 and first == next((one for one in names if not is_blank(one)), None)
    if is_head and [_said(one) for one in _trimmed(tuple(cells))] == [_said(one) for one in names]:
        return "the head again", False
    have = len(_trimmed(tuple(cells)))
    if have > width:
        why = f"{have} cells, and the head has {width}: a text that holds the sign between cells stands in quotation marks"
        return why, True
    return "", False


def _said(cell: Cell) -> Cell:
    return (cell.strip() or None) if isinstance(cell, str) else cell


def _is_number(cell: Cell) -> bool:
    if isinstance(cell, str):
        return bool(_NUMBER.match(cell.strip()))
    return isinstance(cell, Decimal | BadCell) and not isinstance(cell, bool)


def _name_at(names: Sequence[Cell], at: int) -> str:
    """Returns the name that a head gives a column, on one line; "" where it gives none."""
    return " ".join(str(names[at]).split()) if at < len(names) and not is_blank(names[at]) else ""


def _columns(names: Sequence[Cell], kept: Sequence[int], remarks: list[str]) -> tuple[str, ...]:
    """Returns the names of the columns that hold anything, each once, and says which were made."""
    columns: list[str] = []
    for at in kept:
        name = _name_at(names, at)
        if not name:
            name = f"column {column_letters(at)}"
            remarks.append(f"{name} has no name at its head")
        times, wanted = 2, name
        while name in columns:
            name = f"{wanted} ({times})"
            times += 1
        if name != wanted:
            remarks.append(f"two columns are called '{shown(wanted)}'; the later is '{shown(name)}' here")
        columns.append(name)
    return tuple(columns)


def _remark(
    page: Page, lines: Sequence[Line], apart: Sequence[Apart], columns: Mapping[int, str], remarks: list[str]
) -> None:
    """Adds what a person should see: formulas, lines set apart, blank lines among the others."""
    numbers = {line.number for line in lines}
    by_column: dict[int, list[int]] = {}
    for number, at in page.formulas:
        if number in numbers and at in columns:
            by_column.setdefault(at, []).append(number)
    remarks += [
        f"'{shown(columns[at])}' holds formulas ({lines_in_words(held)}); what was stored with them when the file was saved is read"
        for at, held in sorted(by_column.items())
    ]
    reasons: dict[str, list[int]] = {}
    for one in apart:
        reasons.setdefault(one.because, []).append(one.number)
    remarks += [f"{lines_in_words(those)} set apart: {because}" for because, those in reasons.items()]
    if blank := [number for number in page.blank if lines[0].number < number < lines[-1].number]:
        remarks.append(f"{lines_in_words(blank)}: blank")


__all__ = [
    "MOST_BYTES", "Apart", "BadCell", "Cell", "Line", "ListRefused", "Sheet", "lines_in_words", "open_list",
]  # fmt: skip
