"""The year's table of spills from the record, and the register that it is made of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date, datetime, timedelta
from fractions import Fraction
from typing import Any

from sewershed.ledger.errors import Refused
from sewershed.ledger.papers.source import Source, texts
from sewershed.ledger.papers.spill_report import FORM, incident_number
from sewershed.programs.spills.papers import year_table
from sewershed.programs.spills.papers.form import read_form
from sewershed.programs.spills.register import Gap, Spill
from sewershed.programs.spills.register import year_table as year_of
from sewershed.rules.calendars import Period, PeriodKind
from sewershed.rules.findings import Obligation
from sewershed.rules.moments import end_of
from sewershed.rules.record import Event, Moment
from sewershed.rules.todo import leader

_KINDS: tuple[PeriodKind, ...] = ("fiscal_year", "calendar_year")
FT_PER_MILE = 5280  # a statute mile


def year_table_data(source: Source, signed_by: Event | None, part: str = "") -> Mapping[str, object]:
    """Returns the data of a year's table; the last whole fiscal year, if none is said.

    Edge: days before the town held records are a gap, and the table says so.

    Refuses: a year that the calendar does not have.
    """
    period = _period(source, part)
    gravity_ft, force_ft = source.fact("gravity_ft"), source.fact("force_main_ft")
    miles, of = None, ""
    if gravity_ft is not None:
        miles = Fraction(gravity_ft + (force_ft or 0)) / FT_PER_MILE
        of = "gravity sewer and force main" if force_ft is not None else "gravity sewer"
    table = year_table.YearTable(
        year=year_of(register(source), period.first, period.last, gaps(source, period)),
        name=_name(period),
        miles=miles,
        miles_of=of,
        causes=read_form(source.form(FORM)).causes,
        late=tuple(_late(source, period)),
    )
    return year_table.build(table, zone=source.zone)


def _late(source: Source, period: Period) -> Iterator[year_table.Late]:
    """Yields what the spills of a period asked for by a day or an hour and got later or not yet, spill by spill.

    Edge: of duties that are one line of the list, the stricter stands, and of equals the town's own; what is owed in doubt is not
        late for certain.
    """
    world = source.world
    for spill in _confirmed(source):
        if not period.first <= spill.first("call", "spill_confirmed").day <= period.last:  # type: ignore[union-attr]  # it is confirmed
            continue
        found: dict[tuple[str, str, Moment | None], Obligation] = {}
        for one in world.obligations(spill.thing.id):
            if one.due is not None and one.state in ("met_late", "overdue", "missed") and not one.asks:
                key = (leader(world, one.rule), one.opened_by, one.start)
                found[key] = min(found.get(key, one), one, key=lambda each: _strictness(source, each))
        for one in sorted(found.values(), key=lambda each: _strictness(source, each)):
            entry = world.entries[one.rule]
            what = f"{entry.means} ({entry.cites[0]})" if entry.cites else entry.means
            assert one.due is not None
            yield year_table.Late(spill.number, what, one.due, one.met_at)


def _strictness(source: Source, one: Obligation) -> tuple[datetime, int]:
    assert one.due is not None  # only what has a date can be late
    return end_of(one.due, source.zone), source.world.law.places[one.rule]


def _confirmed(source: Source) -> list[Source]:
    return [spill for spill in source.all("spill") if spill.fact("state") == "confirmed"]


def register(source: Source) -> list[Spill]:
    """Returns the confirmed spills of the record, as the register has them."""
    found = []
    for spill in _confirmed(source):
        first = spill.first("call", "spill_confirmed")
        assert first is not None  # it is confirmed
        reportable: Any = spill.fact("reportable")
        found.append(
            Spill(
                number=spill.number,
                day=first.day,
                location=spill.fact("location"),
                causes=texts(spill.datum(spill.last("cause_found"), "causes")),
                total_gal=spill.fact("total_gal"),
                water_gal=spill.fact("surface_water_gal"),
                is_reportable=None if reportable is None else reportable == "yes",
                incident_number=incident_number(spill),
            )
        )
    return found


def gaps(source: Source, period: Period) -> list[Gap]:
    """Returns the days of a period for which the town holds no records of spills: those before its record, those to come.

    Edge: the day asked about is held, though it is not over.
    """
    town, found = source.at(source.town), []
    since = town.fact("spill_records_since")
    if since is not None and since > period.first:
        because = town.fact("spill_records_gap") or "the town holds none of the days before"
        found.append(Gap(period.first, min(since - timedelta(days=1), period.last), str(because)))
    if source.day < period.last:
        found.append(Gap(max(source.day + timedelta(days=1), period.first), period.last, "still to come"))
    return found


def _name(period: Period) -> str:
    first, last = period.first.year, period.last.year
    years = str(last) if first == last else f"{first}-{last % 100:02}"
    return f"{'Fiscal' if period.kind == 'fiscal_year' else 'Calendar'} year {years}"


def _period(source: Source, label: str) -> Period:
    calendar = source.world.calendar
    if not label:
        return calendar.period_of(
            calendar.period_of(source.day, "fiscal_year").first - timedelta(days=1), "fiscal_year"
        )
    for kind in _KINDS:
        year = label.removeprefix("FY")
        if year.isdecimal() and len(year) == 4:
            found = calendar.period_of(date(int(year), 1, 1), kind)
            if found.label == label:
                return found
            found = calendar.next_period(found)
            if found.label == label:
                return found
    raise Refused(f"there is no year {label!r}; write FY2023 for the fiscal year that ends in 2023, or 2023")
