"""`sewershed calc`: the calculations by themselves, each with its working. Starts without Django and needs no town."""

from __future__ import annotations

import csv
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from typing import IO, TYPE_CHECKING, Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import click

from sewershed.cli import terminal
from sewershed.cli.failing import Failure
from sewershed.cli.figures import AskedBook, Number, figure, from_book, number
from sewershed.cli.terminal import Verbs, json_option
from sewershed.cli.yard import COMMANDS

if TYPE_CHECKING:
    from sewershed.programs.spills.duration import Ran
    from sewershed.programs.spills.volume import Estimate, FullPipe, Who

Function = Callable[..., Any]


def zone(text: str) -> ZoneInfo:
    """Returns a time zone by its name."""
    try:
        return ZoneInfo(text)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise click.BadParameter(f"there is no time zone {text!r}; write e.g. America/New_York") from None


@click.group(
    cls=Verbs,
    examples="""
    sewershed calc volume eyeball --by operator --container 5 3 --container 55 1
    sewershed calc manning --diameter-in 8 --slope 0.004 --n 0.013
    sewershed calc volume --help
    """,
)
def calc() -> None:
    """Works out a figure and shows every step. It records nothing."""


for _command in COMMANDS:
    calc.add_command(_command)


@calc.group(
    cls=Verbs,
    examples=r"""
    sewershed calc volume area-depth --by operator --rectangle 20 10 0.5,0.25
    sewershed calc volume cover-plume --by operator --plume-in 2 --zone America/New_York \
        --from "2024-03-08 15:40" --from-how "first call" --to "2024-03-08 16:40" --to-how "jetted free"
    """,
)
def volume() -> None:
    """Estimates how much was spilled, by one method at a time; a person chooses between them.

    A time of which only the day is given is never read as midnight: the estimate is then a range.
    """


# ------------------------------------------------------------------------------------------------ what methods share


def _by(command: Function) -> Function:
    """Gives a command the options that say who estimated and what rain is in it, and hands them on as one."""

    @click.option("--by", required=True, metavar="WHO", help="Who estimated, as a role.")
    @click.option("--rain-gal", type=number, default="0", help="Rain in what was measured, to take off.")
    @click.option("--rain-how", default="", metavar="TEXT", help="How the rain was known.")
    @json_option
    @wraps(command)
    def called(by: str, rain_gal: Number, rain_how: str, **rest: Any) -> None:
        from sewershed.programs.spills.volume import Who

        command(who=Who(by, rain_gal, rain_how), **rest)

    return called


_HOW: tuple[Callable[[Function], Function], ...] = (
    click.option("--from-how", required=True, metavar="TEXT", help="How the start was estimated."),
    click.option("--to-how", required=True, metavar="TEXT", help="How the stop was estimated."),
    click.option("--dry-at", default="", metavar="TIME", help="When it was last seen without overflow."),
    click.option(
        "--zone", "at", type=zone, required=True, envvar="TZ", show_envvar=True, help="Time zone of these times."
    ),
)


def _ran(command: Function) -> Function:
    """Gives a command the options that say from when to when it ran, and hands them on as one."""

    @click.option("--from", "start", required=True, metavar="TIME", help="When it started.")
    @click.option("--to", "stop", required=True, metavar="TIME", help="When it stopped.")
    @wraps(command)
    def called(start: str, stop: str, from_how: str, to_how: str, dry_at: str, at: ZoneInfo, **rest: Any) -> None:
        command(ran=_time(start, stop, from_how, to_how, dry_at, at), **rest)

    return _with_all(called, _HOW)


def _periods(command: Function) -> Function:
    """Gives a command the options of one or several periods at different rates, and hands them on as one."""

    @click.option(
        "--period",
        "given",
        type=(number, str, str),
        multiple=True,
        required=True,
        metavar="GPM FROM TO",
        help="Gallons a minute, from when to when; again for each period.",
    )
    @wraps(command)
    def called(given: Any, from_how: str, to_how: str, dry_at: str, at: ZoneInfo, **rest: Any) -> None:
        periods = [
            (gpm, _time(start, stop, from_how, to_how, "" if later else dry_at, at))
            for later, (gpm, start, stop) in enumerate(given)
        ]
        command(periods=periods, **rest)

    return _with_all(called, _HOW)


