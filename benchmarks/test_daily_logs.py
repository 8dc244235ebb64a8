"""Ten years of daily logs on six stations and 200 reaches: every kind of page within 150 ms, at the 95th percentile."""

from __future__ import annotations

import gc
from itertools import cycle

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from benchmarks import daily
from benchmarks.measured import measure
from sewershed.ledger import law, log, queries, rights

ROUNDS = 20
LIST = "Station,Date,Pump 1 hours,Pump 2 hours\n" + "".join(
    f"Station {number % 6},2026-11-{1 + number // 6:02d},{90000 + number},{91000 + number}\n" for number in range(150)
)
PAGES = {
    "Today": "/",
    "the calendar of a month": "/calendar/",
    "the register of stations": "/things/station/",
    "a station": "/thing/{station}/",
    "a station, all of it": "/thing/{station}/?all=1",
    "the rows of a station": "/thing/{station}/rows/",
    "the rows of a station, a page from the middle": "/thing/{station}/rows/?page=9",
    "a row": "/row/{row}/",
    "what can be recorded of a station": "/thing/{station}/record/",
    "the form of pump hours": "/thing/{station}/record/pump_hours_read/",
    "the register of reaches": "/things/pipe/",
    "the register of reaches whose name holds a text": "/things/pipe/?q=P-1",
    "the register of reaches by length": "/things/pipe/?sort=-length_ft",
    "a reach": "/thing/{pipe}/",
    "the rows of a reach": "/thing/{pipe}/rows/",
    "the log": "/log/",
    "the log of pump hours, a page from the middle": "/log/?what=pump_hours_read&page=100",
    "the reaches as CSV": "/things/pipe/?as=csv",
    "a station as a file": "/thing/{station}/export.csv",
    "the lists brought in": "/imports/",
    "the plan of a list": "{plan}",
}


@pytest.fixture(scope="module")
def daily_town(new_database, tmp_path_factory):
    return daily.made(new_database(), tmp_path_factory.mktemp("daily") / "town")


@pytest.fixture
def desk(daily_town):
    """A browser that has signed in; the books are read already and passed over by the collector, as they are in the server."""
    with daily_town.opened():
        law.in_force().library  # noqa: B018  # read before the first page
        gc.freeze()
        client = Client(HTTP_HOST="localhost")
        client.force_login(rights.owner())
        yield client
        gc.unfreeze()


def planned(desk) -> str:
    """Sends a list of pump hours as far as its plan, and returns the address of that."""
    asked = {"list": SimpleUploadedFile("hours.csv", LIST.encode())}
    step = desk.post("/imports/?event=pump_hours_read", asked)["Location"]
    while not step.endswith("/plan/"):
        page = desk.get(step, follow=True)
        step = page.request["PATH_INFO"]
        if not step.endswith("/plan/"):
            form = page.context["form"]
            step = desk.post(step, {one.html_name: one.value() for one in form if one.value() is not None})["Location"]
    return step


@pytest.mark.parametrize("what", PAGES)
def test_a_page(benchmark, desk, database, what):
    first = {
        kind: [one.id for one in queries.things(kind, as_account=rights.owner(), limit=ROUNDS).items]
        for kind in ("station", "pipe")
    }
    rows = [
        row.id for row in log.select_list("name = 'pump_hours_read' AND thing = %s", [first["station"][0]])[:ROUNDS]
    ]
    address = PAGES[what]
    plan = planned(desk) if "{plan}" in address else ""
    addresses = [
        address.format(
            station=first["station"][number % daily.STATIONS], pipe=first["pipe"][number], row=rows[number], plan=plan
        )
        for number in range(ROUNDS)
    ]
    each = cycle(addresses)

    def work() -> int:
        answer = desk.get(next(each), follow=True)
        if answer.streaming:
            b"".join(answer.streaming_content)
        return int(answer.status_code)

    status = measure(
        benchmark, f"ten years of daily logs: {what}, {database}", work, bound_s=0.15, rounds=ROUNDS, warmup_rounds=2, is_p95=True
    )  # fmt: skip
    assert status == 200
