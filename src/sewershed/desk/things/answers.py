"""Form fields made of the vocabulary: one for each type, each with *not known* as an answer of its own.

A field gives back what the ledger reads: a text, a list, None for *not known*, or `NOT_ASKED` where nothing was said. What is
right or wrong of a value is the ledger's to say; here only a local time that happens twice is asked about, since a form can.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final
from zoneinfo import ZoneInfo

from django import forms
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile

from sewershed.ledger import canonical
from sewershed.ledger.wording import label_of, plain, title, unit_words
from sewershed.rules.types import Type
from sewershed.rules.vocabulary import Fact

UNKNOWN = "?"  # the choice "not known"
NOT_KNOWN = "Not known"
LEFT_OUT = "Not asked"
MOST_RADIOS = 6  # more words than these are a list to choose from
BLANK_ROWS = 3  # of a list of records, beside those there are
_SUB_INPUTS = {"number": "text", "date": "date", "moment": "text"}


class NotAsked:
    """Nothing was said of a field."""

    def __bool__(self) -> bool:
        """Tells that there is nothing."""
        return False


NOT_ASKED: Final = NotAsked()
Choices = Sequence[tuple[str, str]]


class AnswerWidget(forms.MultiWidget):
    """A control with, beside it, a box for *not known*."""

    template_name = "things/answer.html"

    def __init__(self, control: forms.Widget, label: str, unit: str = "") -> None:
        control.attrs.setdefault("class", "usa-textarea" if isinstance(control, forms.Textarea) else "usa-input")
        control.attrs["aria-label"] = f"{label}, in {unit}" if unit else label
        self.unit = unit
        parts: dict[str, forms.Widget | type[forms.Widget]] = {"": control, "unknown": forms.CheckboxInput()}
        super().__init__(parts)

    def decompress(self, value: Any) -> list[Any]:
        """Returns control and box of a value: a pair of both, or the value alone."""
        return [None, True] if value == UNKNOWN else [value, False]

    def get_context(self, name: str, value: Any, attrs: Any) -> dict[str, Any]:
        """Returns what the template shows."""
        shown: dict[str, Any] = super().get_context(name, value, _own_classes(attrs))
        shown["unit"] = self.unit
        return shown


class MomentWidget(forms.MultiWidget):
    """A day and a time of day; where the time happened twice, which of the two; and, where asked, *not known*."""

    template_name = "things/moment.html"

    def __init__(self, label: str, zone: ZoneInfo, *, has_time: bool = True, has_unknown: bool = False) -> None:
        day = forms.DateInput({"type": "date", "aria-label": f"{label}: day", "class": "usa-input"}, "%Y-%m-%d")
        clock = forms.TimeInput({"type": "time", "aria-label": f"{label}: time", "class": "usa-input"}, "%H:%M")
        which = forms.Select({"aria-label": f"{label}: which of the two", "class": "usa-select"})
        parts: dict[str, forms.Widget | type[forms.Widget]] = {"day": day}
        if has_time:
            parts |= {"time": clock, "which": which}
        if has_unknown:
            parts["unknown"] = forms.CheckboxInput()
        self.has_time, self.zone, self.keys = has_time, zone, tuple(parts)
        super().__init__(parts)

    def decompress(self, value: Any) -> list[Any]:
        """Returns day, time and offset of a moment of the log; `?` is not known."""
        empty: list[Any] = [None, None, ""] if self.has_time else [None]
        if value in (None, "", UNKNOWN):
            return [*empty, value == UNKNOWN][: len(self.widgets)]
        if not self.has_time or "T" not in str(value):
            found: list[Any] = [str(value)[:10], *empty[1:]]
        else:
            local = canonical.read_instant(str(value)).astimezone(self.zone)
            which = two_of(local.replace(tzinfo=None), self.zone)
            found = [f"{local:%Y-%m-%d}", f"{local:%H:%M}", f"{local:%z}"[:3] + ":00" if which else ""]
            self.offer(which)
        return [*found, False][: len(self.widgets)]

    def offer(self, which: Choices) -> None:
        """Offers the two instants that one local time may mean."""
        if which:
            self.widgets[2].choices = [("", "Which of the two?"), *which]  # type: ignore[attr-defined]

    def get_context(self, name: str, value: Any, attrs: Any) -> dict[str, Any]:
        """Returns what the template shows."""
        shown: dict[str, Any] = super().get_context(name, value, _own_classes(attrs))
        shown["is_twice"] = self.has_time and bool(getattr(self.widgets[2], "choices", ()))
        return shown


class RecordsWidget(forms.Widget):
    """A list of records as a table with a few blank rows; a row left blank is not there."""

    template_name = "things/records.html"

    def __init__(self, fields: Sequence[tuple[str, Type]], label: str) -> None:
        super().__init__()
        self.fields, self.label = fields, label

    def value_from_datadict(self, data: Mapping[str, Any], files: Any, name: str) -> list[dict[str, str]]:
        """Returns the rows in which something stands."""
        found, number = [], 0
        while any(f"{name}-{number}-{field}" in data for field, _ in self.fields):
            row = {field: str(data.get(f"{name}-{number}-{field}", "")).strip() for field, _ in self.fields}
            if any(row.values()):
                found.append({field: text for field, text in row.items() if text})
            number += 1
        return found

    def value_omitted_from_data(self, data: Mapping[str, Any], files: Any, name: str) -> bool:
        """Tells whether the form did not have it."""
        return not any(key.startswith(f"{name}-0-") for key in data)

    def format_value(self, value: Any) -> Any:
        """Returns the rows as they are."""
        return value

    def get_context(self, name: str, value: Any, attrs: Any) -> dict[str, Any]:
        """Returns what the template shows."""
        rows = [*(value or ()), *({} for _ in range(BLANK_ROWS))]
        heads = [(field, title(field) + (f", {kind.unit}" if kind.unit else "")) for field, kind in self.fields]
        cells = [
            [
                {
                    "name": f"{name}-{number}-{field}", "value": row.get(field) or "",
                    "type": _SUB_INPUTS.get(kind.kind, "text"), "label": f"{self.label}, row {number + 1}: {plain(field)}",
                }
                for field, kind in self.fields
            ]
            for number, row in enumerate(rows)
        ]  # fmt: skip
        return {"widget": {"heads": heads, "rows": cells, "name": name}}


class Answer(forms.Field):
    """An answer in one control with *not known* beside it."""

    unit = ""

    def clean(self, value: Any) -> Any:
        """Returns the answer as the ledger reads it.

        Refuses: an answer together with *not known*, and nothing where something is needed.
        """
        said, unknown = value if isinstance(value, list) else (value, False)
        said = self.read(said)
        if unknown and said is not NOT_ASKED:
            raise ValidationError("Say it, or tick Not known: not both.")
        if said is NOT_ASKED and self.required:
            raise ValidationError("This is needed.")
        return None if unknown else said

    def read(self, said: Any) -> Any:
        """Returns what stands in the control, as the ledger reads it."""
        text = str(said or "").strip()
        return text or NOT_ASKED


class ListAnswer(Answer):
    """Several texts, one a line."""

    def read(self, said: Any) -> Any:
        """Returns the lines."""
        return [line.strip() for line in str(said or "").splitlines() if line.strip()] or NOT_ASKED


class PlaceAnswer(Answer):
    """A point as latitude and longitude, or a shape as GeoJSON."""

    def read(self, said: Any) -> Any:
        """Returns the shape.

        Refuses: what is neither.
        """
        text = str(said or "").strip()
        if not text:
            return NOT_ASKED
        if text.startswith("{"):
            try:
                return json.loads(text, parse_float=str)
            except ValueError:
                raise ValidationError("This is no GeoJSON.") from None
        parts = [part.strip() for part in text.replace(" ", ",").split(",") if part.strip()]
        if len(parts) != 2:
            raise ValidationError("Write latitude and longitude, such as 35.9451, -78.1034.")
        return {"type": "Point", "coordinates": [parts[1], parts[0]]}


class ChoiceAnswer(forms.ChoiceField):
    """One of several words, *not known* among them."""

    def clean(self, value: Any) -> Any:
        """Returns the word."""
        said = super().clean(value)
        return NOT_ASKED if said == "" else None if said == UNKNOWN else said


class ChoicesAnswer(forms.MultipleChoiceField):
    """Any of several words, or *not known*."""

    def clean(self, value: Any) -> Any:
        """Returns the words.

        Refuses: words together with *not known*.
        """
        said = super().clean(value)
        if UNKNOWN in said and len(said) > 1:
            raise ValidationError("Say which, or tick Not known: not both.")
        return None if said == [UNKNOWN] else said or NOT_ASKED


class RecordsAnswer(forms.Field):
    """A list of records."""

    def clean(self, value: Any) -> Any:
        """Returns the rows."""
        super().clean(value)
        return value or NOT_ASKED


class MomentAnswer(forms.Field):
    """A day, or a day with its time, as entered in the town's own time."""

    widget: MomentWidget

    def __init__(self, *args: Any, precision: str, **named: Any) -> None:
        super().__init__(*args, **named)
        self.precision = precision

    def clean(self, value: Any) -> Any:
        """Returns the moment as the ledger reads it.

        Edge: a local time that happened twice is asked about; both are offered, and neither is taken for the other.

        Refuses: a time without a day, a day without the time where that is needed.
        """
        parts = dict(zip(self.widget.keys, value or (), strict=False))
        day, clock = parts.get("day") or "", parts.get("time") or ""
        unknown = bool(parts.get("unknown"))
        if unknown and (day or clock):
            raise ValidationError("Say when, or tick Not known: not both.")
        if clock and not day:
            raise ValidationError("Which day?")
        if not day:
            if self.required:
                raise ValidationError("When was it?")
            return None if unknown else NOT_ASKED
        if self.precision == "instant" and not clock:
            raise ValidationError("The time of day is needed.")
        if not clock:
            return day
        return self._instant(day, clock, parts.get("which") or "")

    def _instant(self, day: str, clock: str, which: str) -> str:
        text = f"{day}T{clock[:5]}"
        try:
            local = datetime.fromisoformat(text)
        except ValueError:
            raise ValidationError("Write a day and a time of day.") from None
        two = two_of(local, self.widget.zone)
        if not two:
            return text
        self.widget.offer(two)
        if which not in dict(two):
            raise ValidationError(
                "This time came twice that night, when the clocks went back. Which of the two was it?"
            )
        return f"{text}{which}"


