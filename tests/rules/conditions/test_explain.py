"""The steps of an explanation, whole and in order: what was looked at, with its numbers, and nothing that did not matter."""

from datetime import date
from decimal import Decimal

import pytest

from sewershed.rules.types import Thing
from tests.rules.conditions.town import HOUSE, STREET, Town, condition, event, moment

TOWN = Town(
    {
        "width_ft": 120,
        "rooms": 3,
        "use": "home",
        "words": ("a", "b"),
        "depths_ft": (),
        "street": STREET,
        "opened_on": date(2024, 1, 2),
        "built": date(2024, 3, 5),
        "wired_at": moment("2024-03-05T12:00"),
    },
    things={STREET.id: {"houses": (HOUSE, Thing("h2", "house"))}, "h2": {"width_ft": 30}},
    events=[
        event("r1", "repair", "2024-03-05", proper=True, length_ft=Decimal("2.50")),
        event("r2", "repair", "2024-04-05T10:00", proper=False),
    ],
    roots={
        "since": date(2024, 1, 1),
        "event": event(
            "e1",
            "repair",
            "2024-05-06",
            steps=({"id": "m1", "by": date(2024, 5, 1)}, {"by": date(2024, 7, 1)}),
            to=("potw",),
            told_at=moment("2024-03-06T09:30"),
            aware_at=moment("2024-03-05T10:00"),
        ),
    },
    asks={"limit_x": Decimal("0.175")},
)


