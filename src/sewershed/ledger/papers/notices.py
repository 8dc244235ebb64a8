"""Press release and public notice from the record: both go to the public, so that private values stay out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sewershed.ledger.errors import Refused
from sewershed.ledger.papers import telling
from sewershed.ledger.papers.source import Source, sentence, texts
from sewershed.ledger.papers.spill_report import incident_number, start_of, stop_of
from sewershed.ledger.wording import capital
from sewershed.programs.spills.papers import press_release, public_notice
from sewershed.programs.spills.papers.values import Told
from sewershed.rules.record import Event

_WATER = ("spill_assessed", "reached_water_determined")
_DETERMINE = (
    'sewershed record TOWN reached_water_determined --on {spill} --at "WHEN" --set surface_water_gal=GALLONS '
    '--set water_name="WATER" --by "NAME" --office OFFICE'
)
TO_NAME_MEDIA = 'sewershed record TOWN contact new --set role="NEWSPAPER OR STATION" --set gets_press_releases=yes'
# What to type for what is missing before one of these papers may be issued.
RECORDED_BY: Mapping[str, str] = {
    **dict.fromkeys(("determined", "water", "water_name"), _DETERMINE),
    "told": telling.TO_RECORD,
}


def press_release_data(source: Source, signed_by: Event | None, part: str = "") -> Mapping[str, object]:
    """Returns the data of the press release.

    Edge: a release that went out names the media to which it went; before, those of the contacts that get releases, as those
        to which it is to go.

    Refuses: a release that goes to nobody.
    """
    words, town = source.words("press_release"), source.at(source.town)
    cause = source.last("cause_found")
    release = press_release.PressRelease(
        caption=str(words["caption"]),
        owner=str(town.fact("full_name") or town.fact("name")),
        incident_number=incident_number(source),
        location=source.fact("location"),
        water_name=source.last_said(_WATER, "water_name"),
        river_basin=town.fact("river_basin"),
        county=town.fact("county"),
        total_gal=source.fact("total_gal"),
        water_gal=source.fact("surface_water_gal"),
        start=start_of(source),
        stop=stop_of(source),
        determined=_determined(source),
        told=_told(source, str(words["agency"])),
        cause=sentence(source.datum(cause, "description")),
        done=sentence(source.last_said(("spill_stopped",), "how")),
        advice=texts(words.get("advice", ())),
        contact=capital(source.office(signed_by) or "") or None,
        contact_telephone=town.fact("telephone"),
        media=_media(source),
        is_sent=source.last("press_release") is not None,
    )
    return press_release.build(release, zone=source.zone)


def public_notice_data(source: Source, signed_by: Event | None, part: str = "") -> Mapping[str, object]:
    """Returns the data of the public notice. Edge: until the state has fixed its terms they are not known."""
    words, town = source.words("public_notice"), source.at(source.town)
    fixed = source.last("notice_terms_fixed")
    notice = public_notice.PublicNotice(
        caption=str(words["caption"]),
        owner=str(town.fact("full_name") or town.fact("name")),
        terms_fixed_on=fixed.day if fixed else None,
        counties=source.datum(fixed, "counties"),
        newspapers=source.datum(fixed, "newspapers"),
        incident_number=incident_number(source),
        location=source.fact("location"),
        water_name=source.last_said(_WATER, "water_name"),
        river_basin=town.fact("river_basin"),
        water_gal=source.fact("surface_water_gal"),
        start=start_of(source),
        stop=stop_of(source),
        done=sentence(source.last_said(("spill_stopped",), "how")),
        contact=capital(source.office(signed_by) or "") or None,
        contact_telephone=town.fact("telephone"),
        determined=_determined(source),
        told=_told(source, str(words["agency"])),
    )
    return public_notice.build(notice, zone=source.zone)


def _determined(source: Source) -> Any:
    """Returns when it was first determined that sewage reached the water; nothing where it was found since that it did not."""
    if source.fact("reached_water") is False:
        return None
    found = source.first("reached_water_determined") or source.first(
        "spill_assessed", when=lambda event: event.data.get("reached_water") is True
    )
    return found.moment if found else None


def _told(source: Source, agency: str) -> tuple[Told, ...]:
    """Returns who was told for the state, and when: a person of the agency, then the emergency office, as far as each was."""
    found = [Told(telling.whom(source, call, agency), call.moment) for call in telling.calls(source)]
    return tuple(sorted(found, key=lambda told: told.whom != agency))


def _media(source: Source) -> tuple[str, ...]:
    """Returns the media to which the release went, or else those of the contacts that get releases.

    Refuses: a release to nobody, with what names somebody.
    """
    sent = texts(source.last_said(("press_release",), "media"))
    media = sent or tuple(str(one.fact("role")) for one in source.all("contact") if one.fact("gets_press_releases"))
    if not media:
        raise Refused(
            [
                "the press release cannot be written: no newspaper or station is named that it goes to",
                f"name one: {TO_NAME_MEDIA}",
            ]
        )
    return media
