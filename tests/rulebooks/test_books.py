"""The shipped rulebooks: they load without a fault, every entry is worked by hand, every clause read is accounted for."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable
from datetime import date
from functools import cache
from pathlib import Path

import pytest

import sewershed
from sewershed.programs import papers, programs
from sewershed.rules.calendars import holidays_of
from sewershed.rules.cases import Case, read_cases, run_case
from sewershed.rules.coverage import coverage
from sewershed.rules.entries import Entry
from sewershed.rules.library import Library, load
from sewershed.rules.loading.checks import forms
from sewershed.rules.vocabulary import RESERVED

BOOKS = Path(sewershed.__file__).parent / "rulebooks"
FOLDERS = sorted(path.parent for path in BOOKS.rglob("rulebook.toml"))
CASE_FILES = sorted(BOOKS.rglob("cases/*.toml"))
CASES = [case for file in CASE_FILES for case in read_cases(file)]


@cache
def library() -> Library:
    """Returns the shipped library."""
    return load(programs(), FOLDERS)


def entries() -> list[Entry]:
    """Returns every entry of every book."""
    return [entry for book in library().books.values() for entry in book.entries.values()]


def test_the_five_books_load() -> None:
    assert sorted(library().books) == ["us", "us.nc", "us.nc.spring_hope", "us.nh", "us.nh.hampton"]
    assert all(entry.cites and entry.means for entry in entries())


SHORT = re.compile(r"(?<![\w-])(?:[A-Z]+-)*[A-Z]{3,}(?![\w-])")  # figures of clauses, such as III, are none


def not_spelled_out(texts: Iterable[str], known: Container[str]) -> set[str]:
    found = {short for text in texts for short in SHORT.findall(text) if not re.fullmatch("[IVX]+", short)}
    return {short for short in found if short not in known}


def test_every_abbreviation_of_a_book_is_spelled_out_in_its_line() -> None:
    assert not_spelled_out(["SORP III.A.3; CS-SSO"], {"SSO"}) == {"SORP", "CS-SSO"}  # the guard finds planted ones
    for book in library().books.values():
        entries = [*book.entries.values(), *book.doubts.values()]
        texts = [text for entry in entries for text in (entry.means, *entry.cites)]
        texts += [choice for doubt in book.doubts.values() for choice in doubt.choices]
        assert len(texts) > 2, f"{book.id} says nothing: this guard looks at nothing"
        assert not_spelled_out(texts, book.abbreviations) == set(), book.id


def test_the_vocabulary_spells_out_what_it_abbreviates() -> None:
    vocabulary = library().books["us"].vocabulary
    fields = [fact for thing in vocabulary.things.values() for fact in thing.facts.values()]
    fields += [datum for event in vocabulary.events.values() for datum in event.data.values()]
    assert len(fields) > 100
    for text in [one.means for one in (*vocabulary.things.values(), *vocabulary.events.values(), *fields)]:
        brackets = set(re.findall(r"\(([A-Z-]+)\)", text))  # spelled out before it
        assert not_spelled_out([text], brackets) == set(), text


@pytest.mark.parametrize("case", CASES, ids=str)
def test_case(case: Case) -> None:
    assert run_case(case, library=library()) == []


@pytest.mark.parametrize("book", ["us", "us.nc", "us.nc.spring_hope", "us.nh", "us.nh.hampton"])
def test_every_row_is_accounted_for_and_every_entry_worked_by_hand(book: str) -> None:
    assert coverage(library().books[book], library(), CASES, papers()).problems == ()


def test_every_clause_of_the_spill_plan_is_accounted_for() -> None:
    register = library().books["us.nc.spring_hope"].register
    assert register is not None
    plan = [
        clause
        for clause in register.values()
        if clause.id.startswith(("SPH-SORP-", "SPH-CEI-item13", "SPH-CEI-item14"))
    ]
    assert len(plan) == 99  # 93 of the plan, 3 and 3 of the reply: counted in the table of clauses
    assert [clause.id for clause in plan if clause.status == "unread"] == []
    assert [clause.id for clause in plan if not clause.where] == []


RULES = {
    "duty",
    "deadline",
    "limit",
    "prohibition",
    "test",
    "penalty",
    "exemption",
    "fee",
    "formula",
    "table",
    "permission",
}


def test_no_clause_of_the_yard_is_unread_and_what_could_run_and_is_no_rule_has_its_reason() -> None:
    """The reasons stand one by one in docs/decisions."""
    register = library().books["us.nc.spring_hope"].register or {}
    yard = [one for one in register.values() if one.id.startswith(("SPH-CEI-", "SPH-PSCP-", "SPH-PERMIT-", "SPH-APR-"))]
    assert len(yard) == 87  # 27, 10, 13 and 37 in the table of clauses
    assert [one.id for one in yard if one.status == "unread"] == []
    page = (Path(__file__).parents[2] / "docs/decisions/2026-11-30-clauses-that-are-no-rule.md").read_text("utf-8")
    no_rule = {
        one.id
        for one in register.values()
        if one.runs == "full" and one.kind in RULES and one.status not in ("rule", "unread")
    }
    assert no_rule == set(re.findall(r"SPH-[\w.-]+\w", page))


@pytest.mark.parametrize("book", ["us.nc.spring_hope", "us.nh.hampton"])
def test_the_register_names_the_entries_that_carry_each_clause(book: str) -> None:
    own = library().books[book]
    assert own.register is not None
    carried: dict[str, set[str]] = {}
    for one in [*own.entries.values(), *own.doubts.values()]:
        for clause in one.covers:
            carried.setdefault(clause, set()).add(one.id)
    listed = {clause.id: set(clause.where.split(", ")) for clause in own.register.values() if clause.status == "rule"}
    assert listed == carried


def test_what_rests_on_memory_says_so() -> None:
    unsure = [entry for entry in entries() if entry.certainty == "memory"]
    assert unsure
    assert [entry.id for entry in unsure if not entry.note] == []


def test_every_doubt_has_two_choices_and_somebody_who_may_settle_it() -> None:
    for book in library().books.values():
        for doubt in book.doubts.values():
            assert len(doubt.choices) >= 2, doubt.id
            assert doubt.settle_by in book.roles, doubt.id


def test_a_report_that_turns_out_to_be_nothing_can_close_whatever_it_opens() -> None:
    opened = 0
    for entry in entries():
        for form in forms(entry):
            if hasattr(form, "opens") and "call" in form.opens.events:
                opened += 1
                closing = {event for pattern in form.closes for event in pattern.events}  # type: ignore[union-attr]
                assert "joined" in closing, entry.id
    assert opened > 10


def test_everything_that_can_be_recorded_says_what_it_means() -> None:
    vocabulary = library().vocabulary
    silent = [thing.name for thing in vocabulary.things.values() if not thing.means]
    silent += [
        f"{t.name}.{fact.name}" for t in vocabulary.things.values() for fact in t.facts.values() if not fact.means
    ]
    shipped = [event for event in vocabulary.events.values() if event.name not in RESERVED]
    silent += [event.name for event in shipped if not event.means]
    silent += [f"{event.name}.{fact.name}" for event in shipped for fact in event.data.values() if not fact.means]
    assert silent == []


def test_names_and_numbers_of_people_are_private() -> None:
    vocabulary = library().vocabulary
    person, call = vocabulary.things["person"].facts, vocabulary.events["call"].data
    assert all(person[name].private for name in ("name", "phone", "email", "mailing_address"))
    assert all(call[name].private for name in ("reporter", "reporter_phone"))


def test_the_spill_is_numbered_by_its_confirmation_and_the_call_by_itself() -> None:
    vocabulary = library().vocabulary
    assert (vocabulary.things["spill"].series, vocabulary.things["spill"].numbered_by) == (
        "{yy}-{n:03}",
        "spill_confirmed",
    )
    assert vocabulary.events["call"].series == "C{yy}-{n:03}"  # so that a call is never taken for a spill
    assert vocabulary.events["call"].report


def test_a_day_that_a_book_drops_is_in_its_list_and_is_a_business_day_then() -> None:
    dropped = {book.id: book.calendar for book in library().books.values() if book.calendar.dropped}
    assert set(dropped) == {"us.nc", "us.nc.spring_hope"}
    for calendar in dropped.values():
        for day in calendar.dropped:
            assert day in holidays_of(calendar.base, day.year), f"{day} is no holiday of {calendar.base}: a slip"
            assert calendar.is_business_day(day), day
    assert dropped["us.nc"].dropped == dropped["us.nc.spring_hope"].dropped  # a town's holidays are its own: said twice


def test_the_days_that_the_state_works_on_are_dropped_in_each_year_from_2021_to_2030() -> None:
    """Of each year one Monday from 15 to 21 February, and 19 June or the weekday beside it."""
    days = library().books["us.nc.spring_hope"].calendar.dropped
    for year in range(2021, 2031):
        mondays = [date(year, 2, day) for day in range(15, 22) if date(year, 2, day).weekday() == 0]
        june = {5: date(year, 6, 18), 6: date(year, 6, 20)}.get(date(year, 6, 19).weekday(), date(year, 6, 19))
        assert {*mondays, june} <= days, year
