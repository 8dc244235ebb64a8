"""The forms of decisions: what was decided, by whom, because of what. Nothing is chosen beforehand."""

from __future__ import annotations

from collections.abc import Sequence

from django import forms
from django.forms import Field

from sewershed.desk.shell.parts import Reading

Choices = Sequence[tuple[str, str]]


class DecisionForm(forms.Form):
    """A decision as the component `decision` sends it."""

    def __init__(self, readings: Sequence[Reading], deciders: Choices, scopes: Choices, data: object = None) -> None:
        super().__init__(data)  # type: ignore[arg-type]  # what a request was sent with
        needed = {"required": "Choose one: nothing is chosen for you."}
        fields: dict[str, Field] = {
            "reading": forms.ChoiceField(choices=[(one.value, one.title) for one in readings], error_messages=needed)
            if readings
            else forms.CharField(label="What was decided", error_messages={"required": "Say what was decided."}),
            "by": forms.ChoiceField(label="Decided by", choices=[("", "Choose"), *deciders], error_messages={"required": "Say who decided."}),
            "because": forms.CharField(label="Because", error_messages={"required": "Say why, for whoever reads it later."}),
        }  # fmt: skip
        if scopes:
            fields["for"] = forms.ChoiceField(label="Holds for", choices=scopes)
        self.fields.update(fields)
