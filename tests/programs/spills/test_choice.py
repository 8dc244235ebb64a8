"""Choosing an estimate, and where the gallons went."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from zoneinfo import ZoneInfo

import pytest

from sewershed.programs.spills.choice import choose, split
from sewershed.programs.spills.duration import duration_between, hours_for_form
from sewershed.programs.spills.volume import Ran, Who, eyeball, metered, rate_duration
from sewershed.rules.figures import CannotEstimateError, gallons, plain

ZONE = ZoneInfo("America/New_York")
WHO = Who("operator")
SECOND = Fraction(1, 60)  # in minutes
BOTH = {"meters": metered(3000, 500, "1 and 2", WHO), "eye": eyeball({55: 2}, WHO)}


def test_a_person_chooses_and_says_why():
    choice = choose(BOTH, "eye", chosen_by="operator", because="the meters were off")
    assert (choice.total_gal, choice.chosen_by) == (110, "operator")
    assert list(choice.estimates) == ["meters", "eye"]


@pytest.mark.parametrize(
    ("chosen", "by", "because", "said"),
    [
        ("", "operator", "why", "there are meters, eye"),
        ("eye", "", "why", "who chose"),
        ("eye", "operator", "", "why it was chosen"),
    ],
)
def test_nothing_is_chosen_by_itself(chosen, by, because, said):
    with pytest.raises(CannotEstimateError, match=said):
        choose(BOTH, chosen, chosen_by=by, because=because)


def test_a_range_cannot_be_chosen():
    day = Ran(date(2024, 3, 8), date(2024, 3, 8), ZONE, "seen", "seen")
    with pytest.raises(CannotEstimateError, match="only a range"):
        choose({"rate": rate_duration([(5, day)], WHO)}, "rate", chosen_by="o", because="b")


def test_the_three_figures_hold_together():
    assert split(total_gal=2375, surface_water_gal=5, recovered_gal=600).ground_gal == 2370
    assert split(total_gal=5, surface_water_gal=5, recovered_gal=5).ground_gal == 0
    assert split(total_gal=None, surface_water_gal=5, recovered_gal=None).ground_gal is None
    assert split(total_gal=5, surface_water_gal=None, recovered_gal=None).ground_gal is None


def test_more_in_the_water_than_spilled():
    with pytest.raises(CannotEstimateError, match="cannot have reached"):
        split(total_gal=5, surface_water_gal=6, recovered_gal=0)


def test_more_recovered_than_spilled_only_with_a_reason():
    with pytest.raises(CannotEstimateError, match="give the reason"):
        split(total_gal=600, surface_water_gal=0, recovered_gal=601)
    with pytest.raises(CannotEstimateError, match="give the reason"):
        split(total_gal=600, surface_water_gal=0, recovered_gal=601, recovered_because=" ")
    kept = split(total_gal=600, surface_water_gal=0, recovered_gal=900, recovered_because="wash water")
    assert kept.recovered_because == "wash water"
    assert split(total_gal=600, surface_water_gal=0, recovered_gal=600).recovered_gal == 600


class TestDuration:
    AT = datetime(2024, 3, 8, 20, 40, tzinfo=UTC)  # 15:40 local

    def test_a_start_of_which_only_the_day_is_known(self):
        lasted = duration_between(date(2024, 3, 8), self.AT, ZONE)
        assert (lasted.shortest_minutes, lasted.longest_minutes, lasted.minutes) == (0, 940, None)

    def test_a_stop_of_which_only_the_day_is_known(self):
        lasted = duration_between(self.AT, date(2024, 3, 8), ZONE)
        assert lasted.shortest_minutes == 0
        assert 499 < lasted.longest_minutes < 500  # to the last second before midnight

    def test_days_apart(self):
        lasted = duration_between(date(2024, 3, 8), date(2024, 3, 10), ZONE)
        assert lasted.shortest_minutes == 24 * 60 + SECOND
        assert lasted.longest_minutes == 71 * 60 - SECOND  # the last day has 23 hours

    def test_a_stop_before_the_start(self):
        with pytest.raises(CannotEstimateError, match="before the start"):
            duration_between(self.AT, self.AT - timedelta(seconds=1), ZONE)
        assert duration_between(self.AT, self.AT, ZONE).minutes == 0  # at the bound: it stopped as it began
        with pytest.raises(CannotEstimateError, match="before the start"):
            duration_between(date(2024, 3, 9), self.AT, ZONE)

    @pytest.mark.parametrize(("minutes", "hours"), [(0, 0), (29, 0), (30, 1), (89, 1), (90, 2), (95, 2)])
    def test_to_the_nearest_hour_half_up(self, minutes, hours):
        assert hours_for_form(minutes) == hours


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("999.96", "999.96 gal"),  # never rounded onto the bound of 1,000
        ("1000.04", "1,000.04 gal"),
        ("1000", "1,000 gal"),
        ("62.3333", "about 62.3 gal"),
        ("0.04", "0.04 gal"),
        ("999.95", "999.95 gal"),
        ("1402.55", "about 1,402.6 gal"),  # half up
    ],
)
def test_print_never_rounds_onto_a_whole_gallon(value, text):
    assert gallons(Decimal(value)) == text


def test_a_negative_figure_prints_with_its_sign():
    assert plain(Decimal("-1.5")) == "-1.5"
