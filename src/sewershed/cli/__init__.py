"""The command `sewershed`: it parses, asks the ledger or the engine, and prints. No rule is decided here.

One file a group of commands. A command's file is read only when it is asked for, and what is large (Django, the engine, the
papers) only when it runs, so that each begins at once.
"""

from __future__ import annotations

import os
from importlib import import_module
from keyword import iskeyword
from typing import Any

import click

import sewershed
from sewershed.cli.failing import failure_of
from sewershed.cli.terminal import Verbs

# The name of each command, and the file below this folder in which it stands.
_WHERE = {
    "init": "founding",
    "adopt": "adopting",
    "due": "due",
    "why": "why",
    "may": "may",
    "record": "record",
    "import": "importing",
    "show": "show",
    "report": "report",
    "export": "export",
    "account": "account",
    "serve": "serve",
    "rules": "rules",
    "calc": "calc",
    "recompute": "keeping",
    "verify": "keeping",
    "backup": "keeping",
    "restore": "keeping",
    "doctor": "keeping",
    "demo": "demo",
}


class Sewershed(Verbs):
    """The commands, in the order in which a town meets them."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Returns the names of the commands."""
        return list(_WHERE)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Returns a command, reading its file."""
        if cmd_name not in _WHERE:
            return None
        name = f"{cmd_name}_" if iskeyword(cmd_name) else cmd_name
        command = getattr(import_module(f"{__name__}.{_WHERE[cmd_name]}"), name)
        assert isinstance(command, click.Command)
        return command

    def invoke(self, ctx: click.Context) -> Any:
        """Runs a command; what it refuses is told in sentences, with the exit status that says so."""
        if "NO_COLOR" in os.environ:
            ctx.color = False
        try:
            return super().invoke(ctx)
        except Exception as error:
            failure = failure_of(error)
            if failure is None:
                raise
            raise failure from error


@click.group(
    cls=Sewershed,
    examples="""
    sewershed init us.nc.spring_hope ./spring-hope --set county=Nash
    sewershed record ./spring-hope spill new --set location="Branch Street"
    sewershed record ./spring-hope call --on "Branch Street" --at now --set what=manhole_overflowing
    sewershed due ./spring-hope
    sewershed why ./spring-hope 24-001 tell
    sewershed record ./spring-hope state_told --on 24-001 --at now --set way=person --set spoken_to="staff on duty"
    sewershed report ./spring-hope spill_report 24-001 --issue
    sewershed record ./spring-hope spill_form_sent --on 24-001 --at now --set way=email
    """,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(sewershed.__version__, prog_name="sewershed")
def main() -> None:
    """Tells what is due in a town's sewer programs, and why; keeps the record; writes the paper.

    A TOWN is the folder that `sewershed init` made. Exit status: 0 fine, 1 something found (where the command looks for
    faults), 2 usage, 3 data refused.
    """
