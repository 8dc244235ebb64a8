"""Bringing in a list in a real browser: by hand from file to undoing, each page looked at at every width, and on paper."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Open
from tests.browser.test_components import look
from tests.browsers import picture_path

LISTS = Path(__file__).parents[1] / "exchange" / "lists"
STATIONS = """Lift stations,,,,,
LS #,Lift Station Name,In Service,Generator,# of Pumps,Firm Capacity (gpm)
{n}1,Branch Street {n},01/16/2014,On site,2,250
{n}2,Mill {n},03/02/1998,portable,2,120
{n}3,School {n},13/45/2009,none,2,80
{n}4,Hospital {n},06/30/2010,,3,"1,200"
{n}5,Depot {n},07/01/2011,diesel,2,90
Total,,,,11,
"""


def send(page: Page, path: Path) -> None:
    page.get_by_label("The list").set_input_files(path)
    page.get_by_role("button", name="Look at the list").click()


def on_paper(page: Page, name: str) -> None:
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 816, "height": 1056})
    over = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert over <= 0
    page.screenshot(path=picture_path(f"{name}-print", 816), full_page=True)
    page.emulate_media(media="screen")


@pytest.mark.parametrize("width", [1280, 390])
def test_a_list_is_brought_in_by_hand_and_undone(visit: Open, tmp_path: Path, width: int):
    file = tmp_path / "stations.csv"
    file.write_text(STATIONS.format(n=width))
    page = visit("/things/station/", width).page
    page.get_by_role("link", name=re.compile("[Bb]ring in (a|the) list")).first.click()
    expect(page.get_by_role("heading", name="Bring in a list")).to_be_visible()
    assert look(page, f"imports-{width}") == {}
    page.set_viewport_size({"width": width, "height": 900})
    send(page, file)
    expect(page.get_by_role("heading", name="What is each column?")).to_be_visible()
    expect(page.get_by_label("Lift Station Name is")).to_have_value("name")
    expect(page.get_by_label(re.compile("Which column tells one station"))).to_have_value("LS #")
    assert look(page, f"import-columns-{width}") == {}
    on_paper(page, f"import-columns-{width}")
    page.set_viewport_size({"width": width, "height": 900})
    page.get_by_role("button", name="Look at the lines").click()
    expect(page.get_by_role("heading", name="What the list leaves open")).to_be_visible()
    assert look(page, f"import-questions-{width}") == {}
    page.set_viewport_size({"width": width, "height": 900})
    for answer in page.get_by_role("radio").all():
        label = page.locator(f"label[for='{answer.get_attribute('id')}']").inner_text()
        if re.search("month first|parts thousands|none of them", label):
            answer.check()
    page.get_by_role("button", name="Look at the lines").click()
    expect(page.get_by_role("heading", name="What would change")).to_be_visible()
    expect(page.get_by_text("In Service is '13/45/2009': there is no such day").first).to_be_visible()
    assert look(page, f"import-plan-{width}") == {}
    on_paper(page, f"import-plan-{width}")
    page.set_viewport_size({"width": width, "height": 900})
    page.get_by_role("link", name=re.compile("Cannot be read")).click()
    expect(page.get_by_text("2 lines", exact=True).first).to_be_visible()
    page.get_by_role("button", name="Bring in 3 lines").click()
    expect(page.get_by_role("status").first).to_contain_text("The list is brought in.")
    assert look(page, f"import-done-{width}") == {}
    on_paper(page, f"import-done-{width}")
    page.set_viewport_size({"width": width, "height": 900})
    with page.expect_download() as taken:
        page.get_by_role("link", name="Take them away as CSV").click()
    assert "there is no such day" in Path(taken.value.path()).read_text("utf-8-sig")
    page.get_by_role("link", name="Undo it as a whole").click()
    page.get_by_label("Why it is taken back").fill("only to see it")
    assert look(page, f"import-undo-{width}") == {}
    page.set_viewport_size({"width": width, "height": 900})
    page.get_by_role("button", name="Undo the list").click()
    expect(page.get_by_role("status").first).to_contain_text("Taken back.")
    page.goto("/imports/")
    expect(page.get_by_text("Undone").first).to_be_visible()
    assert look(page, f"imports-after-{width}") == {}


def test_a_list_goes_in_by_keyboard_alone(visit: Open, tmp_path: Path):
    file = tmp_path / "pumps.csv"
    file.write_text("Lift Station Name,In Service,# of Pumps\nKeyboard Lane,2014-01-16,2\n")
    page = visit("/imports/").page
    page.get_by_label("The list").set_input_files(file)  # the browser's own dialog is not ours
    page.get_by_label("The list").focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="What is it a list of?")).to_be_visible()
    page.get_by_label("What does each line say?").focus()
    page.keyboard.type("Stations")
    for heading in ("What is each column?", "What would change"):
        for _ in range(20):
            page.keyboard.press("Tab")
            if page.evaluate("document.activeElement.type") == "submit" and page.evaluate(
                "!document.activeElement.closest('.bar')"
            ):
                break
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", name=heading)).to_be_visible()
    page.get_by_role("button", name="Bring in 1 line").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("link", name="Keyboard Lane")).to_be_visible()


def test_without_scripts_a_file_of_several_sheets_is_looked_at(visit: Open):
    page = visit("/imports/", java_script_enabled=False).page
    send(page, LISTS / "backflow_assemblies.xlsx")
    expect(page.get_by_role("group", name="Which sheet?")).to_be_visible()
    page.get_by_role("radio", name=re.compile("Testers")).check()
    page.get_by_label("What does each line say?").select_option("thing:tester")
    page.get_by_role("button", name="Look at the columns").click()
    expect(page.get_by_role("heading", name="What is each column?")).to_be_visible()


def test_the_question_of_the_sheet_is_in_order_at_every_width(visit: Open):
    page = visit("/imports/").page
    send(page, LISTS / "backflow_assemblies.xlsx")
    assert look(page, "import-what") == {}
