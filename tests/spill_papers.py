"""One paper of each kind with everything filled in, and one with nothing known, as the tests print them."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from importlib.resources import files
from zoneinfo import ZoneInfo

from sewershed.exchange.paper import Frame
from sewershed.programs.spills.papers import (
    caller_letter,
    owner_letter,
    press_release,
    public_notice,
    spill_report,
    spill_response_plan,
    statement_of_reasons,
    year_table,
)
from sewershed.programs.spills.papers.form import read_form
from sewershed.programs.spills.papers.values import Told
from sewershed.programs.spills.register import Gap, Spill
from sewershed.programs.spills.register import year_table as make_year
from sewershed.programs.spills.volume import Pond, Ran, Shape, Who, area_depth, photo_comparison
from sewershed.programs.town.papers import how_it_runs

ZONE = ZoneInfo("America/New_York")
AT = datetime(2024, 3, 12, 13, 10, tzinfo=UTC)
START = datetime(2024, 3, 8, 20, 25, tzinfo=UTC)
STOP = START + timedelta(minutes=95)
FORM = read_form((files("sewershed") / "rulebooks/us/nc/forms/cs_sso.toml").read_text("utf-8"))
HEAD = "9b1f0c7e5a3d48f2b6c1d0e9f8a7b6c5d4e3f2a1b0c9d8e7f6a5b4c3d2e1f009"


def frame(kind: str = "Spill report", **changed: object) -> Frame:
    values = {
        "town": "Town of Made-up Ford",
        "address": ("1 Water Street", "Made-up Ford"),
        "office": "Public Works",
        "kind": kind,
        "title": "Sewage on Branch Street",
        "number": "24-003",
        "is_draft": False,
        "is_example": True,
        "supplement_number": "4",
        "supplement_hash": "3f9c2a81d0e4" * 5,
        "head": HEAD,
    }
    return Frame(**(values | changed))


def report(word: str = "") -> dict[str, object]:
    """A spill report; a word given stands wherever a text may."""
    ran = Ran(START, STOP, ZONE, word or "first noticed by the caller", word or "jetted free")
    who = Who(word or "operator in responsible charge")
    estimates = {
        "Rate and time": photo_comparison(
            word or "manhole chart", "crew leader", [(25, ran)], who, between_gpm=(25, 50)
        ),
        "Area and depth": area_depth([Pond(Shape("rectangle", (60, 25)), (1, 2, 1, 2, Decimal("1.5")))], who),
    }
    calls = (
        spill_report.Told(word or "staff", "agency", word or "Raleigh", STOP),
        spill_report.Told(word or "duty officer", "emergency_management", None, STOP, entered=date(2024, 3, 12)),
    )
    came_out = ((word or "it counts", word or "met"), (word or "it does not", word or "overdue"))
    readings = ((word or "D-1: whether it counts", word or "Speak to a person", came_out),)
    answer = spill_report.Answer(word or "September 14, 2023", word or "cleaning log")
    questions = {cause: {key: answer for key, _ in FORM.questions[cause]} for cause in FORM.causes}
    texts = (
        "permit_number", "facility", "incident_number", "owner", "region", "city", "county", "location", "manhole",
        "volume_how", "weather", "water_name", "visitor", "visitor_certificate", "remedied",
    )  # fmt: skip
    return spill_report.build(
        FORM,
        spill_report.SpillReport(
            **{name: word or f"the {name}".replace("_", " ") for name in texts},
            source="sanitary_sewer", latitude=Decimal("35.9449"), longitude=Decimal("-78.10915"), start=START,
            start_how=ran.start_how, stop=STOP, stop_how=ran.stop_how, total_gal=2375, recovered_gal=600,
            reached_water=True, water_gal=5, fish_kill=True, fish_killed=12, told=calls, told_by_reading=readings, told_standing=(word or "overdue",),
            visited_orc=True, visited_backup=False, visited=STOP, causes=tuple(FORM.causes), answers=questions,
            estimates=estimates, chosen="Rate and time", chosen_by=who.estimated_by, chosen_because=word or "the ditch soaks",
            certifier=word or "operator", certifier_title=word or "director", certifier_telephone="252-555-0110",
            certified_on=date(2024, 3, 12),
        ),
        zone=ZONE,
    )  # fmt: skip


def release(word: str = "") -> dict[str, object]:
    say = word or "some words"
    return press_release.build(
        press_release.PressRelease(
            "FOR IMMEDIATE RELEASE", "The Town", say, say, say, say, say, 2375, 1400, START, STOP, STOP,
            (Told(say, STOP),), say, say, (say,), say, "252-555-0110", (say,),
        ),
        zone=ZONE,
    )  # fmt: skip


def notice(word: str = "") -> dict[str, object]:
    say = word or "some words"
    return public_notice.build(
        public_notice.PublicNotice(
            "NOTICE OF DISCHARGE OF UNTREATED SEWAGE", "The Town", date(2024, 3, 11), say, say, say, say, say, say,
            15000, START, STOP, say, say, "252-555-0110", STOP, (Told(say, STOP),),
        ),
        zone=ZONE,
    )  # fmt: skip


def to_caller(word: str = "") -> dict[str, object]:
    say = word or "some words"
    return caller_letter.build(
        caller_letter.CallerLetter(
            (say, say), date(2024, 3, 12), "24-017", START, say, "spill", START, STOP, (say,), (say,), say, say, say,
            "252-555-0110",
        ),
        zone=ZONE,
    )  # fmt: skip


def to_owner(word: str = "") -> dict[str, object]:
    say = word or "some words"
    return owner_letter.build(
        owner_letter.OwnerLetter(
            (say,), date(2024, 3, 12), say, START, say, say, (say,), date(2024, 3, 22), say,
            (owner_letter.Clause(say, say),), (say,), say, say, "252-555-0110",
        ),
        zone=ZONE,
    )  # fmt: skip


def reasons(word: str = "") -> dict[str, object]:
    say, s = word or "some words", statement_of_reasons
    return s.build(
        s.StatementOfReasons(
            say, say, "Cannot tell", say, STOP, say, START, date(2024, 3, 8), (s.ClauseRead(say, say, say, say),),
            (s.Step(say, "yes", say),), (s.FactUsed(say, None, say), s.FactUsed(say, say, say)), ((say, say),), ((say, say),),
            (s.Doubt(say, (s.Reading(say, say, True), s.Reading(say, say)), say),), ((say, say),),
        ),
        zone=ZONE,
    )  # fmt: skip


def plan(word: str = "") -> dict[str, object]:
    say, p = word or "some words", spill_response_plan
    return p.build(
        p.SpillResponsePlan(
            say, "2024-1", say, (say,), (say,), tuple(p.PlanDuty(stage, say, say, say, say) for stage in p.STAGES),
            (p.Contact(say, say, say, say, True), p.Contact(say, None, None)),
            (p.Equipment(say, say, say, False, say), p.Equipment(say, None, None, True)),
            (p.Station(say, (say,), True, say, say), p.Station("Other")), 3, ((say, say), (say, None)),
            (p.Version(say, date(2024, 3, 1), say),), (p.Review(date(2024, 3, 1), say, say),), date(2025, 3, 1), (say,), (say,),
        ),
    )  # fmt: skip


def year(word: str = "") -> dict[str, object]:
    say = word or "some words"
    spills = [
        Spill("22-001", date(2022, 9, 2), say, tuple(FORM.causes), 12000, 9500, True, say),
        Spill("23-001", date(2023, 2, 1), None, (), None, None, None),
    ]
    gap = Gap(date(2022, 7, 1), date(2022, 7, 4), say)
    table = make_year(spills, date(2022, 7, 1), date(2023, 6, 30), [gap])
    late = (year_table.Late(say, say, date(2024, 3, 9), STOP), year_table.Late(say, say, STOP, None))
    return year_table.build(year_table.YearTable(table, say, 12, say, FORM.causes, late), zone=ZONE)


def runs(word: str = "") -> dict[str, object]:
    """How an ordinance runs: a clause that an entry carries, the same entry again, one left to a person, two that nobody read."""
    say = word or "Empty it every 30 days"
    lines = (how_it_runs.LineSaid(word or "Due", word or "every 30 days from the last time it was met"),)
    doubt = how_it_runs.DoubtRuns(
        "D-1", say, (word or "calendar days", "business days"), word or "Applied until somebody decides: calendar days."
    )
    rule = how_it_runs.RuleRuns(
        word or "us.ford.empty", say, "Duty", word or "12-4(e)", word or "since Mon Jan 1, 2024", lines,
        (how_it_runs.ReadingRuns("calendar days", word or "Applied until somebody decides", lines), how_it_runs.ReadingRuns("business days", "", lines)),
        (doubt,), (how_it_runs.CaseRuns(say, (word or "Met",), word or "hand: 31 January and 30 days"),), 3,
        word or "From memory: check before relying on it", word or "Looked for in the state's model",
    )  # fmt: skip
    again = how_it_runs.RuleRuns("us.ford.empty", say, "Duty", "12-4(e)", "", printed_at=word or "12-4(e)")

    def clause(cite: str, status: str, *rules: how_it_runs.RuleRuns) -> how_it_runs.ClauseRuns:
        carriers = () if rules or status == "unread" else (word or "the list of stations",)
        return how_it_runs.ClauseRuns(
            "F-1",
            word or cite,
            say,
            status,
            "Left to a person",
            carriers,
            (doubt,) if status == "judged" else (),
            rules,
        )

    clauses = (
        clause("12-4(e)", "rule", rule), clause("12-4(f)", "rule", again), clause("12-4(g)", "judged"),
        clause("12-4(h)", "unread"), clause("12-4(i)", "unread"), clause("12-4(j)", "text"),
    )  # fmt: skip
    articles = (how_it_runs.ArticleRuns(word or "12-4", word or "12-1 to 12-9", clauses),)
    return how_it_runs.build(
        how_it_runs.HowItRuns(
            "Made-up Ford", word or "Grease", (say,), date(2024, 3, 12), ((2, "carried by an entry"),), 1, 1, articles
        )
    )


PAPERS = {
    module.TEMPLATE: build
    for module, build in (
        (spill_report, report),
        (press_release, release),
        (public_notice, notice),
        (caller_letter, to_caller),
        (owner_letter, to_owner),
        (statement_of_reasons, reasons),
        (spill_response_plan, plan),
        (year_table, year),
        (how_it_runs, runs),
    )
}
