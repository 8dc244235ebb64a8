"""Today and its neighbors: what is to be done, why, whether one may, what is decided, in which month, found by which name."""

from __future__ import annotations

import re
from urllib.parse import quote

import pytest
from django.test import Client

from sewershed.desk.today import actions as verbs
from sewershed.desk.today.models import Feed
from sewershed.ledger import actions, log, queries
from sewershed.ledger.models import Account
from tests.desk.recorded import ROLES, spill

LOOK = "Look at every report of a spill within two hours"  # SORP III.A.2, and 2 hours from 9:10 is 11:10


@pytest.fixture
def oak(town, admin) -> str:
    return spill(admin)


def text_of(response) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", response.content.decode()))


def key_of(thing: str, rule: str, admin) -> str:
    return next(one.key for one in queries.due(as_account=admin, thing=thing).items if one.rule.endswith(rule))


# ------------------------------------------------------------------------------------------------ today


def test_today_says_what_whose_when_clause_and_what_records_it(town, oak, signed_in, django_assert_max_num_queries):
    client = signed_in("manager")
    client.get("/")
    with django_assert_max_num_queries(60):
        page = client.get("/")
    said = text_of(page)
    for words in (
        LOOK,
        "min left",
        "today, 11:10 am",
        "SORP III.A.2",
        "Oak Street at First",
        "Due by Mon Mar 18",
        "Cannot tell",
    ):
        assert words in said, words
    assert 'href="/spills/s1/on-site/"' in page.content.decode()


def test_today_is_short_for_a_person_and_whole_for_the_manager(town, oak, admin, signed_in):
    actions.set_facts("clerk-1", {"name": "Clerk"}, as_account=admin, type="person")
    mine = signed_in("clerk")
    actions.change_account("clerk", as_account=admin, person="clerk-1")
    assert "Nothing is due that is yours" in text_of(mine.get("/"))
    assert LOOK in text_of(mine.get("/", {"whose": "all"}))
    assert LOOK in text_of(signed_in("manager").get("/"))
    actions.record("assigned", oak, as_account=admin, at="2024-03-11", data={"to": "clerk-1"})
    assert LOOK in text_of(mine.get("/"))


def test_an_empty_today_says_what_was_looked_at(town, signed_in):
    said = text_of(signed_in("manager").get("/", {"program": "spills"}))
    assert "Nothing is due" in said
    assert "No spills recorded" in said


def test_today_by_person_by_place_by_program_and_as_a_file(town, oak, signed_in):
    client = signed_in("manager")
    assert "Oak Street at First" in text_of(client.get("/", {"by": "place"}))
    assert "<h2" in client.get("/", {"by": "person"}).content.decode()
    assert LOOK not in text_of(client.get("/", {"program": "stations"}))
    assert LOOK.encode() in client.get("/", {"as": "csv"}).content
    assert client.get("/", {"as": "xlsx"}).content[:2] == b"PK"


def test_today_of_another_day_records_nothing(town, oak, signed_in):
    page = signed_in("manager").get("/", {"day": "2024-03-11", "time": "09:30"})
    assert LOOK in text_of(page)
    assert "You are looking at Mon Mar 11, 2024, 9:30 am" in text_of(page)
    assert 'class="do" href' not in page.content.decode()
    assert LOOK not in text_of(signed_in("manager").get("/", {"day": "2024-03-11", "time": "09:09"}))


def test_many_of_one_duty_and_day_are_one_line_that_opens_its_list(town, admin, signed_in):
    for number in range(3):
        actions.set_facts(f"f{number}", {"location": f"{number} Fir Street"}, as_account=admin, type="spill")
        actions.record("call", f"f{number}", as_account=admin, at="2024-03-11T10:30", data={"what": "smell"})
    client = signed_in("manager")
    page = client.get("/")
    assert "3 of them" in text_of(page)
    opens = re.search(r'href="(/\?[^"]*rule=[^"]+)"', page.content.decode())
    assert opens is not None
    listed = text_of(client.get(opens[1].replace("&amp;", "&")))
    assert all(f"{number} Fir Street" in listed for number in range(3))


# ------------------------------------------------------------------------------------------------ why


def test_why_says_clause_edition_facts_steps_doubts_and_what_would_change_it(town, oak, admin, signed_in, django_assert_max_num_queries):  # fmt: skip
    client = signed_in("manager")
    key = key_of(oak, ".tell", admin)
    client.get(f"/why/{quote(key)}")
    with django_assert_max_num_queries(60):
        page = client.get(f"/why/{quote(key)}")
    said = text_of(page)
    for words in ("The clause", "Edition", "What the words mean here", "The facts", "The steps", "What is missing", "Doubts that touch it", "What would change it", "Statement of reasons", "Asked again about this moment, it comes out the same", "C24-001"):  # fmt: skip
        assert words in said, words
    assert 'class="matrix"' in page.content.decode()
    assert client.get("/why/us.nc.nothing%7Cs1%7C").status_code == 404


