"""Which words a condition holds a text against."""

from __future__ import annotations

from collections.abc import Iterator

from sewershed.rules.conditions.grammar import parse
from sewershed.rules.conditions.nodes import Binary, Field, ListOf, Literal, Name, Node, children

EQUALITIES = ("==", "!=", "in")


def words_beside(source: str, thing: str, fact: str) -> tuple[str, ...]:
    """Returns the words that a condition compares a fact of a thing with, in their order.

    Example:
        >>> words_beside("town.county in ['Ash', 'Elm'] || town.county == 'Oak'", "town", "county")
        ('Ash', 'Elm', 'Oak')
        >>> words_beside("town.county == town.name && premises.use == 'shop'", "town", "county")
        ()
    """
    return tuple(dict.fromkeys(_words(parse(source), thing, fact)))


def _words(node: Node, thing: str, fact: str) -> Iterator[str]:
    if isinstance(node, Binary) and node.sign in EQUALITIES:
        for one, other in ((node.left, node.right), (node.right, node.left)):
            if isinstance(one, Field) and one.name == fact and isinstance(one.of, Name) and one.of.text == thing:
                items = other.items if isinstance(other, ListOf) else (other,)
                yield from (item.value for item in items if isinstance(item, Literal) and isinstance(item.value, str))
    for child in children(node):
        yield from _words(child, thing, fact)
