"""The origin of images: credit, and the source type of the file or of a person."""

from typing import ClassVar

from django.db import migrations, models

from blog_engine.models.protection import RenewProtection


class Migration(migrations.Migration):
    dependencies: ClassVar = [
        ("blog_engine", "0035_actor_kind"),
    ]

    operations: ClassVar = [
        RenewProtection(),
        migrations.AddField(
            model_name="image",
            name="credit",
            field=models.CharField(db_default="", default="", max_length=500),
        ),
        migrations.AddField(
            model_name="image",
            name="digital_source_type",
            field=models.CharField(max_length=64, null=True),
        ),
        migrations.AddField(
            model_name="image",
            name="source_type_from",
            field=models.CharField(choices=[("file", "file"), ("sent", "sent")], max_length=10, null=True),
        ),
        migrations.AddField(
            model_name="image",
            name="source_type_in_file",
            field=models.CharField(max_length=64, null=True),
        ),
        migrations.AddField(
            model_name="uploadticket",
            name="origin",
            field=models.JSONField(db_default=models.Value({}, models.JSONField()), default=dict),
        ),
        migrations.AddConstraint(
            model_name="image",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("source_type_from__isnull", True), ("source_type_from__in", ["file", "sent"]), _connector="OR"
                ),
                name="blog_engine_image_source_type_from",
            ),
        ),
        RenewProtection(),
    ]
