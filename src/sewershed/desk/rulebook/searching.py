"""Words and figures: what holds all of them, letter by letter and figure by figure; nothing is guessed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from sewershed.ledger import ordinance
from sewershed.ledger.law import Law
from sewershed.ledger.ordinance import Passage
from sewershed.rules.entries import Doubt, Entry

_COMMA = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_QUOTED = re.compile(r'"([^"]+)"|(\S+)')
_FIGURE = re.compile(r"\d+(\.\d+)?\Z")


class Wanted:
    """What is looked for: words, figures, and words in quotes that stand together.

    Edge: a comma between thousands is none, and a figure is a whole one: 30 is not in 300, in 1.30 or in 22-30.

    Example:
        >>> Wanted("1,000 gallons").is_in(["a spill of 1000 Gallons"]), Wanted("100").is_in(["1,000 gallons"])
        (True, False)
        >>> Wanted('"24 hours"').is_in(["24 of 48 hours"]), Wanted("24 hours").is_in(["24 of 48 hours"])
        (False, True)
    """

    def __init__(self, text: str) -> None:
        self.phrase = flat(text.replace('"', " "))
        self._parts = [_pattern(flat(quoted or word)) for quoted, word in _QUOTED.findall(text.strip())]

    def is_in(self, texts: Sequence[str]) -> bool:
        """Tells whether each of what is looked for stands in one of some texts."""
        said = [flat(one) for one in texts]
        return bool(self._parts) and all(any(part.search(one) for one in said) for part in self._parts)

    def best(self, texts: Sequence[str]) -> tuple[int, str]:
        """Returns the text in which most of it stands, and how telling that is: all together first, then part by part."""
        said = [flat(one) for one in texts]
        held = [
            (
                len(self._parts) + 1 if self._is_whole(one) else sum(bool(part.search(one)) for part in self._parts),
                -place,
            )
            for place, one in enumerate(said)
        ]
        most = max(held)
        return most[0], texts[-most[1]]

    def _is_whole(self, said: str) -> bool:
        return bool(_pattern(self.phrase).search(said))


def flat(text: str) -> str:
    """Returns a text as it is compared: small letters, single blanks, no comma between thousands."""
    return _COMMA.sub("", " ".join(text.lower().split()))


def _pattern(part: str) -> re.Pattern[str]:
    """Returns what finds a part: a figure at its edges stands alone, letters may go on."""
    before = r"(?<![\d.,-])" if part[:1].isdigit() and _FIGURE.match(part.split(maxsplit=1)[0]) else r"(?<!\d)" if part[:1].isdigit() else ""  # fmt: skip
    after = r"(?!\d|[.,]\d)" if part[-1:].isdigit() else ""
    return re.compile(f"{before}{re.escape(part)}{after}")


def entries_with(running: Law, text: str) -> list[tuple[Entry, str]]:
    """Returns the entries that hold all that is looked for, the most telling first, each with where it stands."""
    wanted = Wanted(text)
    found = [
        (*wanted.best(texts), -place, entry)
        for place, entry in enumerate(running.library.entries(running.book_id).values())
        if wanted.is_in(texts := texts_of(running, entry.id))
    ]
    return [(entry, where) for _, where, _, entry in sorted(found, key=lambda one: (one[0], one[2]), reverse=True)]


def passages_with(running: Law, text: str) -> list[Passage]:
    """Returns the clauses of the registers that hold all that is looked for, in the order of the text."""
    wanted = Wanted(text)
    return [one for one in ordinance.passages(running).values() if wanted.is_in((one.cite, one.means, one.id))]


def texts_of(running: Law, entry: str) -> tuple[str, ...]:
    """Returns every text in which an entry can be found: meaning, clauses, sentences, doubts, id."""
    return _texts(running.supplement, running.book_id)[entry]


@lru_cache(maxsize=4)
def _texts(supplement: str, book_id: str) -> Mapping[str, tuple[str, ...]]:
    running = Law(supplement, book_id)
    doubts = running.library.doubts(book_id)
    return {one.id: tuple(_texts_of(one, running, doubts)) for one in running.library.entries(book_id).values()}


def _texts_of(entry: Entry, running: Law, doubts: Mapping[str, Doubt]) -> Iterator[str]:
    yield entry.means
    yield "; ".join(entry.cites)
    for edition in ordinance.editions_said(running, entry.id):
        yield from (f"{line.name} {line.whole}" for line in edition.lines)
        for reading in edition.readings:
            yield from (f"{line.name} {line.whole}" for line in reading.lines)
            yield f"read as {reading.name}"
    known = ordinance.passages(running)
    yield from (known[one].means for one in entry.covers if one in known)
    for one in ordinance.doubts_of(entry):
        if one in doubts:
            yield f"{one}: {doubts[one].means}"
    if entry.note:
        yield entry.note
    yield entry.id
