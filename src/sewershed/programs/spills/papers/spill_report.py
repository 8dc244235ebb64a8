"""The spill report: every field of the state's form, each answered from the record or said to be not known.

Part I says what happened. Part II, by cause, is the plea: a state excuses a spill only on what was logged at the time, so
each answer names the log it rests on, and an answer without one shows as such.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

from sewershed.programs.spills.choice import split
from sewershed.programs.spills.duration import duration_between, hours_for_form
from sewershed.programs.spills.papers.form import Form, Section
from sewershed.programs.spills.papers.values import angle_text, gallons_text, moment_text, write_or_refuse
from sewershed.programs.spills.volume import Estimate
from sewershed.rules.figures import CannotEstimateError, plain
from sewershed.rules.problems import did_you_mean
from sewershed.rules.record import Moment
from sewershed.rules.types import Number

TEMPLATE = "spills/papers/spill_report.typ"
NOT_APPLICABLE = "not applicable"
NO_CALL = "none on record"  # of a call that nobody has entered: it may have been made, or not


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer of Part II, and the log entry it rests on (whose, of which day)."""

    text: str | None
    rests_on: str = ""


@dataclass(frozen=True, slots=True)
class Told:
    """A call by which the state was told: to whom, at which agency and office, and when it was entered, where that was later."""

    person: str | None = None
    agency: str | None = None  # a word of the form
    office: str | None = None  # which of its offices, as recorded
    at: Moment | None = None
    entered: Moment | None = None


@dataclass(frozen=True, slots=True)
class SpillReport:
    """What the record holds of one spill, as far as a state's form asks. None is not known."""

    permit_number: str | None = None
    facility: str | None = None
    incident_number: str | None = None
    owner: str | None = None
    region: str | None = None
    city: str | None = None
    county: str | None = None
    source: str | None = None
    location: str | None = None
    manhole: str | None = None
    latitude: Decimal | None = None
    longitude: Decimal | None = None
    start: Moment | None = None
    start_how: str | None = None
    stop: Moment | None = None
    stop_how: str | None = None
    total_gal: Number | None = None
    volume_how: str | None = None
    recovered_gal: Number | None = None
    recovered_because: str = ""
    weather: str | None = None
    reached_water: bool | None = None
    water_gal: Number | None = None
    water_name: str | None = None
    fish_kill: bool | None = None
    fish_killed: int | None = None
    told: tuple[Told, ...] = ()  # the calls that count, or may, in order; none: nobody has entered one
    # Where the text may be read in two ways and the telling comes out so: the doubt, the duty, and each reading with its outcome.
    told_by_reading: tuple[tuple[str, str, tuple[tuple[str, str], ...]], ...] = ()
    told_standing: tuple[str, ...] = ()  # what of telling is owed, where there was no call
    visited_orc: bool | None = None
    visited_backup: bool | None = None
    visitor: str | None = None
    visitor_certificate: str | None = None
    visited: Moment | None = None
    remedied: str | None = None
    causes: tuple[str, ...] = ()
    answers: Mapping[str, Mapping[str, Answer]] = field(default_factory=dict)
    estimates: Mapping[str, Estimate] = field(default_factory=dict)
    chosen: str = ""
    chosen_by: str = ""
    chosen_because: str = ""
    certifier: str | None = None
    certifier_title: str | None = None
    certifier_telephone: str | None = None
    certified_on: date | None = None
    certifier_wanting: str = ""  # why a signing that is recorded certifies nothing


Field = tuple[str, object]  # kind and value


def _day_and_clock(name: str, moment: Moment | None, zone: ZoneInfo) -> dict[str, Field]:
    text = moment_text(moment, zone)
    has_clock = isinstance(moment, datetime)
    return {
        f"{name}_day": ("day", None if text is None else text[:10]),
        f"{name}_clock": ("clock", text if has_clock else None),
    }


def _text(value: str | None) -> Field:
    return ("text", value or None)


