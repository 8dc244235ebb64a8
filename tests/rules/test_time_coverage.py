"""Every entry of the books we ship is asked on each day it changes, the day before and the day after (DESIGN.md 9).

It answers, or it refuses by name: what cannot be told says what is wanting. Where an entry is not in force it says
nothing. An entry without a first or a last day is asked on one day like any other.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from functools import lru_cache
from pathlib import Path
from typing import get_args

import pytest

import sewershed
from sewershed.programs import programs
from sewershed.rules.entries import ActForm, CalcForm, Duty, Entry, Form, LimitForm, StandardForm, StatusForm, ValueForm
from sewershed.rules.findings import Outcome, State
from sewershed.rules.library import Library, load
from sewershed.rules.loading.checks import forms
from sewershed.rules.moments import end_of, start_of
from sewershed.rules.record import RecordsInMemory, Row
from sewershed.rules.unknown import Unknown
from sewershed.rules.vocabulary import SAMPLE_RESULT
from sewershed.rules.world import World

BOOKS = Path(sewershed.__file__).parent / "rulebooks"
ANY_DAY = date(2024, 6, 5)
DAY = timedelta(days=1)


@lru_cache(maxsize=1)
def library() -> Library:
    """Returns the library of the books we ship."""
    return load(programs(), sorted(path.parent for path in BOOKS.rglob("rulebook.toml")))


def towns() -> list[str]:
    """Returns the books that are nobody's parent."""
    books = library().books.values()
    return sorted({book.id for book in books} - {book.parent for book in books})


def days_of(entry: Entry) -> list[date]:
    """Returns the days on which an entry is asked about: around each of its changes, or any day."""
    changes = {day for edition in entry.editions for day in (edition.since, edition.until) if day is not None}
    return sorted({change + n * DAY for change in changes for n in (-1, 0, 1)}) or [ANY_DAY]


def questions() -> Iterator[tuple[str, str, date]]:
    """Returns every question: a town's book, an entry that it lives under, a day."""
    for town in towns():
        for entry in library().entries(town).values():
            for day in days_of(entry):
                yield town, entry.id, day


QUESTIONS = list(questions())


def world_of(town: str, form: Form, day: date, asked_on: date | None = None) -> World:
    """Returns a world with one thing of each type, of which nothing is known, and on that day what the form is about."""
    book = library().books[town]
    things = {kind: kind for kind in book.vocabulary.things}
    rows = [Row(f"facts {thing}", "facts", "", thing, position=n) for n, thing in enumerate(things, start=1)]
    for name in events_of(form):
        kind = book.vocabulary.events[name]
        moment = start_of(day, book.zone) if kind.precision == "instant" else day
        data = {"parameter": form.parameter} if isinstance(form, LimitForm) else {}
        rows.append(Row(f"event {name}", "event", name, kind.on or "town", moment, data, len(rows) + 1))
    return World(library(), town, RecordsInMemory(things, rows, "town"), end_of(asked_on or day, book.zone))


def events_of(form: Form) -> tuple[str, ...]:
    """Returns the events that a form is about."""
    match form:
        case Duty():
            return form.opens.events
        case ActForm():
            return form.acts
        case StandardForm():
            return form.of
        case LimitForm():
            return (SAMPLE_RESULT,)
        case StatusForm():
            return tuple(dict.fromkeys(name for step in form.steps for name in step.events))
    return ()


def test_there_is_something_to_ask() -> None:
    assert len(towns()) >= 2
    assert len({entry for _, entry, _ in QUESTIONS}) >= 200
    assert any(day != ANY_DAY for *_, day in QUESTIONS)  # some entry changes at all


@pytest.mark.parametrize(("town", "entry_id", "day"), QUESTIONS, ids=str)
def test_entry_on_a_day(town: str, entry_id: str, day: date) -> None:
    entry = library().entries(town)[entry_id]
    for form in forms(entry):
        world = world_of(town, form, day)
        is_in_force = world.is_in_force(entry, day)
        obligations = [one for one in world.obligations() if one.rule == entry_id]
        findings = [one for one in world.findings() if one.rule == entry_id]
        for one in obligations:
            assert one.state in get_args(State)
            assert one.asks or one.state not in ("cannot_tell", "waiting")
        for one in findings:
            assert one.outcome in get_args(Outcome)
            assert all(str(want) for want in one.asks)
            assert one.asks or one.outcome != "CANNOT_TELL"
        if not is_in_force:
            assert not obligations
            assert not [one for one in findings if one.kind != "status"]
        match form:
            case Duty() if is_in_force and form.opens.events and not form.opens.when:
                later = world_of(town, form, day, asked_on=day + 400 * DAY)  # when the first period has come and gone
                owed = {one.rule for one in (*later.obligations(), *obligations)}
                void = {one.event.name for one in later.history(later.thing(form.on)).not_counted}
                assert entry_id in owed or void >= set(form.opens.events)
            case ActForm() if is_in_force and form.when is None and form.applies is None and form.dated is None:
                assert findings
            case ValueForm() | CalcForm() if form.target:
                answer = world.answer(form.target, form.thing or None, day)
                assert not isinstance(answer, Unknown) or (answer.wants and all(str(want) for want in answer.wants))
                if not is_in_force:
                    assert isinstance(answer, Unknown)
            case StatusForm():
                answer = world.answer(f"{form.thing}.{form.fact}", form.thing, day)
                assert answer in form.states or (isinstance(answer, Unknown) and answer.wants)
        for one in world.exposure():
            assert one.highest >= one.lowest
