"""The questions that the state's form asks by cause: what the logs answer by themselves, and what somebody adds with its log."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.forms.boundfield import BoundField

from sewershed.ledger import actions, clock
from sewershed.ledger.models import Account
from sewershed.ledger.papers import Asked

ANSWERED = "form_answered"


@dataclass(frozen=True, slots=True)
class AskedField:
    """A question with its two fields: the answer, and the log it rests on."""

    asked: Asked
    answer: BoundField
    rests_on: BoundField
    anchor: str


class AnswersForm(forms.Form):
    """All questions of the causes that were found, each with what is answered already."""

    def __init__(self, asked: Sequence[Asked], *args: Any, **given: Any) -> None:
        super().__init__(*args, **given)
        self.asked = asked
        for number, one in enumerate(asked):
            area = forms.Textarea({"rows": 2, "class": "usa-textarea"})
            self.fields[f"answer_{number}"] = forms.CharField(
                label=one.asks, required=False, initial=one.answer, widget=area
            )
            self.fields[f"rests_{number}"] = forms.CharField(
                label="The log it rests on, and the day of its entry", required=False, initial=one.rests_on
            )

    def clean(self) -> dict[str, Any]:
        """Refuses a log without an answer that would rest on it."""
        said: dict[str, Any] = super().clean() or self.cleaned_data
        for number, _ in enumerate(self.asked):
            if said.get(f"rests_{number}") and not said.get(f"answer_{number}"):
                self.add_error(f"answer_{number}", "Say the answer, too.")
        return said

    @property
    def groups(self) -> list[tuple[str, list[AskedField]]]:
        """Returns the questions by cause."""
        found: dict[str, list[AskedField]] = {}
        for number, one in enumerate(self.asked):
            field = AskedField(one, self[f"answer_{number}"], self[f"rests_{number}"], f"{one.cause}-{one.key}")
            found.setdefault(one.cause_label, []).append(field)
        return list(found.items())

    def changed(self) -> list[dict[str, str]]:
        """Returns the answers that differ from what was known, as the record takes them."""
        said, found = self.cleaned_data, []
        for number, one in enumerate(self.asked):
            answer, rests_on = said[f"answer_{number}"].strip(), said[f"rests_{number}"].strip()
            if answer and (answer, rests_on) != (one.answer, one.rests_on):
                data = {"cause": one.cause, "question": one.key, "answer": answer}
                found.append(data | ({"rests_on": rests_on} if rests_on else {}))
        return found


def answer(form: AnswersForm, thing: str, account: Account) -> int:
    """Records the answers that were added or changed, each as a row of its own, and returns how many there were.

    Raises:
        Refused: with every reason.
        NotAllowed: for the account.
    """
    changed = form.changed()
    with actions.together():
        for data in changed:
            actions.record(
                ANSWERED,
                thing,
                as_account=account,
                at=clock.now().replace(second=0),
                data=data,
                performed_by=account.person,
            )
    return len(changed)
