"""The pages around the API: tokens, its documentation, and its description for programs."""

from __future__ import annotations

from typing import cast

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from sewershed.desk.api import actions, describing, queries
from sewershed.desk.api.forms import TokenForm
from sewershed.desk.api.service import NEEDED, Token, refused
from sewershed.ledger.errors import Refused
from sewershed.ledger.models import Account


@require_http_methods(["GET", "HEAD", "POST"])
def tokens(request: HttpRequest) -> HttpResponse:
    """Lists the tokens that work, and makes one, which is shown this once."""
    account = cast(Account, request.user)
    form, secret = TokenForm(account, request.POST or None), ""
    if request.method == "POST" and form.is_valid():
        try:
            secret = actions.make_token(account, form.cleaned_data["name"], form.cleaned_data["roles"])
        except Refused as error:
            form.add_error(None, list(error.reasons))
        else:
            form = TokenForm(account)
    shown = {"form": form, "secret": secret, "tokens": queries.tokens(account)}
    return render(request, "api/tokens.html", shown, status=422 if form.is_bound and form.errors else 200)


@require_POST
def revoke(request: HttpRequest, token: int) -> HttpResponse:
    """Revokes a token."""
    actions.revoke_token(token, cast(Account, request.user))
    messages.success(request, "The token answers nothing any more.")
    return redirect("tokens")


@require_safe
def documentation(request: HttpRequest) -> HttpResponse:
    """Shows what the API takes and says."""
    return render(
        request, "api/documentation.html", {"shown": describing.shown(), "base": request.build_absolute_uri("/api")}
    )


@login_not_required
@require_safe
def openapi(request: HttpRequest) -> HttpResponse:
    """Hands out the description of the API as OpenAPI, with the words of the town's own vocabulary: to people and to programs."""
    if not request.user.is_authenticated and Token()(request) is None:
        return refused(401, [NEEDED])
    return JsonResponse(describing.openapi(), json_dumps_params={"ensure_ascii": False})


@login_not_required
@csrf_exempt
def nothing(request: HttpRequest) -> HttpResponse:
    """Says that there is nothing at an address below the API's, as the API says it."""
    return refused(404, ["there is nothing at this address; /api/-/docs/ lists what there is"])
