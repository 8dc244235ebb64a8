"""How a value stands in a step, worked from the sentences of `say` itself."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from zoneinfo import ZoneInfo

import pytest

from sewershed.rules.conditions.say import say
from sewershed.rules.types import Thing
from sewershed.rules.unknown import Unknown, Want

ZONE = ZoneInfo("America/New_York")


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (Unknown((Want("fact", "house.use"),)), "?"), (True, "true"), (False, "false"), (7, "7"), (Decimal("1E+2"), "100"),
        (Fraction(1, 3), "1/3 (about 0.3333)"), (Thing("h1", "house"), "h1"), ("fax", "'fax'"), (date(2024, 3, 5), "2024-03-05"),
        (datetime(2024, 3, 5, 15, tzinfo=UTC), "2024-03-05T10:00-05:00"), (["a", 1], "['a', 1]"), ({"a": 1, "b": "c"}, "{a: 1, b: 'c'}"),
        (timedelta(0), "0 hours"), (timedelta(hours=1, seconds=1), "1 hour 1 second"), (-timedelta(minutes=2), "-2 minutes"),
    ],
)  # fmt: skip
def test_each_kind_of_value(value, said):
    assert say(value, ZONE) == said
