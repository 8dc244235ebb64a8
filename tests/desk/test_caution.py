"""A walk past every place that shows a value or a verdict of an entry from memory: the mark stands at each.

The town is small and invented, one book below those that ship. Its book says little, all of it from memory but one standard,
which reads what is. Each surface must carry the mark of its own entry: the surface is asked twice, with the book as it is and
with `certainty` taken away, and says it in the one case only.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from html import unescape
from pathlib import Path

import pytest
from click.testing import CliRunner
from django.core.cache import cache
from django.test import Client

from sewershed.cli.shelf import RULEBOOKS
from sewershed.project.founding import init

NOW = datetime(2024, 3, 11, 15, 0, tzinfo=UTC)  # 11:00 in the town
MARK = "from memory: check before relying on it"
RESTS = f"rests on Weir 3, {MARK}"
LOOK, LARGE, SMALL, TOLD = (f"us.nc.spring_hope.weir.{name}" for name in ("look", "large", "small", "told"))
IDENTITY = 'id = "us.nc.spring_hope.weir"\nname = "Weir"\nparent = "us.nc.spring_hope"\ntime_zone = "America/New_York"\nedition = "1"\n[roles]\nwatch = "weir keeper"\n'
BOOK = """
[[duty]]
id = "us.nc.spring_hope.weir.look"
cites = ["Weir 1"]
means = "Watch the weir"
who = "watch"
on = "spill"
opens = { event = "call", once = [] }
due = { within = "3 hours" }
met_by = { event = "area_clean" }
closes = { event = ["found_to_be_none", "joined"] }
certainty = "memory"

[[value]]
id = "us.nc.spring_hope.weir.large"
cites = ["Weir 3"]
means = "A spill that anybody called about is large"
as = "spill.is_large"
type = "bool"
is = "happened('call')"
certainty = "memory"

[[standard]]
id = "us.nc.spring_hope.weir.small"
cites = ["Weir 4"]
means = "No spill is large"
on = "spill"
who = "watch"
test = "!spill.is_large"

[[act]]
id = "us.nc.spring_hope.weir.told"
cites = ["Weir 5"]
means = "Only the weir keeper tells the state"
acts = ["state_told"]
by = ["watch"]
certainty = "memory"

[[value]]
id = "us.nc.spring_hope.weir.narrow"
cites = ["Weir 9"]
means = "A spill is narrow, or the weir keeper decides"
as = "spill.is_narrow"
type = "bool"
cases = [{ if = "happened('area_clean')", is = true }]
judged_by = "watch"
certainty = "memory"

[[value]]
id = "us.nc.spring_hope.weir.years"
cites = ["Weir 6"]
means = "Weir keeps reports for nine years"
as = "retention_spill_report_years"
type = "number"
unit = "years"
is = 9
combine = { with = "us.nc.retention.spill_report", how = "replaces" }
certainty = "memory"

[[value]]
id = "us.nc.spring_hope.weir.times"
cites = ["Weir 7"]
means = "Nine times its average flow"
as = "firm_times_average_flow"
type = "number"
is = 9
combine = { with = "us.nc.station.firm_times_average", how = "replaces" }
certainty = "memory"

[[value]]
id = "us.nc.spring_hope.weir.phone"
cites = ["Weir 8"]
means = "Where to call at night"
as = "state_after_hours_phone"
type = "text"
is = "919-555-0108"
combine = { with = "us.nc.after_hours_phone", how = "replaces" }
certainty = "memory"
"""


@dataclass(frozen=True)
class Asker:
    """A town, asked in each way in which somebody can."""

    folder: Path
    books: Path

    def command(self, *words: str) -> str:
        """Returns what the command says, on one line, whatever its exit status."""
        result = CliRunner(env={"COLUMNS": "120"}).invoke(_main(), list(words))
        assert result.exit_code in (0, 1), result.output
        return " ".join(result.output.split())

    def verb(self, verb: str, *words: str) -> str:
        """Returns what a verb says of the town."""
        return self.command(verb, str(self.folder), *words)

    def page(self, address: str) -> str:
        """Returns what a page says, or a file, without its markup, on one line."""
        client = Client(HTTP_HOST="localhost")
        client.force_login(_admin())
        response = client.get(address)
        assert response.status_code == 200, address
        return " ".join(unescape(response.content.decode("utf-8-sig")).split())

    def api(self, address: str) -> str:
        """Returns what the API says."""
        from sewershed.desk.api.actions import make_token

        token = make_token(_admin(), "walk", ["administrator"])
        client = Client(HTTP_HOST="localhost", HTTP_AUTHORIZATION=f"Bearer {token}")
        response = client.get(address)
        assert response.status_code == 200, response.content
        return response.content.decode()

    def paper(self, kind: str, about: str, part: str = "") -> str:
        """Returns the data of a draft: all that stands on the paper."""
        from sewershed.ledger import papers

        return papers.draft(kind, about, as_account=_admin(), part=part).data.decode()


def _main():
    from sewershed.cli import main

    return main


def _admin():
    from sewershed.ledger import rights

    return rights.owner()


def _feed(one: Asker) -> str:
    """Returns the calendar's feed with its folded lines joined and its commas plain."""
    from sewershed.desk.today import queries

    return queries.icalendar(_admin(), "http://localhost").replace("\r\n ", "").replace("\\", "")