def _with_all(command: Function, options: Sequence[Callable[[Function], Function]]) -> Function:
    for option in options:
        command = option(command)
    return command


def _shapes(*, with_depths: bool) -> Callable[[Function], Function]:
    """Gives a command the options of plain figures on the ground, and hands them on as one: kind, sides, depths."""
    sides = {"rectangle": "LENGTH WIDTH", "circle": "RADIUS", "triangle": "BASE HEIGHT"}

    def add(command: Function) -> Function:
        @wraps(command)
        def called(rectangle: Any, circle: Any, triangle: Any, **rest: Any) -> None:
            given = {"rectangle": rectangle, "circle": circle, "triangle": triangle}
            figures = [
                (kind, one if isinstance(one, tuple) else (one,)) for kind, known in given.items() for one in known
            ]
            command(figures=figures, **rest)

        for kind, words in reversed(sides.items()):  # the last decorator stands first
            types: list[Any] = [number for _ in words.split()] + ([str] if with_depths else [])
            called = click.option(
                f"--{kind}",
                type=tuple(types) if len(types) > 1 else number,
                multiple=True,
                metavar=f"{words} DEPTHS" if with_depths else words,
                help=f"A {kind}, in feet{'; depths in inches, commas between' if with_depths else ''}.",
            )(called)
        return called

    return add


def _time(start: str, stop: str, from_how: str, to_how: str, dry_at: str, at: ZoneInfo) -> Ran:
    from sewershed.ledger.moments import moment_of
    from sewershed.programs.spills.duration import Ran

    dry = moment_of(dry_at, at) if dry_at else None
    return Ran(moment_of(start, at), moment_of(stop, at), at, from_how, to_how, dry)


def _numbers(text: str) -> tuple[Number, ...]:
    return tuple(number(one.strip()) for one in text.split(",") if one.strip())


def _pipe(diameter_in: Number, slope: Number, n: Number) -> FullPipe:
    from sewershed.programs.spills.volume import FullPipe

    return FullPipe(diameter_in, slope, n)


def _estimate(is_json: bool, method: str, *args: Any, **settings: Any) -> None:
    """Estimates by a method of the spills program and prints it."""
    from sewershed.programs.spills.volume import METHODS
    from sewershed.rules.figures import CannotEstimateError

    try:
        estimate = METHODS[method](*args, **settings)
    except CannotEstimateError as error:
        raise Failure(f"{method.replace('_', ' ')} does not answer: {error}.") from None
    if is_json:
        terminal.print_json(estimate.as_data())
    else:
        _print_estimate(estimate)


def _print_estimate(estimate: Estimate) -> None:
    data: Mapping[str, Any] = estimate.as_data()
    total = "A range only" if estimate.total_gal is None else str(data["total"])
    click.echo(click.style(f"{total}, by {estimate.method.replace('_', ' ')}", bold=True))
    if data["range"]:
        click.echo(f"  {data['range']}")
    click.echo()
    terminal.pairs([*estimate.inputs, ("Estimated by", estimate.estimated_by)])
    click.echo()
    terminal.steps(estimate.steps)
    click.echo()
    terminal.say(f"Formula: {estimate.source.text}; {estimate.source.said}.", indent=2, dim=True)


# ------------------------------------------------------------------------------------------------ volume


@volume.command(examples="sewershed calc volume eyeball --by operator --container 5 3 --container 55 1")
@click.option(
    "--container",
    "containers",
    type=(int, int),
    multiple=True,
    required=True,
    metavar="GAL COUNT",
    help="Size and how many: 1, 5, 32 or 55 gallons.",
)
@_by
def eyeball(containers: Sequence[tuple[int, int]], who: Who, is_json: bool) -> None:
    """Counts it in containers of 1, 5, 32 or 55 gallons; below 200 gallons only."""
    if len(dict(containers)) < len(containers):
        raise click.UsageError("give each size of container once, with how many there were")
    _estimate(is_json, "eyeball", dict(containers), who)


