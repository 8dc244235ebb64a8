"""Bringing in a list at the desk: file, what it is, columns, questions, plan, approval, undoing; who may; the same list twice."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from sewershed.desk.imports import queries
from sewershed.desk.imports.models import Arrival
from sewershed.desk.jobs.worker import Worker
from sewershed.ledger import actions, files, log
from sewershed.ledger.models import Batch, CurrentFact, Finding, Obligation, Thing

LISTS = Path(__file__).parents[2] / "exchange" / "lists"
# By hand: a title above the heads, a total below, a day that is none, a word that the record does not have.
STATIONS = b"""Lift stations of the town,,,,,
LS #,Lift Station Name,In Service,Generator,# of Pumps,Firm Capacity (gpm)
1,Branch Street,01/16/2014,On site,2,250
2,Mill,03/02/1998,portable,2,120
3,School,13/45/2009,none,2,80
4,Hospital,06/30/2010,,3,"1,200"
5,Depot,07/01/2011,diesel,2,90
Total,,,,11,
"""
VISITS = b"""Date,Time,Station,Comments
3/4/24,8:15 AM,Branch Street,ok
3/4/24,8:50 AM,Mill,
3/5/24,8:10 AM,Branch St,trash removed
3/5/24,8:44 AM,Mill,ok
3/5/24,8:44 AM,Mill,ok
"""


def text_of(answer) -> str:
    return unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", answer.content.decode())))


def sent(client: Client, content: bytes, name: str, asked: str = "") -> str:
    """Sends a file and returns the id under which it is on its way."""
    answer = client.post(f"/imports/{asked}", {"list": SimpleUploadedFile(name, content)})
    assert answer.status_code == 302, text_of(answer)
    return answer["Location"].split("/")[2]


def form_of(answer) -> dict[str, str]:
    """Returns the answers of a page's form as it stands."""
    form = answer.context["form"]
    return {one.name: "" if one.value() is None else str(one.value()) for one in form}


def go(client: Client, arrival: str, step: str, **said: str):
    """Sends the form of a step as it stands, with some answers of one's own."""
    page = client.get(reverse(f"import_{step}", args=[arrival]))
    assert page.status_code == 200, page
    return client.post(reverse(f"import_{step}", args=[arrival]), {**form_of(page), **said})


def answered(client: Client, arrival: str, *wanted: str):
    """Answers each question with the choice that says what is wanted."""
    page = client.get(reverse("import_questions", args=[arrival]))
    said = {}
    for field in page.context["form"]:
        (value,) = [value for value, label in field.field.choices if any(one in label for one in wanted)]
        said[field.name] = value
    return client.post(reverse("import_questions", args=[arrival]), said)


def stations_in(client: Client) -> str:
    """Brings the stations in, and returns the id of the batch."""
    arrival = sent(client, STATIONS, "stations.csv", "?thing=station")
    assert go(client, arrival, "columns").status_code == 302
    assert answered(client, arrival, "month", "parts thousands", "none of them").status_code == 302
    page = client.get(reverse("import_plan", args=[arrival]))
    answer = client.post(reverse("import_plan", args=[arrival]), {"plan": page.context["approved"]})
    assert answer.status_code == 302, text_of(answer)
    return answer["Location"].split("/")[2]


def follows() -> list[object]:
    """Returns all that follows from the record, and which things there are.

    What an event that was withdrawn had opened stays as a line that is void, and says so: it is left out here.
    """
    return [
        list(Obligation.objects.exclude(state="void").order_by("key").values()),
        list(Finding.objects.order_by("key").values()),
        list(CurrentFact.objects.order_by("thing", "name").values("thing", "name", "text", "from_day", "row")),
        list(Thing.objects.filter(is_gone=False).order_by("id").values("id", "type", "label", "number")),
    ]


# ------------------------------------------------------------------------------------------------ from file to record


