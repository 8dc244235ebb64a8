"""What every thing gets from the vocabulary: register, page, forms, correction, withdrawal, history, files."""

from __future__ import annotations

import csv
import io
import json
import re
from datetime import date, datetime, timedelta
from urllib.parse import urlencode

import pytest
from django.test import Client
from django.urls import reverse

from sewershed.desk.things.answers import two_of
from sewershed.ledger import actions, clock, law, log, queries
from tests.desk.recorded import CALLED, ROLES, spill

OWN = {"row_at_day": "2024-03-11", "row_at_time": "10:00", "row_by": "", "row_office": "", "row_at_is": "exact"}


@pytest.fixture
def oak(town, admin) -> str:
    return spill(admin)


def text_of(response) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", response.content.decode()))


def rows_of(thing: str, admin) -> list:
    return [one for one in queries.rows(thing, as_account=admin) if one.kind != "void"]


# ------------------------------------------------------------------------------------------------ registers


def test_every_type_of_the_vocabulary_has_a_register_that_filters_sorts_pages_and_goes_out(town, oak, signed_in):
    client = signed_in()
    for name in law.in_force().vocabulary.things:
        assert client.get(f"/things/{name}/").status_code == 200, name
    page = client.get("/things/spill/", {"q": "oak", "sort": "-label"})
    assert "Oak Street at First" in page.content.decode()
    assert "1 spill" in text_of(page)
    assert "Nothing answers to what you asked for" in text_of(client.get("/things/spill/", {"q": "elm"}))
    out = client.get("/things/spill/", {"as": "csv"})
    head, row = csv.reader(io.StringIO(out.content.decode("utf-8-sig")))
    assert dict(zip(head, row, strict=True))["Where"] == "Oak Street at First"
    assert client.get("/things/spill/", {"as": "xlsx"}).content[:2] == b"PK"


def test_a_register_pages_and_keeps_things_of_which_the_fact_is_not_known(town, admin, signed_in):
    for number in range(55):
        facts = {"location": f"{number:02} Elm Street"} | ({"weather": "dry"} if number < 2 else {})
        actions.set_facts(f"e{number}", facts, as_account=admin, type="spill")
    client = signed_in()
    first, second = client.get("/things/spill/"), client.get("/things/spill/", {"page": "2"})
    assert "55 spills" in text_of(first)
    assert first.content.count(b'<th scope="row"') == 50
    assert second.content.count(b'<th scope="row"') == 5
    narrowed = client.get("/things/spill/", {"weather": "dry"})
    assert "2 spills" in text_of(narrowed)
    assert client.get("/things/spill/", {"sort": "-weather"}).content.count(b'<th scope="row"') == 50


def test_a_register_does_not_read_more_the_longer_it_is(town, admin, signed_in, django_assert_max_num_queries):
    client = signed_in()
    for number in range(30):
        actions.set_facts(f"e{number}", {"location": f"{number} Elm Street"}, as_account=admin, type="spill")
    with django_assert_max_num_queries(20):
        client.get("/things/spill/")


def test_an_unknown_type_and_an_unknown_thing_are_not_found(town, signed_in):
    client = signed_in()
    for path in ("/things/unicorn/", "/thing/nothing/", "/row/nothing/", "/thing/nothing/record/call/"):
        assert client.get(path).status_code == 404


# ------------------------------------------------------------------------------------------------ a page


def test_a_page_shows_facts_timeline_duties_and_rows(town, oak, signed_in, django_assert_max_num_queries):
    client = signed_in()
    client.get("/thing/orc/")
    with django_assert_max_num_queries(60):
        page = client.get("/thing/orc/")
    said = text_of(page)
    for words in ("Operator", "Office held", "Facts", "Timeline", "All 2 rows", "Record what happened"):
        assert words in said, words
    said = text_of(client.get(f"/thing/{oak}/", follow=True))  # on the page that the spills have of their own
    for words in ("Oak Street at First", "What is due", "Call C24-001", "Sewage on ground", "Look at every report of a spill within two hours", "All 2 rows", "Record what happened"):  # fmt: skip
        assert words in said, words


