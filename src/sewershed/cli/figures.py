"""Figures on the command line: exact numbers, as measured, or as a rulebook gives them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from functools import wraps
from pathlib import Path
from typing import Any

import click

from sewershed.cli.failing import Failure
from sewershed.cli.shelf import book_named, books_option, load

Number = Decimal | Fraction
Function = Callable[..., Any]
NEWEST = datetime(9000, 1, 1, tzinfo=UTC)  # by then the newest edition of every entry is in force


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


@dataclass(frozen=True, slots=True)
class AskedBook:
    """The rulebook from which a calculation takes a figure that is not given, in its newest edition; without a place it gives none."""

    place: str
    own: tuple[Path, ...]

    def figure(self, ask: str, given: Number | None, option: str) -> tuple[Number, list[str], dict[str, Any]]:
        """Returns a figure, the step that says where it comes from, and the same as facts; of a given one neither.

        Refuses: a figure that is given and asked of a book as well, or neither; and a book that does not answer.

        Args:
            ask: what is asked of the book.
            given: the figure, where it was given.
            option: by which it is given.
        """
        if (given is None) == (not self.place):
            raise click.UsageError(f"give {option}, or --book PLACE whose rulebook says it; one of the two")
        if given is not None:
            return given, [], {}
        from sewershed.rules.record import RecordsInMemory
        from sewershed.rules.unknown import Unknown
        from sewershed.rules.world import World

        library = load(self.own)
        world = World(library, book_named(library, self.place), RecordsInMemory({}, ()), NEWEST)
        answer = world.answer(ask)
        if not isinstance(answer, int | Decimal | Fraction):
            why = "; ".join(map(str, answer.wants)) if isinstance(answer, Unknown) else f"it says {answer}"
            raise Failure(f"the rulebook of {self.place} gives no such figure: {why}. Give {option}")
        entry = next(one for one in world.law.answers[ask] if world.is_in_force(one, world.today))
        caution = world.law.caution_of(ask)
        said = "; ".join(filter(None, (*entry.cites, caution)))
        facts = {"book": self.place, "rule": entry.id, "cites": entry.cites, "caution": caution or None}
        return (Decimal(answer) if isinstance(answer, int) else answer), [f"{ask} = {answer}, by {said}"], facts


def from_book(command: Function) -> Function:
    """Gives a command the options that name a rulebook from which it takes what is not given, and hands them on as one."""

    @click.option("--book", "place", default="", metavar="PLACE", help="The rulebook of a place says it.")
    @books_option
    @wraps(command)
    def called(place: str, own: tuple[Path, ...], **rest: Any) -> None:
        command(book=AskedBook(place, own), **rest)

    return called
