"""Front-foot assessment. Expected values: worked example 18 of the reading of the utilities code, by hand."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from fractions import Fraction

import pytest

from sewershed.programs.charges.front_foot import assess, front_foot
from sewershed.rules.types import Thing
from sewershed.rules.unknown import Unknown, Want

LESS = {"intersections": 9400, "oversize": 12000, "stations": 0}


def test_worked_example_18():
    roll = assess(total_cost=186400, borne_otherwise=LESS, share_percent=100, front_ft=1500, parcel_front_ft=120)
    assert (roll.per_foot, roll.amount) == (110, 13200)
    assert roll.steps[0].endswith("= $165,000.00")
    assert roll.steps[2] == "This parcel: $110.00 x 120 ft = $13,200.00"


def test_worked_example_18_with_nothing_taken_off():
    roll = assess(total_cost=186400, borne_otherwise={}, share_percent=100, front_ft=1500, parcel_front_ft=120)
    assert roll.amount == 14912  # $124.27 a foot is printed rounded; the amount is exact
    assert roll.per_foot == Fraction(186400, 1500)
    assert "$124.27 (rounded)" in roll.steps[1]


def test_the_parcels_bear_the_whole():
    fronts = [120, 480, Decimal("299.5"), Decimal("600.5")]
    parts = [
        assess(
            total_cost=Decimal("186400.01"), borne_otherwise=LESS, share_percent=50, front_ft=1500, parcel_front_ft=f
        ).amount
        for f in fronts
    ]
    assert sum(parts) == Fraction("165000.01") / 2


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"front_ft": 0}, "above zero"),
        ({"parcel_front_ft": 1501}, "within"),
        ({"parcel_front_ft": -1}, "within"),
        ({"borne_otherwise": {"oversize": 186401}}, "more than the total"),
    ],
)
def test_figures_that_cannot_be_are_refused(changed, said):
    figures = {"total_cost": 186400, "borne_otherwise": LESS, "share_percent": 100, "front_ft": 1500}
    with pytest.raises(ValueError, match=said):
        assess(**({**figures, "parcel_front_ft": 120} | changed))


class Facts:
    def __init__(self, facts):
        self.facts = facts

    def fact(self, thing, name):
        key = (thing.id, name)
        return self.facts.get(key, Unknown((Want("fact", f"{thing.type}.{name}", thing=thing.id),)))


PARCEL, EXTENSION = Thing("p-1", "parcel"), Thing("x-1", "extension")
ASKS = {"share_percent": 100, "less": ("intersections", "oversize", "stations")}
RECORDED = {
    ("p-1", "extension"): EXTENSION,
    ("p-1", "front_ft"): 120,
    ("x-1", "total_cost"): Decimal("186400.00"),
    ("x-1", "front_ft"): 1500,
    ("x-1", "intersections_cost"): Decimal("9400.00"),
    ("x-1", "oversize_cost"): Decimal("12000.00"),
    ("x-1", "stations_cost"): Decimal("0.00"),
}


def test_from_the_record():
    value, steps = front_foot.explain(ASKS, Facts(RECORDED), PARCEL, date(2024, 1, 1))
    assert value == 13200
    assert len(steps) == 3


def test_a_cost_nobody_wrote_down_is_not_zero():
    without = {key: value for key, value in RECORDED.items() if key[1] not in ("stations_cost", "oversize_cost")}
    value = front_foot.call(ASKS, Facts(without), PARCEL, date(2024, 1, 1))
    assert [want.what for want in value.wants] == ["extension.oversize_cost", "extension.stations_cost"]


def test_costs_that_cannot_be_are_asked_again():
    value = front_foot.call(ASKS, Facts({**RECORDED, ("x-1", "front_ft"): 0}), PARCEL, date(2024, 1, 1))
    assert isinstance(value, Unknown)


def test_no_extension_no_answer():
    assert isinstance(front_foot.call(ASKS, Facts({}), PARCEL, date(2024, 1, 1)), Unknown)
