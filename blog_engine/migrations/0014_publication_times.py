"""An index of the times of publications, to find the next one that pages do not show yet (page-cache.life)."""

from typing import ClassVar

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar = [("blog_engine", "0013_list_counts")]

    operations: ClassVar = [
        migrations.AddIndex(
            model_name="publication",
            index=models.Index(fields=["occurred_at"], name="blog_engine_publication_next"),
        ),
    ]
