"""How much was spilled: the estimates side by side, the one that a person chose, and a form for each method of the program.

The program works out; here its questions are asked. Nothing is chosen by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import Any, ClassVar

from django import forms
from django.core.exceptions import ValidationError
from django.forms.boundfield import BoundField
from django.urls import reverse

from sewershed.desk.shell.parts import Paper, Working
from sewershed.desk.spills.history import History
from sewershed.desk.things.answers import NOT_ASKED, MomentAnswer, MomentWidget
from sewershed.ledger import canonical
from sewershed.ledger.moments import moment_of
from sewershed.ledger.shown import Named, RowShown
from sewershed.ledger.wording import title
from sewershed.programs.spills.duration import Ran
from sewershed.programs.spills.volume import (
    CONTAINERS_GAL,
    METHODS,
    NAMES,
    SOURCES,
    STAIN_DEPTH_FT,
    Estimate,
    FullPipe,
    Pond,
    Shape,
    Who,
)
from sewershed.rules.figures import CannotEstimateError, plain
from sewershed.rules.types import Number

TO_WATER = "to_water"
OTHER = "other"
TAKEN = ("taken_at", "point", "taken_says")
SHAPES = (("rectangle", "Rectangle: length, width"), ("circle", "Circle: radius"), ("triangle", "Triangle: base, height"))  # fmt: skip
AFTER = ("start_how", "stop_how", "absorbed_gal", "absorbed_how")  # fields about all of several groups
MOST_AREAS = 3
MOST_PERIODS = 3
MOST_PUMPS = 3
USED_FOR: Mapping[str, str] = {
    "eyeball": "Less than 200 gallons, seen as so many buckets or barrels",
    "area_depth": "A pond or a ditch that can be measured",
    "wet_stain": "A wet film left on concrete or asphalt",
    "rate_duration": "A rate that somebody knows or measured, and the time",
    "photo_comparison": "A rate read off a chart of photographs, and the time",
    "orifice": "Water standing above the pick holes of a manhole cover",
    "cover_plume": "Water rising around a cover that lies in its ring",
    "upstream_laterals": "All that the connections upstream sent in the time",
    "metered": "What flowed in less what flowed out, by meters",
    "pump_run_time": "What pumps moved in the time they ran",
    "pipe_break": "A break or an opening under a head of water",
    "full_pipe": "At most what the pipe carries flowing full",
    OTHER: "Worked out in another way: the figure and the working are yours",
}


# ------------------------------------------------------------------------------------------------ what is on record


def estimates_of(history: History) -> list[RowShown]:
    """Returns the estimates on record, as they came."""
    return list(history.all("volume_estimated"))


def chosen_of(history: History) -> RowShown | None:
    """Returns the choice that holds, or None."""
    return history.last("volume_chosen")


def name_of(row: RowShown, history: History) -> str:
    """Returns the method of an estimate, in words."""
    method = str(row.data.get("method", ""))
    return NAMES.get(method, title(method))


def workings(
    rows: Sequence[RowShown], chosen: RowShown | None, history: History, attached: Sequence[Mapping[str, str]]
) -> Iterator[Working]:
    """Yields the estimates side by side, the chosen one marked, each with the photographs it rests on.

    Args:
        rows: the estimates.
        chosen: the choice among them, if there is one.
        history: of the spill.
        attached: the files kept with the spill.
    """
    picked = chosen.data.get("estimate") if chosen else None
    kept = {one["file"]: one for one in attached if "file" in one}
    for row in rows:
        to_water = row.data.get("what") == TO_WATER
        measured = "; ".join(_measured(one, history) for one in row.data.get("inputs") or ())
        by = history.words.name(row.performed_by) if row.performed_by else row.recorded_by
        bounds = _bounds(row)
        method = name_of(row, history)
        yield Working(
            f"{method}, to surface water" if to_water else method, ". ".join(filter(None, (measured, f"{by}, {history.when(row)}"))),
            " ".join(filter(None, (str(row.data.get("working") or "").replace("\n", " "), bounds))),
            figures_of(str(row.data.get("result_gal", ""))), picked == row.root,
            tuple(_evidence(kept[one], history) for one in row.data.get("files") or () if one in kept),
        )  # fmt: skip


def _evidence(attached: Mapping[str, str], history: History) -> Paper:
    """Returns a photograph that an estimate rests on, with when and where it was taken and who says so."""
    known = history.words.vocabulary.things["attachment"].facts
    said = {name: history.words.value(attached[name], known[name].type) for name in TAKEN if name in attached}
    says = f", as the {said['taken_says'].lower()} says" if "taken_says" in said else ""
    taken = ", ".join(filter(None, (said.get("taken_at"), said.get("point"))))
    return Paper(
        attached.get("name") or "Photograph", reverse("file", args=[attached["id"]]),
        f"Taken {taken}{says}" if taken else "When and where it was taken is not known",
    )  # fmt: skip


def _measured(one: Mapping[str, Any], history: History) -> str:
    return " ".join(str(one[key]) for key in ("name", "value", "unit") if one.get(key))


def _bounds(row: RowShown) -> str:
    low, high = row.data.get("low_gal"), row.data.get("high_gal")
    if low and high:
        return f"Between {figures_of(str(low))} and {figures_of(str(high))} gallons."
    return f"At most {figures_of(str(high))} gallons." if high else f"At least {figures_of(str(low))} gallons." if low else ""  # fmt: skip


def chosen_note(chosen: RowShown | None, history: History) -> str:
    """Returns who chose, when and why; nothing where nobody did."""
    if chosen is None:
        return ""
    by = history.words.name(chosen.performed_by) if chosen.performed_by else chosen.recorded_by
    because = str(chosen.data.get("because") or "").rstrip(".")
    return f"Chosen by {by}, {history.when(chosen)}{f': {because}' if because else ''}."


def choices_of(history: History) -> list[tuple[str, str]]:
    """Returns the estimates of all that was spilled, to choose from."""
    return [
        (row.root, f"{name_of(row, history)}: {figures_of(str(row.data.get('result_gal', '')))} gallons")
        for row in estimates_of(history)
        if row.data.get("what") != TO_WATER
    ]


def figures_of(text: str) -> str:
    """Returns a figure of the record with commas between its thousands.

    Example:
        >>> figures_of("2375"), figures_of("1402.50"), figures_of("?")
        ('2,375', '1,402.50', '?')
    """
    try:
        return f"{Decimal(text):,f}"
    except InvalidOperation:
        return text


def recorded_gal(value: Fraction) -> str:
    """Returns a figure as the record takes it: to a tenth of a gallon, never rounded onto a whole number that it is not.

    Edge: as `plain`.

    Refuses: nothing.

    Example:
        >>> recorded_gal(Fraction("2375")), recorded_gal(Fraction("187") / 3), recorded_gal(Fraction("1000.04"))
        ('2375', '62.3', '1000.04')
    """
    return plain(value, 1).removeprefix("about ").replace(",", "")


# ------------------------------------------------------------------------------------------------ the questions of a method


class NumberField(forms.Field):
    """A number as measured: 12, 0.5 or 1/4. Exact, never a float."""

    def __init__(self, label: str, unit: str = "", *, required: bool = True, help_text: str = "") -> None:
        widget = forms.TextInput({"inputmode": "decimal", "autocomplete": "off"})
        super().__init__(label=label, required=required, help_text=help_text, widget=widget)
        self.unit = unit

    def to_python(self, value: Any) -> Number | None:
        """Returns the number.

        Refuses: what is none.
        """
        text = str(value or "").strip().replace(",", "")
        return _number(text) if text else None


class NumbersField(forms.CharField):
    """Several numbers with commas between them."""

    unit = "in"

    def to_python(self, value: Any) -> Any:
        """Returns the numbers.

        Refuses: what is none.
        """
        return tuple(_number(one.strip()) for one in str(value or "").split(",") if one.strip())


def _number(text: str) -> Number:
    try:
        found: Number = Fraction(text) if "/" in text else Decimal(text)
    except (InvalidOperation, ValueError, ZeroDivisionError):
        raise ValidationError("Write a number, such as 12, 0.5 or 1/4.") from None
    if isinstance(found, Decimal) and not found.is_finite():
        raise ValidationError("Write a number, such as 12, 0.5 or 1/4.")
    return found


@dataclass(frozen=True, slots=True)
class Group:
    """Fields that belong together, one of several of their kind."""

    title: str
    fields: tuple[Any, ...]
    is_more: bool


class MethodForm(forms.Form):
    """The questions of one method, and what the program makes of the answers."""

    method: ClassVar[str] = ""
    runs: ClassVar[bool] = False  # it asks from when to when it ran
    groups: ClassVar[tuple[tuple[str, str, int], ...]] = ()  # (prefix, title, how many)

    def __init__(self, history: History, *args: Any, **given: Any) -> None:
        super().__init__(*args, **given)
        self.history = history
        self.zone = history.words.zone
        self.ask()
        if self.runs:
            self.add_run()
        self.fields["rain_gal"] = NumberField("Rain in what was measured, to take off", "gallons", required=False)
        self.fields["rain_how"] = forms.CharField(label="How the rain was known", required=False)

    def ask(self) -> None:
        """Adds the fields of the method."""

    def add_run(self, prefix: str = "", *, required: bool = True) -> None:
        """Adds from when to when it ran, as far as the record says it already."""
        is_first = prefix in ("", "1_")
        for name, label, known in (("start", "From", self.history.started), ("stop", "To", self.history.stopped)):
            initial = None
            if is_first and known is not None:
                initial = _text(known)
            self.fields[f"{prefix}{name}"] = MomentAnswer(
                label=label, precision="either", required=required, initial=initial, widget=MomentWidget(label, self.zone)
            )  # fmt: skip
        if is_first:
            started, stopped = self.history.last("start_estimated"), self.history.last("spill_stopped")
            for name, label, said in (
                ("start_how", "How the start is known", self.history.said(started, "how")),
                ("stop_how", "How the stop is known", self.history.said(stopped, "how")),
            ):
                self.fields[name] = forms.CharField(label=label, required=required, initial=said)
            self.fields["dry"] = MomentAnswer(
                label="Last seen without overflow", precision="either", required=False,
                widget=MomentWidget("Last seen without overflow", self.zone),
            )  # fmt: skip

    def ran(self, prefix: str = "") -> Ran:
        """Returns from when to when it ran."""
        said = self.cleaned_data
        dry = said.get("dry") if prefix in ("", "1_") else None
        return Ran(
            moment_of(said[f"{prefix}start"], self.zone), moment_of(said[f"{prefix}stop"], self.zone), self.zone, said["start_how"],
            said["stop_how"], moment_of(dry, self.zone) if dry and dry is not NOT_ASKED else None,
        )  # fmt: skip

    def calculate(self, who: Who) -> Estimate:
        """Returns what the program makes of the answers."""
        raise NotImplementedError

    def estimate(self, by: str) -> Estimate | None:
        """Returns the estimate, or None where the program refuses; then the form says why."""
        said = self.cleaned_data
        try:
            return self.calculate(Who(by, said.get("rain_gal") or 0, said.get("rain_how") or ""))
        except CannotEstimateError as error:
            text = str(error)
            self.add_error(None, f"{text[:1].upper()}{text[1:]}")
            return None

    def measured(self) -> list[dict[str, str]]:
        """Returns the numbers that were given, as the record keeps them."""
        found = []
        for name, field in self.fields.items():
            value = self.cleaned_data.get(name)
            group = self.group_of(name)
            label = f"{group}{field.label}" if isinstance(field, NumberField | NumbersField) else ""
            if isinstance(field, NumberField) and value is not None and not (name == "rain_gal" and not value):
                found.append(_input(label, value, field.unit))
            elif isinstance(field, NumbersField):
                found += [_input(label, one, field.unit) for one in value or ()]
        return found

    def group_of(self, name: str) -> str:
        """Returns the group of a field, as its name in the record begins; nothing where there is only one."""
        for prefix, head, _ in self.groups:
            number = name.removeprefix(prefix).partition("_")[0]
            if name.startswith(prefix) and number.isdigit() and self.is_filled(prefix, 2):
                return f"{head} {number}: "
        return ""

    def is_filled(self, prefix: str, number: int) -> bool:
        """Tells whether anything was said of one of several groups."""
        names = [name for name in self.fields if name.startswith(f"{prefix}{number}_")]
        return any(
            self.cleaned_data.get(name) not in (None, "", (), NOT_ASKED) for name in names if not name.endswith("_kind")
        )

    def numbers_of(self, prefix: str, most: int) -> list[int]:
        """Returns which of several groups were filled in; the first in any case."""
        return [one for one in range(1, most + 1) if one == 1 or self.is_filled(prefix, one)]

    @property
    def plain_fields(self) -> list[Any]:
        """Returns the fields that stand by themselves."""
        late = ("rain_gal", "rain_how", "dry", *(AFTER if self.groups else ()))
        return [one for one in self if one.name not in late and not self._is_grouped(one.name)]

    @property
    def after_fields(self) -> list[Any]:
        """Returns the fields that are about all groups, and stand after them."""
        return [self[name] for name in AFTER if self.groups and name in self.fields]

    @property
    def late_fields(self) -> list[Any]:
        """Returns the fields that are seldom needed."""
        return [one for one in self if one.name in ("rain_gal", "rain_how", "dry")]

    @property
    def shown_groups(self) -> list[Group]:
        """Returns the groups of fields, those after the first folded away unless something stands in them."""
        found = []
        for prefix, head, most in self.groups:
            for number in range(1, most + 1):
                fields = tuple(self[name] for name in self.fields if name.startswith(f"{prefix}{number}_"))
                is_shown = number == 1 or any(_is_said(one) for one in fields)
                found.append(Group(f"{head} {number}", fields, not is_shown))
        return found

    def _is_grouped(self, name: str) -> bool:
        return any(name.startswith(f"{prefix}{n}_") for prefix, _, most in self.groups for n in range(1, most + 1))


def _is_said(field: BoundField) -> bool:
    """Tells whether anything was typed into a field, or is wrong with it."""
    typed = field.data if isinstance(field.data, list) else [field.data]
    is_choice = isinstance(field.field, forms.ChoiceField)  # one word of it is always chosen
    return bool(field.errors) or (not is_choice and any(typed))


def _input(name: str, value: Number, unit: str) -> dict[str, str]:
    number = recorded_number(value)
    return {"name": name, "value": number, **({"unit": unit} if unit else {})}


def recorded_number(value: Number) -> str:
    """Returns a measured number as decimal text; one third is written to four places.

    Example:
        >>> recorded_number(Fraction(1, 4)), recorded_number(Decimal("1.50"))
        ('0.25', '1.50')
    """
    if isinstance(value, Decimal):
        return f"{value:f}"
    return plain(value).removeprefix("about ").replace(",", "")


class Eyeball(MethodForm):
    """Counted in containers."""

    method = "eyeball"

    def ask(self) -> None:
        """Adds a count for each size of container."""
        for size in CONTAINERS_GAL:
            self.fields[f"of_{size}"] = NumberField(f"Containers of {size} gallon{'s' if size > 1 else ''}", required=False)  # fmt: skip

    def calculate(self, who: Who) -> Estimate:
        """Returns the count."""
        counts: dict[int, Any] = {size: self.cleaned_data.get(f"of_{size}") for size in CONTAINERS_GAL}
        return METHODS[self.method]({size: count for size, count in counts.items() if count}, who)


class AreaDepth(MethodForm):
    """Area times depth."""

    method = "area_depth"
    groups = (("area_", "Area", MOST_AREAS),)

    def ask(self) -> None:
        """Adds the lengths and depths of some areas."""
        for number in range(1, MOST_AREAS + 1):
            prefix = f"area_{number}_"
            self.fields[f"{prefix}kind"] = forms.ChoiceField(label="Shape", choices=SHAPES, initial="rectangle")
            self.fields[f"{prefix}kind"].required = number == 1
            self.fields[f"{prefix}a"] = NumberField("First length", "ft", required=number == 1)
            self.fields[f"{prefix}b"] = NumberField("Second length", "ft", required=False)
            self.fields[f"{prefix}depths"] = NumbersField(label="Depths", required=number == 1, help_text="In inches, commas between: 1.5, 1.25, 2")  # fmt: skip
        self.fields["absorbed_gal"] = NumberField("Soaked in besides", "gallons", required=False)
        self.fields["absorbed_how"] = forms.CharField(label="How that is known", required=False)

    def calculate(self, who: Who) -> Estimate:
        """Returns area times depth."""
        said = self.cleaned_data
        ponds = [Pond(self.shape(n), said[f"area_{n}_depths"]) for n in self.numbers_of("area_", MOST_AREAS)]
        return METHODS[self.method](ponds, who, absorbed_gal=said.get("absorbed_gal") or 0, absorbed_how=said.get("absorbed_how") or "")  # fmt: skip

    def shape(self, number: int) -> Shape:
        """Returns the figure of one area."""
        said = self.cleaned_data
        sides = [said.get(f"area_{number}_{side}") for side in ("a", "b")]
        kind: Any = said.get(f"area_{number}_kind") or "rectangle"
        return Shape(kind, tuple(one for one in sides if one is not None))


class WetStain(AreaDepth):
    """A wet film on pavement."""

    method = "wet_stain"

    def ask(self) -> None:
        """Adds the surface and the lengths of some areas."""
        self.fields["surface"] = forms.ChoiceField(
            label="Surface", choices=[(one, one.capitalize()) for one in STAIN_DEPTH_FT], widget=forms.RadioSelect
        )
        super().ask()
        for name in [name for name in self.fields if name.endswith("depths") or name.startswith("absorbed")]:
            del self.fields[name]

    def calculate(self, who: Who) -> Estimate:
        """Returns area times the depth of the film."""
        shapes = [self.shape(n) for n in self.numbers_of("area_", MOST_AREAS)]
        return METHODS[self.method](shapes, self.cleaned_data["surface"], who)


class RateDuration(MethodForm):
    """Rate times time."""

    method = "rate_duration"
    groups = (("period_", "Period", MOST_PERIODS),)

    def ask(self) -> None:
        """Adds rate and time of some periods."""
        for number in range(1, MOST_PERIODS + 1):
            prefix = f"period_{number}_"
            self.fields[f"{prefix}rate"] = NumberField("Rate", "gal/min", required=number == 1)
            for name, label, known in (("start", "From", self.history.started), ("stop", "To", self.history.stopped)):
                self.fields[f"{prefix}{name}"] = MomentAnswer(
                    label=label, precision="either", required=number == 1, widget=MomentWidget(label, self.zone),
                    initial=_text(known) if number == 1 else None,
                )  # fmt: skip
        self.add_how()

    def add_how(self) -> None:
        """Adds how start and stop are known."""
        started, stopped = self.history.last("start_estimated"), self.history.last("spill_stopped")
        self.fields["start_how"] = forms.CharField(label="How the start is known", initial=self.history.said(started, "how"))  # fmt: skip
        self.fields["stop_how"] = forms.CharField(label="How the stop is known", initial=self.history.said(stopped, "how"))  # fmt: skip

    def periods(self) -> list[tuple[Number, Ran]]:
        """Returns rate and time of each period that was filled in."""
        said, found = self.cleaned_data, []
        for n in self.numbers_of("period_", MOST_PERIODS):
            rate, start, stop = (said.get(f"period_{n}_{one}") for one in ("rate", "start", "stop"))
            if rate is None or start in (None, NOT_ASKED) or stop in (None, NOT_ASKED):
                raise CannotEstimateError(f"period {n} lacks its rate, its beginning or its end; say all three")
            found.append((rate, Ran(moment_of(start, self.zone), moment_of(stop, self.zone), self.zone, said["start_how"], said["stop_how"])))  # fmt: skip
        return found

    def calculate(self, who: Who) -> Estimate:
        """Returns rate times time."""
        return METHODS[self.method](self.periods(), who)


class PhotoComparison(RateDuration):
    """A rate read off a chart, times the time."""

    method = "photo_comparison"

    def ask(self) -> None:
        """Adds the chart, who read it, rate and time."""
        self.fields["chart"] = forms.CharField(label="The chart", help_text="Its name: charts differ")
        self.fields["read_by"] = forms.CharField(label="Who read it")
        super().ask()
        self.fields["between_low"] = NumberField("Picture below the rate", "gal/min", required=False)
        self.fields["between_high"] = NumberField("Picture above the rate", "gal/min", required=False)

    def calculate(self, who: Who) -> Estimate:
        """Returns the rate read times the time."""
        said = self.cleaned_data
        low, high = said.get("between_low"), said.get("between_high")
        between = (low, high) if low is not None and high is not None else None
        return METHODS[self.method](said["chart"], said["read_by"], self.periods(), who, between_gpm=between)


class Orifice(MethodForm):
    """The pick holes of a cover."""

    method, runs = "orifice", True

    def ask(self) -> None:
        """Adds the holes and the height of the plume."""
        self.fields["hole_in"] = NumberField("Diameter of a hole", "in")
        self.fields["holes"] = NumberField("How many holes")
        self.fields["plume_in"] = NumberField("Height of the plume above the cover", "in")

    def calculate(self, who: Who) -> Estimate:
        """Returns the flow through the holes times the time."""
        said = self.cleaned_data
        return METHODS[self.method](said["hole_in"], _whole(said["holes"], "the number of holes"), said["plume_in"], self.ran(), who)  # fmt: skip


class CoverPlume(MethodForm):
    """Around a cover in its ring."""

    method, runs = "cover_plume", True

    def ask(self) -> None:
        """Adds the height of the plume."""
        self.fields["plume_in"] = NumberField("Height of the plume", "in", help_text="The table lists 1/4 in to 9 in")
        self.fields["interpolate"] = forms.BooleanField(label="Go in a straight line between two heights of the table", required=False)  # fmt: skip

    def calculate(self, who: Who) -> Estimate:
        """Returns the flow of the table times the time."""
        said = self.cleaned_data
        return METHODS[self.method](said["plume_in"], self.ran(), who, interpolate=said["interpolate"])


class UpstreamLaterals(MethodForm):
    """What the connections upstream send."""

    method, runs = "upstream_laterals", True

    def ask(self) -> None:
        """Adds the connections and what each sends."""
        self.fields["connections"] = NumberField("Connections upstream")
        self.fields["gpd_each"] = NumberField("Each sends", "gal/day")

    def calculate(self, who: Who) -> Estimate:
        """Returns what they sent in the time."""
        said = self.cleaned_data
        count = _whole(said["connections"], "the number of connections")
        return METHODS[self.method](count, said["gpd_each"], self.ran(), who)


class Metered(MethodForm):
    """Inflow less outflow."""

    method = "metered"

    def ask(self) -> None:
        """Adds the meters and their readings."""
        self.fields["meters"] = forms.CharField(label="Which meters")
        self.fields["inflow_gal"] = NumberField("Flowed in", "gallons")
        self.fields["outflow_gal"] = NumberField("Flowed out", "gallons")

    def calculate(self, who: Who) -> Estimate:
        """Returns inflow less outflow."""
        said = self.cleaned_data
        return METHODS[self.method](said["inflow_gal"], said["outflow_gal"], said["meters"], who)


class PumpRunTime(MethodForm):
    """Run time times capacity."""

    method = "pump_run_time"
    groups = (("pump_", "Pump", MOST_PUMPS),)

    def ask(self) -> None:
        """Adds run time and capacity of some pumps."""
        for n in range(1, MOST_PUMPS + 1):
            self.fields[f"pump_{n}_name"] = forms.CharField(label="Which pump", required=n == 1)
            self.fields[f"pump_{n}_minutes"] = NumberField("Ran", "min", required=n == 1)
            self.fields[f"pump_{n}_gpm"] = NumberField("Capacity", "gal/min", required=n == 1)

    def calculate(self, who: Who) -> Estimate:
        """Returns run time times capacity."""
        said = self.cleaned_data
        runs = [tuple(said.get(f"pump_{n}_{one}") or ("" if one == "name" else None) for one in ("name", "minutes", "gpm")) for n in self.numbers_of("pump_", MOST_PUMPS)]  # fmt: skip
        return METHODS[self.method](runs, who)


class PipeBreak(MethodForm):
    """A break under a head."""

    method, runs = "pipe_break", True

    def ask(self) -> None:
        """Adds the opening, its head, and the pipe that bounds it."""
        self.fields["opening_in2"] = NumberField("The opening", "square inches")
        self.fields["head_ft"] = NumberField("Head over it", "ft")
        self.add_pipe(required=False)

    def add_pipe(self, *, required: bool) -> None:
        """Adds what Manning's formula needs of a gravity pipe."""
        hint = "" if required else "Of a gravity pipe, which bounds it"
        self.fields["diameter_in"] = NumberField("Diameter of the pipe", "in", required=required, help_text=hint)
        self.fields["slope"] = NumberField("Slope of the pipe", "ft/ft", required=required)
        self.fields["n"] = NumberField("Manning's n", required=required)

    def pipe(self) -> FullPipe | None:
        """Returns the pipe, or None where it was not given."""
        given = [self.cleaned_data.get(one) for one in ("diameter_in", "slope", "n")]
        if all(one is None for one in given):
            return None
        if None in given:
            raise CannotEstimateError("of the pipe give diameter, slope and n, or none of them")
        return FullPipe(*given)  # type: ignore[arg-type]  # none is None

    def calculate(self, who: Who) -> Estimate:
        """Returns the flow through the opening times the time."""
        said = self.cleaned_data
        return METHODS[self.method](said["opening_in2"], said["head_ft"], self.ran(), who, pipe=self.pipe())


