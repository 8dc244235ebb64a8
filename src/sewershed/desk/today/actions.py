"""The verbs of Today: deciding, and the calendar's own address."""

from __future__ import annotations

import hashlib
import secrets
from typing import Any

from sewershed.desk.today.models import Feed
from sewershed.ledger import actions, clock, law, people
from sewershed.ledger.entry import Recorded
from sewershed.ledger.models import Account


def settle(doubt: str, reading: str, *, on: str, by: str, because: str, account: Account) -> Recorded:
    """Records which reading of a doubt holds: for one thing, or on the town for all.

    Raises:
        Refused: with every reason.
        NotAllowed: for the account.
    """
    known = law.in_force().library.doubts(law.in_force().book_id).get(doubt)
    office = _office(by, known.settle_by if known else "")
    return actions.decide(
        on,
        as_account=account,
        because=because,
        at=clock.now().replace(second=0),
        doubt=doubt,
        reading=reading,
        performed_by=by,
        office=office,
    )


def decide(thing: str, fact: str, value: Any, *, by: str, because: str, judge: str, account: Account) -> Recorded:
    """Records what a person decided of a fact that the law leaves to a person.

    Raises:
        Refused: with every reason.
        NotAllowed: for the account.
    """
    return actions.decide(
        thing, as_account=account, because=because, at=clock.now().replace(second=0), fact=fact, value=value, performed_by=by,
        office=_office(by, judge),
    )  # fmt: skip


def _office(person: str, office: str) -> str:
    """Returns the office in which somebody decides: the one that must, where they hold it."""
    return office if office and office in people.offices(person, clock.today()) else ""


def make_feed(account: Account) -> str:
    """Makes a fresh calendar address for an account, in place of the one it had, and returns its secret part."""
    token = secrets.token_urlsafe(32)
    said = {"token_sha256": hash_of(token), "made_at": clock.now()}
    Feed.objects.update_or_create(account=account, defaults=said)
    return token


def revoke_feed(account: Account) -> None:
    """Makes the calendar address of an account answer nothing any more."""
    Feed.objects.filter(account=account).delete()


def hash_of(token: str) -> str:
    """Returns the hash under which an address is kept."""
    return hashlib.sha256(token.encode()).hexdigest()
