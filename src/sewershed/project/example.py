"""Makes an example town in a folder: founded on its first day, played, and standing at the instant that its data name."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from sewershed.ledger.errors import Refused
from sewershed.ledger.town import TOWN_FILE, Town
from sewershed.project.founding import init
from sewershed.project.opening import make_ready, open_town


def make_example(folder: Path, name: str = "", progress: Callable[[str], None] = lambda _: None) -> Town:
    """Makes an example town in a folder and opens it; one that stands there already is opened as it is.

    Edge: where making it was broken off, what is missing is done.

    Refuses: a folder that holds a town of somebody's own, and an example that there is not.

    Args:
        folder: where; made if it is not there.
        name: of the example; the first there is, if left out.
        progress: is told how far it has come.

    Raises:
        Refused: with the reason.
        TownError: for the folder.
    """
    make_ready()
    from sewershed.ledger import example

    told = example.read_example(name)
    if (folder / TOWN_FILE).is_file():
        town = open_town(folder)
        if not town.is_example:
            raise Refused(f"{folder} holds the record of {town.name}, which is no example: name another folder")
    else:
        town = init(told.book, folder, facts=told.facts, example_now=told.now, founded_at=told.founded_at)
    if not example.is_played():
        example.play(told, progress)
    return town
