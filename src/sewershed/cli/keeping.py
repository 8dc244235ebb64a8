"""`sewershed recompute`, `verify`, `backup`, `restore`, `doctor`: keeping a town's record whole."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from sewershed.cli import terminal
from sewershed.cli.failing import check_folder, found
from sewershed.cli.terminal import Verb, json_option
from sewershed.cli.towns import Here, in_town

if TYPE_CHECKING:
    from sewershed.ledger.log import Head

head_option = click.option(
    "--head", "stated", default="", metavar="HEAD", help="The head that a paper or a backup states: finds rows cut off."
)


def _stated(stated: str) -> Head | None:
    from sewershed.ledger.log import Head

    return Head.read(stated) if stated else None


@click.command(
    cls=Verb,
    examples="""
    sewershed recompute ./spring-hope
    sewershed recompute ./spring-hope --json
    """,
)
@in_town
@json_option
def recompute(here: Here, is_json: bool) -> None:
    """Works out anew all that follows from the record.

    Says where it was not what was stored, and mends that. The record itself is not touched. Exit status 1 where something differed.
    """
    from sewershed.ledger import rights, working

    rights.require(here.account, "administer", rights.EVERY)
    with terminal.progress("recomputing") as tell:
        built = working.recompute(progress=tell)
    if is_json:
        terminal.print_json(
            {
                "head": str(built.head),
                "things": built.things,
                "obligations": built.obligations,
                "findings": built.findings,
                "differences": built.differences,
            }
        )
    else:
        counts = ", ".join(
            (
                terminal.many(built.things, "thing"),
                terminal.many(built.obligations, "obligation"),
                terminal.many(built.findings, "finding"),
            )
        )
        click.echo(f"Worked out anew: {counts}.")
        for difference in built.differences:
            terminal.say(difference, indent=4, first="  !", fg="red")
        click.echo("It is what was stored." if not built.differences else "What was stored differed; it is mended.")
    if built.differences:
        found()


@click.command(
    cls=Verb,
    examples="""
    sewershed verify ./spring-hope
    sewershed verify ./spring-hope --head 1234:0123456789abcdef0123
    """,
)
@in_town
@head_option
@json_option
def verify(here: Here, stated: str, is_json: bool) -> None:
    """Walks the chain and names rows changed or taken out.

    With --head it also finds rows cut off at the end: every paper and every backup states the head of its day. Exit status 1
    where something is wrong.
    """
    from sewershed.ledger.verify import verify as walk

    with terminal.progress("walking the chain") as tell:
        verdict = walk(_stated(stated), lambda position: tell(f"{position:,} rows"))
    if is_json:
        terminal.print_json({"head": str(verdict.head), "rows": verdict.head.position, "faults": verdict.faults})
    else:
        for fault in verdict.faults:
            terminal.say(fault, indent=4, first="  !", fg="red")
        if verdict.is_sound:
            click.echo(f"{terminal.many(verdict.head.position, 'row')}, each as it was written.")
            click.echo(f"Head {verdict.head.short}")
    if not verdict.is_sound:
        found()


@click.command(
    cls=Verb,
    examples="""
    sewershed backup ./spring-hope
    sewershed backup ./spring-hope -o spring-hope.tar.gz
    """,
)
@in_town
@click.option(
    "-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="The file; in backups/ if left out."
)
@json_option
def backup(here: Here, output: Path | None, is_json: bool) -> None:
    """Writes a backup: record, files, rulebooks, accounts.

    The keys in secret.toml are never in it. It restores on either database. Its head is printed: write it down elsewhere. Exit status 1 where the chain of the record
    is broken; the backup is written all the same.
    """
    from sewershed.ledger import backup as backups
    from sewershed.ledger import rights

    rights.require(here.account, "administer", rights.EVERY)
    if output is not None:
        check_folder(output)
    with terminal.progress("backing up") as tell:
        made = backups.write(output, tell)
    if is_json:
        terminal.print_json({"path": str(made.path), "head": str(made.head), "faults": made.faults})
    else:
        click.echo(terminal.from_here(str(made.path)))
        click.echo(f"{terminal.many(made.head.position, 'row')}, head {made.head.short}")
        for fault in made.faults:
            terminal.say(fault, indent=4, first="  !", fg="red")
    if made.faults:
        found()


@click.command(
    cls=Verb,
    examples="""
    sewershed restore spring-hope.tar.gz ./spring-hope-again
    sewershed restore spring-hope.tar.gz ./spring-hope-again --database postgresql://sewer@localhost/again --password
    """,
)
@click.argument("archive", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--database", default="", metavar="ADDRESS", help="postgresql://USER@HOST:PORT/NAME; a file if left out.")
@click.option("--password", "asks_password", is_flag=True, help="Ask for the password of the database.")
@json_option
def restore(archive: Path, folder: Path, database: str, asks_password: bool, is_json: bool) -> None:
    """Makes a town from a backup, on either database.

    The chain must end in the head that the backup states, else nothing is left behind.
    """
    from sewershed.ledger.town import SQLITE_ADDRESS
    from sewershed.project.restoring import restore as make

    password = click.prompt("Password of the database", hide_input=True) if asks_password else ""
    with terminal.progress("restoring") as tell:
        made = make(archive, folder, database=database or SQLITE_ADDRESS, database_password=password, progress=tell)
    if is_json:
        terminal.print_json(
            {
                "folder": str(made.town.folder),
                "head": str(made.head),
                "things": made.things,
                "obligations": made.obligations,
            }
        )
        return
    click.echo(f"{click.style(made.town.name, bold=True)} stands in {folder}, as of head {made.head.short}.")
    click.echo(f"{terminal.many(made.things, 'thing')}, {terminal.many(made.obligations, 'obligation')}.")


@click.command(
    cls=Verb,
    examples="""
    sewershed doctor ./spring-hope
    sewershed doctor ./spring-hope --mend
    """,
)
@click.argument("town", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--mend", "is_mended", is_flag=True, help="Cure what can be cured without losing anything.")
@head_option
@json_option
def doctor(town: Path, is_mended: bool, stated: str, is_json: bool) -> None:
    """Says what is wrong with a town and how to mend it.

    Exit status 1 where something is wrong, also after mending.
    """
    from sewershed.project.examining import examine, mend

    cured: list[str] = []
    with terminal.progress("looking") as tell:
        left = mend(town, cured.append) if is_mended else examine(town, _stated(stated) if stated else None, tell)
    if is_json:
        for text in cured:
            terminal.print_json({"mended": text})
        for one in left:
            terminal.print_json(
                {"what": one.what, "matters": one.matters, "do": one.do, "can_be_mended": one.cure is not None}
            )
    else:
        for text in cured:
            terminal.say(text, indent=4, first="  +", fg="green")
        for one in left:
            click.echo()
            what = terminal.from_here(one.what)
            terminal.say(f"{what[:1].upper()}{what[1:]}.", indent=2, first="!", bold=True)
            terminal.say(terminal.from_here(one.matters), indent=2)
            way = " (--mend does it)" if one.cure is not None else ""
            terminal.say(f"{terminal.from_here(one.do)}{way}", indent=2)
        if not left:
            click.echo(f"Nothing is wrong with {town}.")
    if left:
        found()
