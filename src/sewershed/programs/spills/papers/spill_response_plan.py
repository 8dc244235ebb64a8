"""The spill response plan as a document: made from the contacts, equipment and stations on record and the rulebook's duties.

What the papers of a town say by themselves (purpose, objectives) comes in as the town's words. What a plan must carry is
checked against the list the permit sets, and what is missing is named on the plan itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from sewershed.programs.spills.papers.values import write_or_refuse

TEMPLATE = "spills/papers/spill_response_plan.typ"

STAGES: Mapping[str, str] = {
    "receive": "Receiving a report",
    "dispatch": "Sending a crew",
    "correct": "Stopping, containing and cleaning up",
    "report": "Reporting to the state and the public",
    "follow_up": "Following up with whoever reported it",
}


@dataclass(frozen=True, slots=True)
class PlanDuty:
    """A duty of the rulebook as the plan states it: in which stage, what, whose, by when, under which clause."""

    stage: str
    means: str
    who: str
    limit: str  # "within 2 hours", "at once", "no time set"
    cites: str


@dataclass(frozen=True, slots=True)
class Contact:
    """Whom to reach: an office or a body, never empty-handed about what for."""

    name: str
    used_for: str | None
    telephone: str | None
    email: str | None = None
    after_hours: bool | None = None


@dataclass(frozen=True, slots=True)
class Equipment:
    """A machine or a spare part, how many, where."""

    name: str
    count: str | None
    where: str | None
    is_spare_part: bool = False
    state: str | None = None


@dataclass(frozen=True, slots=True)
class Station:
    """A pump station as far as a failure there concerns the plan."""

    name: str
    also_called: tuple[str, ...] = ()
    has_generator: bool | None = None
    alarm: str | None = None
    bypass: str | None = None  # what is done when both pumps are out


@dataclass(frozen=True, slots=True)
class Version:
    """A version of the plan in its log."""

    name: str
    day: date | None
    because: str


@dataclass(frozen=True, slots=True)
class Review:
    """A yearly review of the plan."""

    day: date
    by: str
    changes: str


@dataclass(frozen=True, slots=True)
class SpillResponsePlan:
    """What the plan holds."""

    permit_number: str | None
    version: str
    purpose: str
    objectives: tuple[str, ...]
    intake: tuple[str, ...]  # what is asked of a caller, in order
    duties: tuple[PlanDuty, ...]
    contacts: tuple[Contact, ...]
    equipment: tuple[Equipment, ...]
    stations: tuple[Station, ...]
    stations_stated: int | None  # how many stations the town says it has
    elements: tuple[tuple[str, str | None], ...]  # what the permit wants in a plan, and where it stands; None: nowhere
    versions: tuple[Version, ...]
    reviews: tuple[Review, ...]
    next_review_on: date | None
    copies: tuple[str, ...]  # where copies lie
    doubts: tuple[str, ...] = ()  # what the town's papers contradict each other in, as the plan touches it


def build(plan: SpillResponsePlan) -> dict[str, object]:
    """Returns the data of the plan.

    Edge: a stage for which the rulebook sets no duty stands in the plan and says so.
    Refuses: a duty of a stage the plan does not have, a plan without a version, and one without any contact.
    """
    problems = [
        f"'{duty.means}' is of stage '{duty.stage}'; the stages are {', '.join(STAGES)}"
        for duty in plan.duties
        if duty.stage not in STAGES
    ]
    if not plan.version.strip():
        problems.append("it has no version; every copy must say which it is")
    if not plan.contacts:
        problems.append("no contact is recorded; a plan that names nobody to call is none")
    write_or_refuse("the spill response plan", problems)
    return {
        "permit_number": plan.permit_number,
        "version": plan.version,
        "purpose": plan.purpose,
        "objectives": list(plan.objectives),
        "intake": list(plan.intake),
        "stages": [
            {
                "head": head,
                "duties": [
                    {"means": d.means, "who": d.who, "limit": d.limit, "cites": d.cites}
                    for d in plan.duties
                    if d.stage == stage
                ],
            }
            for stage, head in STAGES.items()
        ],
        "contacts": [
            {
                "name": c.name,
                "used_for": c.used_for,
                "telephone": c.telephone,
                "email": c.email,
                "after_hours": c.after_hours,
            }
            for c in plan.contacts
        ],
        "equipment": [_thing(e) for e in plan.equipment if not e.is_spare_part],
        "spare_parts": [_thing(e) for e in plan.equipment if e.is_spare_part],
        "stations": [
            {
                "name": s.name,
                "also_called": list(s.also_called),
                "has_generator": s.has_generator,
                "alarm": s.alarm,
                "bypass": s.bypass,
            }
            for s in plan.stations
        ],
        "elements": [{"element": element, "where": where} for element, where in plan.elements],
        "versions": [
            {"name": v.name, "day": None if v.day is None else v.day.isoformat(), "because": v.because}
            for v in plan.versions
        ],
        "reviews": [{"day": r.day.isoformat(), "by": r.by, "changes": r.changes} for r in plan.reviews],
        "next_review_on": None if plan.next_review_on is None else plan.next_review_on.isoformat(),
        "copies": list(plan.copies),
        "doubts": list(plan.doubts),
        "wanting": _wanting(plan),
    }


def _thing(equipment: Equipment) -> dict[str, str | None]:
    return {"name": equipment.name, "count": equipment.count, "where": equipment.where, "state": equipment.state}


def _wanting(plan: SpillResponsePlan) -> list[str]:
    """Returns what is wrong with the plan itself, in sentences, for whoever reviews it."""
    found: list[str] = [
        f"Nothing in the plan carries this element: {e}." for e, where in plan.elements if where is None
    ]
    if plan.stations_stated is not None and plan.stations_stated != len(plan.stations):
        named = "1 is named" if len(plan.stations) == 1 else f"{len(plan.stations)} are named"
        found.append(f"The town says it has {plan.stations_stated} stations; {named}.")
    if not any(e.is_spare_part for e in plan.equipment):
        found.append("No spare part or material is listed.")
    if not any(c.after_hours for c in plan.contacts):
        found.append("No contact is recorded as answering after hours.")
    found += [f"{c.name} has no telephone number." for c in plan.contacts if not c.telephone]
    found += _twice([s.name for s in plan.stations], "station")
    if not plan.copies:
        found.append("It is not recorded where copies of the plan lie.")
    return found


def _twice(names: Sequence[str], what: str) -> list[str]:
    return [f"The {what} {name} is listed twice." for name in sorted({n for n in names if names.count(n) > 1})]
