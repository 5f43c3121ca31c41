"""The outbox of webhooks."""

from typing import ClassVar

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar = [
        ("blog_engine", "0023_upload_ticket"),
    ]

    operations: ClassVar = [
        migrations.CreateModel(
            name="Delivery",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("event_id", models.CharField(max_length=40)),
                ("receiver", models.CharField(max_length=40)),
                (
                    "type",
                    models.CharField(
                        choices=[
                            ("post.published", "post.published"),
                            ("post.updated", "post.updated"),
                            ("post.corrected", "post.corrected"),
                            ("post.withdrawn", "post.withdrawn"),
                            ("post.removed", "post.removed"),
                            ("proposal.made", "proposal.made"),
                        ],
                        max_length=30,
                    ),
                ),
                ("post", models.BigIntegerField(null=True)),
                ("payload", models.TextField()),
                ("created_at", models.DateTimeField()),
                ("attempts", models.PositiveIntegerField(default=0)),
                ("next_attempt_at", models.DateTimeField(null=True)),
                ("last_status", models.PositiveIntegerField(null=True)),
                ("last_error", models.CharField(default="", max_length=300)),
                ("delivered_at", models.DateTimeField(null=True)),
                ("dead_at", models.DateTimeField(null=True)),
            ],
            options={
                "verbose_name": "delivery",
                "verbose_name_plural": "deliveries",
                "ordering": ["id"],
                "base_manager_name": "objects",
                "indexes": [
                    models.Index(
                        condition=models.Q(("next_attempt_at__isnull", False)),
                        fields=["next_attempt_at", "id"],
                        name="blog_engine_delivery_due",
                    ),
                    models.Index(
                        condition=models.Q(("next_attempt_at__isnull", False)),
                        fields=["receiver", "post", "id"],
                        name="blog_engine_delivery_order",
                    ),
                    models.Index(
                        condition=models.Q(("delivered_at__isnull", False)),
                        fields=["delivered_at"],
                        name="blog_engine_delivery_done",
                    ),
                    models.Index(
                        condition=models.Q(("dead_at__isnull", False)),
                        fields=["dead_at"],
                        name="blog_engine_delivery_dead",
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("event_id", "receiver"), name="blog_engine_delivery_once")
                ],
            },
        ),
    ]
