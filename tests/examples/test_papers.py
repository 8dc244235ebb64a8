"""The papers that the record of the example town gives: complete, silent about what is private, honest about what is not known."""

from __future__ import annotations

import json
from datetime import datetime
from hashlib import sha256
from io import BytesIO

import pikepdf
import pytest

from sewershed.ledger.errors import NotFound, Refused
from tests.pdf_pages import text_of


def data(kind: str, about: str, admin, **more):
    from sewershed.ledger import papers

    return json.loads(papers.draft(kind, about, as_account=admin, **more).data)["paper"]


def rows(paper) -> dict[str, object]:
    return {row["label"]: row["value"] for section in paper["sections"] for row in section["rows"]}


def test_the_report_of_a_spill_says_what_the_record_says(admin):
    paper = data("spill_report", "s23-02", admin)
    said = rows(paper)
    # 40 gallons a minute from 14:05 to 15:10: 65 x 40 = 2,600, of which 1,400 reached the branch.
    assert said["Permit number"] == "WQCS00206"
    assert said["Region"] == "Raleigh"
    assert (said["Estimated volume"], said["Volume reaching surface water"]) == ("2,600 gal", "1,400 gal")
    assert (said["Start, time"], said["End, time"]) == ("2023-02-13T14:05-05:00", "2023-02-13T15:10-05:00")
    assert said["Duration, to the nearest hour"] == "1 hour (65 minutes)"
    assert (said["Person spoken to"], said["Incident number"]) == ("Staff of the regional office", "202300268")
    assert said["At"] == "Division of Water Resources, Raleigh"
    assert [cause["label"] for cause in paper["causes"] if cause["is_set"]] == ["Roots", "Debris in line"]
    assert [one["name"] for one in paper["volume"]["estimates"] if one["is_chosen"]] == ["Rate and time"]
    assert len(paper["volume"]["estimates"]) == 5
    # Of the four questions about roots three are answered in the record, of the five about debris none.
    assert [(one["head"], len(one["labels"])) for one in paper["not_known"]] == [
        ("Part II, Roots", 1),
        ("Part II, Debris in line", 5),
    ]


def test_the_plea_is_made_of_logs_and_leaves_open_what_no_log_says(admin):
    parts = {part["cause"]: part["rows"] for part in data("spill_report", "s22-03", admin)["part_two"]}
    power = {row["asks"]: (row["answer"], row["rests_on"]) for row in parts["Power outage"]}
    assert power["Which alternate source of power is there?"] == ("none", "record of 581 North")
    assert power["When was it last tested under load?"] == (None, None)
    earlier = {
        row["asks"]: row
        for row in {p["cause"]: p["rows"] for p in data("spill_report", "s22-04", admin)["part_two"]}["Grease"]
    }
    assert earlier["Were there earlier overflows at this place?"]["answer"] == "none on record"
    assert earlier["When was this line last cleaned?"]["answer"] is None  # P-07 was cleaned two weeks after


def test_what_nobody_has_recorded_is_listed_as_not_known(admin):
    paper = data("spill_report", "s23-10", admin)
    listed = {label for group in paper["not_known"] for label in group["labels"]}
    assert listed >= {
        "Estimated volume",
        "Reached surface water",
        "Volume reaching surface water",
        "Start, time",
        "Person spoken to",
    }
    assert rows(paper)["Reached surface water"] is None


def test_a_spill_of_which_only_the_day_is_known_has_a_day_and_no_time(admin):
    said = rows(data("spill_report", "s23-05", admin))
    assert (said["Start, date"], said["Start, time"]) == ("2023-05-25", None)
    assert said["Duration, to the nearest hour"] == "between 0 and 24 hours; the time of day is not known"


def test_every_thing_that_was_ever_called_in_gives_the_data_of_a_report(admin):
    from sewershed.ledger import queries
    from sewershed.ledger.papers import spill_report
    from sewershed.ledger.papers.source import Source

    spills = queries.things("spill", as_account=admin).items
    assert len(spills) > 60
    source = Source("town", as_account=admin)
    for one in spills:
        assert spill_report.data_of(source.at(one.id), None)["form"]["name"] == "CS-SSO"


