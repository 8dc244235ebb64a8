"""Worked cases in words: what is given, when it is asked, what must come out under an entry, and where that comes from."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from sewershed.ledger.moments import in_words
from sewershed.ledger.wording import OUTCOMES, capital, plain
from sewershed.rules.cases import Case
from sewershed.rules.coverage import answers_of
from sewershed.rules.entries import Entry

_NAME = re.compile(r"[a-z]+(_[a-z]+)+")  # of the vocabulary, as a case writes it
_WORDS_OF_A_CASE = {"label": "for", "about": "for", "asks": "missing"}


@dataclass(frozen=True, slots=True)
class CaseSaid:
    """A worked case in words."""

    name: str
    key: str  # by which it is found: its file and its name
    given: tuple[str, ...]
    as_of: str
    expected: tuple[str, ...]
    origin: str


def case_said(case: Case, entry: Entry, every: Mapping[str, Entry]) -> CaseSaid:
    """Returns a worked case in words.

    Args:
        case: the case.
        entry: what it must come out under; what it expects of others is left out.
        every: all entries of the law.
    """
    given = [_thing_said(name, facts) for name, facts in case.facts.items()]
    given += [event_said(one) for one in case.events]
    expected = tuple(in_words(text) for _, _, text in expectations(case, entry, every))
    return CaseSaid(case.id, str(case), tuple(given), moment_said(case.as_of), expected, case.origin)


def expectations(case: Case, entry: Entry, every: Mapping[str, Entry]) -> Iterator[tuple[str, Mapping[str, Any], str]]:
    """Yields each expectation of a case under an entry: its kind, the item as the case writes it, and what it says.

    Edge: what is said of other entries is left out, and how lines of the to-do list fold together; where nothing names the
        entry itself, everything that names no other one stands. A refusal that is expected has no item.
    """
    found = list(_expectations(case))
    names = answers_of(entry)
    own = [one for one in found if {_rule(one[1]), str(one[1].get("name", ""))} & names]
    for key, item in own or [one for one in found if _rule(one[1]) not in every]:
        said = _expected(key, dict(item)) if item else f"{capital(plain(key))}: {value_said(case.expect[key])}"
        yield key, item, said


def _expectations(case: Case) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for key, value in case.expect.items():
        if not isinstance(value, list):
            yield key, {}
        elif key != "todo":
            yield from ((key, one) for one in value if isinstance(one, Mapping))


def _rule(item: Mapping[str, Any]) -> str:
    return str(item.get("penalty") or item.get("rule") or "")


def _thing_said(name: str, facts: Mapping[str, Any]) -> str:
    kind = plain(str(facts.get("_type", "")))
    said = pairs({fact: value for fact, value in facts.items() if fact != "_type"})
    called = " ".join(dict.fromkeys((kind, name)))
    return f"{called}: {said}" if said else called


def event_said(one: Mapping[str, Any]) -> str:
    """Returns a row of a case in words.

    Example:
        >>> event_said({"event": "state_told", "at": "2024-03-05T10:00", "role": "orc", "data": {"way": "person"}})
        'Tue Mar 5, 2024, 10:00 am: state told by the ORC (way person)'
    """
    data = {**(one.get("data") or {}), **(one.get("facts") or {})}
    by = f" by the {plain(str(one['role']))}" if one.get("role") else ""
    when = moment_said(str(one.get("at") or one.get("day") or one.get("recorded_at") or ""))
    what = plain(str(one.get("event", ""))) or ("facts" if "facts" in one else f"withdrawn: {one.get('voids', '')}")
    return (f"{when}: " if when else "") + f"{what}{by}" + (f" ({pairs(data)})" if data else "")


def moment_said(moment: str) -> str:
    """Returns a moment of a case as people read it."""
    return in_words(moment)


def pairs(said: Mapping[str, Any]) -> str:
    """Returns names with their values, in words."""
    return ", ".join(f"{plain(name.lstrip('_'))} {value_said(value)}" for name, value in said.items())


def value_said(value: Any) -> str:
    """Returns a value of a case in words.

    Example:
        >>> value_said([True, {"at_least": 3}])
        'yes, (at least 3)'
    """
    if isinstance(value, Mapping):
        return f"({pairs(value)})"
    if isinstance(value, list | tuple):
        return ", ".join(value_said(one) for one in value) or "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return in_words(plain(value)) if isinstance(value, str) and _NAME.fullmatch(value) else in_words(str(value))


def _expected(key: str, said: dict[str, Any]) -> str:
    said.pop("rule", None)
    said.pop("penalty", None)
    match key:
        case "obligations":
            head = plain(str(said.pop("state", "owed")))
        case "findings" | "may":
            outcome = str(said.pop("outcome", ""))
            head = OUTCOMES.get(outcome, outcome)
        case "answers":
            name, of = said.pop("name", ""), said.pop("subject", "")
            head = f"{name}{f' of {of}' if of else ''} is {value_said(said.pop('is', 'not said'))}"
        case _:
            head = plain(key)
    others = said.pop("if_read_as", None)
    rest = ", ".join(
        f"{_WORDS_OF_A_CASE.get(name, plain(name))} {value_said(item)}".strip() for name, item in said.items()
    )
    if isinstance(others, list) and others:
        rest = "; ".join(filter(None, (rest, *(str(one) for one in others))))
    said_all = ", ".join(filter(None, (head, rest)))
    return said_all if key == "answers" else capital(said_all)
