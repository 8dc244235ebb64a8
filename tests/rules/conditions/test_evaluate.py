"""Where values come from, and what the functions of RULEBOOK.md 4 make of them: both sides of each edge."""

from datetime import date
from decimal import Decimal

import pytest

from sewershed.rules.doors import function
from sewershed.rules.types import Thing, Type
from sewershed.rules.unknown import Unknown, Want
from tests.rules.conditions.town import HOUSE, PERSON, STREET, Town, event, moment, value_of, wants_of

# --------------------------------------------------------------------------- facts and events

LINKED = Town(
    {"street": STREET, "owner": PERSON, "width_ft": 12, "use": "home"},
    things={
        STREET.id: {"opened_on": date(2001, 5, 1), "houses": (HOUSE, Thing("h2", "house"))},
        PERSON.id: {},
        "h2": {"width_ft": 30, "use": "shop", "street": STREET},
    },
)


def test_references_chain():
    assert value_of("house.street.opened_on == day('2001-05-01')", LINKED) is True
    assert value_of("house.street.houses", LINKED) == (HOUSE, Thing("h2", "house"))
    assert value_of("house.street.houses.sum(h, h.width_ft)", LINKED) == 42
    assert value_of("house.street.houses.exists(h, h.use == 'shop' && h.street == house.street)", LINKED) is True
    assert wants_of("house.owner.name == 'x'", LINKED) == ["person.name"]


def test_a_missing_reference_is_what_is_asked():
    assert wants_of("house.owner.name == 'x'") == ["house.owner"]


REPAIR = event(
    "r1",
    "repair",
    "2024-03-05T10:00",
    length_ft=Decimal("2.5"),
    by_whom=PERSON,
    to=("potw", "epa"),
    proper=False,
    until=None,
    by="jo",
    office="orc",
    contains=frozenset({"map", "address"}),
)
AT_HAND = Town(
    roots={"event": REPAIR, "trigger": event("n1", "notice", "2024-03-01")}, things={PERSON.id: {"name": "x"}}
)


@pytest.mark.parametrize(
    ("source", "value"),
    [
        ("event.length_ft == 2.5", True),
        ("event.by_whom.name == 'x'", True),
        ("event.proper", False),
        ("event.id", "r1"),
        ("event.kind == 'repair'", True),
        ("event.by == 'jo'", True),
        ("event.role == 'orc'", True),
        ("event.day == day('2024-03-05')", True),
        ("event.at", moment("2024-03-05T10:00")),
        ("event.contains", ("address", "map")),
        ("'map' in event.contains", True),
        ("'photo' in event.contains", False),
        ("['potw', 'epa'].all(x, x in event.to)", True),
        ("['potw', 'epa', 'state'].all(x, x in event.to)", False),
        ("trigger.day < event.day", True),
        ("known(event.until)", False),
        ("known(event.length_ft)", True),
        ("known(event.at)", True),
        ("known(trigger.at)", False),
        ("known(trigger.day)", True),
        ("known(trigger.role)", False),
    ],
)
def test_the_event_at_hand(source, value):
    assert value_of(source, AT_HAND) == value


def test_what_an_event_does_not_say_is_asked_of_it():
    about_it = {"thing": "h1", "event": "r1"}
    assert value_of("event.until == today", AT_HAND) == Unknown((Want("fact", "repair.until", **about_it),))
    assert value_of("event.sound", AT_HAND) == Unknown((Want("decision", "repair.sound", who="inspector", **about_it),))
    assert value_of("trigger.at > event.at", AT_HAND) == Unknown(
        (Want("time_of_day", "notice", thing="h1", event="n1", day=date(2024, 3, 1)),)
    )
    assert wants_of("trigger.role == 'orc'", AT_HAND) == ["notice.role"]
    assert wants_of("trigger.by == 'jo'", AT_HAND) == ["notice.by"]


