"""What an account may not see: private values outside the town's staff, confidential ones outside a program's."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from sewershed.ledger import rights
from sewershed.ledger.models import Account
from sewershed.rules.vocabulary import Fact, Vocabulary


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