@volume.command(examples="sewershed calc volume area-depth --by operator --rectangle 20 10 0.5,0.25 --circle 6 1/2")
@_shapes(with_depths=True)
@click.option("--soaked-gal", type=number, default="0", help="Gallons that soaked in besides.")
@click.option("--soaked-how", default="", metavar="TEXT", help="How those were known.")
@_by
def area_depth(
    figures: Sequence[tuple[Any, Sequence[Any]]], soaked_gal: Number, soaked_how: str, who: Who, is_json: bool
) -> None:
    """Multiplies the area of standing sewage by its mean depth."""
    from sewershed.programs.spills.volume import Pond, Shape

    ponds = [Pond(Shape(kind, tuple(sides)), _numbers(depths)) for kind, (*sides, depths) in figures]
    _estimate(is_json, "area_depth", ponds, who, absorbed_gal=soaked_gal, absorbed_how=soaked_how)


@volume.command(examples="sewershed calc volume wet-stain --by operator --surface concrete --rectangle 100 10")
@click.option("--surface", required=True, metavar="WHAT", help="concrete or asphalt.")
@_shapes(with_depths=False)
@_by
def wet_stain(surface: str, figures: Sequence[tuple[Any, Sequence[Any]]], who: Who, is_json: bool) -> None:
    """Takes a wet film on pavement by its area."""
    from sewershed.programs.spills.volume import Shape

    _estimate(is_json, "wet_stain", [Shape(kind, tuple(sides)) for kind, sides in figures], surface, who)


@volume.command(
    examples=r"""
    sewershed calc volume rate-duration --by operator --zone America/New_York \
        --period 25 "2024-03-08 15:40" "2024-03-08 17:15" --from-how "first call" --to-how "jetted free"
    """
)
@_periods
@_by
def rate_duration(periods: Any, who: Who, is_json: bool) -> None:
    """Multiplies the rate by the time, period by period."""
    _estimate(is_json, "rate_duration", periods, who)


@volume.command(
    examples=r"""
    sewershed calc volume photo-comparison --by operator --chart "manhole chart, 2009" --read-by operator \
        --period 25 "2024-03-08 15:40" "2024-03-08 16:40" --from-how "first call" --to-how relieved \
        --between 20 30 --zone America/New_York
    """
)
@click.option("--chart", required=True, metavar="NAME", help="The chart of photographs.")
@click.option("--read-by", required=True, metavar="WHO", help="Who read it.")
@click.option("--between", type=(number, number), default=None, metavar="GPM GPM", help="The two pictures around it.")
@_periods
@_by
def photo_comparison(
    chart: str, read_by: str, between: tuple[Number, Number] | None, periods: Any, who: Who, is_json: bool
) -> None:
    """Reads the rate off a chart of photographs and multiplies it by the time."""
    _estimate(is_json, "photo_comparison", chart, read_by, periods, who, between_gpm=between)


@volume.command(
    examples=r"""
    sewershed calc volume orifice --by operator --hole-in 1 --holes 2 --plume-in 1 --zone America/New_York \
        --from "2024-03-08 15:40" --from-how "first call" --to "2024-03-08 16:40" --to-how relieved
    """
)
@figure("--hole-in", text="Diameter of a hole, in inches.")
@click.option("--holes", type=int, required=True, help="How many holes.")
@figure("--plume-in", text="Height of the plume above the cover, in inches.")
@_ran
@_by
def orifice(hole_in: Number, holes: int, plume_in: Number, ran: Ran, who: Who, is_json: bool) -> None:
    """Takes the pick holes of a manhole cover as orifices."""
    _estimate(is_json, "orifice", hole_in, holes, plume_in, ran, who)


