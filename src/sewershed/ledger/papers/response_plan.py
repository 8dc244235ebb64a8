"""The spill response plan from the record: contacts, equipment, stations and versions as recorded, duties as the rulebook has them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date, datetime
from typing import Any

from sewershed.ledger.errors import Refused
from sewershed.ledger.papers.source import Source, sentence, texts
from sewershed.ledger.wording import capital
from sewershed.programs.spills.papers import spill_response_plan
from sewershed.programs.spills.papers.spill_response_plan import Contact, Equipment, PlanDuty, Review, Station, Version
from sewershed.rules.entries import Duty, Entry
from sewershed.rules.figures import plain
from sewershed.rules.moments import day_of
from sewershed.rules.record import Event
from sewershed.rules.sentences import clock

REVISED, REVIEWED, PLACED = "plan_revised", "plan_reviewed", "plan_copy_placed"


def response_plan_data(source: Source, signed_by: Event | None, part: str = "") -> Mapping[str, object]:
    """Returns the data of the spill response plan of the town.

    Edge: numbers that are private are in it only for those who may see them; an agency's published number is in every copy.

    Refuses: a plan without a version, and one that names nobody to call.
    """
    words = source.words("spill_response_plan")
    stages: Mapping[str, list[str]] = words["stages"]
    entries = source.world.entries
    named = [(stage, entries[rule]) for stage, rules in stages.items() for rule in rules if rule in entries]
    revised = source.last(REVISED)
    if revised is None:
        raise Refused(
            [
                "the spill response plan has no version yet, and every copy must say which it is",
                f'give it one: sewershed record TOWN {REVISED} --at DAY --set version="NAME" --set because=new',
            ]
        )
    plan = spill_response_plan.SpillResponsePlan(
        permit_number=source.fact("collection_permit"),
        version=str(source.datum(revised, "version") or revised.day.isoformat()),
        purpose=str(words["purpose"]),
        objectives=texts(words["objectives"]),
        intake=texts(words["intake"]),
        duties=tuple(duty for stage, entry in named if (duty := _duty(source, stage, entry)) is not None),
        contacts=(*_agencies(source), *(_contact(one) for one in source.all("contact"))),
        equipment=tuple(_equipment(one) for one in source.all("equipment")),
        stations=tuple(_station(one) for one in source.all("station") if one.first("station_closed") is None),
        stations_stated=_whole(source.fact("stations_stated")),
        elements=tuple((str(element), str(where) or None) for element, where in words["elements"]),
        versions=tuple(
            Version(str(source.datum(one, "version") or ""), one.day, str(source.datum(one, "because") or ""))
            for one in source.events(REVISED)
        ),
        reviews=tuple(
            Review(one.day, source.office(one) or "", str(source.datum(one, "changes") or ""))
            for one in source.events(REVIEWED)
        ),
        next_review_on=_next_review(source),
        copies=tuple(
            str(source.datum(one, "where"))
            for one in source.events(PLACED)
            if source.datum(one, "where") and one.key >= revised.key
        ),
        doubts=_doubts(source, [entry for _, entry in named]),
    )
    return spill_response_plan.build(plan)


def _duty(source: Source, stage: str, entry: Entry) -> PlanDuty | None:
    form = source.world.form(entry, source.at(source.town).thing, source.day)
    if not isinstance(form, Duty):
        return None
    limit = "; ".join(clock(case.clock) for case in form.due[:1]).partition(";")[0].partition(" from the last ")[0]
    cites = "; ".join(filter(None, (", ".join(entry.cites), source.world.law.caution(entry.id))))
    return PlanDuty(stage, entry.means, source.title(form.who), limit, cites)


def _agencies(source: Source) -> Iterator[Contact]:
    """Yields the offices of the state that the books name, with the numbers that they publish."""
    office, phone = source.fact("office_to_call"), source.fact("regional_office_phone")
    title = source.title("regional_office")
    if office is not None:
        where = str(office).replace("_", " ").title()
        yield Contact(f"{capital(title)}, {where}", "Verbal and written reports of spills", phone)
    after_hours = source.ask("state_after_hours_phone")
    if after_hours is not None:
        title = source.title("emergency_management")
        yield Contact(title, "Verbal reports outside business hours", str(after_hours), after_hours=True)


def _contact(one: Source) -> Contact:
    return Contact(
        str(one.fact("role")),
        one.fact("used_for"),
        one.published("phone"),
        one.published("email"),
        one.fact("after_hours"),
    )


def _equipment(one: Source) -> Equipment:
    count, state = one.fact("count"), one.fact("state")
    return Equipment(
        str(one.fact("name")), None if count is None else plain(count), one.fact("where"), bool(one.fact("is_spare_part")),
        None if state is None else str(state).replace("_", " "),
    )  # fmt: skip


def _station(one: Source) -> Station:
    generator: Any = one.fact("generator")
    calls, heard = one.fact("has_telemetry"), one.fact("alarm_is_heard")
    said = ("calls out" if calls else "", "" if heard is None else "loud enough" if heard else "not loud enough")
    return Station(
        str(one.fact("name")), texts(one.fact("other_names")), None if generator is None else generator != "none",
        "; ".join(filter(None, said)) or None, one.fact("when_pumps_fail"),
    )  # fmt: skip


def _whole(number: Any) -> int | None:
    return None if number is None else int(number)


def _next_review(source: Source) -> date | None:
    """Returns the day by which the plan must be reviewed: the limit of what a review would meet."""
    rules = [one.id for one in source.world.law.duties_on.get(source.thing.type, ()) if _is_met_by_a_review(one)]
    limits = [
        one.due
        for one in source.world.obligations(source.thing.id, rules=rules)
        if one.is_open
        and one.due is not None
        and (duty := source.world.duty(one)) is not None
        and any(REVIEWED in pattern.events for pattern in duty.met_by)
    ]
    if not limits:
        return None
    days = [day_of(one, source.zone) if isinstance(one, datetime) else one for one in limits]
    return min(days)


def _is_met_by_a_review(entry: Entry) -> bool:
    forms = [form for edition in entry.editions for form in edition.readings.values() if isinstance(form, Duty)]
    return any(REVIEWED in pattern.events for form in forms for pattern in form.met_by)


def _doubts(source: Source, entries: list[Entry]) -> tuple[str, ...]:
    """Returns what the town's own texts leave open where nobody has settled it, each once; the state's are not the plan's to mend."""
    ids = dict.fromkeys(doubt for entry in entries for doubt in (*entry.doubts, entry.reading_of) if doubt)
    town, own = source.at(source.town).thing, source.world.book.id
    return tuple(
        str(sentence(source.world.doubts[one].means))
        for one in ids
        if one in source.world.doubts and source.world.doubts[one].book == own and not source.world.decisions(one, town)
    )
