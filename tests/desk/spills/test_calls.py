"""Taking a call and sending somebody: what is asked, what becomes a row, what is refused, and to whom it is shown."""

from __future__ import annotations

import csv
import io
import re
from html import unescape

import pytest

from sewershed.desk.spills.forms import ADVICE
from sewershed.desk.spills.queries import near, starts
from sewershed.ledger import actions, clock, log, queries
from sewershed.rules.moments import read_moment
from tests.desk.recorded import ROLES, spill

CALL = {"where": "Branch Street", "what": "sewage_on_ground", "row_at_day": "2024-03-11", "row_at_time": "10:00"}
DAY = "2024-03-11"


def text_of(response) -> str:
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", response.content.decode())).split())


def the_spill(admin):
    return next(one for one in queries.things("spill", as_account=admin, order="-began").items)


def rows_of(thing: str, admin, name: str) -> list:
    return [one for one in queries.rows(thing, as_account=admin) if one.name == name and one.stands == "stands"]


@pytest.fixture
def crew_leader(town, admin) -> str:
    actions.set_facts("leader", {"name": "Crew leader", "phone": "252-555-0104"}, as_account=admin, type="person")
    actions.record("office_held", "leader", as_account=admin, at="2024-01-02", data={"office": "staff"})
    return "leader"


@pytest.fixture
def station(town, admin) -> str:
    facts = {"name": "North station", "in_service_since": "2020-01-01",
             "point": {"type": "Point", "coordinates": ["-78.1034", "35.9451"]}}  # fmt: skip
    return actions.set_facts("north", facts, as_account=admin, type="station").thing


@pytest.fixture
def oak(town, admin) -> str:
    return spill(admin)


# ------------------------------------------------------------------------------------------------ a call


def test_a_call_begins_a_spill_and_leads_on_to_sending_somebody(town, admin, signed_in):
    client = signed_in("clerk")
    page = text_of(client.get("/spills/call/"))
    for words in ("Where is it?", "What do they see?", "Manhole overflowing", "Did not say", "Number to call back", "Same as one of these?"):  # fmt: skip
        assert words in page, words
    sent = {**CALL, "is_running": "true", "is_in_water": "?", "reporter": "A Neighbor", "reporter_phone": "252-555-0171", "channel": "telephone"}  # fmt: skip
    answer = client.post("/spills/call/", sent)
    made = the_spill(admin)
    assert (answer.status_code, answer.url) == (302, f"/spills/{made.id}/dispatch/")
    (call,) = rows_of(made.id, admin, "call")
    assert (call.at, call.data) == (
        "2024-03-11T14:00:00Z",  # ten o'clock by daylight time
        {"what": "sewage_on_ground", "location": "Branch Street", "is_running": True, "is_in_water": None,
         "reporter": "A Neighbor", "reporter_phone": "252-555-0171", "channel": "telephone"},
    )  # fmt: skip
    assert "Recorded: call C24-001" in text_of(client.get(answer.url))


def test_only_the_place_and_what_they_see_are_needed(town, admin, signed_in):
    client, before = signed_in(), log.head()
    answer = client.post("/spills/call/", {**CALL, "where": "  ", "what": ""})
    assert answer.status_code == 422
    assert "A street, a crossing, a station, or what the caller says" in text_of(answer)
    assert log.head() == before
    assert client.post("/spills/call/", CALL).status_code == 302
    assert rows_of(the_spill(admin).id, admin, "call")[0].data == {
        "what": "sewage_on_ground",
        "location": "Branch Street",
    }


def test_the_same_call_sent_twice_is_one_spill_and_one_call(town, admin, signed_in):
    client, sent = signed_in(), {**CALL, "row_id": "abc123"}
    first, before = client.post("/spills/call/", sent), log.head()
    assert client.post("/spills/call/", sent).url == first.url
    assert log.head() == before


@pytest.mark.parametrize(
    ("which", "at"), [("", ""), ("-04:00", "2023-11-05T05:30:00Z"), ("-05:00", "2023-11-05T06:30:00Z")]
)
def test_a_time_that_came_twice_is_asked(town, admin, signed_in, which, at):
    sent = {**CALL, "row_at_day": "2023-11-05", "row_at_time": "01:30", "row_at_which": which}
    answer = signed_in().post("/spills/call/", sent)
    if at:
        assert rows_of(the_spill(admin).id, admin, "call")[0].at == at
    else:
        assert answer.status_code == 422
        assert "This time came twice that night" in text_of(answer)


