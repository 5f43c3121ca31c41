"""Indexes from which the lists of the desk read what they filter by, without the rows and their texts."""

from typing import ClassVar

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar = [("blog_engine", "0018_embedded_images")]

    operations: ClassVar = [
        migrations.AddIndex(
            model_name="post",
            index=models.Index(
                fields=["category", "-created_at", "-id", "author", "status"], name="blog_engine_post_of_category"
            ),
        ),
        migrations.AddIndex(
            model_name="post",
            index=models.Index(
                fields=["author", "-created_at", "-id", "category", "status"], name="blog_engine_post_of_author"
            ),
        ),
    ]
