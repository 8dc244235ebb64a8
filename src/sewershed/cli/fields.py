"""Fields as they are typed: `field=value`, read by the type that the vocabulary gives.

The ledger checks every value; here a text only takes the shape that the ledger reads: a list at its commas, a moment with
its T, a thing by any of its names.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

import click

from sewershed.cli.failing import Failure
from sewershed.ledger.moments import iso_text
from sewershed.rules.types import Type
from sewershed.rules.vocabulary import Fact

Find = Callable[[str, str], str]  # of a name and a type of thing: the id of the thing
Attach = Callable[[Path], str]  # of a file: the hash under which it was kept


def split_setting(text: str) -> tuple[str, str]:
    """Returns the field and the value of a text such as "what=smell".

    Refuses: a text without an equals sign, as a matter of usage.

    Example:
        >>> split_setting("location=Oak Street = the corner")
        ('location', 'Oak Street = the corner')
    """
    name, equals, value = text.partition("=")
    if not (equals and name.strip()):
        raise click.BadParameter(f"{text!r} sets nothing; write FIELD=VALUE", param_hint="--set")
    return name.strip(), value.strip()


def read_settings(
    settings: tuple[str, ...], known: Mapping[str, Fact], *, find: Find, attach: Attach | None = None
) -> dict[str, Any]:
    """Returns what was set, in the shape that the ledger reads; a field set to nothing is asked and not known.

    Edge: a field that the vocabulary does not have is handed on as it is: the ledger says so, and what may be meant.

    Args:
        settings: each FIELD=VALUE.
        known: the fields of the vocabulary.
        find: finds a thing by a name.
        attach: keeps a file that a value names with @, where files can be kept.
    """
    said: dict[str, Any] = {}
    for setting in settings:
        name, text = split_setting(setting)
        fact = known.get(name)
        said[name] = value_of(text, fact.type, find=find, attach=attach) if fact is not None else text
    return said


def value_of(text: str, kind: Type, *, find: Find, attach: Attach | None = None) -> Any:
    """Returns a typed value in the shape that the ledger reads."""
    if text == "":
        return None
    match kind.kind:
        case "date" | "instant" | "moment":
            said = iso_text(text)
            if kind.kind != "date" and not said[:4].isdigit():
                raise Failure(f'{text!r} is no time; write 2024-03-08 or "2024-03-08 15:40"')
            return said
        case "ref":
            return find(text, kind.to)
        case "file":
            return _file(text, attach)
        case "list":
            if text.startswith("["):
                return _json(text)
            assert kind.item is not None
            if kind.item.kind == "record":
                raise Failure(f"{text!r} is no list of fields; write JSON, such as [{{{_keys(kind.item)}}}]")
            return [value_of(one.strip(), kind.item, find=find, attach=attach) for one in text.split(",")]
        case "record" | "geometry":
            return _json(text)
        case _:
            return text


def type_words(fact: Fact, roles: Mapping[str, str]) -> str:
    """Returns what may stand in a field, in words; roles are the titles of offices."""
    kind = fact.type
    match kind.kind:
        case "bool":
            said = "yes or no"
        case "choice":
            said = ", ".join(kind.words)
        case "number" | "money":
            said = f"{kind.kind}, in {kind.unit}" if kind.unit else kind.kind
            bounds = ((fact.least, "more"), (fact.most, "less"))
            said += "".join(f", {bound} or {way}" for bound, way in bounds if bound is not None)
        case "ref":
            said = f"a {kind.to.replace('_', ' ')}"
        case "date":
            said = "a day"
        case "instant":
            said = "a day and a time"
        case "moment":
            said = "a day, with its time where that is known"
        case "file":
            said = "@FILE"
        case "geometry":
            said = "GeoJSON"
        case "list":
            assert kind.item is not None
            if kind.item.kind == "record":
                said = f"JSON list of {{{_keys(kind.item)}}}"
            else:
                said = f"one or more of: {type_words(Fact(fact.name, kind.item), roles)}; commas between"
        case "text" if fact.one_of is not None and fact.one_of.source == "event":
            said = f"a {fact.one_of.name.replace('_', ' ')} of the same thing, by its number or its row's id"
        case _:
            said = kind.kind
    by = roles.get(fact.judged_by, fact.judged_by.replace("_", " "))
    return f"{said}; decided by {by if by.startswith('the ') else f'the {by}'}" if by else said


def _keys(record: Type) -> str:
    return ", ".join(f'"{name}": …' for name, _ in record.fields)


def _file(text: str, attach: Attach | None) -> str:
    if not text.startswith("@") or attach is None:
        return text
    path = Path(text[1:])
    if not path.is_file():
        raise Failure(f"there is no file {text[1:]!r} to attach")
    return attach(path)


def _json(text: str) -> Any:
    try:
        return json.loads(text, parse_float=Decimal)
    except ValueError as error:
        raise Failure(f"{text!r} is not JSON: {error}") from None
