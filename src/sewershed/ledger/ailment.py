"""What the doctor says of something that is wrong, and how what can be cured is cured."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

MOST_ROUNDS = 5  # a cure may bring another ailment to light


@dataclass(frozen=True, slots=True)
class Ailment:
    """Something wrong: what, why it matters, what to do, and the cure where there is one that loses nothing."""

    what: str
    matters: str
    do: str
    cure: Callable[[], None] | None = None

    def __str__(self) -> str:
        return f"{self.what}. {self.matters} {self.do}"


def cure_all(examine: Callable[[], list[Ailment]], progress: Callable[[str], None]) -> list[Ailment]:
    """Cures what can be cured without losing anything, looking again after each round, and returns what is left.

    Args:
        examine: looks what is wrong.
        progress: told of each cure.
    """
    left = examine()
    for _ in range(MOST_ROUNDS):
        cures = [(one, one.cure) for one in left if one.cure is not None]
        if not cures:
            break
        for one, cure in cures:
            progress(str(one))
            cure()
        left = examine()
    return left
