"""The search index in ordinary tables, in place of PostgreSQL's full-text column."""

from importlib import import_module
from typing import ClassVar

import django.db.models.deletion
from django.db import migrations, models

from blog_engine.migrations._vendor import RunPostgreSQL

_vector = import_module("blog_engine.migrations.0003_search_vector")


class Migration(migrations.Migration):
    dependencies: ClassVar = [("blog_engine", "0008_history_cannot_be_forged")]

    operations: ClassVar = [
        RunPostgreSQL([_vector._DROP_COLUMN], reverse_sql=[_vector._ADD_COLUMN, _vector._ADD_INDEX]),
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
