"""What a condition does: each term becomes a function from what is seen to a value, or to an unknown.

A function takes the `Scope` and the values of the local names. No text is ever executed; what does not depend on the world is
worked out once, when the condition is compiled. An unknown is made only where something is found to be missing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import reduce
from operator import attrgetter
from typing import Any, cast
from zoneinfo import ZoneInfo

from sewershed.rules.calendars import shifted
from sewershed.rules.conditions import exact, terms
from sewershed.rules.conditions.compare import Comparison, comparison, elapsed, extreme
from sewershed.rules.conditions.history import history
from sewershed.rules.conditions.scope import Local, Run, Scope
from sewershed.rules.conditions.terms import Term, children
from sewershed.rules.conditions.truth import all_missing, conjunction, disjunction, negation, undecided
from sewershed.rules.conditions.wants import DIVISION_BY_ZERO, datum, missing_field, times_of_day
from sewershed.rules.moments import day_of
from sewershed.rules.record import Event
from sewershed.rules.types import Number
from sewershed.rules.unknown import Unknown, unknown

_WITHOUT_THE_WORLD = (
    terms.Constant, terms.Not, terms.AllOf, terms.AnyOf, terms.IfElse, terms.Known, terms.Compare, terms.In, terms.Arithmetic, terms.Minus,
    terms.Extreme, terms.DaysBetween, terms.ListOf, terms.Size,
)  # fmt: skip


class Evaluator:
    """Makes the functions of terms, each once."""

    def __init__(self, zone: ZoneInfo) -> None:
        self.zone = zone
        self._runs: dict[Term, Run] = {}
        self._constant: set[Term] = set()

    def run(self, term: Term) -> Run:
        """Returns the function that works a term out."""
        found = self._runs.get(term)
        if found is None:
            found = _MAKERS[type(term)](self, term)
            if isinstance(term, _WITHOUT_THE_WORLD) and all(child in self._constant for child in children(term)):
                found = _always(found(_NOWHERE, ()))
                self._constant.add(term)
            self._runs[term] = found
        return found

    def is_constant(self, term: Term) -> bool:
        """Tells whether a term has the same value in every world."""
        self.run(term)
        return term in self._constant

    def items(self, term: Term) -> Run:
        """Returns the function that gives the items of a list; of one that is written out, each may be unknown by itself."""
        if isinstance(term, terms.ListOf) and not self.is_constant(term):
            runs = tuple(map(self.run, term.items))
            return lambda scope, local: [run(scope, local) for run in runs]
        return self.run(term)


# ---------------------------------------------------------------- where values come from


def _value(evaluator: Evaluator, term: terms.Constant) -> Run:
    return _always(term.value)


def _root(evaluator: Evaluator, term: terms.Root) -> Run:
    name = term.name
    return lambda scope, _: scope.root(name)


def _local(evaluator: Evaluator, term: terms.Local) -> Run:
    slot = term.slot
    return lambda _, local: local[slot]


def _subject(evaluator: Evaluator, term: terms.Subject) -> Run:
    return lambda scope, _: scope.subject()


def _fact(evaluator: Evaluator, term: terms.ThingFact) -> Run:
    thing, name = evaluator.run(term.thing), term.name

    def run(scope: Scope, local: Local) -> object:
        found = thing(scope, local)
        return found if isinstance(found, Unknown) else scope.fact(found, name)

    return run


def _datum(evaluator: Evaluator, term: terms.Datum) -> Run:
    event, name, judged_by = evaluator.run(term.event), term.name, term.judged_by

    def run(scope: Scope, local: Local) -> object:
        at = event(scope, local)
        if isinstance(at, Unknown):
            return at
        value = at.data.get(name)
        return Unknown((datum(at, name, judged_by.get(at.name, "")),)) if value is None else value

    def run_judged(scope: Scope, local: Local) -> object:
        at = event(scope, local)
        judge = "" if isinstance(at, Unknown) else judged_by.get(at.name, "")
        decided = at.judged.get(name) if judge else None
        if decided is not None and not isinstance(decided, Unknown):
            return decided
        value = run(scope, local)
        if not judge or (not isinstance(value, Unknown) and at.may_judge(judge)):
            return value
        heard = () if isinstance(value, Unknown) else (at.want_of_office(judge),)
        return unknown((datum(at, name, judge), *heard, *(() if decided is None else decided.wants)))

    return run_judged if judged_by else run


def _event_part(evaluator: Evaluator, term: terms.EventPart) -> Run:
    event, name, read = evaluator.run(term.event), term.name, _EVENT_PARTS[term.name]

    def run(scope: Scope, local: Local) -> object:
        at = event(scope, local)
        if isinstance(at, Unknown):
            return at
        value = read(at)
        if value != "":
            return value
        is_unheld = name == "role" and at.said_office
        return Unknown((at.want_of_office(at.said_office) if is_unheld else datum(at, name),))

    return run


def _item_field(evaluator: Evaluator, term: terms.ItemField) -> Run:
    record, name, want = evaluator.run(term.record), term.name, missing_field(term, evaluator.run)

    def run(scope: Scope, local: Local) -> object:
        found = record(scope, local)
        if isinstance(found, Unknown):
            return found
        value = found.get(name)
        return Unknown((want(scope, local),)) if value is None else value

    return run


def _ask(evaluator: Evaluator, term: terms.Ask) -> Run:
    name = term.name
    return lambda scope, _: scope.ask(name)


def _meets(evaluator: Evaluator, term: terms.Meets) -> Run:
    standard = term.id
    return lambda scope, _: scope.meets(standard)


# ---------------------------------------------------------------- truth


def _all(evaluator: Evaluator, term: terms.AllOf) -> Run:
    return _decided_by(False, tuple(map(evaluator.run, term.parts)))


def _any(evaluator: Evaluator, term: terms.AnyOf) -> Run:
    return _decided_by(True, tuple(map(evaluator.run, term.parts)))


def _decided_by(decisive: bool, parts: tuple[Run, ...]) -> Run:
    """Returns a function of parts of which one that has the decisive value decides: `conjunction` and `disjunction`, in a loop.

    Most conditions come by here, and a generator for each costs as much as what it asks.
    """
    otherwise = not decisive

    def run(scope: Scope, local: Local) -> object:
        missing: Unknown | None = None
        for part in parts:
            value = part(scope, local)
            if value is decisive:
                return decisive
            if value is not otherwise:
                missing = cast(Unknown, value) if missing is None else missing | cast(Unknown, value)
        return otherwise if missing is None else missing

    return run


def _not(evaluator: Evaluator, term: terms.Not) -> Run:
    of = evaluator.run(term.of)
    return lambda scope, local: negation(of(scope, local))


def _if_else(evaluator: Evaluator, term: terms.IfElse) -> Run:
    test, yes, no = evaluator.run(term.test), evaluator.run(term.yes), evaluator.run(term.no)

    def run(scope: Scope, local: Local) -> object:
        answer = test(scope, local)
        if isinstance(answer, Unknown):
            return undecided(answer, yes(scope, local), no(scope, local))
        return yes(scope, local) if answer else no(scope, local)

    return run


def _known(evaluator: Evaluator, term: terms.Known) -> Run:
    if isinstance(term.of, terms.Datum) and not term.of.judged_by:  # without making the want that nobody would see
        event, name = evaluator.run(term.of.event), term.of.name

        def has_datum(scope: Scope, local: Local) -> bool:
            at = event(scope, local)
            return not isinstance(at, Unknown) and at.data.get(name) is not None

        return has_datum
    of = evaluator.run(term.of)
    return lambda scope, local: not isinstance(of(scope, local), Unknown)


def _compare(evaluator: Evaluator, term: terms.Compare) -> Run:
    left, right = evaluator.run(term.left), evaluator.run(term.right)
    compare, always_tells = comparison(term.sign, term.left.type, term.right.type, evaluator.zone)
    bound = right(_NOWHERE, ()) if evaluator.is_constant(term.right) else None
    if always_tells and bound is not None and not isinstance(bound, Unknown):
        return _compare_with(bound, left, compare)
    times = times_of_day(term.left, term.right, run_of=evaluator.run)
    return _of_two(left, right, compare, otherwise=times)


def _in(evaluator: Evaluator, term: terms.In) -> Run:
    item, items = evaluator.run(term.item), evaluator.items(term.list)
    if evaluator.is_constant(term.list) and term.item.type.kind in _PLAIN:
        words = items(_NOWHERE, ())
        if words and not isinstance(words, Unknown):
            return _is_one_of(frozenset(cast(Iterable[str], words)), item)
    compare, _ = comparison("==", term.item.type, term.list.type.item or term.item.type, evaluator.zone)
    times = times_of_day(term.item, *children(term.list), term.list, run_of=evaluator.run)

    def run(scope: Scope, local: Local) -> object:
        values, wanted = items(scope, local), item(scope, local)
        if isinstance(values, Unknown):
            return values | wanted if isinstance(wanted, Unknown) else values

        def is_it(value: Any) -> bool | Unknown:
            missing = all_missing((wanted, value))
            if missing is not None:
                return missing
            answer = compare(wanted, value)
            return times(scope, local) if answer is None else answer

        return disjunction(map(is_it, values))

    return run


def _is_one_of(words: frozenset[str], item: Run) -> Run:
    """Returns whether a text or a choice is one of words that are written out."""

    def run(scope: Scope, local: Local) -> object:
        value = item(scope, local)
        return value if isinstance(value, Unknown) else value in words

    return run


# ---------------------------------------------------------------- numbers and time


def _arithmetic(evaluator: Evaluator, term: terms.Arithmetic) -> Run:
    left, right = evaluator.run(term.left), evaluator.run(term.right)
    if term.type.kind == "span":
        times = times_of_day(term.left, term.right, run_of=evaluator.run)
        return _of_two(left, right, elapsed, otherwise=times)
    return _of_two(left, right, exact.OPERATIONS[term.sign], otherwise=_always(DIVISION_BY_ZERO))


def _minus(evaluator: Evaluator, term: terms.Minus) -> Run:
    return _of_all(evaluator, exact.negate, (term.of,))


def _extreme(evaluator: Evaluator, term: terms.Extreme) -> Run:
    find = extreme(term.name, term.type, evaluator.zone)
    times = times_of_day(*term.items, run_of=evaluator.run)
    return _of_all(evaluator, lambda *values: find(values), term.items, otherwise=times)


def _shift(evaluator: Evaluator, term: terms.Shift) -> Run:
    moment, span, is_add = evaluator.run(term.moment), term.span, term.name == "add"

    def run(scope: Scope, local: Local) -> object:
        start = moment(scope, local)
        if isinstance(start, Unknown):
            return start
        return shifted(scope.calendar.add if is_add else scope.calendar.sub, start, span)

    return run


def _days_between(evaluator: Evaluator, term: terms.DaysBetween) -> Run:
    return _of_all(evaluator, lambda first, last: (last - first).days, (term.first, term.last))


def _date_of(evaluator: Evaluator, term: terms.DateOf) -> Run:
    zone = evaluator.zone
    return _of_all(evaluator, lambda moment: day_of(moment, zone), (term.moment,))


def _calculated(evaluator: Evaluator, term: terms.Calculated) -> Run:
    return _of_all(evaluator, term.call, term.arguments)


# ---------------------------------------------------------------- lists


def _list(evaluator: Evaluator, term: terms.ListOf) -> Run:
    return _of_all(evaluator, lambda *items: items, term.items)


def _size(evaluator: Evaluator, term: terms.Size) -> Run:
    return _of_all(evaluator, len, (term.list,))


def _each(evaluator: Evaluator, term: terms.Each) -> Run:
    listed, body, fold = evaluator.items(term.list), evaluator.run(term.body), _FOLDS[term.name]

    def run(scope: Scope, local: Local) -> object:
        items = listed(scope, local)
        if isinstance(items, Unknown):
            return items
        return fold(body(scope, (*local, item)) for item in items)

    return run


# ---------------------------------------------------------------- what they share


def _always(value: Any) -> Run:
    return lambda _scope, _local: value


def _compare_with(bound: Any, left: Run, compare: Comparison) -> Run:
    """Returns a comparison with a value that is always the same: what most conditions are, and the quickest."""

    def run(scope: Scope, local: Local) -> object:
        value = left(scope, local)
        return value if isinstance(value, Unknown) else compare(value, bound)

    return run


def _of_two(left: Run, right: Run, work: Callable[[Any, Any], Any], *, otherwise: Run) -> Run:
    """Returns a function of two sides that must be known; where it gives None, otherwise says why."""

    def run(scope: Scope, local: Local) -> object:
        a, b = left(scope, local), right(scope, local)
        if isinstance(a, Unknown):
            return a | b if isinstance(b, Unknown) else a
        if isinstance(b, Unknown):
            return b
        value = work(a, b)
        return otherwise(scope, local) if value is None else value

    return run


def _of_all(
    evaluator: Evaluator, work: Callable[..., Any], arguments: tuple[Term, ...], *, otherwise: Run | None = None
) -> Run:
    """Returns a function of arguments that must all be known; where it gives None, otherwise says why."""
    runs = tuple(map(evaluator.run, arguments))

    def run(scope: Scope, local: Local) -> object:
        values = [argument(scope, local) for argument in runs]
        missing = all_missing(values)
        if missing is not None:
            return missing
        value = work(*values)
        return otherwise(scope, local) if value is None and otherwise is not None else value

    return run


def _total(values: Iterable[Any]) -> Number | Unknown:
    """Returns the sum. Edge: of nothing at all, 0."""
    known = list(values)
    missing = all_missing(known)
    nothing: Number = 0
    return reduce(exact.add, known, nothing) if missing is None else missing


_FOLDS: dict[str, Callable[[Iterable[Any]], Any]] = {"all": conjunction, "exists": disjunction, "sum": _total}

_EVENT_PARTS: dict[str, Callable[[Event], Any]] = {
    "id": attrgetter("id"),
    "at": attrgetter("at"),
    "day": attrgetter("day"),
    "by": attrgetter("by"),
    "role": attrgetter("office"),
    "kind": attrgetter("name"),
    "contains": lambda event: tuple(sorted(event.contains)),
}

_MAKERS: dict[type[Term], Callable[[Evaluator, Any], Run]] = {
    terms.Constant: _value,
    terms.Root: _root,
    terms.Local: _local,
    terms.Subject: _subject,
    terms.ThingFact: _fact,
    terms.Datum: _datum,
    terms.EventPart: _event_part,
    terms.ItemField: _item_field,
    terms.Ask: _ask,
    terms.Meets: _meets,
    terms.Not: _not,
    terms.AllOf: _all,
    terms.AnyOf: _any,
    terms.IfElse: _if_else,
    terms.Known: _known,
    terms.Compare: _compare,
    terms.In: _in,
    terms.Arithmetic: _arithmetic,
    terms.Minus: _minus,
    terms.Extreme: _extreme,
    terms.Shift: _shift,
    terms.DaysBetween: _days_between,
    terms.DateOf: _date_of,
    terms.Calculated: _calculated,
    terms.ListOf: _list,
    terms.Each: _each,
    terms.Size: _size,
    terms.History: history,
}

_PLAIN = ("text", "choice")  # two of them are equal when their texts are
_NOWHERE = cast(Scope, None)  # what a constant sees of the world