def test_a_field_that_the_event_at_hand_cannot_have_is_missing():
    either = {"event": Type("event", events=("repair", "notice"))}
    notice = Town(roots={"event": event("n1", "notice", "2024-03-01", days=4)})
    assert value_of("event.days == 4", notice, names=either) is True
    assert value_of("event.kind == 'notice'", notice, names=either) is True
    assert wants_of("event.length_ft > 4", notice, names=either) == ["notice.length_ft"]


def test_asks_and_standards():
    town = Town(asks={"limit_x": Decimal("0.175")}, meets={"h.air": True, "h.water": Unknown((Want("fact", "w"),))})
    more = {"standards": ("h.air", "h.water")}
    assert value_of("book.limit_x == 0.175", town) is True
    assert value_of("meets('h.air')", town, **more) is True
    assert wants_of("meets('h.air') && meets('h.water')", town, **more) == ["w"]


# --------------------------------------------------------------------------- functions of programs


@function(args={"side_ft": {"type": "number", "unit": "ft"}}, result={"type": "number", "unit": "ft2"})
def square(side_ft):
    return Unknown((Want("fact", "a side above zero"),)) if side_ft <= 0 else side_ft * side_ft


def test_a_function_is_called_with_what_is_known():
    offered = {"functions": {"square": square}}
    assert value_of("square(house.width_ft) == house.area_ft2", Town({"width_ft": 3, "area_ft2": 9}), **offered) is True
    assert wants_of("square(house.width_ft) > 1", **offered) == ["house.width_ft"]
    assert wants_of("square(house.width_ft) > 1", Town({"width_ft": 0}), **offered) == ["a side above zero"]


# --------------------------------------------------------------------------- lists

STEPS = ({"id": "m1", "by": date(2024, 5, 1), "cost": 10}, {"id": "m2", "by": date(2024, 7, 1), "cost": None})


def with_steps(*steps):
    return Town(
        {"words": ("a", "b"), "depths_ft": ()}, roots={"event": event("r1", "repair", "2024-03-05", steps=steps)}
    )


@pytest.mark.parametrize(
    ("source", "value"),
    [
        ("size(event.steps)", 2),
        ("event.steps.all(s, s.by >= day('2024-05-01'))", True),
        ("event.steps.all(s, s.by > day('2024-05-01'))", False),
        ("event.steps.exists(s, s.by > day('2024-07-01'))", False),
        ("event.steps.exists(s, s.by >= day('2024-07-01'))", True),
        ("event.steps.exists(s, s.cost == 10)", True),  # the other is missing, and does not matter
        ("event.steps.all(s, s.cost > 10)", False),
        ("event.steps.all(s, event.steps.exists(t, t.by > s.by) || s.id == 'm2')", True),
        # nothing in the list
        ("house.depths_ft.all(d, d > 5)", True),
        ("house.depths_ft.exists(d, d > 5)", False),
        ("house.depths_ft.sum(d, d)", 0),
        ("size(house.depths_ft) > 0", False),
        ("house.rooms in house.depths_ft", False),  # whatever the rooms are
        # a list that is written out
        ("[house.rooms, 3].exists(n, n == 3)", True),
        ("[house.rooms, 3].all(n, n == 4)", False),
        ("3 in [house.rooms, 3]", True),
        ("'a' in house.words", True),
        ("'c' in house.words", False),
        ("[1, 2.5].sum(n, n * 2)", 7),
    ],
)
def test_lists(source, value):
    assert value_of(source, with_steps(*STEPS)) == value


@pytest.mark.parametrize(
    ("source", "wants"),
    [
        ("event.steps.all(s, s.cost >= 10)", ["repair.steps.cost"]),
        ("event.steps.exists(s, s.cost > 10)", ["repair.steps.cost"]),
        ("event.steps.sum(s, s.cost) > 1", ["repair.steps.cost"]),
        ("house.rooms_by_floor.all(f, f.rooms > 1)", ["house.rooms_by_floor"]),
        ("house.rooms in [1, 2]", ["house.rooms"]),
        ("house.note in house.words", ["house.note"]),
        ("4 in [house.rooms, 3]", ["house.rooms"]),
    ],
)
def test_what_lists_miss(source, wants):
    assert wants_of(source, with_steps(*STEPS)) == wants


