"""Which estimate a person chose, and where the gallons went."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from sewershed.programs.spills.volume import Estimate
from sewershed.rules.figures import CannotEstimateError, gallons, measured, stated
from sewershed.rules.types import Number


@dataclass(frozen=True, slots=True)
class Choice:
    """Which of several estimates a person took, and why. Nobody else takes one."""

    estimates: Mapping[str, Estimate]
    chosen: str
    chosen_by: str
    because: str

    @property
    def total_gal(self) -> Fraction:
        """Returns the total of the chosen estimate."""
        total = self.estimates[self.chosen].total_gal
        assert total is not None
        return total


def choose(estimates: Mapping[str, Estimate], chosen: str, *, chosen_by: str, because: str) -> Choice:
    """Returns the choice of one estimate among several, as a person made it.

    Edge: a single estimate is chosen like any other; nothing is chosen by itself.
    Refuses: a name that is not among them, an estimate that has only a range, and a choice without who and why.

    Example:
        >>> from sewershed.programs.spills.volume import Who, eyeball, metered
        >>> both = {"tank": metered(3000, 500, "meters 1 and 2", Who("operator")), "eye": eyeball({55: 2}, Who("operator"))}
        >>> choose(both, "tank", chosen_by="operator", because="the meters were read at both ends").total_gal
        Fraction(2500, 1)
    """
    if chosen not in estimates:
        raise CannotEstimateError(f"there is no estimate '{chosen}'; there are {', '.join(estimates) or 'none'}")
    if estimates[chosen].total_gal is None:
        raise CannotEstimateError(f"'{chosen}' gives only a range; it wants the time of day before it can be chosen")
    by = stated(chosen_by, "who chose", "the choice is a person's")
    why = stated(because, "why it was chosen", "somebody will ask")
    return Choice(dict(estimates), chosen, by, why)


@dataclass(frozen=True, slots=True)
class Split:
    """Where the gallons went. None is not known, which is never zero."""

    total_gal: Fraction | None
    surface_water_gal: Fraction | None
    recovered_gal: Fraction | None
    recovered_because: str = ""

    @property
    def ground_gal(self) -> Fraction | None:
        """Returns what did not reach surface water, or None where that is not known."""
        if self.total_gal is None or self.surface_water_gal is None:
            return None
        return self.total_gal - self.surface_water_gal


def split(
    *,
    total_gal: Number | None,
    surface_water_gal: Number | None,
    recovered_gal: Number | None,
    recovered_because: str = "",
) -> Split:
    """Returns the three figures of a spill, checked against each other: total, reaching surface water, recovered.

    Units: gallons.
    Edge: all of it may reach water; recovered may equal the total without a reason.
    Refuses: more reaching water than was spilled; more recovered than spilled without a reason (rain, wash water).

    Example:
        >>> split(total_gal=2375, surface_water_gal=0, recovered_gal=600).ground_gal
        Fraction(2375, 1)
    """
    figures = {
        "the total": total_gal,
        "the gallons that reached surface water": surface_water_gal,
        "the gallons recovered": recovered_gal,
    }
    total, water, recovered = (
        None if value is None else measured(value, f"{what}, in gallons,", least=0) for what, value in figures.items()
    )
    if total is not None and water is not None and water > total:
        raise CannotEstimateError(
            f"{gallons(water)} cannot have reached surface water when {gallons(total)} were spilled; correct one of them"
        )
    if total is not None and recovered is not None and recovered > total and not recovered_because.strip():
        raise CannotEstimateError(
            f"{gallons(recovered)} recovered is more than the {gallons(total)} spilled; give the reason, such as rain or "
            "wash water, or correct one of them"
        )
    return Split(total, water, recovered, recovered_because.strip())
