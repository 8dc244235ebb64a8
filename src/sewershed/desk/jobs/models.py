"""Jobs as people see them, and the lists that they make. Which waits and which runs is said by django-tasks' own table."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django_tasks_db.models import DBTaskResult

from sewershed.ledger.models import Account


class Job(models.Model):
    """A job as people see it: what is worked at, for whom, how far it is, what came of it."""

    task = models.OneToOneField(DBTaskResult, models.CASCADE, primary_key=True, related_name="job")
    title = models.TextField()
    account = models.ForeignKey(Account, models.CASCADE, null=True)  # who asked for it; nobody: the town's own
    wanted = models.TextField()  # what is wanted, so that nobody asks for the same twice while it is under way
    asked_at = models.DateTimeField()
    done = models.BigIntegerField(default=0)
    total = models.BigIntegerField(default=0)
    said = models.TextField(default="")
    url = models.TextField(default="")  # where its result lies
    text = models.TextField(default="")  # what that link says
    is_unknown = models.BooleanField(default=False)  # it ended, and whether it did what it should is not known
    is_stopped = models.BooleanField(default=False)  # somebody wants it to stop
    objects: ClassVar[models.Manager[Job]] = models.Manager()

    class Meta:
        db_table = "job"
        indexes: ClassVar[list[models.Index]] = [models.Index(fields=["wanted"], name="job_wanted")]


class KeptList(models.Model):
    """What was due over the town on another day, kept so that it is worked out once."""

    head = models.TextField()  # of the log from which it was worked out
    as_of = models.DateTimeField()
    known_at = models.DateTimeField(null=True)
    sees = models.TextField()  # the programs that whoever asked may see
    version = models.TextField()  # of the program that worked it out
    made_at = models.DateTimeField()
    objects: ClassVar[models.Manager[KeptList]] = models.Manager()

    class Meta:
        db_table = "kept_list"


class KeptLine(models.Model):
    """A line of a kept list, in its place."""

    list = models.ForeignKey(KeptList, models.CASCADE)
    place = models.IntegerField()
    program = models.TextField()
    persons = models.TextField()  # ids, a blank before and after each
    rule = models.TextField()
    content = models.TextField()  # the line whole, canonical
    objects: ClassVar[models.Manager[KeptLine]] = models.Manager()

    class Meta:
        db_table = "kept_line"
        indexes: ClassVar[list[models.Index]] = [models.Index(fields=["list", "place"], name="kept_line_place")]