def test_a_call_from_the_future_is_refused_beside_its_time(town, admin, signed_in):
    answer = signed_in().post("/spills/call/", {**CALL, "row_at_day": "2024-03-12"})
    assert answer.status_code == 422
    assert "has not come yet" in text_of(answer)


def test_a_place_of_the_record_gives_its_thing_and_its_point(town, admin, station, signed_in):
    signed_in().post("/spills/call/", {**CALL, "where": "north STATION"})
    made = queries.recorded(the_spill(admin).id, as_account=admin)
    assert (made["station"], made["point"]["coordinates"]) == (station, ["-78.1034", "35.9451"])
    signed_in().post("/spills/call/", {**CALL, "where": "", "pick": station})
    assert queries.recorded(the_spill(admin).id, as_account=admin)["location"] == "North station"


def test_a_pin_beside_all_things_is_a_place_too(town, admin, station, signed_in):
    client = signed_in()
    client.post("/spills/call/", {**CALL, "where": "", "point": "35.9500, -78.1000"})
    made = queries.recorded(the_spill(admin).id, as_account=admin)
    assert made == {
        "location": "At 35.9500, -78.1000",
        "point": {"type": "Point", "coordinates": ["-78.1", "35.95"]},
    }
    assert client.post("/spills/call/", {**CALL, "point": "somewhere"}).status_code == 422
    assert client.post("/spills/call/", {**CALL, "pick": "nothing"}).status_code == 422


def test_backed_up_indoors_brings_its_advice_which_is_recorded_where_it_was_given(town, admin, signed_in):
    client = signed_in()
    assert ADVICE in text_of(client.get("/spills/call/"))
    client.post("/spills/call/", {**CALL, "what": "backup_indoors", "advised": "on"})
    (advice,) = rows_of(the_spill(admin).id, admin, "backup_advised")
    assert advice.data == {"advice": ADVICE}
    client.post("/spills/call/", {**CALL, "what": "backup_indoors"})
    assert rows_of(the_spill(admin).id, admin, "backup_advised") == []
    client.post("/spills/call/", {**CALL, "what": "smell", "advised": "on"})  # advice for something else
    assert rows_of(the_spill(admin).id, admin, "backup_advised") == []


# ------------------------------------------------------------------------------------------------ the same?


def test_a_call_of_the_same_hour_and_place_is_shown_and_joins_the_first(town, admin, signed_in):
    client = signed_in()
    client.post("/spills/call/", CALL)
    first = the_spill(admin)
    page = client.get("/spills/call/beside/", {"where": "behind the church on Branch St", "row_at_day": DAY, "row_at_time": "10:40"})  # fmt: skip
    assert "same hour, same place" in text_of(page)
    assert f'name="join" value="{first.id}"' in page.content.decode()
    answer = client.post("/spills/call/", {**CALL, "where": "by the church", "row_at_time": "10:40", "join": first.id})
    assert answer.url == f"/spills/{first.id}/dispatch/"
    assert [one.data["location"] for one in rows_of(first.id, admin, "call")] == ["Branch Street", "by the church"]
    assert queries.counts(as_account=admin)["spill"] == 1
    assert client.post("/spills/call/", {**CALL, "join": "town"}).status_code == 422


@pytest.mark.parametrize(("at", "said"), [("2024-03-10T10:00-04:00", True), ("2024-03-10T09:59:59-04:00", False)])
def test_reports_are_looked_at_for_a_day(town, admin, at, said):
    """Twenty-four hours before the call, to the second: 2024-03-10 10:00, after the clocks went forward that night."""
    actions.set_facts("old", {"location": "Pine Street"}, as_account=admin, type="spill")
    actions.record("call", "old", as_account=admin, at=at, data={"what": "smell"})
    found = near(admin, read_moment("2024-03-11T10:00", town.zone), "Pine Street")
    assert bool(found) is said


def test_what_was_closed_is_shown_only_where_it_is_of_the_same_place(town, admin):
    actions.set_facts("pine", {"location": "Pine Street"}, as_account=admin, type="spill")
    actions.record("call", "pine", as_account=admin, at=f"{DAY}T08:00", data={"what": "smell"})
    assert near(admin, clock.now(), "Oak Street")  # still open: it may be the same
    actions.record("found_to_be_none", "pine", as_account=admin, at=f"{DAY}T08:30", data={"reason": "smell_only"})
    assert near(admin, clock.now(), "Oak Street") == ()
    assert "closed since" in near(admin, clock.now(), "Pine Street")[0].note


