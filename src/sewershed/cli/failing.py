"""What a command says when it cannot go on, and its exit status.

0 fine; 1 something found, where the command looks for faults; 2 usage, which click reports; 3 data refused.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import IO, Any, NoReturn

import click

from sewershed.cli import terminal

FOUND, USAGE, REFUSED = 1, 2, 3


class Failure(click.ClickException):
    """What stops a command: what, and every reason, in sentences."""

    exit_code = REFUSED

    def __init__(self, head: str, reasons: Sequence[str] = ()) -> None:
        super().__init__(terminal.from_here(head))
        self.reasons = tuple(terminal.from_here(one) for one in reasons)

    def show(self, file: IO[Any] | None = None) -> None:
        """Prints it to standard error: the head, then each reason on lines of its own."""
        click.echo(click.style(self.message, fg="red", bold=True), file, err=True)
        for reason in self.reasons:
            first, *rest = reason.splitlines() or [""]
            click.echo(f"  {first}", file, err=True)
            for line in rest:
                click.echo(f"    {line}", file, err=True)


def failure_of(error: Exception) -> Failure | None:
    """Returns what to say of an error that is meant for the person at the terminal, or None for a fault of ours."""
    from sewershed.ledger.errors import LedgerError, NotAllowed, NotFound, Refused, TownError, Unreadable
    from sewershed.rules.calendars import CalendarError
    from sewershed.rules.moments import MomentError
    from sewershed.rules.problems import RulebookError

    match error:
        case RulebookError():
            many = len(error.problems)
            head = (
                f"{many} {'problem' if many == 1 else 'problems'} in the rulebooks: none is used until they are mended."
            )
            return Failure(head, [str(problem) for problem in error.problems])
        case Refused():
            return _refused("Nothing was recorded.", error.reasons)
        case Unreadable():
            return _refused("Rows of the log cannot be read.", error.rows)
        case NotFound() | NotAllowed() | TownError() | LedgerError() | MomentError():
            return Failure(str(error))
        case CalendarError():  # a list of holidays is asked for when it is needed: it takes a tenth of a second to load
            return Failure(str(error), ["It stands in rulebook.toml, under [holidays]."])
    return None


def check_folder(file: str | Path) -> None:
    """Refuses a file to be written into a folder that is not there, before any work is done for it."""
    path = Path(file)
    if not path.parent.is_dir():
        raise Failure(f"there is no folder {path.parent} to write {path.name} into; make it first")


def found() -> NoReturn:
    """Ends a command that looked for faults and found some."""
    click.get_current_context().exit(FOUND)
    raise AssertionError  # exit() raises


def _refused(head: str, reasons: Sequence[str]) -> Failure:
    return Failure(reasons[0]) if len(reasons) == 1 else Failure(head, reasons)
