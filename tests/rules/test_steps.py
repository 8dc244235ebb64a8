"""What Why shows: the steps of what governs, and of no other. Expected steps are what the book of each test says, by hand."""

from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from sewershed.rules.doors import provider
from sewershed.rules.library import Program, load
from sewershed.rules.record import RecordsInMemory, Row
from sewershed.rules.world import Explanation, World

VOCABULARY = Path(__file__).parents[1] / "cases/engine/vocabulary/vocabulary.toml"
BOOK = 'id = "b"\nname = "Testing"\nedition = "1"\ntime_zone = "America/New_York"\n[roles]\nowner = "owner"\n'
DUTY = '[[duty]]\nid = "d"\ncites = ["1"]\nmeans = "d"\nwho = "owner"\non = "house"\nopens = { event = "notice" }\n'
MET_BY = 'met_by = { event = "repair" }\n'


@provider(asks={"at_least": {"type": "number"}}, result={"type": "bool"})
def busy(asks, view, thing, moment):
    """Tells whether a house had enough notices."""
    count = len(view.events(thing, ("notice",)))
    return count >= asks["at_least"], (f"{count} notices in all",)


def world_of(tmp_path: Path, rules: str, rows: list[Row]) -> World:
    (tmp_path / "rulebook.toml").write_text(BOOK)
    (tmp_path / "rules.toml").write_text(rules)
    library = load([Program(VOCABULARY, (), (busy,))], [tmp_path])
    return World(library, "b", RecordsInMemory({"h": "house"}, rows), datetime(2024, 3, 2, 12, tzinfo=UTC))


def why(tmp_path: Path, rules: str, rows: list[Row]) -> Explanation:
    """Returns why the only obligation of a duty is what it is."""
    world = world_of(tmp_path, rules, rows)
    (obligation,) = [one for one in world.obligations() if one.rule == "d"]
    explained = world.why(obligation.key)
    assert explained is not None
    return explained


def steps(tmp_path: Path, rules: str, rows: list[Row]) -> list[str]:
    """Returns the steps of the only obligation of a duty."""
    return why(tmp_path, rules, rows).steps


NOTICE = Row("n", "event", "notice", "h", date(2024, 3, 1))


def test_a_calculation_shows_its_own_steps(tmp_path):
    rules = (
        f'{DUTY}due = [ {{ if = "house.busy", within = "5 days" }}, {{ within = "9 days" }} ]\n{MET_BY}'
        f'[[calc]]\nid = "c"\ncites = ["2"]\nmeans = "c"\nfunction = "busy"\nasks = {{ at_least = 1 }}\nas = "house.busy"\ntype = "bool"\n'
    )
    shown = steps(tmp_path, rules, [NOTICE])
    assert "1 notices in all" in shown
    assert "5 days of 2024-03-01: due 2024-03-06" in " ".join(shown)


@pytest.mark.parametrize(
    ("settled", "governs", "other"),
    [("", "due 2024-03-06", "due 2024-03-10"), ('applied = "slow"\n', "due 2024-03-10", "due 2024-03-06")],
)
def test_the_steps_of_the_reading_that_governs(tmp_path, settled, governs, other):
    """1 March and 5 days are 6 March, and 9 days are 10 March."""
    rules = (
        f'{DUTY}due = {{ within = "5 days" }}\n{MET_BY}reading_of = "D-1"\n'
        'readings = [ { name = "quick" }, { name = "slow", due = { within = "9 days" } } ]\n'
        f'[[doubt]]\nid = "D-1"\nabout = ["d"]\nchoices = ["quick", "slow"]\nsettle_by = "owner"\nmeans = "how long"\n{settled}'
    )
    shown = " ".join(steps(tmp_path, rules, [NOTICE]))
    assert governs in shown
    assert other not in shown


def test_a_duty_that_ended_shows_what_ended_it(tmp_path):
    closes = f'{DUTY}due = {{ within = "5 days" }}\n{MET_BY}closes = {{ event = "abandoned" }}\n'
    rows = [NOTICE, Row("x", "event", "abandoned", "h", date(2024, 3, 2))]
    assert "abandoned of 2024-03-02: it ends" in steps(tmp_path, closes, rows)


