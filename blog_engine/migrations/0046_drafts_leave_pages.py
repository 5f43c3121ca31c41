"""Triggers that leave the content version when a post is written that is not public."""

from typing import ClassVar

from django.db import migrations

from blog_engine.models.protection import RenewProtection


class Migration(migrations.Migration):
    dependencies: ClassVar = [("blog_engine", "0045_posts_in_the_sitemap")]

    operations: ClassVar = [RenewProtection()]
