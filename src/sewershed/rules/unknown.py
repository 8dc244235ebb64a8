"""The third truth value: what cannot be told, and what is wanting to tell it.

A missing fact is never a pass. Wherever a value could not be worked out, an `Unknown` stands in its place and carries
its wants: each names what is missing and who can answer.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import Literal, NoReturn

WantKind = Literal[
    "fact",  # a fact of a thing or a datum of an event that nobody has recorded
    "event",  # something that has not happened, or is not recorded
    "time_of_day",  # only the day of something is known and its time decides
    "decision",  # a person must decide (a judged fact)
    "office",  # it was done in an office that whoever did it did not hold that day
    "doubt",  # the text has several readings and nobody has settled which
    "gap",  # the text leaves a gap
    "silence",  # the text sets nothing
    "no_figure",  # the table has no figure
    "no_answer",  # no rulebook in force answers
    "arithmetic",  # division by zero
]


@dataclass(frozen=True, slots=True)
class Want:
    """One thing that must be known before an answer can be given."""

    kind: WantKind
    what: str  # "spill.contained", "spill_assessed", "D-SH-04", the id of an entry, an office
    thing: str = ""  # the id of the thing it is asked about
    who: str = ""  # who may answer, in the words of the vocabulary or the book; of an office, the person who did it
    event: str = ""  # the root id of the event whose datum or time of day is wanted
    day: date | None = None  # the day that is known, where only its time is wanting

    def __str__(self) -> str:
        """Returns the want as a short phrase."""
        match self.kind:
            case "decision":
                return f"{self.what}, to be decided by {self.who}"
            case "doubt":
                return f"{self.what}, to be settled by {self.who}"
            case "time_of_day":
                return f"the time of day of {self.event or self.what}"
            case "office" if self.who:
                return f"{self.who} did not hold {self.what} on {self.day}"
            case "office":
                return f"nobody is named who did it as {self.what}"
            case "gap":
                return f"{self.what}: the text leaves a gap{self._to_decide()}"
            case "silence":
                return f"{self.what}: the text sets nothing{self._to_decide()}"
            case "no_figure":
                return f"{self.what}: the table has no figure{self._to_decide()}"
            case "no_answer":
                return f"{self.what}: no rulebook in force answers"
            case "arithmetic":
                return self.what
            case _:
                return self.what

    def _to_decide(self) -> str:
        return f", to be decided by {self.who}" if self.who else ""


@dataclass(frozen=True, slots=True)
class Unknown:
    """A value that cannot be told, with everything that is wanting, each named once, in the order met."""

    wants: tuple[Want, ...]

    def __bool__(self) -> NoReturn:
        """Refuses: an unknown is neither true nor false.

        Raises:
            TypeError: always, so that no ``if`` takes a missing fact for a no.
        """
        raise TypeError("an unknown is neither true nor false")

    def __or__(self, other: Unknown) -> Unknown:
        """Returns an unknown with the wants of both."""
        return unknown(self.wants + other.wants)


def unknown(wants: Iterable[Want]) -> Unknown:
    """Returns an unknown with the given wants, each once."""
    found = tuple(wants)
    return Unknown(found if len(found) < 2 else tuple(dict.fromkeys(found)))
