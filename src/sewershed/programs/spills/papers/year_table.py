"""The year's table of spills, for the annual report: counts and sentences from the register alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from zoneinfo import ZoneInfo

from sewershed.programs.spills.papers.values import gallons_text, moment_text, write_or_refuse
from sewershed.programs.spills.register import Year, spills_per_100_miles, statements
from sewershed.rules.figures import gallons, plain
from sewershed.rules.record import Moment
from sewershed.rules.types import Number

TEMPLATE = "spills/papers/year_table.typ"


@dataclass(frozen=True, slots=True)
class Late:
    """Something that a spill of the year asked for by a day or an hour and that was done later, or not yet."""

    number: str
    what: str
    due: Moment
    done: Moment | None


@dataclass(frozen=True, slots=True)
class YearTable:
    """What the table says beside the register's year."""

    year: Year
    name: str  # "Fiscal year 2022-23"
    miles: Number | None  # of sewer the rate is of
    miles_of: str  # which pipe that is: "gravity sewer and force main"
    causes: Mapping[str, str]  # word of the vocabulary -> label
    late: tuple[Late, ...] = ()


def build(table: YearTable, *, zone: ZoneInfo) -> dict[str, object]:
    """Returns the data of the year's table.

    Edge: the rate is of spills on record; where records are missing it is "at least". Without miles there is none.
    Refuses: miles without which pipe they are of, and a cause without a label.
    """
    year = table.year
    strange = [word for word, _ in year.by_cause if word not in table.causes and word != "not known"]
    problems = [f"the cause '{word}' has no label" for word in strange]
    if table.miles is not None and not table.miles_of.strip():
        problems.append("it is not said which pipe the miles are of")
    write_or_refuse("the year's table", problems)
    labels = {**table.causes, "not known": "not known"}
    return {
        "name": table.name,
        "first": year.first.isoformat(),
        "last": year.last.isoformat(),
        "statements": list(statements(year)),
        "is_complete": year.days_missing == 0,
        "count": len(year.spills),
        "reportable": year.reportable,
        "undecided": year.undecided,
        "known_gal": gallons(year.known_gal),
        "water_gal": gallons(year.water_gal),
        "without_volume": year.without_volume,
        "without_water": year.without_water,
        "miles": None if table.miles is None else plain(table.miles, 2),
        "miles_of": table.miles_of,
        "rate": None if table.miles is None else plain(spills_per_100_miles(len(year.spills), table.miles), 1),
        "spills": [
            {
                "number": spill.number,
                "day": spill.day.isoformat(),
                "location": spill.location,
                "total": gallons_text(spill.total_gal),
                "water": gallons_text(spill.water_gal),
                "causes": [labels[word] for word in spill.causes],
                "is_reportable": spill.is_reportable,
                "incident_number": spill.incident_number,
            }
            for spill in year.spills
        ],
        "late": [
            {
                "number": one.number,
                "what": one.what,
                "due": moment_text(one.due, zone),
                "done": moment_text(one.done, zone),
            }
            for one in table.late
        ],
        "by_cause": [{"label": labels[word], "count": count} for word, count in year.by_cause],
        "months": [
            {
                "first": month.first.isoformat(),
                "count": month.count,
                "gal": gallons(month.known_gal),
                "without_volume": month.without_volume,
                "is_incomplete": month.is_incomplete,
            }
            for month in year.months
        ],
    }
