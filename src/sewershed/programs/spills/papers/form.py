"""A state's spill form as data: its fields in order, its causes, and what it asks by cause."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Section:
    """Fields under one heading: (key of the report, label of the form) each."""

    head: str
    fields: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Form:
    """A form that a state asks to be filled in after a spill."""

    name: str
    title: str
    edition: str
    agency: str
    part_one: str
    part_two: str
    certification: str
    words: Mapping[str, str]  # how the form says the words of a choice
    causes: Mapping[str, str]  # word of the vocabulary -> label
    sections: tuple[Section, ...]
    questions: Mapping[str, tuple[tuple[str, str], ...]]  # by cause: (key, what is asked)


def read_form(text: str) -> Form:
    """Returns the form that a file of a rulebook describes.

    Raises:
        ValueError: a key missing, or questions for a cause that the form does not list.
    """
    data: dict[str, Any] = tomllib.loads(text)
    plain = ("name", "title", "edition", "agency", "part_one", "part_two", "certification")
    missing = [key for key in (*plain, "causes", "sections", "questions") if key not in data]
    if missing:
        raise ValueError(f"the form lacks {', '.join(missing)}")
    strange = set(data["questions"]) - set(data["causes"])
    if strange:
        raise ValueError(f"form {data['name']} asks about {', '.join(sorted(strange))}, which its causes do not list")
    return Form(
        **{key: str(data[key]) for key in plain},
        words=dict(data.get("words", {})),
        causes=dict(data["causes"]),
        sections=tuple(
            Section(section["head"], tuple((key, label) for key, label in section["fields"]))
            for section in data["sections"]
        ),
        questions={cause: tuple((key, asks) for key, asks in rows) for cause, rows in data["questions"].items()},
    )
