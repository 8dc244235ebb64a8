"""Makes a town: its folder, its database, its first rows."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from contextlib import nullcontext
from datetime import UTC, datetime, timedelta
from math import ceil
from pathlib import Path
from typing import Any

from django.db import connections

from sewershed.ledger.errors import TownError
from sewershed.ledger.town import SQLITE_ADDRESS, Town, write_town
from sewershed.project.opening import make_ready, make_tables, open_town

ADMINISTRATOR = "admin"


def init(
    book: str,
    folder: Path,
    *,
    programs: list[Path] | None = None,
    books: list[Path] | None = None,
    database: str = SQLITE_ADDRESS,
    database_password: str = "",
    administrator: str = ADMINISTRATOR,
    facts: Mapping[str, Any] | None = None,
    example_now: datetime | None = None,
    founded_at: datetime | None = None,
) -> Town:
    """Makes a town in an empty folder, with its first supplement adopted and an administrator's account, and opens it.

    Edge: an example town's clock says `example_now` when it is made, and runs on from there. Where it cannot be made,
    nothing of it is left in the folder.

    Refuses: a folder that is a town already, a book that is not there, a database that holds a log already.

    Args:
        book: the id of the town's own rulebook.
        folder: where; made if it is not there.
        programs: folders with vocabularies; those of the package if left out.
        books: folders of rulebooks; those of the package if left out.
        database: an address; SQLite in the folder if left out.
        database_password: kept in secret.toml.
        administrator: the name of the first account, as which the command acts.
        facts: of the town itself; its name is taken from the book if left out.
        example_now: given for an example town, whose records are made up.
        founded_at: when an example town's record began; now, if left out.

    Raises:
        TownError: for the folder.
        Refused: for the book.
    """
    make_ready()
    from sewershed.ledger import supplements

    folder = folder.resolve()
    installed_programs, installed_books = supplements.installed(folder / "rulebooks")
    parts = supplements.gather(book, programs or installed_programs, books or installed_books)
    identity = supplements.identity_of(parts, book)
    shift = example_now - datetime.now(UTC) if example_now else timedelta()  # noqa: TID251  # the clock itself is set here
    town = Town(
        folder=folder,
        book=book,
        name=str(identity["name"]),
        time_zone=str(identity["time_zone"]),
        database=database,
        is_example=example_now is not None,
        clock_shift=timedelta(seconds=ceil(shift.total_seconds())),
        database_password=database_password,
    )
    missing = [one for one in (folder, *folder.parents) if not one.exists()]
    there = set() if missing else set(folder.iterdir())
    try:
        write_town(town)
        open_town(folder, is_checked=False)
        make_tables()
        _first_rows(parts, administrator, {"name": town.name, **(facts or {})}, founded_at)
    except BaseException:
        _take_back(folder, there, missing)
        raise
    return open_town(folder)


def _take_back(folder: Path, there: set[Path], missing: list[Path]) -> None:
    """Takes away what was made of a town that could not be made, so that the next try finds the place as it was.

    Args:
        folder: where it was to be.
        there: what stood in it before.
        missing: the folders that were not there before, the innermost first.
    """
    connections.close_all()
    for made in set(folder.iterdir() if folder.is_dir() else ()) - there:
        if made.is_dir():
            shutil.rmtree(made)
        else:
            made.unlink()
    for one in missing:
        if one.is_dir():
            one.rmdir()


def _first_rows(
    parts: Mapping[str, bytes], administrator: str, facts: Mapping[str, Any], founded_at: datetime | None
) -> None:
    from sewershed.ledger import actions, adopting, clock, log, supplements

    if log.head().position:
        raise TownError("the database holds a log already: name an empty one, or open the town that it belongs to")
    digest = supplements.keep(parts)
    supplements.check_forms(digest)
    with clock.at(founded_at) if founded_at else nullcontext(), actions.together():
        account = actions.open_account(administrator, roles={"administrator"}, as_account=None)
        adopting.found(digest, facts, account)
