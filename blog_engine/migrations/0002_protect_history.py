"""Triggers that refuse to change or delete history.

Written by hand, because triggers are no part of a model. The history of a post is worth something only if no code,
ours included, can rewrite it.
"""

from typing import ClassVar

from django.db import migrations

from blog_engine.models.protection import ProtectHistory


class Migration(migrations.Migration):
    dependencies: ClassVar = [("blog_engine", "0001_initial")]

    operations: ClassVar = [ProtectHistory()]
