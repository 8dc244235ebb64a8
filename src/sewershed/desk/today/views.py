"""The pages of Today and its neighbors."""

from __future__ import annotations

from typing import Any, cast

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from sewershed.desk.shell.middleware import DeskRequest
from sewershed.desk.shell.parts import Link
from sewershed.desk.things import queries as things
from sewershed.desk.things.entering import tell_unheld
from sewershed.desk.things.forms import EventForm
from sewershed.desk.today import actions, queries, tables
from sewershed.desk.today.forms import DecisionForm
from sewershed.exchange import sheet
from sewershed.ledger import adopting, law, rights
from sewershed.ledger import queries as ledger
from sewershed.ledger.errors import Refused
from sewershed.ledger.models import Account
from sewershed.ledger.shown import Named
from sewershed.ledger.wording import many, title, words_of


@require_safe
def today(request: HttpRequest) -> HttpResponse:
    """Shows what is to be done: short for a person, whole for whoever answers for all."""
    account, here = _account(request), cast(DeskRequest, request).looking
    said = request.GET
    asked = queries.Asked(
        said.get("program", ""),
        said.get("whose", ""),
        said.get("by", ""),
        said.get("rule", ""),
        said.get("waiting") == "all",
    )
    shown = queries.today_shown(account, here, asked)
    if (kind := said.get("as", "")) in ("csv", "xlsx"):
        rows = list(tables.rows(shown.dues, shown.words))
        content = (sheet.csv_bytes if kind == "csv" else sheet.xlsx_bytes)(tables.HEAD, rows)
        mime = "text/csv; charset=utf-8" if kind == "csv" else sheet.XLSX_TYPE
        return HttpResponse(
            content, content_type=mime, headers={"Content-Disposition": f'attachment; filename="due.{kind}"'}
        )
    query = said.copy()
    return render(
        request, "today/today.html", {"shown": shown, "files": {kind: _as(query, kind) for kind in ("csv", "xlsx")}}
    )


def _as(query: Any, kind: str) -> str:
    query["as"] = kind
    return f"{reverse('today')}?{query.urlencode()}"


@require_safe
def why(request: HttpRequest, key: str) -> HttpResponse:
    """Shows everything that one answer rests on."""
    account, here = _account(request), cast(DeskRequest, request).looking
    shown = queries.why_shown(key, account, here)
    crumb = [*_above(shown.thing), Link(shown.thing.label, reverse("thing", args=[shown.thing.id]))]
    columns = [queries.Across("Then")]
    return render(request, "today/why.html", {"shown": shown, "crumb": crumb, "columns": columns})


# ------------------------------------------------------------------------------------------------ decisions


@require_safe
def decisions(request: HttpRequest) -> HttpResponse:
    """Lists what the text leaves open: doubts, and lines that wait for somebody's decision."""
    open_, settled, lines = queries.decisions_shown(_account(request))
    return render(request, "today/decisions.html", {"open": open_, "settled": settled, "lines": lines})


@require_http_methods(["GET", "HEAD", "POST"])
def doubt(request: HttpRequest, doubt: str) -> HttpResponse:
    """Shows a doubt with its readings, and records which of them holds, for one thing or for all."""
    account = _account(request)
    on = request.GET.get("on", "")
    shown = queries.doubt_shown(doubt, on, account)
    program = shown.about.program if shown.about else "town"
    may_decide = rights.may(account, "decide", program)
    form = DecisionForm(shown.readings, shown.deciders, shown.scopes, request.POST or None)
    if request.method == "POST":
        rights.require(account, "decide", program)
        if form.is_valid():
            said = form.cleaned_data
            try:
                recorded = actions.settle(
                    doubt, said["reading"], on=said["for"], by=said["by"], because=said["because"], account=account
                )
            except Refused as error:
                form.add_error(None, list(error.reasons))
            else:
                whole = said["for"] == adopting.town_id()
                messages.success(
                    request, f"Decided: {said['reading']}, {'for every thing' if whole else 'for this thing'}."
                )
                tell_unheld(request, recorded)
                return redirect("thing", on) if on else redirect("decisions")
    context = {
        "shown": shown, "form": form, "may_decide": may_decide, "url": request.get_full_path(),
        "crumb": [Link("Decisions", reverse("decisions"))], "errors": _errors(form),
    }  # fmt: skip
    return render(request, "today/doubt.html", context, status=422 if form.errors else 200)


@require_http_methods(["GET", "HEAD", "POST"])
def decide(request: HttpRequest, thing: str, fact: str) -> HttpResponse:
    """Shows a fact that the law leaves to a person, and records what was decided."""
    account = _account(request)
    shown = queries.fact_shown(thing, fact, account)
    form = DecisionForm(shown.readings, shown.deciders, (), request.POST or None)
    if request.method == "POST":
        rights.require(account, "decide", shown.thing.program)
        if form.is_valid():
            said = form.cleaned_data
            try:
                recorded = actions.decide(
                    shown.thing.id, fact, said["reading"], by=said["by"], because=said["because"], judge=shown.judge, account=account
                )  # fmt: skip
            except Refused as error:
                form.add_error(None, list(error.reasons))
            else:
                messages.success(request, f"Decided: {shown.title}, {said['reading'].replace('_', ' ')}.")
                tell_unheld(request, recorded)
                return redirect("thing", shown.thing.id)
    context = {
        "shown": shown, "form": form, "may_decide": rights.may(account, "decide", shown.thing.program),
        "crumb": [*_above(shown.thing), _to(shown.thing)], "errors": _errors(form),
    }  # fmt: skip
    return render(request, "today/decide.html", context, status=422 if form.errors else 200)