class FilesAnswer(forms.Field):
    """One or several files; they are kept before the row that names them."""

    def __init__(self, *args: Any, is_many: bool, **named: Any) -> None:
        super().__init__(*args, widget=ManyFiles() if is_many else forms.FileInput(), **named)
        self.is_many = is_many

    def clean(self, value: Any) -> Any:
        """Returns the files that were sent."""
        found = [one for one in (value if isinstance(value, list) else [value]) if isinstance(one, UploadedFile)]
        super().clean(found)
        return found or NOT_ASKED


class ManyFiles(forms.FileInput):
    """A control that takes several files."""

    allow_multiple_selected = True

    def __init__(self) -> None:
        super().__init__({"multiple": True})

    def value_from_datadict(self, data: Any, files: Any, name: str) -> list[UploadedFile[Any]]:
        """Returns every file that was sent."""
        return list(files.getlist(name)) if hasattr(files, "getlist") else []


def _own_classes(attrs: Any) -> dict[str, Any]:
    """Returns the attributes of a whole field without its class: each of its controls has its own."""
    return {name: value for name, value in (attrs or {}).items() if name != "class"}


def two_of(local: datetime, zone: ZoneInfo) -> Choices:
    """Returns the two instants that a local time may mean, where the clocks go back, each as offset and words.

    Example:
        >>> zone = ZoneInfo("America/New_York")
        >>> two_of(datetime(2023, 11, 5, 1, 30), zone)
        [('-04:00', 'The first, 1:30 EDT'), ('-05:00', 'The second, 1:30 EST')]
        >>> two_of(datetime(2023, 11, 5, 2, 0), zone)
        []
    """
    earlier, later = local.replace(tzinfo=zone, fold=0), local.replace(tzinfo=zone, fold=1)
    before, after = earlier.utcoffset(), later.utcoffset()
    if before is None or after is None or before <= after:
        return []
    said = f"{local.hour}:{local.minute:02}"
    return [
        (earlier.isoformat()[-6:], f"The first, {said} {earlier.tzname()}"),
        (later.isoformat()[-6:], f"The second, {said} {later.tzname()}"),
    ]


