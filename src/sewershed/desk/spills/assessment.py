"""What is known of the volume and the course of a spill: which estimate was chosen, how much reached water, what was taken up again."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from django import forms

from sewershed.desk.spills import volume
from sewershed.desk.spills.history import History
from sewershed.desk.things.answers import NOT_ASKED, UNKNOWN, MomentAnswer, MomentWidget, field_for, shown_value
from sewershed.desk.things.forms import AT, BY, ID, OFFICE, Entry
from sewershed.ledger import actions, canonical, clock, law
from sewershed.ledger.entry import Recorded
from sewershed.ledger.models import Account
from sewershed.ledger.shown import Named
from sewershed.programs.spills.choice import split
from sewershed.rules.figures import CannotEstimateError
from sewershed.rules.types import Number

ASSESSED, CHOSEN, RECOVERED = "spill_assessed", "volume_chosen", "volume_recovered"
ESTIMATE, BECAUSE = "estimate", "chosen_because"
GROUND, WATER, REACHED = "ground_gal", "surface_water_gal", "reached_water"
NONE = "none"
TAKEN, INTO, TAKEN_BECAUSE = "recovered_gal", "recovered_into", "recovered_because"


class AssessForm(Entry):
    """Which estimate holds, how much of it reached surface water, and what else is known of its course."""

    def __init__(self, account: Account, named: Named, history: History, *args: Any, **given: Any) -> None:
        vocabulary = law.in_force().vocabulary
        event = vocabulary.events[ASSESSED]
        last = history.last(ASSESSED)
        initial = {name: shown_value(event.data[name], value) for name, value in (last.data if last else {}).items() if name in event.data}  # fmt: skip
        super().__init__(account, named, *args, initial=initial, **given)
        self.history, self.owner = history, ASSESSED
        self.estimates = volume.choices_of(history)
        chosen, recovered = volume.chosen_of(history), history.last(RECOVERED)
        self.before = str(chosen.data.get("estimate", "")) if chosen else ""
        if self.estimates:
            self.fields[ESTIMATE] = forms.ChoiceField(
                label="Which estimate holds", choices=[*self.estimates, (NONE, "None of them yet")], widget=forms.RadioSelect,
                required=False, initial=self.before or None,
            )  # fmt: skip
            self.fields[BECAUSE] = forms.CharField(
                label="Why this one", required=False, initial=chosen.data.get("because", "") if chosen else "",
                help_text="For whoever asks later. It stands in the report",
            )  # fmt: skip
        known = {name: fact for name, fact in event.data.items() if name != GROUND and not fact.retired}
        self.add_known(ASSESSED, known)
        for name, fact in known.items():  # what a person of the law judges is asked here, in that person's name
            if fact.judged_by and name not in self.fields:
                self.fields[name] = field_for(fact, zone=self.zone)
                self.fields[name].help_text = f"{fact.means}. The {history.words.office(fact.judged_by)} judges"
        self.known = {name: fact for name, fact in known.items() if name in self.fields}
        recovery = vocabulary.events[RECOVERED].data
        for name, key in ((TAKEN, TAKEN), ("into", INTO), ("because", TAKEN_BECAUSE)):
            fact = recovery[name]
            said = recovered.data.get(name) if recovered else None
            self.fields[key] = volume.NumberField("Taken up again, in all", "gallons", required=False) if name == TAKEN else forms.CharField(label=fact.means, required=False)  # fmt: skip
            self.fields[key].initial = said or ""
        self.taken_before = str(recovered.data.get(TAKEN, "")) if recovered else ""
        self.fields[AT] = MomentAnswer(
            label="When", precision=event.precision, widget=MomentWidget("When", self.zone),
            initial=canonical.instant_text(clock.now().replace(second=0)),
        )  # fmt: skip
        self.add_who()

    @property
    def choice_fields(self) -> list[Any]:
        """Returns the fields of the choice."""
        return [self[name] for name in (ESTIMATE, BECAUSE) if name in self.fields]

    @property
    def water_fields(self) -> list[Any]:
        """Returns the fields of what reached water."""
        return [self[name] for name in (REACHED, WATER, "water_name") if name in self.fields]

    @property
    def course_fields(self) -> list[Any]:
        """Returns the fields of its course."""
        return [self[name] for name in self.known if name not in (REACHED, WATER, "water_name")]

    @property
    def recovery_fields(self) -> list[Any]:
        """Returns the fields of what was taken up again."""
        return [self[name] for name in (TAKEN, INTO, TAKEN_BECAUSE)]

    def total(self) -> Number | None:
        """Returns the volume of the estimate that was chosen, or None."""
        root = self.cleaned_data.get(ESTIMATE) or ""
        row = next((one for one in volume.estimates_of(self.history) if one.root == root), None)
        return Decimal(str(row.data["result_gal"])) if row else None

    def clean(self) -> dict[str, Any]:
        """Refuses figures that contradict each other, and a choice without its reason.

        Edge: all of it may reach water; as much as was spilled may be taken up again without a reason.
        """
        said = super().clean()
        if said.get(ESTIMATE) not in (None, "", NONE) and not said.get(BECAUSE, "").strip():
            self.add_error(BECAUSE, "Say why: somebody will ask.")
        water = _figure(said.get(WATER))
        if said.get(REACHED) == "false" and water:
            self.add_error(WATER, "It did not reach surface water, and yet gallons that reached it are given.")
        try:
            split(
                total_gal=self.total(), surface_water_gal=0 if said.get(REACHED) == "false" else water,
                recovered_gal=said.get(TAKEN), recovered_because=said.get(TAKEN_BECAUSE) or "",
            )  # fmt: skip
        except CannotEstimateError as error:
            text = str(error)
            name = TAKEN_BECAUSE if "recovered is more" in text else WATER if "surface water" in text else TAKEN
            self.add_error(name, f"{text[:1].upper()}{text[1:]}.")
        return said

    def ground(self) -> str | None:
        """Returns what did not reach surface water, as the record takes it; None where that is not known."""
        total, said = self.total(), self.cleaned_data
        water = Decimal(0) if said.get(REACHED) == "false" else _figure(said.get(WATER))
        if total is None or water is None:
            return None
        return volume.recorded_number(Decimal(total) - Decimal(water))  # type: ignore[arg-type]


def _figure(value: Any) -> Number | None:
    if value in (None, "", NOT_ASKED, UNKNOWN):
        return None
    try:
        return Decimal(str(value).replace(",", ""))
    except ArithmeticError:
        return None


def assess(form: AssessForm, account: Account) -> Recorded:
    """Records the choice of an estimate where it is a new one, what was taken up again where that changed, and the assessment.

    Raises:
        Refused: with every reason.
        NotAllowed: for the account.
    """
    said, thing = form.cleaned_data, form.named
    assert thing is not None
    row = said[ID]
    columns = {"at": said[AT], "performed_by": said[BY], "office": said[OFFICE], "as_account": account}
    with actions.together():
        if said.get(ESTIMATE) not in (None, "", NONE, form.before):
            data = {"estimate": said[ESTIMATE], "because": said[BECAUSE]}
            actions.record(CHOSEN, thing.id, data=data, id=f"{row}-1" if row else "", **columns)
        if said.get(TAKEN) is not None and volume.recorded_number(said[TAKEN]) != form.taken_before:
            taken = {
                TAKEN: volume.recorded_number(said[TAKEN]),
                "into": said.get(INTO),
                "because": said.get(TAKEN_BECAUSE),
            }
            actions.record(RECOVERED, thing.id, data={name: one for name, one in taken.items() if one}, id=f"{row}-2" if row else "", **columns)  # fmt: skip
        answers = form.answers()
        if said.get(REACHED) == "false" and not isinstance(answers.get(WATER), str):
            answers[WATER] = "0"
        if (ground := form.ground()) is not None:
            answers[GROUND] = ground
        return actions.record(ASSESSED, thing.id, data=answers, id=row, **columns)
