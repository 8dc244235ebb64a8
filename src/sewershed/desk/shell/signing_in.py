"""Signing in: what of django-allauth is used and how, and the one-time link of a first sign-in.

Accounts are made by an administrator, have no mail address and sign in by name. A one-time link is for the person to whom
the administrator hands it: it sets a password, and is void once somebody has signed in.
"""

from __future__ import annotations

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from django.contrib.auth.tokens import PasswordResetTokenGenerator
from django.http import HttpRequest
from django.urls import reverse

from sewershed.desk.shell.actions import choose_password
from sewershed.ledger import clock, rights
from sewershed.ledger.errors import Refused
from sewershed.ledger.models import Account


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]  # allauth says nothing of its types
    """How allauth treats the accounts of a town."""

    error_messages = {  # noqa: RUF012  # as allauth declares it
        **DefaultAccountAdapter.error_messages,
        "username_password_mismatch": "There is no open account with that name and password.",
        "too_many_login_attempts": "Too many tries. Wait five minutes, then try again.",
        "incorrect_password": "That is not the password of this account.",
        "enter_current_password": "Enter the password that you have now.",
    }

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Tells that nobody makes an account for himself."""
        return False

    def set_password(self, user: Account, password: str) -> None:
        """Gives an account the password that its own person chose."""
        user.password = choose_password(user, password).password  # the session goes by it

    def send_mail(self, template_prefix: str, email: str, context: Any) -> None:
        """Sends nothing: an account has no mail address."""


class SecondFactorAdapter(DefaultMFAAdapter):  # type: ignore[misc]  # as above
    """How second factors are named on a person's own devices."""

    def get_totp_issuer(self) -> str:
        """Returns what an authenticator shows above the code."""
        return f"{clock.current_town().name} sewer desk"

    def get_public_key_credential_rp_entity(self) -> dict[str, str]:
        """Returns for whom a passkey is made: the name under which the browser reached us."""
        entity: dict[str, str] = super().get_public_key_credential_rp_entity()
        return {**entity, "name": self.get_totp_issuer()}


_tokens = PasswordResetTokenGenerator()  # void as soon as the password or the last sign-in is another


def one_time_path(name: str, *, as_account: Account) -> str:
    """Returns the path of a one-time link for an account: whoever opens it within three days sets its password.

    Refuses: an account that is closed, and whoever may not administer, except for itself.

    Raises:
        NotFound: where there is no account of that name.
        Refused: where it is closed.
        NotAllowed: for the account that acts.
    """
    account = rights.account_named(name)
    if account.pk != as_account.pk:
        rights.require(as_account, "administer", rights.EVERY)
    if not account.is_active:
        raise Refused(f"the account {name} is closed: open it first")
    return reverse("first_sign_in", args=[account.name, _tokens.make_token(account)])


def account_of(name: str, token: str) -> Account | None:
    """Returns the account that a one-time link opens, or None where the link was used, is too old or was never given."""
    account = Account.objects.filter(name=name, is_active=True).first()
    return account if account is not None and _tokens.check_token(account, token) else None


def can_anybody_sign_in() -> bool:
    """Tells whether some administrator has a password or a passkey, so that a town needs no first link."""
    for account in Account.objects.filter(is_active=True):
        if "administrator" in account.role_set() and (account.has_usable_password() or _has_passkey(account)):
            return True
    return False


def forget_second_factors(account: Account) -> int:
    """Takes away an account's authenticator, passkeys and recovery codes, and returns how many: for a lost telephone."""
    count: int = Authenticator.objects.filter(user=account).delete()[0]
    return count


def _has_passkey(account: Account) -> bool:
    return bool(Authenticator.objects.filter(user=account, type=Authenticator.Type.WEBAUTHN).exists())
