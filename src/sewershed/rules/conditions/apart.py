"""Whether two conditions can be seen, from their text alone, never to hold together."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import fields, replace
from decimal import Decimal
from typing import Any

from sewershed.rules.conditions.grammar import parse
from sewershed.rules.conditions.nodes import Binary, Connective, ListOf, Literal, Name, Node, Sign

Meaning = tuple[object, ...]

_TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}
_AGAINST = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}


def are_apart(ones: Collection[str], others: Collection[str], *, item: tuple[str, str] = ("", "")) -> bool:
    """Tells whether conditions of one side and of the other can be seen never to hold together.

    Args:
        ones: conditions that all hold on one side.
        others: conditions that all hold on the other.
        item: what `item` stands for on either side, where it stands for a word.

    Edge: only what the text shows counts: a condition beside its negation, one expression held to different words or to
        ranges that do not meet (`x < 5` and `x >= 5` do not, `x <= 5` and `x >= 5` do), and what is never true. A condition
        that is not understood so is taken to hold with any other.

    Example:
        >>> are_apart(["event.passed && event.kind == 'x'"], ["!event.passed"])
        True
        >>> are_apart(["p.use == 'shop'"], ["p.use in ['shop', 'barn']"]), are_apart(["p.use == 'shop'"], ["p.use == 'barn'"])
        (False, True)
        >>> are_apart(["p.flow > 5"], ["p.flow >= 5"]), are_apart(["p.flow > 5"], ["p.flow <= 5"])
        (False, True)
    """
    left = [part for source in ones for part in _parts(_with_item(parse(source), item[0]))]
    right = [part for source in others for part in _parts(_with_item(parse(source), item[1]))]
    return any(_is_never(one) for one in (*left, *right)) or any(_never_both(one, two) for one in left for two in right)


def meaning_of(source: str) -> Meaning:
    """Returns a condition without the blanks and brackets with which it was written, to be held against another.

    Example:
        >>> meaning_of("house.width_ft>5") == meaning_of("(house.width_ft > 5)")
        True
    """
    return _meaning(parse(source))


def _parts(node: Node) -> Iterator[Node]:
    """Yields what must all hold for a condition to hold."""
    if isinstance(node, Connective) and node.sign == "&&":
        for part in node.parts:
            yield from _parts(part)
    else:
        yield node


def _is_never(node: Node) -> bool:
    return isinstance(node, Literal) and node.value is False


def _never_both(one: Node, other: Node) -> bool:
    for these, that in ((one, other), (other, one)):
        if isinstance(these, Connective) and these.sign == "||":
            return all(any(_never_both(part, that) for part in _parts(way)) for way in these.parts)
    if _meaning(one) == _against(other) or _meaning(other) == _against(one):
        return True
    first, second = _held_to(one), _held_to(other)
    if first is None or second is None or first[0] != second[0]:
        return False
    return not _meet(first[1], first[2], second[1], second[2])


def _against(node: Node) -> Meaning:
    """Returns the opposite of a condition."""
    if isinstance(node, Sign) and node.sign == "!":
        return _meaning(node.of)
    if isinstance(node, Binary) and node.sign in _AGAINST:
        return _meaning(replace(node, sign=_AGAINST[node.sign]))
    return ("Sign", "!", _meaning(node))


def _held_to(node: Node) -> tuple[Meaning, str, tuple[object, ...]] | None:
    """Returns what a condition holds to which words or figure, and how; None where it does no such thing."""
    if not isinstance(node, Binary):
        return None
    if (
        node.sign == "in"
        and isinstance(node.right, ListOf)
        and all(isinstance(one, Literal) for one in node.right.items)
    ):
        return _meaning(node.left), "==", tuple(one.value for one in node.right.items if isinstance(one, Literal))
    if node.sign in _TURNED and isinstance(node.right, Literal):
        return _meaning(node.left), node.sign, (node.right.value,)
    if node.sign in _TURNED and isinstance(node.left, Literal):
        return _meaning(node.right), _TURNED[node.sign], (node.left.value,)
    return None


def _meet(sign: str, values: tuple[object, ...], other: str, others: tuple[object, ...]) -> bool:
    """Tells whether anything is held both ways. Edge: two open ends at one figure do not meet there."""
    if sign == "==":
        return any(_holds(value, other, others) for value in values)
    if other == "==":
        return any(_holds(value, sign, values) for value in others)
    if "!=" in (sign, other) or sign[0] == other[0]:
        return True
    (low,), (high,) = (values, others) if sign[0] == ">" else (others, values)
    if not isinstance(low, int | Decimal) or not isinstance(high, int | Decimal):
        return True
    return low < high or (low == high and sign.endswith("=") and other.endswith("="))


def _holds(value: object, sign: str, others: tuple[object, ...]) -> bool:
    if sign == "==":
        return value in others
    if sign == "!=":
        return value not in others
    (other,) = others
    if not isinstance(value, int | Decimal) or not isinstance(other, int | Decimal):
        return True
    return {"<": value < other, "<=": value <= other, ">": value > other, ">=": value >= other}[sign]


def _meaning(node: Node) -> Meaning:
    if isinstance(node, Name):
        return ("Name", node.text)
    return (type(node).__name__, *(_told(getattr(node, one.name)) for one in fields(node) if one.name != "text"))


def _told(part: object) -> object:
    if isinstance(part, tuple):
        return tuple(_told(one) for one in part)
    return _meaning(part) if isinstance(part, Node) else part


def _with_item(node: Node, word: str) -> Node:
    """Returns a condition with a word in place of `item`."""
    if not word:
        return node
    if isinstance(node, Name) and node.text == "item":
        return Literal(repr(word), word)
    changed: dict[str, Any] = {}
    for one in fields(node):
        part = getattr(node, one.name)
        if isinstance(part, tuple):
            changed[one.name] = tuple(_with_item(each, word) if isinstance(each, Node) else each for each in part)
        elif isinstance(part, Node):
            changed[one.name] = _with_item(part, word)
    return replace(node, **changed) if changed else node
