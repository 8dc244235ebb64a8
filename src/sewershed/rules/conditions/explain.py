"""Why a condition has the value it has: one step for each comparison that was looked at, in the order of the text.

What did not matter is left out: the parts after the one that decides, the unknown ones before it, the branch not taken.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from sewershed.rules.conditions import terms
from sewershed.rules.conditions.evaluate import Evaluator
from sewershed.rules.conditions.history import events_of
from sewershed.rules.conditions.say import say, say_missing
from sewershed.rules.conditions.scope import Local, Scope
from sewershed.rules.conditions.terms import Term, children
from sewershed.rules.types import BOOL
from sewershed.rules.unknown import Unknown

_NAMED = (
    terms.Root, terms.Local, terms.ThingFact, terms.Datum, terms.EventPart, terms.ItemField, terms.Ask, terms.Meets,
)  # fmt: skip


def steps_of(term: Term, evaluator: Evaluator, scope: Scope) -> tuple[str, ...]:
    """Returns the steps by which a condition came to its value, each once."""
    explanation = _Explanation(evaluator, scope)
    explanation.walk(term, ())
    if term.type != BOOL and not isinstance(term, _NAMED):
        explanation.note(term, ())
    return tuple(dict.fromkeys(explanation.steps))


class _Explanation:
    def __init__(self, evaluator: Evaluator, scope: Scope) -> None:
        self.evaluator = evaluator
        self.scope = scope
        self.steps: list[str] = []

    def value(self, term: Term, local: Local) -> Any:
        return self.evaluator.run(term)(self.scope, local)

    def say(self, value: Any) -> str:
        return say(value, self.evaluator.zone)

    def note(self, term: Term, local: Local) -> None:
        """Adds the step "text: value"."""
        value = self.value(term, local)
        self.steps.append(f"{term.text}: {self.say(value)}{say_missing(value)}")

    def walk(self, term: Term, local: Local) -> None:
        """Adds the steps of a term."""
        walk = _WALKS.get(type(term))
        if walk is not None:
            walk(self, term, local)
        elif not self.evaluator.is_constant(term):
            for child in children(term):
                self.walk(child, local)

    def beneath(self, term: Term, local: Local) -> None:
        """Adds what stands behind a term whose own value is shown elsewhere: the event that `last` found, the facts of a sum."""
        if isinstance(term, _NAMED):
            for child in children(term):
                self.beneath(child, local)
        else:
            self.walk(term, local)


# ---------------------------------------------------------------- truth


def _parts(why: _Explanation, term: terms.AllOf | terms.AnyOf, local: Local) -> None:
    decisive = isinstance(term, terms.AnyOf)
    values: list[Any] = []
    for part in term.parts:
        values.append(why.value(part, local))
        if values[-1] is decisive:
            break
    is_decided = values[-1] is decisive
    for part, value in zip(term.parts, values, strict=False):
        if not (is_decided and isinstance(value, Unknown)):
            why.walk(part, local)


def _if_else(why: _Explanation, term: terms.IfElse, local: Local) -> None:
    why.walk(term.test, local)
    test = why.value(term.test, local)
    for branch, when in ((term.yes, True), (term.no, False)):
        if isinstance(test, Unknown) or test is when:
            why.walk(branch, local)


def _compare(why: _Explanation, term: terms.Compare, local: Local) -> None:
    _two_sides(why, term, term.left, term.sign, term.right, local)


def _in(why: _Explanation, term: terms.In, local: Local) -> None:
    _two_sides(why, term, term.item, "in", term.list, local)


def _two_sides(why: _Explanation, term: Term, left: Term, sign: str, right: Term, local: Local) -> None:
    why.beneath(left, local)
    why.beneath(right, local)
    label = "" if why.evaluator.is_constant(left) else f"{left.text}: "
    source = "" if why.evaluator.is_constant(right) else f" ({right.text})"
    sides = f"{why.say(why.value(left, local))} {sign} {why.say(why.value(right, local))}"
    why.steps.append(f"{label}{sides}{source}{say_missing(why.value(term, local))}")


def _named(why: _Explanation, term: Term, local: Local) -> None:
    why.beneath(term, local)
    if term.type.kind not in ("ref", "event", "list", "record"):
        why.note(term, local)


# ---------------------------------------------------------------- lists


def _each(why: _Explanation, term: terms.Each, local: Local) -> None:
    items, value = why.evaluator.items(term.list)(why.scope, local), why.value(term, local)
    where = term.list.text
    if isinstance(items, Unknown):
        why.steps.append(f"{where}: ?{say_missing(items)}")
    elif not items:
        why.steps.append(f"{where}: there are none")
    elif term.name == "sum":
        why.steps.append(f"sum of {term.body.text} over {len(items)} of {where}: {why.say(value)}{say_missing(value)}")
    elif value is (term.name == "all"):
        why.steps.append(f"{'all' if value else 'none'} of {len(items)} in {where}: {term.body.text}")
    else:
        _deciding_items(why, term, list(items), value, local)


def _deciding_items(why: _Explanation, term: terms.Each, items: list[Any], value: Any, local: Local) -> None:
    """Adds the steps of the first item that decides or, where none does, of every item that cannot be told."""
    for number, item in enumerate(items, 1):
        inside = (*local, item)
        found = why.value(term.body, inside)
        if isinstance(value, Unknown):
            if isinstance(found, Unknown):
                why.steps.append(f"cannot tell of {_label(why, item, number)} in {term.list.text}")
                why.walk(term.body, inside)
        elif found is value:
            why.steps.append(f"{'one' if value else 'not all'} in {term.list.text}: {_label(why, item, number)}")
            why.walk(term.body, inside)
            return


def _label(why: _Explanation, item: Any, number: int) -> str:
    if isinstance(item, Mapping):
        return why.say(item["id"]) if item.get("id") is not None else f"number {number}"
    return f"number {number}" if isinstance(item, Unknown) else why.say(item)


# ---------------------------------------------------------------- what has happened


def _history(why: _Explanation, term: terms.History, local: Local) -> None:
    why.beneath(term.thing, local)
    events, value = events_of(why.evaluator, term)(why.scope, local), why.value(term, local)
    what = " or ".join(term.events)
    if not isinstance(term.thing, terms.Subject):
        what += f" of {term.thing.text}"
    if term.window is not None:
        what += f" in {term.window}"
    if term.fits is not None:
        what += f" with {term.fits.text}"
    if isinstance(value, Unknown):
        why.steps.append(f"{what}: ?{say_missing(value)}")
        return
    fitting = [e for e in events if term.fits is None or why.value(term.fits, (*local, e)) is True]
    if not fitting:
        why.steps.append(f"no {what}" + (f" (of {len(events)})" if events else ""))
        return
    shown = {"happened": fitting[:1], "first": fitting[:1], "last": fitting[-1:], "count": fitting}[term.name]
    said = ", ".join(f"{event.id} ({why.say(event.moment)})" for event in shown)
    why.steps.append(f"{f'{term.name} ' if term.name in ('first', 'last') else ''}{what}: {said}")
    if term.fits is not None and term.name != "count":
        why.walk(term.fits, (*local, *shown))


_WALKS: dict[type[Term], Callable[[_Explanation, Any, Local], None]] = {
    terms.AllOf: _parts,
    terms.AnyOf: _parts,
    terms.IfElse: _if_else,
    terms.Known: _Explanation.note,
    terms.Compare: _compare,
    terms.In: _in,
    terms.Each: _each,
    terms.History: _history,
    **dict.fromkeys(_NAMED, _named),
}
