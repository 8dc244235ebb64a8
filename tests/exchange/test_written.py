"""Days, times and numbers as people write them: every way in which each may be meant. Expected by hand."""

from __future__ import annotations

from decimal import Decimal

import pytest

from sewershed.exchange.written import clock_in, number_in, written

D = Decimal


@pytest.mark.parametrize(
    ("text", "orders"),
    [
        ("2024-03-05", {"": (2024, 3, 5)}),
        ("2024/3/5", {"": (2024, 3, 5)}),
        ("20240305", {"": (2024, 3, 5)}),
        ("3/5/2024", {"mdy": (2024, 3, 5), "dmy": (2024, 5, 3)}),
        ("3/13/2024", {"mdy": (2024, 3, 13)}),
        ("13/3/2024", {"dmy": (2024, 3, 13)}),
        ("13.03.2024", {"dmy": (2024, 3, 13)}),
        ("2/29/2024", {"mdy": (2024, 2, 29)}),
        ("2/29/2023", {}),  # a form that is read, and no such day
        ("13/13/2024", {}),
        ("03-04-05", {"mdy": (5, 3, 4), "dmy": (5, 4, 3), "ymd": (3, 4, 5)}),
        ("3-4-05", {"mdy": (5, 3, 4), "dmy": (5, 4, 3)}),  # a year of one figure is none
        ("5 Mar 2024", {"": (2024, 3, 5)}),
        ("05-MAR-24", {"": (24, 3, 5)}),
        ("March 5th, 2024", {"": (2024, 3, 5)}),
        ("Sept. 5, 2024", {"": (2024, 9, 5)}),
        ("Tue, 5 March 2024", {"": (2024, 3, 5)}),
    ],
)
def test_a_day_has_every_order_in_which_there_is_such_a_day(text, orders):
    day, clock = written(text)
    assert day is not None
    assert (dict(day.orders), clock) == (orders, None)
    assert day.is_short == (bool(orders) and max(max(one) for one in orders.values()) < 1000)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "March 2024",
        "3/2024",
        "2024",
        "3/4",
        "3/4/2024x",
        "about 3/4/2024",
        "3/4/2024?",
        "2024-3",
        "5 Mai 2024",
        "3/4-2024",
        "99999-01-01",
        "٣/٤/٢٠٢٤",
    ],
)
def test_what_is_more_or_less_than_a_day_is_none(text):
    assert written(text) == (None, None)


@pytest.mark.parametrize("between", [" ", "T", ", ", "  ", "\u00a0"])
def test_a_time_may_stand_behind_a_day(between):
    day, clock = written(f"2024-03-05{between}14:30")
    assert dict(day.orders) == {"": (2024, 3, 5)}
    assert (clock.hour, clock.minute, clock.is_24) == (14, 30, between == "T")


@pytest.mark.parametrize(
    ("text", "hour", "minute", "second", "half", "offset"),
    [
        ("7:05", 7, 5, 0, "", ""),
        ("07:05:09", 7, 5, 9, "", ""),
        ("07:05:09.999", 7, 5, 9, "", ""),
        ("7:05 AM", 7, 5, 0, "a", ""),
        ("7:05pm", 7, 5, 0, "p", ""),
        ("7 p.m.", 7, 0, 0, "p", ""),
        ("12:00 a", 12, 0, 0, "a", ""),
        ("0730", 7, 30, 0, "", ""),
        ("24:00", 24, 0, 0, "", ""),
        ("01:30 EDT", 1, 30, 0, "", "EDT"),
        ("01:30-0400", 1, 30, 0, "", "-04:00"),
        ("01:30Z", 1, 30, 0, "", "Z"),
        ("7:05 PM EST", 7, 5, 0, "p", "EST"),
    ],
)
def test_a_time_of_day(text, hour, minute, second, half, offset):
    clock = clock_in(text)
    assert clock is not None
    assert (clock.hour, clock.minute, clock.second, clock.half, clock.offset) == (hour, minute, second, half, offset)


@pytest.mark.parametrize(
    "text", ["", "7", "24:01", "25:00", "7:60", "7:05:60", "13:00 pm", "0:30 am", "7:5", "noonish", "2460", "7:05 x"]
)
def test_what_is_no_time_of_day(text):
    assert clock_in(text) is None


@pytest.mark.parametrize(
    ("text", "value", "decimals", "unit"),
    [
        ("1500", D(1500), {}, ""),
        ("-5", D(-5), {}, ""),
        ("(5)", D(-5), {}, ""),
        ("$ 20", D(20), {}, ""),
        ("1,234", D(1234), {"point": D(1234), "comma": D("1.234")}, ""),
        ("1.234", D("1.234"), {"point": D("1.234"), "comma": D(1234)}, ""),
        ("1,234.5", D("1234.5"), {"point": D("1234.5")}, ""),
        ("1.234,5", D("1234.5"), {"comma": D("1234.5")}, ""),
        ("1,234,567", D(1234567), {"point": D(1234567)}, ""),
        ("12,5", D("12.5"), {"comma": D("12.5")}, ""),
        ("12.5", D("12.5"), {"point": D("12.5")}, ""),
        ("1234.567", D("1234.567"), {"point": D("1234.567")}, ""),
        ("0.123", D("0.123"), {"point": D("0.123")}, ""),
        ("0,123", D("0.123"), {"comma": D("0.123")}, ""),
        (".5", D("0.5"), {"point": D("0.5")}, ""),
        ("1,000 gal", D(1000), {"point": D(1000), "comma": D(1)}, "gallon"),
        ("350'", D(350), {}, "ft"),
        ('2"', D(2), {}, "in"),
        ("3/4", D("0.75"), {}, ""),
        ('1-1/2"', D("1.5"), {}, "in"),
        ("1 1/2 in.", D("1.5"), {}, "in"),
        ("25%", D(25), {}, "percent"),
        ("1" * 20, D("1" * 20), {}, ""),
    ],
)
def test_a_number_has_every_value_that_it_may_have(text, value, decimals, unit):
    found = number_in(text)
    assert found is not None
    assert (found.value, dict(found.decimals), found.unit) == (value, decimals, unit)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x",
        "<5",
        "> 10",
        "~900",
        "about 500",
        "500-600",
        "1000+",
        "1.2.3",
        "1,23,456",
        "12,34.5",
        "5 gal 2",
        "1/3",
        "1/0",
        "0x10",
        "1e5",
        "NaN",
        "½",
        "٣",
        "1" * 21,
        "1 000",
        "tight",
        ",",
        ".",
    ],
)
def test_a_number_with_a_doubt_beside_it_is_none(text):
    assert number_in(text) is None
