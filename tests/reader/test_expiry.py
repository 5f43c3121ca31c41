"""Posts that end: gone at their moment, with the record and the numbers of a withdrawal."""

import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import DatabaseError
from django.db.models import QuerySet
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from blog_engine import services
from blog_engine.errors import SlugReserved, ValidationFailed
from blog_engine.models import Delivery, ListCount, Post, StatusChange
from blog_engine.public import latest_posts, sitemap_entries
from blog_engine.services import expiry
from tests.requirements import requirement
from tests.support.blogs import publish_crowd
from tests.support.factories import EDITOR, LATER, NOW, publish, save, update
from tests.support.hosts import blog_settings

pytestmark = pytest.mark.django_db(transaction=True)

PLACES = (
    "/blog/",
    "/blog/feed.xml",
    "/blog/sitemap.xml",
    "/blog/llms.txt",
    "/blog/category/garden",
    "/blog/search?q=ferry",
)


def _expiring(*, title: str = "Night ferry") -> Post:
    """Return a public post whose end has come an hour ago, which nothing has noticed."""
    now = timezone.now()
    end = now - timedelta(hours=1)
    return save(title=title, body="A ferry.", category="Garden", publish=True, now=end - LATER_BY, expires_at=end).post


LATER_BY = timedelta(hours=2)


@requirement("posts.expiry", "posts.expiry.gone")
@pytest.mark.parametrize("place", PLACES)
def test_the_first_page_of_any_kind_withdraws_what_has_expired(place: str, client: Client) -> None:
    post = _expiring()

    shown = client.get(place).content.decode()

    assert "night-ferry" not in shown
    assert Post.objects.get(pk=post.pk).status == "draft"
    assert ListCount.objects.get(category__name="Garden").posts == 0
    change = StatusChange.objects.get()
    assert (change.from_status, change.to_status) == ("published", "draft")
    assert (change.actor, change.actor_kind, change.actor_id) == (None, "system", "expired")


