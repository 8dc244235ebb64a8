"""What an account may not see: private values outside the town's staff, confidential ones outside a program's."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from sewershed.ledger import rights
from sewershed.ledger.models import Account
from sewershed.rules.vocabulary import Fact, Vocabulary

_reader: ContextVar[Account | None] = ContextVar("reader", default=None)
_FIELD = re.compile(r"\{(\w+)")  # of a label, as the vocabulary makes it


@contextmanager
def read_by(account: Account) -> Iterator[None]:
    """Says who reads what is made here, so that names which it may not see are left out wherever things are named."""
    mark = _reader.set(account)
    try:
        yield
    finally:
        _reader.reset(mark)


def reader() -> Account | None:
    """Returns who reads what is made here; None where nobody was named: then names are whole."""
    return _reader.get()


class Privacy:
    """Tells what is hidden from one account."""

    word = "(private)"  # stands where a value is left out

    def __init__(self, account: Account, vocabulary: Vocabulary) -> None:
        self.account = account
        self.vocabulary = vocabulary
        self._is_inside = rights.is_inside(account)

    def hides(self, thing_type: str, name: str) -> bool:
        """Tells whether a fact of a type of thing is hidden."""
        kind = self.vocabulary.things.get(thing_type)
        return kind is not None and self._hides(kind.facts.get(name), kind.program)

    def hides_label(self, thing_type: str) -> bool:
        """Tells whether things of a type are called by something hidden, as a person is by a name."""
        kind = self.vocabulary.things.get(thing_type)
        return kind is not None and any(self.hides(thing_type, name) for name in _FIELD.findall(kind.label))

    def label(self, thing_type: str, label: str) -> str:
        """Returns what a thing is called, or that this is hidden."""
        return f"{thing_type.replace('_', ' ')} {self.word}" if self.hides_label(thing_type) else label

    def hides_datum(self, event: str, name: str) -> bool:
        """Tells whether a datum of an event is hidden."""
        kind = self.vocabulary.events.get(event)
        return kind is not None and self._hides(kind.data.get(name), kind.program)

    def _hides(self, fact: Fact | None, program: str) -> bool:
        if fact is None:
            return False
        if fact.private and not self._is_inside:
            return True
        return fact.confidential and not rights.sees_confidential(self.account, program)

    def data(self, kind: str, name: str, said: Mapping[str, Any]) -> dict[str, Any]:
        """Returns the data of a row with what is hidden left out; `kind` and `name` are those of the row."""
        hides = self.hides_datum if kind == "event" else self.hides
        return {key: self.word if hides(name, key) and value is not None else value for key, value in said.items()}

    def steps(self, steps: Iterable[str]) -> list[str]:
        """Returns the steps of a why with the values of hidden facts left out."""
        return [self._step(step) for step in steps]

    def _step(self, step: str) -> str:
        name, colon, _ = step.partition(":")
        owner, dot, fact = name.rpartition(".")
        last = owner.rpartition(".")[2]
        is_hidden = bool(colon and dot) and (self.hides(last, fact) or self.hides_datum(last, fact))
        return f"{name}: {self.word}" if is_hidden else step
