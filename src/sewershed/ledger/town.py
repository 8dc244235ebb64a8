"""A town is a folder: what its `town.toml` and `secret.toml` say (docs/explanation/the-record.md).

    town.toml     which book, which database, which zone; goes into backups
    secret.toml   the keys; mode 600, never in a backup
    town.db       the database, where it is SQLite
    mail/         what is mailed, while no mail server is named
    files/        attachments, papers, supplements, each under its hash
    backups/

This module is plain Python: settings are made from it, so nothing of Django may be imported here.
"""

from __future__ import annotations

import os
import re
import secrets
import stat
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from sewershed.ledger.errors import TownError

TOWN_FILE = "town.toml"
SECRET_FILE = "secret.toml"
SQLITE_ADDRESS = "sqlite:town.db"
BUSY_SECONDS = 60  # how long a writer waits for its turn; SQLite's waiting is unfair, the longest seen was 3 s
SQLITE_PRAGMAS = (
    "PRAGMA journal_mode=WAL;"
    "PRAGMA synchronous=FULL;"  # a power cut must not lose a committed row
    "PRAGMA foreign_keys=ON;"
    "PRAGMA cache_size=-64000;"  # 64 MB; with the 2 MB that it takes by itself, filling a large table costs twice as much
)
_KEYS = {"book", "name", "time_zone", "database", "example", "clock_shift_seconds", "mail"}
_SECRET_KEYS = {"secret_key", "database_password", "mail_password"}
_PORTS = {
    "starttls": 587,
    "tls": 465,
    "none": 25,
}  # how the line is secured, and the port it has by custom (RFC 8314, RFC 5321)


@dataclass(frozen=True, slots=True)
class Mail:
    """How mail leaves a town: by a server, or, where none is named, into the folder `mail/`."""

    server: str = ""
    port: int = 0
    security: str = "starttls"  # starttls, tls, none
    user: str = ""
    sender: str = ""
    digest_at: str = "06:30"  # when the morning digest goes, on the town's clock


@dataclass(frozen=True, slots=True)
class Town:
    """What a town's folder says of itself."""

    folder: Path
    book: str
    name: str
    time_zone: str
    database: str = SQLITE_ADDRESS
    is_example: bool = False
    clock_shift: timedelta = timedelta()  # an example town's clock against the real one, fixed when it was made
    secret_key: str = ""
    database_password: str = ""
    mail: Mail = Mail()
    mail_password: str = ""

    @property
    def files(self) -> Path:
        """Returns the folder of attachments, papers and supplements."""
        return self.folder / "files"

    @property
    def maps(self) -> Path:
        """Returns the folder in which the town lays maps of its own; no part of the record."""
        return self.files / "map"

    @property
    def backups(self) -> Path:
        """Returns the folder of backups."""
        return self.folder / "backups"

    @property
    def own_books(self) -> Path:
        """Returns the folder of rulebooks that the town lays beside `town.toml`."""
        return self.folder / "rulebooks"

    @property
    def zone(self) -> ZoneInfo:
        """Returns the zone of the town's own book."""
        return ZoneInfo(self.time_zone)

    @property
    def is_sqlite(self) -> bool:
        """Tells whether the town's database is a file of its folder."""
        return self.database.startswith("sqlite:")

    @property
    def database_file(self) -> Path:
        """Returns the SQLite file; for PostgreSQL there is none and the path means nothing."""
        return self.folder / self.database.removeprefix("sqlite:")

    def database_settings(self) -> dict[str, Any]:
        """Returns what Django is told about the town's database."""
        if self.is_sqlite:
            return {
                "ENGINE": "django.db.backends.sqlite3",
                "NAME": str(self.database_file),
                "OPTIONS": {
                    "transaction_mode": "IMMEDIATE",
                    "timeout": BUSY_SECONDS,
                    "init_command": SQLITE_PRAGMAS,
                },
            }
        address = urlsplit(self.database)
        return {
            "ENGINE": "django.db.backends.postgresql",
            "NAME": unquote(address.path.lstrip("/")),
            "USER": unquote(address.username or ""),
            "PASSWORD": self.database_password or unquote(address.password or ""),
            "HOST": address.hostname or "",
            "PORT": str(address.port or ""),
            "OPTIONS": {"options": "-c synchronous_commit=on"} | dict(parse_qsl(address.query)),
        }