@volume.command(
    examples=r"""
    sewershed calc volume cover-plume --by operator --plume-in 2 --zone America/New_York \
        --from "2024-03-08 15:40" --from-how "first call" --to "2024-03-08 16:40" --to-how relieved
    """
)
@figure("--plume-in", text="Height of the plume around the cover, in inches.")
@click.option("--interpolate", is_flag=True, help="Go in a straight line between two heights of the table.")
@_ran
@_by
def cover_plume(plume_in: Number, interpolate: bool, ran: Ran, who: Who, is_json: bool) -> None:
    """Takes the flow around a 24-inch cover in its ring from a table."""
    _estimate(is_json, "cover_plume", plume_in, ran, who, interpolate=interpolate)


@volume.command(
    examples=r"""
    sewershed calc volume upstream-laterals --by operator --connections 40 --gpd-each 240 \
        --from "2024-03-08 15:00" --from-how alarm --to "2024-03-08 18:00" --to-how "jetted free" \
        --zone America/New_York
    """
)
@click.option("--connections", type=int, required=True, help="How many connections lie upstream.")
@figure("--gpd-each", text="Gallons a day of each.")
@click.option("--hourly", default="", metavar="F,F,...", help="24 factors of the mean hour, midnight first.")
@_ran
@_by
def upstream_laterals(connections: int, gpd_each: Number, hourly: str, ran: Ran, who: Who, is_json: bool) -> None:
    """Takes all that the connections upstream send in the time: an upper bound."""
    _estimate(is_json, "upstream_laterals", connections, gpd_each, ran, who, hourly=_numbers(hourly))


@volume.command(
    examples='sewershed calc volume metered --by operator --in-gal 41000 --out-gal 38500 --meters "influent, effluent"'
)
@figure("--in-gal", text="What flowed in.")
@figure("--out-gal", text="What flowed out, over the same time.")
@click.option("--meters", required=True, metavar="NAMES", help="Which meters were read.")
@_by
def metered(in_gal: Number, out_gal: Number, meters: str, who: Who, is_json: bool) -> None:
    """Takes what flowed out from what flowed in, by meters."""
    _estimate(is_json, "metered", in_gal, out_gal, meters, who)


@volume.command(examples='sewershed calc volume pump-run-time --by operator --pump "pump 1" 30 80')
@click.option(
    "--pump",
    "pumps",
    type=(str, number, number),
    multiple=True,
    required=True,
    metavar="NAME MINUTES GPM",
    help="A pump, how long it ran, its capacity; again for each.",
)
@_by
def pump_run_time(pumps: Any, who: Who, is_json: bool) -> None:
    """Multiplies run time by capacity of the pumps that pumped into the spill."""
    _estimate(is_json, "pump_run_time", pumps, who)


@volume.command(
    examples=r"""
    sewershed calc volume pipe-break --by operator --opening-in2 4 --head-ft 2 --pipe 8 0.004 0.013 \
        --from "2024-03-08 15:40" --from-how "first call" --to "2024-03-08 16:40" --to-how clamped \
        --zone America/New_York
    """
)
@figure("--opening-in2", text="The opening, in square inches.")
@figure("--head-ft", text="Head over it, in feet.")
@click.option(
    "--pipe",
    type=(number, number, number),
    default=None,
    metavar="DIAMETER_IN SLOPE N",
    help="The gravity pipe, which sets an upper bound.",
)
@_ran
@_by
def pipe_break(
    opening_in2: Number,
    head_ft: Number,
    pipe: tuple[Number, Number, Number] | None,
    ran: Ran,
    who: Who,
    is_json: bool,
) -> None:
    """Takes a break as an orifice under its head."""
    _estimate(is_json, "pipe_break", opening_in2, head_ft, ran, who, pipe=_pipe(*pipe) if pipe else None)


