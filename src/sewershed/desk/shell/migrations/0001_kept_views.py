"""Makes the table of kept views."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True
    dependencies = [migrations.swappable_dependency(settings.AUTH_USER_MODEL)]
    operations = [
        migrations.CreateModel(
            name="KeptView",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=60)),
                ("path", models.CharField(max_length=200)),
                ("query", models.TextField(blank=True, default="")),
                (
                    "account",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="kept_views", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "db_table": "kept_view",
                "ordering": ["path", "name"],
                "constraints": [models.UniqueConstraint(fields=("account", "path", "name"), name="kept_view_once")],
            },
        ),
    ]
