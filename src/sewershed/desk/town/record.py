"""The town's log as it is read: who did what, and what a correction changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from sewershed.desk.things.queries import row_title
from sewershed.ledger import (
    canonical,
    journal,
    law,
    queries,
)
from sewershed.ledger.journal import Asked, Entered
from sewershed.ledger.models import Account
from sewershed.ledger.projections import moment_of
from sewershed.ledger.shown import RowShown
from sewershed.ledger.wording import Words, event_title, label_of, plain, refs_in_row, title, words_of
from sewershed.rules.vocabulary import Fact

MOST_SAID = 160  # letters of what a row says, in the list
STANDS = {"corrected": "Replaced", "withdrawn": "Withdrawn"}  # the mark of what no longer stands


@dataclass(frozen=True, slots=True)
class Changed:
    """A field that a correction changed."""

    name: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class LogLine:
    """A row of the log in its list."""

    id: str
    position: int
    recorded: str
    by: str
    title: str
    thing: str
    about: str
    when: str
    said: str
    changes: tuple[Changed, ...]
    why: str
    word: str
    stands: str
    performed_by: str
    office: str
    source: str
    corrects: str

    @property
    def changed(self) -> str:
        """Returns what a correction changed, in one line."""
        return "; ".join(f"{one.name}: was {one.before}, is {one.after}" for one in self.changes)


def log_lines(
    account: Account, asked: Asked, offset: int, limit: int, beyond: int | None = None
) -> tuple[tuple[LogLine, ...], int]:
    """Returns a part of the log in words, and how many rows there are of what is asked for.

    Args:
        account: who asks.
        asked: what of the log.
        offset: so many are left out at the beginning.
        limit: so many are returned.
        beyond: only what follows on this position; then it is not said how many there are.

    Raises:
        NotAllowed: for an account that may see nothing.
    """
    page = journal.entered(asked, as_account=account, offset=offset, limit=limit, beyond=beyond)
    vocabulary = law.in_force().vocabulary
    ids: set[str] = set()
    for one in page.items:
        known = _fields(one, vocabulary)
        for row in filter(None, (one.row, one.earlier)):
            ids.update([row.performed_by, *refs_in_row(row.data, known)])
    words = words_of(ids)
    return tuple(_line(one, words) for one in page.items), page.total


def _fields(one: Entered, vocabulary: Any) -> Mapping[str, Fact]:
    name = one.row.name or (one.earlier.name if one.earlier else "")
    event = vocabulary.events.get(name)
    thing = vocabulary.things.get(name)
    return event.data if event else thing.facts if thing else {}


def _line(one: Entered, words: Words) -> LogLine:
    row, known = one.row, _fields(one, words.vocabulary)
    said = "; ".join(f"{_label(name, known)}: {_value(value, name, known, words)}" for name, value in row.data.items())
    changes = tuple(_changes(one, known, words)) if row.kind != "void" else ()
    heading = _heading(one, words)
    return LogLine(
        id=row.id, position=row.position, recorded=words.moment(canonical.read_instant(row.recorded_at)), by=row.recorded_by, title=heading,
        thing=row.thing, about=one.label, when=_when(row, words), said=said, changes=changes,
        why=row.why, word=STANDS.get(row.stands, ""), stands=row.stands.capitalize(), performed_by=words.name(row.performed_by),
        office=row.office, source=row.source, corrects=row.root if row.root != row.id else "",
    )  # fmt: skip


def _heading(one: Entered, words: Words) -> str:
    row = one.row
    if row.kind == "void":
        name = one.earlier.name if one.earlier else ""
        of = event_title(words.vocabulary.events.get(name), name) if name in words.vocabulary.events else "facts"
        return f"Withdrawal of {of[:1].lower()}{of[1:]}"
    called = f"Facts: {plain(row.name)}" if row.kind == "facts" else row_title(row, words.vocabulary)
    return f"Correction of {called[:1].lower()}{called[1:]}" if one.earlier else called


def _changes(one: Entered, known: Mapping[str, Fact], words: Words) -> Iterator[Changed]:
    """Yields what a correction says otherwise than the row it corrects."""
    row, old = one.row, one.earlier
    if old is None:
        return
    around = [
        ("About", one.earlier_label, one.label), ("Happened", _when(old, words), _when(row, words)),
        ("Done by", words.name(old.performed_by), words.name(row.performed_by)), ("In the office of", old.office, row.office),
        ("How exact the time is", plain(old.at_is), plain(row.at_is)),
    ]  # fmt: skip
    for name in dict.fromkeys([*old.data, *row.data]):
        said = [_value(data[name], name, known, words) if name in data else "" for data in (old.data, row.data)]
        around.append((_label(name, known), said[0], said[1]))
    yield from (Changed(name, was or "not said", now or "not said") for name, was, now in around if was != now)


def _when(row: RowShown, words: Words) -> str:
    moment = moment_of(row.at)
    return words.moment(moment) if moment else ""


def _label(name: str, known: Mapping[str, Fact]) -> str:
    return label_of(known[name]) if name in known else title(name)


def _value(value: Any, name: str, known: Mapping[str, Fact], words: Words) -> str:
    return words.datum(name, value, known[name].type if name in known else None)


def writers(account: Account) -> tuple[tuple[str, str], ...]:
    """Returns whose rows the log can be narrowed to: accounts that entered, persons who did."""
    named = [(f"account:{name}", f"Entered by {name}") for name in journal.writers(as_account=account)]
    persons = {person: label for one in queries.holders(as_account=account) for person, label in one.persons}
    return (*named, *((f"person:{id_}", f"Done by {label}") for id_, label in sorted(persons.items(), key=lambda one: one[1].lower())))  # fmt: skip


def kinds(account: Account) -> tuple[tuple[str, str], ...]:
    """Returns the kinds of rows that the log can be narrowed to."""
    events = sorted((name, title(name)) for name in journal.kinds(as_account=account))
    fixed = ((journal.CORRECTIONS, "Corrections"), (journal.WITHDRAWALS, "Withdrawals"), (journal.FACTS, "Facts"))
    return (*fixed, *events)
