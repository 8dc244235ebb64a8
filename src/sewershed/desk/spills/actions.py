"""The verbs of the journey from a call to the finding: what was said becomes rows, through the ledger's own actions."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, NamedTuple

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
    PHONE_LAT,
    PHONE_LON,
    PRIVATE,
    SPILL,
    TIMES,
    WHERE,
    CallForm,
    DispatchForm,
    FoundForm,
    PhotographsForm,
    StepForm,
)
from sewershed.desk.things import actions as things
from sewershed.desk.things.answers import NOT_ASKED, two_of
from sewershed.desk.things.forms import AT, BY, ID, OFFICE
from sewershed.exchange import photograph
from sewershed.ledger import actions, canonical, clock, files, law, queries
from sewershed.ledger.entry import Recorded
from sewershed.ledger.models import Account


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


class Said(NamedTuple):
    """When and where a photograph was taken, and who says so."""

    at: str = ""
    says: str = ""
    point: Mapping[str, Any] | None = None


def photographs(form: PhotographsForm, account: Account) -> Recorded:
    """Keeps photographs with their time and place, and records that they were taken and filed.

    Raises:
        Refused: with the reason, naming the file that cannot be kept.
        NotAllowed: for the account.
    """
    assert form.named is not None
    said, spill = form.cleaned_data, form.named.id
    shows = said.get("shows", NOT_ASKED)
    times = _times(said.get(TIMES, ""))
    where = _point(said.get(PHONE_LAT, ""), said.get(PHONE_LON, ""))
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


def keep(
    upload: Any, spill: str, account: Account, caption: str, phone: tuple[str, Mapping[str, Any] | None] = ("", None)
) -> str:
    """Keeps one file with a spill and returns its hash; the same file is kept once.

    Args:
        upload: the file as it was sent.
        spill: the thing it belongs to.
        account: who sends it.
        caption: what it shows.
        phone: when and where the telephone that sent it says that it was taken.

    Raises:
        Refused: for a file that cannot be kept.
    """
    content = upload.read()
    digest = files.sha256(content)
    known = {one.get("file") for one in queries.attachments(spill, as_account=account)}
    if digest not in known:
        said = taken(content, *phone)
        actions.attach(
            spill, content, as_account=account, name=upload.name, mime=upload.content_type or "", caption=caption,
            taken_at=said.at, taken_says=said.says, point=said.point,
        )  # fmt: skip
    return digest


def taken(content: bytes, phone_at: str = "", phone_point: Mapping[str, Any] | None = None) -> Said:
    """Returns when and where a photograph was taken: what its camera wrote into it; else what the telephone says.

    Edge: a camera's time without its offset is the town's own time. Where that time came twice, or never, because the clocks
    were changed, its day alone is kept. A time that has not come yet is a camera with a wrong clock: it is left out.
    """
    read = photograph.taken(content)
    at = _moment(read.local, read.offset)
    point = {"type": "Point", "coordinates": [str(read.lon), str(read.lat)]} if read.lat is not None else None
    if at or point:
        return Said(at, "camera", point)
    if phone_at or phone_point:
        return Said(phone_at, "telephone", phone_point)
    return Said()


def _moment(local: str, offset: str) -> str:
    if not local:
        return ""
    try:
        naive = datetime.fromisoformat(local)
        zone = clock.current_town().zone
        if offset:
            instant = datetime.fromisoformat(f"{local}{offset}").astimezone(UTC)
        elif (
            two_of(naive, zone)
            or naive.replace(tzinfo=zone).astimezone(UTC).astimezone(zone).replace(tzinfo=None) != naive
        ):
            return "" if naive.date() > clock.today() else naive.date().isoformat()
        else:
            instant = naive.replace(tzinfo=zone).astimezone(UTC)
    except (ValueError, OverflowError):
        return ""
    return "" if instant > clock.now() else canonical.instant_text(instant)


def _times(text: str) -> Mapping[str, str]:
    """Returns what the telephone says of each file, by name: when it was last written, which for a photograph is when it was taken."""
    try:
        said = json.loads(text) if text else {}
    except ValueError:
        return {}
    if not isinstance(said, Mapping):
        return {}
    found = {}
    for name, milliseconds in said.items():
        if isinstance(milliseconds, int) and 0 < milliseconds < 2**48:
            instant = datetime.fromtimestamp(milliseconds // 1000, UTC)
            shifted = instant + clock.current_town().clock_shift
            if shifted <= clock.now():
                found[str(name)] = canonical.instant_text(shifted)
    return found


def _point(lat: str, lon: str) -> Mapping[str, Any] | None:
    try:
        north, east = float(lat), float(lon)
    except ValueError:
        return None
    if not (-90 <= north <= 90 and -180 <= east <= 180):
        return None
    return {"type": "Point", "coordinates": [f"{east:.6f}", f"{north:.6f}"]}
