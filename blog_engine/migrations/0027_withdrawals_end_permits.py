"""Withdrawals and proposals end the permit to delete the records of an adoption."""

from typing import ClassVar

from django.db import migrations

from blog_engine.models.protection import RenewProtection


class Migration(migrations.Migration):
    dependencies: ClassVar = [("blog_engine", "0025_languages")]

    operations: ClassVar = [RenewProtection()]