def _digest(one: Asker) -> str:
    from sewershed.desk.mail import queries

    message = queries.message_of(queries.digest_of(_admin(), NOW), "", 1, NOW)
    parts = [part.get_content() for part in message.iter_parts()]
    assert len(parts) == 2
    assert all(("Watch the weir" in part) for part in parts)
    assert len({MARK in part for part in parts}) == 1  # in both or in neither
    return " ".join(parts[0].split())


KEY = f"{LOOK}|s1|c1"
SURFACES: dict[str, tuple[Callable[[Asker], str], str, str]] = {  # what is asked, what shows that it is there, its mark
    "due": (lambda one: one.verb("due"), "Watch the weir", MARK),
    "due as JSON": (lambda one: one.verb("due", "--json"), "Watch the weir", f'"caution": "{MARK}"'),
    "due as of another day": (lambda one: one.verb("due", "--as-of", "2024-03-12"), "Watch the weir", MARK),
    "recording": (lambda one: one.verb("record", "state_told", "--on", "s1", "--at", "2024-03-11 10:00", "--set", "way=person", "--office", "orc"), "Only the weir keeper", f"Weir 5; {MARK}"),
    "why": (lambda one: one.verb("why", "s1", "weir.look"), "Watch the weir", MARK),
    "why, of what rests on it": (lambda one: one.verb("why", "s1", "weir.small"), "No spill is large", RESTS),
    "why as JSON": (lambda one: one.verb("why", "s1", "weir.look", "--json"), "Watch the weir", f'"caution": "{MARK}"'),
    "show, what is due": (lambda one: one.verb("show", "s1").partition("Found ")[0], "Watch the weir", MARK),
    "show, a fact": (lambda one: one.verb("show", "s1"), "is_large", f"follows from the record; {MARK}"),
    "show, what was found": (lambda one: one.verb("show", "s1").partition("Found ")[2], "No spill is large", RESTS),
    "may": (lambda one: one.verb("may", "state_told", "--on", "s1", "--set", "way=person"), "Only the weir keeper", MARK),
    "may as JSON": (lambda one: one.verb("may", "state_told", "--on", "s1", "--set", "way=person", "--json"), "Only the weir keeper", f'"caution": "{MARK}"'),
    "show as JSON": (lambda one: one.verb("show", "s1", "--json"), "Watch the weir", f'"is_private": false, "caution": "{MARK}"'),
    "retention as JSON": (lambda one: one.verb("due", "--retention", "--json"), "us.nc.spring_hope.weir.years", f'"caution": "{MARK}"'),
    "retention": (lambda one: one.verb("due", "--retention"), "Weir keeps reports for nine years", MARK),
    "calc": (lambda one: one.command("calc", "reliability", "--pump-gpm", "1", "--average-flow-gpd", "1", "--book", "us.nc.spring_hope.weir", "--books", str(one.books)), "firm_times_average_flow = 9", MARK),
    "rules show": (lambda one: one.command("rules", "show", LOOK, "--books", str(one.books)), "Watch the weir", MARK),
    "rules show, of what rests on it": (lambda one: one.command("rules", "show", SMALL, "--books", str(one.books)), "No spill is large", RESTS),
    "rules check": (lambda one: one.command("rules", "check", "us.nc.spring_hope.weir", "--books", str(one.books)), "us.nc.spring_hope.weir", f"- {LOOK}: Watch the weir"),
    "Today": (lambda one: one.page("/"), "Watch the weir", "From" + MARK[4:]),
    "Today as a file": (lambda one: one.page("/?as=csv"), "Watch the weir", MARK),
    "the calendar": (lambda one: one.page("/calendar/"), "Watch the weir", "From" + MARK[4:]),
    "the feed": (_feed, "Watch the weir", MARK),
    "the morning mail": (_digest, "Watch the weir", MARK),
    "the page of a spill, what is due": (lambda one: one.page("/spills/s1/"), "Watch the weir", "From" + MARK[4:]),
    "the page of a spill, what was found": (lambda one: one.page("/spills/s1/"), "No spill is large", "R" + RESTS[1:]),
    "the page of a spill, a fact": (lambda one: one.page("/spills/s1/"), "Large", f"Follows from the record; {MARK}"),
    "what a call would start": (lambda one: one.page("/spills/call/beside/"), "Watch the weir", f"Weir 1; {MARK}"),
    "what is found by a word": (lambda one: one.page("/find/?q=watch+the+weir"), "Watch the weir", MARK),
    "the page of decisions of a fact": (lambda one: one.page("/thing/s1/decide/is_narrow/"), "Weir 9", "From" + MARK[4:]),
    "whom to call": (lambda one: one.page("/spills/s1/telling/state/"), "919-555-0108", "From" + MARK[4:]),
    "the page of a person's Why": (lambda one: one.page(f"/why/{KEY}"), "Watch the weir", "From" + MARK[4:]),
    "May I?": (lambda one: one.page("/thing/s1/may/state_told/?ask=1&row_at_day=2024-03-11&row_at_time=10:00&way=person&row_at_is=exact"), "Only the weir keeper", MARK),
    "a list of things": (lambda one: one.page("/things/spill/?as=csv"), "Large", f"Large ({MARK})"),
    "the API, what is due": (lambda one: one.api("/api/"), "Watch the weir", f'"caution": "{MARK}"'),
    "the API, a thing": (lambda one: one.api("/api/thing/s1/"), "No spill is large", f'"caution": "{RESTS}"'),
    "the API, a fact": (lambda one: one.api("/api/thing/s1/"), "is_large", f'"is_hidden": false, "caution": "{MARK}"'),
    "the API, a list": (lambda one: one.api("/api/things/spill/"), "is_large", f'"cautions": {{"is_large": "{MARK}"}}'),
    "the API, why": (lambda one: one.api(f"/api/why/{KEY}"), "Watch the weir", f'"caution": "{MARK}"'),
    "the statement of reasons": (lambda one: one.paper("statement_of_reasons", "s1", KEY), "Watch the weir", f'"caution":"{MARK}"'),
    "the response plan, a number": (lambda one: one.paper("spill_response_plan", _town()), "919-555-0108", f"State after hours phone: {MARK}"),
}  # fmt: skip


