"""The groups that a command offers."""

import pytest
from django.contrib.auth.models import Group, Permission
from django.core.management import CommandError, call_command

from tests.requirements import requirement

pytestmark = pytest.mark.django_db


def permissions_of(name: str) -> set[str]:
    return set(Group.objects.get(name=name).permissions.values_list("codename", flat=True))


@requirement("desk.groups")
def test_the_groups_get_their_permissions(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("create_blog_groups")

    assert permissions_of("Writers") == {"view_post", "write_post"}
    assert permissions_of("Editors") == {"view_post", "write_post", "publish_post", "approve_post", "manage_supporting"}
    assert capsys.readouterr().out.startswith("Created Writers: view_post, write_post.\n")


@requirement("desk.groups")
def test_a_second_run_keeps_what_a_host_added() -> None:
    call_command("create_blog_groups")
    writers = Group.objects.get(name="Writers")
    writers.permissions.remove(writers.permissions.get(codename="write_post"))
    writers.permissions.add(Group.objects.get(name="Editors").permissions.get(codename="approve_post"))

    call_command("create_blog_groups")

    assert permissions_of("Writers") == {"view_post", "write_post", "approve_post"}


@requirement("desk.groups")
def test_without_the_permissions_nothing_is_created() -> None:
    Permission.objects.filter(codename="publish_post").delete()

    with pytest.raises(CommandError, match="run migrate first"):
        call_command("create_blog_groups")
