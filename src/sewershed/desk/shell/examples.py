"""Examples of the components, from the plain values of `examples.toml`; nothing here asks the record.

Each example is a template of `templates/shell/examples`. It is shown in a town that is not there, at that town's own time.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, fields, is_dataclass
from datetime import UTC, datetime
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any, get_args, get_type_hints
from zoneinfo import ZoneInfo

from django import forms
from django.http import HttpRequest
from django.urls import reverse

from sewershed.desk.shell import marks, parts, tables
from sewershed.desk.shell.looking import Looking
from sewershed.desk.shell.parts import Link
from sewershed.desk.shell.places import Place

ZONE = ZoneInfo("America/New_York")
NOW = datetime(2023, 10, 17, 15, 20, tzinfo=UTC)
THEN = datetime(2023, 7, 1, 3, 59, tzinfo=UTC)
NOWHERE = "#main"  # where the links of an example lead
TEMPLATES = Path(__file__).parent / "templates"
_LED_SOMEWHERE = ("url", "why_url", "doubts_url")
_KINDS: Mapping[str, type] = {
    "of_one_spill": parts.Line, "due_back": parts.Line, "overdue": parts.Line, "soon": parts.Line, "decide": parts.Line,
    "unknown": parts.Line, "groups": parts.Group, "groups_back": parts.Group, "counts": parts.Count,
    "by_program": parts.Choice, "running": parts.Running, "run_out": parts.Running, "offices": parts.Reading,
    "systems": parts.Reading, "to_tell": parts.Known, "facts": parts.Known, "timeline": parts.Happening,
    "workings": parts.Working, "recovered": parts.Working, "papers": parts.Paper, "picks": parts.Pick,
    "columns": parts.Across, "rows": parts.Across, "dates": parts.Across, "report": parts.Across, "looked": parts.Looked,
    "works": parts.Work, "why": parts.Why, "untold": parts.Why, "act": Link, "reason": Link,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Example:
    """An example: a component with its variants, or a whole page made of several."""

    name: str
    title: str
    about: str
    uses: tuple[str, ...] = ()
    is_page: bool = False

    @property
    def template(self) -> str:
        """Returns its template."""
        return f"shell/examples/{self.name}.html"

    @property
    def source(self) -> str:
        """Returns how it was written."""
        return (TEMPLATES / self.template).read_text("utf-8").strip()


@cache
def examples() -> Mapping[str, Example]:
    """Returns the examples, by name."""
    return {said["name"]: Example(**{**said, "uses": tuple(said.get("uses", ()))}) for said in _said()["example"]}


def shown(example: Example, request: HttpRequest) -> Mapping[str, Any]:
    """Returns everything that an example's template shows."""
    made = _MADE.get(example.name)
    named = {name: value(name) for name in example.uses}
    return {**around(), **named, **(made(request) if made else {})}


def around() -> Mapping[str, Any]:
    """Returns what stands around an example: the bar of the town that is not there, at its own time."""
    places = ("Today", "Spills", "Programs", "Map", "Rulebook", "Documents")
    return {
        "desk": {
            "town": "Ashby",
            "who": "Town clerk",
            "is_example": True,
            "clock": "Eastern",
            "supplement": "Rulebook of Oct 17, 2023, fourth issue",
            "places": [Place(text, NOWHERE, text == "Today") for text in places],
            "find_url": NOWHERE,
            "call_url": NOWHERE,
            "marks": marks.MARKS.values(),
        },
        "looking": Looking(NOW, ZONE),
        "crumb": [Link("Components", reverse("components"))],
        "url": NOWHERE,
    }


@cache
def value(name: str) -> Any:
    """Returns a value of the examples, by its name."""
    said, kind = _said()["values"][name], _KINDS.get(name)
    if kind is None:
        return said
    return [_made(kind, one) for one in said] if isinstance(said, list) else _made(kind, said)


@cache
def _said() -> Mapping[str, Any]:
    return tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))


