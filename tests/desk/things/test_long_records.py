"""Things of which a great deal is known: what is left out of a page is said, and every part of it can be had.

The numbers are counted by hand: 205 visits, one a day; the parts of a page are 200 long, the pages of the history 100.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest

from sewershed.ledger import actions, queries
from sewershed.ledger.errors import NotFound

BEGUN = date(2023, 8, 1)
VISITS = 205


@pytest.fixture
def station(town, admin) -> str:
    """A station of a single page of facts and 205 visits."""
    facts = {"name": "First", "in_service_since": BEGUN.isoformat()}
    actions.set_facts("st1", facts, as_account=admin, type="station")
    with actions.together():
        for number in range(VISITS):
            actions.record("station_visited", "st1", as_account=admin, at=f"{BEGUN + timedelta(days=number)}T09:00")
    return "st1"


def visited(page) -> list[str]:
    return [one.moment[:10] for one in page.context["shown"].timeline if one.what == "Station visited"]


def test_all_of_it_comes_in_parts_the_latest_first(station, signed_in):
    client = signed_in()
    latest, middle, earlier = (client.get(f"/thing/st1/?all={number}") for number in (1, 2, 3))
    days = [(BEGUN + timedelta(days=number)).isoformat() for number in range(VISITS)]  # 205: parts of 100, 100 and 5
    assert [visited(part) for part in (latest, middle, earlier)] == [days[105:], days[5:105], days[:5]]
    assert 'rel="next" href="/thing/st1/?all=2"' in latest.content.decode()
    assert 'rel="prev" href="/thing/st1/?all=2"' in earlier.content.decode()
    assert 'rel="next"' not in earlier.content.decode()
    assert [one.kind for one in latest.context["shown"].timeline].count("now") == 1
    assert [one.kind for one in earlier.context["shown"].timeline].count("now") == 0  # now comes after the later part


def test_the_history_comes_in_pages(station, signed_in):
    """206 rows with that of the facts: pages of 100, 100 and 6."""
    client = signed_in()
    pages = [client.get("/thing/st1/rows/", {"page": number}).context["shown"] for number in (1, 2, 3)]
    assert [len(one.rows) for one in pages] == [100, 100, 6]
    assert {one.total for one in pages} == {VISITS + 1}
    positions = [row.row.position for one in pages for row in one.rows]
    assert positions == sorted(positions, reverse=True)
    for odd in ("4", "0", "x", "-1", "9" * 40):  # a page that there is not is the last or the first
        shown = client.get("/thing/st1/rows/", {"page": odd}).context["shown"]
        assert shown.page == (3 if odd == "4" else 1)


def test_what_is_over_is_counted_as_the_whole_list_has_it(station, admin):
    every = queries.due(as_account=admin, thing=station, is_all=True).items
    over = [one for one in every if one.state in ("met", "met_late", "closed", "superseded", "void")]
    behind = queries.behind(station, as_account=admin, offset=2, limit=3)
    assert over
    assert behind.items == tuple(over[::-1][2:5])
    assert behind.total == len(over)
    assert sum(behind.counts.values()) == len(every)
    assert behind.counts["met"] == sum(one.state == "met" for one in every)
    assert behind.opening == {one.opened_by for one in every}


def test_what_is_over_of_another_day_comes_out_of_the_log(station, admin):
    """As of the evening of the tenth day ten visits are recorded, and nothing that came later is over."""
    as_of = datetime(2023, 8, 11, 3, 0, tzinfo=UTC)
    then, now = queries.behind(station, as_account=admin, as_of=as_of), queries.behind(station, as_account=admin)
    assert 0 < then.total < now.total
    assert all(one.met_at is None or one.met_at <= as_of for one in then.items)


def test_an_answer_has_some_of_the_others_beside_it_and_always_itself(station, admin):
    every = queries.due(as_account=admin, thing=station, is_all=True).items
    last = every[-1].key
    page = queries.beside(last, station, as_account=admin, limit=5)
    assert page.total == len(every)
    assert len(page.items) == 5
    assert last in {one.key for one in page.items}


def test_what_was_told_leaves_out_what_came_later(station, admin):
    """As of noon of the third day three visits had happened; a day alone is not before its own noon."""
    told = queries.told(station, as_account=admin, as_of=datetime(2023, 8, 3, 16, 0, tzinfo=UTC), limit=2)
    assert told.happened == 3
    assert [one.at[:10] for one in told.rows] == ["2023-08-02", "2023-08-03"]
    assert told.total == VISITS + 1


def test_nothing_is_told_of_what_is_not_there(town, admin):
    for ask in (queries.told, queries.behind, queries.last_row):
        with pytest.raises(NotFound):
            ask("nobody", as_account=admin)


def test_the_things_on_which_something_is_open(station, admin):
    by_lines = {one.thing for one in queries.due(as_account=admin, program="stations").items}
    assert queries.with_open(as_account=admin, program="stations") == by_lines == {station}
    assert queries.with_open(as_account=admin, program="fog") == set()


def test_all_things_come_in_parts_in_the_order_of_the_list(town, admin):
    for number, name in enumerate(("Pine", "Oak", "Elm")):
        facts = {"name": name, "in_service_since": "2023-08-01"}
        actions.set_facts(f"x{number}", facts, as_account=admin, type="station")
    for order in ("", "-began", "name", "-name"):
        parts = queries.things_in_parts("station", as_account=admin, order=order, at_once=2)
        listed = queries.things("station", as_account=admin, order=order).items
        assert [one for part in parts for one in part] == list(listed)
