"""Lists on their way into the record, with the plan as it was read. What was brought in is said by the log alone."""

from __future__ import annotations

from typing import ClassVar

from django.db import models

from sewershed.ledger import log
from sewershed.ledger.models import Account


class Arrival(models.Model):
    """A list that somebody brought and that is not in the record yet: its file, how it is taken, its plan."""

    id = models.TextField(primary_key=True, default=log.new_id)
    account = models.ForeignKey(Account, models.CASCADE)  # who brought it
    file = models.TextField()  # sha256: the file is kept
    name = models.TextField()  # as it came
    size_bytes = models.BigIntegerField()
    came_at = models.DateTimeField()
    recipe = models.TextField(default="")  # how it is taken (ledger/importing.py)
    plan = models.TextField(default="")  # the hash of the plan that is kept
    head = models.TextField(default="")  # of the log, when that was made
    counts = models.TextField(default="{}")  # of the kept plan, by what a line would do; and what looks unlikely in it
    batch = models.TextField(default="")  # as which it was brought in
    objects: ClassVar[models.Manager[Arrival]] = models.Manager()

    class Meta:
        db_table = "arrival"


class PlannedLine(models.Model):
    """What one line of a list would do."""

    arrival = models.ForeignKey(Arrival, models.CASCADE, related_name="lines")
    number = models.IntegerField()  # in the file
    what = models.TextField()  # begin, change, event, same, refused
    content = models.TextField()  # what it says, canonical
    objects: ClassVar[models.Manager[PlannedLine]] = models.Manager()

    class Meta:
        db_table = "planned_line"
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["arrival", "what", "number"], name="planned_line_what"),
            models.Index(fields=["arrival", "number"], name="planned_line_number"),
        ]
