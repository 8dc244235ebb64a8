"""The pages of the desk in front of the large town: from the request to the whole page, as the server makes it."""

from __future__ import annotations

import gc
from itertools import cycle
from urllib.parse import quote

import pytest
from django.db.models import Count
from django.test import Client
from django.urls import reverse

from benchmarks import town as drawn
from benchmarks.measured import measure
from sewershed.desk.api.actions import make_token
from sewershed.desk.things import queries as things
from sewershed.desk.things import tables
from sewershed.desk.today.actions import make_feed
from sewershed.ledger import law, queries, rights
from sewershed.ledger.models import Obligation

ROUNDS = 40
FIRST = 40  # things whose pages are asked for in turn
LISTS = {
    "Today": "/",
    "Today, one program": "/?program=fog",
    "Today, by person": "/?by=person",
    "Today, by place": "/?by=place",
    "Today as CSV": "/?as=csv",
    "the calendar of a month": "/calendar/",
    "the calendar of a month ahead": "/calendar/?month=2027-01",
    "what is to be decided": "/decisions/",
    "the papers": "/documents/",
    "the programs": "/programs/",
    "the list of assemblies": "/things/assembly/",
    "the list of assemblies of a type, a page from the middle": "/things/assembly/?type=RP&page=20",
    "the list of premises whose address holds a text": "/things/premises/?q=96+Oak",
    "the list of premises, its three hundredth page": "/things/premises/?page=300",
    "the list of spills": "/spills/",
    "the spills on which something is open": "/spills/?open=yes",
    "the spills of a cause": "/spills/?cause=grease",
    "the spills by gallons": "/spills/?gallons_from=1000&sort=-gallons",
    "the form of a call": "/spills/call/",
    "what the map draws": "/spills/map/",
    "what is found of a word": "/find/?q=Oak",
    "what is found of nothing": "/find/?q=zzzq",
    "the log": "/log/",
    "the log of an account": "/log/?by=account:{account}",
    "the log of the day of its 345,000 rows": "/log/?from={day}&to={day}",
    "the log of a day without any": "/log/?from=2020-01-01&to=2020-01-02",
    "the log's facts": "/log/?what=facts",
    "the log's corrections": "/log/?what=corrections",
    "the log's visits, a page from the middle": "/log/?what=station_visited&page=300",
    "the town": "/town/",
    "its people": "/town/people/",
    "its response plan": "/town/plan/",
    "a calendar program's feed": "{feed}",
    "the API's list of what is due": "/api/",
    "the API's list of all that is and was owed": "/api/?which=all",
    "the API's list of assemblies of a type": "/api/things/assembly/?where=type+%3D+RP&order=-serial",
    "the API's log": "/api/log/",
}
FILES = {"assemblies": "/things/assembly/?as=csv", "premises": "/things/premises/?as=csv", "spills": "/spills/?as=csv"}
OF_THE_LONGEST = {
    "its page": "/thing/{}/",
    "all of it, the latest part": "/thing/{}/?all=1",
    "all of it, a part from the middle": "/thing/{}/?all=9",
    "its rows": "/thing/{}/rows/",
    "its rows, a page from the middle": "/thing/{}/rows/?page=9",
    "what can be recorded of it": "/thing/{}/record/",
    "the form of a visit": "/thing/{}/record/station_visited/",
}


@pytest.fixture
def desk(worked_out_town):
    """A browser that has signed in; the books are read already and passed over by the collector, as they are in the server."""
    with worked_out_town.opened():
        law.in_force().library  # noqa: B018  # read before the first page
        gc.freeze()
        admin = rights.owner()
        token = make_token(admin, "benchmark", admin.role_set())
        client = Client(HTTP_HOST="localhost", HTTP_AUTHORIZATION=f"Bearer {token}")
        client.force_login(admin)
        yield client
        gc.unfreeze()


def page(benchmark, desk, database, what, addresses, rounds=ROUNDS):
    """Measures how long the server takes over pages, asked for in turn."""
    each = cycle(addresses)

    def work() -> int:
        return int(desk.get(next(each), follow=True).status_code)

    status = measure(
        benchmark, f"{what}, the page, {database}", work, bound_s=0.15, rounds=rounds, warmup_rounds=2, is_p95=True
    )
    assert status == 200


@pytest.mark.parametrize("what", LISTS)
def test_a_list(benchmark, desk, database, what):
    admin = rights.owner()
    address = LISTS[what].format(
        account=admin.name,
        day=drawn.TODAY,
        feed=reverse("feed", args=[make_feed(admin)]) if "{feed}" in LISTS[what] else "",
    )
    page(benchmark, desk, database, what, [address])


def test_a_list_by_each_of_its_columns(benchmark, desk, database):
    columns = things.columns(law.in_force().vocabulary.things["assembly"], rights.owner())[: tables.MOST_COLUMNS]
    names = [f"{sign}{name}" for name in ("label", *(one.name for one in columns)) for sign in ("", "-")]
    addresses = [f"/things/assembly/?sort={name}" for name in names]
    page(benchmark, desk, database, "the list of assemblies by each of its columns, both ways", addresses)


@pytest.mark.parametrize("what", FILES)
def test_the_beginning_of_a_file(benchmark, desk, database, what):
    """A long list goes out while it is made: what counts is when it begins."""

    def work() -> bytes:
        return next(desk.get(FILES[what]).streaming_content)

    begun = measure(
        benchmark, f"the beginning of all {what} as CSV, {database}", work, bound_s=0.15, rounds=ROUNDS, warmup_rounds=1, is_p95=True
    )  # fmt: skip
    assert begun


@pytest.mark.parametrize("kind", ["assembly", "interceptor", "spill", "premises", "pipe"])
def test_a_thing(benchmark, desk, database, kind):
    things = queries.things(kind, as_account=rights.owner(), limit=FIRST).items
    page(benchmark, desk, database, f"one {kind}", [f"/thing/{one.id}/" for one in things])


@pytest.mark.parametrize("what", OF_THE_LONGEST)
def test_the_station_with_the_longest_record(benchmark, desk, database, what):
    """Ten years of daily visits, 3,650 obligations: the largest that there is, not one that p95 over all things holds."""
    page(
        benchmark,
        desk,
        database,
        f"a station visited daily for ten years, {what}",
        [OF_THE_LONGEST[what].format(longest())],
    )


@pytest.mark.parametrize("what", ["why a visit of it was owed", "its page as of another day"])
def test_what_is_worked_out_of_the_longest_record(benchmark, desk, database, what):
    """The engine goes through all ten years while the page is made: no bound is kept here, and it is shown how far off it is."""
    key = Obligation.objects.filter(thing=longest()).order_by("key")[100].key
    address = f"/why/{quote(key)}" if what.startswith("why") else f"/thing/{longest()}/?day=2024-01-01"
    page(benchmark, desk, database, f"a station visited daily for ten years, {what}", [address], rounds=10)


def longest() -> str:
    """Returns the station of which the most is owed."""
    owed = Obligation.objects.filter(program="stations").values_list("thing").annotate(Count("key"))
    return str(max(owed, key=lambda one: one[1])[0])


def test_an_answer(benchmark, desk, database):
    keys = [one.key for one in queries.due(as_account=rights.owner(), limit=FIRST).items]
    page(benchmark, desk, database, "why, of what is most urgent", [f"/why/{quote(key)}" for key in keys])
