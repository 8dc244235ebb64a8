"""Supplements: the law that a town runs, copied into its folder and adopted by a row (docs/explanation/the-record.md).

A supplement is all books of a town's line and the vocabulary, as files under `files/rulebooks/<hash>/`:

    programs/<program>/vocabulary.toml
    books/<id of the book>/*.toml, forms/*.toml, register.tsv

Every command uses the adopted supplement, never the installed books.
"""

from __future__ import annotations

import hashlib
import importlib
import shutil
import tomllib
from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

from sewershed.ledger import canonical, files
from sewershed.ledger import log as logbook
from sewershed.ledger.clock import current_town
from sewershed.ledger.errors import NotFound, Refused
from sewershed.ledger.reading import RowReader
from sewershed.programs import own_vocabularies
from sewershed.rules.cases import Case, CaseError, read_cases
from sewershed.rules.library import Library, Program, load
from sewershed.rules.loading.forms import check_forms as check_words
from sewershed.rules.problems import Problems, RulebookError
from sewershed.rules.vocabulary import Vocabulary, read_vocabulary

ADOPTED = "supplement_adopted"
FOLDER = "rulebooks"
_PROGRAMS = "sewershed.programs"


def gather(book: str, programs: Iterable[Path], books: Iterable[Path]) -> dict[str, bytes]:
    """Returns the files of the supplement of a book: its line and the vocabulary, by their path in the supplement.

    Refuses: a book or a parent that is not among the folders, and two programs of one name.

    Args:
        book: the id of the town's own book.
        programs: folders of programs, each with a vocabulary.toml.
        books: folders of rulebooks, in any order.

    Raises:
        Refused: naming the book that is missing and those there are.
    """
    found: dict[str, bytes] = {}
    for folder in programs:
        if (folder / "vocabulary.toml").is_file():
            if f"programs/{folder.name}/vocabulary.toml" in found:
                raise Refused(f"there are two programs called {folder.name!r}; give {folder} another name")
            found[f"programs/{folder.name}/vocabulary.toml"] = (folder / "vocabulary.toml").read_bytes()
    shelf = {str(identity["id"]): (folder, identity) for folder in books if (identity := _identity(folder)) is not None}
    wanted: str = book
    while wanted:
        if wanted not in shelf:
            raise Refused(f"there is no rulebook {wanted!r}; there are {', '.join(sorted(shelf)) or 'none'}")
        folder, identity = shelf[wanted]
        for path in sorted([*folder.glob("*.toml"), *folder.glob("forms/*.toml"), folder / "register.tsv"]):
            if path.is_file():
                found[f"books/{wanted}/{path.relative_to(folder).as_posix()}"] = path.read_bytes()
        wanted = str(identity.get("parent", ""))
    return found


def installed(own: Path) -> tuple[list[Path], list[Path]]:
    """Returns the folders of the programs and of the rulebooks that came with the package, and of those below a folder."""
    package = Path(importlib.import_module("sewershed").__path__[0])
    books = [path.parent for where in (package / "rulebooks", own) for path in sorted(where.rglob("rulebook.toml"))]
    programs = sorted(path.parent for path in (package / "programs").glob("*/vocabulary.toml"))
    return [*programs, *(path.parent for path in own_vocabularies(own))], books


@lru_cache(maxsize=4)
def cases_of(books: tuple[str, ...]) -> tuple[Case, ...]:
    """Returns the worked cases that came with the installed rulebooks of some ids; a supplement itself holds none.

    Edge: cases that cannot be read are left out; `sewershed rules check --cases` names them.
    """
    found: list[Case] = []
    for folder in installed(current_town().own_books)[1]:
        identity = _identity(folder)
        if identity is not None and identity["id"] in books and (folder / "cases").is_dir():
            with suppress(CaseError):
                found += read_cases(folder / "cases")
    return tuple(found)


def identity_of(parts: Mapping[str, bytes], book: str) -> Mapping[str, object]:
    """Returns what the rulebook of a supplement says of itself."""
    return tomllib.loads(parts[f"books/{book}/rulebook.toml"].decode("utf-8"))


def hash_of(parts: Mapping[str, bytes]) -> str:
    """Returns the hash of a supplement's files, names and contents."""
    lines = [f"{files.sha256(content)} {name}\n" for name, content in sorted(parts.items())]
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def keep(parts: Mapping[str, bytes]) -> str:
    """Writes a supplement's files into the town's folder and returns its hash; one that is there is left as it is."""
    digest = hash_of(parts)
    place = folder_of(digest)
    if place.is_dir():
        return digest
    beside = place.with_name(f".{digest}")
    shutil.rmtree(beside, ignore_errors=True)
    for name, content in parts.items():
        path = beside / name
        path.parent.mkdir(parents=True, exist_ok=True)
        files.put(path, content)
    beside.replace(place)
    return digest


