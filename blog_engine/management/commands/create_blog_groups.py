"""``create_blog_groups`` (desk.groups)."""

from typing import Any

from django.contrib.auth.models import Group, Permission
from django.core.management.base import CommandError

from blog_engine.management.base import KeyValueCommand

GROUPS = {
    "Writers": ("view_post", "write_post"),
    "Editors": ("view_post", "write_post", "publish_post", "approve_post", "manage_supporting"),
}
"""The permissions of each group. No group can make API tokens."""


class Command(KeyValueCommand):
    help = "Create the groups Writers and Editors for the desk, or add the permissions that they lack."

    def run(self, given: dict[str, str], options: dict[str, Any]) -> None:
        for name, wanted in GROUPS.items():
            permissions = Permission.objects.filter(content_type__app_label="blog_engine", codename__in=wanted)
            if len(permissions) < len(wanted):
                raise CommandError("The permissions of the desk do not exist yet: run migrate first.")
            group, is_new = Group.objects.get_or_create(name=name)
            group.permissions.add(*permissions)
            self.stdout.write(f"{'Created' if is_new else 'Updated'} {name}: {', '.join(wanted)}.")
