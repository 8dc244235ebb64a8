"""How the ordinance runs: clause by clause, what the town's system makes of the text, for the attorney to check and sign.

It is not the ordinance. It says in our words what each clause means, how it runs, how doubts are read until somebody settles
them, and which worked cases prove it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date

TEMPLATE = "town/papers/how_it_runs.typ"
BANNER = (
    "This is not the ordinance. It says in our own words how the desk reads each clause. Where it differs from the text "
    "that was adopted, the text holds."
)


@dataclass(frozen=True, slots=True)
class LineSaid:
    """A labelled line of what an entry says."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class ReadingRuns:
    """One way to read an unclear text: by what it governs, if it does, and what it says besides."""

    name: str
    note: str
    lines: tuple[LineSaid, ...]


@dataclass(frozen=True, slots=True)
class DoubtRuns:
    """What the text leaves open, the readings, and which one is applied."""

    id: str
    means: str
    readings: tuple[str, ...]
    stands: str


@dataclass(frozen=True, slots=True)
class CaseRuns:
    """A worked case: what it is, what must come out, and from where that is known."""

    name: str
    expected: tuple[str, ...]
    origin: str


@dataclass(frozen=True, slots=True)
class RuleRuns:
    """An entry that carries a clause, as it runs. One that is printed before says where, and nothing more."""

    id: str
    means: str
    kind: str
    cites: str
    edition: str
    lines: tuple[LineSaid, ...] = ()
    readings: tuple[ReadingRuns, ...] = ()
    doubts: tuple[DoubtRuns, ...] = ()
    cases: tuple[CaseRuns, ...] = ()
    more_cases: int = 0
    from_memory: str = ""
    note: str = ""
    printed_at: str = ""


@dataclass(frozen=True, slots=True)
class ClauseRuns:
    """A clause: where it stands, what it means, what became of it, what carries it."""

    id: str
    cite: str
    means: str
    status: str
    said: str
    carriers: tuple[str, ...]
    doubts: tuple[DoubtRuns, ...]  # that no entry of it carries
    rules: tuple[RuleRuns, ...]

    @property
    def is_read(self) -> bool:
        """Tells whether there is something to sign: a clause that nobody has read yet has nothing."""
        return self.status != "unread"


@dataclass(frozen=True, slots=True)
class ArticleRuns:
    """An article with its clauses in the order of the text."""

    name: str
    text: str  # the text it belongs to; empty where it is that of the article before
    clauses: tuple[ClauseRuns, ...]

    @property
    def is_headed(self) -> bool:
        """Tells whether it wants a heading of its own: where all its clauses are cited by its name, they are headed by it."""
        return any(one.cite != self.name for one in self.clauses)

    @property
    def parts(self) -> Iterator[tuple[bool, tuple[ClauseRuns, ...]]]:
        """Yields the clauses one by one as far as they were read, and those between them that were not together."""
        unread: list[ClauseRuns] = []
        for one in self.clauses:
            if not one.is_read:
                unread.append(one)
                continue
            if unread:
                yield False, tuple(unread)
                unread = []
            yield True, (one,)
        if unread:
            yield False, tuple(unread)


@dataclass(frozen=True, slots=True)
class HowItRuns:
    """The whole, or a part of it."""

    town: str
    part: str  # an article, a text or a program; empty for all
    editions: tuple[str, ...]  # the books with their editions
    day: date
    counts: tuple[tuple[int, str], ...]  # of clauses, by what became of them
    doubts: int  # open ones among them
    from_memory: int  # entries that nobody held against the text
    articles: tuple[ArticleRuns, ...]


def build(runs: HowItRuns) -> dict[str, object]:
    """Returns the data of the paper.

    Edge: what nobody has read yet stands in it with what it says, so that nobody takes it for carried.
    """
    return {
        "banner": BANNER,
        "town": runs.town,
        "part": runs.part or None,
        "editions": list(runs.editions),
        "day": runs.day.isoformat(),
        "counts": [{"count": count, "said": said} for count, said in runs.counts],
        "doubts": runs.doubts,
        "from_memory": runs.from_memory,
        "articles": [
            {
                "name": one.name,
                "text": one.text or None,
                "is_headed": one.is_headed,
                "parts": [_part(*part) for part in one.parts],
            }
            for one in runs.articles
        ],
    }


def _part(is_read: bool, clauses: Sequence[ClauseRuns]) -> Mapping[str, object]:
    return {"is_read": is_read, "clauses": [asdict(one) for one in clauses]}
