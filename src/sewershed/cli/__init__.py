"""The command `sewershed`."""

from __future__ import annotations

import click

import sewershed


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(sewershed.__version__, prog_name="sewershed")
def main() -> None:
    """Tells what is due in a town's sewer programs, and why."""


@main.command()
@click.argument("folder")
def demo(folder: str) -> None:
    """Makes the example town in FOLDER and shows what is due."""
    raise click.ClickException(f"the example town is not built yet, so {folder} was not made")
