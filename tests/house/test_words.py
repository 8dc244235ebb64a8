"""Names are the field's words, and no place has a word in Python.

Each guard is first shown an offence that it must find, and fails where it has nothing to look at.
"""

from __future__ import annotations

import io
import tokenize
import tomllib
from collections.abc import Iterator
from pathlib import Path

import sewershed

SOURCE = Path(sewershed.__file__).parent
BOOKS = SOURCE / "rulebooks"
NAMES_OF_NOTHING = {"utils", "util", "helpers", "helper", "common", "misc", "base", "manager", "managers"}
NOT_A_PLACE = {"us"}  # also a word of every comment; no name is made of it alone


def python_files() -> list[Path]:
    found = [path for path in SOURCE.rglob("*.py") if "migrations" not in path.parts]
    assert found, f"no Python below {SOURCE}: this guard looks at nothing"
    return found


def names_in(text: str) -> Iterator[tuple[int, str]]:
    """Yields each name of a Python text with its line, whether of ours or of another."""
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.NAME:
            yield token.start[0], token.string


def places() -> set[str]:
    """Returns the words of all places that have a rulebook."""
    found = {part for book in BOOKS.rglob("rulebook.toml") for part in tomllib.loads(book.read_text())["id"].split(".")}
    assert found, f"no rulebook below {BOOKS}: this guard looks at nothing"
    return found - NOT_A_PLACE


def names_of_a_place(text: str, words: set[str]) -> list[tuple[int, str]]:
    return [
        (line, name)
        for line, name in names_in(text)
        if any(f"_{word}_" in f"_{name.lower()}_" or word.replace("_", "") == name.lower() for word in words)
    ]


def test_the_guard_of_places_finds_a_planted_one() -> None:
    text = "def read_spring_hope_rate():\n    NC_FORM = 1\n    SpringHope = 2\n    fresh_spring = nchar = 3\n"
    found = names_of_a_place(text, {"nc", "spring_hope"})
    assert found == [(1, "read_spring_hope_rate"), (2, "NC_FORM"), (3, "SpringHope")]


def test_no_name_is_of_a_place() -> None:
    words = places()
    offences = [
        f"{path.relative_to(SOURCE)}:{line} {name}"
        for path in python_files()
        for line, name in names_of_a_place(path.read_text(encoding="utf-8"), words)
    ]
    assert offences == []


def modules_named_for_nothing(paths: list[Path]) -> list[str]:
    return [str(path) for path in paths if NAMES_OF_NOTHING & {part.removesuffix(".py") for part in path.parts}]


def test_the_guard_of_modules_finds_a_planted_one() -> None:
    paths = [Path("rules/spans.py"), Path("rules/utils.py"), Path("desk/common/views.py")]
    assert modules_named_for_nothing(paths) == ["rules/utils.py", "desk/common/views.py"]


def test_every_module_is_named_for_what_it_holds() -> None:
    assert modules_named_for_nothing([path.relative_to(SOURCE) for path in python_files()]) == []
