"""Indexes that have everything that the sitemap reads of posts."""

from typing import ClassVar

from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies: ClassVar = [("blog_engine", "0044_own_findings")]

    operations: ClassVar = [
        migrations.AddIndex(
            model_name="post",
            index=models.Index(
                fields=[
                    *("updated_at", "modified_at", "id", "status", "noindex", "expires_at", "slug", "translation_group")
                ],
                condition=Q(canonical_url__isnull=True, public_revision__isnull=False),
                name="blog_engine_post_in_sitemap",
            ),
        ),
        migrations.AddIndex(
            model_name="post",
            index=models.Index(
                fields=["updated_at"],
                condition=Q(canonical_url__isnull=False, public_revision__isnull=False),
                name="blog_engine_post_claimed",
            ),
        ),
    ]
