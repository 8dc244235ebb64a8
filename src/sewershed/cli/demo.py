"""`sewershed demo`: the example town."""

from __future__ import annotations

from pathlib import Path

import click

from sewershed.cli import terminal
from sewershed.cli.terminal import Verb
from sewershed.cli.towns import Asked, Here


@click.command(cls=Verb, examples="sewershed demo var/example")
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option("--name", default="", help="Which example; the first there is, if left out.")
def demo(folder: Path, name: str) -> None:
    """Makes an example town and shows what is due, and why.

    Its records are invented. A town that stands there already is only shown. Its clock began when it was made and runs on.
    """
    from sewershed.project.example import make_example
    from sewershed.rules.moments import is_instant

    with terminal.progress("making the example town") as tell:
        town = make_example(folder, name, tell)
    from sewershed.cli.due import head
    from sewershed.cli.handles import key_named
    from sewershed.cli.lines import print_lines
    from sewershed.cli.why import print_reasons
    from sewershed.cli.words import words_of
    from sewershed.ledger import clock, queries, rights, working
    from sewershed.ledger.explaining import gather

    here = Here(town, rights.owner(), clock.now(), str(folder))
    with terminal.progress("working out what is due") as tell:
        working.tick(progress=lambda count: tell(terminal.many(count, "thing")))
        page = queries.due(as_account=here.account)
    now = Asked(None, None)
    words = words_of(here, page.items, here.now)
    click.echo(head(here, now))
    terminal.abbreviations(print_lines(page.items, words, is_waiting_shown=False), words.abbreviations)
    running = [line for line in page.items if line.due is not None and is_instant(line.due)]
    for line in (running or page.items)[:1]:
        short = words.keys[line.key]
        terminal.heading(f"Why  {short}", fg="cyan")
        click.echo()
        print_reasons(here, now, gather(key_named(here, short.split()), as_account=here.account))
    papers = _papers(here, folder)
    if papers:
        terminal.heading("Papers that were issued")
        terminal.pairs(papers)
    terminal.heading("Go on")
    for words_ in (
        f"due {folder}",
        f"why {folder} THING RULE",
        f"show {folder} THING",
        f"record {folder} --list",
        "--help",
    ):
        click.echo(f"  sewershed {words_}")


def _papers(here: Here, folder: Path) -> list[tuple[str, str]]:
    """Returns the issued spill reports, each with where it lies as a file that a viewer opens."""
    from sewershed.ledger import queries

    found = []
    for paper in queries.documents(as_account=here.account, kind="spill_report"):
        path = folder / "papers" / f"{paper['kind']}-{paper['number']}.pdf"
        if not path.exists():
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(queries.file(paper["sha256"], as_account=here.account))
        about = queries.thing(paper["about"], as_account=here.account).label
        found.append((f"spill report {paper['number']}", f"{path}\n{about}"))
    return found
