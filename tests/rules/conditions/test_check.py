"""Types: what goes together, and the loader's messages (RULEBOOK.md 10 and 4), each asserted whole."""

import pytest

from sewershed.rules.conditions import ConditionError
from sewershed.rules.doors import function
from sewershed.rules.types import BOOL, DATE, NUMBER, TEXT, Type
from tests.rules.conditions.town import condition

FEET = Type("number", unit="ft")


@function(
    args={
        "side_ft": {"type": "number", "unit": "ft"},
        "share": {"type": "number"},
        "use": {"type": "choice", "of": ["home", "shop"]},
    },
    result={"type": "number", "unit": "ft2"},
)
def floor(side_ft, share, use):
    return side_ft * side_ft * share


OFFERED = {"functions": {"floor": floor}, "standards": ("h.air", "h.water")}


@pytest.mark.parametrize(
    ("source", "message"),
    [
        # --- RULEBOOK.md 10, word for word
        ("house.widht_ft > 5", "house has no 'widht_ft'; did you mean 'width_ft'?"),
        ("home.width_ft > 5", "unknown name 'home'; did you mean 'house'?"),
        ("house.width_ft", "must be true/false, is number in ft"),
        ("house.width_ft > 'wide'", "cannot compare number in ft with 'wide'"),
        ("house.use == 'barn'", "cannot compare choice of home/shop with 'barn'"),
        ("house.width_ft > house.area_ft2", "cannot compare number in ft with number in ft2"),
        ("house.opened_on > day('2023-02-29')", "'2023-02-29' is not a date; write day(\"2024-02-29\")"),
        ("happened('repairs')", "unknown event 'repairs'; did you mean 'repair'?"),
        ("happened('street_closed')", "event street_closed is about a street, not a house"),
        # --- names
        ("event.lenght_ft > 5", "repair has no 'lenght_ft'; did you mean 'length_ft'?"),
        ("event.steps.all(s, s.bye > today)", "s has no 'bye'; did you mean 'by'?"),
        ("house.street.opend_on > today", "street has no 'opend_on'; did you mean 'opened_on'?"),
        ("house.width_ft.inches > 5", "house.width_ft is number in ft and has no 'inches'"),
        ("'a'.b == 1", "'a' is 'a' and has no 'b'"),
        ("house.street.houses.width_ft > 5", "house.street.houses is list of a house and has no 'width_ft'"),
        ("known(house.outline)", "house.outline is a geometry, which conditions cannot name"),
        ("it.proper", "unknown name 'it'"),
        ("happened('repair', it.proper) && it.proper", "unknown name 'it'"),
        ("event.steps.all(s, s.by > today) && s.by > today", "unknown name 's'"),
        ("book.limit_y > 1", "no program asks 'limit_y'; did you mean 'limit_x'?"),
        ("book > 1", "book needs the name of what is asked of it, e.g. book.limit_x"),
        ("meets('h.wter')", "no standard 'h.wter'; did you mean 'h.water'?"),
        ("happen('repair')", "unknown function 'happen'; did you mean 'happened'?"),
        ("house.words.exist(w, w == 'a')", "unknown function '.exist'; did you mean 'exists'?"),
        ("house.words.size() > 0", "unknown function '.size'"),
        ("house.known()", "unknown function '.known'"),
        # --- true/false
        ("house.width_ft && house.kitchen", "house.width_ft must be true/false, is number in ft"),
        ("house.kitchen || house.use", "house.use must be true/false, is choice of home/shop"),
        ("!house.width_ft", "house.width_ft must be true/false, is number in ft"),
        ("house.use ? true : false", "house.use must be true/false, is choice of home/shop"),
        ("happened('repair', it.length_ft)", "it.length_ft must be true/false, is number in ft"),
        ("house.words.all(w, w)", "w must be true/false, is text"),
        ("'true'", "must be true/false, is 'true'"),
        # --- comparisons
        ("house.kitchen > false", "cannot compare true/false with true/false by >, only by == and !="),
        ("house.use < 'shop'", "cannot compare choice of home/shop with 'shop' by <, only by == and !="),
        ("house.owner == house.street", "cannot compare a person with a street"),
        ("house.owner == 'p1'", "cannot compare a person with 'p1'"),
        ("house.use == house.heat", "cannot compare choice of home/shop with choice of gas/wood"),
        ("house.kitchen == 'yes'", "cannot compare true/false with 'yes'"),
        ("house.opened_on > '2024-01-05'", "cannot compare date with '2024-01-05'; write day(\"2024-01-05\")"),
        ("'soon' < house.opened_on", "cannot compare 'soon' with date; write day(\"2024-02-29\")"),
        ("house.opened_on == 5", "cannot compare date with number"),
        ("house.words == house.words", "cannot compare list of text with list of text"),
        ("event == trigger", "cannot compare event repair with event notice"),
        ("event.kind == 'repiar'", "cannot compare choice of repair with 'repiar'"),
        ("'house' in event.to", "cannot compare 'house' with choice of potw/epa/state"),
        ("house.width_ft in house.words", "cannot compare number in ft with text"),
        ("'a' in house.note", "house.note must be a list, is text"),
        ("event.told_at - event.aware_at <= 24", "cannot compare span with number"),
        ("house.fee > house.width_ft", "cannot compare money with number in ft"),
        # --- arithmetic
        ("house.width_ft + house.area_ft2 > 5", "cannot add number in ft and number in ft2"),
        ("house.width_ft - house.area_ft2 > 5", "cannot subtract number in ft2 from number in ft"),
        ("house.fee + house.width_ft > 5", "cannot add money and number in ft"),
        ("house.note + 'x' == 'y'", "cannot add text and 'x'"),
        ("house.note * 2 > 5", "cannot multiply text by number"),
        ("5 / house.kitchen > 5", "cannot divide number by true/false"),
        ("-house.note == 'a'", "house.note must be a number, is text"),
        ("house.opened_on + 30 > today", "cannot add date and number; write add(house.opened_on, '9 months')"),
        ("house.wired_at - 3 > today", "cannot subtract number from instant; write sub(house.wired_at, '9 months')"),
        ("today - since > 5", "cannot subtract date from date; write days(since, today)"),
        ("house.wired_at - today > span('1 day')", "cannot subtract date from instant"),
        ("min(house.width_ft, house.area_ft2) > 5", "cannot take the min of number in ft and number in ft2"),
        ("max(today, house.wired_at) > today", "cannot take the max of date and instant"),
        ("max('a', 'b') == 'a'", "max takes numbers, dates or instants, not 'a'"),
        ("(house.kitchen ? house.width_ft : house.area_ft2) > 5", "cannot choose between number in ft and number in ft2"),
        ("(house.kitchen ? 1 : 'x') == 1", "cannot choose between number and 'x'"),
        ("house.rooms in [1, 'x']", "cannot list together number and 'x'"),
        ("house.rooms in []", "an empty list holds nothing; leave it out"),
        # --- functions
        ("known()", "cannot use known() so; write known(x)"),
        ("known(1, 2)", "cannot use known(1, 2) so; write known(x)"),
        ("happened()", "cannot use happened() so; write happened('event') or happened('event', condition)"),
        ("happened(repair)", "cannot use happened(repair) so; write happened('event') or happened('event', condition)"),
        ("happened('repair', true, '1 year')", "cannot use happened('repair', true, '1 year') so; write happened('event') or happened('event', condition)"),
        ("known(last('repair', 1, 2))", "cannot use last('repair', 1, 2) so; write last('event') or last('event', condition)"),
        ("count('repair', true, 5) > 0", "cannot use count('repair', true, 5) so; write count('event'), count('event', condition) or count('event', condition, '5 years')"),
        ("count('repair', true, '5 yeers') > 0", "bad span '5 yeers'; write e.g. \"24 hours\", \"10 business days\", \"6 months\""),
        ("count('repair', true, '30 days?') > 0", "\"30 days?\" leaves open which days; a condition says days or business days"),
        ("happened('repair|notise')", "unknown event 'notise'; did you mean 'notice'?"),
        ("house.happened('street_closed')", "event street_closed is about a street, not a house"),
        ("house.street.happened('repair')", "event repair is about a house, not a street"),
        ("house.use.happened('repair')", "happened takes a thing, not choice of home/shop"),
        ("add(house.width_ft, '9 months') > today", "add takes a date or instant, not number in ft"),
        ("add(today, 30) > today", "cannot use add(today, 30) so; write add(date, '9 months')"),
        ("sub(today, 'thirty days') > today", "bad span 'thirty days'; write e.g. \"24 hours\", \"10 business days\", \"6 months\""),
        ("days(house.wired_at, today) > 5", "days takes dates, not instant; write date(house.wired_at)"),
        ("days(5, today) > 5", "days takes dates, not number"),
        ("date(today) == today", "date takes an instant, not date"),
        ("day(house.note) == today", "cannot use day(house.note) so; write day('2024-02-29')"),
        ("day('20240229') == today", "'20240229' is not a date; write day(\"2024-02-29\")"),
        ("span('2 months') < span('1 day')", "span takes minutes, hours, days or weeks; '2 months' has no fixed length, write add or sub"),
        ("span('2 business days') < span('1 day')", "span takes minutes, hours, days or weeks; '2 business days' has no fixed length, write add or sub"),
        ("min(1) == 1", "cannot use min(1) so; write min(a, b)"),
        ("meets(1)", "cannot use meets(1) so; write meets('id')"),
        ("size(house.note) > 0", "size takes a list, not text"),
        ("house.note.all(w, true)", "all takes a list, not text"),
        ("house.words.all('w', true)", "cannot use house.words.all('w', true) so; write list.all(x, condition)"),
        ("house.words.all(house, true)", "'house' is a name already; call the item of the list otherwise"),
        ("house.words.all(it, true)", "'it' is a name already; call the item of the list otherwise"),
        ("house.words.all(w, house.words.all(w, true))", "'w' is a name already; call the item of the list otherwise"),
        ("house.words.sum(w, w) > 0", "w must be a number, is text"),
        ("floor(1, 2) > 5", "cannot use floor(1, 2) so; write floor(side_ft, share, use)"),
        ("floor(house.area_ft2, 1, 'home') > 5", "floor: side_ft must be number in ft, is number in ft2"),
        ("floor(1, house.width_ft, 'home') > 5", "floor: share must be number, is number in ft"),
        ("floor(1, 1, 'barn') > 5", "floor: use must be choice of home/shop, is 'barn'"),
        ("floor(1, 1, house.use) > house.width_ft", "cannot compare number in ft2 with number in ft"),
    ],
)  # fmt: skip
def test_messages(source, message):
    with pytest.raises(ConditionError) as error:
        condition(source, expect=BOOL, **OFFERED)
    assert str(error.value) == message


