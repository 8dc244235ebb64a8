"""The functions of the condition language, one check a function (docs/explanation/rulebook.md 6, the table).

What a function does with its values stands in the evaluator; here is what it takes, and what comes out.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from sewershed.rules.conditions import nodes, terms
from sewershed.rules.conditions.agreement import MOMENTS, NUMBERS, described, fits
from sewershed.rules.conditions.errors import ConditionError
from sewershed.rules.conditions.names import BOOK, IT, Locals
from sewershed.rules.conditions.terms import Term
from sewershed.rules.moments import MomentError, read_day
from sewershed.rules.spans import Span, SpanError, parse_span
from sewershed.rules.types import BOOL, DATE, INSTANT, NUMBER, SPAN, Type

if TYPE_CHECKING:
    from sewershed.rules.conditions.check import Checker

Meaning = Callable[["Checker", nodes.Call, Locals], Term]

_USAGE = {
    "known": "known(x)",
    "happened": "happened('event') or happened('event', condition)",
    "first": "first('event') or first('event', condition)",
    "last": "last('event') or last('event', condition)",
    "count": "count('event'), count('event', condition) or count('event', condition, '5 years')",
    "size": "size(list)",
    "add": "add(date, '9 months')",
    "sub": "sub(date, '9 months')",
    "days": "days(first, last)",
    "date": "date(instant)",
    "day": "day('2024-02-29')",
    "span": "span('24 hours')",
    "min": "min(a, b)",
    "max": "max(a, b)",
    "meets": "meets('id')",
    "all": "list.all(x, condition)",
    "exists": "list.exists(x, condition)",
    "sum": "list.sum(x, number)",
}


def _usage(node: nodes.Call) -> ConditionError:
    return ConditionError(f"cannot use {node.text} so; write {_USAGE[node.name]}")


def _takes(node: nodes.Call, least: int, most: int) -> tuple[nodes.Node, ...]:
    """Returns the arguments of a call, which must be so many."""
    if not least <= len(node.arguments) <= most:
        raise _usage(node)
    return node.arguments


def _written(node: nodes.Call, argument: nodes.Node) -> str:
    """Returns the text of an argument that must stand between quotation marks."""
    if not (isinstance(argument, nodes.Literal) and isinstance(argument.value, str)):
        raise _usage(node)
    return argument.value


def _span(text: str) -> Span:
    try:
        span = parse_span(text)
    except SpanError as error:
        raise ConditionError(str(error)) from None
    if span.unsaid:
        raise ConditionError(f'"{text}" leaves open which days; a condition says days or business days')
    return span


def _next_slot(local: Locals) -> int:
    """Returns where the value of a new local name will stand. Edge: a hidden `it` keeps its place."""
    return 1 + max((known.slot for known in local.values()), default=-1)


# --------------------------------------------------------------------------- values


def _known(checker: Checker, node: nodes.Call, local: Locals) -> Term:
    (of,) = _takes(node, 1, 1)
    return terms.Known(BOOL, node.text, checker.term(of, local))


def _extreme(checker: Checker, node: nodes.Call, local: Locals) -> Term:
    items = tuple(checker.term(item, local) for item in _takes(node, 2, len(node.arguments)))
    shared = checker.one_type(items, f"take the {node.name} of")
    if shared.kind not in (*NUMBERS, *MOMENTS):
        raise ConditionError(f"{node.name} takes numbers, dates or instants, not {described(items[0])}")
    return terms.Extreme(shared, node.text, node.name, items)


def _meets(checker: Checker, node: nodes.Call, local: Locals) -> Term:
    (standard,) = _takes(node, 1, 1)
    return terms.Meets(BOOL, node.text, checker.names.standard(_written(node, standard)))


def call_of_program(checker: Checker, node: nodes.Call, local: Locals) -> Term:
    """Returns a call of a function that a program offers, its arguments of the types and units it declares."""
    function = checker.names.functions[node.name]
    if len(node.arguments) != len(function.args):
        raise ConditionError(f"cannot use {node.text} so; write {function}")
    arguments = tuple(checker.term(argument, local) for argument in node.arguments)
    for argument, (name, wanted) in zip(arguments, function.args, strict=True):
        if not fits(argument.type, wanted):
            raise ConditionError(f"{node.name}: {name} must be {wanted}, is {described(argument)}")
    return terms.Calculated(function.result, node.text, function.call, arguments)


# --------------------------------------------------------------------------- time


def _shift(checker: Checker, node: nodes.Call, local: Locals) -> Term:
    of, amount = _takes(node, 2, 2)
    moment, span = checker.term(of, local), _span(_written(node, amount))
    if moment.type.kind not in MOMENTS:
        raise ConditionError(f"{node.name} takes a date or instant, not {described(moment)}")
    result = INSTANT if span.unit in ("minutes", "hours") else DATE
    return terms.Shift(result, node.text, node.name, moment, span)


def _days(checker: Checker, node: nodes.Call, local: Locals) -> Term:
    first, last = (checker.term(argument, local) for argument in _takes(node, 2, 2))
    for side in (first, last):
        if side.type.kind in ("instant", "moment"):
            raise ConditionError(f"days takes dates, not {described(side)}; write date({side.text})")
        if side.type != DATE:
            raise ConditionError(f"days takes dates, not {described(side)}")
    return terms.DaysBetween(Type("number", unit="days"), node.text, first, last)


def _date(checker: Checker, node: nodes.Call, local: Locals) -> Term:
    (of,) = _takes(node, 1, 1)
    moment = checker.term(of, local)
    if moment.type.kind not in ("instant", "moment"):
        raise ConditionError(f"date takes an instant, not {described(moment)}")
    return terms.DateOf(DATE, node.text, moment)


def _day(checker: Checker, node: nodes.Call, local: Locals) -> Term:
    (of,) = _takes(node, 1, 1)
    text = _written(node, of)
    try:
        return terms.Constant(DATE, node.text, read_day(text))
    except MomentError:
        raise ConditionError(f"""'{text}' is not a date; write day("2024-02-29")""") from None


def _length(checker: Checker, node: nodes.Call, local: Locals) -> Term:
    (of,) = _takes(node, 1, 1)
    span = _span(_written(node, of))
    if span.length is None:
        raise ConditionError(
            f"span takes minutes, hours, days or weeks; '{span}' has no fixed length, write add or sub"
        )
    return terms.Constant(SPAN, node.text, span.length)


# --------------------------------------------------------------------------- lists


def _listed(checker: Checker, node: nodes.Call, of: nodes.Node, local: Locals) -> tuple[Term, Type]:
    listed = checker.term(of, local)
    if listed.type.kind != "list" or listed.type.item is None:
        raise ConditionError(f"{node.name} takes a list, not {described(listed)}")
    return listed, listed.type.item


def _size(checker: Checker, node: nodes.Call, local: Locals) -> Term:
    (of,) = _takes(node, 1, 1)
    listed, _ = _listed(checker, node, of, local)
    return terms.Size(NUMBER, node.text, listed)


def _each(checker: Checker, node: nodes.Call, local: Locals) -> Term:
    variable, body = _takes(node, 2, 2)
    if node.of is None or not isinstance(variable, nodes.Name):
        raise _usage(node)
    listed, item = _listed(checker, node, node.of, local)
    name = variable.text
    if name in local or name in checker.names.roots or name in (BOOK, IT):
        raise ConditionError(f"'{name}' is a name already; call the item of the list otherwise")
    inside = {**local, name: terms.Local(item, name, _next_slot(local), source=listed)}
    if node.name == "sum":
        each = checker.number(body, inside)
        return terms.Each(each.type, node.text, node.name, listed, each)
    return terms.Each(BOOL, node.text, node.name, listed, checker.truth(body, inside))


# --------------------------------------------------------------------------- what has happened


def _history(checker: Checker, node: nodes.Call, local: Locals) -> Term:
    event, *more = _takes(node, 1, 3 if node.name == "count" else 2)
    if node.of is None:
        thing: Term = terms.Subject(Type("ref"), "")
        about = checker.names.things_at_hand()
    else:
        thing = checker.term(node.of, local)
        if thing.type.kind != "ref":
            raise ConditionError(f"{node.name} takes a thing, not {described(thing)}")
        about = (thing.type.to,)
    events = checker.names.event_types(_written(node, event), about)
    event_type = Type("event", events=events)
    over_it: Term | None = None
    if more:
        over_it = checker.truth(more[0], {**local, IT: terms.Local(event_type, IT, _next_slot(local))})
        if isinstance(over_it, terms.Constant) and over_it.value is True:
            over_it = None
    window = _span(_written(node, more[1])) if len(more) == 2 else None
    result = {"happened": BOOL, "first": event_type, "last": event_type, "count": NUMBER}[node.name]
    return terms.History(result, node.text, node.name, thing, events, over_it, window)


FUNCTIONS: dict[str, Meaning] = {
    "known": _known,
    "happened": _history,
    "first": _history,
    "last": _history,
    "count": _history,
    "size": _size,
    "add": _shift,
    "sub": _shift,
    "days": _days,
    "date": _date,
    "day": _day,
    "span": _length,
    "min": _extreme,
    "max": _extreme,
    "meets": _meets,
}

METHODS: dict[str, Meaning] = {
    "happened": _history,
    "first": _history,
    "last": _history,
    "count": _history,
    "all": _each,
    "exists": _each,
    "sum": _each,
}
