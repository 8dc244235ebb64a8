"""Makes a town from a backup, on either database."""

from __future__ import annotations

import shutil
import tarfile
import tomllib
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path

from sewershed.ledger.errors import TownError
from sewershed.ledger.log import Head
from sewershed.ledger.town import SQLITE_ADDRESS, TOWN_FILE, Town, write_town
from sewershed.project.opening import make_tables, open_town


@dataclass(frozen=True, slots=True)
class Restored:
    """A town that was made from a backup, with the end of its log and how much followed from it."""

    town: Town
    head: Head
    things: int
    obligations: int


def restore(
    archive: Path,
    folder: Path,
    *,
    database: str = SQLITE_ADDRESS,
    database_password: str = "",
    progress: Callable[[str], None] | None = None,
) -> Restored:
    """Makes a town from a backup in a new folder, opens it, and works out what follows from its log.

    Edge: the end of the chain must be the one that the backup states, else nothing is left behind.

    Refuses: a folder that is a town, a database that holds a log, a backup that is damaged.

    Args:
        archive: the backup.
        folder: where; made if it is not there.
        database: an address; SQLite in the folder if left out.
        database_password: kept in secret.toml.
        progress: told what is being done.

    Raises:
        TownError: with the reason.
    """
    tell = progress or (lambda _: None)
    town = replace(_town_in(archive), folder=folder.resolve(), database=database, database_password=database_password)
    had_folder = town.folder.exists()
    write_town(town)
    try:
        open_town(town.folder, is_checked=False)
        from sewershed.ledger import backup, guards, working  # their models want the apps ready

        tell("unpacking files")
        backup.unpack(archive, town.folder)
        tell("making tables")
        make_tables()
        assert not guards.missing()
        tell("entering the log")
        head = backup.load(archive)
        built = working.recompute(is_compared=False, progress=progress)
    except BaseException:
        (town.folder / TOWN_FILE).unlink(missing_ok=True)
        if not had_folder:
            shutil.rmtree(town.folder, ignore_errors=True)
        raise
    return Restored(open_town(town.folder), head, built.things, built.obligations)


def _town_in(archive: Path) -> Town:
    """Returns what the town.toml of a backup says."""
    try:
        with tarfile.open(archive, "r:gz") as packed:
            found = packed.extractfile(TOWN_FILE)
            said = tomllib.loads(found.read().decode("utf-8")) if found else {}
    except (tarfile.TarError, OSError, EOFError, KeyError, ValueError) as error:
        raise TownError(f"{archive} cannot be read as a backup: {error}") from None
    return Town(
        folder=archive.parent,
        book=str(said["book"]),
        name=str(said["name"]),
        time_zone=str(said["time_zone"]),
        is_example=bool(said.get("example", False)),
        clock_shift=timedelta(seconds=int(said.get("clock_shift_seconds", 0))),
    )
