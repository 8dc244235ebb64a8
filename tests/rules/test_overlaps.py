"""Which entries overlap, each beside the smallest change after which they do not. What overlaps is said in `overlaps`; logic alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from sewershed.programs import programs
from sewershed.rules.library import load
from sewershed.rules.overlaps import overlaps

IDENTITY = (
    'id = "{id}"\nname = "Testing"\nedition = "1"\n{more}[roles]\nowner = "owner"\ncrew = "crew"\nstate = "state"\n'
)
PARENT, TOWN = "", 'parent = "b"\ntime_zone = "America/New_York"\n'


def found(tmp_path: Path, entries: str, above: str = "") -> list[tuple[str, str, str]]:
    """Returns the overlaps of a small town's book below that of a state."""
    folders = []
    for name, more, text in (("b", PARENT, above), ("b.t", TOWN, entries)):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "rulebook.toml").write_text(IDENTITY.format(id=name, more=more))
        (folder / "rules.toml").write_text(text)
        folders.append(folder)
    library = load(programs(), folders)
    return [(one.entry, one.other, one.how) for book in library.books.values() for one in overlaps(book, library)]


def duty(name: str, more: str = "", **keys: str) -> str:
    said = {
        "on": '"spill"',
        "opens": '{ event = "call" }',
        "due": '{ within = "2 hours" }',
        "met_by": '{ event = "crew_arrived" }',
        "closes": '{ event = "found_to_be_none" }',
    } | keys
    lines = "".join(f"{key} = {value}\n" for key, value in said.items())
    return f'[[duty]]\nid = "{name}"\ncites = ["1"]\nmeans = "Go"\nwho = "crew"\n{lines}{more}'


def act(name: str, more: str) -> str:
    return f'[[act]]\nid = "{name}"\ncites = ["1"]\nmeans = "Only so"\nacts = ["state_told"]\n{more}\n'


def test_one_duty_written_twice(tmp_path):
    (only,) = found(tmp_path, duty("b.t.one") + duty("b.t.two", due='{ within = "3 hours" }'))
    assert only == ("b.t.one", "b.t.two", "both are opened by call and met by crew_arrived")


def test_the_towns_is_named_first_and_two_of_the_parent_are_the_parents(tmp_path):
    assert found(tmp_path, duty("b.t.one"), duty("b.one") + duty("b.two")) == [
        ("b.one", "b.two", "both are opened by call and met by crew_arrived"),
        ("b.t.one", "b.one", "both are opened by call and met by crew_arrived"),
        ("b.t.one", "b.two", "both are opened by call and met by crew_arrived"),
    ]


@pytest.mark.parametrize("how", ["adds", "replaces", "most_stringent"])
def test_what_says_how_it_combines_is_no_overlap(tmp_path, how):
    entries = duty("b.t.one", f'combine = {{ with = "b.one", how = "{how}" }}\n')
    assert found(tmp_path, entries, duty("b.one")) == []


BACKUP = """{ event = "call", when = "event.what == 'backup_indoors'" }"""
MINE = duty("b.t.one", 'from = "2020-01-01"\n', opens=BACKUP)


@pytest.mark.parametrize(
    "other",
    [
        duty("b.t.two", opens='{ event = "spill_confirmed" }'),
        duty("b.t.two", met_by='{ event = "spill_stopped" }'),
        duty("b.t.two", due='{ every = "2 days", from = "last_met" }'),
        duty("b.t.two", 'until = "2020-01-01"\n'),
        duty("b.t.two", opens=BACKUP.replace("==", "!=")),
    ],
    ids=["opened by another", "met by another", "again and again", "never on one day", "never both"],
)
def test_what_differs_in_one_point_is_no_overlap(tmp_path, other):
    assert found(tmp_path, MINE + other) == []


@pytest.mark.parametrize(
    "other",
    [
        duty("b.t.two", 'until = "2020-01-02"\n'),
        duty("b.t.two", opens=BACKUP.replace("backup_indoors", "smell").replace("==", "!=")),
        duty("b.t.two", met_by='{ event = ["spill_stopped", "crew_arrived"] }'),
        duty("b.t.two").replace('who = "crew"', 'who = "owner"'),
        duty("b.t.two", due="{ at_once = true }"),
    ],
    ids=["a day in common", "perhaps both", "one way to meet both", "another's", "another time"],
)
def test_what_differs_and_is_the_same_duty_overlaps(tmp_path, other):
    assert [one[:2] for one in found(tmp_path, MINE + other)] == [("b.t.one", "b.t.two")]


def test_toward_two_offices_are_two_duties(tmp_path):
    told = {"opens": '{ event = "spill_confirmed" }', "met_by": '{ event = "state_told" }'}
    to_owner = duty("b.t.two", 'to = "owner"\n', **told)
    assert found(tmp_path, duty("b.t.one", 'to = "state"\n', **told) + to_owner) == []


