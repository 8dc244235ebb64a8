"""From what the ledger's queries hand out to what the API says."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from sewershed.ledger import canonical
from sewershed.ledger.shown import Due, Named, RowShown
from sewershed.ledger.wording import label_of, title
from sewershed.rules.findings import Finding, OtherReading
from sewershed.rules.law import Law
from sewershed.rules.unknown import Want
from sewershed.rules.vocabulary import EventType, Fact

NOT_ENTERED_KINDS = ("derived", "retired", "judged_by")


def text(value: Any) -> str:
    """Returns a moment as the log writes it; nothing for None."""
    return "" if value is None else str(canonical.plain(value))


def named(one: Named) -> dict[str, Any]:
    """Returns a thing by its names."""
    return asdict(one)


def row(one: RowShown) -> dict[str, Any]:
    """Returns a row of the record."""
    return {**asdict(one), "data": canonical.plain(one.data)}


def missing(one: Want) -> dict[str, str]:
    """Returns what is missing."""
    names = ("kind", "what", "thing", "who", "event")
    return {**{name: text(getattr(one, name)) for name in names}, "day": text(one.day)}


def other(one: OtherReading) -> dict[str, str]:
    """Returns what would come out under another reading."""
    return {"doubt": one.doubt, "reading": one.reading, "state": one.state, "due": text(one.due), "text": one.text}


def due(one: Due) -> dict[str, Any]:
    """Returns a line of what is due."""
    said = {name: getattr(one, name) for name in one.__slots__}
    return {
        **said, "due": text(one.due), "met_at": text(one.met_at), "asks": [missing(ask) for ask in one.asks],
        "if_read_as": [other(each) for each in one.if_read_as],
    }  # fmt: skip


def finding(one: Finding, law: Law) -> dict[str, Any]:
    """Returns what a rule says, with the clause."""
    entry = law.entries[one.rule]
    return {
        "key": one.key, "rule": one.rule, "kind": one.kind, "thing": one.thing, "outcome": one.outcome, "about": one.about,
        "day": text(one.day), "is_void": one.is_void, "asks": [missing(ask) for ask in one.asks], "doubts": list(one.doubts),
        "if_read_as": [other(each) for each in one.if_read_as], "notes": list(one.notes), "steps": list(one.steps),
        "cites": list(entry.cites), "means": entry.means, "caution": law.caution(one.rule),
    }  # fmt: skip


def field(fact: Fact) -> dict[str, Any]:
    """Returns what a field of the vocabulary takes."""
    kind = fact.type
    item = kind.item if kind.kind == "list" and kind.item else kind
    return {
        "name": fact.name, "label": label_of(fact), "means": fact.means, "unit": item.unit, "choices": list(item.words), "to": item.to,
        "type": f"list of {item.kind}" if item is not kind else kind.kind, "is_required": fact.required, "is_private": fact.private or fact.confidential,
    }  # fmt: skip


def event(one: EventType, fields: list[dict[str, Any]]) -> dict[str, Any]:
    """Returns an event that can be recorded."""
    return {"name": one.name, "title": title(one.name), "means": one.means, "on": one.on, "precision": one.precision, "fields": fields}  # fmt: skip