@volume.command(
    examples=r"""
    sewershed calc volume full-pipe --by operator --diameter-in 8 --slope 0.004 --n 0.013 \
        --from "2024-03-08 15:40" --from-how "first call" --to "2024-03-08 16:40" --to-how plugged \
        --zone America/New_York
    """
)
@figure("--diameter-in", text="Diameter, in inches.")
@figure("--slope", text="Slope, in feet a foot.")
@figure("--n", text="Manning's n.")
@_ran
@_by
def full_pipe(diameter_in: Number, slope: Number, n: Number, ran: Ran, who: Who, is_json: bool) -> None:
    """Takes all that a gravity pipe carries flowing full: an upper bound."""
    _estimate(is_json, "full_pipe", _pipe(diameter_in, slope, n), ran, who)


# ------------------------------------------------------------------------------------------------ the others


@calc.command(
    examples="""
    sewershed calc manning --diameter-in 8 --slope 0.004 --n 0.013
    sewershed calc manning --diameter-in 8 --slope 0.004 --book us.nh.hampton
    """
)
@figure("--diameter-in", text="Diameter, in inches.")
@figure("--slope", text="Slope, in feet a foot.")
@click.option("--n", "given_n", type=number, default=None, help="Manning's n.")
@from_book
@json_option
def manning(diameter_in: Number, slope: Number, given_n: Number | None, book: AskedBook, is_json: bool) -> None:
    """Works out velocity and flow of a circular pipe that runs full."""
    from sewershed.programs.connections.manning import GPM_PER_CFS, MANNING_US, full_flow_gpm, full_velocity_fps

    n, taken, facts = book.figure("manning_n", given_n, "--n")
    try:
        velocity, flow = full_velocity_fps(diameter_in, slope, n), full_flow_gpm(diameter_in, slope, n)
    except ValueError as error:
        raise Failure(f"{error}.") from None
    if is_json:
        terminal.print_json({**facts, "velocity_fps": velocity, "flow_gpm": flow})
        return
    click.echo(click.style(f"{velocity:.3f} ft/s and {flow:,.1f} gallons a minute, flowing full", bold=True))
    click.echo()
    terminal.steps(
        [
            *taken,
            f"Hydraulic radius of a full circle: {diameter_in} in / 12 / 4 = {diameter_in}/48 ft.",
            f"Velocity: {MANNING_US} / {n} x ({diameter_in}/48)^(2/3) x {slope}^(1/2) = {velocity:.6f} ft/s.",
            f"Area: pi x ({diameter_in}/12)^2 / 4 ft2.",
            f"Flow: velocity x area x {GPM_PER_CFS} = {flow:,.4f} gal/min.",
        ]
    )


@calc.command(
    examples=r"""
    sewershed calc front-foot --total-cost 186400 --less intersections 9400 --less oversize 12000 \
        --share-percent 100 --front-ft 1500 --parcel-front-ft 120
    """
)
@figure("--total-cost", text="What the extension cost, in dollars.")
@click.option(
    "--less", type=(str, number), multiple=True, metavar="WHAT DOLLARS", help="What others bear; again for each."
)
@figure("--share-percent", text="The share that the owners bear.")
@figure("--front-ft", text="Front feet of the whole extension.")
@figure("--parcel-front-ft", text="Front feet of this parcel.")
@json_option
def front_foot(
    total_cost: Number,
    less: Sequence[tuple[str, Number]],
    share_percent: Number,
    front_ft: Number,
    parcel_front_ft: Number,
    is_json: bool,
) -> None:
    """Works out what a parcel bears of a sewer extension, by front foot."""
    from sewershed.programs.charges.front_foot import assess

    try:
        found = assess(
            total_cost=total_cost,
            borne_otherwise=dict(less),
            share_percent=share_percent,
            front_ft=front_ft,
            parcel_front_ft=parcel_front_ft,
        )
    except ValueError as error:
        raise Failure(f"{error}.") from None
    if is_json:
        terminal.print_json({"amount": found.amount, "per_foot": found.per_foot, "steps": found.steps})
        return
    click.echo(click.style(f"This parcel bears {found.steps[-1].rpartition('= ')[2]}", bold=True))
    click.echo()
    terminal.steps(found.steps)


