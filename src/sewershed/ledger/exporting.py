"""The record as files for others: the log row by row, the things of a type, what is owed and what was found (docs/explanation/the-record.md).

Exports are complete but for what is private or confidential, which they leave out unless it was asked for with a reason that
is recorded. What they leave out they mark, so that nobody takes it for not known.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from sewershed.ledger import law, rights, standing, working
from sewershed.ledger import log as logbook
from sewershed.ledger.errors import Refused
from sewershed.ledger.models import Account, CurrentFact
from sewershed.ledger.models import Thing as ThingRow
from sewershed.ledger.privacy import Privacy
from sewershed.ledger.reading import CONTAINS, kept_apart
from sewershed.ledger.shown import row_of
from sewershed.rules.vocabulary import Fact, Vocabulary

LEFT_OUT = Privacy.word
THING_COLUMNS = ("id", "type", "number", "label", "source_id", "retired_on", "joined_into")


def log_rows(*, as_account: Account, with_private: bool = False) -> Iterator[dict[str, Any]]:
    """Yields every row of the log that the account may see, as plain values, in the order of the chain.

    Edge: rows of a program that the account may not see are passed over; their positions are missing.

    Args:
        as_account: who exports.
        with_private: private and confidential values too, as far as the account sees them.
    """
    running = law.in_force()
    reader, privacy = running.reader, Privacy(as_account, running.vocabulary)
    types = dict(ThingRow.objects.values_list("id", "type"))
    rows = list(logbook.select())
    chain_of = {row.id: chain for chain in standing.chains(rows) for row in chain.rows}
    for row in rows:
        kind = running.vocabulary.things.get(types.get(row.thing, ""))
        if not rights.may(as_account, "see", kind.program if kind else rights.EVERY):
            continue
        shown = row_of(row, chain_of[row.id], reader, privacy)
        known = reader.facts_of(row)
        data = {
            name: LEFT_OUT if not with_private and value is not None and _is_private(known.get(name)) else value
            for name, value in shown.data.items()
        }
        yield {
            "position": row.position, "id": row.id, "kind": row.kind, "name": row.name, "thing": row.thing,
            "thing_type": kind.name if kind else None, "at": row.at or None, "day": row.day or None,
            "at_is": row.at_is or None, "at_how": row.at_how or None, "utc_offset": row.utc_offset or None,
            "recorded_at": row.recorded_at, "recorded_by": row.recorded_by, "performed_by": row.performed_by or None,
            "office": row.office or None, "data": data, "contains": kept_apart(row).get(CONTAINS),
            "number": shown.number or None, "replaces": row.replaces or None, "voids": row.voids or None,
            "why": row.why or None, "batch": row.batch or None, "source": row.source, "vocabulary": row.vocabulary,
            "hash": row.hash, "stands": shown.stands,
        }  # fmt: skip


def things(
    type: str, *, as_account: Account, with_private: bool = False
) -> tuple[Sequence[str], Iterator[dict[str, Any]]]:
    """Returns the columns of the table of a type, and its rows: each thing that is there with its facts as they stand.

    Refuses: a type that there is not.

    Raises:
        Refused: with the types.
        NotAllowed: for the account.
    """
    vocabulary = law.in_force().vocabulary
    kind = vocabulary.things.get(type)
    if kind is None:
        raise Refused(f"there is no type of thing {type!r}; there are {', '.join(sorted(vocabulary.things))}")
    rights.require(as_account, "see", kind.program)
    working.freshen()
    columns = (*THING_COLUMNS, *kind.facts)
    return columns, _things(type, vocabulary, as_account, with_private=with_private)


def _things(type: str, vocabulary: Vocabulary, account: Account, *, with_private: bool) -> Iterator[dict[str, Any]]:
    known, privacy = vocabulary.things[type].facts, Privacy(account, vocabulary)
    found = list(ThingRow.objects.filter(type=type, is_gone=False).order_by("began"))
    for chunk in logbook.chunks([one.id for one in found]):
        facts: dict[str, dict[str, Any]] = {thing: {} for thing in chunk}
        for row in CurrentFact.objects.filter(thing__in=chunk):
            is_left_out = privacy.hides(type, row.name) or (not with_private and _is_private(known.get(row.name)))
            facts[row.thing][row.name] = LEFT_OUT if is_left_out else row.text
        for one in found:
            if one.id in facts:
                own = {name: getattr(one, name) or None for name in THING_COLUMNS}
                yield own | {name: facts[one.id].get(name) for name in known}


def _is_private(fact: Fact | None) -> bool:
    return fact is not None and (fact.private or fact.confidential)
