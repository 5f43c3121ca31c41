"""Managers that choose the database to read; no table changes."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [
        ("blog_engine", "0010_fill_search_index"),
    ]

    operations = [
        migrations.AlterModelOptions(
            name="apitoken",
            options={
                "base_manager_name": "objects",
                "ordering": ["id"],
                "verbose_name": "API token",
                "verbose_name_plural": "API tokens",
            },
        ),
        migrations.AlterModelOptions(
            name="author",
            options={
                "base_manager_name": "objects",
                "ordering": ["id"],
                "verbose_name": "author",
                "verbose_name_plural": "authors",
            },
        ),
        migrations.AlterModelOptions(
            name="category",
            options={
                "base_manager_name": "objects",
                "ordering": ["id"],
                "verbose_name": "category",
                "verbose_name_plural": "categories",
            },
        ),
        migrations.AlterModelOptions(
            name="historypermit",
            options={"base_manager_name": "objects"},
        ),
        migrations.AlterModelOptions(
            name="pageview",
            options={
                "base_manager_name": "objects",
                "ordering": ["day", "id"],
                "verbose_name": "page view total",
                "verbose_name_plural": "page view totals",
            },
        ),
        migrations.AlterModelOptions(
            name="policypage",
            options={
                "base_manager_name": "objects",
                "ordering": ["id"],
                "verbose_name": "policy page",
                "verbose_name_plural": "policy pages",
            },
        ),
        migrations.AlterModelOptions(
            name="posttag",
            options={"base_manager_name": "objects", "ordering": ["id"]},
        ),
        migrations.AlterModelOptions(
            name="redirect",
            options={
                "base_manager_name": "objects",
                "ordering": ["id"],
                "verbose_name": "redirect",
                "verbose_name_plural": "redirects",
            },
        ),
        migrations.AlterModelOptions(
            name="searchentry",
            options={
                "base_manager_name": "objects",
                "verbose_name": "search entry",
                "verbose_name_plural": "search entries",
            },
        ),
        migrations.AlterModelOptions(
            name="searchword",
            options={
                "base_manager_name": "objects",
                "verbose_name": "search word",
                "verbose_name_plural": "search words",
            },
        ),
        migrations.AlterModelOptions(
            name="series",
            options={
                "base_manager_name": "objects",
                "ordering": ["id"],
                "verbose_name": "series",
                "verbose_name_plural": "series",
            },
        ),
        migrations.AlterModelOptions(
            name="tag",
            options={
                "base_manager_name": "objects",
                "ordering": ["id"],
                "verbose_name": "tag",
                "verbose_name_plural": "tags",
            },
        ),
    ]
