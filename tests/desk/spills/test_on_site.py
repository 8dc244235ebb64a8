"""On site: what there is to do, what it turned out to be, and photographs with their time and place."""

from __future__ import annotations

import json
import re
from html import unescape

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from sewershed.desk.things.photographs import Said, taken
from sewershed.ledger import actions, queries
from tests.desk.recorded import ROLES, spill
from tests.exchange.photographs import jpeg

WHEN = {"row_at_day": "2024-03-11", "row_at_time": "10:30", "row_at_is": "exact"}
PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000d49444154789c6360606060000000050001a5f645400000000049454e44ae426082"
)


def text_of(response) -> str:
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", response.content.decode())).split())


def last(thing: str, admin, name: str):
    return [one for one in queries.rows(thing, as_account=admin) if one.name == name and one.stands == "stands"][-1]


def state(thing: str, admin) -> str:
    return next(one.text for one in queries.facts(thing, as_account=admin) if one.name == "state")


@pytest.fixture
def oak(town, admin) -> str:
    return spill(admin)


@pytest.fixture
def backed_up(town, admin) -> str:
    actions.set_facts("b1", {"location": "9 Dogwood Lane"}, as_account=admin, type="spill")
    actions.record("call", "b1", as_account=admin, at="2024-03-11T09:10", data={"what": "backup_indoors"})
    return "b1"


# ------------------------------------------------------------------------------------------------ arriving, and the steps


def test_on_site_asks_for_the_arrival_first_and_then_what_it_is(
    town, oak, admin, signed_in, django_assert_max_num_queries
):
    client = signed_in("crew")
    with django_assert_max_num_queries(70):
        before = text_of(client.get(f"/spills/{oak}/on-site/"))
    for words in (
        "Are you there?",
        "It was still running on arrival",
        "I am on site",
        "Oak Street at First",
        "Sewage on ground",
    ):
        assert words in before, words
    assert "Keep people safe" not in before
    answer = client.post(f"/spills/{oak}/on-site/crew_arrived/", {**WHEN, "is_running": "true"})
    assert (answer.status_code, answer.url) == (302, f"/spills/{oak}/on-site/")
    assert last(oak, admin, "crew_arrived").data == {"is_running": True}
    after = text_of(client.get(f"/spills/{oak}/on-site/"))
    assert "Are you there?" not in after
    for words in ("Say what it is", "Keep people safe", "Photographs", "Start and stop", "Clean up"):
        assert words in after, words


def test_of_what_is_owed_at_once_containing_comes_first(town, oak, admin, signed_in):
    """The plan says that nothing comes before containing (SORP III.C.2): what is as urgent stands behind it."""
    actions.record("crew_arrived", oak, as_account=admin, at="2024-03-11T10:30")
    actions.record("spill_confirmed", oak, as_account=admin, at="2024-03-11T10:31", performed_by="orc", office="orc")
    at_once = [one.means for one in queries.due(as_account=admin, thing=oak).items if one.due is None]
    assert at_once.index("Contain it at once; nothing comes before") < at_once.index("Find the cause")
    whole = [one.means for one in queries.due(as_account=admin, limit=50).items if one.due is None]
    assert [one for one in whole if one in at_once] == at_once
    page = signed_in().get(f"/spills/{oak}/").content.decode()
    assert "Contain it at once" in page.split('id="next"')[1].split("</h2>")[0]


def test_a_step_is_recorded_and_shown_as_recorded_with_what_was_said(town, oak, admin, signed_in):
    client = signed_in("crew")
    client.post(f"/spills/{oak}/on-site/crew_arrived/", WHEN)
    client.post(f"/spills/{oak}/on-site/area_secured/", {**WHEN, "how": "Cones and tape"})
    said = text_of(client.get(f"/spills/{oak}/on-site/"))
    assert "Area secured Recorded today, 10:30 am: Cones and tape" in said


def test_start_and_stop_say_how_each_was_estimated(town, oak, admin, signed_in):
    client = signed_in("crew")
    sent = {
        **WHEN,
        "started_at_day": "2024-03-11",
        "started_at_time": "",
        "started_is": "estimated",
        "how": "Dry at dusk",
    }
    assert client.post(f"/spills/{oak}/on-site/start_estimated/", sent).status_code == 302
    started = last(oak, admin, "start_estimated").data
    assert started == {
        "started_at": "2024-03-11",
        "started_is": "estimated",
        "how": "Dry at dusk",
    }  # a day, not midnight
    assert client.post(f"/spills/{oak}/on-site/start_estimated/", {**WHEN, "how": "no moment"}).status_code == 422
    sent = {**WHEN, "stopped_is": "exact", "because": "corrected", "how": "Rodded free"}
    assert client.post(f"/spills/{oak}/on-site/spill_stopped/", sent).status_code == 302
    assert last(oak, admin, "spill_stopped").data == {
        "stopped_is": "exact",
        "because": "corrected",
        "how": "Rodded free",
    }


