"""How the ordinance runs, printed: every clause in order with its line to sign, as a page and as a paper that say the same."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.urls import reverse

from sewershed.ledger import actions, adopting, law, ordinance, papers, queries
from sewershed.ledger.errors import NotFound
from sewershed.programs.town.papers import how_it_runs
from sewershed.programs.town.papers.how_it_runs import BANNER, ArticleRuns, ClauseRuns
from tests.desk.recorded import ROLES, spill
from tests.desk.rulebook.test_rulebook import said_in
from tests.pdf_pages import open_pdf, text_of

ADDRESS = "/rulebook/runs/"


@pytest.fixture
def said(town, admin):
    """How it runs, of a part, in the town of the test."""

    def said(part: str = "") -> how_it_runs.HowItRuns:
        return papers.how_it_runs_said(law.in_force(), queries.world(as_account=admin), part)

    return said


def clauses_of(runs: how_it_runs.HowItRuns) -> list[ClauseRuns]:
    return [clause for article in runs.articles for clause in article.clauses]


def test_all_of_it_holds_every_clause_of_every_register_once_and_every_entry_once(said):
    running, runs = law.in_force(), said()
    ids = [one.id for one in clauses_of(runs) if one.id]
    assert sorted(ids) == sorted(ordinance.passages(running))
    printed = [rule.id for clause in clauses_of(runs) for rule in clause.rules if not rule.printed_at]
    assert sorted(printed) == sorted(running.library.entries(running.book_id))
    assert sum(count for count, _ in runs.counts) == len(clauses_of(runs))


def test_an_entry_says_what_it_asks_how_doubts_are_read_and_what_proves_it(said):
    (rule,) = [
        one for clause in clauses_of(said("SORP III")) for one in clause.rules if one.id == "us.nc.spring_hope.spill.tell" and not one.printed_at
    ]  # fmt: skip
    lines = {one.name: one.text for one in rule.lines}
    assert lines["Whose"].startswith("Operator in responsible charge, toward the regional office")
    assert {one.name: one.note for one in rule.readings} == {
        "first knowledge": "Applied until somebody decides",
        "confirmation": "",
    }
    assert ("Due", "within 24 hours") in [(line.name, line.text) for one in rule.readings for line in one.lines]
    doubt = next(one for one in rule.doubts if one.id == "D-SH-04")
    assert doubt.stands == "Applied until somebody decides: first knowledge. The town manager settles it."
    assert len(rule.cases) == 4
    assert rule.more_cases > 30
    assert all(one.expected and one.origin for one in rule.cases)


def test_a_decision_is_printed_in_the_place_of_the_reading_that_was_applied(town, admin, said):
    spill(admin)  # with whom the operator comes into the record
    actions.record("office_held", "orc", as_account=admin, at="2024-01-02", data={"office": "town_manager"})
    actions.decide(
        adopting.town_id(), as_account=admin, because="the state said so", at="2024-03-11", doubt="D-SH-04", reading="confirmation",
        performed_by="orc", office="town_manager",
    )  # fmt: skip
    doubts = {
        one.id: one.stands for clause in clauses_of(said("spills")) for rule in clause.rules for one in rule.doubts
    }
    assert doubts["D-SH-04"] == "Decided Mon Mar 11, 2024: confirmation."


def test_what_nobody_has_read_is_printed_as_that_and_has_no_line_to_sign():
    def clause(cite: str, status: str) -> ClauseRuns:
        return ClauseRuns(cite, cite, "means", status, "", (), (), ())

    clauses = (clause("1", "unread"), clause("2", "rule"), clause("3", "unread"), clause("4", "unread"))
    article = ArticleRuns("9-1", "", clauses)
    assert [(is_read, [one.cite for one in many]) for is_read, many in article.parts] == [
        (False, ["1"]), (True, ["2"]), (False, ["3", "4"]),
    ]  # fmt: skip


def test_a_part_is_an_article_a_text_or_a_program(said):
    assert [one.name for one in said("22-359").articles] == ["22-359"]
    assert {one.name for one in said("Spill response plan (SORP)").articles} == {
        "SORP",
        *(f"SORP {n}" for n in ("I", "II", "III", "IV", "V")),
    }
    fog = law.in_force().library.entries("us.nc.spring_hope")
    wanted = {one.id for one in fog.values() if one.file.endswith("/fog.toml")}
    assert wanted <= {rule.id for clause in clauses_of(said("fog")) for rule in clause.rules}
    with pytest.raises(NotFound, match="'attic'"):
        said("attic")


def test_the_page_has_banner_edition_hash_day_and_a_line_for_each_clause(town, said, signed_in):
    page = signed_in().get(ADDRESS, {"part": "22-359"})
    words, running = said_in(page), law.in_force()
    read = [one for one in clauses_of(said("22-359")) if one.is_read]
    for text in (BANNER, "As read on Mon Mar 11, 2024", running.supplement[:12], "Spring Hope 2023-12", "sign-off",
                 "12 carried by an entry, 27 not read yet", "Proved by"):  # fmt: skip
        assert text in words, text
    assert words.count("So it reads Not so: see note Initials Date") == len(read) == 12
    assert words.count("Not read yet: nothing of") > 0


@pytest.mark.parametrize("role", ROLES)
def test_every_role_may_print(town, signed_in, role):
    client = signed_in(f"a.{role}", roles={role})
    for part in ("", "22-359"):
        assert client.get(ADDRESS, {"part": part}).status_code == 200
    assert client.get(f"{ADDRESS}how-it-runs.pdf", {"part": "22-359"})["Content-Type"] == "application/pdf"


def test_each_part_that_can_be_chosen_can_be_printed(town, signed_in):
    client = signed_in()
    links = set(re.findall(r'href="(/rulebook/runs/\?part=[^"]+)"', client.get(ADDRESS).content.decode()))
    assert len(links) > 20
    for link in links:
        page = client.get(unescape(link))
        assert page.status_code == 200, link
        assert BANNER in said_in(page)


def test_what_is_called_so_nowhere_is_said_not_to_be(town, signed_in):
    assert signed_in().get(ADDRESS, {"part": "attic"}).status_code == 404
    assert signed_in().get(f"{ADDRESS}how-it-runs.pdf", {"part": "attic"}).status_code == 404


def test_the_paper_says_what_the_page_says(town, said, signed_in):
    answer = signed_in().get(f"{ADDRESS}how-it-runs.pdf", {"part": "22-359"})
    assert answer["Content-Disposition"] == 'inline; filename="how-the-ordinance-runs.pdf"'
    text = text_of(answer.content)
    for words in (
        BANNER,
        "March 11, 2024",
        law.in_force().supplement[:12],
        "Attorney for the town",
        "So it reads",
        "How the ordinance runs",
    ):
        assert bare(words) in bare(text), words
    for clause in clauses_of(said("22-359")):
        assert bare(clause.means) in bare(text), clause.cite
    assert "DRAFT" not in text
    with open_pdf(answer.content) as file:
        assert file.Root.MarkInfo.Marked
        assert str(file.docinfo.Title) == "How the ordinance runs: 22-359"


def test_the_same_law_day_and_record_give_the_same_bytes(town, admin):
    first = papers.how_it_runs_pdf("fog", as_account=admin)
    assert papers.how_it_runs_pdf("fog", as_account=admin) == first


def test_the_data_of_the_paper_says_what_became_of_each_clause(said):
    data = how_it_runs.build(said("22-359"))
    (article,) = data["articles"]
    parts = article["parts"]
    assert sum(len(one["clauses"]) for one in parts) == 39
    assert all(len(one["clauses"]) == 1 for one in parts if one["is_read"])
    assert data["banner"] == BANNER


def test_what_is_from_memory_says_so_on_each_page_that_shows_it(town, admin, said, signed_in):
    """An entry whose book says `certainty = "memory"`, on every page of the rulebook and in print; one that is verified on none."""
    running, client, mark = law.in_force(), signed_in(), "From memory: check before relying on it"
    entry = next(
        one
        for one in running.library.entries(running.book_id).values()
        if one.certainty == "memory" and ordinance.worked(running).get(one.id)
    )
    case = ordinance.worked(running)[entry.id][0]
    article = ordinance.article_of(entry.cites[0])
    pages = {
        "its own": client.get(f"/rulebook/entry/{entry.id}/"), "its case": client.get(reverse("rulebook_case", args=[entry.id, str(case)])),
        "what if": client.get(f"/rulebook/entry/{entry.id}/what-if/"), "its article": client.get("/rulebook/", {"by": "article", "at": article}),
        "what was found": client.get("/rulebook/", {"q": entry.id}), "print": client.get(ADDRESS, {"part": article}),
    }  # fmt: skip
    assert [name for name, page in pages.items() if mark not in said_in(page)] == []
    assert bare(mark) in bare(text_of(client.get(f"{ADDRESS}how-it-runs.pdf", {"part": article}).content))
    sure = next(
        one for one in running.library.entries(running.book_id).values() if not ordinance.caution_of(running, one.id)
    )
    assert mark not in said_in(client.get(f"/rulebook/entry/{sure.id}/"))


def test_what_rests_on_memory_says_on_what(town, signed_in):
    running = law.in_force()
    named = next(
        one for one in running.library.entries(running.book_id).values()
        if one.certainty == "verified" and ordinance.caution_of(running, one.id)
    )  # fmt: skip
    words = ordinance.caution_of(running, named.id)
    assert words.startswith("Rests on ")
    assert words in said_in(signed_in().get(f"/rulebook/entry/{named.id}/"))


def bare(text: str) -> str:
    """Returns a text without blanks and hyphens: a line may end within a word."""
    return text.translate(dict.fromkeys(map(ord, " \u00a0-\u00ad\u2010")))