def _made(kind: Any, said: Mapping[str, Any]) -> Any:
    """Returns a part made of what the file says; what leads somewhere leads to the top of the page."""
    hints, filled = get_type_hints(kind), dict(said)
    for field in fields(kind):
        if field.name in _LED_SOMEWHERE and (field.default is MISSING or kind is parts.Line):
            filled.setdefault(field.name, NOWHERE)
    return kind(**{name: _converted(hints[name], one) for name, one in filled.items()})


def _converted(hint: Any, said: Any) -> Any:
    inner = [one for one in (hint, *get_args(hint)) if is_dataclass(one)]
    if isinstance(said, str) and parts.Line in inner:
        return value(said)  # the lines of a group stand under a name of their own
    if isinstance(said, list):
        return [_made(inner[0], one) for one in said]
    if isinstance(said, dict):
        return _made(inner[0], said)
    return Decimal(said) if Decimal in get_args(hint) else said


# ------------------------------------------------------------------------------------------------ what is made in Python


@dataclass(frozen=True, slots=True)
class Pipe:
    """A line of the example's register."""

    pipe: str
    kind: str
    street: str
    begins: str
    ends: str
    size_in: int
    length_ft: int
    material: str
    laid: str  # a year, or nothing
    state: str


class Pipes(tables.Register):
    """The example's register."""

    title = "Pipes"
    counts = ("pipe", "pipes")
    pipe = tables.FactColumn(linkify=lambda: NOWHERE)
    kind = tables.FactColumn()
    street = tables.FactColumn()
    begins = tables.FactColumn(verbose_name="From")
    ends = tables.FactColumn(verbose_name="To")
    size_in = tables.number(verbose_name="Size, in")
    length_ft = tables.number(verbose_name="Length, ft")
    material = tables.FactColumn()
    laid = tables.number()
    state = tables.StateColumn(verbose_name="Cleaning")


class Narrow(forms.Form):
    """What the example's register can be narrowed by."""

    text = forms.CharField(label="Pipe, street or manhole", required=False)
    material = forms.ChoiceField(
        required=False, choices=[("", "Any"), *((one, one) for one in ("Vitrified clay", "PVC", "Cast iron"))]
    )
    state = forms.ChoiceField(
        label="Cleaning", required=False, choices=[("", "Any"), *((one, one) for one in ("Overdue", "Due soon", "Met"))]
    )


_STREETS = ("Branch Street", "Second Street", "Walnut Street", "Hickory Street", "Hillside Road")
_MATERIALS = ("Vitrified clay", "", "PVC", "Vitrified clay", "Cast iron")
_YEARS = ("", "1958", "1972", "1987", "", "1996")
_STATES = ("Overdue", "Met", "Due soon", "Waiting", "Met")
PIPES = [
    Pipe(
        pipe=f"P-{number:03}",
        kind="Force main" if number % 29 == 0 else "Gravity",
        street=_STREETS[number % 5],
        begins=f"MH-{number:03}",
        ends=f"MH-{number + 1:03}",
        size_in=(8, 8, 6, 8, 10)[number % 5],
        length_ft=290 + number * 37 % 240,
        material=_MATERIALS[number * 3 % 5],
        laid=_YEARS[number % 6],
        state=_STATES[number * 7 % 5],
    )
    for number in range(1, 162)
]


class Call(forms.Form):
    """A call as it is taken at the counter."""

    SEEN = (
        "Manhole overflowing",
        "Sewage on the street or in a yard",
        "Sewage in a ditch or creek",
        "Backing up indoors",
        "Station alarm",
        "Smell only",
    )
    SAID = (("y", "Yes"), ("n", "No"), ("u", "Did not say"))

    where = forms.CharField(
        label="Where is it?", help_text="Street and number, a crossing, a station, or in the caller's words"
    )
    sees = forms.ChoiceField(label="What do they see?", widget=forms.RadioSelect, choices=list(enumerate(SEEN)))
    running = forms.ChoiceField(label="Is it still running?", widget=forms.RadioSelect, choices=SAID)
    water = forms.ChoiceField(label="Has it reached water or a storm drain?", widget=forms.RadioSelect, choices=SAID)
    seen = forms.CharField(label="When did they first notice?", required=False)
    received = forms.CharField(label="Call received", help_text="Filled in for you. The two hours run from here")
    name = forms.CharField(label="Caller's name", required=False)
    telephone = forms.CharField(
        label="Number to call back", required=False, widget=forms.TextInput(attrs={"type": "tel"})
    )
    notes = forms.CharField(
        label="In the caller's words, and anything that helps the crew find it",
        required=False,
        widget=forms.Textarea(attrs={"rows": 2}),
    )