def test_only_steps_have_a_page_and_only_spills_a_site(town, oak, signed_in):
    client = signed_in()
    for path in (f"/spills/{oak}/on-site/state_told/", f"/spills/{oak}/on-site/unheard_of/", "/spills/orc/on-site/", "/spills/none/on-site/"):  # fmt: skip
        assert client.get(path).status_code == 404, path


# ------------------------------------------------------------------------------------------------ what it is


@pytest.mark.parametrize(
    ("found", "event", "data", "stands"),
    [
        ("spill_confirmed", "spill_confirmed", {}, "confirmed"),
        ("nothing_found", "found_to_be_none", {"reason": "nothing_found"}, "none"),
        ("smell_only", "found_to_be_none", {"reason": "smell_only"}, "none"),
        ("clean_water", "found_to_be_none", {"reason": "clean_water"}, "none"),
        ("false_alarm", "found_to_be_none", {"reason": "false_alarm"}, "none"),
        ("other", "found_to_be_none", {"reason": "other"}, "none"),
        ("found_not_ours", "found_not_ours", {"whose": "The county school"}, "not_ours"),
        ("found_private", "found_private", {}, "private"),
    ],
)
def test_every_call_closes_with_one_of_the_words(town, oak, admin, signed_in, found, event, data, stands):
    client = signed_in("crew")
    assert "What is it?" in text_of(client.get(f"/spills/{oak}/on-site/found/"))
    sent = {**WHEN, "found": found, "findings": "As seen", "whose": "The county school"}
    answer = client.post(f"/spills/{oak}/on-site/found/", sent)
    assert answer.status_code == 302
    assert last(oak, admin, event).data == {"findings": "As seen", **data}
    assert state(oak, admin) == stands
    is_open = any(one.due is not None and one.word in ("Due soon", "Overdue") for one in queries.due(as_account=admin, thing=oak).items)  # fmt: skip
    assert is_open is (stands == "confirmed")
    if stands == "confirmed":
        assert "has its number: 24-001" in text_of(client.get(answer.url))


def test_main_blocked_is_a_spill_and_main_clear_is_none_once_both_manholes_are_opened(
    town, backed_up, admin, signed_in
):
    client, path = signed_in("crew"), f"/spills/{backed_up}/on-site/found/"
    assert "Main blocked: it backed up from our sewer" in text_of(client.get(path))
    refused = client.post(path, {**WHEN, "found": "main_clear"})
    assert refused.status_code == 422
    assert "the two manholes together say" in text_of(refused)
    sent = {**WHEN, "found": "main_clear", "above": "flowing", "below": "flowing",
            "files": SimpleUploadedFile("both.png", PNG, "image/png")}  # fmt: skip
    assert client.post(path, sent).status_code == 302
    opened = last(backed_up, admin, "manholes_checked").data
    assert (opened["above"], opened["below"], len(opened["files"])) == ("flowing", "flowing", 1)
    assert last(backed_up, admin, "found_to_be_none").data == {"reason": "main_clear"}
    sent = {**WHEN, "row_at_time": "10:40", "found": "main_blocked", "above": "backed_up", "below": "dry"}
    assert client.post(path, sent).status_code == 302
    assert state(backed_up, admin) == "confirmed"
    assert last(backed_up, admin, "spill_confirmed").at == "2024-03-11T14:40:00Z"


def test_main_blocked_is_no_answer_to_a_call_about_the_street(town, oak, signed_in):
    answer = signed_in().post(f"/spills/{oak}/on-site/found/", {**WHEN, "found": "main_blocked"})
    assert answer.status_code == 422


def test_what_was_found_twice_in_a_form_is_one_row(town, oak, admin, signed_in):
    client, sent = signed_in(), {**WHEN, "found": "smell_only", "row_id": "f1"}
    client.post(f"/spills/{oak}/on-site/found/", sent)
    client.post(f"/spills/{oak}/on-site/found/", sent)
    assert len([one for one in queries.rows(oak, as_account=admin) if one.name == "found_to_be_none"]) == 1


# ------------------------------------------------------------------------------------------------ photographs


def upload(client, thing: str, *files: SimpleUploadedFile, **more):
    return client.post(
        f"/spills/{thing}/on-site/photographs_taken/", {**WHEN, "stage": "on_site", "files": list(files), **more}
    )


def kept(thing: str, admin) -> list:
    return list(queries.attachments(thing, as_account=admin))


def test_a_photograph_keeps_the_time_and_place_that_its_camera_wrote(town, oak, admin, signed_in):
    photo = jpeg(moment=b"2024:03:11 10:12:05\x00", gps=("N", "W"))
    answer = upload(signed_in("crew"), oak, SimpleUploadedFile("manhole.jpg", photo, "image/jpeg"), shows="The manhole")
    assert answer.status_code == 302
    (one,) = kept(oak, admin)
    assert (one["taken_at"], one["taken_says"], one["caption"]) == ("2024-03-11T14:12:05Z", "camera", "The manhole")
    assert json.loads(one["point"])["coordinates"] == ["-78.1034", "35.9451"]
    assert last(oak, admin, "photographs_taken").data == {
        "stage": "on_site",
        "shows": "The manhole",
        "files": [one["file"]],
    }


