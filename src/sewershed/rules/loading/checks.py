"""Checks what one entry says about another: ids, answers, combinations, penalties, circles, the register (docs/explanation/rulebook.md 18)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import fields, is_dataclass

from sewershed.rules.conditions import Condition
from sewershed.rules.entries import (
    ActForm,
    CalcForm,
    Doubt,
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
from sewershed.rules.problems import Problems, did_you_mean
from sewershed.rules.vocabulary import SAMPLE_RESULT, Vocabulary


def check_all(shelf: Mapping[str, Book], ids: Collection[str], doubts: Mapping[str, Doubt], problems: Problems) -> None:
    """Notes everything that is wrong between entries."""
    for book in shelf.values():
        line = _line(book, shelf)
        in_line = {entry.id: entry for one in line for entry in one.entries.values()}
        for entry in book.entries.values():
            _dangling(entry, in_line, ids, doubts, book.vocabulary, problems)
        for doubt in book.doubts.values():
            if doubt.settle_by and doubt.settle_by not in book.roles:
                offices = ", ".join(sorted(book.roles)) or "none"
                text = f"{doubt.id}: settle_by: no office '{doubt.settle_by}'; the offices of {book.id} are {offices}"
                problems.add(doubt.file, text)
            for about in doubt.about:
                if about not in ids:
                    problems.add(doubt.file, f"{doubt.id}: about: no entry '{about}'{did_you_mean(about, ids)}")
        if book.unsaid_doubt and book.unsaid_doubt not in doubts:
            file = f"{book.folder.name}/rulebook.toml"
            problems.add(
                file, f"[clock] unsaid_days: no entry '{book.unsaid_doubt}'{did_you_mean(book.unsaid_doubt, doubts)}"
            )
        _answers(book, line, problems)
        _circles(book, in_line, problems)
        _register(book, problems)


def forms(entry: Entry) -> Iterator[Form]:
    """Returns every form of an entry: of each edition, in each reading."""
    for edition in entry.editions:
        yield from edition.readings.values()


def conditions(form: object) -> Iterator[Condition]:
    """Returns every condition that stands anywhere in a form."""
    if isinstance(form, Condition):
        yield form
    elif isinstance(form, (tuple, list)):
        for item in form:
            yield from conditions(item)
    elif isinstance(form, Mapping):
        yield from conditions(tuple(form.values()))
    elif is_dataclass(form) and not isinstance(form, type):
        for one in fields(form):
            yield from conditions(getattr(form, one.name))


def _line(book: Book, shelf: Mapping[str, Book]) -> list[Book]:
    line = [book]
    while line[-1].parent in shelf and shelf[line[-1].parent] not in line:
        line.append(shelf[line[-1].parent])
    return line


def _dangling(
    entry: Entry,
    in_line: Mapping[str, Entry],
    ids: Collection[str],
    doubts: Mapping[str, Doubt],
    vocabulary: Vocabulary,
    problems: Problems,
) -> None:
    def lost(what: str, name: str, known: Collection[str] = ids) -> None:
        problems.add(entry.file, f"{entry.id}: {what}: no entry '{name}'{did_you_mean(name, known)}")

    for doubt in entry.doubts:
        if doubt not in doubts:
            lost("doubts", doubt, doubts)
    if entry.combine is not None:
        other = in_line.get(entry.combine.other)
        if other is None:
            lost("combine", entry.combine.other, in_line)
        elif other.kind != entry.kind:
            problems.add(entry.file, f"{entry.id}: combine: {other.id} is a {other.kind}, not a {entry.kind}")
        elif other.book == entry.book:
            problems.add(
                entry.file, f"{entry.id}: combine: {other.id} stands in the same book; combine is toward a parent"
            )
    for what, name in dict.fromkeys(one for form in forms(entry) for one in _named(form)):
        if name not in in_line:
            lost(what, name, in_line)
        elif what == "breach" and in_line[name].kind != "penalty":
            problems.add(entry.file, f"{entry.id}: breach: {name} is a {in_line[name].kind}, not a penalty")
        elif what == "for":
            about = {thing for form in forms(in_line[name]) if (thing := _thing(form, vocabulary))}
            on = {form.on for form in forms(entry) if isinstance(form, PenaltyForm) and form.on and name in form.rules}
            for thing in sorted(about) if on else ():
                if thing not in on:
                    problems.add(
                        entry.file, f"{entry.id}: for: {name} is about a {thing}, not a {', '.join(sorted(on))}"
                    )


def _thing(form: Form, vocabulary: Vocabulary) -> str:
    """Returns the type of thing that a rule is about, or "" where it is about none or none is declared."""
    match form:
        case Duty() | ActForm():
            return form.on
        case StandardForm():
            return form.on or next((vocabulary.events[name].on for name in form.of), "")
        case LimitForm():
            return vocabulary.events[SAMPLE_RESULT].on
        case StatusForm():
            return form.thing
    return ""


def _named(form: Form) -> Iterator[tuple[str, str]]:
    """Returns the ids of other entries that a form names, each with the key under which it does."""
    if isinstance(form, (Duty, ActForm, LimitForm, StandardForm)):
        yield from (("breach", penalty) for penalty in form.breach.penalties)
    if isinstance(form, PenaltyForm):
        yield from (("for", rule) for rule in form.rules)
    if isinstance(form, StandardForm):
        yield from (("defends", rule) for rule in form.defends)


def _target(form: Form) -> str:
    if isinstance(form, (ValueForm, CalcForm)):
        return form.target
    if isinstance(form, StatusForm):
        return f"{form.thing}.{form.fact}"
    return ""


def _answers(book: Book, line: list[Book], problems: Problems) -> None:
    """Two entries of one line that answer the same need a word on how they combine."""
    told: dict[str, Entry] = {}
    for one in reversed(line):
        for entry in one.entries.values():
            for target in {_target(form) for form in forms(entry)} - {""}:
                earlier = told.get(target)
                if earlier is not None and earlier.id != entry.id:
                    combined = entry.combine is not None and entry.combine.other == earlier.id
                    if not combined and entry.book == book.id:
                        problems.add(
                            entry.file,
                            f"{entry.id}: {target} is already answered by {earlier.id}; "
                            "say how they combine (combine = {with, how})",
                        )
                told[target] = entry


def _circles(book: Book, in_line: Mapping[str, Entry], problems: Problems) -> None:
    """Derived facts may not rest on themselves."""
    reads: dict[str, set[str]] = {}
    where: dict[str, Entry] = {}
    for entry in in_line.values():
        for form in forms(entry):
            target = _target(form)
            if target and "." in target and isinstance(form, ValueForm):
                rests = {f"{thing}.{fact}" for condition in conditions(form) for thing, fact in condition.facts}
                reads.setdefault(target, set()).update(rests)
                where[target] = entry
    done: set[str] = set()

    def walk(target: str, path: list[str]) -> None:
        if target in path:
            circle = path[path.index(target) :]
            first = circle.index(min(circle))
            circle = circle[first:] + circle[:first]
            entry = where[circle[0]]
            text = f"derived facts go in a circle: {' -> '.join([*circle, circle[0]])}"
            if entry.book == book.id and text not in {problem.text for problem in problems}:
                problems.add(entry.file, text)
            return
        if target in done or target not in reads:
            return
        for next_target in sorted(reads[target]):
            walk(next_target, [*path, target])
        done.add(target)

    for target in sorted(reads):
        walk(target, [])


def _register(book: Book, problems: Problems) -> None:
    if book.register is None:
        for entry in book.entries.values():
            if entry.covers:
                problems.add(entry.file, f"{entry.id}: covers clauses, but {book.id} has no register.tsv")
        return
    covered: set[str] = set()
    carriers: list[tuple[str, str, tuple[str, ...]]] = [(e.id, e.file, e.covers) for e in book.entries.values()]
    carriers += [(d.id, d.file, d.covers) for d in book.doubts.values()]
    for name, file, covers in carriers:
        for clause in covers:
            if clause not in book.register:
                problems.add(file, f"{name}: covers '{clause}', which the register of {book.id} does not list")
            covered.add(clause)
    for row in book.register.values():
        if row.status == "rule" and row.id not in covered:
            problems.add("", f"{book.id} register.tsv: {row.id} has status rule but no entry covers it")
