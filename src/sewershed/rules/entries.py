"""The entries of a rulebook as the engine holds them: checked, typed, conditions compiled (docs/explanation/rulebook.md 8 and 9).

One class a kind. An `Entry` is what all kinds share: identity, clause, meaning, and its `Edition`s; an edition holds one
form of the entry for each reading of the doubt that touches it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import TypeVar

from sewershed.rules.conditions import Condition
from sewershed.rules.doors import Provider
from sewershed.rules.spans import Span
from sewershed.rules.types import Type, Value

UNSAID_READINGS = ("calendar", "business")  # what "30 days?" may mean
FROM_MEMORY = "from memory: check before relying on it"


# --------------------------------------------------------------------------- clocks


@dataclass(frozen=True, slots=True)
class CountedSpan:
    """A span whose number comes from the record: ``{ n = "trigger.days", unit = "days" }``."""

    n: Condition
    unit: str


@dataclass(frozen=True, slots=True)
class Within:
    """That long after a moment; without ``of``, after what opened the duty."""

    span: Span | CountedSpan
    of: Condition | None = None
    roll: str = ""


@dataclass(frozen=True, slots=True)
class Before:
    """At least that long before a moment."""

    span: Span | CountedSpan
    of: Condition
    roll: str = ""


@dataclass(frozen=True, slots=True)
class On:
    """On that day, or at that instant."""

    of: Condition
    roll: str = ""


@dataclass(frozen=True, slots=True)
class Every:
    """Recurring: that long after the last fulfilment."""

    span: Span | CountedSpan
    roll: str = ""


@dataclass(frozen=True, slots=True)
class Each:
    """Periodic: once in each calendar period, inside it or within a span after it."""

    period: str
    within: Span | CountedSpan | None
    window: str  # "during" or "after"
    first: str  # "next" or "partial"
    roll: str = ""


@dataclass(frozen=True, slots=True)
class AtOnce:
    """At once: no number, no verdict on time."""


@dataclass(frozen=True, slots=True)
class OpenEnded:
    """Stays open, never overdue."""


@dataclass(frozen=True, slots=True)
class Earliest:
    """The earliest of several clocks."""

    clocks: tuple[Clock, ...]


@dataclass(frozen=True, slots=True)
class Latest:
    """The latest of several clocks."""

    clocks: tuple[Clock, ...]


Clock = Within | Before | On | Every | Each | AtOnce | OpenEnded | Earliest | Latest


@dataclass(frozen=True, slots=True)
class ClockCase:
    """One case of a clock: the first whose condition holds is taken."""

    clock: Clock
    when: Condition | None = None


# --------------------------------------------------------------------------- duties


@dataclass(frozen=True, slots=True)
class Opens:
    """What opens a duty: events, or a standing condition."""

    events: tuple[str, ...] = ()
    when: Mapping[str, Condition] = field(default_factory=dict)  # by event
    each: Condition | tuple[str, ...] | None = None
    once: tuple[Condition, ...] | None = None
    replace: bool = False
    standing: Condition | None = None  # the TOML's ``while``
    since: Condition | None = None  # the TOML's ``from``


@dataclass(frozen=True, slots=True)
class Pattern:
    """Events that count: for meeting, closing, excusing or extending a duty."""

    events: tuple[str, ...]
    when: Condition | None = None
    on: Condition | None = None  # a path to another thing, or to a list of things
    ever: bool = False
    period: Condition | None = None
    amount: Condition | None = None  # the TOML's ``sum``; None with ``at_least``: a count
    at_least: Condition | None = None
    distinct: Condition | None = None
    date: Condition | None = None  # ``until`` of an excuse, ``to`` of an extension


@dataclass(frozen=True, slots=True)
class Stay:
    """What stops a clock, from one event to another."""

    start: Pattern
    end: Pattern | None
    effect: str  # "pause" or "hold"


@dataclass(frozen=True, slots=True)
class Breach:
    """What a breach exposes to, and the grace before it counts."""

    penalties: tuple[str, ...] = ()
    grace: Span | None = None


NO_BREACH = Breach()


@dataclass(frozen=True, slots=True)
class Duty:
    """Who must do what by when (9.3)."""

    on: str
    who: str
    to: str
    opens: Opens
    due: tuple[ClockCase, ...]
    met_by: tuple[Pattern, ...] = ()
    closes: tuple[Pattern, ...] = ()
    excused_by: tuple[Pattern, ...] = ()
    extended_by: tuple[Pattern, ...] = ()
    stayed_by: tuple[Stay, ...] = ()
    applies: Condition | None = None
    breach: Breach = NO_BREACH
    if_unknown: str = "ask"
    catch_up: bool = False

    def has(self, kind: type[Clock]) -> bool:
        """Tells whether a clock of that kind stands anywhere in ``due``."""
        return any(_holds(case.clock, kind) for case in self.due)

    @property
    def rhythm(self) -> str:
        """Returns how the duty counts: by periods, by intervals, or once."""
        return "by periods" if self.has(Each) else "by intervals" if self.has(Every) else "once"


def _holds(clock: Clock, kind: type[Clock]) -> bool:
    if isinstance(clock, (Earliest, Latest)):
        return isinstance(clock, kind) or any(_holds(sub, kind) for sub in clock.clocks)
    return isinstance(clock, kind)


# --------------------------------------------------------------------------- the other kinds


@dataclass(frozen=True, slots=True)
class Axis:
    """One axis of a table: listed values or bands of a fact."""

    fact: Condition
    exact: tuple[Value, ...] = ()
    bands: tuple[tuple[Value, Value], ...] = ()
    gap_next: bool = False
    open_top: Value = None


@dataclass(frozen=True, slots=True)
class ValueCase:
    """One case of a value: its condition and its answer."""

    when: Condition | None
    answer: Condition | Value


@dataclass(frozen=True, slots=True)
class ValueForm:
    """A typed answer (9.1)."""

    target: str  # an ask, or "thing.fact"
    type: Type
    thing: str  # the type of thing it is about; empty for an ask
    cases: tuple[ValueCase, ...] = ()
    strongest: tuple[str, ...] = ()
    axes: tuple[Axis, ...] = ()
    cells: tuple[object, ...] = ()
    silent: bool = False
    judged_by: str = ""
    applies: Condition | None = None


@dataclass(frozen=True, slots=True)
class LimitForm:
    """A bound on a measured parameter (9.2)."""

    parameter: str
    unit: str
    bounds: tuple[tuple[str, Condition | Value], ...]  # ("max" | "below" | "min" | "above", the figure)
    at: str = ""
    method: str = ""
    sample_type: str = ""
    statistic: str = "any_sample"
    when: Condition | None = None
    applies: Condition | None = None
    breach: Breach = NO_BREACH


@dataclass(frozen=True, slots=True)
class StandardForm:
    """What a thing, or an event's data, must satisfy (9.4)."""

    test: Condition
    on: str = ""
    of: tuple[str, ...] = ()
    applies: Condition | None = None
    when: Condition | None = None
    who: str = ""
    breach: Breach = NO_BREACH
    defends: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Need:
    """An event that must stand before an act."""

    pattern: Pattern
    lead: Span | None = None
    within: Span | None = None


