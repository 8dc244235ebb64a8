"""Things as their rows make them: type, label, aliases, numbers, what they point at, whether they are gone.

Everything here follows from the log and is brought up to date with each row that is added.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sewershed.ledger import canonical, numbers, standing, tables
from sewershed.ledger import log as logbook
from sewershed.ledger.models import Alias, Batch, EventKey, Moved, Ref, Series, Thing
from sewershed.ledger.reading import RowReader, kept_apart, refs_in
from sewershed.ledger.standing import Chain

ALIASES = "_aliases"
SOURCE_ID = "_source_id"
RETIRED, JOINED = "retired", "joined"
_PLACE = re.compile(r"\{(\w+)\}")


def note(rows: Sequence[logbook.Row], reader: RowReader) -> list[str]:
    """Brings the tables of things up to date with rows just added, and returns the things that they concern."""
    concerned: dict[str, None] = {}
    changed: dict[str, None] = {}
    new_refs: list[Ref] = []
    for row in rows:
        concerned[row.thing] = None
        if _is_plain(row):
            continue
        changed[row.thing] = None
        if row.replaces or row.voids:
            chain = standing.chain_of(row.id)
            changed.update(dict.fromkeys(one.thing for one in chain.rows))
            tables.put(moved_of(chain), ["thing", "row"])
        new_refs += refs_of(row, reader)
    tables.put(new_refs, ["to", "type", "fact", "thing"])
    EventKey.objects.bulk_create(event_keys(rows))
    note_numbers(rows)
    note_batches(rows)
    refresh(list(changed), reader)
    _note_last({row.thing: row.position for row in rows if row.thing not in changed})
    return list(concerned | changed)


def _is_plain(row: logbook.Row) -> bool:
    """Tells whether a row changes nothing of its thing's names, numbers or being: most events do not."""
    return row.kind == "event" and not row.replaces and row.name not in (RETIRED, JOINED) and not kept_apart(row)


def _note_last(last: Mapping[str, int]) -> None:
    for thing, position in last.items():
        Thing.objects.filter(id=thing).update(last_row=position)


def refresh(concerned: Sequence[str], reader: RowReader) -> None:
    """Makes the rows of things, and their aliases, as the log has them."""
    made: list[Thing] = []
    wanted: set[tuple[str, str]] = set()
    for thing, rows in standing.rows_about_many(concerned).items():
        one, aliases = thing_of(thing, rows, reader)
        if one is not None:
            made.append(one)
            wanted.update((thing, text) for text in aliases)
    tables.put(made, ["id"], _MADE)
    have: set[tuple[str, str]] = set()
    for chunk in logbook.chunks(concerned):
        have.update(Alias.objects.filter(thing__in=chunk).values_list("thing", "text"))
    for thing, text in have - wanted:
        Alias.objects.filter(thing=thing, text=text).delete()
    Alias.objects.bulk_create(Alias(thing=thing, text=text) for thing, text in sorted(wanted - have))


_MADE = ("type", "label", "number", "source_id", "began", "last_row", "retired_on", "joined_into", "is_gone")


def thing_of(thing: str, rows: Sequence[logbook.Row], reader: RowReader) -> tuple[Thing | None, set[str]]:
    """Returns a thing and its aliases as its rows make them; None where no row began it.

    Args:
        thing: its id.
        rows: the rows of every chain in which it was named, in order of position.
        reader: knows the vocabulary.
    """
    own = [row for row in rows if row.thing == thing]
    beginning = next((row for row in own if row.kind == "facts"), None)
    if beginning is None:
        return None, set()
    kind = reader.type_named(beginning.name)
    stands = standing.standing_about(thing, rows)
    made = Thing(
        id=thing,
        type=kind,
        began=own[0].position,
        last_row=own[-1].position,
        is_gone=not any(
            chain.content.name not in (RETIRED, JOINED) or chain.content.kind == "facts" for chain in stands
        ),
    )
    aliases: set[str] = set()
    taken = (row for row in own if numbers.THING_NUMBER in row.data)
    made.number = next((str(number) for row in taken if (number := kept_apart(row).get(numbers.THING_NUMBER))), "")
    for chain in stands:
        row = chain.content
        if row.kind == "facts":
            kept = kept_apart(row)
            aliases.update(kept.get(ALIASES, ()))
            made.source_id = kept.get(SOURCE_ID, made.source_id)
        if number := kept_apart(chain.root).get(numbers.NUMBER):
            aliases.add(str(number))  # a call that was joined here as well
        if row.kind == "event" and row.name == RETIRED:
            made.retired_on = row.day or row.at
        if row.kind == "event" and row.name == JOINED:
            made.joined_into = canonical.read(row.data).get("into", "")
    numbered = _first_numbered([*(chain.root for chain in stands), *own])
    made.label = label_of(made, standing.facts_on(thing, None, stands), numbered, reader)
    return made, aliases


