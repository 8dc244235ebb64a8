"""What the engine answers: obligations, findings, and the readings under which another answer would come out (docs/explanation/rulebook.md 12).

Plain data. States and outcomes are the words of the specification; the words of the desk are made of them elsewhere.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Literal

from sewershed.rules.record import Moment
from sewershed.rules.unknown import Want

State = Literal[
    "due", "overdue", "missed", "met", "met_late", "waiting", "cannot_tell", "stayed", "excused", "closed",
    "superseded", "void",
]  # fmt: skip
Outcome = Literal["MET", "NOT_MET", "CANNOT_TELL", "NOT_REGULATED"]

OPEN_STATES = frozenset({"due", "overdue", "missed", "waiting", "cannot_tell", "stayed", "excused"})


@dataclass(frozen=True, slots=True)
class OtherReading:
    """What would come out if a doubt were read the other way."""

    doubt: str
    reading: str
    state: str  # of an obligation, or the outcome of a finding; "not owed" where there would be none
    due: Moment | None = None
    text: str = ""  # "if read as business days: due 2024-03-08"


@dataclass(slots=True)
class Obligation:
    """What somebody must do, by when, under which entry, and how it stands."""

    key: str
    rule: str
    thing: str
    state: State
    since: date | None  # the first day of the edition that governs it; None: the only one
    due: Moment | None = None  # the limit: a day (its last moment counts) or an instant
    start: Moment | None = None  # what it counts from
    opened_by: str = ""  # root id of the event; "" for a standing condition
    met_by: str = ""
    met_at: Moment | None = None
    late: bool | None = False  # of a met one; None: the time of day decides and is not known
    asks: tuple[Want, ...] = ()
    notes: tuple[str, ...] = ()
    label: str = ""  # the item, interval or period
    doubts: tuple[str, ...] = ()
    if_read_as: tuple[OtherReading, ...] = ()
    reading: str = ""  # the reading of the doubt that was applied
    by_reading: tuple[OtherReading, ...] = ()  # what each reading gives, settled or not, the same or not
    is_at_once: bool = False
    is_open_ended: bool = False
    ended: str = ""  # of a closed one: "not needed", or what ended it
    ended_at: Moment | None = None  # when that happened, where it was an event
    until: Moment | None = None  # of an excused one
    breach_days: int = 0
    count: int = 1  # of an overdue interval: how many have passed
    explained_by: str = ""  # of a missed one: the row that says why

    @property
    def is_open(self) -> bool:
        """Tells whether it still wants something of somebody. Edge: what is excused for good wants nothing more."""
        is_for_good = self.state == "excused" and self.until is None and not self.asks
        return self.state in OPEN_STATES and not is_for_good


@dataclass(slots=True)
class Finding:
    """A verdict on an act, a standard or a limit, or a step of a life that does not fit."""

    rule: str
    kind: str  # "act", "standard", "limit" or "status"
    thing: str
    outcome: Outcome
    since: date | None
    about: str = ""  # root id of the event it is about; "" for a thing
    day: date | None = None
    steps: tuple[str, ...] = ()
    asks: tuple[Want, ...] = ()
    doubts: tuple[str, ...] = ()
    if_read_as: tuple[OtherReading, ...] = ()
    reading: str = ""
    is_void: bool = False  # the act does not count
    defends: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """Returns the stable key: rule, thing and the event it is about."""
        return f"{self.rule}|{self.thing}|{self.about}"


@dataclass(frozen=True, slots=True)
class Exposure:
    """What a breach exposes to, at least and at most; never an assessment."""

    rule: str  # the penalty
    breached: str  # the rule that was breached
    thing: str
    first_on: date
    lowest: object
    highest: object
    days: int = 0
    if_read_as: tuple[OtherReading, ...] = ()
    factors: tuple[str, ...] = ()
    asks: tuple[Want, ...] = ()
    steps: tuple[str, ...] = ()
    about: str = ""  # the key of the obligation or finding that is the breach


@dataclass(slots=True)
class Heard:
    """What was read of the record while steps were taken down: rows that set facts, and events of things by their names."""

    rows: dict[str, None] = field(default_factory=dict)
    events: dict[tuple[str, str], None] = field(default_factory=dict)  # the thing and the type of event


@dataclass(slots=True)
class Explanation:
    """Why: everything an answer rests on."""

    rule: str
    cites: tuple[str, ...]
    means: str
    edition: str
    thing: str
    steps: list[str] = field(default_factory=list)
    answer: Obligation | Finding | None = None
    doubts: tuple[str, ...] = ()
    as_of: datetime | None = None
    known_at: datetime | None = None
    heard: Heard = field(default_factory=Heard)
