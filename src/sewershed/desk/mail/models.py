"""Who wants no digest, and what was mailed to whom."""

from __future__ import annotations

from typing import ClassVar

from django.db import models

from sewershed.ledger.models import Account

WAITING, MARKED, SENT, NOTHING, FAILED, UNKNOWN = "waiting", "marked", "sent", "nothing", "failed", "unknown"


class NoDigest(models.Model):
    """An account that wants no digest."""

    account = models.OneToOneField(Account, models.CASCADE, primary_key=True)
    objects: ClassVar[models.Manager[NoDigest]] = models.Manager()

    class Meta:
        db_table = "no_digest"


class Mailing(models.Model):
    """The digest of an account on a day. It is marked before it is handed over, so that it never goes twice by itself."""

    account = models.ForeignKey(Account, models.CASCADE)
    day = models.TextField()
    state = models.TextField()  # waiting, marked, sent, nothing (was due), failed, unknown (whether it went)
    address = models.TextField(default="")
    said = models.TextField(default="")
    changed_at = models.DateTimeField()
    objects: ClassVar[models.Manager[Mailing]] = models.Manager()

    class Meta:
        db_table = "mailing"
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["account", "day"], name="mailing_once"),
        ]
