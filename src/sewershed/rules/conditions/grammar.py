"""The grammar of conditions (docs/explanation/rulebook.md 6), one method a line of it; `or` and `and` are called `either` and `both` here.

::

    expr    = or [ "?" expr ":" expr ]
    or      = and { "||" and }
    and     = rel { "&&" rel }
    rel     = sum [ ("==" | "!=" | "<" | "<=" | ">" | ">=" | "in") sum ]
    sum     = term { ("+" | "-") term }
    term    = unary { ("*" | "/") unary }
    unary   = { "!" | "-" } postfix
    postfix = primary { "." name [ "(" args ")" ] }
    primary = number | text | true | false | name | name "(" args ")" | "(" expr ")" | "[" [ expr { "," expr } ] "]"

It is the syntax of CEL, the Common Expression Language, cut down, so that other tools can read the books. One corner is
wider: between "?" and ":" another "?" needs no brackets here, and does there.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal

from sewershed.rules.conditions.errors import ConditionError
from sewershed.rules.conditions.nodes import (
    Binary,
    Call,
    Connective,
    Field,
    IfElse,
    ListOf,
    Literal,
    Name,
    Node,
    Sign,
    depth_of,
)
from sewershed.rules.conditions.tokens import Token, tokens_of

COMPARISONS = ("==", "!=", "<", "<=", ">", ">=", "in")
_WORDS = {"true": True, "false": False}
_MAX_NESTED = 30  # brackets and branches inside each other
_MAX_DEPTH = 60  # steps from the whole to its smallest part
_TOO_DEEP = "nested too deeply; give a part of it a name of its own (a value with as)"


def parse(source: str) -> Node:
    """Returns the syntax tree of a condition.

    Refuses: with `ConditionError`, what is not in the grammar, and more nesting than anybody can read.

    Example:
        >>> parse("1 < 2 < 3")
        Traceback (most recent call last):
            ...
        sewershed.rules.conditions.errors.ConditionError: comparisons cannot be chained
    """
    parser = _Parser(source)
    node = parser.expr()
    if parser.token.kind != "end":
        raise parser.unexpected()
    if len(parser.tokens) > _MAX_DEPTH and depth_of(node) > _MAX_DEPTH:
        raise ConditionError(_TOO_DEEP)
    return node


class _Parser:
    def __init__(self, source: str) -> None:
        self.source = source
        self.tokens = tokens_of(source)
        self.place = 0
        self.nested = 0

    # ---------------------------------------------------------------- the tokens

    @property
    def token(self) -> Token:
        return self.tokens[self.place]

    def take(self) -> Token:
        """Returns the token at hand and goes on to the next."""
        token = self.token
        self.place += 1
        return token

    def at(self, *texts: str) -> bool:
        """Tells whether the token at hand is one of these signs or words."""
        return self.token.text in texts and self.token.kind in ("sign", "name")

    def has(self, sign: str) -> bool:
        """Tells whether the token at hand is this sign, and if so goes past it."""
        if self.at(sign):
            self.place += 1
            return True
        return False

    def must_have(self, sign: str) -> None:
        if not self.has(sign):
            raise self.unexpected()

    def unexpected(self) -> ConditionError:
        text = self.token.text
        return ConditionError(f"unexpected {text}" if self.token.kind in ("end", "text") else f"unexpected '{text}'")

    def text_from(self, start: int) -> str:
        """Returns what has been read since a place in the source, on one line."""
        text = self.source[start : self.tokens[self.place - 1].end]
        return re.sub(r"\s*\n\s*", " ", text) if "\n" in text else text

    # ---------------------------------------------------------------- the grammar

    def expr(self) -> Node:
        self.nested += 1
        if self.nested > _MAX_NESTED:
            raise ConditionError(_TOO_DEEP)
        start = self.token.start
        node = self.either()
        if self.has("?"):
            yes = self.expr()
            self.must_have(":")
            no = self.expr()
            node = IfElse(self.text_from(start), node, yes, no)
        self.nested -= 1
        return node

    def either(self) -> Node:
        return self._joined("||", self.both)

    def both(self) -> Node:
        return self._joined("&&", self.rel)

    def rel(self) -> Node:
        start = self.token.start
        node = self.sum()
        if self.at(*COMPARISONS):
            sign = self.take().text
            right = self.sum()
            node = Binary(self.text_from(start), sign, node, right)
            if self.at(*COMPARISONS):
                raise ConditionError("comparisons cannot be chained")
        return node

    def sum(self) -> Node:
        return self._chained(("+", "-"), self.term)

    def term(self) -> Node:
        return self._chained(("*", "/"), self.unary)

    def unary(self) -> Node:
        signs = []
        while self.at("!", "-"):
            signs.append(self.take())
        node = self.postfix()
        for sign in reversed(signs):
            node = Sign(self.text_from(sign.start), sign.text, node)
        return node

    def postfix(self) -> Node:
        start = self.token.start
        node = self.primary()
        while self.has("."):
            if self.token.kind != "name":
                raise self.unexpected()
            name = self.take().text
            if self.has("("):
                arguments = self._listed(")")
                node = Call(self.text_from(start), node, name, arguments)
            else:
                node = Field(self.text_from(start), node, name)
        return node

    def primary(self) -> Node:
        token = self.token
        if token.kind == "number":
            self.take()
            return Literal(token.text, Decimal(token.text) if "." in token.text else int(token.text))
        if token.kind == "text":
            self.take()
            return Literal(token.text, token.text[1:-1])
        if token.kind == "name" and token.text != "in":
            self.take()
            if token.text in _WORDS:
                return Literal(token.text, _WORDS[token.text])
            if self.has("("):
                arguments = self._listed(")")
                return Call(self.text_from(token.start), None, token.text, arguments)
            return Name(token.text)
        if self.has("["):
            items = self._listed("]")
            return ListOf(self.text_from(token.start), items)
        self.must_have("(")
        node = self.expr()
        self.must_have(")")
        return node

    # ---------------------------------------------------------------- what lines of the grammar share

    def _joined(self, sign: str, part: Callable[[], Node]) -> Node:
        start = self.token.start
        parts = [part()]
        while self.has(sign):
            parts.append(part())
        return parts[0] if len(parts) == 1 else Connective(self.text_from(start), sign, tuple(parts))

    def _chained(self, signs: tuple[str, ...], part: Callable[[], Node]) -> Node:
        start = self.token.start
        node = part()
        while self.at(*signs):
            sign = self.take().text
            right = part()
            node = Binary(self.text_from(start), sign, node, right)
        return node

    def _listed(self, end: str) -> tuple[Node, ...]:
        if self.has(end):
            return ()
        items = [self.expr()]
        while self.has(","):
            items.append(self.expr())
        self.must_have(end)
        return tuple(items)
