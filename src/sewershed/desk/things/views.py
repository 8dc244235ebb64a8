"""The pages of things."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict
from typing import Any, cast
from urllib.parse import quote

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_http_methods, require_safe

from sewershed.desk.shell.middleware import DeskRequest
from sewershed.desk.shell.parts import Link
from sewershed.desk.shell.tables import as_file, links, narrowed
from sewershed.desk.things import actions, filters, queries, tables
from sewershed.desk.things.entering import entered, seen, status_of, tell
from sewershed.desk.things.forms import SEEN, Entry, EventForm, FactsForm, ReasonForm
from sewershed.desk.things.lines import import_url, page_url, running_of, why_url
from sewershed.exchange import sheet
from sewershed.ledger import law, rights
from sewershed.ledger import queries as ledger
from sewershed.ledger.entry import Recorded
from sewershed.ledger.errors import Refused
from sewershed.ledger.models import Account
from sewershed.ledger.shown import Named, RowShown
from sewershed.ledger.wording import many, title, words_of
from sewershed.rules.vocabulary import ThingType

FILES = ("csv", "xlsx")
MOST_DIGITS = 7  # of the number of a page
INLINE = frozenset({"image/png", "image/jpeg", "image/webp", "application/pdf"})


@require_safe
def programs(request: HttpRequest) -> HttpResponse:
    """Lists the programs with what they keep."""
    return render(request, "things/programs.html", {"programs": queries.programs(_account(request))})


@require_safe
def register(request: HttpRequest, type: str) -> HttpResponseBase:
    """Lists the things of a type, narrowed and in the order that the address asks for."""
    account = _account(request)
    kind = queries.type_named(type, account)
    every = queries.columns(kind, account)
    asked = tables.asked_of(request.GET, every)
    as_ = request.GET.get("as", "")
    is_file = as_ in FILES
    shown = every if is_file else every[: tables.MOST_COLUMNS]
    table, data = tables.register_of(kind, shown, account, asked, is_file=is_file)
    made = narrowed(request, table, data)
    if is_file:
        return as_file(made, as_, kind.plural or kind.name)
    form = filters.form_for(request.GET, filters.filtered(every), account)
    may_begin = kind.name not in queries.NO_FORM and kind.name != "town" and rights.may(account, "record", kind.program)
    return render(
        request, "things/register.html",
        {
            "kind": kind, "title": many(kind), "table": made, "form": form, "is_narrowed": bool(asked.where or asked.text),
            "links": links(request), "crumb": [_programs()], "may_begin": may_begin, "name": title(kind.name).lower(),
            "import_url": import_url(kind, account),
        },
    )  # fmt: skip


@require_safe
def page(request: HttpRequest, thing: str) -> HttpResponse:
    """Shows everything about a thing, on the page that an app gives to its type where one does."""
    here, account = cast(DeskRequest, request).looking, _account(request)
    if own := page_url(ledger.thing(thing, as_account=account)):
        return redirect(f"{own}{'?' if request.GET else ''}{request.GET.urlencode()}")
    shown = queries.thing_shown(thing, account, here, part=_number(request.GET.get("all", "")))
    first = shown.first if shown.first and shown.first.word in ("Overdue", "Due soon") else None
    act = shown.open[0].act if shown.open else None
    context = {
        "shown": shown, "thing": shown.thing, "crumb": _above(shown.thing, shown.kind), "first": first,
        "running": running_of(first, shown.words) if first else None, "line": shown.open[0] if shown.open else None,
        "act": act, "why": Link("Why", why_url(first.key)) if first else None,
    }  # fmt: skip
    return render(request, "things/thing.html", context)


@require_safe
def history(request: HttpRequest, thing: str) -> HttpResponse:
    """Shows every row about a thing, with what has become of each."""
    account = _account(request)
    named = ledger.thing(thing, as_account=account)
    looking = cast(DeskRequest, request).looking
    shown = queries.history(named, account, looking, _number(request.GET.get("page", "")))
    kind = law.in_force().vocabulary.things[named.type]
    context = {"thing": named, "shown": shown, "rows": shown.rows, "crumb": [*_above(named, kind), _to(named)]}
    return render(request, "things/history.html", context)


@require_safe
def export(request: HttpRequest, thing: str, kind: str) -> HttpResponse:
    """Hands out everything that is recorded of a thing, as far as the account may see it."""
    account = _account(request)
    named = ledger.thing(thing, as_account=account)
    rows = ledger.rows(named.id, as_account=account)
    head = {"Content-Disposition": f'attachment; filename="{named.number or named.id}.{kind}"'}
    if kind == "json":
        facts = {one.name: one.text for one in ledger.facts(named.id, as_account=account)}
        whole = {"id": named.id, "type": named.type, "label": named.label, "number": named.number, "facts": facts,
                 "rows": [asdict(one) for one in rows]}  # fmt: skip
        return HttpResponse(
            json.dumps(whole, indent=2, ensure_ascii=False), content_type="application/json", headers=head
        )
    if kind not in FILES:
        raise Http404
    columns = ["row", "of", "kind", "name", "at", "data", "performed_by", "office", "recorded_at", "recorded_by", "stands", "why"]  # fmt: skip
    body = [
        [one.id, one.root, one.kind, one.name, one.at, json.dumps(one.data, ensure_ascii=False), one.performed_by, one.office,
         one.recorded_at, one.recorded_by, one.stands, one.why]
        for one in rows
    ]  # fmt: skip
    content = (sheet.csv_bytes if kind == "csv" else sheet.xlsx_bytes)(columns, body)
    return HttpResponse(
        content, content_type="text/csv; charset=utf-8" if kind == "csv" else sheet.XLSX_TYPE, headers=head
    )


@require_safe
def file(request: HttpRequest, thing: str) -> HttpResponse:
    """Hands out a kept file; only pictures and papers open in the browser, and nothing of a file is ever executed."""
    account = _account(request)
    named = ledger.thing(thing, as_account=account)
    facts = {one.name: one.text for one in ledger.facts(named.id, as_account=account)}
    if named.type == "document":  # its own page knows who may read it
        return redirect("document_file", named.id)
    digest = facts.get("file") or ""
    if not digest:
        raise Http404
    mime = facts.get("mime") or "application/octet-stream"
    shown = mime if mime in INLINE else "application/octet-stream"
    response = HttpResponse(ledger.file(digest, as_account=account), content_type=shown)
    name = "".join(
        one for one in (facts.get("name") or facts.get("number") or "file") if one.isalnum() or one in "._- "
    )
    response["Content-Disposition"] = f'{"inline" if mime in INLINE else "attachment"}; filename="{name}"'
    response["Content-Security-Policy"] = "sandbox"
    return response


# ------------------------------------------------------------------------------------------------ recording


@require_safe
def choose(request: HttpRequest, thing: str) -> HttpResponse:
    """Lists what can be recorded of a thing, what would meet something that is due first."""
    account = _account(request)
    named = ledger.thing(thing, as_account=account)
    first, rest = queries.events(named, account)
    kind = law.in_force().vocabulary.things[named.type]
    may_record = rights.may(account, "record", kind.program)
    context = {
        "thing": named,
        "first": first,
        "rest": rest,
        "crumb": [*_above(named, kind), _to(named)],
        "may_facts": may_record,
    }
    return render(request, "things/choose.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def record(request: HttpRequest, thing: str, event: str) -> HttpResponse:
    """Records an event of a thing."""
    account = _account(request)
    named = ledger.thing(thing, as_account=account)
    vocabulary = law.in_force().vocabulary
    kind = vocabulary.events.get(event)
    if kind is None or kind.on not in ("", named.type) or kind.retired or event in queries.NOT_ENTERED:
        raise Http404
    verb = "correct" if event in queries.CORRECTING else "record"
    rights.require(account, verb, kind.program or named.program)
    form = EventForm(account, named, kind, request.POST or None, request.FILES or None, initial=seen(named, account))
    return _entered(
        request, form, lambda: actions.record(form, account), named,
        {"title": title(kind.name), "means": kind.means, "button": f"Record {title(kind.name).lower()}",
         "crumb": [*_above(named, vocabulary.things[named.type]), _to(named)]},
    )  # fmt: skip


@require_http_methods(["GET", "HEAD", "POST"])
def set_facts(request: HttpRequest, thing: str) -> HttpResponse:
    """Says facts of a thing, all of them or those that the address names."""
    account = _account(request)
    named = ledger.thing(thing, as_account=account)
    kind = law.in_force().vocabulary.things[named.type]
    rights.require(account, "record", kind.program)
    only = [name for name in request.GET.getlist("fact") if name in kind.facts]
    current = ledger.recorded(named.id, as_account=account)
    form = FactsForm(account, named, kind, request.POST or None, request.FILES or None, current=current, only=only)
    form.fields[SEEN].initial = seen(named, account)[SEEN]
    return _entered(
        request, form, lambda: actions.set_facts(form, account), named,
        {"title": "Say facts", "means": f"What is so of {named.label}. Only what you change is recorded.",
         "button": "Record facts", "crumb": [*_above(named, kind), _to(named)]},
    )  # fmt: skip


@require_http_methods(["GET", "HEAD", "POST"])
def begin(request: HttpRequest, type: str) -> HttpResponse:
    """Begins a thing with its first facts."""
    account = _account(request)
    kind = queries.type_named(type, account)
    if kind.name in queries.NO_FORM or kind.name == "town" or kind.retired:
        raise Http404
    rights.require(account, "record", kind.program)
    form = FactsForm(account, None, kind, request.POST or None, request.FILES or None)
    name = title(kind.name).lower()
    return _entered(
        request, form, lambda: actions.set_facts(form, account), None,
        {"title": f"New {name}", "means": kind.means, "button": f"Add {name}",
         "crumb": [_programs(), Link(many(kind), reverse("register", args=[kind.name]))]},
    )  # fmt: skip


@require_safe
def row(request: HttpRequest, row: str) -> HttpResponse:
    """Shows a row of the record and all that corrected or withdrew it."""
    account = _account(request)
    shown = ledger.row(row, as_account=account)
    named = ledger.thing(shown.thing, as_account=account)
    kind = law.in_force().vocabulary.things[named.type]
    looking = cast(DeskRequest, request).looking
    rows = ledger.rows(named.id, as_account=account, known_at=looking.known_at, root=shown.root)
    remarks = {shown.root: ledger.remarks(shown.id, as_account=account)} if not looking.is_elsewhere else {}
    chain = queries.row_lines(rows[::-1], named, account, looking, remarks)
    context = {"thing": named, "rows": chain, "crumb": [*_above(named, kind), _to(named)], "row": shown,
               "title": queries.row_title(shown, law.in_force().vocabulary)}  # fmt: skip
    return render(request, "things/row.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def correct(request: HttpRequest, row: str) -> HttpResponse:
    """Enters a row in the place of another; the other stays in the record."""
    account = _account(request)
    old, named = _row_and_thing(row, account)
    vocabulary = law.in_force().vocabulary
    kind = vocabulary.things[named.type]
    event = vocabulary.events.get(old.name) if old.kind == "event" else None
    rights.require(account, "correct", (event.program if event else "") or kind.program)
    if old.kind == "void" or old.name in queries.NOT_ENTERED:
        raise Http404
    given = (request.POST or None, request.FILES or None)
    form: EventForm | FactsForm
    if event is not None:
        form = EventForm(account, named, event, *given, old=old, initial=seen(named, account))
    else:
        form = FactsForm(account, named, kind, *given, old=old, only=list(old.data))
        form.fields[SEEN].initial = seen(named, account)[SEEN]
    said = queries.row_title(old, vocabulary)
    return _entered(
        request, form, lambda: actions.correct(form, account), named,
        {"title": f"Correct: {said}", "means": "The row as it stood stays in the record; what is said here takes its place.",
         "button": "Record the correction", "crumb": [*_above(named, kind), _to(named)]},
    )  # fmt: skip


@require_http_methods(["GET", "HEAD", "POST"])
def withdraw(request: HttpRequest, row: str) -> HttpResponse:
    """Voids a row that should not have been entered."""
    account = _account(request)
    old, named = _row_and_thing(row, account)
    vocabulary = law.in_force().vocabulary
    kind = vocabulary.things[named.type]
    event = vocabulary.events.get(old.name) if old.kind == "event" else None
    rights.require(account, "withdraw", (event.program if event else "") or kind.program)
    form = ReasonForm(request.POST or None)
    words = words_of([old.performed_by], None)
    context: dict[str, Any] = {
        "thing": named, "row": queries.row_line(old, named, words, account), "form": form,
        "crumb": [*_above(named, kind), _to(named)],
    }  # fmt: skip
    if request.method == "POST" and form.is_valid():
        try:
            actions.withdraw(old.id, form.cleaned_data["row_why"], account)
        except Refused as error:
            form.add_error(None, list(error.reasons))
        else:
            messages.success(request, f"Withdrawn: {context['row'].title}. It stays in the record, with the reason.")
            return redirect("thing", named.id)
    return render(request, "things/withdraw.html", context, status=422 if form.errors else 200)


# ------------------------------------------------------------------------------------------------ what these share


def _account(request: HttpRequest) -> Account:
    return cast(Account, request.user)


def _number(text: str) -> int:
    """Returns which part of a list the address asks for; 0 where it says none that there can be."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < MOST_DIGITS else 0