def test_a_missing_field_names_the_event_it_belongs_to():
    (want,) = value_of("event.steps.sum(s, s.cost) > 1", with_steps(*STEPS)).wants
    assert (want.thing, want.event) == ("h1", "r1")
    (want,) = value_of("house.rooms_by_floor.all(f, f.rooms > 1)", Town({"rooms_by_floor": ({"floor": 1},)})).wants
    assert (want.what, want.thing) == ("house.rooms_by_floor.rooms", "h1")
    item = {"item": Type("record", fields=(("cost", Type("money")),))}
    assert wants_of("item.cost > 1", Town(roots={"item": {}}), names=item) == ["item.cost"]


# --------------------------------------------------------------------------- days, instants and moments


@pytest.mark.parametrize(
    ("source", "value"),
    [
        ("add(day('2024-01-31'), '1 month')", date(2024, 2, 29)),  # RULEBOOK.md 11, case 10
        ("add(day('2024-02-29'), '1 year')", date(2025, 2, 28)),  # case 11
        ("sub(day('2026-04-06'), '2 business days')", date(2026, 4, 2)),  # case 14
        ("add(day('2024-03-01'), '5 days')", date(2024, 3, 6)),
        ("sub(day('2024-03-06'), '5 days')", date(2024, 3, 1)),
        ("add(house.wired_at, '24 hours')", moment("2023-11-05T19:00")),  # case 1: clocks went back
        ("add(house.wired_at, '1 day')", date(2023, 11, 5)),
        ("add(day('2024-03-09'), '16 hours')", moment("2024-03-09T16:00")),  # a bare day counts from its first moment
        ("days(day('2024-02-28'), day('2024-03-01'))", 2),
        ("days(day('2024-03-01'), day('2024-02-28'))", -2),
        ("days(today, today)", 0),
        ("date(house.wired_at)", date(2023, 11, 4)),  # 20:00 there is the next day in UTC
        ("date(house.built)", date(2023, 11, 4)),
        ("max(day('2024-01-01'), day('2024-01-02'))", date(2024, 1, 2)),
        ("min(house.wired_at, add(house.wired_at, '1 minute'))", moment("2023-11-04T20:00")),
    ],
)
def test_counting(source, value):
    town = Town({"wired_at": moment("2023-11-04T20:00"), "built": moment("2023-11-04")})
    found = value_of(source, town)
    assert (found, type(found)) == (value, type(value))


def test_beyond_the_calendar_cannot_be_told():
    (want,) = value_of("add(day('9999-12-31'), '1 day') > today").wants
    assert (want.kind, want.what) == ("arithmetic", "1 day from 9999-12-31 leaves the years 0001 to 9999")
    (want,) = value_of("count('repair', true, '2100 years') > 0").wants
    assert want.kind == "arithmetic"


@pytest.mark.parametrize(
    ("told", "answer"),
    [("2024-03-06T09:59", True), ("2024-03-06T10:00", True), ("2024-03-06T10:01", False), (None, "?")],
)
def test_a_difference_of_instants_is_a_span(told, answer):
    data = {"aware_at": moment("2024-03-05T10:00"), "told_at": told and moment(told)}
    town = Town(roots={"event": event("r1", "repair", "2024-03-06", **data)})
    found = value_of("event.told_at - event.aware_at <= span('24 hours')", town)
    assert isinstance(found, Unknown) if answer == "?" else found is answer


def test_spans_are_elapsed_time():
    """Across the change of clocks from one 20:00 to the next are 25 hours, more than a day of 24."""
    data = {"aware_at": moment("2023-11-04T20:00"), "told_at": moment("2023-11-05T20:00")}
    town = Town(roots={"event": event("r1", "repair", "2024-03-06", **data)})
    assert value_of("event.told_at - event.aware_at > span('1 day')", town) is True
    assert value_of("event.told_at - event.aware_at == span('25 hours')", town) is True
    assert value_of("span('1 week') == span('7 days')") is True
    assert value_of("span('90 minutes') > span('1.5 hours')") is False


