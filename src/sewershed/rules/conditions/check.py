"""The typed checker: from what is written to what it means, or to the message that says why it means nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from sewershed.rules.conditions import nodes, terms
from sewershed.rules.conditions.agreement import MOMENTS, NUMBERS, common, described, is_comparable
from sewershed.rules.conditions.calls import FUNCTIONS, METHODS, call_of_program
from sewershed.rules.conditions.errors import ConditionError
from sewershed.rules.conditions.grammar import COMPARISONS
from sewershed.rules.conditions.names import BOOK, Locals, Names
from sewershed.rules.conditions.terms import Term
from sewershed.rules.moments import MomentError, read_day
from sewershed.rules.problems import did_you_mean
from sewershed.rules.types import BOOL, NUMBER, SPAN, Type


class Checker:
    """Gives every piece of a condition its meaning and its type."""

    def __init__(self, names: Names) -> None:
        self.names = names

    def term(self, node: nodes.Node, local: Locals) -> Term:
        """Returns what a piece of a condition means, where the given local names are known."""
        return _MEANINGS[type(node)](self, node, local)

    def truth(self, node: nodes.Node, local: Locals) -> Term:
        """Returns a piece that must be true/false."""
        found = self.term(node, local)
        if found.type != BOOL:
            raise ConditionError(f"{node.text} must be true/false, is {described(found)}")
        return found

    def number(self, node: nodes.Node, local: Locals) -> Term:
        """Returns a piece that must be a number or money."""
        found = self.term(node, local)
        if found.type.kind not in NUMBERS:
            raise ConditionError(f"{node.text} must be a number, is {described(found)}")
        return found

    def one_type(self, items: Sequence[Term], what: str) -> Type:
        """Returns the type that all items have in common; `what` says what is done with two that have none."""
        first, *others = items
        shared = first.type
        for item in others:
            both = common(shared, item.type)
            if both is None:
                raise ConditionError(f"cannot {what} {described(first)} and {described(item)}")
            shared = both
        return shared


# ---------------------------------------------------------------- what is written


def _literal(checker: Checker, node: nodes.Literal, local: Locals) -> Term:
    if isinstance(node.value, str):
        return terms.Constant(Type("choice", words=(node.value,)), node.text, node.value, is_written=True)
    return terms.Constant(BOOL if isinstance(node.value, bool) else NUMBER, node.text, node.value)


def _name(checker: Checker, node: nodes.Name, local: Locals) -> Term:
    return checker.names.root(node.text, local)


def _field(checker: Checker, node: nodes.Field, local: Locals) -> Term:
    path = _path(node)
    if path[0] == BOOK and BOOK not in checker.names.roots and BOOK not in local:
        return checker.names.ask(".".join(path[1:]), node.text)
    return checker.names.part(checker.term(node.of, local), node.name, node.text)


def _call(checker: Checker, node: nodes.Call, local: Locals) -> Term:
    if node.of is not None:
        if node.name not in METHODS:
            raise ConditionError(f"unknown function '.{node.name}'{did_you_mean(node.name, METHODS)}")
        return METHODS[node.name](checker, node, local)
    if node.name in FUNCTIONS:
        return FUNCTIONS[node.name](checker, node, local)
    if node.name in checker.names.functions:
        return call_of_program(checker, node, local)
    known = (*FUNCTIONS, *checker.names.functions)
    raise ConditionError(f"unknown function '{node.name}'{did_you_mean(node.name, known)}")


def _list(checker: Checker, node: nodes.ListOf, local: Locals) -> Term:
    if not node.items:
        raise ConditionError("an empty list holds nothing; leave it out")
    items = tuple(checker.term(item, local) for item in node.items)
    return terms.ListOf(Type("list", item=checker.one_type(items, "list together")), node.text, items)


# ---------------------------------------------------------------- truth


def _connective(checker: Checker, node: nodes.Connective, local: Locals) -> Term:
    parts = tuple(checker.truth(part, local) for part in node.parts)
    return (terms.AllOf if node.sign == "&&" else terms.AnyOf)(BOOL, node.text, parts)


def _if_else(checker: Checker, node: nodes.IfElse, local: Locals) -> Term:
    test, yes, no = checker.truth(node.test, local), checker.term(node.yes, local), checker.term(node.no, local)
    return terms.IfElse(checker.one_type((yes, no), "choose between"), node.text, test, yes, no)


def _sign(checker: Checker, node: nodes.Sign, local: Locals) -> Term:
    if node.sign == "!":
        return terms.Not(BOOL, node.text, checker.truth(node.of, local))
    of = checker.number(node.of, local)
    return terms.Minus(of.type, node.text, of)


# ---------------------------------------------------------------- two sides


def _binary(checker: Checker, node: nodes.Binary, local: Locals) -> Term:
    left, right = checker.term(node.left, local), checker.term(node.right, local)
    if node.sign == "in":
        return _in(checker, node, left, right)
    if node.sign in COMPARISONS:
        if not is_comparable(left.type, right.type, node.sign):
            raise ConditionError(_not_comparable(node.sign, left, right))
        return terms.Compare(BOOL, node.text, node.sign, left, right)
    return terms.Arithmetic(_result(node.sign, left, right), node.text, node.sign, left, right)


def _in(checker: Checker, node: nodes.Binary, item: Term, listed: Term) -> Term:
    if listed.type.kind != "list" or listed.type.item is None:
        raise ConditionError(f"{node.right.text} must be a list, is {described(listed)}")
    if not is_comparable(item.type, listed.type.item, "=="):
        raise ConditionError(f"cannot compare {described(item)} with {listed.type.item}")
    return terms.In(BOOL, node.text, item, listed)


_MEANINGS: dict[type[nodes.Node], Callable[[Checker, Any, Locals], Term]] = {
    nodes.Literal: _literal,
    nodes.Name: _name,
    nodes.Field: _field,
    nodes.Call: _call,
    nodes.ListOf: _list,
    nodes.Connective: _connective,
    nodes.IfElse: _if_else,
    nodes.Sign: _sign,
    nodes.Binary: _binary,
}


def _path(node: nodes.Node) -> list[str]:
    """Returns the names of ``a.b.c``, or a first one that is no name where the path does not begin with one."""
    names = []
    while isinstance(node, nodes.Field):
        names.append(node.name)
        node = node.of
    return [node.text if isinstance(node, nodes.Name) else "", *reversed(names)]


def _result(sign: str, left: Term, right: Term) -> Type:
    """Returns the type of a sum, difference, product or quotient."""
    a, b = left.type, right.type
    if a.kind in NUMBERS and b.kind in NUMBERS:
        if sign in ("*", "/"):
            return NUMBER  # the check of units ends here
        shared = common(a, b)
        if shared is not None:
            return shared
    elif sign == "-" and a.kind in ("instant", "moment") and b.kind in ("instant", "moment"):
        return SPAN
    raise ConditionError(_no_result(sign, left, right))


def _no_result(sign: str, left: Term, right: Term) -> str:
    a, b = described(left), described(right)
    match sign:
        case "+":
            text = f"cannot add {a} and {b}"
        case "-":
            text = f"cannot subtract {b} from {a}"
        case "*":
            text = f"cannot multiply {a} by {b}"
        case _:
            text = f"cannot divide {a} by {b}"
    if left.type.kind == right.type.kind == "date" and sign == "-":
        return f"{text}; write days({right.text}, {left.text})"
    if left.type.kind in MOMENTS and right.type.kind in NUMBERS and sign in ("+", "-"):
        return f"{text}; write {'add' if sign == '+' else 'sub'}({left.text}, '9 months')"
    return text


def _not_comparable(sign: str, left: Term, right: Term) -> str:
    text = f"cannot compare {described(left)} with {described(right)}"
    if is_comparable(left.type, right.type, "=="):
        return f"{text} by {sign}, only by == and !="
    for day, written in ((left, right), (right, left)):
        if day.type.kind in MOMENTS and isinstance(written, terms.Constant) and written.is_written:
            return f"{text}; {_day_hint(written.value)}"
    return text


def _day_hint(text: str) -> str:
    """Returns how a day is written: the one that the text names, or an example where it names none."""
    try:
        return f'write day("{read_day(text)}")'
    except MomentError:
        return 'write day("2024-02-29")'