class FullPipeForm(PipeBreak):
    """A pipe flowing full."""

    method = "full_pipe"

    def ask(self) -> None:
        """Adds the pipe."""
        self.add_pipe(required=True)

    def calculate(self, who: Who) -> Estimate:
        """Returns what the pipe carries flowing full, times the time."""
        return METHODS[self.method](self.pipe(), self.ran(), who)


class OwnWorking(forms.Form):
    """A figure that somebody worked out in another way."""

    method: ClassVar[str] = OTHER

    def __init__(self, history: History, *args: Any, **given: Any) -> None:
        super().__init__(*args, **given)
        self.history = history
        self.fields["result_gal"] = NumberField("The volume", "gallons")
        self.fields["working"] = forms.CharField(
            label="The working, with its numbers", widget=forms.Textarea({"rows": 3})
        )
        self.fields["low_gal"] = NumberField("The least it may be", "gallons", required=False)
        self.fields["high_gal"] = NumberField("The most it may be", "gallons", required=False)
        self.plain_fields = list(self)
        self.after_fields: list[Any] = []
        self.late_fields: list[Any] = []
        self.shown_groups: list[Group] = []


def _whole(value: Number, what: str) -> int:
    if Fraction(value).denominator != 1:
        raise CannotEstimateError(f"{what} is {value}, which is no whole number; count them again")
    return int(value)


