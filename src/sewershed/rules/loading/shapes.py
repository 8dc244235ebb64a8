"""What stands under a key of an entry: a list of texts, a list of tables, a table. It is said before anything is read of it.

A text where a list belongs would else be read letter by letter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from typing import Any, NamedTuple


class _Shape(NamedTuple):
    """What a value must be, in words, how one is written, and what tells whether a value is one."""

    said: str
    written: str
    holds: Callable[[Any], bool]


def _is_list(value: Any, of: type | tuple[Any, ...]) -> bool:
    return isinstance(value, list) and all(isinstance(one, of) for one in value)


def _is_band(value: Any) -> bool:
    return _is_list(value, (int, Decimal)) and len(value) == 2


_TEXT = _Shape("a text", '"…"', lambda value: isinstance(value, str))
_TEXTS = _Shape("a list of texts", '["…"]', lambda value: _is_list(value, str))
_TABLE = _Shape("a table", "{ … }", lambda value: isinstance(value, Mapping))
_TABLES = _Shape("a list of tables", "[{ … }]", lambda value: _is_list(value, Mapping))
_LIST = _Shape("a list", "[ … ]", lambda value: isinstance(value, list))
_BY_SHAPE: Mapping[_Shape, str] = {
    _TEXT: "as function on parameter start type",
    _TEXTS: "about by choices cites covers defends doubts factors for once penalty states strongest",
    _TABLE: "asks breach combine opens set",
    _TABLES: "axes cases contents most needs readings steps versions",
    _LIST: "cells exact ladder",
    _Shape("a text or a list of texts", '["…"]', lambda value: _TEXT.holds(value) or _TEXTS.holds(value)): "of",
    _Shape("a list of pairs", "[[0, 10], [10, 25]]", lambda value: _LIST.holds(value) and all(map(_is_band, value))): "bands",
    _Shape("a table, or a list of them", "{ … }", lambda value: _TABLE.holds(value) or _TABLES.holds(value)): "stayed_by",
    _Shape("true, or a list of texts", '["…"]', lambda value: not _LIST.holds(value) or _TEXTS.holds(value)): "silent",
}  # fmt: skip
_SHAPES = {key: shape for shape, keys in _BY_SHAPE.items() for key in keys.split()}


def faults(table: Mapping[str, Any], path: str = "") -> Iterator[str]:
    """Yields what stands in another shape than it is read in, with where it stands.

    Example:
        >>> list(faults({"cites": "14-10(a)", "breach": {"penalty": "p"}}))
        ['cites is a list of texts: write cites = ["14-10(a)"]', 'breach.penalty is a list of texts: write penalty = ["p"]']
    """
    for key, value in table.items():
        shape, where = _SHAPES.get(key), f"{path}{key}"
        if shape is None:
            continue
        if not shape.holds(value):
            written = f'["{value}"]' if shape is _TEXTS and isinstance(value, str) else shape.written
            yield f"{where} is {shape.said}: write {key} = {written}"
        elif shape is _TABLE:
            yield from faults(value, f"{where}.")
        elif shape is _TABLES:
            for number, one in enumerate(value):
                yield from faults(one, f"{where}[{number}].")
