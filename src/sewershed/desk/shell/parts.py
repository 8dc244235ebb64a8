"""What the components show, as plain values: whoever makes a page fills these in, and a component lays them out.

Every text is ready to be read: days and spans in words, numbers with their unit. A component looks nothing up.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from sewershed.desk.shell.marks import mark


@dataclass(frozen=True, slots=True)
class Link:
    """Where something leads. `about` is said by a screen reader alone, where the text is the same in several lines."""

    text: str
    url: str
    about: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of what is due: mark, program, what and on what, whose, how long, which day, clause, what records it."""

    word: str  # the engine's: Overdue, Due soon …
    what: str
    about: str = ""
    url: str = ""
    program: str = ""
    whose: str = ""
    how_long: str = ""
    when: str = ""
    clause: str = ""
    why_url: str = ""
    doubts: int = 0
    doubts_url: str = ""
    act: Link | None = None
    caution: str = ""  # where a rule behind it is from memory

    @property
    def color(self) -> str:
        """Returns the color of its state."""
        return mark(self.word).color


@dataclass(frozen=True, slots=True)
class Group:
    """Lines under one heading."""

    id: str
    word: str
    title: str
    lines: Sequence[Line]
    note: str = ""
    more: Link | None = None
    more_note: str = ""

    @property
    def color(self) -> str:
        """Returns the color of its state."""
        return mark(self.word).color

    @property
    def shape(self) -> str:
        """Returns the shape of its state."""
        return mark(self.word).shape


@dataclass(frozen=True, slots=True)
class Count:
    """A number at the head of a page that leads to its part."""

    word: str
    text: str
    url: str


@dataclass(frozen=True, slots=True)
class Choice:
    """One of the narrower views of a list, with how many lines it has."""

    text: str
    url: str
    count: int | None = None
    is_chosen: bool = False


@dataclass(frozen=True, slots=True)
class Running:
    """Hours that run: how much is left of how much, and between which moments."""

    left: str
    until: str
    used_percent: int
    used: str = ""  # "Of 24 hours, 20 h 40 min are used"
    begins: str = ""
    ends: str = ""
    word: str = "Due soon"

    @property
    def color(self) -> str:
        """Returns the color of its state."""
        return mark(self.word).color


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to understand the text: what it says, where it stands, what follows."""

    value: str
    title: str
    note: str = ""
    effect: str = ""


@dataclass(frozen=True, slots=True)
class Known:
    """A fact as it stands: name, value, and how it is known. `missing` is the word of a fact that is not there."""

    name: str
    value: str = ""
    note: str = ""
    url: str = ""
    missing: str = ""  # "Cannot tell" or "Not recorded": marked, in place of the value
    act: Link | None = None


@dataclass(frozen=True, slots=True)
class Happening:
    """A moment of a timeline. `kind` is empty, or day, key, now or ahead; a day's heading has no time."""

    what: str
    when: str = ""
    moment: str = ""  # as a machine reads it
    note: str = ""
    kind: str = ""
    word: str = ""  # of something ahead: colors it
    url: str = ""

    @property
    def classes(self) -> str:
        """Returns the classes of its line."""
        color = f"is-{mark(self.word).color}" if self.word else ""
        return " ".join(filter(None, (f"is-{self.kind}" if self.kind else "", color)))


@dataclass(frozen=True, slots=True)
class Paper:
    """A document or file."""

    title: str
    url: str
    note: str = ""
    act: Link | None = None


@dataclass(frozen=True, slots=True)
class Working:
    """One way in which a number was found: what was measured, how it was worked out, and the number."""

    method: str
    measured: str
    working: str
    result: str
    is_chosen: bool = False
    papers: Sequence[Paper] = ()  # what it rests on


@dataclass(frozen=True, slots=True)
class Step:
    """One step of an answer, with what it gave."""

    text: str
    result: str = ""
    note: str = ""
    word: str = ""  # colors the result
    depth: int = 0  # 1 and more: what the step above rests on
    raw: str = ""  # as the rule has it, where that is no sentence

    @property
    def color(self) -> str:
        """Returns the color of its result, if it has one."""
        return f"is-{mark(self.word).color}" if self.word else ""


@dataclass(frozen=True, slots=True)
class DoubtShown:
    """A doubt that touches an answer."""

    title: str
    text: str
    act: Link | None = None


@dataclass(frozen=True, slots=True)
class Change:
    """What would change an answer, and into what."""

    when: str
    then: str = ""
    word: str = ""


@dataclass(frozen=True, slots=True)
class Why:
    """One answer explained: clause, words, facts, steps, what is missing, doubts, what would change it."""

    about: str
    question: str
    word: str
    how_long: str
    answer: str
    clause: Sequence[Known]
    steps: Sequence[Step]
    words: Sequence[Known] = ()
    doubts: Sequence[DoubtShown] = ()
    changes: Sequence[Change] = ()
    note: str = ""
    facts: Sequence[Known] = ()  # the rows of the record on which it rests
    not_counted: Sequence[Known] = ()  # what happened and leaves it as it is
    missing: Sequence[str] = ()

    @property
    def has_raw(self) -> bool:
        """Tells whether a step says something otherwise than the rule has it."""
        return any(one.raw for one in self.steps)

    @property
    def color(self) -> str:
        """Returns the color of its state."""
        return mark(self.word).color


@dataclass(frozen=True, slots=True)
class Pick:
    """One of several answers beside the one that is shown."""

    text: str
    url: str
    word: str
    note: str = ""
    is_chosen: bool = False


@dataclass(frozen=True, slots=True)
class Cell:
    """What follows where two readings meet. With `share` and `bound` it has a bar beside it."""

    result: str
    word: str
    note: str = ""
    share: Decimal | None = None
    bound: Decimal | None = None

    @property
    def color(self) -> str:
        """Returns the color of its state."""
        return mark(self.word).color

    @property
    def bar(self) -> str:
        """Returns how long its bar is where the bound stands at 100; at most 160, which is all there is to draw on.

        Example:
            >>> Cell("8.46 %", "Not met", share=Decimal("8.46"), bound=Decimal(10)).bar
            '84.6'
        """
        if self.share is None or not self.bound:
            return ""
        return f"{min(self.share / self.bound * 100, Decimal(160)):.1f}"


@dataclass(frozen=True, slots=True)
class Across:
    """A row of a matrix, or the head of one of its columns."""

    title: str
    note: str = ""
    cells: Sequence[Cell] = ()


@dataclass(frozen=True, slots=True)
class Looked:
    """What an empty page looked at, and what starts it where there was nothing to look at."""

    what: str
    found: str
    is_known: bool = True
    starts: Sequence[Link] = ()


@dataclass(frozen=True, slots=True)
class Work:
    """Long work: how far it is, and where the page asks again. `state` is running, done, failed, stopped or unknown."""

    title: str
    state: str
    done: int = 0
    total: int = 0  # 0: nobody can say how much there is
    said: str = ""  # "1,240 of 4,000 rows, about 2 min left"
    url: str = ""  # where how far it is can be asked
    result: Link | None = None
    stop_url: str = ""

    @property
    def is_running(self) -> bool:
        """Tells whether it still runs."""
        return self.state == "running"
