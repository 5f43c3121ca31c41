"""Withdrawals and proposals end the permit to delete the records of an adoption; canonical URLs are checked."""

from typing import ClassVar

from django.db import migrations, models

from blog_engine.models.base import http_url
from blog_engine.models.protection import RenewProtection


class Migration(migrations.Migration):
    dependencies: ClassVar = [("blog_engine", "0025_languages")]

    operations: ClassVar = [
        RenewProtection(),
        migrations.AlterField(
            model_name="post",
            name="canonical_url",
            field=models.CharField(max_length=2048, null=True, validators=[http_url]),
        ),
    ]