def test_why_keeps_private_values_from_whoever_reads_from_outside(town, oak, admin, signed_in):
    key = key_of(oak, ".tell", admin)
    assert "252-555-0171" not in signed_in("auditor").get(f"/why/{quote(key)}").content.decode()


def test_why_can_be_asked_about_another_moment(town, oak, admin, signed_in):
    key = key_of(oak, ".investigate", admin)
    page = signed_in("manager").get(f"/why/{quote(key)}", {"day": "2024-03-11", "time": "11:11"})
    assert "Overdue" in text_of(page)
    assert "Record crew arrived" not in text_of(page)


# ------------------------------------------------------------------------------------------------ decisions


def test_a_doubt_is_settled_for_one_thing_or_for_all_and_nothing_is_chosen_beforehand(town, oak, admin, signed_in):
    actions.set_facts("manager", {"name": "Town manager"}, type="person", as_account=admin)
    actions.record("office_held", "manager", as_account=admin, at="2024-01-02", data={"office": "town_manager"})
    client = signed_in("manager")
    listed = text_of(client.get("/decisions/"))
    assert "D-SH-04" in listed
    page = client.get("/decisions/D-SH-04/", {"on": oak})
    assert not re.search(r'type="radio"[^>]*checked', re.sub(r'name="known"[^>]*>', "", page.content.decode()))
    before = log.head()
    nothing = client.post(f"/decisions/D-SH-04/?on={oak}", {"by": "orc", "because": "told so", "for": oak})
    assert nothing.status_code == 422
    assert log.head() == before
    sent = {"reading": "confirmation", "by": "orc", "because": "told so by the state", "for": oak}
    told = text_of(client.post(f"/decisions/D-SH-04/?on={oak}", sent, follow=True))
    assert "Entered, but it decides nothing: " in told
    assert "Settled" not in text_of(client.get("/decisions/D-SH-04/", {"on": oak}))  # the town manager settles it
    why = text_of(client.get(f"/why/{quote(key_of(oak, '.tell', admin))}"))
    assert "did not hold town_manager on Mon Mar 11; whoever held it may decide, or record office_held" in why
    sent["by"] = "manager"
    assert client.post(f"/decisions/D-SH-04/?on={oak}", sent).status_code == 302
    decided = queries.rows(oak, as_account=admin)[-1]
    assert (decided.name, decided.data["reading"], decided.performed_by) == ("decided", "confirmation", "manager")
    assert "Settled Mon Mar 11: confirmation" in text_of(client.get("/decisions/D-SH-04/", {"on": oak}))
    town_ = next(value for value in re.findall(r'<option value="([^"]+)">Every thing', page.content.decode()))
    assert client.post("/decisions/D-SH-04/", {**sent, "for": town_}).status_code == 302
    assert "Settled Mon Mar 11" in text_of(client.get("/decisions/"))
    assert client.get("/decisions/D-NO/").status_code == 404


def test_a_fact_left_to_a_person_is_decided_with_its_reason(town, oak, admin, signed_in):
    client = signed_in("manager")
    path = f"/thing/{oak}/decide/is_prolonged/"
    said = text_of(client.get(path))
    assert "The spill goes on so long that more must be done to contain it" in said
    assert client.post(path, {"reading": "true", "by": "orc", "because": ""}).status_code == 422
    assert client.post(path, {"reading": "true", "by": "orc", "because": "two days of rain"}).status_code == 302
    decided = queries.rows(oak, as_account=admin)[-1]
    assert (decided.data["fact"], decided.data["value"], decided.office) == ("is_prolonged", "true", "orc")
    assert client.get(f"/thing/{oak}/decide/location/").status_code == 404


# ------------------------------------------------------------------------------------------------ may I


def test_may_i_answers_with_every_rule_and_records_nothing(town, oak, signed_in):
    client = signed_in("manager")
    assert "Some rule is about these" in text_of(client.get(f"/thing/{oak}/may/"))
    before = log.head()
    asked = {"ask": "1", "row_at_day": "2024-03-11", "row_at_time": "10:30", "way": "voice_mail"}
    said = text_of(client.get(f"/thing/{oak}/may/state_told/", asked))
    assert "It would not count" in said
    assert "SORP III.A.3" in said or "WQCS permit IV.2" in said
    assert "No rule of the books is about it" in text_of(
        client.get(f"/thing/{oak}/may/area_secured/", {"ask": "1", "row_at_day": "2024-03-11"})
    )
    assert client.get(f"/thing/{oak}/may/state_told/", {"ask": "1"}).status_code == 422
    assert log.head() == before


