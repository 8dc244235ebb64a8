"""Every worked case of the engine comes out as it says; and the runner notices every kind of case that does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from sewershed.programs import connections, pretreatment
from sewershed.rules.cases import Case, CaseError, read_cases, run_case, work_out
from sewershed.rules.library import Program

CASES = Path(__file__).parents[1] / "cases" / "engine"
PROGRAMS = [
    Program(Path(program.__path__[0]) / "vocabulary.toml", program.FUNCTIONS, program.PROVIDERS)
    for program in (connections, pretreatment)
]
ALL = read_cases(CASES)


@pytest.mark.parametrize("case", ALL, ids=str)
def test_case(case: Case) -> None:
    assert run_case(case, PROGRAMS) == []


def test_the_hundred_and_one_are_all_there() -> None:
    numbers = {int(case.id[:3]) for case in ALL if case.id[:3].isdigit()}
    assert numbers == set(range(1, 102))


# --------------------------------------------------------------------------- the runner itself

# A duty of five days on two houses, one repaired on the third day: due on 6 March, asked on the 10th.
GIVEN = """
[given]
vocabulary = ["VOCABULARY"]
rulebook = '''
id = "b"
name = "Testing"
time_zone = "America/New_York"
edition = "test"
[roles]
owner = "owner"
'''

