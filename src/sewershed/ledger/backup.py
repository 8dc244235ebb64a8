"""A backup: one form for both databases, made while the town works on (docs/explanation/the-record.md).

A backup is one file, a tar archive packed with gzip:

    backup.json      form, town, when it was made, the head of the chain
    town.toml        which book, which zone; the address of the database is not used again
    log.jsonl        the log, a row a line, its columns in the order of the table
    accounts.jsonl   accounts, with the hashes of their passwords
    files/           attachments, papers and supplements, each under its hash; maps of the town's own; whatever else lies there
    rulebooks/       books and vocabularies of the town's own

The keys in `secret.toml` are never part of it, nor are mail that was written to the folder `mail/`, other backups and hidden
files. A link to a file is kept as the file. What follows from the log is built anew on restoring.
"""

from __future__ import annotations

import io
import json
import os
import re
import secrets
import tarfile
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sewershed.ledger import canonical, clock, files
from sewershed.ledger import log as logbook
from sewershed.ledger.errors import TownError
from sewershed.ledger.log import BEGINNING, COLUMNS, Head
from sewershed.ledger.models import Account
from sewershed.ledger.town import TOWN_FILE
from sewershed.ledger.verify import verify

FORM = 1
MANIFEST, LOG, ACCOUNTS = "backup.json", "log.jsonl", "accounts.jsonl"
_ACCOUNT_FIELDS = ("name", "person", "roles", "is_active", "password")
_KEPT_NAME = re.compile(
    r"(files|rulebooks)(/[^/\\.\0-\x1f][^/\\\0-\x1f]*)+\Z"
)  # none is hidden, none leads out of the folder
_HASHED = re.compile(r"files/[0-9a-f]{2}/[0-9a-f]{64}\Z")  # its name says what it holds
Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Contents:
    """What a backup holds, as `inspect` found it: what it says of itself, how much of what, and what is wrong with it."""

    manifest: Mapping[str, Any]
    rows: int
    accounts: int
    files: int
    faults: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Backup:
    """A backup that was written: where, what end of the log it holds, and what was wrong with the chain."""

    path: Path
    head: Head
    faults: tuple[str, ...]


def write(path: Path | None = None, progress: Progress | None = None) -> Backup:
    """Writes a backup of the open town and returns where it is.

    Edge: rows entered while it is written are not in it; it holds the log up to the head with which it began.

    Refuses: nothing; a log whose chain is broken is backed up as it is, and the faults are returned and kept in it.

    Args:
        path: the file; one named by the instant in the town's backups if left out.
        progress: told what is being written.
    """
    tell = progress or (lambda _: None)
    town, now = clock.current_town(), canonical.instant_text(clock.now())
    path = path or town.backups / f"{now.replace(':', '')}.tar.gz"
    tell("walking the chain")
    verdict = verify()
    manifest = {
        "form": FORM, "town": town.name, "book": town.book, "made_at": now, "head": str(verdict.head),
        "faults": list(verdict.faults),
    }  # fmt: skip
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    handle = os.open(
        beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600
    )  # it holds names, numbers and passwords' hashes
    try:
        with os.fdopen(handle, "wb") as raw:
            with tarfile.open(
                fileobj=raw, mode="w:gz", compresslevel=3, format=tarfile.PAX_FORMAT, dereference=True
            ) as archive:
                _add(archive, MANIFEST, json.dumps(manifest, indent=1).encode())
                _add(archive, TOWN_FILE, (town.folder / TOWN_FILE).read_bytes())
                tell("writing the log")
                _add_lines(
                    archive, LOG, (list(row) for row in logbook.select("position <= %s", [verdict.head.position]))
                )
                _add_lines(archive, ACCOUNTS, _accounts())
                tell("writing files")
                for folder in (town.files, town.own_books):
                    for one in sorted(folder.rglob("*")):
                        name = one.relative_to(town.folder).as_posix()
                        if one.is_file() and _KEPT_NAME.match(name):
                            archive.add(one, arcname=name, recursive=False)
            raw.flush()
            os.fsync(raw.fileno())
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)
    return Backup(path, verdict.head, verdict.faults)


def manifest_of(path: Path) -> Mapping[str, Any]:
    """Returns what a backup says of itself.

    Refuses: a file that is no backup, or one of a newer form.

    Raises:
        TownError: with the reason.
    """
    try:
        with tarfile.open(path, "r:gz") as archive:
            first = archive.next()
            if first is None or first.name != MANIFEST:
                raise TownError(f"{path} is no backup of a town: it does not begin with {MANIFEST}")
            said: Mapping[str, Any] = json.loads(_content(archive, first))
    except (tarfile.TarError, OSError, EOFError, ValueError) as error:
        raise TownError(f"{path} cannot be read as a backup: {error}") from None
    if said.get("form") != FORM:
        raise TownError(
            f"{path} is a backup of form {said.get('form')}, this program reads form {FORM}: use a newer one"
        )
    return said