def test_a_list_goes_in_step_by_step(town, admin, signed_in):
    clerk = signed_in("clerk")
    arrival = sent(clerk, STATIONS, "stations.csv")
    said = text_of(clerk.get(reverse("import_what", args=[arrival])))
    assert "stations.csv, 5 lines below the heads on line 2" in said
    assert go(clerk, arrival, "what", kind="thing:station")["Location"] == reverse("import_columns", args=[arrival])
    page = clerk.get(reverse("import_columns", args=[arrival]))
    assert form_of(page)["key"] == "LS #"
    assert [field.value() for field in page.context["form"].rows] == [
        "", "name", "in_service_since", "generator", "pumps", "firm_capacity_gpm",
    ]  # fmt: skip
    assert go(clerk, arrival, "columns")["Location"] == reverse("import_questions", args=[arrival])
    assert clerk.get(reverse("import_plan", args=[arrival]))["Location"] == reverse("import_questions", args=[arrival])
    answered(clerk, arrival, "month", "parts thousands", "none of them")
    before = log.head()
    page = clerk.get(reverse("import_plan", args=[arrival]))
    said = text_of(page)
    assert "Begin 3 Stay as they are 0 Cannot be read 2 Lines in all 5" in said
    assert "In Service is '13/45/2009': there is no such day" in said
    assert "Line 1: above the head of the list" in said
    assert log.head() == before
    answer = clerk.post(reverse("import_plan", args=[arrival]), {"plan": page.context["approved"]}, follow=True)
    said = text_of(answer)
    assert "3 begun, 2 could not be read" in said
    labels = set(Thing.objects.filter(type="station").values_list("label", "source_id"))
    assert labels == {("Branch Street", "1"), ("Mill", "2"), ("Hospital", "4")}
    facts = dict(CurrentFact.objects.filter(thing=Thing.objects.get(label="Hospital").id).values_list("name", "text"))
    assert (facts["in_service_since"], facts["firm_capacity_gpm"]) == ("2010-06-30", "1200")
    assert "generator" not in facts  # an empty cell says nothing


def test_lines_that_cannot_be_read_are_kept_mended_and_brought_in(town, admin, signed_in):
    clerk = signed_in("clerk")
    batch = stations_in(clerk)
    kept = clerk.get(reverse("imported_not_read", args=[batch])).content
    assert kept.decode("utf-8-sig").splitlines() == [
        "LS #,Lift Station Name,In Service,Generator,# of Pumps,Firm Capacity (gpm),Why it was not taken,Line of the file",
        "3,School,13/45/2009,none,2,80,In Service is '13/45/2009': there is no such day,5",
        "5,Depot,07/01/2011,diesel,2,90,\"Generator is 'diesel': it is none of on site, portable, none\",7",
    ]
    mended = kept.replace(b"13/45/2009", b"12/31/2009").replace(b",diesel,", b",portable,")
    arrival = sent(clerk, mended, "mended.csv", "?thing=station")
    page = clerk.get(reverse("import_columns", args=[arrival]))
    assert [field.value() for field in page.context["form"].rows][-2:] == ["", ""]
    assert [one.because for one, _ in page.context["columns"]][1] == "so it was taken before"
    go(clerk, arrival, "columns")
    if clerk.get(reverse("import_questions", args=[arrival])).status_code == 200:
        answered(clerk, arrival, "month")
    page = clerk.get(reverse("import_plan", args=[arrival]))
    assert (page.context["counts"]["begin"], page.context["refused"]) == (2, 0)
    clerk.post(reverse("import_plan", args=[arrival]), {"plan": page.context["approved"]})
    assert Thing.objects.filter(type="station", is_gone=False).count() == 5
    assert clerk.get(reverse("imported_file", args=[batch])).content == STATIONS


def test_the_same_list_twice_changes_nothing(town, admin, signed_in):
    clerk = signed_in("clerk")
    stations_in(clerk)
    arrival = sent(clerk, STATIONS, "stations.csv", "?thing=station")
    go(clerk, arrival, "columns")
    answered(clerk, arrival, "month", "parts thousands", "none of them")
    head = log.head()
    page = clerk.get(reverse("import_plan", args=[arrival]))
    assert page.context["counts"] == {"begin": 0, "change": 0, "event": 0, "same": 3, "refused": 2}
    assert "There is nothing to bring in" in text_of(page)
    answer = clerk.post(reverse("import_plan", args=[arrival]), {"plan": page.context["approved"]}, follow=True)
    assert "the record says all of this already" in text_of(answer)
    assert log.head() == head


def test_what_was_brought_in_is_undone_and_what_follows_is_as_before(town, admin, signed_in):
    clerk = signed_in("clerk")
    before = follows()
    batch = stations_in(clerk)
    assert follows() != before
    answer = clerk.post(reverse("import_undo", args=[batch]), {"why": "the wrong file"}, follow=True)
    assert "Undone" in text_of(answer)
    assert follows() == before
    assert clerk.get(reverse("imports")).context["brought_in"][0].is_undone
    assert "It was undone" in text_of(clerk.get(reverse("import_undo", args=[batch])))


