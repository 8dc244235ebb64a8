"""`sewershed init`: makes a town."""

from __future__ import annotations

import tomllib
from pathlib import Path
from zoneinfo import ZoneInfo

import click

from sewershed.cli import terminal
from sewershed.cli.failing import Failure
from sewershed.cli.shelf import RULEBOOKS
from sewershed.cli.terminal import Verb, json_option


@click.command(
    cls=Verb,
    examples="""
    sewershed init us.nc.spring_hope ./spring-hope --set county=Nash
    sewershed init us.nc.spring_hope ./spring-hope --database postgresql://sewer@localhost/spring_hope --password
    """,
)
@click.argument("place")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--database", default="", metavar="ADDRESS", help="postgresql://USER@HOST:PORT/NAME; a file if left out.")
@click.option("--password", "asks_password", is_flag=True, help="Ask for the password of the database.")
@click.option("--administrator", default="", metavar="NAME", help="Name of the first account; admin if left out.")
@click.option("--set", "facts", multiple=True, metavar="FACT=VALUE", help="A fact of the town itself; again for each.")
@click.option(
    "--example", "example_now", default="", metavar="TIME", help="Make an example town, whose clock begins here."
)
@json_option
def init(
    place: str,
    folder: Path,
    database: str,
    asks_password: bool,
    administrator: str,
    facts: tuple[str, ...],
    example_now: str,
    is_json: bool,
) -> None:
    """Makes a town in FOLDER that runs the law of PLACE.

    The folder then holds the town's settings, its keys, its record and its files. The rulebooks that ship are copied into it
    and adopted: from then on the town runs these, whatever is installed. You may lay rulebooks of your own into
    FOLDER/rulebooks beforehand.
    """
    from sewershed.cli.fields import split_setting
    from sewershed.ledger.moments import instant_of
    from sewershed.ledger.town import SQLITE_ADDRESS
    from sewershed.project.founding import ADMINISTRATOR
    from sewershed.project.founding import init as make

    password = click.prompt("Password of the database", hide_input=True) if asks_password else ""
    with terminal.progress("making the town") as tell:
        tell("reading its rulebook")
        town = make(
            place,
            folder,
            database=database or SQLITE_ADDRESS,
            database_password=password,
            administrator=administrator or ADMINISTRATOR,
            facts=dict(split_setting(one) for one in facts),
            example_now=instant_of(example_now, _zone(place, folder)) if example_now else None,
        )
    if is_json:
        terminal.print_json(
            {
                "folder": str(town.folder),
                "book": town.book,
                "name": town.name,
                "administrator": administrator or ADMINISTRATOR,
            }
        )
        return
    click.echo(f"{click.style(town.name, bold=True)} is made in {folder}, under {town.book}.")
    click.echo()
    click.echo("What comes next:")
    for words, what in (
        (f"record {folder} person new --set name=...", "somebody who works for the town"),
        (
            f"record {folder} office_held --on PERSON --at DAY --set office=OFFICE",
            "in which office of the law; `office_held --help` lists them",
        ),
        (f"record {folder} --list", "everything that can be recorded"),
        (f"due {folder}", "what is due"),
    ):
        click.echo(f"  sewershed {words}")
        terminal.say(what, indent=6, dim=True)


def _zone(place: str, folder: Path) -> ZoneInfo:
    """Returns the zone of a rulebook, before there is a town."""
    for where in (folder / "rulebooks", RULEBOOKS):
        for path in where.rglob("rulebook.toml"):
            said = tomllib.loads(path.read_text("utf-8"))
            if said.get("id") == place and said.get("time_zone"):
                return ZoneInfo(str(said["time_zone"]))
    raise Failure(f"there is no rulebook {place!r} with a time zone of its own")
