"""The register of spills and its year: counts, rates, causes, and the honest sentence where records are missing.

A count is of what is on record. Where records are missing for a part of the year, nobody knows what happened then, and no
sentence here says that nothing did.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from fractions import Fraction

from sewershed.rules.figures import measured
from sewershed.rules.types import Number


@dataclass(frozen=True, slots=True)
class Spill:
    """One spill of the register. None is not known."""

    number: str
    day: date  # of first knowledge
    location: str | None
    causes: tuple[str, ...]
    total_gal: Number | None
    water_gal: Number | None
    is_reportable: bool | None
    incident_number: str | None = None


@dataclass(frozen=True, slots=True)
class Gap:
    """Days for which the town holds no records, both included, and why."""

    first: date
    last: date
    because: str

    def __post_init__(self) -> None:
        if self.last < self.first:
            raise ValueError(f"a gap ends on {self.last}, before it begins on {self.first}")


def spills_per_100_miles(count: int, miles: Number, years: Number = 1) -> Fraction:
    """Returns spills for each 100 miles of sewer and year: count / miles x 100 / years.

    Units: miles of the sewer that the count is of; say beside it whether force main is in.
    Edge: no spill is a rate of zero. Exact; rounded only for print.
    Refuses: miles or years of zero or less, a count below zero.

    Example:
        >>> spills_per_100_miles(3, 12)
        Fraction(25, 1)
    """
    known = measured(count, "the number of spills", least=0)
    return known * 100 / measured(miles, "the miles of sewer", above=0) / measured(years, "the years", above=0)


def missing_days(gaps: Iterable[Gap], first: date, last: date) -> int:
    """Returns how many days of a period lie in gaps, each day once.

    Edge: both ends of a gap and of the period are in; gaps may overlap or reach beyond the period.

    Example:
        >>> gaps = [Gap(date(2022, 6, 1), date(2022, 7, 4), "not handed over")]
        >>> missing_days(gaps, date(2022, 7, 1), date(2023, 6, 30))
        4
    """
    days: set[date] = set()
    for gap in gaps:
        day, end = max(gap.first, first), min(gap.last, last)
        while day <= end:
            days.add(day)
            day += timedelta(days=1)
    return len(days)


@dataclass(frozen=True, slots=True)
class Month:
    """A month of the year's table: how many spills, and the gallons that are known of them."""

    first: date
    count: int
    known_gal: Fraction
    without_volume: int
    is_incomplete: bool  # records are missing for a day of it


@dataclass(frozen=True, slots=True)
class Year:
    """A year of the register."""

    first: date
    last: date
    spills: tuple[Spill, ...]
    gaps: tuple[Gap, ...]
    days_missing: int
    reportable: int
    undecided: int  # nobody has told, or the record cannot tell, whether it is reportable
    known_gal: Fraction
    water_gal: Fraction
    without_volume: int
    without_water: int  # spills of which it is not known how much, if any, reached surface water
    by_cause: tuple[tuple[str, int], ...]
    months: tuple[Month, ...]

    @property
    def days(self) -> int:
        """Returns the days of the year."""
        return (self.last - self.first).days + 1


