"""New triggers of the history: a permit cannot be forged, and no schema or temporary table shadows what they read.

Written by hand, because triggers are no part of a model. The new ones refuse a baseline after approvals and publications,
a permit for a post that was reviewed here, and the deletion of a connection declaration; on PostgreSQL each
function fixes its search path.
"""

from typing import ClassVar

from django.db import migrations

from blog_engine.models.protection import RenewProtection


class Migration(migrations.Migration):
    dependencies: ClassVar = [("blog_engine", "0007_feed_ids")]

    operations: ClassVar = [RenewProtection()]
