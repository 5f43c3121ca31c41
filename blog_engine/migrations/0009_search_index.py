"""The search index in ordinary tables, in place of PostgreSQL's full-text column.

A blog with posts keeps the column, which PostgreSQL computes: processes of the previous version go on searching it. The
release after the next one drops it, if it is there.
"""

from importlib import import_module
from typing import Any, ClassVar

import django.db.models.deletion
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

_vector = import_module("blog_engine.migrations.0003_search_vector")


def _drop_unused(apps: Any, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Drop the column of a blog without posts, where no previous version can be in use."""
    connection = schema_editor.connection
    if connection.vendor == "postgresql" and _is_empty(apps, connection.alias):
        schema_editor.execute(_vector._DROP_COLUMN)


def _is_empty(apps: Any, alias: str) -> bool:
    return not apps.get_model("blog_engine", "Post").objects.using(alias).exists()


def _add(apps: Any, schema_editor: BaseDatabaseSchemaEditor) -> None:
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(_vector._ADD_COLUMN.replace("ADD COLUMN", "ADD COLUMN IF NOT EXISTS"), params=None)
        schema_editor.execute(_vector._ADD_INDEX.replace("CREATE INDEX", "CREATE INDEX IF NOT EXISTS"))


class Migration(migrations.Migration):
    dependencies: ClassVar = [("blog_engine", "0008_history_cannot_be_forged")]

    operations: ClassVar = [
        migrations.RunPython(_drop_unused, _add),
        migrations.CreateModel(
            name="SearchWord",
            fields=[
                (
                    "key",
                    models.BigIntegerField(help_text="A digest of the word.", primary_key=True, serialize=False),
                ),
                ("word", models.CharField(db_index=True, max_length=40)),
                ("stem", models.CharField(db_index=True, max_length=40)),
                ("tail", models.CharField(db_index=True, help_text="The stem read backwards.", max_length=40)),
            ],
            options={"verbose_name": "search word", "verbose_name_plural": "search words"},
        ),
        migrations.AddField(
            model_name="post",
            name="indexed_with",
            field=models.CharField(help_text="The version of the search index.", max_length=16, null=True),
        ),
        migrations.AddField(
            model_name="post",
            name="search_text",
            field=models.TextField(null=True, help_text="The start of the text, for snippets of search results."),
        ),
        migrations.CreateModel(
            name="SearchEntry",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "word", "rank", "post_id", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("word", models.BigIntegerField()),
                (
                    "post",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="search_entries",
                        to="blog_engine.post",
                    ),
                ),
                (
                    "rank",
                    models.SmallIntegerField(help_text="Where the word occurs: title 8, description 4, FAQ 2, body 1."),
                ),
            ],
            options={"verbose_name": "search entry", "verbose_name_plural": "search entries"},
        ),
    ]
