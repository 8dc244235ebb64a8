"""The verbs of the town's pages: offices, accounts, the law, backups, mending, the spill plan."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from django.core.files.uploadedfile import UploadedFile

from sewershed.desk.shell import signing_in
from sewershed.desk.town import plan
from sewershed.desk.town.models import KeptPlan
from sewershed.ledger import actions, adopting, backup, canonical, clock, doctor, people, rights
from sewershed.ledger.adopting import Plan
from sewershed.ledger.ailment import cure_all
from sewershed.ledger.backup import Backup, Contents
from sewershed.ledger.entry import Recorded
from sewershed.ledger.errors import Refused
from sewershed.ledger.models import Account

LEAST_FIGURES = 12  # of a plan's hash, by which an approval is bound to it


# ------------------------------------------------------------------------------------------------ offices


def hold_office(
    person: str, office: str, *, first: str, until: str, as_: str, paper: str, account: Account, id: str
) -> Recorded:
    """Records that a person holds an office of the law from a day on.

    Raises:
        Refused: with every reason.
        NotAllowed: for the account.
    """
    said = {"office": office, "until": until, "as": as_, "paper": paper}
    data = {name: value for name, value in said.items() if value}
    return actions.record(people.OFFICE_HELD, person, as_account=account, at=first, data=data, id=id)


def end_office(row: str, *, until: str, why: str, account: Account) -> Recorded:
    """Records until which day a person held an office: the row that said so gets its last day by a correction.

    Raises:
        Refused: with every reason.
        NotAllowed: for the account.
    """
    return actions.correct(row, as_account=account, why=why, data={"until": until})


# ------------------------------------------------------------------------------------------------ accounts


def invite(name: str, roles: Iterable[str], person: str, account: Account) -> str:
    """Makes an account and returns the path of the one-time link with which its person signs in first.

    Raises:
        Refused: with the reason.
        NotAllowed: for an account that may not administer.
    """
    actions.open_account(name, as_account=account, roles=roles, person=person)
    return signing_in.one_time_path(name, as_account=account)


def change(name: str, roles: Iterable[str], person: str, account: Account) -> Account:
    """Gives an account other roles, or to another person.

    Raises:
        Refused: with the reason.
        NotAllowed: for an account that may not administer.
    """
    return actions.change_account(name, as_account=account, roles=roles, person=person)


def link(name: str, account: Account) -> str:
    """Returns the path of a fresh one-time link for an account.

    Raises:
        Refused: where it is closed.
        NotAllowed: for an account that may not administer.
    """
    rights.require(account, "administer", rights.EVERY)
    path = signing_in.one_time_path(name, as_account=account)
    actions.note_access("link_given", name, as_account=account)
    return path


def forget_second_factors(name: str, account: Account) -> int:
    """Takes away an account's authenticator, passkeys and recovery codes, and returns how many there were.

    Raises:
        NotAllowed: for an account that may not administer.
    """
    rights.require(account, "administer", rights.EVERY)
    with actions.together():
        count = signing_in.forget_second_factors(rights.account_named(name))
        actions.note_access("second_factors_removed", name, as_account=account)
    return count


def close(name: str, account: Account, *, is_active: bool) -> Account:
    """Closes an account or opens it again; the record keeps its name.

    Raises:
        Refused: for the last administrator.
        NotAllowed: for an account that may not administer.
    """
    return actions.change_account(name, as_account=account, is_active=is_active)


# ------------------------------------------------------------------------------------------------ the law


def keep_plan(plan: Plan) -> None:
    """Keeps a plan that took long to work out, in the place of an older one of the same two supplements."""
    said = {
        "head": str(plan.head), "entries": plan.entries, "consequences": plan.consequences, "unreadable": plan.unreadable,
    }  # fmt: skip
    KeptPlan.objects.update_or_create(
        supplement=plan.supplement,
        before=plan.before,
        defaults={"content": canonical.write(said), "made_at": clock.now()},
    )


def adopt(plan: Plan, approved: str, number: str, account: Account) -> Recorded:
    """Adopts the supplement whose plan somebody has read, bound to it by the first figures of its hash.

    Refuses: an approval of another plan than the one that would be made now.

    Raises:
        Refused: with every reason, rows that could not be read by name.
        NotAllowed: for an account that may not administer.
    """
    if len(approved) < LEAST_FIGURES or not plan.hash.startswith(approved):
        raise Refused("something has changed since you read the plan: read it again, as it stands now")
    return actions.adopt(plan, as_account=account, number=number, source="form")


# ------------------------------------------------------------------------------------------------ doctor and backups


def mend(account: Account) -> list[str]:
    """Cures what can be cured without losing anything, and returns what was cured.

    Raises:
        NotAllowed: for an account that may not administer.
    """
    rights.require(account, "administer", rights.EVERY)
    cured: list[str] = []
    cure_all(doctor.examine, cured.append)
    return cured


def make_backup(account: Account, progress: Callable[[str], None] | None = None) -> Backup:
    """Writes a backup into the town's folder.

    Args:
        account: who makes it.
        progress: told what is being written.

    Raises:
        NotAllowed: for an account that may not administer.
    """
    rights.require(account, "administer", rights.EVERY)
    return backup.write(progress=progress)


def check_backup(path: Path, account: Account) -> Contents:
    """Reads a backup of the town's folder from end to end; nothing is restored.

    Raises:
        TownError: where it is none, or is damaged.
        NotAllowed: for an account that may not administer.
    """
    rights.require(account, "administer", rights.EVERY)
    return backup.inspect(path)


def check_upload(upload: UploadedFile[Any], account: Account) -> Contents:
    """Reads a backup that was sent from end to end; nothing is restored, and the file is not kept.

    Raises:
        TownError: where it is none, or is damaged.
        NotAllowed: for an account that may not administer.
    """
    rights.require(account, "administer", rights.EVERY)
    with tempfile.NamedTemporaryFile(suffix=".tar.gz") as kept:
        for chunk in upload.chunks():
            kept.write(chunk)
        kept.flush()
        return backup.inspect(Path(kept.name))


# ------------------------------------------------------------------------------------------------ the spill plan


def instruct(persons: Sequence[str], *, at: str, version: str, by: str, account: Account, id: str) -> Recorded:
    """Records who was instructed to consult the spill plan.

    Raises:
        Refused: with every reason.
        NotAllowed: for the account.
    """
    data = {"people": list(persons), "how_many": str(len(persons))} | ({"version": version} if version else {})
    return actions.record(
        plan.INSTRUCTED, adopting.town_id(), as_account=account, at=at, data=data, performed_by=by, id=id
    )