def test_undoing_is_refused_with_the_list_where_later_rows_rest_on_it(town, admin, signed_in):
    clerk = signed_in("clerk")
    batch = stations_in(clerk)
    visit = actions.record("station_visited", Thing.objects.get(label="Mill").id, as_account=admin, at="2024-03-08")
    answer = clerk.post(reverse("import_undo", args=[batch]), {"why": "the wrong file"})
    assert answer.status_code == 422
    assert "The batch cannot be undone: 1 later rows rest on it" in text_of(answer)
    assert visit.id in text_of(answer)
    assert not Batch.objects.get(id=batch).undone_at


# ------------------------------------------------------------------------------------------------ what happened


def test_what_happened_goes_to_the_things_that_are_named(town, admin, signed_in):
    clerk = signed_in("clerk")
    stations_in(clerk)
    arrival = sent(clerk, VISITS, "rounds.csv", "?event=station_visited")
    page = clerk.get(reverse("import_columns", args=[arrival]))
    assert [field.value() for field in page.context["form"].rows] == ["on", "time", "thing", "findings"]
    go(clerk, arrival, "columns")
    if clerk.get(reverse("import_questions", args=[arrival])).status_code == 200:
        answered(clerk, arrival, "month first", "20..: ")
    page = clerk.get(reverse("import_plan", args=[arrival]))
    assert page.context["counts"] == {"begin": 0, "change": 0, "event": 3, "same": 1, "refused": 1}
    said = text_of(page)
    assert "Station: there is no station called 'Branch St'" in said
    assert "Line 5 says the same" in said
    answer = clerk.post(reverse("import_plan", args=[arrival]), {"plan": page.context["approved"]}, follow=True)
    assert "3 recorded or changed, 1 already there, 1 could not be read" in text_of(answer)
    rows = log.select_list("name = 'station_visited'", [])
    assert [(row.at, row.source) for row in rows] == [
        ("2024-03-04T13:15:00Z", "import row 2"), ("2024-03-04T13:50:00Z", "import row 3"), ("2024-03-05T13:44:00Z", "import row 5"),
    ]  # fmt: skip


def test_people_of_whom_the_record_knows_none_are_left_out_with_the_reason(town, admin, signed_in):
    clerk = signed_in("clerk")
    stations_in(clerk)
    content = b"Date,Station,Operator\n2024-03-04,Mill,JD\n2024-03-05,Mill,RS\n"
    arrival = sent(clerk, content, "rounds.csv", "?event=station_visited")
    page = clerk.get(reverse("import_columns", args=[arrival]))
    shown = {one.name: one.because for one, _ in page.context["columns"]}
    assert shown["Operator"].startswith("most of these are no person of the record, such as JD, RS")


# By hand: a log that names a pipe by its two manholes, as crews do, and has no number for it.
CLEANED = b"""Date,From MH,To MH,Street,Footage (ft),Method
2024-02-05,MH-12,MH-13,Main St,300,Jetting
2024-02-05,MH-13,MH-14,Main St,280,jetting
2024-03-04,MH-12,MH-13,Main St,300,Jetting
"""


def test_a_pipe_goes_by_its_two_manholes_and_the_same_file_says_more(town, admin, signed_in):
    clerk = signed_in("clerk")
    arrival = sent(clerk, CLEANED, "cleaned.csv", "?thing=pipe")
    said = {"key": "From MH", "key_too": "To MH"}
    if (answer := go(clerk, arrival, "columns", **said))["Location"] != reverse("import_plan", args=[arrival]):
        pytest.fail(text_of(clerk.get(answer["Location"])))
    page = clerk.get(reverse("import_plan", args=[arrival]))
    assert page.context["counts"] == {"begin": 2, "change": 0, "event": 0, "same": 1, "refused": 0}
    batch = clerk.post(reverse("import_plan", args=[arrival]), {"plan": page.context["approved"]})["Location"].split(
        "/"
    )[2]
    assert set(Thing.objects.filter(type="pipe").values_list("source_id", flat=True)) == {"MH-12 MH-13", "MH-13 MH-14"}
    other = clerk.post(reverse("import_again", args=[batch]))["Location"].split("/")[2]
    go(clerk, other, "what", kind="event:line_cleaned")
    said = {"column1": "thing", "column2": "thing", "column3": ""}
    assert go(clerk, other, "columns", **said)["Location"] == reverse("import_plan", args=[other])
    page = clerk.get(reverse("import_plan", args=[other]))
    assert page.context["counts"] == {"begin": 0, "change": 0, "event": 3, "same": 0, "refused": 0}, text_of(page)


