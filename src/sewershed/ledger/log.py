"""The log: rows are added at its end, under one lock, each with the hash of itself and of all before it.

`writing()` is the one way to write: it takes the lock, and on the way out lets the projections catch up, all in one
transaction. What is read inside it cannot be out of date.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import NamedTuple

from django.db import connection, transaction

from sewershed.ledger import canonical, clock
from sewershed.ledger.errors import LedgerError, Refused

COLUMNS = (
    "position", "id", "kind", "name", "thing", "at", "day", "at_is", "at_how", "utc_offset", "recorded_at",
    "performed_by", "office", "recorded_by", "data", "replaces", "voids", "why", "batch", "source", "vocabulary", "hash",
)  # fmt: skip
BEGINNING = "0" * 64  # the hash before the first row
ADVISORY_LOCK = 5357  # any number, the same in every writer
CLOCK_STEP = timedelta(minutes=5)  # a clock set back by less than this does not make a row older than the one before it
AT_ONCE = 500  # values in one statement
_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"  # without letters that are taken for figures


_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


class Row(NamedTuple):
    """A row of the log, its columns as they stand in the table."""

    position: int
    id: str
    kind: str
    name: str
    thing: str
    at: str
    day: str
    at_is: str
    at_how: str
    utc_offset: str
    recorded_at: str
    performed_by: str
    office: str
    recorded_by: str
    data: str
    replaces: str
    voids: str
    why: str
    batch: str
    source: str
    vocabulary: str
    hash: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A row that has been checked and waits for its position, its time and its hash."""

    id: str
    kind: str
    name: str = ""
    thing: str = ""
    at: str = ""
    day: str = ""
    at_is: str = ""
    at_how: str = ""
    utc_offset: str = ""
    performed_by: str = ""
    office: str = ""
    recorded_by: str
    data: str = "{}"
    replaces: str = ""
    voids: str = ""
    why: str = ""
    batch: str = ""
    source: str = ""
    vocabulary: str = ""


class Head(NamedTuple):
    """The end of the log: it stands on every paper and backup, and tells later whether rows were cut off."""

    position: int
    hash: str

    def __str__(self) -> str:
        return f"{self.position}:{self.hash}"

    @property
    def short(self) -> str:
        """Returns the form for paper: enough of the hash that nobody finds another record that has it."""
        return f"{self.position}:{self.hash[:20]}"

    @classmethod
    def read(cls, text: str) -> Head:
        """Returns the head that a paper or a backup states, in full or shortened.

        Refuses: a text that is not POSITION:HASH, and fewer than 12 figures of the hash.

        Example:
            >>> Head.read("12:0123456789abcdef").position
            12
        """
        position, colon, digest = text.strip().partition(":")
        is_hash = 12 <= len(digest) <= 64 and not set(digest) - set("0123456789abcdef")
        if not (colon and position.isdecimal() and is_hash):
            raise Refused(
                f"{text!r} is not the head of a log; it is written 1234:0123456789abcdef0123, as on the paper"
            )
        return cls(int(position), digest)


def new_id() -> str:
    """Returns a fresh id: 12 letters and figures, drawn at random."""
    number = secrets.randbits(60)
    return "".join(_ALPHABET[(number >> shift) & 31] for shift in range(55, -5, -5))


def hash_of(values: Sequence[object], before: str) -> str:
    """Returns the hash of a row: over the hash before it and all its columns but the hash, in the order of the table."""
    text = _encode([before, *values])
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


@dataclass(slots=True)
class Pen:
    """The right to add rows, held by one writer at a time."""

    head: Head
    last_recorded_at: str
    added: list[Row] = field(default_factory=list)
    concerned: dict[str, None] = field(default_factory=dict)  # the things that the rows added are about, in order
    is_broken: bool = False

    def append(self, drafts: Iterable[Draft]) -> list[Row]:
        """Adds rows at the end of the log and returns them as they stand there."""
        recorded_at = self._recorded_at()
        rows: list[Row] = []
        position, digest = self.head
        for draft in drafts:
            position += 1
            values = (
                position, draft.id, draft.kind, draft.name, draft.thing, draft.at, draft.day, draft.at_is, draft.at_how,
                draft.utc_offset, recorded_at, draft.performed_by, draft.office, draft.recorded_by, draft.data,
                draft.replaces, draft.voids, draft.why, draft.batch, draft.source, draft.vocabulary,
            )  # fmt: skip
            _refuse_what_databases_differ_on(values)
            digest = hash_of(values, digest)
            rows.append(Row(*values, digest))
        insert(rows)
        self.head = Head(position, digest)
        if rows:
            self.last_recorded_at = recorded_at
        self.added += rows
        return rows

    def _recorded_at(self) -> str:
        now = clock.now()
        if self.last_recorded_at:
            last = canonical.read_instant(self.last_recorded_at)
            if timedelta() < last - now <= CLOCK_STEP:
                now = last
        return canonical.instant_text(now)


