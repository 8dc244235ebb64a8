"""Papers at the desk: looked at, issued with a number, sent with proof, withdrawn; and who may do which."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest

from sewershed.ledger import actions, queries
from tests.desk.recorded import ROLES
from tests.desk.spills.confirmed import BRANCH, DAY, confirmed

REPORT = f"/documents/spill_report/draft/{BRANCH}/"
OWN = {"row_at_day": DAY, "row_at_time": "10:40", "row_at_is": "exact"}


def text_of(response: Any) -> str:
    """Returns what a page says, without its tags."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", response.content.decode())).split())


@pytest.fixture
def branch(town, admin) -> str:
    return confirmed(admin)


@pytest.fixture
def issued(branch, signed_in) -> str:
    answer = signed_in().post(REPORT, {"has_looked": "on", "signed_by": "orc", "office": "orc"})
    assert answer.status_code == 302
    return str(answer.url).split("/")[2]


# ------------------------------------------------------------------------------------------------ a draft


def test_a_draft_is_looked_at_in_the_page_from_our_own_address(town, branch, signed_in):
    client = signed_in()
    page = client.get(REPORT)
    assert f'src="{REPORT}paper.pdf#view=FitH&amp;navpanes=0"' in page.content.decode()
    paper = client.get(f"{REPORT}paper.pdf")
    assert paper.content[:5] == b"%PDF-"
    assert paper["X-Frame-Options"] == "SAMEORIGIN"
    assert "default-src 'none'" in paper["Content-Security-Policy"]
    assert "frame-ancestors 'self'" in paper["Content-Security-Policy"]
    assert "script-src" not in paper["Content-Security-Policy"]  # none runs
    assert client.get(page.request["PATH_INFO"])["X-Frame-Options"] == "DENY"  # our own pages stand in no frame


def test_what_the_form_asks_and_nobody_said_leads_to_where_it_is_answered(town, branch, signed_in):
    page = signed_in().get(REPORT).content.decode()
    for label, url in (
        ("Person spoken to", f"/spills/{BRANCH}/telling/state/"), ("Estimated volume", f"/spills/{BRANCH}/assess/"),
        ("Incident number", f"/thing/{BRANCH}/facts/?fact=incident_number"),
        ("Is there an enforceable grease ordinance?", f"/spills/{BRANCH}/answers/#grease-ordinance"),
    ):  # fmt: skip
        assert re.search(rf'<a href="{re.escape(url)}">{re.escape(label)}</a>', unescape(page)), label
    assert "Start, date" not in page  # that is recorded
    may_not = signed_in("auditor").get(REPORT).content.decode()
    assert "Person spoken to" in may_not
    assert "/telling/state/" not in may_not


def test_a_draft_of_another_day_says_what_was_known_then(town, branch, signed_in):
    client = signed_in()
    then = {"day": DAY, "time": "08:30", "known": "now"}  # before the crew came
    page = client.get(REPORT, then)
    assert "How it was remedied" in text_of(page)
    assert "Issue the spill report" not in text_of(page)
    assert "paper.pdf?day=2024-03-11&amp;time=08%3A30" in page.content.decode()
    assert client.get(f"{REPORT}paper.pdf", then).content[:5] == b"%PDF-"
    assert client.post(f"{REPORT}?day={DAY}&time=08:30", {"has_looked": "on"}).status_code == 409


def test_a_draft_that_cannot_be_written_says_why(town, branch, signed_in):
    page = signed_in().get(f"/documents/owner_letter/draft/{BRANCH}/")
    assert page.status_code == 200
    assert "It cannot be written yet" in text_of(page)
    assert "obody found spill 24-001" in text_of(page)
    assert signed_in().get("/documents/no_such_paper/draft/branch/").status_code == 404
    assert signed_in().get("/documents/spill_report/draft/nothing/").status_code == 404


# ------------------------------------------------------------------------------------------------ issuing


def test_a_paper_takes_its_number_when_it_is_issued_and_not_before(town, admin, branch, signed_in):
    client = signed_in()
    assert client.post(REPORT, {"signed_by": "orc"}).status_code == 422  # nobody has looked at it
    assert queries.documents(as_account=admin) == ()
    said = text_of(client.post(REPORT, {"has_looked": "on", "signed_by": "orc", "office": "orc"}, follow=True))
    assert "Issued: Spill report 24-001" in said
    assert "Not marked as sent" in said
    assert "A. Operator" in said
    again = text_of(client.post(REPORT, {"has_looked": "on"}, follow=True))
    assert "Spill report 24-002" in again  # a number is never used twice
    page = client.get("/documents/")
    assert "Spill report 24-001" in text_of(page)
    assert "2 papers" in text_of(page)