def test_public_papers_hold_nothing_private(admin):
    from sewershed.ledger import canonical, law, log, papers

    reader = law.in_force().vocabulary
    private = set()
    for row in log.select("kind IN ('event', 'facts')"):
        known = reader.events[row.name].data if row.kind == "event" else reader.things[row.name].facts
        for name, value in canonical.read(row.data).items():
            if name in known and known[name].private and isinstance(value, str) and value != "none":
                private.add(value)
    assert "A resident" in private
    assert len(private) > 50
    for kind, about in (("press_release", "s23-02"), ("public_notice", "s22-03"), ("year_table", "town")):
        text = papers.draft(kind, about, as_account=admin).data.decode()
        said = {word for word in private if word in text} - {
            "Town manager",
            "252-555-0100",
        }  # an office; the town's own number
        assert said == set(), kind


def test_the_release_carries_the_clock_and_the_media(admin):
    paper = data("press_release", "s23-02", admin)
    assert paper["values"]["determined"] == "2023-02-14T13:00-05:00"
    assert (paper["values"]["water"], paper["values"]["total"]) == ("1,400 gal", "2,600 gal")
    assert paper["media"] == ["The county's weekly newspaper", "The county's radio station"]
    assert paper["values"]["contact"] == "Town manager"


def test_the_notice_stands_under_the_statutes_caption_with_the_terms_fixed_last(admin):
    paper = data("public_notice", "s22-03", admin)
    assert paper["caption"] == "NOTICE OF DISCHARGE OF UNTREATED SEWAGE"
    assert (paper["values"]["counties"], paper["values"]["terms_fixed_on"]) == ("Nash and Franklin", "2022-10-07")


def test_the_letters_carry_their_readers_own_data(admin):
    caller = data("caller_letter", "s22-04", admin)
    assert caller["to"] == ["A resident"]
    assert caller["found"].startswith("We found the town's main sewer blocked")
    assert caller["claim"] == "On 2022-11-22 you were given the form for a claim. Please send it back to us."
    owner = data("owner_letter", "n22-11", admin)
    assert owner["to"] == ["Owner of 7 Hazel Street", "7 Hazel Street, Spring Hope, NC 27882"]
    assert [clause["cite"] for clause in owner["clauses"]] == ["SORP III.C.1"]
    with pytest.raises(NotFound, match="nobody has confirmed it"):
        data("caller_letter", "n23-30", admin)


def test_the_year_says_that_four_days_are_missing(admin):
    paper = data("year_table", "town", admin, part="FY2023")
    # The town took over on 5 July 2022: of 365 days, 1 to 4 July are missing.
    assert not paper["is_complete"]
    assert any(
        said.startswith("Records are missing for 4 of 365 days: 2022-07-01 to 2022-07-04")
        for said in paper["statements"]
    )
    # Between 5 July 2022 and 30 June 2023: 22-001 to 22-004, and of 2023 those of 6 January, 13 February, 15 March, 13 April,
    # 25 May and 15 June. Ten in 12 miles: 83.3 for each 100 miles.
    assert (paper["count"], paper["rate"], paper["miles"]) == (10, "about 83.3", "12")
    assert data("year_table", "town", admin) == paper  # the last whole fiscal year


def test_a_year_that_is_not_over_says_so(admin):
    paper = data("year_table", "town", admin, part="FY2024")
    # From 18 October 2023 to 30 June 2024: 14 + 30 + 31 + 31 + 29 + 31 + 30 + 31 + 30 = 257 days.
    assert any(
        "missing for 257 of 366 days: 2023-10-18 to 2024-06-30 (still to come)" in said for said in paper["statements"]
    )
    with pytest.raises(Refused, match="there is no year 'soon'"):
        data("year_table", "town", admin, part="soon")


def test_the_plan_names_whom_the_record_names_and_what_is_to_mend(admin):
    paper = data("spill_response_plan", "town", admin)
    contacts = {one["name"]: one["telephone"] for one in paper["contacts"]}
    assert contacts["Regional office of the Division of Water Resources, Raleigh"] is not None
    assert contacts["Crew leader"] == "252-555-0104"
    assert "Bypass pump contractor has no telephone number." in paper["wanting"]
    assert "No spare part or material is listed." in paper["wanting"]
    assert (len(paper["equipment"]), len(paper["stations"])) == (9, 6)  # appendix B; contingency plan
    assert (paper["version"], paper["next_review_on"], paper["copies"]) == (
        "October 2023",
        "2024-10-17",
        ["DPW truck shed"],
    )
    assert all(stage["duties"] for stage in paper["stages"])


