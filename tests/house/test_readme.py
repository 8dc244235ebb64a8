"""The picture in the README is true: each line of it is printed of the example town, in that order, with nothing left out
but where the picture says so.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from sewershed.cli import main
from tests.examples.conftest import NOW, close, made  # noqa: F401 - the example town, made once

README = (Path(__file__).parents[2] / "README.md").read_text("utf-8")
CUT = "…"
LINES, COLUMNS = 34, 100


def picture() -> list[str]:
    """Returns the lines of the one text picture of the page."""
    (found,) = re.findall(r"^```text\n(.*?)^```$", README, flags=re.MULTILINE | re.DOTALL)
    return found.splitlines()


def not_printed(picture: list[str], printed: list[str]) -> list[str]:
    """Returns the parts of a picture, by their first lines, that are not printed as they stand there, one after another.

    Blank lines do not count. At a cut, its own line or the end of one, whatever follows may be left out.
    """
    lines = [line.rstrip() for line in printed if line.strip()]
    parts: list[list[str]] = [[]]
    for line in picture:
        if line.strip() == CUT:
            parts.append([])
        elif line.strip():
            parts[-1].append(line)
            if line.endswith(CUT):
                parts.append([])
    wrong, start = [], 0
    for part in filter(None, parts):
        at = next((n for n in range(start, len(lines) - len(part) + 1) if is_shown(part, lines[n:])), None)
        if at is None:
            wrong.append(part[0])
        else:
            start = at + len(part)
    return wrong


def is_shown(part: list[str], lines: list[str]) -> bool:
    return all(
        line.startswith(shown.removesuffix(CUT)) if shown.endswith(CUT) else line == shown
        for shown, line in zip(part, lines, strict=False)
    )


@pytest.fixture
def printed(made: Path, monkeypatch: pytest.MonkeyPatch, django_db_blocker) -> list[str]:  # noqa: F811
    """What `make run` prints of the example town in the minute in which it was made."""
    from sewershed.ledger import clock
    from sewershed.project.opening import open_town

    monkeypatch.setenv("COLUMNS", str(COLUMNS))
    with django_db_blocker.unblock():
        open_town(made)
        with clock.at(NOW):
            result = CliRunner().invoke(main, ["demo", str(made)])
        close()
    assert result.exit_code == 0, result.output
    return result.stdout.splitlines()


def test_the_picture_is_what_is_printed(printed: list[str]) -> None:
    assert not_printed(picture(), printed) == []


def test_the_picture_shows_clause_steps_what_is_missing_and_readings_on_one_screen() -> None:
    shown = picture()
    assert {"The clause", "The steps", "What is missing", "Doubts that touch it"} <= set(shown)
    assert len(shown) <= LINES
    assert max(map(len, shown)) <= COLUMNS


@pytest.mark.parametrize(
    ("shown", "wrong"),
    [
        (["a", "", "b", "…", "d e"], []),
        (["a", "b", "c…", "d …"], []),
        (["a…", "c", "d e"], []),
        (["a", "c"], ["a"]),  # what is left out is not shown as left out
        (["b", "…", "a"], ["a"]),  # not in that order
        (["a", "…", "e"], ["e"]),
        (["a", "b", "c", "d e", "f"], ["a"]),
    ],
)
def test_the_guard_of_the_picture_finds_what_is_not_printed(shown: list[str], wrong: list[str]) -> None:
    assert not_printed(shown, ["a", "b", "", "c  ", "d e"]) == wrong
