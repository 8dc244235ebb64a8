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
    FROM_MEMORY,
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
        self._from_memory: dict[str, tuple[str, ...]] = {}
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

    def caution(self, rule: str) -> str:
        """Returns what stands wherever an entry's value or verdict is shown; "" where all it rests on was held against its source.

        Edge: an entry that is verified and reads what one from memory gives says on which it rests.
        """
        if self.entries[rule].caution:
            return self.entries[rule].caution
        cites = dict.fromkeys("; ".join(self.entries[one].cites) for one in self.from_memory(rule))
        return f"rests on {' and '.join(cites)}, {FROM_MEMORY}" if cites else ""

    def caution_of(self, target: str) -> str:
        """Returns the same of what the books answer to a question, or give as a fact of a thing ("spill.reportable")."""
        return next(filter(None, (self.caution(entry.id) for entry in self._giving(target))), "")

    def from_memory(self, rule: str) -> tuple[str, ...]:
        """Returns the entries from memory on which an entry rests: itself, and those that give what its conditions read.

        Edge: whatever a condition of any of its editions and readings names counts, though it need not have decided an
            answer. An entry of a parent that a child's replaces for good does not.
        """
        if rule not in self._from_memory:
            seen, waiting = {rule: None}, [self.entries[rule]]
            while waiting:
                read = [one for form in forms(waiting.pop()) for one in conditions(form)]
                targets = {f"{thing}.{fact}" for one in read for thing, fact in one.facts}
                targets.update(name for one in read for name in one.asks)
                given = [entry for target in sorted(targets) for entry in self._giving(target)]
                given += [self.entries[name] for one in read for name in sorted(one.standards) if name in self.entries]
                waiting += [entry for entry in given if entry.id not in seen]
                seen |= dict.fromkeys(entry.id for entry in given)
            self._from_memory[rule] = tuple(one for one in seen if self.entries[one].caution)
        return self._from_memory[rule]

    def _giving(self, target: str) -> list[Entry]:
        thing, _, fact = target.partition(".")
        life = self.lives.get((thing, fact))
        found = [*self.answers.get(target, ()), *((life,) if life is not None else ())]
        return [entry for entry in found if not any(_is_always(child) for child in self.replaced_by.get(entry.id, ()))]

    def is_in_force(self, entry: Entry, day: date) -> bool:
        """Tells whether an entry is in force on a day, and no child's entry stands in its place."""
        if entry.edition_on(day) is None:
            return False
        children = self.replaced_by.get(entry.id)
        return not children or all(child.edition_on(day) is None for child in children)


def _is_always(entry: Entry) -> bool:
    """Tells whether an entry is in force on every day."""
    return any(edition.since is None for edition in entry.editions) and any(one.until is None for one in entry.editions)


def _has_unsaid(form: object) -> bool:
    if isinstance(form, Span):
        return form.unsaid
    if isinstance(form, tuple):
        return any(_has_unsaid(one) for one in form)
    fields = getattr(form, "__dataclass_fields__", None)
    if fields is None or isinstance(form, type):
        return False
    return any(_has_unsaid(getattr(form, name)) for name in fields)
