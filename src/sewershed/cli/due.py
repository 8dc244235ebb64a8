"""`sewershed due`: what is due, what was missed, what wants a decision or a fact."""

from __future__ import annotations

from collections.abc import Sequence

import click

from sewershed.cli import completing, terminal
from sewershed.cli.failing import Failure, found
from sewershed.cli.terminal import Verb, json_option
from sewershed.cli.towns import Asked, Here, asking, in_town

_FAILING = {
    "overdue": ("overdue", "missed"),
    "due": ("due",),
    "cannot_tell": ("cannot_tell",),
}


@click.command(
    cls=Verb,
    examples="""
    sewershed due ./spring-hope
    sewershed due ./spring-hope --on 24-001 --all
    sewershed due ./spring-hope --as-of 2024-06-30 --program spills
    sewershed due ./spring-hope --json --fail-on overdue
    sewershed due ./spring-hope --retention
    """,
)
@in_town
@click.option(
    "--on",
    "thing",
    default="",
    metavar="THING",
    shell_complete=completing.any_thing,
    help="Only what is about this thing.",
)
@click.option("--program", default="", help="Only this program: spills, fog, backflow ...")
@click.option(
    "--person", default="", metavar="PERSON", shell_complete=completing.persons, help="Only what this person must do."
)
@click.option("--all", "is_all", is_flag=True, help="Also what was met, ended or withdrawn; one line each.")
@click.option("--waiting", is_flag=True, help="Also list what waits, not only how much it is.")
@click.option("--each", is_flag=True, help="One line a thing, where the same is due on many.")
@click.option(
    "--retention", is_flag=True, help="Instead: which records may be destroyed, and which are kept or held, and why."
)
@click.option(
    "--fail-on",
    type=click.Choice(list(_FAILING)),
    multiple=True,
    help="Exit with status 1 when a line is in this state; again for several.",
)
@asking
@json_option
def due(
    here: Here,
    asked: Asked,
    thing: str,
    program: str,
    person: str,
    is_all: bool,
    waiting: bool,
    each: bool,
    retention: bool,
    fail_on: Sequence[str],
    is_json: bool,
) -> None:
    """Lists what is due: when, what, whose, under which clause.

    Each line has a short key, such as `24-001 tell`, which `sewershed why` explains. Overdue: the day has passed and nothing
    that counts is recorded. Due soon: within seven days, or its hours are running. Needs decision: the text leaves it to a
    person, or contradicts itself. Cannot tell: a fact is missing; it is never counted as in order.

    With --retention it lists records by kind: from which day they are kept, until when, under which clause, and which may be
    destroyed. Nothing is ever destroyed by this program. A hold is a row: `record TOWN records_held`.
    """
    from sewershed.cli.handles import thing_named
    from sewershed.cli.lines import facts_of, print_lines, print_unnamed
    from sewershed.cli.words import words_of
    from sewershed.ledger import queries

    if retention:
        from sewershed.cli.retention import print_retention

        if program or person or is_all or waiting or each or fail_on:
            raise click.UsageError("--retention lists records: it takes --on, --as-of and --known-at alone")
        print_retention(here, asked, thing_named(here, thing).id if thing else "", is_json=is_json)
        return
    _check_program(here, program)
    with terminal.progress("working out the town") as tell:
        tell("reading its record")
        page = queries.due(
            as_account=here.account,
            thing=thing_named(here, thing).id if thing else "",
            program=program,
            person=thing_named(here, person, "person").id if person else "",
            is_all=is_all,
            as_of=asked.as_of,
            known_at=asked.known_at,
        )
    words = words_of(here, page.items, asked.at(here))
    if is_json:
        for line in page.items:
            terminal.print_json(facts_of(line, words))
    else:
        click.echo(head(here, asked))
        is_whole = bool(thing) or is_all
        shown = print_lines(
            page.items, words, is_folded=not (each or is_whole), is_waiting_shown=waiting or is_whole or bool(person)
        )
        print_unnamed((line.who for line in page.items if not line.persons), words, here.typed)
        terminal.abbreviations(shown, words.abbreviations)
        if not page.items:
            click.echo("Nothing is due. " + _looked_at(thing, program, person))
    if page.left_stale:
        click.echo(
            f"{terminal.many(page.left_stale, 'thing')} could not be brought up to now and count as cannot tell. "
            "Run `sewershed recompute`, or start the town with `sewershed serve`.",
            err=True,
        )
    wanted = {state for name in fail_on for state in _FAILING[name]}
    if any(line.state in wanted for line in page.items):
        found()


def _check_program(here: Here, program: str) -> None:
    """Refuses a program that there is not: of it nothing would ever be due."""
    from sewershed.cli.handles import vocabulary_of
    from sewershed.rules.problems import did_you_mean

    known = sorted({kind.program for kind in vocabulary_of(here).things.values()})
    if program and program not in known:
        raise Failure(f"there is no program {program!r}{did_you_mean(program, known)}; there are {', '.join(known)}")


def head(here: Here, asked: Asked) -> str:
    """Returns the first line of a list: which town, about which instant, as known when."""
    from sewershed.ledger.moments import moment_words

    at = asked.at(here)
    parts = [moment_words(at.replace(second=0) if asked.as_of is None else at, here.zone)]
    if asked.known_at is not None:
        parts.append(f"as known {moment_words(asked.known_at, here.zone)}")
    if here.town.is_example:
        parts.append("example town, its records are invented")
    return f"{click.style(here.town.name, bold=True)}  {' · '.join(parts)}"


def _looked_at(thing: str, program: str, person: str) -> str:
    only = [f"about {thing}" if thing else "", f"in {program}" if program else "", f"for {person}" if person else ""]
    said = ", ".join(one for one in only if one)
    return f"Looked at everything {said}." if said else "Looked at everything that is recorded."
