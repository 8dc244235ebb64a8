"""Every mistake that the loader knows: one a book, its message whole; and the same book mended, which loads.

`bad/` and `good/` hold the same names. A single file is the entries of a book whose identity stands here; a folder is a
whole book, or holds several. What must be said stands in the bad book behind "# expect:". The wording is that of the
table in RULEBOOK.md 10, and of the sentences marked [P] there where the table has none.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from sewershed.programs import connections, pretreatment
from sewershed.rules.library import Library, Program, load
from sewershed.rules.problems import RulebookError

HERE = Path(__file__).parent
BAD, GOOD = HERE / "bad", HERE / "good"
VOCABULARY = HERE.parent / "cases" / "engine" / "vocabulary" / "vocabulary.toml"
IDENTITY = """
id = "b"
name = "Testing"
time_zone = "America/New_York"
edition = "test"
[roles]
owner = "owner"
"""
NAMES = sorted(path.name for path in BAD.iterdir())


def load_book(path: Path, tmp_path: Path) -> Library:
    """Returns the library of one book of `bad/` or `good/`."""
    folder = tmp_path / path.stem
    if path.is_dir():
        shutil.copytree(path, folder)
    else:
        folder.mkdir()
        (folder / "rulebook.toml").write_text(IDENTITY, "utf-8")
        shutil.copy(path, folder / "a.toml")
    books = [folder] if (folder / "rulebook.toml").exists() else sorted(folder.iterdir())
    program = Program(
        VOCABULARY,
        (*connections.FUNCTIONS, *pretreatment.FUNCTIONS),
        (*connections.PROVIDERS, *pretreatment.PROVIDERS),
    )
    return load([program], books)


def expected(path: Path) -> list[str]:
    """Returns the messages that a bad book carries in its comments."""
    files = sorted(path.rglob("*.toml")) if path.is_dir() else [path]
    lines = [line for file in files for line in file.read_text("utf-8").splitlines()]
    return [line.removeprefix("# expect: ") for line in lines if line.startswith("# expect: ")]


def test_each_bad_book_has_its_good_one() -> None:
    assert sorted(path.name for path in GOOD.iterdir()) == NAMES
    assert len(NAMES) >= 45


@pytest.mark.parametrize("name", NAMES)
def test_bad_book(name: str, tmp_path: Path) -> None:
    with pytest.raises(RulebookError) as raised:
        load_book(BAD / name, tmp_path)
    assert [problem.text for problem in raised.value.problems] == expected(BAD / name)
    assert all(any(tmp_path.rglob(problem.file)) for problem in raised.value.problems)


@pytest.mark.parametrize("name", NAMES)
def test_good_book(name: str, tmp_path: Path) -> None:
    library = load_book(GOOD / name, tmp_path)
    assert sum(len(book.entries) for book in library.books.values()) > 0
    assert expected(GOOD / name) == []
