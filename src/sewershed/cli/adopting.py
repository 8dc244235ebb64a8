"""`sewershed adopt`: makes a newer law the town's."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from sewershed.cli import terminal
from sewershed.cli.failing import Failure, found
from sewershed.cli.terminal import Verb, json_option
from sewershed.cli.towns import Here, in_town

if TYPE_CHECKING:
    from sewershed.ledger.adopting import Plan


@click.command(
    cls=Verb,
    examples="""
    sewershed adopt ./spring-hope --plan
    sewershed adopt ./spring-hope --approve 3f2a9c0d1e4b --number 2
    sewershed adopt ./spring-hope --books ./revised --plan
    """,
)
@in_town
@click.option("--plan", "is_plan", is_flag=True, help="Only show what would change.")
@click.option("--approve", default="", metavar="PLAN", help="Adopt: the first figures of the plan that you have read.")
@click.option("--number", default="", help="The number of the supplement, as the codifier has it.")
@click.option(
    "--books",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    multiple=True,
    metavar="FOLDER",
    help="Take the rulebooks below FOLDER before those that are installed.",
)
@json_option
def adopt(here: Here, is_plan: bool, approve: str, number: str, books: tuple[Path, ...], is_json: bool) -> None:
    """Makes a newer law the town's, after saying what it changes.

    The installed rulebooks, with the town's own, become a new supplement: the law that the town runs from then on. First it says in sentences which entries are new, gone or changed, and every obligation and finding that would change. You
    approve that plan by its first figures. Old papers keep the law under which they were written. Exit status 1 with --plan
    where something would change.
    """
    from sewershed.ledger import actions, adopting, supplements, working
    from sewershed.programs import own_vocabularies

    if is_plan == bool(approve):
        raise click.UsageError("see first what would change with --plan, then --approve it by its first figures")
    programs, installed = supplements.installed(here.town.own_books)
    for folder in books:
        installed += [path.parent for path in sorted(folder.rglob("rulebook.toml"))]
        programs += [path.parent for path in own_vocabularies(folder)]
    parts = supplements.gather(here.town.book, programs, installed)
    with terminal.progress("comparing the laws") as tell:
        tell("working out what would change")
        plan = adopting.plan(parts, as_account=here.account)
    if is_plan:
        _show(plan, is_json=is_json)
        if plan.supplement != plan.before:
            found()
        return
    if len(approve) < MOST_FIGURES // 2 or not plan.hash.startswith(approve):
        raise Failure(
            f"the plan is {plan.hash[:MOST_FIGURES]} now, not {approve}: something changed since, or it was mistyped. "
            "Look at it again with --plan."
        )
    recorded = actions.adopt(plan, as_account=here.account, number=number)
    with terminal.progress("working out the town under its new law") as tell:
        working.tick(progress=lambda count: tell(terminal.many(count, "thing")))
    if is_json:
        terminal.print_json({"row": recorded.id, "supplement": plan.supplement, "number": number or None})
    else:
        click.echo(f"Supplement {plan.supplement[:12]} is adopted, row {recorded.id}.")


MOST_FIGURES = 12  # of a plan's hash, as printed


def _show(plan: Plan, *, is_json: bool) -> None:
    if is_json:
        terminal.print_json(
            {
                "plan": plan.hash,
                "supplement": plan.supplement,
                "before": plan.before or None,
                "head": str(plan.head),
                "entries": plan.entries,
                "consequences": plan.consequences,
                "unreadable": plan.unreadable,
            }
        )
        return
    if plan.supplement == plan.before:
        click.echo("The town runs these rulebooks already: there is nothing to adopt.")
        return
    for name, lines in (
        ("Rows that could not be read", plan.unreadable),
        ("In the law", plan.entries),
        ("In what follows from it", plan.consequences),
    ):
        if lines or name != "Rows that could not be read":
            terminal.heading(f"{name}  {len(lines)}")
        for line in lines:
            terminal.say(line, indent=4, first="  -")
    click.echo()
    if plan.unreadable:
        click.echo("It cannot be adopted: a name in the record would have no meaning. Keep the old name as `was`.")
    else:
        click.echo(f"To adopt it: --approve {plan.hash[:MOST_FIGURES]}")
