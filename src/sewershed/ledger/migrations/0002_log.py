"""The log, made by SQL: the same columns on both databases, all text but the position, and never altered by Django."""

from __future__ import annotations

from typing import Any, ClassVar

from django.db import migrations

SQLITE = """
CREATE TABLE log (
    position INTEGER PRIMARY KEY NOT NULL CHECK (position > 0),
    {columns},
    CHECK (kind IN ('event', 'facts', 'void')),
    CHECK (at = '' OR day = '')
) STRICT
"""
POSTGRESQL = """
CREATE TABLE log (
    position BIGINT PRIMARY KEY CHECK (position > 0),
    {columns},
    CHECK (kind IN ('event', 'facts', 'void')),
    CHECK (at = '' OR day = '')
)
"""
TEXTS = (
    "id", "kind", "name", "thing", "at", "day", "at_is", "at_how", "utc_offset", "recorded_at", "performed_by",
    "office", "recorded_by", "data", "replaces", "voids", "why", "batch", "source", "vocabulary", "hash",
)  # fmt: skip
INDEXES = (
    "CREATE UNIQUE INDEX log_id ON log (id)",
    "CREATE INDEX log_thing ON log (thing)",
    "CREATE INDEX log_name ON log (kind, name)",
    "CREATE INDEX log_replaces ON log (replaces) WHERE replaces <> ''",
    "CREATE INDEX log_voids ON log (voids) WHERE voids <> ''",
    "CREATE INDEX log_performed_by ON log (performed_by) WHERE performed_by <> ''",
    "CREATE INDEX log_batch ON log (batch) WHERE batch <> ''",
)


def make_log(_apps: Any, schema_editor: Any) -> None:
    """Makes the table and its indexes."""
    is_sqlite = schema_editor.connection.vendor == "sqlite"
    kind = "TEXT NOT NULL" if is_sqlite else 'TEXT COLLATE "C" NOT NULL'
    columns = ",\n    ".join(f"{name} {kind}" for name in TEXTS)
    schema_editor.execute((SQLITE if is_sqlite else POSTGRESQL).format(columns=columns))
    for index in INDEXES:
        schema_editor.execute(index)


class Migration(migrations.Migration):
    """Makes the log."""

    dependencies: ClassVar[list[tuple[str, str]]] = [("ledger", "0001_tables")]
    operations: ClassVar[list[Any]] = [migrations.RunPython(make_log, migrations.RunPython.noop)]
