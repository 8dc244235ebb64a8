"""What holds of every condition, tried on conditions and towns drawn at random."""

import re
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sewershed.rules.conditions import Condition, ConditionError
from sewershed.rules.types import BOOL, DATE, NUMBER, TEXT
from sewershed.rules.unknown import Unknown
from tests.rules.conditions.town import condition
from tests.rules.conditions.writing import NAMES, draw_condition, draw_world
from tests.trials import trials

PIECES = re.split(
    " ",
    "house kitchen rooms width_ft street owner event trigger item it today since book limit_x x known happened first last count "
    "all exists sum size add sub days date day span min max meets in true false && || ! == != < <= > >= + - * / ? : . , ( ) [ ] "
    "0 1 2.50 'repair' 'repair|notice' 'home' '9 months' '2024-02-29' '30 days?' \"a\" = & | ' \" \\ # \n",
)


@pytest.mark.soak
def test_what_is_known_stays_known():
    """An answer given with facts missing is the answer with the facts, whatever they are. (`known` asks for the gaps.)"""
    decided = 0
    for seed in range(trials(10_000)):
        random = Random(seed)
        source, world = draw_condition(random, own=True, known=False), draw_world(random)
        missing = {key for key in world.names() if random.random() < 0.3}
        compiled = condition(source, names=NAMES)
        before = compiled.evaluate(world.town(missing))
        if not isinstance(before, Unknown):
            decided += 1
            assert compiled.evaluate(world.town()) is before, f"seed {seed}: {source}"
    assert decided > trials(10_000) // 3


@pytest.mark.soak
def test_everything_that_matters_is_asked_for():
    """As long as all that was asked for stays missing, nothing else makes the answer known."""
    unknown = 0
    for seed in range(trials(10_000)):
        random = Random(seed)
        source, world = draw_condition(random, own=True, known=False), draw_world(random)
        missing = {key for key in world.names() if random.random() < 0.3}
        compiled = condition(source, names=NAMES)
        before = compiled.evaluate(world.town(missing))
        if isinstance(before, Unknown):
            unknown += 1
            assert before.wants, f"seed {seed}: {source}"
            asked = {(want.event, want.what.partition(".")[2]) for want in before.wants}
            after = compiled.evaluate(world.town(missing & asked))
            assert isinstance(after, Unknown), f"seed {seed}: {source} asks {before}"
    assert unknown > trials(10_000) // 10


@pytest.mark.soak
def test_an_explanation_comes_to_the_same():
    for seed in range(trials(10_000)):
        random = Random(seed)
        source, world = draw_condition(random, own=True), draw_world(random)
        town = world.town({key for key in world.names() if random.random() < 0.3})
        compiled = condition(source, names=NAMES)
        value, steps = compiled.explain(town)
        assert value == compiled.evaluate(town)
        assert len(set(steps)) == len(steps)
        if isinstance(value, Unknown):
            said = " ".join(steps)
            assert all(str(want) in said for want in value.wants), f"seed {seed}: {source}"
        elif compiled.facts or compiled.events:
            assert steps or "true" in source or "false" in source, f"seed {seed}: {source}"


def compiles_or_says_why(source, expect):
    """Fails with whatever else is raised."""
    try:
        assert isinstance(condition(source, expect=expect), Condition)
    except ConditionError as error:
        assert error.args[0]  # noqa: PT017  # either way will do, but one that is silent


any_type = st.sampled_from([None, BOOL, NUMBER, TEXT, DATE])


@pytest.mark.soak
@settings(max_examples=trials(50_000))
@given(st.lists(st.sampled_from(PIECES), max_size=25), st.sampled_from(["", " "]), any_type)
def test_no_row_of_words_does_harm(pieces, between, expect):
    compiles_or_says_why(between.join(pieces), expect)


@settings(max_examples=500)
@given(st.text(), any_type)
def test_no_text_does_harm(source, expect):
    compiles_or_says_why(source, expect)


@pytest.mark.soak
def test_no_condition_with_a_fault_does_harm():
    """Sound conditions from which a piece is cut out, or into which one is put."""
    for seed in range(trials(10_000)):
        random = Random(seed)
        source = draw_condition(random, own=True)
        start = random.randrange(len(source))
        compiles_or_says_why(source[:start] + random.choice(PIECES) + source[start + random.randint(0, 4) :], None)