def test_a_page_opens_with_the_latest_and_shows_all_where_it_is_asked_for(town, admin, signed_in):
    """61 visits: one more than a page opens with."""
    facts = {"name": "First", "in_service_since": "2024-01-11"}
    actions.set_facts("st1", facts, as_account=admin, type="station")
    with actions.together():
        for number in range(61):
            at = f"{date(2024, 1, 11) + timedelta(days=number)}T09:00"
            actions.record("station_visited", "st1", as_account=admin, at=at)
    client = signed_in()

    def told(**asked: str) -> tuple[list[str], str]:
        page = client.get("/thing/st1/", asked)
        times = [one.moment for one in page.context["shown"].timeline if one.what == "Station visited"]
        return times, page.content.decode()

    latest, page = told()
    assert [one[:10] for one in (latest[0], latest[-1])] == ["2024-01-12", "2024-03-11"]
    assert len(latest) == 60
    assert page.count('href="/thing/st1/?all=1"') >= 1
    every, page = told(all="1")
    assert len(every) == 61
    assert "?all=1" not in page


def test_a_page_of_another_day_has_the_strip_and_no_button(town, oak, signed_in):
    client = signed_in()
    page = client.get(f"/thing/{oak}/", {"day": "2024-03-11", "time": "09:00"}, follow=True)
    said = text_of(page)
    assert "You are looking at Mon Mar 11, 2024, 9:00 am" in said
    assert "Record what happened" not in said
    assert 'class="do"' not in page.content.decode()
    assert "Sewage on ground" not in said  # the call came ten minutes later
    known = client.get(f"/thing/{oak}/rows/", {"day": "2024-03-11", "time": "09:00", "known": "then"})
    assert "Nothing had been recorded by then" in text_of(known)
    refused = client.post(f"/thing/{oak}/record/crew_arrived/?day=2024-03-11&time=09:00", OWN)
    assert refused.status_code == 409


def test_private_values_are_left_out_for_whoever_reads_from_outside(town, oak, signed_in):
    inside, outside = signed_in("clerk"), signed_in("auditor")
    for path in (
        f"/thing/{oak}/",
        f"/thing/{oak}/rows/",
        f"/thing/{oak}/export.json",
        f"/thing/{oak}/export.csv",
        "/row/c1/",
    ):
        assert "252-555-0171" not in outside.get(path, follow=True).content.decode(), path
    assert "252-555-0171" in inside.get(f"/thing/{oak}/rows/").content.decode()
    assert "252-555-0171" in inside.get(f"/thing/{oak}/export.json").content.decode()


def test_everything_of_a_thing_goes_out_as_a_file(town, oak, signed_in):
    client = signed_in()
    whole = json.loads(client.get(f"/thing/{oak}/export.json").content)
    assert (whole["id"], len(whole["rows"]), whole["facts"]["location"]) == (oak, 2, "Oak Street at First")
    assert len(list(csv.reader(io.StringIO(client.get(f"/thing/{oak}/export.csv").content.decode("utf-8-sig"))))) == 3
    assert client.get(f"/thing/{oak}/export.xlsx").content[:2] == b"PK"
    assert client.get(f"/thing/{oak}/export.exe").status_code == 404


# ------------------------------------------------------------------------------------------------ recording


def test_every_event_of_the_vocabulary_has_a_form(town, admin, signed_in):
    client = signed_in()
    vocabulary = law.in_force().vocabulary
    spill(admin)
    seen = 0
    for kind in vocabulary.things.values():
        for event in vocabulary.events_on(kind.name):
            if kind.name in ("spill", "person", "town") and event.on == kind.name and not event.retired:
                about = {"spill": "s1", "person": "orc", "town": "town"}[kind.name]
                answer = client.get(reverse("record", args=[about, event.name]))
                assert answer.status_code in (200, 404), event.name
                seen += answer.status_code == 200
    assert seen > 40


def test_what_is_entered_becomes_a_row_with_units_choices_and_not_known(town, oak, admin, signed_in):
    sent = {
        **OWN, "contained": "false", "ground_gal": "1500", "reached_water": "?", "surface_water_gal_unknown": "on",
    }  # fmt: skip
    answer = signed_in().post(f"/thing/{oak}/record/spill_assessed/", sent)
    assert (answer.status_code, answer.url) == (302, f"/thing/{oak}/")
    row = rows_of(oak, admin)[-1]
    assert (row.name, row.at) == ("spill_assessed", "2024-03-11T14:00:00Z")  # ten o'clock by daylight time
    said = {name: row.data[name] for name in ("contained", "ground_gal", "reached_water", "surface_water_gal")}
    assert said == {"contained": False, "ground_gal": "1500", "reached_water": None, "surface_water_gal": None}
    assert "recovered_gal" not in row.data  # not asked


