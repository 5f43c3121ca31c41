"""The type and size of the copy of an image for networks and feeds."""

from typing import ClassVar

from django.db import migrations, models

from blog_engine.models.protection import RenewProtection


class Migration(migrations.Migration):
    dependencies: ClassVar = [("blog_engine", "0041_idempotency_keys")]

    operations: ClassVar = [
        RenewProtection(),
        migrations.AddField(
            model_name="image",
            name="shared_type",
            field=models.CharField(db_default="", default="", max_length=10),
        ),
        migrations.AddField(
            model_name="image",
            name="shared_width",
            field=models.IntegerField(db_default=0, default=0),
        ),
        migrations.AddField(
            model_name="image",
            name="shared_height",
            field=models.IntegerField(db_default=0, default=0),
        ),
        migrations.AddField(
            model_name="image",
            name="shared_bytes",
            field=models.IntegerField(db_default=0, default=0),
        ),
        RenewProtection(),
    ]
