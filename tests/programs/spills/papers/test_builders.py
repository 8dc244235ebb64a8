"""What each paper of the spills program must contain, and when it refuses. The fields of the state's form are the list of
its forms as filed in 2020 and 2023, written out here by hand."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from importlib.resources import files
from zoneinfo import ZoneInfo

import pytest

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
from sewershed.programs.spills.papers.spill_report import Answer, SpillReport
from sewershed.programs.spills.papers.values import CannotWriteError, Told, angle_text
from sewershed.programs.spills.register import Gap, Spill
from sewershed.programs.spills.register import year_table as make_year
from sewershed.programs.spills.volume import Ran, Who, rate_duration

ZONE = ZoneInfo("America/New_York")
FORM_TEXT = (files("sewershed") / "rulebooks/us/nc/forms/cs_sso.toml").read_text("utf-8")
FORM = read_form(FORM_TEXT)
START = datetime(2024, 3, 8, 20, 25, tzinfo=UTC)  # 15:25 local
STOP = START + timedelta(minutes=95)

PART_ONE = [
    "Permit number", "Facility", "Incident number", "Owner", "Region", "City", "County", "Source of the overflow",
    "Specific location", "Manhole number", "Latitude", "Longitude", "Start, date", "Start, time", "End, date", "End, time",
    "Estimated volume", "Duration, to the nearest hour", "How the volume was determined", "Weather",
    "Reached surface water", "Volume reaching surface water", "Name of the surface water", "Fish kill", "Number of fish",
    "Person spoken to", "At", "Date", "Time", "Operator in responsible charge visited", "Back-up operator visited", "Name",
    "Certification number", "Date visited", "Time visited", "How it was remedied",
]  # fmt: skip
CAUSES = [
    "Severe natural conditions", "Grease", "Roots", "Inflow and infiltration", "Pump station equipment failure",
    "Power outage", "Vandalism", "Debris in line", "Pipe failure (break)", "Other",
]  # fmt: skip
QUESTIONS_BY_CAUSE = {
    "natural_conditions": 2, "grease": 7, "roots": 4, "inflow_infiltration": 8, "pump_equipment": 11, "power": 4,
    "vandalism": 4, "debris": 5, "pipe_failure": 11, "other": 3,
}  # fmt: skip


def refused(said, build, *args, **kwargs):
    with pytest.raises(CannotWriteError, match=said):
        build(*args, **kwargs)


def rows(data):
    return {row["label"]: row["value"] for section in data["sections"] for row in section["rows"]}


class TestSpillReport:
    def test_every_field_of_part_one_is_there(self):
        labels = [
            row["label"] for s in spill_report.build(FORM, SpillReport(), zone=ZONE)["sections"] for row in s["rows"]
        ]
        assert set(PART_ONE) <= set(labels)
        assert len(labels) == len(set(labels))

    def test_every_cause_is_listed_and_those_that_apply_are_set(self):
        data = spill_report.build(FORM, SpillReport(causes=("roots", "grease")), zone=ZONE)
        assert [cause["label"] for cause in data["causes"]] == CAUSES
        assert [cause["label"] for cause in data["causes"] if cause["is_set"]] == ["Grease", "Roots"]

    @pytest.mark.parametrize(("cause", "count"), QUESTIONS_BY_CAUSE.items())
    def test_part_two_asks_by_cause(self, cause, count):
        data = spill_report.build(FORM, SpillReport(causes=(cause,)), zone=ZONE)
        assert [len(part["rows"]) for part in data["part_two"]] == [count]

    def test_what_is_not_known_is_none_and_listed(self):
        data = spill_report.build(FORM, SpillReport(), zone=ZONE)
        assert all(value is None for value in rows(data).values())
        listed = [label for group in data["not_known"] for label in group["labels"]]
        assert listed == [*rows(data), "every cause that applies", "Name", "Title", "Telephone", "Date certified"]

    def test_what_part_two_and_the_certification_lack_is_listed_with_where_it_is_missing(self):
        report = SpillReport(causes=("grease",), certifier="A. Operator", certified_on=date(2024, 3, 12))
        missing = {group["head"]: group["labels"] for group in spill_report.build(FORM, report, zone=ZONE)["not_known"]}
        assert len(missing["Part II, Grease"]) == QUESTIONS_BY_CAUSE["grease"]
        assert missing["Certification"] == ["Title", "Telephone"]
        answers = {"grease": {"last_cleaned": Answer("2024-01-09", "cleaning log of P-7")}}
        missing = spill_report.build(FORM, replace(report, answers=answers), zone=ZONE)["not_known"]
        assert len(missing[-2]["labels"]) == QUESTIONS_BY_CAUSE["grease"] - 1

    def test_a_known_field_is_not_listed(self):
        data = spill_report.build(FORM, SpillReport(incident_number="2024-00917", causes=("grease",)), zone=ZONE)
        listed = [label for group in data["not_known"] for label in group["labels"]]
        assert "Incident number" not in listed
        assert "every cause that applies" not in listed
        assert rows(data)["Incident number"] == "2024-00917"

    def test_times_are_the_towns_and_the_duration_is_rounded_beside_its_minutes(self):
        data = rows(spill_report.build(FORM, SpillReport(start=START, stop=STOP), zone=ZONE))
        assert data["Start, date"] == "2024-03-08"
        assert data["Start, time"] == "2024-03-08T15:25-05:00"
        assert data["Duration, to the nearest hour"] == "2 hours (95 minutes)"

    def test_a_bare_day_has_no_time_and_gives_a_range(self):
        data = rows(spill_report.build(FORM, SpillReport(start=date(2024, 3, 8), stop=date(2024, 3, 8)), zone=ZONE))
        assert data["Start, date"] == "2024-03-08"
        assert data["Start, time"] is None
        assert data["Duration, to the nearest hour"] == "between 0 and 24 hours; the time of day is not known"

    def test_no_water_and_no_fish_are_answers(self):
        data = rows(spill_report.build(FORM, SpillReport(reached_water=False, fish_kill=False), zone=ZONE))
        assert data["Reached surface water"] is False
        assert (data["Volume reaching surface water"], data["Number of fish"]) == ("none", "none")

    def test_where_no_water_was_reached_nothing_asks_for_its_name_or_its_fish(self):
        about_water = ("Name of the surface water", "Fish kill", "Number of fish")
        data = spill_report.build(FORM, SpillReport(reached_water=False), zone=ZONE)
        assert [rows(data)[label] for label in about_water] == ["not applicable"] * 3
        listed = {label for group in data["not_known"] for label in group["labels"]}
        assert not listed & set(about_water)
        for reached in (True, None):
            known = rows(spill_report.build(FORM, SpillReport(reached_water=reached), zone=ZONE))
            assert [known[label] for label in about_water] == [None] * 3
        seen = rows(spill_report.build(FORM, SpillReport(reached_water=False, fish_kill=True), zone=ZONE))
        assert (seen["Fish kill"], seen["Number of fish"]) == (True, None)

    def test_words_of_the_form(self):
        report = SpillReport(source="pump_station", told=(spill_report.Told(agency="emergency_management"),))
        data = rows(spill_report.build(FORM, report, zone=ZONE))
        assert (data["Source of the overflow"], data["At"]) == ("Pump station", "Emergency Management")

    @pytest.mark.parametrize(
        ("agency", "office", "said"),
        [
            ("agency", "Raleigh", "Division of Water Resources, Raleigh"),
            ("agency", None, "Division of Water Resources"),
            ("emergency_management", "Emergency Management", "Emergency Management"),
            (None, "Raleigh", "Raleigh"),
            (None, None, None),
        ],
    )
    def test_the_office_that_was_told_stands_with_its_agency(self, agency, office, said):
        report = SpillReport(told=(spill_report.Told(agency=agency, office=office),))
        assert rows(spill_report.build(FORM, report, zone=ZONE))["At"] == said

    def test_a_call_that_nobody_entered_says_so_and_is_missing(self):
        data = spill_report.build(FORM, SpillReport(told_standing=("Overdue.",)), zone=ZONE)
        (section,) = [one for one in data["sections"] if one["head"] == "Verbal report"]
        assert {(row["value"], row["absent"]) for row in section["rows"]} == {(None, "none on record")}
        (missing,) = [one for one in data["not_known"] if one["head"] == "Verbal report"]
        assert len(missing["labels"]) == len(section["rows"])
        assert data["told_standing"] == ["Overdue."]

    def test_each_call_has_the_fields_of_the_form_and_the_last_says_how_it_is_read(self):
        office, desk = (
            spill_report.Told("Staff", "agency", "Raleigh", START),
            spill_report.Told("Duty officer", "emergency_management", None, STOP, entered=date(2024, 3, 11)),
        )
        doubt = ("D-1: whether it counts", "Speak to a person", (("it counts", "met"), ("it does not", "overdue")))
        report = SpillReport(told=(office, desk), told_by_reading=(doubt,))
        first, second = [
            one for one in spill_report.build(FORM, report, zone=ZONE)["sections"] if one["head"].startswith("Verbal")
        ]
        assert (first["head"], second["head"]) == ("Verbal report, 1 of 2", "Verbal report, 2 of 2")
        assert [row["value"] for row in first["rows"]][:2] == ["Staff", "Division of Water Resources, Raleigh"]
        assert [row["value"] for row in second["rows"]][:2] == ["Duty officer", "Emergency Management"]
        assert (first["remark"], second["remark"]) == (None, "Entered in the record on 2024-03-11.")
        assert (first["readings"], second["readings"]) == (
            [],
            [{"doubt": doubt[0], "names": ["it counts", "it does not"], "rows": [{"duty": doubt[1], "came_out": ["met", "overdue"]}]}],
        )  # fmt: skip

    def test_an_answer_of_part_two_names_its_log(self):
        report = SpillReport(causes=("power",), answers={"power": {"tested": Answer("2024-02-01", "Generator log")}})
        (part,) = spill_report.build(FORM, report, zone=ZONE)["part_two"]
        assert {row["answer"]: row["rests_on"] for row in part["rows"]} == {None: None, "2024-02-01": "Generator log"}

    def test_the_chosen_estimate_is_marked_and_is_the_volume_reported(self):
        ran = Ran(START, STOP, ZONE, "first call", "jetted")
        estimates = {"rate": rate_duration([(25, ran)], Who("operator"))}
        report = SpillReport(
            total_gal=2375, estimates=estimates, chosen="rate", chosen_by="operator", chosen_because="x"
        )
        (estimate,) = spill_report.build(FORM, report, zone=ZONE)["volume"]["estimates"]
        assert (estimate["is_chosen"], estimate["total"]) == (True, "2,375 gal")
        refused("not the chosen", spill_report.build, FORM, replace(report, total_gal=2400), zone=ZONE)
        refused("not among", spill_report.build, FORM, replace(report, chosen="area"), zone=ZONE)

    @pytest.mark.parametrize(
        ("report", "said"),
        [
            (SpillReport(total_gal=5, water_gal=6), "cannot have reached"),
            (SpillReport(total_gal=5, recovered_gal=6), "give the reason"),
            (SpillReport(start=STOP, stop=START), "before the start"),
            (SpillReport(reached_water=False, water_gal=5), "did not reach"),
            (SpillReport(fish_kill=False, fish_killed=3), "no fish kill"),
            (SpillReport(causes=("greese",)), "did you mean 'grease'"),
            (SpillReport(answers={"grease": {"last_cleand": Answer("x")}}), "did you mean 'last_cleaned'"),
        ],
    )
    def test_contradictions_are_refused(self, report, said):
        refused(said, spill_report.build, FORM, report, zone=ZONE)

    def test_all_problems_come_at_once(self):
        report = SpillReport(total_gal=5, water_gal=6, fish_kill=False, fish_killed=3, causes=("greese",))
        with pytest.raises(CannotWriteError) as caught:
            spill_report.build(FORM, report, zone=ZONE)
        assert len(caught.value.problems) == 3

    def test_another_states_form_needs_no_code(self):
        text = (
            'name="F-1"\ntitle="Spill"\nedition="2025"\nagency="Agency"\npart_one="One"\npart_two="Two"\n'
            'certification="I certify."\n[causes]\ngrease="Fat"\n[[sections]]\nhead="All"\nfields=[["location","Place"]]\n'
            '[questions]\ngrease=[["why","Why?"]]\n'
        )
        data = spill_report.build(read_form(text), SpillReport(location="Here", causes=("grease",)), zone=ZONE)
        assert rows(data) == {"Place": "Here"}
        with pytest.raises(CannotWriteError, match="asks 'locaton'; did you mean 'location'"):
            spill_report.build(read_form(text.replace('"location"', '"locaton"')), SpillReport(), zone=ZONE)
        with pytest.raises(ValueError, match="lacks name"):
            read_form(text.replace('name="F-1"', ""))
        with pytest.raises(ValueError, match="asks about roots"):
            read_form(text.replace("grease=[[", "roots=[["))


@pytest.mark.parametrize(
    ("degrees", "text"),
    [
        ("35.9449", "35° 56' 41.6\" N"),  # 0.9449 x 60 = 56.694; 0.694 x 60 = 41.64
        ("0", "0° 00' 00.0\" N"),
        ("-0.99999", "1° 00' 00.0\" S"),  # 59.99994 s carries up
        ("-35.5", "35° 30' 00.0\" S"),
    ],
)
def test_degrees_minutes_seconds(degrees, text):
    assert angle_text(Decimal(degrees), ("N", "S")) == text


def test_an_angle_that_cannot_be():
    with pytest.raises(ValueError, match="no latitude"):
        angle_text(Decimal("180.1"), ("E", "W"))


RELEASE = press_release.PressRelease(
    caption="FOR IMMEDIATE RELEASE", owner="The Town", incident_number=None, location="Branch Street",
    water_name="Sapony Creek", river_basin="Tar", county="Nash", total_gal=2375, water_gal=1400, start=START, stop=None,
    determined=STOP, told=(Told("the Agency", STOP),), cause=None, done=None, advice=("Keep out of the creek.",), contact="Director",
    contact_telephone="252-555-0110", media=("Newspaper",),
)  # fmt: skip


class TestNotices:
    def test_the_release_carries_what_a_release_carries(self):
        data = press_release.build(RELEASE, zone=ZONE)
        assert set(data["values"]) >= {
            "incident_number", "location", "water_name", "river_basin", "water", "told", "contact",
        }  # fmt: skip
        assert data["values"]["water"] == "1,400 gal"
        assert data["values"]["stop"] is None
        assert data["not_known"][0]["labels"] == ["State incident number", "Stopped", "Cause", "What was done"]

    def test_a_release_to_nobody_and_one_that_contradicts_itself(self):
        refused("no newspaper", press_release.build, replace(RELEASE, media=()), zone=ZONE)
        refused("more gallons", press_release.build, replace(RELEASE, water_gal=2376), zone=ZONE)
        assert press_release.build(replace(RELEASE, water_gal=2375), zone=ZONE)["values"]["water"] == "2,375 gal"

    @pytest.mark.parametrize(
        ("changed", "missing"),
        [
            ({}, []),
            ({"determined": None}, ["determined"]),
            ({"water_gal": None}, ["water"]),
            ({"water_gal": 0}, ["water"]),
            ({"water_gal": 1}, []),
            ({"water_name": ""}, ["water_name"]),
            ({"determined": None, "water_gal": None, "water_name": None}, ["determined", "water", "water_name"]),
            ({"told": ()}, []),  # the release says that no call is on record
        ],
    )
    def test_a_release_names_what_must_be_recorded_before_it_is_issued(self, changed, missing):
        assert list(press_release.build(replace(RELEASE, **changed), zone=ZONE)["before_issuing"]) == missing

    def test_a_notice_says_that_the_state_was_told_only_where_it_was(self):
        notice = replace(self.NOTICE, determined=STOP, told=(Told("the Agency", STOP),))
        data = public_notice.build(notice, zone=ZONE)
        assert (data["before_issuing"], data["values"]["told"]) == ({}, "2024-03-08T17:00-05:00")
        missing = public_notice.build(replace(notice, told=()), zone=ZONE)
        assert missing["before_issuing"] == {"told": "it is not recorded that the state was told"}
        assert "State told" in missing["not_known"][0]["labels"]
        assert list(public_notice.build(self.NOTICE, zone=ZONE)["before_issuing"]) == ["determined", "told"]

    @pytest.mark.parametrize(
        ("told", "begins"),
        [
            ((), []),
            ((Told("the Agency", STOP),), ["The Agency"]),
            ((Told("the Emergency Office", STOP),), ["The Emergency Office"]),
            ((Told("the Agency", STOP), Told("the Emergency Office", date(2024, 3, 8))), ["The Agency", "The Emergency Office"]),
        ],
    )  # fmt: skip
    def test_each_who_was_told_is_named_for_what_it_is(self, told, begins):
        data = press_release.build(replace(RELEASE, told=told), zone=ZONE)
        assert [one["begins"] for one in data["told_at"]] == begins
        assert [one["whom"] for one in data["told_at"]] == [one.whom for one in told]
        assert ("State told" in data["not_known"][0]["labels"]) is (not told)
        assert data["absent"]["told"] == "none on record"

    NOTICE = public_notice.PublicNotice(
        caption="NOTICE OF DISCHARGE OF UNTREATED SEWAGE", owner="The Town", terms_fixed_on=None,
        counties=None, newspapers=None, incident_number=None, location="Here", water_name="Creek", river_basin=None,
        water_gal=15000, start=START, stop=STOP, done=None, contact=None, contact_telephone=None,
    )  # fmt: skip

    def test_the_notice_needs_the_laws_caption(self):
        notice = self.NOTICE
        data = public_notice.build(notice, zone=ZONE)
        assert data["caption"] == "NOTICE OF DISCHARGE OF UNTREATED SEWAGE"
        assert "Terms fixed by the state on" in data["not_known"][0]["labels"]
        refused("caption", public_notice.build, replace(notice, caption=" "), zone=ZONE)


class TestLetters:
    CALLER = caller_letter.CallerLetter(
        ("A resident",), date(2024, 3, 12), "24-017", START, "Branch Street", "spill", STOP, STOP
    )
    OWNER = owner_letter.OwnerLetter(
        ("The owner",), date(2024, 3, 12), "14 Ash Street", START, "found", None, ("Repair it.",), None, None
    )

    @pytest.mark.parametrize("outcome", list(caller_letter.FOUND))
    def test_each_outcome_says_what_was_found(self, outcome):
        letter = replace(self.CALLER, outcome=outcome, stopped=None)
        assert caller_letter.build(letter, zone=ZONE)["found"] == caller_letter.FOUND[outcome]

    def test_a_letter_to_nobody(self):
        refused("to nobody", caller_letter.build, replace(self.CALLER, to=("",)), zone=ZONE)
        refused("to nobody", owner_letter.build, replace(self.OWNER, to=()), zone=ZONE)

    def test_nothing_found_has_no_end(self):
        refused("nothing was found", caller_letter.build, replace(self.CALLER, outcome="none"), zone=ZONE)

    def test_the_owner_is_asked_for_something_by_a_day_that_somebody_set(self):
        refused("asks for nothing", owner_letter.build, replace(self.OWNER, asked=()), zone=ZONE)
        refused("not named", owner_letter.build, replace(self.OWNER, premises=""), zone=ZONE)
        refused("what sets it", owner_letter.build, replace(self.OWNER, by=date(2024, 3, 22)), zone=ZONE)
        before = replace(self.OWNER, by=date(2024, 3, 11), by_clause="x")
        refused("before the letter", owner_letter.build, before, zone=ZONE)
        same = owner_letter.build(replace(before, by=date(2024, 3, 12)), zone=ZONE)
        assert same["by"] == "2024-03-12"


class TestStatementOfReasons:
    S = statement_of_reasons.StatementOfReasons(
        subject="Spill", question="Why?", state="Due soon", summary="Because.", due=STOP, key="k", as_of=START, as_known=None,
        clauses=(statement_of_reasons.ClauseRead("III.A.3", "Tell the state.", "October 2023"),),
        steps=(statement_of_reasons.Step("5 > 0", "yes"),),
    )  # fmt: skip

    def test_no_verdict_without_clause_edition_and_steps(self):
        assert statement_of_reasons.build(self.S, zone=ZONE)["steps"] == [
            {"text": "5 > 0", "result": "yes", "rests_on": None}
        ]
        refused("no clause", statement_of_reasons.build, replace(self.S, clauses=()), zone=ZONE)
        refused("no step", statement_of_reasons.build, replace(self.S, steps=()), zone=ZONE)
        bare = statement_of_reasons.ClauseRead("III.A.3", "Tell the state.", " ")
        refused("edition is missing", statement_of_reasons.build, replace(self.S, clauses=(bare,)), zone=ZONE)

    def test_cannot_tell_names_what_is_missing(self):
        open_ = replace(self.S, state="Cannot tell")
        refused("nothing is named", statement_of_reasons.build, open_, zone=ZONE)
        asked = replace(open_, asks=(("gallons to water", "operator"),))
        assert statement_of_reasons.build(asked, zone=ZONE)["asks"] == [{"what": "gallons to water", "who": "operator"}]

    def test_a_doubt_has_readings(self):
        doubt = statement_of_reasons.Doubt("when it starts", (), "manager")
        refused("no readings", statement_of_reasons.build, replace(self.S, doubts=(doubt,)), zone=ZONE)

    def test_as_known_stands_beside_as_of(self):
        data = statement_of_reasons.build(replace(self.S, as_known=date(2024, 3, 8)), zone=ZONE)
        assert (data["as_of"], data["as_known"]) == ("2024-03-08T15:25-05:00", "2024-03-08")


class TestPlan:
    P = spill_response_plan
    PLAN = P.SpillResponsePlan(
        permit_number="WQCS00206", version="2024-1", purpose="p", objectives=(), intake=("Where",),
        duties=(P.PlanDuty("report", "Tell", "orc", "24 hours", "III.A.3"),),
        contacts=(P.Contact("Hall", "calls", "252-555-0100", after_hours=True),),
        equipment=(P.Equipment("Pump", "3", "yard", is_spare_part=True),), stations=(P.Station("Premier"),),
        stations_stated=1, elements=(("contacts", "A"),), versions=(), reviews=(), next_review_on=None, copies=("truck shed",),
    )  # fmt: skip

    def test_all_stages_stand_even_without_a_duty(self):
        data = self.P.build(self.PLAN)
        assert [len(stage["duties"]) for stage in data["stages"]] == [0, 0, 0, 1, 0]
        assert data["wanting"] == []

    @pytest.mark.parametrize(
        ("changed", "said"),
        [
            ({"stations_stated": 7}, "The town says it has 7 stations; 1 is named."),
            ({"equipment": ()}, "No spare part or material is listed."),
            ({"elements": (("emergency funds", None),)}, "Nothing in the plan carries this element: emergency funds."),
            ({"copies": ()}, "It is not recorded where copies of the plan lie."),
            ({"stations": (P.Station("A"), P.Station("A")), "stations_stated": 2}, "The station A is listed twice."),
            ({"contacts": (P.Contact("Hall", "x", None, after_hours=True),)}, "Hall has no telephone number."),
            ({"contacts": (P.Contact("Hall", "x", "1"),)}, "No contact is recorded as answering after hours."),
        ],
    )
    def test_the_plan_names_what_it_lacks(self, changed, said):
        assert self.P.build(replace(self.PLAN, **changed))["wanting"] == [said]

    def test_what_no_plan_can_be_without(self):
        refused("no version", self.P.build, replace(self.PLAN, version=""))
        refused("no contact", self.P.build, replace(self.PLAN, contacts=()))
        duty = self.P.PlanDuty("repotr", "Tell", "orc", "24 hours", "III.A.3")
        refused("the stages are", self.P.build, replace(self.PLAN, duties=(duty,)))


class TestYearTable:
    YEAR = make_year(
        [Spill("1", date(2022, 8, 1), "Ash", ("grease",), None, None, None)], date(2022, 7, 1), date(2023, 6, 30),
        [Gap(date(2022, 7, 1), date(2022, 7, 4), "none handed over")],
    )  # fmt: skip
    TABLE = year_table.YearTable(YEAR, "Fiscal year 2022-23", 12, "gravity sewer and force main", FORM.causes)

    def test_it_says_what_is_on_record_and_what_is_missing(self):
        data = year_table.build(self.TABLE, zone=ZONE)
        assert (data["count"], data["rate"], data["is_complete"]) == (1, "about 8.3", False)  # 1 / 12 x 100
        assert data["spills"][0]["total"] is None
        assert any("not known" in sentence for sentence in data["statements"])
        assert data["months"][0]["is_incomplete"]

    def test_no_miles_no_rate(self):
        assert year_table.build(replace(self.TABLE, miles=None), zone=ZONE)["rate"] is None
        late = (
            year_table.Late("23-001", "Tell", date(2023, 1, 9), STOP),
            year_table.Late("23-002", "Write", STOP, None),
        )
        assert [(one["due"], one["done"]) for one in year_table.build(replace(self.TABLE, late=late), zone=ZONE)["late"]] == [
            ("2023-01-09", "2024-03-08T17:00-05:00"), ("2024-03-08T17:00-05:00", None),
        ]  # fmt: skip

    def test_miles_of_what_and_causes_with_labels(self):
        refused("which pipe", year_table.build, replace(self.TABLE, miles_of=""), zone=ZONE)
        refused("has no label", year_table.build, replace(self.TABLE, causes={}), zone=ZONE)
