"""`sewershed demo`: the example town."""

from __future__ import annotations

import click

from sewershed.cli.terminal import Verb


@click.command(cls=Verb, examples="sewershed demo var/example")
@click.argument("folder")
def demo(folder: str) -> None:
    """Makes the example town in FOLDER and shows what is due."""
    raise click.ClickException(f"the example town is not built yet, so {folder} was not made")
