"""Loading rulebooks in a running process: the five that are shipped, and five with 1,500 entries made of them."""

from __future__ import annotations

import re
import shutil
from functools import partial
from pathlib import Path

from benchmarks import towns
from benchmarks.measured import measure
from sewershed.rules.library import Library, load

ENTRIES = 1_500
_HEAD = re.compile(r"^(?=\[\[[a-z]+\]\]\s*$)", re.MULTILINE)
_ID = re.compile(r'^id = "([^"]+)"$', re.MULTILINE)
_COPIED = (
    "[[duty]]",
    "[[act]]",
    "[[standard]]",
    "[[limit]]",
    "[[penalty]]",
    "[[doubt]]",
)  # the others name a fact, once


def blocks_of(path: Path) -> list[tuple[str, str]]:
    """Returns the entries of a file that may stand in a book twice under two ids, each with its id."""
    found = [block for block in _HEAD.split(path.read_text("utf-8")) if block.startswith(_COPIED)]
    return [(match[1], block) for block in found if (match := _ID.search(block))]


def many_books(folder: Path, entries: int) -> list[Path]:
    """Writes the shipped books into a folder with their entries again and again under other ids, and returns their folders."""
    made = []
    blocks: list[tuple[Path, str, str]] = []
    for number, book in enumerate(towns.shipped_books()):
        place = folder / f"{number}-{book.name}"
        place.mkdir()
        for path in [*book.glob("*.toml"), *book.glob("register.tsv")]:
            shutil.copyfile(path, place / path.name)
            if path.suffix == ".toml":
                blocks += [(place / path.name, name, block) for name, block in blocks_of(path)]
        made.append(place)
    names = sorted((name for _, name, _ in blocks), key=len, reverse=True)
    known = re.compile(r"(?<![\w.-])(" + "|".join(map(re.escape, names)) + r")(?![\w.-])")
    wanted = entries - entries_of(towns.library())
    copy = 0
    while wanted > 0:
        copy += 1
        for path, _, block in blocks:  # all of them, since they name each other
            with path.open("a", encoding="utf-8") as file:
                file.write("\n" + known.sub(partial(_renamed, copy), block))
        wanted -= len(blocks)
    return made


def entries_of(library: Library) -> int:
    """Returns how many entries a library holds, its doubts among them."""
    return sum(len(book.entries) + len(book.doubts) for book in library.books.values())


def _renamed(copy: int, found: re.Match[str]) -> str:
    """Returns the id of a copy: doubts are numbered after a dash, entries after an underscore."""
    return f"{found[1]}{'-' if found[1].startswith('D-') else '_'}{copy}"


def test_load_1500(benchmark, tmp_path):
    books, programs = many_books(tmp_path, ENTRIES), towns.programs()
    count = entries_of(load(programs, books))
    assert ENTRIES <= count < ENTRIES * 1.2
    measure(
        benchmark, f"load five rulebooks, {count:,} entries, in a running process", lambda: load(programs, books),
        bound_s=0.5, rounds=15, warmup_rounds=1,
    )  # fmt: skip


def test_load_shipped(benchmark):
    books, programs = towns.shipped_books(), towns.programs()
    count = entries_of(load(programs, books))
    measure(
        benchmark, f"load the five shipped rulebooks, {count} entries", lambda: load(programs, books),
        bound_s=None, rounds=15, warmup_rounds=1,
    )  # fmt: skip
