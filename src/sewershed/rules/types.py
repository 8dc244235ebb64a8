"""The types of everything that a rulebook or a record may say.

A type is a small frozen value. Its text is the wording that loader messages use ("number in ft", "choice of home/shop").
Values are plain Python: ``bool``, numbers (``int``, ``Decimal``, ``Fraction``; never ``float``), ``str`` for text and
choices, ``datetime.date`` for a day, an aware UTC ``datetime`` for an instant, ``Thing`` for a reference, ``tuple`` for a
list, a mapping for a record of a list, and ``sewershed.rules.record.Event`` for an event.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import NamedTuple

Number = int | Decimal | Fraction


class Thing(NamedTuple):
    """A reference to a thing of the record: its id and the name of its type."""

    id: str
    type: str

    def __str__(self) -> str:
        return self.id


KINDS = (
    "bool",
    "number",
    "text",
    "choice",
    "date",
    "instant",
    "moment",
    "span",
    "ref",
    "list",
    "record",
    "event",
    "money",
    "file",
    "geometry",
)


@dataclass(frozen=True, slots=True)
class Type:
    """What kind of value stands in a place, and in which unit or of which words."""

    kind: str
    unit: str = ""
    words: tuple[str, ...] = ()
    item: Type | None = None
    to: str = ""  # the type of thing a ref points to
    events: tuple[str, ...] = ()  # the types an event may be of
    fields: tuple[tuple[str, Type], ...] = field(default=())  # of a record, in order

    def __str__(self) -> str:
        """Returns the wording that messages use."""
        if self.kind == "bool":
            return "true/false"
        if self.kind in ("number", "money"):
            return f"{self.kind} in {self.unit}" if self.unit else self.kind
        if self.kind == "choice":
            return "choice of " + "/".join(self.words)
        if self.kind == "ref":
            return f"a {self.to}"
        if self.kind == "list":
            return f"list of {self.item}"
        if self.kind == "event":
            return "event " + "|".join(self.events)
        return self.kind

    def field(self, name: str) -> Type | None:
        """Returns the type of a record's field, or None where it has none of that name."""
        return dict(self.fields).get(name)


BOOL = Type("bool")
NUMBER = Type("number")
TEXT = Type("text")
DATE = Type("date")
INSTANT = Type("instant")
MOMENT = Type("moment")
SPAN = Type("span")

Value = bool | int | Decimal | Fraction | str | date | Thing | tuple["Value", ...] | Mapping[str, "Value"] | None
