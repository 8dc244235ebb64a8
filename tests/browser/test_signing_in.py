"""Signing in as a person does: with a link, a password, a passkey; and out again."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser.conftest import Desk, Open, run

PASSWORD = "sluice gate ratchet nine"


def with_new_account(desk: Desk, name: str) -> str:
    run("account", str(desk.folder), name, "--new", "--roles", "clerk")
    return desk.link(name)


def first_sign_in(page: Page, desk: Desk) -> None:
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_label("The same again").fill(PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_url(desk.address + "/")


def test_from_a_link_to_a_password_and_back_in_by_keyboard(visit: Open, desk: Desk):
    page = visit(with_new_account(desk, "clerk.first"), is_signed_in=False).page
    first_sign_in(page, desk)
    page.get_by_text("clerk.first", exact=True).first.click()
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_url(re.compile("/sign-in/"))
    page.get_by_label("Name").focus()
    page.keyboard.type("clerk.first")
    page.keyboard.press("Tab")
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_url(desk.address + "/")


def test_a_passkey_is_made_and_signs_in_alone(visit: Open, desk: Desk):
    """Chromium's own virtual authenticator stands for the person's finger."""
    watched = visit(with_new_account(desk, "clerk.key"), is_signed_in=False)
    page = watched.page
    session = page.context.new_cdp_session(page)
    session.send("WebAuthn.enable")
    session.send(
        "WebAuthn.addVirtualAuthenticator",
        {"options": {"protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True, "isUserVerified": True, "automaticPresenceSimulation": True}},
    )  # fmt: skip
    first_sign_in(page, desk)
    page.goto("/account/second-factor/webauthn/add/")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Go on").click()
    page.get_by_label(re.compile("Name")).fill("Telephone")
    passwordless = page.get_by_role("checkbox")
    passwordless.check()
    page.get_by_role("button", name="Add it").click()
    page.wait_for_url(lambda url: not url.endswith("/add/"))
    page.goto("/account/second-factor/webauthn/")
    expect(page.get_by_text("Telephone", exact=True)).to_be_visible()
    page.goto("/account/")
    page.get_by_role("main").get_by_role("button", name="Sign out").click()
    page.wait_for_url(re.compile("/sign-in/"))
    page.get_by_role("button", name="Sign in with a passkey").click()
    page.wait_for_url(desk.address + "/")
    expect(page.get_by_text("clerk.key", exact=True).first).to_be_visible()


def test_a_passkey_that_is_not_there_is_said_in_the_page(visit: Open):
    page = visit("/sign-in/", is_signed_in=False).page
    page.evaluate(
        "() => { navigator.credentials.get = () => Promise.reject(new DOMException('no', 'NotAllowedError')); }"
    )
    page.get_by_role("button", name="Sign in with a passkey").click()
    expect(page.get_by_text("No passkey was used.")).to_be_visible()


def test_a_form_is_sent_once_however_often_its_button_is_pressed(visit: Open):
    page = visit("/-/components/page-spill").page
    sent = []
    page.route(
        "**/*",
        lambda route: (
            (sent.append(route.request.url), route.abort()) if route.request.method == "POST" else route.continue_()
        ),
    )
    page.evaluate("""() => { const form = document.querySelector('form.decide'); form.action = '/nowhere/'; form.noValidate = true;
        const button = form.querySelector('button'); button.click(); button.click(); button.click(); }""")
    page.wait_for_timeout(500)
    assert len(sent) <= 1


def test_the_content_policy_stops_what_a_stranger_plants(visit: Open):
    watched = visit("/-/components/messages")
    watched.page.evaluate(
        "() => { const s = document.createElement('script'); s.textContent = 'window.planted = true'; document.body.append(s); }"
    )
    assert watched.page.evaluate("window.planted") is None
    assert any("Content Security Policy" in one for one in watched.complaints)
    watched.complaints.clear()