def test_a_call_starts_the_clocks_of_the_books_in_force(town, admin):
    """Permit II.10 gives two hours, 15A NCAC 08G .0204 twenty-four: from 10:00 to 12:00, and to 10:00 the day after."""
    found = {one.cites: one.until for one in starts(admin, read_moment("2024-03-11T10:00", town.zone))}
    assert found["WQCS permit II.10"] == "Today 12:00 pm"
    assert found["15A NCAC 08G .0204(2)(d)"] == "Tue Mar 12, 10:00 am"


@pytest.mark.parametrize(
    "asked",
    [
        {"row_at_day": "9999-12-31", "row_at_time": "23:59"}, {"row_at_day": "0001-01-01"}, {"row_at_day": "2024-13-45"},
        {"row_at_day": "x", "row_at_time": "y"}, {"row_at_day": "2023-11-05", "row_at_time": "01:30"}, {"point": "nan inf"},
        {"point": "91, 0"}, {"where": "%" * 5000},
    ],
)  # fmt: skip
def test_whatever_is_typed_of_a_call_breaks_nothing_beside_it(town, oak, signed_in, asked):
    client = signed_in()
    assert client.get("/spills/call/beside/", asked).status_code == 200
    assert client.get("/spills/call/places/", asked).status_code == 200


# ------------------------------------------------------------------------------------------------ sending somebody


def test_who_was_sent_and_has_the_message_is_kept(town, admin, crew_leader, signed_in, django_assert_max_num_queries):
    client, oak = signed_in("clerk"), spill(admin)
    with django_assert_max_num_queries(70):
        page = text_of(client.get(f"/spills/{oak}/dispatch/"))
    for words in ("Who is sent?", "Crew leader", "252-555-0104", "Look at every report of a spill within two hours", "min left", "A Neighbor"):  # fmt: skip
        assert words in page, words
    sent = {"person": crew_leader, "way": "telephone", "row_at_day": DAY, "row_at_time": "10:05"}
    assert client.post(f"/spills/{oak}/dispatch/", sent).status_code == 302
    assert "Not yet said back" in text_of(client.get(f"/spills/{oak}/dispatch/"))
    assert client.post(f"/spills/{oak}/dispatch/confirm/", {"person": crew_leader}).status_code == 302
    assert "Has the message" in text_of(client.get(f"/spills/{oak}/dispatch/"))
    assert [one.data["person"] for one in rows_of(oak, admin, "dispatch_confirmed")] == [crew_leader]
    assert rows_of(oak, admin, "dispatch_confirmed")[0].at.endswith(":00Z")  # to the minute, as all that is typed
    assert client.post(f"/spills/{oak}/dispatch/confirm/", {"person": "orc"}).status_code == 404  # was not sent
    assert client.post(f"/spills/{oak}/dispatch/", {**sent, "person": ""}).status_code == 422


def test_sent_and_said_back_in_one_go(town, admin, crew_leader, signed_in):
    oak = spill(admin)
    sent = {"person": crew_leader, "way": "radio", "is_confirmed": "on", "row_at_day": DAY, "row_at_time": "10:05"}
    signed_in().post(f"/spills/{oak}/dispatch/", sent)
    assert [rows_of(oak, admin, name)[0].at for name in ("dispatched", "dispatch_confirmed")] == [
        "2024-03-11T14:05:00Z"
    ] * 2


# ------------------------------------------------------------------------------------------------ the register


@pytest.fixture
def several(town, admin) -> None:
    for name, at in (("elm", "08:00"), ("pine", "09:00"), ("ash", "10:00")):
        actions.set_facts(name, {"location": f"{name.title()} Street"}, as_account=admin, type="spill")
        actions.record("call", name, as_account=admin, at=f"{DAY}T{at}", data={"what": "sewage_on_ground"})
    actions.record("found_to_be_none", "elm", as_account=admin, at=f"{DAY}T08:30", data={"reason": "clean_water"})
    actions.record("spill_confirmed", "pine", as_account=admin, at=f"{DAY}T09:30")
    actions.record("cause_found", "pine", as_account=admin, at=f"{DAY}T09:40", data={"causes": ["roots", "grease"]})
    said = {"ground_gal": "250", "surface_water_gal": "0", "reached_water": False}
    actions.record("spill_assessed", "pine", as_account=admin, at=f"{DAY}T10:00", data=said)


def names(client, **asked) -> list[str]:
    out = client.get("/spills/", {**asked, "as": "csv"}).content.decode("utf-8-sig")
    return [row["Call or spill"].split(", ")[-1] for row in csv.DictReader(io.StringIO(out))]