def _town() -> str:
    from sewershed.ledger import adopting

    return adopting.town_id()


def _founded(folder: Path, book: str) -> Asker:
    from sewershed.ledger import actions

    books = folder / "books"
    (books / "weir").mkdir(parents=True)
    (books / "weir/rulebook.toml").write_text(IDENTITY)
    (books / "weir/rules.toml").write_text(book)
    shipped = []  # as they ship, but held against their sources: only what the town's own book says is from memory
    for number, path in enumerate(sorted(RULEBOOKS.rglob("rulebook.toml"))):
        shipped.append(folder / "above" / f"{number}")
        shutil.copytree(path.parent, shipped[-1], ignore=shutil.ignore_patterns("spring_hope", "hampton", "nc", "nh"))
        for file in shipped[-1].glob("*.toml"):
            file.write_text(file.read_text().replace('certainty = "memory"\n', ""))
    town = folder / "town"
    init("us.nc.spring_hope.weir", town, books=[*shipped, books / "weir"], facts={"county": "Nash"}, example_now=NOW)
    admin = _admin()
    actions.set_facts("s1", {"location": "Oak Street"}, as_account=admin, type="spill")
    actions.record("call", "s1", as_account=admin, at="2024-03-11T09:10", data={"what": "sewage_on_ground"}, id="c1")
    actions.record("plan_revised", _town(), as_account=admin, at="2024-03-01", data={"version": "1", "because": "new"})
    return Asker(town, books)


@pytest.fixture(scope="module", params=["from memory", "verified"])
def asked(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, django_db_blocker
) -> Iterator[tuple[Asker, bool]]:
    """The town, and whether its book is from memory; else it is the same book, held against its source."""
    from django.db import connections

    is_marked = request.param == "from memory"
    cache.clear()
    with django_db_blocker.unblock():
        book = BOOK if is_marked else BOOK.replace('certainty = "memory"\n', "")
        yield _founded(tmp_path_factory.mktemp("weir"), book), is_marked
        connections.close_all()


@pytest.mark.parametrize("surface", SURFACES)
def test_the_mark_stands_there(asked, surface):
    one, is_marked = asked
    ask, shown, mark = SURFACES[surface]
    said = ask(one)
    assert shown in said, "what is looked for is not shown there at all"
    assert (mark in said) is is_marked
