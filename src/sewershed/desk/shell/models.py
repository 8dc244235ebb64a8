"""Views that somebody keeps: a list as it was narrowed and ordered, under a name of one's own."""

from __future__ import annotations

from typing import ClassVar

from django.db import models

from sewershed.ledger.models import Account

LONGEST_NAME = 60  # signs


class KeptView(models.Model):
    """A list as an address shows it. It is the account's own: nothing of the town's record, and no right to what it shows."""

    account = models.ForeignKey(Account, models.CASCADE, related_name="kept_views")
    name = models.CharField(max_length=LONGEST_NAME)
    path = models.CharField(max_length=200)
    query = models.TextField(default="", blank=True)
    objects: ClassVar[models.Manager[KeptView]] = models.Manager()

    class Meta:
        db_table = "kept_view"
        ordering: ClassVar[list[str]] = ["path", "name"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["account", "path", "name"], name="kept_view_once"),
        ]

    @property
    def address(self) -> str:
        """Returns where the view is shown."""
        return f"{self.path}?{self.query}" if self.query else self.path
