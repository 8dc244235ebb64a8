"""What a condition may see of the world, and nothing more."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from sewershed.rules.calendars import Calendar
from sewershed.rules.record import Event, Moment
from sewershed.rules.spans import Span
from sewershed.rules.types import Thing, Value
from sewershed.rules.unknown import Unknown

Local = tuple[Any, ...]  # the values of `it` and of the variables of lists, the outermost first


class Scope(Protocol):
    """The world as one condition sees it, at one moment. Nothing it returns is ever None: what is missing is an `Unknown`."""

    @property
    def calendar(self) -> Calendar:
        """Returns the calendar with which spans are added and subtracted."""

    def root(self, name: str) -> Value | Event | Unknown:
        """Returns the value of a name that the condition starts from: ``premises``, ``event``, ``today``."""

    def fact(self, thing: Thing, name: str) -> Value | Unknown:
        """Returns a fact of a thing; references come back as `Thing`, a ``has`` list as a tuple of `Thing`."""

    def events(self, thing: Thing, names: tuple[str, ...]) -> Sequence[Event]:
        """Returns the events of a thing that this condition may see and that are of one of the named types, in order."""

    def subject(self) -> Thing:
        """Returns the thing that ``happened``, ``last`` and ``count`` are about where no other is named."""

    def now(self) -> Moment:
        """Returns the moment at which windows of ``count`` end."""

    def forgets(self, moment: Moment, window: Span) -> None:
        """Is told that something of a moment lies in a window; as the moment goes on it will not."""

    def ask(self, name: str) -> Value | Unknown:
        """Returns the answer of the book in force to what a program asks of it: ``book.<ask>``."""

    def meets(self, id: str) -> bool | Unknown:
        """Tells whether the thing or event at hand meets a standard."""


Run = Callable[[Scope, Local], Any]  # a compiled piece of a condition: from what it sees to its value, or an Unknown
