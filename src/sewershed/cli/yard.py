"""`sewershed calc` for the yard: what a station pumps, how its pumps drift, feet cleaned, how whole a map is, infiltration."""

from __future__ import annotations

import csv
from collections.abc import Callable, Mapping, Sequence
from typing import IO, TYPE_CHECKING, Any, TypeVar

import click

from sewershed.cli import terminal
from sewershed.cli.failing import Failure
from sewershed.cli.figures import AskedBook, Number, figure, from_book, number
from sewershed.cli.terminal import Verb, json_option

if TYPE_CHECKING:
    from sewershed.programs.collection.cleaned import Pass
    from sewershed.programs.stations.hours import Reading

Row = TypeVar("Row")


@click.command(
    cls=Verb,
    examples="""
    sewershed calc drawdown --area-ft2 28.3 --drop-in 12 --minutes 2 --fill-in 3 --fill-minutes 3
    sewershed calc drawdown --diameter-ft 6 --drop-in 12 --minutes 2
    """,
)
@click.option("--area-ft2", type=number, help="Area of the wet well.")
@click.option("--diameter-ft", type=number, help="Diameter of a round wet well, in place of its area.")
@figure("--drop-in", text="Inches by which the level fell.")
@figure("--minutes", text="In how many minutes.")
@click.option("--fill-in", type=number, default="0", help="Inches by which it rose with the pumps off.")
@click.option("--fill-minutes", type=number, default="0", help="In how many minutes.")
@json_option
def drawdown(area_ft2: Number | None, diameter_ft: Number | None, is_json: bool, **rest: Number) -> None:
    """Works out what a pump moves, from how fast it draws the wet well down."""
    from sewershed.programs.stations.capacity import drawdown as work
    from sewershed.programs.stations.capacity import round_well_ft2

    if (area_ft2 is None) == (diameter_ft is None):
        raise click.UsageError("give the area of the wet well or its diameter, one of the two")
    area = round_well_ft2(diameter_ft) if diameter_ft is not None else area_ft2
    found = _worked(lambda: work(area_ft2=area, **rest))  # type: ignore[arg-type]  # one of the two is there
    _print("The pump moves", f"{_said(found.gpm)} gpm", found.steps, {"gpm": found.gpm}, is_json)


@click.command(
    cls=Verb,
    examples="""
    sewershed calc reliability --pump-gpm 100 --pump-gpm 120 --average-flow-gpd 57600 --book us.nc.spring_hope
    sewershed calc reliability --pump-gpm 100 --pump-gpm 120 --average-flow-gpd 57600 --times-average 2
    """,
)
@click.option("--pump-gpm", "pumps_gpm", type=number, multiple=True, required=True, help="What a pump moves; again for each.")  # fmt: skip
@figure("--average-flow-gpd", text="Average flow that comes to the station.")
@click.option("--times-average", type=number, default=None, help="How many times that is needed.")
@from_book
@json_option
def reliability(
    pumps_gpm: Sequence[Number], average_flow_gpd: Number, times_average: Number | None, book: AskedBook, is_json: bool
) -> None:
    """Tells whether a station moves enough with its largest pump out."""
    from sewershed.programs.stations.capacity import reliability as work

    times, steps, facts = book.figure("firm_times_average_flow", times_average, "--times-average")
    found = _worked(lambda: work(pumps_gpm=pumps_gpm, average_flow_gpd=average_flow_gpd, times_average=times))
    facts |= {"firm_gpm": found.firm_gpm, "needed_gpm": found.needed_gpm, "is_enough": found.is_enough}
    said = "enough" if found.is_enough else "not enough"
    _print("With the largest pump out it is", said, (*steps, *found.steps), facts, is_json)


