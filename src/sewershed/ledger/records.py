"""The record as the engine is handed it (`sewershed.rules.record.Records`): rows of the log, read under a vocabulary.

Rows are fetched for many things at once where the caller says which, else one thing at a time, and kept for as long as
the object lives. What it shows is the log up to one position, so that a question asked in several steps sees one record.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from sewershed.ledger import log as logbook
from sewershed.ledger.models import Moved, Ref, Thing
from sewershed.ledger.reading import RowReader, decided_value
from sewershed.rules.record import Row
from sewershed.rules.vocabulary import Vocabulary

TOWN_TYPE = "town"
DECIDED = "decided"
_AT_ONCE = 500  # ids in one statement


class LogRecords:
    """The things of the open town and the rows about them, up to a position of the log."""

    def __init__(self, vocabulary: Vocabulary, *, upto: int | None = None) -> None:
        self.reader = RowReader(vocabulary)
        self.upto = logbook.head().position if upto is None else upto
        self._rows: dict[str, list[Row]] = {}
        self._types: dict[str, str | None] = {}
        self._pointing: dict[tuple[str, str, str], list[str]] | None = None
        self._is_whole = False
        self._town: str | None = None
        self._knows_town = False

    def type_of(self, thing: str) -> str | None:
        """Returns the type of a thing, or None where there is no such thing."""
        if thing not in self._types:
            if self._is_whole:
                return None
            self.prefetch([thing])
        return self._types[thing]

    def rows_of(self, thing: str) -> Sequence[Row]:
        """Returns every row about a thing, and of every chain of corrections that was ever about it, by position."""
        if thing not in self._rows and not self._is_whole:
            self.prefetch([thing])
        return self._rows.get(thing, [])

    def pointing_at(self, thing: str, type: str, fact: str) -> Sequence[str]:
        """Returns the ids of the things of a type that have ever had a fact pointing at this thing."""
        if self._pointing is not None:
            return self._pointing.get((thing, type, fact), [])
        found = Ref.objects.filter(to=thing, type=type, fact=fact).order_by("thing").values_list("thing", flat=True)
        return list(found)

    def town(self) -> str | None:
        """Returns the id of the town itself, or None where the record has none."""
        if not self._knows_town:
            first = Thing.objects.filter(type=TOWN_TYPE, is_gone=False).order_by("began").first()
            self._town, self._knows_town = (first.id if first else None), True
        return self._town

    def prefetch(self, things: Iterable[str]) -> None:
        """Fetches the rows of things together, those that are not here yet."""
        wanted = [thing for thing in dict.fromkeys(things) if thing not in self._rows or thing not in self._types]
        if self._is_whole or not wanted:
            return
        types = self.reader.type_named
        for chunk in _chunks(wanted):
            known = dict(Thing.objects.filter(id__in=chunk).values_list("id", "type"))
            for thing in chunk:
                self._types[thing] = types(known[thing]) if thing in known else None
                self._rows[thing] = []
            places = ", ".join(["%s"] * len(chunk))
            for row in logbook.select_list(f"thing IN ({places}) AND position <= %s", [*chunk, self.upto]):
                self._rows[row.thing].append(self._read(row))
            self._add_moved(list(Moved.objects.filter(thing__in=chunk).values_list("thing", "row")))

    def prefetch_all(self) -> None:
        """Fetches the whole record: for those who work out the whole town."""
        if self._is_whole:
            return
        types = self.reader.type_named
        self._types = {thing: types(kind) for thing, kind in Thing.objects.values_list("id", "type")}
        self._rows = {}
        read = self._read
        for row in logbook.select("position <= %s", [self.upto]):
            self._rows.setdefault(row.thing, []).append(read(row))
        self._add_moved(list(Moved.objects.values_list("thing", "row")))
        self._pointing = {}
        for to, kind, fact, thing in Ref.objects.order_by("thing").values_list("to", "type", "fact", "thing"):
            self._pointing.setdefault((to, kind, fact), []).append(thing)
        self._is_whole = True

    def _read(self, row: logbook.Row) -> Row:
        """Returns a row for the engine; what was decided of a fact has the type of the fact."""
        read = self.reader.read(row)
        fact, value = read.data.get("fact"), read.data.get("value")
        if read.name == DECIDED and fact and isinstance(value, str):
            kind = self.reader.vocabulary.things.get(self._types.get(row.thing) or "")
            known = kind.facts.get(str(fact)) if kind else None
            if known is not None:
                return replace(read, data={**read.data, "value": decided_value(known.type, value)})
        return read

    def _add_moved(self, moved: Sequence[tuple[str, str]]) -> None:
        """Adds the rows about other things that belong to chains in which these were named."""
        rows: dict[str, Row] = {}
        for chunk in _chunks(list({row for _, row in moved})):
            places = ", ".join(["%s"] * len(chunk))
            for row in logbook.select_list(f"id IN ({places}) AND position <= %s", [*chunk, self.upto]):
                rows[row.id] = self._read(row)
        for thing, row_id in moved:
            if row_id in rows:
                self._rows.setdefault(thing, []).append(rows[row_id])
        for thing in {thing for thing, _ in moved}:
            self._rows.get(thing, []).sort(key=lambda row: row.position)

    def things(self) -> list[str]:
        """Returns the ids of all things that the record holds, in the order in which they began."""
        return list(Thing.objects.filter(began__lte=self.upto).order_by("began").values_list("id", flat=True))


def _chunks(items: Sequence[str]) -> Iterator[Sequence[str]]:
    for start in range(0, len(items), _AT_ONCE):
        yield items[start : start + _AT_ONCE]
