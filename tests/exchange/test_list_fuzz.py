"""Lists damaged at random: each is refused with a reason, or read so that every line is accounted for. None hangs."""

from __future__ import annotations

import io
import random
import time
import zipfile
from datetime import date, timedelta
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from sewershed.exchange.columns import TIME, Target, match_columns
from sewershed.exchange.delimited import read_text
from sewershed.exchange.lists import ListRefused, Sheet, open_list
from sewershed.exchange.rows import Page
from sewershed.exchange.series import Reading, counted, gaps, out_of_order, stuck, twice
from sewershed.exchange.values import Null, Unread, filled_down, questions_about, read_cell, read_moment_of, readings_of
from sewershed.exchange.workbook import read_workbook
from sewershed.rules.types import BOOL, DATE, INSTANT, MOMENT, TEXT, Thing, Type
from tests.exchange.workbooks import packed
from tests.trials import IS_SOAK, trials

FILES = 2000  # mutated in the soak
LISTS = sorted(path for path in (Path(__file__).parent / "lists").iterdir() if path.suffix != ".md")
ZONE = ZoneInfo("America/New_York")
LONGEST_SECONDS = 60  # of one file, on a busy machine; most take a hundredth of a second
TYPES = (
    TEXT, BOOL, DATE, MOMENT, INSTANT, TIME, Type("number", unit="gallon"), Type("number", unit="gpm"), Type("number"), Type("money"),
    Type("choice", words=("RP", "DCVA", "none")), Type("ref", to="station"),
)  # fmt: skip
ODD = (
    b'"', b"'", b",", b";", b"\t", b"|", b"\n", b"\r", b"\r\n", b"\x00", b"\xff", b"\xef\xbb\xbf", b"\xc3", b"\xe9", b"=1+1", b"@x", b"-",
    b"Total", b"13/02/2024", b"02/13/2024", b"1,234", b"1.234", b"99999999999999999999", b"1e999", b"NaN", b"45000", b"0", b"24:00",
    b"2024-11-03 01:30", b"2024-03-10 02:30", b"<", b">", b"&", b"<!DOCTYPE a>", b"&amp;", b"</row>", b"<row>", b'r="A1"', b"<f>1</f>",
    b'r="ZZZ9999999"', b's="999"', b't="s"', b't="d"', b't="e"', b"<v>-1e308</v>", b"\xe2\x80\xae", b"\xed\xa0\x80", b"1" * 400,
)  # fmt: skip


def damaged(content: bytes, draw: random.Random) -> bytes:
    """Returns bytes with some of them changed, left out, repeated or put in, or cut off."""
    made = bytearray(content)
    for _ in range(draw.choice((1, 1, 2, 4, 16))):
        at, long = draw.randrange(len(made) + 1), draw.choice((1, 1, 2, 8, 64, 512))
        match draw.randrange(6):
            case 0:
                made[at : at + 1] = bytes([draw.randrange(256)])
            case 1:
                del made[at : at + long]
            case 2:
                made[at:at] = made[at : at + long] * draw.choice((1, 2, 30))
            case 3 | 4:
                made[at:at] = draw.choice(ODD)
            case 5 if draw.random() < 0.3:
                del made[at:]
    return bytes(made)


def mutated(path: Path, draw: random.Random) -> bytes:
    """Returns a list with damage: of a workbook mostly within its parts, where the archive itself is sound."""
    content = path.read_bytes()
    if path.suffix != ".xlsx" or draw.random() < 0.25:
        return damaged(content, draw)
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    for _ in range(draw.choice((1, 1, 2))):
        name = draw.choice([*parts, *[one for one in parts if "sheet" in one] * 6])
        if draw.random() < 0.05 and len(parts) > 1:
            del parts[name]
        else:
            parts[name] = damaged(parts[name], draw)
    return packed(parts)


