"""The calculations from the command line: figures worked by hand, steps shown, refusals told."""

from __future__ import annotations

import json

import pytest

HOUR = ("--from", "2024-03-08 15:40", "--from-how", "first call", "--to", "2024-03-08 16:40", "--to-how", "relieved")
ZONE = ("--zone", "America/New_York")
BY = ("--by", "operator")


# By hand: 3 x 5 + 55 = 70. 200 ft2 x 0.375/12 ft x 7.48 = 46.75. 25 gpm x 95 min = 2,375. A plume of 2 in is 25 gpm in
# the table, x 60 min = 1,500. 40 x 240 / 24 x 1 h = 400. 41,000 - 38,500 = 2,500. 30 min x 80 gpm = 2,400.
@pytest.mark.parametrize(
    ("words", "total"),
    [
        (("eyeball", "--container", "5", "3", "--container", "55", "1"), "70"),
        (("area-depth", "--rectangle", "20", "10", "0.5,0.25"), "46.75"),
        (
            ("rate-duration", "--period", "25", "2024-03-08 15:40", "2024-03-08 17:15", *HOUR[2:4], *HOUR[6:], *ZONE),
            "2375",
        ),
        (("cover-plume", "--plume-in", "2", *HOUR, *ZONE), "1500"),
        (("upstream-laterals", "--connections", "40", "--gpd-each", "240", *HOUR, *ZONE), "400"),
        (("metered", "--in-gal", "41000", "--out-gal", "38500", "--meters", "influent, effluent"), "2500"),
        (("pump-run-time", "--pump", "pump 1", "30", "80"), "2400"),
    ],
)
def test_a_method_gives_its_figure(run, words, total):
    found = json.loads(run("calc", "volume", *words, *BY, "--json").stdout)
    assert found["total_gal"] == total
    assert found["steps"]


def test_the_working_is_printed(run):
    said = run("calc", "volume", "cover-plume", "--plume-in", "2", *HOUR, *ZONE, *BY).stdout
    assert said.startswith("1,500 gal, by cover plume\n")
    assert "2  25 gpm x 60 min = 1,500 gal." in said
    assert "from memory, doubtful: check before relying on it" in " ".join(said.split())


def test_a_start_without_a_time_of_day_gives_a_range(run):
    words = ("--from", "2024-03-08", *HOUR[2:], *ZONE, *BY)
    said = run("calc", "volume", "cover-plume", "--plume-in", "2", *words).stdout
    # From midnight to 16:40 are 1,000 minutes: at most 25 x 1,000 = 25,000 gallons.
    assert "A range only" in said
    assert "0 gal to 25,000 gal" in said


def test_the_zone_is_that_of_the_times(run):
    # The clocks went forward on 10 March 2024 at 2:00: from 1:30 to 3:30 is one hour, so 25 x 60 = 1,500.
    over = ("--from", "2024-03-10 01:30", *HOUR[2:4], "--to", "2024-03-10 03:30", *HOUR[6:], *BY, "--json")
    found = json.loads(run("calc", "volume", "cover-plume", "--plume-in", "2", *over, *ZONE).stdout)
    assert found["total_gal"] == "1500"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ("volume", "eyeball", *BY, "--container", "55", "4"),
            "eyeball does not answer: 220 gal is too much for the eye: the method ends below 200 gal. Measure area and depth, or rate and time.\n",
        ),
        (
            ("volume", "cover-plume", *BY, *HOUR, *ZONE, "--plume-in", "2.1"),
            "cover plume does not answer: 2.1 in stands between 2 in (25 gpm) and 2.5 in (38 gpm) of the table; measure again, or say that you interpolate.\n",
        ),
        (
            ("manning", "--diameter-in", "0", "--slope", "0.004", "--n", "0.013"),
            "Manning's formula needs a diameter and an n above zero and a slope of zero or more.\n",
        ),
    ],
)
def test_what_it_refuses_says_what_to_do(run, words, message):
    assert run("calc", *words, status=3).stderr == message


def test_a_figure_that_is_none_is_a_matter_of_usage(run):
    said = run("calc", "volume", "area-depth", *BY, "--rectangle", "20", "ten", "1", status=2).stderr
    assert "'ten' is no number; write e.g. 12, 0.5 or 1/4, without unit or commas" in said
    assert "there is no time zone 'EST5'" in run(
        "calc", "volume", "cover-plume", *BY, *HOUR, "--plume-in", "2", "--zone", "EST5", status=2
    ).stderr  # fmt: skip


