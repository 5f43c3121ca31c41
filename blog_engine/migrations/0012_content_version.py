"""The version of everything that pages show, and the triggers that change it (page-cache.version)."""

from typing import ClassVar

from django.db import migrations, models

from blog_engine.models.protection import RenewProtection


class Migration(migrations.Migration):
    dependencies: ClassVar = [("blog_engine", "0011_engine_managers")]

    operations: ClassVar = [
        RenewProtection(),
        migrations.CreateModel(
            name="ContentVersion",
            fields=[
                ("id", models.SmallIntegerField(default=1, primary_key=True, serialize=False)),
                ("version", models.CharField(max_length=36)),
            ],
            options={
                "base_manager_name": "objects",
                "constraints": [
                    models.CheckConstraint(condition=models.Q(("id", 1)), name="blog_engine_content_version_one_row")
                ],
            },
        ),
        RenewProtection(),
    ]
