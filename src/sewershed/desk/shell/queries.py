"""What the shell's pages show."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass

from sewershed.ledger import rights
from sewershed.ledger.models import Account


@dataclass(frozen=True, slots=True)
class RoleShown:
    """A role, what it means, and what it may do in which program."""

    name: str
    means: str
    programs: tuple[tuple[str, tuple[tuple[str, bool], ...]], ...]
    is_own: bool


def roles(account: Account) -> tuple[RoleShown, ...]:
    """Returns every role with what it may do, those of the account marked."""
    said = tomllib.loads(rights.TABLE.read_text("utf-8"))["roles"]
    own = account.role_set()
    return tuple(RoleShown(name, row["means"], _programs(row), name in own) for name, row in said.items())


def verbs() -> Mapping[str, str]:
    """Returns each verb and what it means."""
    return rights.verbs()


def _programs(row: Mapping[str, list[str]]) -> tuple[tuple[str, tuple[tuple[str, bool], ...]], ...]:
    programs = [name for name in row if name != "means"]
    rest = "every program" if len(programs) == 1 else "every other program"
    programs.sort(key=lambda name: name == rights.EVERY)
    return tuple(
        (rest if name == rights.EVERY else name, tuple((verb, verb in row[name]) for verb in rights.verbs()))
        for name in programs
    )