def test_a_log_of_counters_is_brought_in_as_it_stands_and_what_looks_unlikely_is_said(town, admin, signed_in):
    """tests/exchange/lists/pump_hours.csv, made by hand: a counter rolls over, one is replaced, one stands still, a day is twice."""
    for name in ("Mill", "Depot", "Ridge"):
        actions.set_facts("", {"name": name, "in_service_since": "2000-01-01"}, as_account=admin, type="station")
    clerk = signed_in("clerk")
    arrival = sent(clerk, (LISTS / "pump_hours.csv").read_bytes(), "pump_hours.csv", "?event=pump_hours_read")
    go(clerk, arrival, "columns")
    answered(clerk, arrival, "20..: ", "of 24 hours")
    page = clerk.get(reverse("import_plan", args=[arrival]))
    said = text_of(page)
    assert "Mill, pump 1 hours: the counter shows 1.2 on line 12 after 9993.5 on line 9" in said
    assert "Depot, pump 1 hours: the counter shows 0.4 on line 16 after 1229.1 on line 13: it was replaced" in said
    assert "Ridge, pump 1 hours: 93.8 stands 4 times in a row (lines 11, 14, 17, 20)" in said
    assert page.context["counts"]["same"] == 1  # Depot on Feb 13 stands there twice
    clerk.post(reverse("import_plan", args=[arrival]), {"plan": page.context["approved"]})
    assert len(log.select_list("name = 'pump_hours_read'", [])) == page.context["counts"]["event"]


# ------------------------------------------------------------------------------------------------ the record moves on


def test_a_plan_that_would_be_another_one_now_is_shown_again(town, admin, signed_in):
    clerk = signed_in("clerk")
    stations_in(clerk)
    arrival = sent(
        clerk, b"LS #,Lift Station Name,# of Pumps\n1,Branch Street,3\n2,Mill,2\n", "pumps.csv", "?thing=station"
    )
    go(clerk, arrival, "columns")
    page = clerk.get(reverse("import_plan", args=[arrival]))
    approved = page.context["approved"]
    assert page.context["counts"]["change"] == 1
    one = Thing.objects.get(label="Branch Street").id
    actions.set_facts(one, {"pumps": "3"}, as_account=admin, day="2024-03-01")
    head = log.head()
    answer = clerk.post(reverse("import_plan", args=[arrival]), {"plan": approved}, follow=True)
    assert "The record has changed since you read the plan" in text_of(answer)
    assert answer.context["counts"]["same"] == 2
    assert log.head() == head


def test_a_thing_that_is_named_in_the_record_already_is_taken_for_it(town, admin, signed_in):
    actions.set_facts("st1", {"name": "Mill", "in_service_since": "1998-03-02"}, as_account=admin, type="station")
    clerk = signed_in("clerk")
    arrival = sent(clerk, b"Lift Station Name,# of Pumps\nmill,2\n", "pumps.csv", "?thing=station")
    go(clerk, arrival, "columns")
    page = clerk.get(reverse("import_plan", args=[arrival]))
    assert page.context["counts"] == {"begin": 0, "change": 1, "event": 0, "same": 0, "refused": 0}


def test_a_key_that_is_written_in_two_ways_is_one(town, admin, signed_in):
    clerk = signed_in("clerk")
    content = b"LS #,Lift Station Name,In Service\nA1,Mill,2014-01-16\na1 ,Mill,2014-01-16\nA1,Depot,2014-01-16\n"
    for counts in ({"begin": 1, "same": 1, "refused": 1}, {"same": 2, "refused": 1}):
        arrival = sent(clerk, content, "stations.csv", "?thing=station")
        go(clerk, arrival, "columns")
        page = clerk.get(reverse("import_plan", args=[arrival]))
        assert {name: count for name, count in page.context["counts"].items() if count} == counts
        clerk.post(reverse("import_plan", args=[arrival]), {"plan": page.context["approved"]})
    assert Thing.objects.filter(type="station").count() == 1


def test_a_thing_that_the_list_gives_another_name_is_found_again(town, admin, signed_in):
    actions.set_facts("st1", {"name": "Mill", "in_service_since": "1998-03-02"}, as_account=admin, type="station")
    clerk = signed_in("clerk")
    for counts in ({"change": 1}, {"same": 1}):
        arrival = sent(clerk, b"LS #,Lift Station Name\nMill,Mill Street\n", "names.csv", "?thing=station")
        go(clerk, arrival, "columns")
        page = clerk.get(reverse("import_plan", args=[arrival]))
        assert {name: count for name, count in page.context["counts"].items() if count} == counts
        clerk.post(reverse("import_plan", args=[arrival]), {"plan": page.context["approved"]})
    assert Thing.objects.get(id="st1").label == "Mill Street"


