"""The last writes of a post, which tell a writer with an older version what changed since."""

from typing import ClassVar

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar = [("blog_engine", "0020_chain")]

    operations: ClassVar = [
        migrations.AddField(
            model_name="post",
            name="recent_writes",
            field=models.JSONField(db_default=models.Value([], models.JSONField()), default=list),
        ),
    ]
