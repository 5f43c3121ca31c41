"""The URL of an author is validated as in the API; no column changes."""

import blog_engine.models.base
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("blog_engine", "0003_search_vector"),
    ]

    operations = [
        migrations.AlterField(
            model_name="author",
            name="url",
            field=models.CharField(
                blank=True, max_length=2048, null=True, validators=[blog_engine.models.base.http_url]
            ),
        ),
    ]
