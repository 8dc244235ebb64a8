"""The spill report from the record: each field of the state's form that the record answers, and the plea from the logs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

from sewershed.ledger import queries
from sewershed.ledger.moments import moment_words
from sewershed.ledger.papers import plea, telling
from sewershed.ledger.papers.source import Source, texts
from sewershed.ledger.wording import capital
from sewershed.programs.spills.papers import spill_report
from sewershed.programs.spills.papers.form import read_form
from sewershed.programs.spills.volume import NAMES, SOURCES, Estimate
from sewershed.programs.spills.volume import Source as Formula
from sewershed.rules.record import Event

FORM = "spill_report"
THEIR_OWN = Formula("the estimator's own", "from memory")


def data_of(source: Source, signed_by: Event | None, part: str = "") -> Mapping[str, object]:
    """Returns the data of the spill report.

    Edge: what nobody has recorded is None; a start or a stop of which only the day is known stays a day.

    Refuses: figures of the record that contradict each other, all at once.

    Args:
        source: the spill.
        signed_by: who certifies it, in which office and when: the sending, or the issuing; nobody yet, if None. In an
            office that they did not hold that day they certify nothing.
        part: nothing; this paper has no parts.
    """
    form = read_form(source.form(FORM))
    town = source.at(source.town)
    started, stopped = source.last("start_estimated"), source.last("spill_stopped")
    calls, recovered = telling.calls(source), source.last("volume_recovered")
    visits = source.events("orc_visited")
    visited = visits[0] if visits else None
    chosen = source.last("volume_chosen")
    estimates, names = estimates_of(source)
    chosen_name = names.get(str(chosen.data["estimate"]), "") if chosen else ""
    region, fish = town.fact("office_to_call"), source.last_said(("spill_assessed",), "fish_killed")
    cause = source.last("cause_found")
    wanting = source.not_held(signed_by)
    signed_by = None if wanting else signed_by
    report = spill_report.SpillReport(
        permit_number=town.fact("collection_permit"),
        facility=town.fact("collection_system"),
        incident_number=incident_number(source),
        owner=town.fact("full_name") or town.fact("name"),
        region=None if region is None else str(region).replace("_", " ").title(),
        city=town.fact("name"),
        county=town.fact("county"),
        source=source.fact("source"),
        location=source.fact("location"),
        manhole=_label(source, "manhole"),
        latitude=_degrees(source, 1),
        longitude=_degrees(source, 0),
        start=source.datum(started, "started_at"),
        start_how=with_certainty(source.datum(started, "how"), source.datum(started, "started_is")),
        stop=stop_of(source),
        stop_how=with_certainty(_stop_how(source, stopped), source.datum(stopped, "stopped_is")),
        total_gal=source.fact("total_gal"),
        volume_how=_volume_how(source, chosen),
        recovered_gal=source.datum(recovered, "recovered_gal"),
        recovered_because=source.datum(recovered, "because") or "",
        weather=source.fact("weather"),
        reached_water=source.fact("reached_water"),
        water_gal=source.fact("surface_water_gal"),
        water_name=source.last_said(("spill_assessed", "reached_water_determined"), "water_name"),
        fish_kill=source.last_said(("spill_assessed",), "fish_kill"),
        fish_killed=None if fish is None else int(fish),
        told=tuple(_told(source, call) for call in calls),
        told_by_reading=tuple((one.doubt, one.duty, one.came_out) for one in telling.by_reading(source)),
        told_standing=() if calls else telling.standing(source),
        visited_orc=_visited(visits, "orc"),
        visited_backup=_visited(visits, "backup"),
        visitor=source.person(visited.by) if visited else None,
        visitor_certificate=source.datum(visited, "certificate"),
        visited=visited.moment if visited else None,
        remedied=source.datum(stopped, "how"),
        causes=texts(source.datum(cause, "causes")),
        answers=plea.answers(source, form),
        estimates=estimates,
        chosen=chosen_name,
        chosen_by=capital(source.who(chosen) or ""),
        chosen_because=_within_a_sentence(source.datum(chosen, "because")),
        certifier=source.person(signed_by.by) if signed_by else None,
        certifier_title=source.title(signed_by.office) if signed_by and signed_by.office else None,
        certifier_telephone=town.fact("telephone") if signed_by else None,
        certified_on=signed_by.day if signed_by else None,
        certifier_wanting=wanting,
    )
    return spill_report.build(form, report, zone=source.zone)


def incident_number(source: Source) -> str | None:
    """Returns the number that the state gave to the spill: as a fact, or in the call in which it was told."""
    found = source.fact("incident_number") or source.last_said(("state_told",), "incident_number")
    return None if found is None else str(found)


def stop_of(source: Source) -> Any:
    """Returns when the spill stopped, as estimated or when the stop was recorded, or None while it runs or nobody knows."""
    stopped = source.last("spill_stopped")
    return (source.datum(stopped, "stopped_at") or stopped.moment) if stopped else None


def start_of(source: Source) -> Any:
    """Returns when the spill started, as last estimated, or None."""
    return source.datum(source.last("start_estimated"), "started_at")


def with_certainty(how: str | None, certainty: str | None) -> str | None:
    """Returns how a time is known, with how sure that is.

    Example:
        >>> with_certainty("last seen dry at 2 pm", "estimated"), with_certainty(None, "exact"), with_certainty(None, None)
        ('last seen dry at 2 pm (estimated)', 'exact', None)
    """
    if how and certainty:
        return f"{how} ({certainty})"
    return how or certainty


def estimates_of(source: Source) -> tuple[dict[str, Estimate], dict[str, str]]:
    """Returns the estimates of the record by the name they have on paper, and these names by their ids."""
    found: dict[str, Estimate] = {}
    names: dict[str, str] = {}
    for event in source.events("volume_estimated"):
        what = "To surface water: " if event.data.get("what") == "to_water" else ""
        method = _method(event)
        name = first = f"{what}{method[:1].lower() + method[1:] if what else method}"
        count = 1
        while name in found:
            count += 1
            name = f"{first}, {count}"
        found[name], names[event.id] = _estimate(source, event), name
    return found, names


def _estimate(source: Source, event: Event) -> Estimate:
    inputs: Any = event.data.get("inputs") or ()
    given = [
        (str(one.get("name")), " ".join(_shown(one[key]) for key in ("value", "unit") if one.get(key)))
        for one in inputs
    ]
    chart = source.datum(event, "chart")
    if chart:
        given.append(("Chart", str(chart)))
    given += _photographs(source, texts(source.datum(event, "files")))
    working = str(source.datum(event, "working") or "")
    return Estimate(
        method=str(event.data["method"]),
        inputs=tuple(given),
        steps=tuple(line.strip() for line in working.splitlines() if line.strip()),
        total_gal=_fraction(event.data.get("result_gal")),
        low_gal=_fraction(event.data.get("low_gal")),
        high_gal=_fraction(event.data.get("high_gal")),
        rain_gal=Fraction(0),
        estimated_by=source.who(event) or "",
        source=SOURCES.get(str(event.data["method"]), THEIR_OWN),
    )


def _photographs(source: Source, digests: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yields the photographs that an estimate rests on: the name of each, when and where it was taken, and who says so."""
    if not digests:
        return
    attached = queries.attachments(source.thing.id, as_account=source.as_account)
    kept = {one.get("file"): source.at(one["id"]) for one in attached}
    for digest in digests:
        photograph = kept.get(digest)
        if photograph is None or not photograph.is_there:
            continue
        taken, point, says = (photograph.fact(name) for name in ("taken_at", "point", "taken_says"))
        said = [
            f"taken {moment_words(taken, source.zone)}" if taken else "",
            "at {1}, {0}".format(*point["coordinates"]) if point and point.get("type") == "Point" else "",
        ]
        when_and_where = " ".join(filter(None, said)) or "when and where it was taken is not known"
        yield (
            f"Photograph {photograph.fact('name') or ''}".strip(),
            f"{when_and_where}{f', as the {says} says' if says and any(said) else ''}; kept as {digest[:12]}",
        )


