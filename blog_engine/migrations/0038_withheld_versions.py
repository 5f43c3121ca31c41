"""Versions that were public can be withheld from the public history."""

from typing import ClassVar

import django.db.models.deletion
from django.db import migrations, models

from blog_engine.models.protection import RenewProtection


class Migration(migrations.Migration):
    dependencies: ClassVar = [("blog_engine", "0037_passkeys")]

    operations: ClassVar = [
        RenewProtection(),
        migrations.CreateModel(
            name="WithheldVersion",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("actor_kind", models.CharField(max_length=20, null=True)),
                ("actor_id", models.CharField(max_length=255, null=True)),
                ("identifier", models.CharField(max_length=64)),
                ("is_withheld", models.BooleanField()),
                ("reason", models.CharField(max_length=255)),
                ("actor", models.CharField(max_length=255)),
                ("created_at", models.DateTimeField(editable=False)),
                (
                    "post",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="withholdings",
                        to="blog_engine.post",
                    ),
                ),
            ],
            options={
                "verbose_name": "withheld version",
                "verbose_name_plural": "withheld versions",
                "ordering": ["id"],
                "abstract": False,
                "base_manager_name": "objects",
                "indexes": [models.Index(fields=["post", "identifier", "id"], name="blog_engine_withheld_last")],
            },
        ),
        RenewProtection(),
    ]