def test_the_plan_has_every_duty_about_spills(admin):
    import tomllib
    from importlib.resources import files

    from sewershed.ledger import queries

    said = tomllib.loads(
        (files("sewershed") / "rulebooks/us/nc/spring_hope/forms/spill_response_plan.toml").read_text()
    )
    named = {rule for rules in said["stages"].values() for rule in rules}
    world = queries.world(as_account=admin)
    duties = {
        one.id
        for one in world.entries.values()
        if one.kind == "duty" and ".spill." in one.id and ".plan." not in one.id
    }
    # The state's two that the plan's own take up are said once.
    assert duties - named == {
        "us.nc.spill.look", "us.nc.spill.tell", "us.nc.spring_hope.spill.backup.judged",
    }  # fmt: skip
    assert named - duties == set()


def test_an_outsider_gets_the_plan_without_private_numbers(town, admin):
    from sewershed.ledger import accounts, papers

    with_rights = accounts.open_account("auditor", as_account=admin, roles={"auditor"})
    try:
        paper = json.loads(papers.draft("spill_response_plan", "town", as_account=with_rights).data)["paper"]
    finally:
        with_rights.delete()
    contacts = {one["name"]: one["telephone"] for one in paper["contacts"]}
    assert contacts["Crew leader"] is None
    assert contacts["Regional office of the Division of Water Resources, Raleigh"] is not None


def test_reasons_are_given_for_what_cannot_be_told(admin):
    from sewershed.ledger import papers

    key = "us.nc.spring_hope.spill.tell|s23-10|s23-10.1"
    paper = data("statement_of_reasons", "s23-10", admin, part=key)
    assert (paper["state"], paper["due"]) == ("Overdue", "2023-10-17T10:05-04:00")
    assert [clause["cite"] for clause in paper["clauses"]] == ["SORP III.A.3", "SORP III.B.5"]
    assert paper["facts"][0]["recorded"].endswith("by clerk, row s23-10.1")
    assert {ask["what"].partition(" (")[2] for ask in paper["asks"]} == {
        "spill_assessed.reached_water)", "spill_assessed.ground_gal)",
    }  # fmt: skip
    with pytest.raises(Refused, match="give its key"):
        papers.draft("statement_of_reasons", "s23-10", as_account=admin)


def test_a_paper_as_known_then_does_not_know_what_came_later(admin):
    evening = datetime.fromisoformat("2023-02-13T20:00-05:00")
    said = rows(data("spill_report", "s23-02", admin, as_of=evening, known_at=evening))
    assert (said["Estimated volume"], said["Reached surface water"], said["Incident number"]) == (
        "120 gal",
        False,
        None,
    )


def test_issued_papers_have_their_numbers_and_are_what_was_kept(town, admin):
    from sewershed.ledger import queries

    issued = {(one["kind"], one["number"]): one for one in queries.documents(as_account=admin)}
    assert set(issued) == {
        ("press_release", "22-001"), ("spill_report", "22-001"), ("public_notice", "22-001"), ("press_release", "23-001"),
        ("spill_report", "23-001"),
    }  # fmt: skip
    for one in issued.values():
        content = queries.file(one["sha256"], as_account=admin)
        assert sha256(content).hexdigest() == one["sha256"]
        frame = json.loads(queries.file(one["data_sha256"], as_account=admin))["frame"]
        assert (frame["number"], frame["is_draft"], frame["is_example"]) == (one["number"], False, True)


def test_papers_are_tagged_and_say_that_they_are_examples(admin):
    from sewershed.ledger import papers

    with pikepdf.open(BytesIO(papers.draft("spill_report", "s22-03", as_account=admin).pdf)) as pdf:
        assert pdf.Root.MarkInfo.Marked
        assert str(pdf.Root.Lang) == "en-US" or str(pdf.Root.Lang).startswith("en")


def test_what_there_is_not_is_refused(admin):
    from sewershed.ledger import papers

    with pytest.raises(Refused, match="there is no paper 'poem'; there are spill_report"):
        papers.draft("poem", "s23-02", as_account=admin)
    with pytest.raises(Refused, match="is about a town; s23-02 is a spill"):
        papers.draft("year_table", "s23-02", as_account=admin)
    with pytest.raises(Refused, match="takes nothing besides"):
        papers.draft("spill_report", "s23-02", as_account=admin, part="x")
    with pytest.raises(NotFound):
        papers.draft("spill_report", "s99", as_account=admin)