def test_manning(run):
    # An 8 in pipe at 0.004, n 0.013: 2.189 ft/s and 343.0 gpm in the handbooks' table.
    said = run("calc", "manning", "--diameter-in", "8", "--slope", "0.004", "--n", "0.013").stdout
    assert said.startswith("2.189 ft/s and 343.0 gallons a minute")


def test_front_foot(run):
    # (186,400 - 9,400 - 12,000) / 1,500 ft = 110 a foot, x 120 ft = 13,200.
    words = ("--total-cost", "186400", "--less", "intersections", "9400", "--less", "oversize", "12000")
    feet = ("--share-percent", "100", "--front-ft", "1500", "--parcel-front-ft", "120")
    assert run("calc", "front-foot", *words, *feet).stdout.startswith("This parcel bears $13,200.00\n")


# Copper with a limit of 3.38, technical review from 4.056 on (x 1.2): the example of the rulebook's specification, 101.
COPPER = """parameter,day,value,maximum
copper,2024-01-17,4.4,3.38
copper,2024-02-14,0.9,3.38
copper,2024-03-13,1.0,3.38
copper,2024-04-17,0.8,3.38
copper,2024-05-15,1.1,3.38
copper,2024-06-12,4.2,3.38
"""
SNC = ("--year", "2024", "--windows", "half_years", "--chronic-percent", "66", "--trc-percent", "33")


def test_significant_noncompliance_by_half_years(run):
    lines = [json.loads(line) for line in run("calc", "snc", "-", *SNC, "--json", stdin=COPPER).stdout.splitlines()]
    told = {(line["first"], line["test"]): (line["beyond"], line["results"], line["verdict"]) for line in lines}
    assert told == {
        ("2024-01-01", "chronic"): (2, 6, "not_reached"),
        ("2024-01-01", "technical_review"): (2, 6, "reached"),
    }
    said = run("calc", "snc", "-", *SNC, stdin=COPPER).stdout
    assert "No result is given for it. Not sampling is not compliance." in said


def test_results_that_cannot_be_read_are_named_line_by_line(run):
    said = run(
        "calc", "snc", "-", *SNC, stdin="parameter,day,value,maximum\nzinc,2024-02-30,1,2\nzinc,2024-03-01,a,2\n", status=3
    ).stderr  # fmt: skip
    assert "2 lines cannot be read" in said
    assert "line 2: '2024-02-30' is not a date" in said
    assert "line 3: 'a' is no number" in said
    said = run("calc", "snc", "-", *SNC, stdin="parameter,date,value,maximum\n", status=3).stderr
    assert "unknown column 'date'" in said
    assert "the column day is missing" in said


# ------------------------------------------------------------------ the yard


def test_a_drawdown_shows_its_steps_and_wants_the_area_or_the_diameter(run):
    said = run("calc", "drawdown", "--area-ft2", "24", "--drop-in", "10", "--minutes", "4").stdout
    assert said.startswith("The pump moves about 37.4 gpm\n")  # 24 / 12 x 7.48052 x 10 / 4 = 37.4026
    assert "no fill test" in said
    assert "one of the two" in run("calc", "drawdown", "--drop-in", "10", "--minutes", "4", status=2).stderr


PUMPS = ("calc", "reliability", "--pump-gpm", "100", "--pump-gpm", "120", "--average-flow-gpd")


def test_reliability_and_infiltration_as_json(run):
    # 100 gpm are 144,000 gallons a day: 2.5 x 57,600
    assert json.loads(run(*PUMPS, "57600", "--times-average", "2.5", "--json").stdout)["is_enough"] is True
    assert json.loads(run(*PUMPS, "57601", "--times-average", "2.5", "--json").stdout)["is_enough"] is False
    words = ["calc", "infiltration", "--flow-gpd", "1600", "--pipe", "8", "5280"]
    assert run(*words).stdout.startswith("Infiltration 200 gpd for each inch-mile\n")


def test_how_many_times_the_flow_is_needed_is_the_books_and_bears_its_mark(run):
    said = run(*PUMPS, "57600", "--book", "us.nc.spring_hope").stdout.splitlines()
    assert said[0] == "With the largest pump out it is enough"
    step = "firm_times_average_flow = 2.5, by WQCS permit II.5; from memory: check before relying on it"
    assert said[2] == f"  1  {step}"
    found = json.loads(run(*PUMPS, "57601", "--book", "us.nc.spring_hope", "--json").stdout)
    assert (found["is_enough"], found["rule"]) == (False, "us.nc.station.firm_times_average")
    assert (found["caution"], found["steps"][0]) == ("from memory: check before relying on it", step)


