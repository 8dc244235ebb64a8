"""What a photograph says of itself. The bytes are laid by hand as Exif 2.32 and TIFF 6.0 say; the degrees are worked out by hand."""

from __future__ import annotations

import struct
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sewershed.exchange.photograph import NOTHING, Taken, taken
from tests.exchange.photographs import jpeg


@pytest.mark.parametrize("order", [">", "<"])
def test_moment_offset_and_place_are_read(order: str):
    # 56/60 + 42.36/3600 = 0.945100; 6/60 + 12.24/3600 = 0.103400
    said = taken(jpeg(order=order, offset=b"-05:00\x00", gps=("N", "W")))
    assert said == Taken("2024-03-08T15:40:12", "-05:00", Decimal("35.945100"), Decimal("-78.103400"))


def test_what_the_camera_did_not_write_is_left_out():
    assert taken(jpeg()) == Taken("2024-03-08T15:40:12")
    assert taken(jpeg(moment=b"0000:00:00 00:00:00\x00", gps=("S", "E"))).lat == Decimal("-35.945100")
    assert taken(jpeg(moment=b"0000:00:00 00:00:00\x00")) == NOTHING
    assert taken(jpeg(moment=b"yesterday\x00")) == NOTHING
    assert taken(jpeg(offset=b"local\x00")).offset == ""


def test_other_files_and_damaged_ones_say_nothing():
    whole = jpeg(gps=("N", "W"))
    for content in (b"", b"\xff\xd8", b"\x89PNG\r\n\x1a\n", b"%PDF-1.7", b"\xff\xd8\xff\xe1\x00\x08Exif\x00\x00"):
        assert taken(content) == NOTHING
    for end in range(0, len(whole), 7):
        taken(whole[:end])  # whatever it says, it falls over nothing


@given(st.binary(max_size=300))
def test_no_bytes_make_it_fall_over(more: bytes):
    taken(b"\xff\xd8\xff\xe1" + struct.pack(">H", len(more) + 8) + b"Exif\x00\x00" + more)
