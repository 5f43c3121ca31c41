"""A blog of the first release after the upgrade: its records are complete, valid and writable."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoDbBlocker, Settings

from blog_engine.doctor import run_probes
from blog_engine.doctor.base import ProbeContext
from blog_engine.enums import CheckStatus
from blog_engine.models import Post
from blog_engine.queries.audit import Audit, audit_public_posts, wrongly_listed_posts
from blog_engine.rendering.options import rendering_key
from blog_engine.services import render_pages, render_posts
from blog_engine.services.tokens import create_token
from tests.requirements import requirement
from tests.support.factories import adopt, approve, update
from tests.support.hosts import blog_settings
from tests.upgrade.old_releases import first_release, to_the_latest

pytestmark = [pytest.mark.django_db, pytest.mark.heavy, pytest.mark.xdist_group("first release")]

PUBLIC = ["winter-garden", "spring", "new-name", "from-elsewhere"]


@pytest.fixture(autouse=True, scope="module")
def upgraded(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """The migrated blog of the first release; what a test writes is rolled back."""
    with django_db_blocker.unblock(), first_release():
        to_the_latest()
        with django_db_blocker.block():
            yield


def records_of(slug: str, client: Client) -> dict[str, Any]:
    token = create_token("Reader", scopes=["read"], now=timezone.now())
    answer = client.get(f"/blog/api/v1/posts/{slug}/records", headers={"Authorization": f"Bearer {token.secret}"})
    records: dict[str, Any] = answer.json()
    return records


@requirement("host.upgrade.history")
def test_the_history_still_proves_what_is_public() -> None:
    assert audit_public_posts() == Audit(checked=len(PUBLIC), public=len(PUBLIC), differing={})


@requirement("host.upgrade.pages")
def test_readers_find_every_page(client: Client) -> None:
    pages = dict.fromkeys(PUBLIC, 200) | {"old-name": 301, "leads-on": 301, "gone": 410, "draft": 404}
    pages |= dict.fromkeys(
        ["", "winter-garden.md", "feed.xml", "feed.json", "sitemap.xml", "policies/corrections"], 200
    )

    found = {page: client.get(f"/blog/{page}").status_code for page in pages}

    assert found == pages
    assert client.get("/blog/alte-stra%C3%9Fe")["Location"] == "/blog/winter-garden"


@requirement("host.upgrade.feed-ids")
def test_posts_that_were_ever_public_have_their_permanent_feed_id(client: Client) -> None:
    days = {"winter-garden": "2026-01-05", "spring": "2026-01-10", "taken-back": "2026-01-11", "new-name": "2026-01-13"}
    days |= {"leads-on": "2026-01-15", "gone": "2026-01-16", "from-elsewhere": "2026-01-20"}
    posts = {post.slug: post for post in Post.objects.all()}

    assert {slug: post.feed_id for slug, post in posts.items() if post.feed_id} == {
        slug: f"tag:example.com,{day}:post:{posts[slug].pk}" for slug, day in days.items()
    }
    assert {item["id"] for item in client.get("/blog/feed.json").json()["items"]} == {
        posts[slug].feed_id for slug in PUBLIC
    }


@requirement("host.upgrade.pages")
@pytest.mark.parametrize("words", ["garden", "ÉTÉ", "日本語", "spade digging", "joy"])
def test_search_finds_what_the_first_release_indexed(client: Client, words: str) -> None:
    found = client.get("/blog/search.json", {"q": words}).json()

    assert "https://example.com/blog/winter-garden" in [one["url"] for one in found]
    assert wrongly_listed_posts() == []


@requirement("host.upgrade.pages")
def test_renderings_are_brought_up_to_date() -> None:
    render_posts()
    pages = render_pages()

    assert set(Post.objects.values_list("rendered_with", flat=True)) == {rendering_key()}
    assert '<h3 id="tools">' in Post.objects.get(slug="winter-garden").body_html
    assert pages == 1


@requirement("host.upgrade.pages")
def test_the_doctor_finds_no_error(settings: Settings) -> None:
    settings.BLOG_ENGINE = blog_settings(policy_urls={})

    results = run_probes(ProbeContext(now=timezone.now(), newest_posts=None))

    assert [one for one in results if one.status is CheckStatus.ERROR] == []


@requirement("host.upgrade.history")
def test_new_entries_follow_the_old_ones(client: Client) -> None:
    post = Post.objects.get(slug="winter-garden")
    before = records_of("winter-garden", client)

    update(post, body="Written anew.", change="correction", note="It was long.", now=timezone.now())
    post.refresh_from_db()
    approve(post, now=timezone.now())

    after = records_of("winter-garden", client)
    assert after["revisions"][:-1] == before["revisions"]
    assert [one["entry_type"] for one in after["publications"]] == [
        *("first", "substantive", "correction", "maintenance", "correction")
    ]
    assert [one["reviewer_name"] for one in after["approvals"]] == ["Rosa Réviseuse", "Rosa Reviewer"]
    assert after["connections"] == before["connections"]
    assert after["connections"][0]["connections"] == [{"party": "Müller & Søn", "relation": "sent the seeds 🌰"}]


@requirement("host.upgrade.history")
def test_the_baseline_of_an_adoption_is_answered_as_it_was_recorded(client: Client) -> None:
    baseline = records_of("from-elsewhere", client)["baseline"]

    assert (baseline["source_system"], baseline["source_id"]) == ("wordpress", "?p=4711")
    assert baseline["first_published_at"] == "2011-05-06T07:08:09.000Z"
    assert baseline["first_published_evidence"] == "WordPress export of 2026-01-01 “posts.xml”"


@requirement("host.upgrade.history")
def test_an_adoption_that_nothing_followed_can_still_be_replaced(client: Client) -> None:
    source = {"source_system": "wordpress", "source_id": "?p=4711", "slug": "from-elsewhere"}

    adopted = adopt(**source, title="From elsewhere", body="Read again.")

    records = records_of("from-elsewhere", client)
    assert (adopted.created, adopted.baseline) == (False, "replaced")
    assert [one["identifier"] for one in records["revisions"]] == [adopted.post.current_revision_identifier]
    assert [one["entry_type"] for one in records["publications"]] == ["adopted"]
