"""The desk in a host with its own user model, admin site and login."""

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import django
import pytest
from django.test.utils import setup_test_environment

from tests.requirements import requirement
from tests.support.programs import environment, output_of


def found_in_office(story: Callable[[], object], folder: Path) -> Any:
    """Return what a story finds in a process with the settings of the other host."""
    own = environment(
        {
            "DJANGO_SETTINGS_MODULE": "tests.admin.other_host.settings",
            "DATABASE_URL": f"sqlite:///{folder / 'office.sqlite3'}",
            "PYTHONPATH": os.pathsep.join(sys.path),
        }
    )
    return json.loads(output_of([sys.executable, "-m", "tests.admin.test_other_host", story.__name__], env=own))


@pytest.mark.heavy
@requirement("desk.hosts")
def test_members_write_in_the_office(tmp_path: Path) -> None:
    found = found_in_office(walk, tmp_path)

    assert found["login"].startswith("/office/login/")
    assert found["signed_in"] == 302
    assert found["saved"].startswith("/office/blog_engine/post/")
    assert found["author"] == "mina@example.org"
    assert len(found["pages"]) > 30
    assert {name: status for name, status in found["pages"].items() if status not in {200, 302, 405}} == {}
    assert found["links_to_another_site"] == 0


@pytest.mark.heavy
@requirement("desk.hosts", "approvals.people.name", "approvals.signed.register", "desk.mine", "reviews.mail")
def test_members_without_names_sign_and_connect_agents(tmp_path: Path) -> None:
    found = found_in_office(sign_and_connect, tmp_path)

    vera = found["vera"]
    assert found["byline"] == "Mina Holt"
    assert found["asked"] == {"statuses": [302, 200], "for": vera, "mails": [["vera@example.org"]], "waiting": True}
    assert found["wrong_name"] == 0
    assert found["approval"] == ["vera@example.org", "vera@example.org", "person", f"user:{vera}", True]
    assert found["passkey"] == [302, f"user:{vera}"]
    assert found["published"] == ["published", False, True]
    assert found["history"] == [200, True, False]
    assert found["agent"] == {
        "consent": True,
        "name": "mina@example.org via claude.ai",
        "records": 200,
        "approves": ["approval_incomplete", True],
        "connections": [True, False],
    }


