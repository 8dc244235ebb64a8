"""The pages of the rulebook. None of them records anything."""

from __future__ import annotations

from typing import cast

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from sewershed.desk.rulebook import cases, printed, queries
from sewershed.desk.rulebook import contents as table
from sewershed.desk.rulebook import what_if as trying
from sewershed.desk.shell.looking import Looking
from sewershed.desk.shell.middleware import DeskRequest
from sewershed.ledger.models import Account


@require_safe
def contents(request: HttpRequest) -> HttpResponse:
    """Shows what there is: by program or by article, or what holds the words and figures asked for."""
    said = request.GET
    by = table.ARTICLE if said.get("by") == table.ARTICLE else table.PROGRAM
    asked = table.Asked(by, said.get("at", ""), said.get("q", "").strip())
    return render(
        request, "rulebook/contents.html", {"shown": table.contents(asked, _account(request), _here(request))}
    )


@require_safe
def clause(request: HttpRequest, clause: str) -> HttpResponse:
    """Shows a clause of the text: what it says, what became of it, and how every entry that carries it runs."""
    return render(
        request, "rulebook/clause.html", {"shown": queries.clause_shown(clause, _account(request), _here(request))}
    )


@require_safe
def entry(request: HttpRequest, entry: str) -> HttpResponse:
    """Shows an entry: clause, meaning, edition, sentences, doubts and decisions, what it holds open, worked cases."""
    has_all = request.GET.get("cases") == "all"
    shown = queries.entry_shown(entry, _account(request), _here(request), has_all_cases=has_all)
    return render(request, "rulebook/entry.html", {"shown": shown})


@require_safe
def case(request: HttpRequest, entry: str, case: str) -> HttpResponse:
    """Runs a worked case of an entry and shows what was given, what must come out, and what does, with its steps."""
    return render(
        request, "rulebook/case.html", {"shown": cases.case_run(entry, case, _account(request), _here(request))}
    )


@require_safe
def what_if(request: HttpRequest, entry: str) -> HttpResponse:
    """Tries an entry on a record that somebody makes up, beginning with a worked case or with nothing."""
    said = request.GET
    shown = trying.what_if_shown(entry, said.get("case", ""), said, _account(request), _here(request))
    return render(request, "rulebook/what_if.html", {"shown": shown}, status=422 if shown.form.errors else 200)


@require_safe
def ordinance(request: HttpRequest) -> HttpResponse:
    """Shows how the ordinance runs, clause by clause, to be printed and signed."""
    shown = printed.printed_shown(request.GET.get("part", ""), _account(request), _here(request))
    return render(request, "rulebook/ordinance.html", {"shown": shown})


@require_safe
def ordinance_file(request: HttpRequest) -> HttpResponse:
    """Hands out the same as a paper."""
    part = request.GET.get("part", "") or printed.WHOLE
    response = HttpResponse(printed.pages(part, _account(request), _here(request)), content_type="application/pdf")
    response["Content-Disposition"] = 'inline; filename="how-the-ordinance-runs.pdf"'
    return response


def _here(request: HttpRequest) -> Looking:
    return cast(DeskRequest, request).looking


def _account(request: HttpRequest) -> Account:
    return cast(Account, request.user)