def test_a_notice_that_no_rule_asks_for_says_so_at_its_head_and_why(admin):
    """Five gallons reached the branch; the statute asks for a release from 1,000, and for a notice from 15,000 gallons on."""
    from sewershed.ledger import papers

    for kind, least in (("public_notice", 15000), ("press_release", 1000)):
        drawn = papers.draft(kind, "s22-02", as_account=admin)
        assert drawn.unasked.startswith("No rule asks for this paper. ")
        assert drawn.unasked.endswith(f"it does not apply (spill.surface_water_gal: 5 >= {least}).")
        assert "(G.S. 143-215.1C(b)(" in drawn.unasked
        assert json.loads(drawn.data)["frame"]["unasked"] == drawn.unasked
        assert "No rule asks for this paper." in " ".join(text_of(drawn.pdf).split())


def test_a_paper_that_is_owed_or_that_no_duty_knows_says_nothing_of_it(admin):
    """Of the station's spill more than 15,000 gallons reached surface water; no duty is met by the plan on paper."""
    from sewershed.ledger import papers

    for kind, about in (("public_notice", "s22-03"), ("press_release", "s22-03"), ("spill_report", "s22-02"), ("spill_response_plan", "town")):  # fmt: skip
        assert papers.draft(kind, about, as_account=admin).unasked == "", kind


def test_whether_a_paper_is_owed_cannot_be_told_while_nobody_knows_how_much_reached_water(admin):
    from sewershed.ledger import papers

    said = papers.why_unasked("press_release", "s23-10", as_account=admin)
    assert said.startswith("Whether a rule asks for this paper cannot be told. Missing: ")
    assert "gallons that reached surface water" in said


def test_the_report_of_what_was_found_to_be_none_is_asked_for_by_nothing(admin):
    from sewershed.ledger import papers

    said = papers.why_unasked("spill_report", "n22-01", as_account=admin)
    assert said.startswith("No rule asks for this paper. ")
    assert "it ended with found to be none on " in said


def test_the_statement_of_reasons_holds_every_row_that_a_step_rests_on(admin):
    from sewershed.ledger import queries

    (key,) = [one.key for one in queries.due(as_account=admin, thing="s23-10", is_all=True).items if one.rule == "us.nc.spring_hope.spill.tell"]  # fmt: skip
    facts = {one["name"]: one for one in data("statement_of_reasons", "s23-10", admin, part=key)["facts"]}
    # The clock begins with the call, the other reading counts from the confirmation, and the assessment says how much it was.
    assert list(facts) == ["Opened by call", "Spill confirmed", "Spill assessed"]
    assert facts["Spill assessed"]["value"] == "Mon Oct 16, 2023, 1:00 pm: Contained: No"
    assert facts["Spill assessed"]["recorded"] == (
        "Done by Crew leader, dispatched staff; recorded Mon Oct 16, 2023, 1:00 pm by crew, row s23-10.13"
    )
    assert "Reporter phone: (private)" in facts["Opened by call"]["value"]


def test_what_nobody_recorded_is_not_told_to_the_public(admin):
    """Of s23-10 nobody determined that it reached water, and the state got a voice mail only, which does not count."""
    from sewershed.ledger import papers, queries

    issued = len(queries.documents(as_account=admin))
    for kind, says in (("press_release", ()), ("public_notice", ("it is not recorded that the state was told",))):
        drawn = " ".join(text_of(papers.draft(kind, "s23-10", as_account=admin).pdf).split())
        assert "This paper cannot be issued yet: nobody determined that sewage reached water;" in drawn
        for untrue in ("was notified", "of untreated sewage into", "determined on", "and reached", "sent not known"):
            assert untrue not in drawn, (kind, untrue)
        with pytest.raises(
            Refused, match="cannot be issued, for it would tell the public what nobody recorded"
        ) as caught:
            papers.issue(kind, "s23-10", as_account=admin)
        reasons = caught.value.reasons
        assert reasons[1] == "nobody determined that sewage reached water"
        assert set(says) <= set(reasons)
        lines = [one for one in reasons if "sewershed record TOWN" in one]
        assert ["reached_water_determined" in lines[0], len(lines)] == [True, 1 + len(says)]
    assert "state_told --on" in lines[1]
    assert len(queries.documents(as_account=admin)) == issued


def test_the_notice_says_when_the_state_was_told_in_a_way_that_counts(admin):
    """A voice mail at 16:00 and a call without a name at 16:30 do not count; the one of the next noon does."""
    from sewershed.ledger import papers

    assert data("public_notice", "s23-06", admin)["values"]["told"] == "2023-06-16T12:00-04:00"
    said = " ".join(text_of(papers.draft("public_notice", "s22-03", as_account=admin).pdf).split())
    assert "The Division of Water Resources was notified on Saturday, October 1, 2022, 8:30 am" in said.replace(
        " ", " "
    )


