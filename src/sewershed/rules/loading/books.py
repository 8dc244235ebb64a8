"""A rulebook's identity: its name, place in the line of books, zone, holidays, clock, roles and register (docs/explanation/rulebook.md 4)."""

from __future__ import annotations

import csv
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from sewershed.rules.calendars import Calendar
from sewershed.rules.entries import UNSAID_READINGS, Doubt, Entry
from sewershed.rules.problems import Problems, did_you_mean
from sewershed.rules.vocabulary import Vocabulary

REGISTER_COLUMNS = ("id", "cite", "topic", "kind", "runs", "means", "status", "where")
REGISTER_RUNS = ("full", "judgement", "paper")
REGISTER_STATUSES = ("rule", "judged", "text", "outside", "unread")
_ID = re.compile(r"[a-z][a-z0-9_]*(\.[a-z0-9_]+)*\Z")
_TOP = {
    "id",
    "name",
    "parent",
    "time_zone",
    "edition",
    "holidays",
    "clock",
    "roles",
    "sources",
    "abbreviations",
    "note",
}
_CLOCK = {"fiscal_year_start", "month_end", "roll", "unsaid_days"}
_HOLIDAYS = {"base", "add", "drop"}


@dataclass(frozen=True, slots=True)
class Clause:
    """One clause of the register: where it stands, what it is about, what it means, and what carries it.

    `runs` says how far it could be run at all: full, judgement (a person must decide), paper (a document carries it).
    """

    id: str
    cite: str
    topic: str
    kind: str
    runs: str
    means: str
    status: str
    where: str


@dataclass(slots=True)
class Book:
    """One rulebook, read and checked."""

    id: str
    name: str
    parent: str
    edition: str
    folder: Path
    calendar: Calendar
    has_zone: bool = True
    unsaid_read: str = ""
    unsaid_doubt: str = ""
    own_roles: Mapping[str, str] = field(default_factory=dict)
    roles: Mapping[str, str] = field(default_factory=dict)  # with those of the parents
    sources: Mapping[str, str] = field(default_factory=dict)
    own_abbreviations: Mapping[str, str] = field(default_factory=dict)
    abbreviations: Mapping[str, str] = field(default_factory=dict)  # with those of the parents
    register: Mapping[str, Clause] | None = None
    vocabulary: Vocabulary = field(default_factory=Vocabulary)  # with the derived facts of its line
    entries: dict[str, Entry] = field(default_factory=dict)
    doubts: dict[str, Doubt] = field(default_factory=dict)

    @property
    def zone(self) -> ZoneInfo:
        """Returns the time zone of the book."""
        return self.calendar.zone


def read_day(value: object) -> date:
    """Returns the day that a TOML date or a text such as "2024-03-01" gives.

    Raises:
        ValueError: with a sentence, when it is no day.
    """
    if isinstance(value, date) and type(value) is date:
        return value
    try:
        return date.fromisoformat(str(value))
    except ValueError:
        raise ValueError(f"{str(value)!r} is not a date; write e.g. 2024-02-29") from None


def read_toml(path: Path, file: str, problems: Problems) -> dict[str, Any]:
    """Returns the tables of a file, numbers as exact decimals; what cannot be read is a problem and gives nothing."""
    try:
        return tomllib.loads(path.read_text("utf-8"), parse_float=Decimal)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
        problems.add(file, f"cannot be read: {error}")
        return {}


def read_book(folder: Path, problems: Problems) -> Book | None:
    """Returns the identity of the book in a folder, or None where there is none to use."""
    file = f"{folder.name}/rulebook.toml"
    data = read_toml(folder / "rulebook.toml", file, problems)
    return book_of(data, folder, file, problems) if data else None


