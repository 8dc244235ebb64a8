"""Units, and exact conversion between them.

Law is decided with exact numbers: every factor here is an exact fraction with its source beside it, and no float is
ever used. The table is small on purpose. A unit is a word of the table ("gallon", "psi"), or words put together with
``*`` and ``/``, read from left to right, a power as a trailing digit: ``gallon/minute``, ``mg/L``, ``ft2``, ``lb/day``.

Sources: *FR 1959*: Federal Register 24 FR 5348 (1 July 1959), the international yard and the avoirdupois pound.
*HB 44*: NIST Handbook 44, Appendix C (since 2023 all on the international foot). *SP 811*: NIST Special Publication 811
(2008), Appendix B. *SP 330*: NIST Special Publication 330 (2019), the International System of Units.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache

from sewershed.rules.problems import did_you_mean
from sewershed.rules.types import Number


class UnitError(ValueError):
    """A unit that nobody knows, or two that do not measure the same."""


@dataclass(frozen=True, slots=True)
class Unit:
    """What a number is counted in.

    Two are equal when they are the same amount of the same kind, however they are written: ``gpd`` is ``gallon/day``.
    """

    text: str = field(compare=False)
    factor: Fraction  # how many of the base units one of it is
    dimension: tuple[int, ...]  # the power of each base, in the order of _BASES
    zero: Fraction = Fraction(0)  # where its scale begins, in the base unit: not 0 for degC and degF only

    def __str__(self) -> str:
        return self.text


# A month is a base of its own: how many days it has depends on which one, so it is never turned into days.
_BASES = ("m", "kg", "second", "month", "K", "usd", "standard_unit")

# Words (the first is the usual one), how many, of what, source. Each row rests on rows above it.
_TABLE = (
    ("km", "1000", "m", "SP 330"),
    ("cm", "0.01", "m", "SP 330"),
    ("mm", "0.001", "m", "SP 330"),
    ("in", "0.0254", "m", "FR 1959: a yard is 0.9144 m"),
    ("ft", "12", "in", "HB 44"),
    ("yd", "3", "ft", "HB 44"),
    ("mile miles", "5280", "ft", "HB 44"),
    ("acre acres", "43560", "ft2", "HB 44; on the international foot, not the survey foot used before 2023"),
    ("L", "0.001", "m3", "SP 330: a liter is a cubic decimeter"),
    ("mL", "0.001", "L", "SP 330"),
    ("gallon gallons", "231", "in3", "HB 44: the US liquid gallon"),
    ("g", "0.001", "kg", "SP 330"),
    ("mg", "0.001", "g", "SP 330"),
    ("ug", "0.001", "mg", "SP 330"),
    ("ng", "0.001", "ug", "SP 330"),
    ("lb", "0.45359237", "kg", "FR 1959: the avoirdupois pound"),
    ("ton tons", "2000", "lb", "HB 44: the short ton"),
    ("minute minutes", "60", "second", "SP 330"),
    ("hour hours", "60", "minute", "SP 330"),
    ("day days", "24", "hour", "SP 330; an amount of time, not a day of the calendar, which may have 23 or 25 hours"),
    ("week weeks", "7", "day", "by definition"),
    ("year years", "12", "month", "by definition"),
    ("gpm", "1", "gallon/minute", "by definition"),
    ("gpd", "1", "gallon/day", "by definition"),
    ("mgd", "1000000", "gallon/day", "by definition: million gallons a day"),
    ("cfs", "1", "ft3/second", "by definition"),
    ("fps", "1", "ft/second", "by definition"),
    ("Pa", "1", "kg/m/second2", "SP 330"),
    ("kPa", "1000", "Pa", "SP 330"),
    ("psi", "9.80665", "lb*m/second2/in2", "SP 811: the pound-force is the pound times standard gravity, 9.80665 m/s2"),
    ("inHg", "3386.389", "Pa", "SP 811: inch of mercury, conventional, as printed there"),
    ("W", "1", "kg*m2/second3", "SP 330"),
    ("kW", "1000", "W", "SP 330"),
    ("hp", "5393.6575", "lb*ft*m/second3", "SP 811: 550 foot pounds-force a second; 550 times 9.80665"),
    ("percent", "0.01", "", "by definition"),
    ("ppm", "0.000001", "", "by definition: a share, of mass in mass; mg/L is mass in volume and not the same"),
)

# Scales: a reading, a step of one in the base unit, the base reading at its zero, source.
_SCALES = (
    ("degC", "1", "273.15", "SP 330"),
    ("degF", "5/9", "45967/180", "SP 811: (F + 459.67) / 1.8 kelvins"),
)

_ALONE = ("degC", "degF", "standard_unit")  # readings on a scale: nothing can be multiplied by or divided into them
_WORD = re.compile(r"([A-Za-z_]+)([2-9]?)", re.ASCII)
_NUMBERLESS = (0,) * len(_BASES)


def _compound(text: str, known: Mapping[str, Unit]) -> Unit:
    """Returns the unit of words put together."""
    factor, dimension = Fraction(1), _NUMBERLESS
    parts = re.split(r"([*/])", text)
    for sign, part in zip(["*", *parts[1::2]], parts[::2], strict=True):
        match = _WORD.fullmatch(part)
        if match is None:
            raise UnitError(f"cannot read unit '{text}'; write e.g. gallon, gallon/minute, mg/L, ft2")
        word, power = match[1], int(match[2] or 1) * (1 if sign == "*" else -1)
        if word not in known:
            where = "" if word == text else f" in '{text}'"
            raise UnitError(f"unknown unit '{word}'{where}{_nearest(word, known)}")
        if word in _ALONE:
            raise UnitError(f"unit '{text}': {word} is a reading on a scale and stands alone")
        factor *= known[word].factor ** power
        dimension = tuple(old + new * power for old, new in zip(dimension, known[word].dimension, strict=True))
    return Unit(text, factor, dimension)


def _nearest(word: str, known: Iterable[str]) -> str:
    """Returns the question for a misspelt word; one that differs only in capitals comes first."""
    same = [name for name in known if name.lower() == word.lower()]
    return f"; did you mean '{same[0]}'?" if same else did_you_mean(word, known)


def _read_table() -> dict[str, Unit]:
    """Returns every word with its unit, worked out row by row."""
    known = {base: Unit(base, Fraction(1), tuple(int(base == other) for other in _BASES)) for base in _BASES}
    known |= {"seconds": known["second"], "months": known["month"]}
    for words, amount, of, _ in _TABLE:
        one = _compound(of, known) if of else Unit("", Fraction(1), _NUMBERLESS)
        usual = words.split()[0]
        known |= dict.fromkeys(words.split(), Unit(usual, Fraction(amount) * one.factor, one.dimension))
    for word, step, zero, _ in _SCALES:
        known[word] = Unit(word, Fraction(step), known["K"].dimension, Fraction(zero))
    return known


_KNOWN = _read_table()


@lru_cache(maxsize=1024)
def unit(text: str) -> Unit:
    """Returns the unit that a text names.

    Edge: capitals count, because in this trade they carry meaning (mg is a milligram, MG a million gallons).

    Refuses: with `UnitError`, an empty text, a word that is not in the table, a temperature or a pH within a compound.

    Example:
        >>> unit("gallon/day") == unit("gpd")
        True
        >>> unit("galon/minute")
        Traceback (most recent call last):
            ...
        sewershed.rules.units.UnitError: unknown unit 'galon' in 'galon/minute'; did you mean 'gallon'?
    """
    if not text:
        raise UnitError("no unit is given; write e.g. gallon, gallon/minute, mg/L, ft2")
    return _KNOWN.get(text) or _compound(text, _KNOWN)


def is_convertible(from_unit: str, to_unit: str) -> bool:
    """Tells whether both units measure the same kind of quantity.

    Refuses: with `UnitError`, a unit that is not known.

    Example:
        >>> is_convertible("mgd", "gpm"), is_convertible("mg/L", "ppm")
        (True, False)
    """
    return unit(from_unit).dimension == unit(to_unit).dimension


def convert(value: Number, from_unit: str, to_unit: str) -> Number:
    """Returns a quantity in another unit, exactly.

    Units: any two that measure the same kind of quantity. A temperature is taken as a reading (113 degF is 45 degC),
    not as a difference between two readings.

    Edge: nothing is rounded. The answer is an int, or a Decimal where its decimals end, else a Fraction. Where both
    units are the same the value comes back as it was given.

    Refuses: with `UnitError`, units of different kinds, among them mg/L and ppm (mass in volume, mass in mass), and
    months and days; with `TypeError`, a float.

    Example:
        >>> convert(113, "degF", "degC"), convert(Decimal("0.5"), "mgd", "gpd"), convert(114, "degF", "degC")
        (45, 500000, Fraction(410, 9))
        >>> convert(5, "ft", "mg/L")
        Traceback (most recent call last):
            ...
        sewershed.rules.units.UnitError: unit 'ft' cannot be turned into mg/L
    """
    step, shift = _line(from_unit, to_unit)
    if isinstance(value, float):
        raise TypeError(f"{value} is a float; quantities of the law are int, Decimal or Fraction")
    if step == 1 and not shift:
        return value
    return _plain(Fraction(value) * step + shift)


@lru_cache(maxsize=1024)
def _line(from_unit: str, to_unit: str) -> tuple[Fraction, Fraction]:
    """Returns the slope and the shift that turn a number of one unit into a number of the other."""
    old, new = unit(from_unit), unit(to_unit)
    if old.dimension != new.dimension:
        raise UnitError(f"unit '{from_unit}' cannot be turned into {to_unit}")
    return old.factor / new.factor, (old.zero - new.zero) / new.factor


def _plain(value: Fraction) -> Number:
    """Returns the simplest exact form of a fraction: an int, a Decimal that ends, or the fraction itself."""
    if value.denominator == 1:
        return value.numerator
    rest, twos, fives = value.denominator, 0, 0
    while rest % 2 == 0:
        rest, twos = rest // 2, twos + 1
    while rest % 5 == 0:
        rest, fives = rest // 5, fives + 1
    if rest != 1:
        return value
    places = max(twos, fives)
    # Built from text, because arithmetic on a Decimal would round to the digits of the context.
    return Decimal(f"{value.numerator * 10**places // value.denominator}E-{places}")
