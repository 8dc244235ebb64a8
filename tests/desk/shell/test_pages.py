"""The shell's own pages: who reaches them, what goes over the wire, and what is said where something is not to be had."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext
from django.urls import URLPattern, URLResolver, get_resolver

from sewershed.desk.shell import examples, middleware, signing_in
from sewershed.ledger import log
from sewershed.ledger.errors import NotAllowed, NotFound, Refused
from sewershed.ledger.rights import table
from tests.desk.conftest import HOST

FOR_NOBODY = {  # what a person needs before being signed in, and what answers for itself there
    "account_login", "account_inactive", "first_sign_in", "mfa_authenticate", "mfa_login_webauthn", "account_reauthenticate",
    "account_logout", "mfa_trust",
}  # fmt: skip
VALUES = {"name": "admin", "token": "abc-0123", "slug": "marks", "pk": "1", "key": "1"}
POLICY = {
    "default-src 'self'", "img-src 'self' data: blob:", "object-src 'none'", "base-uri 'none'", "form-action 'self'",
    "frame-ancestors 'none'",
}  # fmt: skip


def addresses(resolver: Any = None, before: str = "") -> Iterator[tuple[str, str]]:
    """Yields the name and a path of every page of the shell."""
    for one in (resolver or get_resolver("sewershed.desk.shell.urls")).url_patterns:
        path = before + re.sub(r"<(?:\w+:)?(\w+)>", lambda found: VALUES.get(found[1], "marks"), str(one.pattern))
        if isinstance(one, URLResolver):
            yield from addresses(one, path)
        else:
            assert isinstance(one, URLPattern)
            yield str(one.name), "/" + path


def test_nobody_reaches_a_page_without_signing_in(nobody):
    seen = dict(addresses())
    assert {"start", "account", "rights", "component", "mfa_index", "usersessions_list"} <= seen.keys()
    leaks = {}
    for name, path in seen.items():
        for method in (nobody.get, nobody.post):
            answer = method(path)
            is_led_away = answer.status_code == 302 and answer.headers["Location"].startswith("/sign-in/")
            if name not in FOR_NOBODY and not is_led_away:
                leaks[f"{path} ({answer.status_code})"] = name
    assert leaks == {}


def test_the_walk_finds_a_page_that_was_left_open(nobody):
    assert nobody.get("/sign-in/").status_code == 200  # as one of FOR_NOBODY it is not led away: the walk would name it


@pytest.mark.parametrize("role", sorted(table()))
def test_every_role_reaches_the_pages_of_the_shell(signed_in, role):
    client = signed_in(f"a.{role}", roles={role})
    for path in ("/account/", "/-/rights/", "/-/components", "/-/components/lines", "/account/second-factor/"):
        assert client.get(path).status_code == 200, path


def test_a_page_says_what_a_browser_may_do(signed_in):
    for path, client in (("/-/rights/", signed_in()), ("/sign-in/", Client(HTTP_HOST=HOST))):
        answer = client.get(path)
        assert set(answer.headers["Content-Security-Policy"].split("; ")) == POLICY
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["X-Frame-Options"] == "DENY"
        assert answer.headers["Referrer-Policy"] == "same-origin"
        assert answer.headers["Cross-Origin-Opener-Policy"] == "same-origin"
        assert "no-store" in answer.headers["Cache-Control"]
        assert "microphone=()" in answer.headers["Permissions-Policy"]


def test_cookies_are_out_of_reach_of_scripts_and_of_others(admin, nobody):
    link = signing_in.one_time_path("admin", as_account=admin)
    nobody.get(link)
    nobody.post(link, {"password": "", "again": ""})
    for name in ("sessionid", "csrftoken"):
        assert nobody.cookies[name]["samesite"] == "Lax", name
        assert nobody.cookies[name]["httponly"] is True, name


def test_a_host_that_is_not_ours_is_refused(town):
    assert Client(HTTP_HOST="elsewhere.example").get("/sign-in/").status_code == 400


def test_a_form_that_is_not_from_a_page_of_ours_records_nothing(signed_in):
    client = signed_in(enforce_csrf_checks=True)
    answer = client.post("/sign-out/")
    assert answer.status_code == 403
    assert "Nothing was recorded" in answer.content.decode()
    assert client.get("/account/").status_code == 200


def test_a_page_that_is_not_there_says_so(signed_in):
    answer = signed_in().get("/spoons/")
    assert answer.status_code == 404
    assert "There is no such page" in answer.content.decode()


def test_while_looking_elsewhere_nothing_can_be_sent(signed_in):
    client = signed_in()
    before = log.head()
    answer = client.post("/account/password/set/?day=2024-03-01", {"password1": "x"})
    assert answer.status_code == 409
    assert "Nothing can be recorded while the page looks at another day." in answer.content.decode()
    assert log.head() == before
    assert client.post("/account/password/set/", {"password1": "x"}).status_code == 200


def test_the_black_strip_stands_on_every_page_that_looks_elsewhere(signed_in):
    client = signed_in()
    page = client.get("/-/rights/?day=2024-03-01&time=10:30&known=then").content.decode()
    assert "<b>You are looking at Fri Mar 1, 2024, 10:30 am</b>, using what had been recorded by then." in page
    assert "You are looking at" not in client.get("/-/rights/").content.decode()
    page = client.get("/-/rights/?day=2024-03-10&time=02:30").content.decode()
    assert "This page looks at now." in page


@pytest.mark.parametrize(
    ("error", "status", "expected"),
    [
        (NotAllowed("clerk may not issue in spills"), 403, "clerk may not issue in spills"),
        (NotFound("there is no thing '7'"), 404, "there is no thing &#x27;7&#x27;"),
        (Refused(["the day is after now", "gal is no number"]), 422, "<li>gal is no number</li>"),
    ],
)
def test_what_the_ledger_refuses_becomes_a_page_in_sentences(town, admin, error, status, expected):
    request = RequestFactory(HTTP_HOST=HOST).post("/spills/")
    request.user, request.session = admin, {}
    request._messages = []
    answer = middleware.refused_in_words(lambda _: None).process_exception(request, error)
    assert answer.status_code == status
    assert expected in answer.content.decode()


def test_a_fault_of_ours_is_left_to_be_reported(town):
    request = RequestFactory(HTTP_HOST=HOST).get("/")
    assert middleware.refused_in_words(lambda _: None).process_exception(request, ZeroDivisionError()) is None


def test_a_fault_shows_a_page_that_asks_nothing_of_anything(signed_in, monkeypatch):
    client = signed_in(raise_request_exception=False)
    monkeypatch.setattr(examples, "examples", lambda: 1 / 0)
    answer = client.get("/-/components")
    assert answer.status_code == 500
    assert "The fault is ours, not yours." in answer.content.decode()
    assert "<script" not in answer.content.decode()


def test_components_ask_the_record_nothing(signed_in):
    client = signed_in()
    for name in examples.examples():
        client.get(f"/-/components/{name}")  # the first reads templates
        with CaptureQueriesContext(connection) as asked:
            assert client.get(f"/-/components/{name}").status_code == 200, name
        tables = {re.search(r'FROM "(\w+)"', one["sql"])[1] for one in asked.captured_queries}
        assert tables <= {"django_session", "account", "kept_view"}, name  # who is signed in, and what views they keep


def test_the_example_town_is_said_to_be_one(signed_in):
    assert "Example data" in signed_in().get("/account/").content.decode()
