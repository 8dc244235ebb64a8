"""Which types go together: what may be compared, added, chosen between and handed in.

A number without a unit (a bare figure, a product, a quotient, a count) stands in the unit beside it; two different units
never meet. A text between quotation marks is a choice of one word, so that it is checked against the words of a choice.
"""

from __future__ import annotations

from dataclasses import replace

from sewershed.rules.conditions.terms import Constant, Term
from sewershed.rules.types import MOMENT, TEXT, Type
from sewershed.rules.units import unit

NUMBERS = ("number", "money")
WORDS = ("text", "choice")
MOMENTS = ("date", "instant", "moment")
_ORDERED = (*NUMBERS, *MOMENTS, "span")
_WITHOUT_EQUALITY = ("list", "record", "event", "geometry")


def described(term: Term) -> str:
    """Returns a term as messages name it: by its type, a written text by itself.

    Example:
        >>> described(Constant(Type("choice", words=("wide",)), "'wide'", "wide", is_written=True))
        "'wide'"
    """
    return f"'{term.value}'" if isinstance(term, Constant) and term.is_written else str(term.type)


def is_same_unit(a: Type, b: Type) -> bool:
    """Tells whether two numbers are in one unit, or one of them in none.

    Edge: a unit may be written in two ways ("gpd", "gallon/day"). Money meets only money and numbers without a unit.
    """
    if a.kind != b.kind:
        return not (a.unit if a.kind == "number" else b.unit)
    if not (a.unit and b.unit) or a.unit == b.unit:
        return True
    return a.kind == "number" and unit(a.unit) == unit(b.unit)


def is_comparable(a: Type, b: Type, sign: str) -> bool:
    """Tells whether two values may stand on the sides of a comparison.

    Edge: days, instants and moments may meet. A choice may meet another only where they share a word.
    """
    if sign not in ("==", "!=") and not (a.kind in _ORDERED and b.kind in _ORDERED):
        return False
    if a.kind in NUMBERS and b.kind in NUMBERS:
        return is_same_unit(a, b)
    if a.kind in MOMENTS and b.kind in MOMENTS:
        return True
    if a.kind in WORDS and b.kind in WORDS:
        return "text" in (a.kind, b.kind) or not set(a.words).isdisjoint(b.words)
    return a.kind == b.kind and a.to == b.to and a.kind not in _WITHOUT_EQUALITY


def common(a: Type, b: Type) -> Type | None:
    """Returns the type of a value that may be of either type, or None where there is none.

    Example:
        >>> str(common(Type("number"), Type("number", unit="ft")))
        'number in ft'
        >>> str(common(Type("choice", words=("home",)), Type("choice", words=("shop",))))
        'choice of home/shop'
    """
    if a == b:
        return a
    if a.kind in NUMBERS and b.kind in NUMBERS and is_same_unit(a, b):
        return b if b.unit or b.kind == "money" else a
    if a.kind in WORDS and b.kind in WORDS:
        if "text" in (a.kind, b.kind):
            return TEXT
        return replace(a, words=tuple(dict.fromkeys(a.words + b.words)))
    if {a.kind, b.kind} == {"instant", "moment"}:
        return MOMENT
    if a.kind == b.kind == "list" and a.item and b.item:
        item = common(a.item, b.item)
        return item and Type("list", item=item)
    return None


def fits(given: Type, wanted: Type) -> bool:
    """Tells whether a value of one type may stand where the other is wanted.

    Edge: a number without a unit fits every unit and money; a number with a unit does not fit where none is declared. A day
    or an instant is a moment. A choice fits where all its words are wanted ones, and is a text.
    """
    if given.kind in NUMBERS and wanted.kind in NUMBERS:
        if given.kind != wanted.kind:
            return given.kind == "number" and not given.unit
        return not given.unit or (bool(wanted.unit) and is_same_unit(given, wanted))
    if wanted.kind == "choice":
        return given.kind == "choice" and set(given.words) <= set(wanted.words)
    if given.kind == wanted.kind == "list" and given.item and wanted.item:
        return fits(given.item, wanted.item)
    if given.kind == wanted.kind == "record":
        return given.fields == wanted.fields
    if wanted.kind == "moment":
        return given.kind in MOMENTS
    if wanted.kind == "text":
        return given.kind in WORDS
    return given.kind == wanted.kind and given.to == wanted.to and given.events == wanted.events
