"""Every address of the desk and of the API, as Django resolves them, and an example of what each takes.

A new page is walked by itself. Where it takes something that no example here is of, the walk fails and names it: add one to
`examples` under the word of the address (`<str:thing>`: "thing"), or to `OWN` under the name of the page where the same word
means something else there. A page that nobody need be signed in for is named in `FOR_NOBODY`, with the reason.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import URLResolver, get_resolver, reverse

from sewershed.desk.api.actions import make_token
from sewershed.desk.api.models import Token
from sewershed.desk.imports import actions as imports
from sewershed.desk.jobs.tasks import ask_for_day
from sewershed.desk.mail.models import UNKNOWN, Mailing
from sewershed.desk.shell.looking import Looking
from sewershed.ledger import actions, clock, papers, queries
from sewershed.ledger.importing import Recipe
from sewershed.ledger.models import Account, Batch
from tests.desk.recorded import spill

# Names of people in a list: its pages are for those alone who bring lists in.
LIST = b"Name,Cell Phone,Staff\nOwner Unnamed,252-555-0172,no\nNeighbor Unnamed,252-555-0171,maybe\n"
PNG = b"\x89PNG\r\n\x1a\n" + b"\x00" * 32
PRIVATE = {  # what only those who work for the town may see: planted in the record, looked for in whatever an outsider gets
    "252-555-0171": "the telephone of a caller",
    "Owner Unnamed": "the name of a person",
    "Neighbor Unnamed": "the name of a caller",
    "252-555-0172": "the telephone of a person",
    "owner@private.example": "the mail of a person",
    "9 Hidden Lane": "where letters to a person go",
    "252-555-0173": "the telephone of a contact",
    "Spoken Quietly": "who was spoken to",
}

# A page that whoever is not signed in may reach, and why.
FOR_NOBODY = {
    "account_login": "signing in",
    "account_logout": "signing out ends nothing where nobody is signed in",
    "account_inactive": "says that an account is closed",
    "account_reauthenticate": "sends away by itself",
    "first_sign_in": "a one-time link",
    "mfa_authenticate": "the second step of signing in",
    "mfa_login_webauthn": "signing in with a passkey",
    "feed": "a calendar's own address stands for its account",
}

# Pages that would end the walk of a browser, not looked at here.
APART = {"account_logout": "signs out"}


@dataclass(frozen=True, slots=True)
class Address:
    """An address: the name of its page and where it is, with an example of what it takes."""

    name: str
    path: str
    is_known: bool = True  # there is an example of all that it takes


# What a word means on one page alone.
OWN: Mapping[str, Mapping[str, str]] = {
    "file": {"thing": "attachment"},
    "api:file": {"thing": "attachment"},
    "export": {"kind": "json"},
    "decide": {"thing": "s1", "fact": "reportable"},
    "api:decide": {"thing": "s1", "fact": "reportable"},
    "component": {"name": "marks"},
    "spill_map_layer": {"name": "stations.geojson"},
    "backup_file": {"name": "20240311T150000Z.tar.gz"},
    "account_of": {"name": "admin"},
    "first_sign_in": {"name": "admin", "token": "abc-0123456789"},
    "feed": {"token": "astray"},
    "forget_view": {"key": "1"},
    "rulebook_case": {"entry": "us.nc.spring_hope.spill.tell", "case": "spills_c_telling told at the last minute"},
    "site_step": {"event": "manholes_checked"},
    **{
        name: {"batch": "imported"}
        for name in ("imported", "import_undo", "import_again", "imported_file", "imported_not_read")
    },
}


def examples(admin: Account) -> dict[str, str]:
    """Enters a few records with private values among them, and returns an example of each word that an address takes."""
    spill(admin)
    person = {
        "name": "Owner Unnamed",
        "phone": "252-555-0172",
        "email": "owner@private.example",
        "mailing_address": "9 Hidden Lane",
    }
    actions.set_facts("owner", person, as_account=admin, type="person")
    actions.set_facts("contact", {"role": "Pump service", "phone": "252-555-0173"}, as_account=admin, type="contact")
    caller = {"what": "sewage_on_ground", "reporter": "Neighbor Unnamed", "reporter_phone": "252-555-0171"}
    actions.record("call", "s1", as_account=admin, at="2024-03-11T09:20", data=caller, id="c2")
    told = {"way": "letter", "spoken_to": "Spoken Quietly"}
    actions.record("owner_notified", "s1", as_account=admin, at="2024-03-11T09:40", data=told)
    attachment = actions.attach("s1", PNG, as_account=admin, name="manhole.png", mime="image/png")
    document = papers.issue("spill_report", "s1", as_account=admin)
    make_token(admin, "the sampler", {"administrator"})
    mailing = Mailing.objects.create(account=admin, day="2024-03-10", state=UNKNOWN, changed_at=clock.now())
    town = clock.current_town()
    batch, arrival = brought(admin)
    day = Looking(clock.now(), town.zone, clock.now().replace(hour=13))
    return {
        "thing": "s1", "row": "c1", "type": "spill", "event": "crew_arrived", "fact": "location", "doubt": "D-SH-04", "kind": "spill_report",
        "key": queries.due(as_account=admin, thing="s1").items[0].key, "document": document.thing, "attachment": attachment.thing,
        "id": str(ask_for_day(day, admin).task_id), "token": str(Token.objects.get().id), "mailing": str(mailing.id), "pk": "1",
        "batch": "none", "imported": batch, "arrival": arrival, "method": "rate_duration", "clause": "SPH-CEI-item2.b", "entry": queries.due(as_account=admin, thing="s1").items[0].rule,
    }  # fmt: skip


def brought(admin: Account) -> tuple[str, str]:
    """Brings a list of people in, one line of which cannot be read, and leaves another on its way; returns their ids."""
    recipe = Recipe(thing="person", columns={"Name": "name", "Cell Phone": "phone", "Staff": "is_staff"}, key=("Name",))
    recipe = replace(recipe, answers={"Staff": {"word maybe": ""}}, day="2024-03-11")
    there, other = imports.take(LIST, "people.csv", recipe, admin), imports.take(LIST, "people.csv", recipe, admin)
    return imports.apply(there, imports.made(there, admin).plan.hash, admin), other.id


def addresses(known: Mapping[str, str]) -> list[Address]:
    """Returns every address of the desk and of the API, each page once."""
    found = {(one.name, one.path): one for one in _addresses(get_resolver(), known, "", "/")}
    return list(found.values())


def _addresses(resolver: Any, known: Mapping[str, str], space: str, before: str) -> Iterator[Address]:
    for one in resolver.url_patterns:
        route = str(one.pattern)
        if isinstance(one, URLResolver):
            yield from _addresses(one, known, f"{space}{one.namespace}:" if one.namespace else space, before + route)
            continue
        name = f"{space}{one.name}"
        own = {word: known.get(value, value) for word, value in OWN.get(name, {}).items()}
        words = re.findall(r"<(?:\w+:)?(\w+)>", before + route)
        values = {**known, **own}
        path = re.sub(r"<(?:\w+:)?(\w+)>", lambda found: values.get(found[1], "none"), before + route)  # noqa: B023  # used at once
        path = "/api/nothing" if name == "api_nothing" else path
        yield Address(name, path, set(words) <= values.keys())


# ------------------------------------------------------------------------------------------------ what is sent where


@dataclass(frozen=True, slots=True)
class Sent:
    """What is sent to an address when all is well, and which right it wants: who has it records with this, nobody else."""

    page: str
    args: tuple[str, ...]
    data: Mapping[str, Any]
    verb: str
    program: str


OWN_ROW = {"row_at_day": "2024-03-11", "row_at_time": "10:00", "row_by": "", "row_office": "", "row_at_is": "exact"}
AT = {"at": "2024-03-11T10:00"}
SENT = (
    Sent("record", ("s1", "crew_arrived"), OWN_ROW, "record", "spills"),
    Sent("set_facts", ("s1",), {**OWN_ROW, "row_at_day": "", "location": "Elm Street"}, "record", "spills"),
    Sent("begin", ("spill",), {**OWN_ROW, "row_at_day": "", "location": "Elm Street"}, "record", "spills"),
    Sent("begin", ("interceptor",), {**OWN_ROW, "row_at_day": "", "name": "Cafe"}, "record", "fog"),
    Sent("correct", ("c1",), {**OWN_ROW, "what": "smell", "row_why": "misheard"}, "correct", "spills"),
    Sent("withdraw", ("c1",), {"row_why": "twice"}, "withdraw", "spills"),
    Sent("doubt", ("D-SH-04",), {"reading": "confirmation", "by": "orc", "because": "a letter", "for": "TOWN"}, "decide", "town"),
    Sent("draft", ("spill_report", "s1"), {"signed_by": "orc", "office": "", "has_looked": "on"}, "issue", "spills"),
    Sent("record", ("s1", "retired"), {**OWN_ROW, "row_at_time": ""}, "correct", "spills"),
    Sent("api:record", ("s1", "crew_arrived"), AT, "record", "spills"),
    Sent("api:set_facts", ("s1",), {"facts": {"location": "Elm Street"}}, "record", "spills"),
    Sent("api:begin", ("spill",), {"facts": {"location": "Elm Street"}}, "record", "spills"),
    Sent("api:correct", ("c1",), {"why": "misheard", "data": {"what": "other"}}, "correct", "spills"),
    Sent("api:withdraw", ("c1",), {"why": "twice"}, "withdraw", "spills"),
    Sent("api:settle", ("D-SH-04",), {"reading": "confirmation", "on": "town", "because": "a letter"}, "decide", "town"),
    Sent("api:issue", ("spill_report", "s1"), {}, "issue", "spills"),
    Sent("import_undo", ("IMPORTED",), {"why": "the wrong file"}, "import", "town"),
    Sent("api:attach", ("s1",), {"file": "FILE"}, "record", "spills"),
)  # fmt: skip


def sent_to(one: Sent, town: str) -> tuple[str, dict[str, Any]]:
    """Returns where something is sent, and what."""
    data = {name: town if value == "TOWN" else value for name, value in one.data.items()}
    if data.get("file") == "FILE":
        data["file"] = SimpleUploadedFile("manhole.png", PNG + b"1", "image/png")
    args = [Batch.objects.get(kind="import").id if arg == "IMPORTED" else arg for arg in one.args]
    return reverse(one.page, args=args), data
