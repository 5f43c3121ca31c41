"""Makes the table of upload tickets."""

from typing import ClassVar

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar = [
        ("blog_engine", "0022_proposal"),
    ]

    operations: ClassVar = [
        migrations.CreateModel(
            name="UploadTicket",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("secret_digest", models.CharField(max_length=64)),
                ("filename", models.CharField(max_length=255)),
                ("content_type", models.CharField(max_length=100)),
                ("byte_size", models.BigIntegerField()),
                ("sha256", models.CharField(max_length=64, null=True)),
                ("actor_name", models.CharField(max_length=255)),
                ("actor_id", models.TextField()),
                ("attempts", models.IntegerField(default=0)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ("expires_at", models.DateTimeField(db_index=True)),
                (
                    "image",
                    models.ForeignKey(
                        null=True, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="blog_engine.image"
                    ),
                ),
            ],
            options={
                "verbose_name": "upload ticket",
                "verbose_name_plural": "upload tickets",
                "ordering": ["id"],
                "base_manager_name": "objects",
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("byte_size__gte", 1)), name="blog_engine_upload_ticket_size"
                    )
                ],
            },
        ),
    ]
