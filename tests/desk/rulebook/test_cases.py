"""A worked case is run from its entry: what was given, what must come out, what does, with the steps; and nothing is recorded."""

from __future__ import annotations

import re
from dataclasses import replace
from html import escape

import pytest
from django.urls import reverse

from sewershed.desk.rulebook import cases
from sewershed.ledger import law, log, ordinance
from tests.desk.recorded import ROLES
from tests.desk.rulebook.test_rulebook import said_in

TELL = "us.nc.spring_hope.spill.tell"
LATE = "spills_c_telling told a minute late; in time from the confirmation"


def address(entry: str, case: str) -> str:
    return reverse("rulebook_case", args=[entry, case])


@pytest.fixture
def running(town):
    return law.in_force()


def test_the_page_of_an_entry_leads_to_each_case_of_it(town, running, signed_in):
    page = signed_in().get(f"/rulebook/entry/{TELL}/", {"cases": "all"}).content.decode()
    every = {escape(address(TELL, str(one))) for one in ordinance.worked(running)[TELL]}
    linked = set(re.findall(r'href="(/rulebook/entry/[^"]+/case/[^"]+)"', page))
    assert linked <= every
    assert len(linked) == page.count(">Run it<") > 40
    few = signed_in().get(f"/rulebook/entry/{TELL}/").content.decode()
    assert few.count(">Run it<") == 10
    assert f"All {len(linked)} cases" in few


def test_a_case_that_is_run_shows_given_expected_and_what_came_out_with_its_steps(town, signed_in):
    """The call is of 3 November 07:05 (the case's own hand computation): 24 hours are over on the 4th at 07:05; told at 07:06."""
    before = log.head()
    said = said_in(signed_in().get(address(TELL, LATE)))
    for words in (
        "It comes out as it must", "spill s: location Branch Street", "Sat Nov 4, 2023, 7:06 am: state told (way person, spoken to staff)",
        "asked as of Sun Nov 5, 2023, 12:00 pm", "Met late, late yes; if read as confirmation: met, due Sat Nov 4, 2023, 8:20 am",
        "Met late Due Sat Nov 4, 2023, 7:05 am; met Sat Nov 4, 2023, 7:06 am",
        "Within 24 hours of Fri Nov 3, 2023, 7:05 am due Sat Nov 4, 2023, 7:05 am", "From: hand: call Friday 3 November 2023 07:05",
    ):  # fmt: skip
        assert words in said, words
    assert log.head() == before


@pytest.mark.parametrize("role", ROLES)
def test_every_role_may_run_one(town, signed_in, role):
    assert signed_in(f"a.{role}", roles={role}).get(address(TELL, LATE)).status_code == 200


def test_a_case_of_each_kind_of_entry_comes_out_as_it_must(town, admin, running, signed_in):
    client, kinds = signed_in(), {}
    for entry in running.library.entries(running.book_id).values():
        found = ordinance.worked(running).get(entry.id, ())
        if found and entry.kind not in kinds:
            kinds[entry.kind] = found[0].id
            said = said_in(client.get(address(entry.id, str(found[0]))))
            assert "It comes out as it must" in said, (entry.id, found[0].id)
            assert "What comes out here" in said
    assert set(kinds) >= {"duty", "act", "value", "standard", "limit", "status", "penalty"}


def test_a_case_that_comes_out_otherwise_says_in_what(town, running, signed_in, monkeypatch):
    """The case is told that the call was in time, which it was not: 07:06 is after 07:05."""
    (case,) = [one for one in ordinance.worked(running)[TELL] if str(one) == LATE]
    wrong = replace(case, expect={"obligations": [{"rule": TELL, "state": "met", "late": False}]})
    monkeypatch.setattr(cases, "case_named", lambda *_: wrong)
    said = said_in(signed_in().get(address(TELL, LATE)))
    assert "It comes out otherwise" in said
    assert f"No obligation fits rule {TELL}, state met" in said
    assert "the law that the town has adopted may be another than they were written for" in said
    assert "Met late Due Sat Nov 4, 2023, 7:05 am" in said


def test_a_case_whose_record_is_refused_says_why(town, running, signed_in, monkeypatch):
    (case,) = [one for one in ordinance.worked(running)[TELL] if str(one) == LATE]
    monkeypatch.setattr(cases, "case_named", lambda *_: replace(case, facts={"s": {"_type": "spil"}}))
    said = said_in(signed_in().get(address(TELL, LATE)))
    assert "Refused: s: unknown thing 'spil'; did you mean 'spill'?" in said


def test_a_case_that_is_not_there_is_said_not_to_be(town, signed_in):
    answer = signed_in().get(address(TELL, "spills_c_telling no such case"))
    assert answer.status_code == 404
    assert "has no worked case" in said_in(answer)
