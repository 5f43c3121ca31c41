"""Makes the table of answers that are given again when a call is repeated with its ``Idempotency-Key``."""

from typing import ClassVar

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar = [
        ("blog_engine", "0040_house_style"),
    ]

    operations: ClassVar = [
        migrations.CreateModel(
            name="IdempotencyKey",
            fields=[
                ("digest", models.CharField(max_length=64, primary_key=True, serialize=False)),
                ("actor_id", models.TextField()),
                ("request", models.CharField(max_length=64)),
                ("status", models.PositiveSmallIntegerField()),
                ("etag", models.CharField(default="", max_length=40)),
                ("answer", models.BinaryField(null=True)),
                ("created_at", models.DateTimeField(db_index=True)),
            ],
            options={
                "verbose_name": "idempotency key",
                "verbose_name_plural": "idempotency keys",
                "ordering": ["created_at"],
                "base_manager_name": "objects",
            },
        ),
    ]
