"""Stricter triggers of the history (history.protection.forging).

Written by hand, because triggers are not part of a model. They refuse a baseline after approvals and publications, a
permit for a post that was reviewed here, and the deletion of a connection declaration. On PostgreSQL, each function
fixes its search path, so that no schema or temporary table shadows what it reads.
"""

from typing import ClassVar

from django.db import migrations

from blog_engine.models.protection import RenewProtection


class Migration(migrations.Migration):
    dependencies: ClassVar = [("blog_engine", "0007_feed_ids")]

    operations: ClassVar = [RenewProtection()]
