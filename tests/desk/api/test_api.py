"""The API: the same reads as the pages, recording and documents, with a token and its roles; what is refused is said in sentences."""

from __future__ import annotations

import json
import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from sewershed.desk.api import actions as tokens
from sewershed.desk.api import describing
from sewershed.desk.api.models import Token
from sewershed.desk.jobs.worker import Worker
from sewershed.ledger import actions, adopting, log, queries
from tests.desk.conftest import HOST
from tests.desk.recorded import spill

PNG = b"\x89PNG\r\n\x1a\n" + b"\x00" * 32


class Program(Client):
    """A program with a token; it speaks JSON."""

    def __init__(self, secret: str) -> None:
        super().__init__(
            HTTP_HOST=HOST, headers={"Authorization": f"Bearer {secret}"} if secret else {}, enforce_csrf_checks=True
        )

    def ask(self, path: str, status: int = 200, **asked: object) -> dict:
        answer = self.get(f"/api{path}", asked)
        assert answer.status_code == status, answer.content
        return answer.json()

    def send(self, path: str, body: object, status: int = 201) -> dict:
        text = body if isinstance(body, str) else json.dumps(body)
        answer = self.post(f"/api{path}", text, content_type="application/json")
        assert answer.status_code == status, answer.content
        return answer.json()


@pytest.fixture
def oak(town, admin) -> str:
    return spill(admin)


@pytest.fixture
def program(town, admin):
    """Returns a program that acts as an account of one role."""

    def program(role: str = "manager", roles: set[str] | None = None) -> Program:
        account = actions.open_account(f"p.{role}", as_account=admin, roles=roles or {role})
        return Program(tokens.make_token(account, "a test", {role}))

    return program


def text_of(response) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", response.content.decode()))


# ------------------------------------------------------------------------------------------------ tokens


def test_a_token_is_made_shown_once_kept_as_a_hash_and_revoked(town, admin, signed_in):
    client = signed_in("clerk")
    page = client.post("/account/tokens/", {"name": "the sampler", "roles": ["clerk"]})
    secret = re.search(r'value="(sewershed_[\w-]{43})"', page.content.decode())[1]
    assert "shown this once" in text_of(page)
    again = client.get("/account/tokens/")
    assert "the sampler" in text_of(again)
    assert secret not in again.content.decode()
    found = Token.objects.get()
    assert secret not in str(vars(found))
    works = Program(secret)
    assert works.ask("/account/")["account"] == "clerk"
    assert Token.objects.get().used_on == "2024-03-11"
    assert client.post(f"/account/tokens/{found.id}/revoke/").status_code == 302
    assert "a token is needed" in works.ask("/account/", 401)["reasons"][0]
    assert client.post(f"/account/tokens/{found.id}/revoke/").status_code == 404
    rows = [one for one in queries.rows(adopting.town_id(), as_account=admin) if one.name == "access_changed"]
    assert [(one.recorded_by, dict(one.data)) for one in rows if "token" in one.data] == [
        ("clerk", {"what": "token_made", "account": "clerk", "roles": ["clerk"], "token": "the sampler"}),
        ("clerk", {"what": "token_revoked", "account": "clerk", "token": "the sampler"}),
    ]


def test_a_token_does_no_more_than_its_roles_and_no_more_than_its_account(town, oak, admin, signed_in):
    account = actions.open_account("two", as_account=admin, roles={"manager", "auditor"})
    reads = Program(tokens.make_token(account, "reads", {"auditor"}))
    assert reads.ask("/account/")["roles"] == ["auditor"]
    refused = reads.send(f"/thing/{oak}/record/crew_arrived/", {"at": "2024-03-11T10:00"}, 403)
    assert refused["reasons"][0].startswith("two may not record in spills (its roles: auditor)")
    writes = Program(tokens.make_token(account, "writes", {"manager"}))
    actions.change_account("two", as_account=admin, roles={"auditor"})
    writes.send(f"/thing/{oak}/record/crew_arrived/", {"at": "2024-03-11T10:00"}, 403)
    actions.change_account("two", as_account=admin, is_active=False)
    reads.ask("/account/", 401)
    client = signed_in("clerk")
    assert client.post("/account/tokens/", {"name": "x", "roles": ["administrator"]}).status_code == 422
    assert client.post("/account/tokens/", {"name": "x"}).status_code == 422
    assert not Token.objects.filter(account__name="clerk").exists()


