"""The words of the to-do list, one a state; the words are those of the glossary."""

from __future__ import annotations

from datetime import UTC, date, datetime
from types import SimpleNamespace
from zoneinfo import ZoneInfo

import pytest

from sewershed.rules.findings import Obligation
from sewershed.rules.todo import word_of
from sewershed.rules.unknown import Want

NOW = SimpleNamespace(
    as_of=datetime(2024, 3, 1, 15, tzinfo=UTC), zone=ZoneInfo("America/New_York")
)  # what it asks of the world


@pytest.mark.parametrize(
    ("state", "more", "word"),
    [
        ("overdue", {}, "Overdue"), ("missed", {}, "Overdue"), ("waiting", {}, "Waiting"), ("stayed", {}, "Stayed"),
        ("excused", {}, "Excused"), ("met", {}, "Met"), ("met_late", {}, "Met late"), ("superseded", {}, "Replaced"),
        ("void", {}, "Withdrawn"), ("closed", {"ended": "not needed"}, "Not needed"), ("closed", {"ended": "abandoned"}, "Ended"),
        ("due", {"is_at_once": True}, "Due soon"), ("due", {}, "Waiting"),
        ("due", {"due": date(2024, 3, 8)}, "Due soon"), ("due", {"due": date(2024, 3, 9)}, "Waiting"),  # seven days, and eight
        ("due", {"due": datetime(2024, 3, 8, 15, tzinfo=UTC)}, "Due soon"), ("due", {"due": datetime(2024, 3, 8, 15, 1, tzinfo=UTC)}, "Waiting"),
        ("cannot_tell", {"asks": (Want("fact", "house.use"),)}, "Cannot tell"),
        ("cannot_tell", {"asks": (Want("fact", "house.use"), Want("doubt", "D-1"))}, "Needs decision"),
        ("cannot_tell", {"asks": (Want("gap", "house.use"),)}, "Needs decision"),
    ],
)  # fmt: skip
def test_each_state_has_its_word(state, more, word):
    assert word_of(NOW, Obligation("k", "r", "h", state, None, **more)) == word
