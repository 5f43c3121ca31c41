"""Triggers that refuse to change or delete history (history.append-only).

Written by hand, because triggers are not part of a model. The database refuses to rewrite the history of a post,
whatever code asks for it.
"""

from typing import ClassVar

from django.db import migrations

from blog_engine.models.protection import ProtectHistory


class Migration(migrations.Migration):
    dependencies: ClassVar = [("blog_engine", "0001_initial")]

    operations: ClassVar = [ProtectHistory()]
