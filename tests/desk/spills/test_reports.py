"""A spill from its estimate to the filed report: what the pages say, to whom, and what they record."""

from __future__ import annotations

import re
from decimal import Decimal
from html import unescape
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from sewershed.ledger import actions, queries
from sewershed.ledger.papers import spill_report
from sewershed.ledger.papers.source import Source
from tests.desk.recorded import ROLES
from tests.desk.spills.confirmed import BRANCH, CALL, DAY, confirmed
from tests.exchange.photographs import jpeg

OWN = {"row_at_day": DAY, "row_at_time": "10:30", "row_at_is": "exact"}
PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000d49444154789c6360f8cfc0f01f0005000201a5f645400000000049454e44ae426082"
)
PAGES = (
    "volume/", "volume/rate_duration/", "assess/", "telling/", "telling/state/", "telling/callers/", "answers/", "join/",
)  # fmt: skip


def text_of(response: Any) -> str:
    """Returns what a page says, without its tags."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", response.content.decode())).split())


@pytest.fixture
def branch(town, admin) -> str:
    return confirmed(admin)


def rows(admin, name: str) -> list[Any]:
    return [
        one
        for one in queries.rows(BRANCH, as_account=admin)
        if one.name == name and one.stands == "stands" and one.thing == BRANCH
    ]


# ------------------------------------------------------------------------------------------------ the page


def test_the_page_goes_by_its_number_and_a_thing_leads_to_it(town, admin, branch, signed_in):
    client = signed_in()
    number = queries.thing(branch, as_account=admin).number
    assert number == "24-001"
    answer = client.get(f"/thing/{branch}/", {"day": DAY, "time": "09:00"})
    assert (answer.status_code, answer.url) == (302, f"/spills/{number}/?day={DAY}&time=09%3A00")
    assert client.get(f"/spills/{branch}/").status_code == 200
    assert client.get("/spills/24-002/").status_code == 404
    assert client.get("/spills/orc/").status_code == 404


def test_the_page_says_where_it_stands_what_runs_and_whom_to_tell_what(town, branch, signed_in):
    said = text_of(signed_in().get("/spills/24-001/"))
    for words in (
        "Confirmed Mon Mar 11, 8:45 am", "Stopped after 95 minutes",  # 8:00 to 9:35, by hand
        "What to tell them", "From Mon Mar 11, 8:00 am to Mon Mar 11, 9:35 am", "Grease. Grease in the main", "Jetted free",
        "Surface water: not known yet", "Whom to call", "919-791-4200", "800-858-0368", "Caller", "A Neighbor", "Timeline", "Facts",
    ):  # fmt: skip
        assert words in said, words


def test_a_page_of_another_day_shows_what_was_so_then_and_offers_no_record(town, branch, signed_in):
    said = signed_in().get("/spills/24-001/", {"day": DAY, "time": "08:30"})
    assert "You are looking at Mon Mar 11, 2024, 8:30 am" in text_of(said)
    assert "Grease in the main" not in text_of(said)
    assert 'class="do"' not in said.content.decode()


def test_the_page_reads_no_more_than_it_needs(town, branch, signed_in, django_assert_max_num_queries):
    client = signed_in()
    client.get("/spills/24-001/")
    with django_assert_max_num_queries(90):
        client.get("/spills/24-001/")


def test_every_page_answers_each_role_as_its_rights_say(town, branch, signed_in, nobody):
    may = {"administrator", "manager", "clerk", "operator", "crew"}
    for role in ROLES:
        client = signed_in(role)
        for page in ("", "volume/", "telling/"):
            assert client.get(f"/spills/{branch}/{page}").status_code == 200, (role, page)
        for page in set(PAGES) - {"volume/", "telling/", "join/"}:
            assert client.get(f"/spills/{branch}/{page}").status_code == (200 if role in may else 403), (role, page)
        assert client.get(f"/spills/{branch}/join/").status_code == (200 if role in may - {"crew"} else 403), role
    assert nobody.get(f"/spills/{branch}/").status_code == 302
    assert "252-555-0171" not in signed_in("auditor").get(f"/spills/{branch}/").content.decode()
    assert "252-555-0171" not in signed_in("auditor").get(f"/spills/{branch}/telling/").content.decode()


@pytest.mark.parametrize("known", ["now", "then"])
@pytest.mark.parametrize("day", ["2020-01-01", DAY, "2031-05-05"])
def test_no_page_breaks_on_another_day(town, branch, signed_in, known, day):
    client = signed_in()
    for page in ("", *PAGES):
        answer = client.get(f"/spills/{branch}/{page}", {"day": day, "time": "08:30", "known": known})
        assert answer.status_code == 200, (page, day, known)
        assert 'class="usa-button usa-button--big"' not in answer.content.decode(), page


def test_a_decision_in_the_way_is_taken_on_the_page(town, admin, branch, signed_in):
    data = {"ground_gal": "900", "surface_water_gal": "0", "reached_water": False, "contained": False}
    actions.record(
        "spill_assessed", branch, as_account=admin, at=f"{DAY}T10:00", data=data
    )  # neither reportable nor exempt
    client = signed_in("operator")
    page = client.get("/spills/24-001/")
    assert "Reportable?" in text_of(page)
    assert not re.search(
        r'type="radio" name="reading"[^>]*checked', page.content.decode()
    )  # nothing is chosen beforehand
    (url,) = set(re.findall(r'action="(/thing/[^"]+/decide/[^"]+)"', page.content.decode())) or {"none"}
    sent = {"reading": "yes", "by": "orc", "because": "It stood near a well"}
    assert client.post(url, sent).status_code == 302
    said = text_of(client.get("/spills/24-001/"))
    assert "Reportable Yes" in said
    assert "Reportable?" not in said


# ------------------------------------------------------------------------------------------------ how much


def rate(**other: Any) -> dict[str, Any]:
    return {
        **OWN, "period_1_rate": "25", "period_1_start_day": DAY, "period_1_start_time": "08:00", "period_1_stop_day": DAY,
        "period_1_stop_time": "09:35", "start_how": "when the caller noticed it", "stop_how": "jetted free", "what": "total", **other,
    }  # fmt: skip


def test_a_method_works_it_out_and_records_nothing_until_asked(town, admin, branch, signed_in):
    client = signed_in()
    page = text_of(client.post(f"/spills/{branch}/volume/rate_duration/", rate(do="work")))
    assert "2,375 gal" in page  # 25 gallons a minute for 95 minutes, by hand
    assert "Nothing is recorded yet" in page
    assert rows(admin, "volume_estimated") == []
    assert client.post(f"/spills/{branch}/volume/rate_duration/", rate(do="record")).status_code == 302
    (row,) = rows(admin, "volume_estimated")
    assert (row.data["method"], row.data["result_gal"], row.data["what"]) == ("rate_duration", "2375", "total")
    assert row.data["inputs"] == [{"name": "Rate", "value": "25", "unit": "gal/min"}]
    assert "25 gpm x 95 min = 2,375 gal." in row.data["working"]


def test_an_estimate_keeps_its_photographs_with_their_time_and_place(town, admin, branch, signed_in):
    client, path = signed_in("crew"), f"/spills/{branch}/volume/rate_duration/"
    photo = jpeg(moment=b"2024:03:11 09:12:05\x00", gps=("N", "W"))
    files = (("plume.jpg", photo, "image/jpeg"), ("ditch.png", PNG, "image/png"))
    worked = text_of(client.post(path, rate(do="work", files=[SimpleUploadedFile(*one) for one in files])))
    assert "Photographs it rests on" in worked
    assert "Choose the photographs again" in worked
    assert queries.attachments(branch, as_account=admin) == ()
    place = {"phone_lat": "35.95", "phone_lon": "-78.1"}
    assert (
        client.post(
            path, rate(do="record", files=[SimpleUploadedFile(*one) for one in files], row_id="v1", **place)
        ).status_code
        == 302
    )
    (row,) = rows(admin, "volume_estimated")
    plume, ditch = queries.attachments(branch, as_account=admin)
    assert row.data["files"] == [plume["file"], ditch["file"]]
    assert (plume["taken_at"], plume["taken_says"]) == ("2024-03-11T13:12:05Z", "camera")  # 9:12, four hours behind
    assert (ditch.get("taken_at"), ditch["taken_says"]) == (None, "telephone")
    for page in (f"/spills/{branch}/volume/", f"/spills/{branch}/"):
        said = text_of(client.get(page))
        assert "plume.jpg Taken Mon Mar 11, 9:12:05 am, 35.9451, -78.1034, as the camera says" in said, page
        assert "ditch.png Taken 35.95, -78.1, as the telephone says" in said, page
    (estimate,) = spill_report.estimates_of(Source(branch, as_account=admin))[0].values()
    measured = dict(estimate.inputs)
    assert measured["Photograph plume.jpg"].startswith(
        "taken Mon Mar 11, 2024, 9:12:05 am at 35.9451, -78.1034, as the camera says; kept as"
    )


def test_what_is_no_photograph_is_refused_and_no_estimate_is_recorded(town, admin, branch, signed_in):
    sent = rate(do="record", files=[SimpleUploadedFile("page.png", b"<script>1</script>", "image/png")])
    assert signed_in().post(f"/spills/{branch}/volume/rate_duration/", sent).status_code == 422
    assert rows(admin, "volume_estimated") == []
    assert queries.attachments(branch, as_account=admin) == ()


def test_a_period_that_nobody_filled_in_stays_folded(town, branch, signed_in):
    client = signed_in()
    page = client.post(f"/spills/{branch}/volume/rate_duration/", rate(do="work")).content.decode()
    assert page.count("part--group") == 2  # the second and the third
    some = client.post(f"/spills/{branch}/volume/rate_duration/", rate(do="work", period_2_rate="5")).content.decode()
    assert some.count("part--group") == 1
    assert "Period 2 lacks its rate, its beginning or its end" in some


def test_area_and_depth_over_two_areas_with_what_soaked_in(town, admin, branch, signed_in):
    sent = {
        **OWN, "area_1_kind": "rectangle", "area_1_a": "40", "area_1_b": "15", "area_1_depths": "3", "area_2_kind": "rectangle",
        "area_2_a": "12", "area_2_b": "10", "area_2_depths": "1, 2", "absorbed_gal": "100", "absorbed_how": "a test pit",
        "what": "total", "do": "record",
    }  # fmt: skip
    assert signed_in().post(f"/spills/{branch}/volume/area_depth/", sent).status_code == 302
    (row,) = rows(admin, "volume_estimated")
    # by hand: 40 x 15 x 3/12 x 7.48 = 1122; 12 x 10 x 1.5/12 x 7.48 = 112.2; and 100
    assert row.data["result_gal"] == "1334.2"


def test_what_the_program_refuses_stands_in_the_form(town, admin, branch, signed_in):
    sent = {**OWN, "of_55": "4", "do": "record"}
    answer = signed_in().post(f"/spills/{branch}/volume/eyeball/", sent)
    assert answer.status_code == 422
    assert "220 gal is too much for the eye" in text_of(answer)
    assert rows(admin, "volume_estimated") == []
    assert signed_in().get(f"/spills/{branch}/volume/no_such_way/").status_code == 404


@pytest.mark.parametrize("method", sorted(__import__("sewershed.desk.spills.volume", fromlist=["FORMS"]).FORMS))
def test_every_method_has_a_form_that_says_what_is_missing(town, branch, signed_in, method):
    client = signed_in()
    assert client.get(f"/spills/{branch}/volume/{method}/").status_code == 200
    assert client.post(f"/spills/{branch}/volume/{method}/", {"do": "work"}).status_code == 422


METHODS: dict[
    str, tuple[dict[str, str], str]
] = {  # each expected value by hand, or of the program's own worked example
    "eyeball": ({"of_5": "3", "of_55": "1"}, "70"),
    "wet_stain": ({"surface": "concrete", "area_1_kind": "rectangle", "area_1_a": "100", "area_1_b": "10"}, "19.4"),
    "metered": ({"inflow_gal": "41,000", "outflow_gal": "38,500", "meters": "influent and effluent"}, "2500"),
    "pump_run_time": ({"pump_1_name": "pump 1", "pump_1_minutes": "30", "pump_1_gpm": "80"}, "2400"),
    "cover_plume": ({"plume_in": "2", "start_how": "call", "stop_how": "relieved"}, "2375"),
    "upstream_laterals": (
        {"connections": "40", "gpd_each": "240", "start_how": "call", "stop_how": "relieved"},
        "633.3",
    ),
    "other": ({"result_gal": "2,000", "working": "Two tank loads"}, "2000"),
}


@pytest.mark.parametrize("method", sorted(METHODS))
def test_a_method_records_what_it_works_out(town, admin, branch, signed_in, method):
    sent, gallons = METHODS[method]
    when = {"start_day": DAY, "start_time": "08:00", "stop_day": DAY, "stop_time": "09:35"}
    answer = signed_in().post(f"/spills/{branch}/volume/{method}/", {**OWN, **when, **sent, "do": "record"})
    assert answer.status_code == 302, text_of(answer)
    (row,) = rows(admin, "volume_estimated")
    assert (row.data["method"], row.data["result_gal"]) == (method, gallons)


def estimated(admin) -> str:
    data = {"method": "rate_duration", "what": "total", "result_gal": "2375", "working": "25 gpm x 95 min"}
    return str(actions.record("volume_estimated", BRANCH, as_account=admin, at=f"{DAY}T10:00", data=data).id)


def test_choosing_and_what_reached_water_are_two_figures(town, admin, branch, signed_in):
    root = estimated(admin)
    sent = {**OWN, "estimate": root, "chosen_because": "the ditch soaks fast", "reached_water": "true", "surface_water_gal": "400",
            "water_name": "A creek", "recovered_gal": "600", "recovered_into": "a manhole", "row_by": "orc", "row_office": "orc"}  # fmt: skip
    answer = signed_in().post(f"/spills/{branch}/assess/", sent)
    assert answer.status_code == 302, text_of(answer)
    (chosen,), (assessed,), (recovered,) = (rows(admin, name) for name in ("volume_chosen", "spill_assessed", "volume_recovered"))  # fmt: skip
    assert chosen.data == {"estimate": root, "because": "the ditch soaks fast"}
    assert (assessed.data["ground_gal"], assessed.data["surface_water_gal"]) == ("1975", "400")  # 2,375 less 400
    assert recovered.data == {"recovered_gal": "600", "into": "a manhole"}
    said = text_of(signed_in().get("/spills/24-001/"))
    assert "2,375" in said
    assert "Chosen by A. Operator" in said
    assert "the ditch soaks fast" in said
    again = signed_in().get(f"/spills/{branch}/assess/").content.decode()
    assert re.search(rf'value="{root}"[^>]*checked', again)
    assert signed_in().post(f"/spills/{branch}/assess/", {**sent, "fish_kill": "false"}).status_code == 302
    assert (
        len(rows(admin, "volume_chosen")) == len(rows(admin, "volume_recovered")) == 1
    )  # nothing new was said of either
    assert Decimal(rows(admin, "spill_assessed")[-1].data["ground_gal"]) == 1975


@pytest.mark.parametrize(
    ("sent", "words"),
    [
        ({"surface_water_gal": "2376", "reached_water": "true"}, "cannot have reached surface water when 2,375 gal were spilled"),
        ({"recovered_gal": "2376"}, "give the reason, such as rain or wash water"),
        ({"reached_water": "false", "surface_water_gal": "1"}, "It did not reach surface water, and yet"),
        ({"chosen_because": ""}, "Say why: somebody will ask."),
    ],
)  # fmt: skip
def test_figures_that_contradict_each_other_are_refused(town, admin, branch, signed_in, sent, words):
    good = {**OWN, "estimate": estimated(admin), "chosen_because": "measured"}
    answer = signed_in().post(f"/spills/{branch}/assess/", {**good, **sent})
    assert answer.status_code == 422
    assert words in text_of(answer)
    assert rows(admin, "spill_assessed") == []


def test_at_the_bound_the_figures_stand(town, admin, branch, signed_in):
    sent = {**OWN, "estimate": estimated(admin), "chosen_because": "measured", "reached_water": "true", "surface_water_gal": "2375",
            "recovered_gal": "2375"}  # fmt: skip
    assert signed_in().post(f"/spills/{branch}/assess/", sent).status_code == 302
    assert rows(admin, "spill_assessed")[-1].data["ground_gal"] == "0"


# ------------------------------------------------------------------------------------------------ telling


def test_a_voice_mail_is_recorded_and_does_not_count(town, admin, branch, signed_in):
    client = signed_in()
    answer = client.post(f"/spills/{branch}/telling/state/", {**OWN, "way": "voice_mail"}, follow=True)
    assert "It does not count" in text_of(answer)
    assert client.get(f"/spills/{branch}/").content.decode().count("record_state_told") == 0
    spoken = {**OWN, "way": "person", "spoken_to": "Duty officer", "incident_number": "202400123"}
    said = text_of(client.post(f"/spills/{branch}/telling/state/", spoken, follow=True))
    assert "It does not count" not in said
    assert "202400123" in said


def test_when_the_rest_is_done_the_call_is_next_with_its_clock(town, admin, branch, signed_in):
    at = f"{DAY}T10:00"
    for event, data in (("area_clean", {"is_disposed_properly": True}), ("spill_contained", {"how": "Sandbags"}), ("area_secured", {"how": "Cones"}),
                        ("destination_found", {"destination": "ground"}), ("orc_visited", {"visitor": "orc"}), ("site_disinfected", {"agent": "Lime"})):  # fmt: skip
        actions.record(event, branch, as_account=admin, at=at, data=data)
    picture = {**OWN, "stage": "on_site", "files": SimpleUploadedFile("a.png", PNG, "image/png")}
    assert signed_in().post(f"/spills/{branch}/on-site/photographs_taken/", picture).status_code == 302
    data = {"ground_gal": "2375", "surface_water_gal": "0", "reached_water": False}
    actions.record("spill_assessed", branch, as_account=admin, at=at, data=data, performed_by="orc", office="orc")
    page = signed_in().get("/spills/24-001/")
    head = text_of(page).split("Record what happened")[0]
    assert "Speak to a person at the state within 24 hours" in head
    assert "21 h" in head  # from 8:10 the day before to 11:00: 2 h 50 min of the 24 are used
    assert "12 % of the time is used" in page.content.decode()  # 170 of 1440 minutes
    assert "2,375 gallons" in head
    assert "No call to the state is on record" in head
    assert 'class="pictures"' in page.content.decode()


def test_the_telling_page_names_every_step_with_its_state(town, branch, signed_in):
    said = text_of(signed_in().get(f"/spills/{branch}/telling/"))
    for words in ("The state", "The press", "The public notice", "Callers", "The spill report", "Record press release", "A Neighbor"):  # fmt: skip
        assert words in said, words


def test_a_mark_stands_beside_what_its_duty_asks_not_beside_what_another_finding_would_mean(
    town, admin, branch, signed_in
):
    """An assessment that it reached no water meets the duty to find out, and is no finding that it did."""
    data = {"reached_water": False, "ground_gal": "800", "surface_water_gal": "0"}
    actions.record("state_told", branch, as_account=admin, at=f"{DAY}T09:50", data={"way": "person", "spoken_to": "The duty officer"})  # fmt: skip
    actions.record("spill_assessed", branch, as_account=admin, at=f"{DAY}T10:00", data=data, performed_by="orc", office="orc")  # fmt: skip
    said = text_of(signed_in().get(f"/spills/{branch}/telling/"))
    assert "sewage reached surface water, and how much" not in said
    assert "somebody tried to tell it" not in said
    assert "Met Find out whether surface water was reached" in said
    assert "Met Speak to a person at the regional office within 24 hours" in said


def test_a_caller_is_told_and_then_stands_as_told(town, admin, branch, signed_in):
    client = signed_in()
    assert client.post(f"/spills/{branch}/telling/callers/", {**OWN, "way": "telephone"}).status_code == 422
    assert client.post(f"/spills/{branch}/telling/callers/", {**OWN, "way": "telephone", "call": "nothing"}).status_code == 422  # fmt: skip
    assert (
        client.post(f"/spills/{branch}/telling/callers/", {**OWN, "way": "telephone", "call": CALL}).status_code == 302
    )
    (row,) = rows(admin, "caller_followed_up")
    assert row.data == {"call": CALL, "way": "telephone"}
    assert "Told Mon Mar 11, 10:30 am, by telephone" in text_of(client.get("/spills/24-001/"))


def test_what_the_form_asks_by_cause_is_answered_with_its_log(town, admin, branch, signed_in):
    client = signed_in()
    page = client.get(f"/spills/{branch}/answers/")
    asked = re.findall(r'name="(answer_\d+)"', page.content.decode())
    assert len(asked) == 7  # the state's form asks seven things about grease
    first = {"answer_0": "In November", "rests_0": "Cleaning log, Nov 6"}
    assert client.post(f"/spills/{branch}/answers/", first).status_code == 302
    (row,) = rows(admin, "form_answered")
    assert row.data == {"cause": "grease", "question": "last_cleaned", "answer": "In November", "rests_on": "Cleaning log, Nov 6"}  # fmt: skip
    assert client.post(f"/spills/{branch}/answers/", first).status_code == 302  # the same again says nothing new
    assert len(rows(admin, "form_answered")) == 1
    assert client.post(f"/spills/{branch}/answers/", {"rests_1": "a log"}).status_code == 422


# ------------------------------------------------------------------------------------------------ closing and joining


def test_a_report_that_was_nothing_closes_and_can_be_taken_back(town, admin, signed_in):
    confirmed(admin)
    actions.set_facts("elm", {"location": "Elm Street"}, as_account=admin, type="spill")
    actions.record("call", "elm", as_account=admin, at=f"{DAY}T09:00", data={"what": "smell"})
    client = signed_in()
    assert "What is it?" in text_of(client.get("/spills/elm/"))
    sent = {**OWN, "found": "smell_only", "findings": "A smell, no sewage"}
    assert client.post("/spills/elm/on-site/found/", sent).status_code == 302
    said = text_of(client.get("/spills/elm/"))
    assert "Found to be none, Mon Mar 11, 10:30 am. Smell only. A smell, no sewage" in said
    assert not [one for one in queries.due(as_account=admin, thing="elm").items if one.due is not None]
    row = next(one for one in queries.rows("elm", as_account=admin) if one.name == "found_to_be_none")
    client.post(f"/row/{row.id}/withdraw/", {"row_why": "it was sewage after all"})
    assert "Found to be none, Mon" not in text_of(client.get("/spills/elm/")).split("Timeline")[0]


def test_two_reports_of_one_place_and_hour_are_joined_and_taken_apart(town, admin, branch, signed_in):
    actions.set_facts("second", {"location": "Branch Street, by the school"}, as_account=admin, type="spill")
    actions.record(
        "call", "second", as_account=admin, at=f"{DAY}T08:30", data={"what": "sewage_on_ground"}, id="call-2"
    )
    actions.set_facts("old", {"location": "Branch Street"}, as_account=admin, type="spill")
    actions.record("call", "old", as_account=admin, at="2024-03-09T08:00", data={"what": "smell"})
    client = signed_in()
    page = text_of(client.get("/spills/second/join/"))
    assert "Branch Street at Second" in page
    assert "Branch Street." not in page  # that came two days before
    assert "the same spill?" in text_of(client.get("/spills/second/"))
    assert client.post("/spills/second/join/", {"other": branch}).status_code == 422
    sent = {"other": branch, "goes_on": "other", "because": "The same manhole"}
    assert client.post("/spills/second/join/", sent).status_code == 302
    assert {one.root for one in rows(admin, "call")} == {CALL, "call-2"}
    assert "It turned out to be the same as" in text_of(client.get("/spills/second/"))
    (batch,) = queries.batches(as_account=admin)
    undo = f"/spills/{branch}/join/{batch.id}/undo/"
    assert undo in client.get("/spills/24-001/").content.decode()
    assert client.post(undo, {"row_why": ""}).status_code == 422
    assert client.post(undo, {"row_why": "two manholes"}).status_code == 302
    assert {one.root for one in rows(admin, "call")} == {CALL}
    assert client.get(f"/spills/{branch}/join/nothing/undo/").status_code == 404
    assert signed_in("crew").get(f"/spills/{branch}/join/").status_code == 403