DAY, NOON, LATER, NEXT_DAY = "2024-03-05", "2024-03-05T12:00", "2024-03-05T13:00", "2024-03-06"


@pytest.mark.parametrize(
    ("began", "ended", "answers"),  # of < <= == != >= >
    [
        # both have a time, or both only a day: as they stand
        (NOON, LATER, [True, True, False, True, False, False]),
        (NOON, NOON, [False, True, True, False, True, False]),
        (DAY, DAY, [False, True, True, False, True, False]),
        (DAY, NEXT_DAY, [True, True, False, True, False, False]),
        # one has a time and one only a day: on different days as days, on one day nobody can tell
        (NOON, NEXT_DAY, [True, True, False, True, False, False]),
        (NEXT_DAY, NOON, [False, False, False, True, True, True]),
        (NOON, DAY, ["?"] * 6),
        (DAY, NOON, ["?"] * 6),
    ],
)
def test_moments(began, ended, answers):
    town = Town(roots={"event": event("r1", "repair", DAY, began=moment(began), ended=moment(ended))})
    for sign, answer in zip(["<", "<=", "==", "!=", ">=", ">"], answers, strict=True):
        found = value_of(f"event.began {sign} event.ended", town)
        if answer == "?":
            name = "began" if began == DAY else "ended"
            want = Want("time_of_day", f"repair.{name}", thing="h1", event="r1", day=date(2024, 3, 5))
            assert found == Unknown((want,))
        else:
            assert found is answer


@pytest.mark.parametrize(
    ("source", "answer"),
    [
        # a day is a whole day: an instant or a moment beside it counts by its local day
        ("event.at <= day('2024-03-05')", True),
        ("event.at < day('2024-03-05')", False),
        ("event.at == day('2024-03-05')", True),
        ("event.at > day('2024-03-04')", True),
        ("day('2024-03-05') >= event.at", True),
        ("event.began <= day('2024-03-05')", True),
        ("event.began > day('2024-03-05')", False),
        ("event.ended == day('2024-03-05')", True),
        # a moment beside an instant
        ("event.ended == event.at", True),
        ("event.began < add(event.at, '24 hours')", True),
        ("event.began == event.at", "?"),
        ("event.began in [event.at]", "?"),
        ("event.at - event.began < span('24 hours')", "?"),
        ("event.at - event.ended == span('0 hours')", True),
        # the least and the greatest
        ("max(event.began, event.ended) == event.at", "?"),
        ("max(event.began, add(event.at, '24 hours')) > event.at", True),
        ("(true ? event.began : event.ended) < event.at", "?"),
    ],
)
def test_days_beside_times(source, answer):
    data = {"began": moment(DAY), "ended": moment("2024-03-05T23:30")}
    town = Town(roots={"event": event("r1", "repair", "2024-03-05T23:30", **data)})
    found = value_of(source, town)
    if answer == "?":
        assert [want.what for want in found.wants] == ["repair.began"]
    else:
        assert found is answer


def test_a_moment_of_a_thing_or_a_place_is_asked_by_its_name():
    town = Town({"built": date(2024, 3, 5), "wired_at": moment(NOON)}, roots={"start": date(2024, 3, 5)})
    assert value_of("house.built < house.wired_at", town) == Unknown(
        (Want("time_of_day", "house.built", thing="h1", day=date(2024, 3, 5)),)
    )
    assert wants_of("start < house.wired_at", town, names={"start": Type("moment")}) == ["the time of day of start"]
    rebuilt = Town({"rebuilt": (date(2024, 3, 5),), "wired_at": moment(NOON)})
    assert wants_of("house.wired_at in house.rebuilt", rebuilt) == ["the time of day of house.rebuilt"]
    assert wants_of("house.rebuilt.exists(m, m < house.wired_at)", rebuilt) == ["the time of day of m"]