def test_a_field_that_takes_one_of_the_calls_or_causes_offers_them(town, oak, signed_in):
    client = signed_in()
    form = client.get(f"/thing/{oak}/record/caller_followed_up/").content.decode()
    assert re.search(r'<option value="c1"[^>]*>\s*C24-001 \(', form)
    asked = client.get(f"/thing/{oak}/record/form_answered/").content.decode()
    assert re.search(r'<option value="roots"[^>]*>\s*Roots', asked)  # the cause, in the words of the state's form
    assert re.search(r'<input[^>]*name="question"', asked)  # the cause decides which questions there are
    sent = {**OWN, "cause": "roots", "question": "ordinance", "answer": "Yes"}
    refused = client.post(f"/thing/{oak}/record/form_answered/", sent)
    assert refused.status_code == 422
    assert "write one of program" in text_of(refused)


def test_what_cannot_be_taken_comes_back_beside_its_field(town, oak, admin, signed_in):
    before = log.head()
    wrong = {**OWN, "row_at_day": "2025-01-01", "ground_gal": "a lot", "surface_water_gal": "3", "surface_water_gal_unknown": "on"}  # fmt: skip
    answer = signed_in().post(f"/thing/{oak}/record/spill_assessed/", wrong)
    assert answer.status_code == 422
    said = text_of(answer)
    assert "Say it, or tick Not known: not both." in said
    del wrong["surface_water_gal_unknown"]
    said = text_of(signed_in().post(f"/thing/{oak}/record/spill_assessed/", wrong))
    assert "has not come yet" in said
    assert "write a number with figures and a point" in said
    assert log.head() == before


def test_the_same_form_sent_twice_is_one_row(town, oak, admin, signed_in):
    client, sent = signed_in(), {**OWN, "row_id": "form-1"}
    client.post(f"/thing/{oak}/record/crew_arrived/", sent)
    before = log.head()
    assert client.post(f"/thing/{oak}/record/crew_arrived/", sent).status_code == 302
    assert log.head() == before


@pytest.mark.parametrize(
    ("which", "status", "at"),
    [("", 422, ""), ("-04:00", 302, "2023-11-05T05:30:00Z"), ("-05:00", 302, "2023-11-05T06:30:00Z")],
)
def test_a_local_time_that_happened_twice_is_asked(town, oak, admin, signed_in, which, status, at):
    sent = {**OWN, "row_at_day": "2023-11-05", "row_at_time": "01:30", "row_at_which": which}
    answer = signed_in().post(f"/thing/{oak}/record/crew_arrived/", sent)
    assert answer.status_code == status
    if at:
        assert rows_of(oak, admin)[-1].at == at
    else:
        assert "This time came twice that night" in text_of(answer)
        assert "The first, 1:30 EDT" in text_of(answer)


def test_the_hour_that_comes_twice_begins_and_ends_where_the_clocks_do(town):
    zone = clock.current_town().zone
    found = [
        bool(two_of(datetime.fromisoformat(f"2023-11-05T{at}"), zone)) for at in ("00:59", "01:00", "01:59", "02:00")
    ]
    assert found == [False, True, True, False]


def test_a_new_thing_begins_with_its_facts_and_says_only_what_changes(town, admin, signed_in):
    client = signed_in()
    answer = client.post(
        "/things/spill/new/", {"location": "Pine Street", "row_by": "", "row_office": "", "weather": ""}
    )
    thing = answer.url.split("/")[2]
    assert queries.thing(thing, as_account=admin).type == "spill"
    assert client.post("/things/spill/new/", {"row_by": "", "row_office": ""}).status_code == 422
    sent = {"location": "Pine Street", "weather": "dry", "row_by": "", "row_office": ""}
    assert client.post(f"/thing/{thing}/facts/", sent).status_code == 302
    assert rows_of(thing, admin)[-1].data == {"weather": "dry"}
    again = client.post(f"/thing/{thing}/facts/", sent)
    assert again.status_code == 422
    assert "nothing differs" in text_of(again).lower()


def test_a_file_is_kept_with_its_thing_and_hashed_in_the_row(town, oak, admin, signed_in):
    from django.core.files.uploadedfile import SimpleUploadedFile

    png = bytes.fromhex(
        "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000d49444154789c6360606060000000050001a5f645400000000049454e44ae426082"
    )
    sent = {**OWN, "files": SimpleUploadedFile("manhole.png", png, "image/png"), "stage": "on_site"}
    assert signed_in().post(f"/thing/{oak}/record/photographs_taken/", sent).status_code == 302
    (digest,) = rows_of(oak, admin)[-1].data["files"]
    (kept,) = queries.attachments(oak, as_account=admin)
    assert kept["file"] == digest
    answer = signed_in().get(f"/thing/{kept['id']}/file/")
    assert (answer.content, answer["Content-Type"], answer["X-Content-Type-Options"]) == (png, "image/png", "nosniff")
    hostile = {**OWN, "files": SimpleUploadedFile("page.png", b"<script>alert(1)</script>", "image/png")}
    assert signed_in().post(f"/thing/{oak}/record/photographs_taken/", hostile).status_code == 422


