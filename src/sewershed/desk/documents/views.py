"""The pages of papers."""

from __future__ import annotations

from typing import cast

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from sewershed.desk.documents import actions, queries, tables
from sewershed.desk.documents.forms import IssueForm, SentForm
from sewershed.desk.shell.looking import Looking
from sewershed.desk.shell.middleware import DeskRequest
from sewershed.desk.shell.parts import Link
from sewershed.desk.shell.tables import FILES, as_file, links, narrowed
from sewershed.desk.things.forms import ReasonForm
from sewershed.desk.things.lines import page_url
from sewershed.ledger import law, papers, rights
from sewershed.ledger import queries as ledger
from sewershed.ledger.errors import NotFound, Refused
from sewershed.ledger.models import Account
from sewershed.ledger.wording import capital

# A paper opens in a frame of our own page and in the browser's own reader, runs nothing and asks for nothing.
PAPER_POLICY = "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'self'"


@require_safe
def register(request: HttpRequest) -> HttpResponseBase:
    """Lists the papers that were issued, and those that something due waits for."""
    account = _account(request)
    rights.require(account, "see", rights.EVERY)
    form, kind, text = tables.asked_of(request.GET)
    made = narrowed(request, tables.Papers, tables.PaperData(account, kind, text))
    if (as_ := request.GET.get("as", "")) in FILES:
        return as_file(made, as_, "documents")
    is_narrowed = bool(kind or text)
    context = {
        "table": made, "form": form, "is_narrowed": is_narrowed, "links": links(request),
        "wanted": queries.wanted(account) if not is_narrowed and request.GET.get("page", "1") == "1" else (),
    }  # fmt: skip
    return render(request, "documents/register.html", context)


@require_safe
def write(request: HttpRequest) -> HttpResponse:
    """Lists the papers about the town as a whole, to be written when they are wanted."""
    return render(
        request, "documents/write.html", {"items": queries.to_write(_account(request)), "crumb": [_documents()]}
    )


@require_safe
def paper_for(request: HttpRequest, kind: str, thing: str) -> HttpResponse:
    """Leads to the paper of a kind about a thing: to the one that was issued and not sent yet, or to the draft."""
    wanted, named = queries.kind_named(kind), ledger.thing(thing, as_account=_account(request))
    unsent = queries.latest_unsent(named.id, wanted.name, _account(request))
    return redirect("document", unsent.id) if unsent else redirect("draft", wanted.name, named.id)


@require_http_methods(["GET", "HEAD", "POST"])
def draft(request: HttpRequest, kind: str, thing: str) -> HttpResponse:
    """Shows a draft as it would be issued, with what it leaves open; and issues it."""
    account = _account(request)
    wanted, part = queries.kind_named(kind), request.GET.get("part", "").strip()
    shown = queries.draft_shown(wanted, thing, part, account, _looking(request))
    form = IssueForm(shown.signers, shown.offices, account, request.POST or None)
    if request.method == "POST":
        rights.require(account, "issue", shown.thing.program)
        if form.is_valid():
            said = form.cleaned_data
            try:
                issued = actions.issue(
                    wanted.name, shown.thing.id, part, signed_by=said["signed_by"], office=said["office"], account=account
                )  # fmt: skip
            except (Refused, NotFound) as error:
                form.add_error(None, list(getattr(error, "reasons", [str(error)])))
            else:
                messages.success(request, f"Issued: {wanted.title} {issued.number}. It stays as it is for ever.")
                return redirect("document", issued.thing)
    context = {
        "shown": shown, "form": form, "crumb": [_documents(), Link(capital(shown.thing.label), shown.thing_url)],
        "takes_part": bool(wanted.part) and wanted.about == queries.TOWN,
    }  # fmt: skip
    return render(request, "documents/draft.html", context, status=422 if form.is_bound and form.errors else 200)


