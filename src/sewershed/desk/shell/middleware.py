"""What holds for every page: where it looks, what a browser may keep of it, and refusals in sentences."""

from __future__ import annotations

from collections.abc import Callable

from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from sewershed.desk.shell.looking import Looking, looking
from sewershed.ledger import clock
from sewershed.ledger.errors import NotAllowed, NotFound, Refused
from sewershed.ledger.privacy import read_by
from sewershed.rules.memory import uncollected

Next = Callable[[HttpRequest], HttpResponse]
READING = ("GET", "HEAD", "OPTIONS")
PERMISSIONS = "camera=(self), geolocation=(self), microphone=(), payment=(), usb=(), interest-cohort=()"


class DeskRequest(HttpRequest):
    """A request as the views of the desk get it: with where its page looks."""

    looking: Looking


def made_in_one_go(then: Next) -> Next:
    """Keeps Python's collector away while a page is made: most of what that makes is gone with the page.

    Left to itself the collector walks all that the server holds after every large page or two, which takes a quarter as
    long as making one.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        with uncollected():
            return then(request)

    return middleware


def readable(then: Next) -> Next:
    """Turns away an address that holds a zero byte, which no text has and no database keeps."""

    def middleware(request: HttpRequest) -> HttpResponse:
        said = (request.path, *request.GET, *(one for name in request.GET for one in request.GET.getlist(name)))
        if any("\x00" in one for one in said):
            raise BadRequest("a zero byte")
        return then(request)

    return middleware


def looking_elsewhere(then: Next) -> Next:
    """Says where a page looks, and refuses to record anything while it looks at another day."""

    def middleware(request: HttpRequest) -> HttpResponse:
        here = looking(request.GET.dict(), clock.now(), clock.current_town().zone)
        request.looking = here  # type: ignore[attr-defined]
        if here.is_elsewhere and request.method not in READING:
            return render(
                request,
                "shell/refused.html",
                {"reasons": ["Nothing can be recorded while the page looks at another day."]},
                status=409,
            )
        return then(request)

    return middleware


def read_by_account(then: Next) -> Next:
    """Says to the ledger who reads, so that names which the account may not see are left out of every page."""

    def middleware(request: HttpRequest) -> HttpResponse:
        if not request.user.is_authenticated:
            return then(request)
        with read_by(request.user):
            return then(request)

    return middleware


def kept_private(then: Next) -> Next:
    """Keeps pages out of the stores of browsers and proxies, and says what a page may use of the machine."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = then(request)
        response.setdefault("Cache-Control", "no-store, private")
        response.setdefault("Permissions-Policy", PERMISSIONS)
        return response

    return middleware


class refused_in_words:  # noqa: N801  # a middleware, written as its two neighbors are
    """Shows what the ledger refuses as a page in sentences, whichever view asked for it."""

    def __init__(self, then: Next) -> None:
        self.then = then

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answers a request."""
        return self.then(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """Answers with a page where an error is meant for the person at the desk."""
        match error:
            case NotAllowed():
                return render(request, "shell/not_allowed.html", {"reason": str(error)}, status=403)
            case NotFound():
                return render(request, "shell/not_found.html", {"reason": str(error)}, status=404)
            case Refused():
                return render(request, "shell/refused.html", {"reasons": error.reasons}, status=422)
        return None