def _text(known: Any) -> str | None:
    if known is None:
        return None
    return canonical.instant_text(known) if hasattr(known, "hour") else str(known)


FORMS: Mapping[str, Callable[..., Any]] = {
    form.method: form
    for form in (
        RateDuration, AreaDepth, PhotoComparison, Eyeball, WetStain, Orifice, CoverPlume, UpstreamLaterals, Metered, PumpRunTime,
        PipeBreak, FullPipeForm, OwnWorking,
    )
}  # fmt: skip


def data_of(form: Any, estimate: Estimate | None, what: str) -> dict[str, Any]:
    """Returns an estimate as the record keeps it: method, what was measured, the working, the result and its bounds."""
    said = form.cleaned_data
    data: dict[str, Any] = {"method": form.method, "what": what}
    if estimate is None:
        figures = {name: said.get(name) for name in ("result_gal", "low_gal", "high_gal")}
        return data | {"working": said["working"]} | {name: recorded_number(one) for name, one in figures.items() if one is not None}  # fmt: skip
    texts = [f"{name}: {text}" for name, text in estimate.inputs if not _is_number(text)]
    data["inputs"] = form.measured()
    data["working"] = "\n".join([*texts, *estimate.steps])
    for name, value in (("result_gal", estimate.total_gal), ("low_gal", estimate.low_gal), ("high_gal", estimate.high_gal)):  # fmt: skip
        if value is not None:
            data[name] = recorded_gal(value)
    if chart := said.get("chart"):
        data["chart"] = chart
    return data


def _is_number(text: str) -> bool:
    """Tells whether an input is a figure with its unit, which the record keeps as a number."""
    return text.split(" ", maxsplit=1)[0].replace(",", "").replace(".", "").replace("/", "").isdigit()


def methods(thing: Named) -> list[tuple[str, str, str, str]]:
    """Returns each method with its name, what it is used for and where it is asked."""
    return [(name, title_of(name), USED_FOR[name], reverse("volume_by", args=[thing.id, name])) for name in FORMS]


def title_of(method: str) -> str:
    """Returns what a method is called."""
    return NAMES.get(method, "Another way")


def source_of(method: str) -> str:
    """Returns where the formula of a method comes from, and how sure that is."""
    source = SOURCES.get(method)
    return f"{source.text[:1].upper()}{source.text[1:]}; {source.said}" if source else ""
