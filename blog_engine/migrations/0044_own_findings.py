"""The number of the findings of a post is kept with it, for lists."""

from typing import ClassVar

from django.db import migrations, models

from blog_engine.models.protection import RenewProtection


class Migration(migrations.Migration):
    dependencies: ClassVar = [("blog_engine", "0043_authors_and_reach")]

    operations: ClassVar = [
        RenewProtection(),
        migrations.AddField(model_name="post", name="own_findings", field=models.TextField(db_default="", default="")),
        RenewProtection(),
    ]