def field_for(fact: Fact, *, zone: ZoneInfo, things: Choices | None = None, is_correction: bool = False) -> forms.Field:
    """Returns the form field of a fact or datum.

    Args:
        fact: what the vocabulary says of it.
        zone: of the town.
        things: those it may point at, or words that it takes, where they are few enough to choose from; else one is typed.
        is_correction: what was said can be left out again.
    """
    kind, label = fact.type, label_of(fact)
    given: dict[str, Any] = {"label": label, "help_text": _help(fact), "required": fact.required}
    unknown = () if fact.required else ((UNKNOWN, NOT_KNOWN),)
    out = (("", LEFT_OUT),) if is_correction and not fact.required else ()
    match kind.kind:
        case "bool":
            return ChoiceAnswer(
                choices=[*out, ("true", "Yes"), ("false", "No"), *unknown], widget=forms.RadioSelect, **given
            )
        case "choice":
            words = [(word, title(word)) for word in kind.words]
            if len(words) <= MOST_RADIOS:
                return ChoiceAnswer(choices=[*out, *words, *unknown], widget=forms.RadioSelect, **given)
            return ChoiceAnswer(choices=[("", "Choose"), *words, *unknown], widget=forms.Select, **given)
        case "ref" | "text" if things is not None:
            return ChoiceAnswer(choices=[("", "Choose"), *things, *unknown], widget=forms.Select, **given)
        case "date" | "instant" | "moment":
            precision = {"date": "day", "instant": "instant"}.get(kind.kind, "either")
            widget = MomentWidget(label, zone, has_time=kind.kind != "date", has_unknown=not fact.required)
            return MomentAnswer(widget=widget, precision=precision, **given)
        case "file":
            return FilesAnswer(is_many=False, **given)
        case "list" if kind.item is not None:
            return _list_field(kind.item, unknown, given)
        case "geometry":
            given["help_text"] = f"{given['help_text']}. Latitude and longitude, such as 35.9451, -78.1034".lstrip(". ")
            return _plain(PlaceAnswer, forms.TextInput(), "", fact, given)
        case "number" | "money":
            unit = "$" if kind.kind == "money" else unit_words(kind.unit)
            return _plain(Answer, forms.TextInput({"inputmode": "decimal"}), unit, fact, given)
    return _plain(Answer, forms.TextInput(), "", fact, given)