def _row_and_thing(row: str, account: Account) -> tuple[RowShown, Named]:
    old = ledger.row(row, as_account=account)
    return old, ledger.thing(old.thing, as_account=account)


def _programs() -> Link:
    return Link("Programs", reverse("programs"))


def _above(named: Named, kind: ThingType) -> list[Link]:
    return [_programs(), Link(many(kind), reverse("register", args=[kind.name]))]


def _to(named: Named) -> Link:
    return Link(named.label, reverse("thing", args=[named.id]))


def _entered(
    request: HttpRequest, form: Entry, enter: Callable[[], Recorded], named: Named | None, context: dict[str, Any]
) -> HttpResponse:
    """Enters what a form says, tells what follows, and shows the thing; or shows the form with what is wrong."""
    if done := entered(request, form, enter):
        tell(request, form, done, context["title"])
        return _after(request, done.recorded.thing)
    return render(request, "things/form.html", {**context, "form": form, "thing": named}, status=status_of(form))


def _after(request: HttpRequest, thing: str) -> HttpResponse:
    """Leads back to the page from which the form was opened, to the line of the thing, or to the thing's own page."""
    then = request.GET.get("then", "")
    if then.startswith("/") and url_has_allowed_host_and_scheme(then, allowed_hosts=None):
        return redirect(f"{then}#line-{quote(thing)}")
    return redirect("thing", thing)
