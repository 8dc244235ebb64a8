"""The words of a condition: numbers, texts, names and signs."""

from __future__ import annotations

import re
from typing import NamedTuple

from sewershed.rules.conditions.errors import ConditionError

_TOKEN = re.compile(
    r"""
    [ \t\r\n]* (?:
    (?P<number> [0-9]+ (?: \.[0-9]+ )? )
  | (?P<text>   '[^'\\\n]*' | "[^"\\\n]*" )
  | (?P<name>   [A-Za-z_][A-Za-z0-9_]* )
  | (?P<sign>   \|\| | && | == | != | <= | >= | [-+*/<>!?:.,()\[\]] )
    )
    """,
    re.VERBOSE,
)
_SPACE = " \t\r\n"
_MAX_DIGITS = 100  # far more than any figure of a law, and few enough that no work is lost on them
_MAX_SHOWN = 40


class Token(NamedTuple):
    """One word of a condition and where it stands. The last one of a condition is of the kind "end"."""

    kind: str  # "number", "text", "name", "sign" or "end"
    text: str
    start: int
    end: int


def tokens_of(source: str) -> list[Token]:
    """Returns the words of a condition.

    Refuses: a character that begins no word; a text that is not closed on its line, or has a backslash in it; a number of
    more than 100 digits.

    Example:
        >>> [token.text for token in tokens_of("house.width_ft >= 5")]
        ['house', '.', 'width_ft', '>=', '5', 'end']
        >>> tokens_of("house.width_ft => 5")
        Traceback (most recent call last):
            ...
        sewershed.rules.conditions.errors.ConditionError: cannot read '=> 5'
    """
    found: list[Token] = []
    place, last = 0, len(source.rstrip(_SPACE))
    while place < last:
        match = _TOKEN.match(source, place)
        kind = match.lastgroup if match else None
        if match is None or kind is None or (kind == "number" and len(match[kind]) > _MAX_DIGITS):
            rest = source[place:].lstrip(_SPACE).rstrip()
            raise ConditionError(f"cannot read '{rest if len(rest) <= _MAX_SHOWN else rest[:_MAX_SHOWN] + '...'}'")
        place = match.end()
        found.append(Token(kind, match[kind], match.start(kind), place))
    found.append(Token("end", "end", len(source), len(source)))
    return found
