"""The verbs of papers: issue, mark as sent, withdraw."""

from __future__ import annotations

from sewershed.desk.documents.forms import SentForm
from sewershed.desk.documents.queries import SERVED, WITHDRAWN
from sewershed.desk.things.forms import ID
from sewershed.ledger import actions, clock, papers, rights
from sewershed.ledger.entry import Recorded
from sewershed.ledger.models import Account
from sewershed.ledger.shown import Named


def issue(kind: str, thing: str, part: str, *, signed_by: str, office: str, account: Account) -> Recorded:
    """Issues a paper: it takes its number, is kept and entered.

    Raises:
        Refused: with every reason.
        NotFound: for the thing or a part of it.
        NotAllowed: for the account.
    """
    return papers.issue(kind, thing, as_account=account, part=part, performed_by=signed_by, office=office)


def mark_as_sent(form: SentForm, account: Account) -> Recorded:
    """Records how a paper went, and on the thing that it is about what its sending is there: both, or neither.

    Raises:
        Refused: with every reason.
        NotAllowed: for the account.
    """
    assert form.named is not None
    columns = form.columns()
    with actions.together():
        if form.about is not None:
            assert form.about.named is not None
            actions.record(
                form.about.event.name, form.about.named.id, as_account=account, data=form.about_data(), **columns
            )
        return actions.record(SERVED, form.named.id, as_account=account, data=form.answers(), id=form.cleaned_data[ID], **columns)  # fmt: skip


def withdraw(document: Named, program: str, because: str, account: Account) -> Recorded:
    """Withdraws a paper; it keeps its number.

    Raises:
        Refused: with every reason.
        NotAllowed: for an account that may not issue papers of the program.
    """
    rights.require(account, "issue", program)
    return actions.record(
        WITHDRAWN,
        document.id,
        as_account=account,
        at=clock.now(),
        data={"because": because},
        performed_by=account.person,
    )
