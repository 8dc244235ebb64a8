"""Addresses at which a calendar can be read without signing in: each its account's own, and revocable."""

from __future__ import annotations

from typing import ClassVar

from django.db import models

from sewershed.ledger.models import Account


class Feed(models.Model):
    """An account's calendar address. Only the hash of its secret part is kept, so that it is shown once, when it is made."""

    account = models.OneToOneField(Account, models.CASCADE)
    token_sha256 = models.CharField(max_length=64, unique=True)
    made_at = models.DateTimeField()
    objects: ClassVar[models.Manager[Feed]] = models.Manager()

    class Meta:
        db_table = "calendar_feed"
