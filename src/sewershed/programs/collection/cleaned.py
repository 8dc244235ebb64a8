"""Feet cleaned: the distinct feet of each pipe, however often it was jetted, by every reading of the tenth and of the year."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from fractions import Fraction

from sewershed.rules.figures import CannotEstimateError, measured, plain
from sewershed.rules.types import Number


@dataclass(frozen=True, slots=True)
class Pass:
    """One cleaning of a pipe: from and to as feet from its upper manhole, or its feet alone where that is not recorded."""

    pipe: str
    day: date
    feet: Number
    from_ft: Number | None = None
    to_ft: Number | None = None


@dataclass(frozen=True, slots=True)
class Cleaned:
    """Feet of a year: those that are distinct, those that were cleaned again, and the share of what they are a part of."""

    distinct_ft: Fraction
    again_ft: Fraction
    of_ft: Fraction
    steps: tuple[str, ...]

    @property
    def percent(self) -> Fraction:
        """Returns the share in percent."""
        return self.distinct_ft * 100 / self.of_ft


def cleaned(
    passes: Iterable[Pass], lengths_ft: Mapping[str, Number], *, of_ft: Number, first: date, last: date
) -> Cleaned:
    """Returns the distinct feet cleaned from the first to the last day of a year, both counted.

    Units: feet.
    Edge: passes that say from where to where are joined, so that what overlaps counts once. Of a pass that gives its feet
        alone the longest counts for its pipe, since nobody knows whether it was another part. A pipe never counts for more
        than its length.
    Refuses: a pass of a pipe that is not among the lengths, one that ends before it begins, and a whole of zero feet.

    Example:
        >>> jetted = [Pass("A", date(2024, 1, day), 300) for day in range(1, 19)]
        >>> found = cleaned(jetted, {"A": 300}, of_ft=52800, first=date(2023, 7, 1), last=date(2024, 6, 30))
        >>> int(found.distinct_ft), int(found.again_ft)
        (300, 5100)
    """
    whole = measured(of_ft, "the length of which it is a share, in feet,", above=0)
    by_pipe: dict[str, list[Pass]] = {}
    for one in passes:
        if one.pipe not in lengths_ft:
            raise CannotEstimateError(f"the pipe {one.pipe} was cleaned and is not among the pipes; give its length")
        if first <= one.day <= last:
            by_pipe.setdefault(one.pipe, []).append(one)
    distinct = again = Fraction(0)
    steps = []
    for pipe, its in sorted(by_pipe.items()):
        length = measured(lengths_ft[pipe], f"the length of {pipe}, in feet,", least=0)
        feet = min(_distinct(its), length)
        run = sum((measured(one.feet, f"the feet of {pipe}", least=0) for one in its), Fraction(0))
        steps.append(f"{pipe}: {len(its)} x, {plain(run)} ft run, {plain(feet)} ft of it distinct")
        distinct, again = distinct + feet, again + max(run - feet, Fraction(0))
    steps.append(f"{plain(distinct)} of {plain(whole)} ft are {plain(distinct * 100 / whole, 2)} %")
    return Cleaned(distinct, again, whole, tuple(steps))


def _distinct(passes: Iterable[Pass]) -> Fraction:
    spans, alone = [], Fraction(0)
    for one in passes:
        feet = measured(one.feet, f"the feet of {one.pipe}", least=0)
        if one.from_ft is None or one.to_ft is None:
            alone = max(alone, feet)
            continue
        start, end = measured(one.from_ft, "where it begins, in feet,", least=0), measured(one.to_ft, "where it ends, in feet,", least=0)  # fmt: skip
        if end < start:
            raise CannotEstimateError(
                f"{one.pipe} on {one.day}: it ends at {plain(end)} ft before it begins at {plain(start)}"
            )
        spans.append((start, end))
    covered, reached = Fraction(0), Fraction(0)
    for start, end in sorted(spans):
        covered += max(end - max(start, reached), Fraction(0))
        reached = max(reached, end)
    return max(covered, alone)
