"""Figures on the command line: exact numbers, as measured."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import Any

import click

Number = Decimal | Fraction
Function = Callable[..., Any]


def number(text: str) -> Number:
    """Returns an exact number, as measured: 12, 0.5 or 1/4."""
    try:
        found: Number = Fraction(text) if "/" in text else Decimal(text)
    except (InvalidOperation, ValueError, ZeroDivisionError):
        raise click.BadParameter(f"{text!r} is no number; write e.g. 12, 0.5 or 1/4, without unit or commas") from None
    if isinstance(found, Decimal) and not found.is_finite():
        raise click.BadParameter(f"{text!r} is no measurement")
    return found


def figure(*names: str, text: str) -> Callable[[Function], Function]:
    """Gives a command an option that takes a figure and must be there."""
    return click.option(*names, type=number, required=True, help=text)