def test_tokens_are_ones_own_and_the_administrator_sees_and_revokes_all(town, admin, signed_in):
    account = actions.open_account("clerk", as_account=admin, roles={"clerk"})
    tokens.make_token(account, "the sampler", {"clerk"})
    id_ = Token.objects.get().id
    assert "the sampler" not in text_of(signed_in("crew").get("/account/tokens/"))
    assert signed_in("crew").post(f"/account/tokens/{id_}/revoke/").status_code == 404
    assert "the sampler" in text_of(signed_in().get("/account/tokens/"))
    assert signed_in().post(f"/account/tokens/{id_}/revoke/").status_code == 302


def test_the_api_knows_no_session_and_nobody(town, oak, signed_in):
    for client in (signed_in(), Client(HTTP_HOST=HOST)):
        for path in ("/api/", f"/api/thing/{oak}/", "/api/programs/"):
            answer = client.get(path)
            assert (answer.status_code, answer.headers["WWW-Authenticate"]) == (401, "Bearer")
    before = log.head()
    answer = signed_in().post(
        f"/api/thing/{oak}/record/crew_arrived/", '{"at": "2024-03-11T10:00"}', content_type="application/json"
    )
    assert answer.status_code == 401
    assert log.head() == before
    for wrong in ("Bearer wrong", "Basic abc", "Bearer", "bearer \u00fc"):
        assert Client(HTTP_HOST=HOST, headers={"Authorization": wrong}).get("/api/account/").status_code == 401


# ------------------------------------------------------------------------------------------------ reading


def test_it_reads_what_the_pages_read(town, oak, admin, program):
    one = program()
    due = one.ask("/")
    expected = queries.due(as_account=admin)
    assert due["total"] == expected.total
    assert [line["key"] for line in due["items"]] == [line.key for line in expected.items]
    look = next(line for line in due["items"] if line["rule"].endswith("spill.investigate"))
    assert (look["due"], look["cites"]) == ("2024-03-11T15:10:00Z", ["SORP III.A.2"])  # two hours from 9:10 in the town
    assert one.ask("/", program="stations")["items"] == [line for line in due["items"] if line["program"] == "stations"]
    assert len(one.ask("/", limit=1, offset=1)["items"]) == 1
    page = one.ask(f"/thing/{oak}/")
    assert page["thing"]["type"] == "spill"
    assert {fact["name"]: fact["text"] for fact in page["facts"]}["location"] == "Oak Street at First"
    assert [row["name"] for row in one.ask(f"/thing/{oak}/rows/")["items"]] == ["spill", "call"]
    assert one.ask("/row/c1/")["data"]["reporter_phone"] == "252-555-0171"
    why = one.ask(f"/why/{look['key']}")
    assert why["steps"]
    assert why["rows"][0]["id"] == "c1"
    assert one.ask("/find/", q="oak street")["items"][0]["id"] == oak
    assert one.ask("/things/spill/", where="location has Oak")["items"][0]["facts"]["location"] == "Oak Street at First"
    assert one.ask("/things/spill/", where="location has Elm")["total"] == 0
    assert {kind["name"] for kind in one.ask("/programs/")["items"]} >= {"spill", "person"}
    assert one.ask("/decisions/")["items"]
    rows = one.ask("/log/", what="call")
    assert [row["id"] for row in rows["items"]] == ["c1"]
    assert one.ask("/log/", limit=1)["total"] == queries.head(as_account=admin).position


def test_it_reads_another_day_and_as_known(town, oak, program):
    one = program()
    before = one.ask(f"/thing/{oak}/", as_of="2024-03-11T09:00")
    assert before["due"] == []
    assert one.ask(f"/thing/{oak}/rows/", known_at="2024-03-10")["items"] == []
    assert one.ask(f"/thing/{oak}/", as_of="2024-03-10T02:30", status=422)["reasons"] == ["2024-03-10T02:30 does not exist in America/New_York (clocks go forward)"]  # fmt: skip


def test_a_large_towns_list_of_another_day_is_a_job(town, oak, program, monkeypatch):
    monkeypatch.setattr("sewershed.desk.api.reading.MOST_THINGS_ELSEWHERE", 0)
    one = program()
    assert "long work" in one.ask("/", as_of="2024-03-11T10:00", status=409)["reasons"][0]
    job = one.post("/api/jobs/day/?as_of=2024-03-11T10:00").json()
    assert one.ask(f"/jobs/{job['id']}/")["state"] == "running"
    Worker().until_idle()
    assert one.ask("/jobs/")["items"][0]["state"] == "done"
    assert one.ask("/", as_of="2024-03-11T10:00")["total"] > 5


