"""What a world is asked for by its own name: some rules alone, the note of a defense, a fact that nobody recorded. By hand."""

from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import Path

from sewershed.rules.library import Program, load
from sewershed.rules.record import RecordsInMemory, Row
from sewershed.rules.unknown import Unknown
from sewershed.rules.world import World

VOCABULARY = Path(__file__).parents[1] / "cases" / "engine" / "vocabulary" / "vocabulary.toml"
BOOK = 'id = "b"\nname = "Testing"\nedition = "1"\ntime_zone = "America/New_York"\n[roles]\nowner = "owner"\n'
DUTIES = "".join(
    f'[[duty]]\nid = "{name}"\ncites = ["1"]\nmeans = "d"\nwho = "owner"\non = "house"\nopens = {{ event = "notice" }}\n'
    f'due = {{ within = "{days} days" }}\nmet_by = {{ event = "repair" }}\n'
    for name, days in (("d", 5), ("e", 9))
)
STANDARDS = (
    '[[standard]]\nid = "s"\ncites = ["2"]\nmeans = "Wide"\non = "house"\ntest = "house.width_ft > 5"\n'
    '[[standard]]\nid = "shown"\ncites = ["3"]\nmeans = "It has a kitchen"\non = "house"\ntest = "house.kitchen"\ndefends = ["s"]\n'
)
NOTICE = Row("n", "event", "notice", "h", date(2024, 3, 1))


def world(tmp_path: Path, rules: str, *rows: Row) -> World:
    (tmp_path / "rulebook.toml").write_text(BOOK)
    (tmp_path / "rules.toml").write_text(rules)
    library = load([Program(VOCABULARY, (), ())], [tmp_path])
    return World(library, "b", RecordsInMemory({"h": "house"}, rows), datetime(2024, 3, 2, 12, tzinfo=UTC))


def test_some_rules_alone(tmp_path):
    asked = world(tmp_path, DUTIES, NOTICE)
    assert [one.rule for one in asked.obligations("h")] == ["d", "e"]
    assert [one.rule for one in asked.obligations("h", rules={"e"})] == ["e"]
    assert asked.obligations("h", rules=set()) == []


def test_a_defense_that_is_shown_is_noted_on_what_was_not_met_alone(tmp_path):
    """5 ft are not more than 5: not met, and defended. 6 ft are: there is nothing to defend."""
    noted = {}
    for width in (5, 6):
        folder = tmp_path / str(width)
        folder.mkdir()
        facts = Row("f", "facts", "", "h", date(2024, 1, 1), {"width_ft": width, "kitchen": True})
        noted[width] = {one.rule: (one.outcome, one.notes) for one in world(folder, STANDARDS, facts).findings("h")}
    assert noted[5] == {"s": ("NOT_MET", ("shown: a defense is shown",)), "shown": ("MET", ())}
    assert noted[6] == {"s": ("MET", ()), "shown": ("MET", ())}


def test_what_nobody_recorded_is_asked_for(tmp_path):
    found = world(tmp_path, DUTIES, NOTICE).answer("house.width_ft", "h")
    assert isinstance(found, Unknown)
    assert [(one.kind, one.what, one.thing) for one in found.wants] == [("fact", "house.width_ft", "h")]


def test_there_is_no_why_of_what_is_not_there(tmp_path):
    asked = world(tmp_path, DUTIES, NOTICE)
    assert asked.why("d|h|n") is not None
    assert asked.why("x|h|n") is None
    assert asked.why("d|g|n") is None


def test_offices_closed_until_a_mistyped_year_leave_no_last_day_and_take_no_time(tmp_path):
    """Five business days of a notice on Friday 1 March 2024, when the offices close on the 4th "until 9999"."""
    rules = DUTIES.replace('"5 days"', '"5 business days"')
    closed = Row("c", "event", "offices_closed", "t", date(2024, 3, 4), {"until": date(9999, 12, 31)})
    (tmp_path / "rulebook.toml").write_text(BOOK)
    (tmp_path / "rules.toml").write_text(rules)
    library = load([Program(VOCABULARY, (), ())], [tmp_path])
    records = RecordsInMemory({"t": "town", "h": "house"}, [NOTICE, closed], town="t")
    five, nine = World(library, "b", records, datetime(2024, 3, 5, 12, tzinfo=UTC)).obligations("h")
    assert (five.state, five.due) == ("cannot_tell", None)
    assert nine.due == date(2024, 3, 10)
