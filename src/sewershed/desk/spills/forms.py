"""Forms of the journey from a call to the finding: the fields of the vocabulary, asked in the order in which they are said."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from django import forms

from sewershed.desk.spills import places
from sewershed.desk.things import queries as things
from sewershed.desk.things.answers import (
    NOT_ASKED,
    UNKNOWN,
    Answer,
    ChoiceAnswer,
    FilesAnswer,
    MomentAnswer,
    MomentWidget,
    PlaceAnswer,
)
from sewershed.desk.things.forms import AT, PICTURES, Entry, EventForm
from sewershed.ledger import canonical, clock, law, queries
from sewershed.ledger.errors import LedgerError
from sewershed.ledger.models import Account
from sewershed.ledger.shown import Named, RowShown
from sewershed.ledger.wording import label_of, title
from sewershed.rules.vocabulary import EventType

CALL, SPILL = "call", "spill"
WHERE, PICK, POINT, JOIN, ADVISED = "where", "pick", "point", "join", "advised"
BACKUP: Final = "backup_indoors"
ADVICE: Final = "Use no water in the house and keep out of what came up. Wait for the crew before you call a plumber."

# What is asked at the counter, and how: the rest of a call can be added later.
_ASKED: Mapping[str, str] = {
    "what": "What do they see?",
    "is_running": "Is it still running?",
    "is_in_water": "Has it reached water or a storm drain?",
    "noticed_at": "When did they first notice?",
    "noticed_is": "How sure is that?",
    "reporter": "Caller's name",
    "reporter_phone": "Number to call back",
    "description": "In the caller's words",
    "helps_to_find": "Anything that helps the crew find it",
    "channel": "How the report came",
}
_LONG = ("description", "helps_to_find")
_SAYS = (("true", "Yes"), ("false", "No"), (UNKNOWN, "Did not say"))


def now_text() -> str:
    """Returns the present minute as a form shows it."""
    return canonical.instant_text(clock.now().replace(second=0))


def happened_at(label: str, event: EventType, zone: Any, hint: str = "") -> MomentAnswer:
    """Returns the question when something happened: this minute, unless another is said."""
    return MomentAnswer(
        label=label, precision=event.precision, widget=MomentWidget(label, zone), initial=now_text, help_text=hint
    )


# ------------------------------------------------------------------------------------------------ the call


class CallForm(Entry):
    """A call at the counter: where, what they see, and what helps."""

    place: places.Place | None = None

    def __init__(self, account: Account, *args: Any, **given: Any) -> None:
        super().__init__(account, None, *args, **given)
        event = law.in_force().vocabulary.events[CALL]
        self.groups = places.groups(account)
        self.fields[WHERE] = forms.CharField(
            label="Where is it?", help_text="Street and number, a crossing, a station, or in the caller's words",
            required=False, max_length=200,
            widget=forms.TextInput({"autofocus": True, "autocomplete": "off", "list": "places"}),
        )  # fmt: skip
        self.fields[PICK] = forms.CharField(label="A place from the record", required=False, widget=forms.Select())
        self.fields[POINT] = PlaceAnswer(
            label="Latitude and longitude", required=False, help_text="Such as 35.9451, -78.1034; filled in by the map",
            widget=forms.TextInput({"autocomplete": "off", "inputmode": "text"}),
        )  # fmt: skip
        self.fields[PICK].widget.choices = [
            ("", "Choose"),
            *((one.title, [(p.id, p.label) for p in one.places]) for one in self.groups),
        ]
        self.add_known(CALL, event.data, _ASKED)
        self.known = {name: self.known[name] for name in _ASKED if name in self.known}
        self.fields[ADVISED] = forms.BooleanField(label="I told the caller so", required=False)
        self.fields[AT] = happened_at("Call received", event, self.zone, "Filled in for you. The hours run from here")
        self.fields[JOIN] = forms.CharField(required=False, widget=forms.HiddenInput)
        for name in self.known:
            self._ask(name)

    def _ask(self, name: str) -> None:
        """Puts a question as it is put at the counter, without what an answer of its own would need elsewhere."""
        field, fact = self.fields[name], self.known[name]
        field.label, field.help_text = _ASKED[name], ""
        if fact.type.kind == "bool":
            field.choices = _SAYS  # type: ignore[attr-defined]
        elif fact.type.kind == "text":
            auto = {"autocomplete": "off"} | ({"type": "tel"} if name.endswith("_phone") else {})
            control = forms.Textarea({"rows": 2}) if name in _LONG else forms.TextInput(auto)
            self.fields[name] = Answer(label=_ASKED[name], required=False, widget=control)
        elif fact.type.kind == "moment":
            label = _ASKED[name]
            self.fields[name] = MomentAnswer(
                label=label, precision="either", required=False, widget=MomentWidget(label, self.zone),
                help_text="The day alone, where they know no more",
            )  # fmt: skip
        elif name == "what":
            field.required = True
            field.widget = forms.RadioSelect()
            field.choices = [(word, title(word)) for word in fact.type.words]  # type: ignore[attr-defined]
        elif name == "noticed_is":
            field.choices = [(word, title(word)) for word in fact.type.words]  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        """Finds the place that was named or chosen.

        Refuses: a call without any word of where it is.
        """
        said = super().clean()
        try:
            if said.get(PICK):
                self.place = places.place(said[PICK], self.account)
            if said.get(JOIN) and queries.thing(said[JOIN], as_account=self.account).type != SPILL:
                self.add_error(None, "A call is joined to a spill or an earlier call, and this is neither.")
        except LedgerError as error:
            self.add_error(PICK, str(error))
        where = (said.get(WHERE) or "").strip()
        if self.place is None:
            self.place = places.place_named(where, self.account)
        if not where and self.place is not None and self.place.type != SPILL:
            where = self.place.label
        elif not where and self.place is not None:
            facts = queries.facts_of([self.place.id], SPILL, ["location"], as_account=self.account)
            where = facts[self.place.id].get("location", "")
        if not where and said.get(POINT, NOT_ASKED) is not NOT_ASKED:
            where = f"At {self.data.get(POINT, '').strip()}"
        if not where:
            self.add_error(WHERE, "A street, a crossing, a station, or what the caller says of it.")
        said[WHERE] = where
        return said

    @property
    def point(self) -> dict[str, Any] | None:
        """Returns where it lies: what was typed or pinned, else where the chosen place stands."""
        said = self.cleaned_data.get(POINT, NOT_ASKED)
        if said is not NOT_ASKED and said is not None:
            return dict(said)
        if self.place is not None and self.place.lat is not None:
            return {"type": "Point", "coordinates": [f"{self.place.lon:.6f}", f"{self.place.lat:.6f}"]}
        return None

    @property
    def is_backup(self) -> bool:
        """Tells whether sewage backs up indoors."""
        return bool(self.cleaned_data.get("what") == BACKUP)


# ------------------------------------------------------------------------------------------------ sending somebody


class DispatchForm(Entry):
    """One person was sent: who, how they were told, and whether they said it back."""

    def __init__(self, account: Account, named: Named, first: Iterable[str], *args: Any, **given: Any) -> None:
        super().__init__(account, named, *args, **given)
        event = law.in_force().vocabulary.events["dispatched"]
        self.add_known(event.name, event.data)
        order = {person: number for number, person in enumerate(first)}
        people = sorted(things.people_to_choose(account), key=lambda one: order.get(one[0], len(order)))
        self.fields["person"] = ChoiceAnswer(label="Who is sent?", choices=people, widget=forms.RadioSelect)
        self.fields["way"].label, self.fields["way"].help_text = "How were they told?", ""
        self.fields["way"].choices = [(word, title(word)) for word in event.data["way"].type.words]  # type: ignore[attr-defined]
        self.fields["equipment"] = Answer(
            label="What was sent along", required=False, widget=forms.TextInput({"autocomplete": "off"})
        )
        self.fields["is_confirmed"] = forms.BooleanField(
            label="They said it back to me", required=False, help_text="A message left is not enough"
        )
        self.fields[AT] = happened_at("When", event, self.zone)


# ------------------------------------------------------------------------------------------------ on site


class StepForm(EventForm):
    """One step on site: what the vocabulary asks of it, and when, which is now unless another time is said."""

    def __init__(self, account: Account, named: Named, event: EventType, *args: Any, **given: Any) -> None:
        super().__init__(account, named, event, *args, **given)
        fact = event.data.get("person")
        if fact is not None and "person" in self.fields:
            people = [("", "Not said"), *things.people_to_choose(account)]
            self.fields["person"] = ChoiceAnswer(
                label=label_of(fact), choices=people, required=False, initial=account.person, widget=forms.Select
            )
        for name, one in self.known.items():
            if isinstance(self.fields[name], FilesAnswer):
                self.fields[name].widget.attrs["accept"] = PICTURES
            elif one.type.kind == "bool":  # a sentence that is so or not
                self.fields[name].label, self.fields[name].help_text = one.means, ""


class PhotographsForm(Entry):
    """Photographs from a telephone, with what it says of when and where they were taken."""

    def __init__(self, account: Account, named: Named, *args: Any, **given: Any) -> None:
        super().__init__(account, named, *args, **given)
        event = law.in_force().vocabulary.events["photographs_taken"]
        self.add_known(event.name, event.data)
        self.add_photographs("Photographs or video", "From the camera or from what is on the telephone")
        stage = event.data["stage"].type.words
        self.fields["stage"] = ChoiceAnswer(
            label="When were they taken?", choices=[(word, title(word)) for word in stage], widget=forms.RadioSelect
        )
        self.fields["shows"] = Answer(
            label="What do they show?", required=False, widget=forms.TextInput({"autocomplete": "off"})
        )
        self.fields[AT] = happened_at(
            "Filed", event, self.zone, "Each photograph keeps the time that its camera wrote into it"
        )


# ------------------------------------------------------------------------------------------------ how much


class EstimateForm(EventForm):
    """What every estimate of the volume says beside its method: of what, by whom, when, and the photographs it rests on."""

    def __init__(self, account: Account, named: Named, *args: Any, **given: Any) -> None:
        event = law.in_force().vocabulary.events["volume_estimated"]
        super().__init__(account, named, event, *args, **given)
        for name in [name for name in self.known if name != "what"]:
            del self.fields[name]
        self.known = {"what": self.known["what"]}
        self.fields["what"].initial = "total"
        self.add_photographs(
            "Photographs it rests on",
            "From the camera or from what is on the telephone. Choose them once the figure stands: working it out again forgets them",
            required=False,
        )


# ------------------------------------------------------------------------------------------------ what was found

CONFIRMED, NONE, PRIVATE, NOT_OURS = "spill_confirmed", "found_to_be_none", "found_private", "found_not_ours"
MANHOLES = "manholes_checked"
MAIN_BLOCKED, MAIN_CLEAR = "main_blocked", "main_clear"
_MAIN_IS = (MAIN_BLOCKED, MAIN_CLEAR)


class FoundForm(Entry):
    """What it turned out to be. Every call closes with one of these words."""

    def __init__(
        self, account: Account, named: Named, calls: Iterable[RowShown], *args: Any, premises: str = "", **given: Any
    ) -> None:
        super().__init__(account, named, *args, **given)
        vocabulary = law.in_force().vocabulary
        self.is_backup = any(one.data.get("what") == BACKUP for one in calls)
        self.premises = premises
        reasons = vocabulary.events[NONE].data["reason"].type.words
        words = [(reason, title(reason)) for reason in reasons]
        main = [("main_blocked", "Main blocked: it backed up from our sewer")] if self.is_backup else []
        main += [(one, "Main clear: the owner's own line") for one, _ in words if one == MAIN_CLEAR and self.is_backup]
        rest = [(one, said) for one, said in words if one != MAIN_CLEAR]
        if not self.is_backup:
            rest = [*rest[:-1], *((one, said) for one, said in words if one == MAIN_CLEAR), *rest[-1:]]
        self.fields["found"] = forms.ChoiceField(
            label="What is it?", widget=forms.RadioSelect,
            choices=[
                *main, (CONFIRMED, "A spill"), (PRIVATE, "From a private line"), (NOT_OURS, "Another system's"), *rest,
            ],
            help_text="A spill takes its number here. All else closes what is open, and stays on record",
        )  # fmt: skip
        checked = vocabulary.events[MANHOLES]
        if self.is_backup:
            for name in ("above", "below"):
                fact = checked.data[name]
                self.fields[name] = ChoiceAnswer(
                    label=fact.means, choices=[(word, title(word)) for word in fact.type.words], required=False,
                    widget=forms.RadioSelect,
                )  # fmt: skip
            self.fields["files"] = FilesAnswer(
                label="Photographs of both manholes", is_many=True, required=False,
                help_text="They show later that the main was clear, or was not",
            )  # fmt: skip
            self.fields["files"].widget.attrs["accept"] = PICTURES
        self.fields["whose"] = Answer(
            label="Whose is it?", required=False, widget=forms.TextInput({"autocomplete": "off"}),
            help_text="Where it is another system's",
        )  # fmt: skip
        self.fields["findings"] = Answer(label="What was found", required=False, widget=forms.Textarea({"rows": 2}))
        self.fields[AT] = happened_at("When", vocabulary.events[CONFIRMED], self.zone)
        self.add_who()

    def clean(self) -> dict[str, Any]:
        """Checks what the chosen word needs.

        Refuses: *main blocked* or *main clear* before both manholes were opened.
        """
        said = super().clean()
        if self.is_backup and said.get("found") in _MAIN_IS:
            for name in ("above", "below"):
                if said.get(name, NOT_ASKED) is NOT_ASKED:
                    self.add_error(name, "Open it first: the two manholes together say whether the main is blocked.")
        return said
