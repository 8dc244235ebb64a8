"""What a PDF says, shows and is tagged as, read without any program beside Python."""

from __future__ import annotations

import io
import re
import zlib
from collections.abc import Iterator

import pikepdf


def open_pdf(pdf: bytes) -> pikepdf.Pdf:
    return pikepdf.open(io.BytesIO(pdf))


def text_of(pdf: bytes) -> str:
    """Returns the text of all pages, blanks run together, through each font's table back to characters."""
    with open_pdf(pdf) as file:
        return " ".join(re.sub(r"\s+", " ", _page_text(page)) for page in file.pages)


def _page_text(page: pikepdf.Page) -> str:
    fonts = {name: _characters(font) for name, font in page.resources.Font.items()}
    found: list[str] = []
    current: dict[int, str] = {}
    for operands, operator in pikepdf.parse_content_stream(page):
        match str(operator):
            case "Tf":
                current = fonts[str(operands[0])]
            case "Tm" | "Td" | "BT" | "T*":
                found.append(" ")
            case "Tj":
                found.append(_decode(bytes(operands[0]), current))
            case "TJ":
                found += [_decode(bytes(part), current) for part in operands[0] if isinstance(part, pikepdf.String)]
    return "".join(found).replace("\u200b", "")


def _decode(codes: bytes, characters: dict[int, str]) -> str:
    return "".join(characters.get(int.from_bytes(codes[n : n + 2]), "\ufffd") for n in range(0, len(codes), 2))


def _characters(font: pikepdf.Object) -> dict[int, str]:
    table = font.ToUnicode.read_bytes().decode("latin-1")
    found: dict[int, str] = {}
    for block in re.findall(r"beginbfchar(.*?)endbfchar", table, re.DOTALL):
        for code, text in re.findall(r"<([0-9A-Fa-f]+)>\s*<([0-9A-Fa-f]+)>", block):
            found[int(code, 16)] = bytes.fromhex(text).decode("utf-16-be")
    for block in re.findall(r"beginbfrange(.*?)endbfrange", table, re.DOTALL):
        for first, last, text in re.findall(r"<([0-9A-Fa-f]+)>\s*<([0-9A-Fa-f]+)>\s*<([0-9A-Fa-f]+)>", block):
            for n in range(int(last, 16) - int(first, 16) + 1):
                found[int(first, 16) + n] = chr(int(text, 16) + n)
    return found


def tags_of(file: pikepdf.Pdf) -> list[str]:
    """Returns the kinds of all structure elements, in reading order."""

    def walk(node: pikepdf.Object) -> Iterator[str]:
        if isinstance(node, pikepdf.Array):
            for child in node:
                yield from walk(child)
        elif isinstance(node, pikepdf.Dictionary):
            if "/S" in node:
                yield str(node.S).removeprefix("/")
            if "/K" in node:
                yield from walk(node.K)

    return list(walk(file.Root.StructTreeRoot.K))


def ink_right_of(png: bytes, share: float) -> int:
    """Returns how many pixels right of a share of the page's width are not white."""
    width, height, rows = _pixels(png)
    start = int(width * share)
    return sum(row[4 * x : 4 * x + 3] != b"\xff\xff\xff" for row in rows[:height] for x in range(start, width))


def _pixels(png: bytes) -> tuple[int, int, list[bytes]]:
    """Returns the pixels of a PNG of eight bits, red green blue alpha: the filters of the format, undone."""
    width, height = int.from_bytes(png[16:20]), int.from_bytes(png[20:24])
    assert png[24:26] == b"\x08\x06", "a picture of another kind"
    body, at = b"", 8
    while at < len(png):
        size, kind = int.from_bytes(png[at : at + 4]), png[at + 4 : at + 8]
        if kind == b"IDAT":
            body += png[at + 8 : at + 8 + size]
        at += 12 + size
    raw, rows, above, step = zlib.decompress(body), [], bytes(4 * width), 4
    for y in range(height):
        line = bytearray(raw[y * (4 * width + 1) + 1 : (y + 1) * (4 * width + 1)])
        kind = raw[y * (4 * width + 1)]
        for x in range(4 * width):
            left = line[x - step] if x >= step else 0
            corner = above[x - step] if x >= step else 0
            up = above[x]
            line[x] = (line[x] + (0, left, up, (left + up) // 2, _paeth(left, up, corner))[kind]) & 0xFF
        above = bytes(line)
        rows.append(above)
    return width, height, rows


def _paeth(left: int, up: int, corner: int) -> int:
    guess = left + up - corner
    return min((left, up, corner), key=lambda value: abs(guess - value))