class Fields(forms.Form):
    """One field of each kind."""

    CAUSES = (("", "Choose"), ("g", "Grease"), ("r", "Roots"), ("p", "Power failure"))
    PEOPLE = (("c", "Crew leader"), ("o", "Operator (ORC)"), ("s", "Somebody of the state"))

    place = forms.CharField(label="Place", help_text="As the town calls it")
    gallons = forms.DecimalField(label="Spilled", min_value=0, help_text="Estimated is fine: say how beside it")
    day = forms.DateField(label="Day", widget=forms.DateInput(attrs={"type": "date"}))
    at = forms.SplitDateTimeField(
        label="Stopped",
        widget=forms.SplitDateTimeWidget(
            date_attrs={"type": "date", "aria-label": "Day"}, time_attrs={"type": "time", "aria-label": "Time"}
        ),
    )
    cause = forms.ChoiceField(label="Cause", choices=CAUSES)
    water = forms.ChoiceField(
        label="Did it reach water?",
        widget=forms.RadioSelect,
        choices=[("y", "Yes"), ("n", "No"), ("u", "Not known")],
        help_text="Not known is an answer: the clock then reads report if in doubt",
    )
    seen_by = forms.MultipleChoiceField(label="Who was there?", widget=forms.CheckboxSelectMultiple, choices=PEOPLE)
    photographs = forms.FileField(label="Photographs", required=False, help_text="JPEG or PNG, up to 20 MB each")
    notes = forms.CharField(label="Notes", required=False, widget=forms.Textarea(attrs={"rows": 2}))
    is_sure = forms.BooleanField(label="The caller was called back", required=False)


TYPED = {
    "where": "Walnut Street, behind the feed store",
    "sees": "2",
    "running": "y",
    "water": "u",
    "seen": "about 11 this morning",
    "received": "Oct 17, 2023, 11:20 am",
    "name": "Resident, Walnut Street",
    "telephone": "252-555-0183",
    "notes": "Gray water coming up by the fence, strong smell. Gate is open, dog in the yard.",
}
WRONG = {"gallons": "-5", "day": "2023-10-16", "at_0": "2023-10-16", "at_1": ""}


def _pipes(request: HttpRequest) -> Mapping[str, Any]:
    form = Narrow(request.GET or None)
    said = form.cleaned_data if form.is_valid() else {"text": "", "material": "", "state": ""}
    rows = [
        one
        for one in PIPES
        if said["text"].lower() in f"{one.pipe} {one.street} {one.begins} {one.ends}".lower()
        and said["material"] in ("", one.material)
        and said["state"] in ("", one.state)
    ]
    return {
        "table": tables.narrowed(request, Pipes, rows),
        "form": form,
        "is_narrowed": any(said.values()),
        "nothing": tables.narrowed(request, Pipes, []),
        **tables.links(request),
    }


def _looking(request: HttpRequest) -> Mapping[str, Any]:
    return {
        "then": Looking(NOW, ZONE, THEN),
        "known_then": Looking(NOW, ZONE, THEN, is_as_known_then=True),
        "skipped": Looking(NOW, ZONE, problem="2023-03-12 02:30 does not exist: the clocks went forward over it."),
    }


_MADE: Mapping[str, Callable[[HttpRequest], Mapping[str, Any]]] = {
    "register": _pipes,
    "fields": lambda _: {"form": Fields(), "wrong": Fields(WRONG, auto_id="wrong_%s")},
    "as-of": _looking,
    "page-call": lambda _: {"form": Call(TYPED)},
    "page-looking-back": lambda _: {"looking": Looking(NOW, ZONE, THEN)},
}
