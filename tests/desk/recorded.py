"""A few records for the desk's tests: a spill with a call, a person in an office, a contact with a private number."""

from __future__ import annotations

from sewershed.ledger import actions
from sewershed.ledger.models import Account

CALLED = "2024-03-11T09:10"
ROLES = ("administrator", "manager", "clerk", "operator", "crew", "inspector", "auditor")


def spill(admin: Account) -> str:
    """Begins a spill that somebody called about, and returns its id."""
    actions.set_facts("orc", {"name": "Operator"}, as_account=admin, type="person")
    actions.record("office_held", "orc", as_account=admin, at="2024-01-02", data={"office": "orc"})
    actions.set_facts("s1", {"location": "Oak Street at First"}, as_account=admin, type="spill")
    data = {"what": "sewage_on_ground", "reporter": "A Neighbor", "reporter_phone": "252-555-0171"}
    actions.record("call", "s1", as_account=admin, at=CALLED, data=data, id="c1")
    return "s1"