def test_two_people_at_once_both_rows_stand_and_the_page_says_so(town, oak, admin, signed_in):
    first, second = signed_in("clerk"), signed_in("manager")
    form = first.get(f"/thing/{oak}/record/crew_arrived/")
    seen = re.search(r'name="row_seen" value="(\d+)"', form.content.decode())
    assert seen is not None
    second.post(f"/thing/{oak}/record/crew_arrived/", {**OWN, "row_at_time": "10:05"})
    answer = first.post(f"/thing/{oak}/record/crew_arrived/", {**OWN, "row_seen": seen[1]}, follow=True)
    assert "While you were writing, manager recorded: Crew arrived. Both rows stand" in text_of(answer)
    assert [one.name for one in rows_of(oak, admin)].count("crew_arrived") == 2


# ------------------------------------------------------------------------------------------------ correcting


def test_a_correction_takes_the_place_of_a_row_and_the_row_stays(town, oak, admin, signed_in):
    client = signed_in()
    shown = client.get("/row/c1/correct/")
    assert 'value="252-555-0171"' in shown.content.decode()
    sent = {
        **OWN, "row_at_time": "09:05", "what": "smell", "reporter": "A Neighbor", "reporter_phone": "252-555-0171",
        "row_why": "the caller said so",
    }  # fmt: skip
    assert client.post("/row/c1/correct/", {**sent, "row_why": ""}).status_code == 422
    assert client.post("/row/c1/correct/", sent).status_code == 302
    old, new = rows_of(oak, admin)[-2:]
    assert (old.stands, new.stands, new.data["what"], new.at) == (
        "corrected",
        "stands",
        "smell",
        "2024-03-11T13:05:00Z",
    )
    said = text_of(client.get(f"/thing/{oak}/rows/"))
    assert "Corrected" in said
    assert "the caller said so" in said


def test_a_field_that_is_emptied_is_left_out_and_a_hidden_one_stays(town, oak, admin, signed_in):
    client = signed_in()
    sent = {**OWN, "row_at_time": "09:10", "what": "sewage_on_ground", "reporter_phone": "252-555-0171", "row_why": "no name was given"}  # fmt: skip
    client.post("/row/c1/correct/", sent)
    assert "reporter" not in rows_of(oak, admin)[-1].data
    assert rows_of(oak, admin)[-1].data["reporter_phone"] == "252-555-0171"


def test_a_withdrawal_needs_a_reason_and_leaves_the_row(town, oak, admin, signed_in):
    client = signed_in()
    assert client.post("/row/c1/withdraw/", {"row_why": " "}).status_code == 422
    assert client.post("/row/c1/withdraw/", {"row_why": "called about another town"}).status_code == 302
    row = next(one for one in rows_of(oak, admin) if one.id == "c1")
    assert row.stands == "withdrawn"
    assert "called about another town" in text_of(client.get(f"/thing/{oak}/rows/"))


# ------------------------------------------------------------------------------------------------ who may

READ = [
    "/programs/",
    "/things/spill/",
    "/thing/orc/",
    "/spills/s1/",
    "/thing/s1/rows/",
    "/row/c1/",
    "/thing/s1/export.json",
]
WRITE = {
    "/thing/s1/record/call/": {"administrator", "manager", "clerk", "operator", "crew"},
    "/thing/s1/facts/": {"administrator", "manager", "clerk", "operator", "crew"},
    "/things/spill/new/": {"administrator", "manager", "clerk", "operator", "crew"},
    "/row/c1/correct/": {"administrator", "manager", "clerk", "operator"},
    "/row/c1/withdraw/": {"administrator", "manager", "operator"},
}


@pytest.mark.parametrize("role", ROLES)
def test_each_role_reaches_what_the_table_of_rights_gives(town, oak, signed_in, role):
    client = signed_in(role)
    assert {path: client.get(path).status_code for path in READ} == dict.fromkeys(READ, 200)
    expected = {path: 200 if role in may else 403 for path, may in WRITE.items()}
    assert {path: client.get(path).status_code for path in WRITE} == expected
    before = log.head()
    refused = [path for path, may in WRITE.items() if role not in may]
    assert [client.post(path, {**OWN, "row_why": "x"}).status_code for path in refused] == [403] * len(refused)
    assert log.head() == before


