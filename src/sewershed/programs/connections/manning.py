"""Manning's formula for a circular pipe that runs full."""

from __future__ import annotations

from decimal import ROUND_HALF_EVEN, Decimal, localcontext
from fractions import Fraction

from sewershed.rules.doors import Result, function
from sewershed.rules.types import Number
from sewershed.rules.unknown import Unknown, Want

MANNING_US = Decimal("1.486")  # the customary rounding of 1 ft/s per (m/s), 3.2808 ** (1/3), as handbooks print it
PI = Decimal("3.14159265358979323846264338327950288")
GPM_PER_CFS = Decimal("448.83")  # 60 s times 7.4805 gal a cubic foot, as handbooks print it
WORKING_DIGITS, RESULT_DIGITS = 50, 28


def full_velocity_fps(diameter_in: Number, slope_ft_per_ft: Number, n: Number) -> Decimal:
    """Returns the velocity in a circular pipe flowing full: (1.486 / n) (D/4)^(2/3) S^(1/2).

    Law: the formula as handbooks print it in US units; no clause prints it.
    Units: diameter in inches (D of the formula is in feet), slope in feet a foot, result in feet a second.
    Edge: roots are worked in 50 digits and the result is rounded half-even to 28, so a velocity that is exactly a bound
        comes out as that bound. A slope of zero gives zero.
    Refuses: a diameter or n of zero or less, and a slope below zero (ValueError).

    Example:
        >>> round(full_velocity_fps(8, Decimal("0.004"), Decimal("0.013")), 3)
        Decimal('2.189')
        >>> full_velocity_fps(48, Decimal("0.0001"), Decimal("0.00743"))
        Decimal('2.000000000000000000000000000')
    """
    if diameter_in <= 0 or n <= 0 or slope_ft_per_ft < 0:
        raise ValueError("Manning's formula needs a diameter and an n above zero and a slope of zero or more")
    with localcontext() as context:
        context.prec, context.rounding = WORKING_DIGITS, ROUND_HALF_EVEN
        radius_ft = _decimal(diameter_in) / 48
        # The cube root goes through exp and ln, which is why so many digits are carried.
        velocity = MANNING_US / _decimal(n) * radius_ft ** (Decimal(2) / 3) * _decimal(slope_ft_per_ft).sqrt()
        context.prec = RESULT_DIGITS
        return +velocity


def full_flow_gpm(diameter_in: Number, slope_ft_per_ft: Number, n: Number) -> Decimal:
    """Returns the flow of a circular pipe flowing full, in gallons a minute: velocity times area.

    Units: as `full_velocity_fps`; 1 cubic foot a second is 448.83 gallons a minute.
    Edge: rounded half-even to 28 digits.
    Refuses: as `full_velocity_fps`.

    Example:
        >>> round(full_flow_gpm(8, Decimal("0.004"), Decimal("0.013")), 1)
        Decimal('343.0')
    """
    velocity = full_velocity_fps(diameter_in, slope_ft_per_ft, n)
    with localcontext() as context:
        context.prec = WORKING_DIGITS
        area_ft2 = PI * (_decimal(diameter_in) / 12) ** 2 / 4
        flow = velocity * area_ft2 * GPM_PER_CFS
        context.prec = RESULT_DIGITS
        return +flow


def _decimal(value: Number) -> Decimal:
    return Decimal(value.numerator) / Decimal(value.denominator) if isinstance(value, Fraction) else Decimal(value)


@function(
    args={
        "diameter_in": {"type": "number", "unit": "in"},
        "slope_ft_per_ft": {"type": "number"},
        "n": {"type": "number"},
    },
    result={"type": "number", "unit": "fps"},
)
def manning_full_fps(diameter_in: Number, slope_ft_per_ft: Number, n: Number) -> Result:
    """Returns the velocity in feet a second of a circular pipe flowing full, or an unknown for figures that cannot be.

    Edge: as `full_velocity_fps`.
    Refuses: as `full_velocity_fps`, by asking for the figure again.
    """
    if n == 0:
        return Unknown((Want("arithmetic", "Manning's n"),))
    if diameter_in <= 0 or n < 0 or slope_ft_per_ft < 0:
        return Unknown((Want("fact", "a diameter and n above zero and a slope of zero or more"),))
    return full_velocity_fps(diameter_in, slope_ft_per_ft, n)