@pytest.mark.parametrize(
    "function",
    [
        *(
            "known",
            "happened",
            "first",
            "last",
            "count",
            "size",
            "add",
            "sub",
            "days",
            "date",
            "day",
            "span",
            "min",
            "max",
            "meets",
        ),
        *(
            "house.happened",
            "house.first",
            "house.last",
            "house.count",
            "house.words.all",
            "house.words.exists",
            "house.words.sum",
        ),
    ],
)
def test_a_wrong_number_of_arguments(function):
    counts = (
        (0,)
        if function in ("min", "max")
        else (0, 2 if function in ("known", "size", "date", "day", "span", "meets") else 4)
    )
    for count in counts:
        call = f"{function}({', '.join(['today'] * count)})"
        with pytest.raises(ConditionError) as error:
            condition(call)
        assert str(error.value).startswith(f"cannot use {call} so; write ")


EITHER = {"event": Type("event", events=("repair", "notice", "waiver"))}


def test_a_field_of_one_of_several_events_must_be_of_one_type():
    assert condition("event.length_ft", names={"event": Type("event", events=("repair", "notice"))}).type == FEET
    with pytest.raises(ConditionError) as error:
        condition("event.until", names=EITHER)
    assert str(error.value) == "'until' is date in repair and text in waiver"
    with pytest.raises(ConditionError) as error:
        condition("event.lengths", names=EITHER)
    assert str(error.value) == "repair|notice|waiver has no 'lengths'; did you mean 'length_ft'?"