@click.command(cls=Verb, examples="sewershed calc pump-hours readings.csv --rolls-at 100000")
@click.argument("readings", type=click.File("r", encoding="utf-8-sig"))
@click.option("--rolls-at", type=number, default=None, help="Where the counter begins again at zero.")
@json_option
def pump_hours(readings: IO[str], rolls_at: Number | None, is_json: bool) -> None:
    """Works out how long a pump ran between readings of its counter, and how that drifts.

    READINGS is a CSV file (- for standard input) with the columns day and hours, and new (yes where the counter was replaced
    since the reading before).
    """
    from sewershed.programs.stations.hours import drift_percent, ran

    found = _worked(lambda: ran(_rows(readings, ("day", "hours"), ("new",), _reading), rolls_at=rolls_at))
    before: Number | None = None
    for one in found:
        rate = one.hours_a_day
        drift = drift_percent(before, rate) if before and rate is not None else None
        if is_json:
            facts = {"first": one.first, "last": one.last, "hours": one.hours, "hours_a_day": rate, "question": one.question or None}  # fmt: skip
            terminal.print_json({**facts, "drift_percent": drift})
        else:
            said = f"{_said(one.hours)} h, {_said(rate)} h a day" if rate is not None else "cannot tell"
            said += f", {'+' if drift >= 0 else ''}{_said(drift, 1)} % on the time before" if drift is not None else ""
            terminal.say(f"{one.first} to {one.last}: {said}", indent=2)
            if one.question:
                terminal.say(one.question, indent=6, first="    ? ", fg="magenta")
        before = rate if rate is not None else before


@click.command(
    cls=Verb,
    examples="sewershed calc cleaned log.csv --pipes pipes.csv --of-ft 52800 --first 2023-07-01 --last 2024-06-30",
)
@click.argument("passes", type=click.File("r", encoding="utf-8-sig"))
@click.option("--pipes", type=click.File("r", encoding="utf-8-sig"), required=True, help="CSV with the columns pipe and length_ft.")  # fmt: skip
@figure("--of-ft", text="The length of which it is a share.")
@click.option("--first", required=True, metavar="DAY", help="First day of the year.")
@click.option("--last", required=True, metavar="DAY", help="Last day of the year.")
@json_option
def cleaned(passes: IO[str], pipes: IO[str], of_ft: Number, first: str, last: str, is_json: bool) -> None:
    """Counts the distinct feet cleaned in a year: 300 ft jetted eighteen times are 300 ft.

    PASSES is a CSV file (- for standard input) with the columns pipe, day and feet, and from_ft and to_ft where they are known.
    """
    from sewershed.programs.collection.cleaned import cleaned as work
    from sewershed.rules.moments import read_day

    lengths = dict(_rows(pipes, ("pipe", "length_ft"), (), lambda row: (row["pipe"], number(row["length_ft"]))))
    rows = _rows(passes, ("pipe", "day", "feet"), ("from_ft", "to_ft"), _pass)
    found = _worked(lambda: work(rows, lengths, of_ft=of_ft, first=read_day(first), last=read_day(last)))
    facts = {"distinct_ft": found.distinct_ft, "again_ft": found.again_ft, "percent": found.percent}
    said = f"{_said(found.distinct_ft)} ft, {_said(found.percent, 2)} %; {_said(found.again_ft)} ft were run again"
    _print("Cleaned", said, found.steps, facts, is_json)


@click.command(cls=Verb, examples="sewershed calc infiltration --flow-gpd 1600 --pipe 8 5280 --pipe 10 2640")
@figure("--flow-gpd", text="What comes in.")
@click.option("--pipe", "pipes", type=(number, number), multiple=True, required=True, metavar="IN FT", help="Diameter and length; again for each.")  # fmt: skip
@json_option
def infiltration(flow_gpd: Number, pipes: Sequence[tuple[Number, Number]], is_json: bool) -> None:
    """Works out infiltration for each inch of diameter and mile of sewer."""
    from sewershed.programs.collection.infiltration import infiltration as work

    found = _worked(lambda: work(flow_gpd, pipes))
    facts = {"inch_miles": found.inch_miles, "gpd_per_inch_mile": found.gpd_per_inch_mile}
    _print("Infiltration", f"{_said(found.gpd_per_inch_mile, 1)} gpd for each inch-mile", found.steps, facts, is_json)


@click.command(cls=Verb, examples='sewershed calc pump-shares --pump "pump 1" 212 --pump "pump 2" 88')
@click.option("--pump", "pumps", type=(str, number), multiple=True, required=True, metavar="NAME HOURS", help="A pump, and how long it ran; again for each.")  # fmt: skip
@json_option
def pump_shares(pumps: Sequence[tuple[str, Number]], is_json: bool) -> None:
    """Works out the share of each pump in what all of a station ran: pumps that alternate run alike."""
    from sewershed.programs.stations.hours import shares

    if len(dict(pumps)) < len(pumps):
        raise click.UsageError("give each pump once, with all the hours that it ran")
    found = _worked(lambda: shares(dict(pumps)))
    said = ", ".join(f"{pump} {_said(share, 1)} %" for pump, share in found.percent.items())
    _print("Of the hours that all ran:", said, found.steps, {"percent": found.percent}, is_json)


