"""The numbers of public posts in lists, so that no page counts posts."""

from typing import Any, ClassVar

import django.db.models.deletion
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from blog_engine.models.locking import LockTables
from blog_engine.models.protection import RenewProtection

_PUBLIC = "published"
_BATCH = 500


def _count(apps: Any, schema_editor: BaseDatabaseSchemaEditor) -> None:
    alias = schema_editor.connection.alias
    list_count = apps.get_model("blog_engine", "ListCount")
    for kind in ("category", "tag", "series", "author"):
        rows = apps.get_model("blog_engine", kind).objects.using(alias).filter(posts__status=_PUBLIC)
        counted = rows.annotate(total=models.Count("posts")).order_by("pk").values_list("pk", "total")
        list_count.objects.using(alias).bulk_create(
            (list_count(**{f"{kind}_id": pk}, posts=total) for pk, total in counted), batch_size=_BATCH
        )


def _one_list(kind: str) -> models.OneToOneField[Any, Any]:
    return models.OneToOneField(
        null=True,
        on_delete=django.db.models.deletion.CASCADE,
        related_name="list_count",
        to=f"blog_engine.{kind}",
    )


class Migration(migrations.Migration):
    dependencies: ClassVar = [("blog_engine", "0012_content_version")]

    operations: ClassVar = [
        LockTables(),
        migrations.CreateModel(
            name="ListCount",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("posts", models.BigIntegerField()),
                ("author", _one_list("author")),
                ("category", _one_list("category")),
                ("series", _one_list("series")),
                ("tag", _one_list("tag")),
            ],
            options={
                "verbose_name": "number of posts",
                "verbose_name_plural": "numbers of posts",
                "base_manager_name": "objects",
                "indexes": [
                    models.Index(
                        condition=models.Q(("tag__isnull", False)),
                        fields=["-posts"],
                        name="blog_engine_list_count_tags",
                    )
                ],
            },
        ),
        migrations.RunPython(_count, migrations.RunPython.noop),
        RenewProtection(),
    ]
