"""Rights: what an account may do, by program and verb, from the one table `rights.toml` (docs/explanation/the-record.md)."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from sewershed.ledger.errors import NotAllowed, NotFound, Refused
from sewershed.ledger.models import Account

TABLE = Path(__file__).with_name("rights.toml")
EVERY = "*"
INSIDE_VERBS = ("record", "correct", "decide", "issue")  # who has one of them works here: private values are shown


@cache
def table() -> Mapping[str, Mapping[str, frozenset[str]]]:
    """Returns the verbs of each role, by program."""
    said = tomllib.loads(TABLE.read_text("utf-8"))
    return {
        role: {program: frozenset(verbs) for program, verbs in row.items() if program != "means"}
        for role, row in said["roles"].items()
    }


@cache
def verbs() -> Mapping[str, str]:
    """Returns each verb and what it means."""
    return dict(tomllib.loads(TABLE.read_text("utf-8"))["verbs"])


def may(account: Account, verb: str, program: str) -> bool:
    """Tells whether an account may do something in a program.

    Edge: a program that a role names has exactly the verbs given there; all others have those of `*`.
    """
    assert verb in verbs()
    rows = [table()[role] for role in account.role_set() if role in table()]
    return account.is_active and any(verb in row.get(program, row.get(EVERY, frozenset())) for row in rows)


def require(account: Account, verb: str, program: str) -> None:
    """Refuses what an account may not do.

    Raises:
        NotAllowed: naming the account, the verb, the program and the roles.
    """
    if not may(account, verb, program):
        if not account.is_active:
            raise NotAllowed(f"the account {account.name} is closed")
        roles = ", ".join(sorted(account.role_set())) or "none"
        where = f"in {program}" if program != EVERY else "for the town"
        raise NotAllowed(
            f"{account.name} may not {verb} {where} (its roles: {roles}); "
            "an administrator gives roles; the table of rights says what each may do"
        )


def is_inside(account: Account) -> bool:
    """Tells whether an account works for the town and so sees private values."""
    programs = {program for row in table().values() for program in row}
    return any(may(account, verb, program) for verb in INSIDE_VERBS for program in programs)


def sees_confidential(account: Account, program: str) -> bool:
    """Tells whether an account is of a program's staff and so sees confidential values."""
    return may(account, "record", program)


def account_named(name: str) -> Account:
    """Returns the account of a name.

    Raises:
        NotFound: with the names there are.
    """
    found = Account.objects.filter(name=name).first()
    if found is None:
        known = ", ".join(Account.objects.order_by("name").values_list("name", flat=True)) or "none"
        raise NotFound(f"there is no account {name!r}; there are {known}")
    return found


def owner() -> Account:
    """Returns the administrator as whom the command acts when nobody is named.

    Raises:
        NotFound: where the town has no administrator.
    """
    for account in Account.objects.filter(is_active=True).order_by("id"):
        if "administrator" in account.role_set():
            return account
    raise NotFound("the town has no administrator's account; `sewershed doctor` makes one")


def check_roles(roles: frozenset[str]) -> None:
    """Refuses roles that the table does not have.

    Raises:
        Refused: with those it has.
    """
    unknown = sorted(roles - set(table()))
    if unknown:
        raise Refused(f"there is no role {', '.join(unknown)}; the roles are {', '.join(table())}")
