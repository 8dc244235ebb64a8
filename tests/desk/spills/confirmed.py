"""A spill that was confirmed, stopped and told of to nobody yet: where the way to the report begins."""

from __future__ import annotations

from sewershed.ledger import actions
from sewershed.ledger.models import Account

BRANCH = "branch"
CALL = "call-1"
DAY = "2024-03-11"


def confirmed(admin: Account) -> str:
    """Begins a spill with its call, its confirmation, its cause and its end, and returns its id."""
    actions.set_facts("orc", {"name": "A. Operator"}, as_account=admin, type="person")
    actions.record("office_held", "orc", as_account=admin, at="2024-01-02", data={"office": "orc"})
    actions.set_facts(BRANCH, {"location": "Branch Street at Second"}, as_account=admin, type="spill")
    said = {
        "what": "manhole_overflowing",
        "reporter": "A Neighbor",
        "reporter_phone": "252-555-0171",
        "channel": "telephone",
    }
    actions.record("call", BRANCH, as_account=admin, at=f"{DAY}T08:10", data=said, id=CALL)
    actions.record("crew_arrived", BRANCH, as_account=admin, at=f"{DAY}T08:40", data={"person": "orc"})
    actions.record("spill_confirmed", BRANCH, as_account=admin, at=f"{DAY}T08:45", performed_by="orc", office="orc")
    actions.record(
        "cause_found",
        BRANCH,
        as_account=admin,
        at=f"{DAY}T08:50",
        data={"causes": ["grease"], "description": "Grease in the main"},
    )
    started = {"started_at": f"{DAY}T08:00", "started_is": "estimated", "how": "when the caller noticed it"}
    actions.record("start_estimated", BRANCH, as_account=admin, at=f"{DAY}T09:00", data=started)
    stopped = {"because": "corrected", "how": "Jetted free"}
    actions.record("spill_stopped", BRANCH, as_account=admin, at=f"{DAY}T09:35", data=stopped)
    return BRANCH
