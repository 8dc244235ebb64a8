"""The record as the engine is handed it (`sewershed.rules.record.Records`): rows of the log, read under a vocabulary.

Rows are fetched for many things at once where the caller says which, else one thing at a time, and kept for as long as
the object lives. What it shows is the log up to one position, so that a question asked in several steps sees one record.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from sewershed.ledger import log as logbook
from sewershed.ledger import people, standing
from sewershed.ledger.models import Moved, Ref, Thing
from sewershed.ledger.reading import RowReader, decided_value
from sewershed.rules.history import DECIDED
from sewershed.rules.record import Row

TOWN_TYPE = "town"


class LogRecords:
    """The things of the open town and the rows about them, up to a position of the log."""

    def __init__(self, reader: RowReader, *, upto: int | None = None, known_at: str = "") -> None:
        self.reader = reader
        self.known_at = known_at
        self._holdings: Mapping[str, Sequence[people.Holding]] | None = None  # by person
        self._judging = people.judging(reader.vocabulary)
        self.upto = logbook.head().position if upto is None else upto
        self._raw: dict[str, Sequence[logbook.Row]] = {}  # read when the engine asks for them, which it does once
        self._order: list[str] | None = None
        self._types: dict[str, str | None] = {}
        self._pointing: dict[tuple[str, str, str], list[str]] | None = None
        self._is_whole = False
        self._town: str | None = None
        self._knows_town = False

    @classmethod
    def of(
        cls,
        reader: RowReader,
        upto: int,
        things: Iterable[Thing],
        rows: Mapping[str, Sequence[logbook.Row]],
        refs: Iterable[Ref],
        holdings: Iterable[people.Holding],
    ) -> LogRecords:
        """Returns a whole record from what was read and made of the log, without asking the tables beside it.

        Args:
            reader: reads rows under the vocabulary.
            upto: the position up to which the log was read.
            things: all of them, in the order in which they began.
            rows: by thing, with those of every chain that was ever about it.
            refs: all of them.
            holdings: of offices, all of them.
        """
        records = cls(reader, upto=upto)
        records._types = {thing.id: records.reader.type_named(thing.type) for thing in things}
        records._order = list(records._types)
        records._raw = dict(rows)
        records._pointing = {}
        for ref in sorted(refs, key=lambda ref: ref.thing):
            records._pointing.setdefault((ref.to, ref.type, ref.fact), []).append(ref.thing)
        records._holdings = _by_person(holdings)
        records._is_whole = True
        records._town = next((one for one, kind in records._types.items() if kind == TOWN_TYPE), None)
        records._knows_town = True
        return records

    def type_of(self, thing: str) -> str | None:
        """Returns the type of a thing, or None where there is no such thing."""
        if thing not in self._types:
            if self._is_whole:
                return None
            self.prefetch([thing])
        return self._types[thing]

    def of_type(self, type: str) -> list[str]:
        """Returns the ids of the things of a type, in the order in which they began, and fetches their rows together."""
        if self._is_whole:
            return [thing for thing in self.things() if self._types[thing] == type]
        named = Thing.objects.order_by().values_list("type", flat=True).distinct()
        names = [one for one in named if self.reader.type_named(one) == type]
        found = Thing.objects.filter(type__in=names, began__lte=self.upto).order_by("began")
        things = list(found.values_list("id", flat=True))
        self.prefetch(things)
        return things

    def rows_of(self, thing: str) -> Sequence[Row]:
        """Returns every row about a thing, and of every chain of corrections that was ever about it, by position."""
        return [self._read(row) for row in self.entered(thing)]

    def entered(self, thing: str) -> Sequence[logbook.Row]:
        """Returns the same rows as the log has them."""
        if thing not in self._raw:
            self.prefetch([thing])
        return self._raw.get(thing, ())

    def pointing_at(self, thing: str, type: str, fact: str) -> Sequence[str]:
        """Returns the ids of the things of a type that have ever had a fact pointing at this thing."""
        if self._pointing is not None:
            return self._pointing.get((thing, type, fact), [])
        found = Ref.objects.filter(to=thing, type=type, fact=fact).order_by("thing").values_list("thing", flat=True)
        return list(found)

    def town(self) -> str | None:
        """Returns the id of the town itself, or None where the record has none."""
        if not self._knows_town:
            there = Thing.objects.filter(type=TOWN_TYPE, is_gone=False).order_by("began")
            self._town, self._knows_town = next(iter(there.values_list("id", flat=True)[:1]), None), True
        return self._town

    def prefetch(self, things: Iterable[str]) -> None:
        """Fetches the rows of things together, those that are not here yet."""
        wanted = [thing for thing in dict.fromkeys(things) if thing not in self._raw or thing not in self._types]
        if self._is_whole or not wanted:
            return
        for chunk in logbook.chunks(wanted):
            known = dict(Thing.objects.filter(id__in=chunk).values_list("id", "type"))
            for thing in chunk:
                self._types[thing] = self.reader.type_named(known[thing]) if thing in known else None
        found = standing.rows_about_many(wanted)
        self._raw.update((thing, [row for row in rows if row.position <= self.upto]) for thing, rows in found.items())

    def prefetch_all(self) -> None:
        """Fetches the whole record: for those who work out the whole town."""
        if self._is_whole:
            return
        rows = list(logbook.select("position <= %s", [self.upto]))
        by_thing: dict[str, list[logbook.Row]] = {}
        for row in rows:
            by_thing.setdefault(row.thing, []).append(row)
        named = {row.id: row for row in rows}
        moved = [(thing, named[row]) for thing, row in Moved.objects.values_list("thing", "row") if row in named]
        for thing, row in moved:
            by_thing[thing].append(row)
        for thing in {thing for thing, _ in moved}:
            by_thing[thing].sort()
        things = Thing.objects.filter(began__lte=self.upto).order_by("began")
        whole = LogRecords.of(
            self.reader, self.upto, things, by_thing, Ref.objects.all(), people.holdings(self.known_at)
        )
        for name in ("_types", "_order", "_raw", "_pointing", "_holdings", "_is_whole", "_town", "_knows_town"):
            setattr(self, name, getattr(whole, name))

    def _read(self, row: logbook.Row) -> Row:
        """Returns a row for the engine.

        What was decided of a fact has the type of the fact. Where it matters in which office somebody did it, the engine is
        told which offices they held that day.
        """
        read = self.reader.read(row)
        if row.kind == "event" and (row.office or read.name in self._judging):
            held = self._held(row)
            if row.office not in held or read.name in self._judging:
                read = replace(read, held=held)
        fact, value = read.data.get("fact"), read.data.get("value")
        if read.name == DECIDED and fact and isinstance(value, str):
            known = self.reader.vocabulary.to_decide(self._types.get(row.thing) or "", str(fact))
            if known is not None:
                return replace(read, data={**read.data, "value": decided_value(known.type, value)})
        return read

    def _held(self, row: logbook.Row) -> frozenset[str]:
        """Returns the offices that the person who did something held that day; where nobody is named, none."""
        if self._holdings is None:
            self._holdings = _by_person(people.holdings(self.known_at))
        own, day = self._holdings.get(row.performed_by, ()), standing.day_of(row)
        return people.offices(row.performed_by, day, own) if own and day is not None else frozenset()

    def things(self, type: str = "") -> list[str]:
        """Returns the ids of all things that the record holds, or of those of a type, in the order in which they began."""
        if self._order is not None:
            return [thing for thing in self._order if not type or self._types[thing] == type]
        found = Thing.objects.filter(began__lte=self.upto)
        found = found.filter(type=type) if type else found
        return list(found.order_by("began").values_list("id", flat=True))


def _by_person(holdings: Iterable[people.Holding]) -> dict[str, list[people.Holding]]:
    found: dict[str, list[people.Holding]] = {}
    for one in holdings:
        found.setdefault(one.person, []).append(one)
    return found
