"""The ledger as a Django app: its guards are made again after each migration."""

from __future__ import annotations

from typing import Any

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class LedgerConfig(AppConfig):
    """The record of a town."""

    name = "sewershed.ledger"
    label = "ledger"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Sees to it that the guards stand after each migration."""
        post_migrate.connect(_make_guards, sender=self)


def _make_guards(**_: Any) -> None:
    from django.db import connection

    from sewershed.ledger import guards

    if "log" in connection.introspection.table_names():
        guards.make()
