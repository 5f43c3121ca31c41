"""Triggers that refuse to change or delete history.

Written by hand, because triggers are no part of a model. The history of a post is worth something only if no code, ours
included, can rewrite it; so the database refuses (service.md section 1, design.md 1.4). A later migration that
alters one of these tables is written ``operations = history_reopened(...)``.
"""

from typing import ClassVar

from django.db import migrations

from blog_engine.models.protection import ProtectHistory


class Migration(migrations.Migration):
    dependencies: ClassVar = [("blog_engine", "0001_initial")]

    operations: ClassVar = [ProtectHistory()]