# ------------------------------------------------------------------------------------------------ files, rights, jobs


@pytest.mark.parametrize(
    ("content", "name", "says"),
    [
        (b"", "empty.csv", "empty"),
        (b"PK\x03\x04 no workbook", "rounds.xlsx", "open it in Excel and save it again"),
        (b"\x00\x01\x02" * 50, "rounds.csv", "the file is no text"),
    ],
)
def test_a_file_that_is_no_list_is_refused_in_words(town, admin, signed_in, content, name, says):
    answer = signed_in("clerk").post("/imports/", {"list": SimpleUploadedFile(name, content)})
    assert answer.status_code == 422
    assert says in text_of(answer)
    assert Arrival.objects.count() == 0
    assert not files.path_of(files.sha256(content)).is_file()


def test_who_may_import_into_the_program_brings_lists_in_and_nobody_else(town, admin, signed_in):
    clerk = signed_in("clerk")
    batch = stations_in(clerk)
    arrival = sent(clerk, STATIONS, "stations.csv", "?thing=station")
    for role in ("crew", "inspector", "auditor"):
        client = signed_in(role)
        for path in ("/imports/", reverse("import_plan", args=[arrival]), reverse("imported", args=[batch]), reverse("import_undo", args=[batch]), reverse("imported_file", args=[batch])):  # fmt: skip
            assert client.get(path).status_code in (403, 404), (role, path)
    operator = signed_in("operator")  # of collection and stations, not of grease
    assert operator.get(reverse("imported", args=[batch])).status_code == 200
    assert operator.get(reverse("import_plan", args=[arrival])).status_code == 404  # somebody else's
    other = sent(operator, b"FSE Name,Size\nCafe,1000\n", "kitchens.csv", "?thing=interceptor")
    assert operator.get(reverse("import_columns", args=[other])).status_code == 403
    assert "interceptor" not in dict(queries.kinds_to_choose(operator_account(), ())[1:])


def operator_account():
    from sewershed.ledger.models import Account

    return Account.objects.get(name="operator")


def test_a_large_list_is_looked_at_and_brought_in_by_jobs(town, admin, signed_in, monkeypatch):
    monkeypatch.setattr(queries, "MOST_AT_ONCE", 3)
    clerk = signed_in("clerk")
    arrival = sent(clerk, STATIONS, "stations.csv", "?thing=station")
    go(clerk, arrival, "columns")
    answered(clerk, arrival, "month", "parts thousands", "none of them")
    plan = reverse("import_plan", args=[arrival])
    assert clerk.get(plan)["Location"].startswith("/jobs/")
    assert "Look at the lines of stations.csv" in text_of(clerk.get(plan))
    Worker().until_idle()
    page = clerk.get(plan)
    assert page.context["counts"]["begin"] == 3
    answer = clerk.post(plan, {"plan": page.context["approved"]})
    assert answer["Location"].startswith("/jobs/")
    Worker().until_idle()
    assert "5 lines: 3 begin something, 2 cannot be read." in text_of(clerk.get(answer["Location"]))
    assert Thing.objects.filter(type="station").count() == 3
    assert clerk.get(plan)["Location"] == reverse("imported", args=[Arrival.objects.get(id=arrival).batch])


def test_a_list_is_forgotten_and_nothing_of_it_is_in_the_record(town, admin, signed_in):
    clerk = signed_in("clerk")
    arrival, head = sent(clerk, STATIONS, "stations.csv", "?thing=station"), log.head()
    assert clerk.post(reverse("import_forget", args=[arrival])).status_code == 302
    assert (Arrival.objects.count(), log.head()) == (0, head)


def test_a_register_leads_to_bringing_in_a_list(town, admin, signed_in):
    for _ in range(2):  # empty, and with things in it
        assert 'href="/imports/?thing=station"' in signed_in("clerk").get("/things/station/").content.decode()
        assert "/imports/" not in signed_in("crew").get("/things/station/").content.decode()
        actions.set_facts("st1", {"name": "Mill", "in_service_since": "1998-03-02"}, as_account=admin, type="station")
    assert 'href="/imports/"' in signed_in("clerk").get("/town/").content.decode()