@click.command(
    cls=Verb, examples="sewershed calc completeness map.csv --field material --field laid_on --field active_taps"
)
@click.argument("pipes", type=click.File("r", encoding="utf-8-sig"))
@click.option("--field", "fields", multiple=True, metavar="COLUMN", help="A column that counts; all but the first, if left out.")  # fmt: skip
@json_option
def completeness(pipes: IO[str], fields: Sequence[str], is_json: bool) -> None:
    """Counts of how many pipes a map gives every field, and which fields are missing most.

    PIPES is a CSV file (- for standard input), a line a pipe, whose first column names it. A blank cell is not known.
    """
    from sewershed.programs.collection.completeness import completeness as work

    rows, name = csv.DictReader(pipes), getattr(pipes, "name", "standard input")
    heads = list(rows.fieldnames or ())
    lacking = [one for one in fields if one not in heads]
    if lacking:
        raise Failure(f"{name} has no column {', '.join(lacking)}; it has {', '.join(heads)}")
    counted = list(fields) or heads[1:]
    known = [{field: bool((row.get(field) or "").strip()) for field in counted} for row in rows]
    found = _worked(lambda: work(known, counted))
    facts = {"pipes": found.pipes, "whole": found.whole, "percent": found.percent, "missing": found.missing}
    said = f"{found.whole:,} of {found.pipes:,} pipes, {_said(found.percent, 1)} %"
    _print("Every field is known of", said, found.steps, facts, is_json)


COMMANDS = (drawdown, reliability, pump_hours, pump_shares, cleaned, completeness, infiltration)


def _worked(work: Callable[[], Any]) -> Any:
    from sewershed.rules.figures import CannotEstimateError

    try:
        return work()
    except (CannotEstimateError, ValueError) as error:
        raise Failure(f"{error}.") from None


def _said(value: Any, places: int = 2) -> str:
    from sewershed.rules.figures import plain

    return plain(value, places)


def _print(what: str, said: str, steps: Sequence[str], facts: Mapping[str, Any], is_json: bool) -> None:
    if is_json:
        terminal.print_json({**facts, "steps": steps})
        return
    click.echo(click.style(f"{what} {said}", bold=True))
    click.echo()
    terminal.steps(steps)


def _rows(
    file: IO[str], needed: Sequence[str], allowed: Sequence[str], read: Callable[[Mapping[str, str]], Row]
) -> list[Row]:
    """Returns the rows of a CSV file, each read; every fault is named with its line."""
    rows, name = csv.DictReader(file), getattr(file, "name", "standard input")
    columns, heads = (*needed, *allowed), rows.fieldnames or ()
    reasons = [f"unknown column {one!r}" for one in heads if one not in columns]
    reasons += [f"the column {one} is missing" for one in needed if one not in heads]
    if reasons:
        raise Failure(f"{name} cannot be read; the columns are {', '.join(columns)}:", reasons)
    found, problems = [], []
    for line, row in enumerate(rows, 2):
        try:
            found.append(read({one: (row.get(one) or "").strip() for one in columns}))
        except (click.BadParameter, ValueError) as error:
            problems.append(f"line {line}: {error}")
    if problems:
        raise Failure(f"{name}: {terminal.many(len(problems), 'line')} cannot be read:", problems)
    return found


def _reading(row: Mapping[str, str]) -> Reading:
    from sewershed.programs.stations.hours import Reading
    from sewershed.rules.moments import read_day

    if row["new"] not in ("", "yes", "no"):
        raise ValueError(f"new is {row['new']!r}; write yes or no")
    return Reading(read_day(row["day"]), number(row["hours"]), row["new"] == "yes")


def _pass(row: Mapping[str, str]) -> Pass:
    from sewershed.programs.collection.cleaned import Pass
    from sewershed.rules.moments import read_day

    start, end = (number(row[name]) if row[name] else None for name in ("from_ft", "to_ft"))
    return Pass(row["pipe"], read_day(row["day"]), number(row["feet"]), start, end)
