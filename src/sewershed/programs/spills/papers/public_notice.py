"""The public notice in a newspaper: its caption, counties and newspapers are those the state fixed for it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
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

TEMPLATE = "spills/papers/public_notice.typ"


@dataclass(frozen=True, slots=True)
class PublicNotice:
    """What a notice says. None is not known, and shows as that."""

    caption: str  # as the law words it
    owner: str
    terms_fixed_on: date | None  # when the state fixed counties, form and newspapers: the clock of the notice
    counties: str | None
    newspapers: str | None
    incident_number: str | None
    location: str | None
    water_name: str | None
    river_basin: str | None
    water_gal: Number | None
    start: Moment | None
    stop: Moment | None
    done: str | None
    contact: str | None
    contact_telephone: str | None
    determined: Moment | None = None  # when it was determined that sewage reached the water
    told: tuple[Told, ...] = ()  # who was told for the state: its agency first, as far as anybody was


LABELS = {
    "counties": "Counties",
    "newspapers": "Newspapers",
    "terms_fixed_on": "Terms fixed by the state on",
    "incident_number": "State incident number",
    "location": "Location",
    "water_name": "Water it reached",
    "river_basin": "River basin",
    "water": "Estimated volume that reached the water",
    "start": "Started",
    "stop": "Stopped",
    "determined": "Determined that it reached the water",
    "told": "State told",
    "done": "What was done",
    "contact": "Contact",
    "contact_telephone": "Telephone of the contact",
}


def build(notice: PublicNotice, *, zone: ZoneInfo) -> dict[str, object]:
    """Returns the data of a public notice.

    Edge: without the day on which the state fixed its terms it is still a draft to be approved, and says so. Where nobody
        determined that water was reached, or told the state, `before_issuing` says so, and the draft asserts neither.
    Refuses: a notice without the caption that the law words.
    """
    write_or_refuse(
        "the public notice", [] if notice.caption.strip() else ["its caption, as the law words it, is missing"]
    )
    values: dict[str, str | None] = {
        **{
            name: getattr(notice, name) or None
            for name in (
                "counties", "newspapers", "incident_number", "location", "water_name", "river_basin", "done", "contact",
                "contact_telephone",
            )
        },
        "terms_fixed_on": moment_text(notice.terms_fixed_on, zone),
        "water": gallons_text(notice.water_gal),
        "start": moment_text(notice.start, zone),
        "stop": moment_text(notice.stop, zone),
        "determined": moment_text(notice.determined, zone),
        "told": moment_text(notice.told[0].at if notice.told else None, zone),
    }  # fmt: skip
    before = unfounded(notice.determined, notice.water_gal, notice.water_name)
    if not notice.told:
        before["told"] = "it is not recorded that the state was told"
    return {
        "before_issuing": before,
        "caption": notice.caption,
        "owner": notice.owner,
        "labels": LABELS,
        "absent": {"told": NO_RECORD, "incident_number": NO_RECORD},
        "told_at": told_data(notice.told, zone),
        "values": values,
        "not_known": not_known("Notice", LABELS, values),
    }