def year_table(spills: Iterable[Spill], first: date, last: date, gaps: Sequence[Gap] = ()) -> Year:
    """Returns the year's table of the register: its spills in order of day, sums, causes and months.

    Edge: the first and the last day belong to the year. A spill with several causes counts for each of them, so causes may
        add up to more than spills; one without a cause counts as "not known". Volumes not known are counted, not summed.
    Refuses: a year that ends before it begins, and two spills of one number.

    Example:
        >>> one = Spill("23-001", date(2023, 2, 1), "Ash Street", ("grease", "roots"), 900, 0, False)
        >>> year = year_table([one], date(2022, 7, 1), date(2023, 6, 30))
        >>> year.reportable, year.by_cause, len(year.months)
        (0, (('grease', 1), ('roots', 1)), 12)
    """
    if last < first:
        raise ValueError(f"the year ends on {last}, before it begins on {first}")
    within = tuple(sorted((s for s in spills if first <= s.day <= last), key=lambda s: (s.day, s.number)))
    twice = [number for number, times in Counter(s.number for s in within).items() if times > 1]
    if twice:
        raise ValueError(f"spill {', '.join(twice)} is in the register twice; join the two before the year is reported")
    causes = Counter(cause for s in within for cause in (s.causes or ("not known",)))
    touching = tuple(g for g in gaps if g.first <= last and g.last >= first)
    return Year(
        first=first,
        last=last,
        spills=within,
        gaps=touching,
        days_missing=missing_days(touching, first, last),
        reportable=sum(s.is_reportable is True for s in within),
        undecided=sum(s.is_reportable is None for s in within),
        known_gal=_sum(s.total_gal for s in within),
        water_gal=_sum(s.water_gal for s in within),
        without_volume=sum(s.total_gal is None for s in within),
        without_water=sum(s.water_gal is None for s in within),
        by_cause=tuple(sorted(causes.items(), key=lambda pair: (-pair[1], pair[0]))),
        months=tuple(_month(month, within, touching, first, last) for month in _months(first, last)),
    )


def _sum(values: Iterable[Number | None]) -> Fraction:
    return sum((Fraction(value) for value in values if value is not None), Fraction(0))


def _months(first: date, last: date) -> list[date]:
    found = []
    month = first.replace(day=1)
    while month <= last:
        found.append(month)
        month = (month + timedelta(days=31)).replace(day=1)
    return found


def _month(month: date, spills: Sequence[Spill], gaps: Sequence[Gap], first: date, last: date) -> Month:
    end = (month + timedelta(days=31)).replace(day=1) - timedelta(days=1)
    here = [s for s in spills if month <= s.day <= end]
    return Month(
        first=month,
        count=len(here),
        known_gal=_sum(s.total_gal for s in here),
        without_volume=sum(s.total_gal is None for s in here),
        is_incomplete=missing_days(gaps, max(month, first), min(end, last)) > 0,
    )


def statements(year: Year) -> tuple[str, ...]:
    """Returns what may honestly be said of the year, in sentences, by the counts alone; days stand as ISO dates.

    Edge: "no reportable spill" is said only of days for which records are held. A year without a gap says so.
    Refuses: to say that nothing happened on a day without records, or that a spill nobody has judged is not reportable.

    Example:
        >>> gap = Gap(date(2022, 7, 1), date(2022, 7, 4), "the former operator handed over none")
        >>> for sentence in statements(year_table([], date(2022, 7, 1), date(2023, 6, 30), [gap])): print(sentence)
        No reportable spill is on record for the 361 days of which records are held.
        Records are missing for 4 of 365 days: 2022-07-01 to 2022-07-04 (the former operator handed over none).
        Whether there was a spill on those days is not known.
    """
    held = year.days - year.days_missing
    of_days = (
        f"the {_many(held, 'day')} of which records are held" if year.days_missing else f"all {_many(year.days, 'day')}"
    )
    said = []
    if not held:
        said.append("No records are held for any day of the year.")
    elif year.reportable == 0:
        said.append(f"No reportable spill is on record for {of_days}.")
    else:
        is_or_are = "is" if year.reportable == 1 else "are"
        said.append(f"{_many(year.reportable, 'reportable spill')} {is_or_are} on record for {of_days}.")
    if year.undecided:
        said.append(f"It is not yet decided of {_many(year.undecided, 'spill')} whether it had to be reported.")
    if year.without_volume:
        said.append(f"The volume of {_many(year.without_volume, 'spill')} is not known and not in the sums.")
    if year.without_water:
        said.append(f"It is not known of {_many(year.without_water, 'spill')} how much reached surface water.")
    if year.days_missing:
        named = "; ".join(_gap(gap, year) for gap in year.gaps)
        said.append(f"Records are missing for {year.days_missing} of {year.days} days: {named}.")
        said.append("Whether there was a spill on those days is not known.")
    return tuple(said)


def _gap(gap: Gap, year: Year) -> str:
    first, last = max(gap.first, year.first), min(gap.last, year.last)
    days = str(first) if first == last else f"{first} to {last}"
    return f"{days} ({gap.because})"


def _many(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"