def test_nobody_reaches_anything(town, oak, nobody: Client):
    for path in (*READ, *WRITE, "/thing/s1/record/"):
        answer = nobody.get(path)
        assert (answer.status_code, answer.url.startswith("/sign-in/")) == (302, True), path


def test_buttons_that_a_role_may_not_use_are_not_shown(town, oak, signed_in):
    assert "Record what happened" not in text_of(signed_in("auditor").get(f"/thing/{oak}/", follow=True))
    assert "/withdraw/" not in signed_in("clerk").get(f"/thing/{oak}/rows/").content.decode()
    assert "/withdraw/" in signed_in("manager").get(f"/thing/{oak}/rows/").content.decode()
    assert CALLED[:4] in signed_in("auditor").get(f"/thing/{oak}/rows/").content.decode()


# ------------------------------------------------------------------------------------------------ what follows from an entry


def test_what_looks_unlikely_is_said_after_recording_and_beside_the_row(town, oak, admin, signed_in):
    client = signed_in()
    sent = {**OWN, "row_at_time": "09:09"}  # the call came at 9:10
    said = text_of(client.post(f"/thing/{oak}/record/crew_arrived/", sent, follow=True))
    remark = "Is that right? Crew arrived on Mon Mar 11, 2024, 9:09 am is before the first report of it, C24-001 (Mon Mar 11, 2024, 9:10 am)"
    assert f"{remark}." in said
    assert said.count(remark) == 2  # once as what was said of the entry, once in the timeline
    history = text_of(client.get(reverse("history", args=[oak])))
    assert history.count(remark) == 1
    row = queries.rows(oak, as_account=admin)[-1]
    assert remark in text_of(client.get(f"/row/{row.id}/"))
    assert (
        remark not in text_of(client.post(f"/thing/{oak}/record/area_secured/", OWN, follow=True)).split("Timeline")[0]
    )


def test_a_row_of_a_sheet_that_lies_far_off_is_remarked_on_as_long_as_it_stands(town, oak, admin, signed_in):
    actions.record(
        "call", oak, as_account=admin, at="2014-03-08", data={"what": "smell"}, source="import row", id="far"
    )
    client = signed_in()
    far = "Call on Sat Mar 8, 2014 is more than 180 days from everything else that happened here: look at the year"
    assert far in text_of(client.get(f"/thing/{oak}/", follow=True))
    assert far in text_of(client.get(reverse("history", args=[oak])))
    actions.correct("far", as_account=admin, why="the year", at="2024-03-08")
    assert far not in text_of(client.get(reverse("history", args=[oak])))


def test_what_an_entry_changes_on_another_thing_is_listed(town, admin, signed_in):
    actions.set_facts(
        "town", {"collects_from": "2023-07-01", "gravity_ft": "1000", "lines_under_5_years_ft": "0"}, as_account=admin
    )
    actions.set_facts("p1", {"town": "town", "length_ft": "400", "is_gravity": True}, as_account=admin, type="pipe")
    sent = {**OWN, "length_ft": "100"}  # a tenth of 1,000 ft
    said = text_of(signed_in().post("/thing/p1/record/line_cleaned/", sent, follow=True))
    assert "It changes Spring Hope, too: " in said
    again = text_of(signed_in().post("/thing/p1/record/line_cleaned/", {**sent, "row_at_time": "10:01"}, follow=True))
    assert "It changes" not in again


# ------------------------------------------------------------------------------------------------ where one comes from


@pytest.mark.parametrize(
    ("then", "leads"),
    [
        ("/town/plan/", "/town/plan/#line-k1"), ("", "/thing/k1/"), ("https://elsewhere.example/", "/thing/k1/"),
        ("//elsewhere.example/", "/thing/k1/"), ("/\\elsewhere.example/", "/thing/k1/"), ("javascript:alert(1)", "/thing/k1/"),
    ],
)  # fmt: skip
def test_after_an_entry_one_comes_back_to_where_one_was_and_nowhere_else(town, admin, signed_in, then, leads):
    actions.set_facts("k1", {"role": "Bypass contractor"}, as_account=admin, type="contact")
    sent = {"row_at_day": "", "row_by": "", "row_office": "", "phone": "252-555-0173"}
    assert signed_in().post(f"/thing/k1/facts/?{urlencode({'then': then})}", sent).url == leads
