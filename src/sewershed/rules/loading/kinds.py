"""The kinds of entry: which keys each may have, and what reads it (docs/explanation/rulebook.md 9)."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from sewershed.rules.entries import Form
from sewershed.rules.loading.duties import read_duty
from sewershed.rules.loading.penalties import read_penalty
from sewershed.rules.loading.reader import Reader, Table
from sewershed.rules.loading.statuses import read_status
from sewershed.rules.loading.values import read_calc, read_value
from sewershed.rules.loading.verdicts import read_act, read_limit, read_standard

SHARED = {
    "id", "cites", "means", "covers", "doubts", "from", "until", "versions", "transition", "readings", "reading_of",
    "combine", "silent", "note", "certainty",
}  # fmt: skip
KEYS = {
    "value": {"as", "type", "of", "unit", "is", "cases", "otherwise", "axes", "cells", "strongest", "judged_by", "applies"},
    "limit": {"parameter", "unit", "max", "below", "min", "above", "at", "method", "sample_type", "statistic", "when",
              "breach", "applies"},
    "duty": {"applies", "who", "to", "on", "opens", "due", "met_by", "closes", "excused_by", "extended_by", "stayed_by", "breach",
             "roll", "if_unknown", "catch_up"},
    "standard": {"applies", "test", "on", "of", "when", "who", "breach", "defends"},
    "act": {"applies", "acts", "when", "by", "if", "needs", "contents", "dated", "else", "breach"},
    "status": {"as", "states", "start", "steps"},
    "penalty": {"for", "on", "ladder", "then", "cap", "per", "amount", "part", "most", "within", "factors"},
    "calc": {"function", "asks", "as", "type", "of", "unit"},
}  # fmt: skip


_READERS: Mapping[str, Callable[[Reader, Table], Form | None]] = {
    "value": read_value,
    "limit": read_limit,
    "duty": read_duty,
    "standard": read_standard,
    "act": read_act,
    "status": read_status,
    "penalty": read_penalty,
    "calc": read_calc,
}


def read_form(reader: Reader, kind: str, table: Table) -> Form | None:
    """Returns the form of an entry of a kind, or None with its problems noted."""
    reader.keys(table, KEYS[kind] | SHARED)
    return _READERS[kind](reader, table)