def folder_of(digest: str) -> Path:
    """Returns where the supplement of a hash is kept."""
    return current_town().files / FOLDER / digest


def parts_of(digest: str) -> dict[str, bytes]:
    """Returns the files of a supplement that is kept, by their path in it."""
    place = folder_of(digest)
    if not place.is_dir():
        raise NotFound(f"the supplement {digest[:12]}… is not in {place.parent}: take it from a backup")
    return {str(path.relative_to(place)): path.read_bytes() for path in sorted(place.rglob("*")) if path.is_file()}


def adoptions() -> list[tuple[logbook.Row, str]]:
    """Returns each adoption in order, with the hash of its supplement; such rows are neither corrected nor withdrawn."""
    rows = logbook.select_list("kind = 'event' AND name = %s", [ADOPTED])
    return [(row, str(canonical.read(row.data)["hash"])) for row in rows]


def adopted(known_at: str = "") -> str:
    """Returns the hash of the supplement that the town runs, or ran as far as was known at an instant.

    Edge: before the first was adopted nothing was known, and the first one judges that nothing.

    Refuses: a town that has adopted none.

    Raises:
        Refused: saying how to adopt one.
    """
    every = adoptions()
    if not every:
        raise Refused("the town has adopted no supplement yet, so no law runs. Run `sewershed adopt`.")
    known = [digest for row, digest in every if not known_at or row.recorded_at <= known_at]
    return known[-1] if known else every[0][1]


def library(digest: str) -> Library:
    """Returns the books and the vocabulary of a supplement, read and checked."""
    return _library(folder_of(digest))


def check_forms(digest: str) -> None:
    """Refuses a supplement whose words of papers the installed programs could not make their papers of.

    Raises:
        RulebookError: with every problem, each with its file.
    """
    place, problems = folder_of(digest), Problems()
    books = library(digest).books
    forms = [one for path in _vocabulary_files(place) for one in _handed(path.parent.name, "FORMS")]
    entries = {one for book in books.values() for one in (*book.entries, *book.doubts)}
    check_words(books.values(), forms, entries, problems)
    if len(problems):
        raise RulebookError(problems)


def vocabulary(digest: str) -> Vocabulary:
    """Returns the vocabulary of a supplement."""
    return _vocabulary(folder_of(digest))


def reader(digest: str, book: str) -> RowReader:
    """Returns what reads rows under the vocabulary of a supplement, with the facts that a book's line derives."""
    return _reader(folder_of(digest), book)


def vocabulary_hash(digest: str) -> str:
    """Returns the hash of the vocabulary of a supplement, which each row carries."""
    return _vocabulary_hash(folder_of(digest))


def unreadable(words: Vocabulary) -> list[str]:
    """Returns each row of the log that cannot be read under a vocabulary, with the reason."""
    return list(RowReader(words).problems(logbook.select()))


@lru_cache(maxsize=8)
def _library(place: Path) -> Library:
    _there(place)
    programs = []
    for path in _vocabulary_files(place):
        name = path.parent.name
        programs.append(Program(path, _handed(name, "FUNCTIONS"), _handed(name, "PROVIDERS")))
    return load(programs, sorted((place / "books").iterdir()))


@lru_cache(maxsize=8)
def _reader(place: Path, book: str) -> RowReader:
    return RowReader(_library(place).books[book].vocabulary)


@lru_cache(maxsize=8)
def _vocabulary(place: Path) -> Vocabulary:
    _there(place)
    return read_vocabulary(_vocabulary_files(place))


@lru_cache(maxsize=8)
def _vocabulary_hash(place: Path) -> str:
    _there(place)
    return hash_of({f"{path.parent.name}/{path.name}": path.read_bytes() for path in _vocabulary_files(place)})


def _there(place: Path) -> None:
    if not place.is_dir():
        raise NotFound(f"the supplement {place.name[:12]}… is not in {place.parent}: take it from a backup")


def _vocabulary_files(place: Path) -> list[Path]:
    return sorted((place / "programs").glob("*/vocabulary.toml"))


def _handed(program: str, what: str) -> tuple[Any, ...]:
    """Returns what the installed program of a name hands to the rules: FUNCTIONS, PROVIDERS or FORMS."""
    try:
        module = importlib.import_module(f"{_PROGRAMS}.{program}")
    except ModuleNotFoundError:
        return ()
    return tuple(getattr(module, what, ()))


def _identity(folder: Path) -> Mapping[str, object] | None:
    path = folder / "rulebook.toml"
    if not path.is_file():
        return None
    try:
        said = tomllib.loads(path.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise Refused(f"{path} cannot be read: {error}") from None
    return said if "id" in said else None