def _method(event: Event) -> str:
    method = str(event.data["method"])
    return NAMES.get(method, method.replace("_", " ").capitalize())


def _within_a_sentence(text: object) -> str:
    said = str(text or "").strip().rstrip(".")
    return said[:1].lower() + said[1:]


def _fraction(value: object) -> Fraction | None:
    return Fraction(value) if isinstance(value, int | Decimal | Fraction) else None


def _shown(value: object) -> str:
    return format(value, "f") if isinstance(value, Decimal) else str(value)


def _told(source: Source, call: Event) -> spill_report.Told:
    return spill_report.Told(
        person=source.datum(call, "spoken_to"),
        agency=telling.EMERGENCY if call.data.get("way") == telling.EMERGENCY else "agency",
        office=source.datum(call, "office"),
        at=call.moment,
        entered=telling.entered(source, call),
    )


def _visited(visits: Any, who: str) -> bool | None:
    return any(one.data.get("visitor") == who for one in visits) if visits else None


def _stop_how(source: Source, stopped: Event | None) -> str | None:
    words = {
        "corrected": "when what caused it was mended",
        "stopped_before_arrival": "found stopped when the crew came",
    }
    return words.get(str(source.datum(stopped, "because")))


def _volume_how(source: Source, chosen: Event | None) -> str | None:
    if chosen is None:
        return None
    estimate = source.first("volume_estimated", when=lambda event: event.id == chosen.data["estimate"])
    if estimate is None:
        return None
    return f"{_method(estimate)}; the working follows"


def _label(source: Source, name: str) -> str | None:
    found = source.ref(name)
    return found.label if found else None


def _degrees(source: Source, place: int) -> Decimal | None:
    manhole = source.ref("manhole")
    point: Any = source.fact("point") or (manhole.fact("point") if manhole else None)
    if not point or point.get("type") != "Point":
        return None
    return Decimal(str(point["coordinates"][place]))


__all__ = ["data_of", "estimates_of", "incident_number", "start_of", "stop_of", "with_certainty"]