def test_what_a_person_decided_is_a_step(tmp_path):
    rules = (
        f'{DUTY}due = [ {{ if = "house.tall", within = "5 days" }}, {{ within = "9 days" }} ]\n{MET_BY}'
        '[[value]]\nid = "v"\ncites = ["3"]\nmeans = "v"\nas = "house.tall"\ntype = "bool"\nsilent = true\njudged_by = "owner"\n'
    )
    decided = {"fact": "tall", "value": True, "because": "as seen"}
    shown = steps(
        tmp_path, rules, [NOTICE, Row("x", "event", "decided", "h", date(2024, 3, 1), decided, office="owner")]
    )
    assert "  house.tall: decided by owner: true" in shown


def test_a_condition_may_be_written_as_true_or_false(tmp_path):
    due = 'due = [ { if = false, within = "3 days" }, { if = true, within = "5 days" }, { within = "9 days" } ]\n'
    assert "due 2024-03-06" in " ".join(steps(tmp_path, f"{DUTY}{due}{MET_BY}", [NOTICE]))


@pytest.mark.parametrize(
    ("since", "said"), [("", "Testing 1"), ('from = "2024-02-01"\n', "Testing 1 in force from 2024-02-01")]
)
def test_a_verdict_names_its_edition(tmp_path, since, said):
    assert why(tmp_path, f'{DUTY}due = {{ within = "5 days" }}\n{MET_BY}{since}', [NOTICE]).edition == said


def test_what_would_be_judged_shows_its_steps_too(tmp_path):
    rules = '[[act]]\nid = "a"\ncites = ["1"]\nmeans = "a"\nacts = ["repair"]\nif = "house.width_ft > 5"\n'
    world = world_of(tmp_path, rules, [Row("f", "facts", "", "h", date(2024, 1, 1), {"width_ft": 7})])
    (found,) = world.may("repair", "h", date(2024, 3, 2), "owner")
    assert (found.outcome, found.steps) == ("MET", ("house.width_ft: 7 > 5",))


REPAIRS = [Row(f"r{day}", "event", "repair", "h", date(2024, 1, day)) for day in (10, 20, 30)]
FIRST = Row("n", "event", "notice", "h", date(2024, 1, 1))


def test_an_interval_shows_its_own_steps_and_of_no_other(tmp_path):
    """From 10 January 30 days are 9 February; those of the neighbours end on 31 January and 19 February."""
    rules = (
        f'{DUTY}due = [ {{ if = "house.width_ft > 5", every = "5 days", from = "last_met" }}, {{ every = "30 days", from = "last_met" }} ]\n'
        f'{MET_BY}reading_of = "D-1"\nreadings = [ {{ name = "days" }}, {{ name = "weeks", due = {{ each = "week" }} }} ]\n'
        '[[doubt]]\nid = "D-1"\nabout = ["d"]\nchoices = ["days", "weeks"]\nsettle_by = "owner"\nmeans = "what is counted"\napplied = "days"\n'
    )
    rows = [FIRST, Row("f", "facts", "", "h", date(2024, 1, 1), {"width_ft": 5}), *REPAIRS]
    world = world_of(tmp_path, rules, rows)
    key = next(one.key for one in world.obligations() if one.start == date(2024, 1, 10))
    explained = world.why(key)
    assert explained is not None
    assert [step for step in explained.steps if "due" in step] == ["every 30 days of 2024-01-10: due 2024-02-09"]
    assert [step for step in explained.steps if "width" in step] == ["house.width_ft: 5 > 5"]
    assert world.why(key.replace("r10", "r99")) is None


def test_what_might_excuse_an_interval_is_named(tmp_path):
    rules = (
        f'{DUTY}due = {{ every = "30 days", from = "last_met" }}\n{MET_BY}'
        'excused_by = { event = "waiver", when = "house.width_ft > 5" }\n'
    )
    rows = [FIRST, *REPAIRS, Row("w", "event", "waiver", "h", date(2024, 2, 1))]
    *_, last = world_of(tmp_path, rules, rows).obligations()
    assert [note for note in last.notes if note.startswith("waiver w would count if this were known: ")]
