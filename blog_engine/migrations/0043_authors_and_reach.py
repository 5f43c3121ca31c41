"""Further authors of posts, handles of authors, and posts that expire or that search engines leave out."""

from typing import ClassVar

import django.db.models.deletion
from django.db import migrations, models

from blog_engine.models.protection import RenewProtection


class Migration(migrations.Migration):
    dependencies: ClassVar = [("blog_engine", "0042_shared_copies")]

    operations: ClassVar = [
        RenewProtection(),
        migrations.AddField(
            model_name="author",
            name="fediverse",
            field=models.CharField(
                blank=True,
                db_default="",
                default="",
                help_text="The handle, such as @name@example.social.",
                max_length=255,
            ),
        ),
        migrations.AddField(
            model_name="listcount",
            name="coauthored",
            field=models.BigIntegerField(db_default=0, default=0),
        ),
        migrations.AddField(
            model_name="post",
            name="coauthor_ids",
            field=models.JSONField(db_default=models.Value([], models.JSONField()), default=list),
        ),
        migrations.AddField(
            model_name="post",
            name="coauthor_names",
            field=models.TextField(
                db_default="", default="", help_text="The names of the further authors, one on each line."
            ),
        ),
        migrations.AddField(model_name="post", name="expires_at", field=models.DateTimeField(null=True)),
        migrations.AddField(
            model_name="post", name="noindex", field=models.BooleanField(db_default=False, default=False)
        ),
        migrations.AddIndex(
            model_name="post",
            index=models.Index(
                condition=models.Q(("expires_at__isnull", False), ("status", "published")),
                fields=["expires_at", "id"],
                name="blog_engine_post_expiring",
            ),
        ),
        migrations.CreateModel(
            name="Coauthor",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "author",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="coauthorships",
                        to="blog_engine.author",
                    ),
                ),
                (
                    "post",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="coauthorships",
                        to="blog_engine.post",
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
                "abstract": False,
                "base_manager_name": "objects",
                "constraints": [models.UniqueConstraint(fields=("post", "author"), name="blog_engine_coauthor_once")],
            },
        ),
        RenewProtection(),
    ]
