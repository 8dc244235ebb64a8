"""Exact arithmetic: nothing is ever rounded, whatever the number of digits (docs/explanation/rulebook.md 6, "Exactness").

A number is an int, a Decimal, or a Fraction where its decimals would not end. Decimal's own operators round to the digits
of a context, so every operation goes through `EXACT`, which refuses to round; what it refuses is done in fractions.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, DecimalException, Inexact, InvalidOperation, Overflow
from fractions import Fraction

from sewershed.rules.types import Number

Operation = Callable[[Number, Number], Number]

EXACT = Context(prec=120, Emax=MAX_EMAX, Emin=MIN_EMIN, traps=[Inexact, InvalidOperation, Overflow])


def _exactly(plain: Callable[..., Number], in_decimals: Callable[..., Decimal]) -> Operation:
    def work(a: Number, b: Number) -> Number:
        if type(a) is int and type(b) is int:
            return plain(a, b)
        if not (isinstance(a, Fraction) or isinstance(b, Fraction)):
            try:
                return in_decimals(a, b)
            except DecimalException:
                pass  # more digits than EXACT has
        return plain(Fraction(a), Fraction(b))

    return work


add = _exactly(operator.add, EXACT.add)
subtract = _exactly(operator.sub, EXACT.subtract)
multiply = _exactly(operator.mul, EXACT.multiply)


def divide(a: Number, b: Number) -> Number | None:
    """Returns the exact quotient, or None for a division by zero.

    Edge: a quotient whose decimals end is an int or a Decimal, any other a Fraction.

    Example:
        >>> divide(7, 2), divide(6, 3), divide(1, 3), divide(1, 0)
        (Decimal('3.5'), 2, Fraction(1, 3), None)
    """
    if b == 0:
        return None
    if type(a) is int and type(b) is int and a % b == 0:
        return a // b
    if not (isinstance(a, Fraction) or isinstance(b, Fraction)):
        try:
            return EXACT.divide(a, b)
        except DecimalException:
            pass  # its decimals do not end, or there are more than EXACT has
    return Fraction(a) / Fraction(b)


def negate(a: Number) -> Number:
    """Returns the number with the other sign.

    Example:
        >>> negate(Decimal("0.1"))
        Decimal('-0.1')
    """
    return multiply(-1, a)


OPERATIONS: dict[str, Callable[[Number, Number], Number | None]] = {
    "+": add,
    "-": subtract,
    "*": multiply,
    "/": divide,
}