def is_value(value: object, kind: Type) -> bool:
    match kind.kind:
        case "number" | "money":
            return isinstance(value, Decimal | Fraction | int) and not isinstance(value, bool) and value == value  # noqa: PLR0124
        case "bool":
            return isinstance(value, bool)
        case "ref":
            return isinstance(value, Thing)
        case "date" | "moment" | "instant":
            return isinstance(value, date)
    return isinstance(value, str) and (kind.kind != "choice" or value in kind.words)


def account(sheet: Sheet, page: Page) -> None:
    """Fails where a line of the file is lost or stands twice, or a cell is missing."""
    numbers = [sheet.header_line, *(line.number for line in sheet.lines), *(one.number for one in sheet.apart)]
    assert sorted(numbers) == [number for number, _ in page.rows]
    assert sheet.lines
    assert len(set(sheet.columns)) == len(sheet.columns) > 0
    assert all(len(line.cells) == len(sheet.columns) for line in sheet.lines)


def read_all(sheet: Sheet, draw: random.Random) -> None:
    """Fails where a cell of a damaged list gives anything but a value of its type, a null or a reason."""
    targets = [Target(f"t.f{n}", column, draw.choice(TYPES)) for n, column in enumerate(sheet.columns)]
    kinds = {target.name: target.type for target in targets}
    remembered = {column: target.name for column, target in zip(sheet.columns, targets, strict=True)}
    match_columns(sheet.columns, targets)
    matches = match_columns(sheet.columns, targets, remembered)
    asked = questions_about(sheet, matches, targets, ZONE)
    answered: dict[str, dict[str, str]] = {}
    for question in asked:
        if question.choices and draw.random() < 0.8:
            answered.setdefault(question.column, {})[question.kind] = draw.choice(question.choices).value
    readings = readings_of(sheet, matches, targets, ZONE, answered)
    filled = filled_down(sheet, readings)
    assert [line.number for line in filled.lines] == [line.number for line in sheet.lines]
    rows: list[Reading] = []
    for match in matches:
        kind = kinds[str(match.target)]
        for number, cell in filled.column(match.column):
            value = read_cell(cell, kind, readings[match.column], ZONE)
            assert isinstance(value, Null | Unread) or is_value(value, kind), (number, cell, kind, value)
            if isinstance(value, Unread):
                assert value.why
            moment = read_moment_of(cell, draw.choice(filled.lines[0].cells), readings[match.column], {}, ZONE)
            if isinstance(moment, date):
                rows.append(Reading(number, match.column, moment, draw.choice((None, Decimal(number % 7)))))
    twice(rows), stuck(rows, 3), out_of_order(rows, ZONE), gaps(rows, ZONE, timedelta(hours=1))
    counted(rows, ZONE, rolls_at=Decimal(10), most_an_hour=Decimal(1))


@pytest.mark.soak
def test_no_damaged_list_breaks_its_reader_or_is_read_in_part():
    assert len(LISTS) == 5
    seed = random.SystemRandom().randrange(10**9) if IS_SOAK else 20261130
    reasons, opened, slowest = [], 0, 0.0
    for number in range(trials(FILES)):
        draw = random.Random(f"{seed}-{number}")
        path = LISTS[number % len(LISTS)]
        content, began = mutated(path, draw), time.monotonic()
        try:
            sign = draw.choice(("", "", "", ",", ";")) if path.suffix == ".csv" else ""
            sheets = open_list(content, path.name, delimiter=sign)
            pages = read_workbook(content) if path.suffix == ".xlsx" else (read_text(content, path.name, sign),)
            for sheet in sheets:
                account(sheet, next(page for page in pages if page.name == sheet.name))
                read_all(sheet, draw)
            opened += 1
        except ListRefused as error:
            reasons.append(str(error))
        except Exception as error:
            raise AssertionError(
                f"seed {seed}, file {number} ({path.name}): {type(error).__name__}: {error}"
            ) from error
        slowest = max(slowest, time.monotonic() - began)
    assert slowest < LONGEST_SECONDS, f"seed {seed}: {slowest:.1f} s"
    assert min(map(len, reasons)) > 20  # what, and what to do
    assert min(len(reasons), opened) > trials(FILES) // 10, (
        len(reasons),
        opened,
    )  # both happen, or the trial tries nothing
