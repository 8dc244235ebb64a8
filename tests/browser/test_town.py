"""The town's own pages in a real browser: axe finds nothing, nothing runs over, offices by keyboard, a way back."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Open
from tests.browser.test_components import look

PATHS = {
    "town": "/town/", "people": "/town/people/", "office": "/town/people/offices/", "closed": "/town/closed/",
    "accounts": "/town/accounts/", "invite": "/town/accounts/new/", "account": "/town/accounts/admin/", "law": "/town/law/",
    "newer-law": "/town/law/newer/", "doctor": "/town/doctor/", "backups": "/town/backups/", "restore": "/town/backups/restore/",
    "plan": "/town/plan/", "instructed": "/town/plan/instructed/", "log": "/log/", "log-corrections": "/log/?what=corrections",
    "log-nothing": "/log/?thing=nothing", "verify": "/log/verify/?walk=1&head=", "town-asof": "/town/?day=2024-03-08&time=15:41&known=then",
}  # fmt: skip


@pytest.mark.parametrize("name", sorted(PATHS))
def test_a_page_of_the_town_is_in_order_at_every_width(visit: Open, peopled: None, name: str):
    page = visit(PATHS[name]).page
    assert look(page, f"town-{name}") == {}


@pytest.mark.parametrize("width", [390, 1280])
def test_a_backup_is_made_looked_at_and_the_command_is_shown(visit: Open, peopled: None, width: int):
    page = visit("/town/backups/", width).page
    page.get_by_role("button", name="Make a backup now").click()
    expect(page.get_by_role("status").first).to_contain_text("The backup is made")
    page.get_by_role("link", name="Look whether a backup can be restored").click()
    page.get_by_role("button", name=re.compile(r"Look at it\s*:")).first.click()
    expect(page.get_by_text("It is whole.")).to_be_visible()
    expect(page.get_by_text("sewershed restore ")).to_be_visible()
    assert look(page, "town-restorable") == {}


def test_an_account_is_made_and_its_link_opens_a_desk(visit: Open, peopled: None):
    page = visit("/town/accounts/new/").page
    page.get_by_label("Name to sign in with").fill("clerk.one")
    page.get_by_label("Clerk: keeps the office's records").check()
    page.get_by_role("button", name="Make the account").click()
    link = page.get_by_label("Link", exact=True).input_value()
    assert look(page, "town-link") == {}
    other = visit(link, is_signed_in=False).page
    other.get_by_role("button", name="Sign in").click()
    expect(other.get_by_role("heading", name="Today")).to_be_visible()


def test_an_office_is_recorded_by_keyboard_alone(visit: Open, peopled: None):
    page = visit("/town/people/offices/").page
    page.get_by_label("Office", exact=True).focus()
    page.keyboard.type("Town man")
    page.keyboard.press("Tab")
    page.keyboard.type("Oper")
    for _ in range(16):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.type") == "submit":
            break
    page.keyboard.press("Enter")
    expect(page.get_by_role("status").first).to_contain_text("Recorded: who holds the office.")
    expect(page.get_by_role("rowheader", name="Town manager")).to_be_visible()


def test_without_scripts_the_log_is_narrowed(visit: Open, peopled: None):
    page = visit("/log/", java_script_enabled=False).page
    page.locator("#id_what").select_option("corrections")
    page.get_by_role("button", name="Show", exact=True).click()
    expect(page.get_by_text("as it is printed")).to_be_visible()
