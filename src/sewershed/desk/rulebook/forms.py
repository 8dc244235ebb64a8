"""The form of *what if*: the record of a worked case, or an empty one, with a field for all that an entry reads.

It is made from the vocabulary as every form is. What it says becomes a record that is given to the engine and kept nowhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django import forms
from django.forms.boundfield import BoundField

from sewershed.desk.rulebook.reads import reads_of
from sewershed.desk.things.answers import NOT_ASKED, MomentAnswer, MomentWidget, field_for, shown_value
from sewershed.ledger import canonical
from sewershed.ledger.law import Law
from sewershed.ledger.ordinance import doubts_of, office_said
from sewershed.ledger.wording import label_of, plain, title
from sewershed.rules.cases import Case
from sewershed.rules.entries import ActForm, Entry
from sewershed.rules.history import DECIDED
from sewershed.rules.loading.checks import forms as forms_of
from sewershed.rules.moments import MomentError, is_instant, read_moment
from sewershed.rules.vocabulary import EventType, Fact

AS_OF, ASK = "as_of", "ask"
FIXED = ("recorded_at", "replaces", "voids", "why")  # of a row of a case: shown, not changed
_NO_FIELD = frozenset({"file", "geometry"})
MOST_MORE = 20  # further events of one type


@dataclass(slots=True)
class Part:
    """A thing or a row of the record in the form: its fields by name, and what is said beside them."""

    title: str
    note: str = ""
    names: list[str] = field(default_factory=list)
    is_folded: bool = False


@dataclass(slots=True)
class _Row:
    """A row that a form gives: what of it stands, and which fields say the rest."""

    given: dict[str, Any]
    at: str = ""  # the field of its moment
    thing: str = ""  # the field of its thing, where there are several
    office: str = ""
    contains: str = ""
    data: dict[str, str] = field(default_factory=dict)  # name -> field
    is_facts: bool = False


class WhatIf(forms.Form):
    """A record to try an entry on: its things, its rows in order, further rows that may be added, and the moment asked about."""

    def __init__(self, entry: Entry, running: Law, case: Case | None, said: Mapping[str, Any], *, now: str) -> None:
        super().__init__(said if ASK in said else None)
        self.entry, self.running, self.case = entry, running, case
        self.vocabulary, self.zone = running.vocabulary, running.book.zone
        self.reads = reads_of(entry, running)
        self.things = self._things()
        self.parts: list[Part] = []
        self.more: list[Part] = []
        self._facts: list[tuple[str, str, str, str]] = []  # thing, fact, field, field of the day from which it holds
        self._rows: list[_Row] = []
        self._doubts: list[tuple[str, str]] = []
        self._moment(AS_OF, "Asked as of", case.as_of if case else now, is_needed=True)
        self._add_things()
        for number, row in enumerate(case.events if case else ()):
            self._add_row(f"e{number}", row)
        self._add_more(said)
        self._add_doubts()

    # ---------------------------------------------------------------- the fields

    def _things(self) -> dict[str, str]:
        """Returns the things of the record with their types: those of the case, or one of each type that the entry reads."""
        if self.case is not None:
            found = {thing: str(said.get("_type", "")) for thing, said in self.case.facts.items()}
        else:
            kinds = [
                self.reads.subject,
                *self.reads.facts,
                *(self.vocabulary.events[one].on for one in self.reads.events),
            ]
            found = {kind: kind for kind in dict.fromkeys(kinds) if kind in self.vocabulary.things}
        return found

    def _add_things(self) -> None:
        for number, (thing, kind) in enumerate(self.things.items()):
            said = dict(self.case.facts[thing]) if self.case else {}
            known = self.vocabulary.things[kind].facts if kind in self.vocabulary.things else {}
            part = Part(self._called(thing))
            names = [one for one in said if one != "_type"]
            names += [one for one in self.reads.facts.get(kind, ()) if one not in said and not known[one].judged_by]
            for name in names:
                if name in known:
                    self._add_fact(part, f"t{number}_{name}", thing, known[name], said.get(name, NOT_ASKED))
            if part.names:
                self.parts.append(part)

    def _add_fact(self, part: Part, key: str, thing: str, fact: Fact, value: Any) -> None:
        days = value if _is_history(value) else [("", value)]
        for number, (day, one) in enumerate(days):
            name = f"{key}_{number}" if len(days) > 1 or day else key
            on = ""
            if day:
                on = f"{name}_on"
                self._moment(on, f"{label_of(fact)}: from", str(day), precision="day")
                part.names.append(on)
            if self._field(name, fact, one):
                part.names.append(name)
                self._facts.append((thing, fact.name, name, on))

    def _field(self, name: str, fact: Fact, value: Any) -> bool:
        """Adds the field of a fact or datum with what it begins as; tells whether there is one for its type."""
        item = fact.type.item
        if fact.type.kind in _NO_FIELD or (item is not None and item.kind in _NO_FIELD):
            return False
        things = (
            [(one, self._called(one)) for one, kind in self.things.items() if kind == fact.type.to]
            if fact.type.kind == "ref"
            else None
        )
        made = field_for(replace(fact, required=False), zone=self.zone, things=things, is_correction=True)
        made.initial = None if value is NOT_ASKED else self._shown(fact, value)
        if value is NOT_ASKED and things is not None and len(things) == 1 and self.case is None:
            made.initial = things[0][0]  # in an empty record there is nothing else that it could point to
        self.fields[name] = made
        return True

    def _shown(self, fact: Fact, value: Any) -> Any:
        if fact.type.kind in ("instant", "moment") and value is not None:
            return self._typed(str(value))
        return (
            str(value)
            if fact.type.kind in ("number", "money", "date") and value is not None
            else shown_value(fact, value)
        )

    def _typed(self, text: str) -> str:
        """Returns a moment of a case in the form that the control takes."""
        try:
            moment = read_moment(text, self.zone)
        except MomentError:
            return text[:10]
        return canonical.instant_text(moment) if is_instant(moment) else moment.isoformat()

    def _moment(self, name: str, label: str, value: str, *, precision: str = "either", is_needed: bool = False) -> None:
        widget = MomentWidget(label, self.zone, has_time=precision != "day")
        self.fields[name] = MomentAnswer(
            label=label, precision="day" if precision == "day" else "either", required=is_needed, widget=widget,
            initial=self._typed(value) if value else None,
        )  # fmt: skip

    def _add_row(self, key: str, given: Mapping[str, Any]) -> None:
        """Adds a row of the case."""
        fixed = "; ".join(f"{plain(name)} {given[name]}" for name in FIXED if given.get(name))
        subject, event = str(given.get("subject", "")), str(given.get("event", ""))
        on = f" on {self._called(subject)}" if len(self.things) > 1 else ""
        if "voids" in given:
            self.parts.append(Part(f"Row {given['voids']} is withdrawn", fixed))
            self._rows.append(_Row(dict(given)))
            return
        is_facts = "facts" in given
        part = Part(f"{title(event) or 'Facts'}{on}", fixed)
        row = _Row(dict(given), f"{key}_at", is_facts=is_facts)
        self._moment(
            row.at,
            "From" if is_facts else "When",
            str(given.get("day" if is_facts else "at", "")),
            precision="day" if is_facts else "either",
        )
        part.names.append(row.at)
        kind = self.vocabulary.events.get(event)
        said = dict(given.get("facts" if is_facts else "data", {}))
        known: Mapping[str, Fact] = (
            self.vocabulary.things[self.things[subject]].facts
            if is_facts and subject in self.things
            else kind.data
            if kind
            else {}
        )
        if event == DECIDED:
            known = self._decided(known, said, self.things.get(subject, ""))
        wanted = (
            [*said, *(one for one in self._data(kind) if one not in said)] if kind and event != DECIDED else list(said)
        )
        self._add_data(part, row, key, known, wanted, said)
        self._add_office(part, row, key, kind, str(given.get("role", "")), given.get("contains", ()))
        self.parts.append(part)
        self._rows.append(row)

    def _add_data(
        self, part: Part, row: _Row, key: str, known: Mapping[str, Fact], names: Sequence[str], said: Mapping[str, Any]
    ) -> None:
        for name in names:
            if name in known and self._field(f"{key}_d_{name}", known[name], said.get(name, NOT_ASKED)):
                row.data[name] = f"{key}_d_{name}"
                part.names.append(row.data[name])

    def _decided(self, known: Mapping[str, Fact], said: Mapping[str, Any], kind: str) -> Mapping[str, Fact]:
        """Returns the fields of a decision that can be changed: the value, by the type of what is decided; the reading."""
        fact = self.vocabulary.to_decide(kind, str(said.get("fact", ""))) if said.get("fact") and kind else None
        if fact is not None:
            return {"value": replace(fact, name="value", judged_by="", derived="")}
        return {name: one for name, one in known.items() if name == "reading"}

    def _data(self, kind: EventType) -> list[str]:
        """Returns the data of an event that the entry reads, or that nobody may leave out."""
        return [name for name, fact in kind.data.items() if name in self.reads.data or fact.required]

    def _add_office(
        self, part: Part, row: _Row, key: str, kind: EventType | None, office: str, contains: Sequence[str]
    ) -> None:
        acts = [
            form
            for form in forms_of(self.entry)
            if isinstance(form, ActForm) and kind is not None and kind.name in form.acts
        ]
        is_judging = kind is not None and any(one.judged_by for one in kind.data.values())
        if office or is_judging or any(form.by for form in acts):
            row.office = f"{key}_office"
            offices = [(one, office_said(one, self.running.book.roles)) for one in self.running.book.roles]
            offices += [(office, title(office))] if office and office not in self.running.book.roles else []
            self.fields[row.office] = forms.ChoiceField(
                label="In the office of", choices=[("", "Not said"), *offices], required=False, initial=office
            )
            part.names.append(row.office)
        parts = {one.key: one.what or one.key for form in acts for one in form.contents} | {
            one: one for one in contains if one
        }
        if parts:
            row.contains = f"{key}_contains"
            said = {
                one: text
                for form in acts
                for one, text in ((each.key, each.what or each.key) for each in form.contents)
            }
            self.fields[row.contains] = forms.MultipleChoiceField(
                label="It holds", choices=[(one, said.get(one, one)) for one in parts], required=False, initial=list(contains),
                widget=forms.CheckboxSelectMultiple,
            )  # fmt: skip
            part.names.append(row.contains)

    def _add_more(self, said: Mapping[str, Any]) -> None:
        """Adds, folded, one further event of each type that the entry reads, and each that was filled in before."""
        for event in self.reads.events:
            kind = self.vocabulary.events[event]
            on = [thing for thing, type_ in self.things.items() if kind.on in ("", type_)]
            if not on:
                continue
            for number in range(MOST_MORE):
                key = f"x_{event}_{number}"
                is_said = bool(said.get(f"{key}_at_day"))
                row = _Row({"id": key, "event": event, "subject": on[0]}, f"{key}_at")
                part = Part(title(event), is_folded=not is_said)
                self._moment(row.at, "When", "")
                part.names.append(row.at)
                if len(on) > 1:
                    row.thing = f"{key}_thing"
                    self.fields[row.thing] = forms.ChoiceField(
                        label="On", choices=[(one, self._called(one)) for one in on], required=False
                    )
                    part.names.append(row.thing)
                self._add_data(part, row, key, kind.data, self._data(kind), {})
                self._add_office(part, row, key, kind, "", ())
                (self.parts if is_said else self.more).append(part)
                self._rows.append(row)
                if not is_said:
                    break
        self._add_judged(said)

    def _add_judged(self, said: Mapping[str, Any]) -> None:
        """Adds, folded, the decisions of persons that the entry reads."""
        for number, (thing, type_) in enumerate(self.things.items()):
            for name in self.reads.facts.get(type_, ()):
                fact = self.vocabulary.things[type_].facts[name]
                if not fact.judged_by:
                    continue
                key = f"j{number}_{name}"
                data = {"fact": name, "because": "what if"}
                row = _Row(
                    {"id": key, "event": DECIDED, "subject": thing, "role": fact.judged_by, "data": data}, f"{key}_at"
                )
                is_said = bool(said.get(f"{key}_at_day"))
                part = Part(
                    f"{office_said(fact.judged_by, self.running.book.roles)} decides: {label_of(fact)}",
                    is_folded=not is_said,
                )
                self._moment(row.at, "When", "")
                part.names.append(row.at)
                self._add_data(part, row, key, {"value": replace(fact, name="value", judged_by="")}, ["value"], {})
                (self.parts if is_said else self.more).append(part)
                self._rows.append(row)

    def _add_doubts(self) -> None:
        doubts = self.running.library.doubts(self.running.book_id)
        part = Part("How the text is read")
        for number, one in enumerate(doubts_of(self.entry)):
            doubt = doubts.get(one)
            if doubt is None:
                continue
            name = f"doubt{number}"
            applied = f"As it stands: {doubt.applied}" if doubt.applied else "As it stands: nobody has settled it"
            self.fields[name] = forms.ChoiceField(
                label=doubt.means, choices=[("", applied), *((each, each) for each in doubt.choices)], required=False,
            )  # fmt: skip
            part.names.append(name)
            self._doubts.append((name, one))
        if part.names:
            self.parts.append(part)

    def _called(self, thing: str) -> str:
        """Returns what a thing is called: its type, and its name where there are several of it."""
        kind = self.things.get(thing, "")
        is_alone = list(self.things.values()).count(kind) == 1
        return title(kind) if is_alone and kind else f"{title(kind)} {thing}".strip()

    # ---------------------------------------------------------------- what it says

    def shown(self) -> Iterator[tuple[Part, list[BoundField]]]:
        """Yields what stands open, each with its fields."""
        yield from ((one, [self[name] for name in one.names]) for one in self.parts)

    @property
    def happened(self) -> frozenset[str]:
        """Returns the fields that say when something happened."""
        return frozenset(row.at for row in self._rows if row.at and not row.is_facts)

    def added(self) -> Iterator[tuple[Part, list[BoundField]]]:
        """Yields what may be added, each with its fields."""
        yield from ((one, [self[name] for name in one.names]) for one in self.more)

    def record(self) -> tuple[dict[str, dict[str, Any]], list[dict[str, Any]]]:
        """Returns the things with their facts, and the rows, as a case gives them.

        Edge: an event without a moment did not happen; what corrects or withdraws one that did not is left out with it.
        """
        facts: dict[str, dict[str, Any]] = {thing: {"_type": kind} for thing, kind in self.things.items()}
        for thing, name, key, on in self._facts:
            value = self.cleaned_data.get(key, NOT_ASKED)
            if value is NOT_ASKED:
                continue
            day = self.cleaned_data.get(on) if on else None
            if on and day not in (None, NOT_ASKED):
                facts[thing].setdefault(name, []).append([day, value])
            elif not on:
                facts[thing][name] = value
        rows = [*self._readings()]
        gone: set[str] = set()
        for row in self._rows:
            made = self._row(row)
            named = {str(row.given.get(one)) for one in ("replaces", "voids") if row.given.get(one)}
            if made is None or named & gone:
                gone.add(str(row.given.get("id", "")))
            else:
                rows.append(made)
        return facts, rows

    def _row(self, row: _Row) -> dict[str, Any] | None:
        made = dict(row.given)
        if "voids" in made:
            return made
        at = self.cleaned_data.get(row.at, NOT_ASKED)
        if at in (None, NOT_ASKED):
            if not row.is_facts:
                return None
            made.pop("day", None)
        else:
            made["day" if row.is_facts else "at"] = at
        said = {name: self.cleaned_data.get(key, NOT_ASKED) for name, key in row.data.items()}
        kept = {
            name: one for name, one in made.get("facts" if row.is_facts else "data", {}).items() if name not in said
        }
        made["facts" if row.is_facts else "data"] = kept | {
            name: one for name, one in said.items() if one is not NOT_ASKED
        }
        if row.thing:
            made["subject"] = self.cleaned_data.get(row.thing) or made["subject"]
        if row.office:
            made["role"] = self.cleaned_data.get(row.office) or ""
        if row.contains:
            made["contains"] = self.cleaned_data.get(row.contains) or []
        return made

    def _readings(self) -> Iterator[dict[str, Any]]:
        """Yields a decision for each reading that is chosen, on the first day of all, so that it governs what follows."""
        doubts = self.running.library.doubts(self.running.book_id)
        days = [
            str(one)[:10]
            for row in self._rows
            if (one := self.cleaned_data.get(row.at) if row.at else None) not in (None, NOT_ASKED)
        ]
        first = min([*days, str(self.cleaned_data.get(AS_OF))[:10]])
        for name, doubt in self._doubts:
            if reading := self.cleaned_data.get(name):
                yield {
                    "id": name, "event": DECIDED, "subject": next(iter(self.things)), "at": first, "role": doubts[doubt].settle_by,
                    "data": {"doubt": doubt, "reading": reading, "because": "what if"},
                }  # fmt: skip


def _is_history(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(one, list) and len(one) == 2 for one in value)
