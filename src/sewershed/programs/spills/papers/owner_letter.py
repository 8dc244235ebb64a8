"""The letter to the owner of a private line from which sewage came: a reminder of what is theirs to do, not a citation."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from zoneinfo import ZoneInfo

from sewershed.programs.spills.papers.values import moment_text, write_or_refuse
from sewershed.rules.record import Moment

TEMPLATE = "spills/papers/owner_letter.typ"


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause of the town's own law that bears on it: where it stands and what it asks, in own words."""

    cite: str
    means: str


@dataclass(frozen=True, slots=True)
class OwnerLetter:
    """What the letter says."""

    to: tuple[str, ...]
    day: date
    premises: str
    seen: Moment | None
    findings: str | None  # what was found, and how it was told that the line is private
    made_safe: str | None  # what the town did at once
    asked: tuple[str, ...]  # what the owner is asked to do
    by: date | None  # until when, where a rule or a person set a day
    by_clause: str | None  # what sets that day
    clauses: tuple[Clause, ...] = ()
    advice: tuple[str, ...] = ()
    signer: str | None = None
    signer_title: str | None = None
    signer_telephone: str | None = None


def build(letter: OwnerLetter, *, zone: ZoneInfo) -> dict[str, object]:
    """Returns the data of the letter to the owner.

    Edge: without a day set by a rule or a person the letter names none.
    Refuses: a letter to nobody or about no place, one that asks for nothing, a day without what sets it, and a day that
        lies before the letter.
    """
    problems = []
    if not any(line.strip() for line in letter.to):
        problems.append("it is to nobody: the owner's name and address are not recorded")
    if not letter.premises.strip():
        problems.append("the premises are not named")
    if not letter.asked:
        problems.append("it asks for nothing; say what the owner is to do")
    if letter.by is not None and not letter.by_clause:
        problems.append(f"it sets {letter.by} without naming what sets it")
    if letter.by is not None and letter.by < letter.day:
        problems.append(f"the day it sets, {letter.by}, lies before the letter of {letter.day}")
    write_or_refuse("the letter to the owner", problems)
    wanted = {"When it was seen": letter.seen, "What was found": letter.findings}
    missing = [label for label, value in wanted.items() if value is None]
    return {
        "to": list(letter.to),
        "day": letter.day.isoformat(),
        "premises": letter.premises,
        "seen": moment_text(letter.seen, zone),
        "findings": letter.findings,
        "made_safe": letter.made_safe,
        "asked": list(letter.asked),
        "by": None if letter.by is None else letter.by.isoformat(),
        "by_clause": letter.by_clause,
        "clauses": [{"cite": clause.cite, "means": clause.means} for clause in letter.clauses],
        "advice": list(letter.advice),
        "signer": {"name": letter.signer, "title": letter.signer_title, "telephone": letter.signer_telephone},
        "not_known": [{"head": "Letter", "labels": missing}] if missing else [],
    }