@pytest.mark.parametrize(
    ("source", "steps"),
    [
        # comparisons (RULEBOOK.md 4: "connection.length_ft: 120 < 100")
        ("house.width_ft < 100", ["house.width_ft: 120 < 100"]),
        ("100 < house.width_ft", ["100 < 120 (house.width_ft)"]),
        ("house.use == 'home'", ["house.use: 'home' == 'home'"]),
        ("house.opened_on >= since", ["house.opened_on: 2024-01-02 >= 2024-01-01 (since)"]),
        ("house.use in ['home', 'shop']", ["house.use: 'home' in ['home', 'shop']"]),
        ("'epa' in event.to", ["'epa' in ['potw'] (event.to)"]),
        ("2 < 3", ["2 < 3"]),
        # what is missing
        ("house.depth_ft < 100", ["house.depth_ft: ? < 100, missing: house.depth_ft"]),
        ("house.width_ft > house.depth_ft", ["house.width_ft: 120 > ? (house.depth_ft), missing: house.depth_ft"]),
        ("house.sound", ["house.sound: ?, missing: house.sound, to be decided by inspector"]),
        ("1 / 0 > 2", ["? > 2, division by zero"]),
        (
            "house.built < house.wired_at",
            ["house.built: 2024-03-05 < 2024-03-05T12:00-05:00 (house.wired_at), missing: the time of day of house.built"],
        ),
        # what did not matter is left out
        ("house.width_ft > 100 && house.rooms > 2", ["house.width_ft: 120 > 100", "house.rooms: 3 > 2"]),
        ("house.width_ft > 200 && house.rooms > 2", ["house.width_ft: 120 > 200"]),
        ("house.kitchen && house.rooms > 5", ["house.rooms: 3 > 5"]),
        ("house.kitchen || house.rooms > 2 || house.width_ft > 5", ["house.rooms: 3 > 2"]),
        (
            "house.kitchen || house.rooms > 5",
            ["house.kitchen: ?, missing: house.kitchen", "house.rooms: 3 > 5"],
        ),
        ("house.rooms > 2 ? house.width_ft > 5 : house.kitchen", ["house.rooms: 3 > 2", "house.width_ft: 120 > 5"]),
        ("house.rooms > 5 ? house.kitchen : house.width_ft > 5", ["house.rooms: 3 > 5", "house.width_ft: 120 > 5"]),
        (
            "house.kitchen ? house.width_ft > 5 : house.rooms > 2",
            ["house.kitchen: ?, missing: house.kitchen", "house.width_ft: 120 > 5", "house.rooms: 3 > 2"],
        ),
        ("!(house.rooms > 2)", ["house.rooms: 3 > 2"]),
        ("house.rooms > 2 && !(house.rooms > 2)", ["house.rooms: 3 > 2"]),
        ("known(house.note)", ["known(house.note): false"]),
        # the facts behind a figure
        (
            "2 * house.width_ft / 7 >= book.limit_x",
            ["house.width_ft: 120", "2 * house.width_ft / 7: 240/7 (about 34.2857) >= 0.175 (book.limit_x)"],
        ),
        ("0.10 * house.width_ft", ["house.width_ft: 120", "0.10 * house.width_ft: 12.00"]),
        ("house.width_ft", ["house.width_ft: 120"]),
        (
            "event.told_at - event.aware_at <= span('24 hours')",
            [
                "event.told_at: 2024-03-06T09:30-05:00",
                "event.aware_at: 2024-03-05T10:00-05:00",
                "event.told_at - event.aware_at: 23 hours 30 minutes <= 24 hours",
            ],
        ),
        # lists
        ("house.words.all(w, w != 'c')", ["all of 2 in house.words: w != 'c'"]),
        ("house.words.exists(w, w == 'c')", ["none of 2 in house.words: w == 'c'"]),
        ("house.words.exists(w, w == 'b')", ["one in house.words: 'b'", "w: 'b' == 'b'"]),
        ("house.depths_ft.all(d, d > 5)", ["house.depths_ft: there are none"]),
        ("house.note == 'x' || house.words.all(w, w == 'a')", ["house.note: ? == 'x', missing: house.note", "not all in house.words: 'b'", "w: 'b' == 'a'"]),
        (
            "event.steps.all(s, s.by <= add(since, '5 months'))",
            ["not all in event.steps: number 2", "since: 2024-01-01", "s.by: 2024-07-01 <= 2024-06-01 (add(since, '5 months'))"],
        ),
        ("event.steps.exists(s, s.by < day('2024-06-01'))", ["one in event.steps: 'm1'", "s.by: 2024-05-01 < 2024-06-01"]),
        (
            "house.street.houses.exists(h, h.rooms > 4)",
            ["cannot tell of h2 in house.street.houses", "h.rooms: ? > 4, missing: house.rooms"],
        ),
        (
            "house.street.houses.sum(h, h.width_ft) > 4",
            ["sum of h.width_ft over 2 of house.street.houses: 150", "house.street.houses.sum(h, h.width_ft): 150 > 4"],
        ),
        ("house.street.houses.all(h, h.rooms > 4) && house.rooms > 5", ["not all in house.street.houses: h1", "h.rooms: 3 > 4"]),
        # what has happened
        ("happened('repair')", ["repair: r1 (2024-03-05)"]),
        ("happened('notice')", ["no notice"]),
        ("happened('repair|notice', it.proper)", ["repair or notice with it.proper: r1 (2024-03-05)", "it.proper: true"]),
        ("happened('repair', it.day > today)", ["no repair with it.day > today (of 2)"]),
        ("happened('repair', it.length_ft > 2)", ["repair with it.length_ft > 2: r1 (2024-03-05)", "it.length_ft: 2.50 > 2"]),
        ("happened('repair', it.length_ft > 3)", ["repair with it.length_ft > 3: ?, missing: repair.length_ft"]),
        (
            "last('repair').length_ft < 3",
            ["last repair: r2 (2024-04-05T10:00-04:00)", "last('repair').length_ft: ? < 3, missing: repair.length_ft"],
        ),
        (
            "first('repair').length_ft < 3",
            ["first repair: r1 (2024-03-05)", "first('repair').length_ft: 2.50 < 3"],
        ),
        (
            "last('repair', it.proper).length_ft < 3",
            ["last repair with it.proper: r1 (2024-03-05)", "it.proper: true", "last('repair', it.proper).length_ft: 2.50 < 3"],
        ),
        (
            "last('notice').days < 3",
            ["notice: ?, missing: notice", "last('notice').days: ? < 3, missing: notice"],
        ),
        (
            "count('repair', true, '12 months') <= 1",
            [
                "repair in 12 months: r1 (2024-03-05), r2 (2024-04-05T10:00-04:00)",
                "count('repair', true, '12 months'): 2 <= 1",
            ],
        ),
        ("count('repair', true, '1 month') == 0", ["no repair in 1 month", "count('repair', true, '1 month'): 0 == 0"]),
        ("house.street.happened('street_closed')", ["no street_closed of house.street"]),
    ],
)  # fmt: skip
def test_steps(source, steps):
    assert list(condition(source).explain(TOWN)[1]) == steps
