"""The plans of adopting that were worked out for a large town, kept so that somebody can read them in peace."""

from __future__ import annotations

from typing import ClassVar

from django.db import models


class KeptPlan(models.Model):
    """What adopting a supplement would change, as it was worked out at one end of the log. It is read, then approved by its hash."""

    supplement = models.TextField()
    before = models.TextField()  # the supplement that it would follow
    content = models.TextField()  # head, entries, consequences, unreadable rows: canonical
    made_at = models.DateTimeField()
    objects: ClassVar[models.Manager[KeptPlan]] = models.Manager()

    class Meta:
        db_table = "kept_plan"
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["supplement", "before"], name="kept_plan_once"),
        ]
