"""Who works for the town: persons and the offices they hold, and who may use the desk."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from allauth.mfa.models import Authenticator
from django.db.models import Count

from sewershed.desk.shell.looking import Looking
from sewershed.desk.shell.queries import RoleShown, roles
from sewershed.desk.things.queries import offices_to_choose
from sewershed.desk.town.queries import TOWN, may_administer
from sewershed.ledger import (
    canonical,
    clock,
    people,
    queries,
    rights,
)
from sewershed.ledger.errors import NotFound
from sewershed.ledger.models import Account
from sewershed.ledger.shown import RowShown
from sewershed.ledger.wording import Words, title, words_of

# ------------------------------------------------------------------------------------------------ people and offices


@dataclass(frozen=True, slots=True)
class Held:
    """A person in an office: how, from which day to which, on which paper."""

    person: str
    name: str
    how: str
    since: str
    until: str
    paper: str
    row: str


@dataclass(frozen=True, slots=True)
class OfficeShown:
    """An office of the law with those who hold it."""

    name: str
    title: str
    held: tuple[Held, ...]


@dataclass(frozen=True, slots=True)
class PersonShown:
    """Somebody of the town: offices held today, and the accounts that are theirs where the reader may know."""

    id: str
    name: str
    offices: str
    accounts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PeopleShown:
    """Who is who in the town."""

    offices: tuple[OfficeShown, ...]
    empty: tuple[str, ...]
    past: tuple[tuple[str, Held], ...]
    persons: tuple[PersonShown, ...]


def people_shown(account: Account, looking: Looking) -> PeopleShown:
    """Returns the offices with their holders, those that nobody holds, those that ended, and the town's people."""
    rights.require(account, "see", TOWN)
    known = people.holdings(canonical.instant_text(looking.known_at) if looking.known_at else "")
    staff = queries.things("person", as_account=account, where=[("is_staff", "=", "true")], limit=500).items
    accounts = queries.accounts(as_account=account) if may_administer(account) else ()
    ids = dict.fromkeys([*(one.id for one in staff), *(one.person for one in known), *(one.person for one in accounts if one.person)])  # fmt: skip
    words = words_of(ids, looking.instant)
    today = words.today
    held: dict[str, list[Held]] = {}
    for one in sorted(known, key=lambda one: (people.ORDER.index(one.as_), one.first)):
        if one.last is None or one.last >= today:
            held.setdefault(one.office, []).append(_held(one, words))
    named = offices_to_choose()
    offices = [OfficeShown(name, words.office(name), tuple(held[name])) for name, _ in named if name in held]
    past = [(words.office(one.office), _held(one, words)) for one in known if one.last is not None and one.last < today]
    return PeopleShown(
        offices=tuple(offices), empty=tuple(words.office(name) for name, _ in named if name not in held), past=tuple(past),
        persons=tuple(sorted(_persons(ids, known, accounts, words), key=lambda one: one.name.lower())),
    )  # fmt: skip


def _held(one: people.Holding, words: Words) -> Held:
    until = words.moment(one.last) if one.last else ""
    return Held(one.person, words.name(one.person), title(one.as_), words.moment(one.first), until, one.paper, one.row)


def _persons(
    ids: Iterable[str], known: Sequence[people.Holding], accounts: Sequence[Account], words: Words
) -> Iterator[PersonShown]:
    for id_ in ids:
        offices = sorted(words.office(one) for one in people.offices(id_, words.today, known))
        theirs = tuple(one.name for one in accounts if one.person == id_)
        yield PersonShown(id_, words.name(id_), ", ".join(offices), theirs)


def holding(row: str, account: Account) -> tuple[RowShown, str, str]:
    """Returns the row of a holding that runs on, with the name of its person and of its office.

    Raises:
        NotFound: where the row is no holding, or no longer stands.
        NotAllowed: for the account.
    """
    found = queries.row(row, as_account=account)
    stands = next((one for one in queries.rows(found.thing, as_account=account) if one.root == found.root and one.stands == "stands"), None)  # fmt: skip
    if stands is None or stands.name != people.OFFICE_HELD:
        raise NotFound(f"the row {row} says of nobody that they hold an office")
    words = words_of([stands.thing])
    return stands, words.name(stands.thing), words.office(str(stands.data.get("office", "")))


# ------------------------------------------------------------------------------------------------ accounts


@dataclass(frozen=True, slots=True)
class AccountShown:
    """An account as an administrator sees it."""

    name: str
    person: str
    roles: str
    word: str
    state: str
    second_factors: int
    last: str


def accounts_shown(account: Account) -> tuple[AccountShown, ...]:
    """Returns every account: whose, with which roles, whether anybody can sign in with it.

    Raises:
        NotAllowed: for an account that may not administer.
    """
    every = queries.accounts(as_account=account)
    words = words_of([one.person for one in every])
    factors = dict(Authenticator.objects.order_by().values_list("user_id").annotate(Count("id")))
    return tuple(_account(one, words, factors) for one in every)


def _account(one: Account, words: Words, factors: Mapping[Any, int]) -> AccountShown:
    if not one.is_active:
        word, state = "Ended", "Closed"
    elif one.has_usable_password() or factors.get(one.pk):
        word, state = "Met", "Can sign in"
    else:
        word, state = "Waiting", "No password"
    last = "Never"
    if one.last_login:  # by the real clock; an example town has one of its own
        last = words.moment((one.last_login + clock.current_town().clock_shift).replace(second=0, microsecond=0))
    return AccountShown(
        one.name, words.name(one.person) if one.person else "", ", ".join(sorted(one.role_set())), word, state,
        factors.get(one.pk, 0), last,
    )  # fmt: skip


def account_shown(name: str, account: Account) -> tuple[Account, AccountShown]:
    """Returns one account, as it is and as it is shown.

    Raises:
        NotFound: where there is none of that name.
        NotAllowed: for an account that may not administer.
    """
    rights.require(account, "administer", rights.EVERY)
    one = rights.account_named(name)
    factors = {one.pk: Authenticator.objects.filter(user=one).count()}
    return one, _account(one, words_of([one.person]), factors)


def roles_shown(account: Account) -> tuple[RoleShown, ...]:
    """Returns every role with what it may do."""
    return roles(account)
