"""The tables: the log, which Django only reads; what follows from it, which can be built anew; accounts, which stand apart.

No rule is decided here. Every text that is absent is an empty string, never null, so that there is one way to say
nothing and the two databases hash alike.
"""

from __future__ import annotations

from typing import ClassVar

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.db import models


class LogRow(models.Model):
    """One row of the append-only log, made by SQL and guarded by triggers (docs/explanation/the-record.md)."""

    position = models.BigIntegerField(primary_key=True)
    id = models.TextField(unique=True)
    kind = models.TextField()  # event, facts, void
    name = models.TextField()  # which event; of a facts row, the type of its thing
    thing = models.TextField()
    at = models.TextField()  # an instant, UTC; or
    day = models.TextField()  # only the day is known; or neither
    at_is = models.TextField()  # exact, about, estimated
    at_how = models.TextField()  # how it was estimated
    utc_offset = models.TextField()  # as entered
    recorded_at = models.TextField()  # the writer's clock
    performed_by = models.TextField()  # the person who did it
    office = models.TextField()  # in which office of the law
    recorded_by = models.TextField()  # the account that entered it
    data = models.TextField()  # canonical JSON
    replaces = models.TextField()
    voids = models.TextField()
    why = models.TextField()
    batch = models.TextField()
    source = models.TextField()  # form, telephone offline, paper sheet, import row, command
    vocabulary = models.TextField()  # hash of the vocabulary it was checked against
    hash = models.TextField()

    class Meta:
        managed = False
        db_table = "log"


class AccountManager(BaseUserManager["Account"]):
    """Finds accounts by name."""

    def get_by_natural_key(self, username: str | None) -> Account:
        """Returns the account of that name."""
        return self.get(name=username)


class Account(AbstractBaseUser):
    """Who may sign in or act from the command; it belongs to one person and has one set of roles (docs/explanation/the-record.md).

    An account is closed, never deleted, and its name is not given again: the log names it.
    """

    name = models.CharField(max_length=60, unique=True)
    person = models.TextField(blank=True, default="")  # the thing `person` it belongs to
    roles = models.TextField(blank=True, default="")  # words of rights.toml, with spaces between
    is_active = models.BooleanField(default=True)
    made_at = models.DateTimeField()

    USERNAME_FIELD = "name"
    REQUIRED_FIELDS: ClassVar[list[str]] = []
    objects = AccountManager()

    class Meta:
        db_table = "account"

    def role_set(self) -> frozenset[str]:
        """Returns its roles."""
        return frozenset(self.roles.split())


class Thing(models.Model):
    """A thing of the record, as its rows make it, and how far what follows from them has been worked out."""

    id = models.TextField(primary_key=True)
    type = models.TextField()
    label = models.TextField(default="")
    number = models.TextField(default="")  # of its series
    source_id = models.TextField(default="")  # its id in the files it is imported from
    began = models.BigIntegerField()  # position of its first row
    last_row = models.BigIntegerField()  # position of its latest row
    retired_on = models.TextField(default="")
    joined_into = models.TextField(default="")
    is_gone = models.BooleanField(default=False)  # all its rows are void
    next_change_at = models.DateTimeField(null=True)
    computed_at = models.DateTimeField(null=True)
    is_stale = models.BooleanField(default=True)

    class Meta:
        db_table = "thing"
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["type", "label"], name="thing_type_label"),
            models.Index(fields=["type", "source_id"], name="thing_source"),
            models.Index(fields=["next_change_at"], name="thing_next_change"),
            models.Index(fields=["computed_at"], name="thing_computed"),
            models.Index(fields=["is_stale"], condition=models.Q(is_stale=True), name="thing_stale"),
        ]


class Alias(models.Model):
    """Another name by which a thing is known."""

    thing = models.TextField()
    text = models.TextField()

    class Meta:
        db_table = "alias"
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["text"], name="alias_text"),
            models.Index(fields=["thing"], name="alias_thing"),
        ]


class EventKey(models.Model):
    """An event that came from a file, by the id it has there."""

    event = models.TextField()
    source_id = models.TextField()
    row = models.TextField()  # its root

    class Meta:
        db_table = "event_key"
        indexes: ClassVar[list[models.Index]] = [models.Index(fields=["event", "source_id"], name="event_key_source")]


class Ref(models.Model):
    """A fact of a thing has at some time pointed at another thing."""

    thing = models.TextField()
    type = models.TextField()
    fact = models.TextField()
    to = models.TextField()

    class Meta:
        db_table = "ref"
        indexes: ClassVar[list[models.Index]] = [models.Index(fields=["thing"], name="ref_thing")]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["to", "type", "fact", "thing"], name="ref_once"),
        ]


class Moved(models.Model):
    """A row about another thing that belongs to a chain of corrections in which this thing was named."""

    thing = models.TextField()
    row = models.TextField()  # the id of the row

    class Meta:
        db_table = "moved"
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["thing", "row"], name="moved_once"),
        ]


