"""The archive of a workbook, looked at before anything reads it, so that a hostile one costs little.

A workbook is a ZIP of XML files. Its reader keeps in memory what stands between two rows of a sheet, and all of any other part;
so that is what is counted here, in one pass that keeps nothing itself.
"""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from collections.abc import Mapping
from xml.parsers import expat

from openpyxl.utils.cell import coordinate_to_tuple

from sewershed.exchange.rows import ListRefused, shown

MOST_UNPACKED = 100_000_000  # bytes of all parts together
MOST_PARTS = 2000
MOST_TAGS = 3_000_000  # of one part in all: as many as 500,000 cells with texts have
MOST_TOGETHER = 200_000  # of one row, one text, or of all that is neither: a row of Excel has at most 16,384 cells
MOST_ATTRIBUTES = 100  # of one tag
MOST_DEEP = 60
_ENCODING = re.compile(rb"<\?xml[^>]*?encoding\s*=\s*[\"']([^\"']*)[\"']")
_UTF_8 = (b"utf-8", b"us-ascii", b"ascii")
_ROW = {  # what a reader takes one by one, or not at all, by what it stands in; in parts of these names alone
    "sheetData": "row",
    "sst": "si",
    "calcChain": "c",
    "pivotCacheRecords": "r",
}
_LONG = re.compile(r"xl/(worksheets/.*|sharedstrings\.xml|calcchain\.xml|pivotcache/.*)\Z")
DAMAGED = (
    "the workbook is damaged or was not written by a spreadsheet program ({why}); open it in Excel and save it again"
)

Formulas = Mapping[tuple[int, int], bool]  # line and column (from 1) of each, and whether its value is stored


def looked_at(content: bytes) -> Mapping[str, Formulas]:
    """Returns the formulas of each part of a workbook.

    Edge: the most bytes, parts and tags are read, one more is not. A part counts as XML by what it holds, whatever its name.

    Refuses: with `ListRefused`, what is no workbook or one with macros, what would cost its reader too much, any part with a
    document type (entities are declared there) or in an encoding other than UTF-8, damage.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            parts = archive.infolist()
            _kind(archive)
            if len(parts) > MOST_PARTS:
                raise ListRefused(
                    f"the workbook has {len(parts):,} parts, and a list has a few; save the list alone as .xlsx"
                )
            unpacked = sum(part.file_size for part in parts)
            if unpacked > MOST_UNPACKED:
                raise ListRefused(
                    f"the workbook unpacks to {unpacked:,} bytes and {MOST_UNPACKED:,} is the most that is read; "
                    "save the list alone, without other sheets and formatted empty rows, or as CSV"
                )
            if len({part.filename for part in parts}) != len(parts):
                raise ListRefused(DAMAGED.format(why="a part is in it twice"))
            return {part.filename: _part(part.filename, archive.read(part)) for part in parts}
    except ListRefused:
        raise
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError, ValueError) as error:
        raise ListRefused(DAMAGED.format(why=shown(str(error)))) from None


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


def _part(name: str, text: bytes) -> Formulas:
    is_named_so = name.lower().endswith((".xml", ".rels", ".vml"))
    start = text.removeprefix(b"\xef\xbb\xbf")[:200].lstrip()
    is_wide = start[:2] in (b"\xff\xfe", b"\xfe\xff") or (start[:1] in (b"<", b"\x00") and b"\x00" in start[:4])
    if not (is_named_so or is_wide or start.startswith(b"<")):
        return {}
    declared = _ENCODING.match(start)
    if is_wide or (declared and declared[1].lower() not in _UTF_8):
        raise ListRefused(DAMAGED.format(why=f"{shown(name)} is not UTF-8"))
    if b"macroEnabled" in text and name.lower() == "[content_types].xml":
        raise ListRefused("the workbook says that it holds macros, which are programs; save it as .xlsx")
    scan = _Scan(name)
    try:
        scan.read(text)
    except (expat.ExpatError, ValueError) as error:
        if isinstance(error, ListRefused):
            raise
        raise ListRefused(DAMAGED.format(why=f"{shown(name)}: {shown(str(error))}")) from None
    return scan.formulas


class _Scan:
    """Goes through a part once: counts what its reader would keep, and finds formulas."""

    def __init__(self, name: str) -> None:
        self.name = shown(name)
        self._rows: Mapping[str, str] = _ROW if _LONG.match(name.lower()) else {}
        self.formulas: dict[tuple[int, int], bool] = {}
        self._open: list[str] = []  # the tags that stand around
        self._tags = self._here = self._elsewhere = 0
        self._row_at = 0  # how deep the row is that is open; 0: none
        self._line = self._column = 0
        self._formula = self._value = self._is_text = False
        self._parser = expat.ParserCreate("UTF-8")
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.StartDoctypeDeclHandler = self._doctype

    def read(self, text: bytes) -> None:
        self._parser.Parse(text, True)

    def _doctype(self, *_: object) -> None:
        raise ListRefused(
            f"{self.name} declares a document type, which no workbook does and which can make its reader swell; "
            "do not open this file, and ask who sent it"
        )

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        tag = name.rpartition(":")[2]
        if not self._row_at and self._open and len(self._open) < 3 and self._rows.get(self._open[-1]) == tag:
            self._row_at, self._here = len(self._open) + 1, 0
        self._tags += 1
        if self._row_at:
            self._here += 1
        else:
            self._elsewhere += 1
        if self._tags > MOST_TAGS or max(self._here, self._elsewhere) > MOST_TOGETHER:
            raise ListRefused(
                f"{self.name} has more tags than are read at once ({MOST_TAGS:,}, {MOST_TOGETHER:,} of them in one place); part "
                "the list into files, for example one a year, or save it as CSV"
            )
        if len(attributes) > MOST_ATTRIBUTES or len(self._open) >= MOST_DEEP:
            raise ListRefused(DAMAGED.format(why=f"{self.name} has tags as no spreadsheet writes them"))
        self._open.append(tag)
        if tag == "row":
            self._line, self._column = int(attributes.get("r") or self._line + 1), 0
        elif tag == "c":
            self._column += 1
            if place := attributes.get("r"):
                self._line, self._column = coordinate_to_tuple(place)
            self._formula = self._value = False
            self._is_text = attributes.get("t") == "str"  # a text that is stored may be empty
        elif tag == "f":
            self._formula = True
        elif tag == "v":
            self._value = self._is_text
            self._parser.CharacterDataHandler = self._text

    def _text(self, text: str) -> None:
        self._value = True

    def _end(self, name: str) -> None:
        tag = self._open.pop()
        if self._row_at > len(self._open):
            self._row_at = 0
        if tag == "v":
            self._parser.CharacterDataHandler = None
        elif tag == "c" and self._formula:
            self.formulas[self._line, self._column] = self._value
            self._formula = False
