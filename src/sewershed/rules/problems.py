"""What is wrong with a book or a vocabulary: every problem with its file and entry, all reported at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from difflib import get_close_matches


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong: where (file), and what, in a sentence that names the entry and says what to do."""

    file: str
    text: str

    def __str__(self) -> str:
        return f"{self.file}: {self.text}" if self.file else self.text


class Problems:
    """Collects problems while a book is read, so that all are reported together."""

    def __init__(self) -> None:
        self._found: list[Problem] = []

    def add(self, file: str, text: str) -> None:
        """Notes one problem."""
        self._found.append(Problem(file, text))

    def __iter__(self) -> Iterator[Problem]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)


class RulebookError(Exception):
    """A rulebook or vocabulary that cannot be used, with every problem in it."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(str(problem) for problem in self.problems))


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Returns "; did you mean 'x'?" for the nearest known word, or nothing where none is near.

    Example:
        >>> did_you_mean("ORC2", ["orc", "owner"]), did_you_mean("king", ["orc", "owner"])
        ("; did you mean 'orc'?", '')
    """
    words = sorted(known)
    as_small = {one.lower(): one for one in words}  # capitals are not what makes words differ
    near = get_close_matches(word, words, n=1, cutoff=0.6)
    near = near or [as_small[one] for one in get_close_matches(word.lower(), as_small, n=1, cutoff=0.6)]
    return f"; did you mean '{near[0]}'?" if near else ""
