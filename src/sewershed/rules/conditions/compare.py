"""How two values of given types are compared, once both are known.

Edge: two instants to the second, two days as days. A day beside an instant: as days, the instant lying in its local day. A
*moment* of which only the day is known, beside one whose time is known: as days, and on the same day it cannot be told.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from sewershed.rules.moments import day_of, is_instant
from sewershed.rules.record import Moment
from sewershed.rules.types import Type

OPERATORS: dict[str, Callable[[Any, Any], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}

Comparison = Callable[[Any, Any], bool | None]  # None: only the time of day, which is not known, would tell


def comparison(sign: str, left: Type, right: Type, zone: ZoneInfo) -> tuple[Comparison, bool]:
    """Returns how values of two types are compared, and whether it always tells."""
    compare = OPERATORS[sign]
    kinds = {left.kind, right.kind}
    if "date" in kinds and len(kinds) == 2:
        return lambda a, b: compare(day_of(a, zone), day_of(b, zone)), True
    if "moment" in kinds:
        return lambda a, b: _compare_moments(compare, a, b, zone), False
    return compare, True


def _compare_moments(compare: Callable[[Any, Any], bool], a: Moment, b: Moment, zone: ZoneInfo) -> bool | None:
    if is_instant(a) == is_instant(b):
        return compare(a, b)
    first, last = day_of(a, zone), day_of(b, zone)
    return None if first == last else compare(first, last)


def elapsed(later: Moment, earlier: Moment) -> timedelta | None:
    """Returns the time between two instants, or None where only the day of either is known."""
    if isinstance(later, datetime) and isinstance(earlier, datetime):
        return later - earlier
    return None


def extreme(name: str, type: Type, zone: ZoneInfo) -> Callable[[Sequence[Any]], Any]:
    """Returns how the least (``min``) or the greatest (``max``) of values of one type is found; None: it cannot be told.

    Edge: of moments on one day, some with a time and some without, none can be called the least or the greatest.
    """
    compare, _ = comparison("<=" if name == "min" else ">=", type, type, zone)

    def find(values: Sequence[Any]) -> Any:
        return next((value for value in values if all(compare(value, other) for other in values)), None)

    return find
