"""The law of a place: the entries of its line of books, sorted by what they are asked about.

Made once for a line and kept by the library; a world asks it which entries concern a thing, an event or a question.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import date

from sewershed.rules.conditions.beside import words_beside
from sewershed.rules.entries import (
    ActForm,
    CalcForm,
    Duty,
    Entry,
    Form,
    LimitForm,
    PenaltyForm,
    StandardForm,
    StatusForm,
    ValueForm,
)
from sewershed.rules.loading.books import Book
from sewershed.rules.loading.checks import conditions, forms
from sewershed.rules.spans import Span


class Law:
    """All entries that a town of one book lives under, the most local first, by what they are asked about."""

    def __init__(self, line: tuple[Book, ...]) -> None:
        self.line = line
        self.book = line[0]
        self.entries: dict[str, Entry] = {entry.id: entry for book in line for entry in book.entries.values()}
        self.places = {rule: place for place, rule in enumerate(self.entries)}  # as the books have them
        self.doubts = {doubt.id: doubt for book in line for doubt in book.doubts.values()}
        self.answers: dict[str, list[Entry]] = defaultdict(list)
        self.duties_on: dict[str, list[Entry]] = defaultdict(list)
        self.acts_on: dict[str, list[Entry]] = defaultdict(list)
        self.voids_on: dict[str, list[Entry]] = defaultdict(list)
        self.dates_on: dict[str, list[Entry]] = defaultdict(list)
        self.standards_of: dict[str, list[Entry]] = defaultdict(list)
        self.standards_on: dict[str, list[Entry]] = defaultdict(list)
        self.judges: dict[str, str] = {}  # of derived facts: who decides them where the text leaves them open
        self.limits: list[Entry] = []
        self.lives: dict[tuple[str, str], Entry] = {}  # (thing, fact): also the dates that steps set
        self.lives_of: dict[str, list[Entry]] = defaultdict(list)
        self.events_of_status: dict[str, tuple[str, ...]] = {}
        self.penalties_for: dict[str, list[Entry]] = defaultdict(list)
        self.replaced_by: dict[str, list[Entry]] = defaultdict(list)
        self.unsaid: set[str] = set()  # entries with a span that does not say which days
        for entry in self.entries.values():
            self._sort(entry)
        editions = [edition for entry in self.entries.values() for edition in entry.editions]
        self._changes = sorted({day for one in editions for day in (one.since, one.until) if day is not None})

    def _sort(self, entry: Entry) -> None:
        if entry.combine is not None and entry.combine.how == "replaces":
            self.replaced_by[entry.combine.other].append(entry)
        seen: set[tuple[str, str]] = set()

        def into(table: Mapping[str, list[Entry]], keys: Iterable[str], name: str) -> None:
            for key in keys:
                if (name, key) not in seen:
                    seen.add((name, key))
                    table[key].append(entry)

        for form in forms(entry):
            self._sort_form(entry, form, into)
            if _has_unsaid(form):
                self.unsaid.add(entry.id)

    def _sort_form(self, entry: Entry, form: Form, into: object) -> None:
        put = into  # typed loosely: a local function
        assert callable(put)
        match form:
            case Duty():
                put(self.duties_on, (form.on,), "duty")
            case ValueForm() | CalcForm() if form.target:
                put(self.answers, (form.target,), "answer")
                if isinstance(form, ValueForm) and form.judged_by:
                    judges = dict.fromkeys(filter(None, (self.judges.get(form.target), form.judged_by)))
                    self.judges[form.target] = " or ".join(judges)
            case ActForm():
                put(self.acts_on, form.acts, "act")
                if form.is_void:
                    put(self.voids_on, form.acts, "void")
                if form.dated is not None:
                    put(self.dates_on, form.acts, "date")
            case StandardForm():
                put(self.standards_of, form.of, "of")
                put(self.standards_on, (form.on,) if form.on else (), "on")
            case LimitForm():
                if entry not in self.limits:
                    self.limits.append(entry)
            case PenaltyForm():
                put(self.penalties_for, form.rules, "penalty")
            case StatusForm():
                self.lives.setdefault((form.thing, form.fact), entry)
                put(self.lives_of, (form.thing,), "life")
                events = self.events_of_status.get(entry.id, ())
                for step in form.steps:
                    events += tuple(name for name in step.events if name not in events)
                    for name, _ in step.sets:
                        self.lives.setdefault((form.thing, name), entry)
                self.events_of_status[entry.id] = events

    def words_beside(self, thing: str, fact: str) -> tuple[str, ...]:
        """Returns the words that conditions of the books hold a fact against, in their order: those the law tells apart."""
        found = (one for entry in self.entries.values() for form in forms(entry) for one in conditions(form))
        sources = dict.fromkeys(one.source for one in found if (thing, fact) in one.facts)
        return tuple(dict.fromkeys(word for source in sources for word in words_beside(source, thing, fact)))

    def next_change(self, day: date) -> date | None:
        """Returns the next day after a day on which an entry comes into force or goes out of it, or None."""
        place = bisect_right(self._changes, day)
        return self._changes[place] if place < len(self._changes) else None

    def readers_of(self, doubt: str) -> tuple[str, ...]:
        """Returns the entries that have readings for a doubt; where there are none, nothing follows from settling it."""
        days = {book.id for book in self.line if book.unsaid_doubt == doubt}
        return tuple(
            entry.id
            for entry in self.entries.values()
            if entry.reading_of == doubt or (entry.id in self.unsaid and entry.book in days)
        )

    def is_in_force(self, entry: Entry, day: date) -> bool:
        """Tells whether an entry is in force on a day, and no child's entry stands in its place."""
        if entry.edition_on(day) is None:
            return False
        children = self.replaced_by.get(entry.id)
        return not children or all(child.edition_on(day) is None for child in children)


def _has_unsaid(form: object) -> bool:
    if isinstance(form, Span):
        return form.unsaid
    if isinstance(form, tuple):
        return any(_has_unsaid(one) for one in form)
    fields = getattr(form, "__dataclass_fields__", None)
    if fields is None or isinstance(form, type):
        return False
    return any(_has_unsaid(getattr(form, name)) for name in fields)
