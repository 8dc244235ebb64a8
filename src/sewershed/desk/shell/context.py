"""What every page shows around its own part: the town, its places, who is signed in, where the page looks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest

from sewershed.desk.shell import marks, places
from sewershed.ledger import clock


def desk(request: HttpRequest) -> Mapping[str, Any]:
    """Returns what the bar, the strip and the foot show; nothing here asks the record."""
    town = clock.current_town()
    here = getattr(request, "looking", None)
    return {
        "desk": {
            "town": town.name,
            "is_example": town.is_example,
            "clock": f"{clock.now().astimezone(town.zone):%Z}",
            "places": places.places(request.path),
            "find_url": places.url_of(places.FIND),
            "call_url": places.url_of(places.TAKE_CALL),
            "town_url": places.url_of(places.TOWN),
            "log_url": places.url_of(places.LOG),
            "marks": marks.MARKS.values(),
        },
        "looking": here,
    }
