"""Which types go together: what stands in the docstrings of agreement.py, on both sides of each edge."""

from __future__ import annotations

import pytest

from sewershed.rules.conditions.agreement import common, fits
from sewershed.rules.types import NUMBER, TEXT, Type

FEET, GALLONS = Type("number", unit="ft"), Type("number", unit="gallon")
HOME, SHOP = Type("choice", words=("home",)), Type("choice", words=("home", "shop"))
WIDE, DEEP = Type("record", fields=(("a", FEET),)), Type("record", fields=(("a", GALLONS),))


def listed(item: Type) -> Type:
    return Type("list", item=item)


@pytest.mark.parametrize(
    ("given", "wanted", "does"),
    [
        (NUMBER, FEET, True), (FEET, NUMBER, False), (FEET, GALLONS, False), (NUMBER, Type("money"), True),
        (FEET, Type("money"), False), (HOME, SHOP, True), (SHOP, HOME, False), (HOME, TEXT, True), (TEXT, HOME, False),
        (listed(NUMBER), listed(FEET), True), (listed(FEET), listed(GALLONS), False), (WIDE, WIDE, True), (WIDE, DEEP, False),
        (Type("date"), Type("moment"), True), (Type("moment"), Type("date"), False),
        (Type("ref", to="house"), Type("ref", to="house"), True), (Type("ref", to="house"), Type("ref", to="well"), False),
    ],
)  # fmt: skip
def test_what_may_stand_where_another_is_wanted(given, wanted, does):
    assert fits(given, wanted) is does


@pytest.mark.parametrize(
    ("a", "b", "either"),
    [
        (NUMBER, FEET, FEET), (FEET, GALLONS, None), (HOME, SHOP, SHOP), (HOME, TEXT, TEXT), (listed(NUMBER), listed(FEET), listed(FEET)),
        (listed(FEET), listed(GALLONS), None), (listed(FEET), FEET, None), (Type("instant"), Type("moment"), Type("moment")),
    ],
)  # fmt: skip
def test_what_may_be_of_either_type(a, b, either):
    assert common(a, b) == common(b, a) == either
