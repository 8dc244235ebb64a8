"""Bounds that a field of the vocabulary sets on its values, on both sides of each edge; what a vocabulary may not say of them.

Expected values are the bounds themselves, as the vocabulary of these tests writes them.
"""

from __future__ import annotations

from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

import sewershed
from sewershed.programs import programs
from sewershed.rules.entering import Entering
from sewershed.rules.library import load
from sewershed.rules.problems import RulebookError
from sewershed.rules.types import Thing, Type
from sewershed.rules.vocabulary import read_vocabulary

NEW_YORK = ZoneInfo("America/New_York")
NOW = datetime(2024, 3, 8, 20, 42, tzinfo=UTC)  # 3:42 pm in New York
VOCABULARY = """
[things.house]
means = "A house"
[events.measured]
on = "house"
[events.seen]
on = "house"
data.depth_ft = { type = "number", unit = "ft", min = 0, max = 14 }
data.fee = { type = "money", min = 0 }
data.began_at = { type = "moment", not_future = true, not_after = "ended_at" }
data.ended_at = { type = "moment" }
data.low_gal = { type = "number", unit = "gallon", not_after = "high_gal" }
data.high_gal = { type = "number", unit = "gallon" }
data.of = { type = "text", one_of = { event = "measured" } }
data.way = { type = "text", required = true }
data.sort = { type = "choice", of = ["a", "b"], required = true }
"""


def vocabulary(tmp_path: Path, text: str = VOCABULARY) -> Any:
    path = tmp_path / "town" / "vocabulary.toml"
    path.parent.mkdir()
    path.write_text(text, "utf-8")
    return read_vocabulary([path])


@pytest.mark.parametrize(
    ("said", "problem"),
    [
        ({"depth_ft": "0"}, ""),
        ({"depth_ft": "14.0"}, ""),
        ({"depth_ft": "-0.01"}, "seen.depth_ft is '-0.01': write 0 or more"),
        ({"depth_ft": "14.01"}, "seen.depth_ft is '14.01': write 14 or less"),
        ({"fee": "-1"}, "seen.fee is '-1': write 0 or more"),
        ({"fee": "1" + "0" * 15}, f"seen.fee is '1{'0' * 15}': that is more money than there is"),
        ({"fee": "9" * 40}, f"seen.fee is '{'9' * 40}': that is more money than there is"),
        ({"fee": "9" * 15 + ".99"}, ""),
        ({"began_at": "2024-03-08T15:42"}, ""),
        ({"began_at": "2024-03-08T15:43"}, "seen.began_at: 2024-03-08T15:43-05:00 has not come yet; enter it when it has happened"),
        ({"began_at": "2024-03-08"}, ""),
        ({"began_at": "2024-03-09"}, "seen.began_at: 2024-03-09 has not come yet; enter it when it has happened"),
        ({"ended_at": "2024-03-09"}, ""),
        ({"began_at": "2024-03-08T10:00", "ended_at": "2024-03-08T10:00"}, ""),
        ({"began_at": "2024-03-08T10:00", "ended_at": "2024-03-08"}, ""),
        ({"began_at": "2024-03-08T10:01", "ended_at": "2024-03-08T10:00"}, "seen.began_at is 2024-03-08T10:01-05:00, after ended_at, 2024-03-08T10:00-05:00"),
        ({"low_gal": "5", "high_gal": "5.0"}, ""),
        ({"low_gal": "5.1", "high_gal": "5"}, "seen.low_gal is 5.1, more than high_gal, 5"),
        ({"low_gal": "7"}, ""),
    ],
)  # fmt: skip
def test_bounds(said: dict[str, Any], problem: str, tmp_path: Path) -> None:
    known = vocabulary(tmp_path)
    entering = Entering(known, NEW_YORK, NOW)
    entering.data("seen", known.events["seen"].data, said)
    assert entering.problems == [problem] * bool(problem)


def test_a_value_that_cannot_be_taken_is_not_said_to_be_wanting_too(tmp_path: Path) -> None:
    whole = vocabulary(tmp_path)
    known, entering = whole.events["seen"].data, Entering(whole, NEW_YORK)
    said = {"sort": "c", "way": " "}
    entering.data("seen", known, said)
    entering.required("seen", known, said)
    assert entering.problems == [
        "seen.sort is 'c': write one of a, b",
        "seen.way is needed: it was left out",
    ]


@pytest.mark.parametrize(
    ("precision", "said", "problem"),
    [
        ("day", "2024-03-08", ""),
        ("day", "2024-03-08T10:00", "the row takes only a day, such as 2024-03-08"),
        ("instant", "2024-03-08", "the row needs the time of day"),
        ("instant", "2024-03-08T10:00", ""),
        ("either", "2024-03-08", ""),
        ("either", "2024-03-08T10:00", ""),
    ],
)
def test_a_day_or_an_instant_as_the_event_wants_it(precision: str, said: str, problem: str, tmp_path: Path) -> None:
    entering = Entering(vocabulary(tmp_path), NEW_YORK, NOW)
    entering.when(said, "the row", precision=precision)
    assert entering.problems == [problem] * bool(problem)


@pytest.mark.parametrize("is_plan", [False, True])
def test_a_plan_alone_may_lie_ahead(is_plan: bool, tmp_path: Path) -> None:
    """It is 8 March: the day has begun, the ninth has not come."""
    entering = Entering(vocabulary(tmp_path), NEW_YORK, NOW)
    assert entering.when("2024-03-08", "the row", is_plan=is_plan) == date(2024, 3, 8)
    assert entering.problems == []
    assert entering.when("2024-03-09", "the row", is_plan=is_plan) == date(2024, 3, 9)
    late = "the row: 2024-03-09 has not come yet; enter it when it has happened"
    assert entering.problems == ([] if is_plan else [late])


