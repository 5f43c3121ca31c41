"""The ids of entries in feeds, which never change."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import override_settings

from blog_engine import services
from blog_engine.errors import IdentityConflict
from blog_engine.inputs.base import parse
from blog_engine.inputs.posts import PublishPost, UpdatePost
from blog_engine.models import Post
from blog_engine.services import publish_due
from tests.requirements import requirement
from tests.support.clients import client_with
from tests.support.factories import EDITOR, LATER, NOW, adopt, publish, save, unpublish, update
from tests.support.hosts import blog_settings
from tests.support.pages import ATOM, Visitor, atom_at, json_at
from tests.support.tables import new_image, refused

pytestmark = pytest.mark.django_db

API = "/blog/api/v1"
WITHOUT_URL = blog_settings(public_base_url=None)


def stored(post: Post) -> str | None:
    return Post.objects.get(pk=post.pk).feed_id


def ids(visitor: Visitor) -> list[str]:
    found: list[str] = [item["id"] for item in json_at(visitor)["items"]]
    assert [entry.findtext(f"{ATOM}id") for entry in atom_at(visitor).findall(f"{ATOM}entry")] == found
    return found


@requirement("feeds.entry-id")
def test_an_id_names_the_host_and_the_day_of_the_first_publication(visitor: Visitor) -> None:
    with override_settings(BLOG_ENGINE=blog_settings(public_base_url="https://Blog.Example:8443")):
        post = save(title="Soil", publish=True, now=NOW.replace(hour=23, minute=59)).post

    assert ids(visitor) == [f"tag:blog.example,2026-11-21:post:{post.pk}"]
    assert stored(post) == f"tag:blog.example,2026-11-21:post:{post.pk}"


@requirement("feeds.entry-id")
def test_neither_a_slug_nor_a_host_nor_a_new_release_changes_an_id(visitor: Visitor) -> None:
    post = save(title="Soil", publish=True).post
    before = ids(visitor)

    with override_settings(BLOG_ENGINE=blog_settings(public_base_url="https://other.example")):
        update(post, slug="earth", body="New.", change="substantive", now=NOW + timedelta(days=3))
        publish(unpublish(post).post, now=NOW + timedelta(days=9))
        after = ids(visitor)

    assert after == before == [f"tag:example.com,2026-11-21:post:{post.pk}"]


@requirement("feeds.entry-id")
def test_a_draft_has_no_id_yet() -> None:
    assert stored(save(title="Soil").post) is None


@requirement("feeds.entry-id")
def test_without_a_setting_the_request_that_publishes_names_the_host(visitor: Visitor) -> None:
    agent = client_with("read", "write", "publish")
    with override_settings(BLOG_ENGINE=WITHOUT_URL):
        made = agent.post(f"{API}/posts", {"title": "Soil", "body": "Text."}, "application/json").json()["post"]
        agent.post(f"{API}/posts/{made['id']}/publish", {}, "application/json")
        found = ids(visitor)

    (post,) = Post.objects.all()
    assert found == [post.feed_id]
    assert (post.feed_id or "").startswith("tag:testserver,")


@requirement("feeds.entry-id")
def test_without_any_host_feeds_name_their_own_until_a_write_fixes_it(visitor: Visitor) -> None:
    with override_settings(BLOG_ENGINE=WITHOUT_URL):
        post = save(title="Soil", publish=True, publish_at=LATER.isoformat()).post
        publish_due(now=LATER)
        assert stored(post) is None
        assert ids(visitor) == [f"tag:testserver,2026-11-21:post:{post.pk}"]

        change = parse(UpdatePost, {"id": post.pk, "body": "New.", "change": "substantive"})
        then = NOW + timedelta(days=3)
        services.update_post(change, actor=EDITOR, now=then, base_url="https://blog.example")
        assert ids(visitor) == [f"tag:blog.example,2026-11-21:post:{post.pk}"]

        again = parse(PublishPost, {"id": post.pk})
        services.publish_post(again, actor=EDITOR, now=then, base_url="https://third.example")
    assert stored(post) == f"tag:blog.example,2026-11-21:post:{post.pk}"


@requirement("adoption.feed-id")
def test_an_adopted_article_keeps_its_id(visitor: Visitor) -> None:
    post = adopt(feed_id="https://old.example/?p=17").post

    assert ids(visitor) == ["https://old.example/?p=17"]

    update(post, slug="ferry", body="New.", change="substantive")

    assert ids(visitor) == ["https://old.example/?p=17"]


@requirement("adoption.feed-id", "feeds.entry-id")
def test_an_adopted_article_without_an_id_gets_one_of_the_day_of_the_adoption(visitor: Visitor) -> None:
    post = adopt(first_published_at="2019-05-06T07:08:09Z", first_published_evidence="Dump").post

    assert ids(visitor) == [f"tag:example.com,2026-11-21:post:{post.pk}"]


@requirement("adoption.feed-id")
def test_adopting_again_keeps_the_id_or_replaces_it(visitor: Visitor) -> None:
    post = adopt(feed_id="urn:x:1").post

    assert adopt(feed_id="urn:x:1").baseline is None
    assert adopt().baseline is None
    assert adopt(body="Later.", now=LATER).baseline == "replaced"
    assert stored(post) == "urn:x:1"
    assert adopt(body="Later.", feed_id="urn:x:2", now=LATER).baseline == "replaced"
    assert ids(visitor) == ["urn:x:2"]


@requirement("adoption.feed-id")
@pytest.mark.parametrize("fields", [{}, {"dry_run": True}])
def test_an_id_belongs_to_one_post(fields: dict[str, Any]) -> None:
    adopt(feed_id="urn:x:1")

    with refused(IdentityConflict, ["feed_id"]):
        adopt(source_id="18", slug="other", feed_id="urn:x:1", **fields)


@requirement("adoption.feed-id")
def test_a_dry_run_stores_no_id() -> None:
    post = adopt().post
    before = stored(post)

    adopt(feed_id="urn:x:1", dry_run=True)

    assert stored(post) == before


def test_an_adopted_id_does_not_keep_another_post_from_being_published() -> None:
    post = save(title="Soil").post
    taken = f"tag:example.com,2026-11-21:post:{post.pk}"
    adopt(feed_id=taken)

    publish(post)

    assert stored(post) == f"{taken}-2"


@requirement("adoption.feed-id")
def test_no_answer_of_the_api_shows_an_id() -> None:
    agent = client_with("read")
    adopt(feed_id="https://old.example/?p=17")

    for path in ("/posts", "/posts/night-ferry", "/posts/night-ferry/records"):
        assert b"feed_id" not in agent.get(f"{API}{path}").content


@requirement("feeds.terms")
def test_feeds_show_the_cover_as_it_was_uploaded(visitor: Visitor) -> None:
    cover = new_image(width=1600, height=900)
    cover.save()
    save(title="Soil", cover_image={"image_id": cover.pk}, cover_alt="The quay", publish=True)

    url = f"https://example.com/blog/media/{cover.sha256}/{cover.filename}"
    assert json_at(visitor)["items"][0]["image"] == url
    link = atom_at(visitor).find(f"{ATOM}entry/{ATOM}link[@rel='enclosure']")
    assert dict(link.attrib) == {
        "rel": "enclosure",
        "type": cover.content_type,
        "length": str(cover.byte_size),
        "href": url,
    }
