"""What the doctor says of something that is wrong."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Ailment:
    """Something wrong: what, why it matters, what to do, and the cure where there is one that loses nothing."""

    what: str
    matters: str
    do: str
    cure: Callable[[], None] | None = None

    def __str__(self) -> str:
        return f"{self.what}. {self.matters} {self.do}"