@requirement("posts.expiry.gone")
@pytest.mark.parametrize("path", ["/blog/night-ferry", "/blog/night-ferry.md", "/blog/night-ferry?format=md"])
def test_an_expired_article_is_gone_before_and_after_it_is_withdrawn(
    path: str, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    _expiring()

    def refuse(**_: Any) -> None:
        raise DatabaseError("read-only")

    with monkeypatch.context() as patched:
        patched.setattr(expiry, "expire_posts", refuse)
        assert client.get(path).status_code == 410
    assert Post.objects.get().status == "published"
    assert client.get(path).status_code == 410
    assert Post.objects.get().status == "draft"
    assert client.get(path).status_code == 410


LISTS = (
    *PLACES,
    *(
        "/blog/feed.json",
        "/blog/category/garden/feed.xml",
        "/blog/author/ada-example",
        "/blog/tag/sea",
        f"/blog/archive/{timezone.now():%Y/%m}",
    ),
    *("/blog/series/ships", "/blog/search.json?q=ferry", "/blog/llms-full.txt", "/blog/nothing-here", "/blog/quay"),
)


@requirement("posts.expiry.lists")
@pytest.mark.parametrize("place", LISTS)
def test_no_list_has_an_expired_post_that_cannot_be_withdrawn(
    place: str, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = timezone.now()
    about = {"category": "Garden", "series": "Ships", "tags": ["Sea"], "featured": True}
    save(title="Quay", body="A ferry.", publish=True, now=now - LATER_BY * 2, **about | {"featured": False})
    save(
        title="Night ferry",
        body="A.",
        publish=True,
        now=now - LATER_BY,
        expires_at=now + timedelta(seconds=60),
        **about,
    )
    assert "night-ferry" in client.get(place).content.decode()
    _move_clock(monkeypatch, timedelta(seconds=61))

    def refuse(**_: Any) -> None:
        raise DatabaseError("read-only")

    monkeypatch.setattr(expiry, "expire_posts", refuse)

    shown = client.get(place).content.decode()

    assert "night-ferry" not in shown
    assert Post.objects.get(slug="night-ferry").status == "published"


EVERYWHERE = (
    *(f"/blog/{path}" for path in ("", "?page=2", "?page=3", "?page=4", "category", "tag", "author", "series")),
    *(f"/blog/category/garden{query}" for query in ("", "?page=2", "?page=3")),
    *(f"/blog/{path}" for path in ("category/sea", "tag/sea", "tag/night", "series/ships", "series/ships?page=2")),
    *(f"/blog/author/{path}" for path in ("ada-example", "ada-example?page=3", "ben-ray", "ute-ort")),
    *(f"/blog/archive{path}" for path in ("", f"/{timezone.now():%Y}", f"/{timezone.now():%Y/%m}")),
    *(f"/blog/{path}" for path in ("search?q=ferry", "search.json?q=ferry", "search?q=night", "subscribe")),
    *(f"/blog/{path}" for path in ("sitemap.xml", "llms.txt", "llms-full.txt", "feed.xml", "feed.json")),
    *(f"/blog/{path}" for path in ("tag/sea/feed.xml", "quay", "quay.md", "wharf", "harbour", "nothing-here")),
)


@pytest.fixture
def half_expired(settings: Settings, client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """Posts of which one ends after every page was shown, without anything that can withdraw it."""
    settings.BLOG_ENGINE = blog_settings(posts_per_page=1, feed_content="full", page_cache={"enabled": True})
    now = timezone.now()
    save(title="Quay", body="A ferry.", category="Garden", series="Ships", publish=True, now=now - LATER_BY * 4)
    save(title="Wharf", body="A ferry.", category="Garden", tags=["Sea"], publish=True, now=now - LATER_BY * 3)
    about = {"category": "Garden", "series": "Ships", "tags": ["Sea", "Night"], "featured": True}
    save(
        title="Night ferry",
        body="At night.",
        language="de",
        translation_of="quay",
        coauthors=["Ben Ray"],
        publish=True,
        now=now - LATER_BY * 2,
        expires_at=now + timedelta(seconds=60),
        **about,
    )
    save(title="Harbour", body="A ferry.", coauthors=["Ute Ort"], publish=True, now=now - LATER_BY)
    for place in EVERYWHERE:
        client.get(place)
    _move_clock(monkeypatch, timedelta(seconds=61))


@requirement("posts.expiry.lists")
@pytest.mark.usefixtures("half_expired")
def test_pages_are_those_without_the_post_before_it_is_withdrawn(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(**_: Any) -> None:
        raise DatabaseError("read-only")

    with monkeypatch.context() as patched:
        patched.setattr(expiry, "expire_posts", refuse)
        before = {place: _shown(client, place) for place in EVERYWHERE}
    assert Post.objects.get(slug="night-ferry").status == "published"

    after = {place: _shown(client, place) for place in EVERYWHERE}

    assert Post.objects.get(slug="night-ferry").status == "draft"
    for place in EVERYWHERE:
        assert before[place] == after[place], place
    assert not [place for place, (_, text) in before.items() if "night-ferry" in text]
    assert "hreflang" not in before["/blog/quay"][1]


@requirement("posts.expiry.lists")
def test_a_long_archive_and_a_long_series_have_it_neither(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    first = save(title="Quay", series="Ships", publish=True).post
    publish_crowd(110, like=first)
    QuerySet(Post).filter(slug="crowd-105").update(expires_at=NOW)
    month = f"/blog/archive/{NOW:%Y/%m}"
    monkeypatch.setattr(expiry, "expire_posts", lambda **_: None)

    before = [_shown(client, place)[1] for place in (month, f"{month}?page=2", "/blog/quay")]

    monkeypatch.undo()
    assert [text.count('href="/blog/crowd-') + text.count('href="/blog/quay"') for text in before[:2]] == [100, 10]
    assert [_shown(client, place)[1] for place in (month, f"{month}?page=2", "/blog/quay")] == before
    assert "Part 1 of 110" in before[2]


def _shown(client: Client, place: str) -> tuple[int, str]:
    """Return status and text of a page, without the moments of the last write."""
    response = client.get(place)
    return response.status_code, re.sub(r"<updated>[^<]*</updated>", "", response.content.decode())


@requirement("posts.expiry.lists", "host.latest-posts")
def test_pages_of_the_host_leave_out_what_no_page_of_the_blog_has_withdrawn() -> None:
    _expiring()
    save(title="Quay", publish=True)

    assert [one.title for one in latest_posts()] == ["Quay"]
    assert not [one for one in sitemap_entries("https://example.com") if "night-ferry" in one["loc"]]


@requirement("posts.expiry.lists")
def test_a_post_that_cannot_be_withdrawn_does_not_keep_the_others_public(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = _expiring(), _expiring(title="Day ferry")

    def withdraw(post_id: int, *, now: datetime) -> bool:
        if post_id == first.pk:
            raise SlugReserved
        return original(post_id, now=now)

    original = expiry.expire_post
    monkeypatch.setattr(expiry, "expire_post", withdraw)
    with pytest.raises(SlugReserved):
        expiry.expire_posts(now=timezone.now())

    assert [Post.objects.get(pk=one.pk).status for one in (first, second)] == ["published", "draft"]


@requirement("posts.expiry.gone", "page-cache.life")
def test_no_kept_page_outlives_the_end(client: Client, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.BLOG_ENGINE = blog_settings(page_cache={"enabled": True, "max_stale": 60})
    end = timezone.now() + timedelta(seconds=30)
    save(title="Night ferry", body="A ferry.", publish=True, now=timezone.now(), expires_at=end)
    assert [client.get(path).status_code for path in ("/blog/", "/blog/night-ferry")] == [200, 200]

    _move_clock(monkeypatch, timedelta(seconds=31))

    assert client.get("/blog/night-ferry").status_code == 410
    assert "night-ferry" not in client.get("/blog/").content.decode()


def _move_clock(monkeypatch: pytest.MonkeyPatch, by: timedelta) -> None:
    """Let the processes of readers live later."""
    import time

    from blog_engine.reader import page_cache

    later = timezone.now() + by
    monkeypatch.setattr(timezone, "now", lambda: later)
    seconds = time.time() + by.total_seconds()
    monkeypatch.setattr(page_cache, "time", lambda: seconds)


@requirement("posts.expiry")
def test_the_task_withdraws_once_and_tells_the_receivers(settings: Settings) -> None:
    settings.BLOG_ENGINE = blog_settings(
        notify={
            "webhooks": [
                {
                    "url": "https://hooks.example/x",
                    "secret": "whsec_" + "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVphYmNkZWY=",
                    "events": ["post.withdrawn"],
                }
            ]
        }
    )
    end = NOW + timedelta(minutes=5)
    post = save(title="Night ferry", publish=True, expires_at=end).post

    early = services.publish_due(now=end - timedelta(seconds=1))
    done = services.publish_due(now=end)
    again = services.publish_due(now=end)

    assert (early.expired, done.expired, again.expired) == ([], ["night-ferry"], [])
    assert StatusChange.objects.count() == 1
    assert [one.type for one in Delivery.objects.all()] == ["post.withdrawn"]
    assert Post.objects.get(pk=post.pk).expires_at == end


@requirement("posts.expiry.refused")
@pytest.mark.parametrize(
    "fields",
    [
        {"expires_at": (NOW - timedelta(seconds=1)).isoformat()},
        {"expires_at": NOW.isoformat(), "publish": True},
        {"expires_at": (NOW + timedelta(hours=1)).isoformat(), "publish": True, "publish_at": LATER.isoformat()},
        {"expires_at": "2027-01-01"},
        {"expires_at": "soon"},
        {"expires_at": ""},
    ],
)
def test_an_end_that_has_come_or_is_none_is_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(ValidationFailed) as refused:
        save(**fields)

    assert refused.value.details == ["expires_at"]
    assert not Post.objects.exists()


@requirement("posts.expiry.refused")
def test_a_withdrawn_post_comes_back_only_with_another_end() -> None:
    end = NOW + timedelta(minutes=5)
    post = save(publish=True, expires_at=end).post
    services.publish_due(now=end)
    with pytest.raises(ValidationFailed) as refused:
        publish(post, now=LATER)
    assert refused.value.details == ["expires_at"]

    publish(post, now=LATER, expires_at=None)

    assert Post.objects.get(pk=post.pk).status == "published"


@requirement("posts.expiry.refused")
def test_a_time_without_offset_is_of_the_site(settings: Settings) -> None:
    settings.TIME_ZONE = "Europe/Berlin"
    post = save(expires_at="2027-07-01T10:00").post

    assert Post.objects.get(pk=post.pk).expires_at == datetime(2027, 7, 1, 8, tzinfo=UTC)
    update(post, expires_at=None, actor=EDITOR)
    assert Post.objects.get(pk=post.pk).expires_at is None


@requirement("pages.noindex")
def test_a_post_with_noindex_is_for_readers_and_not_for_search_engines(client: Client) -> None:
    post = save(title="Quay", publish=True, noindex=True).post
    save(title="Sea", publish=True)

    page = client.get("/blog/quay").content.decode()

    assert '<meta name="robots" content="noindex, follow">' in page
    sitemap = client.get("/blog/sitemap.xml").content.decode()
    assert ("/blog/quay" in sitemap, "/blog/sea" in sitemap) == (False, True)
    for place in ("/blog/", "/blog/feed.xml", "/blog/llms.txt"):
        assert "/blog/quay" in client.get(place).content.decode()
    update(post, noindex=False)
    assert (
        '<meta name="robots" content="index, follow, max-image-preview:large">'
        in client.get("/blog/quay").content.decode()
    )
    assert "/blog/quay" in client.get("/blog/sitemap.xml").content.decode()
