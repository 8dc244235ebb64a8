"""A condition as it is understood: every name resolved, everything with its type.

The checker makes these from the syntax tree; the evaluator and the explanation work on nothing else. A term is itself and
no other (two terms of the same text are different), so that each can be known by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any

from sewershed.rules.spans import Span
from sewershed.rules.types import Type


@dataclass(frozen=True, slots=True, eq=False)
class Term:
    """Any piece of a condition, with the type of its value and the text it was read from."""

    type: Type
    text: str


# --------------------------------------------------------------------------- where values come from


@dataclass(frozen=True, slots=True, eq=False)
class Constant(Term):
    """A value that stands in the condition itself: a number, a text, a day, a span of time."""

    value: Any
    is_written: bool = False  # a text between quotation marks


@dataclass(frozen=True, slots=True, eq=False)
class Root(Term):
    """A name the condition starts from."""

    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Local(Term):
    """``it``, or the variable of a list: the value at a place among the local ones."""

    slot: int
    source: Term | None = None  # the list it is an element of


@dataclass(frozen=True, slots=True, eq=False)
class Subject(Term):
    """The thing that ``happened``, ``last`` and ``count`` are about where no other is named."""


@dataclass(frozen=True, slots=True, eq=False)
class ThingFact(Term):
    """A fact of a thing, recorded or derived, or one of its ``has`` lists."""

    thing: Term
    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Datum(Term):
    """A datum of an event, as the vocabulary declares it."""

    event: Term
    name: str
    judged_by: Mapping[str, str]  # by type of event: who decides it, where the law leaves it to a person


@dataclass(frozen=True, slots=True, eq=False)
class EventPart(Term):
    """What every event has: id, at, day, by, role, kind, contains."""

    event: Term
    name: str


@dataclass(frozen=True, slots=True, eq=False)
class ItemField(Term):
    """A field of a record in a list."""

    record: Term
    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Ask(Term):
    """``book.<ask>``: what the book in force answers to a program."""

    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Meets(Term):
    """``meets('id')``."""

    id: str


# --------------------------------------------------------------------------- truth


@dataclass(frozen=True, slots=True, eq=False)
class Not(Term):
    """``!of``."""

    of: Term


@dataclass(frozen=True, slots=True, eq=False)
class AllOf(Term):
    """``a && b && c``."""

    parts: tuple[Term, ...]


@dataclass(frozen=True, slots=True, eq=False)
class AnyOf(Term):
    """``a || b || c``."""

    parts: tuple[Term, ...]


@dataclass(frozen=True, slots=True, eq=False)
class IfElse(Term):
    """``test ? yes : no``."""

    test: Term
    yes: Term
    no: Term


@dataclass(frozen=True, slots=True, eq=False)
class Known(Term):
    """``known(of)``."""

    of: Term


@dataclass(frozen=True, slots=True, eq=False)
class Compare(Term):
    """``left == right`` and the five others."""

    sign: str
    left: Term
    right: Term


@dataclass(frozen=True, slots=True, eq=False)
class In(Term):
    """``item in list``."""

    item: Term
    list: Term


# --------------------------------------------------------------------------- numbers and time


@dataclass(frozen=True, slots=True, eq=False)
class Arithmetic(Term):
    """``left + right``, ``-``, ``*``, ``/``; of two instants or moments only ``-``."""

    sign: str
    left: Term
    right: Term


@dataclass(frozen=True, slots=True, eq=False)
class Minus(Term):
    """``-of``."""

    of: Term


@dataclass(frozen=True, slots=True, eq=False)
class Extreme(Term):
    """``min(...)`` or ``max(...)``."""

    name: str
    items: tuple[Term, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Shift(Term):
    """``add(moment, 'span')`` or ``sub(moment, 'span')``."""

    name: str
    moment: Term
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class DaysBetween(Term):
    """``days(first, last)``."""

    first: Term
    last: Term


@dataclass(frozen=True, slots=True, eq=False)
class DateOf(Term):
    """``date(moment)``."""

    moment: Term


@dataclass(frozen=True, slots=True, eq=False)
class Calculated(Term):
    """A call of a program's function."""

    call: Callable[..., Any]
    arguments: tuple[Term, ...]


# --------------------------------------------------------------------------- lists


@dataclass(frozen=True, slots=True, eq=False)
class ListOf(Term):
    """``[items]``."""

    items: tuple[Term, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Each(Term):
    """``list.all(x, body)``, ``list.exists(x, body)`` or ``list.sum(x, body)``."""

    name: str
    list: Term
    body: Term


@dataclass(frozen=True, slots=True, eq=False)
class Size(Term):
    """``size(list)``."""

    list: Term


# --------------------------------------------------------------------------- what has happened


@dataclass(frozen=True, slots=True, eq=False)
class History(Term):
    """``happened``, ``first``, ``last`` or ``count`` of events of a thing."""

    name: str
    thing: Term
    events: tuple[str, ...]
    fits: Term | None  # the condition over `it`
    window: Span | None = None


def children(term: Term) -> Iterator[Term]:
    """Yields the terms that stand directly inside a term, in the order of the text."""
    if isinstance(term, Local):
        return  # the list it is an element of stands outside it
    for field in fields(term):
        value = getattr(term, field.name)
        for item in value if isinstance(value, tuple) else (value,):
            if isinstance(item, Term):
                yield item
