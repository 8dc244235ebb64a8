"""Taking a call: what is asked, what becomes a row, what is refused."""

from __future__ import annotations

from sewershed.ledger import queries


def test_a_call_begins_a_spill(town, admin, signed_in):
    client = signed_in("clerk")
    assert client.get("/spills/call/").status_code == 200
    sent = {"where": "Branch Street", "what": "smell", "row_at_day": "2024-03-11", "row_at_time": "10:00"}
    answer = client.post("/spills/call/", sent)
    assert answer.status_code == 302
    (spill,) = queries.things("spill", as_account=admin).items
    assert answer.url == f"/spills/{spill.id}/dispatch/"
    assert client.get("/spills/").status_code == 200