@pytest.mark.parametrize(
    ("source", "wanted"),
    [
        ("house.width_ft", FEET),
        ("house.width_ft * house.depth_ft", NUMBER),  # a product loses the check of units, so it may stand for anything
        ("house.width_ft * house.depth_ft", FEET),
        ("house.width_ft / house.area_ft2", Type("number", unit="ft2")),
        ("house.width_ft + 1", FEET),
        ("5", FEET),
        ("-house.width_ft", FEET),
        ("house.kitchen ? 5 : house.width_ft", FEET),
        ("min(300, house.width_ft)", FEET),
        ("50 * house.rooms", Type("money")),
        ("house.fee + 5", Type("money")),
        ("house.flow_gpd", Type("number", unit="gallon/day")),  # one unit, written in two ways
        ("days(since, today)", Type("number", unit="days")),
        ("count('repair')", NUMBER),
        ("size(house.words)", NUMBER),
        ("house.depths_ft.sum(d, d)", FEET),
        ("event.steps.sum(s, s.cost)", Type("money")),
        ("house.use", TEXT),
        ("house.use", Type("choice", words=("shop", "home", "barn"))),
        ("house.kitchen ? 'home' : 'shop'", Type("choice", words=("home", "shop"))),
        ("house.note", TEXT),
        ("event.id", TEXT),
        ("event.day", DATE),
        ("event.at", Type("instant")),
        ("event.at", Type("moment")),
        ("event.began", Type("moment")),
        ("add(event.at, '24 hours')", Type("instant")),
        ("add(event.day, '24 hours')", Type("instant")),
        ("add(event.at, '2 days')", DATE),
        ("sub(event.began, '9 months')", DATE),
        ("max(event.at, event.began)", Type("moment")),
        ("event.contains", Type("list", item=TEXT)),
        ("event.to", Type("list", item=TEXT)),
        ("['a', 'b']", Type("list", item=TEXT)),
        ("house.street", Type("ref", to="street")),
        ("house.street.houses", Type("list", item=Type("ref", to="house"))),
        ("last('repair')", Type("event", events=("repair",))),
        ("book.limit_x", Type("number", unit="mg/L")),
        ("book.retention.spill_report", Type("number", unit="years")),
        ("house.plan", Type("file")),
    ],
)
def test_what_fits(source, wanted):
    assert condition(source, expect=wanted).source == source


