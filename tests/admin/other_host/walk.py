"""A member signs in and opens every page of the desk; prints what the desk answered as JSON."""

import json
import sys

import django
from django.test.utils import setup_test_environment


def walk() -> dict[str, object]:
    """Sign in, write a post, and open the pages of it and of the blog."""
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
