"""The log can be asked who entered what, and when, without reading the whole of it."""

from __future__ import annotations

from typing import Any, ClassVar

from django.db import migrations

INDEXES = {
    "log_recorded_by": "CREATE INDEX log_recorded_by ON log (recorded_by, position)",
    "log_recorded_at": "CREATE INDEX log_recorded_at ON log (recorded_at, position)",
}


class Migration(migrations.Migration):
    """Makes the indexes, on either database."""

    dependencies: ClassVar[list[tuple[str, str]]] = [("ledger", "0003_places_of_rules")]
    operations: ClassVar[list[Any]] = [
        migrations.RunSQL(text, f"DROP INDEX {name}") for name, text in INDEXES.items()
    ]
