"""How much was spilled: one function a method, each showing its working; several stand side by side and a person chooses.

No agency sets a standard method, and none is chosen here. An estimate keeps the method, what was measured as given, the
working in sentences, who estimated, and how sure we are of the formula itself. Figures are exact (fractions); square roots
and powers are worked in 50 digits and rounded half-even to 28. Rounding for print is `gallons`, and it says when it rounds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from decimal import ROUND_HALF_EVEN, Decimal, localcontext
from fractions import Fraction
from itertools import pairwise
from typing import Literal
from zoneinfo import ZoneInfo

from sewershed.programs.spills.duration import Ran, bounds, minutes_in
from sewershed.rules.figures import CannotEstimateError, exact, gallons, measured, plain, stated
from sewershed.rules.moments import say
from sewershed.rules.types import Number

GAL_PER_FT3 = Decimal("7.48")  # as the guides print it; the exact figure is 7.4805
GPM_PER_CFS = Decimal("448.8")  # as the guides print it
GRAVITY_FT_PER_S2 = Decimal("32.2")
PI = Fraction("3.14159265358979323846264338327950288")
CONTRACTION, VELOCITY = Decimal("0.63"), Decimal("0.945")  # of a sharp-edged orifice
MANNING_US = Decimal("1.486")
CONTAINERS_GAL = (1, 5, 32, 55)
EYEBALL_BELOW_GAL = 200
STAIN_DEPTH_FT: Mapping[str, Decimal] = {"concrete": Decimal("0.0026"), "asphalt": Decimal("0.0013")}
CHART_GPM = (5, 400)
RING_GPM: tuple[tuple[Decimal, int], ...] = tuple(
    (Decimal(plume_in), gpm)
    for plume_in, gpm in (
        ("0.25", 1), ("0.5", 3), ("0.75", 6), ("1", 9), ("1.5", 16), ("2", 25), ("2.5", 38), ("3", 54), ("3.5", 75),
        ("4", 100), ("5", 166), ("6", 244), ("7", 331), ("8", 426), ("9", 529),
    )
)  # fmt: skip

Certainty = Literal["verified", "from memory", "from memory, doubtful"]


@dataclass(frozen=True, slots=True)
class Source:
    """Where a formula or table comes from, and whether its text was read or is remembered."""

    text: str
    certainty: Certainty

    @property
    def said(self) -> str:
        """Returns how sure it is, and that what is remembered wants to be checked.

        Example:
            >>> Source("inflow less outflow", "from memory").said
            'from memory: check before relying on it'
        """
        return self.certainty if self.certainty == "verified" else f"{self.certainty}: check before relying on it"


NAMES: Mapping[str, str] = {  # of each method, as papers and lists say it
    "eyeball": "Counted by eye",
    "area_depth": "Area and depth",
    "wet_stain": "Wet stain",
    "rate_duration": "Rate and time",
    "photo_comparison": "Comparison with photographs",
    "orifice": "Flow through the holes of a cover",
    "cover_plume": "Flow around a cover",
    "upstream_laterals": "Connections upstream",
    "metered": "Metered",
    "pump_run_time": "Run time of pumps",
    "pipe_break": "Opening in a pipe",
    "full_pipe": "Pipe flowing full",
}

SOURCES: Mapping[str, Source] = {  # of each method
    "eyeball": Source("a city's published guide to spill volumes: for less than 200 gallons", "verified"),
    "area_depth": Source("a city's published guide to spill volumes: area x depth x 7.48", "verified"),
    "wet_stain": Source("film depths of 1/32 in on concrete and 1/64 in on asphalt", "from memory, doubtful"),
    "photo_comparison": Source(
        "comparison with photographs of known rates; the chart runs from 5 to 400 gpm", "verified"
    ),
    "orifice": Source("orifice formula with Cc 0.63, Cv 0.945, g 32.2", "from memory"),
    "cover_plume": Source("table of flow around a 24 in cover in its ring (Euyen)", "from memory, doubtful"),
    "upstream_laterals": Source("connections upstream x gallons a day x hours / 24", "from memory"),
    "pipe_break": Source("orifice formula; bound by Manning flowing full", "from memory"),
    "full_pipe": Source("Manning's formula, pipe flowing full: an upper bound", "from memory"),
    "rate_duration": Source("rate x time, periods summed", "from memory"),
    "metered": Source("inflow less outflow", "from memory"),
    "pump_run_time": Source("run time x capacity", "from memory"),
}


@dataclass(frozen=True, slots=True)
class Estimate:
    """One estimate of the volume of a spill with its working. ``total_gal`` is None where only a range can be given."""

    method: str
    inputs: tuple[tuple[str, str], ...]
    steps: tuple[str, ...]
    total_gal: Fraction | None
    low_gal: Fraction | None
    high_gal: Fraction | None
    rain_gal: Fraction
    estimated_by: str
    source: Source

    def as_data(self) -> dict[str, object]:
        """Returns the estimate as plain data for a paper or a record; exact figures are texts."""
        return {
            "method": self.method,
            "inputs": [[name, value] for name, value in self.inputs],
            "steps": list(self.steps),
            "total_gal": None if self.total_gal is None else exact(self.total_gal),
            "total": "not known" if self.total_gal is None else gallons(self.total_gal),
            "range": _range(self.low_gal, self.high_gal),
            "rain_gal": exact(self.rain_gal),
            "estimated_by": self.estimated_by,
            "source": self.source.text,
            "certainty": self.source.said,
        }


@dataclass(frozen=True, slots=True)
class Who:
    """Who estimated, and the rain in what was measured, which is taken off with how it was known."""

    estimated_by: str
    rain_gal: Number = 0
    rain_how: str = ""


def _range(low: Fraction | None, high: Fraction | None) -> str:
    if low is None and high is None:
        return ""
    if low is None:
        return f"at most {gallons(high or 0)}"
    if high is None:
        return f"at least {gallons(low)}"
    return f"{gallons(low)} to {gallons(high)}"


def _root(value: Fraction) -> Fraction:
    """Returns a square root to 28 digits, half-even; exact where it is exact."""
    with localcontext() as context:
        context.prec, context.rounding = 50, ROUND_HALF_EVEN
        root = (Decimal(value.numerator) / Decimal(value.denominator)).sqrt()
        context.prec = 28
        return Fraction(+root)


def _estimate(
    method: str,
    who: Who,
    inputs: Iterable[tuple[str, str]],
    steps: Iterable[str],
    gross: Fraction | None,
    *,
    low: Fraction | None = None,
    high: Fraction | None = None,
) -> Estimate:
    by = stated(who.estimated_by, "who estimated", "an estimate without an estimator cannot be defended")
    rain = measured(who.rain_gal, "the rain to take off, in gallons,", least=0)
    given, working = list(inputs), list(steps)
    if rain:
        how = stated(who.rain_how, "how the rain was known", "rain is taken off only with its basis")
        bound = gross if gross is not None else high
        if bound is not None and rain > bound:
            raise CannotEstimateError(
                f"the rain to take off ({gallons(rain)}) is more than what was measured ({gallons(bound)}); check both"
            )
        given.append(("Rain taken off", f"{gallons(rain)}, {how}"))
        if gross is not None:
            working.append(f"{gallons(gross)} less {gallons(rain)} of rain = {gallons(gross - rain)}.")
    off = [None if value is None else max(Fraction(0), value - rain) for value in (gross, low, high)]
    return Estimate(method, tuple(given), tuple(working), off[0], off[1], off[2], rain, by, SOURCES[method])


def eyeball(containers: Mapping[int, int], who: Who) -> Estimate:
    """Returns the volume as so many containers of 1, 5, 32 or 55 gallons.

    Units: gallons.
    Edge: only below 200 gallons as seen, rain included: 199 is answered, 200 is not.
    Refuses: 200 gallons or more (measure area and depth, or rate and time); a container of another size; none at all.

    Example:
        >>> eyeball({5: 3, 55: 1}, Who("crew leader")).total_gal
        Fraction(70, 1)
    """
    steps: list[str] = []
    total = Fraction(0)
    for size, count in sorted(containers.items()):
        if size not in CONTAINERS_GAL:
            raise CannotEstimateError(
                f"a container of {size} gal is not one of the method's (1, 5, 32, 55); use area and depth instead"
            )
        total += measured(count, f"the count of {size}-gallon containers", least=0) * size
        steps.append(f"{count} x {size} gal = {gallons(Fraction(count) * size)}.")
    if total == 0:
        raise CannotEstimateError("no container was counted; say how many of 1, 5, 32 or 55 gallons")
    if total >= EYEBALL_BELOW_GAL:
        raise CannotEstimateError(
            f"{gallons(total)} is too much for the eye: the method ends below {EYEBALL_BELOW_GAL} gal. "
            "Measure area and depth, or rate and time"
        )
    steps.append(f"Together {gallons(total)}.")
    inputs = [(f"Containers of {size} gal", str(count)) for size, count in sorted(containers.items())]
    return _estimate("eyeball", who, inputs, steps, total)


@dataclass(frozen=True, slots=True)
class Shape:
    """A plain figure on the ground: rectangle (length, width), circle (radius) or triangle (base, height), in feet."""

    kind: Literal["rectangle", "circle", "triangle"]
    sides_ft: tuple[Number, ...]

    def area_ft2(self) -> tuple[Fraction, str]:
        """Returns the area with its working.

        Units: feet, square feet; pi to 36 digits.
        Edge: a side of zero is no figure.
        Refuses: a side of zero or less, or the wrong number of sides.
        """
        wanted = {"rectangle": 2, "circle": 1, "triangle": 2}[self.kind]
        if len(self.sides_ft) != wanted:
            raise CannotEstimateError(f"a {self.kind} needs {wanted} lengths, {len(self.sides_ft)} were given")
        sides = [measured(side, f"a length of the {self.kind}, in feet,", above=0) for side in self.sides_ft]
        if self.kind == "circle":
            area = PI * sides[0] ** 2
            return area, f"Circle of radius {plain(sides[0])} ft: pi x {plain(sides[0])}^2 = {plain(area)} ft2."
        by = " x ".join(f"{plain(side)} ft" for side in sides)
        area = sides[0] * sides[1] / (2 if self.kind == "triangle" else 1)
        half = " / 2" if self.kind == "triangle" else ""
        return area, f"{self.kind.capitalize()}: {by}{half} = {plain(area)} ft2."


@dataclass(frozen=True, slots=True)
class Pond:
    """A shape with the depths measured in it, in inches."""

    shape: Shape
    depths_in: tuple[Number, ...]


def area_depth(ponds: Sequence[Pond], who: Who, *, absorbed_gal: Number = 0, absorbed_how: str = "") -> Estimate:
    """Returns area times mean depth times 7.48, over one or more ponds, and what soaked in besides.

    Units: feet, depths in inches, gallons; 7.48 gallons a cubic foot as the guide prints it.
    Edge: the mean counts every depth alike, a depth of zero too; all zero gives nothing and is refused.
    Refuses: no pond, no depth, lengths or depths below zero, and soaked-in gallons without how they were known.

    Example:
        >>> gallons(area_depth([Pond(Shape("rectangle", (20, 10)), (Decimal("0.5"),))], Who("operator")).total_gal)
        'about 62.3 gal'
    """
    if not ponds:
        raise CannotEstimateError("no area was given; measure its lengths in feet and at least one depth in inches")
    steps: list[str] = []
    inputs: list[tuple[str, str]] = []
    total = Fraction(0)
    for n, pond in enumerate(ponds, 1):
        if not pond.depths_in:
            raise CannotEstimateError(f"area {n} has no depth; measure at least one, in inches")
        depths = [measured(depth, f"a depth of area {n}, in inches,", least=0) for depth in pond.depths_in]
        area, working = pond.shape.area_ft2()
        mean = sum(depths, Fraction(0)) / len(depths)
        volume = area * mean / 12 * Fraction(GAL_PER_FT3)
        total += volume
        listed = ", ".join(plain(depth) for depth in depths)
        if len(depths) == 1:
            depth_step = f"Depth {listed} in"
        else:
            depth_step = f"Mean of {len(depths)} depths ({listed} in) = {plain(mean)} in"
        steps += [
            working,
            f"{depth_step} = {plain(mean / 12)} ft.",
            f"{plain(area)} ft2 x {plain(mean / 12)} ft x {GAL_PER_FT3} gal/ft3 = {gallons(volume)}.",
        ]
        sides = " by ".join(plain(Fraction(side)) for side in pond.shape.sides_ft)
        inputs.append((f"Area {n}", f"{pond.shape.kind}, {sides} ft; depths {listed} in"))
    absorbed = measured(absorbed_gal, "the gallons soaked in", least=0)
    if absorbed:
        how = stated(absorbed_how, "how the gallons soaked in were known", "what cannot be seen needs a basis")
        steps.append(f"Soaked into the ground, {how}: {gallons(absorbed)}.")
        inputs.append(("Soaked in", f"{gallons(absorbed)}, {how}"))
        total += absorbed
    if total == 0:
        raise CannotEstimateError("every depth is zero; use the wet stain method for a film on pavement")
    if len(ponds) > 1 or absorbed:
        steps.append(f"Together {gallons(total)}.")
    return _estimate("area_depth", who, inputs, steps, total)


def wet_stain(shapes: Sequence[Shape], surface: str, who: Who) -> Estimate:
    """Returns the volume of a wet film on pavement: area times the film's depth by surface, times 7.48.

    Units: feet; film 0.0026 ft (1/32 in) on concrete, 0.0013 ft (1/64 in) on asphalt, as remembered.
    Edge: for a stain alone; standing water is an area with a depth.
    Refuses: another surface than concrete or asphalt (soil and grass soak it up), and no area.

    Example:
        >>> gallons(wet_stain([Shape("rectangle", (100, 10))], "concrete", Who("operator")).total_gal)
        'about 19.4 gal'
    """
    if surface not in STAIN_DEPTH_FT:
        known = " and ".join(STAIN_DEPTH_FT)
        raise CannotEstimateError(f"no film depth is known for {surface or 'a surface not named'}, only for {known}")
    if not shapes:
        raise CannotEstimateError("no stained area was given; measure its lengths in feet")
    depth = Fraction(STAIN_DEPTH_FT[surface])
    areas = [shape.area_ft2() for shape in shapes]
    area = sum((found for found, _ in areas), Fraction(0))
    total = area * depth * Fraction(GAL_PER_FT3)
    steps = [working for _, working in areas]
    steps.append(f"{plain(area)} ft2 x {plain(depth)} ft ({surface}) x {GAL_PER_FT3} gal/ft3 = {gallons(total)}.")
    inputs = [("Surface", surface)]
    inputs += [
        (f"Stain {n}", f"{s.kind}, {' by '.join(plain(Fraction(side)) for side in s.sides_ft)} ft")
        for n, s in enumerate(shapes, 1)
    ]
    return _estimate("wet_stain", who, inputs, steps, total)


Period = tuple[Number, Ran]  # gallons a minute, and when it ran at that rate


def rate_duration(periods: Sequence[Period], who: Who) -> Estimate:
    """Returns rate times time, summed over periods of different rates.

    Units: gallons a minute, minutes.
    Edge: where a start or stop is only a day, or a last sight without overflow is recorded, a range is given; where the
        range comes from a bare day there is no total.
    Refuses: no period; periods that overlap; a rate of zero or less; a start or stop without how it was estimated.

    Example:
        >>> start = datetime(2023, 10, 16, 18, 20, tzinfo=UTC)
        >>> ran = Ran(start, start + timedelta(minutes=95), ZoneInfo("America/New_York"), "first call", "jetted free")
        >>> rate_duration([(25, ran)], Who("operator")).total_gal
        Fraction(2375, 1)
    """
    return _rated("rate_duration", periods, who, [])


def photo_comparison(
    chart: str,
    read_by: str,
    periods: Sequence[Period],
    who: Who,
    *,
    chart_gpm: tuple[Number, Number] = CHART_GPM,
    between_gpm: tuple[Number, Number] | None = None,
) -> Estimate:
    """Returns a rate read off a chart of photographs, times the time.

    ``between_gpm`` are the two pictures between which it was read; they make the range.

    Units: gallons a minute, minutes.
    Edge: both ends of the chart belong to it.
    Refuses: a chart or reader not named; a rate outside the chart (nothing is extrapolated) or outside the two pictures.

    Example:
        >>> start = datetime(2024, 3, 8, 20, 40, tzinfo=UTC)
        >>> ran = Ran(start, start + timedelta(minutes=60), ZoneInfo("America/New_York"), "first call", "relieved")
        >>> photo_comparison("manhole chart, 2009", "operator", [(25, ran)], Who("operator")).total_gal
        Fraction(1500, 1)
    """
    name = stated(chart, "the chart's name", "charts differ; say which one was used")
    reader = stated(read_by, "who read the chart", "two people read two rates")
    for gpm, _ in periods:
        rate = measured(gpm, "the rate read, in gallons a minute,", above=0)
        if not chart_gpm[0] <= rate <= chart_gpm[1]:
            raise CannotEstimateError(
                f"{plain(rate)} gpm lies outside the chart, which runs from {plain(chart_gpm[0])} to "
                f"{plain(chart_gpm[1])} gpm; nothing is extrapolated. Use another method"
            )
        if between_gpm is not None and not between_gpm[0] <= rate <= between_gpm[1]:
            raise CannotEstimateError(
                f"{plain(rate)} gpm does not lie between the two pictures named, "
                f"{plain(between_gpm[0])} and {plain(between_gpm[1])} gpm"
            )
    inputs = [("Chart", name), ("Read by", reader)]
    if between_gpm is not None:
        inputs.append(("Read between", f"{plain(between_gpm[0])} and {plain(between_gpm[1])} gpm"))
    return _rated("photo_comparison", periods, who, inputs, between=between_gpm)


def _rated(
    method: str,
    periods: Sequence[Period],
    who: Who,
    inputs: Iterable[tuple[str, str]],
    *,
    between: tuple[Number, Number] | None = None,
    first_steps: Iterable[str] = (),
) -> Estimate:
    if not periods:
        raise CannotEstimateError("no period was given; say at what rate, from when to when")
    _refuse_overlap(periods)
    given, steps = list(inputs), list(first_steps)
    low, total, high = Fraction(0), Fraction(0), Fraction(0)
    is_known = True
    for n, (gpm, ran) in enumerate(periods, 1):
        rate = measured(gpm, f"the rate of period {n}, in gallons a minute,", above=0)
        slowest, fastest = between or (rate, rate)
        lasted = ran.lasted()
        low += Fraction(slowest) * lasted.shortest_minutes
        high += Fraction(fastest) * ran.longest_minutes()
        given += _said(n, rate, ran)
        if lasted.minutes is None:
            is_known = False
            steps.append(
                f"Only a day is known: it ran between {plain(lasted.shortest_minutes, 1)} and "
                f"{plain(lasted.longest_minutes, 1)} minutes. A day is not read as midnight."
            )
        else:
            total += rate * lasted.minutes
            steps.append(f"{plain(rate)} gpm x {plain(lasted.minutes)} min = {gallons(rate * lasted.minutes)}.")
    if not is_known:
        steps.append(f"So between {gallons(low)} and {gallons(high)}; the time of day is wanted for a total.")
        return _estimate(method, who, given, steps, None, low=low, high=high)
    if len(periods) > 1:
        steps.append(f"Together {gallons(total)}.")
    if low == high:
        return _estimate(method, who, given, steps, total)
    steps.append(f"At least {gallons(low)}, at most {gallons(high)}.")
    return _estimate(method, who, given, steps, total, low=low, high=high)


def _refuse_overlap(periods: Sequence[Period]) -> None:
    for n, ((_, first), (_, second)) in enumerate(pairwise(periods), 2):
        if bounds(second.start, second.zone)[1] < bounds(first.stop, first.zone)[0]:
            raise CannotEstimateError(f"period {n} starts before period {n - 1} stops; give them in order, none twice")


def _said(n: int, rate: Fraction, ran: Ran) -> list[tuple[str, str]]:
    said = [
        (f"Period {n}, rate", f"{plain(rate)} gpm"),
        (f"Period {n}, start", f"{say(ran.start, ran.zone)}, {ran.start_how}"),
        (f"Period {n}, stop", f"{say(ran.stop, ran.zone)}, {ran.stop_how}"),
    ]
    if ran.no_overflow_at is not None:
        said.append((f"Period {n}, last seen without overflow", say(ran.no_overflow_at, ran.zone)))
    return said


def _orifice_gpm(area_in2: Fraction, head_ft: Fraction) -> tuple[Fraction, list[str]]:
    speed = _root(2 * Fraction(GRAVITY_FT_PER_S2) * head_ft)
    cfs = Fraction(CONTRACTION) * area_in2 / 144 * Fraction(VELOCITY) * speed
    gpm = cfs * Fraction(GPM_PER_CFS)
    return gpm, [
        f"Speed at the opening: square root of 2 x {GRAVITY_FT_PER_S2} ft/s2 x {plain(head_ft)} ft = {plain(speed)} ft/s.",
        f"Flow: {CONTRACTION} x {plain(area_in2 / 144, 6)} ft2 x {VELOCITY} x {plain(speed)} ft/s = {plain(cfs, 6)} ft3/s.",
        f"{plain(cfs, 6)} ft3/s x {GPM_PER_CFS} = {plain(gpm, 2)} gpm.",
    ]


def orifice(hole_diameter_in: Number, holes: int, plume_in: Number, ran: Ran, who: Who) -> Estimate:
    """Returns the flow out of the pick holes of a manhole cover, as orifices under the height of the plume, times the time.

    Law: Q = Cc A Cv sqrt(2 g h) a hole, Cc 0.63, Cv 0.945, g 32.2; gpm = cfs x 448.8 (remembered).
    Units: inches, gallons a minute, minutes.
    Edge: a plume of zero is no flow and is refused.
    Refuses: no hole, a hole or a plume of zero or less.

    Example:
        >>> start = datetime(2024, 3, 8, 20, 40, tzinfo=UTC)
        >>> hour = Ran(start, start + timedelta(minutes=60), ZoneInfo("America/New_York"), "first call", "relieved")
        >>> gallons(orifice(1, 2, 1, hour, Who("operator")).total_gal)
        'about 405.1 gal'
    """
    diameter = measured(hole_diameter_in, "the hole's diameter, in inches,", above=0)
    count = measured(holes, "the number of holes", above=0)
    plume = measured(plume_in, "the height of the plume, in inches,", above=0)
    area = PI * diameter**2 / 4 * count
    gpm, working = _orifice_gpm(area, plume / 12)
    first = f"{holes} holes of {plain(diameter)} in: {holes} x pi x {plain(diameter)}^2 / 4 = {plain(area)} in2."
    inputs = [
        ("Holes", f"{holes} of {plain(diameter)} in diameter"),
        ("Height of the plume above the cover", f"{plain(plume)} in"),
    ]
    return _rated("orifice", [(gpm, ran)], who, inputs, first_steps=(first, *working))


def cover_plume(plume_in: Number, ran: Ran, who: Who, *, interpolate: bool = False) -> Estimate:
    """Returns the flow around a 24-inch cover that lies in its ring, by the table of plume heights, times the time.

    Law: table of Euyen, from 1/4 in (1 gpm) to 9 in (529 gpm), as remembered and doubtful.
    Units: inches, gallons a minute, minutes.
    Edge: a listed height gives its listed rate. Between two, the estimator must ask for ``interpolate``; it is linear and
        the two rates make the range.
    Refuses: below 1/4 in or above 9 in in any case; between two heights unless asked.

    Example:
        >>> start = datetime(2024, 3, 8, 20, 40, tzinfo=UTC)
        >>> hour = Ran(start, start + timedelta(minutes=60), ZoneInfo("America/New_York"), "first call", "relieved")
        >>> cover_plume(2, hour, Who("operator")).total_gal
        Fraction(1500, 1)
    """
    plume = measured(plume_in, "the height of the plume, in inches,", above=0)
    if not RING_GPM[0][0] <= plume <= RING_GPM[-1][0]:
        raise CannotEstimateError(
            f"a plume of {plain(plume)} in lies outside the table, which runs from 1/4 in to 9 in; nothing is "
            "extrapolated. Use another method"
        )
    low_in, low_gpm = [row for row in RING_GPM if row[0] <= plume][-1]
    high_in, high_gpm = next(row for row in RING_GPM if row[0] >= plume)
    between: tuple[Number, Number] | None = None
    if low_in == high_in:
        gpm = Fraction(low_gpm)
        first = f"Table of the cover in its ring: {plain(plume)} in = {low_gpm} gpm."
    elif not interpolate:
        raise CannotEstimateError(
            f"{plain(plume)} in stands between {low_in} in ({low_gpm} gpm) and {high_in} in ({high_gpm} gpm) of the table; "
            "measure again, or say that you interpolate"
        )
    else:
        gpm = low_gpm + (plume - Fraction(low_in)) / Fraction(high_in - low_in) * (high_gpm - low_gpm)
        between = (low_gpm, high_gpm)
        first = (
            f"Interpolated in a straight line between {low_in} in ({low_gpm} gpm) and {high_in} in ({high_gpm} gpm): "
            f"{plain(plume)} in = {plain(gpm)} gpm."
        )
    inputs = [("Height of the plume", f"{plain(plume)} in, 24 in cover in its ring")]
    return _rated("cover_plume", [(gpm, ran)], who, inputs, between=between, first_steps=(first,))


def upstream_laterals(
    connections: int, gpd_each: Number, ran: Ran, who: Who, *, hourly: Sequence[Number] = ()
) -> Estimate:
    """Returns what the connections upstream send in the time: count x gallons a day each x hours / 24, or by the hour.

    All of it is taken as spilled, so it is an upper bound where some still passed on.

    Units: gallons a day a connection; ``hourly`` are 24 factors of the mean hour, midnight first, by the town's clock.
    Edge: a part of an hour counts as that part. On the day clocks change, an hour that comes twice counts twice.
    Refuses: a curve that has not 24 factors or does not average 1; a stop before the start; a start or a stop of which
        only the day is known.

    Example:
        >>> start = datetime(2024, 3, 8, 20, 0, tzinfo=UTC)
        >>> ran = Ran(start, start + timedelta(hours=3), ZoneInfo("America/New_York"), "alarm", "jetted free")
        >>> upstream_laterals(40, 240, ran, Who("operator")).total_gal
        Fraction(1200, 1)
    """
    count = measured(connections, "the number of connections upstream", above=0)
    each = measured(gpd_each, "the gallons a day of a connection", above=0)
    minutes = ran.lasted().minutes
    if minutes is None or not isinstance(ran.start, datetime) or not isinstance(ran.stop, datetime):
        raise CannotEstimateError(
            "the hours decide here and only a day is known; give the start and the stop with their time"
        )
    daily = count * each
    steps = [f"{connections} connections x {plain(each)} gal a day = {plain(daily)} gal a day."]
    if not hourly:
        total = daily * minutes / (24 * 60)
        steps.append(f"{plain(daily)} gal a day x {plain(minutes / 60)} h / 24 h = {gallons(total)}.")
    else:
        factors = [measured(factor, "a factor of the hourly curve", least=0) for factor in hourly]
        if len(factors) != 24 or sum(factors) != 24:
            raise CannotEstimateError(
                f"the hourly curve needs 24 factors that average 1; it has {len(factors)}, which add up to "
                f"{plain(sum(factors, Fraction(0)))}"
            )
        weighted = sum((factors[hour] * part for hour, part in _by_hour(ran.start, ran.stop, ran.zone)), Fraction(0))
        total = daily * weighted / (24 * 60)
        steps.append(
            f"By the hour of the day, {plain(minutes / 60)} h weigh as {plain(weighted / 60)} mean hours; "
            f"{plain(daily)} gal a day x {plain(weighted / 60)} / 24 = {gallons(total)}."
        )
    steps.append("All of it is taken as spilled; what passed on downstream is not taken off.")
    inputs = [
        ("Connections upstream", str(connections)),
        ("Each", f"{plain(each)} gal a day"),
        ("From", f"{say(ran.start, ran.zone)}, {ran.start_how}"),
        ("To", f"{say(ran.stop, ran.zone)}, {ran.stop_how}"),
    ]
    return _estimate("upstream_laterals", who, inputs, steps, total, high=total)


def _by_hour(start: datetime, stop: datetime, zone: ZoneInfo) -> list[tuple[int, Fraction]]:
    """Returns (hour of the local clock, minutes of it) from start to stop, in elapsed time."""
    found: list[tuple[int, Fraction]] = []
    at, end = start.astimezone(UTC), stop.astimezone(UTC)
    while at < end:
        local = at.astimezone(zone)
        into = timedelta(minutes=local.minute, seconds=local.second, microseconds=local.microsecond)
        until = min(end, at + timedelta(hours=1) - into)
        found.append((local.hour, minutes_in(until - at)))
        at = until
    return found


def metered(inflow_gal: Number, outflow_gal: Number, meters: str, who: Who) -> Estimate:
    """Returns what flowed in less what flowed out, by meters, over the time of the spill.

    Units: gallons, both over the same time.
    Edge: equal readings mean nothing was lost; that is answered with zero.
    Refuses: an outflow above the inflow (the meters disagree), and meters not named.

    Example:
        >>> metered(41000, 38500, "influent and effluent meters", Who("operator")).total_gal
        Fraction(2500, 1)
    """
    named = stated(meters, "which meters were read", "a reading without its meter cannot be checked")
    inflow = measured(inflow_gal, "the inflow, in gallons,", least=0)
    outflow = measured(outflow_gal, "the outflow, in gallons,", least=0)
    if outflow > inflow:
        raise CannotEstimateError(
            f"the outflow ({gallons(outflow)}) is above the inflow ({gallons(inflow)}); the meters disagree, check them"
        )
    steps = [f"In {gallons(inflow)} less out {gallons(outflow)} = {gallons(inflow - outflow)}."]
    inputs = [("Meters", named), ("Inflow", gallons(inflow)), ("Outflow", gallons(outflow))]
    return _estimate("metered", who, inputs, steps, inflow - outflow)


def pump_run_time(runs: Sequence[tuple[str, Number, Number]], who: Who) -> Estimate:
    """Returns run time times capacity of the pumps that pumped into the spill: (pump, minutes, gallons a minute) each.

    Units: minutes, gallons a minute.
    Edge: a pump that did not run counts as nothing.
    Refuses: no pump, a pump without a name, a capacity of zero or less.

    Example:
        >>> pump_run_time([("pump 1", 30, 80)], Who("operator")).total_gal
        Fraction(2400, 1)
    """
    if not runs:
        raise CannotEstimateError("no pump was given; say which ran, how many minutes, at what capacity")
    steps: list[str] = []
    inputs: list[tuple[str, str]] = []
    total = Fraction(0)
    for name, ran, capacity in runs:
        pump = stated(name, "the pump's name", "a run time belongs to a pump")
        minutes = measured(ran, f"the minutes that {pump} ran", least=0)
        gpm = measured(capacity, f"the capacity of {pump}, in gallons a minute,", above=0)
        total += minutes * gpm
        steps.append(f"{pump}: {plain(minutes)} min x {plain(gpm)} gpm = {gallons(minutes * gpm)}.")
        inputs.append((pump, f"{plain(minutes)} min at {plain(gpm)} gpm"))
    if len(runs) > 1:
        steps.append(f"Together {gallons(total)}.")
    return _estimate("pump_run_time", who, inputs, steps, total)


@dataclass(frozen=True, slots=True)
class FullPipe:
    """A gravity pipe as far as Manning's formula needs it."""

    diameter_in: Number
    slope_ft_per_ft: Number
    n: Number

    def __str__(self) -> str:
        return f"{plain(self.diameter_in)} in, slope {plain(self.slope_ft_per_ft, 5)}, n {plain(self.n)}"

    def gpm(self) -> tuple[Fraction, str]:
        """Returns what it carries flowing full, (1.486 / n) (D/4)^(2/3) S^(1/2) x area, with the working.

        Units: inches, feet a foot, gallons a minute.
        Edge: worked in 50 digits, rounded half-even to 28.
        Refuses: a diameter, slope or n of zero or less.
        """
        diameter = measured(self.diameter_in, "the pipe's diameter, in inches,", above=0)
        slope = measured(self.slope_ft_per_ft, "the pipe's slope", above=0)
        n = measured(self.n, "Manning's n", above=0)
        with localcontext() as context:
            context.prec, context.rounding = 50, ROUND_HALF_EVEN
            radius_ft = Decimal(diameter.numerator) / Decimal(diameter.denominator * 48)
            power = radius_ft ** (Decimal(2) / 3)
            context.prec = 28
            hydraulic = Fraction(+power)
        speed = Fraction(MANNING_US) / n * hydraulic * _root(slope)
        flow = speed * PI * (diameter / 12) ** 2 / 4 * Fraction(GPM_PER_CFS)
        return flow, (
            f"A {plain(diameter)} in pipe at {plain(slope, 5)} ft/ft, n {plain(n)}, carries {plain(flow, 1)} gpm flowing full"
            f" ({plain(speed, 3)} ft/s, Manning)."
        )