def _errors(form: DecisionForm) -> dict[str, str]:
    return {name: " ".join(map(str, said)) for name, said in form.errors.items()}


# ------------------------------------------------------------------------------------------------ may I


@require_safe
def may_choose(request: HttpRequest, thing: str) -> HttpResponse:
    """Lists what can be asked ahead of a thing; what some rule is about comes first."""
    account = _account(request)
    named = ledger.thing(thing, as_account=account)
    acts = queries.acts_about(named)
    vocabulary = law.in_force().vocabulary
    events = [one for one in vocabulary.events_on(named.type) if not one.retired and one.name not in things.NOT_ENTERED]
    shown = [(one.name, title(one.name), one.means) for one in events]
    context = {
        "thing": named, "ruled": [one for one in shown if one[0] in acts], "rest": [one for one in shown if one[0] not in acts],
        "crumb": [*_above(named), _to(named)],
    }  # fmt: skip
    return render(request, "today/may_choose.html", context)


@require_safe
def may(request: HttpRequest, thing: str, event: str) -> HttpResponse:
    """Says whether something may be done, were it done then: every rule about it with its steps. Nothing is recorded."""
    account, here = _account(request), cast(DeskRequest, request).looking
    named = ledger.thing(thing, as_account=account)
    kind = law.in_force().vocabulary.events.get(event)
    if kind is None or kind.on not in ("", named.type) or kind.retired:
        raise Http404
    is_asked = "ask" in request.GET
    form = EventForm(account, named, kind, request.GET if is_asked else None, is_ahead=True)
    answer = None
    if is_asked and form.is_valid():
        said = form.columns()
        try:
            found = ledger.may(
                event, named.id, as_account=account, at=said["at"], office=said["office"], data=form.answers(), known_at=here.known_at
            )  # fmt: skip
        except Refused as error:
            form.refuse(error)
        else:
            answer = queries.may_shown(found, words_of(()), named.type)
    context = {
        "thing": named, "form": form, "answer": answer, "title": title(kind.name), "means": kind.means, "event": event,
        "crumb": [*_above(named), _to(named), Link("May I?", reverse("may_choose", args=[named.id]))],
        "may_record": things.may_enter(kind, named, account),
    }  # fmt: skip
    return render(request, "today/may.html", context, status=422 if form.is_bound and form.errors else 200)


# ------------------------------------------------------------------------------------------------ calendar


@require_safe
def month(request: HttpRequest) -> HttpResponse:
    """Shows a month with what is due in it."""
    account, here = _account(request), cast(DeskRequest, request).looking
    whose = queries.whose_of(queries.Asked(whose=request.GET.get("whose", "")), account)
    shown = queries.month_shown(account, here, request.GET.get("month", ""), whose)
    return render(request, "today/calendar.html", {"shown": shown, "whose": whose, "is_own": bool(account.person)})


@require_http_methods(["GET", "HEAD", "POST"])
def feed_address(request: HttpRequest) -> HttpResponse:
    """Makes, shows once and revokes the address at which an account's calendar can be read by a calendar program."""
    account = _account(request)
    address = ""
    if request.method == "POST":
        if request.POST.get("do") == "revoke":
            actions.revoke_feed(account)
            messages.success(request, "The address answers nothing any more.")
            return redirect("feed_address")
        address = request.build_absolute_uri(reverse("feed", args=[actions.make_feed(account)]))
    return render(request, "today/feed.html", {"address": address, "feed": queries.feed_of(account)})


@login_not_required
@require_safe
def feed(request: HttpRequest, token: str) -> HttpResponse:
    """Hands out a calendar to whoever knows its address; the address stands for its account and can be revoked."""
    account = queries.account_of_feed(actions.hash_of(token))
    if account is None:
        raise Http404
    base = request.build_absolute_uri("/").rstrip("/")
    return HttpResponse(queries.icalendar(account, base), content_type="text/calendar; charset=utf-8")


# ------------------------------------------------------------------------------------------------ finding


@require_safe
def find(request: HttpRequest) -> HttpResponse:
    """Finds anything by a part of its name: a place, a person, a number, a clause."""
    text = request.GET.get("q", "").strip()
    shown = queries.find_shown(text, _account(request))
    if shown.total == 1 and len(shown.things) == 1 and not (shown.clauses or shown.pages):
        return redirect(shown.things[0].url)
    return render(request, "today/find.html", {"shown": shown, "found_for": text})


def _account(request: HttpRequest) -> Account:
    return cast(Account, request.user)


def _above(named: Named) -> list[Link]:
    kind = law.in_force().vocabulary.things[named.type]
    return [Link("Programs", reverse("programs")), Link(many(kind), reverse("register", args=[kind.name]))]


def _to(named: Named) -> Link:
    return Link(named.label, reverse("thing", args=[named.id]))