def test_the_register_says_what_it_is_what_is_open_cause_and_gallons(several, signed_in, django_assert_max_num_queries):
    client = signed_in()
    client.get("/spills/")
    with django_assert_max_num_queries(36):
        said = text_of(client.get("/spills/"))
    for words in ("Calls and spills", "3 calls and spills", "Clean water", "Confirmed", "Reported", "Roots, Grease", "250", "open"):  # fmt: skip
        assert words in said, words
    head, *rows = csv.reader(io.StringIO(client.get("/spills/", {"as": "csv"}).content.decode("utf-8-sig")))
    pine = dict(zip(head, rows[1], strict=True))
    assert (pine["Call or spill"], pine["Gallons"], pine["First call"]) == (
        "Spill 24-001, Pine Street",
        "250",
        "2024-03-11T09:00-04:00",
    )
    assert client.get("/spills/", {"as": "xlsx"}).content[:2] == b"PK"


@pytest.mark.parametrize(
    ("asked", "there"),
    [
        ({}, ["Ash Street", "Pine Street", "Elm Street"]),  # the latest first
        ({"sort": "name"}, ["Elm Street", "Ash Street", "Pine Street"]),  # call C24-001, call C24-003, spill 24-001
        ({"sort": "called"}, ["Elm Street", "Pine Street", "Ash Street"]),
        ({"q": "elm"}, ["Elm Street"]),
        ({"state": "reported"}, ["Ash Street"]),
        ({"cause": "grease"}, ["Pine Street"]),
        ({"cause": "power"}, []),
        ({"open": "yes"}, ["Ash Street", "Pine Street"]),
        ({"gallons_from": "250"}, ["Pine Street"]),
        ({"gallons_from": "250.5"}, []),
        ({"gallons_from": "many", "page": "no"}, ["Ash Street", "Pine Street", "Elm Street"]),
    ],
)  # fmt: skip
def test_the_register_narrows_and_sorts(several, signed_in, asked, there):
    assert names(signed_in(), **asked) == there


def test_the_register_narrows_to_whose_turn_it_is(several, admin, crew_leader, signed_in):
    client = signed_in()
    assert names(client, whose=crew_leader) == ["Pine Street"]  # what follows a confirmation is for the staff sent
    assert names(client, whose="nobody") == []


def test_an_empty_register_says_what_to_do_first(town, signed_in):
    said = text_of(signed_in().get("/spills/"))
    assert "No call is recorded yet" in said
    assert "Take the first one" in said


# ------------------------------------------------------------------------------------------------ to whom


def test_what_may_not_be_recorded_is_refused_and_private_values_do_not_leak(
    town, admin, crew_leader, signed_in, nobody
):
    oak = spill(admin)
    for path in ("/spills/", "/spills/call/", "/spills/call/beside/", "/spills/call/places/", "/spills/map/", f"/spills/{oak}/dispatch/"):  # fmt: skip
        assert nobody.get(path).status_code == 302, path
    for role in ROLES:
        client = signed_in(role)
        may = role in ("administrator", "manager", "clerk", "operator", "crew")
        assert client.get("/spills/").status_code == 200
        assert client.get("/spills/call/").status_code == (200 if may else 403), role
        assert client.get("/spills/call/beside/").status_code == (200 if may else 403), role
        assert client.post("/spills/call/", CALL).status_code == (302 if may else 403), role
        sent = {"person": crew_leader, "row_at_day": DAY, "row_at_time": "10:05"}
        assert client.post(f"/spills/{oak}/dispatch/", sent).status_code == (302 if may else 403), role
        assert client.post(f"/spills/{oak}/dispatch/confirm/", {"person": crew_leader}).status_code == (302 if may else 403), role  # fmt: skip
    outside = signed_in("auditor")
    for path in ("/spills/", f"/spills/{oak}/dispatch/", f"/spills/{oak}/on-site/"):
        said = outside.get(path).content.decode()
        assert "555-0171" not in said, path
        assert "555-0104" not in said, path
    assert "555-0171" in signed_in("crew").get(f"/spills/{oak}/on-site/").content.decode()


def test_nothing_can_be_taken_while_the_page_looks_at_another_day(town, admin, signed_in):
    page = signed_in().get("/spills/call/", {"day": DAY, "time": "09:00"})
    assert "Save and call the crew" not in text_of(page)
    assert signed_in().post(f"/spills/call/?day={DAY}&time=09:00", CALL).status_code == 409
