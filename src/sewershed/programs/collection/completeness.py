"""How complete a map is: of how many pipes it gives every field, and which fields are missing most."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from sewershed.rules.figures import CannotEstimateError, plain


@dataclass(frozen=True, slots=True)
class Completeness:
    """Pipes of which every field is known, of how many, and for each field of how many it is missing."""

    whole: int
    pipes: int
    missing: Mapping[str, int]
    steps: tuple[str, ...]

    @property
    def percent(self) -> Fraction:
        """Returns the share of pipes of which every field is known, in percent."""
        return Fraction(self.whole * 100, self.pipes)


def completeness(known: Sequence[Mapping[str, bool]], fields: Sequence[str]) -> Completeness:
    """Returns how complete a map is.

    Units: pipes, percent.
    Edge: a pipe counts when all of its fields are known, none other; a field that a pipe does not name is not known.
    Refuses: no pipe and no field.

    Example:
        >>> found = completeness([{"age": True, "taps": True}, {"age": True}], ["age", "taps"])
        >>> found.whole, int(found.percent), dict(found.missing)
        (1, 50, {'age': 0, 'taps': 1})
    """
    if not known or not fields:
        raise CannotEstimateError("there is no pipe, or no field to look for; give both")
    whole = sum(all(one.get(field, False) for field in fields) for one in known)
    missing = {field: sum(not one.get(field, False) for one in known) for field in fields}
    steps = (
        *(f"{field}: known of {len(known) - count:,} of {len(known):,} pipes" for field, count in missing.items()),
        f"every field: {whole:,} of {len(known):,} pipes, {plain(Fraction(whole * 100, len(known)), 1)} %",
    )
    return Completeness(whole, len(known), missing, steps)
