"""The command `sewershed`."""

from __future__ import annotations

import click

import sewershed


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(sewershed.__version__, prog_name="sewershed")
def main() -> None:
    """Tells what is due in a town's sewer programs, and why."""
