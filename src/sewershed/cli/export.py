"""`sewershed export`: the record as files for others."""

from __future__ import annotations

import csv
import json
import re
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import IO, Any

import click

from sewershed.cli import completing, terminal
from sewershed.cli.failing import check_folder
from sewershed.cli.terminal import Verb
from sewershed.cli.towns import Asked, Here, asking, in_town
from sewershed.exchange.sheet import guarded


@click.command(
    cls=Verb,
    examples="""
    sewershed export ./spring-hope log -o log.jsonl
    sewershed export ./spring-hope spill -o spills.csv
    sewershed export ./spring-hope due --format csv
    sewershed export ./spring-hope log --with-private --because "the auditor's request of 4 March"
    """,
)
@in_town
@click.argument("what", shell_complete=completing.tables)
@click.option(
    "-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="The file; standard output if left out."
)
@click.option(
    "--format", "form", type=click.Choice(["jsonl", "csv"]), default=None, help="By the file's name, else jsonl."
)
@click.option("--with-private", is_flag=True, help="Private values too; the reason is recorded.")
@click.option("--because", default="", metavar="TEXT", help="With --with-private: why they are wanted.")
@asking
def export(
    here: Here,
    asked: Asked,
    what: str,
    output: Path | None,
    form: str | None,
    with_private: bool,
    because: str,
) -> None:
    """Exports the record as JSON Lines or CSV.

    WHAT is the `log`, everything that is or was `due`, or a type of thing (`spill`) with the facts of each as they stand.
    Private and confidential values are left out and marked so, unless they are asked for with a reason.
    """
    if output is not None:
        check_folder(output)
    if with_private:
        from sewershed.ledger import actions, adopting

        actions.ask_private(
            adopting.town_id(), as_account=here.account, because=f"export of {what}: {because}" if because else ""
        )
    form = form or ("csv" if output is not None and output.suffix == ".csv" else "jsonl")
    columns, rows = _table(here, asked, what, with_private=with_private)
    if output is None:
        _write(sys.stdout, form, columns, rows)
        return
    with output.open("w", encoding="utf-8", newline="") as file, terminal.progress(f"writing {output}") as tell:
        count = _write(file, form, columns, rows, tell)
    click.echo(f"{output}: {terminal.many(count, 'line')}", err=True)


def _table(
    here: Here, asked: Asked, what: str, *, with_private: bool
) -> tuple[Sequence[str], Iterable[dict[str, Any]]]:
    from sewershed.ledger import exporting, queries

    if (asked.as_of or asked.known_at) and what != "due":
        raise click.UsageError(f"--as-of and --known-at are for `export due`; the {what} is exported as it stands")
    if what == "log":
        return (), exporting.log_rows(as_account=here.account, with_private=with_private)
    if what == "due":
        from sewershed.cli.lines import facts_of
        from sewershed.cli.words import words_of

        lines = queries.due(as_account=here.account, is_all=True, as_of=asked.as_of, known_at=asked.known_at).items
        words = words_of(here, lines, asked.at(here))
        return (), [facts_of(line, words) for line in lines]
    return exporting.things(what, as_account=here.account, with_private=with_private)


_NUMBER = re.compile(r"[+-]?\d+(\.\d+)?", re.ASCII)  # an exact number comes as a text and keeps its sign


def _write(file: IO[str], form: str, columns: Sequence[str], rows: Iterable[dict[str, Any]], tell: Any = None) -> int:
    """Writes rows and returns how many. In CSV a list or a record stands as JSON, and no text runs as a formula."""
    count, writer = 0, None
    for row in rows:
        count += 1
        plain = terminal.plain(row)
        if form == "jsonl":
            file.write(json.dumps(plain, ensure_ascii=False) + "\n")
        else:
            if writer is None:
                writer = csv.DictWriter(file, columns or list(plain))
                writer.writeheader()
            writer.writerow({name: _cell(value) for name, value in plain.items()})
        if tell is not None and count % 1000 == 0:
            tell(f"{count:,} lines")
    if form == "csv" and writer is None and columns:
        csv.DictWriter(file, columns).writeheader()
    return count


def _cell(value: Any) -> Any:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        return value if _NUMBER.fullmatch(value) else guarded(value)
    return json.dumps(value, ensure_ascii=False) if isinstance(value, list | dict) else value
