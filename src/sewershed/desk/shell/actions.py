"""The verbs of the shell."""

from __future__ import annotations

from sewershed.ledger import actions
from sewershed.ledger.models import Account


def choose_password(account: Account, password: str) -> Account:
    """Gives an account the password that its own person chose.

    Raises:
        Refused: for a password that is too short, too common or like the account's name.
    """
    return actions.change_account(account.name, as_account=account, password=password)
