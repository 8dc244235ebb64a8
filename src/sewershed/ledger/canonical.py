"""How a value is written in the log: one text for one value, so that a hash means something.

Keys sorted, no spaces, numbers as decimal strings with the digits that were entered, days and instants in ISO form,
references as ids. There is no binary float anywhere in it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, date, datetime
from decimal import Decimal
from fractions import Fraction
from typing import Any

from sewershed.rules.types import Thing

_encode = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode


def instant_text(instant: datetime) -> str:
    """Returns an instant as the log writes it: UTC, to the second.

    Refuses: a time without a zone (`ValueError`): nobody could say which instant it is.

    Example:
        >>> from datetime import timedelta, timezone
        >>> instant_text(datetime(2024, 3, 8, 15, 40, tzinfo=timezone(timedelta(hours=-5))))
        '2024-03-08T20:40:00Z'
    """
    if instant.tzinfo is None:
        raise ValueError(f"{instant.isoformat()} has no zone")
    in_utc = instant if instant.tzinfo is UTC else instant.astimezone(UTC)
    return f"{in_utc.isoformat()[:19]}Z"


def read_instant(text: str) -> datetime:
    """Returns the instant that the log wrote.

    Refuses: anything but the form of `instant_text` (`ValueError`).

    Example:
        >>> read_instant("2024-03-08T20:40:00Z").isoformat()
        '2024-03-08T20:40:00+00:00'
    """
    if len(text) != 20 or text[-1] != "Z":
        raise ValueError(f"{text!r} is not an instant as the log writes it")
    return datetime.fromisoformat(text)


def plain(value: Any) -> Any:
    """Returns a value as JSON has it: numbers become decimal strings.

    Refuses: a float, which has lost the digits that were entered, and whatever the record has no place for (`TypeError`).
    """
    kind = type(value)
    if kind is str or kind is bool or value is None:
        return value
    if kind is dict:
        return {str(key): item if type(item) is str else plain(item) for key, item in value.items()}
    if isinstance(value, date):
        return instant_text(value) if isinstance(value, datetime) else value.isoformat()
    if isinstance(value, Thing):
        return value.id
    if isinstance(value, int):
        return str(value)
    if isinstance(value, Decimal):
        if not value.is_finite():
            raise TypeError(f"{value} is not a number that can be recorded")
        return format(value, "f")
    if isinstance(value, Fraction):
        return f"{value.numerator}/{value.denominator}"
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple | frozenset | set):
        items = [plain(item) for item in value]
        return sorted(items) if isinstance(value, frozenset | set) else items
    if isinstance(value, str):
        return str(value)
    raise TypeError(f"{value!r} ({type(value).__name__}) has no place in the record")


def write(value: Any) -> str:
    """Returns the one text of a value.

    Example:
        >>> print(write({"volume_gal": Decimal("2.50"), "contained": True, "seen_on": date(2024, 3, 8)}))
        {"contained":true,"seen_on":"2024-03-08","volume_gal":"2.50"}
    """
    return _encode(plain(value))


def read(text: str) -> Any:
    """Returns what a text of the log holds; numbers are still strings, which only the vocabulary can tell from texts."""
    return json.loads(text)