@pytest.mark.parametrize(("word", "is_twice"), [("belts", False), ("floats", True)])
def test_once_for_each_word(tmp_path, word, is_twice):
    station = {"on": '"station"', "closes": '{ event = "station_restored" }'}
    opens = '{ event = "station_failed", each = ["blockages", "floats"] }'
    each = duty(
        "b.t.each", **station, opens=opens, met_by='{ event = "failure_step_done", when = "event.step == item" }'
    )
    met = f"""{{ event = "failure_step_done", when = "event.step == '{word}'" }}"""
    other = duty("b.t.other", **station, opens='{ event = "station_failed" }', met_by=met)
    assert bool(found(tmp_path, each + other)) is is_twice


@pytest.mark.parametrize(("standing", "is_twice"), [("!station.has_telemetry", False), ("true", True)])
def test_standing_duties(tmp_path, standing, is_twice):
    every_year = {
        "on": '"station"',
        "closes": '{ event = "station_closed" }',
        "due": '{ each = "calendar_year" }',
        "met_by": '{ event = "station_visited" }',
    }
    opens = '{{ while = "{}", from = "station.in_service_since" }}'
    first = duty("b.t.one", **every_year, opens=opens.format("station.has_telemetry"))
    overlapping = found(tmp_path, first + duty("b.t.two", **every_year, opens=opens.format(standing)))
    how = "both are opened for as long as both stand and met by station_visited"
    assert overlapping == ([("b.t.one", "b.t.two", how)] if is_twice else [])


@pytest.mark.parametrize(("a", "b", "is_twice"), [("spill_stopped", "crew_arrived", False), ("crew_arrived", "area_clean", True)])  # fmt: skip
def test_readings_of_one_doubt_are_held_against_the_same(tmp_path, a, b, is_twice):
    doubt = '[[doubt]]\nid = "D-1"\nabout = ["b.t.one", "b.t.two"]\ncites = ["1"]\nmeans = "x"\nchoices = ["a", "b"]\nsettle_by = "owner"\n'

    def read(name: str, in_a: str, in_b: str) -> str:
        met = f'{{ name = "a", met_by = {{ event = "{in_a}" }} }}, {{ name = "b", met_by = {{ event = "{in_b}" }} }}'
        return duty(name, f'reading_of = "D-1"\nreadings = [{met}]\n').replace(
            'met_by = { event = "crew_arrived" }\n', "", 1
        )

    first = read("b.t.one", "crew_arrived", "spill_stopped")
    assert bool(found(tmp_path, doubt + first + read("b.t.two", a, b))) is is_twice


# ------------------------------------------------------------------------------------------------ what is given

LIFE = """[[status]]
id = "b.t.life"
cites = ["1"]
means = "x"
as = "station.state"
states = ["up", "down"]
start = "up"
steps = [{ event = "station_failed", to = "down", set = { down_on = "event.day" } }]
"""


@pytest.mark.parametrize(("fact", "is_twice"), [("down_on", True), ("last_down_on", False)])
def test_a_day_that_a_life_sets_and_a_value_gives_too(tmp_path, fact, is_twice):
    value = f'[[value]]\nid = "b.t.down"\ncites = ["1"]\nmeans = "x"\nas = "station.{fact}"\ntype = "date"\n'
    overlapping = found(tmp_path, LIFE + value + """is = "day('2024-01-01')"\n""")
    assert [(one[0], one[2]) for one in overlapping] == (
        [("b.t.life", "both give station.down_on")] if is_twice else []
    )


# ------------------------------------------------------------------------------------------------ acts

BY_CREW, BY_OWNER, NEVER = 'by = ["crew"]', 'by = ["owner"]', 'if = "false"'
SAID, UNSAID, VOID = 'if = "known(event.said)"', 'if = "!known(event.said)"', '\nelse = "void"'
OWN_DAY, A_DAY = 'dated = "event.day"', """dated = "day('2024-01-01')\""""
VOICE, NO_VOICE = "\nwhen = \"event.way == 'voice_mail'\"", "\nwhen = \"event.way != 'voice_mail'\""


@pytest.mark.parametrize(
    ("one", "other", "how"),
    [
        (BY_CREW, BY_OWNER, "state_told is left to crew by the one, to owner by the other"),
        (SAID, UNSAID, "no state_told satisfies both"),
        (NEVER, BY_CREW, "no state_told satisfies both"),
        (SAID + VOID, SAID, "what is wanting makes state_told void by the one, and only a violation by the other"),
        (OWN_DAY, A_DAY, "each gives state_told another day"),
    ],
)
def test_acts_that_contradict(tmp_path, one, other, how):
    assert [said for _, _, said in found(tmp_path, act("b.t.one", one) + act("b.t.two", other))] == [how]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (BY_CREW, 'by = ["owner", "crew"]'),
        (SAID, 'if = "known(event.office)"'),
        (NEVER + VOICE, BY_CREW + NO_VOICE),
        (SAID + VOID, SAID + VOID),
        (SAID + VOID, 'if = "known(event.office)"'),
        (OWN_DAY, OWN_DAY),
        (OWN_DAY, NEVER),
    ],
)
def test_acts_that_stand_beside_each_other(tmp_path, one, other):
    assert found(tmp_path, act("b.t.one", one) + act("b.t.two", other)) == []


def test_an_act_and_its_parents_combined(tmp_path):
    town = act("b.t.one", BY_CREW + '\ncombine = { with = "b.one", how = "adds" }')
    assert found(tmp_path, town, act("b.one", BY_OWNER)) == []