def _fields(report: SpillReport, form: Form, zone: ZoneInfo) -> dict[str, Field]:
    """Returns every field that a form may ask for, by key, with how it is printed."""

    def word(value: str | None) -> Field:
        return _text(None if value is None else form.words.get(value, value))

    recovered = gallons_text(report.recovered_gal)
    if recovered is not None and report.recovered_because:
        recovered = f"{recovered} ({report.recovered_because})"
    fish_killed = None if report.fish_killed is None else str(report.fish_killed)
    is_dry = report.reached_water is False  # nothing then asks which water, or what became of fish in it
    return {
        **{
            name: _text(getattr(report, name))
            for name in (
                "permit_number", "facility", "incident_number", "owner", "region", "city", "county", "location",
                "manhole", "start_how", "stop_how", "volume_how", "weather", "visitor",
                "visitor_certificate", "remedied",
            )
        },
        "source": word(report.source),
        "latitude": _text(angle_text(report.latitude, ("N", "S"))),
        "longitude": _text(angle_text(report.longitude, ("E", "W"))),
        **_day_and_clock("start", report.start, zone),
        **_day_and_clock("stop", report.stop, zone),
        "duration": _text(_duration(report, zone)),
        "total": _text(gallons_text(report.total_gal)),
        "recovered": _text(recovered),
        "reached_water": ("yes_no", report.reached_water),
        "water": _text("none" if report.reached_water is False else gallons_text(report.water_gal)),
        "water_name": _text(report.water_name or (NOT_APPLICABLE if is_dry else None)),
        "fish_kill": _text(NOT_APPLICABLE) if is_dry and report.fish_kill is None else ("yes_no", report.fish_kill),
        "fish_killed": _text(
            "none" if report.fish_kill is False else fish_killed or (NOT_APPLICABLE if is_dry and not report.fish_kill else None)
        ),
        **_call(report.told[0] if report.told else Told(), form, zone),
        "visited_orc": ("yes_no", report.visited_orc),
        "visited_backup": ("yes_no", report.visited_backup),
        **_day_and_clock("visited", report.visited, zone),
    }  # fmt: skip


def _call(told: Told, form: Form, zone: ZoneInfo) -> dict[str, Field]:
    """Returns the fields of a call: which agency was told, and which of its offices where that is recorded and says more."""
    agency = None if told.agency is None else form.words.get(told.agency, told.agency)
    said = dict.fromkeys(filter(None, (agency, told.office)))
    return {
        "told_person": _text(told.person),
        "told_office": _text(", ".join(said)),
        **_day_and_clock("told", told.at, zone),
    }


def _duration(report: SpillReport, zone: ZoneInfo) -> str | None:
    if report.start is None or report.stop is None:
        return None
    lasted = duration_between(report.start, report.stop, zone)
    if lasted.minutes is None:
        return (
            f"between {hours_for_form(lasted.shortest_minutes)} and {hours_for_form(lasted.longest_minutes)} hours; "
            "the time of day is not known"
        )
    hours = hours_for_form(lasted.minutes)
    return f"{hours} {'hour' if hours == 1 else 'hours'} ({plain(lasted.minutes, 1)} minutes)"


def build(form: Form, report: SpillReport, *, zone: ZoneInfo) -> dict[str, object]:
    """Returns the data of a spill report on a state's form.

    Edge: a start or a stop of which only the day is known has a date and no time; the duration is then a range. Where no
        water was reached its name and the fish in it are not applicable, unless something is recorded of them.
    Refuses: figures that contradict each other, a stop before the start, causes, answers or fields that the form does not
        know, a fish count without a fish kill; all of them at once.
    """
    problems = _contradictions(report, zone) + _strangers(form, report)
    write_or_refuse("the spill report", problems)
    fields = _fields(report, form, zone)
    unknown_keys = [key for section in form.sections for key, _ in section.fields if key not in fields]
    write_or_refuse(
        "the spill report", [f"form {form.name} asks '{key}'{did_you_mean(key, fields)}" for key in unknown_keys]
    )
    sections = [section for one in form.sections for section in _sections(form, one, fields, report, zone)]
    part_two = [_questions(form, report, cause) for cause in form.causes if cause in report.causes]
    return {
        "form": {
            "name": form.name,
            "title": form.title,
            "edition": form.edition,
            "agency": form.agency,
            "part_one": form.part_one,
            "part_two": form.part_two,
        },
        "not_known": _not_known(form, fields, report, part_two),
        "sections": sections,
        "told_standing": list(report.told_standing),
        "causes": [{"label": label, "is_set": word in report.causes} for word, label in form.causes.items()],
        "part_two": part_two,
        "volume": {
            "estimates": [
                {"name": name, "is_chosen": name == report.chosen, **estimate.as_data()}
                for name, estimate in report.estimates.items()
            ],
            "chosen_by": report.chosen_by,
            "because": report.chosen_because,
        },
        "certification": {
            "text": form.certification,
            "name": report.certifier,
            "title": report.certifier_title,
            "telephone": report.certifier_telephone,
            "day": None if report.certified_on is None else report.certified_on.isoformat(),
            "wanting": report.certifier_wanting or None,
        },
    }


