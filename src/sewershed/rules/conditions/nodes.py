"""A condition as it is written: the syntax tree, before anybody asks what its names mean.

Every node carries the text it was read from, for messages and for the steps of an explanation.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from decimal import Decimal


@dataclass(frozen=True, slots=True)
class Node:
    """Any piece of a condition."""

    text: str


@dataclass(frozen=True, slots=True)
class Literal(Node):
    """A number, a text, true or false."""

    value: bool | int | Decimal | str


@dataclass(frozen=True, slots=True)
class Name(Node):
    """A name that stands alone; its text is the name."""


@dataclass(frozen=True, slots=True)
class Field(Node):
    """``of.name``."""

    of: Node
    name: str


@dataclass(frozen=True, slots=True)
class Call(Node):
    """``name(arguments)``, or ``of.name(arguments)``."""

    of: Node | None
    name: str
    arguments: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class ListOf(Node):
    """``[items]``."""

    items: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Sign(Node):
    """``!of`` or ``-of``."""

    sign: str
    of: Node


@dataclass(frozen=True, slots=True)
class Binary(Node):
    """A comparison, ``in``, or one of ``+ - * /``."""

    sign: str
    left: Node
    right: Node


@dataclass(frozen=True, slots=True)
class Connective(Node):
    """Two or more parts joined by ``&&``, or by ``||``."""

    sign: str
    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class IfElse(Node):
    """``test ? yes : no``."""

    test: Node
    yes: Node
    no: Node


def depth_of(node: Node) -> int:
    """Returns how many nodes stand inside each other, without descending by recursion."""
    deepest, waiting = 0, [(node, 1)]
    while waiting:
        current, depth = waiting.pop()
        deepest = max(deepest, depth)
        waiting += [(child, depth + 1) for child in children(current)]
    return deepest


def children(node: Node) -> Iterator[Node]:
    """Yields the nodes that stand directly inside a node, in order."""
    for field in fields(node):
        value = getattr(node, field.name)
        yield from (item for item in (value if isinstance(value, tuple) else (value,)) if isinstance(item, Node))
