"""Makes the tables of versions of drafts and of removed drafts."""

from typing import ClassVar

import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar = [("blog_engine", "0028_proposed_revisions")]

    operations: ClassVar = [
        migrations.CreateModel(
            name="RemovedDraft",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("post", models.BigIntegerField(unique=True)),
                ("title", models.CharField(max_length=255)),
                ("excerpt", models.TextField(default="")),
                ("fields", models.JSONField()),
                ("actor", models.CharField(max_length=255, null=True)),
                ("actor_kind", models.CharField(max_length=20, null=True)),
                ("removed_at", models.DateTimeField(db_index=True, default=django.utils.timezone.now)),
            ],
            options={
                "verbose_name": "removed draft",
                "verbose_name_plural": "removed drafts",
                "ordering": ["id"],
                "abstract": False,
                "base_manager_name": "objects",
            },
        ),
        migrations.CreateModel(
            name="DraftVersion",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("post", models.BigIntegerField()),
                ("slot", models.CharField(max_length=80)),
                ("identifier", models.CharField(max_length=64)),
                ("payload", models.TextField()),
                (
                    "body_format",
                    models.CharField(choices=[("markdown", "markdown"), ("rich_text", "rich text")], max_length=20),
                ),
                ("actor", models.CharField(max_length=255, null=True)),
                ("actor_kind", models.CharField(max_length=20, null=True)),
                ("made_by_ai", models.BooleanField(null=True)),
                ("saved_at", models.DateTimeField()),
                ("is_listed", models.BooleanField(db_default=True, default=True)),
            ],
            options={
                "verbose_name": "version of a draft",
                "verbose_name_plural": "versions of drafts",
                "ordering": ["id"],
                "abstract": False,
                "base_manager_name": "objects",
                "indexes": [
                    models.Index(fields=["post", "-saved_at", "-id"], name="blog_engine_version_newest"),
                    models.Index(fields=["saved_at"], name="blog_engine_version_by_time"),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("post", "slot"), name="blog_engine_draft_version_slot")
                ],
            },
        ),
    ]
