"""The pages of the rulebook."""

from __future__ import annotations

from typing import cast

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from sewershed.desk.rulebook import queries
from sewershed.desk.shell.middleware import DeskRequest
from sewershed.ledger.models import Account


@require_safe
def contents(request: HttpRequest) -> HttpResponse:
    """Shows what there is: by program or by article, or what holds the words and figures asked for."""
    said = request.GET
    asked = queries.Asked(
        "article" if said.get("by") == "article" else "program", said.get("at", ""), said.get("q", "").strip()
    )
    account, here = cast(Account, request.user), cast(DeskRequest, request).looking
    return render(request, "rulebook/contents.html", {"shown": queries.contents(asked, account, here)})


@require_safe
def entry(request: HttpRequest, entry: str) -> HttpResponse:
    """Shows an entry: clause, meaning, edition, sentences, doubts and decisions, what it holds open, worked cases."""
    account, here = cast(Account, request.user), cast(DeskRequest, request).looking
    return render(request, "rulebook/entry.html", {"shown": queries.entry_shown(entry, account, here)})
