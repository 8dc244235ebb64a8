"""Spans: the amounts of time that a rule gives, such as "24 hours" or "10 business days" (docs/explanation/rulebook.md 7.2).

A span keeps the unit that the text uses. Months are never written as days, nor days as hours: they are counted each in
their own way (`sewershed.rules.calendars`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from datetime import timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Literal, get_args

from sewershed.rules.problems import did_you_mean
from sewershed.rules.types import Number

SpanUnit = Literal["minutes", "hours", "days", "business_days", "weeks", "months", "years"]
UNITS: tuple[SpanUnit, ...] = get_args(SpanUnit)

_LENGTHS: dict[str, int] = {"minutes": 60, "hours": 3_600, "days": 86_400, "weeks": 604_800}  # seconds
CLOCK_UNITS = ("minutes", "hours")  # elapsed time; all other units are counted in days
_BY_WORD: dict[str, SpanUnit] = {unit.replace("_", " "): unit for unit in UNITS}
_BY_WORD |= {word.removesuffix("s"): unit for word, unit in _BY_WORD.items()}
_TEXT = re.compile(r"(\d+(?:\.\d+)?) ([a-z ]+)(\??)", re.ASCII)


class SpanError(ValueError):
    """A text that is no span, or a span that cannot be counted."""


@dataclass(frozen=True, slots=True)
class Span:
    """An amount of time in the unit of the text.

    Units: `n` is counted in `unit`. `length` is the elapsed time of minutes, hours, days and weeks (a day taken as 24
    hours), with which a difference of two instants is compared; None for the others, whose length hangs on the calendar.

    Edge: none at all ("0 days") is a span.

    Refuses: with `SpanError`, a negative amount; a fraction of anything but hours and minutes, and of those one that
    does not come to whole seconds.

    Example:
        >>> str(Span(1, "business_days")), str(Span(24, "hours")), Span(24, "hours").length
        ('1 business day', '24 hours', datetime.timedelta(days=1))
        >>> Span(Fraction(1, 2), "months")
        Traceback (most recent call last):
            ...
        sewershed.rules.spans.SpanError: a span of 1/2 months cannot be counted, months are whole
    """

    n: Number
    unit: SpanUnit
    unsaid: bool = False  # the text says "days" and not which: "30 days?"
    length: timedelta | None = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        try:
            n = Fraction(self.n)
            seconds = n * _LENGTHS[self.unit] if self.unit in _LENGTHS else None
            length = None if seconds is None else timedelta(seconds=int(seconds))
        except (ValueError, OverflowError):
            raise self._refusal("is no amount of time") from None
        if n < 0:
            raise self._refusal("is negative")
        if self.unit in CLOCK_UNITS:
            if seconds is not None and seconds.denominator != 1:
                raise self._refusal("does not come to whole seconds")
        elif n.denominator != 1:
            raise self._refusal(f"cannot be counted, {_words(self.unit)} are whole")
        if n.denominator == 1:  # 14 and 14.0 are one span and read alike
            object.__setattr__(self, "n", n.numerator)
        object.__setattr__(self, "length", length)

    def _refusal(self, why: str) -> SpanError:
        return SpanError(f"a span of {self.n} {_words(self.unit)} {why}")

    def __str__(self) -> str:
        """Returns the span as a rulebook writes it."""
        word = _words(self.unit)
        return f"{self.n} {word.removesuffix('s') if self.n == 1 else word}{'?' if self.unsaid else ''}"

    def read_as(self, kind: Literal["calendar", "business"]) -> Span:
        """Returns a span whose days are unsaid as one of calendar days or of business days; any other as it is.

        Example:
            >>> str(parse_span("5 days?").read_as("business"))
            '5 business days'
        """
        if not self.unsaid:
            return self
        return replace(self, unit="days" if kind == "calendar" else "business_days", unsaid=False)


def _words(unit: str) -> str:
    """Returns a unit as it is written: "business days"."""
    return unit.replace("_", " ")


def read_unit(text: str) -> SpanUnit:
    """Returns the unit that a word of a rulebook names, singular or plural.

    Refuses: with `SpanError`, any other word.

    Example:
        >>> read_unit("business day")
        'business_days'
    """
    if text not in _BY_WORD:
        raise SpanError(f"unknown unit of time '{text}'{did_you_mean(text, _BY_WORD)}")
    return _BY_WORD[text]


def parse_span(text: str) -> Span:
    """Returns the span that a text of a rulebook gives.

    Law: "30 days?" says that the ordinance does not say which days; the book's doubt about it decides.

    Refuses: with `SpanError`, anything but a number and one of the seven units; a question mark after other units.

    Example:
        >>> parse_span("10 business days")
        Span(n=10, unit='business_days', unsaid=False)
        >>> parse_span("thirty days")
        Traceback (most recent call last):
            ...
        sewershed.rules.spans.SpanError: bad span 'thirty days'; write e.g. "24 hours", "10 business days", "6 months"
    """
    match = _TEXT.fullmatch(text)
    if match is None or match[2] not in _BY_WORD:
        raise SpanError(f"""bad span '{text}'; write e.g. "24 hours", "10 business days", "6 months\"""")
    unit = _BY_WORD[match[2]]
    if match[3] and unit != "days":
        raise SpanError(f"bad span '{text}'; only days can leave open which they are")
    return Span(Decimal(match[1]), unit, unsaid=bool(match[3]))
