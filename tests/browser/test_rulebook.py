"""The rulebook in a real browser: found, read, run, tried with other figures, printed; by hand, by keyboard, without scripts."""

from __future__ import annotations

import re
from urllib.parse import quote, urlencode

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Open
from tests.browser.test_components import look
from tests.browsers import picture_path

TELL = "us.nc.spring_hope.spill.tell"
LATE = "spills_c_telling told a minute late; in time from the confirmation"
CASE = f"/rulebook/entry/{TELL}/case/{quote(LATE)}/"
WHAT_IF = f"/rulebook/entry/{TELL}/what-if/"
PATHS = {
    "contents": "/rulebook/", "articles": "/rulebook/?by=article", "program": "/rulebook/?at=spills",
    "article": "/rulebook/?by=article&at=22-359", "search": "/rulebook/?q=1,000+gallons", "nothing": "/rulebook/?q=unicorn",
    "entry": f"/rulebook/entry/{TELL}/", "entry-all-cases": f"/rulebook/entry/{TELL}/?cases=all",
    "entry-asof": f"/rulebook/entry/{TELL}/?day=2023-01-01&time=10:00", "clause": "/rulebook/clause/SPH-CEI-item2.b/",
    "clause-unread": "/rulebook/clause/SPH-22-359.a.s1/", "case": CASE, "what-if-empty": WHAT_IF,
    "what-if": f"{WHAT_IF}?{urlencode({'case': LATE})}", "runs": "/rulebook/runs/", "runs-article": "/rulebook/runs/?part=22-359",
}  # fmt: skip


@pytest.mark.parametrize("name", sorted(PATHS))
def test_a_page_of_the_rulebook_is_in_order_at_every_width(visit: Open, name: str):
    page = visit(PATHS[name]).page
    assert look(page, f"rulebook-{name}") == {}


@pytest.mark.parametrize("width", [390, 1280])
def test_a_case_is_run_and_its_figures_are_changed(visit: Open, width: int):
    """Told at 07:06 on the day after a call at 07:05: a minute late; at 07:05 it is in time."""
    page = visit(f"/rulebook/entry/{TELL}/?cases=all", width).page
    row = page.get_by_role("row").filter(has_text="Told a minute late; in time from the confirmation")
    row.get_by_role("link", name="Run it").click()
    expect(page.get_by_text("It comes out as it must")).to_be_visible()
    expect(page.get_by_text("Within 24 hours of Fri Nov 3, 2023, 7:05 am")).to_be_visible()
    page.get_by_role("link", name="What if: change its figures").click()
    out = page.locator("#out")
    expect(out).to_contain_text("Met late")
    told = page.get_by_role("group", name="State told").first
    told.get_by_label("When: time").fill("07:05")
    page.get_by_role("button", name="Try it").click()
    expect(out).to_contain_text(re.compile(r"Met\s+Due Sat Nov 4, 2023, 7:05 am"))
    expect(page.get_by_text("Nothing here is recorded")).to_be_visible()
    assert look(page, f"rulebook-what-if-tried-{width}", (width,)) == {}


def test_more_is_let_happen_by_keyboard_alone(visit: Open):
    page = visit(WHAT_IF).page
    summary = page.locator(".add summary", has_text=re.compile("^Call$"))
    summary.focus()
    page.keyboard.press("Enter")
    for label, typed in (("When: day", "03082024"), ("When: time", "0910AM")):
        for _ in range(6):
            page.keyboard.press("Tab")
            if page.evaluate("document.activeElement.ariaLabel") == label:
                break
        page.keyboard.type(typed)
    page.keyboard.press("Enter")
    expect(page.locator("#out")).to_contain_text("Sat Mar 9, 2024, 9:10 am")
    assert look(page, "rulebook-what-if-keyboard", (320, 1280)) == {}


def test_what_is_wrong_is_said_first(visit: Open):
    watched = visit(WHAT_IF)
    page = watched.page
    page.get_by_label("Asked as of: day").fill("")
    page.get_by_role("button", name="Try it").click()
    expect(page.get_by_role("alert")).to_contain_text("Nothing was tried yet.")
    assert look(page, "rulebook-what-if-wrong") == {}
    assert [one for one in watched.complaints if "422" not in one] == []
    watched.complaints.clear()


def test_without_scripts_it_is_searched_and_tried(visit: Open):
    page = visit("/rulebook/", java_script_enabled=False).page
    page.get_by_label("Words or figures").fill("1,000 gallons")
    page.get_by_role("button", name="Search").click()
    page.get_by_role("link", name=re.compile("Report to the Department")).click()
    expect(page.get_by_role("heading", name="As the desk reads it")).to_be_visible()
    page.get_by_role("link", name="What if: try your own").click()
    page.get_by_role("button", name="Try it").click()
    expect(page.get_by_role("heading", name="What comes out")).to_be_visible()


def test_it_prints_under_its_banner_with_a_line_to_sign_for_each_clause(visit: Open):
    page = visit(PATHS["runs-article"]).page
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 816, "height": 1056})
    expect(page.get_by_text("This is not the ordinance.")).to_be_visible()
    expect(page.locator(".bar")).to_be_hidden()
    expect(page.get_by_role("link", name="The paper (PDF)")).to_be_hidden()
    assert page.locator(".initials").count() == 12
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0
    page.screenshot(path=picture_path("rulebook-runs-article-print", 816), full_page=True)


def test_the_paper_is_handed_out(visit: Open):
    page = visit(PATHS["runs-article"]).page
    answer = page.request.get(page.get_by_role("link", name="The paper (PDF)").get_attribute("href") or "")
    assert answer.body().startswith(b"%PDF")
