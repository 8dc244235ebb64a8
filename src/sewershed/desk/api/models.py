"""Tokens, with which programs read and record in the name of an account."""

from __future__ import annotations

from typing import ClassVar

from django.db import models

from sewershed.ledger.models import Account


class Token(models.Model):
    """A token. Only the hash of its secret is kept, so that it is shown once, when it is made."""

    account = models.ForeignKey(Account, models.CASCADE)
    name = models.TextField()  # what it is for
    roles = models.TextField()  # words of rights.toml, with spaces between; those that its account still has count
    token_sha256 = models.CharField(max_length=64, unique=True)
    made_at = models.DateTimeField()
    used_on = models.TextField(default="")  # the last day on which it was used
    revoked_at = models.DateTimeField(null=True)
    objects: ClassVar[models.Manager[Token]] = models.Manager()

    class Meta:
        db_table = "api_token"
