"""Finds the images of the blog in the bodies of posts.

A process of the previous version writes no such rows: ``render_posts`` adds them.
"""

from itertools import islice
from typing import Any, ClassVar

import django.db.models.deletion
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from blog_engine.models.locking import LockTables

_BATCH = 500


def _find(apps: Any, schema_editor: BaseDatabaseSchemaEditor) -> None:
    alias = schema_editor.connection.alias
    posts, images, rows = (
        apps.get_model("blog_engine", name).objects.using(alias) for name in ("Post", "Image", "EmbeddedImage")
    )
    with_images = posts.order_by("pk").exclude(body_image_manifest=[]).values_list("pk", "body_image_manifest")
    found = with_images.iterator(chunk_size=_BATCH)
    while batch := list(islice(found, _BATCH)):
        digests = {pk: {entry["sha256"] for entry in manifest if entry["sha256"]} for pk, manifest in batch}
        known = dict(images.filter(sha256__in=set().union(*digests.values())).values_list("sha256", "pk"))
        rows.bulk_create(
            rows.model(post_id=pk, image_id=image_id)
            for pk, wanted in digests.items()
            for image_id in sorted(known[digest] for digest in wanted if digest in known)
        )


class Migration(migrations.Migration):
    dependencies: ClassVar = [("blog_engine", "0017_posts_to_review")]

    operations: ClassVar = [
        LockTables(mode="SHARE ROW EXCLUSIVE"),
        migrations.CreateModel(
            name="EmbeddedImage",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "image",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="in_bodies",
                        to="blog_engine.image",
                    ),
                ),
                (
                    "post",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="body_images",
                        to="blog_engine.post",
                    ),
                ),
            ],
            options={
                "verbose_name": "image in a body",
                "verbose_name_plural": "images in bodies",
                "ordering": ["id"],
                "base_manager_name": "objects",
                "constraints": [
                    models.UniqueConstraint(fields=("post", "image"), name="blog_engine_embedded_image_once")
                ],
            },
        ),
        migrations.RunPython(_find, migrations.RunPython.noop),
    ]
