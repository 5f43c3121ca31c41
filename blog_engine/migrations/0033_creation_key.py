"""Makes the table of forms that were sent, by which a second click is known."""

from typing import ClassVar

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar = [
        ("blog_engine", "0031_author_user"),
    ]

    operations: ClassVar = [
        migrations.CreateModel(
            name="SentForm",
            fields=[
                ("key", models.CharField(max_length=64, primary_key=True, serialize=False)),
                ("sent_at", models.DateTimeField(db_index=True)),
                ("leads_to", models.TextField(default="")),
            ],
            options={
                "verbose_name": "sent form",
                "verbose_name_plural": "sent forms",
                "ordering": ["sent_at"],
                "base_manager_name": "objects",
            },
        ),
    ]
