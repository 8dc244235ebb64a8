"""The pages of the desk in front of the large town: from the request to the whole page, as the server makes it."""

from __future__ import annotations

import gc
from itertools import cycle
from urllib.parse import quote

import pytest
from django.db.models import Count
from django.test import Client

from benchmarks.measured import measure
from sewershed.ledger import law, queries, rights
from sewershed.ledger.models import Obligation

ROUNDS = 40
FIRST = 40  # things whose pages are asked for in turn
LISTS = {
    "Today": "/",
    "Today, one program": "/?program=fog",
    "Today, by person": "/?by=person",
    "the calendar of a month": "/calendar/",
    "what is to be decided": "/decisions/",
    "the programs": "/programs/",
    "the list of assemblies": "/things/assembly/",
    "the list of assemblies, by serial number, from the last": "/things/assembly/?sort=-serial",
    "the list of assemblies of a type, a page from the middle": "/things/assembly/?type=RP&page=20",
    "the list of premises whose address holds a text": "/things/premises/?q=96+Oak",
    "the list of spills": "/spills/",
    "what is found of a word": "/find/?q=Oak",
}


@pytest.fixture
def desk(worked_out_town):
    """A browser that has signed in; the books are read already and passed over by the collector, as they are in the server."""
    with worked_out_town.opened():
        law.in_force().library  # noqa: B018  # read before the first page
        gc.freeze()
        client = Client(HTTP_HOST="localhost")
        client.force_login(rights.owner())
        yield client
        gc.unfreeze()


def page(benchmark, desk, database, what, addresses):
    """Measures how long the server takes over pages, asked for in turn."""
    each = cycle(addresses)

    def work() -> int:
        return int(desk.get(next(each), follow=True).status_code)

    status = measure(
        benchmark, f"{what}, the page, {database}", work, bound_s=0.15, rounds=ROUNDS, warmup_rounds=2, is_p95=True
    )
    assert status == 200


@pytest.mark.parametrize("what", LISTS)
def test_a_list(benchmark, desk, database, what):
    page(benchmark, desk, database, what, [LISTS[what]])


@pytest.mark.parametrize("kind", ["assembly", "interceptor", "spill", "premises", "pipe"])
def test_a_thing(benchmark, desk, database, kind):
    things = queries.things(kind, as_account=rights.owner(), limit=FIRST).items
    page(benchmark, desk, database, f"one {kind}", [f"/thing/{one.id}/" for one in things])


def test_the_station_with_the_longest_record(benchmark, desk, database):
    """Ten years of daily visits, 3,650 obligations: the largest that there is, not one that p95 over all things holds."""
    owed = Obligation.objects.filter(program="stations").values_list("thing").annotate(Count("key"))
    longest = max(owed, key=lambda one: one[1])[0]
    page(benchmark, desk, database, "a station visited daily for ten years", [f"/thing/{longest}/"])


def test_an_answer(benchmark, desk, database):
    keys = [one.key for one in queries.due(as_account=rights.owner(), limit=FIRST).items]
    page(benchmark, desk, database, "why, of what is most urgent", [f"/why/{quote(key)}" for key in keys])
