"""Calendars: how the days of a town are counted (docs/explanation/rulebook.md 4 and 7.3).

A calendar is that of one book: its zone, its list of holidays with what the text adds and drops, the days the town is
closed otherwise, and the clock's habits. It adds spans to moments and cuts time into the periods that reports are owed for.

Which days are holidays is the town's decision. The base list is that of the `holidays` package, which is a help and not
the law: for North Carolina, say, it has 19 June, whether or not a town keeps it. A book adds and drops.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from calendar import isleap, monthrange
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import MAXYEAR, MINYEAR, date, timedelta
from functools import lru_cache
from typing import Literal, NamedTuple, get_args
from zoneinfo import ZoneInfo

from sewershed.rules.moments import day_of, start_of
from sewershed.rules.problems import did_you_mean
from sewershed.rules.record import Moment
from sewershed.rules.spans import Span, SpanError
from sewershed.rules.unknown import Unknown, Want

PeriodKind = Literal["day", "week", "month", "quarter", "half_year", "calendar_year", "fiscal_year"]
PERIODS: tuple[PeriodKind, ...] = get_args(PeriodKind)

MonthEnd = Literal["clamp", "roll"]
Roll = Literal["none", "next", "previous"]

_LIST = re.compile(r"([A-Z]{2})(?:-([A-Z0-9]{1,3}))?", re.ASCII)  # country and part of it, as in ISO 3166
_DAY = timedelta(days=1)
_SATURDAY = 5
_MONTHS: dict[str, int] = {"month": 1, "quarter": 3, "half_year": 6, "calendar_year": 12}


class CalendarError(ValueError):
    """A calendar that cannot be made or asked as it stands."""


@dataclass(frozen=True, slots=True)
class Period:
    """A stretch of days for which something is owed, from its first day to its last.

    Its label is that of ISO 8601 where there is one ("2024-02-05", "2024-W06", "2024-02"), else "2024-Q1", "2024-H1", "2024",
    and "FY2024" for the fiscal year that ends in 2024.
    """

    kind: PeriodKind
    first: date
    last: date
    label: str


class _Year(NamedTuple):
    """The business days of a year, in order and for looking up."""

    in_order: tuple[date, ...]
    all: frozenset[date]


Closure = tuple[date, date]  # the first and the last day


@dataclass(frozen=True, slots=True)
class Calendar:
    """The calendar of a book: which days are business days, how spans are added and how years are cut.

    Where a day is asked for, an instant stands for the local day it lies in.

    Edge: a day that the text drops from the base list is a business day, unless the text also adds it or the town is
    closed on it.

    Refuses: with `CalendarError`, a start of the fiscal year that is not a day of every year, an unknown word for
    `month_end` or `roll`; when first asked about a year, a base list that nobody knows.

    Example:
        >>> town = Calendar(ZoneInfo("America/New_York"), base="US-NC")
        >>> str(town.add(date(2023, 11, 3), Span(5, "business_days")))  # Friday 10 November is kept for the 11th
        '2023-11-13'
    """

    zone: ZoneInfo
    base: str = ""  # a list that the holidays package knows ("US", "US-NC"); "" for none
    added: frozenset[date] = frozenset()  # days the text closes beyond the base list
    dropped: frozenset[date] = frozenset()  # days of the base list on which the town works
    closed: frozenset[Closure] = frozenset()  # when the town closed otherwise, by rows of its record
    month_end: MonthEnd = "clamp"
    fiscal_year_start: str = ""  # "07-01"; "" where the book does not say
    roll: Roll = "none"
    _years: dict[int, _Year] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.month_end not in get_args(MonthEnd):
            raise CalendarError(f"month_end must be clamp or roll, not '{self.month_end}'")
        if self.roll not in get_args(Roll):
            raise CalendarError(f"roll must be none, next or previous, not '{self.roll}'")
        if self.fiscal_year_start:
            _month_and_day(self.fiscal_year_start)

    def is_business_day(self, day: Moment) -> bool:
        """Tells whether a day is from Monday to Friday and no holiday.

        Example:
            >>> federal = Calendar(ZoneInfo("America/New_York"), base="US")
            >>> federal.is_business_day(date(2026, 7, 2)), federal.is_business_day(date(2026, 7, 3))
            (True, False)
        """
        local = day_of(day, self.zone)
        return local in self._year(local.year).all

    def add(self, moment: Moment, span: Span) -> Moment:
        """Returns the moment that comes a span after another: an instant for minutes and hours, else a day.

        Edge: minutes and hours are elapsed time; from a bare day they run from its first moment, the strict side. Of all
        other spans the day itself is not counted, and the day returned is the last one, whole. A month that has no such
        day gives its last (`month_end = "clamp"`) or the first of the next (`"roll"`).

        Refuses: with `SpanError`, a span whose days are unsaid, until it is read one way; a limit beyond the year 9999.

        Example:
            >>> town = Calendar(ZoneInfo("America/New_York"))
            >>> str(town.add(date(2024, 1, 31), Span(1, "months")))
            '2024-02-29'
            >>> town.add(date(2024, 3, 10), Span(24, "hours")).isoformat()  # a day of 23 hours
            '2024-03-11T05:00:00+00:00'
        """
        return self._count(moment, span, 1)

    def sub(self, moment: Moment, span: Span) -> Moment:
        """Returns the moment that comes a span before another; it counts backward as `add` does forward.

        Edge: the day itself is not counted. A missing day of a month gives what it gives in `add`.

        Refuses: as `add` does.

        Example:
            >>> federal = Calendar(ZoneInfo("America/New_York"), base="US")
            >>> str(federal.sub(date(2026, 4, 6), Span(2, "business_days")))
            '2026-04-02'
        """
        return self._count(moment, span, -1)

    def _count(self, moment: Moment, span: Span, sign: int) -> Moment:
        if span.unsaid:
            raise SpanError(f"'{span}' does not say which days; it must be read one way before it is counted")
        try:
            if span.length is not None:
                is_clock = span.unit in ("minutes", "hours")
                return (start_of if is_clock else day_of)(moment, self.zone) + span.length * sign
            day, n = day_of(moment, self.zone), int(span.n) * sign
            if span.unit == "business_days":
                return self._business_day(day, n)
            return _months_later(day, n * 12 if span.unit == "years" else n, self.month_end)
        except OverflowError:
            raise SpanError(f"{span} from {moment} leaves the years 0001 to 9999") from None

    def _business_day(self, day: date, n: int) -> date:
        """Returns the n-th business day after a day, or before it where n is negative."""
        if n == 0:
            return day
        year = day.year
        # No year has more than 262: what lies outside the calendar is refused before its lists are made.
        if not MINYEAR <= year + n // 262 <= MAXYEAR:
            raise OverflowError
        days = self._year(year).in_order
        # The place, in the list of this year, of the day looked for; it may lie before the list or behind it.
        place = bisect_right(days, day) + n - 1 if n > 0 else bisect_left(days, day) + n
        while place >= len(days):
            place, year = place - len(days), year + 1
            days = self._year(year).in_order
        while place < 0:
            year -= 1
            days = self._year(year).in_order
            place += len(days)
        return days[place]

    def business_days_between(self, first: Moment, last: Moment) -> int:
        """Returns how many business days come after the first day, up to and with the last.

        Edge: the same day gives 0. Where the last comes first, the count back, negative: it undoes `add` and `sub`.

        Example:
            >>> federal = Calendar(ZoneInfo("America/New_York"), base="US")
            >>> federal.business_days_between(date(2026, 7, 2), date(2026, 7, 8))
            3
            >>> federal.business_days_between(date(2026, 7, 8), date(2026, 7, 2))
            -3
        """
        start, end = day_of(first, self.zone), day_of(last, self.zone)
        if end < start:
            return -self._business_days_within(end, start - _DAY)
        return self._business_days_within(start + _DAY, end)

    def _business_days_within(self, first: date, last: date) -> int:
        years = (self._year(year).in_order for year in range(first.year, last.year + 1))
        return sum(bisect_right(days, last) - bisect_left(days, first) for days in years)

    def _year(self, year: int) -> _Year:
        """Returns the business days of a year, made when the year is first asked for."""
        found = self._years.get(year)
        if found is None:
            if not MINYEAR <= year <= MAXYEAR:
                raise OverflowError
            in_order = tuple(self._open_in(year))
            found = self._years[year] = _Year(in_order, frozenset(in_order))
        return found

    def _open_in(self, year: int) -> Iterator[date]:
        start, end = date(year, 1, 1), date(year, 12, 31)
        closed = [(first, last) for first, last in self.closed if first <= end and last >= start]
        if any(first <= start and last >= end for first, last in closed):
            return  # without its holidays: a year mistyped as 9999 closes thousands of them
        off = (holidays_of(self.base, year) - self.dropped) | self.added
        for n in range(366 if isleap(year) else 365):
            day = start + _DAY * n
            if day.weekday() < _SATURDAY and day not in off and not any(first <= day <= last for first, last in closed):
                yield day

    def roll_day(self, day: Moment, how: Roll) -> date:
        """Returns the first business day on or after a day ("next"), or on or before it ("previous"); "none": the day.

        Example:
            >>> federal = Calendar(ZoneInfo("America/New_York"), base="US")
            >>> str(federal.roll_day(date(2026, 1, 1), "next")), str(federal.roll_day(date(2026, 1, 1), "previous"))
            ('2026-01-02', '2025-12-31')
        """
        local = day_of(day, self.zone)
        if how == "none" or self.is_business_day(local):
            return local
        return self._business_day(local, 1 if how == "next" else -1)

    def period_of(self, day: Moment, kind: PeriodKind) -> Period:
        """Returns the period of a kind in which a day lies.

        Law: weeks begin on Monday and belong to the year of their Thursday (ISO 8601). A fiscal year is named for the
        year in which it ends.

        Edge: the first and the last day belong to the period.

        Refuses: with `CalendarError`, a fiscal year where the book does not say when it begins; an unknown kind.

        Example:
            >>> town = Calendar(ZoneInfo("America/New_York"), fiscal_year_start="07-01")
            >>> town.period_of(date(2023, 7, 1), "fiscal_year").label, town.period_of(date(2024, 12, 30), "week").label
            ('FY2024', '2025-W01')
        """
        return _period(day_of(day, self.zone), kind, self.fiscal_year_start)

    def next_period(self, period: Period) -> Period:
        """Returns the period of the same kind that begins on the day after another ends.

        Example:
            >>> town = Calendar(ZoneInfo("America/New_York"))
            >>> town.next_period(town.period_of(date(2024, 12, 31), "quarter")).label
            '2025-Q1'
        """
        return _period(period.last + _DAY, period.kind, self.fiscal_year_start)


def _months_later(day: date, months: int, month_end: MonthEnd) -> date:
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    if not MINYEAR <= year <= MAXYEAR:
        raise OverflowError
    last = date(year, month + 1, monthrange(year, month + 1)[1])
    if day.day <= last.day:
        return last.replace(day=day.day)
    return last if month_end == "clamp" else last + _DAY


@lru_cache(maxsize=256)
def holidays_of(base: str, year: int) -> frozenset[date]:
    """Returns the days of a year in a list of the holidays package, those observed on another day included.

    Refuses: with `CalendarError`, a list that the package does not know.

    Example:
        >>> sorted(str(day) for day in holidays_of("US", 2021) if day.month in (6, 12))
        ['2021-06-18', '2021-06-19', '2021-12-24', '2021-12-25', '2021-12-31']
        >>> holidays_of("", 2021)
        frozenset()
    """
    if not base:
        return frozenset()
    # Imported when first needed: it takes a tenth of a second, which the command would feel each time.
    from holidays import country_holidays  # noqa: PLC0415

    code = _LIST.fullmatch(base)
    try:
        if code is None:
            raise NotImplementedError
        return frozenset(country_holidays(code[1], subdiv=code[2], years=year, expand=False))
    except NotImplementedError:
        raise CalendarError(f'no list of holidays \'{base}\'; write e.g. "US", "US-NC", or "" for none') from None


def shifted(shift: Callable[[Moment, Span], Moment], moment: Moment, span: Span) -> Moment | Unknown:
    """Returns a moment moved by a span; unknown where the calendar has no such year."""
    try:
        return shift(moment, span)
    except SpanError as error:
        return Unknown((Want("arithmetic", str(error)),))


@lru_cache(maxsize=64)
def _month_and_day(text: str) -> tuple[int, int]:
    """Returns the month and the day of a text such as "07-01"."""
    match = re.fullmatch(r"(\d\d)-(\d\d)", text, re.ASCII)
    try:
        if match is None:
            raise ValueError
        start = date(2023, int(match[1]), int(match[2]))  # a year without 29 February, which is not a day of every year
    except ValueError:
        raise CalendarError(
            f"fiscal_year_start '{text}' is not a day of every year; write month and day, e.g. \"07-01\""
        ) from None
    return start.month, start.day


@lru_cache(maxsize=16_384)
def _period(day: date, kind: PeriodKind, fiscal_year_start: str) -> Period:
    if kind == "day":
        return Period(kind, day, day, day.isoformat())
    if kind == "week":
        year, week, weekday = day.isocalendar()
        first = day - _DAY * (weekday - 1)
        return Period(kind, first, first + _DAY * 6, f"{year:04}-W{week:02}")
    if kind == "fiscal_year":
        if not fiscal_year_start:
            raise CalendarError(
                'the book does not say when its fiscal year begins; write [clock] fiscal_year_start = "07-01"'
            )
        first = date(day.year, *_month_and_day(fiscal_year_start))
        if first > day:
            first = first.replace(year=day.year - 1)
        last = first.replace(year=first.year + 1) - _DAY
        return Period(kind, first, last, f"FY{last.year:04}")
    if kind not in _MONTHS:
        raise CalendarError(f"unknown period '{kind}'{did_you_mean(kind, PERIODS)}")
    months = _MONTHS[kind]
    number = (day.month - 1) // months
    first = date(day.year, number * months + 1, 1)
    last = _months_later(first, months, "clamp") - _DAY
    labels = {
        "month": f"{day.year:04}-{day.month:02}",
        "quarter": f"{day.year:04}-Q{number + 1}",
        "half_year": f"{day.year:04}-H{number + 1}",
        "calendar_year": f"{day.year:04}",
    }
    return Period(kind, first, last, labels[kind])
