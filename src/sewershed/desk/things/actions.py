"""The verbs of things: what a form says becomes rows, through the ledger's own actions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from sewershed.desk.things.forms import ID, WHY, Entry, EventForm, FactsForm
from sewershed.desk.things.photographs import keep
from sewershed.ledger import actions
from sewershed.ledger.entry import Recorded
from sewershed.ledger.errors import Refused
from sewershed.ledger.models import Account


def record(form: EventForm, account: Account) -> Recorded:
    """Records the event of a form.

    Raises:
        Refused: with every reason.
        NotAllowed: for the account.
    """
    assert form.named is not None
    with actions.together():
        data = {**form.answers(), **_kept(form, form.named.id, account)}
        return actions.record(
            form.event.name, form.named.id, as_account=account, data=data, id=form.cleaned_data[ID], **form.columns()
        )


def set_facts(form: FactsForm, account: Account) -> Recorded:
    """Says the facts of a form that differ from what was known; a new thing begins with them.

    Raises:
        Refused: with every reason; where nothing differs.
        NotAllowed: for the account.
    """
    said = form.cleaned_data
    about = form.named.id if form.named else ""
    day = said["row_at"] or ""
    who = {"performed_by": said["row_by"], "office": said["row_office"], "day": day}
    with actions.together():
        facts = form.changed() if about else form.answers()
        if about:
            facts |= _kept(form, about, account)
        if about and not facts:
            raise Refused("nothing differs from what is known: nothing was recorded")
        type_ = "" if about else form.kind.name
        return actions.set_facts(about, facts, as_account=account, type=type_, id=said[ID], **who)


def correct(form: EventForm | FactsForm, account: Account) -> Recorded:
    """Replaces what a row says by what the form says; a field that was emptied is left out, as never asked.

    Raises:
        Refused: with every reason.
        NotAllowed: for the account.
    """
    old = form.old
    assert old is not None
    said = form.cleaned_data
    columns = form.columns() if isinstance(form, EventForm) else {"at": said["row_at"] or ""}
    if isinstance(form, FactsForm):
        columns |= {"performed_by": said["row_by"], "office": said["row_office"]}
    with actions.together():
        data = {**form.answers(), **_kept(form, old.thing, account)}
        kept = {
            name
            for name, fact in form.known.items()
            if "file" in (fact.type.kind, fact.type.item and fact.type.item.kind)
        }
        without = [name for name in form.known if name in old.data and name not in data and name not in kept]
        return actions.correct(old.id, as_account=account, why=said[WHY], data=data, without=without, **columns)


def withdraw(row: str, why: str, account: Account) -> Recorded:
    """Voids a row that should not have been entered.

    Raises:
        Refused: with the reason.
        NotAllowed: for the account.
    """
    return actions.withdraw(row, as_account=account, why=why)


def _kept(form: Entry, about: str, account: Account) -> dict[str, Any]:
    return dict(_keep(form.sent(), about, account, form))


def _keep(
    sent: Mapping[str, list[Any]], about: str, account: Account, form: Entry
) -> Iterator[tuple[str, str | list[str]]]:
    """Keeps the files that were sent with their thing, and yields each field with their hashes."""
    for name, uploads in sent.items():
        digests = [keep(one, about, account) for one in uploads]
        yield name, digests if form.known[name].type.kind == "list" else digests[0]
