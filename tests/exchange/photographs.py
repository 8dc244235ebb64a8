"""Photographs for the tests: bytes laid by hand as Exif 2.32 and TIFF 6.0 say, without a picture in them."""

from __future__ import annotations

import struct

TAKEN_AT = b"2024:03:08 15:40:12\x00"


def entry(order: str, tag: int, kind: int, count: int, value: bytes) -> bytes:
    return struct.pack(f"{order}HHI", tag, kind, count) + value.ljust(4, b"\x00")


def jpeg(
    *, order: str = ">", moment: bytes = TAKEN_AT, offset: bytes = b"", gps: tuple[str, str] | None = None
) -> bytes:
    """Returns a JPEG without a picture: three directories one after another, their long values behind them."""
    long = lambda at: struct.pack(f"{order}I", at)  # noqa: E731  # three uses, all below
    camera_at, gps_at, data_at = 8 + 2 + 24 + 4, 8 + 2 + 24 + 4 + 2 + 24 + 4, 8 + 2 + 24 + 4 + 2 + 24 + 4 + 2 + 48 + 4
    first = struct.pack(f"{order}H", 2) + entry(order, 0x8769, 4, 1, long(camera_at)) + entry(order, 0x8825, 4, 1, long(gps_at)) + bytes(4)  # fmt: skip
    camera = struct.pack(f"{order}H", 2) + entry(order, 0x9003, 2, 20, long(data_at)) + entry(order, 0x9011, 2, len(offset), long(data_at + 20)) + bytes(4)  # fmt: skip
    lat, lon = gps or ("N", "E")
    where = struct.pack(f"{order}H", 4 if gps else 0) + entry(order, 1, 2, 2, lat.encode() + b"\x00") + entry(order, 2, 5, 3, long(data_at + 40)) + entry(order, 3, 2, 2, lon.encode() + b"\x00") + entry(order, 4, 5, 3, long(data_at + 64)) + bytes(4)  # fmt: skip
    # 35 deg 56 min 42.36 s; 78 deg 6 min 12.24 s
    data = moment.ljust(20, b"\x00")[:20] + offset.ljust(20, b"\x00")[:20] + struct.pack(f"{order}6I", 35, 1, 56, 1, 4236, 100) + struct.pack(f"{order}6I", 78, 1, 6, 1, 1224, 100)  # fmt: skip
    sign = b"MM\x00*" if order == ">" else b"II*\x00"
    tiff = sign + struct.pack(f"{order}I", 8) + first + camera + where + data
    body = b"Exif\x00\x00" + tiff
    return b"\xff\xd8\xff\xe0\x00\x04ab\xff\xe1" + struct.pack(">H", len(body) + 2) + body + b"\xff\xda\x00\x02\xff\xd9"
