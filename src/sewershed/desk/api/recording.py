"""What the API records, through the actions of the ledger: they check, and refuse in sentences."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from ninja import File, Form, Query
from ninja.files import UploadedFile
from ninja.responses import Status

from sewershed.desk.api import said, shapes
from sewershed.desk.api.reading import REFUSALS, Id, account_of, instant, job_said, looking_at, router
from sewershed.desk.jobs import queries as job_queries
from sewershed.desk.jobs import tasks
from sewershed.ledger import actions, adopting, clock, files, law, papers, rights
from sewershed.ledger import queries as ledger
from sewershed.ledger.entry import Recorded
from sewershed.ledger.errors import NotFound, Refused
from sewershed.ledger.models import Account
from sewershed.rules.record import Moment

CREATED = {201: shapes.Recorded, **REFUSALS}
SOURCE = "api"


@router.post("/thing/{thing}/record/{event}/", response=CREATED, summary="Record an event")
def record(request: HttpRequest, thing: Id, event: Id, body: shapes.NewEvent) -> Any:
    """Records that something happened to a thing. The same `id` with the same content again changes nothing."""
    me = account_of(request)
    done = actions.record(
        event, _thing(thing, me), as_account=me, at=body.at, data=body.data, performed_by=body.performed_by, office=body.office,
        at_is=body.at_is, at_how=body.at_how, contains=body.contains, id=body.id, source=SOURCE,
    )  # fmt: skip
    return Status(201, _recorded(done, me))


@router.post("/thing/{thing}/facts/", response=CREATED, summary="Say facts of a thing")
def set_facts(request: HttpRequest, thing: Id, body: shapes.NewFacts) -> Any:
    """Says facts of a thing, from a day on; without a day, for as long as it exists."""
    me = account_of(request)
    done = actions.set_facts(
        _thing(thing, me), body.facts, as_account=me, day=body.day or "", performed_by=body.performed_by, office=body.office, why=body.why,
        id=body.id, source=SOURCE,
    )  # fmt: skip
    return Status(201, _recorded(done, me))


@router.post("/things/{type}/new/", response=CREATED, summary="Begin a thing")
def begin(request: HttpRequest, type: Id, body: shapes.NewThing) -> Any:
    """Begins a thing of a type with its first facts."""
    me = account_of(request)
    if type not in law.in_force().vocabulary.things:
        raise NotFound(f"the vocabulary has no thing {type!r}")
    done = actions.set_facts(
        body.thing, body.facts, as_account=me, type=type, day=body.day or "", aliases=body.aliases, source_id=body.source_id,
        performed_by=body.performed_by, office=body.office, why=body.why, id=body.id, source=SOURCE,
    )  # fmt: skip
    return Status(201, _recorded(done, me))


@router.post("/row/{row}/correct/", response=CREATED, summary="Correct a row")
def correct(request: HttpRequest, row: Id, body: shapes.Correction) -> Any:
    """Puts a row in the place of another; the other stays in the record. What is left out stays as it was."""
    me = account_of(request)
    done = actions.correct(
        row, as_account=me, why=body.why, data=body.data, without=body.without, at=body.at, thing=body.thing, performed_by=body.performed_by,
        office=body.office, source=SOURCE,
    )  # fmt: skip
    return Status(201, _recorded(done, me))


@router.post("/row/{row}/withdraw/", response=CREATED, summary="Withdraw a row")
def withdraw(request: HttpRequest, row: Id, body: shapes.Withdrawal) -> Any:
    """Voids a row that should not have been entered. It stays in the record, with the reason."""
    me = account_of(request)
    return Status(201, _recorded(actions.withdraw(row, as_account=me, why=body.why, source=SOURCE), me))


@router.post("/thing/{thing}/decide/{fact}/", response=CREATED, summary="Decide a fact")
def decide(request: HttpRequest, thing: Id, fact: Id, body: shapes.FactDecision) -> Any:
    """Records what a person decided of a fact that the law leaves to a person."""
    me = account_of(request)
    done = actions.decide(
        _thing(thing, me), as_account=me, because=body.because, at=_at(body.at), fact=fact, value=body.value, paper=body.paper,
        performed_by=body.performed_by, office=body.office, id=body.id, source=SOURCE,
    )  # fmt: skip
    return Status(201, _recorded(done, me))


@router.post("/decisions/{doubt}/", response=CREATED, summary="Settle a doubt")
def settle(request: HttpRequest, doubt: Id, body: shapes.DoubtDecision) -> Any:
    """Records which reading of a doubt holds, for one thing, or on the town for every thing."""
    me = account_of(request)
    on = adopting.town_id() if body.on == "town" else _thing(body.on, me)
    done = actions.decide(
        on, as_account=me, because=body.because, at=_at(body.at), doubt=doubt, reading=body.reading, paper=body.paper,
        performed_by=body.performed_by, office=body.office, id=body.id, source=SOURCE,
    )  # fmt: skip
    return Status(201, _recorded(done, me))


@router.post("/thing/{thing}/files/", response=CREATED, summary="Keep a file with a thing")
def attach(
    request: HttpRequest, thing: Id, file: File[UploadedFile], caption: Form[str] = "", taken_at: Form[str] = ""
) -> Any:
    """Keeps a file with a thing: a photograph, a sheet, a log. What it claims to be is checked; nothing of it is executed."""
    me = account_of(request)
    rights.require(me, "record", ledger.thing(thing, as_account=me).program)  # before it is read
    files.check_size(file.size or 0)  # as above
    done = actions.attach(
        _thing(thing, me), file.read(), as_account=me, name=file.name or "file", mime=file.content_type or "", caption=caption,
        taken_at=taken_at, source=SOURCE,
    )  # fmt: skip
    return Status(201, _recorded(done, me))


@router.post("/documents/{kind}/of/{thing}/", response=CREATED, summary="Issue a paper")
def issue(request: HttpRequest, kind: Id, thing: Id, body: shapes.NewPaper) -> Any:
    """Issues a paper: it takes its number, is printed with it, kept and entered."""
    me = account_of(request)
    done = papers.issue(
        kind, _thing(thing, me), as_account=me, part=body.part, performed_by=body.performed_by, office=body.office
    )
    return Status(201, _recorded(done, me))


@router.post(
    "/thing/{thing}/may/{event}/",
    response={200: shapes.Findings, **REFUSALS},
    summary="May I?",
    tags=["Reading"],
)
def may(request: HttpRequest, thing: Id, event: Id, body: shapes.MayQuestion) -> Any:
    """Says how every rule about an act would judge it, were it done then. Nothing is recorded."""
    me = account_of(request)
    found = ledger.may(event, _thing(thing, me), as_account=me, at=body.at or "", office=body.office, data=body.data)
    ground = law.in_force().ground
    return Status(200, {"items": [said.finding(one, ground) for one in found]})


@router.post(
    "/jobs/day/",
    response={202: shapes.JobShape, **REFUSALS},
    summary="Ask for the list of another day",
    tags=["Reading"],
)
def list_of_day(request: HttpRequest, looking: Query[shapes.Looking]) -> Any:
    """Asks for what was due over the whole town at another instant. It is worked out once and then kept."""
    as_of, known_at = instant(looking.as_of), instant(looking.known_at)
    if as_of is None:
        raise Refused("no instant is said: give as_of")
    if known_at not in (None, as_of):
        raise Refused(
            "a list over the town is as known now, or as known at the instant it is about: leave known_at out, or give the same"
        )
    me = account_of(request)
    job = tasks.ask_for_day(looking_at(as_of, known_at), me)
    return Status(202, job_said(job_queries.job_named(job.task_id, me)))


# ------------------------------------------------------------------------------------------------ what these share


def _thing(name: str, account: Account) -> str:
    return ledger.thing(name, as_account=account).id


def _at(text: str | None) -> str | Moment:
    return text or clock.now()


def _recorded(done: Recorded, account: Account) -> dict[str, Any]:
    """Returns what was recorded, and what the rules find of it that is not in order."""
    ground = law.in_force().ground
    shown = []
    if any(rights.may(account, "see", kind.program) for kind in law.in_force().vocabulary.things.values()):
        root = ledger.row(done.id, as_account=account).root
        found = ledger.findings(as_account=account, thing=done.thing, limit=shapes.MOST)
        shown = [said.finding(one, ground) for one in found if one.about == root and one.outcome != "MET"]
    return {
        "id": done.id, "thing": done.thing, "number": done.number, "thing_number": done.thing_number, "head": done.head.short, "findings": shown,
    }  # fmt: skip


__all__ = ["router"]
