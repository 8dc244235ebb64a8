"""How the town is kept: what is wrong with it, and its backups."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from sewershed.desk.shell.parts import Known
from sewershed.ledger import (
    backup,
    canonical,
    clock,
    doctor,
    queries,
    rights,
)
from sewershed.ledger.errors import LedgerError, NotFound
from sewershed.ledger.models import Account
from sewershed.ledger.town import Town
from sewershed.ledger.wording import words_of

BACKUP_WANTED, DOCTOR_WANTED, VERIFY_WANTED = "backup", "doctor", "verify"
MOST_ROWS_AT_ONCE, MOST_BYTES_AT_ONCE = 100_000, 200_000_000  # that are walked, or backed up, while the page waits
SIZES = (("GB", 10**9), ("MB", 10**6), ("kB", 10**3))


def is_long(account: Account) -> bool:
    """Tells whether the log is so long that walking all of it is work for the worker."""
    return queries.head(as_account=account).position > MOST_ROWS_AT_ONCE


def is_long_backup(account: Account) -> bool:
    """Tells whether a backup of the town takes so long that it is work for the worker."""
    if is_long(account):
        return True
    size = 0
    for path in clock.current_town().files.rglob("*"):
        size += path.stat().st_size if path.is_file() else 0
        if size > MOST_BYTES_AT_ONCE:
            return True
    return False


@dataclass(frozen=True, slots=True)
class AilmentShown:
    """What is wrong, why it matters, what to do: each in parts, every second one a command."""

    what: str
    matters: str
    do: tuple[str, ...]
    can_be_mended: bool


def ailments(account: Account) -> tuple[AilmentShown, ...]:
    """Returns what is wrong with the town, the gravest first.

    Raises:
        NotAllowed: for an account that may not administer.
    """
    rights.require(account, "administer", rights.EVERY)
    return tuple(
        AilmentShown(
            f"{one.what[:1].upper()}{one.what[1:]}", one.matters, tuple(one.do.split("`")), one.cure is not None
        )
        for one in doctor.examine()
    )


@dataclass(frozen=True, slots=True)
class BackupShown:
    """A backup that lies in the town's folder."""

    name: str
    made: str
    age: str
    size: str
    head: str
    problem: str
    is_old: bool


def backups_shown(account: Account) -> tuple[BackupShown, ...]:
    """Returns the backups that lie in the town's folder, the newest first.

    Raises:
        NotAllowed: for an account that may not administer.
    """
    rights.require(account, "administer", rights.EVERY)
    return tuple(backup_shown(path) for path in backup.all_in(clock.current_town().backups))


def backup_path(name: str, account: Account) -> Path:
    """Returns where a backup lies, by its name.

    Raises:
        NotFound: where the town's folder has none of that name.
        NotAllowed: for an account that may not administer.
    """
    rights.require(account, "administer", rights.EVERY)
    for path in backup.all_in(clock.current_town().backups):
        if path.name == name:
            return path
    raise NotFound(f"there is no backup {name!r} in the town's folder")


def backup_shown(path: Path) -> BackupShown:
    """Returns a backup as it is listed: when it was made, how large it is, to where it holds the log."""
    size = size_words(path.stat().st_size)
    try:
        said = backup.manifest_of(path)
    except LedgerError as error:
        return BackupShown(path.name, "", "", size, "", str(error), is_old=True)
    made = canonical.read_instant(said["made_at"])
    age = clock.now() - made
    days = age.days
    ago = "today" if days < 1 else "1 day old" if days == 1 else f"{days:,} days old"
    faults = "; ".join(said["faults"])
    head = str(said["head"])
    return BackupShown(path.name, words_of([]).moment(made), ago[:1].upper() + ago[1:], size, head.partition(":")[0],
                       f"The chain was broken: {faults}" if faults else "", age > timedelta(days=doctor.BACKUP_DAYS))  # fmt: skip


def size_words(size: int) -> str:
    """Returns how large a file is, in words.

    Example:
        >>> size_words(1_234_567), size_words(900)
        ('1.2 MB', '900 bytes')
    """
    for unit, bytes_ in SIZES:
        if size >= bytes_:
            return f"{size / bytes_:,.1f} {unit}"
    return f"{size} bytes"


def contents_shown(found: backup.Contents, town: Town, account: Account) -> tuple[Known, ...]:
    """Returns what a backup holds, and how it stands to the record that runs."""
    said, words = found.manifest, words_of([])
    head = str(said["head"])
    shown = [
        Known("Town", str(said["town"]), "" if said["town"] == town.name else "Another town than this one"),
        Known("Made", words.moment(canonical.read_instant(str(said["made_at"])))),
        Known("Rows", f"{found.rows:,}", f"Head {head[:head.find(':') + 21]}"),
        Known("Accounts", f"{found.accounts:,}"),
        Known("Files", f"{found.files:,}", "Attachments, papers, rulebooks"),
    ]  # fmt: skip
    if said["town"] == town.name:
        behind = queries.head(as_account=account).position - found.rows
        shown.append(Known("Beside the record", f"{behind:,} rows came since" if behind > 0 else "It holds every row that there is"))  # fmt: skip
    return tuple(shown)