def book_of(data: Mapping[str, Any], folder: Path, file: str, problems: Problems) -> Book | None:
    """Returns a book's identity from its table, noting every problem."""
    for key in data:
        if key not in _TOP:
            problems.add(file, f"unknown key '{key}'{did_you_mean(key, _TOP)}")
    for key in ("id", "name"):
        if not data.get(key):
            problems.add(file, f"'{key}' is missing")
    if not data.get("id"):
        return None
    book_id = str(data["id"])
    if not _ID.match(book_id):
        problems.add(file, f"id {book_id!r} is not dotted lower case, e.g. us.nc.spring_hope")
    try:
        zone = ZoneInfo(str(data.get("time_zone") or "UTC"))  # a parent has none: its town's is used
    except (ZoneInfoNotFoundError, ValueError):
        problems.add(file, f'unknown time zone {data["time_zone"]!r}; write e.g. "America/New_York"')
        return None
    clock, holidays = data.get("clock", {}), data.get("holidays", {})
    for table, known, name in ((clock, _CLOCK, "clock"), (holidays, _HOLIDAYS, "holidays")):
        for key in table:
            if key not in known:
                problems.add(file, f"[{name}] unknown key '{key}'{did_you_mean(key, known)}")
    unsaid = clock.get("unsaid_days", {})
    if unsaid and (unsaid.get("read") not in UNSAID_READINGS or not unsaid.get("doubt")):
        problems.add(file, '[clock] unsaid_days needs read = "calendar" or "business" and doubt = the id of a doubt')
        unsaid = {}
    return Book(
        id=book_id,
        name=str(data.get("name", book_id)),
        parent=str(data.get("parent", "")),
        edition=str(data.get("edition", "")),
        folder=folder,
        has_zone=bool(data.get("time_zone")),
        calendar=_calendar(zone, clock, holidays, file, problems),
        unsaid_read=str(unsaid.get("read", "")),
        unsaid_doubt=str(unsaid.get("doubt", "")),
        own_roles={str(role): str(title) for role, title in data.get("roles", {}).items()},
        sources={str(name): str(source.get("means", "")) for name, source in data.get("sources", {}).items()},
        own_abbreviations={str(short): str(means) for short, means in data.get("abbreviations", {}).items()},
    )


def _calendar(
    zone: ZoneInfo, clock: Mapping[str, Any], holidays: Mapping[str, Any], file: str, problems: Problems
) -> Calendar:
    days: dict[str, frozenset[date]] = {}
    for key in ("add", "drop"):
        found = set()
        for value in holidays.get(key, ()):
            try:
                found.add(read_day(value))
            except ValueError as error:
                problems.add(file, f"[holidays] {key}: {error}")
        days[key] = frozenset(found)
    try:
        return Calendar(
            zone=zone,
            base=str(holidays.get("base", "")),
            added=days["add"],
            dropped=days["drop"],
            month_end=clock.get("month_end", "clamp"),
            fiscal_year_start=str(clock.get("fiscal_year_start", "")),
            roll=clock.get("roll", "none"),
        )
    except ValueError as error:
        problems.add(file, str(error))
        return Calendar(zone=zone)


def read_register(folder: Path, book: str, problems: Problems) -> dict[str, Clause] | None:
    """Returns the clauses of a book's register.tsv by id, or None where it has none."""
    path = folder / "register.tsv"
    if not path.exists():
        return None
    file = f"{folder.name}/register.tsv"
    clauses: dict[str, Clause] = {}
    with path.open(encoding="utf-8", newline="") as handle:
        rows = csv.reader(handle, delimiter="\t", quoting=csv.QUOTE_NONE)
        header = tuple(next(rows, ()))
        if header != REGISTER_COLUMNS:
            problems.add(file, f"the first line must be {', '.join(REGISTER_COLUMNS)}")
            return clauses
        for number, row in enumerate(rows, start=2):
            if len(row) != len(REGISTER_COLUMNS):
                problems.add(file, f"line {number}: {len(row)} columns where {len(REGISTER_COLUMNS)} are needed")
                continue
            clause = Clause(*row)
            if clause.status not in REGISTER_STATUSES:
                known = ", ".join(REGISTER_STATUSES)
                problems.add(file, f"line {number}: {clause.id} has status {clause.status!r}; the statuses are {known}")
            if clause.runs not in REGISTER_RUNS:
                known = ", ".join(REGISTER_RUNS)
                problems.add(file, f"line {number}: {clause.id} runs {clause.runs!r}; write one of {known}")
            if clause.id in clauses:
                problems.add(file, f"line {number}: {clause.id} stands twice")
            clauses[clause.id] = clause
    return clauses
