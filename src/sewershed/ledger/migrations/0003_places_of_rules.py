"""What is stored of each thing is worked out again, since where a rule stands in the law now counts among equals."""

from __future__ import annotations

from typing import Any, ClassVar

from django.db import migrations


def mark_all_stale(apps: Any, _schema_editor: Any) -> None:
    """Marks what is stored of every thing as no longer holding: it is worked out when somebody reads it."""
    apps.get_model("ledger", "Thing").objects.update(is_stale=True)


class Migration(migrations.Migration):
    """Has every thing worked out again."""

    dependencies: ClassVar[list[tuple[str, str]]] = [("ledger", "0002_log")]
    operations: ClassVar[list[Any]] = [migrations.RunPython(mark_all_stale, migrations.RunPython.noop)]
