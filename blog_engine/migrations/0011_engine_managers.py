"""Managers that choose the database to read, and the permanent ids of posts in feeds (host.upgrade.feed-ids).

Posts that were ever public get an id from the host of ``public_base_url`` and the day of their first publication.
Without that setting the column stays empty, because the host is unknown. ``render_posts``, or the next write to a public
post, fills it, and until then feeds show the id that it would get.

No table changes here: each post is locked for its own update only.
"""

from datetime import UTC
from urllib.parse import urlsplit

from django.apps.registry import Apps
from django.conf import settings
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import Min


def _fill(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    # The raw setting: a migration must not depend on the release that runs it.
    origin = getattr(settings, "BLOG_ENGINE", {}).get("public_base_url")
    if not origin:
        return
    host = urlsplit(origin).hostname
    posts = apps.get_model("blog_engine", "Post")._base_manager.using(schema_editor.connection.alias)
    public = posts.annotate(first=Min("publications__occurred_at")).filter(first__isnull=False, feed_id__isnull=True)
    for post_id, first in list(public.values_list("pk", "first")):
        day = first.astimezone(UTC).date().isoformat()
        posts.filter(pk=post_id).update(feed_id=f"tag:{host},{day}:post:{post_id}")


class Migration(migrations.Migration):
    atomic = False

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
        migrations.RunPython(_fill, migrations.RunPython.noop, atomic=False),
    ]
