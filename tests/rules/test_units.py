"""Units: the factors against their published figures and against pint, and what is refused."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pint
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sewershed.rules import units
from sewershed.rules.types import Number
from sewershed.rules.units import UnitError, convert, is_convertible, unit

WORDS = sorted(word for word in units._KNOWN if word not in units._ALONE)
PINT: pint.UnitRegistry[Fraction] = pint.UnitRegistry(non_int_type=Fraction)

# Our word, the same in pint's words. Left out: inHg (below), percent and the bases.
SAME_IN_PINT = {
    "km": "kilometer",
    "cm": "centimeter",
    "mm": "millimeter",
    "in": "inch",
    "ft": "foot",
    "yd": "yard",
    "mile": "mile",
    "acre": "43560 * foot**2",  # pint's own acre stands on the survey foot
    "L": "liter",
    "mL": "milliliter",
    "gallon": "gallon",
    "g": "gram",
    "mg": "milligram",
    "ug": "microgram",
    "ng": "nanogram",
    "lb": "pound",
    "ton": "ton",
    "minute": "minute",
    "hour": "hour",
    "day": "day",
    "week": "week",
    "gpm": "gallon/minute",
    "gpd": "gallon/day",
    "mgd": "1000000 * gallon/day",
    "cfs": "foot**3/second",
    "fps": "foot/second",
    "Pa": "pascal",
    "kPa": "kilopascal",
    "psi": "psi",
    "W": "watt",
    "kW": "kilowatt",
    "hp": "horsepower",
    "mg/L": "milligram/liter",
    "ug/L": "microgram/liter",
    "lb/day": "pound/day",
    "in2": "inch**2",
    "ft3": "foot**3",
    "gpd/in/mile": "gallon/day/inch/mile",
    "kg/m3": "kilogram/meter**3",
}

# Each figure as printed, to the digits printed there: value, from, to, figure, places, where.
PUBLISHED = [
    (1, "in", "mm", "25.4", None, "SP 811 B.8, exact"),
    (1, "ft", "m", "0.3048", None, "SP 811 B.8, exact"),
    (1, "mile", "km", "1.609344", None, "SP 811 B.8, exact"),
    (1, "mile", "ft", "5280", None, "HB 44 C"),
    (1, "acre", "ft2", "43560", None, "HB 44 C"),
    (1, "gallon", "in3", "231", None, "HB 44 C"),
    (1, "gallon", "L", "3.785411784", None, "HB 44 C, exact"),
    (1, "ft3", "gallon", "7.481", 3, "HB 44 C: 7.481 gallons"),
    (1, "lb", "g", "453.59237", None, "HB 44 C, exact"),
    (1, "ton", "kg", "907.18474", None, "HB 44 C, exact"),
    (1, "psi", "kPa", "6.894757", 6, "SP 811 B.8"),
    (1, "inHg", "kPa", "3.386389", 6, "SP 811 B.8"),
    (1, "psi", "inHg", "2.0360", 4, "6894.757 / 3386.389 of SP 811, by hand"),
    (1, "cfs", "gpm", "448.83", 2, "0.02831685 m3/s and 6.309020E-05 m3/s of SP 811, by hand"),
    (1, "mgd", "cfs", "1.5472", 4, "0.04381264 and 0.02831685 m3/s of SP 811, by hand"),
    (1, "hp", "W", "745.6999", 4, "SP 811 B.8, 550 ft lbf/s"),
    (113, "degF", "degC", "45", None, "40 CFR 403.5(b)(5) prints 40 C as 104 F; 113 F is (113 - 32) / 1.8"),
    (104, "degF", "degC", "40", None, "40 CFR 403.5(b)(5)"),
    (150, "degF", "degC", "65.6", 1, "65.5556 by hand"),
    (-40, "degC", "degF", "-40", None, "where both scales meet"),
    (32, "degF", "K", "273.15", None, "SP 811 B.8"),
    (1, "gallon/minute", "gpd", "1440", None, "60 times 24"),
    (1, "mg/L", "ug/L", "1000", None, "by definition"),
    (1, "ppm", "percent", "0.0001", None, "by definition"),
    (2, "years", "months", "24", None, "by definition"),
    # The loading formula of the trade, pounds a day = 8.34 * mgd * mg/L, is this conversion rounded.
    (1, "mgd*mg/L", "lb/day", "8.3454", 4, "3.785411784 / 0.45359237 by hand"),
]


@pytest.mark.parametrize(
    ("value", "old", "new", "figure", "places"),
    [row[:5] for row in PUBLISHED],
    ids=[f"{row[1]} {row[2]}: {row[5]}" for row in PUBLISHED],
)
def test_published_figures(value: int, old: str, new: str, figure: str, places: int | None) -> None:
    answer = convert(value, old, new)
    if places is None:
        assert answer == Decimal(figure)
    else:
        assert round(Fraction(answer), places) == Fraction(figure)


@pytest.mark.parametrize(("word", "theirs"), SAME_IN_PINT.items())
def test_factors_are_those_of_pint_exactly(word: str, theirs: str) -> None:
    assert unit(word).factor == PINT(theirs).to_base_units().magnitude


def test_inch_of_mercury_is_the_printed_figure_of_which_pint_carries_more_digits() -> None:
    theirs = Fraction(PINT("inch_Hg").to("pascal").magnitude)
    assert unit("inHg").factor == Fraction("3386.389")
    assert round(theirs, 3) == Fraction("3386.389")


@given(st.decimals(-500, 5000, places=3))
def test_temperatures_are_those_of_pint(reading: Decimal) -> None:
    theirs = PINT.Quantity(Fraction(reading), "degF").to("degC").magnitude
    assert Fraction(convert(reading, "degF", "degC")) == theirs


def test_the_table_of_pint_misses_none_of_ours() -> None:
    usual = {row[0].split()[0] for row in units._TABLE}
    assert usual - set(SAME_IN_PINT) == {"year", "inHg", "percent", "ppm"}


@pytest.mark.parametrize(
    ("text", "same"),
    [("gpd", "gallon/day"), ("days", "day"), ("gpm", "gallons/minute"), ("cfs", "ft3/second"), ("mg/L", "g/m3")],
)
def test_units_are_equal_however_written(text: str, same: str) -> None:
    assert unit(text) == unit(same)
    assert hash(unit(text)) == hash(unit(same))
    assert convert(7, text, same) == 7


def test_a_pound_on_a_square_inch_lacks_standard_gravity() -> None:
    assert unit("psi") != unit("lb*m/second2/in2")
    assert convert(1, "psi", "lb*m/second2/in2") == Decimal("9.80665")  # CGPM 1901


def test_a_unit_keeps_its_text() -> None:
    assert str(unit("gallon/minute")) == "gallon/minute"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("mg/L", "ppm"),
        ("ug/L", "ppm"),
        ("ft", "ft2"),
        ("gallon", "gpd"),
        ("psi", "ft"),  # a head of water is a pressure only with a density, which a text must give
        ("month", "days"),
        ("year", "day"),
        ("standard_unit", "percent"),
        ("usd", "percent"),
        ("lb", "gallon"),
    ],
)
def test_different_kinds_are_refused(old: str, new: str) -> None:
    assert not is_convertible(old, new)
    with pytest.raises(UnitError) as refusal:
        convert(1, old, new)
    assert str(refusal.value) == f"unit '{old}' cannot be turned into {new}"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("galon", "unknown unit 'galon'; did you mean 'gallon'?"),
        ("mg/l", "unknown unit 'l' in 'mg/l'; did you mean 'L'?"),
        ("MG/L", "unknown unit 'MG' in 'MG/L'; did you mean 'mg'?"),
        ("gallon/minutte", "unknown unit 'minutte' in 'gallon/minutte'; did you mean 'minute'?"),
        ("", "no unit is given; write e.g. gallon, gallon/minute, mg/L, ft2"),
        ("gallon/", "cannot read unit 'gallon/'; write e.g. gallon, gallon/minute, mg/L, ft2"),
        ("gallon per day", "cannot read unit 'gallon per day'; write e.g. gallon, gallon/minute, mg/L, ft2"),
        ("ft1", "cannot read unit 'ft1'; write e.g. gallon, gallon/minute, mg/L, ft2"),
        ("2ft", "cannot read unit '2ft'; write e.g. gallon, gallon/minute, mg/L, ft2"),
        ("degF/hour", "unit 'degF/hour': degF is a reading on a scale and stands alone"),
        ("standard_unit2", "unit 'standard_unit2': standard_unit is a reading on a scale and stands alone"),
    ],
)
def test_what_is_not_a_unit_is_refused(text: str, message: str) -> None:
    with pytest.raises(UnitError) as refusal:
        unit(text)
    assert str(refusal.value) == message


def test_a_float_is_refused() -> None:
    with pytest.raises(TypeError, match="float"):
        convert(0.1, "ft", "in")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="float"):
        convert(0.1, "ft", "ft")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("value", "old", "new", "kind"),
    [
        (12, "in", "ft", int),
        (1, "in", "cm", Decimal),
        (1, "ft", "yd", Fraction),
        (Decimal("2.50"), "ft", "ft", Decimal),
    ],
)
def test_the_answer_has_its_simplest_exact_form(value: Number, old: str, new: str, kind: type) -> None:
    answer = convert(value, old, new)
    assert type(answer) is kind
    if old == new:
        assert str(answer) == str(value)  # "2.50" keeps the digits reported


NUMBERS = st.one_of(st.integers(), st.decimals(allow_nan=False, allow_infinity=False), st.fractions())


@given(NUMBERS, st.sampled_from([*WORDS, *units._ALONE]), st.data())
def test_there_and_back_again_changes_nothing(value: Number, old: str, data: st.DataObject) -> None:
    new = data.draw(st.sampled_from([word for word in units._KNOWN if is_convertible(old, word)]))
    assert Fraction(convert(convert(value, old, new), new, old)) == Fraction(value)


@given(st.lists(st.sampled_from(WORDS), min_size=1, max_size=4), st.data())
def test_a_compound_is_the_product_of_its_words(words: list[str], data: st.DataObject) -> None:
    signs = data.draw(st.lists(st.sampled_from("*/"), min_size=len(words) - 1, max_size=len(words) - 1))
    text = words[0] + "".join(sign + word for sign, word in zip(signs, words[1:], strict=True))
    expected = unit(words[0]).factor
    for sign, word in zip(signs, words[1:], strict=True):
        expected = expected * unit(word).factor if sign == "*" else expected / unit(word).factor
    assert unit(text).factor == expected


def test_every_row_says_its_source() -> None:
    rows = [*units._TABLE, *units._SCALES]
    assert len(rows) > 30
    sources = ("SP 330", "SP 811", "HB 44", "FR 1959", "by definition")
    assert all(row[3].startswith(sources) for row in rows)
