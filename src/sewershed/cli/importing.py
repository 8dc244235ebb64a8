"""`sewershed import`: brings in a list that the town keeps, after saying line by line what it would change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sewershed.cli import terminal
from sewershed.cli.failing import Failure, check_folder, found
from sewershed.cli.terminal import Verb, json_option
from sewershed.cli.towns import Here, in_town

if TYPE_CHECKING:
    from sewershed.exchange.values import Question
    from sewershed.ledger.batches import Change, Plan
    from sewershed.ledger.importing import Kind, Recipe, Sheet

MOST_FIGURES = 12  # of a plan's hash, as printed
MOST_LINES = 40  # that are printed one by one; all of them with --json
_DOES = {
    "begin": "begins",
    "change": "changes",
    "event": "is recorded",
    "same": "stays as it is",
    "refused": "cannot be read",
}


@click.command(
    name="import",
    cls=Verb,
    examples="""
    sewershed import ./spring-hope stations.csv --as-thing station --same in_service_since=2014-01-16 --plan
    sewershed import ./spring-hope stations.csv --as-thing station --map "LS Name=name" --key "LS Name" --same in_service_since=2014-01-16 --apply
    sewershed import ./spring-hope rounds.csv --event station_visited --answer "Date.day_order=mdy" --approve 3f2a9c0d1e4b
    sewershed import ./spring-hope kitchens.csv --as-thing interceptor --apply --not-read kitchens-to-mend.csv
    sewershed record ./spring-hope undo BATCH --why "the wrong file"
    """,
)
@in_town
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--as-thing", "thing", default="", metavar="TYPE", help="Each line is a thing of this type, with its facts."
)
@click.option(
    "--event", default="", metavar="EVENT", help="Each line is something that happened to a thing of the record."
)
@click.option("--sheet", default="", metavar="NAME", help="The sheet of a workbook; the first if left out.")
@click.option("--delimiter", default="", metavar="SIGN", help="What stands between the cells, where that is open.")
@click.option(
    "--map",
    "maps",
    multiple=True,
    metavar="COLUMN=FIELD",
    help="What a column is, nothing after the = to leave it out; again for each. Else by its name.",
)
@click.option(
    "--key",
    multiple=True,
    metavar="COLUMN",
    help="The column that tells one from another; again where it takes several.",
)
@click.option(
    "--same", "constants", multiple=True, metavar="FIELD=VALUE", help="The same for every line; again for each."
)
@click.option(
    "--answer",
    "answers",
    multiple=True,
    metavar="COLUMN.KIND=VALUE",
    help="What the list leaves open, as it is asked; again for each.",
)
@click.option(
    "--day",
    default="",
    metavar="DAY",
    help="The day on which the list was true: what differs holds from it. Today, if left out.",
)
@click.option("--plan", "is_plan", is_flag=True, help="Only show what would change.")
@click.option(
    "--approve", default="", metavar="PLAN", help="Bring it in: the first figures of the plan that you have read."
)
@click.option("--apply", "is_applied", is_flag=True, help="Bring it in without reading the plan first.")
@click.option(
    "--not-read",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the lines that cannot be read into this CSV, with the reasons.",
)
@json_option  # fmt: skip
def import_(
    here: Here, file: Path, thing: str, event: str, sheet: str, delimiter: str, maps: tuple[str, ...], key: tuple[str, ...],
    constants: tuple[str, ...], answers: tuple[str, ...], day: str, is_plan: bool, approve: str, is_applied: bool,
    not_read: Path | None, is_json: bool,
) -> None:  # fmt: skip
    """Brings in a list: CSV or Excel, as the town has it.

    First it says what each column is taken for, what the list leaves open, and line by line what would begin, change, be
    recorded, stay as it is, or cannot be read. You approve that plan by its first figures, and it is entered as one batch that
    `record TOWN undo` takes back. The same list twice changes nothing. A line that cannot be read hinders no other, and is kept
    with the batch. Exit status 1 where lines cannot be read, 3 where something is still to be said.
    """
    from sewershed.ledger import actions, files, importing, working

    if bool(thing) == bool(event):
        raise click.UsageError("say what each line is: --as-thing TYPE or --event EVENT")
    if is_plan + bool(approve) + is_applied != 1:
        raise click.UsageError(
            "see first what would change with --plan, then --approve it by its first figures; or --apply"
        )
    if not_read is not None:
        check_folder(not_read)
    content = file.read_bytes()
    files.check_size(len(content))
    kind = importing.kind_named(thing, event, as_account=here.account)
    one = _sheet(content, file.name, sheet, delimiter)
    recipe, because = _recipe(here, one, kind, maps, key)
    recipe = replace(
        recipe, sheet=one.name if sheet else "", delimiter=delimiter, constants=_pairs(constants, "--same"), answers=_answers(answers, one.columns), day=day or here.today.isoformat()
    )  # fmt: skip
    with terminal.progress(f"looking at {file.name}") as tell:
        told = lambda done, total: tell(f"{done:,} of {total:,} lines")  # noqa: E731  # handed on once
        plan = _plan(here, one, file.name, files.sha256(content), recipe, kind, told)
    if not_read is not None:
        not_read.write_bytes(importing.not_read(one, plan))
    if is_plan:
        _show(plan, one, kind, recipe, because, is_json=is_json)
    else:
        if approve and (len(approve) < MOST_FIGURES // 2 or not plan.hash.startswith(approve)):
            raise Failure(
                f"the plan is {plan.hash[:MOST_FIGURES]} now, not {approve}: something changed since, or it was mistyped. "
                "Look at it again with --plan."
            )
        files.store(content)
        batch = actions.apply_batch(importing.with_not_read(one, plan), as_account=here.account)
        with terminal.progress("working out what follows") as tell:
            working.tick(progress=lambda count: tell(terminal.many(count, "thing")))
        _applied(plan, batch, is_json=is_json)
    if plan.counts["refused"]:
        found()


def _sheet(content: bytes, name: str, sheet: str, delimiter: str) -> Sheet:
    from sewershed.ledger import importing

    try:
        return importing.sheet_named(importing.sheets_of(content, name, delimiter), sheet)
    except importing.ListRefused as error:
        signs = [f"--delimiter {sign!r}" for sign in error.delimiters]
        raise Failure(str(error), [f"say which it is: {' or '.join(signs)}"] if signs else ()) from None


def _recipe(
    here: Here, sheet: Sheet, kind: Kind, maps: Sequence[str], key: tuple[str, ...]
) -> tuple[Recipe, Mapping[str, str]]:
    """Returns how the list is taken: by the names of its columns, and by what was said of them; and why, by column."""
    from sewershed.ledger import importing

    taken = importing.suggested(sheet, kind, as_account=here.account)
    columns = {one.column: one.target or "" for one in taken.matches}
    because = {one.column: one.because for one in taken.matches}
    said = _pairs(maps, "--map", last=True)
    for column, name in said.items():
        for other in [other for other, one in columns.items() if one == name and name and other not in said]:
            columns[other] = ""
        columns[column], because[column] = name, "as you say"
    recipe = importing.Recipe(
        thing="" if kind.event else kind.type.name, event=kind.event.name if kind.event else "", columns=columns, key=key or taken.key
    )  # fmt: skip
    return recipe, because


def _plan(here: Here, sheet: Sheet, name: str, digest: str, recipe: Recipe, kind: Kind, told: Any) -> Plan:
    """Returns the plan; what is still to be said is refused, each question with what can be answered."""
    from sewershed.ledger import importing

    wanting = importing.wanting(kind, recipe, sheet, as_account=here.account)
    if wanting:
        how = (
            "a column is said with --map COLUMN=FIELD, of when it happened --map COLUMN=at (day and time) or =on (day)"
        )
        raise Failure("The lines were not looked at: something is still to be said.", [*wanting, how])
    asked = importing.asked(kind, recipe, sheet, as_account=here.account)
    still = importing.unanswered(asked, recipe)
    if still:
        raise Failure(
            "The list can be read in more than one way: answer with --answer.", [_question(one) for one in still]
        )
    return importing.plan_list(sheet, digest, name, recipe, as_account=here.account, progress=told)


def _question(one: Question) -> str:
    choices = " or ".join(
        f'--answer "{one.column}.{one.kind}={choice.value}" ({choice.label})' for choice in one.choices
    )
    # a question that names its lines already does not name them twice
    lines = f" (line {', '.join(map(str, one.lines[:3]))})" if one.lines and "(line" not in one.asks else ""
    return f"{one.asks}{lines}: {choices}"


def _pairs(said: Sequence[str], option: str, *, last: bool = False) -> dict[str, str]:
    """Returns NAME=VALUE pairs; of a column, which may itself hold the sign, the last one parts."""
    found = {}
    for one in said:
        name, sign, value = one.rpartition("=") if last else one.partition("=")
        if not sign or not name.strip():
            raise click.UsageError(f"{option} {one!r}: write NAME=VALUE")
        found[name.strip()] = value.strip()
    return found


def _answers(said: Sequence[str], columns: Sequence[str]) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {}
    for name, value in _pairs(said, "--answer", last=True).items():
        column = max((one for one in columns if name.startswith(f"{one}.")), key=len, default="")
        if not column:
            raise click.UsageError(f"--answer {name}={value}: write COLUMN.KIND=VALUE, as it is asked")
        found.setdefault(column, {})[name.removeprefix(f"{column}.")] = value
    return found


# ------------------------------------------------------------------------------------------------ what is printed


def _show(plan: Plan, sheet: Sheet, kind: Kind, recipe: Recipe, because: Mapping[str, str], *, is_json: bool) -> None:
    from sewershed.ledger import importing
    from sewershed.ledger.wording import words_of

    if is_json:
        terminal.print_json({"plan": plan.hash, "head": str(plan.head), **_counts(plan), "columns": recipe.columns, "key": recipe.key, "apart": [{"line": one.number, "because": one.because} for one in importing.noted_lines(sheet)]})  # fmt: skip
        for change in plan.changes:
            terminal.print_json(_line(change))
        return
    terminal.heading("Columns")
    taken = [(column, f"{name or 'left out'}  ({because.get(column, '')})") for column, name in recipe.columns.items()]
    terminal.pairs([*taken, ("told apart by", " and ".join(recipe.key))] if recipe.key else taken)
    if apart := importing.noted_lines(sheet):
        terminal.heading(f"Lines that are no line of the list  {len(apart)}")
        terminal.pairs([(f"line {one.number}", one.because) for one in apart])
    words = words_of(one.thing for one in plan.changes if one.thing)
    shown = sorted((one for one in plan.changes if one.what != "same"), key=lambda one: one.what != "refused")
    terminal.heading(f"Lines  {len(plan.changes)}")
    terminal.pairs([(f"line {one.number}", _said(one, words.names)) for one in shown[:MOST_LINES]])
    if len(shown) > MOST_LINES:
        terminal.say(f"and {len(shown) - MOST_LINES} more; --json prints every line", indent=2, dim=True)
    doubtful = importing.unlikely(plan, kind)
    if doubtful:
        terminal.heading(f"What looks unlikely  {len(doubtful)}")
        for sentence in doubtful:
            terminal.say(sentence, indent=4, first="  -")
    click.echo()
    terminal.say(f"{_sum(plan)}.")
    if any(one.columns for one in plan.changes):
        click.echo(f"To bring it in: --approve {plan.hash[:MOST_FIGURES]}")
    else:
        click.echo("There is nothing to bring in.")


def _said(change: Change, names: Mapping[str, str]) -> str:
    if change.what == "refused":
        return f"cannot be read: {'; '.join(change.reasons)}"
    data = {name: one for name, one in change.columns.get("data", {}).items() if not name.startswith("_")}
    said = ", ".join(
        f"{name}: {change.before[name]} becomes {value}" if change.before.get(name) is not None else f"{name}: {value}"
        for name, value in data.items()
    )
    note = f" ({change.note})" if change.note else ""
    return f"{names.get(change.thing) or change.source_id or change.thing} {_DOES[change.what]}{': ' if said else ''}{said}{note}"


def _sum(plan: Plan) -> str:
    count = Counter(one.what for one in plan.changes)
    said = [f"{count[what]:,} {_many(count[what], words)}" for what, words in _DOES.items() if count[what]]
    return f"{terminal.many(len(plan.changes), 'line')}: {', '.join(said)}" if said else "no lines"


def _many(count: int, words: str) -> str:
    one = {"begins": "begin", "changes": "change", "is recorded": "are recorded", "stays as it is": "stay as they are"}
    return words if count == 1 else one.get(words, words)


def _counts(plan: Plan) -> dict[str, int]:
    count = Counter(one.what for one in plan.changes)
    return {"lines": len(plan.changes), **{what: count[what] for what in _DOES}}


def _line(change: Change) -> dict[str, Any]:
    columns = change.columns
    return {
        "line": change.number, "does": change.what, "type": change.type, "id": change.source_id or None, "thing": change.thing or None,
        "at": columns.get("at") or columns.get("day") or None, "data": {name: one for name, one in columns.get("data", {}).items() if not name.startswith("_")},
        "before": change.before, "reasons": change.reasons, "note": change.note or None,
    }  # fmt: skip


def _applied(plan: Plan, batch: str, *, is_json: bool) -> None:
    if is_json:
        terminal.print_json({"batch": batch or None, "plan": plan.hash, **_counts(plan)})
        return
    if batch:
        click.echo(batch)
    click.echo(f"{_sum(plan)[:1].upper()}{_sum(plan)[1:]}.{'' if batch else ' Nothing was entered.'}", err=True)
