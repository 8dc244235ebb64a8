"""Volume of a spill. Vectors SSO-1 to SSO-3 and all others are worked by hand beside their test; the tables (containers,
plume heights) are as the guides print them."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from zoneinfo import ZoneInfo

import pytest

from sewershed.programs.connections.manning import full_flow_gpm
from sewershed.programs.spills.volume import (
    METHODS,
    NAMES,
    RING_GPM,
    FullPipe,
    Pond,
    Ran,
    Shape,
    Who,
    area_depth,
    cover_plume,
    eyeball,
    full_pipe,
    metered,
    orifice,
    photo_comparison,
    pipe_break,
    pump_run_time,
    rate_duration,
    upstream_laterals,
    wet_stain,
)
from sewershed.rules.figures import CannotEstimateError, gallons

ZONE = ZoneInfo("America/New_York")
WHO = Who("operator in responsible charge")
START = datetime(2024, 3, 8, 20, 40, tzinfo=UTC)


def ran(minutes, start=START, **more):
    return Ran(start, start + timedelta(minutes=minutes), ZONE, "first call", "jetted free", **more)


def refused(said, call, *args, **kwargs):
    with pytest.raises(CannotEstimateError, match=said):
        call(*args, **kwargs)


class TestEyeball:
    def test_containers_add_up(self):
        found = eyeball({1: 3, 5: 2, 32: 1, 55: 2}, WHO)  # 3 + 10 + 32 + 110
        assert found.total_gal == 155
        assert found.steps[-1] == "Together 155 gal."

    def test_199_gallons_are_answered_and_200_are_not(self):
        assert eyeball({55: 3, 32: 1, 1: 2}, WHO).total_gal == 199
        refused("below 200", eyeball, {55: 3, 32: 1, 1: 3}, WHO)

    def test_rain_is_taken_off_what_was_seen_and_the_bound_is_on_what_was_seen(self):
        found = eyeball({55: 2}, Who("crew leader", rain_gal=10, rain_how="gauge at the plant"))
        assert found.total_gal == 100
        assert found.rain_gal == 10
        assert (found.as_data()["rain_gal"], found.as_data()["estimated_by"]) == ("10", "crew leader")
        refused("below 200", eyeball, {55: 4}, Who("crew leader", rain_gal=100, rain_how="gauge"))

    @pytest.mark.parametrize(
        ("containers", "said"), [({300: 1}, "300 gal is not one"), ({}, "no container"), ({5: -1}, "0 or more")]
    )
    def test_what_the_method_does_not_know_is_refused(self, containers, said):
        refused(said, eyeball, containers, WHO)


class TestAreaAndDepth:
    def test_sso_1_rectangle(self):
        found = area_depth([Pond(Shape("rectangle", (20, 10)), (Decimal("0.5"),))], WHO)
        assert found.total_gal == Fraction(200) / 24 * Fraction("7.48")  # 62.33
        assert gallons(found.total_gal) == "about 62.3 gal"

    def test_sso_2_circle(self):
        # pi x 36 / 12 x 7.48 = 70.498
        assert gallons(area_depth([Pond(Shape("circle", (6,)), (1,))], WHO).total_gal) == "about 70.5 gal"

    def test_mean_of_several_depths(self):
        # 60 x 25 ft, depths 1 2 1 2 1.5: mean 1.5 in = 0.125 ft; 1,500 x 0.125 x 7.48 = 1,402.5
        found = area_depth([Pond(Shape("rectangle", (60, 25)), (1, 2, 1, 2, Decimal("1.5")))], WHO)
        assert found.total_gal == Decimal("1402.5")
        assert found.steps == (
            "Rectangle: 60 ft x 25 ft = 1,500 ft2.",
            "Mean of 5 depths (1, 2, 1, 2, 1.5 in) = 1.5 in = 0.125 ft.",
            "1,500 ft2 x 0.125 ft x 7.48 gal/ft3 = 1,402.5 gal.",
        )

    def test_triangle_and_what_soaked_in(self):
        # 12 x 10 / 2 = 60 ft2 x 0.5 ft x 7.48 = 224.4; and 100 soaked in
        found = area_depth([Pond(Shape("triangle", (12, 10)), (6,))], WHO, absorbed_gal=100, absorbed_how="soil probe")
        assert found.total_gal == Decimal("324.4")

    def test_a_dry_depth_counts_in_the_mean(self):
        # 10 x 10 ft, depths 0 and 12: mean 6 in; 100 x 0.5 x 7.48
        assert area_depth([Pond(Shape("rectangle", (10, 10)), (0, 12))], WHO).total_gal == 374

    @pytest.mark.parametrize(
        ("ponds", "said"),
        [
            ([], "no area"),
            ([Pond(Shape("rectangle", (20, 10)), ())], "no depth"),
            ([Pond(Shape("rectangle", (20,)), (1,))], "needs 2 lengths"),
            ([Pond(Shape("circle", (0,)), (1,))], "above 0"),
            ([Pond(Shape("rectangle", (20, 10)), (-1,))], "0 or more"),
            ([Pond(Shape("rectangle", (20, 10)), (0,))], "wet stain"),
            ([Pond(Shape("rectangle", (20.5, 10)), (1,))], "exact number"),
        ],
    )
    def test_what_was_not_measured_is_refused(self, ponds, said):
        refused(said, area_depth, ponds, WHO)

    def test_what_soaked_in_needs_a_basis(self):
        pond = Pond(Shape("rectangle", (20, 10)), (1,))
        refused("how the gallons soaked in", area_depth, [pond], WHO, absorbed_gal=5)


class TestWetStain:
    @pytest.mark.parametrize(("surface", "total"), [("concrete", "19.448"), ("asphalt", "9.724")])
    def test_film_by_surface(self, surface, total):
        # 100 x 10 ft x 0.0026 (0.0013) ft x 7.48
        found = wet_stain([Shape("rectangle", (100, 10))], surface, WHO)
        assert found.total_gal == Decimal(total)
        assert found.source.certainty == "from memory, doubtful"

    def test_grass_soaks_it_up(self):
        refused("grass", wet_stain, [Shape("rectangle", (1, 1))], "grass", WHO)
        refused("not named", wet_stain, [Shape("rectangle", (1, 1))], "", WHO)
        refused("no stained area", wet_stain, [], "asphalt", WHO)


class TestRateAndTime:
    def test_sso_3(self):
        assert rate_duration([(25, ran(95))], WHO).total_gal == 2375

    def test_worked_example_5(self):
        # noticed 06:40, corrected 10:50, 12 gpm: 250 min x 12 = 3,000
        start = datetime(2023, 11, 3, 10, 40, tzinfo=UTC)
        assert rate_duration([(12, ran(250, start))], WHO).total_gal == 3000

    def test_periods_of_different_rates(self):
        first, second = ran(30), ran(60, START + timedelta(minutes=30))
        found = rate_duration([(10, first), (Decimal("2.5"), second)], WHO)  # 300 + 150
        assert found.total_gal == 450
        assert found.steps[-1] == "Together 450 gal."

    def test_the_night_the_clocks_change_counts_as_it_passes(self):
        start = datetime(2024, 3, 10, 6, 30, tzinfo=UTC)  # 01:30 local; an hour later the clocks say 03:30
        found = rate_duration([(1, ran(60, start))], WHO)
        assert found.total_gal == 60

    def test_a_bare_day_is_not_midnight(self):
        only_day = Ran(date(2024, 3, 8), START, ZONE, "reported that day", "jetted free")
        found = rate_duration([(10, only_day)], WHO)
        assert found.total_gal is None
        # from 00:00 to 15:40 is 940 minutes; from 15:40 to 15:40 none
        assert (found.low_gal, found.high_gal) == (0, 9400)
        assert any("not read as midnight" in step for step in found.steps)

    def test_the_last_sight_without_overflow_widens_the_range_alone(self):
        found = rate_duration([(10, ran(60, no_overflow_at=START - timedelta(hours=2)))], WHO)
        assert (found.total_gal, found.low_gal, found.high_gal) == (600, 600, 1800)

    @pytest.mark.parametrize(
        ("periods", "said"),
        [
            ([], "no period"),
            ([(0, ran(5))], "above 0"),
            ([(5, ran(-5))], "before the start"),
            ([(5, ran(60)), (5, ran(60))], "starts before"),
            ([(5, Ran(START, START + timedelta(minutes=5), ZONE, "", "seen"))], "how the start"),
            ([(5, Ran(START, START + timedelta(minutes=5), ZONE, "seen", " "))], "how the stop"),
        ],
    )
    def test_what_is_missing_is_named(self, periods, said):
        refused(said, rate_duration, periods, WHO)

    def test_nobody_estimated(self):
        refused("who estimated", rate_duration, [(5, ran(5))], Who(" "))

    def test_more_rain_than_water_and_rain_without_a_basis(self):
        refused("more than what was measured", rate_duration, [(5, ran(5))], Who("a", rain_gal=26, rain_how="gauge"))
        refused("how the rain", rate_duration, [(5, ran(5))], Who("a", rain_gal=1))


class TestPhotographs:
    def test_chart_and_reader_are_kept(self):
        found = photo_comparison("manhole chart, 2009", "crew leader", [(30, ran(60))], WHO, between_gpm=(25, 50))
        assert (found.total_gal, found.low_gal, found.high_gal) == (1800, 1500, 3000)
        assert ("Chart", "manhole chart, 2009") in found.inputs
        assert ("Read by", "crew leader") in found.inputs

    @pytest.mark.parametrize("gpm", [5, 400])
    def test_both_ends_of_the_chart_belong_to_it(self, gpm):
        assert photo_comparison("chart", "reader", [(gpm, ran(1))], WHO).total_gal == gpm

    @pytest.mark.parametrize("gpm", [Decimal("4.9"), Decimal("400.1")])
    def test_nothing_is_extrapolated(self, gpm):
        refused("outside the chart", photo_comparison, "chart", "reader", [(gpm, ran(1))], WHO)

    def test_chart_reader_and_pictures(self):
        refused("chart's name", photo_comparison, "", "reader", [(5, ran(1))], WHO)
        refused("who read", photo_comparison, "chart", "", [(5, ran(1))], WHO)
        refused("between", photo_comparison, "chart", "r", [(60, ran(1))], WHO, between_gpm=(25, 50))


class TestOrifice:
    def test_one_inch_hole_under_one_inch(self):
        # A = 0.785398/144 = 0.00545415 ft2; sqrt(2 x 32.2 / 12) = 2.316607 ft/s; x 0.63 x 0.945 x A = 0.00752238 cfs
        # x 448.8 = 3.37604 gpm; x 60 = 202.56
        assert gallons(orifice(1, 1, 1, ran(60), WHO).total_gal) == "about 202.6 gal"

    def test_holes_add(self):
        one, three = (orifice(Decimal("0.75"), holes, 2, ran(10), WHO).total_gal for holes in (1, 3))
        assert three == 3 * one

    @pytest.mark.parametrize("figures", [(0, 1, 1), (1, 0, 1), (1, 1, 0)])
    def test_no_hole_no_plume_no_answer(self, figures):
        refused("above 0", orifice, *figures, ran(1), WHO)


class TestCoverInItsRing:
    @pytest.mark.parametrize(
        ("plume", "gpm"), [("0.25", 1), ("1", 9), ("2.5", 38), ("3.5", 75), ("5", 166), ("9", 529)]
    )
    def test_listed_heights(self, plume, gpm):
        assert cover_plume(Decimal(plume), ran(1), WHO).total_gal == gpm

    def test_the_table_rises(self):
        assert len(RING_GPM) == 15
        assert list(RING_GPM) == sorted(RING_GPM)
        assert [gpm for _, gpm in RING_GPM] == sorted(gpm for _, gpm in RING_GPM)

    @pytest.mark.parametrize("plume", ["0.24", "9.01", "0.1", "12"])
    def test_outside_the_table_is_refused_even_when_asked_to_interpolate(self, plume):
        refused("outside the table", cover_plume, Decimal(plume), ran(1), WHO, interpolate=True)

    def test_between_two_heights_only_when_asked(self):
        refused("say that you interpolate", cover_plume, Decimal("4.5"), ran(1), WHO)
        found = cover_plume(Decimal("4.5"), ran(1), WHO, interpolate=True)  # half way between 100 and 166
        assert (found.total_gal, found.low_gal, found.high_gal) == (133, 100, 166)
        assert "Interpolated" in found.steps[0]


@pytest.mark.parametrize(
    ("low", "high", "said"),
    [
        (None, None, ""),
        (None, Fraction(5), f"at most {gallons(5)}"),
        (Fraction(0), None, f"at least {gallons(0)}"),
        (Fraction(1), Fraction(5), f"{gallons(1)} to {gallons(5)}"),
    ],
)
def test_a_range_may_be_open_on_either_side(low, high, said):
    estimate = replace(pump_run_time([("p", 1, 1)], WHO), low_gal=low, high_gal=high)
    assert estimate.as_data()["range"] == said


class TestUpstreamLaterals:
    def test_even_flow(self):
        found = upstream_laterals(40, 240, ran(180), WHO)  # 9,600 gal a day x 3/24
        assert found.total_gal == 1200
        assert found.high_gal == 1200
        told = dict(found.inputs)  # 20:40 by UTC is 15:40 in the town's winter
        assert told["From"] == "2024-03-08T15:40-05:00, first call"
        assert told["To"] == "2024-03-08T18:40-05:00, jetted free"

    def test_by_the_hour(self):
        curve = [Fraction(1, 2)] * 12 + [Fraction(3, 2)] * 12
        start = datetime(2024, 3, 8, 16, 30, tzinfo=UTC)  # 11:30 to 12:30 local
        found = upstream_laterals(
            24, 100, ran(60, start), WHO, hourly=curve
        )  # 100 gal an hour; half at 0.5, half at 1.5
        assert found.total_gal == 100

    def test_by_the_hour_across_the_clock_change(self):
        curve = [24 if hour == 1 else 0 for hour in range(24)]
        start = datetime(2023, 11, 5, 5, 0, tzinfo=UTC)  # 01:00 local, the hour that comes twice
        found = upstream_laterals(24, 1, ran(180, start), WHO, hourly=curve)  # 1 gal an hour x 24 x 2
        assert found.total_gal == 48

    def test_a_curve_must_average_one(self):
        refused("average 1", upstream_laterals, 1, 1, ran(60), WHO, hourly=[1] * 23)
        refused("average 1", upstream_laterals, 1, 1, ran(60), WHO, hourly=[1] * 23 + [2])

    def test_hours_are_wanted(self):
        day = Ran(date(2024, 3, 8), date(2024, 3, 8), ZONE, "seen", "seen")
        refused("only a day is known", upstream_laterals, 40, 240, day, WHO)


class TestMeters:
    def test_inflow_less_outflow(self):
        assert metered(41000, 38500, "influent and effluent", WHO).total_gal == 2500
        assert metered(41000, 41000, "influent and effluent", WHO).total_gal == 0
        refused("disagree", metered, 38500, 41000, "influent and effluent", WHO)
        refused("which meters", metered, 2, 1, "", WHO)

    def test_run_time_times_capacity(self):
        found = pump_run_time([("pump 1", 30, 80), ("pump 2", Decimal("10.5"), 80)], WHO)  # 2,400 and 840
        assert found.total_gal == 3240
        assert found.steps[-1] == f"Together {gallons(3240)}."
        refused("no pump", pump_run_time, [], WHO)
        refused("above 0", pump_run_time, [("pump 1", 30, 0)], WHO)


class TestPipes:
    PIPE = FullPipe(8, Decimal("0.004"), Decimal("0.013"))

    def test_break_as_an_orifice(self):
        # 4 in2 under 2 ft: sqrt(128.8) = 11.349009; 0.59535 x 4/144 x 11.349009 = 0.187684 cfs; x 448.8 x 60 = 5,053.96
        assert gallons(pipe_break(4, 2, ran(60), WHO).total_gal) == "about 5,053.96 gal"

    def test_the_pipe_bounds_its_break(self):
        bound = full_pipe(self.PIPE, ran(60), WHO)
        large = pipe_break(50, 10, ran(60), WHO, pipe=self.PIPE)
        assert large.total_gal == bound.total_gal == bound.high_gal
        assert any("more than the pipe carries" in step for step in large.steps)
        assert pipe_break(4, 2, ran(60), WHO, pipe=self.PIPE).total_gal == pipe_break(4, 2, ran(60), WHO).total_gal

    def test_full_pipe_is_man_1(self):
        assert round(full_pipe(self.PIPE, ran(1), WHO).total_gal, 1) == 343  # MAN-1: 343.0 gpm

    def test_both_programs_say_the_same_of_a_full_pipe(self):
        # they may not import each other; the handbooks' 448.8 and 448.83 gpm a cfs differ
        ours = full_pipe(self.PIPE, ran(1), WHO).total_gal / Fraction("448.8")
        theirs = Fraction(full_flow_gpm(8, Decimal("0.004"), Decimal("0.013"))) / Fraction("448.83")
        assert abs(ours - theirs) < Fraction(1, 10**20)

    def test_a_flat_pipe_carries_nothing_and_is_refused(self):
        refused("above 0", full_pipe, FullPipe(8, 0, Decimal("0.013")), ran(1), WHO)


def test_every_method_keeps_what_an_inspector_asks():
    made = [
        eyeball({5: 1}, WHO),
        area_depth([Pond(Shape("circle", (1,)), (1,))], WHO),
        wet_stain([Shape("circle", (1,))], "asphalt", WHO),
        rate_duration([(1, ran(1))], WHO),
        photo_comparison("chart", "reader", [(5, ran(1))], WHO),
        orifice(1, 1, 1, ran(1), WHO),
        cover_plume(1, ran(1), WHO),
        upstream_laterals(1, 1, ran(60), WHO),
        metered(1, 0, "m", WHO),
        pump_run_time([("p", 1, 1)], WHO),
        pipe_break(1, 1, ran(1), WHO),
        full_pipe(TestPipes.PIPE, ran(1), WHO),
    ]
    assert [estimate.method for estimate in made] == list(METHODS)
    for estimate in made:
        assert estimate.inputs
        assert estimate.steps
        assert estimate.source.text
        data = estimate.as_data()
        assert data["estimated_by"] == "operator in responsible charge"
        assert Fraction(data["total_gal"]) == estimate.total_gal


class TestWhatAPaperReads:
    def test_the_name_of_the_method_and_how_sure_its_source_is(self):
        found = pipe_break(4, 2, ran(60), WHO)
        assert NAMES["pipe_break"] == "Opening in a pipe"
        assert found.source.certainty == "from memory"
        assert found.as_data()["certainty"] == "from memory: check before relying on it"

    def test_a_verified_source_is_said_to_be_so(self):
        found = eyeball({5: 1}, WHO)
        assert found.source.certainty == "verified"
        assert found.as_data()["certainty"] == "verified"

    def test_what_the_meters_read(self):
        found = metered(41000, 38500, "influent and effluent", WHO)
        assert found.inputs == (
            ("Meters", "influent and effluent"),
            ("Inflow", "41,000 gal"),
            ("Outflow", "38,500 gal"),
        )

    def test_a_pipe_of_less_than_an_inch_is_a_pipe(self):
        (half, _), (one, _) = (FullPipe(size, Decimal("0.01"), Decimal("0.013")).gpm() for size in (Decimal("0.5"), 1))
        assert 0 < half < one
