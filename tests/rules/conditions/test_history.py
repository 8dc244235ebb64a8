"""happened, first, last and count (RULEBOOK.md 4): which events, in which window, and what a missing datum does to them."""

from datetime import date

import pytest

from sewershed.rules.types import Thing
from sewershed.rules.unknown import Unknown, Want
from tests.rules.conditions.town import HOUSE, PERSON, STREET, Town, event, value_of, wants_of


def repairs(*answers):
    """Returns a town with one repair a month from January on, each proper, not proper, or not said (None)."""
    return Town(
        events=[event(f"r{n}", "repair", f"2024-0{n}-01", proper=answer) for n, answer in enumerate(answers, 1)]
    )


NONE = repairs()


@pytest.mark.parametrize(
    ("source", "town", "value"),
    [
        ("happened('repair')", NONE, False),
        ("happened('repair')", repairs(None), True),
        ("happened('repair', it.proper)", NONE, False),
        ("happened('repair', it.proper)", repairs(False), False),
        ("happened('repair', it.proper)", repairs(True, None), True),
        ("happened('repair', it.proper)", repairs(None, True), True),
        ("first('repair').id", repairs(True, False), "r1"),
        ("first('repair', !it.proper).id", repairs(True, False), "r2"),
        ("first('repair', it.proper).id", repairs(False, True, None), "r2"),  # a later one does not matter
        ("last('repair').id", repairs(True, False), "r2"),
        ("last('repair', it.proper).id", repairs(True, False), "r1"),
        ("last('repair', it.proper).id", repairs(None, True, False), "r2"),  # an earlier one does not matter
        ("count('repair')", NONE, 0),
        ("count('repair')", repairs(None, None), 2),
        ("count('repair', true)", repairs(None, None), 2),
        ("count('repair', it.proper)", repairs(True, False, True), 2),
        ("count('repair', !it.proper)", repairs(True, False, True), 1),
    ],
)
def test_what_is_known(source, town, value):
    assert value_of(source, town) == value


@pytest.mark.parametrize(
    ("source", "town", "wants"),
    [
        ("happened('repair', it.proper)", repairs(False, None), ["repair.proper"]),
        ("first('repair', it.proper).id == 'r2'", repairs(None, True), ["repair.proper"]),
        ("first('repair', it.proper).day > today", repairs(False), ["repair"]),
        ("first('repair').day > today", NONE, ["repair"]),
        ("last('repair', it.proper).id == 'r1'", repairs(True, None), ["repair.proper"]),
        ("last('repair', it.proper).id == 'r1'", repairs(False, None), ["repair.proper"]),
        ("count('repair', it.proper) > 0", repairs(True, None), ["repair.proper"]),
        ("last('repair').day > today", NONE, ["repair"]),
        ("last('repair', it.proper).day > today", repairs(False), ["repair"]),
        ("last('repair|notice').day > today", NONE, ["repair|notice"]),
    ],
)
def test_what_is_not_known(source, town, wants):
    assert wants_of(source, town) == wants


def test_who_is_asked():
    both = Unknown(tuple(Want("fact", "repair.proper", thing="h1", event=root) for root in ("r3", "r2")))
    assert value_of("last('repair', it.proper).id == 'r1'", repairs(True, None, None)) == both
    assert value_of("last('repair').day > today") == Unknown((Want("event", "repair", thing="h1"),))


def test_several_events_are_one_history():
    town = Town(events=[event("r1", "repair", "2024-01-01"), event("n1", "notice", "2024-02-01", days=3)])
    assert value_of("last('repair|notice').id == 'n1'", town) is True
    assert value_of("count('notice|repair')", town) == 2
    assert value_of("happened('repair|notice', it.days == 3)", town) is True
    assert value_of("last('repair|notice').kind == 'notice'", town) is True


def test_of_another_thing():
    other = Thing("h2", "house")
    town = Town(
        {"street": STREET},
        things={STREET.id: {"houses": (HOUSE, other)}},
        events=[
            event("r1", "repair", "2024-01-01", thing="h2"),
            event("s1", "street_closed", "2024-01-01", thing="s1"),
        ],
    )
    assert value_of("happened('repair')", town) is False
    assert value_of("house.street.happened('street_closed')", town) is True
    assert value_of("house.street.houses.exists(h, h.happened('repair'))", town) is True
    assert value_of("house.street.houses.all(h, h.count('repair') > 0)", town) is False
    assert value_of("house.street.houses.all(h, known(h.last('repair')) == (h != house))", town) is True
    assert wants_of("house.street.last('street_closed').day > today") == ["house.street"]


