"""What stands under a key of an entry: a list of texts, a list of tables, a table. It is said before anything is read of it.

A text where a list belongs would else be read letter by letter.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any

_TEXTS = frozenset(
    {"about", "by", "choices", "cites", "covers", "defends", "doubts", "factors", "for", "once", "penalty", "states", "strongest"}
)  # fmt: skip
_TABLES = frozenset({"axes", "cases", "contents", "most", "needs", "readings", "steps", "versions"})
_TABLE = frozenset({"asks", "breach", "combine", "opens", "set"})
_LISTS = frozenset({"cells", "exact", "ladder"})
_TEXT = frozenset({"as", "function", "on", "parameter", "start", "type"})


def faults(table: Mapping[str, Any], path: str = "") -> Iterator[str]:
    """Yields what stands in another shape than it is read in, with where it stands.

    Example:
        >>> list(faults({"cites": "14-10(a)", "breach": {"penalty": "p"}}))
        ['cites is a list of texts: write cites = ["14-10(a)"]', 'breach.penalty is a list of texts: write penalty = ["p"]']
    """
    for key, value in table.items():
        where = f"{path}{key}"
        is_list = isinstance(value, list)
        if key in _TEXTS and not (is_list and all(isinstance(one, str) for one in value)):
            said = f'["{value}"]' if isinstance(value, str) else '["…"]'
            yield f"{where} is a list of texts: write {key} = {said}"
        elif key in _TABLES and not (is_list and all(isinstance(one, Mapping) for one in value)):
            yield f"{where} is a list of tables: write {key} = [{{ … }}]"
        elif key in _TABLE and not isinstance(value, Mapping):
            yield f"{where} is a table: write {key} = {{ … }}"
        elif key in _LISTS and not is_list:
            yield f"{where} is a list: write {key} = [ … ]"
        elif key in _TEXT and not isinstance(value, str):
            yield f'{where} is a text: write {key} = "…"'
        elif (
            key == "of" and not isinstance(value, str) and not (is_list and all(isinstance(one, str) for one in value))
        ):
            yield f'{where} is a text or a list of texts: write of = ["…"]'
        elif key == "bands" and not (is_list and all(_is_band(one) for one in value)):
            yield f"{where} is a list of pairs: write bands = [[0, 10], [10, 25]]"
        elif key == "stayed_by" and not all(isinstance(one, Mapping) for one in (value if is_list else [value])):
            yield f"{where} is a table, or a list of them: write stayed_by = {{ … }}"
        elif key == "silent" and is_list and not all(isinstance(one, str) for one in value):
            yield f'{where} is true, or a list of texts: write silent = ["…"]'
        elif key in _TABLE:
            yield from faults(value, f"{where}.")
        elif key in _TABLES:
            for number, one in enumerate(value):
                yield from faults(one, f"{where}[{number}].")


def _is_band(value: object) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(isinstance(one, int | Decimal) for one in value)
