"""An author can belong to a user of the host, and a post knows who made it at the desk, so that a person finds her own."""

from typing import ClassVar

from django.conf import settings
from django.db import migrations, models

from blog_engine.models.locking import LockTables
from blog_engine.models.people import forget_user


class Migration(migrations.Migration):
    dependencies: ClassVar = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("blog_engine", "0030_review_conversation"),
    ]

    operations: ClassVar = [
        LockTables(),
        migrations.AddField(
            model_name="author",
            name="user",
            field=models.OneToOneField(
                blank=True,
                db_constraint=False,
                help_text="Who writes under this name at the desk.",
                null=True,
                on_delete=forget_user,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="post", name="created_by", field=models.CharField(editable=False, max_length=255, null=True)
        ),
        migrations.AddIndex(
            model_name="post",
            index=models.Index(
                condition=models.Q(("status", "draft")),
                fields=["author", "-updated_at", "-id"],
                name="blog_engine_post_drafts_of",
            ),
        ),
        migrations.AddIndex(
            model_name="post",
            index=models.Index(
                condition=models.Q(("created_by__isnull", False)),
                fields=["created_by", "-created_at", "-id", "status"],
                name="blog_engine_post_made_by",
            ),
        ),
    ]