_pen: ContextVar[Pen | None] = ContextVar("pen", default=None)
_before_commit: list[Callable[[Pen], None]] = []


def before_commit(catch_up: Callable[[Pen], None]) -> Callable[[Pen], None]:
    """Names a function that is called with the pen before each transaction of the log is committed."""
    _before_commit.append(catch_up)
    return catch_up


@contextmanager
def writing() -> Iterator[Pen]:
    """Takes the lock for writing and keeps it until the rows are committed; inside another `writing()` it joins that.

    Refuses: to commit after something inside it failed, even where the failure was caught, since half of an action may
    have been added.
    """
    pen = _pen.get()
    if pen is not None:
        try:
            yield pen
        except BaseException:
            pen.is_broken = True
            raise
        return
    with transaction.atomic(durable=True):
        pen = _take_pen()
        mark = _pen.set(pen)
        try:
            yield pen
            if pen.is_broken:
                raise LedgerError("nothing was recorded: a part of it had failed")
            if pen.added:
                for catch_up in _before_commit:
                    catch_up(pen)
        finally:
            _pen.reset(mark)


def head() -> Head:
    """Returns the end of the log."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT position, hash FROM log ORDER BY position DESC LIMIT 1")
        found = cursor.fetchone()
    return Head(*found) if found else Head(0, BEGINNING)


def insert(rows: Sequence[Row]) -> None:
    """Puts rows into the table; only the pen and a restore call it."""
    if not rows:
        return
    columns = ", ".join(COLUMNS)
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            with cursor.copy(f"COPY log ({columns}) FROM STDIN") as copy:
                for row in rows:
                    copy.write_row(row)
        else:
            places = ", ".join(["%s"] * len(COLUMNS))
            cursor.executemany(f"INSERT INTO log ({columns}) VALUES ({places})", rows)


def select(where: str = "", values: Sequence[str | int] = (), order: str = "position") -> Iterator[Row]:
    """Yields rows of the log in order of position, without holding all of them.

    Args:
        where: SQL after WHERE, written in this package alone, its values as %s.
        values: the values.
        order: what they are ordered by.
    """
    text = f"SELECT {', '.join(COLUMNS)} FROM log" + (f" WHERE {where}" if where else "") + f" ORDER BY {order}"
    with connection.chunked_cursor() as cursor:
        cursor.execute(text, values)
        while chunk := cursor.fetchmany(2000):
            yield from map(Row._make, chunk)


def select_list(where: str, values: Sequence[str | int] = ()) -> list[Row]:
    """Returns the few rows of the log that meet a condition, in order of position."""
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {', '.join(COLUMNS)} FROM log WHERE {where} ORDER BY position", values)
        return [Row._make(row) for row in cursor.fetchall()]


def rows_named(ids: Iterable[str]) -> dict[str, Row]:
    """Returns rows by their ids."""
    found: dict[str, Row] = {}
    for chunk in chunks(list(ids)):
        places = ", ".join(["%s"] * len(chunk))
        found.update((row.id, row) for row in select_list(f"id IN ({places})", chunk))
    return found


def following(ids: Sequence[str]) -> list[Row]:
    """Returns the rows that replace or void rows of some ids, at most `AT_ONCE` of them."""
    places = ", ".join(["%s"] * len(ids))
    # Their indexes leave out empty texts, and are used only where the question does so too.
    where = f"(replaces <> '' AND replaces IN ({places})) OR (voids <> '' AND voids IN ({places}))"
    return select_list(where, [*ids, *ids])


def chunks(items: Sequence[str]) -> Iterator[Sequence[str]]:
    """Yields the items in runs short enough for one statement."""
    for start in range(0, len(items), AT_ONCE):
        yield items[start : start + AT_ONCE]


def _take_pen() -> Pen:
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [ADVISORY_LOCK])
        cursor.execute("SELECT position, hash, recorded_at FROM log ORDER BY position DESC LIMIT 1")
        found = cursor.fetchone()
    if found is None:
        return Pen(Head(0, BEGINNING), "")
    return Pen(Head(found[0], found[1]), found[2])


def _refuse_what_databases_differ_on(values: Sequence[object]) -> None:
    whole = "".join([value for value in values if isinstance(value, str)])
    if whole.isascii() and "\x00" not in whole:
        return
    for column, value in zip(COLUMNS, values, strict=False):
        if isinstance(value, str) and "\x00" in value:
            raise Refused(f"{column} holds a zero byte, which no text has; enter it again without")
        if isinstance(value, str):
            try:
                value.encode("utf-8")
            except UnicodeEncodeError:
                raise Refused(f"{column} holds half a character; enter it again") from None


def under(vocabulary: str, drafts: Iterable[Draft]) -> list[Draft]:
    """Returns drafts that carry the hash of the vocabulary under which they were checked."""
    return [replace(draft, vocabulary=vocabulary) for draft in drafts]