def inspect(path: Path) -> Contents:
    """Reads a backup from end to end, as restoring it would, without restoring anything.

    Edge: what was wrong with the chain when the backup was made is no fault of the backup; its manifest names it.

    Refuses: a file that is no backup, or one of a newer form.

    Raises:
        TownError: with the reason.
    """
    manifest = manifest_of(path)
    head, rows, accounts, kept = Head(0, BEGINNING), 0, 0, 0
    faults: list[str] = []
    try:
        with tarfile.open(path, "r:gz") as archive:
            for member in archive:
                if member.name == LOG:
                    for line in _lines(archive, member):
                        row = logbook.Row(*json.loads(line))
                        if logbook.hash_of(row[:-1], head.hash) != row.hash and not manifest["faults"]:
                            faults.append(f"row {row.position} of its log does not follow from the row before it")
                        rows, head = rows + 1, Head(row.position, row.hash)
                elif member.name == ACCOUNTS:
                    accounts = sum(1 for _ in _lines(archive, member))
                elif member.name.startswith(("files/", "rulebooks/")):
                    kept += 1
                    faults += _faults_of(archive, member)
    except (tarfile.TarError, OSError, EOFError, ValueError, IndexError, TypeError) as error:
        raise TownError(f"{path.name} is damaged, it cannot be read to its end: {error}") from None
    stated = Head.read(str(manifest["head"]))
    if head != stated:
        faults.append(f"it states the head {stated.short}, but its log ends in {head.short}")
    return Contents(manifest, rows, accounts, kept, tuple(faults))


def _faults_of(archive: tarfile.TarFile, member: tarfile.TarInfo) -> Iterator[str]:
    if not member.isfile() or not _KEPT_NAME.match(member.name):
        yield f"{member.name!r} is no file that a town keeps"
        return
    if _is_changed(member.name, _content(archive, member)):
        yield f"{member.name} is not what its hash says"


def _is_changed(name: str, content: bytes) -> bool:
    """Tells whether a file that is kept under its hash is no longer what that says."""
    return bool(_HASHED.match(name)) and files.sha256(content) != Path(name).name


def all_in(folder: Path) -> list[Path]:
    """Returns the backups of a folder, the newest first, by their names."""
    return sorted(folder.glob("*.tar.gz"), reverse=True)


def newest(folder: Path) -> Path | None:
    """Returns the newest backup of a folder, by its name, or None where there is none."""
    return max(folder.glob("*.tar.gz"), default=None)


def unpack(path: Path, folder: Path) -> None:
    """Writes the files of a backup, supplements and own books among them, into a town's folder.

    Refuses: a name that would lead out of the folder, and a file that is not what its hash says.

    Raises:
        TownError: naming the file.
    """
    with tarfile.open(path, "r:gz") as archive:
        for member in archive:
            if not member.name.startswith(("files/", "rulebooks/")):
                continue
            if not member.isfile() or not _KEPT_NAME.match(member.name):
                raise TownError(f"{path}: {member.name!r} is no file that a town keeps; nothing of it was restored")
            content = _content(archive, member)
            place = folder / member.name
            if _is_changed(member.name, content):
                raise TownError(
                    f"{path}: {member.name} is not what its hash says: the backup is damaged. Use another one."
                )
            place.parent.mkdir(parents=True, exist_ok=True)
            files.put(place, content)


def load(path: Path) -> Head:
    """Enters the log and the accounts of a backup into the open town's empty database, and returns the head that they make.

    Refuses: a database that holds a log; a log that does not end in the head that the backup states.

    Raises:
        TownError: with the reason.
    """
    stated = Head.read(str(manifest_of(path)["head"]))
    with logbook.writing() as pen:
        if pen.head.position:
            raise TownError("the database holds a log already: a backup is restored into an empty one")
        with tarfile.open(path, "r:gz") as archive:
            for member in archive:
                if member.name == LOG:
                    _load_rows(archive, member, path)
                elif member.name == ACCOUNTS:
                    _load_accounts(archive, member)
        head = logbook.head()
        if head != stated:
            raise TownError(
                f"{path} states the head {stated.short}, but its log ends in {head.short}: the backup is damaged or was "
                "changed. Use another one."
            )
    return head


def _load_rows(archive: tarfile.TarFile, member: tarfile.TarInfo, path: Path) -> None:
    rows: list[logbook.Row] = []
    for line in _lines(archive, member):
        said = json.loads(line)
        if len(said) != len(COLUMNS):
            raise TownError(
                f"{path}: a line of {LOG} has {len(said)} columns, not {len(COLUMNS)}: the backup is damaged"
            )
        rows.append(logbook.Row(*said))
        if len(rows) == 5000:
            logbook.insert(rows)
            rows = []
    logbook.insert(rows)


def _load_accounts(archive: tarfile.TarFile, member: tarfile.TarInfo) -> None:
    for line in _lines(archive, member):
        said = json.loads(line)
        made_at = canonical.read_instant(said.pop("made_at"))
        Account.objects.create(**said, made_at=made_at)


def _accounts() -> Iterator[dict[str, Any]]:
    for account in Account.objects.order_by("id"):
        said = {name: getattr(account, name) for name in _ACCOUNT_FIELDS}
        yield said | {"made_at": canonical.instant_text(account.made_at)}


def _add(archive: tarfile.TarFile, name: str, content: bytes) -> None:
    member = tarfile.TarInfo(name)
    member.size, member.mode, member.mtime = len(content), 0o600, int(clock.now().timestamp())
    archive.addfile(member, io.BytesIO(content))


def _add_lines(archive: tarfile.TarFile, name: str, lines: Iterator[Any]) -> None:
    """Adds a file of JSON lines; it goes through a temporary file, since an archive must know the length beforehand."""
    with tempfile.TemporaryFile() as kept:
        for line in lines:
            kept.write(json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode() + b"\n")
        member = tarfile.TarInfo(name)
        member.size, member.mode, member.mtime = kept.tell(), 0o600, int(clock.now().timestamp())
        kept.seek(0)
        archive.addfile(member, kept)


def _content(archive: tarfile.TarFile, member: tarfile.TarInfo) -> bytes:
    found = archive.extractfile(member)
    assert found is not None
    return found.read()


def _lines(archive: tarfile.TarFile, member: tarfile.TarInfo) -> Iterator[bytes]:
    found = archive.extractfile(member)
    assert found is not None
    yield from found