[[case]]
id = "one"
origin = "hand"
rule = '''
[[duty]]
id = "d"
cites = ["1"]
who = "owner"
on = "house"
opens = { event = "notice" }
due = { within = "5 days" }
met_by = { event = "repair" }
[[act]]
id = "a"
cites = ["2"]
acts = ["connected"]
if = "house.kitchen"
[[value]]
id = "v"
cites = ["3"]
as = "house.wide"
type = "bool"
is = "house.width_ft > 20"
'''
facts.h1 = { _type = "house" }
facts.h2 = { _type = "house", kitchen = false, width_ft = 20.5 }
events = [
  { id = "n1", event = "notice", subject = "h1", at = "2024-03-01" },
  { id = "n2", event = "notice", subject = "h2", at = "2024-03-01" },
  { id = "r2", event = "repair", subject = "h2", at = "2024-03-04" },
  { id = "c2", event = "connected", subject = "h2", at = "2024-03-05" },
]
as_of = "2024-03-10"
"""


def read(tmp_path: Path, text: str) -> list[Case]:
    """Returns the cases of a file with that text."""
    path = tmp_path / "cases.toml"
    path.write_text(text.replace("VOCABULARY", str(CASES / "vocabulary")), "utf-8")
    return read_cases(path)


def run(tmp_path: Path, expect: str) -> list[str]:
    """Returns the differences of the case above when it expects this."""
    (case,) = read(tmp_path, GIVEN + expect)
    return run_case(case)


@pytest.mark.parametrize(
    "expect",
    [
        'expect.obligations = [{ rule = "d", subject = "h1", state = "overdue", due = "2024-03-06", asks = [], notes = [] }]',
        'expect.exactly = true\nexpect.obligations = [{ subject = "h1", opened_by = "n1" }, { subject = "h2", met_by = "r2" }]',
        'expect.not_owed = [{ subject = "h1", state = "due" }]',
        'expect.findings = [{ rule = "a", about = "c2", outcome = "NOT_MET", void = false }]',
        'expect.not_regulated = [{ rule = "a", subject = "h1" }]',
        'expect.todo = [{ rule = "d", rules = ["d"], subject = "h1", state = "overdue", count = 1 }]',
        "expect.exposure = []",
        'expect.answers = [{ name = "house.wide", subject = "h2", is = true }]',
        'expect.answers = [{ name = "house.wide", subject = "h1", is = "unknown", asks = ["house.width_ft"] }]',
        'expect.answers = [{ name = "house.width_ft", subject = "h2", is = 20.50 }]',
        'expect.may = [{ event = "connected", subject = "h1", at = "2024-03-11", rule = "a", outcome = "CANNOT_TELL" }]',
    ],
)
def test_what_is_right_is_taken(tmp_path: Path, expect: str) -> None:
    assert run(tmp_path, expect) == []


@pytest.mark.parametrize(
    ("expect", "said"),
    [
        ('expect.obligations = [{ subject = "h1", state = "due" }]', "state is 'overdue', not 'due'"),
        ('expect.obligations = [{ subject = "h1", due = "2024-03-07" }]', "due is '2024-03-06', not '2024-03-07'"),
        ('expect.obligations = [{ subject = "h2", met_by = "n2" }]', "met_by is 'r2', not 'n2'"),
        ('expect.obligations = [{ subject = "h2", late = "unknown" }]', "late is False, not 'unknown'"),
        ('expect.obligations = [{ subject = "h2", late = 0 }]', "late is False, not 0"),
        ('expect.obligations = [{ subject = "h1", asks = ["house.hazard"] }]', "asks is []"),
        ('expect.obligations = [{ subject = "h1", notes = ["held"] }]', "notes is []"),
        ('expect.obligations = [{ subject = "h1", colour = "gray" }]', "nothing is called 'colour'"),
        ('expect.obligations = [{ rule = "d" }]', "2 obligations fit rule d; say more, so that one does"),
        (
            'expect.obligations = [{ subject = "h1" }, { subject = "h1" }]',
            "two descriptions fit one obligation: subject h1",
        ),
        (
            'expect.exactly = true\nexpect.obligations = [{ subject = "h1" }]',
            "obligation not expected: rule d, subject h2",
        ),
        ('expect.not_owed = [{ rule = "d", subject = "h1" }]', "not owed, but it is rule d, subject h1, state overdue"),
        ('expect.not_owed = [{ rule = "d", subject = "h2" }]', "not owed, but it is rule d, subject h2, state met"),
        ('expect.findings = [{ rule = "a", outcome = "MET" }]', "outcome is 'NOT_MET', not 'MET'"),
        ('expect.findings = [{ rule = "a", void = true }]', "void is False, not True"),
        ('expect.findings = [{ rule = "a", steps = ["wide enough"] }]', "steps is ["),
        ('expect.not_regulated = [{ rule = "a" }]', "not regulated, but it is rule a, subject h2"),
        ("expect.todo = []", "1 to-do lines, not 0: rule d, rules ['d'], subject h1"),
        ('expect.todo = [{ state = "due" }]', "to-do line 1: state is 'overdue', not 'due'"),
        ('expect.exposure = [{ penalty = "p" }]', "no exposure at all, expected penalty p"),
        (
            'expect.answers = [{ name = "house.wide", subject = "h2", is = false }]',
            "house.wide of h2 on 2024-03-10: is is True",
        ),
        ('expect.answers = [{ name = "house.wide", subject = "h1", is = false }]', "is is 'unknown', not False"),
        ('expect.answers = [{ name = "house.wide", subject = "h2", is = 1 }]', "is is True, not 1"),
        (
            'expect.may = [{ event = "connected", subject = "h2", at = "2024-03-11", rule = "a", outcome = "MET" }]',
            "may connected on h2 at 2024-03-11: no finding fits",
        ),
        ('expect.error = "no"', "nothing was refused"),
    ],
)
def test_what_is_wrong_is_noticed(tmp_path: Path, expect: str, said: str) -> None:
    (difference,) = run(tmp_path, expect)
    assert said in difference


def test_a_refusal_is_a_difference(tmp_path: Path) -> None:
    text = GIVEN.replace('"repair" }', '"repiar" }') + 'expect.obligations = [{ subject = "h1" }]'
    (case,) = read(tmp_path, text)
    (difference,) = run_case(case)
    assert difference.startswith("refused: ")
    assert "unknown event 'repiar'; did you mean 'repair'?" in difference
    (case,) = read(tmp_path, text.replace("expect.obligations", 'expect.error = "another message"\nexpect.obligations'))
    (difference,) = run_case(case)
    assert difference.startswith("refused with another message: ")


def test_a_book_that_is_not_there(tmp_path: Path) -> None:
    text = '[given]\nbook = "nowhere"\n[[case]]\nid = "one"\norigin = "hand"\nas_of = "2024-03-10"\nexpect.todo = []\n'
    (case,) = read(tmp_path, text)
    assert run_case(case) == ["no rulebook 'nowhere'"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[[case]", "cases.toml: cannot be read"),
        ("[caes]", "cases.toml: unknown key 'caes'; did you mean 'case'?"),
        ("[given]\nbok = 'b'", "cases.toml: given: unknown key 'bok'; did you mean 'book'?"),
        (GIVEN, "cases.toml: one: it expects nothing; write what must come out under expect"),
        (GIVEN + "expect.exactly = true", "cases.toml: one: it expects nothing; write what must come out under expect"),
        (GIVEN + "expect.tudo = []", "cases.toml: one: expect: unknown key 'tudo'; did you mean 'todo'?"),
        (GIVEN + "expect.todo = []\nas_off = ''", "cases.toml: one: unknown key 'as_off'; did you mean 'as_of'?"),
        (GIVEN.replace('as_of = "2024-03-10"', "expect.todo = []"), "cases.toml: one: 'as_of' is missing"),
        (GIVEN.replace('origin = "hand"', "expect.todo = []"), "cases.toml: one: 'origin' is missing"),
        (
            GIVEN + "expect.todo = []\n[[case]]\nid = 'two'\nlike = 'on'",
            "cases.toml: two: like: no case 'on' before it",
        ),
        (GIVEN + "expect.todo = []\n[[case]]\nid = 'one'\nlike = 'one'", "cases.toml: one: id used twice"),
        (GIVEN + "expect.todo = []\n[[case]]\nlike = 'one'", "cases.toml: a case without id: 'id' is missing"),
        (
            "[[case]]\nid = 'one'\norigin = 'hand'\nas_of = '2024-03-10'\nexpect.todo = []",
            "cases.toml: one: write rule = the entries it is about, or book = the id of a rulebook",
        ),
    ],
)
def test_a_case_that_cannot_be_read(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(CaseError) as raised:
        read(tmp_path, text)
    assert said in str(raised.value)


def test_like_takes_over_what_is_not_said(tmp_path: Path) -> None:
    text = GIVEN + "expect.todo = []\n[[case]]\nid = 'two'\nlike = 'one'\nas_of = '2024-03-02'\nknown_at = '2024-03-01'"
    one, two = read(tmp_path, text)
    assert (one.facts, one.events, one.books, one.expect) == (two.facts, two.events, two.books, two.expect)
    assert (two.id, two.as_of, two.known_at) == ("two", "2024-03-02", "2024-03-01")


# --------------------------------------------------------------------------- a case that is worked out and looked into


def test_a_case_that_is_worked_out_tells_of_each_expectation_alone(tmp_path: Path) -> None:
    """The repair of the second house on 4 March is within five days of 1 March; the first house has none by the 10th."""
    expect = 'expect.exactly = true\nexpect.obligations = [{ subject = "h1", state = "met" }, { subject = "h2", state = "met" }]'
    (case,) = read(tmp_path, GIVEN + expect)
    worked = work_out(case)
    wrong, right = case.expect["obligations"]
    assert worked.differences_of("obligations", right) == []
    (said,) = worked.differences_of("obligations", wrong)
    assert "state is 'overdue', not 'met'" in said
    assert worked.differences() == run_case(case) != []


def test_an_act_that_a_case_asks_about_ahead_is_judged_in_its_world(tmp_path: Path) -> None:
    expect = (
        'expect.may = [{ event = "connected", subject = "h2", at = "2024-03-11", rule = "a", outcome = "NOT_MET" }]'
    )
    (case,) = read(tmp_path, GIVEN + expect)
    worked = work_out(case)
    (found,) = worked.findings_of(case.expect["may"][0])
    assert (found.rule, found.thing, found.outcome) == ("a", "h2", "NOT_MET")  # the second house has no kitchen


def test_an_answer_comes_with_the_steps_to_it(tmp_path: Path) -> None:
    """20.5 ft is over 20 ft; of the first house nobody recorded how wide it is; a fact that was recorded has no steps."""
    (case,) = read(tmp_path, GIVEN + "expect.todo = []")
    world = work_out(case).world
    value, steps = world.answer_with_steps("house.wide", "h2")
    assert value is True
    assert steps == ["house.wide = true by 3", "  house.width_ft: 20.5 > 20"]
    value, steps = world.answer_with_steps("house.wide", "h1")
    assert [want.what for want in value.wants] == ["house.width_ft"]
    assert "?" in steps[0]
    assert world.answer_with_steps("house.width_ft", "h2")[1] == []
    assert world.answer("house.wide", "h2") is True


def test_a_book_that_is_not_there_cannot_be_worked_in(tmp_path: Path) -> None:
    text = '[given]\nbook = "nowhere"\n[[case]]\nid = "one"\norigin = "hand"\nas_of = "2024-03-10"\nexpect.todo = []\n'
    (case,) = read(tmp_path, text)
    with pytest.raises(CaseError, match="no rulebook 'nowhere'"):
        work_out(case)