def test_an_office_that_the_signer_does_not_hold_is_refused_and_takes_no_number(town, admin, branch, signed_in):
    actions.set_facts("clerk", {"name": "A. Clerk"}, as_account=admin, type="person")
    actions.record("office_held", "clerk", as_account=admin, at="2024-01-02", data={"office": "town_hall"})
    answer = signed_in().post(REPORT, {"has_looked": "on", "signed_by": "clerk", "office": "orc"})
    assert answer.status_code in (302, 422)
    if answer.status_code == 422:
        assert queries.documents(as_account=admin) == ()


# ------------------------------------------------------------------------------------------------ sending


def sending(**other: str) -> dict[str, str]:
    return {**OWN, "to": "The regional office", "way": "certified", "mail_number": "7020 0001", "sent_on_day": DAY, "row_by": "orc",
            "row_office": "orc", **other}  # fmt: skip


def test_marking_as_sent_keeps_the_proof_and_records_the_report_on_the_spill(town, admin, branch, issued, signed_in):
    client = signed_in()
    form = text_of(client.get(f"/documents/{issued}/sent/"))
    assert "The written report went to the state" in form or "the written report went to the state" in form
    said = text_of(client.post(f"/documents/{issued}/sent/", sending(), follow=True))
    assert "is marked as sent" in said
    assert "Sent Mon Mar 11, certified" in said
    assert "7020 0001" in said
    (on_spill,) = [one for one in queries.rows(branch, as_account=admin) if one.name == "spill_form_sent"]
    assert (on_spill.data, on_spill.performed_by) == ({"way": "mail"}, "orc")
    receipt = sending(received_on_day=DAY, receiver="A. Officer")
    assert client.post(f"/documents/{issued}/sent/", receipt).status_code == 302
    assert "Received Mon Mar 11" in text_of(client.get(f"/documents/{issued}/"))
    assert len([one for one in queries.rows(branch, as_account=admin) if one.name == "spill_form_sent"]) == 1
    back = sending(returned_on_day=DAY)
    client.post(f"/documents/{issued}/sent/", back)
    assert "Came back Mon Mar 11" in text_of(client.get("/documents/"))


@pytest.mark.parametrize(("went", "told"), [("certified", "letter"), ("hand", "in_person"), ("posted", "door_card"), ("email", None)])  # fmt: skip
def test_the_letter_to_an_owner_once_marked_as_sent_tells_the_owner(town, admin, signed_in, went, told):
    actions.set_facts("owner", {"name": "O. Owner", "mailing_address": "9 Elm Street"}, as_account=admin, type="person")
    actions.set_facts("elm", {"address": "9 Elm Street", "owner": "owner"}, as_account=admin, type="premises")
    actions.set_facts("p", {"location": "9 Elm Street"}, as_account=admin, type="spill")
    actions.record("call", "p", as_account=admin, at=f"{DAY}T08:10", data={"what": "sewage_on_ground"})
    actions.record("found_private", "p", as_account=admin, at=f"{DAY}T08:40", data={"premises": "elm"})

    def owed():
        return [one for one in queries.due(as_account=admin, thing="p").items if "owner_notified" in one.meets]

    assert [one.word for one in owed()] == ["Due soon"]
    client = signed_in("clerk")
    assert "/documents/owner_letter/draft/p/" in client.get("/documents/").content.decode()
    made = client.post("/documents/owner_letter/draft/p/", {"has_looked": "on"}).url
    assert [one.word for one in owed()] == ["Due soon"]  # issued is not sent
    form = text_of(client.get(f"{made}sent/"))
    assert "it is recorded at once: the owner of a private lateral was told to mend it" in form
    sent = {**OWN, "to": "O. Owner", "way": went, "sent_on_day": DAY, "row_by": ""}
    assert client.post(f"{made}sent/", sent).status_code == 302
    (row,) = [one for one in queries.rows("p", as_account=admin) if one.name == "owner_notified"]
    assert (row.at, row.data.get("way")) == ("2024-03-11T14:40:00Z", told)  # 10:40 in the town
    assert owed() == []
    (met,) = [one for one in queries.due(as_account=admin, thing="p", is_all=True).items if one.met_by == row.root]
    assert met.rule.endswith(".owner_told")
    assert client.post(f"{made}sent/", {**sent, "received_on_day": DAY}).status_code == 302
    assert len([one for one in queries.rows("p", as_account=admin) if one.name == "owner_notified"]) == 1


def test_a_wrong_sending_records_neither(town, admin, branch, issued, signed_in):
    wrong = sending(row_at_time="23:59")  # it has not come yet
    answer = signed_in().post(f"/documents/{issued}/sent/", wrong)
    assert answer.status_code == 422
    assert not [one for one in queries.rows(branch, as_account=admin) if one.name == "spill_form_sent"]
    assert not [one for one in queries.rows(issued, as_account=admin) if one.name == "document_served"]


def test_the_way_to_a_paper_is_its_draft_then_the_one_that_is_not_sent(town, branch, signed_in):
    client = signed_in()
    way = f"/spills/{branch}/telling/spill_form_sent/"
    assert client.get(way, follow=True).redirect_chain[-1][0] == REPORT
    made = client.post(REPORT, {"has_looked": "on"}).url
    assert client.get(way, follow=True).redirect_chain[-1][0] == made
    client.post(f"{made}sent/", sending())
    assert client.get(way, follow=True).redirect_chain[-1][0] == REPORT