def _sections(
    form: Form, section: Section, fields: Mapping[str, Field], report: SpillReport, zone: ZoneInfo
) -> Iterator[dict[str, object]]:
    """Yields a section of the form; that of the call to the state again for each further call, and with its readings."""
    if not any(key.startswith("told_") for key, _ in section.fields):
        yield _section(section.head, section, fields)
        return
    calls = report.told or (Told(),)
    for number, told in enumerate(calls, start=1):
        made = _section(
            section.head if len(calls) == 1 else f"{section.head}, {number} of {len(calls)}",
            section,
            {**fields, **_call(told, form, zone)},
            absent=None if report.told else NO_CALL,
        )
        if told.entered is not None:
            made["remark"] = f"Entered in the record on {moment_text(told.entered, zone)}."
        if number == len(calls):
            made["readings"] = _readings(report)
        yield made


def _readings(report: SpillReport) -> list[dict[str, object]]:
    """Returns the doubts by whose readings the telling comes out in two ways, each with its duties."""
    by_doubt: dict[str, list[tuple[str, tuple[tuple[str, str], ...]]]] = {}
    for doubt, duty, came_out in report.told_by_reading:
        by_doubt.setdefault(doubt, []).append((duty, came_out))
    return [
        {
            "doubt": doubt,
            "names": [name for name, _ in duties[0][1]],
            "rows": [{"duty": duty, "came_out": [how for _, how in came_out]} for duty, came_out in duties],
        }
        for doubt, duties in by_doubt.items()
    ]


def _section(
    head: str, section: Section, fields: Mapping[str, Field], *, absent: str | None = None
) -> dict[str, object]:
    rows = [
        {"label": label, "kind": fields[key][0], "value": fields[key][1], "absent": absent}
        for key, label in section.fields
    ]
    return {"head": head, "rows": rows, "remark": None, "readings": []}


def _not_known(
    form: Form, fields: Mapping[str, Field], report: SpillReport, part_two: Sequence[Mapping[str, Any]]
) -> list[dict[str, object]]:
    """Returns every answer that is missing, under the heading where it stands: Part I, the cause, Part II, the certification."""
    found: list[dict[str, object]] = []
    for section in form.sections:
        labels = [label for key, label in section.fields if fields[key][1] is None]
        if labels:
            found.append({"head": section.head, "labels": labels})
    if not report.causes:
        found.append({"head": "Cause", "labels": ["every cause that applies"]})
    for part in part_two:
        labels = [row["asks"] for row in part["rows"] if row["answer"] is None]
        if labels:
            found.append({"head": f"{form.part_two}, {part['cause']}", "labels": labels})
    signed = {
        "Name": report.certifier, "Title": report.certifier_title, "Telephone": report.certifier_telephone,
        "Date certified": report.certified_on,
    }  # fmt: skip
    labels = [label for label, value in signed.items() if value is None]
    if labels:
        found.append({"head": "Certification", "labels": labels})
    return found


def _questions(form: Form, report: SpillReport, cause: str) -> dict[str, Any]:
    answers = report.answers.get(cause, {})
    rows = []
    for key, asks in form.questions.get(cause, ()):
        given = answers.get(key, Answer(None))
        rows.append({"asks": asks, "answer": given.text or None, "rests_on": given.rests_on or None})
    return {"cause": form.causes[cause], "rows": rows}


def _contradictions(report: SpillReport, zone: ZoneInfo) -> list[str]:
    checks: list[Callable[[], object]] = [
        lambda: split(
            total_gal=report.total_gal,
            surface_water_gal=report.water_gal,
            recovered_gal=report.recovered_gal,
            recovered_because=report.recovered_because,
        )
    ]
    start, stop = report.start, report.stop
    if start is not None and stop is not None:
        checks.append(lambda: duration_between(start, stop, zone))
    problems = []
    for check in checks:
        try:
            check()
        except CannotEstimateError as error:
            problems.append(str(error))
    if report.reached_water is False and report.water_gal:
        problems.append(
            "it did not reach surface water, and yet gallons that reached it are given; correct one of them"
        )
    if report.fish_kill is False and report.fish_killed:
        problems.append("there was no fish kill, and yet dead fish are counted; correct one of them")
    if report.chosen and report.chosen not in report.estimates:
        problems.append(f"the chosen estimate '{report.chosen}' is not among the estimates")
    elif report.chosen and report.estimates[report.chosen].total_gal != report.total_gal:
        problems.append("the volume reported is not the chosen estimate's; choose again or correct the report")
    return problems


def _strangers(form: Form, report: SpillReport) -> list[str]:
    problems = [
        f"form {form.name} has no cause '{cause}'{did_you_mean(cause, form.causes)}"
        for cause in (*report.causes, *report.answers)
        if cause not in form.causes
    ]
    for cause, answers in report.answers.items():
        asked = [key for key, _ in form.questions.get(cause, ())]
        problems += [
            f"form {form.name} does not ask '{key}' about {cause}{did_you_mean(key, asked)}"
            for key in answers
            if key not in asked
        ]
    return problems
