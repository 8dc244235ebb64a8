"""Overlaps: two entries of one line of books that say the same twice, or contradict each other, without a word on it.

The engine runs both, so a reader sees one thing twice, or a verdict that nobody can satisfy. What a book says of how two of
its entries stand to each other (`combine`) is no overlap.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import combinations, product

from sewershed.rules.conditions import Condition
from sewershed.rules.conditions.apart import are_apart, meaning_of
from sewershed.rules.entries import ActForm, CalcForm, Duty, Edition, Entry, Form, Opens, Pattern, StatusForm, ValueForm
from sewershed.rules.library import Library
from sewershed.rules.loading.books import Book

WORD = ""  # what `item` stands for, where a duty is not opened once for each of several words


@dataclass(frozen=True, slots=True)
class Overlap:
    """Two entries that overlap, the more local one first, and how."""

    entry: str
    other: str
    how: str


def overlaps(book: Book, library: Library) -> Iterator[Overlap]:
    """Yields the overlaps of a book's own entries with each other and with those of its parents.

    Edge: two entries are held against each other for the days on which both are in force, and only where neither says how it
        combines with the other, nor both how they combine with a third. Of readings of one doubt each is held against the
        same one.

        Two duties overlap that are on one type of thing, in one rhythm (once, by intervals, by periods), are opened by one
        event (or both stand while a condition holds), are met by one event of the same thing, and are not owed toward two
        different offices.
        Two entries overlap that give one fact or answer one question.
        Two acts contradict each other where nothing that is done satisfies both (what must be the case is apart, or no
        office may do it under both), where each gives it another day, or where the same want makes it void by one and only
        a violation by the other.
        Where the conditions of two can be seen never to hold together (`conditions/apart`) they do not overlap. Whose a duty
        is does not tell two apart.
    """
    line = list(library.line(book.id))
    own = list(book.entries.values())
    above = [entry for parent in line[1:] for entry in parent.entries.values()]
    for one, other in (*combinations(own, 2), *product(own, above)):
        if one.kind in _KINDS and other.kind in _KINDS[one.kind] and not _are_combined(one, other):
            how = next(_ways(one, other), "")
            if how:
                yield Overlap(one.id, other.id, how)


_GIVING = frozenset({"value", "calc", "status"})
_KINDS: Mapping[str, frozenset[str]] = {
    "duty": frozenset({"duty"}),
    "act": frozenset({"act"}),
    **dict.fromkeys(_GIVING, _GIVING),
}


def _are_combined(one: Entry, other: Entry) -> bool:
    with_one = {one.id, *((one.combine.other,) if one.combine else ())}
    with_other = {other.id, *((other.combine.other,) if other.combine else ())}
    return bool(with_one & with_other)


def _ways(one: Entry, other: Entry) -> Iterator[str]:
    """Yields how two entries overlap, on the days and in the readings that they have in common."""
    for edition, another in product(one.editions, other.editions):
        if not _have_a_day(edition, another):
            continue
        is_one_doubt = bool(one.reading_of) and one.reading_of == other.reading_of
        for (name, form), (reading, form_of_other) in product(edition.readings.items(), another.readings.items()):
            if not is_one_doubt or name == reading:
                how = _how(form, form_of_other)
                if how:
                    yield how


def _have_a_day(one: Edition, other: Edition) -> bool:
    """Tells whether two editions are in force on one day. Edge: one that ends on the day on which the other begins is not."""
    return (one.since or date.min) < (other.until or date.max) and (other.since or date.min) < (one.until or date.max)


def _how(one: Form, other: Form) -> str:
    if isinstance(one, Duty) and isinstance(other, Duty):
        return _duty_twice(one, other)
    if isinstance(one, ActForm) and isinstance(other, ActForm):
        return _acts_apart(one, other)
    given = sorted(_given(one) & _given(other))
    return f"both give {', '.join(given)}" if given else ""


def _given(form: Form) -> set[str]:
    """Returns the facts and questions that a form answers, the days that a life sets among them."""
    if isinstance(form, StatusForm):
        names = {form.fact, *(name for step in form.steps for name, _ in step.sets)}
        return {f"{form.thing}.{name}" for name in names}
    return {form.target} if isinstance(form, ValueForm | CalcForm) and form.target else set()


# ------------------------------------------------------------------------------------------------ duties


def _duty_twice(one: Duty, other: Duty) -> str:
    if (one.on, one.rhythm) != (other.on, other.rhythm) or (one.to and other.to and one.to != other.to):
        return ""
    if are_apart(_texts(one.applies), _texts(other.applies)):
        return ""
    for opened in _opened_alike(one.opens, other.opens):
        for words in product(_items(one.opens), _items(other.opens)):
            for pattern, another in product(one.met_by, other.met_by):
                met = _met_alike(pattern, another, words)
                if met:
                    return f"both are opened {opened} and met by {met}"
    return ""


def _opened_alike(one: Opens, other: Opens) -> Iterator[str]:
    """Yields what opens both, in words."""
    if one.standing is not None and other.standing is not None:
        if not are_apart([one.standing.source], [other.standing.source]):
            yield "for as long as both stand"
        return
    for event in (name for name in one.events if name in other.events):
        if not are_apart(_texts(one.when.get(event)), _texts(other.when.get(event))):
            yield f"by {event}"


def _items(opens: Opens) -> tuple[str, ...]:
    return opens.each if isinstance(opens.each, tuple) and opens.each else (WORD,)


def _met_alike(one: Pattern, other: Pattern, words: tuple[str, str]) -> str:
    events = [name for name in one.events if name in other.events]
    if not events or _meant(one.on) != _meant(other.on) or are_apart(_texts(one.when), _texts(other.when), item=words):
        return ""
    return " or ".join(events)


# ------------------------------------------------------------------------------------------------ acts


def _acts_apart(one: ActForm, other: ActForm) -> str:
    events = [name for name in one.acts if name in other.acts]
    if not events or are_apart(
        (*_texts(one.when), *_texts(one.applies)), (*_texts(other.when), *_texts(other.applies))
    ):
        return ""
    of = " or ".join(events)
    if one.by and other.by and not set(one.by) & set(other.by):
        return f"{of} is left to {' or '.join(one.by)} by the one, to {' or '.join(other.by)} by the other"
    if _asks(one) and _asks(other) and are_apart(_texts(one.test), _texts(other.test)):
        return f"no {of} satisfies both"
    if one.dated is not None and other.dated is not None and _meant(one.dated) != _meant(other.dated):
        return f"each gives {of} another day"
    if _asks(one) and _asks(one) == _asks(other) and one.is_void != other.is_void:
        return f"what is wanting makes {of} void by the one, and only a violation by the other"
    return ""


def _asks(form: ActForm) -> tuple[object, ...]:
    """Returns all that an act must satisfy; nothing where it only gives it a day."""
    needs = tuple(
        (one.pattern.events, _meant(one.pattern.when), _meant(one.pattern.on), one.lead, one.within)
        for one in form.needs
    )
    contents = tuple((one.key, _meant(one.when)) for one in form.contents)
    asked = (frozenset(form.by), _meant(form.test), needs, contents)
    return asked if any(asked) else ()


def _texts(condition: Condition | None) -> Sequence[str]:
    return () if condition is None else (condition.source,)


def _meant(condition: Condition | None) -> Iterable[object]:
    return () if condition is None else meaning_of(condition.source)