_COLUMNS = ("parameter", "day", "value", "maximum", "minimum", "qualifier", "point", "statistic")
_NEEDED = _COLUMNS[:4]


@calc.command(
    examples="sewershed calc snc results.csv --year 2024 --windows half_years --chronic-percent 66 --trc-percent 33"
)
@click.argument("results", type=click.File("r", encoding="utf-8-sig"))
@click.option("--year", type=int, required=True, help="The windows that end in this year.")
@click.option(
    "--windows", type=click.Choice(["half_years", "rolling_quarters"]), required=True, help="Which six months."
)
@figure("--chronic-percent", text="Share of results above the limit that is chronic; the book says which.")
@figure("--trc-percent", text="Share above the limit times its factor; the book says which.")
@json_option
def snc(results: IO[str], year: int, windows: Any, chronic_percent: Number, trc_percent: Number, is_json: bool) -> None:
    """Tests a user's results for significant noncompliance, window by window.

    RESULTS is a CSV file (- for standard input) with the columns parameter, day, value, maximum and, where they matter,
    minimum, qualifier (<, >, estimated, not_detected, no_result), point, statistic. Value and limits are in one unit.
    """
    from sewershed.programs.pretreatment.noncompliance import tallies, windows_of_year

    measurements = _measurements(results)
    for window in windows_of_year(year, windows):
        here = tallies(measurements, window, chronic_percent=chronic_percent, trc_percent=trc_percent)
        if is_json:
            for tally in here:
                terminal.print_json(_tally_facts(tally))
            continue
        terminal.heading(str(window))
        if not here:
            terminal.say("No result is given for it. Not sampling is not compliance.", indent=2)
        for tally in here:
            word = _word(tally)
            terminal.say(f"{tally.test.replace('_', ' ')}, {tally}: {word}", indent=4, first="  -", bold=word != _NOT)


_NOT = "not reached"


def _word(tally: Any) -> str:
    from sewershed.rules.unknown import Unknown

    return "cannot tell" if isinstance(tally.verdict, Unknown) else "reached" if tally.verdict else _NOT


def _tally_facts(tally: Any) -> dict[str, Any]:
    return {
        "first": tally.window.first,
        "last": tally.window.last,
        "test": tally.test,
        "parameter": tally.parameter,
        "point": tally.point,
        "statistic": tally.statistic,
        "results": tally.total,
        "beyond": tally.beyond,
        "untold": len(tally.untold),
        "at_least_percent": tally.at_least_percent,
        "verdict": _word(tally).replace(" ", "_"),
    }


def _measurements(results: IO[str]) -> list[Any]:
    rows, file = csv.DictReader(results), getattr(results, "name", "standard input")
    names = rows.fieldnames or ()
    reasons = [f"unknown column {name!r}" for name in names if name not in _COLUMNS]
    reasons += [f"the column {name} is missing" for name in _NEEDED if name not in names]
    if reasons:
        raise Failure(f"{file} cannot be read; the columns are {', '.join(_COLUMNS)}:", reasons)
    found, problems = [], []
    for line, row in enumerate(rows, 2):
        try:
            found.append(_measurement({name: (row.get(name) or "").strip() for name in _COLUMNS}))
        except (click.BadParameter, ValueError) as error:
            problems.append(f"line {line}: {error}")
    if problems:
        raise Failure(f"{file}: {terminal.many(len(problems), 'line')} cannot be read:", problems)
    if not found:
        raise Failure(f"{file} holds no result.")
    return found


def _measurement(row: Mapping[str, str]) -> Any:
    from sewershed.programs.pretreatment.noncompliance import Measurement
    from sewershed.rules.moments import read_day

    value, maximum, minimum = (number(row[name]) if row[name] else None for name in ("value", "maximum", "minimum"))
    return Measurement(
        row["parameter"],
        read_day(row["day"]),
        value,
        maximum,
        minimum,
        row["qualifier"],
        row["point"],
        row["statistic"],
    )
