"""Makes the towns that are measured, and keeps the large one under `var/bench` from run to run.

What is kept is the log, and each run works in a copy. What follows from it is worked out anew, since that is what is
measured.
"""

from __future__ import annotations

import hashlib
import importlib
import os
import shutil
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from django.db import connections

import sewershed
from benchmarks import town as drawn
from sewershed.ledger import adopting, clock, law, log, rights, supplements, working
from sewershed.ledger.log import Draft
from sewershed.ledger.town import Town
from sewershed.project.founding import init
from sewershed.project.opening import open_town
from sewershed.rules.library import Library, Program, load

HOUSE = Path(__file__).parents[1]
KEPT = HOUSE / "var" / "bench"
AT_ONCE = 20_000  # rows added in one transaction
PACKAGE = Path(sewershed.__path__[0])


@dataclass(frozen=True, slots=True)
class Made:
    """A town that was made for measuring."""

    folder: Path

    @contextmanager
    def opened(self) -> Iterator[Town]:
        """Opens it, with its clock standing still at the instant for which its rows were drawn."""
        town = open_town(self.folder)

        with clock.at(drawn.NOW):
            yield town


def close() -> None:
    """Closes what is open of the last town."""
    connections.close_all()


def shipped_books() -> list[Path]:
    """Returns the folders of the shipped rulebooks."""
    return [path.parent for path in sorted((PACKAGE / "rulebooks").rglob("rulebook.toml"))]


def programs() -> list[Program]:
    """Returns what the shipped programs hand to the rules."""
    found = []
    for path in sorted((PACKAGE / "programs").glob("*/vocabulary.toml")):
        module = importlib.import_module(f"sewershed.programs.{path.parent.name}")
        found.append(Program(path, module.FUNCTIONS, module.PROVIDERS))
    return found


def library() -> Library:
    """Returns the shipped books and vocabulary, loaded."""
    return load(programs(), shipped_books())


def large(database: str, folder: Path) -> Made:
    """Returns the large town, with what was kept of an earlier run where nothing that made it has changed."""
    if not database.startswith("sqlite"):
        return _grown(folder / "town", database, drawn.LARGE)
    kept = KEPT / _fingerprint()
    if not kept.exists():
        beside = KEPT / f"{kept.name}.{os.getpid()}"
        _grown(beside, database, drawn.LARGE)
        close()
        for old in KEPT.iterdir():
            if "." not in old.name:
                shutil.rmtree(old)
        beside.rename(kept)
    return copy_of(Made(kept), folder / "town")  # so that two runs at once do not meet


def small(database: str, folder: Path) -> Made:
    """Returns a small town with busy things, all worked out."""
    size = drawn.Size(premises=20, assemblies=10, interceptors=1, stations=1, pipes=5, spills=5)
    made = _grown(folder, database, size)

    with made.opened():
        working.recompute(is_compared=False)
    return made


def work_out(made: Made) -> None:
    """Works out everything that follows from the log of a town, unless that was done in this run."""
    with made.opened():
        if made.folder not in _WORKED_OUT:
            working.recompute(is_compared=False, progress=_progress)
        _WORKED_OUT.add(made.folder)


_WORKED_OUT: set[Path] = set()


def copy_of(made: Made, folder: Path) -> Made:
    """Returns a copy of a town on SQLite, to write in."""
    close()
    shutil.copytree(made.folder, folder)
    return Made(folder)


def _grown(folder: Path, database: str, size: drawn.Size) -> Made:
    """Founds a town and adds the rows of a size to its log."""
    return grown(folder, database, lambda draw, town: drawn.rows(size, draw, town), f"a town of {size.things:,} things")


def grown(folder: Path, database: str, rows_of: Callable[[drawn.Draw, str], Iterator[Draft]], said: str) -> Made:
    """Founds a town and adds to its log the rows that a draw gives for it.

    Args:
        folder: where.
        database: its address.
        rows_of: draws the rows of a town by its id.
        said: what it is, while it grows.
    """
    init(drawn.BOOK, folder, database=database, example_now=drawn.NOW, founded_at=drawn.NOW, facts=drawn.TOWN_FACTS)
    made = Made(folder)
    with made.opened():
        vocabulary = supplements.vocabulary_hash(law.in_force().supplement)
        draw = drawn.Draw(rights.owner().name, vocabulary)
        rows, begun, count = rows_of(draw, adopting.town_id()), time.monotonic(), 0
        while chunk := list(islice(rows, AT_ONCE)):
            with log.writing() as pen:
                pen.append(chunk)
            count += len(chunk)
            _progress(f"{count:,} rows of {said}, {time.monotonic() - begun:.0f} s")
    return made


def _fingerprint() -> str:
    """Returns the hash of all that the log of the large town is made of."""
    made_of: Iterable[Path] = (
        Path(drawn.__file__),
        Path(__file__),
        *sorted((PACKAGE / "programs").glob("*/vocabulary.toml")),
        *sorted(path for path in (PACKAGE / "rulebooks").rglob("*") if path.suffix in (".toml", ".tsv")),
        *sorted((PACKAGE / "ledger" / "migrations").glob("*.py")),
        PACKAGE / "ledger" / "log.py",
    )
    return hashlib.sha256(b"".join(path.read_bytes() for path in made_of)).hexdigest()[:16]


def _progress(said: str) -> None:
    sys.stderr.write(f"\r{said} ")
    sys.stderr.flush()
