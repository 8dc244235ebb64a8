"""The rulebooks as the commands read them that start without Django: those installed, and those below further folders."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

import sewershed
from sewershed.cli.failing import Failure

if TYPE_CHECKING:
    from sewershed.rules.cases import Case
    from sewershed.rules.library import Library, Program
    from sewershed.rules.loading.books import Book

RULEBOOKS = Path(sewershed.__file__).parent / "rulebooks"  # found as data; nobody imports them

books_option = click.option(
    "--books",
    "own",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    multiple=True,
    metavar="FOLDER",
    help="Also read the rulebooks below FOLDER (again and again, if there are several).",
)


def load(own: Sequence[Path] = ()) -> Library:
    """Returns the installed rulebooks, and those below further folders."""
    from sewershed.rules.library import load as load_books

    return load_books(programs_of(own), _folders(own))


def programs_of(own: Sequence[Path] = ()) -> list[Program]:
    """Returns the installed programs, and the vocabularies that lie beside the rulebooks below further folders.

    Raises:
        Failure: where two have one name, and where a folder is that of a town, not of its rulebooks.
    """
    from sewershed.programs import own_vocabularies, programs
    from sewershed.rules.library import Program

    for folder in own:
        if (folder / "town.toml").is_file():  # it also keeps the books of each supplement that it adopted
            raise Failure(f"{folder} is the folder of a town; say --books {folder / 'rulebooks'}")
    found = {one.vocabulary.parent.name: one for one in programs()}
    for path in [path for folder in own for path in own_vocabularies(folder)]:
        name = path.parent.name
        if name in found:
            raise Failure(f"there are two programs called {name!r}; give {path.parent} another name")
        found[name] = Program(path)
    return list(found.values())


def load_folder(folder: Path, own: Sequence[Path] = ()) -> Book:
    """Returns the rulebook of a folder among those installed; one of the same id gives way to it.

    Raises:
        RulebookError: with everything that is wrong with it.
    """
    from sewershed.rules.library import load as load_books

    said = _id_of(folder)
    others = [one for one in _folders(own) if _id_of(one) != said]
    return load_books(programs_of(own), [*others, folder]).books[said]


def _folders(own: Sequence[Path]) -> list[Path]:
    return [path.parent for where in (RULEBOOKS, *own) for path in sorted(where.rglob("rulebook.toml"))]


def _id_of(folder: Path) -> str:
    try:
        return str(tomllib.loads((folder / "rulebook.toml").read_text("utf-8")).get("id", ""))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError):
        return ""


def book_named(library: Library, place: str) -> str:
    """Returns the id of the rulebook of a place.

    Raises:
        Failure: with the books there are, where there is none of that id.
    """
    try:
        return library.line(place)[0].id
    except KeyError as error:
        raise Failure(
            f"{error.args[0]}; for one that does not ship say --books FOLDER, the folder that it lies in"
        ) from None


def cases_of(book: Book) -> list[Case]:
    """Returns the worked cases that lie beside a book.

    Raises:
        CaseError: with everything that is wrong with them.
    """
    from sewershed.rules.cases import read_cases

    folder = book.folder / "cases"
    return read_cases(folder) if folder.is_dir() else []
