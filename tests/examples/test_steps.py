"""The steps of a duty that is owed day after day: each interval has its own, and they say how things stood when.

Spill 23-010 (s23-08): confirmed on 30 August 2023 at 8:10 pm while it ran, the office told on 30 August and on 1 September, stopped
on 2 September at 10:00 am.
"""

from __future__ import annotations

import pytest

from sewershed.ledger import queries

DAILY = "us.nc.spill.daily|s23-08|s23-08.6"
OPENED = ["spill_confirmed of 2023-08-30T20:10-04:00: opens it, as things stood just before", "  no spill_stopped"]


def steps_of(admin, begun_by: str) -> list[str]:
    return queries.why(DAILY + begun_by, as_account=admin).steps


@pytest.mark.parametrize(
    ("begun_by", "clock", "last"),
    [
        (
            "",  # by the confirmation
            "every 1 day of 2023-08-30T20:10-04:00: due 2023-08-31",
            "state_told of 2023-08-30T20:30-04:00 against 2023-08-31: in time",
        ),
        (
            "|s23-08.12",  # by the call of 30 August; nobody called on the 31st
            "every 1 day of 2023-08-30T20:30-04:00: due 2023-08-31",
            "state_told of 2023-09-01T09:15-04:00 against 2023-08-31: late",
        ),
        (
            "|s23-08.23",  # by the call of 1 September
            "every 1 day of 2023-09-01T09:15-04:00: due 2023-09-02",
            "spill_stopped of 2023-09-02T10:00-04:00: it ends",
        ),
    ],
)
def test_each_interval_has_its_own_steps_and_the_last_one_says_how_it_came_out(admin, begun_by, clock, last):
    steps = steps_of(admin, begun_by)
    assert steps[:2] == OPENED
    assert [step for step in steps if step.startswith("every 1 day")] == [clock]
    assert [step for step in steps if not step.startswith(" ")][-1] == last
