"""How figures are taken in and printed: exact, checked with words that help, and never rounded without saying so.

A bound of the law stands at a whole number, so nothing is ever rounded onto a whole number that it is not.
"""

from __future__ import annotations

from decimal import Decimal, localcontext
from fractions import Fraction

from sewershed.rules.types import Number


class CannotEstimateError(ValueError):
    """A calculation that will not answer with what it was given: what is missing or out of range, and what to do."""


def measured(value: Number, what: str, *, above: Number | None = None, least: Number | None = None) -> Fraction:
    """Returns a figure as an exact fraction.

    Edge: ``above`` itself is refused, ``least`` itself is taken.
    Refuses: a float or anything else that is not exact, and a figure outside the bounds.

    Example:
        >>> measured(5, "the depth, in inches,", above=0)
        Fraction(5, 1)
        >>> measured(0, "the depth, in inches,", above=0)
        Traceback (most recent call last):
            ...
        sewershed.rules.figures.CannotEstimateError: the depth, in inches, is 0; it must be above 0. Measure it again
    """
    if isinstance(value, bool) or not isinstance(value, int | Decimal | Fraction):
        raise CannotEstimateError(f"{what} must be an exact number, not {value!r}; give it as measured")
    if isinstance(value, Decimal) and not value.is_finite():
        raise CannotEstimateError(f"{what} is {value}, which is no measurement; give it as measured")
    number = Fraction(value)
    if above is not None and number <= above:
        raise CannotEstimateError(f"{what} is {value}; it must be above {above}. Measure it again")
    if least is not None and number < least:
        raise CannotEstimateError(f"{what} is {value}; it must be {least} or more. Measure it again")
    return number


def stated(text: str, what: str, why: str) -> str:
    """Returns a text that must be there, without the blanks around it.

    Refuses: an empty one, saying why it is needed.
    """
    if not text.strip():
        raise CannotEstimateError(f"{what} is missing: {why}")
    return text.strip()


def plain(value: Number, places: int = 4) -> str:
    """Returns a number for print: exact where it ends within the places, else rounded half up and marked "about".

    Edge: never rounded onto a whole number that it is not: further digits are shown, so 999.999996 is not 1,000.

    Example:
        >>> plain(Fraction(1, 8)), plain(Fraction(1, 3)), plain(12500), plain(Fraction("999.999996"))
        ('0.125', 'about 0.3333', '12,500', '999.999996')
    """
    exact_value = Fraction(value)
    for digits in range(places, places + 20):
        unit = 10**digits
        scaled = exact_value * unit
        whole = (2 * abs(scaled.numerator) + scaled.denominator) // (2 * scaled.denominator)
        rounded = Fraction(whole if exact_value >= 0 else -whole, unit)
        if rounded == exact_value or rounded.denominator != 1:
            break
    text = f"{Decimal(rounded.numerator) / Decimal(rounded.denominator):,f}"
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return text if rounded == exact_value else f"about {text}"


def gallons(value: Number) -> str:
    """Returns a volume for print: to a tenth of a gallon, half up, marked "about" where that rounds.

    Edge: never rounded onto a whole gallon: 1,000.04 prints as more than 1,000, as it is.

    Example:
        >>> gallons(Fraction("1402.5")), gallons(Fraction("70.4967")), gallons(Fraction("1000.04"))
        ('1,402.5 gal', 'about 70.5 gal', '1,000.04 gal')
    """
    return f"{plain(value, 1)} gal"


def exact(value: Number) -> str:
    """Returns a number as a text that loses nothing: decimal where it ends, else a fraction.

    Example:
        >>> exact(Fraction(5, 4)), exact(Fraction(1, 3)), exact(3000)
        ('1.25', '1/3', '3000')
    """
    fraction = Fraction(value)
    rest = fraction.denominator
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    if rest != 1:
        return f"{fraction.numerator}/{fraction.denominator}"
    with localcontext() as context:
        context.prec = 400
        text = f"{Decimal(fraction.numerator) / Decimal(fraction.denominator):f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
