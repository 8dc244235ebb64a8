"""Manning's formula. The slopes are those of a state's published table of least slopes; the velocities were worked apart from
our code at n 0.013: 1.486/0.013 x (D/4)^(2/3) x S^(1/2), D in feet. MAN-1 is worked the same way."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest

from sewershed.programs.connections.manning import full_flow_gpm, full_velocity_fps, manning_full_fps
from sewershed.rules.unknown import Unknown

N = Decimal("0.013")


@pytest.mark.parametrize(
    ("diameter_in", "slope", "velocity"),
    [
        (8, "0.0040", "2.189"),
        (15, "0.0015", "2.039"),
        (24, "0.0008", "2.037"),
        (36, "0.0005", "2.110"),
        (48, "0.0003", "1.980"),
    ],
)
def test_velocity_of_a_full_pipe(diameter_in, slope, velocity):
    found = full_velocity_fps(diameter_in, Decimal(slope), N)
    assert round(found, 3) == Decimal(velocity)


def test_flow_of_an_eight_inch_pipe():
    assert round(full_velocity_fps(8, Decimal("0.004"), N), 3) == Decimal("2.189")  # MAN-1
    assert round(full_flow_gpm(8, Decimal("0.004"), N), 1) == Decimal("343.0")


def test_a_printed_least_slope_of_a_four_inch_pipe_is_short_of_two_feet_a_second():
    # (4/12/4)^(2/3) = 0.190786; sqrt(0.0084) = 0.0916515; 1.486/0.013 x both = 1.9988
    assert round(manning_full_fps.call(4, Decimal("0.0084"), N), 4) == Decimal("1.9988")


def test_a_velocity_that_is_exactly_the_bound_is_the_bound():
    # D/4 = 1 ft, S = 0.01^2, n = 1.486/200: exactly 2 feet a second
    assert full_velocity_fps(48, Decimal("0.0001"), Decimal("0.00743")) == 2
    assert full_velocity_fps(48, Decimal("0.0000999"), Decimal("0.00743")) < 2
    assert full_velocity_fps(48, Decimal("0.0001001"), Fraction(743, 100000)) > 2


@pytest.mark.parametrize("figures", [(0, 1, N), (8, Decimal("-0.001"), N), (8, 1, 0), (8, 1, -1)])
def test_figures_that_cannot_be_are_refused(figures):
    assert isinstance(manning_full_fps.call(*figures), Unknown)
    with pytest.raises(ValueError, match="above zero"):
        full_velocity_fps(*figures)


def test_a_flat_pipe_does_not_flow():
    assert manning_full_fps.call(8, 0, N) == 0


def test_its_types_carry_units():
    assert [str(kind) for _, kind in manning_full_fps.args] == ["number in in", "number", "number"]
    assert str(manning_full_fps.result) == "number in fps"
