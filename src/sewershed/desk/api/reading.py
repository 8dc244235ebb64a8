"""What the API reads: each address is `/api` and then that of the page which shows the same."""

from __future__ import annotations

from datetime import datetime
from typing import Any, cast
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from ninja import Path, Query, Router
from ninja.responses import Status

from sewershed.desk.api import said, shapes
from sewershed.desk.jobs import queries as jobs
from sewershed.desk.jobs.models import Job
from sewershed.desk.shell.looking import Looking
from sewershed.desk.things import queries as things
from sewershed.desk.today.queries import MOST_THINGS_ELSEWHERE
from sewershed.ledger import clock, explaining, journal, law, papers, rights
from sewershed.ledger import queries as ledger
from sewershed.ledger.errors import NotFound, Refused
from sewershed.ledger.models import Account
from sewershed.ledger.shown import Due, Page
from sewershed.ledger.wording import many
from sewershed.rules.findings import Obligation
from sewershed.rules.moments import MomentError, end_of, is_instant, read_moment
from sewershed.rules.vocabulary import EventType, ThingType

router = Router()  # one for all: what is recorded is sent where its form is asked for
Id = Path[str]
LONG_WORK = "this list of another day is long work: ask for it with POST /api/jobs/day/"
REFUSALS = {400: shapes.Refusal, 401: shapes.Refusal, 403: shapes.Refusal, 404: shapes.Refusal, 422: shapes.Refusal}
BYTES = {
    "responses": {200: {"content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}}}
}
PDF = {"responses": {200: {"content": {"application/pdf": {"schema": {"type": "string", "format": "binary"}}}}}}


def account_of(request: HttpRequest) -> Account:
    """Returns as whom a request acts."""
    return cast(Account, request.auth)  # type: ignore[attr-defined]  # ninja puts there what the token gave


def instant(text: str | None) -> datetime | None:
    """Returns the instant that a text asks about: of a day its last second.

    Raises:
        Refused: for what is no moment.
    """
    if not text:
        return None
    zone = clock.current_town().zone
    try:
        moment = read_moment(text, zone)
    except MomentError as error:
        raise Refused(str(error)) from None
    return moment if is_instant(moment) else end_of(moment, zone)


# ------------------------------------------------------------------------------------------------ the town


@router.get("/account/", response={200: shapes.Me, 401: shapes.Refusal}, summary="As whom this token acts")
def account(request: HttpRequest) -> dict[str, Any]:
    """Says as whom the token acts, in which town, and where the record ends."""
    me, town = account_of(request), clock.current_town()
    head = ledger.head(as_account=me).short if rights.may(me, "see", rights.EVERY) else ""
    return {
        "account": me.name, "roles": sorted(me.role_set()), "person": me.person, "town": town.name, "is_example": town.is_example,
        "now": said.text(clock.now()), "head": head,
    }  # fmt: skip


@router.get("/", response={200: shapes.Dues, 409: shapes.Refusal, **REFUSALS}, summary="What is due")
def today(request: HttpRequest, asked: Query[shapes.DueAsked]) -> Any:
    """Lists what is due, most urgent first: one line a duty and thing.

    Of another instant, a large town's list is a job: where it is not worked out yet the answer is 409. Ask for it with
    `POST /api/jobs/day/` and come back when it is done.
    """
    me, as_of, known_at = account_of(request), instant(asked.as_of), instant(asked.known_at)
    is_now = as_of is None and known_at is None
    if is_now or asked.which == "all" or _is_small(me):
        page = ledger.due(
            as_account=me, program=asked.program, person=asked.person, is_all=asked.which == "all", as_of=as_of, known_at=known_at,
            offset=asked.offset, limit=asked.limit,
        )  # fmt: skip
        return _dues(page)
    kept = jobs.kept_list(as_of or clock.now(), known_at, me)
    if kept is None:
        return Status(409, {"reasons": [LONG_WORK], "fields": {}})
    page = jobs.kept_due(kept, program=asked.program, person=asked.person, limit=asked.offset + asked.limit)
    return _dues(Page(page.items[asked.offset :], page.total))


def _is_small(account: Account) -> bool:
    return sum(ledger.counts(as_account=account).values()) <= MOST_THINGS_ELSEWHERE


def _dues(page: Page[Due]) -> dict[str, Any]:
    return {"items": [said.due(one) for one in page.items], "total": page.total, "left_stale": page.left_stale}


@router.get("/programs/", response={200: shapes.TypeShapes, **REFUSALS}, summary="The types of thing")
def programs(request: HttpRequest) -> dict[str, Any]:
    """Lists the types of thing that can be seen, with their facts and how many things there are of each."""
    me = account_of(request)
    counts = ledger.counts(as_account=me)
    kinds = [kind for kind in law.in_force().vocabulary.things.values() if rights.may(me, "see", kind.program)]
    return {
        "items": [
            {"name": kind.name, "many": many(kind), "means": kind.means, "program": kind.program, "count": counts.get(kind.name, 0), "facts": _facts(kind)}
            for kind in kinds if not kind.retired
        ]
    }  # fmt: skip


@router.get("/find/", response={200: shapes.Things, **REFUSALS}, summary="Find things by a part of their names")
def find(request: HttpRequest, asked: Query[shapes.FindAsked]) -> dict[str, Any]:
    """Finds things of any type whose label, number or alias holds a text; those it names whole come first."""
    page = ledger.find(asked.q, as_account=account_of(request), limit=asked.limit)
    return {"items": [said.named(one) for one in page.items], "total": page.total}


@router.get("/decisions/", response={200: shapes.Doubts, **REFUSALS}, summary="What the text leaves open")
def decisions(request: HttpRequest) -> dict[str, Any]:
    """Lists the doubts of the books that the town runs, with their readings, which is applied, and whether it is settled."""
    world = ledger.world(as_account=account_of(request))
    shown = []
    for one in world.doubts.values():
        settled = world.decisions(one.id, None)
        shown.append({
            "id": one.id, "means": one.means, "cites": list(one.cites), "readings": list(one.choices), "settle_by": one.settle_by,
            "applied": settled[-1].reading if settled else one.applied, "settled_on": said.text(settled[-1].day) if settled else "",
        })  # fmt: skip
    return {"items": shown}


@router.get("/why/{path:key}", response={200: shapes.WhyShape, **REFUSALS}, summary="Why")
def why(request: HttpRequest, key: Id, looking: Query[shapes.Looking]) -> dict[str, Any]:
    """Says everything that an obligation or a finding rests on: clause, meaning, edition, steps, doubts, rows."""
    reasons = explaining.gather(
        key, as_account=account_of(request), as_of=instant(looking.as_of), known_at=instant(looking.known_at)
    )
    found, answer = reasons.why, reasons.why.answer
    assert answer is not None
    is_owed = isinstance(answer, Obligation)
    return {
        "key": answer.key, "rule": found.rule, "cites": list(found.cites), "means": found.means, "edition": found.edition, "thing": found.thing,
        "label": reasons.label, "word": reasons.word, "state": answer.state if isinstance(answer, Obligation) else answer.outcome,
        "due": said.text(answer.due) if isinstance(answer, Obligation) and is_owed else "", "steps": list(found.steps),
        "asks": [said.missing(one) for one in answer.asks], "doubts": [{"id": one.id, "means": one.means} for one in reasons.doubts],
        "if_read_as": [said.other(one) for one in answer.if_read_as], "rows": [said.row(one) for one in reasons.rows],
        "changes": [list(one) for one in reasons.changes], "caution": reasons.world.law.caution(found.rule),
    }  # fmt: skip


# ------------------------------------------------------------------------------------------------ things


@router.get("/things/{type}/", response={200: shapes.Things, **REFUSALS}, summary="The things of a type")
def register(request: HttpRequest, type: Id, asked: Query[shapes.ThingsAsked]) -> dict[str, Any]:
    """Lists the things of a type with those of their facts that are known."""
    me = account_of(request)
    kind = things.type_named(type, me)
    conditions = []
    for one in asked.where:
        words = one.split(" ", 2)
        if len(words) != 3:
            raise Refused(f"{one!r} is no condition: write NAME OPERATOR VALUE, such as weather = dry")
        conditions.append((words[0], words[1], words[2]))
    page = ledger.things(
        type,
        as_account=me,
        where=conditions,
        text=asked.text,
        order=asked.order,
        offset=asked.offset,
        limit=asked.limit,
    )
    facts = ledger.facts_of([one.id for one in page.items], type, list(kind.facts), as_account=me)
    ground = law.in_force().ground
    known = {
        name: text
        for name, fact in kind.facts.items()
        if fact.derived and (text := ground.caution_of(f"{type}.{name}"))
    }
    items = [
        {**said.named(one), "facts": facts[one.id], "cautions": {name: text for name, text in known.items() if name in facts[one.id]}}
        for one in page.items
    ]  # fmt: skip
    return {"items": items, "total": page.total, "left_stale": page.left_stale}


@router.get("/things/{type}/new/", response={200: shapes.TypeShape, **REFUSALS}, summary="What a new thing takes")
def new_form(request: HttpRequest, type: Id) -> dict[str, Any]:
    """Says which facts a thing of a type takes, which it must have, and in which units and words."""
    me = account_of(request)
    kind = things.type_named(type, me)
    count = ledger.counts(as_account=me).get(kind.name, 0)
    return {"name": kind.name, "many": many(kind), "means": kind.means, "program": kind.program, "count": count, "facts": _facts(kind)}  # fmt: skip


@router.get("/thing/{thing}/", response={200: shapes.ThingPage, **REFUSALS}, summary="A thing")
def page(request: HttpRequest, thing: Id, looking: Query[shapes.Looking]) -> dict[str, Any]:
    """Says everything about a thing: its facts, what is due on it, what the rules find. `thing` is an id, a number or a label."""
    me, as_of, known_at = account_of(request), instant(looking.as_of), instant(looking.known_at)
    named = ledger.thing(thing, as_account=me)
    ground = law.in_force().ground
    looked = {"as_account": me, "as_of": as_of, "known_at": known_at}
    facts = ledger.facts(named.id, **looked)  # type: ignore[arg-type]  # each has its own type
    return {
        "thing": said.named(named),
        "facts": [
            {"name": one.name, "label": one.label, "text": one.text, "unit": one.unit, "from_day": one.from_day, "row": one.row, "is_derived": not one.row, "is_hidden": one.is_hidden, "caution": one.caution}
            for one in facts
        ],
        "due": [said.due(one) for one in ledger.due(thing=named.id, **looked).items],  # type: ignore[arg-type]  # as above
        "findings": [said.finding(one, ground) for one in ledger.findings(thing=named.id, limit=shapes.MOST, **looked)],  # type: ignore[arg-type]  # as above
    }  # fmt: skip


@router.get("/thing/{thing}/rows/", response={200: shapes.Rows, **REFUSALS}, summary="The rows about a thing")
def rows(request: HttpRequest, thing: Id, known_at: shapes.When | None = None) -> dict[str, Any]:
    """Lists every row about a thing, corrections and withdrawals among them, in the order in which they were entered."""
    me = account_of(request)
    found = ledger.rows(ledger.thing(thing, as_account=me).id, as_account=me, known_at=instant(known_at))
    return {"items": [said.row(one) for one in found], "total": len(found)}


@router.get(
    "/thing/{thing}/facts/", response={200: shapes.FactsForm, **REFUSALS}, summary="What can be said of a thing"
)
def facts_form(request: HttpRequest, thing: Id) -> dict[str, Any]:
    """Says what is recorded of a thing and which facts it takes."""
    me = account_of(request)
    named = ledger.thing(thing, as_account=me)
    recorded = ledger.recorded(named.id, as_account=me)
    return {"recorded": recorded, "fields": _facts(law.in_force().vocabulary.things[named.type])}


@router.get(
    "/thing/{thing}/record/", response={200: shapes.EventShapes, **REFUSALS}, summary="What can be recorded of a thing"
)
def events(request: HttpRequest, thing: Id) -> dict[str, Any]:
    """Lists the events that the token may record on a thing, with their fields."""
    me = account_of(request)
    named = ledger.thing(thing, as_account=me)
    found = law.in_force().vocabulary.events_on(named.type)
    return {"items": [said.event(one, _data(one)) for one in found if things.may_enter(one, named, me)]}


@router.get(
    "/thing/{thing}/record/{event}/", response={200: shapes.EventShape, **REFUSALS}, summary="What an event takes"
)
def event_form(request: HttpRequest, thing: Id, event: Id) -> dict[str, Any]:
    """Says which fields an event takes, which it must have, and in which units and words."""
    named = ledger.thing(thing, as_account=account_of(request))
    kind = law.in_force().vocabulary.events.get(event)
    if kind is None or kind.on not in ("", named.type) or kind.retired:
        raise NotFound(f"no event {event!r} is recorded on a {named.type}")
    return said.event(kind, _data(kind))


@router.get("/thing/{thing}/files/", response={200: shapes.Papers, **REFUSALS}, summary="The files kept with a thing")
def files(request: HttpRequest, thing: Id) -> dict[str, Any]:
    """Lists the files kept with a thing, each a thing of its own."""
    me = account_of(request)
    return {"items": list(ledger.attachments(ledger.thing(thing, as_account=me).id, as_account=me))}


@router.get("/thing/{thing}/file/", response={200: Any, **REFUSALS}, summary="A kept file", openapi_extra=BYTES)
def file(request: HttpRequest, thing: Id) -> HttpResponse:
    """Hands out the content of a file that is kept: `thing` is the attachment."""
    me = account_of(request)
    found = {one.name: one.text for one in ledger.facts(ledger.thing(thing, as_account=me).id, as_account=me)}
    if not found.get("file"):
        raise NotFound(f"{thing} is no file that is kept")
    return _bytes(ledger.file(found["file"], as_account=me), "application/octet-stream", "file")


@router.get("/row/{row}/", response={200: shapes.RowShape, **REFUSALS}, summary="A row of the record")
def row(request: HttpRequest, row: Id) -> dict[str, Any]:
    """Says what a row of the record says, and whether it stands."""
    return said.row(ledger.row(row, as_account=account_of(request)))


@router.get("/log/", response={200: shapes.Rows, **REFUSALS}, summary="The log")
def log(request: HttpRequest, asked: Query[shapes.LogAsked]) -> dict[str, Any]:
    """Lists the rows of the whole record, the latest first."""
    wanted = journal.Asked(thing=asked.thing, person=asked.person, account=asked.account, what=asked.what)
    page = journal.entered(wanted, as_account=account_of(request), offset=asked.offset, limit=asked.limit)
    return {"items": [said.row(one.row) for one in page.items], "total": page.total}


@router.get("/documents/", response={200: shapes.Papers, **REFUSALS}, summary="The papers that were issued")
def documents(request: HttpRequest, about: str = "", kind: str = "") -> dict[str, Any]:
    """Lists the papers that were issued: all, those about a thing, those of a kind."""
    return {"items": list(ledger.documents(as_account=account_of(request), about=about, kind=kind))}


@router.get(
    "/documents/{kind}/draft/{thing}/paper.pdf",
    response={200: Any, **REFUSALS},
    summary="The draft of a paper",
    openapi_extra=PDF,
)
def draft(request: HttpRequest, kind: Id, thing: Id, looking: Query[shapes.Looking], part: str = "") -> HttpResponse:
    """Draws a paper from the record, marked as a draft. Nothing is recorded."""
    me = account_of(request)
    about = ledger.thing(thing, as_account=me).id
    drawn = papers.draft(
        kind, about, as_account=me, part=part, as_of=instant(looking.as_of), known_at=instant(looking.known_at)
    )
    return _bytes(drawn.pdf, "application/pdf", f"{drawn.kind.name}-draft.pdf")


@router.get("/jobs/", response={200: shapes.Jobs, **REFUSALS}, summary="Jobs")
def list_jobs(request: HttpRequest) -> dict[str, Any]:
    """Lists one's own jobs; to whoever administers, all."""
    running, ended = jobs.jobs_shown(account_of(request))
    return {"items": [job_said(job) for job, _ in (*running, *ended)]}


@router.get("/jobs/{uuid:id}/", response={200: shapes.JobShape, **REFUSALS}, summary="A job")
def job(request: HttpRequest, id: Path[UUID]) -> dict[str, Any]:
    """Says how far a job is, and what came of it."""
    return job_said(jobs.job_named(id, account_of(request)))


# ------------------------------------------------------------------------------------------------ what these share


def job_said(job: Job) -> dict[str, Any]:
    """Returns a job as the API says it."""
    work = jobs.work_of(job)
    return {
        "id": str(job.task_id), "title": work.title, "state": work.state, "done": work.done, "total": work.total, "said": work.said,
        "url": work.result.url if work.result else "",
    }  # fmt: skip


def looking_at(as_of: datetime, known_at: datetime | None) -> Looking:
    """Returns where a list of another day looks: known now, or as known at that very instant."""
    return Looking(clock.now(), clock.current_town().zone, as_of, known_at is not None)


def _facts(kind: ThingType) -> list[dict[str, Any]]:
    return [said.field(one) for one in kind.facts.values() if not (one.derived or one.retired or one.judged_by)]


def _data(kind: EventType) -> list[dict[str, Any]]:
    return [said.field(one) for one in kind.data.values() if not (one.derived or one.retired or one.judged_by)]


def _bytes(content: bytes, mime: str, name: str) -> HttpResponse:
    response = HttpResponse(
        content, content_type=mime, headers={"Content-Disposition": f'attachment; filename="{name}"'}
    )
    response["Content-Security-Policy"] = "sandbox"
    return response
