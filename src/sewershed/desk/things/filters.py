"""Narrowing a register: a text in the name, a word of a choice, a number or a day between bounds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from django import forms

from sewershed.desk.things import queries
from sewershed.desk.things.tables import RANGED
from sewershed.ledger.models import Account
from sewershed.ledger.wording import label_of, title, unit_words
from sewershed.rules.vocabulary import Fact

MOST = 4  # facts by which a list can be narrowed on its page; the address takes any
MOST_TO_CHOOSE = 60


def filtered(columns: Sequence[Fact]) -> list[Fact]:
    """Returns the facts by which a page narrows its list: choices first, which say most with least."""
    order = {"choice": 0, "bool": 1, "ref": 2, "date": 3, "number": 4}
    fit = [one for one in columns if one.type.kind in order]
    return sorted(fit, key=lambda one: order[one.type.kind])[:MOST]


def form_for(data: Any, facts: Sequence[Fact], account: Account) -> forms.Form:
    """Returns the form that narrows a list."""
    fields: dict[str, forms.Field] = {"q": forms.CharField(label="Name or number", required=False)}
    for fact in facts:
        fields.update(_fields(fact, account))
    made: type[forms.Form] = type("Narrowing", (forms.Form,), fields)
    form = made(data)
    form.is_valid()  # a page of a list is never wrong: what cannot be read is passed over
    return form


def _fields(fact: Fact, account: Account) -> Iterator[tuple[str, forms.Field]]:
    label, any_ = label_of(fact), [("", "Any")]
    match fact.type.kind:
        case "choice":
            words = [(word, title(word)) for word in fact.type.words]
            yield fact.name, forms.ChoiceField(label=label, choices=[*any_, *words], required=False)
        case "bool":
            answers = [*any_, ("true", "Yes"), ("false", "No")]
            yield fact.name, forms.ChoiceField(label=label, choices=answers, required=False)
        case "ref":
            things = queries.choices_of(fact.type.to, account, MOST_TO_CHOOSE)
            if things is not None:
                yield fact.name, forms.ChoiceField(label=label, choices=[*any_, *things], required=False)
        case kind if kind in RANGED:
            unit = f", {unit_words(fact.type.unit)}" if fact.type.unit else ""
            widget = forms.DateInput({"type": "date"}) if kind == "date" else forms.TextInput({"inputmode": "decimal"})
            yield f"{fact.name}_from", forms.CharField(label=f"{label} from{unit}", required=False, widget=widget)
