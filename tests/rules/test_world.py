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


def duty(name: str, due: str, more: str = "") -> str:
    return (
        f'[[duty]]\nid = "{name}"\ncites = ["1"]\nmeans = "d"\nwho = "owner"\non = "house"\nopens = {{ event = "notice" }}\n'
        f'due = {due}\nmet_by = {{ event = "repair" }}\n{more}'
    )


DUTIES = duty("d", '{ within = "5 days" }') + duty("e", '{ within = "9 days" }')
STANDARDS = (
    '[[standard]]\nid = "s"\ncites = ["2"]\nmeans = "Wide"\non = "house"\ntest = "house.width_ft > 5"\n'
    '[[standard]]\nid = "shown"\ncites = ["3"]\nmeans = "It has a kitchen"\non = "house"\ntest = "house.kitchen"\ndefends = ["s"]\n'
)
NOTICE = Row("n", "event", "notice", "h", date(2024, 3, 1))


def world(tmp_path: Path, rules: str, *rows: Row, as_of: datetime = datetime(2024, 3, 2, 12, tzinfo=UTC)) -> World:
    (tmp_path / "rulebook.toml").write_text(BOOK)
    (tmp_path / "rules.toml").write_text(rules)
    library = load([Program(VOCABULARY, (), ())], [tmp_path])
    return World(library, "b", RecordsInMemory({"t": "town", "h": "house"}, rows, town="t"), as_of)


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


CLOSED_FOR_GOOD = Row("c", "event", "offices_closed", "t", date(2024, 3, 4), {"until": date(9999, 12, 31)})


def test_offices_closed_until_a_mistyped_year_leave_no_last_day_and_take_no_time(tmp_path):
    """Of a notice on Friday 1 March 2024, when the offices close on the 4th "until 9999": business days never pass again."""
    rules = (
        duty("business", '{ within = "5 business days" }')
        + duty("plain", '{ within = "9 days" }', 'breach = { penalty = ["p"], grace = "6 business days" }\n')
        + duty("monthly", '{ each = "month", within = "5 business days" }')
        + duty("rolled", '{ each = "month", within = "5 days", roll = "next" }')
        + duty("chain", '{ every = "5 business days", from = "last_met" }')
        + '[[act]]\nid = "a"\ncites = ["2"]\nmeans = "a"\nacts = ["connected"]\n'
        'needs = [ { event = "ready_noticed", lead = "3 business days" } ]\n'
        '[[penalty]]\nid = "p"\ncites = ["3"]\nmeans = "p"\nfor = ["plain"]\nper = "day"\namount = 50\n'
    )
    acted = [
        Row("w", "event", "ready_noticed", "h", date(2024, 3, 1)),
        Row("x", "event", "connected", "h", date(2024, 4, 1)),
    ]
    asked = world(tmp_path, rules, NOTICE, *acted, CLOSED_FOR_GOOD, as_of=datetime(2024, 4, 20, 12, tzinfo=UTC))
    said = {}
    for one in asked.obligations("h"):
        said.setdefault(one.rule, (one.state, one.due, one.breach_days))
    assert said == {
        "business": ("cannot_tell", None, 0),
        "plain": ("overdue", date(2024, 3, 10), 0),  # in grace for good
        "monthly": ("cannot_tell", None, 0),  # of March
        "rolled": ("overdue", date(2024, 4, 5), 15),  # no business day comes to which it might roll; 6 to 20 April
        "chain": ("cannot_tell", None, 0),
    }
    assert [(one.rule, one.outcome) for one in asked.findings("h")] == [("a", "NOT_MET")]
    assert asked.exposure() == []


def test_the_first_day_in_breach_is_that_after_the_grace(tmp_path):
    """Two days of Wednesday 28 February 2024 are Friday 1 March; one business day of grace is Monday the 4th; then the 5th."""
    rules = (
        duty("d", '{ within = "2 days" }', 'breach = { penalty = ["p"], grace = "1 business day" }\n')
        + '[[penalty]]\nid = "p"\ncites = ["3"]\nmeans = "p"\nfor = ["d"]\nper = "day"\namount = 50\n'
    )
    notice = Row("n", "event", "notice", "h", date(2024, 2, 28))
    asked = world(tmp_path, rules, notice, as_of=datetime(2024, 3, 7, 12, tzinfo=UTC))
    (exposed,) = asked.exposure()
    assert (exposed.first_on, exposed.days) == (date(2024, 3, 5), asked.obligations("h")[0].breach_days)
    assert world(tmp_path, rules, notice, as_of=datetime(2024, 3, 4, 12, tzinfo=UTC)).exposure() == []
