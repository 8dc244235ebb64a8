"""Assessment of a sewer extension on the abutting owners, by front foot."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import cast

from sewershed.rules.doors import Result, View, Worked, provider
from sewershed.rules.record import Moment
from sewershed.rules.types import Number, Thing, Value
from sewershed.rules.unknown import Unknown, Want, unknown


@dataclass(frozen=True, slots=True)
class Assessment:
    """What one parcel bears, exactly, with the working."""

    amount: Fraction
    per_foot: Fraction
    steps: tuple[str, ...]


def assess(
    *,
    total_cost: Number,
    borne_otherwise: Mapping[str, Number],
    share_percent: Number,
    front_ft: Number,
    parcel_front_ft: Number,
) -> Assessment:
    """Returns a parcel's part of the cost: (total less what others bear) x share / front feet x the parcel's front.

    Law: what is taken off first (intersections, oversize, pump stations) and the share are the book's answers.
    Units: money in the town's currency, lengths in feet.
    Edge: exact; nothing is rounded here. What is printed is rounded half up to the cent, and said so. A parcel without
        front bears nothing.
    Refuses: front feet of zero or less, a parcel longer than the whole front, and more borne otherwise than the total.

    Example:
        >>> others = {"intersections": 9400, "oversize": 12000, "stations": 0}
        >>> roll = assess(total_cost=186400, borne_otherwise=others, share_percent=100, front_ft=1500, parcel_front_ft=120)
        >>> print(roll.per_foot, roll.amount)
        110 13200
    """
    if front_ft <= 0:
        raise ValueError("the front feet of the whole extension must be above zero")
    if not 0 <= parcel_front_ft <= front_ft:
        raise ValueError(f"a parcel's front of {parcel_front_ft} ft does not lie within the {front_ft} ft of the whole")
    others = sum((Fraction(cost) for cost in borne_otherwise.values()), Fraction(0))
    left = Fraction(total_cost) - others
    if left < 0:
        raise ValueError(
            f"others bear {_dollars(others)}, more than the total cost of {_dollars(Fraction(total_cost))}"
        )
    per_foot = left * Fraction(share_percent) / 100 / Fraction(front_ft)
    amount = per_foot * Fraction(parcel_front_ft)
    less = "".join(f" less {_dollars(Fraction(cost))} ({name})" for name, cost in borne_otherwise.items())
    steps = (
        f"Cost to assess: {_dollars(Fraction(total_cost))}{less} = {_dollars(left)}",
        f"A front foot: {_dollars(left)} x {share_percent} percent / {front_ft} ft = {_dollars(per_foot)}",
        f"This parcel: {_dollars(per_foot)} x {parcel_front_ft} ft = {_dollars(amount)}",
    )
    return Assessment(amount, per_foot, steps)


def _dollars(amount: Fraction) -> str:
    """Returns an amount for print, to the cent, half up, marked where that rounds."""
    cents = amount * 100
    whole = (2 * cents.numerator + cents.denominator) // (2 * cents.denominator)
    text = f"${Decimal(whole) / 100:,.2f}"
    return text if cents.denominator == 1 else f"{text} (rounded)"


@provider(
    asks={"share_percent": {"type": "number"}, "less": {"type": "list", "item": {"type": "text"}}},
    result={"type": "number"},
)
def front_foot(asks: Mapping[str, Value], view: View, thing: Thing, moment: Moment) -> Worked:
    """Returns what a parcel is assessed for the extension it abuts, exactly.

    Reads of the parcel ``front_ft`` and ``extension``, of the extension ``total_cost``, ``front_ft`` and, for each word the
    book lists under ``less``, the fact ``<word>_cost``.

    Edge: as `assess`.
    Refuses: when one of these is not recorded (a cost nobody wrote down is not zero), naming each; and figures that `assess`
        refuses, by asking for the costs again.
    """
    del moment  # the view already ends there
    extension = view.fact(thing, "extension")
    if isinstance(extension, Unknown):
        return extension, ()
    project = cast("Thing", extension)
    words = [str(word) for word in cast("Sequence[Value]", asks["less"])]
    facts: dict[str, Result] = {
        "parcel": view.fact(thing, "front_ft"),
        "total": view.fact(project, "total_cost"),
        "front": view.fact(project, "front_ft"),
        **{word: view.fact(project, f"{word}_cost") for word in words},
    }
    missing = [want for value in facts.values() if isinstance(value, Unknown) for want in value.wants]
    if missing:
        return unknown(missing), ()
    numbers = {name: cast("Number", value) for name, value in facts.items()}
    try:
        found = assess(
            total_cost=numbers["total"],
            borne_otherwise={word: numbers[word] for word in words},
            share_percent=cast("Number", asks["share_percent"]),
            front_ft=numbers["front"],
            parcel_front_ft=numbers["parcel"],
        )
    except ValueError as error:
        return unknown([Want("fact", str(error), thing=project.id)]), ()
    return found.amount, found.steps
