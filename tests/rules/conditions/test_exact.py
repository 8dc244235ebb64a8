"""Numbers are exact (RULEBOOK.md 4, "Exactness", and case 93 of its section 11). Expected values are worked by hand."""

from decimal import Decimal, getcontext, localcontext
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sewershed.rules.conditions import exact
from sewershed.rules.conditions.compare import OPERATORS
from tests.rules.conditions.town import Town, value_of, wants_of

LONG = Decimal("1." + "0" * 150 + "1")  # more digits than any context in use

numbers = st.one_of(
    st.integers(-(10**40), 10**40),
    st.decimals(allow_nan=False, allow_infinity=False, places=20, min_value=-(10**30), max_value=10**30),
    st.fractions(),
)


@pytest.mark.parametrize(
    ("source", "value"),
    [
        ("2.61 * 1.2 >= 3.132", True),  # case 93: false in binary floats
        ("2.61 * 1.2 == 3.132", True),
        ("2.61 * 1.2 > 3.132", False),
        ("0.1 + 0.2 == 0.3", True),
        ("0.1 + 0.2 > 0.3", False),
        ("1 / 3 * 3 == 1", True),
        ("1 / 3 == 0.3333333333333333333333333333", False),
        ("7 / 2", Decimal("3.5")),
        ("6 / 3", 2),
        ("2 / 3", Fraction(2, 3)),
        ("10 - 3 - 2", 5),
        ("100 / 5 / 2", 10),
        ("2 + 3 * 4", 14),
        ("(2 + 3) * 4", 20),
        ("-2 * -3", 6),
        ("- 2.50 + 2.5", 0),
        ("min(3, 2.50, 10 / 4)", Decimal("2.5")),
        ("max(1 / 3, 0.3333, 0)", Fraction(1, 3)),
        ("9999999999999999999999999999999 + 0.0000000001", Decimal("9999999999999999999999999999999.0000000001")),
        ("0.00000000000000000001 * 0.00000000000000000001", Decimal("1E-40")),
        ("2 == 2.00", True),
        ("2.5 in [1, 5 / 2]", True),
    ],
)
def test_exactly(source, value):
    assert value_of(source) == value


def test_the_digits_of_a_fact_are_all_kept():
    town = Town({"width_ft": LONG, "rooms": 3})
    assert value_of("house.width_ft > 1", town) is True
    assert value_of("house.width_ft * 3 - 3 > 0", town) is True
    assert value_of("house.width_ft * house.width_ft", town) == Fraction(LONG) ** 2
    assert value_of("-house.width_ft", town) == -Fraction(LONG)
    assert value_of("house.width_ft / house.rooms", town) == Fraction(LONG) / 3
    assert value_of("house.width_ft - house.width_ft", town) == 0


def test_the_context_of_the_program_has_no_say(monkeypatch):
    monkeypatch.setattr(getcontext(), "prec", 3)
    town = Town({"width_ft": Decimal("123456.789")})
    assert value_of("house.width_ft + 0.001 == 123456.790", town) is True
    assert value_of("-house.width_ft == -123456.789", town) is True
    assert value_of("house.width_ft / 2 == 61728.3945", town) is True
    assert value_of("house.width_ft > 123456.788", town) is True


@pytest.mark.parametrize("source", ["1 / 0 > 2", "house.rooms / (2 - 2) > 2", "(1 / 3) / 0 == 1", "0 / 0.00 == 0"])
def test_division_by_zero_cannot_be_told(source):
    assert wants_of(source, Town({"rooms": 5})) == ["division by zero"]


def test_division_by_zero_counts_only_where_it_matters():
    assert value_of("1 / 0 > 2 || true") is True
    assert value_of("known(1 / 0)") is False


@given(numbers, numbers)
def test_as_fractions(a, b):
    """Every operation gives what it gives in fractions, which are exact by construction."""
    x, y = Fraction(a), Fraction(b)
    assert Fraction(exact.add(a, b)) == x + y
    assert Fraction(exact.subtract(a, b)) == x - y
    assert Fraction(exact.multiply(a, b)) == x * y
    assert Fraction(exact.negate(a)) == -x
    quotient = exact.divide(a, b)
    assert quotient is None if y == 0 else Fraction(quotient) == x / y
    assert not isinstance(quotient, float)


@given(numbers, numbers)
def test_compared_as_fractions(a, b):
    """Python compares its numbers exactly, of whatever kind and whatever the context: our comparisons rest on it."""
    with localcontext(prec=2):
        for compare in OPERATORS.values():
            assert compare(a, b) == compare(Fraction(a), Fraction(b))
            assert compare(a, Fraction(b)) == compare(Fraction(a), b)
            assert compare(a, a) == compare(0, 0)
