"""A condition of a rulebook, compiled: what the rest of the engine asks and reads."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from zoneinfo import ZoneInfo

from sewershed.rules.conditions.agreement import described, fits
from sewershed.rules.conditions.check import Checker
from sewershed.rules.conditions.errors import ConditionError
from sewershed.rules.conditions.evaluate import Evaluator
from sewershed.rules.conditions.explain import steps_of
from sewershed.rules.conditions.grammar import parse
from sewershed.rules.conditions.names import Names
from sewershed.rules.conditions.scope import Scope
from sewershed.rules.conditions.terms import Term
from sewershed.rules.doors import Function
from sewershed.rules.record import Event
from sewershed.rules.types import BOOL, Type, Value
from sewershed.rules.unknown import Unknown
from sewershed.rules.vocabulary import Vocabulary

NO_FUNCTIONS: Mapping[str, Function] = {}


class Condition:
    """One condition: its text, its type, all that it can ever read, and its value in a world.

    Attributes:
        source: the text of the rulebook.
        type: the type of its value. A text between quotation marks is a choice of that one word.
        facts: the facts it reads, each as (type of thing, fact); ``has`` lists among them.
        events: the types of event it looks for with ``happened``, ``last`` and ``count``.
        asks: what it asks of the book.
        standards: the standards it asks with ``meets``.
    """

    __slots__ = ("_evaluator", "_run", "_term", "_zone", "asks", "events", "facts", "source", "standards", "type")

    def __init__(self, source: str, term: Term, names: Names, zone: ZoneInfo | None) -> None:
        self.source = source
        self.type: Type = term.type
        self.facts = frozenset(names.facts)
        self.events = frozenset(names.events)
        self.asks = frozenset(names.asks)
        self.standards = frozenset(names.standards)
        self._term = term
        self._zone = zone
        self._made_for(zone or ZoneInfo("UTC"))

    def _made_for(self, zone: ZoneInfo) -> None:
        self._evaluator = Evaluator(zone)
        self._run = self._evaluator.run(self._term)

    def evaluate(self, scope: Scope) -> Value | Event | Unknown:
        """Returns the value of the condition in a world, or an unknown with everything that is missing to tell it."""
        if self._zone is None and scope.calendar.zone is not self._evaluator.zone:
            self._made_for(scope.calendar.zone)
        value: Value | Event | Unknown = self._run(scope, ())
        return value

    def explain(self, scope: Scope) -> tuple[Value | Event | Unknown, tuple[str, ...]]:
        """Returns the same value as `evaluate`, and the steps that led to it, such as ``house.width_ft: 120 < 100``."""
        return self.evaluate(scope), steps_of(self._term, self._evaluator, scope)

    def __repr__(self) -> str:
        return f"<condition {self.source}>"


def compile_condition(
    source: str,
    names: Mapping[str, Type],
    vocabulary: Vocabulary,
    *,
    functions: Mapping[str, Function] = NO_FUNCTIONS,
    expect: Type | None = BOOL,
    zone: ZoneInfo | None,
    standards: Collection[str] = (),
) -> Condition:
    """Returns a condition, read, checked and ready to be asked.

    Args:
        source: the text of the rulebook.
        names: the names it may start from, with their types. A thing under the name of its own type is one that bare
            ``happened``, ``last`` and ``count`` may be about: their events are held against it.
        vocabulary: all that can be recorded, derived facts included.
        functions: the functions that programs offer.
        expect: the type its value must fit; None: any type but a span, which can only be compared.
        zone: the zone of the town's clock; None in a book of several towns, whose own zone is then taken from the scope.
        standards: the ids that ``meets`` may name.

    Refuses: with `ConditionError`, whatever cannot be read or does not go together; the message says what to write.

    Example:
        >>> from sewershed.rules.vocabulary import Fact, ThingType
        >>> width = Fact("width_ft", Type("number", unit="ft"))
        >>> vocabulary = Vocabulary(things={"house": ThingType("house", "town", facts={"width_ft": width})})
        >>> names, zone = {"house": Type("ref", to="house")}, ZoneInfo("America/New_York")
        >>> sorted(compile_condition("house.width_ft > 5", names, vocabulary, zone=zone).facts)
        [('house', 'width_ft')]
        >>> compile_condition("house.widht_ft > 5", names, vocabulary, zone=zone)
        Traceback (most recent call last):
            ...
        sewershed.rules.conditions.errors.ConditionError: house has no 'widht_ft'; did you mean 'width_ft'?
    """
    found = Names(names, vocabulary, functions, standards)
    term = Checker(found).term(parse(source), {})
    if expect is None and term.type.kind == "span":
        raise ConditionError("a span of time can only be compared with another")
    if expect is not None and not fits(term.type, expect):
        raise ConditionError(f"must be {expect}, is {described(term)}")
    return Condition(source, term, found, zone)
