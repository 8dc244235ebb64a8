"""What an entry reads: the facts and events by which somebody who tries it can change what comes out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, fields, is_dataclass

from sewershed.ledger.law import Law
from sewershed.rules.entries import ActForm, CalcForm, Duty, Entry, PenaltyForm, StandardForm, StatusForm, ValueForm
from sewershed.rules.history import DECIDED
from sewershed.rules.loading.checks import forms as forms_of
from sewershed.rules.sentences import conditions
from sewershed.rules.vocabulary import Vocabulary

_NAMED = ("events", "acts", "of")  # where forms of entries name events


@dataclass(slots=True)
class Reads:
    """What an entry reads: facts by the type of thing, types of events, and the names of their data."""

    subject: str = ""  # the type of thing that it is about
    facts: dict[str, list[str]] = field(default_factory=dict)
    events: list[str] = field(default_factory=list)
    data: set[str] = field(default_factory=set)


def reads_of(entry: Entry, running: Law) -> Reads:
    """Returns what an entry reads, and what the entries read that it stands on."""
    every = running.library.entries(running.book_id)
    vocabulary, found = running.vocabulary, Reads()
    rules = [
        entry,
        *(
            every[one]
            for form in forms_of(entry)
            if isinstance(form, PenaltyForm)
            for one in form.rules
            if one in every
        ),
    ]
    facts: dict[tuple[str, str], None] = {}
    events: dict[str, None] = {}
    for one in rules:
        for form in forms_of(one):
            found.subject = found.subject or _subject(form)
            events |= dict.fromkeys(_events_in(form))
        for condition in conditions(one, every):
            facts |= dict.fromkeys(sorted(condition.facts))
            events |= dict.fromkeys(sorted(condition.events))
            found.data.update(re.findall(r"\.(\w+)", condition.source))
    for kind, name in facts:
        _take(found, kind, name, vocabulary)
    found.events = [one for one in events if one in vocabulary.events and one != DECIDED]
    if not found.subject:
        found.subject = next(iter(found.facts), "") or next((vocabulary.events[one].on for one in found.events), "")
    return found


def _take(found: Reads, kind: str, name: str, vocabulary: Vocabulary) -> None:
    thing = vocabulary.things.get(kind)
    if thing is None:
        return
    if has := thing.has.get(name):
        kind, name = has.many, has.by
        thing = vocabulary.things[kind]
    fact = thing.facts.get(name)
    if fact is not None and not fact.derived and name not in found.facts.setdefault(kind, []):
        found.facts[kind].append(name)


def _subject(form: object) -> str:
    match form:
        case Duty() | ActForm() | StandardForm() | PenaltyForm():
            return form.on
        case StatusForm() | ValueForm() | CalcForm():
            return form.thing
    return ""


def _events_in(part: object) -> Iterator[str]:
    """Yields the events that a form names outside of its conditions."""
    if isinstance(part, tuple | list):
        for one in part:
            yield from _events_in(one)
    elif is_dataclass(part) and not isinstance(part, type):
        for one in fields(part):
            value = getattr(part, one.name)
            if one.name in _NAMED and isinstance(value, tuple):
                yield from (name for name in value if isinstance(name, str))
            else:
                yield from _events_in(value)