def _plain(field: type[Answer], control: forms.Widget, unit: str, fact: Fact, given: dict[str, Any]) -> forms.Field:
    if fact.required:
        made = field(widget=control, **given)
        made.unit = unit
        return made
    return field(widget=AnswerWidget(control, label_of(fact), unit), **given)


def _list_field(item: Type, unknown: Choices, given: dict[str, Any]) -> forms.Field:
    match item.kind:
        case "choice":
            choices = [*((word, title(word)) for word in item.words), *unknown]
            return ChoicesAnswer(choices=choices, widget=forms.CheckboxSelectMultiple, **given)
        case "record":
            return RecordsAnswer(widget=RecordsWidget(item.fields, given["label"]), **given)
        case "file":
            return FilesAnswer(is_many=True, **given)
    given["help_text"] = f"{given['help_text']}. One a line".lstrip(". ")
    return ListAnswer(widget=AnswerWidget(forms.Textarea({"rows": 3}), given["label"]), **given)


def _help(fact: Fact) -> str:
    said = "" if fact.means == fact.label else fact.means
    return f"{said}. Private: only the town's own people see it" if fact.private and said else said


def shown_value(fact: Fact, value: Any) -> Any:
    """Returns what a form shows of a value in the form of the log."""
    if value is None:
        return [UNKNOWN] if fact.type.item is not None and fact.type.item.kind == "choice" else UNKNOWN
    match fact.type.kind:
        case "bool":
            return "true" if value in (True, "true") else "false"
        case "list" if fact.type.item is not None and fact.type.item.kind not in ("choice", "record", "file"):
            return "\n".join(str(one) for one in value)
        case "geometry":
            point = value.get("type") == "Point"
            return f"{value['coordinates'][1]}, {value['coordinates'][0]}" if point else json.dumps(value)
    return value
