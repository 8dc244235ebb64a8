"""The words of papers that a rulebook holds, `forms/*.toml`: which keys each paper takes, checked when books are loaded.

A program says of each of its papers what it takes from a book. The rules look no further into it: they check that every
key is there, of its shape, and that nothing else is.
"""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from sewershed.rules.loading.books import Book
from sewershed.rules.problems import Problems, did_you_mean

Shape = Literal["text", "texts", "words", "pairs", "entries", "questions", "sections"]
SHAPES: Mapping[Shape, str] = {
    "text": "a text",
    "texts": "a list of texts",
    "words": "a table of texts",
    "pairs": "a list of pairs of texts",
    "entries": "a table of lists of ids of entries",
    "questions": "a table of lists of pairs of texts",
    "sections": "tables with head and fields, the fields a list of pairs of texts",
}


@dataclass(frozen=True, slots=True)
class Key:
    """One key that a paper takes from a book."""

    name: str
    shape: Shape
    means: str
    may_be_left_out: bool = False


@dataclass(frozen=True, slots=True)
class PaperForm:
    """What one paper of a program takes from a book."""

    paper: str
    keys: tuple[Key, ...]


def check_forms(
    books: Iterable[Book], forms: Sequence[PaperForm], entries: Collection[str], problems: Problems
) -> None:
    """Notes every problem of the files `forms/*.toml` of books.

    Args:
        books: whose files are read.
        forms: what the papers of all programs take.
        entries: ids of all entries of all books.
        problems: takes what is wrong.
    """
    known = {one.paper: one for one in forms}
    for book in books:
        seen: dict[str, str] = {}
        for path in sorted((book.folder / "forms").glob("*.toml")):
            file = f"{book.folder.name}/forms/{path.name}"
            try:
                data = tomllib.loads(path.read_text("utf-8"))
            except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
                problems.add(file, f"cannot be read: {error}")
                continue
            paper = data.pop("paper", "")
            if paper not in known:
                near = did_you_mean(str(paper), known) if paper else ""
                what = (
                    f"no program has a paper {paper!r}{near}"
                    if paper
                    else "'paper' is missing: say whose words these are"
                )
                problems.add(file, f"{what}; there are {', '.join(sorted(known))}")
                continue
            if paper in seen:
                problems.add(file, f"the words of {paper} stand in {seen[paper]} already")
            seen[paper] = path.name
            for text in _wrong(data, known[paper], entries):
                problems.add(file, f"{paper}: {text}")


def _wrong(data: Mapping[str, Any], form: PaperForm, entries: Collection[str]) -> Iterator[str]:
    keys = {key.name: key for key in form.keys}
    for name in data:
        if name not in keys:
            yield f"unknown key '{name}'{did_you_mean(name, keys)}"
    for key in form.keys:
        value = data.get(key.name)
        if value is None:
            if not key.may_be_left_out:
                yield f"'{key.name}' is missing: {key.means}"
        elif not _fits(key.shape, value):
            yield f"'{key.name}' must be {SHAPES[key.shape]}"
        elif key.shape == "entries":
            for one in (one for ids in value.values() for one in ids):
                if one not in entries:
                    yield f"{key.name}: no entry '{one}'{did_you_mean(one, entries)}"


def _fits(shape: Shape, value: Any) -> bool:
    """Tells whether a value has a shape. Edge: a text or a list that is empty has none."""
    match shape:
        case "text":
            return isinstance(value, str) and bool(value.strip())
        case "texts":
            return isinstance(value, list) and bool(value) and all(isinstance(one, str) for one in value)
        case "pairs":
            return isinstance(value, list) and bool(value) and all(_is_pair(one) for one in value)
        case "words":
            return isinstance(value, dict) and all(isinstance(one, str) for one in value.values())
        case "entries":
            return isinstance(value, dict) and all(_fits("texts", one) for one in value.values())
        case "questions":
            return isinstance(value, dict) and all(_fits("pairs", one) for one in value.values())
        case "sections":
            return isinstance(value, list) and bool(value) and all(_is_section(one) for one in value)


def _is_pair(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(isinstance(one, str) for one in value)


def _is_section(value: Any) -> bool:
    return isinstance(value, dict) and _fits("text", value.get("head")) and _fits("pairs", value.get("fields"))