def test_it_is_the_event_of_the_innermost_function():
    town = Town(
        events=[
            event("n1", "notice", "2024-01-10"),
            event("r1", "repair", "2024-01-20", by_whom=PERSON),
            event("n2", "notice", "2024-02-10"),
        ]
    )
    # A notice that was followed by a repair: the inner `it` is the repair.
    assert value_of("count('notice', happened('repair', it.day > day('2024-01-15') && known(it.by_whom)))", town) == 2
    assert value_of("count('notice', it.day < last('repair', known(it.by_whom)).day)", town) == 1
    # Back outside, `it` is the notice again, and variables of lists keep their own values beside it.
    nested = "count('notice', happened('repair') && [1, 2].exists(n, n == 2 && happened('repair', n == 2) && it.kind == 'notice'))"
    assert value_of(nested, town) == 2
    assert value_of("[1, 2].exists(n, count('notice', it.day > day('2024-02-01')) == n)", town) is True


# --------------------------------------------------------------------------- windows: (t - span, t]


@pytest.mark.parametrize(
    ("at", "now", "span", "is_inside"),
    [
        # RULEBOOK.md 11, cases 83 and 99: exactly one span ago is outside, a day later inside
        ("2024-03-15", "2025-03-15", "12 months", False),
        ("2024-03-16", "2025-03-15", "12 months", True),
        ("2024-03-15", "2025-03-14", "12 months", True),
        ("2020-06-01", "2025-06-01", "5 years", False),
        ("2020-06-02", "2025-06-01", "5 years", True),
        # t itself is inside, what comes after it is not
        ("2025-06-01", "2025-06-01", "5 years", True),
        ("2025-06-02", "2025-06-01", "5 years", False),
        ("2025-06-01T12:00", "2025-06-01T12:00", "5 years", True),
        ("2025-06-01T12:01", "2025-06-01T12:00", "5 years", False),
        # a window of days compares days, whatever the time
        ("2024-03-15T23:59", "2025-03-15T00:01", "12 months", False),
        ("2024-03-16T00:00", "2025-03-15T23:59", "12 months", True),
        # a window of hours compares instants
        ("2024-03-05T10:00", "2024-03-06T10:00", "24 hours", False),
        ("2024-03-05T10:01", "2024-03-06T10:00", "24 hours", True),
        # and days where the event has only a day
        ("2024-03-05", "2024-03-06T10:00", "24 hours", False),
        ("2024-03-06", "2024-03-06T10:00", "24 hours", True),
        # months as the calendar has them
        ("2024-02-29", "2024-03-31", "1 month", False),
        ("2024-03-01", "2024-03-31", "1 month", True),
        ("2026-04-02", "2026-04-06", "2 business days", False),
        ("2026-04-03", "2026-04-06", "2 business days", True),
    ],
)
def test_windows(at, now, span, is_inside):
    town = Town(events=[event("r1", "repair", at)], now=now)
    assert value_of(f"count('repair', true, '{span}')", town) == int(is_inside)


def test_what_is_outside_the_window_is_not_asked():
    town = Town(
        events=[event("r1", "repair", "2020-01-01", proper=None), event("r2", "repair", "2024-05-01", proper=True)]
    )
    assert value_of("count('repair', it.proper, '12 months')", town) == 1
    assert wants_of("count('repair', it.proper, '5 years') > 0", town) == ["repair.proper"]


def test_the_window_ends_at_the_moment_of_the_scope():
    town = Town(events=[event("r1", "repair", "2024-05-01")], now="2024-04-30")
    assert value_of("count('repair', true, '12 months')", town) == 0
    assert value_of("count('repair')", town) == 1, "without a window every event that the scope shows is counted"
    assert value_of("last('repair').day == day('2024-05-01')", town) is True
    assert town.now() == date(2024, 4, 30)