@dataclass(frozen=True, slots=True)
class Content:
    """A part that a paper must hold."""

    key: str
    what: str
    when: Condition | None = None


@dataclass(frozen=True, slots=True)
class ActForm:
    """Who may do what, after what, and whether it counts (9.5)."""

    acts: tuple[str, ...]
    on: str
    applies: Condition | None = None
    when: Condition | None = None
    by: tuple[str, ...] = ()
    test: Condition | None = None
    needs: tuple[Need, ...] = ()
    contents: tuple[Content, ...] = ()
    dated: Condition | None = None
    is_void: bool = False
    breach: Breach = NO_BREACH


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a life: an event, or a day that ends."""

    to: str
    events: tuple[str, ...] = ()
    at: Condition | None = None
    come_from: tuple[str, ...] = ()
    when: Condition | None = None
    sets: tuple[tuple[str, Condition], ...] = ()


@dataclass(frozen=True, slots=True)
class StatusForm:
    """The life of a thing (9.6)."""

    thing: str
    fact: str
    states: tuple[str, ...]
    start: str
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class PenaltyForm:
    """Exposure, never an assessment (9.7)."""

    rules: tuple[str, ...]
    on: str = ""  # the type of thing that all the rules are about, where the penalty's conditions name it
    ladder: tuple[Value, ...] = ()
    then: Condition | None = None
    cap: Value = None
    per: str = ""
    amount: Value = None
    part: str = "none"
    most: tuple[ValueCase, ...] = ()
    within: Span | None = None
    factors: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CalcForm:
    """A Python function with typed asks (9.8)."""

    function: str
    asks: Mapping[str, Value]
    target: str = ""
    type: Type | None = None
    thing: str = ""
    provider: Provider | None = None


@dataclass(frozen=True, slots=True)
class Doubt:
    """What the text leaves open (10)."""

    id: str
    book: str
    file: str
    about: tuple[str, ...]
    choices: tuple[str, ...]
    applied: str
    settle_by: str
    means: str
    cites: tuple[str, ...] = ()
    covers: tuple[str, ...] = ()
    note: str = ""


Form = Duty | ValueForm | LimitForm | StandardForm | ActForm | StatusForm | PenaltyForm | CalcForm
FormT = TypeVar("FormT", Duty, ValueForm, LimitForm, StandardForm, ActForm, StatusForm, PenaltyForm, CalcForm)


@dataclass(frozen=True, slots=True)
class Edition:
    """An entry as it stood for some time: from a day (None: always) until a day (None: still)."""

    since: date | None
    until: date | None
    transition: str
    readings: Mapping[str, Form]  # by the name of the reading; "" where the entry has one form only

    def is_on(self, day: date) -> bool:
        """Tells whether this edition is in force. Edge: in force on its first day, no longer on ``until``."""
        return (self.since is None or self.since <= day) and (self.until is None or day < self.until)


@dataclass(frozen=True, slots=True)
class Combine:
    """How an entry stands toward one of a parent book."""

    other: str
    how: str  # "most_stringent", "replaces" or "adds"
    strict: str = ""  # "min" or "max", for values


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a rulebook: what all nine kinds share."""

    id: str
    kind: str
    book: str
    file: str
    cites: tuple[str, ...]
    means: str
    editions: tuple[Edition, ...]
    covers: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()
    reading_of: str = ""
    combine: Combine | None = None
    certainty: str = "verified"
    note: str = ""

    @property
    def caution(self) -> str:
        """Returns what stands wherever the entry's value or verdict is shown; "" where somebody held it against the source."""
        return "" if self.certainty == "verified" else FROM_MEMORY

    def edition_on(self, day: date) -> Edition | None:
        """Returns the edition in force on a day, or None where the entry is not in force."""
        for edition in self.editions:
            since, until = edition.since, edition.until  # as `is_on`, without a call: nothing is asked more often
            if (since is None or since <= day) and (until is None or day < until):
                return edition
        return None
