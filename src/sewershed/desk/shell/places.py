"""The places of the bar. A place is shown as soon as some app answers under its name."""

from __future__ import annotations

from dataclasses import dataclass

from django.urls import NoReverseMatch, reverse

FIND = "find"
TAKE_CALL = "take_call"
TOWN = "town"
LOG = "log"
_PLACES = (
    ("Today", "today"),
    ("Spills", "spills"),
    ("Programs", "programs"),
    ("Map", "map"),
    ("Rulebook", "rulebook"),
    ("Documents", "documents"),
)


@dataclass(frozen=True, slots=True)
class Place:
    """A place of the bar."""

    text: str
    url: str
    is_current: bool = False


def places(path: str) -> tuple[Place, ...]:
    """Returns the places that there are, the one to which a path belongs marked."""
    found = [(text, url) for text, name in _PLACES if (url := url_of(name))]
    return tuple(Place(text, url, path == url or (url != "/" and path.startswith(url))) for text, url in found)


def url_of(name: str) -> str:
    """Returns the address of a page, or nothing while no app answers under its name."""
    try:
        return reverse(name)
    except NoReverseMatch:
        return ""