def test_a_figure_is_given_or_a_books_and_not_guessed(run):
    for words in ((), ("--times-average", "2", "--book", "us.nc.spring_hope")):
        said = run(*PUMPS, "57600", *words, status=2).stderr
        assert "give --times-average, or --book PLACE whose rulebook says it; one of the two" in said
    said = run(*PUMPS, "57600", "--book", "us.nh.hampton", status=3).stderr
    assert "firm_times_average_flow: no rulebook in force answers. Give --times-average" in " ".join(said.split())


def test_a_verified_figure_of_a_book_bears_no_mark(run):
    words = ("calc", "manning", "--diameter-in", "8", "--slope", "0.004")
    given = json.loads(run(*words, "--n", "0.013", "--json").stdout)
    taken = json.loads(run(*words, "--book", "us.nh.hampton", "--json").stdout)
    assert (taken["velocity_fps"], taken["caution"], "caution" in given) == (given["velocity_fps"], None, False)
    assert "1  manning_n = 0.013, by 2.2.I (not given; setting)\n" in run(*words, "--book", "us.nh.hampton").stdout


def test_shares_of_pumps(run):
    # 212 + 88 = 300 h: 70.67 and 29.33 percent
    said = run("calc", "pump-shares", "--pump", "pump 1", "212", "--pump", "pump 2", "88").stdout
    assert said.startswith("Of the hours that all ran: pump 1 about 70.7 %, pump 2 about 29.3 %\n")
    assert "  1  all pumps: 212 + 88 = 300 h\n" in said
    said = run("calc", "pump-shares", "--pump", "a", "1", "--pump", "a", "2", status=2).stderr
    assert "give each pump once" in said
    assert "no pump ran" in run("calc", "pump-shares", "--pump", "a", "0", status=3).stderr


def test_how_whole_a_map_is(run, tmp_path):
    # Two of three pipes say their material, one says both: a third of the map is whole.
    (tmp_path / "pipes.csv").write_text("pipe,material,taps\nA,clay,4\nB,PVC,\nC, ,\n")
    said = run("calc", "completeness", "pipes.csv").stdout
    assert said.startswith("Every field is known of 1 of 3 pipes, about 33.3 %\n")
    assert "  1  material: known of 2 of 3 pipes\n" in said
    found = json.loads(run("calc", "completeness", "pipes.csv", "--field", "material", "--json").stdout)
    assert (found["whole"], found["pipes"], found["missing"]) == (2, 3, {"material": 1})
    said = run("calc", "completeness", "pipes.csv", "--field", "age", status=3).stderr
    assert said == "pipes.csv has no column age; it has pipe, material, taps\n"
    assert "there is no pipe" in run("calc", "completeness", "-", stdin="pipe,material\n", status=3).stderr


def test_pump_hours_ask_what_they_cannot_tell(run, tmp_path):
    (tmp_path / "hours.csv").write_text("day,hours,new\n2024-01-01,100,\n2024-01-08,128,\n2024-01-15,12,\n")
    said = run("calc", "pump-hours", "hours.csv").stdout
    assert "2024-01-01 to 2024-01-08: 28 h, 4 h a day" in said
    assert "? the counter shows 12 after 128: was it replaced" in said
    (tmp_path / "hours.csv").write_text("day,hours\n2024-01-01,many\n2024-13-01,1\n")
    wrong = run("calc", "pump-hours", "hours.csv", status=3).stderr
    assert "2 lines cannot be read" in wrong
    assert "line 2: 'many' is no number" in wrong
    assert "line 3: " in wrong


def test_feet_cleaned_count_once(run, tmp_path):
    (tmp_path / "log.csv").write_text("pipe,day,feet\n" + "A,2024-01-15,300\n" * 18)
    (tmp_path / "pipes.csv").write_text("pipe,length_ft\nA,300\n")
    words = ["calc", "cleaned", "log.csv", "--pipes", "pipes.csv", "--of-ft", "3000"]
    said = run(*words, "--first", "2023-07-01", "--last", "2024-06-30").stdout
    assert said.startswith("Cleaned 300 ft, 10 %; 5,100 ft were run again\n")
