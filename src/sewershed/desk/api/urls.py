"""The addresses of the API, and of its tokens."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, path, re_path

from sewershed.desk.api import views
from sewershed.desk.api.service import api, refused


def _addresses(patterns: Iterable[Any]) -> list[URLPattern]:
    """Returns the addresses of the API: who asks is said by a token, never by a session, and a slip in an address is said."""
    names: dict[tuple[str, str], set[str]] = {}
    for where, operations in api.get_openapi_schema(path_prefix="")["paths"].items():
        for method, said in operations.items():
            asked = {one["name"] for one in said.get("parameters", ()) if one["in"] == "query"}
            names[where, method.upper()] = asked
    found = []
    for one in patterns:
        where = "/" + re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", str(one.pattern))
        known = {method: asked for (path_, method), asked in names.items() if path_ == where}
        found.append(path(str(one.pattern), login_not_required(_asked_well(one.callback, known)), name=one.name))
    return found


def _asked_well(answer: Callable[..., HttpResponse], known: dict[str, set[str]]) -> Callable[..., HttpResponse]:
    """Returns a view that refuses what an address does not know after its question mark, which it would else overlook."""

    @wraps(answer)
    def view(request: HttpRequest, *rest: Any, **named: Any) -> HttpResponse:
        wanted = known.get(request.method or "")
        if wanted is not None and (slips := sorted(set(request.GET) - wanted)):
            reasons = {name: [f"{name!r} is nothing that this address asks for; it may ask for {', '.join(sorted(wanted)) or 'nothing'}"] for name in slips}  # fmt: skip
            return refused(422, [reason for one in reasons.values() for reason in one], reasons)
        return answer(request, *rest, **named)

    return view


patterns, api_app, api_space = api.urls  # not `app_name`: Django would take it for that of all addresses here
urlpatterns = [
    path("account/tokens/", views.tokens, name="tokens"),
    path("account/tokens/<int:token>/revoke/", views.revoke, name="revoke_token"),
    path("api/-/docs/", views.documentation, name="api_documentation"),
    path("api/-/openapi.json", views.openapi, name="openapi"),
    path(
        "api/",
        (_addresses(one for one in patterns if getattr(one, "name", "") != "api-root"), api_app, api_space),
    ),
    re_path(r"^api(?:/[\s\S]*)?$", views.nothing, name="api_nothing"),
]
