"""Images that no record of the history names can be deleted."""

from typing import ClassVar

from django.db import migrations

from blog_engine.models.protection import RenewProtection


class Migration(migrations.Migration):
    dependencies: ClassVar = [("blog_engine", "0033_creation_key")]

    operations: ClassVar = [RenewProtection()]
