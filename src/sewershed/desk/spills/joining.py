"""Two reports of one spill: which may be the same, joining them, and taking them apart again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms

from sewershed.ledger import actions
from sewershed.ledger.entry import Recorded
from sewershed.ledger.models import Account


class JoinForm(forms.Form):
    """Which report is the same, which of the two goes on, and why."""

    other = forms.ChoiceField(label="The other report", widget=forms.RadioSelect, error_messages={"required": "Choose the other report."})  # fmt: skip
    goes_on = forms.ChoiceField(
        label="Which goes on", widget=forms.RadioSelect, choices=[("this", "This one"), ("other", "The other one")],
        error_messages={"required": "Choose which goes on: its number stays."},
    )  # fmt: skip
    because = forms.CharField(label="Why they are the same", help_text="For whoever reads the record later")

    def __init__(self, candidates: Sequence[tuple[str, str]], *args: Any, **given: Any) -> None:
        super().__init__(*args, **given)
        field = self.fields["other"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = list(candidates)


def join(this: str, form: JoinForm, account: Account) -> str:
    """Joins two reports and returns the one that goes on.

    Raises:
        Refused: with the reason.
        NotAllowed: for the account.
    """
    said = form.cleaned_data
    gone, into = (said["other"], this) if said["goes_on"] == "this" else (this, said["other"])
    actions.join(gone, into, as_account=account, why=said["because"])
    return str(into)


def take_apart(batch: str, because: str, account: Account) -> Recorded:
    """Undoes a joining: what happened to each stands with it again.

    Raises:
        Refused: with the list of what was recorded since and rests on it.
        NotAllowed: for the account.
    """
    return actions.undo_batch(batch, as_account=account, why=because)
