"""What a name means at the command line: numbers of calls, papers and spills, parts of names, names of several things.

Expected numbers follow from the order in which the tests enter things: each series begins at 1 a year.
"""

from __future__ import annotations

import pytest

BY = ("--by", "A. Operator", "--office", "orc")


@pytest.fixture
def confirmed(town) -> str:
    """Returns a spill that was confirmed after its call."""
    town("record", "person", "new", "--set", "name=A. Operator")
    town("record", "office_held", "--on", "A. Operator", "--at", "today", "--set", "office=orc")
    spill = town.begin("spill", "location=Oak Avenue")
    town.record("call", spill, "2024-03-08 15:40", "what=smell")
    town("record", "spill_confirmed", "--on", "C24-001", "--at", "now", *BY, now="2024-03-08 16:00")
    return spill


def first_line(town, *words: str) -> str:
    return town(*words).stdout.splitlines()[0]


def test_a_confirmed_spill_is_found_by_the_number_of_its_call(town, confirmed):
    assert first_line(town, "show", "C24-001") == f"spill 24-001, Oak Avenue  spill, {confirmed}"
    assert first_line(town, "show", "c24-001") == f"spill 24-001, Oak Avenue  spill, {confirmed}"
    assert "24-001 tell" in town("due", "--on", "C24-001").stdout


def test_a_number_of_a_call_leads_to_where_it_was_joined_and_back(town, confirmed):
    other = town.begin("spill", "location=Oak Avenue")
    town.record("call", other, "2024-03-08 16:05", "what=smell")
    assert first_line(town, "show", "C24-002") == f"call C24-002, Oak Avenue  spill, {other}"
    batch = town("record", "join", "C24-002", "24-001", "--why", "one manhole").stdout.strip()
    assert first_line(town, "show", "C24-002") == f"spill 24-001, Oak Avenue  spill, {confirmed}"
    assert first_line(town, "show", other) == f"call C24-002, Oak Avenue  spill, {other}"
    assert "It is what was stored." in town("recompute").stdout
    town("record", "undo", batch, "--why", "two after all")
    assert first_line(town, "show", "C24-002") == f"call C24-002, Oak Avenue  spill, {other}"


def test_a_number_that_a_paper_shares_means_the_spill(town, confirmed):
    town("report", "spill_report", "24-001", "--issue", *BY)
    assert first_line(town, "show", "24-001") == f"spill 24-001, Oak Avenue  spill, {confirmed}"
    assert "spill report 24-001  document" in first_line(town, "show", "spill report 24-001")
    assert "Spring Hope" in town("due", "--on", "24-001").stdout
    town("record", "facts", "24-001", "--set", "weather=dry")
    assert town("why", "24-001", "tell").stdout.splitlines()[1] == "spill 24-001, Oak Avenue"


def test_papers_of_two_kinds_with_one_number_are_told_apart(town):
    spill = town.begin("spill", "location=Oak Avenue")  # nobody has confirmed it: it has no number of its own
    town.record("reached_water_determined", spill, "2024-03-08 15:40", "surface_water_gal=15000", "water_name=Branch")
    town.record("state_told", spill, "2024-03-08 15:41", "way=person", "spoken_to=Staff")
    for paper in ("spill_report", "public_notice"):
        town("report", paper, spill, "--issue")
    refused = town("show", "24-001", status=3)
    assert refused.stderr.splitlines() == [
        "'24-001' may mean 2 things; write one of these:",
        "  'spill report 24-001'   spill report 24-001",
        "  'public notice 24-001'  public notice 24-001",
    ]


def test_two_calls_from_one_street_are_told_apart_by_their_numbers(town):
    for _ in range(2):
        spill = town.begin("spill", "location=Oak Avenue")
        town.record("call", spill, "2024-03-08 15:40", "what=smell")
    third = town.begin("spill", "location=Oak Avenue")
    refused = town("due", "--on", "Oak Avenue", status=3)
    assert refused.stderr.splitlines() == [
        "'Oak Avenue' may mean 3 things; write one of these:",
        "  C24-001       call C24-001, Oak Avenue",
        "  C24-002       call C24-002, Oak Avenue",
        f"  {third}  spill Oak Avenue",
    ]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("due", "--on", "Oa"), "there is no thing 'Oa' in the record; the nearest:"),
        (("due", "--on", "Oka Avenue"), "there is no thing 'Oka Avenue' in the record; the nearest:"),
        (("due", "--person", "Oak"), "there is no person 'Oak' in the record; the nearest:"),
    ],
)
def test_a_part_of_a_name_is_no_name_but_leads_to_it(town, confirmed, words, message):
    assert town(*words, status=3).stderr.splitlines() == [message, "  24-001  spill 24-001, Oak Avenue"]
