"""Today as a table for other programs: one line a line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sewershed.desk.things.lines import how_long, missing, what
from sewershed.ledger.shown import Due
from sewershed.ledger.wording import Words

HEAD = (
    "State",
    "Program",
    "What",
    "On what",
    "Whose",
    "How long",
    "Due",
    "Clause",
    "Edition",
    "Missing",
    "Key",
    "Caution",
)


def rows(dues: Sequence[Due], words: Words) -> Iterator[tuple[str, ...]]:
    """Yields the lines of the list."""
    for one in dues:
        yield (
            one.word, one.program, what(one), one.thing_label, words.whose(one.who, one.persons), how_long(one, words),
            words.said(one.due), "; ".join(one.cites), one.edition, missing(one.asks, words) if one.asks else "", one.key,
            one.caution,
        )  # fmt: skip
