"""Revisions that proposals recorded are rows of their own: they say nothing of who wrote the same content of a post."""

from typing import ClassVar

from django.db import migrations, models

from blog_engine.models.protection import RenewProtection


class Migration(migrations.Migration):
    dependencies: ClassVar = [("blog_engine", "0027_withdrawals_end_permits")]

    operations: ClassVar = [
        RenewProtection(),
        migrations.AddField(
            model_name="revision", name="is_proposed", field=models.BooleanField(db_default=False, default=False)
        ),
        migrations.RemoveConstraint(model_name="revision", name="blog_engine_revision_once"),
        migrations.AddConstraint(
            model_name="revision",
            constraint=models.UniqueConstraint(
                fields=("post", "identifier", "is_proposed"), name="blog_engine_revision_once"
            ),
        ),
        RenewProtection(),
    ]