def pipe_break(opening_in2: Number, head_ft: Number, ran: Ran, who: Who, *, pipe: FullPipe | None = None) -> Estimate:
    """Returns the flow out of a break as an orifice under its head, times the time; a gravity pipe sets an upper bound.

    Law: Q = Cc A Cv sqrt(2 g h), as `orifice`; the bound is the pipe flowing full by Manning (both remembered).
    Units: square inches, feet of head, gallons a minute, minutes.
    Edge: an opening that would pass more than the full pipe passes what the full pipe carries, and the step says so.
    Refuses: an opening or a head of zero or less.

    Example:
        >>> start = datetime(2024, 3, 8, 20, 40, tzinfo=UTC)
        >>> hour = Ran(start, start + timedelta(minutes=60), ZoneInfo("America/New_York"), "first call", "clamped")
        >>> gallons(pipe_break(4, 2, hour, Who("operator")).total_gal)
        'about 5,053.96 gal'
    """
    area = measured(opening_in2, "the opening, in square inches,", above=0)
    head = measured(head_ft, "the head over the opening, in feet,", above=0)
    gpm, steps = _orifice_gpm(area, head)
    inputs = [("Opening", f"{plain(area)} in2"), ("Head over it", f"{plain(head)} ft")]
    if pipe is not None:
        bound, said = pipe.gpm()
        steps.append(said)
        inputs.append(("Pipe", str(pipe)))
        if gpm > bound:
            steps.append(f"The opening would pass more than the pipe carries; {plain(bound, 1)} gpm is used.")
            gpm = bound
    return _rated("pipe_break", [(gpm, ran)], who, inputs, first_steps=steps)