# ------------------------------------------------------------------------------------------------ calendar


def test_a_month_shows_what_is_due_on_its_days(town, oak, signed_in):
    client = signed_in("manager")
    page = client.get("/calendar/", {"month": "2024-03"})
    assert "March 2024" in text_of(page)
    assert LOOK[:40] in text_of(page)
    assert "April 2024" in text_of(client.get("/calendar/", {"month": "2024-04"}))
    assert "March 2024" in text_of(client.get("/calendar/", {"month": "nonsense"}))


def test_a_calendar_address_is_ones_own_shown_once_and_revocable(town, oak, signed_in, nobody: Client):
    client = signed_in("manager")
    made = client.post("/calendar/address/", {"do": "make"}).content.decode()
    address = re.search(r'value="http://[^/]+(/calendar/[^"]+\.ics)"', made)
    assert address is not None
    assert address[1] not in client.get("/calendar/address/").content.decode()
    answer = nobody.get(address[1])
    assert (answer.status_code, answer["Content-Type"]) == (200, "text/calendar; charset=utf-8")
    lines = answer.content.decode().split("\r\n")
    assert lines[0] == "BEGIN:VCALENDAR"
    assert "DTSTART:20240311T151000Z" in lines  # 11:10 by daylight time, four hours behind
    assert all(len(line.encode()) <= 75 for line in lines)
    assert "252-555-0171" not in answer.content.decode()
    client.post("/calendar/address/", {"do": "revoke"})
    assert nobody.get(address[1]).status_code == 404
    assert Feed.objects.count() == 0


def test_a_calendar_address_dies_with_its_account_and_a_fresh_one_takes_its_place(town, admin, signed_in, nobody):
    client = signed_in("clerk")
    first = verbs.make_feed(Account.objects.get(name="clerk"))
    second = verbs.make_feed(Account.objects.get(name="clerk"))
    assert [nobody.get(f"/calendar/{one}.ics").status_code for one in (first, second)] == [404, 200]
    actions.change_account("clerk", as_account=admin, is_active=False)
    assert nobody.get(f"/calendar/{second}.ics").status_code == 404
    assert client is not None


# ------------------------------------------------------------------------------------------------ finding


def test_anything_is_found_by_a_part_of_its_name_its_number_or_its_clause(town, oak, signed_in):
    client = signed_in("manager")
    answer = client.get("/find/", {"q": "oak street"})
    assert (answer.status_code, answer.url) == (302, f"/thing/{oak}/")
    assert "SORP III.A.2" in text_of(client.get("/find/", {"q": "III.A.2"}))
    assert "Spills" in text_of(client.get("/find/", {"q": "spills"}))
    assert "Nothing is called that" in text_of(client.get("/find/", {"q": "zzzz"}))
    assert client.get("/find/").status_code == 200


# ------------------------------------------------------------------------------------------------ who may

READ = ["/", "/?whose=all", "/decisions/", "/decisions/D-SH-04/", "/thing/s1/decide/is_prolonged/", "/thing/s1/may/", "/thing/s1/may/call/", "/calendar/", "/calendar/address/", "/find/?q=oak+street+at"]  # fmt: skip
DECIDE = {"administrator", "manager", "operator"}


@pytest.mark.parametrize("role", ROLES)
def test_each_role_reads_and_only_those_who_may_decide(town, oak, admin, signed_in, role):
    client = signed_in(role)
    assert {path: client.get(path).status_code in (200, 302) for path in READ} == dict.fromkeys(READ, True)
    assert client.get(f"/why/{quote(key_of(oak, '.tell', admin))}").status_code == 200
    sent = {"reading": "true", "by": "orc", "because": "two days of rain"}
    before = log.head()
    answer = client.post("/thing/s1/decide/is_prolonged/", sent)
    assert answer.status_code == (302 if role in DECIDE else 403)
    assert (log.head() == before) == (role not in DECIDE)
    settled = client.post(
        f"/decisions/D-SH-04/?on={oak}", {"reading": "confirmation", "by": "orc", "because": "x", "for": oak}
    )
    assert settled.status_code == (302 if role in DECIDE else 403)


def test_nobody_reaches_anything(town, oak, nobody: Client):
    for path in (*READ, "/why/x%7Cs1%7C"):
        answer = nobody.get(path)
        assert (answer.status_code, answer.url.startswith("/sign-in/")) == (302, True), path
