"""A word that a newer supplement adds appears as form, timeline entry and register column, without a line of Python."""

from __future__ import annotations

import re

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


def test_a_new_event_and_a_new_fact_appear_by_themselves(town, admin, signed_in):
    oak = spill(admin)
    client = signed_in("manager")
    assert client.get(f"/thing/{oak}/record/odor_masked/").status_code == 404
    parts = supplements.gather("us.nc.spring_hope", *supplements.installed(town.own_books))
    parts[WORDS] += ADDED.encode()
    actions.adopt(adopting.plan(parts, as_account=admin), as_account=admin, number="2")
    form = client.get(f"/thing/{oak}/record/odor_masked/").content.decode()
    assert "A masking agent was spread against the smell" in form
    assert 'name="agent_gal"' in form
    assert re.search(r'type="radio" name="kind" value="pellets"', form)
    sent = {
        "row_at_day": "2024-03-11",
        "row_at_time": "10:00",
        "row_at_is": "exact",
        "agent_gal": "12.50",
        "kind": "lime",
    }
    assert client.post(f"/thing/{oak}/record/odor_masked/", sent).status_code == 302
    row = queries.rows(oak, as_account=admin)[-1]
    assert (row.name, row.data) == ("odor_masked", {"agent_gal": "12.50", "kind": "lime"})
    page = client.get(f"/thing/{oak}/", follow=True).content.decode()
    assert "Odor masked" in page
    assert "12.50 gallon" in page
    actions.set_facts(oak, {"is_near_school": True}, as_account=admin)
    register = client.get("/things/spill/", {"as": "csv"}).content.decode("utf-8-sig")
    assert "Near school" in register.splitlines()[0]
    assert "Yes" in register.splitlines()[1]
