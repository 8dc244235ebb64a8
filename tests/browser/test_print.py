"""Every kind of page on paper: one tidy document, without what is only for a screen, not wider than the sheet; and what is folded away."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import SPILL, Open
from tests.browser.test_components import look
from tests.browsers import picture_path

SHEET = (816, 1056)  # Letter at 96 to the inch
ONLY_SCREEN = (
    ".bar", ".foot", ".do", ".usa-button", ".filters", ".panel__bar", ".narrowing", ".pages", ".usa-skipnav", ".notes", ".towns", "form button",
)  # fmt: skip
PATHS = {
    "today": "/?whose=all", "calendar": "/calendar/?month=2024-03&whose=all", "find": "/find/?q=branch", "decisions": "/decisions/",
    "decision": "/decisions/D-SH-04/", "may": f"/thing/{SPILL}/may/state_told/?ask=1&row_at_day=2024-03-08&row_at_time=15:00&way=voice_mail",
    "programs": "/programs/", "register": "/things/spill/", "thing": "/thing/k1/", "history": f"/thing/{SPILL}/rows/",
    "spills": "/spills/", "spill": f"/spills/{SPILL}/", "volumes": f"/spills/{SPILL}/volume/", "telling": f"/spills/{SPILL}/telling/",
    "documents": "/documents/", "town": "/town/", "people": "/town/people/", "closed": "/town/closed/", "law": "/town/law/",
    "plan": "/town/plan/", "log": "/log/", "verify": "/log/verify/?walk=1&head=", "accounts": "/town/accounts/", "doctor": "/town/doctor/",
    "backups": "/town/backups/", "rulebook": "/rulebook/", "entry": "/rulebook/entry/us.nc.spring_hope.spill.tell/", "jobs": "/jobs/",
    "documentation": "/api/-/docs/", "rights": "/-/rights/", "as-of": f"/spills/{SPILL}/?day=2024-03-08&time=14:50&known=now",
}  # fmt: skip


@pytest.mark.parametrize("name", sorted(PATHS))
def test_a_page_becomes_one_tidy_paper(visit: Open, spilled: str, peopled: None, name: str):
    page = visit(PATHS[name]).page
    on_paper(page, name)


def test_why_becomes_one_tidy_paper(visit: Open, spilled: str):
    page = visit(PATHS["spill"]).page
    page.goto(page.locator("a[href^='/why/']").first.get_attribute("href") or "")
    on_paper(page, "why")


def on_paper(page: Page, name: str) -> None:
    """Looks at a page as it is printed, and keeps the picture."""
    page.emulate_media(media="print")
    page.set_viewport_size({"width": SHEET[0], "height": SHEET[1]})
    shown = [hidden for hidden in ONLY_SCREEN for one in page.locator(hidden).all() if one.is_visible()]
    over = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    page.screenshot(path=picture_path(f"print-{name}", SHEET[0]), full_page=True)
    assert (sorted(set(shown)), max(over, 0)) == ([], 0)
    expect(page.get_by_role("heading", level=1).first).to_be_visible()
    assert page.pdf(format="Letter").startswith(b"%PDF")


def test_the_rules_own_words_fit_a_telephone_when_they_are_unfolded(visit: Open, spilled: str):
    page = visit(PATHS["spill"], 390).page
    page.goto(page.locator("a[href*='spill.tell']").first.get_attribute("href") or "")
    page.get_by_text("The same as the rule has it").first.click()
    expect(page.locator("details code").first).to_be_visible()
    assert look(page, "why-unfolded", (320, 390)) == {}
