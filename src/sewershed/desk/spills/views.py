"""The pages of calls and spills: the register, taking a call."""

from __future__ import annotations

from typing import cast

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from sewershed.desk.spills import actions
from sewershed.desk.spills.forms import CallForm
from sewershed.desk.things import views as things
from sewershed.ledger import queries as ledger
from sewershed.ledger import rights
from sewershed.ledger.errors import Refused
from sewershed.ledger.models import Account

PROGRAM = "spills"


@require_safe
def register(request: HttpRequest) -> HttpResponse:
    """Lists calls and spills, narrowed and in the order that the address asks for."""
    return things.register(request, "spill")


@require_http_methods(["GET", "HEAD", "POST"])
def take_call(request: HttpRequest) -> HttpResponse:
    """Takes a call of what may be a spill."""
    account = cast(Account, request.user)
    rights.require(account, "record", PROGRAM)
    form = CallForm(account, request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            recorded = actions.take_call(form, account)
        except Refused as error:
            form.refuse(error)
        else:
            messages.success(request, f"Recorded: call {recorded.number}.")
            return redirect("spill", recorded.thing)
    return render(request, "spills/call.html", {"form": form}, status=422 if form.is_bound and form.errors else 200)


@require_safe
def spill(request: HttpRequest, thing: str) -> HttpResponse:
    """Shows a spill."""
    return redirect("thing", ledger.thing(thing, as_account=cast(Account, request.user)).id)
