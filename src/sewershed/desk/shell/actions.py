"""The verbs of the shell."""

from __future__ import annotations

from urllib.parse import urlsplit

from django.http import QueryDict
from django.urls import Resolver404, resolve

from sewershed.desk.shell.models import LONGEST_NAME, KeptView
from sewershed.ledger import actions
from sewershed.ledger.errors import NotFound, Refused
from sewershed.ledger.models import Account

MOST_VIEWS = 100  # that one account keeps
_NOT_KEPT = ("page", "as")  # where somebody stood in the list, and a file of it


def choose_password(account: Account, password: str) -> Account:
    """Gives an account the password that its own person chose.

    Raises:
        Refused: for a password that is too short, too common or like the account's name.
    """
    return actions.change_account(account.name, as_account=account, password=password)


def keep_view(account: Account, name: str, address: str) -> KeptView:
    """Keeps a list as it is narrowed and ordered, under a name of the account's own.

    Edge: a name that the account has for that list already is given to the new view.

    Raises:
        Refused: without a name or with one of more than 60 signs, for an address that is no page of the desk, and where the
            account keeps a hundred views.
    """
    said, parts = " ".join(name.split()), urlsplit(address)
    if not said or len(said) > LONGEST_NAME:
        raise Refused(f"give the view a name of at most {LONGEST_NAME} signs")
    try:
        resolve(parts.path)
    except Resolver404:
        raise Refused(f"{address!r} is no page of this desk, so it cannot be kept as a view") from None
    if parts.scheme or parts.netloc:
        raise Refused(f"{address!r} is not of this desk, so it cannot be kept as a view")
    query = QueryDict(parts.query, mutable=True)
    for one in _NOT_KEPT:
        query.pop(one, None)
    if account.kept_views.exclude(path=parts.path, name=said).count() >= MOST_VIEWS:
        raise Refused(f"this account keeps {MOST_VIEWS} views already: give up one of them first")
    view, _ = KeptView.objects.update_or_create(
        account=account, path=parts.path, name=said, defaults={"query": query.urlencode()}
    )
    return view


def forget_view(account: Account, key: int) -> KeptView:
    """Gives up a view of the account's own, and returns it as it was.

    Raises:
        NotFound: where the account keeps no such view.
    """
    view = KeptView.objects.filter(account=account, pk=key).first()
    if view is None:
        raise NotFound("there is no such view of yours")
    view.delete()
    return view
