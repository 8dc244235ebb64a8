"""The rulebook's pages: every entry has one, what it says, what it holds open, and how it is found by words and figures."""

from __future__ import annotations

import re
from html import unescape

import pytest

from sewershed.desk.rulebook.searching import texts_of
from sewershed.ledger import actions, adopting, law, supplements
from sewershed.ledger.ordinance import STATUSES
from tests.desk.recorded import ROLES, spill

LOOK = "us.nc.spring_hope.spill.investigate"
TELL = "us.nc.spring_hope.spill.tell"


@pytest.fixture
def oak(town, admin) -> str:
    return spill(admin)


def text_of(response) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", response.content.decode()))


def said_in(response) -> str:
    """What a page says as somebody reads it: without tags, single blanks."""
    return " ".join(unescape(text_of(response)).split())


def test_the_place_of_the_bar_leads_to_the_contents(town, signed_in):
    page = signed_in().get("/").content.decode()
    assert '<a href="/rulebook/">Rulebook</a>' in page


@pytest.mark.parametrize("role", ROLES)
def test_every_role_may_read_the_law(town, oak, signed_in, role):
    client = signed_in(f"a.{role}", roles={role})
    for path in ("/rulebook/", "/rulebook/?by=article", "/rulebook/?q=gallons", f"/rulebook/entry/{TELL}/"):
        assert client.get(path).status_code == 200, path


def test_nobody_reads_it_without_signing_in(town, nobody):
    for path in ("/rulebook/", f"/rulebook/entry/{TELL}/"):
        assert nobody.get(path).url.startswith("/sign-in/")


# ------------------------------------------------------------------------------------------------ the contents


def test_every_entry_is_found_by_program_and_by_article_and_has_a_page(town, oak, signed_in):
    client, running = signed_in(), law.in_force()
    every = running.library.entries(running.book_id)
    by_program, by_article = set(), set()
    for by, seen in (("program", by_program), ("article", by_article)):
        page = client.get("/rulebook/", {"by": by}).content.decode()
        for path in set(re.findall(r'href="(/rulebook/\?[^"]*at=[^"]+)"', page)):
            listed = client.get(path.replace("&amp;", "&")).content.decode()
            seen.update(re.findall(r'href="/rulebook/entry/([^/"]+)/"', listed))
    assert by_program == set(every)
    assert by_article == set(every)
    for name in every:
        page = client.get(f"/rulebook/entry/{name}/")
        assert page.status_code == 200, name
        assert every[name].cites[0] in text_of(page).replace("&#x27;", "'"), name


def test_the_contents_say_how_much_of_the_text_runs(town, signed_in):
    said = text_of(signed_in().get("/rulebook/"))
    register = law.in_force().book.register
    assert f"{len(register)} clauses in its register" in said
    carried = [sum(one.status == status for one in register.values()) for status in STATUSES]
    assert f"All {' '.join(map(str, carried))} {len(register)}" in said


def test_a_list_says_what_each_entry_holds_open(town, oak, signed_in):
    said = text_of(signed_in().get("/rulebook/", {"at": "spills"}))
    assert re.search(r"Look at every report of a spill within two hours .{0,80}?SORP III\.A\.2 Duty 1 ", said)


# ------------------------------------------------------------------------------------------------ an entry


def test_an_entry_has_clause_meaning_sentences_doubts_and_what_it_holds_open(
    town, oak, signed_in, django_assert_max_num_queries
):
    client = signed_in()
    client.get(f"/rulebook/entry/{TELL}/")
    with django_assert_max_num_queries(40):
        page = client.get(f"/rulebook/entry/{TELL}/")
    said = text_of(page)
    for words in (
        "Speak to a person at the state within 24 hours", "Duty, Spring Hope 2023-12. SORP III.A.3",
        "Whose Operator in responsible charge, toward the regional office", "Read as “first knowledge” Applied until somebody decides",
        "Due within 24 hours", "Voice mail or fax does not count", "D-SH-04", "Call C24-001, Oak Street at First", "Record state told",
        "Worked cases", "Five gallons to a creek",
    ):  # fmt: skip
        assert words in said, words


