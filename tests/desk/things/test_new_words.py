"""A word that a newer supplement adds appears as form, timeline entry, register column, API and command, without a line of Python."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

from django.test import Client

from sewershed.desk.api.actions import make_token
from sewershed.ledger import actions, adopting, queries, supplements
from tests.desk.recorded import spill

WORDS = "programs/spills/vocabulary.toml"
ADDED = """
[events.odor_masked]
on = "spill"
means = "A masking agent was spread against the smell"
data.agent_gal = { type = "number", unit = "gallon", means = "How much of it" }
data.kind = { type = "choice", of = ["lime", "pellets"], means = "Which agent" }

[things.spill.facts.is_near_school]
type = "bool"
means = "A school stands near enough to be told"
"""


EVENT, MEANS = "odor_masked", "A masking agent was spread against the smell"


def adopt(town, admin) -> None:
    """Adopts a supplement with the added words, as a town does when its program learns a word."""
    parts = supplements.gather("us.nc.spring_hope", *supplements.installed(town.own_books))
    parts[WORDS] += ADDED.encode()
    actions.adopt(adopting.plan(parts, as_account=admin), as_account=admin, number="2")


def command(*words: str, stdin: str = "", status: int = 0) -> str:
    """Runs the command as a program of its own, and returns what it printed."""
    environment = {name: value for name, value in os.environ.items() if name != "DJANGO_SETTINGS_MODULE"}
    done = subprocess.run(
        [str(Path(sys.executable).parent / "sewershed"), *words],
        check=False, input=stdin, capture_output=True, text=True, timeout=120, env={**environment, "COLUMNS": "120"},
    )  # fmt: skip
    assert done.returncode == status, done.stderr
    return done.stdout


def test_a_new_event_and_a_new_fact_appear_in_the_desk(town, admin, signed_in):
    oak = spill(admin)
    client = signed_in("manager")
    assert client.get(f"/thing/{oak}/record/{EVENT}/").status_code == 404
    adopt(town, admin)
    form = client.get(f"/thing/{oak}/record/{EVENT}/").content.decode()
    assert MEANS in form
    assert 'name="agent_gal"' in form
    assert re.search(r'type="radio" name="kind" value="pellets"', form)
    sent = {
        "row_at_day": "2024-03-11", "row_at_time": "10:00", "row_at_is": "exact", "agent_gal": "12.50", "kind": "lime",
    }  # fmt: skip
    assert client.post(f"/thing/{oak}/record/{EVENT}/", sent).status_code == 302
    row = queries.rows(oak, as_account=admin)[-1]
    assert (row.name, row.data) == (EVENT, {"agent_gal": "12.50", "kind": "lime"})
    page = client.get(f"/thing/{oak}/", follow=True).content.decode()
    timeline = page.partition('<ol class="timeline">')[2].partition("</ol>")[0]
    assert "Odor masked" in timeline
    assert "12.50 gallon" in timeline
    actions.set_facts(oak, {"is_near_school": True}, as_account=admin)
    register = client.get("/things/spill/", {"as": "csv"}).content.decode("utf-8-sig")
    assert "Near school" in register.splitlines()[0]
    assert "Yes" in register.splitlines()[1]


def test_a_new_event_appears_in_the_api_its_description_and_its_answers(town, admin):
    oak = spill(admin)
    token = make_token(admin, "a test", {"administrator"})
    program = Client(HTTP_HOST="localhost", headers={"Authorization": f"Bearer {token}"})
    said = {"at": "2024-03-11T10:00", "data": {"agent_gal": "12.50", "kind": "lime"}}
    path = f"/api/thing/{oak}/record/{EVENT}/"
    assert program.post(path, json.dumps(said), content_type="application/json").status_code == 422
    assert EVENT not in events_of(program)
    adopt(town, admin)
    assert EVENT in events_of(program)
    answer = program.post(path, json.dumps(said), content_type="application/json")
    assert answer.status_code == 201, answer.content
    wrong = program.post(path, json.dumps({**said, "data": {"kind": "sand"}}), content_type="application/json")
    assert wrong.status_code == 422
    assert "lime, pellets" in wrong.content.decode()
    row = program.get(f"/api/row/{answer.json()['id']}/").json()
    assert (row["name"], row["data"]) == (EVENT, {"agent_gal": "12.50", "kind": "lime"})


def events_of(program: Client) -> list[str]:
    """Returns the events that the description of the API says can be recorded."""
    described = program.get("/api/-/openapi.json").json()
    (operation,) = [one["post"] for path, one in described["paths"].items() if path.endswith("/record/{event}/")]
    (event,) = [one for one in operation["parameters"] if one["name"] == "event"]
    return list(event["schema"]["enum"])


def test_a_new_event_appears_in_the_command_its_list_and_its_help(town, admin):
    oak, folder = spill(admin), str(town.folder)
    at = ("--on", oak, "--at", "2024-03-11 10:00")
    command("record", folder, EVENT, *at, status=2)
    adopt(town, admin)
    assert EVENT in command("record", folder, "--list")
    asked = command("record", folder, EVENT, "--help")
    assert MEANS in asked
    assert "agent_gal" in asked
    id_ = command("record", folder, EVENT, *at, "--set", "agent_gal=12.50", "--set", "kind=lime").strip()
    row = queries.row(id_, as_account=admin)
    assert (row.name, row.thing, row.data) == (EVENT, oak, {"agent_gal": "12.50", "kind": "lime"})
    fields = json.dumps({"agent_gal": "2", "kind": "pellets"})
    other = command("record", folder, EVENT, *at, "--json", "-", stdin=fields).strip()
    assert queries.row(other, as_account=admin).data == {"agent_gal": "2", "kind": "pellets"}