def read_town(folder: Path) -> Town:
    """Returns what the folder says of itself.

    Refuses: a folder without `town.toml` or `secret.toml`, keys it does not know, a zone that does not exist, a
    database that is neither SQLite nor PostgreSQL, and a shifted clock in a town that is not an example.

    Raises:
        TownError: with the file, the reason and what to do.
    """
    folder = folder.resolve()
    said = _read(folder / TOWN_FILE, _KEYS, "Make a town with `sewershed init`, or name the folder of one.")
    secret = _read(
        folder / SECRET_FILE, _SECRET_KEYS, "It holds the keys and is in no backup; `sewershed doctor` makes a new one."
    )
    where = folder / TOWN_FILE
    for key in ("book", "name", "time_zone"):
        if not isinstance(said.get(key), str) or not said[key]:
            raise TownError(f'{where}: {key} is missing; write {key} = "…"')
    try:
        ZoneInfo(said["time_zone"])
    except (ZoneInfoNotFoundError, ValueError):
        raise TownError(
            f"{where}: there is no time zone {said['time_zone']!r}; write the zone of the town's book, "
            'such as time_zone = "America/New_York"'
        ) from None
    database = str(said.get("database", SQLITE_ADDRESS))
    if not database.startswith(("sqlite:", "postgresql://")):
        raise TownError(f"{where}: database = {database!r} is neither sqlite:FILE nor postgresql://USER@HOST:PORT/NAME")
    is_example = bool(said.get("example", False))
    shift = said.get("clock_shift_seconds", 0)
    if shift and not is_example:
        raise TownError(
            f"{where}: clock_shift_seconds is for example towns alone; a real record keeps real time. Take the line out."
        )
    return Town(
        folder=folder,
        book=said["book"],
        name=said["name"],
        time_zone=said["time_zone"],
        database=database,
        is_example=is_example,
        clock_shift=timedelta(seconds=int(shift)),
        secret_key=str(secret.get("secret_key", "")),
        database_password=str(secret.get("database_password", "")),
        mail=_mail(said.get("mail", {}), where),
        mail_password=str(secret.get("mail_password", "")),
    )


def _mail(said: Any, where: Path) -> Mail:
    """Returns how mail leaves the town, as `[mail]` says."""
    known = [field.name for field in fields(Mail)]
    if not isinstance(said, Mapping) or set(said) - set(known):
        raise TownError(f"{where}: [mail] has the keys {', '.join(known)}, and no others")
    wrong = [name for name, value in said.items() if not isinstance(value, int if name == "port" else str)]
    if wrong:
        raise TownError(
            f"{where}: [mail] {wrong[0]} = {said[wrong[0]]!r} is of the wrong kind; port is a number, the others are texts"
        )
    security = said.get("security", "starttls")
    if security not in _PORTS:
        raise TownError(f"{where}: [mail] security = {security!r} is none of {', '.join(_PORTS)}")
    digest_at = said.get("digest_at", Mail().digest_at)
    if not re.fullmatch(r"([01]\d|2[0-3]):[0-5]\d", digest_at):
        raise TownError(f'{where}: [mail] digest_at = {digest_at!r} is no time of day; write it as "06:30"')
    if said.get("server") and not said.get("sender"):
        raise TownError(
            f'{where}: [mail] names a server but no sender; write sender = "…", the address from which mail comes'
        )
    return Mail(**{"port": _PORTS[security], **said})


def write_town(town: Town) -> None:
    """Writes a new folder's `town.toml` and `secret.toml`, with a fresh key.

    Refuses: a folder that is a town already.

    Raises:
        TownError: where there is a `town.toml`.
    """
    where = town.folder / TOWN_FILE
    if where.exists():
        raise TownError(f"{where} is there already: {town.folder} is a town. Name an empty folder.")
    try:
        town.folder.mkdir(parents=True, exist_ok=True)
        for part in (town.files, town.backups):
            part.mkdir(exist_ok=True)
    except OSError as error:
        raise TownError(
            f"{town.folder} cannot be made: {error.strerror}. Name a folder that you may write to."
        ) from None
    lines = {"book": town.book, "name": town.name, "time_zone": town.time_zone, "database": town.database}
    text = "".join(f"{key} = {toml_string(value)}\n" for key, value in lines.items())
    if town.is_example:
        text += f"example = true  # the records are made up; every page and paper says so\nclock_shift_seconds = {int(town.clock_shift.total_seconds())}\n"
    where.write_text(text, "utf-8")
    write_secret(town.folder, town.database_password)


def write_secret(folder: Path, database_password: str = "") -> None:
    """Writes a `secret.toml` with a fresh key, readable by its owner alone."""
    text = f"secret_key = {toml_string(secrets.token_urlsafe(48))}\n"
    if database_password:
        text += f"database_password = {toml_string(database_password)}\n"
    path = folder / SECRET_FILE
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(text)
    path.chmod(0o600)  # the mode given to open() counts for new files only


def is_private(path: Path) -> bool:
    """Tells whether only its owner may read a file."""
    return not stat.S_IMODE(path.stat().st_mode) & 0o077


def toml_string(text: str) -> str:
    r"""Returns a text as TOML writes it.

    Example:
        >>> print(toml_string('the "old" yard'))
        "the \"old\" yard"
    """
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(c if c >= " " and c != "\x7f" else f"\\u{ord(c):04x}" for c in escaped) + '"'


def _read(path: Path, known: set[str], hint: str) -> Mapping[str, Any]:
    try:
        said = tomllib.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        raise TownError(f"{path} is not there. {hint}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
        raise TownError(f"{path} cannot be read: {error}") from None
    unknown = sorted(set(said) - known)
    if unknown:
        raise TownError(f"{path}: unknown key {', '.join(unknown)}; the keys are {', '.join(sorted(known))}")
    return said
