"""Significant noncompliance of an industrial user: the two tests over six-month windows, and lateness beyond a grace.

Of the eight criteria of the federal definition, (A) chronic and (B) technical review criteria are arithmetic over
measurements and stand here; (E) and (F), milestones and reports too late, are counted from dates. (C), (D), (G) and (H) are
decided by a person and never computed. Sources: 40 CFR 403.8(f)(2)(viii), text verified; rolling quarters and the grouping
by point and statistic from memory of the 1991 memorandum on the definition, not verified.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import ROUND_DOWN, Decimal
from fractions import Fraction
from itertools import groupby
from typing import Literal, cast

from sewershed.rules.doors import Result, View, Worked, provider
from sewershed.rules.moments import day_of
from sewershed.rules.record import Event, Moment
from sewershed.rules.types import Number, Thing, Value
from sewershed.rules.unknown import Unknown, Want, unknown

WindowKind = Literal["half_years", "rolling_quarters"]

FACTOR_CONVENTIONAL = Decimal("1.4")
FACTOR_OTHER = Decimal("1.2")
CONVENTIONAL = frozenset({"bod", "cbod", "tss", "oil_grease"})  # the pollutants of the higher factor
NOT_REVIEWED = frozenset({"ph", "flow"})  # pH by the definition; flow is no pollutant


@dataclass(frozen=True, slots=True)
class Window:
    """Six months over which measurements are counted; both days belong to it."""

    first: date
    last: date

    def __str__(self) -> str:
        return f"{self.first} to {self.last}"


def windows_of_year(year: int, kind: WindowKind) -> tuple[Window, ...]:
    """Returns the windows that end in a calendar year, in order.

    Law: ``half_years`` are January to June and July to December. ``rolling_quarters`` are, at the end of each quarter, that
        quarter and the one before: the first begins in October of the year before.
    Edge: both ends belong to a window; rolling windows overlap by a quarter.

    Example:
        >>> [str(window) for window in windows_of_year(2024, "half_years")]
        ['2024-01-01 to 2024-06-30', '2024-07-01 to 2024-12-31']
        >>> str(windows_of_year(2024, "rolling_quarters")[0])
        '2023-10-01 to 2024-03-31'
    """
    halves = (Window(date(year, 1, 1), date(year, 6, 30)), Window(date(year, 7, 1), date(year, 12, 31)))
    if kind == "half_years":
        return halves
    return (
        Window(date(year - 1, 10, 1), date(year, 3, 31)),
        halves[0],
        Window(date(year, 4, 1), date(year, 9, 30)),
        halves[1],
    )


def windows_ended(day: date, kind: WindowKind) -> tuple[Window, ...]:
    """Returns the windows that ended in the twelve months before a day, oldest first.

    Edge: a window that ends on the day itself has not ended: it counts from the day after.

    Example:
        >>> [str(window) for window in windows_ended(date(2024, 6, 30), "half_years")]
        ['2023-01-01 to 2023-06-30', '2023-07-01 to 2023-12-31']
        >>> [str(window) for window in windows_ended(date(2024, 7, 1), "half_years")]
        ['2023-07-01 to 2023-12-31', '2024-01-01 to 2024-06-30']
    """
    ended = [w for year in (day.year - 1, day.year) for w in windows_of_year(year, kind) if w.last < day]
    return tuple(ended[-(2 if kind == "half_years" else 4) :])


@dataclass(frozen=True, slots=True)
class Measurement:
    """One result at the point of compliance with the limits it is held to, all in one unit.

    ``qualifier`` is empty or "estimated" for a plain number, "<" or "not_detected" for a value below ``value`` (the
    reporting limit), ">" for one above it, "no_result" for a sample that gave none (it is not counted).
    """

    parameter: str
    day: date
    value: Number | None
    maximum: Number | None = None
    minimum: Number | None = None
    qualifier: str = ""
    point: str = ""
    statistic: str = ""
    id: str = ""

    def is_beyond(self, maximum: Number | None, *, or_equal: bool) -> bool | None:
        """Tells whether the true value lies outside the given maximum or the minimum; None where that cannot be told.

        Edge: ``or_equal`` decides about a value exactly at the maximum; exactly at the minimum is within.
        Refuses: a result below a reporting limit that itself exceeds the maximum, and one without any limit.
        """
        if self.value is None or (maximum is None and self.minimum is None):
            return None
        below, above = self.qualifier in ("<", "not_detected"), self.qualifier == ">"
        if self.qualifier not in ("", "estimated") and not below and not above:
            return None
        answers: list[bool | None] = []
        if maximum is not None:
            if below:
                answers.append(False if self.value <= maximum else None)
            elif above:
                answers.append(True if self.value >= maximum else None)
            else:
                answers.append(self.value >= maximum if or_equal else self.value > maximum)
        if self.minimum is not None and not or_equal:
            if below:
                answers.append(True if self.value <= self.minimum else None)
            elif above:
                answers.append(False if self.value >= self.minimum else None)
            else:
                answers.append(self.value < self.minimum)
        if True in answers:
            return True
        return None if None in answers or not answers else False

    def wants(self, thing: str) -> Want:
        """Returns what is missing to tell whether it exceeds."""
        what = "permit_limit" if self.value is not None and self.maximum is None and self.minimum is None else "value"
        return Want("fact", f"sample_result.{what}", thing=thing, event=self.id)


@dataclass(frozen=True, slots=True)
class Tally:
    """One test of one pollutant at one point over one window."""

    test: Literal["chronic", "technical_review"]
    parameter: str
    point: str
    statistic: str
    window: Window
    total: int
    beyond: int
    untold: tuple[Want, ...]
    at_least_percent: Number

    @property
    def verdict(self) -> bool | Unknown:
        """Tells whether the share is reached; unknown only where the measurements that cannot be told decide it.

        Edge: exactly the percentage is reached. The percentage is the printed one: 66 is 66, not two thirds.
        """
        if self.beyond * 100 >= self.at_least_percent * self.total:
            return True
        if (self.beyond + len(self.untold)) * 100 < self.at_least_percent * self.total:
            return False
        return unknown(self.untold)

    def __str__(self) -> str:
        """Returns the working in a sentence."""
        where = "".join(f", {word}" for word in (self.point, self.statistic) if word)
        how = "above the limit" if self.test == "chronic" else "at or above the limit times its factor"
        unsure = f", {len(self.untold)} cannot be told" if self.untold else ""
        return (
            f"{self.parameter}{where}, {self.window}: {self.beyond} of {self.total} {how}{unsure}"
            f" = {percent(self.beyond, self.total)} percent, against {self.at_least_percent} percent"
        )


def percent(part: int, whole: int) -> Decimal:
    """Returns a share in percent for print, to two places, cut and never rounded up to its limit.

    Example:
        >>> percent(4, 6), percent(65, 99), percent(32, 97)
        (Decimal('66.66'), Decimal('65.65'), Decimal('32.98'))
    """
    return (Decimal(part) * 100 / Decimal(whole)).quantize(Decimal("0.01"), rounding=ROUND_DOWN)


def review_factor(parameter: str) -> Decimal | None:
    """Returns the factor of the technical review criteria, or None for a parameter that is not reviewed.

    Law: 1.4 for BOD, suspended solids, fats, oil and grease; 1.2 for all other pollutants except pH.

    Example:
        >>> review_factor("tss"), review_factor("copper"), review_factor("ph")
        (Decimal('1.4'), Decimal('1.2'), None)
    """
    if parameter in NOT_REVIEWED:
        return None
    return FACTOR_CONVENTIONAL if parameter in CONVENTIONAL else FACTOR_OTHER


def tallies(
    measurements: Iterable[Measurement],
    window: Window,
    *,
    chronic_percent: Number,
    trc_percent: Number,
    thing: str = "",
) -> tuple[Tally, ...]:
    """Returns every test over one window, by pollutant, point and statistic.

    Law: chronic: at least ``chronic_percent`` of all measurements exceed a limit by any magnitude. Technical review: at
        least ``trc_percent`` equal or exceed the limit times the factor. pH has no technical review.
    Units: value and limits of a measurement are in one unit.
    Edge: a result exactly at the limit does not exceed it; one exactly at limit times factor counts.
    Refuses: nothing; a measurement that cannot be told is counted as such in its tally.

    Example:
        >>> limit = Decimal("2.61")
        >>> zinc = [Measurement("zinc", date(2024, 2, d), Decimal(v), limit) for d, v in ((1, "3.132"), (2, "1"), (3, "1"))]
        >>> year = windows_of_year(2024, "half_years")[0]
        >>> for tally in tallies(zinc, year, chronic_percent=66, trc_percent=33): print(tally.test, tally.verdict)
        chronic False
        technical_review True
    """
    counted = [m for m in measurements if window.first <= m.day <= window.last and m.qualifier != "no_result"]

    def key(m: Measurement) -> tuple[str, str, str]:
        return (m.parameter, m.point, m.statistic)

    found: list[Tally] = []
    for (parameter, point, statistic), group in groupby(sorted(counted, key=key), key=key):
        results = tuple(group)
        factor = review_factor(parameter)
        told: list[tuple[Literal["chronic", "technical_review"], Number, list[bool | None]]] = [
            ("chronic", chronic_percent, [m.is_beyond(m.maximum, or_equal=False) for m in results])
        ]
        if factor is not None:
            raised = [None if m.maximum is None else Fraction(m.maximum) * Fraction(factor) for m in results]
            beyond = [m.is_beyond(limit, or_equal=True) for m, limit in zip(results, raised, strict=True)]
            told.append(("technical_review", trc_percent, beyond))
        for test, needed, answers in told:
            untold = tuple(m.wants(thing) for m, answer in zip(results, answers, strict=True) if answer is None)
            found.append(
                Tally(test, parameter, point, statistic, window, len(results), answers.count(True), untold, needed)
            )
    return tuple(found)


def is_late_beyond(due_on: date, done_on: date | None, grace_days: int, as_of: date) -> bool:
    """Tells whether a report or a milestone came, or is still missing, more than the grace after its date.

    Law: (E) a milestone not met within 90 days after its date; (F) a report not provided within 45 days of its due date
        (older ordinances: 30). The days are the book's answer.
    Edge: the last day of the grace is in time; the day after is not.

    Example:
        >>> is_late_beyond(date(2024, 1, 15), date(2024, 2, 29), 45, date(2024, 6, 30))
        False
        >>> is_late_beyond(date(2024, 1, 15), date(2024, 3, 1), 45, date(2024, 6, 30))
        True
    """
    return (done_on or as_of) > due_on + timedelta(days=grace_days)


def measurements_of(view: View, thing: Thing) -> tuple[Measurement, ...]:
    """Returns the recorded results of a user as measurements, each held to the limit recorded with it."""
    return tuple(_measurement(event) for event in view.events(thing, ("sample_result",)))


def _measurement(event: Event) -> Measurement:
    def number(name: str) -> Number | None:
        value = event.data.get(name)
        return value if isinstance(value, int | Decimal | Fraction) and not isinstance(value, bool) else None

    def text(name: str) -> str:
        return str(event.data.get(name) or "")

    return Measurement(
        parameter=text("parameter"),
        day=event.day,
        value=number("value"),
        maximum=number("permit_limit"),
        minimum=number("permit_minimum"),
        qualifier=text("qualifier"),
        point=text("point"),
        statistic=text("statistic"),
        id=event.id,
    )


def _tested(
    asks: Mapping[str, Value], view: View, thing: Thing, windows: Sequence[Window]
) -> tuple[list[Tally], tuple[str, ...]]:
    measurements = measurements_of(view, thing)
    found: list[Tally] = []
    steps: list[str] = []
    for window in windows:
        here = tallies(
            measurements,
            window,
            chronic_percent=cast("Number", asks["chronic_percent"]),
            trc_percent=cast("Number", asks["trc_percent"]),
            thing=thing.id,
        )
        steps += [f"{tally}: {_word(tally.verdict)}" for tally in here] or [f"{window}: no measurement is recorded"]
        found += here
    return found, tuple(steps)


def _word(verdict: bool | Unknown) -> str:
    return "cannot tell" if isinstance(verdict, Unknown) else ("reached" if verdict else "not reached")


_WINDOWS = {"type": "choice", "of": ["half_years", "rolling_quarters"]}


@provider(
    asks={"chronic_percent": {"type": "number"}, "trc_percent": {"type": "number"}, "windows": _WINDOWS},
    result={"type": "bool"},
)
def snc_of_user(asks: Mapping[str, Value], view: View, thing: Thing, moment: Moment) -> Worked:
    """Tells whether a user was in significant noncompliance by its measurements in the newest window that has ended.

    Law: 40 CFR 403.8(f)(2)(viii)(A) and (B). Only a significant user is tested on these; that is the book's condition.
    Edge: a window has ended from the day after its last day.
    Refuses: when no measurement is recorded in the window (not sampling is not compliance), and when measurements that
        cannot be told (no limit recorded, reporting limit above the limit) would decide.
    """
    window = windows_ended(day_of(moment, view.calendar.zone), cast("WindowKind", asks["windows"]))[-1]
    found, steps = _tested(asks, view, thing, [window])
    verdicts = [tally.verdict for tally in found]
    if any(verdict is True for verdict in verdicts):
        return True, steps
    if not verdicts:
        return unknown([Want("event", "sample_result", thing=thing.id)]), steps
    untold = [want for verdict in verdicts if isinstance(verdict, Unknown) for want in verdict.wants]
    result: Result = unknown(untold) if untold else False
    return result, steps


@provider(
    asks={
        "chronic_percent": {"type": "number"},
        "trc_percent": {"type": "number"},
        "late_report_days": {"type": "number"},
        "late_milestone_days": {"type": "number"},
        "windows": _WINDOWS,
    },
    result={"type": "list", "item": {"type": "text"}},
)
def snc(asks: Mapping[str, Value], view: View, thing: Thing, moment: Moment) -> Worked:
    """Returns the criteria that a user's measurements met in the windows of the twelve months before a day.

    Each is a letter, a pollutant and its window, for the yearly list. Lateness (E, F) is a matter of duties: whoever makes
    the list asks `is_late_beyond` with the figures this calculation asks of the book, and adds what people decided.

    Edge: as in `snc_of_user`, for each window.
    Refuses: when a test cannot be told and when a window holds no measurement.
    """
    windows = windows_ended(day_of(moment, view.calendar.zone), cast("WindowKind", asks["windows"]))
    found, steps = _tested(asks, view, thing, windows)
    untold = [want for tally in found if isinstance(tally.verdict, Unknown) for want in tally.verdict.wants]
    if len({tally.window for tally in found}) < len(windows):
        untold.append(Want("event", "sample_result", thing=thing.id))
    if untold:
        return unknown(untold), steps
    letters = {"chronic": "A", "technical_review": "B"}
    met = tuple(f"{letters[t.test]} {t.parameter} {t.window}" for t in found if t.verdict is True)
    return met, steps