def test_only_the_emergency_office_was_told_in_time_and_the_papers_say_what_that_is_by_each_reading(admin):
    """Spill 23-010: the emergency office on 30 August at 8:30 pm, the regional office on 1 September at 9:15 am; owed by 31 August."""
    from sewershed.ledger import papers

    calls = [
        one for one in data("spill_report", "s23-08", admin)["sections"] if one["head"].startswith("Verbal report")
    ]
    assert [[row["value"] for row in one["rows"][:2]] for one in calls] == [
        ["Duty officer", "Emergency Management"],
        ["Staff of the regional office", "Division of Water Resources, Raleigh"],
    ]
    (reading,) = calls[-1]["readings"]
    assert (reading["doubt"].split(":")[0], reading["names"]) == ("D-NC-EM", ["it counts", "it does not count"])
    verbal = next(row for row in reading["rows"] if row["duty"].startswith("Speak to a person at the regional office"))
    assert verbal["came_out"] == [
        "met; due Thu Aug 31, 2023, 7:40 pm",
        "met late; due Thu Aug 31, 2023, 7:40 pm",
    ]
    early = datetime.fromisoformat("2023-08-31T09:30-04:00")
    drawn = papers.draft("press_release", "s23-08", as_account=admin, as_of=early, known_at=early)
    said = " ".join(text_of(drawn.pdf).replace("\u00a0", " ").split())
    assert "The Division of Emergency Management was told on Wednesday, August 30, 2023, 8:30 pm." in said
    assert "Water Resources was told" not in said


def test_a_call_that_nobody_entered_is_none_on_record_and_the_draft_says_what_is_owed(admin):
    """Of s23-10 the state got a voice mail only, which does not count; owed by 17 October, 10:05 am."""
    from sewershed.ledger import papers
    from sewershed.ledger.papers.telling import remarks

    said = " ".join(
        text_of(papers.draft("spill_report", "s23-10", as_account=admin).pdf).replace("\u00a0", " ").split()
    )
    assert "No call to a person at the state is on record." in said
    assert "overdue since Tue Oct 17, 2023, 10:05 am" in said
    assert "none on record" in said
    owed, line = remarks("spill_report", "s23-10", as_account=admin)
    assert "overdue since Tue Oct 17, 2023, 10:05 am" in owed
    assert "sewershed record TOWN state_told --on 23-012" in line
    assert remarks("spill_report", "s23-08", as_account=admin) == ()
    assert remarks("press_release", "s23-10", as_account=admin) == ()


def test_the_year_says_what_was_done_late_and_what_is_not_done(admin):
    """The day untold of 23-010, its notice four days late, the written report of 23-011 that has not gone; in doubt: nothing."""
    late = [
        (one["number"], one["due"], one["done"]) for one in data("year_table", "town", admin, part="FY2024")["late"]
    ]
    assert ("23-010", "2023-08-31", "2023-09-01T09:15-04:00") in late
    assert ("23-010", "2023-09-15", "2023-09-19T06:00-04:00") in late
    assert ("23-011", "2023-10-15", None) in late  # by the plan; by the form it is due on the 17th
    assert [one for one in late if one[0] == "23-011"] == [("23-011", "2023-10-15", None)]
    assert {number for number, _, _ in late} == {"23-009", "23-010", "23-011"}  # of 23-012 and 23-013 nobody knows yet


def test_no_letter_tells_an_owner_what_nobody_found(admin):
    from sewershed.ledger import papers

    with pytest.raises(Refused, match=r"nobody found spill 22-002, .* to be private") as caught:
        papers.draft("owner_letter", "s22-02", as_account=admin)
    assert "sewershed record TOWN found_private --on 22-002" in caught.value.reasons[1]


def test_what_of_a_paper_is_from_memory_stands_at_its_end(admin):
    # Which office of the state serves the town's county nobody has looked up (us.nc.regional_office); the year's table names none.
    from sewershed.ledger import papers, queries

    def cautions(kind: str, about: str) -> list[str]:
        return json.loads(papers.draft(kind, about, as_account=admin).data)["frame"]["cautions"]

    (spill, *_) = queries.things("spill", as_account=admin, limit=1).items
    (said,) = cautions("spill_report", spill.id)
    assert said.endswith(
        "rests on Division of Water Resources, regional offices, from memory: check before relying on it"
    )
    assert cautions("year_table", "town") == []
