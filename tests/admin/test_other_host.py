"""The desk in a host with its own user model, admin site and login."""

import json
import os
import sys
from pathlib import Path

import django
import pytest
from django.test.utils import setup_test_environment

from tests.requirements import requirement
from tests.support.programs import environment, output_of


@pytest.mark.heavy
@requirement("desk.hosts")
def test_members_write_in_the_office(tmp_path: Path) -> None:
    own = environment(
        {
            "DJANGO_SETTINGS_MODULE": "tests.admin.other_host.settings",
            "DATABASE_URL": f"sqlite:///{tmp_path / 'office.sqlite3'}",
            "PYTHONPATH": os.pathsep.join(sys.path),
        }
    )

    found = json.loads(output_of([sys.executable, "-m", "tests.admin.test_other_host"], env=own))

    assert found["login"].startswith("/office/login/")
    assert found["signed_in"] == 302
    assert found["saved"].startswith("/office/blog_engine/post/")
    assert found["author"] == "mina@example.org"
    assert len(found["pages"]) > 30
    assert {name: status for name, status in found["pages"].items() if status not in {200, 302, 405}} == {}
    assert found["links_to_another_site"] == 0


def walk() -> dict[str, object]:
    """A member signs in, writes a post, and opens the pages of it and of the blog; returns what the desk answers."""
    # The models exist once Django is set up.
    from django.contrib.auth.models import Permission
    from django.core.management import call_command
    from django.test import Client
    from django.urls import reverse

    from blog_engine.models import Post, StatusChange
    from tests.admin.other_host.models import Member
    from tests.admin.other_host.urls import office

    call_command("migrate", run_syncdb=True, verbosity=0)
    member = Member.objects.make("mina@example.org", "harbour")
    member.user_permissions.set(Permission.objects.filter(content_type__app_label="blog_engine"))
    client = Client()
    asked = client.get(reverse("office:blog_engine_post_add"))
    signed = client.post(asked["Location"], {"username": "mina@example.org", "password": "harbour"})
    saved = client.post(reverse("office:blog_engine_post_add"), {"title": "Log", "provenance": "human_written"})
    post = Post.objects.get()
    pages = {}
    for model, own in office._registry.items():
        for pattern in own.get_urls() if model._meta.app_label == "blog_engine" else []:
            if pattern.name and set(pattern.pattern.converters) <= {"post_id"}:
                kwargs = dict.fromkeys(pattern.pattern.converters, post.pk)
                pages[pattern.name] = client.get(reverse(f"office:{pattern.name}", kwargs=kwargs)).status_code
    links = client.get(reverse("office:index")).content.decode().count('"/admin/')
    return {
        "login": asked["Location"],
        "signed_in": signed.status_code,
        "saved": saved["Location"],
        "author": post.unrecorded_actor,
        "pages": pages,
        "links_to_another_site": links,
        "changes": StatusChange.objects.count(),
    }


if __name__ == "__main__":
    django.setup()
    setup_test_environment()
    json.dump(walk(), sys.stdout)
