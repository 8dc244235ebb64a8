"""When and where a photograph says that it was taken: what the camera wrote into the file (Exif in JPEG).

Source: Exif 2.32 (CIPA DC-008), which lays a TIFF 6.0 directory into the segment APP1 of a JPEG file. Only the moment and
the place are read. A file that is something else, or says nothing, is no error: a camera may have written nothing.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

_APP1: Final = 0xE1
_START_OF_SCAN: Final = 0xDA  # after it comes the picture itself
_EXIF: Final = b"Exif\x00\x00"
_SIZES: Final = {1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 7: 1, 9: 4, 10: 8}  # bytes of a value, by its type
_ASCII, _RATIONAL = 2, 5
_POINTER_EXIF, _POINTER_GPS = 0x8769, 0x8825
_TAKEN, _OFFSET = 0x9003, 0x9011  # DateTimeOriginal, OffsetTimeOriginal
_LAT_REF, _LAT, _LON_REF, _LON = 1, 2, 3, 4
_MOST_ENTRIES: Final = 500
_MOMENT = re.compile(r"(\d{4}):(\d{2}):(\d{2}) (\d{2}):(\d{2}):(\d{2})\Z")
_ZONE = re.compile(r"[+-]\d{2}:\d{2}\Z")
_PLACES: Final = Decimal("0.000001")  # of a degree: a tenth of a meter, more than any telephone knows


@dataclass(frozen=True, slots=True)
class Taken:
    """What a photograph says of itself: local day and time, its offset where it says one, latitude and longitude."""

    local: str = ""  # 2024-03-08T15:40:12
    offset: str = ""  # -05:00
    lat: Decimal | None = None
    lon: Decimal | None = None


NOTHING: Final = Taken()


def taken(content: bytes) -> Taken:
    """Returns when and where a photograph says that it was taken; nothing where it says nothing.

    Edge: a moment without its offset is the camera's own local time, which its owner has to judge. Latitude 0, longitude 0
    is read as no place: cameras write it before they know where they are.

    Refuses: nothing. What is damaged or not understood is left out.

    Example:
        >>> taken(b"no photograph")
        Taken(local='', offset='', lat=None, lon=None)
    """
    try:
        tiff = _exif(content)
        return _read(tiff) if tiff else NOTHING
    except (struct.error, IndexError, ValueError, ArithmeticError):
        return NOTHING


def _exif(content: bytes) -> bytes:
    """Returns the TIFF part of the segment in which a camera writes."""
    if not content.startswith(b"\xff\xd8"):
        return b""
    at = 2
    while at + 4 <= len(content) and content[at] == 0xFF:
        kind, length = content[at + 1], int.from_bytes(content[at + 2 : at + 4], "big")
        if kind == _START_OF_SCAN or length < 2:
            return b""
        if kind == _APP1 and content[at + 4 : at + 4 + len(_EXIF)] == _EXIF:
            return content[at + 4 + len(_EXIF) : at + 2 + length]
        at += 2 + length
    return b""


def _read(tiff: bytes) -> Taken:
    order = {b"II": "<", b"MM": ">"}[tiff[:2]] if tiff[:2] in (b"II", b"MM") else ""
    if not order:
        return NOTHING
    first = _directory(tiff, order, *struct.unpack_from(f"{order}I", tiff, 4))
    camera = _directory(tiff, order, _pointer(first, _POINTER_EXIF, order))
    where = _directory(tiff, order, _pointer(first, _POINTER_GPS, order))
    moment = _MOMENT.match(_text(camera, _TAKEN))
    zone = _text(camera, _OFFSET)
    lat, lon = _degrees(where, _LAT, _LAT_REF, "S", order), _degrees(where, _LON, _LON_REF, "W", order)
    if lat is None or lon is None or not (abs(lat) <= 90 and abs(lon) <= 180) or (lat == 0 and lon == 0):
        lat = lon = None
    if moment is None or moment[1] == "0000":
        return Taken(lat=lat, lon=lon)
    year, month, day, hour, minute, second = moment.groups()
    return Taken(f"{year}-{month}-{day}T{hour}:{minute}:{second}", zone if _ZONE.match(zone) else "", lat, lon)


def _directory(tiff: bytes, order: str, at: int) -> Mapping[int, tuple[int, bytes]]:
    """Returns the entries of a directory by tag: type and bytes."""
    if not at:
        return {}
    (count,) = struct.unpack_from(f"{order}H", tiff, at)
    found = {}
    for number in range(min(count, _MOST_ENTRIES)):
        tag, kind, many = struct.unpack_from(f"{order}HHI", tiff, at + 2 + 12 * number)
        size = _SIZES.get(kind, 0) * many
        place = at + 10 + 12 * number
        if size > 4:
            (place,) = struct.unpack_from(f"{order}I", tiff, place)
        if size > 0 and place + size <= len(tiff):
            found[tag] = (kind, tiff[place : place + size])
    return found


def _pointer(entries: Mapping[int, tuple[int, bytes]], tag: int, order: str) -> int:
    return int(struct.unpack_from(f"{order}I", entries[tag][1])[0]) if tag in entries else 0


def _text(entries: Mapping[int, tuple[int, bytes]], tag: int) -> str:
    kind, said = entries.get(tag, (0, b""))
    return said.split(b"\x00")[0].decode("ascii", "replace").strip() if kind == _ASCII else ""


def _degrees(entries: Mapping[int, tuple[int, bytes]], tag: int, ref: int, negative: str, order: str) -> Decimal | None:
    """Returns degrees from degrees, minutes and seconds, each a fraction of two whole numbers."""
    kind, said = entries.get(tag, (0, b""))
    side = _text(entries, ref)
    if kind != _RATIONAL or len(said) != 24 or not side:
        return None
    parts = struct.unpack(f"{order}6I", said)
    whole = Decimal(0)
    for number, per in enumerate((1, 60, 3600)):
        above, below = parts[2 * number], parts[2 * number + 1]
        if not below:
            return None
        whole += Decimal(above) / Decimal(below) / per
    return (-whole if side == negative else whole).quantize(_PLACES)
