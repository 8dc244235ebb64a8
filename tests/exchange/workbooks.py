"""Workbooks made for tests: by hand, part by part, so that a test may put into them what no program would write."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping

from sewershed.exchange.sheet import xlsx_bytes

SHEET = "xl/worksheets/sheet1.xml"
MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"


def workbook(head: list[str], rows: list[list[object]]) -> bytes:
    return xlsx_bytes(head, rows)


def parts_of(content: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def packed(parts: Mapping[str, bytes], compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", compression) as archive:
        for name, content in parts.items():
            archive.writestr(zipfile.ZipInfo(name), content, compression)
    return made.getvalue()


def with_parts(content: bytes, **changed: bytes) -> bytes:
    """Returns a workbook with parts put in or replaced; of a name "/" is written "__" and "." as "_dot_"."""
    named = {name.replace("__", "/").replace("_dot_", "."): part for name, part in changed.items()}
    return packed({**parts_of(content), **named})


def with_sheet(rows: str, **more: bytes) -> bytes:
    """Returns a workbook whose sheet has these rows, as XML."""
    sheet = f'<?xml version="1.0" encoding="UTF-8"?><worksheet xmlns="{MAIN}"><sheetData>{rows}</sheetData></worksheet>'
    parts = {**parts_of(xlsx_bytes(["a"], [["b"]])), SHEET: sheet.encode()}
    named = {name.replace("__", "/").replace("_dot_", "."): part for name, part in more.items()}
    return packed({**parts, **named})


def text(place: str, said: str) -> str:
    return f'<c r="{place}" t="inlineStr"><is><t>{said}</t></is></c>'
