"""Makes the table of the house style."""

from typing import ClassVar

import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar = [("blog_engine", "0039_finding_codes")]

    operations: ClassVar = [
        migrations.CreateModel(
            name="HouseStyle",
            fields=[
                ("id", models.SmallIntegerField(default=1, primary_key=True, serialize=False)),
                ("rules", models.JSONField(default=dict)),
                ("version", models.CharField(default="", max_length=64)),
                ("updated_at", models.DateTimeField(default=django.utils.timezone.now)),
            ],
            options={
                "verbose_name": "house style",
                "verbose_name_plural": "house style",
                "base_manager_name": "objects",
                "constraints": [
                    models.CheckConstraint(condition=models.Q(("id", 1)), name="blog_engine_house_style_one_row")
                ],
            },
        ),
    ]
