"""Our conditions against the library of the Common Expression Language, whose syntax they share (RULEBOOK.md 12.6).

Where the library gives a definite answer, ours is the same. It is kept to what it does rightly: whole numbers (it turns
decimals into floats), instants in UTC, names that exist. What it calls an error (a missing key, a division by zero), and
what follows from one, is "it gives up".
"""

from collections import Counter
from random import Random
from typing import Any

import cel
import pytest

from sewershed.rules.unknown import Unknown
from tests.rules.conditions.town import Town, condition
from tests.rules.conditions.writing import FACTS, NAMES, START, draw_condition, some
from tests.trials import trials

GIVES_UP = "gives up"


def ask_cel(source: str, known: dict[str, Any]) -> Any:
    """Returns the library's answer. A syntax that it cannot read is no answer: other tools must be able to read the books."""
    context = {"house": {k: list(v) if isinstance(v, tuple) else v for k, v in known.items()}, "start": START}
    try:
        return cel.evaluate(source.replace("known(", "has("), context)
    except ValueError as error:
        raise AssertionError(f"the library cannot read {source!r}: {error}") from error
    except (ArithmeticError, KeyError, RuntimeError, TypeError):
        return GIVES_UP


@pytest.mark.soak
def test_conditions_agree_with_the_library():
    tally: Counter[str] = Counter()
    for seed in range(trials(40_000)):
        random = Random(seed)
        source, known = draw_condition(random, own=False), some(random, FACTS, missing=random.choice((0, 0, 0.25)))
        ours = condition(source, names=NAMES).evaluate(Town(known, roots={"start": START}))
        theirs = ask_cel(source, known)
        tally["all"] += 1
        tally["with missing facts"] += len(known) < len(FACTS)
        if theirs is GIVES_UP:
            tally["ours decides, the library gives up"] += not isinstance(ours, Unknown)
        else:
            tally["both decide"] += 1
            assert ours is theirs, f"seed {seed}: {source} with {known}"
    print(dict(tally))  # noqa: T201  # the figures of the trial, which pytest -rP shows
    assert tally["both decide"] > tally["all"] // 2, "the trial must not be about errors alone"
    assert tally["with missing facts"] > tally["all"] // 4
    assert tally["ours decides, the library gives up"] > 0, "as where both branches of ?: agree"


def test_the_peer_is_one():
    """The differential trial rests on the library's handling of errors; if that changes, the trial says nothing."""
    assert ask_cel("house.rooms > 1 || true", {}) is True
    assert ask_cel("house.rooms > 1 && false", {}) is False
    assert ask_cel("house.rooms > 1", {}) is GIVES_UP
    assert ask_cel("house.kitchen ? true : true", {}) is GIVES_UP
    with pytest.raises(AssertionError, match="cannot read"):
        ask_cel("house.rooms => 1", {})
