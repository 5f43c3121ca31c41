"""The conversation about a post, and whose turn its review is."""

from typing import ClassVar

import django.db.models.deletion
from django.db import migrations, models

from blog_engine.models.locking import LockTables

_NAMES = ("request", "return", "remark", "answer")
_EVENTS = (
    *("post.published", "post.updated", "post.corrected", "post.withdrawn", "post.removed", "proposal.made"),
    *("review.requested", "review.returned"),
)


class Migration(migrations.Migration):
    dependencies: ClassVar = [("blog_engine", "0029_draft_versions")]

    operations: ClassVar = [
        LockTables(),
        migrations.CreateModel(
            name="Remark",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("kind", models.CharField(choices=[(name, name) for name in _NAMES], max_length=10)),
                ("text", models.TextField(default="")),
                ("passage", models.TextField(default="")),
                ("actor", models.CharField(max_length=255)),
                ("actor_id", models.CharField(default="", max_length=255)),
                ("revision_identifier", models.CharField(max_length=64)),
                ("written_at", models.DateTimeField()),
                ("person", models.CharField(default="", max_length=255)),
                ("person_name", models.CharField(default="", max_length=255)),
                ("resolved_by", models.CharField(max_length=255, null=True)),
                ("resolved_at", models.DateTimeField(null=True)),
                (
                    "in_reply_to",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="answers",
                        to="blog_engine.remark",
                    ),
                ),
                (
                    "post",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="conversation",
                        to="blog_engine.post",
                    ),
                ),
            ],
            options={
                "verbose_name": "entry of a conversation",
                "verbose_name_plural": "entries of conversations",
                "ordering": ["id"],
                "abstract": False,
                "base_manager_name": "objects",
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("kind__in", list(_NAMES))), name="blog_engine_remark_kind"
                    )
                ],
            },
        ),
        *(
            migrations.AddField(
                model_name="post", name=name, field=models.CharField(db_default="", default="", max_length=255)
            )
            for name in ("review_asked", "review_asked_name", "review_requester")
        ),
        migrations.AddField(
            model_name="post", name="review_returned_by", field=models.CharField(max_length=255, null=True)
        ),
        migrations.AddField(model_name="post", name="review_returned_at", field=models.DateTimeField(null=True)),
        migrations.AddField(
            model_name="post", name="open_remarks", field=models.PositiveIntegerField(db_default=0, default=0)
        ),
        migrations.AlterField(
            model_name="delivery",
            name="type",
            field=models.CharField(choices=[(name, name) for name in _EVENTS], max_length=30),
        ),
        migrations.AddIndex(
            model_name="post",
            index=models.Index(
                condition=models.Q(("review_returned_at__isnull", False)),
                fields=["review_returned_at", "id"],
                name="blog_engine_post_returned",
            ),
        ),
        migrations.AddIndex(
            model_name="post",
            index=models.Index(
                condition=models.Q(("review_asked", ""), _negated=True),
                fields=["review_asked", "review_requested_at"],
                name="blog_engine_post_asked",
            ),
        ),
    ]
