"""Every clause of the text is found in its own order, says what became of it, and has a page."""

from __future__ import annotations

import re
from html import unescape

import pytest

from sewershed.ledger import law, ordinance
from sewershed.ledger.ordinance import article_of, text_of
from tests.desk.rulebook.test_rulebook import said_in


@pytest.fixture
def running(town):
    return law.in_force()


def test_each_clause_of_each_register_stands_in_its_article_once_and_in_order(running):
    for book in running.library.line(running.book_id):
        shown = [
            place.id
            for text in ordinance.texts(running)
            for article in text.articles
            for place in article.passages
            if text.book == book.id and place.is_register
        ]
        assert sorted(shown) == sorted(book.register or {})
        order = {clause: place for place, clause in enumerate(book.register or {})}
        for text in ordinance.texts(running):
            for article in text.articles:
                places = [order[one.id] for one in article.passages if one.id in order]
                assert places == sorted(places), article.name


def test_each_entry_of_each_book_stands_in_some_article(running):
    named = {
        one for article in ordinance.articles(running).values() for place in article.passages for one in place.entries
    }
    assert named == set(running.library.entries(running.book_id))


def test_what_a_register_names_is_said_in_words(running):
    """The registers of the books that ship name no more than what is there; each pointer becomes words, none is left as typed."""
    for place in ordinance.passages(running).values():
        for one in place.carriers:
            assert one.said
            if one.kind == "reason":
                assert place.status == "outside", (place.id, one)
        assert bool(place.carriers) == (place.status != "unread"), place.id


@pytest.mark.parametrize(
    ("clause", "kind", "said"),
    [
        ("SPH-CEI-head", "thing", "the list of commitments"),  # where: thing commitment
        ("SPH-CEI-item2.a", "event", "the event “Interceptor inspected”"),  # where: event interceptor_inspected
        ("SPH-CEI-item2.b", "entry", "The town inspects each interceptor at least once a year"),  # where: …fog.inspect
    ],
)
def test_what_carries_a_clause_is_what_its_row_names(running, clause, kind, said):
    (one,) = ordinance.passages(running)[clause].carriers
    assert (one.kind, one.said) == (kind, said)


def test_an_article_lists_its_clauses_with_what_became_of_each(town, running, signed_in):
    article = ordinance.articles(running)["22-359"]
    page = signed_in().get("/rulebook/", {"by": "article", "at": "22-359"})
    said = said_in(page)
    for place in article.passages:
        assert f"{place.cite} {place.means} {place.said}" in said, place.id
    assert f"{sum(one.status == 'unread' for one in article.passages)} not read yet" in said
    assert "Before: 22-358" in said
    assert "After: 22-360" in said


def test_the_contents_by_article_count_every_clause(town, running, signed_in):
    page = signed_in().get("/rulebook/", {"by": "article"}).content.decode()
    counted = {unescape(found) for found in re.findall(r'<th scope="row"><a href="[^"]+">([^<]+)</a></th>', page)}
    assert counted >= {"Reply", "Spill response plan (SORP)", "Contingency plan", "22-1 to 22-360"}
    register = running.book.register
    row = re.search(r'<tfoot><tr><th scope="row">All</th>(.*?)</tr>', page)[1]
    sums = [int(one) for one in re.findall(r">(\d+)<", row)]
    statuses = [sum(one.status == status for one in register.values()) for status in ordinance.STATUSES]
    assert sums == [*statuses, len(register)]


def test_each_clause_has_a_page(town, running, signed_in):
    client = signed_in()
    for place in list(ordinance.passages(running).values())[
        ::29
    ]:  # a page takes 15 ms; the walk of all is in the article's
        page = client.get(f"/rulebook/clause/{place.id}/")
        assert page.status_code == 200, place.id
        assert place.means in said_in(page)


def test_the_page_of_a_clause_says_how_each_entry_of_it_runs(town, running, signed_in):
    said = said_in(signed_in().get("/rulebook/clause/SPH-CEI-item2.b/"))
    for words in (
        "Reply item 2", "Take up again the yearly inspections of grease traps", "Carried by an entry",
        "The town inspects each interceptor at least once a year", "Due in each calendar year", "Met by interceptor inspected",
        "Nothing open now", "What if", "Before: Reply item 2", "After: Reply item 2",
    ):  # fmt: skip
        assert words in said, words


def test_a_clause_that_nobody_has_read_says_that_nothing_rests_on_it(town, running, signed_in):
    place = next(one for one in ordinance.passages(running).values() if one.status == "unread")
    said = said_in(signed_in().get(f"/rulebook/clause/{place.id}/"))
    assert "Not read yet Nothing of it runs: no verdict of the desk rests on this clause." in said


def test_a_clause_that_is_not_there_is_said_not_to_be(town, signed_in):
    answer = signed_in().get("/rulebook/clause/SPH-NOWHERE/")
    assert answer.status_code == 404
    assert "no register of the town" in said_in(answer)


@pytest.mark.parametrize(
    ("cite", "article"),
    [("22-188(1)a-b", "22-188"), ("SORP III.A.3", "SORP III"), ("APR V", "APR V"), ("G.S. 143-215.1C(a1)", "G.S. 143-215.1C"),
     ("Form CS-SSO Part I", "Form CS-SSO Part I"), ("15A NCAC 02H .0908, annual report periods", "15A NCAC 02H .0908"),
     ("Reply of 17 October 2023", "Reply of 17 October 2023"), ("22-64 air gap", "22-64")],
)  # fmt: skip
def test_a_clause_stands_in_an_article(cite, article):
    assert article_of(cite) == article


@pytest.mark.parametrize(
    ("article", "text"),
    [("22-359", "22"), ("22-fn1", "22"), ("SORP III", "SORP"), ("40 CFR 403.8", "40 CFR"), ("APR", "APR")],
)
def test_an_article_stands_in_a_text(article, text):
    assert text_of(article) == text