def test_private_values_are_left_out_for_a_reader_from_outside(town, oak, program):
    inside, outside = program("clerk"), program("auditor")
    for path in (
        f"/thing/{oak}/",
        f"/thing/{oak}/rows/",
        "/row/c1/",
        "/things/spill/",
        "/things/person/",
        "/thing/orc/",
        "/thing/orc/facts/",
    ):
        assert "252-555-0171" not in json.dumps(outside.ask(path)), path
    assert "252-555-0171" in json.dumps(inside.ask(f"/thing/{oak}/rows/"))


# ------------------------------------------------------------------------------------------------ recording


def test_it_records_corrects_and_withdraws_with_the_digits_that_were_sent(town, oak, program, admin):
    one = program()
    made = one.send("/things/spill/new/", {"facts": {"location": "Elm Street"}})
    done = one.send(
        f"/thing/{made['thing']}/record/spill_assessed/", '{"at": "2024-03-11T10:00", "data": {"ground_gal": 1500.50, "contained": false}, "id": "a1"}'
    )  # fmt: skip
    assert queries.row("a1", as_account=admin).data["ground_gal"] == "1500.50"
    assert queries.row("a1", as_account=admin).source == "api"
    again = one.send(
        f"/thing/{made['thing']}/record/spill_assessed/",
        {"at": "2024-03-11T10:00", "data": {"ground_gal": "1500.50", "contained": False}, "id": "a1"},
    )
    assert again["id"] == done["id"]
    assert len(queries.rows(made["thing"], as_account=admin)) == 2
    one.send("/row/a1/correct/", {"why": "misread", "data": {"ground_gal": "1400"}})
    assert [row.stands for row in queries.rows(made["thing"], as_account=admin)] == ["stands", "corrected", "stands"]
    one.send("/row/a1/withdraw/", {"why": "another spill"})
    assert queries.row("a1", as_account=admin).stands == "withdrawn"
    one.send(f"/thing/{made['thing']}/facts/", {"facts": {"weather": None}})
    assert queries.recorded(made["thing"], as_account=admin)["weather"] is None


def test_what_is_refused_is_said_in_sentences_beside_its_field_and_nothing_is_recorded(town, oak, program):
    one, before = program(), log.head()
    path = f"/thing/{oak}/record/call/"
    said = one.send(path, {"at": "2024-03-11T10:00", "data": {"what": "unicorn", "nose": "x"}}, 422)
    assert any("unicorn" in reason for reason in said["reasons"])
    assert "data.what" in said["fields"]
    assert any("nose" in reason for reason in said["reasons"])
    assert "has not come yet" in one.send(path, {"at": "2024-03-12", "data": {}}, 422)["reasons"][0]
    assert one.send(path, {"data": {}}, 422)["fields"] == {"at": ["at is missing"]}
    assert one.send(path, {"at": "2024-03-11T10:00", "dat": {}}, 422)["fields"] == {
        "dat": ["dat is no field of this: leave it out"]
    }
    assert "at" in one.send(path, {"at": 7, "data": {}}, 422)["fields"]
    for broken in (
        "{",
        "[]",
        '"x"',
        "",
        '{"at": NaN}',
        "[" * 100_000,
        '{"data": ' + '{"a":' * 50 + "1" + "}" * 50 + "}",
        '{"at": "\\ud800"}',
        '{"at": "\\u0000"}',
    ):
        assert one.post(f"/api{path}", broken, content_type="application/json").status_code in (400, 422), broken[:20]
    assert one.send("/thing/nothing/record/call/", {"at": "2024-03-11"}, 404)["reasons"] == [
        "there is no thing 'nothing' in the record"
    ]
    assert one.send(f"/thing/{oak}/record/unicorn/", {"at": "2024-03-11"}, 422)["reasons"][0].startswith(
        "unknown event 'unicorn'"
    )
    assert one.ask("/", status=422, lmit=3)["fields"]["lmit"][0].startswith(
        "'lmit' is nothing that this address asks for"
    )
    for absent in ("/nothing/at/all", "/jobs/%0Ax/", "/thing"):
        assert one.ask(absent, 404)["reasons"]
    assert log.head() == before


