"""The doors from a rulebook to Python: typed functions and providers (docs/explanation/rulebook.md 9.8 and 9.8).

What reduces measurements over windows, uses a physical formula or keeps a balance of money is a calculation of a program,
not a clause. It is reached in two ways. A *function* is pure, takes and returns single values, and may stand in a
condition. A *provider* computes a fact of a thing from the record; a ``calc`` entry of a book answers what it asks. Nothing
registers itself: each program exposes ``FUNCTIONS`` and ``PROVIDERS``, and the loader is handed them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from sewershed.rules.calendars import Calendar
from sewershed.rules.record import Event, Moment
from sewershed.rules.types import Thing, Type, Value
from sewershed.rules.unknown import Unknown
from sewershed.rules.vocabulary import read_type

Result = Value | Unknown
Worked = tuple[Result, tuple[str, ...]]


class View(Protocol):
    """The record as a provider may see it: what was known and had happened before the moment asked about."""

    @property
    def calendar(self) -> Calendar:
        """Returns the calendar of the book that asks."""

    def fact(self, thing: Thing, name: str) -> Result:
        """Returns a fact of a thing; references come back as `Thing`, a ``has`` list as a tuple of `Thing`."""

    def events(self, thing: Thing, names: tuple[str, ...]) -> Sequence[Event]:
        """Returns the events of a thing that are of one of the named types, in order."""


@dataclass(frozen=True, slots=True)
class Function:
    """A pure function that a condition may call by name."""

    name: str
    args: tuple[tuple[str, Type], ...]
    result: Type
    call: Callable[..., Result]

    def __str__(self) -> str:
        return f"{self.name}({', '.join(name for name, _ in self.args)})"


@dataclass(frozen=True, slots=True)
class Provider:
    """A calculation that gives a fact of a thing from the record, with the figures that a book answers."""

    name: str
    asks: Mapping[str, Type]
    result: Type
    work: Callable[[Mapping[str, Value], View, Thing, Moment], Worked]

    def call(self, asks: Mapping[str, Value], view: View, thing: Thing, moment: Moment) -> Result:
        """Returns the value, or an unknown that names what is missing."""
        return self.work(asks, view, thing, moment)[0]

    def explain(self, asks: Mapping[str, Value], view: View, thing: Thing, moment: Moment) -> Worked:
        """Returns the value with the steps that led to it, in sentences with the numbers."""
        return self.work(asks, view, thing, moment)


def function(
    *, args: Mapping[str, Mapping[str, Any]], result: Mapping[str, Any]
) -> Callable[[Callable[..., Result]], Function]:
    """Makes a `Function` of a plain one, named like it; types are written as in a vocabulary.

    The engine calls it only with known values: an argument that is not known makes the condition unknown by itself.

    Example:
        >>> @function(args={"side_ft": {"type": "number", "unit": "ft"}}, result={"type": "number", "unit": "ft2"})
        ... def square(side_ft):
        ...     return side_ft * side_ft
        >>> str(square), str(square.result), square.call(3)
        ('square(side_ft)', 'number in ft2', 9)
    """

    def make(call: Callable[..., Result]) -> Function:
        typed = tuple((name, read_type(spec)) for name, spec in args.items())
        return Function(call.__name__, typed, read_type(result), call)

    return make


def provider(
    *, asks: Mapping[str, Mapping[str, Any]], result: Mapping[str, Any]
) -> Callable[[Callable[[Mapping[str, Value], View, Thing, Moment], Worked]], Provider]:
    """Makes a `Provider` of a function from (asks, view, thing, moment) to a value and its steps.

    Example:
        >>> @provider(asks={"at_least": {"type": "number"}}, result={"type": "bool"})
        ... def busy(asks, view, thing, moment):
        ...     count = len(view.events(thing, ("call",)))
        ...     return count >= asks["at_least"], (f"{count} calls, at least {asks['at_least']} make it busy",)
        >>> busy.name, str(busy.result), {name: str(type) for name, type in busy.asks.items()}
        ('busy', 'true/false', {'at_least': 'number'})
    """

    def make(work: Callable[[Mapping[str, Value], View, Thing, Moment], Worked]) -> Provider:
        return Provider(work.__name__, {name: read_type(spec) for name, spec in asks.items()}, read_type(result), work)

    return make
