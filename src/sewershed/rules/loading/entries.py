"""Reads what all entries share: identity, clause, versions, readings; and doubts (docs/explanation/rulebook.md 8 and 10)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import pairwise
from typing import Any

from sewershed.rules.entries import Combine, Doubt, Duty, Edition, Entry, Form
from sewershed.rules.loading import shapes
from sewershed.rules.loading.books import Book, read_day
from sewershed.rules.loading.kinds import KEYS, read_form
from sewershed.rules.loading.reader import Reader, Surroundings
from sewershed.rules.problems import Problems, did_you_mean

TRANSITIONS = ("new_only", "open_too", "restart")
CERTAINTIES = ("verified", "memory")
_ID = re.compile(r"[a-z][a-z0-9_]*(\.[a-z0-9_]+)*\Z")
_DOUBT_ID = re.compile(r"D-[A-Za-z0-9-]+\Z")
_DOUBT_KEYS = {"id", "about", "choices", "applied", "settle_by", "means", "cites", "covers", "note"}
_VERSION_ONLY = {"from", "until", "transition", "name"}


@dataclass(frozen=True, slots=True)
class RawEntry:
    """One entry as it stands in a file, not yet read."""

    kind: str
    id: str
    book: str
    file: str
    table: Mapping[str, Any]


def split_file(data: Mapping[str, Any], book: str, file: str, problems: Problems) -> list[RawEntry]:
    """Returns the entries of a file, noting unknown kinds and bad ids."""
    found = []
    kinds = (*KEYS, "doubt")
    for kind, tables in data.items():
        if kind not in kinds:
            problems.add(file, f"unknown kind of entry '{kind}'{did_you_mean(kind, kinds)}")
            continue
        if not isinstance(tables, list):
            problems.add(file, f"write [[{kind}]], not [{kind}]: a file holds arrays of tables")
            continue
        for table in tables:
            entry_id = str(table.get("id", ""))
            pattern = _DOUBT_ID if kind == "doubt" else _ID
            if not entry_id:
                problems.add(file, f"a {kind} without id: {str(dict(table))[:60]}")
            elif not pattern.match(entry_id):
                form = (
                    "D- and letters, digits, dashes" if kind == "doubt" else "dotted lower case, e.g. us.nc.spill.tell"
                )
                problems.add(file, f"{entry_id}: an id is {form}")
            elif wrong := list(shapes.faults(table)):
                for one in wrong:
                    problems.add(file, f"{entry_id}: {one}")
            else:
                found.append(RawEntry(kind, entry_id, book, file, table))
    return found


def read_doubt(raw: RawEntry, problems: Problems) -> Doubt:
    """Returns a doubt, noting its problems."""
    table = raw.table
    for key in table:
        if key not in _DOUBT_KEYS:
            problems.add(raw.file, f"{raw.id}: unknown key '{key}'{did_you_mean(key, _DOUBT_KEYS)}")
    if table.get("choices") and len(table["choices"]) < 2:
        problems.add(raw.file, f"{raw.id}: a doubt has two or more choices")
    for key in ("about", "choices", "settle_by", "means"):
        if not table.get(key):
            problems.add(raw.file, f"{raw.id}: '{key}' is missing")
    choices = tuple(str(choice) for choice in table.get("choices", ()))
    applied = str(table.get("applied", ""))
    if applied and applied not in choices:
        problems.add(raw.file, f"{raw.id}: applied '{applied}' is not one of its choices: {', '.join(choices)}")
    return Doubt(
        id=raw.id,
        book=raw.book,
        file=raw.file,
        about=tuple(table.get("about", ())),
        choices=choices,
        applied=applied,
        settle_by=str(table.get("settle_by", "")),
        means=str(table.get("means", "")),
        cites=tuple(table.get("cites", ())),
        covers=tuple(table.get("covers", ())),
        note=str(table.get("note", "")),
    )


def read_entry(raw: RawEntry, around: Surroundings, doubts: Mapping[str, Doubt], problems: Problems) -> Entry:
    """Returns an entry with its editions and readings, noting its problems."""
    table = raw.table
    reader = Reader(around, raw.id, raw.file, problems)
    if not table.get("cites"):
        reader.fault("cites is missing")
    certainty = reader.word(table, "certainty", CERTAINTIES, "verified")
    combine = None
    if "combine" in table:
        spec = table["combine"]
        reader.keys(spec, ("with", "how", "strict"), "combine")
        if reader.needs(spec, "with", "how", path="combine"):
            how = reader.word(spec, "how", ("most_stringent", "replaces", "adds"), "adds", "combine")
            strict = reader.word(spec, "strict", ("", "min", "max"), "", "combine")
            if how == "adds" and raw.kind not in ("duty", "act", "standard", "limit"):
                reader.fault(
                    f"adds is for what can stand beside another; a {raw.kind} replaces or is most_stringent", "combine"
                )
            combine = Combine(str(spec["with"]), how, strict)
    reading_of = str(table.get("reading_of", ""))
    if table.get("readings") and not reading_of:
        reader.fault("readings need reading_of = the id of a doubt, not None")
    if reading_of and reading_of not in doubts:
        reader.fault(f"reading_of: no entry '{reading_of}'{did_you_mean(reading_of, doubts)}")
    doubt = doubts.get(reading_of)
    if doubt is not None and raw.kind == "status" and not doubt.applied:
        reader.fault(f"a life goes by one reading: {doubt.id} needs applied, until somebody settles it")
    if doubt is not None:
        names = [str(reading.get("name", "")) for reading in table.get("readings", ())]
        if doubt.applied and doubt.applied not in names:
            reader.fault(f"{doubt.id} applies reading '{doubt.applied}', which this entry lacks")
        for name in names:
            if name not in doubt.choices:
                reader.fault(f"reading '{name}' is not one of the choices of {doubt.id}")
    return Entry(
        id=raw.id,
        kind=raw.kind,
        book=raw.book,
        file=raw.file,
        cites=tuple(str(cite) for cite in table.get("cites", ())),
        means=str(table.get("means", "")),
        editions=_editions(reader, raw.kind, table, doubt.choices if doubt is not None else ()),
        covers=tuple(str(clause) for clause in table.get("covers", ())),
        doubts=tuple(str(doubt) for doubt in table.get("doubts", ())),
        reading_of=reading_of,
        combine=combine,
        certainty=certainty,
        note=str(table.get("note", "")),
    )


def _editions(reader: Reader, kind: str, table: Mapping[str, Any], choices: Sequence[str]) -> tuple[Edition, ...]:
    versions = table.get("versions")
    plain = {key: value for key, value in table.items() if key not in ("versions", "readings", "from", "until")}
    if versions and ("from" in table or "until" in table):
        reader.fault("from and until stand on the versions")
    if "transition" in table:
        reader.fault("transition stands on a version")
    if not versions:
        since, until = _days(reader, table)
        return (Edition(since, until, "new_only", _readings(reader, kind, plain, table.get("readings", ()), choices)),)
    editions = []
    for version in versions:
        since, until = _days(reader, version)
        transition = str(version.get("transition", "new_only"))
        if transition not in TRANSITIONS:
            reader.fault("transition must be new_only, open_too or restart")
        differing = {key: value for key, value in version.items() if key not in _VERSION_ONLY}
        merged = {**plain, **differing}
        readings = version.get("readings", table.get("readings", ()))
        editions.append(Edition(since, until, transition, _readings(reader, kind, merged, readings, choices)))
    editions.sort(key=lambda edition: edition.since or date.min)
    for earlier, later in pairwise(editions):
        if earlier.until is None or later.since is None or later.since < earlier.until:
            reader.fault(
                f"versions overlap: one runs until {earlier.until or 'further notice'}, the next starts {later.since}"
            )
        elif later.since > earlier.until:
            reader.fault(
                f"no version in force from {earlier.until} to {later.since}; write a silent version if that is meant"
            )
        _keeps_rhythm(reader, earlier, later)
    return tuple(editions)


def _keeps_rhythm(reader: Reader, earlier: Edition, later: Edition) -> None:
    """Notes a version that counts otherwise than the one before it: what is open could not go over from one to the other."""
    for name, form in later.readings.items():
        before = earlier.readings.get(name)
        if isinstance(before, Duty) and isinstance(form, Duty) and before.rhythm != form.rhythm:
            reader.fault(
                f"versions count {before.rhythm} and then {form.rhythm}; end this entry and write another for the new rhythm"
            )


def _days(reader: Reader, table: Mapping[str, Any]) -> tuple[date | None, date | None]:
    days: list[date | None] = []
    for key in ("from", "until"):
        try:
            days.append(read_day(table[key]) if key in table else None)
        except ValueError as error:
            reader.fault(f"{key}: {error}")
            days.append(None)
    return days[0], days[1]


def _readings(
    reader: Reader,
    kind: str,
    table: Mapping[str, Any],
    readings: Sequence[Mapping[str, Any]],
    choices: Sequence[str],
) -> dict[str, Form]:
    """Returns the forms of an entry by the choices of its doubt: of a choice that changes nothing here, the plain one."""
    if table.get("silent") is True and kind != "value":
        return {}
    if not readings:
        form = read_form(reader, kind, table)
        return {} if form is None else {"": form}
    found: dict[str, Form] = {}
    for reading in readings:
        name = str(reading.get("name", ""))
        if not name:
            reader.fault("a reading needs a name: one of the doubt's choices")
            continue
        differing = {key: value for key, value in reading.items() if key != "name"}
        form = read_form(reader, kind, {**table, **differing})
        if form is not None:
            found[name] = form
    unchanged = [choice for choice in choices if choice not in found]
    plain = read_form(reader, kind, table) if found and unchanged else None
    return found if plain is None else {**found, **dict.fromkeys(unchanged, plain)}


def book_of_entry(entry: Entry, books: Mapping[str, Book]) -> Book:
    """Returns the book in which an entry stands."""
    return books[entry.book]
