"""Things and Today in a real browser: axe finds nothing, nothing runs over, and a call is recorded by keyboard alone."""

from __future__ import annotations

from urllib.parse import quote

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Desk, Open, run
from tests.browser.test_components import look

PATHS = {
    "today": "/?whose=all", "today-by-place": "/?whose=all&by=place", "today-asof": "/?whose=all&day=2024-03-08&time=15:41",
    "programs": "/programs/", "register": "/things/spill/", "register-empty": "/things/station/", "new": "/things/spill/new/",
    "thing": "/thing/s1/", "thing-asof": "/thing/s1/?day=2024-03-08&time=15:40&known=then", "rows": "/thing/s1/rows/",
    "row": "/row/c1/", "choose": "/thing/s1/record/", "record": "/thing/s1/record/call/",
    "record-units": "/thing/s1/record/spill_assessed/", "facts": "/thing/s1/facts/", "correct": "/row/c1/correct/",
    "withdraw": "/row/c1/withdraw/", "why": f"/why/{quote('us.nc.spill.tell|s1|c1')}", "decisions": "/decisions/",
    "doubt": "/decisions/D-SH-04/?on=s1", "decide": "/thing/s1/decide/is_prolonged/", "may-choose": "/thing/s1/may/",
    "may": "/thing/s1/may/state_told/?ask=1&row_at_day=2024-03-08&row_at_time=15:41", "calendar": "/calendar/?whose=all",
    "calendar-address": "/calendar/address/", "find": "/find/?q=spill",
}  # fmt: skip


@pytest.fixture(scope="session")
def recorded(desk: Desk) -> None:
    """A spill with a call, entered by the command into the town that is served."""
    town = str(desk.folder)
    run("record", town, "spill", "new", "--id", "s1", "--set", "location=Oak Street at First")
    run(
        "record", town, "call", "--on", "s1", "--at", "2024-03-08 15:40", "--set", "what=sewage_on_ground", "--id", "c1"
    )


@pytest.mark.parametrize("name", sorted(PATHS))
def test_a_page_is_in_order_at_every_width(visit: Open, recorded: None, name: str):
    page = visit(PATHS[name]).page
    assert look(page, f"desk-{name}") == {}


@pytest.mark.parametrize("width", [390, 1280])
def test_what_happened_is_recorded_by_hand_from_today(visit: Open, recorded: None, width: int):
    page = visit("/thing/s1/", width).page
    page.get_by_role("navigation", name="Record what happened").get_by_role("link", name="Anything else").click()
    page.get_by_role("link", name="Area secured").click()
    page.get_by_label("How", exact=True).fill("cones and tape")
    page.get_by_role("button", name="Record area secured").click()
    expect(page.get_by_role("status").first).to_contain_text("Recorded: Area secured.")
    page.goto("/thing/s1/")
    expect(page.get_by_role("link", name="Area secured").first).to_be_visible()


def test_a_form_is_filled_and_sent_by_keyboard_alone(visit: Open, recorded: None):
    page = visit("/thing/s1/record/area_secured/").page
    page.get_by_label("How", exact=True).focus()
    page.keyboard.type("a fence")
    page.keyboard.press("Tab")  # to the box Not known, past it to who did it, to the button
    for _ in range(12):
        if page.evaluate("document.activeElement.type") == "submit":
            break
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("status").first).to_contain_text("Recorded: Area secured.")


def test_why_prints_alone_as_a_statement(visit: Open, recorded: None):
    page = visit(PATHS["why"]).page
    page.emulate_media(media="print")
    expect(page.get_by_text("Statement of reasons", exact=True)).to_be_visible()
    expect(page.locator(".bar")).to_be_hidden()
    expect(page.locator(".picks")).to_be_hidden()
    expect(page.get_by_role("heading", name="The steps")).to_be_visible()
