"""Days, times of day and numbers as people write them: every way in which a text may be meant, and nothing chosen.

"3/4/2024" may be two days, "1,234" two numbers. Which it is, a whole column tells, or a person (exchange/values.py).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache

from sewershed.exchange.columns import unit_word

_MONTHS = ("january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december")  # fmt: skip
_WEEKDAY = re.compile(r"(mon|tue|wed|thu|fri|sat|sun)[a-z]*[.,]?\s+", re.IGNORECASE)
_ISO = re.compile(r"(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?!\d)", re.ASCII)
_COMPACT = re.compile(r"(\d{4})(\d\d)(\d\d)(?=\Z|[T\s])", re.ASCII)
_FIGURES = re.compile(r"(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d{2})(?!\d)", re.ASCII)
_DAY_MONTH = re.compile(r"(\d{1,2})(?:st|nd|rd|th)?[-\s./]*([A-Za-z]{3,9})\.?[-\s,./]*(\d{4}|\d{2})(?!\d)", re.ASCII)
_MONTH_DAY = re.compile(r"([A-Za-z]{3,9})\.?[-\s]*(\d{1,2})(?:st|nd|rd|th)?[-\s,]+(\d{4}|\d{2})(?!\d)", re.ASCII)
_CLOCK = re.compile(
    r"(?P<hour>\d{1,2})(?::(?P<minute>\d\d)(?::(?P<second>\d\d)(?:[.,]\d{1,9})?)?)?\s*"
    r"(?P<half>[ap]\.?\s?(?:m\.?)?)?\s*(?P<offset>Z|UTC|GMT|[+-]\d\d:?\d\d|[A-Z]{1,3}T)?\Z",
    re.ASCII | re.IGNORECASE,
)
_DAY_ZERO = re.compile(
    r"(12/30/1899|30/12/1899|1899-12-30|1/0/1900)\s+(?=\d)"
)  # databases write it before a time of day alone
_FOUR = re.compile(r"([01]?\d|2[0-3])([0-5]\d)\Z", re.ASCII)
_NUMBER = re.compile(r"(?P<sign>[+-]?)(?P<digits>\d[\d,.]*|[.,]\d+)(?P<rest>\s*[^\d\s].*)?\Z", re.ASCII | re.DOTALL)
_FRACTION = re.compile(r"(?:(\d{1,4})[\s-]+)?(\d{1,3})/(\d{1,3})(?P<rest>\s*[^\d\s/].*)?\Z", re.ASCII | re.DOTALL)
_GROUPED = re.compile(r"\d{1,3}(,\d{3})+\Z", re.ASCII)
_MARKS = {'"': "in", "''": "in", "\u201d": "in", "'": "ft", "\u2019": "ft", "%": "percent"}
_MOST_DIGITS = 20  # of a number, with its signs: no town counts further, and every sum of such is exact


@dataclass(frozen=True, slots=True)
class Day:
    """A day as it is written: year, month and day by each order in which it can be read ("" where there is only one way)."""

    orders: Mapping[str, tuple[int, int, int]]
    is_short: bool = False  # the year has two figures, and stands so in `orders`


@dataclass(frozen=True, slots=True)
class Clock:
    """A time of day as it is written."""

    hour: int
    minute: int
    second: int = 0
    half: str = ""  # "a" or "p"
    is_24: bool = False  # written as only a clock of 24 hours is
    offset: str = ""  # "-05:00", "Z" or the name of a clock, "EST"


@dataclass(frozen=True, slots=True)
class Number:
    """A number as it is written: its value; where commas or points may mean two things, its value by what parts decimals."""

    value: Decimal
    decimals: Mapping[str, Decimal] = field(default_factory=dict)  # point, comma
    unit: str = ""


@lru_cache(maxsize=4096)
def written(text: str) -> tuple[Day | None, Clock | None]:
    """Returns the day that a text begins with, and the time of day after it.

    Edge: a text with anything else in it is no day; so is a month without a day.

    Example:
        >>> written("3/13/2024 7:05 pm")[0].orders, written("3/4/24")[0].orders
        ({'mdy': (2024, 3, 13)}, {'mdy': (24, 3, 4), 'dmy': (24, 4, 3)})
    """
    text = text.strip()
    weekday = _WEEKDAY.match(text)
    text = text[weekday.end() :] if weekday else text
    day, end = _day(text)
    if day is None:
        return None, None
    rest = text[end:]
    if not rest.strip():
        return day, None
    is_iso = rest[0] in "Tt"
    if not (is_iso or rest[0] in " ,\t\xa0"):
        return None, None
    clock = clock_in(rest[1:].strip(" ,\t\xa0"), is_24=is_iso)
    return (day, clock) if clock else (None, None)


def _day(text: str) -> tuple[Day | None, int]:
    """Returns a day and where it ends in the text."""
    if found := _ISO.match(text):
        return Day(_real({"": (int(found[1]), int(found[3]), int(found[4]))}, is_short=False)), found.end()
    if found := _COMPACT.match(text):
        return Day(_real({"": (int(found[1]), int(found[2]), int(found[3]))}, is_short=False)), found.end()
    if found := _FIGURES.match(text):
        first, second, last = int(found[1]), int(found[3]), int(found[4])
        is_short = len(found[4]) == 2
        orders = {"mdy": (last, first, second), "dmy": (last, second, first)}
        if is_short and found[2] == "-" and len(found[1]) == 2:
            orders["ymd"] = (first, second, last)
        return Day(_real(orders, is_short=is_short), is_short), found.end()
    for pattern, month_at, day_at in ((_DAY_MONTH, 2, 1), (_MONTH_DAY, 1, 2)):
        found = pattern.match(text)
        if found and (month := _month(found[month_at])):
            is_short = len(found[3]) == 2
            return Day(
                _real({"": (int(found[3]), month, int(found[day_at]))}, is_short=is_short), is_short
            ), found.end()
    return None, 0


def _month(word: str) -> int:
    small = word.lower()
    small = "sep" if small == "sept" else small
    found = [number for number, name in enumerate(_MONTHS, start=1) if small in (name, name[:3])]
    return found[0] if found else 0


def _real(orders: Mapping[str, tuple[int, int, int]], *, is_short: bool) -> Mapping[str, tuple[int, int, int]]:
    """Returns the orders in which there is such a day. Of a short year it is not asked whether it has a 29 February."""
    real = {}
    for order, (year, month, day) in orders.items():
        try:
            date(2000 if is_short else year, month, day)
        except ValueError:
            continue
        real[order] = (year, month, day)
    return real


@lru_cache(maxsize=4096)
def clock_in(text: str, *, is_24: bool = False) -> Clock | None:
    """Returns the time of day that a text is, or None.

    Edge: four figures without a colon ("0730") are of a clock of 24 hours. An hour alone needs am or pm. Fractions of a
    second are dropped. 24:00 is the end of the day.

    Example:
        >>> clock_in("7:05 p.m."), clock_in("1430").hour, clock_in("7")
        (Clock(hour=7, minute=5, second=0, half='p', is_24=False, offset=''), 14, None)
    """
    text = text.strip()
    text = _DAY_ZERO.sub("", text)
    if text.startswith("T"):  # as ISO 8601 writes a time of day that stands alone
        text, is_24 = text[1:], True
    if found := _FOUR.match(text):
        return Clock(int(found[1]), int(found[2]), is_24=True)
    found = _CLOCK.match(text)
    if found is None or (found["minute"] is None and not found["half"]):
        return None
    hour, minute, second = int(found["hour"]), int(found["minute"] or 0), int(found["second"] or 0)
    half = (found["half"] or "")[:1].lower()
    is_end = hour == 24 and minute == 0 and second == 0 and not half
    if (hour > 23 and not is_end) or minute > 59 or second > 59 or (half and not 1 <= hour <= 12):
        return None
    offset = (found["offset"] or "").upper()
    if len(offset) == 5 and offset[0] in "+-":
        offset = f"{offset[:3]}:{offset[3:]}"
    return Clock(hour, minute, second, half, is_24, offset)


@lru_cache(maxsize=4096)
def number_in(text: str) -> Number | None:
    """Returns the number that a text is, with its unit where it says one; None where there is more, or a doubt, beside it.

    Edge: brackets are a minus, as in books; a dollar sign is left out. A point or comma before any number of figures other
    than three parts decimals; before three it may part thousands, unless a zero alone or four figures stand before it.

    Example:
        >>> number_in("$1,200.50").decimals, number_in("1,234").decimals
        ({'point': Decimal('1200.50')}, {'point': Decimal('1234'), 'comma': Decimal('1.234')})
        >>> number_in('1 1/2"'), number_in("<5"), number_in("about 500")
        (Number(value=Decimal('1.5'), decimals={}, unit='in'), None, None)
    """
    text = " ".join(text.split())
    is_minus = text.startswith("(") and text.endswith(")")
    text = (text[1:-1] if is_minus else text).replace("$", "", 1).strip()
    if found := _FRACTION.match(text):
        return _of_fraction(found)
    found = _NUMBER.match(text)
    if found is None or len(found["digits"]) > _MOST_DIGITS:
        return None
    unit = _unit((found["rest"] or "").strip())
    if unit is None:
        return None
    sign = "-" if is_minus or found["sign"] == "-" else ""
    digits = found["digits"]
    if digits.isdigit():
        return Number(Decimal(sign + digits), unit=unit)
    values = {
        name: Decimal(sign + read)
        for name, read in (("point", _by(digits, ".", ",")), ("comma", _by(digits, ",", ".")))
        if read
    }
    return Number(next(iter(values.values())), values, unit) if values else None


def _by(digits: str, decimal: str, group: str) -> str:
    """Returns figures with a plain point, where they can be written so with this sign for decimals; else ""."""
    whole, sign, places = digits.partition(decimal)
    if group in places or decimal in places or (sign and not places and not whole):
        return ""
    if group in whole:
        if not _GROUPED.match(whole.replace(group, ",")) or whole.startswith("0"):
            return ""
        whole = whole.replace(group, "")
    return f"{whole or '0'}.{places}" if places else whole


def _unit(rest: str) -> str | None:
    """Returns the unit that stands behind a number; None where something else does."""
    if not rest:
        return ""
    return _MARKS.get(rest) or unit_word(rest) or None


def _of_fraction(found: re.Match[str]) -> Number | None:
    unit = _unit((found["rest"] or "").strip())
    if unit is None or not int(found[3]):
        return None
    value = int(found[1] or 0) + Fraction(int(found[2]), int(found[3]))
    decimal = Decimal(value.numerator) / Decimal(value.denominator)
    return Number(decimal, unit=unit) if Fraction(decimal) == value else None