@pytest.mark.parametrize(
    ("source", "wanted", "message"),
    [
        ("house.width_ft", NUMBER, "must be number, is number in ft"),  # its unit would be lost
        ("house.width_ft", Type("number", unit="m"), "must be number in m, is number in ft"),
        ("house.width_ft", Type("money"), "must be money, is number in ft"),
        ("house.fee", FEET, "must be number in ft, is money"),
        ("house.note", Type("choice", words=("home",)), "must be choice of home, is text"),
        ("house.use", Type("choice", words=("home",)), "must be choice of home, is choice of home/shop"),
        ("'barn'", Type("choice", words=("home", "shop")), "must be choice of home/shop, is 'barn'"),
        ("event.began", DATE, "must be date, is moment"),
        ("house.street", Type("ref", to="house"), "must be a house, is a street"),
        ("[1]", Type("list", item=TEXT), "must be list of text, is list of number"),
        ("true", NUMBER, "must be number, is true/false"),
    ],
)
def test_what_does_not_fit(source, wanted, message):
    with pytest.raises(ConditionError) as error:
        condition(source, expect=wanted)
    assert str(error.value) == message


def test_a_span_alone_is_no_value():
    with pytest.raises(ConditionError) as error:
        condition("event.told_at - event.aware_at")
    assert str(error.value) == "a span of time can only be compared with another"


@pytest.mark.parametrize(
    "source",
    [
        "house.width_ft > 5",
        "5 < house.width_ft",
        "house.width_ft > house.depth_ft",
        "house.width_ft > house.rooms",  # a number without a unit stands in the unit beside it
        "house.width_ft * house.depth_ft > house.area_ft2",
        "house.flow_gpd == house.flow_by_meter",
        "house.fee > 5",
        "house.fee > house.fine",
        "house.fee == house.rooms",
        "house.use == 'home'",
        "'home' != house.use",
        "house.use == house.former_use",  # they share the word shop
        "house.use == house.note",
        "house.note == 'anything'",
        "house.owner != house.tenant",
        "house.kitchen == (house.rooms > 2)",
        "house.plan == house.plan",
        "house.wired_at > event.at",
        "house.wired_at >= today",
        "house.built < event.at",
        "house.built < today",
        "event.told_at - event.aware_at <= span('24 hours')",
        "house.built - event.at <= span('24 hours')",
        "'a' in house.words",
        "house.note in ['a', 'b']",
        "house.width_ft in [1, 2.5]",
        "house.owner in [house.tenant]",
        "event.kind == 'repair'",
        "days(today, since) <= trigger.days",
        "['potw', 'epa'].all(x, x in event.to)",
        "house.street.houses.exists(h, h.happened('repair|notice', it.day > since))",
        "house.words.all(w, house.depths_ft.exists(d, d > 1 && w == 'a'))",
    ],
)
def test_what_goes_together(source):
    assert condition(source, expect=BOOL).type == BOOL


def test_a_thing_that_is_not_at_hand_is_not_held_against_an_event():
    """Without a thing under its own name nobody can say what a bare happened is about."""
    assert condition("happened('street_closed')", names={"house": Type("ref", to="street")}).events == {"street_closed"}


def test_everything_that_is_read_is_known_before():
    found = condition(
        "house.owner.name == 'x' && house.street.houses.all(h, h.width_ft > 5) && happened('repair|notice', it.until > since)"
        " && last('repair').by_whom.name == 'y' && book.limit_x > 1 && meets('h.air')",
        **OFFERED,
    )
    assert found.facts == {
        ("house", "owner"),
        ("person", "name"),
        ("house", "street"),
        ("street", "houses"),
        ("house", "width_ft"),
    }
    assert found.events == {"repair", "notice"}
    assert found.asks == {"limit_x"}
    assert found.standards == {"h.air"}


def test_a_text_is_a_choice_of_one_word():
    assert condition("house.kitchen ? 'a' : 'b'").type == Type("choice", words=("a", "b"))
    assert condition("['a', 'b', 'a']").type == Type("list", item=Type("choice", words=("a", "b")))