def test_papers_that_are_wanted_stand_above_the_register(town, admin, branch, signed_in):
    data = {"ground_gal": "2375", "reached_water": False, "surface_water_gal": "0"}
    actions.record(
        "spill_assessed", branch, as_account=admin, at=f"{DAY}T10:00", data=data, performed_by="orc", office="orc"
    )
    client = signed_in()
    said = text_of(client.get("/documents/"))
    assert "Papers that are wanted" in said
    assert "Look at the draft" in said
    assert "No paper was issued yet" in said
    made = client.post(REPORT, {"has_looked": "on"}).url
    said = text_of(client.get("/documents/"))
    assert "Mark as sent" in said
    client.post(f"{made}sent/", sending())
    assert "Mark as sent: Spill report" not in text_of(client.get("/documents/"))


# ------------------------------------------------------------------------------------------------ withdrawing, finding


def test_a_withdrawn_paper_keeps_its_number_and_says_why(town, branch, issued, signed_in):
    client = signed_in()
    assert client.post(f"/documents/{issued}/withdraw/", {"row_why": ""}).status_code == 422
    said = text_of(client.post(f"/documents/{issued}/withdraw/", {"row_why": "A wrong street"}, follow=True))
    assert "Withdrawn" in said
    assert "A wrong street" in said
    assert "Mark as sent" not in said
    assert "Spill report 24-001" in text_of(client.get("/documents/"))


def test_the_register_is_narrowed_and_goes_out_as_a_file(town, branch, issued, signed_in):
    client = signed_in()
    assert "1 paper" in text_of(client.get("/documents/", {"kind": "spill_report"}))
    assert "Nothing answers to what you asked for" in text_of(client.get("/documents/", {"kind": "press_release"}))
    lines = client.get("/documents/", {"as": "csv"}).content.decode("utf-8-sig").splitlines()
    assert lines[0].startswith("Paper,About,Issued,By")
    assert "Spill report 24-001" in lines[1]


def test_a_thing_leads_to_the_paper_and_the_paper_to_its_thing(town, branch, issued, signed_in):
    client = signed_in()
    assert client.get(f"/thing/{issued}/").status_code == 302
    assert "/spills/24-001/" in client.get(f"/thing/{branch}/").url
    assert f"/documents/{issued}/" in client.get("/spills/24-001/").content.decode()
    assert client.get(f"/documents/{branch}/").status_code == 404


def test_the_town_has_papers_of_its_own(town, branch, signed_in):
    client = signed_in()
    page = client.get("/documents/write/").content.decode()
    (url,) = re.findall(r'href="(/documents/year_table/draft/[^"]+)"', page)
    assert client.get(url).status_code == 200
    assert client.get(url, {"part": "2023"}).status_code == 200
    assert client.get(f"{url}paper.pdf", {"part": "2023"}).content[:5] == b"%PDF-"


def test_an_answer_becomes_a_statement_of_reasons(town, admin, branch, signed_in):
    client = signed_in()
    key = queries.due(as_account=admin, thing=branch).items[0].key
    page = client.get(f"/why/{key}").content.decode()
    (url,) = re.findall(r'href="(/documents/statement_of_reasons/draft/[^"]+)"', page)
    assert client.get(f"{unescape(url).replace('?', 'paper.pdf?')}").content[:5] == b"%PDF-"
    said = text_of(client.post(unescape(url), {"has_looked": "on"}, follow=True))
    assert "Issued: Statement of reasons 24-001" in said


@pytest.mark.parametrize("role", ROLES)
def test_each_role_does_with_papers_what_its_rights_say(town, branch, issued, signed_in, role):
    client = signed_in(role)
    issues = role in {"administrator", "manager", "clerk", "operator"}
    assert client.get("/documents/").status_code == 200
    assert client.get(REPORT).status_code == 200
    answer = client.post(REPORT, {"has_looked": "on"})
    assert answer.status_code == (302 if issues else 403), text_of(answer)
    assert client.get(f"/documents/{issued}/withdraw/").status_code == (200 if issues else 403)
    sends = {"administrator", "manager", "clerk", "operator", "crew"}
    assert client.get(f"/documents/{issued}/sent/").status_code == (200 if role in sends else 403)
    reads = client.get(f"/documents/{issued}/paper.pdf").status_code
    assert reads == (403 if role == "auditor" else 200)  # what is printed cannot be left out any more
    assert client.get(f"/thing/{issued}/file/", follow=True).status_code == reads


def test_nobody_sees_a_paper_without_signing_in(town, branch, issued, nobody):
    for path in (
        "/documents/",
        REPORT,
        f"{REPORT}paper.pdf",
        f"/documents/{issued}/",
        f"/documents/{issued}/paper.pdf",
    ):
        assert nobody.get(path).status_code == 302
