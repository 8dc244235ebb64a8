"""The press release: what happened, where it went, how much, and whom to ask. A draft until somebody releases it."""

from __future__ import annotations

from dataclasses import dataclass
from zoneinfo import ZoneInfo

from sewershed.programs.spills.papers.values import (
    NO_RECORD,
    Told,
    gallons_text,
    moment_text,
    not_known,
    told_data,
    unfounded,
    write_or_refuse,
)
from sewershed.rules.record import Moment
from sewershed.rules.types import Number

TEMPLATE = "spills/papers/press_release.typ"


@dataclass(frozen=True, slots=True)
class PressRelease:
    """What a release says. None is not known, and shows as that."""

    caption: str  # as the state or the town words it
    owner: str
    incident_number: str | None
    location: str | None
    water_name: str | None
    river_basin: str | None
    county: str | None
    total_gal: Number | None
    water_gal: Number | None
    start: Moment | None
    stop: Moment | None
    determined: Moment | None  # when it was determined that sewage reached the water: the clock of the release
    told: tuple[Told, ...]  # who was told for the state: its agency first, as far as anybody was
    cause: str | None
    done: str | None  # what was done
    advice: tuple[str, ...]  # what the public is asked to do, as the town decided
    contact: str | None
    contact_telephone: str | None
    media: tuple[str, ...]  # to whom it goes; kept with the release
    is_sent: bool = False  # it went out to them


LABELS = {
    "incident_number": "State incident number",
    "location": "Location",
    "water_name": "Water it reached",
    "river_basin": "River basin",
    "county": "County",
    "total": "Estimated volume spilled",
    "water": "Estimated volume that reached the water",
    "start": "Started",
    "stop": "Stopped",
    "determined": "Determined that it reached the water",
    "told": "State told",
    "cause": "Cause",
    "done": "What was done",
    "contact": "Contact",
    "contact_telephone": "Telephone of the contact",
}


def build(release: PressRelease, *, zone: ZoneInfo) -> dict[str, object]:
    """Returns the data of a press release.

    Edge: of a spill of which no stop is recorded the end is not known, and nothing says that it still runs. Without the determination, the volume and the
        water it is a draft only: `before_issuing` says what is missing, and the draft asserts none of it. Where no call to the
        state is on record it says that, and not that nobody called.
    Refuses: more gallons in the water than were spilled, and a release that goes to nobody.
    """
    problems = []
    if release.water_gal is not None and release.total_gal is not None and release.water_gal > release.total_gal:
        problems.append("more gallons reached the water than were spilled; correct one of them")
    if not release.media:
        problems.append("no newspaper or station is named that it goes to")
    write_or_refuse("the press release", problems)
    values: dict[str, str | None] = {
        **{
            name: getattr(release, name) or None
            for name in (
                "incident_number", "location", "water_name", "river_basin", "county", "cause", "done", "contact",
                "contact_telephone",
            )
        },
        "total": gallons_text(release.total_gal),
        "water": gallons_text(release.water_gal),
        "start": moment_text(release.start, zone),
        "stop": moment_text(release.stop, zone),
        "determined": moment_text(release.determined, zone),
        "told": moment_text(release.told[0].at if release.told else None, zone),
    }  # fmt: skip
    return {
        "caption": release.caption,
        "owner": release.owner,
        "labels": LABELS,
        "absent": {"told": NO_RECORD, "incident_number": NO_RECORD},
        "told_at": told_data(release.told, zone),
        "values": values,
        "before_issuing": unfounded(release.determined, release.water_gal, release.water_name),
        "advice": list(release.advice),
        "media": list(release.media),
        "is_sent": release.is_sent,
        "not_known": not_known("Release", LABELS, values),
    }