def label_of(thing: Thing, facts: Mapping[str, Any], numbered: logbook.Row | None, reader: RowReader) -> str:
    """Returns what a thing is called: its label's template over its facts.

    Edge: a fact that is not known leaves its place empty, and the marks around it go with it; a thing that has no number
    yet goes by its first event that has one, even where that was joined to another thing since; where nothing is left it
    goes by its id.

    Args:
        thing: the thing.
        facts: as they stand.
        numbered: the row of its first event that has a number.
        reader: knows the vocabulary.
    """
    kind = reader.vocabulary.things.get(thing.type)
    if kind is None or not kind.label:
        return thing.number or thing.id
    label, number = kind.label, thing.number or facts.get("number")
    if not number and numbered is not None:
        number = kept_apart(numbered)[numbers.NUMBER]
        event = reader.vocabulary.events.get(reader.event_named(numbered.name))
        label = by_event(label, event.label if event else "")
    is_said = False

    def put(found: re.Match[str]) -> str:
        nonlocal is_said
        said = _said(number if found[1] == "number" else facts.get(found[1]))
        is_said = is_said or bool(said)
        return said

    text = _PLACE.sub(put, label)
    text = re.sub(r"\(\s*\)|[,:]\s*$|^\s*[,:]|(?<=\s)[,:]\s", "", " ".join(text.split())).strip()
    return text if is_said or not _PLACE.search(label) else f"{text} {thing.id}".strip()


def by_event(label: str, event: str) -> str:
    """Returns the label of a thing that goes by an event's number: the event's label, then what follows the number.

    Edge: an event that has no label lends its number alone.

    Example:
        >>> by_event("spill {number}, {location}", "call {number}"), by_event("spill {number}, {location}", "")
        ('call {number}, {location}', 'spill {number}, {location}')
    """
    before, _, after = label.partition("{number}")
    return event + after if event and before != label else label


def refs_of(row: logbook.Row, reader: RowReader) -> list[Ref]:
    """Returns the references that a facts row holds."""
    if row.kind != "facts":
        return []
    data = reader.read(row).data
    kind = reader.type_named(row.name)
    return [Ref(thing=row.thing, type=kind, fact=name, to=to.id) for name, to in refs_in(data)]


def event_keys(rows: Iterable[logbook.Row]) -> list[EventKey]:
    """Returns the ids that events have in the files they came from."""
    return [
        EventKey(event=row.name, source_id=source_id, row=row.id)
        for row in rows
        if row.kind == "event" and not row.replaces and (source_id := kept_apart(row).get(SOURCE_ID))
    ]


def moved_of(chain: Chain) -> list[Moved]:
    """Returns, for each thing that a chain was ever about, the rows of it that are about another."""
    names = {row.thing for row in chain.rows}
    if len(names) == 1:
        return []
    return [Moved(thing=thing, row=row.id) for thing in sorted(names) for row in chain.rows if row.thing != thing]


def note_numbers(rows: Iterable[logbook.Row]) -> None:
    """Brings the series of numbers to where rows have taken them."""
    for one in series_of(rows):
        kept, _ = Series.objects.get_or_create(name=one.name, year=one.year, defaults={"last": one.last})
        if kept.last < one.last:
            Series.objects.filter(id=kept.id).update(last=one.last)


def series_of(rows: Iterable[logbook.Row]) -> list[Series]:
    """Returns how far rows have taken each series of numbers; those of withdrawn rows are taken too."""
    counts = [count for row in rows if numbers.COUNTS in row.data for count in kept_apart(row).get(numbers.COUNTS, ())]
    reached = numbers.reached(counts)
    return [Series(name=name, year=year, last=last) for (name, year), last in reached.items()]


def note_batches(rows: Iterable[logbook.Row]) -> None:
    """Brings the table of batches up to date with the rows that say that one was applied or undone."""
    for one in batches_of(rows):
        if one.kind:
            one.save(force_insert=True)
        else:
            Batch.objects.filter(id=one.id).update(undone_at=one.undone_at)


def batches_of(rows: Iterable[logbook.Row]) -> list[Batch]:
    """Returns the batches that rows say were applied or undone; one that these rows only undo has no kind."""
    found: dict[str, Batch] = {}
    for row in rows:
        if row.kind != "event" or row.name not in ("batch_applied", "batch_undone"):
            continue
        data = canonical.read(row.data)
        one = found.setdefault(data["batch"], Batch(id=data["batch"], kind=""))
        if row.name == "batch_undone":
            one.undone_at = row.recorded_at
            continue
        counts = {name: data[name] for name in ("begun", "changed", "unchanged", "refused") if data.get(name)}
        one.kind, one.note, one.file = data["kind"], data.get("note") or "", data.get("file") or ""
        one.plan, one.counts, one.applied_at = data.get("plan") or "", canonical.write(counts), row.recorded_at
    return list(found.values())


def moved_and_chains(rows: Iterable[logbook.Row]) -> tuple[dict[str, list[logbook.Row]], list[Moved]]:
    """Returns the rows of the whole log by thing, chains that were about several things under each, and those moved."""
    everything = list(rows)
    by_thing: dict[str, list[logbook.Row]] = defaultdict(list)
    for row in everything:
        by_thing[row.thing].append(row)
    moved: list[Moved] = []
    corrected = {row.id for row in everything if row.replaces or row.voids}
    if corrected:
        for chain in standing.chains(everything):
            found = moved_of(chain)
            moved += found
            rows_by_id = {row.id: row for row in chain.rows}
            for one in found:
                by_thing[one.thing].append(rows_by_id[one.row])
    for one in moved:
        by_thing[one.thing].sort(key=lambda row: row.position)
    return by_thing, moved


def _first_numbered(rows: Iterable[logbook.Row]) -> logbook.Row | None:
    return next((row for row in rows if numbers.NUMBER in row.data and kept_apart(row).get(numbers.NUMBER)), None)


def _said(value: Any) -> str:
    if value is None or value == "":
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value).replace("_", " ") if isinstance(value, str) else canonical.write(value)
