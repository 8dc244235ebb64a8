"""Papers: a template and its data become a tagged PDF, the same bytes each time.

The data is all that a paper says; a program builds it from the record, and the template only lays it out. Both are kept:
the PDF is what was sent, the data is what a machine or a court can compare. Data goes in as text and is never run as markup.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from threading import Lock

import typst

STANDARDS: list[typst.PDFStandard] = ["a-2a", "ua-1"]  # kept for decades, and readable by all


class PaperError(ValueError):
    """A paper that cannot be made: which one, and why."""


@dataclass(frozen=True, slots=True)
class Frame:
    """What stands around every paper: who writes, which paper it is, and under which rules and record it was written."""

    town: str
    address: tuple[str, ...]  # the parts of the address, as they follow each other
    office: str  # the office that writes it, or ""
    kind: str  # what paper it is: "Spill report"
    title: str
    number: str | None  # in the series of its kind and year; None on a draft
    is_draft: bool
    is_example: bool
    supplement_number: str
    supplement_hash: str
    head: str  # of the chain of the record
    unasked: str = ""  # of a draft: why no rule asks for this paper
    cautions: tuple[str, ...] = ()  # of values in it that are from memory: which, and that

    def __post_init__(self) -> None:
        if not self.is_draft and not self.number:
            raise PaperError(f"{self.kind}: a paper that is issued needs its number; without one it is a draft")
        for name, value in (("town", self.town), ("kind", self.kind), ("title", self.title), ("head", self.head)):
            if not value:
                raise PaperError(f"{self.kind or 'a paper'}: {name} is missing; it stands on every page")


@dataclass(frozen=True, slots=True)
class Paper:
    """A paper as made: its pages, its data, and the hash of each."""

    pdf: bytes
    data: bytes

    @property
    def sha256(self) -> str:
        """Returns the hash of the PDF."""
        return sha256(self.pdf).hexdigest()

    @property
    def data_sha256(self) -> str:
        """Returns the hash of the data."""
        return sha256(self.data).hexdigest()


class Press:
    """Makes papers from the templates of one folder. It keeps its compiler, so make one and use it for many papers."""

    def __init__(self, templates: Path | None = None) -> None:
        self.templates = templates or Path(str(files("sewershed.programs")))
        self._compiler = typst.Compiler(root=self.templates, ignore_system_fonts=True)
        self._lock = Lock()  # the compiler makes one paper at a time

    def paper(self, template: str, frame: Frame, data: Mapping[str, object], *, at: datetime) -> Paper:
        """Returns the paper that a template makes of its data.

        Args:
            template: its path below the folder, e.g. "spills/papers/press_release.typ".
            frame: what stands around it.
            data: what it says, as the program built it: texts, numbers, true/false, None for not known, lists, mappings.
            at: the instant it was made, which is in the file; the same instant gives the same bytes.

        Raises:
            PaperError: no such template, or the template cannot lay out this data.
        """
        path = self.templates / template
        if not path.is_file():
            raise PaperError(f"there is no template {template}")
        text = as_text({"frame": asdict(frame), "paper": data})
        try:
            with self._lock:
                pdf = self._compiler.compile(
                    input=path, sys_inputs={"data": text}, pdf_standards=STANDARDS, timestamp=int(at.timestamp())
                )
        except typst.TypstError as error:
            raise PaperError(f"{template}: {error.diagnostic}") from error
        assert isinstance(pdf, bytes)
        return Paper(pdf, text.encode())


def as_text(data: object) -> str:
    """Returns data as one text that is the same for the same data: keys in order, no blanks.

    Refuses: what is not a text, a whole number, true/false, None, a list or a mapping; a float above all.

    Example:
        >>> as_text({"b": None, "a": ["x", 1, True]})
        '{"a":["x",1,true],"b":null}'
        >>> as_text({"gallons": 2.5})
        Traceback (most recent call last):
            ...
        sewershed.exchange.paper.PaperError: gallons: 2.5 (float) cannot stand in a paper; say it as a text
    """
    _refuse(data, "")
    return json.dumps(data, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def _refuse(data: object, where: str) -> None:
    if isinstance(data, Mapping):
        for key, value in data.items():
            _refuse(value, f"{where}.{key}" if where else str(key))
    elif isinstance(data, list | tuple):
        for n, value in enumerate(data):
            _refuse(value, f"{where}[{n}]")
    elif not (data is None or isinstance(data, str | int)):
        raise PaperError(f"{where}: {data!r} ({type(data).__name__}) cannot stand in a paper; say it as a text")
