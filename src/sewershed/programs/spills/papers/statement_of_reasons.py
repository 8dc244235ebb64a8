"""The statement of reasons: Why, on paper. Somebody who disputes a verdict finds here all that it rests on.

The engine's answer comes in as plain texts and moments, so that this paper serves a duty, a finding and an act alike.
"""

from __future__ import annotations

from dataclasses import dataclass
from zoneinfo import ZoneInfo

from sewershed.programs.spills.papers.values import moment_text, write_or_refuse
from sewershed.rules.record import Moment

TEMPLATE = "spills/papers/statement_of_reasons.typ"


@dataclass(frozen=True, slots=True)
class ClauseRead:
    """A clause as it was in force: where it stands, what it asks in own words, which edition, whose it is, how sure that is."""

    cite: str
    means: str
    edition: str
    whose: str = ""
    caution: str = ""  # where it was written from memory, or rests on what was


@dataclass(frozen=True, slots=True)
class Step:
    """A step of the working: what was asked, what came out, from which row of the record."""

    text: str
    result: str
    rests_on: str = ""


@dataclass(frozen=True, slots=True)
class FactUsed:
    """A fact the answer rests on: what, its value, and who recorded it when. A value of None is asked and not known."""

    name: str
    value: str | None
    recorded: str = ""


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read a doubtful text, and what then comes out."""

    name: str
    result: str
    is_applied: bool = False


@dataclass(frozen=True, slots=True)
class Doubt:
    """What the text leaves open, how it may be read, and who settles it or has settled it."""

    means: str
    readings: tuple[Reading, ...]
    settled_by: str


@dataclass(frozen=True, slots=True)
class StatementOfReasons:
    """An answer with everything behind it."""

    subject: str
    question: str
    state: str  # a word of the desk: "Due soon", "Cannot tell", "Met late"
    summary: str
    due: Moment | None
    key: str  # of the obligation or finding, so that it can be asked again
    as_of: Moment
    as_known: Moment | None  # None: with all that is known now
    clauses: tuple[ClauseRead, ...]
    steps: tuple[Step, ...]
    facts: tuple[FactUsed, ...] = ()
    words: tuple[tuple[str, str], ...] = ()  # what the words of the clause mean here
    asks: tuple[tuple[str, str], ...] = ()  # what is missing, and who can answer
    doubts: tuple[Doubt, ...] = ()
    changes: tuple[tuple[str, str], ...] = ()  # if this, then that
    met_at: Moment | None = None
    not_counted: tuple[tuple[str, str, str], ...] = ()  # what might have met it, when, and why it does not count


def build(statement: StatementOfReasons, *, zone: ZoneInfo) -> dict[str, object]:
    """Returns the data of a statement of reasons.

    Edge: a statement as known on an earlier day says so beside the day it is about.
    Refuses: a verdict without a clause or without steps, a clause without its edition, and a "Cannot tell" that names
        nothing that is missing: there is no verdict without clause, edition, facts and steps.
    """
    problems = []
    if not statement.clauses:
        problems.append("no clause is named")
    problems += [f"{clause.cite}: its edition is missing" for clause in statement.clauses if not clause.edition.strip()]
    if not statement.steps:
        problems.append("no step is shown")
    problems += [f"doubt '{doubt.means}' has no readings" for doubt in statement.doubts if not doubt.readings]
    if statement.state.lower().startswith("cannot tell") and not statement.asks:
        problems.append("it cannot be told, and yet nothing is named as missing")
    write_or_refuse("the statement of reasons", problems)
    return {
        "subject": statement.subject,
        "question": statement.question,
        "state": statement.state,
        "summary": statement.summary,
        "due": moment_text(statement.due, zone),
        "met_at": moment_text(statement.met_at, zone),
        "key": statement.key,
        "as_of": moment_text(statement.as_of, zone),
        "as_known": moment_text(statement.as_known, zone),
        "clauses": [
            {
                "cite": c.cite,
                "means": c.means,
                "edition": c.edition,
                "whose": c.whose or None,
                "caution": c.caution or None,
            }
            for c in statement.clauses
        ],
        "words": [{"word": word, "means": means} for word, means in statement.words],
        "steps": [{"text": s.text, "result": s.result, "rests_on": s.rests_on or None} for s in statement.steps],
        "facts": [{"name": f.name, "value": f.value, "recorded": f.recorded or None} for f in statement.facts],
        "not_counted": [{"what": what, "when": at, "because": why} for what, at, why in statement.not_counted],
        "asks": [{"what": what, "who": who} for what, who in statement.asks],
        "doubts": [
            {
                "means": doubt.means,
                "settled_by": doubt.settled_by,
                "readings": [{"name": r.name, "result": r.result, "is_applied": r.is_applied} for r in doubt.readings],
            }
            for doubt in statement.doubts
        ],
        "changes": [{"if": condition, "then": result} for condition, result in statement.changes],
    }
