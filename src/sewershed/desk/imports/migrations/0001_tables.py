"""The tables of lists on their way into the record."""

from typing import ClassVar

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import sewershed.ledger.log


class Migration(migrations.Migration):
    """Makes the tables."""

    initial = True
    dependencies: ClassVar = [("ledger", "0003_places_of_rules")]
    operations: ClassVar = [
        migrations.CreateModel(
            name="Arrival",
            fields=[
                ("id", models.TextField(default=sewershed.ledger.log.new_id, primary_key=True, serialize=False)),
                ("file", models.TextField()),
                ("name", models.TextField()),
                ("size_bytes", models.BigIntegerField()),
                ("came_at", models.DateTimeField()),
                ("recipe", models.TextField(default="")),
                ("plan", models.TextField(default="")),
                ("head", models.TextField(default="")),
                ("counts", models.TextField(default="{}")),
                ("batch", models.TextField(default="")),
                (
                    "account",
                    models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, to=settings.AUTH_USER_MODEL),
                ),
            ],
            options={"db_table": "arrival"},
        ),
        migrations.CreateModel(
            name="PlannedLine",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.IntegerField()),
                ("what", models.TextField()),
                ("content", models.TextField()),
                (
                    "arrival",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="lines", to="imports.arrival"
                    ),
                ),
            ],
            options={"db_table": "planned_line"},
        ),
        migrations.AddIndex(
            model_name="plannedline",
            index=models.Index(fields=["arrival", "what", "number"], name="planned_line_what"),
        ),
        migrations.AddIndex(
            model_name="plannedline",
            index=models.Index(fields=["arrival", "number"], name="planned_line_number"),
        ),
    ]