class Reader(models.Model):
    """What follows from the record of one thing was worked out by reading another."""

    thing = models.TextField()  # the thing read
    reader = models.TextField()

    class Meta:
        db_table = "reader"
        indexes: ClassVar[list[models.Index]] = [models.Index(fields=["reader"], name="reader_reader")]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["thing", "reader"], name="reader_once"),
        ]


class Obligation(models.Model):
    """What somebody owes or owed. Due and overdue are read from `due_by`, never stored (docs/explanation/the-record.md)."""

    key = models.TextField(primary_key=True)
    rule = models.TextField()
    thing = models.TextField()
    program = models.TextField()
    office = models.TextField()  # who must do it
    to = models.TextField()  # toward whom
    person = models.TextField()  # whom the thing itself names for the office; empty: the holders of the office
    state = models.TextField()
    due_by = models.DateTimeField(null=True)  # the last lawful instant, UTC
    due_is_day = models.BooleanField()
    is_at_once = models.BooleanField()
    locality = models.IntegerField()  # where its rule stands in the law, the town's own book first
    missed_from = models.DateTimeField(null=True)  # from then on it can no longer be done
    opened_by = models.TextField()
    met_by = models.TextField()
    asks = models.TextField()
    doubts = models.TextField()
    readings = models.TextField()
    notes = models.TextField()
    more = models.TextField()  # what else the engine said of it, canonical

    class Meta:
        db_table = "obligation"
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["thing"], name="obligation_thing"),
            models.Index(fields=["state", "due_by", "locality", "rule", "thing"], name="obligation_urgency"),
            models.Index(fields=["rule", "state", "thing"], name="obligation_rule"),
            models.Index(fields=["program", "state", "due_by"], name="obligation_program"),
            models.Index(fields=["office", "state", "due_by"], name="obligation_office"),
            models.Index(fields=["person", "state", "due_by"], name="obligation_person"),
        ]


class Finding(models.Model):
    """What an act, a standard, a limit or a status says of an event or a thing."""

    key = models.TextField(primary_key=True)
    rule = models.TextField()
    kind = models.TextField()
    thing = models.TextField()
    program = models.TextField()
    event = models.TextField()
    outcome = models.TextField()
    day = models.TextField()
    is_void = models.BooleanField()
    asks = models.TextField()
    doubts = models.TextField()
    readings = models.TextField()
    notes = models.TextField()
    more = models.TextField()

    class Meta:
        db_table = "finding"
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["thing"], name="finding_thing"),
            models.Index(fields=["outcome", "program"], name="finding_outcome"),
        ]


class CurrentFact(models.Model):
    """A fact of a thing as it stands, recorded or derived, in columns that can be filtered and sorted."""

    thing = models.TextField()
    type = models.TextField()
    name = models.TextField()
    text = models.TextField(default="")  # the value in full, canonical
    number = models.DecimalField(max_digits=30, decimal_places=9, null=True)
    day = models.TextField(default="")
    ref = models.TextField(default="")
    from_day = models.TextField(default="")
    row = models.TextField(default="")  # the row that says so; empty for a derived fact

    class Meta:
        db_table = "current_fact"
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["type", "name", "text"], name="fact_text"),
            models.Index(fields=["type", "name", "number"], name="fact_number"),
            models.Index(fields=["type", "name", "day"], name="fact_day"),
            models.Index(fields=["ref"], name="fact_ref"),
        ]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["thing", "name"], name="fact_once"),
        ]


class Series(models.Model):
    """How far a series of numbers has been given out in a year; numbers are never given again."""

    name = models.TextField()
    year = models.IntegerField()
    last = models.IntegerField()

    class Meta:
        db_table = "series"
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["name", "year"], name="series_once"),
        ]


class Batch(models.Model):
    """An import or a joining: rows that were entered together and can be undone together."""

    id = models.TextField(primary_key=True)
    kind = models.TextField()
    note = models.TextField(default="")
    file = models.TextField(default="")  # sha256 of the file it came from, kept in files/
    plan = models.TextField(default="")  # hash of the plan that was approved
    counts = models.TextField(default="{}")
    applied_at = models.TextField(default="")
    undone_at = models.TextField(default="")

    class Meta:
        db_table = "batch"


class Heartbeat(models.Model):
    """When the worker last gave a sign of life; one row a town, so one worker a town."""

    id = models.IntegerField(primary_key=True)  # always 1
    worker = models.TextField()
    beat_at = models.DateTimeField()
    ticked_to = models.DateTimeField(null=True)  # what follows from the record has been worked out up to here

    class Meta:
        db_table = "heartbeat"


TABLES = (
    Thing,
    Alias,
    EventKey,
    Ref,
    Moved,
    Reader,
    Obligation,
    Finding,
    CurrentFact,
    Series,
    Batch,
)  # what the log gives again
