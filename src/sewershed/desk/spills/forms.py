"""Forms of calls and spills: the fields of the vocabulary, asked in the order in which they are said."""

from __future__ import annotations

from typing import Any

from django import forms

from sewershed.desk.things.answers import MomentAnswer, MomentWidget
from sewershed.desk.things.forms import AT, Entry
from sewershed.ledger import canonical, clock, law
from sewershed.ledger.models import Account

CALL = "call"
WHERE = "where"
QUESTIONS = {"what": "What do they see?"}


class CallForm(Entry):
    """A call at the counter: where, what they see, and what helps."""

    def __init__(self, account: Account, *args: Any, **given: Any) -> None:
        super().__init__(account, None, *args, **given)
        event = law.in_force().vocabulary.events[CALL]
        self.fields[WHERE] = forms.CharField(
            label="Where is it?", help_text="Street and number, a crossing, a station, or in the caller's words",
            widget=forms.TextInput({"autofocus": True, "autocomplete": "off"}),
        )  # fmt: skip
        self.fields[AT] = MomentAnswer(
            label="Call received", precision=event.precision, widget=MomentWidget("Call received", self.zone),
            initial=canonical.instant_text(clock.now().replace(second=0)),
        )  # fmt: skip
        self.add_known(CALL, event.data, [name for name in event.data if name != "location"])
        for name, question in QUESTIONS.items():
            self.fields[name].label = question
        self.fields["what"].required = True
