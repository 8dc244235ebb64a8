"""Reads penalties: what a breach exposes to (docs/explanation/rulebook.md 9.7)."""

from __future__ import annotations

from sewershed.rules.entries import PenaltyForm
from sewershed.rules.loading.reader import Reader, Table
from sewershed.rules.loading.values import read_cases
from sewershed.rules.types import NUMBER


def read_penalty(reader: Reader, table: Table) -> PenaltyForm | None:
    """Returns the form of a penalty: what a breach exposes to."""
    if not reader.needs(table, "for"):
        return None
    ways = [key for key in ("ladder", "per", "most") if key in table]
    if len(ways) != 1:
        reader.fault(f"exactly one of ladder/per/most, found {ways}")
        return None
    # Without `on` conditions may name no thing, only its history: the rules listed may be about things of several types.
    on = reader.thing(table["on"], "on") if "on" in table else ""
    if "on" in table and not on:
        return None
    names = reader.names(on)
    then = None
    if "then" in table:
        then = reader.number(table["then"], {**names, "n": NUMBER} if on else {"n": NUMBER}, "then")
    per = ""
    if "per" in table:
        per = reader.word(table, "per", ("day", "week", "month"), "day")
        reader.needs(table, "amount")
    most = tuple(read_cases(reader, table.get("most", []), NUMBER, names, "most"))
    return PenaltyForm(
        rules=tuple(str(rule) for rule in table["for"]),
        on=on,
        ladder=tuple(table.get("ladder", ())),
        then=then,
        cap=table.get("cap"),
        per=per,
        amount=table.get("amount"),
        part=reader.word(table, "part", ("none", "full"), "none"),
        most=most,
        within=reader.plain_span(table["within"]) if "within" in table else None,
        factors=tuple(str(factor) for factor in table.get("factors", ())),
    )
