"""Columns for the desk: versions of posts, changes of status, and the reason for which a post waits for a review.

A process of the previous version goes on: it counts no versions and records no changes of status until it is replaced.
"""

from typing import ClassVar

import django.db.models.deletion
from django.db import migrations, models

from blog_engine.models.protection import ProtectHistory, RenewProtection

_STATUSES = ["draft", "scheduled", "published", "archived"]
_STATUS_CHOICES = [(status, status) for status in _STATUSES]
_REASONS = ["requested", "scheduled", "changed", "ai_draft"]


class Migration(migrations.Migration):
    dependencies: ClassVar = [("blog_engine", "0015_listed_search_entries")]

    operations: ClassVar = [
        RenewProtection(),
        migrations.AlterModelOptions(
            name="post",
            options={
                "base_manager_name": "objects",
                "ordering": ["-created_at", "-id"],
                "permissions": [
                    ("write_post", "Can write posts at the desk"),
                    ("publish_post", "Can publish, schedule, withdraw and remove posts at the desk"),
                    ("approve_post", "Can sign reviews of posts at the desk"),
                    ("manage_supporting", "Can manage categories, tags, series, authors, redirects and policy pages"),
                    ("manage_tokens", "Can make and revoke API tokens"),
                ],
                "verbose_name": "post",
                "verbose_name_plural": "posts",
            },
        ),
        migrations.AddField(
            model_name="post",
            name="version",
            field=models.PositiveBigIntegerField(db_default=1, default=1),
        ),
        migrations.AddField(
            model_name="post",
            name="review_reason",
            field=models.CharField(
                choices=[(reason, reason.replace("_", " ")) for reason in _REASONS], max_length=20, null=True
            ),
        ),
        migrations.AddField(
            model_name="post", name="review_requested_by", field=models.CharField(max_length=255, null=True)
        ),
        migrations.AddField(model_name="post", name="review_requested_at", field=models.DateTimeField(null=True)),
        migrations.AddIndex(
            model_name="post",
            index=models.Index(
                condition=models.Q(("review_reason__isnull", False)),
                fields=["review_reason", "updated_at", "id", "status", "created_at"],
                name="blog_engine_post_to_review",
            ),
        ),
        migrations.AddConstraint(
            model_name="post",
            constraint=models.CheckConstraint(
                condition=models.Q(("review_reason__in", _REASONS)), name="blog_engine_post_review_reason"
            ),
        ),
        migrations.CreateModel(
            name="StatusChange",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("from_status", models.CharField(choices=_STATUS_CHOICES, max_length=20)),
                ("to_status", models.CharField(choices=_STATUS_CHOICES, max_length=20)),
                ("publish_at", models.DateTimeField(null=True)),
                ("redirect_to", models.CharField(max_length=2048, null=True)),
                ("actor", models.CharField(max_length=255, null=True)),
                ("occurred_at", models.DateTimeField()),
                ("created_at", models.DateTimeField(editable=False)),
                (
                    "post",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="status_changes",
                        to="blog_engine.post",
                    ),
                ),
            ],
            options={
                "verbose_name": "change of status",
                "verbose_name_plural": "changes of status",
                "ordering": ["id"],
                "abstract": False,
                "base_manager_name": "objects",
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("from_status__in", _STATUSES)), name="blog_engine_status_change_from"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("to_status__in", _STATUSES)), name="blog_engine_status_change_to"
                    ),
                ],
            },
        ),
        # Undone first: the table above cannot go while triggers read them.
        ProtectHistory(),
    ]
