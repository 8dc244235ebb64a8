"""Forms for anything of the vocabulary: an event, facts, a correction, a withdrawal, a decision."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from django import forms
from django.forms.boundfield import BoundField

from sewershed.desk.things import queries
from sewershed.desk.things.answers import (
    NOT_ASKED,
    Answer,
    FilesAnswer,
    MomentAnswer,
    MomentWidget,
    field_for,
    shown_value,
)
from sewershed.ledger import canonical, clock, law, log
from sewershed.ledger.checks import AT_IS
from sewershed.ledger.errors import LedgerError, Refused
from sewershed.ledger.models import Account
from sewershed.ledger.privacy import Privacy
from sewershed.ledger.queries import thing as thing_named
from sewershed.ledger.shown import Named, RowShown
from sewershed.ledger.wording import title
from sewershed.rules.vocabulary import EventType, Fact, ThingType

MOST_TO_CHOOSE = 60  # things of a type in a list to choose from; more are named by typing
AT, BY, OFFICE, AT_IS_, AT_HOW, WHY, ID, SEEN = (
    "row_at", "row_by", "row_office", "row_at_is", "row_at_how", "row_why", "row_id", "row_seen",
)  # fmt: skip
PHONE_TIMES, PHONE_LAT, PHONE_LON = "phone_times", "phone_lat", "phone_lon"
MOST_FILES = 12  # sent in one go
PICTURES = "image/jpeg,image/png,image/webp,image/heic,video/mp4"
_HOW_EXACT = tuple((word, title(word)) for word in AT_IS)


class Entry(forms.Form):
    """What all entries share: fields of the vocabulary, who did it, an id so that sending twice is one row."""

    owner = ""  # the event or type of thing in whose words a refusal speaks
    known: Mapping[str, Fact] = {}

    def __init__(
        self, account: Account, named: Named | None, *args: Any, is_correction: bool = False, **given: Any
    ) -> None:
        super().__init__(*args, **given)
        self.account, self.named, self.is_correction = account, named, is_correction
        self.zone = clock.current_town().zone
        self.fields[ID] = forms.CharField(widget=forms.HiddenInput, initial=log.new_id, required=False)
        self.fields[SEEN] = forms.IntegerField(widget=forms.HiddenInput, required=False)

    def add_known(self, owner: str, known: Mapping[str, Fact], only: Iterable[str] = ()) -> None:
        """Adds the fields of the vocabulary that the account may see and that are entered by hand."""
        wanted = set(only)
        privacy = Privacy(self.account, law.in_force().vocabulary)
        hides = privacy.hides_datum if owner in law.in_force().vocabulary.events else privacy.hides
        self.owner = owner
        self.known = {
            name: fact
            for name, fact in known.items()
            if not (fact.derived or fact.retired or fact.judged_by or hides(owner, name))
            and (not wanted or name in wanted)
        }
        choices: dict[str, list[tuple[str, str]] | None] = {}
        for name, fact in self.known.items():
            things = queries.words_of_field(owner, fact, self.named.id if self.named else "", MOST_TO_CHOOSE)
            if fact.type.kind == "ref":
                if fact.type.to not in choices:
                    choices[fact.type.to] = queries.choices_of(fact.type.to, self.account, MOST_TO_CHOOSE)
                things = choices[fact.type.to]
            self.fields[name] = field_for(fact, zone=self.zone, things=things, is_correction=self.is_correction)

    def add_who(self) -> None:
        """Adds who did it, in which office of the law."""
        people = [("", "Not said"), *queries.people_to_choose(self.account)]
        offices = [("", "None in particular"), *queries.offices_to_choose()]
        self.fields[BY] = forms.ChoiceField(
            label="Done by", choices=people, required=False, initial=self.account.person
        )
        self.fields[OFFICE] = forms.ChoiceField(
            label="In the office of", choices=offices, required=False, help_text="Only where the law asks for one"
        )

    def add_photographs(self, label: str, hint: str, *, required: bool = True) -> None:
        """Adds a question for photographs, with what a telephone says of when and where they were taken."""
        self.fields["files"] = PhotographsAnswer(label=label, is_many=True, help_text=hint, required=required)
        self.fields["files"].widget.attrs["accept"] = PICTURES
        for name in (PHONE_TIMES, PHONE_LAT, PHONE_LON):
            self.fields[name] = forms.CharField(required=False, widget=forms.HiddenInput, max_length=2000)

    def answers(self) -> dict[str, Any]:
        """Returns what was said of the fields of the vocabulary, files left out: they are kept first."""
        return {
            name: self.cleaned_data[name]
            for name in self.known
            if self.cleaned_data.get(name, NOT_ASKED) is not NOT_ASKED
            and not isinstance(self.fields[name], FilesAnswer)
        }

    def sent(self) -> dict[str, list[Any]]:
        """Returns the files that were sent, by field."""
        return {
            name: self.cleaned_data[name]
            for name in self.known
            if isinstance(self.fields[name], FilesAnswer) and self.cleaned_data.get(name)
        }

    def clean(self) -> dict[str, Any]:
        """Finds the things that were typed by a name or a number."""
        said: dict[str, Any] = super().clean() or self.cleaned_data
        for name, fact in self.known.items():
            value = said.get(name)
            if fact.type.kind == "ref" and isinstance(value, str) and isinstance(self.fields[name], Answer):
                try:
                    said[name] = thing_named(value, as_account=self.account).id
                except LedgerError as error:
                    self.add_error(name, str(error))
        return said

    def refuse(self, error: Refused) -> None:
        """Puts what the ledger refuses beside the fields it is about."""
        for reason in error.reasons:
            name, said = self._about(reason)
            self.add_error(name, said)

    def _about(self, reason: str) -> tuple[str | None, str]:
        found = re.match(rf"{re.escape(self.owner)}\.(\w+)(\[\d+\])?(\.\w+)?", reason)
        if found and found[1] in self.fields:
            said = reason[found.end() :].lstrip(": ")
            return found[1], said[:1].upper() + said[1:]
        for sign, name in (("has not come yet", AT), ("needs a time", AT), ("happens twice", AT), ("does not exist", AT),
                           ("time of day", AT), ("performed_by", BY), ("office", OFFICE), ("at_how", AT_HOW), ("reason", WHY)):  # fmt: skip
            if sign in reason and name in self.fields:
                return name, reason[:1].upper() + reason[1:]
        return None, reason[:1].upper() + reason[1:]

    @property
    def shown(self) -> Iterator[BoundField]:
        """Yields the fields of the vocabulary."""
        return (self[name] for name in self.known)

    @property
    def around(self) -> Iterator[BoundField]:
        """Yields who did it and how exact the time is."""
        return (self[name] for name in (BY, OFFICE, AT_IS_, AT_HOW) if name in self.fields)

    @property
    def has_wrong_around(self) -> bool:
        """Tells whether something is wrong there, so that it stands open."""
        return any(name in self.errors for name in (BY, OFFICE, AT_IS_, AT_HOW))


class PhotographsAnswer(FilesAnswer):
    """An answer of several photographs."""

    def clean(self, value: Any) -> Any:
        """Returns the files.

        Refuses: more than can be looked at in one go.
        """
        found = super().clean(value)
        if found is NOT_ASKED:
            return []
        if len(found) > MOST_FILES:
            raise forms.ValidationError(f"Send at most {MOST_FILES} at once; the rest in a second go.")
        return found


class EventForm(Entry):
    """An event of a thing, new or corrected."""

    def __init__(
        self, account: Account, named: Named, event: EventType, *args: Any, old: RowShown | None = None,
        is_ahead: bool = False, **given: Any,
    ) -> None:  # fmt: skip
        initial = dict(given.pop("initial", {}))
        if old is not None:
            initial |= _initial_of(old, event.data)
        super().__init__(account, named, *args, is_correction=old is not None, initial=initial, **given)
        self.event, self.old = event, old
        has_time = event.precision != "day"
        self.fields[AT] = MomentAnswer(
            label="When", precision=event.precision, widget=MomentWidget("When", self.zone, has_time=has_time),
            initial=None if old else canonical.instant_text(clock.now().replace(second=0)),
            help_text="Leave the time empty where only the day is known" if event.precision == "either" else "",
        )  # fmt: skip
        if not has_time and old is None:
            self.fields[AT].initial = clock.today().isoformat()
        self.add_known(event.name, event.data)
        self.add_who()
        if is_ahead:  # it is only asked about: nothing else is needed
            for name in self.known:
                self.fields[name].required = False
        elif has_time:
            self.fields[AT_IS_] = forms.ChoiceField(
                label="How exact the time is", choices=_HOW_EXACT, widget=forms.RadioSelect, initial="exact"
            )
            self.fields[AT_HOW] = forms.CharField(label="How it was estimated", required=False)
        if old is not None:
            self.fields[WHY] = forms.CharField(
                label="Why it is corrected", help_text="For whoever reads the record later"
            )

    def columns(self) -> dict[str, Any]:
        """Returns when, by whom and how exact, as the actions take them."""
        said = self.cleaned_data
        found = {"at": said[AT], "performed_by": said.get(BY, ""), "office": said.get(OFFICE, "")}
        if AT_IS_ in self.fields:
            found |= {"at_is": said[AT_IS_], "at_how": said.get(AT_HOW, "")}
        return found


class FactsForm(Entry):
    """Facts of a thing, from a day on; a new thing begins with them."""

    def __init__(
        self, account: Account, named: Named | None, kind: ThingType, *args: Any, current: Mapping[str, Any] | None = None,
        only: Iterable[str] = (), old: RowShown | None = None, **given: Any,
    ) -> None:  # fmt: skip
        self.current = dict(current or {})
        initial = {
            name: shown_value(kind.facts[name], value) for name, value in self.current.items() if name in kind.facts
        }
        if old is not None:
            initial |= _initial_of(old, kind.facts)
        super().__init__(account, named, *args, is_correction=old is not None, initial=initial, **given)
        self.kind, self.old = kind, old
        self.add_known(kind.name, kind.facts, only)
        if old is not None or named is not None:  # some of them, not all of a new thing
            for name in self.known:
                self.fields[name].required = False
        self.fields[AT] = MomentAnswer(
            label="From", precision="day", required=False, widget=MomentWidget("From", self.zone, has_time=False),
            help_text="The first day on which this holds. Left empty: as long as the thing exists",
        )  # fmt: skip
        self.add_who()
        if old is not None:
            self.fields[WHY] = forms.CharField(
                label="Why it is corrected", help_text="For whoever reads the record later"
            )

    def changed(self) -> dict[str, Any]:
        """Returns the answers that differ from what was known: what stays the same is not said again."""
        return {
            name: value
            for name, value in self.answers().items()
            if name not in self.current or self._differs(name, value)
        }

    def _differs(self, name: str, value: Any) -> bool:
        shown = shown_value(self.known[name], self.current[name])
        said = "?" if value is None else "\n".join(map(str, value)) if isinstance(value, list) else value
        return bool(said != shown)


class ReasonForm(forms.Form):
    """The reason for what is taken back."""

    row_why = forms.CharField(label="Why", help_text="For whoever reads the record later")


def _initial_of(old: RowShown, known: Mapping[str, Fact]) -> dict[str, Any]:
    """Returns what the form of a correction shows: what the row says."""
    initial: dict[str, Any] = {
        name: shown_value(known[name], value) for name, value in old.data.items() if name in known
    }
    return initial | {
        AT: old.at, BY: old.performed_by, OFFICE: old.office, AT_IS_: old.at_is or "exact", AT_HOW: old.at_how,
    }  # fmt: skip
