"""The yard of the example town on 17 October 2023: its annual report, its promises, its weekly rounds. Worked by hand from the papers."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from sewershed.ledger import queries
from tests.examples.conftest import NOW, close

ANNUAL, PROMISE, VISIT = "us.nc.reporting.annual", "us.nc.spring_hope.reporting.commitment", "us.nc.station.visit"
BY_PERMIT, BY_STATUTE = "by permit, whatever the flow", "by statute, above 200,000 gpd"
OWED_BY = date(2023, 8, 29)  # 60 days after 30 June 2023


@pytest.fixture
def own_admin(made: Path, tmp_path: Path, django_db_blocker) -> Iterator[object]:
    """The administrator of a copy of the example town, in which something may be recorded."""
    from sewershed.ledger import clock, rights
    from sewershed.project.opening import open_town

    folder = tmp_path / "town"
    shutil.copytree(made, folder)
    with django_db_blocker.unblock():
        open_town(folder)
        with clock.at(NOW):
            yield rights.owner()
        close()


def lines(admin, rule: str, **asked):
    return [one for one in queries.due(as_account=admin, **asked).items if one.rule == rule]


def test_whether_the_annual_report_is_late_hangs_on_the_doubt_and_each_reading_is_shown(admin):
    from sewershed.ledger.explaining import gather

    (line,) = lines(admin, ANNUAL)
    assert (line.state, line.label, line.due) == ("cannot_tell", "FY2023", OWED_BY)
    assert [(want.kind, want.what) for want in line.asks] == [("doubt", "D-NC-ANNUAL")]
    (doubt,) = gather(line.key, as_account=admin).doubts
    given = {one.name: (one.state, one.result) for one in doubt.readings}
    # 84,000 gallons a day are under 200,000: by the statute nothing is owed; by the permit it was due on 29 August.
    assert given == {BY_STATUTE: ("not needed", "not needed"), BY_PERMIT: ("overdue", "due Tue Aug 29")}


def test_by_the_permit_it_is_49_days_late(own_admin):
    from sewershed.ledger import actions, adopting
    from sewershed.ledger.moments import left_words

    town = adopting.town_id()
    actions.decide(town, as_account=own_admin, doubt="D-NC-ANNUAL", reading=BY_PERMIT, because="the permit refers to the statute", at="2023-10-17", performed_by="orc", office="orc")  # fmt: skip
    (line,) = lines(own_admin, ANNUAL)
    assert (line.state, line.word, line.label, line.due, line.asks) == ("overdue", "Overdue", "FY2023", OWED_BY, ())
    assert (NOW.date() - OWED_BY).days == 49  # 2 days of August, 30 of September, 17 of October
    assert left_words(line.due, NOW, own_zone()).startswith("49 d")


def test_by_the_statute_it_is_not_owed(own_admin):
    from sewershed.ledger import actions, adopting

    town = adopting.town_id()
    actions.decide(town, as_account=own_admin, doubt="D-NC-ANNUAL", reading=BY_STATUTE, because="the attorney's letter", at="2023-10-17", performed_by="orc", office="orc")  # fmt: skip
    assert lines(own_admin, ANNUAL) == []


def own_zone():
    from sewershed.ledger import clock

    return clock.current_town().zone


def test_five_promises_stand_without_a_date_and_one_with(admin):
    # The reply: item 2 by 4 December 2023; items 4, 9, 13, 14 and 15 without a date.
    found = {one.thing: (one.state, one.word, one.due) for one in lines(admin, PROMISE)}
    undated = ("due", "Waiting", None)
    assert found == {
        "promise-2": ("due", "Waiting", date(2023, 12, 4)),
        **dict.fromkeys(("promise-4", "promise-9", "promise-13", "promise-14", "promise-15"), undated),
    }


def test_an_undated_promise_is_never_overdue_and_the_dated_one_is_the_day_after(admin):
    later = {one.thing: one.state for one in lines(admin, PROMISE, as_of=datetime(2023, 12, 5, 12, tzinfo=UTC))}
    assert later.pop("promise-2") == "overdue"
    assert set(later.values()) == {"due"}
    assert len(later) == 5


def test_a_missed_week_stands_for_each_station_and_the_next_visit_is_due_at_once(admin):
    # The last round was on Monday 16 October: seven days are the 23rd.
    stations = {"country-inn", "montgomery", "us-64", "ryan-court", "581-north", "premier"}
    on_the_day = lines(admin, VISIT, as_of=datetime(2023, 10, 23, 16, tzinfo=UTC))
    assert {(one.thing, one.state, one.due) for one in on_the_day} == {(one, "due", date(2023, 10, 23)) for one in stations}  # fmt: skip
    after = lines(admin, VISIT, as_of=datetime(2023, 10, 24, 16, tzinfo=UTC))
    assert {(one.thing, one.state, one.due) for one in after} == {(one, "overdue", date(2023, 10, 23)) for one in stations}  # fmt: skip
    assert len(on_the_day) == len(after) == 6
