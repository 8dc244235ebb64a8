"""What an answer rests on: the things that were read for it, and how long it holds while nobody records anything."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime


@dataclass(slots=True)
class Basis:
    """What was read while something was worked out, noted so that it is worked out anew when it must be, and not before."""

    things: set[str] = field(default_factory=set)
    until: datetime | None = None  # the next instant at which, or after which, it may be another; None: never by itself

    def changes_at(self, moment: datetime) -> None:
        """Notes an instant at or after which what was worked out may be another."""
        if self.until is None or moment < self.until:
            self.until = moment

    def take(self, other: Basis) -> None:
        """Adds what another answer rests on, which was made use of."""
        if other.things:
            self.things |= other.things
        if other.until is not None:
            self.changes_at(other.until)
