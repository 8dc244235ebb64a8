"""Values in the words of an explanation."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Any
from zoneinfo import ZoneInfo

from sewershed.rules.moments import say as say_moment
from sewershed.rules.record import Event
from sewershed.rules.types import Thing
from sewershed.rules.unknown import Unknown

_ASKED_FOR = ("fact", "event", "time_of_day", "decision", "doubt")
_ABOUT = 4  # places shown of a fraction whose decimals do not end


def say(value: Any, zone: ZoneInfo) -> str:
    """Returns a value as a step shows it: an unknown as "?", a text between quotation marks, a time on the town's clock.

    Edge: a number whose decimals do not end is shown exactly, as a fraction, with its first decimals beside it.

    Example:
        >>> utc = ZoneInfo("UTC")
        >>> say(Decimal("2.50"), utc), say(Fraction(64, 3), utc), say(("fax", "mail"), utc), say(True, utc)
        ('2.50', '64/3 (about 21.3333)', "['fax', 'mail']", 'true')
        >>> say(timedelta(hours=23, minutes=30), utc)
        '23 hours 30 minutes'
    """
    match value:
        case Unknown():
            return "?"
        case bool():
            return "true" if value else "false"
        case Decimal():
            return f"{value:f}"
        case Fraction():
            return f"{value} (about {round(float(value), _ABOUT)})"
        case Thing() | Event():
            return value.id
        case str():
            return f"'{value}'"
        case date():
            return say_moment(value, zone)
        case timedelta():
            return _say_elapsed(value)
        case tuple() | list():
            return "[" + ", ".join(say(item, zone) for item in value) + "]"
        case Mapping():
            return "{" + ", ".join(f"{key}: {say(item, zone)}" for key, item in value.items()) + "}"
        case _:
            return str(value)


def say_missing(value: Any) -> str:
    """Returns what is missing of an unknown, as an addition to a step; nothing for what is known.

    Example:
        >>> from sewershed.rules.unknown import Want
        >>> say_missing(Unknown((Want("fact", "house.width_ft"), Want("event", "repair"))))
        ', missing: house.width_ft, repair'
    """
    if not isinstance(value, Unknown):
        return ""
    asked = dict.fromkeys(str(want) for want in value.wants if want.kind in _ASKED_FOR)
    other = dict.fromkeys(str(want) for want in value.wants if want.kind not in _ASKED_FOR)
    return (", missing: " + ", ".join(asked) if asked else "") + "".join(f", {text}" for text in other)


def _say_elapsed(value: timedelta) -> str:
    sign, seconds = ("-", -value) if value < timedelta(0) else ("", value)
    total = int(seconds.total_seconds())
    parts = [(total // 3600, "hour"), (total % 3600 // 60, "minute"), (total % 60, "second")]
    said = [f"{n} {word}{'' if n == 1 else 's'}" for n, word in parts if n]
    return sign + " ".join(said) if said else "0 hours"
