"""The pages of the shell itself. What a program shows stands in its own app."""

from __future__ import annotations

from typing import Any, cast

from allauth.account.utils import perform_login
from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.template.loader import get_template
from django.views.decorators.http import require_POST, require_safe

from sewershed.desk.shell import actions, examples, queries, signing_in, tables
from sewershed.desk.shell.forms import FirstSignIn
from sewershed.ledger import clock
from sewershed.ledger.errors import Refused
from sewershed.ledger.models import Account


@require_safe
def start(request: HttpRequest) -> HttpResponse:
    """Shows what there is, until Today stands here."""
    return render(request, "shell/start.html")


@require_safe
def account(request: HttpRequest) -> HttpResponse:
    """Shows one's own account: roles, password, second factors, devices."""
    own = cast(Account, request.user)
    return render(request, "shell/account.html", {"roles": [role for role in queries.roles(own) if role.is_own]})


@require_safe
def kept_views(request: HttpRequest) -> HttpResponse:
    """Lists the views that the account keeps."""
    return render(request, "shell/kept_views.html", {"views": cast(Account, request.user).kept_views.all()})


@require_POST
def keep_view(request: HttpRequest) -> HttpResponse:
    """Keeps the list that the form stands on, and shows it again."""
    own = cast(Account, request.user)
    try:
        view = actions.keep_view(own, request.POST.get("name", ""), request.POST.get("address", ""))
    except Refused as error:
        messages.error(request, f"Not kept: {'; '.join(error.reasons)}.")
        return redirect("kept_views")
    messages.success(request, f"Kept as “{view.name}”. It stands under “Views” of this list and with your account.")
    return redirect(view.address)


@require_POST
def forget_view(request: HttpRequest, key: int) -> HttpResponse:
    """Gives up a view of one's own."""
    view = actions.forget_view(cast(Account, request.user), key)
    messages.success(request, f"The view “{view.name}” is given up. The list itself is as it was.")
    return redirect("kept_views")


@require_safe
def rights_table(request: HttpRequest) -> HttpResponse:
    """Shows what each role may do."""
    shown = {"roles": queries.roles(cast(Account, request.user)), "verbs": queries.verbs()}
    return render(request, "shell/rights.html", shown)


@login_not_required
def first_sign_in(request: HttpRequest, name: str, token: str) -> HttpResponse:
    """Lets whoever was handed a one-time link choose a password, and signs them in.

    Opening the link uses nothing up, since programs look at links before people do; sending the form does.
    """
    opened = signing_in.account_of(name, token)
    if opened is None:
        return render(request, "shell/link_used.html", status=410)
    is_needed = not clock.current_town().is_example
    form = FirstSignIn(opened, request.POST or None, is_needed=is_needed)
    if request.method == "POST" and form.is_valid():
        if form.cleaned_data["password"]:
            opened = actions.choose_password(opened, form.cleaned_data["password"])
        response: HttpResponse = perform_login(request, opened)
        return response
    return render(request, "shell/first_sign_in.html", {"form": form, "name": name, "is_needed": is_needed})


@require_safe
def components(request: HttpRequest) -> HttpResponse:
    """Lists the components, each with its variants on a page of its own."""
    return render(request, "shell/components.html", {"examples": examples.examples().values()})


@require_safe
def component(request: HttpRequest, name: str) -> HttpResponseBase:
    """Shows a component with its variants, from example data; the record is not asked."""
    example = examples.examples().get(name)
    if example is None:
        raise Http404
    shown = {"example": example, **examples.shown(example, request)}
    kind = request.GET.get("as", "")
    if kind in tables.FILES and "table" in shown:
        return tables.as_file(shown["table"], kind, example.name)
    return render(request, "shell/page.html" if example.is_page else "shell/component.html", shown)


# ------------------------------------------------------------------------------------------------ what went wrong


@login_not_required
def form_too_old(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Says that a form was not sent from a page of ours, or from one that is too old."""
    return render(request, "shell/form_too_old.html", status=403)


@login_not_required
def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Says that a request could not be read: to a program as the API says it."""
    if request.path.startswith("/api/"):
        return JsonResponse({"reasons": ["The request could not be read."], "fields": {}}, status=400)
    return HttpResponse("The request could not be read.", status=400, content_type="text/plain")


@login_not_required
def not_allowed(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Says that the account may not do this."""
    return render(request, "shell/not_allowed.html", {"reason": str(exception)}, status=403)


@login_not_required
def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Says that there is no such page."""
    return render(request, "shell/not_found.html", status=404)


@login_not_required
def broken(request: HttpRequest) -> HttpResponse:
    """Says that the fault is ours, without asking anything that may be broken too."""
    page: Any = get_template("shell/broken.html")
    return HttpResponse(page.render({}), status=500)
