"""The verbs of tokens: making one, revoking one."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Collection

from sewershed.desk.api import queries
from sewershed.desk.api.models import Token
from sewershed.ledger import actions, clock
from sewershed.ledger.errors import Refused
from sewershed.ledger.models import Account

PREFIX = "sewershed_"  # so that one that went astray is known for what it is


def make_token(account: Account, name: str, roles: Collection[str]) -> str:
    """Makes a token for an account, and returns its secret: nobody can read it again.

    Refuses: one without a role, and roles that the account does not have.

    Raises:
        Refused: with the reason.
    """
    wanted = frozenset(roles)
    if not wanted:
        raise Refused("a token without a role may do nothing: choose one")
    if foreign := sorted(wanted - account.role_set()):
        raise Refused(f"{account.name} has not the role {', '.join(foreign)}: a token may do no more than its account")
    secret = PREFIX + secrets.token_urlsafe(32)
    with actions.together():
        Token.objects.create(
            account=account,
            name=name,
            roles=" ".join(sorted(wanted)),
            token_sha256=hash_of(secret),
            made_at=clock.now(),
        )
        actions.note_access("token_made", account.name, as_account=account, roles=wanted, token=name)
    return secret


def revoke_token(id: int, account: Account) -> None:
    """Makes a token answer nothing any more, from now on.

    Raises:
        NotFound: where the account sees no such token.
    """
    found = queries.token_named(id, account)
    with actions.together():
        Token.objects.filter(id=found.id, revoked_at=None).update(revoked_at=clock.now())
        actions.note_access("token_revoked", found.account.name, as_account=account, token=found.name)


def note_use(token: Token) -> None:
    """Notes that a token was used today; it is written down once a day."""
    today = clock.today().isoformat()
    if token.used_on != today:
        Token.objects.filter(id=token.id).update(used_on=today)


def hash_of(secret: str) -> str:
    """Returns the hash under which a token is kept."""
    return hashlib.sha256(secret.encode()).hexdigest()
