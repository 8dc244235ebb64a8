"""The form of a token."""

from __future__ import annotations

from django import forms

from sewershed.ledger.models import Account


class TokenForm(forms.Form):
    """What a token is for, and what it may do: nothing is chosen beforehand."""

    name = forms.CharField(
        label="What it is for", max_length=80, help_text="For whoever looks through the tokens later"
    )
    roles = forms.MultipleChoiceField(
        label="With the roles", widget=forms.CheckboxSelectMultiple, error_messages={"required": "Choose at least one."}
    )

    def __init__(self, account: Account, data: object = None) -> None:
        super().__init__(data)  # type: ignore[arg-type]  # what a request was sent with
        self.fields["roles"].choices = [(one, one.capitalize()) for one in sorted(account.role_set())]  # type: ignore[attr-defined]  # a choice field has them