def full_pipe(pipe: FullPipe, ran: Ran, who: Who) -> Estimate:
    """Returns what a gravity pipe would lose if all it carries flowing full came out: an upper bound.

    Units: as `FullPipe`, minutes.
    Edge: nothing passes on downstream; the total is the bound.
    Refuses: as `FullPipe`.

    Example:
        >>> start = datetime(2024, 3, 8, 20, 40, tzinfo=UTC)
        >>> hour = Ran(start, start + timedelta(minutes=60), ZoneInfo("America/New_York"), "first call", "plugged")
        >>> gallons(full_pipe(FullPipe(8, Decimal("0.004"), Decimal("0.013")), hour, Who("operator")).total_gal)
        'about 20,580.2 gal'
    """
    gpm, said = pipe.gpm()
    found = _rated("full_pipe", [(gpm, ran)], who, [("Pipe", str(pipe))], first_steps=(said,))
    return found if found.total_gal is None else replace(found, high_gal=found.total_gal)


METHODS: Mapping[str, Callable[..., Estimate]] = {
    method.__name__: method
    for method in (
        eyeball,
        area_depth,
        wet_stain,
        rate_duration,
        photo_comparison,
        orifice,
        cover_plume,
        upstream_laterals,
        metered,
        pump_run_time,
        pipe_break,
        full_pipe,
    )
}
