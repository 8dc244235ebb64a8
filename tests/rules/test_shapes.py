"""A book in which something stands where something else belongs is refused in words; never with what Python says of it."""

from __future__ import annotations

import copy
import random
import sys
import tomllib
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from sewershed.programs import connections, pretreatment
from sewershed.rules import library
from sewershed.rules.library import Program, load
from sewershed.rules.problems import RulebookError
from tests.trials import IS_SOAK, trials

HERE = Path(__file__).parent
VOCABULARY = HERE.parent / "cases" / "engine" / "vocabulary" / "vocabulary.toml"
IDENTITY = 'id = "b"\nname = "B"\ntime_zone = "America/New_York"\nedition = "1"\n[roles]\nowner = "owner"\n'
INSTEAD = ("text", "", 3, -1, Decimal("1.5"), True, [], {}, ["a"], [[1]], [{"x": 1}], {"event": "notice"}, None)


def places(of: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    inner = of.items() if isinstance(of, dict) else enumerate(of) if isinstance(of, list) else ()
    for key, value in inner:
        yield (*path, key)
        yield from places(value, (*path, key))


@pytest.mark.soak
def test_nothing_that_stands_in_the_wrong_place_breaks_the_loader(tmp_path, monkeypatch):
    seed = random.SystemRandom().randrange(10**9) if IS_SOAK else 20261201
    draw = random.Random(seed)
    (tmp_path / "rulebook.toml").write_text(IDENTITY)
    (tmp_path / "a.toml").write_text("")
    good = [tomllib.loads(path.read_text("utf-8"), parse_float=Decimal) for path in sorted(HERE.glob("good/*.toml"))]
    functions = (*connections.FUNCTIONS, *pretreatment.FUNCTIONS)
    program = Program(VOCABULARY, functions, (*connections.PROVIDERS, *pretreatment.PROVIDERS))
    changed: dict[str, Any] = {}
    read_toml = library.read_toml
    monkeypatch.setattr(
        library, "read_toml", lambda path, *more: changed if path.name == "a.toml" else read_toml(path, *more)
    )
    refused = 0
    for _ in range(trials(3_000)):
        book = copy.deepcopy(draw.choice(good))
        *above, key = draw.choice([one for one in places(book) if len(one) > 2 and one[-1] != "id"])
        at, instead = book, copy.deepcopy(draw.choice(INSTEAD))
        for step in above:
            at = at[step]
        if instead is None:
            del at[key]
        else:
            at[key] = instead
        changed = book
        sys.stderr.write(f"seed {seed}: {instead!r} at {(*above, key)}\n")  # shown where it fails
        try:
            load([program], [tmp_path])
        except RulebookError as error:
            refused += bool(list(error.problems))
    assert refused > trials(3_000) // 2
