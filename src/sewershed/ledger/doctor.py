"""What is wrong with the record of a town, and how to mend it.

Each check says what it found, why it matters and what to do. What can be mended without losing anything has a cure, which
`sewershed doctor --mend` applies; nothing else is ever changed.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from datetime import timedelta

from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from sewershed.ledger import accounts, backup, canonical, clock, files, guards, law, rights, supplements, working
from sewershed.ledger import log as logbook
from sewershed.ledger.ailment import Ailment
from sewershed.ledger.errors import LedgerError
from sewershed.ledger.log import Head
from sewershed.ledger.models import Account, Heartbeat
from sewershed.ledger.reading import RowReader, where
from sewershed.ledger.town import is_private
from sewershed.ledger.verify import verify
from sewershed.rules.problems import RulebookError

BACKUP_DAYS = 7
FREE_BYTES = 1_000_000_000
_PAPER_HASHES = ("sha256", "data_sha256")


def examine(stated: Head | None = None, progress: Callable[[str], None] | None = None) -> list[Ailment]:
    """Returns everything that is wrong with the open town, the gravest first.

    Args:
        stated: a head written down on a paper, to find rows cut off at the end.
        progress: told what is being looked at.
    """
    tell = progress or (lambda _: None)
    found: list[Ailment] = []
    for name, check in _CHECKS.items():
        tell(name)
        ailments = list(check())
        found += ailments
        if ailments and name in _NOTHING_FURTHER:
            return found
    tell("the chain")
    found += _chain(stated)
    return found


def _folder() -> Iterator[Ailment]:
    town = clock.current_town()
    secret = town.folder / "secret.toml"
    if not is_private(secret):
        yield Ailment(
            f"{secret} can be read by others on this machine",
            "Whoever reads it can sign in as anybody.",
            "Run `chmod 600` on it, and make a new key if strangers use this machine.",
            lambda: secret.chmod(0o600),
        )
    for folder in (town.files, town.backups):
        if not folder.is_dir():
            yield Ailment(
                f"{folder} is not there",
                "Nothing can be kept in it.",
                "Make it; what was in it must come from a backup.",
                folder.mkdir,
            )
    if "@" in town.database and ":" in town.database.partition("//")[2].partition("@")[0]:
        yield Ailment(
            "town.toml holds the password of the database",
            "It goes into every backup.",
            "Move it to secret.toml as database_password.",
        )
    free = shutil.disk_usage(town.folder).free
    if free < FREE_BYTES:
        yield Ailment(
            f"only {free / 1e6:,.0f} MB are free on the disk of {town.folder}",
            "A full disk stops the record: nothing can be entered.",
            "Make room, or move the town to a larger disk.",
        )


def _database() -> Iterator[Ailment]:
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA quick_check(5)")
            said = [row[0] for row in cursor.fetchall()]
        if said != ["ok"]:
            yield Ailment(
                f"the database file is damaged: {'; '.join(said)}",
                "Rows may be lost.",
                "Stop the server, keep a copy of the folder, and restore the newest backup into a new one.",
            )
    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        yield Ailment(
            "the tables are those of an older version of the program",
            "What is new in it does not work.",
            "Bring them up to date; the log is not touched by it.",
            _migrate,
        )


def _guards() -> Iterator[Ailment]:
    lacking = guards.missing()
    if lacking:
        yield Ailment(
            f"the log stands unguarded: {', '.join(lacking)} missing",
            "Rows could be changed by mistake.",
            "Make the guards again, then run `sewershed verify`.",
            guards.make,
        )


def _law() -> Iterator[Ailment]:
    try:
        running = law.in_force()
        kept = supplements.parts_of(running.supplement)
        book = running.book
    except (LedgerError, RulebookError, KeyError) as error:
        yield Ailment(
            f"the adopted supplement cannot be used: {error}",
            "No law runs, so nothing can be said or entered.",
            "Take files/rulebooks from a backup.",
        )
        return
    if supplements.hash_of(kept) != running.supplement:
        yield Ailment(
            f"the files of the adopted supplement {running.supplement[:12]}… were changed",
            "Verdicts would rest on another law than the one that was adopted.",
            "Take files/rulebooks from a backup; adopt changes as a new supplement.",
        )
    zone = clock.current_town().time_zone
    if str(book.zone) != zone:
        yield Ailment(
            f"town.toml says time_zone = {zone!r}, the book {book.zone}",
            "Days would begin at another hour than in the town.",
            "Write the book's zone into town.toml.",
        )
    for one in RowReader(running.vocabulary).problems(logbook.select()):
        yield Ailment(f"{one}", "The thing it is about cannot be judged.", "Adopt a supplement that can read it.")


def _files() -> Iterator[Ailment]:
    try:
        reader = law.in_force().reader
    except (LedgerError, RulebookError, KeyError):
        return
    for digest, row in _named_files(reader):
        path = files.path_of(digest)
        if not path.is_file():
            yield Ailment(
                f"the file {digest[:12]}… named by {where(row)} is not in {path.parent}",
                "A paper or a photograph of the record is lost.",
                "Take it from a backup, under the same name.",
            )
        elif files.hash_of_file(path) != digest:
            yield Ailment(
                f"{path} named by {where(row)} is no longer what its hash says",
                "It was changed or is damaged.",
                "Take it from a backup, under the same name.",
            )


def _named_files(reader: RowReader) -> Iterator[tuple[str, logbook.Row]]:
    seen: set[str] = set()
    for row in logbook.select():
        known = reader.facts_of(row)
        for name, value in reader.present_data(row).items() if known else ():
            is_paper = row.kind == "facts" and row.name == "document" and name in _PAPER_HASHES
            is_file = name in known and known[name].type.kind == "file"
            if (is_paper or is_file) and isinstance(value, str) and value not in seen:
                seen.add(value)
                yield value, row


def _people() -> Iterator[Ailment]:
    try:
        rights.owner()
    except LedgerError:
        name = next(name for name in _names() if not Account.objects.filter(name=name).exists())
        yield Ailment(
            "no account may administer the town",
            "Nobody can give roles, adopt a supplement or restore.",
            f"Make the account {name!r}.",
            lambda: _rescue(name),
        )


def _rescue(name: str) -> None:
    accounts.rescue(name)


def _names() -> Iterable[str]:
    yield "admin"
    yield from (f"admin{number}" for number in range(2, 1000))


def _time() -> Iterator[Ailment]:
    last, before = logbook.select_list("position = (SELECT max(position) FROM log)"), ""
    now = canonical.instant_text(clock.now())
    if last and last[0].recorded_at > now:
        yield Ailment(
            f"the clock says {now}, but the last row was recorded at {last[0].recorded_at}",
            "The record says when each thing was known; a wrong clock makes it say what is not so.",
            "Say --now as late as the last row was said: an example town's clock is the one it was given."
            if clock.current_town().is_example
            else "Set the clock of this machine.",
        )
    for row in logbook.select():
        if row.recorded_at < before and not clock.current_town().is_example:
            yield Ailment(
                f"{where(row)} was recorded before the row before it ({before})",
                "The clock of the machine was wrong for one of them, and what was known then may be shown wrong.",
                "Nothing needs to be done; note it with the record.",
            )
        before = row.recorded_at


def _keeping_up() -> Iterator[Ailment]:
    now = clock.now()
    beat = Heartbeat.objects.filter(id=1).first()
    if beat is not None and now - beat.beat_at > working.SILENT:
        yield Ailment(
            f"the worker {beat.worker} gave its last sign of life at {canonical.instant_text(beat.beat_at)}",
            "What is due is still worked out when it is looked at, but long work and reminders wait.",
            "Start the town with `sewershed serve`.",
        )
    waiting = working.out_of_date(now).count()
    if waiting > working.AT_ONCE:
        yield Ailment(
            f"{waiting:,} things wait to be worked out",
            "Lists count them as cannot tell until then.",
            "Start the town with `sewershed serve`, or work them out now.",
            _tick,
        )


def _backups() -> Iterator[Ailment]:
    town = clock.current_town()
    found = backup.newest(town.backups)
    if found is None:
        yield Ailment(
            "there is no backup",
            "A lost disk would be a lost record.",
            "Run `sewershed backup`, and keep a copy in another house.",
        )
        return
    try:
        said = backup.manifest_of(found)
    except LedgerError as error:
        yield Ailment(f"the newest backup cannot be used: {error}", "It would not help.", "Run `sewershed backup`.")
        return
    age = clock.now() - canonical.read_instant(said["made_at"])
    if age > timedelta(days=BACKUP_DAYS):
        yield Ailment(
            f"the newest backup is {age.days} days old",
            "Everything since would be lost with the disk.",
            "Run `sewershed backup` each night.",
        )


def _chain(stated: Head | None) -> Iterator[Ailment]:
    """Walks the chain, and holds it against the head given and that of the newest backup."""
    heads: list[Head | None] = [stated] if stated else []
    found = backup.newest(clock.current_town().backups)
    if found is not None:
        with suppress(LedgerError):  # that the backup cannot be used is said already
            heads.append(Head.read(backup.manifest_of(found)["head"]))
    faults = dict.fromkeys(fault for head in heads or [None] for fault in verify(head).faults)
    for fault in faults:
        yield Ailment(
            fault,
            "The record can be disputed from there on.",
            "Keep a copy of the folder as evidence, find out who had access, and restore a backup made before.",
        )


def _migrate() -> None:
    call_command("migrate", verbosity=0, interactive=False)


def _tick() -> None:
    working.tick()


_CHECKS: dict[str, Callable[[], Iterator[Ailment]]] = {
    "the folder": _folder,
    "the database": _database,
    "the guards": _guards,
    "the law": _law,
    "the files": _files,
    "the people": _people,
    "the clock": _time,
    "keeping up": _keeping_up,
    "the backups": _backups,
}
_NOTHING_FURTHER = ("the database",)  # what fails here makes every later check fail too
