"""The API itself: who may ask, how what is sent is read, and how what is refused is said."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Iterable
from decimal import Decimal
from typing import Any

import ninja
from django.core.exceptions import BadRequest, SuspiciousOperation
from django.http import Http404, HttpRequest, HttpResponse
from django.http.multipartparser import MultiPartParserError
from ninja.errors import HttpError, ValidationError
from ninja.parser import Parser
from ninja.security import HttpBearer

import sewershed
from sewershed.desk.api import actions, queries
from sewershed.desk.api.recording import router  # with what is read, which it adds to
from sewershed.ledger.errors import LedgerError, NotAllowed, NotFound, Refused
from sewershed.ledger.models import Account

NEEDED = "a token is needed, as Authorization: Bearer TOKEN; make one in the desk, under Your account"
MOST_DEEP = 20  # objects within objects
_log = logging.getLogger("sewershed.api")
_OWNER = re.compile(r"^\w+\.(\w+)")


class Token(HttpBearer):
    """`Authorization: Bearer TOKEN`, a token made in the desk."""

    def authenticate(self, request: HttpRequest, token: str) -> Account | None:
        """Returns the account as whom a token acts, with no other roles than its own; None where it does not work."""
        found = queries.token_of(actions.hash_of(token))
        if found is None:
            return None
        actions.note_use(found)
        return queries.acting(found)


class Exact(Parser):
    """Reads what is sent without losing a digit: a number of the record is the text that was sent."""

    def parse_body(self, request: HttpRequest) -> Any:
        """Returns what was sent."""
        said = json.loads(request.body, parse_float=Decimal, parse_constant=_no_number)
        if not isinstance(said, dict):
            raise TypeError("an object is needed")
        return {name: _exact(value, 1) if name in ("data", "facts") else _whole(value) for name, value in said.items()}

    def parse_querydict(self, data: Any, list_fields: list[str], request: HttpRequest) -> Any:
        """Returns what stands in the address or in a form."""
        try:
            return {name: _whole(value) for name, value in super().parse_querydict(data, list_fields, request).items()}
        except ValueError as error:
            raise HttpError(400, str(error)) from None


def _no_number(text: str) -> None:
    raise ValueError(f"{text} is no number")


def _exact(value: Any, depth: int) -> Any:
    """Returns a value of the record as it was sent, numbers as texts.

    Refuses: what is nested too deep, and half characters.
    """
    if depth > MOST_DEEP:
        raise ValueError("it is nested too deep")
    if isinstance(value, dict):
        return {_whole(name): _exact(one, depth + 1) for name, one in value.items()}
    if isinstance(value, list):
        return [_exact(one, depth + 1) for one in value]
    if isinstance(value, int | Decimal) and not isinstance(value, bool):
        return format(value, "f") if isinstance(value, Decimal) else str(value)
    return _whole(value)


def _whole(value: Any) -> Any:
    """Returns a value; a text that no database could keep is refused."""
    for one in value if isinstance(value, list) else [value]:
        if isinstance(one, str) and "\x00" in one:
            raise ValueError("a zero byte")
        if isinstance(one, str):
            one.encode("utf-8")
    return value


api = ninja.NinjaAPI(
    title="Sewershed", version=sewershed.__version__, auth=Token(), parser=Exact(), docs_url=None, openapi_url=None, urls_namespace="api",
    description="What the pages of the desk read and record, for programs. Each address is /api and then that of the page.",
)  # fmt: skip
api.add_router("", router)


def refused(status: int, reasons: Iterable[str], fields: dict[str, list[str]] | None = None) -> HttpResponse:
    """Returns a refusal in sentences."""
    said = {"reasons": list(reasons), "fields": fields or {}}
    response = HttpResponse(
        json.dumps(said, ensure_ascii=False), status=status, content_type="application/json; charset=utf-8"
    )
    if status == 401:
        response["WWW-Authenticate"] = "Bearer"
    return response


@api.exception_handler(LedgerError)
def _ledger(request: HttpRequest, error: LedgerError) -> HttpResponse:
    match error:
        case NotAllowed():
            return refused(403, [str(error)])
        case NotFound():
            return refused(404, [str(error)])
        case Refused():
            fields: dict[str, list[str]] = {}
            for reason in error.reasons:
                if found := _OWNER.match(reason):
                    where = "facts" if "/record/" not in request.path and "/row/" not in request.path else "data"
                    fields.setdefault(f"{where}.{found[1]}", []).append(reason)
            return refused(422, error.reasons, fields)
    return _fault(request, error)


@api.exception_handler(ValidationError)
def _invalid(request: HttpRequest, error: ValidationError) -> HttpResponse:
    fields: dict[str, list[str]] = {}
    for one in error.errors:
        where = [str(part) for part in one["loc"][1:] if part != "body" or len(one["loc"]) == 2]
        name = ".".join(where) or "what was sent"
        fields.setdefault(name, []).append(_sentence(name, one["type"], one["msg"]))
    return refused(422, [reason for reasons in fields.values() for reason in reasons], fields)


def _sentence(name: str, kind: str, message: str) -> str:
    if kind == "missing":
        return f"{name} is missing"
    if kind == "extra_forbidden":
        return f"{name} is no field of this: leave it out"
    return f"{name}: {message[:1].lower()}{message[1:]}".replace("input should", "it should")


@api.exception_handler(HttpError)
def _http(request: HttpRequest, error: HttpError) -> HttpResponse:
    if error.status_code == 401:
        return refused(
            401, ["a token is needed, as Authorization: Bearer TOKEN; make one in the desk, under Your account"]
        )
    if error.status_code == 400:
        return refused(400, ["what was sent cannot be read: JSON is needed, one object, its numbers written out"])
    return refused(error.status_code, [str(error)])


@api.exception_handler(BadRequest)
@api.exception_handler(MultiPartParserError)
@api.exception_handler(SuspiciousOperation)
def _unreadable(request: HttpRequest, error: Exception) -> HttpResponse:
    return refused(400, ["what was sent cannot be read: it is broken, too large, or holds too much"])


@api.exception_handler(Http404)
def _absent(request: HttpRequest, error: Http404) -> HttpResponse:
    return refused(404, ["there is nothing at this address"])


@api.exception_handler(Exception)
def _fault(request: HttpRequest, error: Exception) -> HttpResponse:
    _log.error("%s %s", request.method, request.path, exc_info=error)
    return refused(500, ["the fault is ours, not yours; the log of the server says more"])
