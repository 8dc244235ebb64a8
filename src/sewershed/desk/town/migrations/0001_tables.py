"""The table of plans that were worked out for a large town."""

from typing import ClassVar

from django.db import migrations, models


class Migration(migrations.Migration):
    """Makes the table."""

    initial = True
    dependencies: ClassVar = []
    operations: ClassVar = [
        migrations.CreateModel(
            name="KeptPlan",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("supplement", models.TextField()),
                ("before", models.TextField()),
                ("content", models.TextField()),
                ("made_at", models.DateTimeField()),
            ],
            options={"db_table": "kept_plan"},
        ),
        migrations.AddConstraint(
            model_name="keptplan",
            constraint=models.UniqueConstraint(fields=("supplement", "before"), name="kept_plan_once"),
        ),
    ]
