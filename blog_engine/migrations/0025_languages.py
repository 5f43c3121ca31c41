"""The language of a post, and the group of its translations."""

from typing import ClassVar

from django.db import migrations, models

from blog_engine.models.protection import RenewProtection


class Migration(migrations.Migration):
    dependencies: ClassVar = [("blog_engine", "0024_webhook")]

    operations: ClassVar = [
        RenewProtection(),
        migrations.AddField(
            model_name="post",
            name="language",
            field=models.CharField(
                db_default="",
                default="",
                help_text="The language tag (BCP 47) of the content; empty for the language of the blog.",
                max_length=35,
            ),
        ),
        migrations.AddField(
            model_name="post",
            name="translation_group",
            field=models.CharField(
                help_text="What the versions of a post in other languages share.", max_length=40, null=True
            ),
        ),
        migrations.AddConstraint(
            model_name="post",
            constraint=models.UniqueConstraint(
                condition=models.Q(("translation_group__isnull", False)),
                fields=("translation_group", "language"),
                name="blog_engine_post_translation",
            ),
        ),
        RenewProtection(),
    ]
