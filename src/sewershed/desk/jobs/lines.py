"""Lines of what is due as texts, and back: so are they kept in a list, and so does the API say them."""

from __future__ import annotations

import json
from dataclasses import fields
from typing import Any

from sewershed.ledger import canonical
from sewershed.ledger.projections import moment_of, reading_data, reading_of, want_data, want_of
from sewershed.ledger.shown import Due

_LISTS = frozenset({"rules", "cites", "persons", "doubts", "also", "notes", "meets"})
_MOMENTS = frozenset({"due", "met_at"})


def due_text(one: Due) -> str:
    """Returns a line as a text from which `due_from` makes it again."""
    said: dict[str, Any] = {field.name: getattr(one, field.name) for field in fields(Due)}
    said["asks"] = [want_data(want) for want in one.asks]
    said["if_read_as"] = [reading_data(other) for other in one.if_read_as]
    return canonical.write({name: list(value) if name in _LISTS else value for name, value in said.items()})


def due_from(text: str) -> Due:
    """Returns the line that `due_text` wrote."""
    said: dict[str, Any] = json.loads(text)
    said["asks"] = tuple(want_of(want) for want in said["asks"])
    said["if_read_as"] = tuple(reading_of(other) for other in said["if_read_as"])
    for name in _LISTS:
        said[name] = tuple(said[name])
    for name in _MOMENTS:
        said[name] = moment_of(said[name])
    said["count"] = int(said["count"])  # numbers are texts there
    return Due(**said)
