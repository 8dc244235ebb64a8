"""The steps of a duty that is owed day after day: each day has its own, and they say how things stood when.

Spill 23-010 (s23-08): confirmed on 30 August 2023 at 8:10 pm while it ran, the office told on 30 August and on 1 September, stopped
on 2 September at 10:00 am.
"""

from __future__ import annotations

import pytest

from sewershed.ledger import queries

DAILY = "us.nc.spill.daily|s23-08|s23-08.6|"
OPENED = ["spill_confirmed of 2023-08-30T20:10-04:00: opens it, as things stood just before", "  no spill_stopped"]


def steps_of(admin, day: str) -> list[str]:
    return queries.why(DAILY + day, as_account=admin).steps


@pytest.mark.parametrize(
    ("day", "last"),
    [
        ("2023-08-30", "state_told of 2023-08-30T20:30-04:00 against 2023-08-30: in time"),
        ("2023-08-31", "spill.reportable: 'yes' == 'yes'"),  # missed: nothing was said on that day
        ("2023-09-01", "state_told of 2023-09-01T09:15-04:00 against 2023-09-01: in time"),
        ("2023-09-02", "spill_stopped of 2023-09-02T10:00-04:00: it ends"),
    ],
)
def test_each_day_has_its_own_steps_and_the_last_one_says_how_it_came_out(admin, day, last):
    steps = steps_of(admin, day)
    assert steps[:2] == OPENED
    assert f"inside {day}: due {day}" in steps
    assert [step for step in steps if not step.startswith(" ")][-1] == last
    days = {"2023-08-30", "2023-08-31", "2023-09-01", "2023-09-02"}
    others = [step for step in steps[2:] if step.startswith(tuple(f"inside {other}" for other in days - {day}))]
    assert others == []
    told = [step for step in steps if step.startswith("state_told") and step.endswith("meets what is asked")]
    assert len(told) == (last.startswith("state_told"))


def test_a_call_of_another_day_is_no_step_of_the_day_that_was_missed(admin):
    assert not any("state_told" in step for step in steps_of(admin, "2023-08-31"))