def test_a_decision_stands_on_the_page_of_what_it_touches(town, oak, admin, signed_in):
    said_so = {"because": "the state said so", "at": "2024-03-11", "doubt": "D-SH-04", "reading": "confirmation"}
    actions.decide(adopting.town_id(), as_account=admin, **said_so)
    client = signed_in()
    said = text_of(client.get(f"/rulebook/entry/{TELL}/"))
    assert "It does not count Whoever decided did not hold the office that settles it." in said
    assert "Read as “first knowledge” Applied until somebody decides" in said
    actions.record("office_held", "orc", as_account=admin, at="2024-01-02", data={"office": "town_manager"})
    actions.decide(adopting.town_id(), as_account=admin, performed_by="orc", office="town_manager", **said_so)
    said = text_of(signed_in().get(f"/rulebook/entry/{TELL}/"))
    assert "D-SH-04: confirmation Mon Mar 11, for Spring Hope Because: the state said so" in said
    assert "Read as “confirmation” So decided" in said
    assert "Decided Mon Mar 11: confirmation" in said


def test_another_day_is_read_under_the_edition_of_that_day_and_records_nothing(town, oak, signed_in):
    page = signed_in().get(f"/rulebook/entry/{TELL}/", {"day": "2023-01-01", "time": "10:00"})
    assert "You are looking at Sun Jan 1, 2023" in text_of(page)
    assert "Record state told" not in text_of(page)


def test_an_entry_that_is_not_there_is_said_not_to_be(town, signed_in):
    answer = signed_in().get("/rulebook/entry/us.nothing/")
    assert answer.status_code == 404
    assert "have no entry" in text_of(answer)


def test_an_entry_that_a_newer_supplement_brings_appears_by_itself(town, oak, admin, signed_in):
    parts = supplements.gather("us.nc.spring_hope", *supplements.installed(town.own_books))
    path = "books/us.nc.spring_hope/spills.toml"
    parts[path] += b"""
[[duty]]
id = "us.nc.spring_hope.spill.flag"
cites = ["SORP IX"]
means = "Flag the outfall with a ribbon of 77 inches"
on = "spill"
who = "orc"
opens = { event = "spill_confirmed" }
due = { within = "3 hours" }
met_by = { event = "area_secured" }
"""
    client = signed_in()
    assert client.get("/rulebook/entry/us.nc.spring_hope.spill.flag/").status_code == 404
    actions.adopt(adopting.plan(parts, as_account=admin), as_account=admin, number="2")
    said = text_of(client.get("/rulebook/entry/us.nc.spring_hope.spill.flag/"))
    assert "within 3 hours" in said
    assert "Nothing. No duty under it is open." in said
    actions.record("spill_confirmed", oak, as_account=admin, at="2024-03-11T10:00")
    assert "Due soon Spill 24-001" in text_of(client.get("/rulebook/entry/us.nc.spring_hope.spill.flag/"))
    assert "1 entry" in text_of(client.get("/rulebook/", {"q": "ribbon 77"}))


# ------------------------------------------------------------------------------------------------ words and figures


@pytest.mark.parametrize(
    ("text", "means"),
    [
        ("voice mail", "Speak to a person at the state"),  # said by a clause of the register that the entry carries
        ("1,000 gallons", "Issue a press release"),
        ("1000 gallons", "Issue a press release"),  # a comma between thousands is none
        ("22-359(e)", "Empty the interceptor at least every 30 days"),
        ("D-SH-04", "Speak to a person at the state"),
        ("SPILL.TELL", "Speak to a person at the state"),
    ],
)
def test_an_entry_is_found_by_words_and_figures(town, signed_in, text, means):
    assert means in text_of(signed_in().get("/rulebook/", {"q": text}))


def test_what_stands_in_no_entry_is_said_with_where_was_looked(town, signed_in):
    said = text_of(signed_in().get("/rulebook/", {"q": "unicorn"}))
    assert "Nothing holds all of that" in said
    assert "every clause of the register" in said


def test_a_clause_that_no_entry_carries_is_found_too(town, signed_in):
    register = law.in_force().book.register
    unread = next(one for one in register.values() if one.status == "unread" and len(one.means) > 40)
    said = text_of(signed_in().get("/rulebook/", {"q": unread.means})).replace("&#x27;", "'")
    assert f"{unread.cite} {unread.means} Not read yet" in said


def test_every_entry_is_found_by_its_meaning_its_clause_and_its_id(town):
    running = law.in_force()
    for name, entry in running.library.entries(running.book_id).items():
        texts = texts_of(running, name)
        assert {entry.means, "; ".join(entry.cites), name} <= set(texts)


def test_find_and_why_lead_to_the_entry(town, oak, signed_in):
    client = signed_in()
    assert f'href="/rulebook/entry/{LOOK}/"' in client.get("/find/", {"q": "within two hours"}).content.decode()
    why = client.get(f"/why/{LOOK}|{oak}|c1").content.decode()
    assert f'href="/rulebook/entry/{LOOK}/"' in why
