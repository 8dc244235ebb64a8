"""What a condition may name: the names it starts from, facts, events with their data, asks, functions and standards.

Everything is looked up in the vocabulary when the condition is compiled; what is not there is an error with the nearest
name that is. What was looked up is remembered: it is all that the condition can ever read.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from sewershed.rules.conditions.agreement import described
from sewershed.rules.conditions.errors import ConditionError
from sewershed.rules.conditions.terms import Ask, Datum, EventPart, ItemField, Local, Root, Term, ThingFact
from sewershed.rules.doors import Function
from sewershed.rules.problems import did_you_mean
from sewershed.rules.types import Type
from sewershed.rules.vocabulary import RESERVED_FIELDS, Vocabulary

BOOK = "book"
IT = "it"
Locals = Mapping[str, Local]


class Names:
    """Resolves names, and remembers which facts, events, asks and standards were named."""

    def __init__(
        self,
        roots: Mapping[str, Type],
        vocabulary: Vocabulary,
        functions: Mapping[str, Function],
        standards: Collection[str],
    ) -> None:
        self.roots = roots
        self.vocabulary = vocabulary
        self.functions = functions
        self._standards = standards
        self.facts: set[tuple[str, str]] = set()
        self.events: set[str] = set()
        self.asks: set[str] = set()
        self.standards: set[str] = set()

    def root(self, name: str, local: Locals) -> Term:
        """Returns what a name that stands alone means: a local one, else one the condition starts from."""
        if name in local:
            return local[name]
        if name not in self.roots:
            if name == BOOK:
                raise ConditionError("book needs the name of what is asked of it, e.g. book.limit_x")
            raise ConditionError(f"unknown name '{name}'{did_you_mean(name, (*self.roots, *local))}")
        return Root(self.roots[name], name, name)

    def part(self, of: Term, name: str, text: str) -> Term:
        """Returns ``of.name``: a fact of a thing, what an event has, or a field of a record."""
        if of.type.kind == "ref":
            found: Term = self._fact(of, name, text)
        elif of.type.kind == "event":
            found = self._datum(of, name, text)
        elif of.type.kind == "record":
            field = of.type.field(name)
            if field is None:
                known = [field for field, _ in of.type.fields]
                raise ConditionError(f"{of.text} has no '{name}'{did_you_mean(name, known)}")
            found = ItemField(field, text, of, name)
        else:
            raise ConditionError(f"{of.text} is {described(of)} and has no '{name}'")
        if found.type.kind == "geometry":
            raise ConditionError(f"{text} is a geometry, which conditions cannot name")
        return found

    def _fact(self, of: Term, name: str, text: str) -> ThingFact:
        thing = self.vocabulary.things.get(of.type.to)
        if thing is None:
            raise ConditionError(f"no thing '{of.type.to}'{did_you_mean(of.type.to, self.vocabulary.things)}")
        self.facts.add((thing.name, name))
        if name in thing.facts:
            return ThingFact(thing.facts[name].type, text, of, name)
        if name in thing.has:
            return ThingFact(Type("list", item=Type("ref", to=thing.has[name].many)), text, of, name)
        raise ConditionError(f"{thing.name} has no '{name}'{did_you_mean(name, (*thing.facts, *thing.has))}")

    def _datum(self, of: Term, name: str, text: str) -> Term:
        if name == "kind":
            return EventPart(Type("choice", words=of.type.events), text, of, name)
        if name in RESERVED_FIELDS:
            return EventPart(RESERVED_FIELDS[name], text, of, name)
        events = [self.vocabulary.events[event] for event in of.type.events]
        found = {event.name: event.data[name] for event in events if name in event.data}
        if not found:
            known = [*RESERVED_FIELDS, *(key for event in events for key in event.data)]
            raise ConditionError(f"{'|'.join(of.type.events)} has no '{name}'{did_you_mean(name, known)}")
        (first, fact), *others = found.items()
        for other, second in others:
            if second.type != fact.type:
                raise ConditionError(f"'{name}' is {fact.type} in {first} and {second.type} in {other}")
        return Datum(fact.type, text, of, name, {event: f.judged_by for event, f in found.items() if f.judged_by})

    def ask(self, path: str, text: str) -> Ask:
        """Returns ``book.<path>``."""
        if path not in self.vocabulary.asks:
            raise ConditionError(f"no program asks '{path}'{did_you_mean(path, self.vocabulary.asks)}")
        self.asks.add(path)
        return Ask(self.vocabulary.asks[path], text, path)

    def event_types(self, text: str, things: Iterable[str]) -> tuple[str, ...]:
        """Returns the types of event in a text such as ``ev|ev2``, which must be about one of the types of things.

        Edge: without any things, events about everything will do.
        """
        names, things = tuple(dict.fromkeys(text.split("|"))), tuple(things)
        for name in names:
            event = self.vocabulary.events.get(name)
            if event is None:
                raise ConditionError(f"unknown event '{name}'{did_you_mean(name, self.vocabulary.events)}")
            if event.on and things and event.on not in things:
                about = " or ".join(_with_article(thing) for thing in things)
                raise ConditionError(f"event {name} is about {_with_article(event.on)}, not {about}")
        self.events.update(names)
        return names

    def things_at_hand(self) -> tuple[str, ...]:
        """Returns the types of the things that stand under their own names."""
        return tuple(name for name, root in self.roots.items() if root.kind == "ref" and root.to == name)

    def standard(self, id: str) -> str:
        """Returns the id of a standard, which must be there."""
        if id not in self._standards:
            raise ConditionError(f"no standard '{id}'{did_you_mean(id, self._standards)}")
        self.standards.add(id)
        return id


def _with_article(noun: str) -> str:
    return f"an {noun}" if noun[:1] in "aeiou" else f"a {noun}"
