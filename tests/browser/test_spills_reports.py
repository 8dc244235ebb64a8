"""A spill from the call to the filed report, in a real browser: by hand on a desk and on a telephone, and by keyboard alone."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from typing import Protocol

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import DAY, SPILL, Open
from tests.browser.test_components import look

MOST_TABS = 200
FIVE_MINUTES = 300
PATHS = {
    "spill": f"/spills/{SPILL}/", "spill-asof": f"/spills/{SPILL}/?day=2024-03-08&time=14:30&known=now", "volumes": f"/spills/{SPILL}/volume/",
    "volume-rate": f"/spills/{SPILL}/volume/rate_duration/", "volume-area": f"/spills/{SPILL}/volume/area_depth/",
    "volume-other": f"/spills/{SPILL}/volume/other/", "volume-pipe": f"/spills/{SPILL}/volume/pipe_break/", "assess": f"/spills/{SPILL}/assess/",
    "telling": f"/spills/{SPILL}/telling/", "tell-state": f"/spills/{SPILL}/telling/state/", "callers": f"/spills/{SPILL}/telling/callers/",
    "answers": f"/spills/{SPILL}/answers/", "join": f"/spills/{SPILL}/join/", "draft": f"/documents/spill_report/draft/{SPILL}/",
    "draft-refused": f"/documents/owner_letter/draft/{SPILL}/", "draft-press": f"/documents/press_release/draft/{SPILL}/",
    "documents": "/documents/", "write": "/documents/write/",
}  # fmt: skip


# ------------------------------------------------------------------------------------------------ in order


@pytest.mark.parametrize("name", sorted(PATHS))
def test_a_page_is_in_order_at_every_width(visit: Open, spilled: str, name: str):
    page = visit(PATHS[name]).page
    assert look(page, f"report-{name}") == {}


def test_an_issued_paper_and_its_sending_are_in_order_at_every_width(visit: Open, spilled: str):
    page = visit(PATHS["draft"]).page
    page.get_by_label("I have looked at the paper").check()
    page.get_by_role("button", name="Issue the spill report").click()
    expect(page.get_by_role("status").first).to_contain_text("Issued: Spill report")
    assert look(page, "report-paper") == {}
    page.get_by_role("link", name="Mark as sent").click()
    assert look(page, "report-sent") == {}
    page.go_back()
    page.get_by_role("link", name="Withdraw it").click()
    assert look(page, "report-withdraw") == {}
    page.get_by_label("Why", exact=True).fill("Only to look at it")
    page.get_by_role("button", name="Withdraw the paper").click()
    expect(page.get_by_role("status").first).to_contain_text("It keeps its number")


def test_a_paper_is_seen_in_the_page(visit: Open, spilled: str):
    page = visit(PATHS["draft"]).page
    frame = page.frame_locator("iframe.pages-shown")
    expect(page.locator("iframe.pages-shown")).to_be_visible()
    assert frame is not None
    answer = page.request.get(f"/documents/spill_report/draft/{SPILL}/paper.pdf")
    assert answer.headers["content-type"] == "application/pdf"
    assert answer.body().startswith(b"%PDF-")


def test_why_opens_in_a_panel_and_leads_back_to_where_it_was_asked(visit: Open, spilled: str):
    page = visit(PATHS["spill"]).page
    link = page.get_by_role("link", name=re.compile("^Why:")).first
    link.click()
    panel = page.get_by_role("dialog", name="Why")
    expect(panel.get_by_role("heading", name="The steps")).to_be_visible()
    assert look(page, "report-why-panel", (390, 1280)) == {}
    page.keyboard.press("Escape")
    expect(panel).to_be_hidden()
    expect(link).to_be_focused()
    link.press("Enter")
    panel.get_by_role("link", name="Close").click()
    expect(panel).to_be_hidden()
    assert page.url.endswith(PATHS["spill"])


def test_the_spill_prints_as_one_tidy_paper(visit: Open, spilled: str):
    page = visit(PATHS["spill"]).page
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 816, "height": 1056})
    for hidden in (".bar", ".foot", ".do", ".usa-button", ".steps-on"):
        for one in page.locator(hidden).all():
            expect(one).to_be_hidden()
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0


# ------------------------------------------------------------------------------------------------ hands and keys


class Hands(Protocol):
    """How somebody works through a page."""

    page: Page

    def press(self, target: Locator) -> None: ...
    def fill(self, target: Locator, text: str) -> None: ...
    def choose(self, target: Locator) -> None: ...
    def pick(self, target: Locator, text: str) -> None: ...


class Pointer:
    """With a mouse or a finger."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def press(self, target: Locator) -> None:
        target.click()

    def fill(self, target: Locator, text: str) -> None:
        target.fill(text)

    def choose(self, target: Locator) -> None:
        target.check()

    def pick(self, target: Locator, text: str) -> None:
        target.select_option(label=text)


