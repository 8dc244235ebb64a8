"""The doctor: examines a town's folder from outside, then its record, and mends what can be mended."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from sewershed.ledger.ailment import Ailment, cure_all
from sewershed.ledger.errors import TownError
from sewershed.ledger.log import Head
from sewershed.ledger.town import SECRET_FILE, TOWN_FILE, write_secret
from sewershed.project.opening import open_town


def examine(folder: Path, stated: Head | None = None, progress: Callable[[str], None] | None = None) -> list[Ailment]:
    """Returns everything that is wrong with a town's folder: what, why it matters, what to do.

    Refuses: nothing; a folder that cannot be opened is the one thing wrong with it.

    Args:
        folder: the town's folder.
        stated: a head written down on a paper.
        progress: told what is being looked at.
    """
    if (folder / TOWN_FILE).is_file() and not (folder / SECRET_FILE).is_file():
        return [
            Ailment(
                f"{folder / SECRET_FILE} is not there",
                "Nobody can sign in without its key.",
                "Make a new key: everybody must sign in again. A database's password must be written in by hand.",
                lambda: write_secret(folder),
            )
        ]
    try:
        town = open_town(folder, is_checked=False)
    except TownError as error:
        return [Ailment(str(error), "The town cannot be opened.", "Mend that first.")]
    if town.is_sqlite and not town.database_file.exists():
        return [
            Ailment(
                f"{town.database_file} is not there",
                "The town has lost its database.",
                f"Restore the newest backup of {town.backups} into a new folder with `sewershed restore`.",
            )
        ]
    from sewershed.ledger import doctor  # its models want the apps ready

    return doctor.examine(stated, progress)


def mend(folder: Path, progress: Callable[[str], None] | None = None) -> list[Ailment]:
    """Cures what can be cured without losing anything, and returns what is left.

    Args:
        folder: the town's folder.
        progress: told of each cure.
    """
    return cure_all(lambda: examine(folder), progress or (lambda _: None))