@pytest.mark.parametrize(
    ("letters", "shown"),
    [(58, "'" + "x" * 58 + "'"), (59, "'" + "x" * 56 + "…")],  # 60 are shown with their quotes; of more, 57 and a sign
)
def test_a_message_repeats_a_value_of_sixty_letters_whole(letters: int, shown: str, tmp_path: Path) -> None:
    entering = Entering(vocabulary(tmp_path), NEW_YORK, NOW)
    entering.value("seen.sort", Type("choice", words=("a", "b")), "x" * letters)
    assert entering.problems == [f"seen.sort is {shown}: write one of a, b"]


POINT = [-78.1, 35.9]
LINE = [POINT, [-78.2, 36]]
NUMBERS = (Decimal("-78.1"), Decimal("35.9"))


@pytest.mark.parametrize(
    ("type", "coordinates", "depth"),
    [
        ("Point", POINT, 0),
        ("LineString", LINE, 1),
        ("Polygon", [LINE], 2),
        ("MultiLineString", [LINE], 2),
        ("MultiPolygon", [[LINE]], 3),
    ],
)
def test_a_shape_lies_as_deep_as_its_type_says(type: str, coordinates: Any, depth: int, tmp_path: Path) -> None:
    """The nesting is that of RFC 7946, 3.1."""
    entering = Entering(vocabulary(tmp_path), NEW_YORK, NOW)
    read: Any = entering.value("house.outline", Type("geometry"), {"type": type, "coordinates": coordinates})
    found = read["coordinates"]
    for _ in range(depth):
        found = found[0]
    assert (read["type"], found) == (type, NUMBERS)


@pytest.mark.parametrize(
    ("field", "problem"),
    [
        ('{ type = "text", min = 0 }', "seen.x: min is for number, money, not for a text"),
        ('{ type = "number", min = "0" }', "seen.x: min must be a number"),
        ('{ type = "number", not_future = true }', "seen.x: not_future is for date, instant, moment, not for a number"),
        ('{ type = "date", not_after = "edn" }', "seen.x: no field 'edn'; did you mean 'end'?"),
        ('{ type = "number", one_of = { roles = true } }', "seen.x: one_of is for text, not for a number"),
        (
            '{ type = "text", one_of = { rolls = true } }',
            "seen.x: one_of is written { event = … }, { form = …, table = …, by = … }, { roles = true } or { books = true }",
        ),
        ('{ type = "text", one_of = { event = "sene" } }', "seen.x: no event of a house 'sene'; did you mean 'seen'?"),
        ('{ type = "text", one_of = { form = "f", table = "t", by = "edn" } }', "seen.x: no field 'edn'; did you mean 'end'?"),
    ],
)  # fmt: skip
def test_what_a_vocabulary_may_not_say(field: str, problem: str, tmp_path: Path) -> None:
    text = f'[things.house]\nmeans = "A house"\n[events.seen]\non = "house"\ndata.end = {{ type = "date" }}\ndata.x = {field}\n'
    with pytest.raises(RulebookError) as raised:
        vocabulary(tmp_path, text)
    assert [one.text for one in raised.value.problems] == [problem]


def test_words_that_conditions_of_a_line_hold_a_fact_against() -> None:
    """The state has 100 counties; every one stands in its table of regional offices, in the line of each of its towns."""
    shelf = Path(sewershed.__file__).parent / "rulebooks"
    library = load(programs(), [path.parent for path in sorted(shelf.rglob("rulebook.toml"))])
    counties = library.law("us.nc.spring_hope").words_beside("town", "county")
    assert len(counties) == len(set(counties)) == 100
    assert {"Nash", "New Hanover"} <= set(counties)
    assert library.law("us.nh.hampton").words_beside("town", "county") == ()


def test_what_a_row_points_to_and_its_files_are_noted_with_where_they_stand(tmp_path: Path) -> None:
    entering, photo = Entering(vocabulary(tmp_path), NEW_YORK, NOW), "0" * 63 + "f"
    many = Type("list", item=Type("ref", to="house"))
    assert entering.value("seen.at", many, ["h1", Thing("h2", "house")]) == (Thing("h1", "house"), Thing("h2", "house"))
    assert entering.value("seen.photo", Type("file"), photo) == photo
    assert entering.value("seen.photo", Type("file"), photo[1:]) is None
    assert entering.refs == [("seen.at[0]", Thing("h1", "house")), ("seen.at[1]", Thing("h2", "house"))]
    assert entering.files == [("seen.photo", photo)]


@pytest.mark.parametrize(
    ("position", "is_on_earth"),
    [([180, 90], True), ([-180, -90], True), (["180.0001", 0], False), ([0, "90.0001"], False), (["-180.0001", 0], False), ([0, "-90.0001"], False)],
)  # fmt: skip
def test_the_earth_ends_at_180_and_90_degrees(position: list[Any], is_on_earth: bool, tmp_path: Path) -> None:
    entering = Entering(vocabulary(tmp_path), NEW_YORK, NOW)
    read = entering.value("house.at", Type("geometry"), {"type": "Point", "coordinates": position})
    assert (read is not None) is is_on_earth
    assert (entering.problems == []) is is_on_earth
