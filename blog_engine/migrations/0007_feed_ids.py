"""The permanent id of each post in feeds (host.upgrade.feed-ids), which a later migration fills."""

from django.db import migrations, models


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
    ]