def test_where_the_camera_wrote_nothing_the_telephone_says_it(town, oak, admin, signed_in):
    said = {"phone_times": json.dumps({"a.png": 946684800000}), "phone_lat": "35.95", "phone_lon": "-78.1"}
    upload(signed_in("crew"), oak, SimpleUploadedFile("a.png", PNG, "image/png"), **said)
    (one,) = kept(oak, admin)
    assert one["taken_says"] == "telephone"
    assert json.loads(one["point"])["coordinates"] == ["-78.1", "35.95"]


@pytest.mark.parametrize("said", [{"phone_times": "no JSON"}, {"phone_times": "[1]"}, {"phone_times": '{"a.png": "x"}'}, {"phone_lat": "91", "phone_lon": "0"}, {"phone_lat": "x"}])  # fmt: skip
def test_what_a_telephone_says_amiss_is_left_out(town, oak, admin, signed_in, said):
    assert upload(signed_in(), oak, SimpleUploadedFile("a.png", PNG, "image/png"), **said).status_code == 302
    (one,) = kept(oak, admin)
    assert not {"taken_at", "taken_says", "point"} & set(one)


def test_a_camera_without_an_offset_is_read_in_the_towns_time_and_never_guessed(town):
    assert taken(jpeg(moment=b"2024:03:08 15:40:12\x00")) == Said("2024-03-08T20:40:12Z", "camera")  # EST is five hours
    assert taken(jpeg(moment=b"2024:03:08 15:40:12\x00", offset=b"+01:00\x00")).at == "2024-03-08T14:40:12Z"
    assert taken(jpeg(moment=b"2023:11:05 01:30:00\x00")).at == "2023-11-05"  # came twice that night
    assert taken(jpeg(moment=b"2024:03:10 02:30:00\x00")).at == "2024-03-10"  # never came
    assert taken(jpeg(moment=b"2030:01:01 00:00:00\x00")) == Said()  # a wrong clock
    assert taken(jpeg(moment=b"2024:99:99 00:00:00\x00")) == Said()


@pytest.mark.parametrize(
    ("name", "content", "mime"),
    [
        ("page.png", b"<script>alert(1)</script>", "image/png"),
        ("page.html", b"<script>alert(1)</script>", "text/html"),
        ("picture.svg", b"<svg xmlns='http://www.w3.org/2000/svg' onload='x()'/>", "image/svg+xml"),
        ("program.exe", b"MZ\x90\x00", "application/x-msdownload"),
        ("empty.png", b"", "image/png"),
    ],
)
def test_what_is_no_photograph_is_refused_and_nothing_is_kept(town, oak, admin, signed_in, name, content, mime):
    good = SimpleUploadedFile("good.png", PNG, "image/png")
    answer = upload(signed_in(), oak, good, SimpleUploadedFile(name, content, mime))
    assert answer.status_code == 422
    assert kept(oak, admin) == []


def test_no_photograph_and_too_many_are_refused(town, oak, signed_in):
    assert upload(signed_in(), oak).status_code == 422
    many = [SimpleUploadedFile(f"{number}.png", PNG, "image/png") for number in range(13)]
    answer = upload(signed_in(), oak, *many)
    assert answer.status_code == 422
    assert "at most 12 at once" in text_of(answer)


def test_who_may_not_record_sees_the_site_without_its_buttons(town, oak, signed_in, nobody):
    for path in ("on-site/", "on-site/found/", "on-site/area_secured/", "on-site/photographs_taken/"):
        assert nobody.get(f"/spills/{oak}/{path}").status_code == 302
        for role in ROLES:
            may = role in ("administrator", "manager", "clerk", "operator", "crew") or path == "on-site/"
            assert signed_in(role).get(f"/spills/{oak}/{path}").status_code == (200 if may else 403), (path, role)
    said = text_of(signed_in("auditor").get(f"/spills/{oak}/on-site/"))
    assert "I am on site" not in said


@pytest.mark.parametrize("path", ["on-site/", "dispatch/"])
def test_another_day_is_looked_at_on_the_spills_own_page(town, oak, signed_in, path):
    answer = signed_in().get(f"/spills/{oak}/{path}", {"day": "2024-03-11", "time": "09:30"})
    assert (answer.status_code, answer.url) == (302, f"/spills/{oak}/?day=2024-03-11&time=09%3A30&known=now")


def test_a_backup_indoors_has_its_own_steps(town, oak, backed_up, signed_in):
    client = signed_in("crew")
    client.post(f"/spills/{backed_up}/on-site/crew_arrived/", WHEN)
    client.post(f"/spills/{oak}/on-site/crew_arrived/", WHEN)
    said = text_of(client.get(f"/spills/{backed_up}/on-site/"))
    for words in ("Backed up indoors", "Backup advised", "Manholes checked", "Claim form given"):
        assert words in said, words
    assert "Claim form given" not in text_of(client.get(f"/spills/{oak}/on-site/"))
    assert client.post(f"/spills/{backed_up}/on-site/claim_form_given/", WHEN).status_code == 302
