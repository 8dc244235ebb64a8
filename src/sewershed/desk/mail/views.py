"""The page of the morning mail."""

from __future__ import annotations

from typing import cast

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from sewershed.desk.mail import actions, queries
from sewershed.desk.mail.models import NoDigest
from sewershed.ledger import clock, rights
from sewershed.ledger.models import Account


@require_http_methods(["GET", "HEAD", "POST"])
def digest(request: HttpRequest) -> HttpResponse:
    """Shows whether and where one's digest goes, what was mailed, and turns it on or off."""
    account = cast(Account, request.user)
    if request.method == "POST":
        is_wanted = request.POST.get("do") == "on"
        actions.choose_digest(account, is_wanted=is_wanted)
        messages.success(request, "The morning mail comes." if is_wanted else "No morning mail comes any more.")
        return redirect("digest")
    town = clock.current_town()
    shown = {
        "is_on": not NoDigest.objects.filter(account=account).exists(), "is_inside": rights.is_inside(account),
        "address": queries.address_of(account), "mail": town.mail, "town": town, "mailings": queries.mailings(account),
    }  # fmt: skip
    return render(request, "mail/page.html", shown)


@require_POST
def again(request: HttpRequest, mailing: int) -> HttpResponse:
    """Has a digest sent again that failed, or of which it is not known whether it went."""
    actions.send_again(mailing, cast(Account, request.user))
    messages.success(request, "It is sent again.")
    return redirect("digest")