def sign_and_connect() -> dict[str, object]:
    """Two members: one writes, asks the other for a review and connects an agent, the other signs with a passkey."""
    from django.contrib.auth.models import Permission
    from django.core import mail
    from django.core.cache import cache
    from django.core.management import call_command
    from django.test import Client, override_settings
    from django.urls import reverse
    from django.utils import timezone

    from blog_engine.models import Approval, Author, Passkey, Post
    from blog_engine.queries.oauth import live_refresh_tokens
    from tests.admin.desk import form_on, seen, send
    from tests.admin.other_host.models import Member
    from tests.oauth.flow import API, Flow, enabled, registered
    from tests.support.passkeys import Device

    call_command("migrate", run_syncdb=True, verbosity=0)
    cache.clear()

    def desk_url(page: str, *args: object) -> str:
        return reverse(f"office:blog_engine_{page}", args=args)

    def signed_in(email: str) -> tuple[Any, Client]:
        member = Member.objects.make(email, "harbour")
        member.user_permissions.set(Permission.objects.filter(content_type__app_label="blog_engine"))
        client = Client()
        client.force_login(member)
        return member, client

    (mina, writer), (vera, reviewer) = signed_in("mina@example.org"), signed_in("vera@example.org")
    own = enabled(
        approvals_by="people",
        require_approval=True,
        approvals_signed=True,
        public_history="names",
        policy_urls={"responsible_party": "/about"},
        notify={"review_mail": True},
    )
    found: dict[str, object] = {"vera": str(vera.pk)}
    with override_settings(BLOG_ENGINE=own, EMAIL_BACKEND="django.core.mail.backends.locmem.EmailBackend"):
        author = {"name": "Mina Holt", "slug": "", "type": "person", "user": "mina@example.org"}
        writer.post(desk_url("author_add"), author)
        assert Author.objects.get(name="Mina Holt").user == mina
        page = form_on(writer.get(desk_url("post_add")))
        send(writer, desk_url("post_add"), page, title="Log", body="Text.", provenance="ai_assisted")
        post = Post.objects.select_related("author").get()
        found["byline"] = post.author.name

        asked = writer.post(desk_url("post_request_review", post.pk), {"note": "Please.", "person": str(vera.pk)})
        post.refresh_from_db()
        index = reviewer.get(reverse("office:index"))
        found["asked"] = {
            "statuses": [asked.status_code, index.status_code],
            "for": post.review_asked,
            "mails": [message.to for message in mail.outbox],
            "waiting": "Log" in index.content.decode(),
        }

        device = Device()
        options = reviewer.post(desk_url("post_passkey_options")).json()["publicKey"]
        made = reviewer.post(desk_url("post_passkeys"), {"name": "Laptop", "answer": device.made(options)})
        found["passkey"] = [made.status_code, Passkey.objects.get().person]

        fields = {"revision_identifier": post.current_revision_identifier, "facts_checked": "yes"}
        wrong = fields | {"name": "Rosa Reviewer"}
        reviewer.post(desk_url("post_review", post.pk), wrong)
        found["wrong_name"] = Approval.objects.count()
        fields["name"] = "vera@example.org"
        challenge = reviewer.post(desk_url("post_challenge", post.pk), fields).json()["publicKey"]
        reviewer.post(desk_url("post_review", post.pk), fields | {"answer": device.signed(challenge)})
        approval = Approval.objects.select_related("signature").get()
        names = approval.reviewer_name, approval.recorded_by, approval.actor_kind, approval.actor_id
        found["approval"] = [*names, approval.is_signed]

        reviewer.post(desk_url("post_publish", post.pk), seen(post))
        post.refresh_from_db()
        page = Client().get("/blog/log/history").content.decode()
        article = Client().get("/blog/log").content.decode()
        found["published"] = [post.status, "blog-notices" in article, "/blog/log/history" in article]
        found["history"] = [200, "vera@example.org" in page, str(vera.pk) in page]

        flow = Flow(writer, registered(), {"resource": API})
        is_asked = "mina@example.org" in flow.open().content.decode()
        bearer = {"Authorization": f"Bearer {flow.tokens('read', 'write', 'publish')['access_token']}"}
        agent, api = Client(headers=bearer), "/blog/api/v1/posts"
        draft = {"title": "By an agent", "body": "Text.", "provenance": "ai_assisted"}
        made = agent.post(api, draft, content_type="application/json").json()["post"]
        revision = {"revision_identifier": made["revision_identifier"], "name": "mina@example.org"}
        approval = revision | {"facts_checked": True}
        path = f"{api}/{made['id']}/approvals"
        refused = agent.post(path, approval, content_type="application/json").json()["error"]
        log = Client(headers=bearer).get(f"{api}/{post.pk}/records").status_code
        row = Post.objects.get(pk=made["id"])
        shown = writer.get(desk_url("post_agents")).content.decode()
        connection = live_refresh_tokens(timezone.now()).get()
        writer.post(desk_url("post_agents"), {"connection": connection.pk})
        left = writer.get(desk_url("post_agents")).content.decode()
        found["agent"] = {
            "consent": is_asked,
            "records": log,
            "name": row.unrecorded_actor,
            "approves": [refused["code"], desk_url("post_review", made["id"]) in refused["message"]],
            "connections": ["Claude" in shown, "Claude" in left],
        }
    return found


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
    json.dump({"walk": walk, "sign_and_connect": sign_and_connect}[sys.argv[1]](), sys.stdout)