class Keys:
    """With the keyboard alone: Tab, arrows, Space, Enter, letters."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def _reach(self, test: str, target: Locator) -> None:
        handle = target.element_handle()
        for _ in range(MOST_TABS):
            if self.page.evaluate(test, handle):
                return
            self.page.keyboard.press("Tab")
        pytest.fail(f"no Tab leads to {target}")

    def press(self, target: Locator) -> None:
        self._reach("one => document.activeElement === one", target)
        self.page.keyboard.press("Enter")

    def fill(self, target: Locator, text: str) -> None:
        self._reach("one => document.activeElement === one", target)
        kind = target.get_attribute("type") or ""
        if kind == "date":
            year, month, day = text.split("-")
            text = f"{month}{day}{year}"
        elif kind == "time":
            hour, minute = text.split(":")
            text = f"{int(hour) % 12 or 12:02}{minute}{'AM' if int(hour) < 12 else 'PM'}"
        else:
            self.page.keyboard.press("Control+A")
        self.page.keyboard.type(text)

    def choose(self, target: Locator) -> None:
        if target.get_attribute("type") == "checkbox":
            self._reach("one => document.activeElement === one", target)
            self.page.keyboard.press("Space")
            return
        self._reach("one => document.activeElement && document.activeElement.name === one.name", target)
        self.page.keyboard.press("Space")
        for _ in range(MOST_TABS):
            if target.is_checked():
                return
            self.page.keyboard.press("ArrowDown")
        pytest.fail(f"no arrow leads to {target}")

    def pick(self, target: Locator, text: str) -> None:
        self._reach("one => document.activeElement === one", target)
        self.page.keyboard.type(text)


def to_the_volume(hands: Hands, where: str) -> Iterator[str]:
    """Takes a call and goes on until the volume is assessed; yields the name of each step when it is done."""
    page = hands.page
    hands.fill(page.get_by_label("Where is it?"), where)
    hands.choose(page.get_by_role("radio", name="Manhole overflowing"))
    hands.press(page.get_by_role("button", name="Save and call the crew"))
    expect(page.get_by_role("status").first).to_contain_text("Recorded: call")
    yield "called"
    page.goto(re.sub(r"/dispatch/$", "/", page.url))
    hands.press(page.get_by_role("navigation", name="Record what happened").get_by_role("link", name="What is it?"))
    hands.choose(page.get_by_role("radio", name="A spill"))
    hands.press(page.get_by_role("button", name="Record what was found"))
    expect(page.get_by_role("status").first).to_be_visible()
    yield "confirmed"
    page.goto(re.sub(r"/on-site/.*$", "/", page.url))
    hands.press(page.get_by_role("navigation", name="Record what happened").get_by_role("link", name="How much"))
    hands.press(page.get_by_role("link", name=re.compile("Rate and time")))
    hands.fill(page.get_by_label("Rate", exact=True).first, "50")
    first = page.get_by_role("group", name="Period 1")
    hands.fill(first.get_by_label("From: day"), DAY)
    hands.fill(first.get_by_label("From: time"), "14:00")
    hands.fill(first.get_by_label("To: day"), DAY)
    hands.fill(first.get_by_label("To: time"), "14:35")
    hands.fill(page.get_by_label("How the start is known"), "When the caller noticed")
    hands.fill(page.get_by_label("How the stop is known"), "Jetted free")
    hands.press(page.get_by_role("button", name="Work it out"))
    expect(page.get_by_role("heading", name="1,750 gal")).to_be_visible()  # 50 gallons a minute for 35 minutes
    hands.press(page.get_by_role("button", name="Record this estimate"))
    yield "estimated"
    hands.press(page.get_by_role("link", name="Choose one", exact=True))
    hands.choose(page.get_by_role("radio", name=re.compile("Rate and time: 1,750 gallons")))
    hands.fill(page.get_by_label("Why this one"), "Timed at the manhole")
    hands.choose(page.get_by_role("group", name=re.compile("^Reached surface water")).get_by_role("radio", name="No", exact=True))  # fmt: skip
    hands.press(page.get_by_role("button", name="Record the assessment"))
    expect(page.get_by_text("Chosen by")).to_be_visible()
    yield "assessed"


def to_the_filed_report(hands: Hands) -> Iterator[str]:
    """Goes on from the spill's page until the report is filed."""
    page, spill = hands.page, hands.page.url
    hands.press(
        page.get_by_role("link", name="Record the call").or_(page.get_by_role("link", name="Record state told")).first
    )
    hands.choose(page.get_by_role("radio", name="Person", exact=True))
    hands.fill(page.get_by_label("Spoken to", exact=True), "Duty officer")
    hands.fill(page.get_by_label("Incident number", exact=True), "202400123")
    hands.press(page.get_by_role("button", name="Record the call"))
    expect(page.get_by_text("The state was told")).to_be_visible()
    yield "told"
    hands.press(page.get_by_role("link", name="Reports and notices").first)
    hands.press(page.get_by_role("link", name="The spill report"))
    hands.choose(page.get_by_label("I have looked at the paper"))
    hands.press(page.get_by_role("button", name="Issue the spill report"))
    expect(page.get_by_role("status").first).to_contain_text("Issued: Spill report")
    yield "issued"
    hands.press(page.get_by_role("link", name="Mark as sent"))
    hands.pick(page.get_by_role("combobox", name=re.compile("^Way")), "Email")
    hands.fill(page.get_by_label("To", exact=True), "The regional office")
    hands.press(page.get_by_role("button", name="Mark as sent"))
    expect(page.get_by_role("status").first).to_contain_text("is marked as sent")
    yield "filed"
    page.goto(spill)
    expect(page.get_by_text(re.compile(r"Spill report \d\d-\d+")).first).to_be_visible()
    row = page.get_by_role("row", name=re.compile("Send the (spill|written) report within five"))
    page.get_by_text("over", exact=False).first.click()
    expect(row.first).to_contain_text("Met")


def walk(hands: Hands, where: str) -> list[str]:
    began = time.monotonic()
    steps = [*to_the_volume(hands, where), *to_the_filed_report(hands)]
    assert time.monotonic() - began < FIVE_MINUTES
    return steps


STEPS = ["called", "confirmed", "estimated", "assessed", "told", "issued", "filed"]


@pytest.mark.parametrize(("width", "where"), [(1280, "Maple Avenue 12"), (390, "Cedar Lane 4")])
def test_a_spill_goes_from_call_to_filed_report_by_hand(visit: Open, staffed: None, width: int, where: str):
    page = visit("/spills/call/", width).page
    assert walk(Pointer(page), where) == STEPS


def test_a_spill_goes_from_call_to_filed_report_by_keyboard_alone(visit: Open, staffed: None):
    page = visit("/spills/call/").page
    assert walk(Keys(page), "Walnut Court 7") == STEPS


def test_a_spill_goes_from_call_to_filed_report_without_scripts(visit: Open, staffed: None):
    page = visit("/spills/call/", java_script_enabled=False).page
    assert walk(Pointer(page), "Poplar Drive 9") == STEPS
