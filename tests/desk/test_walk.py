"""Every address of the desk and of the API is walked as each role and as nobody.

What is not allowed is refused, nothing breaks, and no private value comes out. How to add a page: tests/desk/addresses.py.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import path as pattern

from sewershed.desk.api.actions import make_token
from sewershed.desk.jobs.models import Job
from sewershed.ledger import actions, adopting, log, rights
from sewershed.ledger.models import Account
from tests import pdf_pages
from tests.desk import addresses as walked
from tests.desk.addresses import APART, FOR_NOBODY, PRIVATE, SENT, addresses, examples, sent_to
from tests.desk.conftest import HOST
from tests.desk.recorded import ROLES
from tests.trials import IS_SOAK

FINE = frozenset({200, 201, 202, 204, 301, 302, 303, 400, 401, 403, 404, 405, 409, 410, 413, 415, 422, 429})
ELSEWHERE = {"day": "2024-03-11", "time": "10:00", "known": "then"}
JUNK = {
    "row_at_day": "2024-03-11", "row_at_time": "10:00", "row_at_is": "exact", "row_why": "x", "because": "x", "reading": "x", "by": "orc", "for": "s1",
    "name": "x", "roles": "auditor", "do": "make", "what": "smell", "location": "x", "password": "x", "data": "{}",
}  # fmt: skip


@pytest.fixture
def known(town, admin) -> dict[str, str]:
    return examples(admin)


def client_of(role: str, admin: Account) -> tuple[Client, Client]:
    """Returns a browser in which somebody of a role is signed in, and a program that holds a token of that role."""
    account = actions.open_account(f"walker.{role}", as_account=admin, roles={role})
    browser = Client(HTTP_HOST=HOST, raise_request_exception=False)
    browser.force_login(account)
    token = make_token(account, "the walk", {role})
    return browser, Client(HTTP_HOST=HOST, raise_request_exception=False, headers={"Authorization": f"Bearer {token}"})


def said_in(answer: HttpResponse) -> str:
    """Returns what an answer says, whatever kind of file it is."""
    content = b"".join(answer.streaming_content) if answer.streaming else answer.content
    if content[:2] == b"PK":
        with zipfile.ZipFile(io.BytesIO(content)) as packed:
            return " ".join(packed.read(name).decode("utf-8", "replace") for name in packed.namelist())
    if content[:5] == b"%PDF-":
        return pdf_pages.text_of(content)
    return content.decode("utf-8", "replace")


def posted(client: Client, one: walked.Address, data: dict[str, str]) -> HttpResponse:
    if one.name.startswith("api:"):
        return client.post(one.path, json.dumps(data), content_type="application/json")
    return client.post(one.path, data)


# ------------------------------------------------------------------------------------------------ all of them are known


def test_there_is_an_example_for_every_address(town, known):
    every = addresses(known)
    assert len(every) > 100
    without = sorted(one.name for one in every if not one.is_known)
    assert without == [], f"add an example of what these take to tests/desk/addresses.py: {', '.join(without)}"
    unknown = sorted((walked.OWN.keys() | FOR_NOBODY.keys() | APART.keys()) - {one.name for one in every})
    assert unknown == [], "these have gone: take their examples out"


def test_a_page_that_takes_something_new_is_named(town, known):
    """The planted offence: a page that no example is of."""
    resolver = type("Resolver", (), {"url_patterns": [pattern("pumps/<int:pump>/", lambda _: None, name="pump")]})
    (found,) = walked._addresses(resolver, known, "", "/")
    assert (found.name, found.is_known) == ("pump", False)


# ------------------------------------------------------------------------------------------------ nobody


def test_nobody_reaches_anything(town, known):
    before, nobody, leaks = log.head(), Client(HTTP_HOST=HOST, raise_request_exception=False), {}
    for one in addresses(known):
        for answer in (nobody.get(one.path), nobody.post(one.path, JUNK), posted(nobody, one, {})):
            to_sign_in = answer.status_code == 302 and answer.headers["Location"].startswith("/sign-in/")
            wanted = FINE if one.name in FOR_NOBODY else {401, 404, 405} if one.path.startswith("/api") else frozenset()
            is_fine = to_sign_in or answer.status_code in wanted
            said = said_in(answer)
            if not is_fine or any(value in said for value in PRIVATE):
                leaks[one.name] = f"{one.path} ({answer.status_code})"
    assert leaks == {}
    assert log.head() == before


# ------------------------------------------------------------------------------------------------ each role


@pytest.mark.parametrize("role", ROLES)
def test_nothing_breaks_for_any_role(town, known, admin, role):
    browser, program = client_of(role, admin)
    broken = {}
    for one in addresses(known):
        client = program if one.name.startswith("api:") else browser
        if one.name in APART:
            continue
        for how, answer in (
            ("GET", client.get(one.path)),
            ("POST", posted(client, one, {})),
            ("POST with junk", posted(client, one, JUNK)),
        ):
            if answer.status_code not in FINE:
                broken[f"{how} {one.name}"] = f"{one.path} ({answer.status_code})"
    assert broken == {}
    assert browser.get("/account/").status_code == 200, "somewhere on the way the browser was signed out"


@pytest.mark.parametrize("role", ROLES)
def test_who_may_not_record_is_refused_everywhere_it_is_tried_and_who_may_is_not(town, known, admin, role):
    browser, program = client_of(role, admin)
    account = Account.objects.get(name=f"walker.{role}")
    wrong = {}
    for one in SENT:
        path, data = sent_to(one, adopting.town_id())
        before = log.head()
        if not one.page.startswith("api:"):
            answer = browser.post(path, data)
        elif "file" in data:
            answer = program.post(path, data)
        else:
            answer = program.post(path, json.dumps(data), content_type="application/json")
        is_recorded, may = log.head() != before, rights.may(account, one.verb, one.program)
        if is_recorded != may or (not may and answer.status_code != 403):
            wrong[f"{one.page} {one.args}"] = (answer.status_code, "recorded" if is_recorded else said_in(answer)[:300])
    assert wrong == {}


def test_whoever_only_reads_changes_nothing_wherever_he_sends_something(town, known, admin):
    browser, program = client_of("auditor", admin)

    def state() -> tuple[object, ...]:
        accounts = list(Account.objects.order_by("id").values_list("name", "roles", "person", "is_active", "password"))
        kept = sorted(str(path) for path in town.files.rglob("*"))
        own = {"recorded_by": "walker.auditor", "name": "access_changed"}  # whoever reads may make a token of his own
        rows = [row.id for row in log.select() if any(getattr(row, name) != value for name, value in own.items())]
        return (
            rows,
            accounts[:-1],
            kept,
            (town.folder / "town.toml").read_text(),
            Job.objects.filter(account=admin).count(),
        )

    before = state()
    for one in addresses(known):
        client = program if one.name.startswith("api:") else browser
        if one.name not in APART:
            posted(client, one, {})
            posted(client, one, JUNK)
    for one in SENT:
        path, data = sent_to(one, adopting.town_id())
        client = program if one.page.startswith("api:") else browser
        client.post(path, data)
    assert state() == before


# ------------------------------------------------------------------------------------------------ private values


def forms_of(one: walked.Address) -> Iterator[tuple[str, dict[str, str]]]:
    """Yields an address in all the forms that a page may have: as it is, as a file, of another day, found by name."""
    asked: tuple[dict[str, str], ...] = (
        {},
        {"as": "csv"},
        {"as": "xlsx"},
        ELSEWHERE,
        {"q": "Neighbor"},
        {"q": "252-555"},
    )
    if one.name.startswith("api:"):
        asked = (
            {},
            {"as_of": "2024-03-11T10:30"},
            {"known_at": "2024-03-11T10:30"},
            {"q": "Neighbor"},
            {"where": "phone has 252"},
        )
    yield from ((one.path, said) for said in asked)


def test_private_values_come_out_nowhere_for_a_reader_from_outside(town, known, admin):
    browser, program = client_of("auditor", admin)
    every = addresses(known)
    for name in ("person", "contact", "document", "attachment", "town"):
        every += [one for one in addresses({**known, "type": name}) if one.name in ("register", "api:register")]
    every += [
        walked.Address("export", f"/thing/{name}/export.{kind}") for name in ("s1", "owner") for kind in ("csv", "xlsx")
    ]
    for name in ("owner", "contact", "orc"):
        every += [
            one
            for one in addresses({**known, "thing": name})
            if one.name in ("thing", "history", "export", "api:page", "api:rows", "api:facts_form")
        ]
    for name in ("call", "owner_notified"):
        every += [one for one in addresses({**known, "event": name}) if one.name in ("may", "record", "api:event_form")]
    leaks, seen, inside = {}, 0, signed_in_as(admin)
    for number, one in enumerate({(one.name, one.path): one for one in every if one.name not in APART}.values()):
        client = program if one.name.startswith("api:") else browser
        forms = list(forms_of(one))
        for how, asked in forms if IS_SOAK else [forms[0], forms[1 + number % (len(forms) - 1)]]:  # each in turn
            answer = client.get(how, asked)
            said = said_in(answer)
            seen += 1
            for value, means in PRIVATE.items():
                if value in said:
                    leaks[f"{how} {asked}"] = means
    assert leaks == {}
    assert seen > 250
    shown = (
        said_in(inside.get("/thing/s1/rows/"))
        + said_in(inside.get("/thing/owner/rows/"))
        + said_in(inside.get("/thing/contact/rows/"))
    )
    assert [value for value in PRIVATE if value not in shown] == []  # they are there, for whoever may see them


def signed_in_as(account: Account) -> Client:
    client = Client(HTTP_HOST=HOST)
    client.force_login(account)
    return client
