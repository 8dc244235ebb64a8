"""The verbs of the journey from a call to the finding: what was said becomes rows, through the ledger's own actions."""

from __future__ import annotations

from typing import Any

from sewershed.desk.spills.forms import (
    ADVICE,
    ADVISED,
    CALL,
    CONFIRMED,
    JOIN,
    MAIN_BLOCKED,
    MANHOLES,
    NONE,
    NOT_OURS,
    PRIVATE,
    SPILL,
    WHERE,
    CallForm,
    DispatchForm,
    EstimateForm,
    FoundForm,
    PhotographsForm,
    StepForm,
)
from sewershed.desk.things import actions as things
from sewershed.desk.things.answers import NOT_ASKED
from sewershed.desk.things.forms import AT, BY, ID, OFFICE
from sewershed.desk.things.photographs import keep, said_by
from sewershed.ledger import actions, clock, law
from sewershed.ledger.entry import Recorded
from sewershed.ledger.models import Account
from sewershed.ledger.wording import title


def take_call(form: CallForm, account: Account) -> Recorded:
    """Begins a spill with its first call, or enters another call of a spill that is known already.

    Edge: the same form sent twice is one spill and one call.

    Raises:
        Refused: with every reason.
        NotAllowed: for the account.
    """
    said = form.cleaned_data
    row, person = said[ID], account.person
    spill_facts = law.in_force().vocabulary.things[SPILL].facts
    with actions.together():
        data: dict[str, Any] = {**form.answers(), "location": said[WHERE]}
        if form.place is not None and (ref := _ref(CALL, form.place.type)):
            data[ref] = form.place.id
        spill = said.get(JOIN) or ""
        if not spill:
            facts: dict[str, Any] = {"location": said[WHERE]}
            if form.point is not None:
                facts["point"] = form.point
            if form.place is not None:
                facts |= {name: form.place.id for name, one in spill_facts.items() if one.type.to == form.place.type}
            begun = f"{row}-0" if row else ""
            spill = actions.set_facts(row, facts, as_account=account, type=SPILL, performed_by=person, id=begun).thing
        call = f"{row}-1" if row else ""
        recorded = actions.record(CALL, spill, as_account=account, at=said[AT], data=data, performed_by=person, id=call)
        if said.get(ADVISED) and form.is_backup:
            actions.record(
                "backup_advised", spill, as_account=account, at=said[AT], data={"advice": ADVICE}, performed_by=person,
                id=f"{row}-2" if row else "",
            )  # fmt: skip
        return recorded


def _ref(event: str, type: str) -> str:
    """Returns the field of an event that points at things of a type, or nothing."""
    data = law.in_force().vocabulary.events[event].data
    return next((name for name, one in data.items() if one.type.kind == "ref" and one.type.to == type), "")


def send(form: DispatchForm, account: Account) -> Recorded:
    """Records who was sent and, where they said it back, that they have the message.

    Raises:
        Refused: with every reason.
        NotAllowed: for the account.
    """
    assert form.named is not None
    said, row = form.cleaned_data, form.cleaned_data[ID]
    with actions.together():
        sent = actions.record(
            "dispatched", form.named.id, as_account=account, at=said[AT], data=form.answers(), performed_by=account.person,
            id=row,
        )  # fmt: skip
        if said.get("is_confirmed"):
            actions.record(
                "dispatch_confirmed", form.named.id, as_account=account, at=said[AT], data={"person": said["person"]},
                performed_by=account.person, id=f"{row}-1" if row else "",
            )  # fmt: skip
        return sent


def confirm(spill: str, person: str, account: Account) -> Recorded:
    """Records that the person who was sent has the message and said so, now.

    Raises:
        Refused: with every reason.
        NotAllowed: for the account.
    """
    return actions.record(
        "dispatch_confirmed", spill, as_account=account, at=clock.now().replace(second=0), data={"person": person},
        performed_by=account.person,
    )  # fmt: skip


def take_step(form: StepForm, account: Account) -> Recorded:
    """Records a step on site.

    Raises:
        Refused: with every reason.
        NotAllowed: for the account.
    """
    return things.record(form, account)


def find(form: FoundForm, account: Account) -> Recorded:
    """Records what a call turned out to be, with the manholes that were opened for it.

    Raises:
        Refused: with every reason.
        NotAllowed: for the account.
    """
    assert form.named is not None
    said, spill, row = form.cleaned_data, form.named.id, form.cleaned_data[ID]
    who = {"performed_by": said[BY], "office": said[OFFICE]}
    found, findings = said["found"], said.get("findings", NOT_ASKED)
    data: dict[str, Any] = {} if findings is NOT_ASKED else {"findings": findings}
    with actions.together():
        above, below = said.get("above", NOT_ASKED), said.get("below", NOT_ASKED)
        if above is not NOT_ASKED and below is not NOT_ASKED:
            opened: dict[str, Any] = {"above": above, "below": below}
            if said.get("files"):
                opened["files"] = [keep(one, spill, account, "The manholes") for one in said["files"]]
            actions.record(
                MANHOLES, spill, as_account=account, at=said[AT], data=opened, id=f"{row}-1" if row else "", **who
            )
        event = found
        if found == MAIN_BLOCKED:
            event = CONFIRMED
        elif found not in (CONFIRMED, PRIVATE, NOT_OURS):
            event = NONE
            data["reason"] = found
        elif found == NOT_OURS and said.get("whose", NOT_ASKED) is not NOT_ASKED:
            data["whose"] = said["whose"]
        elif found == PRIVATE and form.premises:
            data["premises"] = form.premises
        return actions.record(event, spill, as_account=account, at=said[AT], data=data, id=row, **who)


# ------------------------------------------------------------------------------------------------ photographs


def photographs(form: PhotographsForm, account: Account) -> Recorded:
    """Keeps photographs with their time and place, and records that they were taken and filed.

    Raises:
        Refused: with the reason, naming the file that cannot be kept.
        NotAllowed: for the account.
    """
    assert form.named is not None
    said, spill = form.cleaned_data, form.named.id
    shows = said.get("shows", NOT_ASKED)
    times, where = said_by(said)
    with actions.together():
        digests = [
            keep(one, spill, account, "" if shows is NOT_ASKED else shows, phone=(times.get(one.name, ""), where))
            for one in said["files"]
        ]
        data = {name: value for name, value in form.answers().items() if value is not NOT_ASKED}
        return actions.record(
            "photographs_taken", spill, as_account=account, at=said[AT], data={**data, "files": digests},
            performed_by=account.person, id=said[ID],
        )  # fmt: skip


def estimate(form: EstimateForm, data: dict[str, Any], account: Account) -> Recorded:
    """Records an estimate of the volume, with the photographs it rests on, which keep their time and place.

    Raises:
        Refused: with every reason; naming the file that cannot be kept.
        NotAllowed: for the account.
    """
    assert form.named is not None
    said, spill = form.cleaned_data, form.named.id
    times, where = said_by(said)
    caption = f"For the estimate by {title(data['method']).lower()}"
    with actions.together():
        digests = [keep(one, spill, account, caption, phone=(times.get(one.name, ""), where)) for one in said["files"]]
        if digests:
            data = {**data, "files": list(dict.fromkeys(digests))}
        return actions.record(form.event.name, spill, as_account=account, data=data, id=said[ID], **form.columns())