@require_safe
def draft_file(request: HttpRequest, kind: str, thing: str) -> HttpResponse:
    """Hands out the pages of a draft, made anew each time."""
    wanted, named = queries.kind_named(kind), ledger.thing(thing, as_account=_account(request))
    here, part = _looking(request), request.GET.get("part", "").strip()
    drawn = papers.draft(
        wanted.name, named.id, as_account=_account(request), part=part, as_of=here.as_of, known_at=here.known_at
    )
    return _pages(drawn.pdf, f"{wanted.name}-draft")


@require_safe
def paper(request: HttpRequest, document: str) -> HttpResponse:
    """Shows an issued paper and all that has become of it."""
    shown = queries.paper_shown(document, _account(request))
    return render(request, "documents/paper.html", {"shown": shown, "crumb": [_documents()]})


@require_safe
def paper_file(request: HttpRequest, document: str) -> HttpResponse:
    """Hands out the pages of an issued paper, as they were issued."""
    account = _account(request)
    content = papers.content(document, as_account=account)
    kept = queries.kept_of([document], account)[0]
    return _pages(content, f"{kept.kind}-{kept.number}")


@require_http_methods(["GET", "HEAD", "POST"])
def sent(request: HttpRequest, document: str) -> HttpResponse:
    """Records how a paper went, with what proves it."""
    account = _account(request)
    shown = queries.paper_shown(document, account)
    rights.require(account, "record", shown.thing.program)
    about = ledger.thing(shown.kept.about, as_account=account) if shown.kept.about else None
    vocabulary = law.in_force().vocabulary
    event = None
    if about is not None and shown.kind is not None and shown.kind.goes_out_as and not shown.is_sent:
        rights.require(account, "record", about.program)
        event = vocabulary.events[shown.kind.goes_out_as[0]]
    form = SentForm(
        account, shown.thing, vocabulary.events[queries.SERVED], request.POST or None, about=about, event=event,
        initial=queries.sent_before(about, event, account),
    )  # fmt: skip
    if request.method == "POST" and form.is_valid():
        try:
            actions.mark_as_sent(form, account)
        except Refused as error:
            form.refuse(error)
        else:
            messages.success(request, f"Recorded: {shown.kept.name} is marked as sent.")
            return redirect("document", shown.thing.id)
    context = {"shown": shown, "form": form, "event": event, "crumb": [_documents(), _to(shown)]}
    return render(request, "documents/sent.html", context, status=422 if form.is_bound and not form.is_valid() else 200)


@require_http_methods(["GET", "HEAD", "POST"])
def withdraw(request: HttpRequest, document: str) -> HttpResponse:
    """Withdraws a paper that should not have gone out; it keeps its number and stays in the register."""
    account = _account(request)
    shown = queries.paper_shown(document, account)
    about = ledger.thing(shown.kept.about, as_account=account) if shown.kept.about else shown.thing
    rights.require(account, "issue", about.program)
    form = ReasonForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            actions.withdraw(shown.thing, about.program, form.cleaned_data["row_why"], account)
        except Refused as error:
            form.add_error(None, list(error.reasons))
        else:
            messages.success(request, f"Withdrawn: {shown.kept.name}. It keeps its number.")
            return redirect("document", shown.thing.id)
    context = {"shown": shown, "form": form, "crumb": [_documents(), _to(shown)]}
    return render(request, "documents/withdraw.html", context, status=422 if form.errors else 200)


def _pages(content: bytes, name: str) -> HttpResponse:
    response = HttpResponse(content, content_type="application/pdf")
    response["Content-Disposition"] = f'inline; filename="{name}.pdf"'
    response["Content-Security-Policy"] = PAPER_POLICY
    response["X-Frame-Options"] = "SAMEORIGIN"
    return response


def _documents() -> Link:
    return Link("Documents", reverse("documents"))


def _to(shown: queries.PaperShown) -> Link:
    return Link(shown.kept.name, page_url(shown.thing))


def _looking(request: HttpRequest) -> Looking:
    return cast(DeskRequest, request).looking


def _account(request: HttpRequest) -> Account:
    return cast(Account, request.user)
