"""What a case gives becomes the record that the engine reads, or is refused with the row's id and the reason."""

from __future__ import annotations

from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from sewershed.rules.given import Given, GivenError
from sewershed.rules.types import Thing
from sewershed.rules.vocabulary import read_vocabulary

NEW_YORK = ZoneInfo("America/New_York")
VOCABULARY = read_vocabulary([Path(__file__).parents[1] / "cases" / "engine" / "vocabulary" / "vocabulary.toml"])
NOTICE = {"id": "n", "event": "notice", "subject": "h", "at": "2024-03-01"}


def given(facts: dict[str, Any], events: list[dict[str, Any]]) -> Given:
    """Returns what a case with these things and rows gives."""
    made = Given(VOCABULARY, NEW_YORK)
    made.take(facts, events)
    return made


def test_values_are_typed() -> None:
    facts = {
        "s": {"_type": "street"},
        "h": {
            "_type": "house",
            "street": "s",
            "width_ft": Decimal("20.50"),
            "opened_on": "2024-02-29",
            "kitchen": True,
        },
    }
    made = given(facts, [])
    (row,) = made.rows_of("h")
    assert row.kind == "facts"
    assert row.moment is None
    assert row.data == {
        "street": Thing("s", "street"),
        "width_ft": Decimal("20.50"),
        "opened_on": date(2024, 2, 29),
        "kitchen": True,
    }
    assert made.pointing_at("s", "house", "street") == ["h"]
    assert made.pointing_at("h", "house", "street") == []


def test_a_history_is_a_row_for_each_day() -> None:
    made = given(
        {"h": {"_type": "house", "use": [["2024-01-01", "shop"], ["2024-06-01", "home"]], "kitchen": True}}, []
    )
    assert [(row.moment, dict(row.data)) for row in made.rows_of("h")] == [
        (None, {"kitchen": True}),
        (date(2024, 1, 1), {"use": "shop"}),
        (date(2024, 6, 1), {"use": "home"}),
    ]


def test_a_moved_row_belongs_to_both_things() -> None:
    moved = {**NOTICE, "id": "n2", "subject": "h2", "replaces": "n", "recorded_at": "2024-03-02"}
    made = given({"h": {"_type": "house"}, "h2": {"_type": "house"}}, [NOTICE, moved])
    assert [row.id for row in made.rows_of("h") if row.kind == "event"] == ["n", "n2"]
    assert [row.id for row in made.rows_of("h2") if row.kind == "event"] == ["n", "n2"]
    assert made.rows["n2"].recorded_at == datetime(
        2024, 3, 3, 4, 59, 59, tzinfo=UTC
    )  # the last second of that day, EST


def test_nobody_knows() -> None:
    made = given({"h": {"_type": "house"}}, [{"id": "f", "facts": {}, "not_known": ["hazard"], "subject": "h"}])
    assert made.rows["f"].data == {"hazard": None}


def test_a_decision_is_typed_as_what_it_decides() -> None:
    decided = {"fact": "sound", "value": True, "because": "looked at it"}
    made = given(
        {"h": {"_type": "house"}},
        [{"id": "x", "event": "decided", "subject": "h", "at": "2024-03-01", "data": decided}],
    )
    assert made.rows["x"].data["value"] is True


def test_the_town_is_found() -> None:
    assert given({"h": {"_type": "house"}}, []).town() is None
    assert given({"h": {"_type": "house"}, "t": {"_type": "town"}}, []).town() == "t"


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({**NOTICE, "subjct": "h"}, "n: unknown key 'subjct'; did you mean 'subject'?"),
        ({**NOTICE, "id": ""}, ": a row needs an id"),
        ({**NOTICE, "id": "before"}, "before: id used twice"),
        ({**NOTICE, "subject": "g"}, "n: no thing 'g' in facts"),
        ({**NOTICE, "replaces": "bfore"}, "n: replaces: no row 'bfore' before it; did you mean 'before'?"),
        ({"id": "v", "voids": "none", "subject": "h"}, "v: voids: no row 'none' before it"),
        ({"id": "n", "subject": "h"}, "n: a row needs event, facts or voids"),
        ({"id": "n", "event": "notice", "subject": "h"}, "n: notice needs a day or a time"),
        ({"id": "f", "facts": {"street": "h"}, "subject": "h"}, "f: no street 'h' in facts"),
        ({"id": "f", "facts": {"use": "barn"}, "subject": "h"}, "f: house.use is 'barn': write one of home, shop"),
    ],
)
def test_a_row_that_is_refused(row: dict[str, Any], said: str) -> None:
    with pytest.raises(GivenError) as raised:
        given({"h": {"_type": "house"}}, [{**NOTICE, "id": "before"}, row])
    assert str(raised.value) == said


def test_a_thing_that_is_refused() -> None:
    with pytest.raises(GivenError) as raised:
        given({"h": {"_type": "huose"}}, [])
    assert str(raised.value) == "h: unknown thing 'huose'; did you mean 'house'?"