def test_a_decision_a_question_a_file_and_a_paper(town, oak, program, admin):
    one = program()
    found = one.send(f"/thing/{oak}/may/crew_arrived/", {"at": "2024-03-11T10:50"}, 200)
    assert isinstance(found["items"], list)
    actions.set_facts("tm", {"name": "Town manager"}, type="person", as_account=admin)
    actions.record("office_held", "tm", as_account=admin, at="2024-01-02", data={"office": "town_manager"})
    said = {
        "reading": "confirmation",
        "on": "town",
        "because": "a letter",
        "performed_by": "tm",
        "office": "town_manager",
    }
    one.send("/decisions/D-SH-04/", said)
    settled = {each["id"]: each for each in one.ask("/decisions/")["items"]}["D-SH-04"]
    assert (settled["applied"], settled["settled_on"]) == ("confirmation", "2024-03-11")
    assert (
        "decided by anybody"
        in one.send(f"/thing/{oak}/decide/location/", {"value": "x", "because": "y"}, 422)["reasons"][0]
    )
    answer = one.post(
        f"/api/thing/{oak}/files/", {"file": SimpleUploadedFile("a.png", PNG, "image/png"), "caption": "the manhole"}
    )
    assert answer.status_code == 201, answer.content
    assert one.ask(f"/thing/{oak}/files/")["items"][0]["caption"] == "the manhole"
    assert one.get(f"/api/thing/{answer.json()['thing']}/file/").content == PNG
    bad = one.post(f"/api/thing/{oak}/files/", {"file": SimpleUploadedFile("a.png", b"<svg onload=x>", "image/png")})
    assert (bad.status_code, bad.json()["reasons"]) == (
        422,
        ["the file is said to be image/png, but its first bytes are those of another kind"],
    )
    draft = one.get(f"/api/documents/spill_report/draft/{oak}/paper.pdf")
    assert (draft.status_code, draft.content[:5]) == (200, b"%PDF-")
    issued = one.send(f"/documents/spill_report/of/{oak}/", {})
    assert one.ask("/documents/", about=oak)["items"][0]["id"] == issued["thing"]
    assert "there is no paper 'novel'" in one.send(f"/documents/novel/of/{oak}/", {}, 422)["reasons"][0]


def test_what_it_takes_is_asked_where_it_is_sent(town, oak, program):
    one = program()
    form = one.ask(f"/thing/{oak}/record/call/")
    what = next(field for field in form["fields"] if field["name"] == "what")
    assert (what["type"], "sewage_on_ground" in what["choices"]) == ("choice", True)
    events = {event["name"] for event in one.ask(f"/thing/{oak}/record/")["items"]}
    assert {"call", "crew_arrived"} <= events
    assert "retired" not in {event["name"] for event in program("crew").ask(f"/thing/{oak}/record/")["items"]}
    assert next(f for f in one.ask("/things/spill/new/")["facts"] if f["name"] == "location")["is_required"] is True
    assert one.ask(f"/thing/{oak}/facts/")["recorded"]["location"] == "Oak Street at First"


# ------------------------------------------------------------------------------------------------ its description


def test_the_description_has_the_words_of_the_vocabulary_and_an_example_of_each_body(town, signed_in, program):
    described = describing.openapi()
    assert described["openapi"].startswith("3.1")
    events = next(
        one
        for one in described["paths"]["/api/thing/{thing}/record/{event}/"]["post"]["parameters"]
        if one["name"] == "event"
    )
    assert "call" in events["schema"]["enum"]
    without = [one.path for one in describing.shown() if one.body_fields and not one.body]
    assert without == []
    assert program().get("/api/-/openapi.json").json() == described
    page = signed_in("clerk").get("/api/-/docs/")
    assert page.status_code == 200
    assert text_of(page).count("Answers with") == len(describing.shown()) > 30
    assert Client(HTTP_HOST=HOST).get("/api/-/openapi.json").status_code == 401


def test_every_address_of_the_api_is_api_and_then_a_page(town):
    """An address without a page is named here with its reason."""
    from django.urls import Resolver404, resolve

    apart = {
        "/account/",  # a page, about whoever is signed in
        "/thing/{thing}/files/",  # the files of a thing stand on its page
    }
    missing = []
    for path in describing.openapi()["paths"]:
        page = path.removeprefix("/api").replace("{id}", "00000000-0000-0000-0000-000000000000")
        if page in apart:
            continue
        try:
            resolve(re.sub(r"{\w+}", "x", page))
        except Resolver404:
            missing.append(page)
    assert missing == []
