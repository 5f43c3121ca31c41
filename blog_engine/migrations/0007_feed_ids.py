"""The permanent id of each post in feeds (host.upgrade.feed-ids).

Posts that were ever public get an id from the host of ``public_base_url`` and the day of their first publication.
Without that setting the column stays empty, because the host is unknown. The next write to a public post fills it, and
until then feeds show the id that it would get.
"""

from datetime import UTC
from urllib.parse import urlsplit

from django.apps.registry import Apps
from django.conf import settings
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import Min


def _fill(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    # The raw setting: a migration must not depend on the release that runs it.
    origin = getattr(settings, "BLOG_ENGINE", {}).get("public_base_url")
    if not origin:
        return
    host = urlsplit(origin).hostname
    posts = apps.get_model("blog_engine", "Post")._base_manager.using(schema_editor.connection.alias)
    public = posts.annotate(first=Min("publications__occurred_at")).filter(first__isnull=False)
    for post_id, first in list(public.values_list("pk", "first")):
        day = first.astimezone(UTC).date().isoformat()
        posts.filter(pk=post_id).update(feed_id=f"tag:{host},{day}:post:{post_id}")


class Migration(migrations.Migration):
    dependencies = [
        ("blog_engine", "0006_unrecorded_authorship"),
    ]

    operations = [
        migrations.AddField(
            model_name="post",
            name="feed_id",
            field=models.CharField(
                help_text="The permanent id of the entry in feeds, set when the post is first published.",
                max_length=2048,
                null=True,
                unique=True,
            ),
        ),
        migrations.RunPython(_fill, migrations.RunPython.noop, elidable=True),
    ]
