"""Each component and each page of the shell in a real browser: axe finds nothing, nothing runs over, the picture is kept."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from sewershed.desk.shell.examples import examples
from tests.browser.conftest import Open, axe
from tests.browsers import picture_path

WIDTHS = (320, 390, 768, 1280)
WIDEST = 1600
SHELL = ("/", "/account/", "/account/password/set/", "/account/second-factor/", "/account/second-factor/webauthn/", "/account/devices/", "/-/rights/", "/-/components", "/no-such-page/")  # fmt: skip


def look(page: Page, name: str, widths: tuple[int, ...] = WIDTHS) -> dict[int, list[str]]:
    """Keeps a picture of a page at each width, and returns what is wrong with it there."""
    wrong = {}
    for width in widths:
        page.set_viewport_size({"width": width, "height": 900})
        found = axe(page)
        over = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        wrong[width] = [*found, *([f"{over} px wider than the screen"] if over > 0 else [])]
        path = picture_path(name, width)
        path.parent.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=path, full_page=True)
    return {width: one for width, one in wrong.items() if one}


@pytest.mark.parametrize("name", sorted(examples()))
def test_a_component_is_in_order_at_every_width(visit: Open, name: str):
    page = visit(f"/-/components/{name}").page
    assert look(page, name, (*WIDTHS, WIDEST)) == {}


@pytest.mark.parametrize("path", SHELL)
def test_a_page_of_the_shell_is_in_order_at_every_width(visit: Open, path: str):
    watched = visit(path)
    assert look(watched.page, "shell" + path.replace("/", "-").rstrip("-")) == {}
    if path == "/no-such-page/":
        assert [one for one in watched.complaints if "404" not in one] == []
        watched.complaints.clear()


def test_the_entrance_is_in_order_at_every_width(visit: Open):
    page = visit("/sign-in/", is_signed_in=False).page
    assert look(page, "entrance-sign-in") == {}
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("2 answers need another look")
    assert look(page, "entrance-sign-in-refused") == {}


def test_the_first_sign_in_is_in_order_at_every_width(visit: Open, desk):
    page = visit(desk.link(), is_signed_in=False).page
    assert look(page, "entrance-first") == {}
    watched = visit("/sign-in/first/admin/abc-0123/", is_signed_in=False)
    assert look(watched.page, "entrance-link-used") == {}
    assert [one for one in watched.complaints if "410" not in one] == []
    watched.complaints.clear()


def test_axe_finds_what_was_planted(visit: Open):
    page = visit("/-/components/messages").page
    page.evaluate(
        "document.querySelector('main').innerHTML += '<img src=\"/static/icon.svg\"><p><a href=\"#\"></a></p>'"
    )
    found = axe(page)
    assert {one.split(":")[0] for one in found} >= {"image-alt", "link-name"}


# ------------------------------------------------------------------------------------------------ paper and other colors


@pytest.mark.parametrize("name", ["page-today", "page-spill", "page-why", "why", "register", "page-call"])
def test_a_page_becomes_one_tidy_paper(visit: Open, name: str):
    page = visit(f"/-/components/{name}").page
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 816, "height": 1056})  # Letter at 96 to the inch
    for hidden in (
        ".bar",
        ".foot",
        ".do",
        ".usa-button",
        ".filters",
        ".panel__bar",
        ".narrowing",
        ".pages",
        ".usa-skipnav",
    ):
        for one in page.locator(hidden).all():
            expect(one).to_be_hidden()
    over = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert over <= 0
    page.screenshot(path=picture_path(f"{name}-print", 816), full_page=True)
    pages = page.pdf(format="Letter")
    assert pages.startswith(b"%PDF")


def test_why_prints_alone_under_the_name_of_the_town(visit: Open):
    page = visit("/-/components/page-why").page
    page.emulate_media(media="print")
    expect(page.get_by_text("Statement of reasons")).to_be_visible()
    expect(page.get_by_text("Visit or telephone the caller")).to_be_hidden()
    expect(page.get_by_text("Why must we call the state by 2:40 pm today?")).to_be_visible()


@pytest.mark.parametrize("name", ["page-today", "page-spill", "fields", "matrix", "progress", "as-of"])
def test_in_forced_colors_shape_and_word_still_say_it(visit: Open, name: str):
    page = visit(f"/-/components/{name}", forced_colors="active").page
    assert axe(page) == []
    page.screenshot(path=picture_path(f"{name}-forced", 1280), full_page=True)
    if name == "page-today":
        current = page.locator(".bar__nav a[aria-current]")
        other = page.locator(".bar__nav a:not([aria-current])").first
        color = "getComputedStyle(e).borderBottomColor"
        assert current.evaluate(f"e => {color}") != other.evaluate(f"e => {color}")


def test_letters_can_be_twice_as_large(visit: Open):
    """WCAG 1.4.4: at 200 % nothing is lost; a browser of 1280 then lays out 640 points."""
    page = visit("/-/components/page-today", 640).page
    over = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert over <= 0
    expect(page.get_by_role("link", name=re.compile("Record pumping")).first).to_be_visible()
