"""The truth table of RULEBOOK.md 4 ("Three values") and case 100 of its section 11, through whole conditions.

`house.kitchen` is not recorded throughout: it is the "?" of the tables.
"""

from itertools import product

import pytest

from sewershed.rules.conditions.truth import conjunction, disjunction, negation, undecided
from sewershed.rules.unknown import Unknown, Want
from tests.rules.conditions.town import Town, value_of, wants_of

MISSING = Unknown((Want("fact", "a"),))
OTHER = Unknown((Want("fact", "b"),))
BOTH = Unknown((Want("fact", "a"), Want("fact", "b")))


@pytest.mark.parametrize(
    ("left", "right", "both", "either"),
    [
        (True, True, True, True),
        (True, False, False, True),
        (False, True, False, True),
        (False, False, False, False),
        (MISSING, True, MISSING, True),
        (True, MISSING, MISSING, True),
        (MISSING, False, False, MISSING),
        (False, MISSING, False, MISSING),
        (MISSING, OTHER, BOTH, BOTH),
        (MISSING, MISSING, MISSING, MISSING),
    ],
)
def test_and_or(left, right, both, either):
    assert conjunction([left, right]) == both
    assert disjunction([left, right]) == either


@pytest.mark.parametrize("values", list(product([True, False, MISSING], repeat=3)))
def test_order_and_depth_do_not_matter(values):
    a, b, c = values
    assert conjunction([a, b, c]) == conjunction([conjunction([a, b]), c]) == conjunction([c, b, a])
    assert negation(disjunction([a, b, c])) == conjunction(map(negation, [a, b, c]))


def test_nothing_is_taken_after_what_decides():
    def values(decisive):
        yield MISSING
        yield decisive
        raise AssertionError("asked for more than it needs")

    assert conjunction(values(False)) is False
    assert disjunction(values(True)) is True


@pytest.mark.parametrize(
    ("source", "value"),
    [
        # case 100
        ("false && house.kitchen", False),
        ("house.kitchen && false", False),
        ("house.kitchen || true", True),
        ("!house.kitchen", "?"),
        ("(house.kitchen ? 3 : 3) == 3", True),
        ("known(house.kitchen) && house.kitchen", False),
        # the rest of the tables
        ("true || house.kitchen", True),
        ("true && house.kitchen", "?"),
        ("house.kitchen && true", "?"),
        ("false || house.kitchen", "?"),
        ("house.kitchen || false", "?"),
        ("!!house.kitchen", "?"),
        ("house.kitchen ? 3 : 4", "?"),
        ("house.kitchen ? 3 : house.rooms", "?"),
        ("house.kitchen ? house.kitchen : house.kitchen", "?"),
        ("true ? 3 : house.rooms", 3),
        ("false ? house.rooms : 4", 4),
        ("house.kitchen ? 2.50 : 2.5", 2.5),
        ("house.kitchen == house.kitchen", "?"),
        ("house.kitchen != house.kitchen", "?"),
        ("known(house.kitchen)", False),
        ("known(!house.kitchen)", False),
        ("known(known(house.kitchen))", True),
        ("known(house.kitchen || true)", True),
        ("known(house.street.opened_on)", False),
        ("known(last('repair'))", False),
        ("known(last('repair').day)", False),
    ],
)
def test_three_values(source, value):
    found = value_of(source)
    if value == "?":
        assert isinstance(found, Unknown)
    else:
        assert found == value


@pytest.mark.parametrize(
    ("source", "wants"),
    [
        # all that is missing on both sides, each once, in the order of the text
        ("house.kitchen && house.rooms > 2", ["house.kitchen", "house.rooms"]),
        ("house.kitchen || house.rooms > 2 || house.kitchen", ["house.kitchen", "house.rooms"]),
        ("house.rooms > house.seats", ["house.rooms", "house.seats"]),
        ("house.rooms + house.seats > 2", ["house.rooms", "house.seats"]),
        ("min(house.rooms, 2, house.seats) > 2", ["house.rooms", "house.seats"]),
        ("[house.rooms, house.seats].sum(n, n) > 2", ["house.rooms", "house.seats"]),
        ("house.rooms in [house.seats, 1]", ["house.rooms", "house.seats"]),
        ("house.kitchen ? house.rooms : house.seats", ["house.kitchen", "house.rooms", "house.seats"]),
        # only what can change the answer
        ("house.kitchen ? 1 : 2", ["house.kitchen"]),
        ("(house.rooms > 2 && false) || house.kitchen", ["house.kitchen"]),
        ("(house.rooms > 2 || true) && house.kitchen", ["house.kitchen"]),
        ("(true ? house.rooms : house.seats) > 1", ["house.rooms"]),
        # who is asked
        ("house.sound", ["house.sound, to be decided by inspector"]),
        ("last('repair|notice').day > today", ["repair|notice"]),
        ("event.proper", ["event"]),
        ("book.limit_x > 1", ["limit_x: no rulebook in force answers"]),
        ("1 / (house.kitchen ? 0 : 0) > 2", ["division by zero"]),
    ],
)
def test_what_is_missing(source, wants):
    assert wants_of(source) == wants


def test_an_unknown_branch_never_agrees():
    assert undecided(MISSING, 3, 3) == 3
    assert undecided(MISSING, 3, OTHER) == BOTH
    assert undecided(MISSING, OTHER, OTHER) == BOTH


def test_known_is_never_unknown():
    town = Town({"kitchen": False})
    assert value_of("known(house.kitchen)", town) is True
    assert value_of("known(house.kitchen && house.sound)", town) is True
    assert value_of("known(house.kitchen || house.sound)", town) is False
