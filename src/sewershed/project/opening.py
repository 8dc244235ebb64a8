"""Opens a town: points Django at its folder and its database."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

import django
from django.apps import apps
from django.conf import settings
from django.core.management import call_command
from django.db import DatabaseError, connection, connections
from django.utils import timezone

from sewershed.ledger.errors import TownError
from sewershed.ledger.town import Town, read_town

SETTINGS = "sewershed.project.settings"


def open_town(folder: Path, *, is_checked: bool = True) -> Town:
    """Makes the town of a folder the one that this process serves, and returns it.

    Refuses: a folder that is no town, a database that does not answer or has no log, and a log whose guards are gone.

    Args:
        folder: the town's folder.
        is_checked: False for those who mend a town or have just begun to make one.

    Raises:
        TownError: with what to do.
    """
    town = read_town(folder)
    os.environ["SEWERSHED_TOWN"] = str(town.folder)
    make_ready()
    if town != settings.TOWN:
        _point_at(town)
    if is_checked:
        _check(town)
    return town


def make_ready() -> None:
    """Makes Django ready, with or without a town; models cannot be imported before."""
    if not apps.ready:
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", SETTINGS)
        django.setup()


def make_tables() -> None:
    """Makes or brings up to date the tables of the open town, and their guards."""
    call_command("migrate", verbosity=0, interactive=False)


def _point_at(town: Town) -> None:
    connections.close_all()
    settings.TOWN = town
    settings.SECRET_KEY = town.secret_key
    settings.TIME_ZONE = town.time_zone
    settings.DATABASES = {"default": town.database_settings()}
    timezone.get_default_timezone.cache_clear()  # type: ignore[attr-defined]  # it is kept for the whole process
    connections.settings = connections.configure_settings(settings.DATABASES)
    with suppress(AttributeError):  # where this thread had not connected yet
        del connections["default"]


def _check(town: Town) -> None:
    from sewershed.ledger import guards  # its models want the apps ready

    if town.is_sqlite and not town.database_file.exists():
        raise TownError(
            f"{town.database_file} is not there: the town has lost its database. "
            f"Restore the newest backup of {town.backups} into a new folder with `sewershed restore`."
        )
    try:
        has_log = "log" in connection.introspection.table_names()
    except DatabaseError as error:
        raise TownError(f"the database of {town.name} ({town.database}) does not answer: {error}".strip()) from None
    if not has_log:
        raise TownError(f"the database of {town.name} has no log. Run `sewershed doctor {town.folder}`.")
    lacking = guards.missing()
    if lacking:
        raise TownError(
            f"the log of {town.name} stands unguarded ({', '.join(lacking)} missing): rows could be changed unseen. "
            f"Run `sewershed doctor {town.folder} --mend`, then `sewershed verify {town.folder}`."
        )
