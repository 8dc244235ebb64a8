"""From a call to the finding in a real browser: by hand at both widths, by keyboard alone, with the map and without it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Desk, Open, Watched, run
from tests.browser.test_components import look
from tests.exchange.photographs import jpeg

CREEK = {"type": "Feature", "properties": {"name": "Creek"},
         "geometry": {"type": "LineString", "coordinates": [[-78.118, 35.9405], [-78.110, 35.9425], [-78.103, 35.942]]}}  # fmt: skip
PATHS = {
    "register": "/spills/", "register-narrowed": "/spills/?state=reported&sort=name", "register-none": "/spills/?q=zzz",
    "call": "/spills/call/", "dispatch": "/spills/i1/dispatch/", "dispatch-sent": "/spills/i2/dispatch/",
    "on-site": "/spills/i1/on-site/", "on-site-arrived": "/spills/i2/on-site/", "found": "/spills/i1/on-site/found/",
    "found-indoors": "/spills/i2/on-site/found/", "step-start": "/spills/i2/on-site/start_estimated/",
    "step-stop": "/spills/i2/on-site/spill_stopped/", "step-cause": "/spills/i2/on-site/cause_found/",
    "photographs": "/spills/i2/on-site/photographs_taken/",
}  # fmt: skip


@pytest.fixture(scope="session")
def taken(desk: Desk) -> None:
    """A crew, a station on the map, a creek beside it, and two calls: one in the street, one indoors with the crew there."""
    town = str(desk.folder)
    point = json.dumps({"type": "Point", "coordinates": ["-78.1034", "35.9451"]})
    run("record", town, "person", "new", "--id", "crew-1", "--set", "name=Crew leader", "--set", "phone=252-555-0104")
    run("record", town, "office_held", "--on", "crew-1", "--at", "2024-01-02", "--set", "office=staff")
    run("record", town, "station", "new", "--id", "st-1", "--set", "name=North station", "--set", "in_service_since=2020-01-01", "--set", f"point={point}")  # fmt: skip
    folder = desk.folder / "files" / "map"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "creek.geojson").write_text(json.dumps(CREEK), "utf-8")
    for name, where, what in (
        ("i1", "Elm Street at Second", "manhole_overflowing"),
        ("i2", "9 Dogwood Lane", "backup_indoors"),
    ):
        run("record", town, "spill", "new", "--id", name, "--set", f"location={where}")
        run("record", town, "call", "--on", name, "--at", "2024-03-08 15:35", "--set", f"what={what}", "--set", "reporter=A caller", "--set", "reporter_phone=252-555-0171")  # fmt: skip
    run("record", town, "dispatched", "--on", "i2", "--at", "2024-03-08 15:37", "--set", "person=crew-1")
    run("record", town, "crew_arrived", "--on", "i2", "--at", "2024-03-08 15:41", "--set", "person=crew-1")


@pytest.mark.parametrize("name", sorted(PATHS))
def test_a_page_is_in_order_at_every_width(visit: Open, taken: None, name: str):
    page = visit(PATHS[name]).page
    assert look(page, f"spills-{name}") == {}


def drawn(watched: Watched) -> Page:
    """Opens the map of a call and waits until it is drawn."""
    page = watched.page
    page.get_by_text("Pin it on the map").click()
    page.wait_for_selector("#map[data-drawn]", timeout=20_000)
    return page


def hushed(watched: Watched) -> None:
    """Forgets what a driver without a graphics card says of its own speed when a picture is taken."""
    watched.complaints[:] = [one for one in watched.complaints if "GPU stall due to ReadPixels" not in one]


@pytest.mark.parametrize("width", [390, 1280])
def test_the_map_is_in_order_and_a_pin_says_where_it_is(visit: Open, taken: None, width: int):
    watched = visit("/spills/call/", width)
    page = drawn(watched)
    assert look(page, f"spills-call-map-{width}", (width,)) == {}
    page.get_by_role("button", name="Pin the middle").click()
    expect(page.get_by_label("Latitude and longitude")).to_have_value(re.compile(r"35\.\d{6}, -78\.\d{6}"))
    page.get_by_label("A place from the record").select_option(label="North station")
    expect(page.get_by_label("Latitude and longitude")).to_have_value("35.945100, -78.103400")
    expect(page.locator(".map__pin")).to_be_visible()
    page.locator("#map-canvas").click(position={"x": 60, "y": 90})
    expect(page.get_by_label("A place from the record")).to_have_value("")
    hushed(watched)


def test_without_scripts_the_list_and_the_form_do_the_same(visit: Open, taken: None):
    page = visit("/spills/call/", java_script_enabled=False).page
    page.get_by_text("Pin it on the map").click()
    expect(page.locator("#map")).to_be_hidden()
    page.get_by_label("A place from the record").select_option(label="North station")
    page.get_by_label("Station alarm").check()
    page.get_by_role("button", name="Save and call the crew").click()
    expect(page.get_by_role("heading", name="Send somebody")).to_be_visible()
    expect(page.locator(".head__sub")).to_contain_text("North station")


@pytest.mark.parametrize("width", [390, 1280])
def test_from_the_call_to_the_finding_by_hand(visit: Open, taken: None, width: int, tmp_path: Path):
    page = visit("/?whose=all", width).page
    page.get_by_role("link", name="Take a spill call").click()
    page.get_by_label("Where is it?").fill(f"Pine Street at {width}")
    page.get_by_label("Manhole overflowing").check()
    page.get_by_role("group", name="Is it still running?").get_by_label("Yes").check()
    page.get_by_label("Caller's name").fill("A neighbor")
    page.get_by_label("Number to call back").fill("252-555-0183")
    page.get_by_role("button", name="Save and call the crew").click()
    expect(page.get_by_role("status").first).to_contain_text("Recorded: call C24-")
    page.get_by_role("group", name="Who is sent?").get_by_label("Crew leader").check()
    page.get_by_role("group", name="How were they told?").get_by_label("Telephone").check()
    page.get_by_role("button", name="Record who was sent").click()
    page.get_by_role("button", name="They said it back").click()
    expect(page.locator(".sent")).to_contain_text("Has the message")
    page.get_by_role("link", name="On site").click()
    page.get_by_role("group", name="It was still running on arrival").get_by_label("Yes").check()
    page.get_by_role("button", name="I am on site").click()
    page.get_by_role("link", name="Say what it is").click()
    page.get_by_label("A spill", exact=True).check()
    page.get_by_label("What was found").fill("Grease in the main")
    page.get_by_role("button", name="Record what was found").click()
    expect(page.get_by_role("status").first).to_contain_text(re.compile(r"has its number: 24-\d{3}"))
    page.get_by_role("link", name=re.compile("Record ?: Area secured")).click()
    page.get_by_label("How", exact=True).fill("Cones")
    page.get_by_role("button", name="Record area secured").click()
    expect(page.locator(".site-steps").first).to_contain_text("Cones")
    photo = tmp_path / "manhole.jpg"
    photo.write_bytes(jpeg(moment=b"2024:03:08 15:41:00\x00", gps=("N", "W")))
    page.get_by_role("link", name=re.compile("Record ?: Photographs taken")).click()
    page.get_by_label("On site", exact=True).check()
    page.get_by_label("Photographs or video").set_input_files(photo)
    page.get_by_role("button", name="Keep the photographs").click()
    expect(page.get_by_role("status").first).to_contain_text("Recorded: Photographs taken.")
    page.get_by_role("link", name=re.compile("Record ?: Spill stopped")).click()
    page.get_by_label("Corrected").check()
    page.get_by_role("button", name="Record spill stopped").click()
    expect(page.get_by_role("status").first).to_contain_text("Recorded: Spill stopped.")


def test_a_call_is_taken_by_keyboard_alone(visit: Open, taken: None):
    page = visit("/spills/").page
    for _ in range(12):  # past the skip link, the places and the search, to the call
        page.keyboard.press("Tab")
        if "Take a spill call" in page.evaluate("document.activeElement.textContent"):
            break
    page.keyboard.press("Enter")
    expect(page.get_by_label("Where is it?")).to_be_focused()  # no key is needed to begin
    page.keyboard.type("Hazel Street, by the mailbox")
    page.keyboard.press("Tab")  # the map, which may stay shut
    page.keyboard.press("Tab")
    page.keyboard.press("Space")  # the first of what they may see
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(page.get_by_label("Sewage in water")).to_be_checked()
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    page.keyboard.press("Enter")
    expect(page.get_by_role("status").first).to_contain_text("Recorded: call C24-")
    expect(page.locator(".aside")).to_contain_text("Sewage in water")


def test_a_call_of_the_same_place_is_offered_while_one_types(visit: Open, taken: None):
    page = visit("/spills/call/").page
    page.get_by_label("Where is it?").fill("Elm St, second house")
    page.get_by_label("Where is it?").blur()
    join = page.get_by_role("button", name=re.compile("Join this call to it ?: Call C24-.*Elm Street at Second"))
    expect(join).to_be_visible()
    page.get_by_label("Manhole overflowing").check()
    join.click()
    expect(page.get_by_role("status").first).to_contain_text("It is one more report of the same.")
    expect(page.locator(".head__sub")).to_contain_text("Elm Street at Second")


def test_backed_up_indoors_brings_its_advice(visit: Open, taken: None):
    page = visit("/spills/call/", 390).page
    expect(page.get_by_label("I told the caller so")).to_be_hidden()
    page.get_by_label("Where is it?").fill("11 Dogwood Lane")
    page.get_by_label("Backup indoors").check()
    page.get_by_label("I told the caller so").check()
    page.get_by_role("button", name="Save and call the crew").click()
    expect(page.locator(".aside")).to_contain_text("Backup indoors")


def test_what_is_wrong_with_a_call_is_said_first(visit: Open, taken: None):
    watched = visit("/spills/call/")
    page = watched.page
    page.get_by_role("button", name="Save and call the crew").click()
    expect(page.get_by_role("alert")).to_contain_text("The call is not saved yet.")
    expect(page.get_by_role("alert")).to_be_focused()
    assert look(page, "spills-call-refused") == {}
    assert [one for one in watched.complaints if "422" not in one] == []
    watched.complaints.clear()
