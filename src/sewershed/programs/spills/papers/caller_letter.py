"""The letter to whoever reported it: what was found, what was done, whom to ask. The operator in charge decides what is said."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Literal
from zoneinfo import ZoneInfo

from sewershed.programs.spills.papers.values import moment_text, write_or_refuse
from sewershed.rules.record import Moment

TEMPLATE = "spills/papers/caller_letter.typ"

Outcome = Literal["spill", "none", "private", "not_ours", "backup_main", "backup_lateral"]

FOUND: dict[Outcome, str] = {
    "spill": "We found sewage coming from the town's sewer, and treated it as a spill.",
    "none": "We found no spill of sewage.",
    "private": "We found sewage, and it came from a private sewer line and not from the town's sewer. We made the place "
    "safe and told its owner.",
    "not_ours": "We found that it comes from a system that the town does not run, and told those who do.",
    "backup_main": "We found the town's main sewer blocked below your building, and cleared it. We treated it as a spill.",
    "backup_lateral": "We opened the manholes above and below your building. The town's main sewer was flowing, so the "
    "blockage is in the line between your building and the main. A plumber can clear it.",
}


@dataclass(frozen=True, slots=True)
class CallerLetter:
    """What the letter says. ``said`` are the paragraphs that the operator in charge decided to add."""

    to: tuple[str, ...]
    day: date
    call_number: str | None
    called: Moment | None
    location: str | None
    outcome: Outcome
    arrived: Moment | None
    stopped: Moment | None
    said: tuple[str, ...] = ()
    advice: tuple[str, ...] = ()
    claim: str | None = None  # how a claim for damage is made, where there may be one
    signer: str | None = None
    signer_title: str | None = None
    signer_telephone: str | None = None


def build(letter: CallerLetter, *, zone: ZoneInfo) -> dict[str, object]:
    """Returns the data of the letter to the caller.

    Edge: what is not known about times is left out of the sentences and listed on the draft.
    Refuses: a letter to nobody, and an end of the spill where nothing was found.
    """
    problems = []
    if not any(line.strip() for line in letter.to):
        problems.append("it is to nobody: the caller's name and address are not recorded; telephone instead")
    if letter.outcome == "none" and letter.stopped is not None:
        problems.append("nothing was found, and yet the end of a spill is given; correct one of them")
    write_or_refuse("the letter to the caller", problems)
    wanted = {"Their call's time": letter.called, "Its place": letter.location, "When the crew came": letter.arrived}
    missing = [label for label, value in wanted.items() if value is None]
    return {
        "to": list(letter.to),
        "day": letter.day.isoformat(),
        "call_number": letter.call_number,
        "called": moment_text(letter.called, zone),
        "location": letter.location,
        "found": FOUND[letter.outcome],
        "arrived": moment_text(letter.arrived, zone),
        "stopped": moment_text(letter.stopped, zone),
        "said": list(letter.said),
        "advice": list(letter.advice),
        "claim": letter.claim,
        "signer": {"name": letter.signer, "title": letter.signer_title, "telephone": letter.signer_telephone},
        "not_known": [{"head": "Letter", "labels": missing}] if missing else [],
    }
