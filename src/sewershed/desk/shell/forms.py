"""The forms of the shell itself."""

from __future__ import annotations

from typing import Any

from allauth.account.forms import LoginForm
from django import forms
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError

from sewershed.ledger.models import Account


class FirstSignIn(forms.Form):
    """A password, twice. In an example town it may be left out: the records there are made up."""

    password = forms.CharField(
        label="Password",
        help_text="Twelve characters or more. Several words are easier to keep in mind than signs.",
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )
    again = forms.CharField(label="The same again", widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}))

    def __init__(self, account: Account, *args: Any, is_needed: bool, **named: Any) -> None:
        super().__init__(*args, **named)
        self.account = account
        for field in self.fields.values():
            field.required = is_needed
        if not is_needed:
            self.fields["password"].help_text = "May be left empty in an example town."

    def clean_password(self) -> str:
        """Refuses a password that is too short, too common or like the account's name."""
        password: str = self.cleaned_data["password"]
        if password:
            validate_password(password, self.account)
        return password

    def clean(self) -> dict[str, Any]:
        """Refuses two passwords that differ."""
        said: dict[str, Any] = super().clean() or self.cleaned_data
        if "password" in said and said["password"] != said.get("again", ""):
            self.add_error("again", ValidationError("The two are not the same."))
        return said


class SignIn(LoginForm):  # type: ignore[misc]  # allauth says nothing of its types
    """Signing in by name and password."""

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        self.fields["login"].label = "Name"
        self.fields["password"].help_text = ""
        self.fields["remember"].label = "Stay signed in on this device for two weeks"
        for field in self.fields.values():
            field.widget.attrs.pop("placeholder", None)
