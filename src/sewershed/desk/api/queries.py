"""Which tokens there are, and as whom one acts."""

from __future__ import annotations

from sewershed.desk.api.models import Token
from sewershed.ledger import rights
from sewershed.ledger.errors import NotFound
from sewershed.ledger.models import Account


def tokens(account: Account) -> list[Token]:
    """Returns the tokens that work, one's own; to whoever administers, all of them."""
    found = Token.objects.select_related("account").filter(revoked_at=None).order_by("account__name", "made_at", "id")
    return list(found if rights.may(account, "administer", rights.EVERY) else found.filter(account=account))


def token_named(id: int, account: Account) -> Token:
    """Returns a token.

    Raises:
        NotFound: where the account sees none of that number.
    """
    for one in tokens(account):
        if one.id == id:
            return one
    raise NotFound("there is no such token, or it is somebody else's, or it was revoked")


def token_of(token_sha256: str) -> Token | None:
    """Returns the token of a hash that works: neither it was revoked nor its account closed."""
    found = Token.objects.select_related("account").filter(token_sha256=token_sha256, revoked_at=None)
    return found.filter(account__is_active=True).first()


def acting(token: Token) -> Account:
    """Returns the account of a token with no other roles than those that both have. It must never be saved."""
    account = token.account
    account.roles = " ".join(sorted(account.role_set() & frozenset(token.roles.split())))
    return account
