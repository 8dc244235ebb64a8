"""The keyboard alone: what it reaches, in which order, and what a screen reader is told."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser.conftest import Open


def focused(page: Page) -> str:
    """Returns what has the focus, by its text or label."""
    said = page.evaluate(
        "() => { const e = document.activeElement; return (e.labels?.[0]?.innerText || e.getAttribute('aria-label') || e.innerText || e.name || e.tagName).trim() }"
    )
    return " ".join(said.split()).replace(" :", ":")


def tabbed(page: Page, times: int) -> list[str]:
    found = []
    for _ in range(times):
        page.keyboard.press("Tab")
        found.append(focused(page))
    return found


def test_the_first_stop_skips_to_the_page_itself(visit: Open):
    page = visit("/-/components/page-today").page
    page.keyboard.press("Tab")
    skip = page.get_by_role("link", name="Skip to main content")
    expect(skip).to_be_focused()
    expect(skip).to_be_in_viewport()
    page.keyboard.press("Enter")
    expect(page.locator("#main")).to_be_focused()
    assert tabbed(page, 1) == ["1 running in hours"]


def test_the_bar_comes_in_the_order_in_which_it_is_read(visit: Open):
    page = visit("/-/components/page-today").page
    assert tabbed(page, 11)[1:] == [
        "Ashby sewer desk", "Today", "Spills", "Programs", "Map", "Rulebook", "Documents",
        "Find a place, a person, a clause or a number", "Take a spill call", "Town clerk",
    ]  # fmt: skip


def test_a_line_is_walked_from_what_it_is_to_what_records_it(visit: Open):
    page = visit("/-/components/page-today").page
    page.get_by_role("link", name="Visit, weekly", exact=True).focus()
    assert tabbed(page, 3) == ["Why: Permit V.2", "1 doubt", "Record visit: Visit, weekly, Premier station"]


def test_a_list_is_a_table_to_a_screen_reader_at_every_width(visit: Open):
    for width in (320, 1280):
        page = visit("/-/components/page-today", width).page
        table = page.get_by_role("table", name="Overdue")
        assert table.get_by_role("columnheader").all_inner_texts() == [
            "State",
            "Program",
            "What",
            "Whose",
            "How long",
            "When",
            "Clause",
            "Record",
        ]
        row = table.get_by_role("row").nth(1)
        expect(row.get_by_role("rowheader")).to_have_text(re.compile("Inspect interceptors, yearly"))
        expect(row.get_by_role("cell").first).to_have_text("Overdue")


def test_nothing_is_chosen_before_a_person_chooses_and_arrows_move(visit: Open):
    page = visit("/-/components/page-spill").page
    readings = page.get_by_role("group", name="Which regional office?").get_by_role("radio")
    assert [one.is_checked() for one in readings.all()] == [False, False, False]
    readings.first.focus()
    assert not readings.first.is_checked()
    page.keyboard.press("Space")
    expect(readings.first).to_be_checked()
    page.keyboard.press("ArrowDown")
    expect(readings.nth(1)).to_be_checked()
    expect(readings.nth(1)).to_be_focused()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    expect(readings.nth(2)).to_be_checked()
    assert tabbed(page, 4) == ["Decided by", "Holds for", "Because", "Record the decision"]


def test_a_decision_without_who_and_why_is_not_sent(visit: Open):
    page = visit("/-/components/page-spill").page
    page.get_by_role("button", name="Record the decision").click()
    expect(page.get_by_label("Decided by")).to_be_focused()  # where the browser itself stops it


def test_a_question_is_one_stop_of_the_keyboard_and_the_next_comes_after(visit: Open):
    page = visit("/-/components/page-call").page
    page.get_by_label("Where is it?").focus()
    stops = tabbed(page, 7)
    assert stops == [
        "Sewage in a ditch or creek", "Yes", "Did not say", "When did they first notice? may be left out", "Call received",
        "Caller's name may be left out", "Number to call back may be left out",
    ]  # fmt: skip


def test_another_day_is_asked_for_by_keyboard_and_escape_goes_back(visit: Open):
    page = visit("/-/components/page-today").page
    control = page.get_by_text("As of now: Tue Oct 17, 2023, 11:20 am")
    control.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_label("Day", exact=True)).to_be_visible()
    page.keyboard.press("Tab")
    expect(page.get_by_label("Day", exact=True)).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.get_by_label("Day", exact=True)).to_be_hidden()
    expect(page.locator("details.asof summary")).to_be_focused()


def test_while_looking_back_no_button_records(visit: Open):
    page = visit("/-/components/page-looking-back").page
    expect(page.get_by_role("status")).to_have_text(re.compile("You are looking at Fri Jun 30, 2023, 11:59 pm"))
    assert page.locator("main .do, main .usa-button:visible").count() == 0
    expect(page.get_by_role("link", name="Take a spill call")).to_have_count(0)
    page.mouse.wheel(0, 2000)
    expect(page.get_by_role("status")).to_be_in_viewport()


def test_what_is_wrong_with_a_form_is_read_first_and_leads_to_its_field(visit: Open):
    page = visit("/-/components/fields").page
    expect(page.get_by_role("alert")).to_be_focused()
    assert tabbed(page, 1) == ["Place"]
    page.keyboard.press("Enter")
    field = page.locator("#wrong_place")
    expect(field).to_have_attribute("aria-invalid", "true")
    described = field.get_attribute("aria-describedby").split()
    assert [page.locator(f"#{one}").inner_text() for one in described] == [
        "As the town calls it",
        "This answer is needed.",
    ]


def test_a_register_is_sorted_by_keyboard(visit: Open):
    page = visit("/-/components/register").page
    page.get_by_role("link", name="Length, ft").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("columnheader", name="Length, ft")).to_have_attribute("aria-sort", "ascending")
    page.get_by_role("link", name="Length, ft").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("columnheader", name="Length, ft")).to_have_attribute("aria-sort", "descending")


def test_a_register_is_narrowed_in_place_and_the_address_tells(visit: Open):
    page = visit("/-/components/register").page
    page.get_by_label("Pipe, street or manhole").fill("P-07")
    page.keyboard.press("Enter")
    expect(page.get_by_text("10 pipes of those you asked for")).to_be_visible()
    expect(page).to_have_url(re.compile(r"text=P-07"))
    page.get_by_role("link", name="Show all").first.click()
    expect(page.get_by_text("161 pipes")).to_be_visible()


def test_everything_works_without_scripts(visit: Open):
    page = visit("/-/components/register", java_script_enabled=False).page
    page.get_by_label("Pipe, street or manhole").fill("P-07")
    page.get_by_role("button", name="Show").click()
    expect(page.get_by_text("10 pipes of those you asked for")).to_be_visible()
    page.goto("/-/components/page-today")
    page.get_by_text("As of now: Tue Oct 17, 2023, 11:20 am").click()
    expect(page.get_by_label("Day", exact=True)).to_be_visible()


def test_targets_are_large_enough_for_a_finger(visit: Open):
    """WCAG 2.2, 2.5.8 asks for 24 points; buttons of a telephone have 44."""
    page = visit("/-/components/page-today", 390).page
    sizes = page.locator(".do, .usa-button, .filters li a").evaluate_all(
        "all => all.map(e => e.getBoundingClientRect().height)"
    )
    assert len(sizes) > 20
    assert min(sizes) >= 44
