"""The verbs of calls and spills: what was said becomes rows, through the ledger's own actions."""

from __future__ import annotations

from sewershed.desk.spills.forms import CALL, WHERE, CallForm
from sewershed.desk.things.forms import AT, ID
from sewershed.ledger import actions
from sewershed.ledger.entry import Recorded
from sewershed.ledger.models import Account

SPILL = "spill"


def take_call(form: CallForm, account: Account) -> Recorded:
    """Begins a spill with its first call.

    Raises:
        Refused: with every reason.
        NotAllowed: for the account.
    """
    said = form.cleaned_data
    with actions.together():
        begun = actions.set_facts("", {"location": said[WHERE]}, as_account=account, type=SPILL)
        data = {**form.answers(), "location": said[WHERE]}
        return actions.record(CALL, begun.thing, as_account=account, at=said[AT], data=data, id=said[ID])
