"""No write parses, renders or sanitizes anything while it holds locks."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from blog_engine.models import PolicyPage, Post
from blog_engine.rendering.stored import rendered_body
from blog_engine.services import publish_due, render_pages, render_posts
from tests.concurrency.races import Held, race, watched
from tests.requirements import requirement
from tests.support.clients import make_secret
from tests.support.factories import ARTICLE, LATER, NOW, publish, save, update
from tests.support.hosts import blog_settings
from tests.support.tables import new_image, stored

pytestmark = pytest.mark.django_db(transaction=True)

BODY = "## Frost\n\nCover *the* roots.[^1]\n\n- [x] done\n\n[^1]: With leaves."
OTHER = "## Ice\n\nBreak **the** ice.[^1]\n\n[^1]: With care."
FAQ = [{"question": "When?", "answer": "In *winter*."}]
APPROVAL = {"name": "Rosa Reviewer", "facts_checked": True}
SUBSTANTIVE = {"change": "substantive"}
API = "/blog/api/v1"

Request = tuple[str, str, dict[str, Any]]

REQUESTS: dict[str, Request] = {
    "a new draft": ("post", "/posts", {"title": "New", "body": OTHER, "faq": FAQ}),
    "a new draft without a body": ("post", "/posts", {"title": "New"}),
    "a new public post": ("post", "/posts", {"title": "New", "body": OTHER, "faq": FAQ, "publish": True}),
    "an upsert": ("post", "/posts", {"slug": "draft", "body": OTHER, "faq": FAQ}),
    "a publishing upsert": ("post", "/posts", {"slug": "draft", "body": OTHER, "publish": True}),
    "an edit of a draft": ("patch", "/posts/draft", {"body": OTHER, "approval": APPROVAL}),
    "an edit of a public post": ("patch", "/posts/public", {"body": OTHER, **SUBSTANTIVE}),
    "an edit of a FAQ": ("patch", "/posts/public", {"faq": [*FAQ, *FAQ], **SUBSTANTIVE}),
    "an edit of a title": ("patch", "/posts/public", {"title": "Other", **SUBSTANTIVE}),
    "an edit of metadata": ("patch", "/posts/public", {"tags": ["soil"]}),
    "a correction": ("patch", "/posts/public", {"body": OTHER, "change": "correction", "note": "It was wrong."}),
    "a new slug": ("patch", "/posts/public", {"slug": "moved"}),
    "a release": ("post", "/posts/draft/publish", {}),
    "a release with an edit": ("post", "/posts/draft/publish", {"body": OTHER}),
    "a schedule": ("post", "/posts/draft/publish", {"body": OTHER, "publish_at": "2999-01-01T00:00:00Z"}),
    "a withdrawal": ("post", "/posts/public/unpublish", {}),
    "a removal": ("delete", "/posts/public", {"redirect_to": "draft"}),
    "a declaration": (
        "post",
        "/posts/public/connections",
        {"connections": [], "third_party_paid": False, "declared_by": "Ines"},
    ),
    "an adoption": ("post", "/adoptions", ARTICLE | {"body": OTHER, "faq": FAQ}),
    "a new page": ("put", "/pages/editorial", {"title": "Rules", "body": OTHER}),
    "an edit of a page": ("put", "/pages/corrections", {"body": OTHER}),
    "an edit of a page's title": ("put", "/pages/corrections", {"title": "Mistakes"}),
}


@pytest.fixture
def editor() -> Client:
    """Return a client of a blog with a draft, a public post and a policy page."""
    save(slug="draft", title="Draft", body=BODY, faq=FAQ)
    save(slug="public", title="Public", body=BODY, faq=FAQ, publish=True)
    client = Client(headers={"Authorization": f"Bearer {make_secret()}"})
    client.put(f"{API}/pages/corrections", {"title": "Corrections", "body": BODY}, content_type="application/json")
    return client


def ask(client: Client, request: Request) -> Any:
    method, path, fields = request
    return getattr(client, method)(f"{API}{path}", fields, content_type="application/json")


def outdate() -> None:
    """Mark every stored rendering as one of an earlier renderer."""
    for post in Post.objects.all():
        post.rendered_with = "an earlier renderer"
        post.store(update_fields=["rendered_with"])
    PolicyPage.objects.update(rendered_with="an earlier renderer")


_OF_EACH_KIND = {"an edit of a public post", "an edit of metadata", "a release", "an edit of a page"}
_OUTDATED = [
    pytest.param(name, True, id=f"{name}, outdated", marks=() if name in _OF_EACH_KIND else pytest.mark.heavy)
    for name in REQUESTS
]


@requirement("host.concurrency.rendering")
@pytest.mark.parametrize(
    ("name", "is_outdated"), [*(pytest.param(name, False, id=name) for name in REQUESTS), *_OUTDATED]
)
def test_a_write_renders_before_its_transaction(
    name: str, is_outdated: bool, editor: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    if is_outdated:
        outdate()

    with watched(monkeypatch) as watch:
        response = ask(editor, REQUESTS[name])

    assert response.status_code in {200, 201, 202}, response.content
    assert watch.under_lock == []
    for post in Post.objects.exclude(rendered_with="an earlier renderer"):
        fresh = rendered_body(_unrendered(post))
        assert (post.body_html, post.outline) == (fresh.html, fresh.outline)


def _unrendered(post: Post) -> Post:
    copy = Post.objects.get(pk=post.pk)
    copy.rendered_with = ""
    return copy


@requirement("host.concurrency.rendering")
def test_an_approval_and_a_dry_run_render_before_their_transactions(
    editor: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    identifier = Post.objects.get(slug="draft").current_revision_identifier
    outdate()

    with watched(monkeypatch) as watch:
        approval = ask(editor, ("post", "/posts/draft/approvals", APPROVAL | {"revision_identifier": identifier}))
        rehearsal = ask(editor, ("post", "/adoptions", ARTICLE | {"body": OTHER, "dry_run": True}))

    assert (approval.status_code, rehearsal.status_code) == (200, 201)
    assert watch.under_lock == []


@requirement("host.concurrency.rendering")
@pytest.mark.parametrize("write", [render_posts, render_pages, lambda: publish_due(now=LATER).released])
def test_what_runs_by_the_clock_or_by_a_command_renders_before_its_transactions(
    write: Callable[[], Any], editor: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish(Post.objects.get(slug="draft"), publish_at=(NOW + timedelta(minutes=5)).isoformat(), now=NOW)
    outdate()

    with watched(monkeypatch) as watch:
        assert write()

    assert watch.calls > 0
    assert watch.under_lock == []


@requirement("host.concurrency.rendering")
def test_a_body_that_the_hook_changes_is_rendered_before_the_transaction(
    editor: Client, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    def sign(post: Any, context: dict[str, Any]) -> None:
        post.body += "\n\nSigned."

    settings.BLOG_ENGINE = blog_settings(before_publish=sign)

    with watched(monkeypatch) as watch:
        response = ask(editor, ("post", "/posts/draft/publish", {"body": OTHER}))

    assert response.status_code == 200
    assert watch.under_lock == []
    assert "<p>Signed.</p>" in Post.objects.get(slug="draft").body_html


def test_a_hook_that_makes_up_another_body_each_time_still_publishes(editor: Client, settings: Any) -> None:
    made_up = iter(range(100))

    def number(post: Any, context: dict[str, Any]) -> None:
        post.body = f"Copy {next(made_up)}."

    settings.BLOG_ENGINE = blog_settings(before_publish=number)

    assert ask(editor, ("post", "/posts/draft/publish", {})).status_code == 200

    released = Post.objects.get(slug="draft")
    assert released.body_html == f"<p>{released.body}</p>\n"


@requirement("host.concurrency.metadata")
@pytest.mark.parametrize("slug", ["draft", "public"])
@pytest.mark.parametrize(
    ("sent", "column"),
    [
        ({"tags": ["soil"]}, None),
        ({"featured": True}, "featured"),
        ({"canonical_url": "https://example.org/x"}, "canonical_url"),
        ({"provenance": "human_written"}, "provenance"),
        ({"category": "Soil"}, "category_id"),
    ],
)
def test_a_write_of_metadata_works_nothing_of_the_body_out_again(
    slug: str, sent: dict[str, Any], column: str | None, editor: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    with watched(monkeypatch) as watch, CaptureQueriesContext(connection) as queries:
        update(Post.objects.get(slug=slug), **sent)

    assert watch.calls == 0
    (statement,) = [one["sql"] for one in queries if one["sql"].startswith('UPDATE "blog_engine_post"')]
    for derived in ("body", "excerpt", "word_count", "indexed", "outline", "current_revision", "rendered"):
        assert derived not in statement.partition(" WHERE ")[0]
    assert column is None or f'"{column}"' in statement


@requirement("host.concurrency.metadata")
def test_a_body_and_a_faq_that_come_back_in_one_write_are_counted_once_more(settings: Any) -> None:
    post = save(body="One two three.", faq=FAQ).post

    def swap(post: Any, context: dict[str, Any]) -> None:
        post.faq.clear()

    settings.BLOG_ENGINE = blog_settings(before_publish=swap)
    released = publish(post).post

    assert (post.word_count, released.word_count) == (6, 3)
    assert Post.objects.get().indexed_faq == ""


@pytest.mark.postgres
@requirement("host.concurrency.rendering")
def test_a_body_that_another_writer_replaced_is_the_one_that_is_rendered(
    held: Held, monkeypatch: pytest.MonkeyPatch
) -> None:
    post = save(publish=True, body="Old body").post
    outdate()

    race(
        held,
        lambda: update(post, body="## New body", change="substantive"),
        lambda: update(post, faq=FAQ, change="substantive"),
    )

    now = Post.objects.get()
    assert (now.body, "New body" in now.body_html, now.word_count) == ("## New body", True, 5)


def test_an_image_that_the_same_write_stores_is_shown_with_its_size() -> None:
    image = stored(new_image())
    post = save(body=f"![Quay](/blog/media/{image.sha256}/quay.png)").post

    assert f'width="{image.width}"' in post.body_html
