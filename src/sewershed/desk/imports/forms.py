"""The forms of bringing in a list."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from django import forms
from django.forms.boundfield import BoundField

from sewershed.desk.imports import queries
from sewershed.exchange.values import Question
from sewershed.ledger import clock, importing
from sewershed.ledger.importing import Field, Kind, Recipe, Sheet, Taken
from sewershed.ledger.models import Account
from sewershed.ledger.wording import plain

LEFT_OUT = ("", "Left out")
_SIGN = "="  # before each answer, as it is sent
SIGNS = {",": "Comma", ";": "Semicolon", "\t": "Tab", "|": "Vertical bar", ":": "Colon", " ": "Blank"}


class FileForm(forms.Form):
    """A list that somebody brings."""

    list = forms.FileField(
        label="The list",
        help_text="As you have it: CSV, tab-separated text, or an Excel workbook (.xlsx), up to 50 MB. It is kept as it came.",
        widget=forms.ClearableFileInput({"accept": ".csv,.tsv,.txt,.xlsx"}),
    )


class WhatForm(forms.Form):
    """What a list is of, which sheet, and which sign stands between its cells where that is open."""

    def __init__(
        self,
        account: Account,
        sheets: Sequence[Sheet],
        delimiters: Sequence[str],
        likely: Sequence[Kind],
        *args: Any,
        **given: Any,
    ) -> None:
        super().__init__(*args, **given)
        if delimiters:
            signs = [(one, SIGNS.get(one, one)) for one in delimiters]
            self.fields["delimiter"] = forms.ChoiceField(
                label="What stands between its cells?", choices=signs, widget=forms.RadioSelect,
                help_text="The file can be read in more than one way.",
            )  # fmt: skip
        if len(sheets) > 1:
            names = [
                (one.name, f"{one.name}: {len(one.lines):,} line{'' if len(one.lines) == 1 else 's'}") for one in sheets
            ]
            self.fields["sheet"] = forms.ChoiceField(label="Which sheet?", choices=names, widget=forms.RadioSelect)
        if not delimiters:
            self.fields["kind"] = forms.ChoiceField(
                label="What does each line say?", choices=queries.kinds_to_choose(account, likely),
                help_text="A thing with its facts, or something that happened to a thing which is in the record already.",
            )  # fmt: skip


class ColumnsForm(forms.Form):
    """What each column of a list is, and which tells one from another."""

    def __init__(
        self, sheet: Sheet, kind: Kind, taken: Taken, fields: Mapping[str, Field], needed: Sequence[Field], *args: Any,
        recipe: Recipe, **given: Any,
    ) -> None:  # fmt: skip
        super().__init__(*args, **given)
        self.sheet, self.kind, self.known = sheet, kind, fields
        choices = [
            LEFT_OUT,
            *((name, f"{one.label}{' (needed)' if one.is_needed else ''}") for name, one in fields.items()),
        ]
        chosen = recipe.columns or {one.column: one.target or "" for one in taken.matches}
        for at, column in enumerate(sheet.columns):
            self.fields[f"column{at}"] = forms.ChoiceField(
                label=f"{column} is", choices=choices, required=False, initial=chosen.get(column, "")
            )
        word = plain(kind.name)
        none = "No column" if not kind.event else "None: each is known by what it says"
        self.fields["key"] = forms.ChoiceField(
            label=f"Which column tells one {word} from another?", choices=[("", none), *((one, one) for one in sheet.columns)],
            initial=next(iter(recipe.key or taken.key), ""), required=kind.event is None,
            help_text=(
                "A number that stays the same from list to list: a permit, an account, a serial number; else the name."
                if kind.event is None else "A number of its own that stays the same, such as that of a work order, if the list has one."
            ),
        )  # fmt: skip
        self.fields["key_too"] = forms.ChoiceField(
            label="And which with it?", choices=[("", "None: that one is enough"), *((one, one) for one in sheet.columns)], required=False,
            initial=next(iter((recipe.key or taken.key)[1:]), ""), help_text="Where it takes two, as the two manholes of a pipe.",
        )  # fmt: skip
        self.needed = [
            *needed,
            *(fields[name] for name in recipe.constants if name in fields and fields[name] not in needed),
        ]
        for one in self.needed:
            self.fields[f"same_{one.name}"] = forms.CharField(
                label=one.label, required=False, help_text=one.target.means,
                initial=recipe.constants.get(one.name, ""),
            )  # fmt: skip
        if kind.event is None:
            self.fields["day"] = forms.DateField(
                label="On which day was the list true?", initial=recipe.day or clock.today, help_text="What differs from what is known holds from this day on",
                widget=forms.DateInput({"type": "date"}, "%Y-%m-%d"),
            )  # fmt: skip

    @property
    def rows(self) -> list[BoundField]:
        """Returns the answers on the columns, in their order."""
        return [self[f"column{at}"] for at in range(len(self.sheet.columns))]

    @property
    def constants(self) -> list[BoundField]:
        """Returns what may be the same for every line."""
        return [self[f"same_{one.name}"] for one in self.needed]

    def clean_day(self) -> date:
        """Refuses a day that has not come."""
        day: date = self.cleaned_data["day"]
        if day > clock.today():
            raise forms.ValidationError("This day has not come yet.")
        return day

    def said(self) -> dict[str, Any]:
        """Returns what was said, as a recipe holds it."""
        said = self.cleaned_data
        columns = {column: said[f"column{at}"] for at, column in enumerate(self.sheet.columns)}
        constants = {one.name: said[f"same_{one.name}"].strip() for one in self.needed}
        day = said.get("day")
        return {
            "columns": columns, "key": tuple(dict.fromkeys(filter(None, (said["key"], said["key_too"])))), "constants": {name: text for name, text in constants.items() if text and name not in columns.values()},
            "day": day.isoformat() if day else "",
        }  # fmt: skip


class QuestionsForm(forms.Form):
    """What a list leaves open, asked once a column."""

    def __init__(self, questions: Sequence[Question], recipe: Recipe, *args: Any, **given: Any) -> None:
        super().__init__(*args, **given)
        self.questions = [one for one in questions if one.choices]
        for at, one in enumerate(self.questions):
            self.fields[f"answer{at}"] = forms.ChoiceField(
                label=f"{one.asks[:1].upper()}{one.asks[1:]}", choices=[(_sent(choice.value), choice.label) for choice in one.choices], widget=forms.RadioSelect,
                initial=_sent(recipe.answers.get(one.column, {}).get(one.kind)),
            )  # fmt: skip

    def said(self) -> dict[str, dict[str, str]]:
        """Returns the answers, by column and kind of question."""
        answers: dict[str, dict[str, str]] = {}
        for at, one in enumerate(self.questions):
            answers.setdefault(one.column, {})[one.kind] = self.cleaned_data[f"answer{at}"].removeprefix(_SIGN)
        return answers


def _sent(value: str | None) -> str | None:
    """Returns an answer as the form sends it: one of the answers may be empty, which a form takes for none."""
    return None if value is None else f"{_SIGN}{value}"


class ApproveForm(forms.Form):
    """Brings in what was read."""

    plan = forms.CharField(widget=forms.HiddenInput)


class UndoForm(forms.Form):
    """Why what was brought in is taken back."""

    why = forms.CharField(label="Why it is taken back", help_text="For whoever reads the record later")


__all__ = ["ApproveForm", "ColumnsForm", "FileForm", "QuestionsForm", "UndoForm", "WhatForm", "importing"]
