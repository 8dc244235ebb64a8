"""The record in words, as a terminal shows them: with the names that are typed, and short keys."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from typing import TYPE_CHECKING

from sewershed.cli.handles import number_forms, short_keys
from sewershed.ledger import law, queries, wording
from sewershed.rules.unknown import Want

if TYPE_CHECKING:
    from sewershed.cli.towns import Here
    from sewershed.ledger.shown import Due

_WITH_NAME = ("fact", "event", "decision", "doubt", "gap", "silence", "no_figure")  # wants whose name can be typed


@dataclass(frozen=True, slots=True)
class Words(wording.Words):
    """What the lines of one list share, and the short key of each."""

    keys: Mapping[str, str]
    abbreviations: Mapping[str, str]

    def office(self, office: str) -> str:
        """Returns how the town calls an office, in the midst of a line."""
        title = self.roles.get(office, "")
        return title if title and "." not in title else office.replace("_", " ")

    def word(self, word: str) -> str:
        """Returns a word as it is typed."""
        return word

    def want(self, want: Want) -> str:
        """Returns what is wanting, and the name by which it is typed."""
        said = wording.Words.want(self, want)
        return f"{said} ({want.what})" if want.kind in _WITH_NAME and want.what not in said else said


def words_of(here: Here, lines: Sequence[Due], now: datetime, others: Iterable[str] = ()) -> Words:
    """Returns what is needed to print lines of a list.

    Args:
        here: the town.
        lines: of the list.
        now: the instant from which days are counted.
        others: ids of persons and other things that are named beside the lines.
    """
    running = law.in_force()
    holders = [person for one in queries.holders(as_account=here.account) for person, _ in one.persons]
    asked = [want.who for line in lines for want in line.asks if want.kind == "office"]
    named = {*others, *asked, *holders, *(one for line in lines for one in line.persons)} - {""}
    said = wording.words_of(sorted(named), now, running=running)
    keys = short_keys(lines, number_forms(running.vocabulary))
    shared = {one.name: getattr(said, one.name) for one in fields(said)}
    return Words(**shared, keys=keys, abbreviations=running.book.abbreviations)
