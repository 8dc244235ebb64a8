"""Accounts: made, given roles, closed. They stand outside the log, which names them; their names are never given again.

What is changed of them is a row of the town's log, in the same transaction: who may do what, since when, by whom
(docs/decisions/2026-11-30-who-may-do-what-is-in-the-log.md). No password and no secret is in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError

from sewershed.ledger import clock, rights
from sewershed.ledger import log as logbook
from sewershed.ledger.adopting import town_id
from sewershed.ledger.entry import Entry, event_columns
from sewershed.ledger.errors import Refused
from sewershed.ledger.models import Account
from sewershed.ledger.models import Thing as ThingRow

ACCESS_CHANGED = "access_changed"
_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,59}\Z")


def open_account(
    name: str, *, as_account: Account | None, roles: Iterable[str], person: str = "", password: str = "",
    source: str = "form",
) -> Account:  # fmt: skip
    """Makes an account, for one person, with one set of roles.

    Edge: without a password nobody can sign in with it; the command can still act as it. The first account of a town is
    no row of the log: the rows with which the town begins name it.

    Refuses: a name that was ever given, roles that there are not, a person who is not in the record, and an account that
    may not administer. Only a town without any account takes its first one from nobody.

    Raises:
        Refused: with the reason.
        NotAllowed: for the account that acts.
    """
    if as_account is None:
        if Account.objects.exists():
            raise Refused("the town has accounts: say as which one you make another")
    else:
        rights.require(as_account, "administer", rights.EVERY)
    role_set = frozenset(roles)
    rights.check_roles(role_set)
    if not _NAME.match(name):
        raise Refused(f"{name!r} cannot be the name of an account: small letters, figures, dots and dashes")
    if Account.objects.filter(name=name).exists():
        raise Refused(f"the name {name} was given before; the record names it, so choose another")
    _check_person(person)
    account = Account(name=name, person=person, roles=" ".join(sorted(role_set)), made_at=clock.now())
    _put_password(account, password)
    with logbook.writing():
        account.save()
        if as_account is not None:
            note_access(
                "account_opened", name, as_account=as_account, roles=role_set, person=person, source=source,
            )  # fmt: skip
    return account


def change_account(
    name: str,
    *,
    as_account: Account,
    roles: Iterable[str] | None = None,
    person: str | None = None,
    password: str | None = None,
    is_active: bool | None = None,
    source: str = "form",
) -> Account:
    """Gives an account other roles, its person or a password, or closes or reopens it.

    Refuses: to take away the last administrator; otherwise what `open_account` refuses. An account may change its own
    password without administering.

    Raises:
        Refused: with the reason.
        NotAllowed: for the account that acts.
        NotFound: where there is no account of that name.
    """
    account = rights.account_named(name)
    is_own_password = name == as_account.name and roles is None and person is None and is_active is None
    if not is_own_password:
        rights.require(as_account, "administer", rights.EVERY)
    changed: list[str] = []
    if roles is not None:
        role_set = frozenset(roles)
        rights.check_roles(role_set)
        changed += ["roles_given"] if role_set != account.role_set() else []
        account.roles = " ".join(sorted(role_set))
    if person is not None:
        _check_person(person)
        changed += ["person_named"] if person != account.person else []
        account.person = person
    if is_active is not None:
        changed += ["account_reopened" if is_active else "account_closed"] if is_active != account.is_active else []
        account.is_active = is_active
    if password is not None:
        changed.append("password_set" if password else "password_removed")
        _put_password(account, password)
    others = Account.objects.filter(is_active=True).exclude(name=name)
    if not any(rights.may(one, "administer", rights.EVERY) for one in (account, *others)):
        raise Refused(f"{name} is the last administrator: give another account that role first")
    with logbook.writing():
        account.save()
        for what in changed:
            note_access(
                what, name, as_account=as_account, roles=account.role_set() if what == "roles_given" else None,
                person=account.person if what == "person_named" else "", source=source,
            )  # fmt: skip
    return account


def note_access(
    what: str,
    account: str,
    *,
    as_account: Account,
    roles: Iterable[str] | None = None,
    person: str = "",
    token: str = "",
    source: str = "form",
) -> None:
    """Enters into the town's log what was changed of who may use the program, beside the change itself.

    Edge: in a town whose supplement is from before there was a word for it nothing is entered. Nothing is worked out anew: what
    follows from the law does not rest on who may use the program.

    Args:
        what: one of the words of `access_changed.what`.
        account: the name of the account that was changed.
        as_account: who changed it.
        roles: those that it, or its token, has from now on.
        person: whose it is from now on.
        token: what the token is for.
        source: how the change came.
    """
    with logbook.writing() as pen:
        entry = Entry.begin(as_account, pen)
        kind = entry.law.vocabulary.events.get(ACCESS_CHANGED)
        if kind is None:
            return
        said = {"what": what, "account": account, "person": person, "token": token}
        data: dict[str, object] = {name: value for name, value in said.items() if value}
        if roles is not None:
            data["roles"] = sorted(roles)
        town = town_id()
        is_concerned = town in pen.concerned
        columns = event_columns(entry, kind, ACCESS_CHANGED, town, clock.now(), data, (), "", "", "exact", "")
        entry.append(id=logbook.new_id(), source=source, **columns)
        if not is_concerned:
            del pen.concerned[town]


def rescue(name: str) -> Account:
    """Makes an administrator's account where the town has none that works: for whoever owns its folder.

    Refuses: in a town that has an administrator.

    Raises:
        Refused: naming it.
    """
    for account in Account.objects.all():
        if rights.may(account, "administer", rights.EVERY):
            raise Refused(f"the town has an administrator: {account.name}")
    account = Account(name=name, roles="administrator", made_at=clock.now())
    account.set_unusable_password()
    with logbook.writing():
        account.save()
        note_access("account_opened", name, as_account=account, roles=account.role_set(), source="command")
    return account


def _check_person(person: str) -> None:
    if person and not ThingRow.objects.filter(id=person, type="person", is_gone=False).exists():
        raise Refused(f"there is no person {person} in the record")


def _put_password(account: Account, password: str) -> None:
    if not password:
        account.set_unusable_password()
        return
    try:
        validate_password(password, account)
    except ValidationError as error:
        raise Refused(" ".join(error.messages)) from None
    account.set_password(password)
