"""Photographs and other files that come with an entry: kept with their thing, with when and where they were taken."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, NamedTuple

from sewershed.desk.things.answers import two_of
from sewershed.desk.things.forms import PHONE_LAT, PHONE_LON, PHONE_TIMES
from sewershed.exchange import photograph
from sewershed.ledger import actions, canonical, clock, files, queries
from sewershed.ledger.models import Account

Point = Mapping[str, Any]


class Said(NamedTuple):
    """When and where a photograph was taken, and who says so."""

    at: str = ""
    says: str = ""
    point: Point | None = None


def said_by(said: Mapping[str, Any]) -> tuple[Mapping[str, str], Point | None]:
    """Returns what the telephone that sent a form says: when each file was taken, by its name, and where."""
    return _times(said.get(PHONE_TIMES) or ""), _point(said.get(PHONE_LAT) or "", said.get(PHONE_LON) or "")


def keep(
    upload: Any, about: str, account: Account, caption: str = "", phone: tuple[str, Point | None] = ("", None)
) -> str:
    """Keeps one file with a thing and returns its hash; the same file is kept once.

    Args:
        upload: the file as it was sent.
        about: the thing it belongs to.
        account: who sends it.
        caption: what it shows.
        phone: when and where the telephone that sent it says that it was taken.

    Raises:
        Refused: for a file that cannot be kept.
    """
    content = upload.read()
    digest = files.sha256(content)
    known = {one.get("file") for one in queries.attachments(about, as_account=account)}
    if digest not in known:
        said = taken(content, *phone)
        actions.attach(
            about, content, as_account=account, name=upload.name, mime=upload.content_type or "", caption=caption,
            taken_at=said.at, taken_says=said.says, point=said.point,
        )  # fmt: skip
    return digest


def taken(content: bytes, phone_at: str = "", phone_point: Point | None = None) -> Said:
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


def _point(lat: str, lon: str) -> Point | None:
    try:
        north, east = float(lat), float(lon)
    except ValueError:
        return None
    if not (-90 <= north <= 90 and -180 <= east <= 180):
        return None
    return {"type": "Point", "coordinates": [f"{east:.6f}", f"{north:.6f}"]}
