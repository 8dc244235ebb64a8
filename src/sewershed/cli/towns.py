"""The town that a command is about: its folder opened, the account that acts, the instant that is asked about."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from datetime import date, datetime
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

import click

if TYPE_CHECKING:
    from sewershed.ledger.models import Account
    from sewershed.ledger.town import Town

Function = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Here:
    """An open town, as whom the command acts in it, and now."""

    town: Town
    account: Account
    now: datetime
    typed: str  # the folder as it was typed

    @property
    def zone(self) -> ZoneInfo:
        """Returns the zone of the town."""
        return self.town.zone

    @property
    def today(self) -> date:
        """Returns the present day of the town."""
        return self.now.astimezone(self.zone).date()


@dataclass(frozen=True, slots=True)
class Asked:
    """Which instant is asked about, and what was known when; None: now, and everything."""

    as_of: datetime | None
    known_at: datetime | None

    def at(self, here: Here) -> datetime:
        """Returns the instant asked about."""
        return self.as_of or here.now


def is_town(folder: Path) -> bool:
    """Tells whether a folder is a town's."""
    return (folder / "town.toml").is_file()


def _checked(ctx: click.Context, param: click.Parameter, folder: Path) -> Path:
    if not is_town(folder):
        raise click.BadParameter(
            f"{str(folder)!r} is not the folder of a town: it has no town.toml. Make one with `sewershed init`."
        )
    return folder


town_argument = click.argument("town", type=click.Path(file_okay=False, path_type=Path), callback=_checked)


def in_town(command: Function) -> Function:
    """Gives a command the argument TOWN and the options that say who acts and what time it is; hands on what is here."""
    return town_argument(acting(command))


def acting(command: Function) -> Function:
    """Gives a command that has its TOWN already the options that say who acts and what time it is."""

    @click.option(
        "--as", "as_name", default="", metavar="ACCOUNT", help="Act as this account, not as the administrator."
    )
    @click.option(
        "--now", default="", metavar="TIME", help="In an example town alone: what time it is, for this command."
    )
    @wraps(command)
    def called(town: Path, as_name: str, now: str, **rest: Any) -> Any:
        from sewershed.project.opening import open_town

        opened = open_town(town)
        from sewershed.ledger import clock, privacy, rights
        from sewershed.ledger.moments import instant_of

        account = rights.account_named(as_name) if as_name else rights.owner()
        with clock.at(instant_of(now, opened.zone)) if now else nullcontext(), privacy.read_by(account):
            here = Here(opened, account, clock.now(), str(town))
            if opened.is_example and not now:
                _tell_clock(here)
            return command(here=here, **rest)

    return called


def _tell_clock(here: Here) -> None:
    """Says on standard error where the clock of an example town has not come as far as its last row, entered with --now."""
    from sewershed.ledger import canonical, log
    from sewershed.ledger.moments import moment_words

    rows = log.select_list("position = (SELECT max(position) FROM log)", [])
    last = canonical.read_instant(rows[0].recorded_at) if rows else here.now
    if last - here.now > log.CLOCK_STEP:
        click.echo(
            f"It is {moment_words(here.now.replace(second=0), here.zone)} by the clock of this example town. Its last row was recorded later, on "
            f"{moment_words(last, here.zone)}, with --now: what happened after its clock does not count yet. Give --now.",
            err=True,
        )


def asking(command: Function) -> Function:
    """Gives a reading command the options that say which instant is asked about and what was known; hands them on."""

    @click.option("--as-of", default="", metavar="TIME", help="Ask about this day or time, not about now.")
    @click.option("--known-at", default="", metavar="TIME", help="Use only what had been recorded by then.")
    @wraps(command)
    def called(here: Here, as_of: str, known_at: str, **rest: Any) -> Any:
        from sewershed.cli.moments import typed_instant

        asked = Asked(typed_instant(here, as_of) if as_of else None, known_instant(here, known_at))
        return command(here=here, asked=asked, **rest)

    return called


def known_instant(here: Here, typed: str) -> datetime | None:
    """Returns the instant of which it is asked what was known then; None where nothing was typed.

    Refuses: one before the record begins: nothing was known, which is no answer.
    """
    if not typed:
        return None
    from sewershed.cli.failing import Failure
    from sewershed.cli.moments import typed_instant
    from sewershed.ledger import canonical, log
    from sewershed.ledger.moments import moment_words

    instant = typed_instant(here, typed)
    began = canonical.read_instant(log.select_list("position = %s", [1])[0].recorded_at)
    if instant < began:
        raise Failure(
            f"nothing was known on {moment_words(instant, here.zone)}: the first row was recorded on "
            f"{moment_words(began, here.zone)}"
        )
    return instant
