"""The pages in the sitemap."""

from datetime import datetime, timedelta

import pytest
from django.db import connection
from django.db.models import QuerySet
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from blog_engine.blog_urls import BlogURLs
from blog_engine.models import PolicyPage, Post
from blog_engine.models.reading import reading_a_page
from blog_engine.queries import sitemap
from blog_engine.queries.sitemap import Sitemap
from tests.requirements import requirement
from tests.support.blogs import publish_crowd
from tests.support.factories import (
    LATER,
    NOW,
    adopt,
    edit_category,
    make_author,
    make_category,
    make_series,
    publish,
    save,
    unpublish,
    update,
)
from tests.support.hosts import blog_settings
from tests.support.tables import undone

pytestmark = pytest.mark.django_db

HERE = BlogURLs.on("https://example.com")
HOUR = timedelta(hours=1)
SOON = LATER + HOUR


def listed() -> list[tuple[str, datetime | None]]:
    return [(entry.path, entry.changed_at) for entry in Sitemap(HERE, now=SOON).entries()]


def changed_at() -> datetime | None:
    return Sitemap(HERE, now=SOON).changed_at()


def listed_paths() -> list[str]:
    return [path for path, _ in listed()]


def write_policy(kind: str, *, status: str = "published") -> None:
    PolicyPage.objects.create(kind=kind, slug=kind, title=kind, body="Text.", status=status, updated_at=LATER)


@requirement("sitemap.entries")
def test_an_empty_blog_is_its_index() -> None:
    assert listed() == [("/blog/", None)]


@requirement("sitemap.entries")
def test_index_posts_policies_and_lists_come_in_this_order(settings: Settings) -> None:
    settings.BLOG_ENGINE = blog_settings(posts_per_page=2, policy_urls={})
    make_category(name="Empty")
    make_series(name="Tides")
    make_author(name="Nobody")
    soil = save(title="Soil", category="Garden", tags=["roots"], publish=True).post
    for number in range(3):
        save(title=f"Stone {number}", category="Garden", series="Tides", featured=number == 0, publish=True)
    save(title="Sea", category="Attic", publish=True)
    save(title="Draft", category="Drafts")
    update(soil, body="New.", change="substantive")
    write_policy("editorial")
    write_policy("ai_use", status="draft")

    assert listed() == [
        ("/blog/", None),
        ("/blog/?page=2", None),
        ("/blog/soil", LATER),
        ("/blog/sea", NOW),
        ("/blog/stone-2", NOW),
        ("/blog/stone-1", NOW),
        ("/blog/stone-0", NOW),
        ("/blog/policies/editorial", LATER),
        ("/blog/category/garden", None),
        ("/blog/category/garden?page=2", None),
        ("/blog/category/attic", None),
    ]


@requirement("sitemap.entries", "pages.lists.primary", "pages.segments")
@pytest.mark.parametrize(
    ("primary", "lists"),
    [
        ("categories", ["/blog/category/garden"]),
        ("tags", ["/blog/tag/roots", "/blog/tag/worms"]),
    ],
)
def test_the_lists_are_those_of_the_primary_kind_that_have_a_public_post(
    settings: Settings, primary: str, lists: list[str]
) -> None:
    settings.BLOG_ENGINE = blog_settings(primary_list_type=primary)
    save(title="Soil", category="Garden", tags=["roots", "worms"], publish=True)
    save(title="Draft", category="Drafts", tags=["sketch"])
    unpublish(save(title="Withdrawn", category="Attic", tags=["dust"], publish=True).post)

    assert listed_paths() == ["/blog/", "/blog/soil", *lists]


@requirement("sitemap.entries")
def test_a_post_that_belongs_to_another_site_is_left_out(subtests: pytest.Subtests) -> None:
    for canonical_url, is_listed in [
        ("https://example.com/elsewhere", True),
        ("https://EXAMPLE.com:443/elsewhere", True),
        ("http://example.com/elsewhere", False),
        ("https://example.com:8443/elsewhere", False),
        ("https://www.example.com/elsewhere", False),
        ("https://other.example/blog/soil", False),
    ]:
        with subtests.test(canonical_url=canonical_url, is_listed=is_listed), undone():
            save(title="Soil", canonical_url=canonical_url, publish=True)

            assert ("/blog/soil" in listed_paths()) == is_listed


@pytest.mark.parametrize("canonical_url", ["https://[", "https://example.com:x/", "not a URL", ""])
def test_an_invalid_url_belongs_to_another_site(canonical_url: str) -> None:
    save(title="Soil", publish=True)
    QuerySet(Post).update(canonical_url=canonical_url)

    assert listed_paths() == ["/blog/"]


@requirement("sitemap.entries", "pages.policy-urls")
def test_a_policy_that_the_host_has_itself_is_left_out(settings: Settings) -> None:
    settings.BLOG_ENGINE = blog_settings(policy_urls={"corrections": "/fixes"})
    write_policy("corrections")
    write_policy("ai_use")

    assert listed_paths() == ["/blog/", "/blog/policies/ai_use"]


@requirement("adoption.undated")
def test_what_has_no_known_date_comes_last_and_without_one() -> None:
    adopt()
    save(title="Soil", publish=True)

    assert listed()[1:3] == [("/blog/soil", NOW), ("/blog/night-ferry", None)]


@requirement("sitemap.future-dates")
def test_a_date_in_the_future_is_left_out() -> None:
    publish(save(title="Soil").post, now=SOON + timedelta(days=1))

    assert ("/blog/soil", None) in listed()


@requirement("sitemap.entries")
def test_a_maintained_post_keeps_its_place() -> None:
    old = save(title="Soil", publish=True).post
    save(title="Stone", publish=True)

    update(old, body="Typo.", change="maintenance")

    assert listed()[1:3] == [("/blog/stone", NOW), ("/blog/soil", NOW)]


@requirement("pages.queries")
@pytest.mark.parametrize("primary", ["categories", "tags"])
def test_the_number_of_posts_costs_no_query(settings: Settings, primary: str) -> None:
    settings.BLOG_ENGINE = blog_settings(primary_list_type=primary)
    like = save(title="Soil", category="Garden", tags=["one", "two"], canonical_url="https://example.com/soil").post
    publish(like)

    publish_crowd(10, like=like)
    few = count_queries()
    publish_crowd(190, like=like, start=10)

    assert (few, count_queries()) == (7, 7)


def count_queries() -> int:
    with CaptureQueriesContext(connection) as queries:
        listed()
    return len(queries)


def test_the_texts_of_posts_are_not_read() -> None:
    save(title="Soil", category="Garden", publish=True)

    with CaptureQueriesContext(connection) as queries:
        listed()

    assert [query for query in queries.captured_queries if "body" in query["sql"] or "indexed" in query["sql"]] == []


@pytest.fixture
def mixed_blog(settings: Settings) -> None:
    """Two pages of the index, two policies, three list pages, and posts with every kind of date and canonical URL."""
    settings.BLOG_ENGINE = blog_settings(posts_per_page=4, policy_urls={})
    adopt()
    publish(save(title="Later", category="Garden").post, now=SOON + HOUR)
    publish(save(title="Much later", category="Garden").post, now=SOON + 2 * HOUR)
    for number, canonical_url in enumerate([None, "https://other.example/x", "https://example.com/x", "not a URL"]):
        post = save(title=f"Stone {number}", category="Garden", publish=True).post
        QuerySet(Post).filter(pk=post.pk).update(canonical_url=canonical_url)
    update(save(title="Soil", category="Attic", publish=True).post, body="New.", change="substantive")
    save(title="Draft", category="Drafts")
    write_policy("editorial")
    write_policy("ai_use")


@requirement("sitemap.parts")
@pytest.mark.usefixtures("mixed_blog")
def test_the_parts_are_the_entries_in_pieces(monkeypatch: pytest.MonkeyPatch, subtests: pytest.Subtests) -> None:
    entries = list(Sitemap(HERE, now=SOON).entries())
    assert len(entries) == 13

    for most in range(1, 16):
        with subtests.test(most=most):
            monkeypatch.setattr(sitemap, "ENTRIES_OF_A_PART", most)
            pieces = [entries[start : start + most] for start in range(0, len(entries), most)]
            found = Sitemap(HERE, now=SOON)

            parts = [list(found.part(number)) for number in range(1, found.parts + 1)]

            assert parts == pieces
            assert found.changes() == [
                max((page.changed_at for page in piece if page.changed_at), default=None) for piece in pieces
            ]


@requirement("sitemap.future-dates", "sitemap.parts")
@pytest.mark.usefixtures("mixed_blog")
def test_an_index_of_parts_changes_when_a_date_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sitemap, "ENTRIES_OF_A_PART", 4)

    with reading_a_page() as page:
        Sitemap(HERE, now=SOON).changes()

    assert page.changes_at == SOON + HOUR


@requirement("sitemap.parts")
@pytest.mark.usefixtures("mixed_blog")
def test_a_part_reads_only_its_own_posts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sitemap, "ENTRIES_OF_A_PART", 4)

    with CaptureQueriesContext(connection) as queries:
        assert len(list(Sitemap(HERE, now=SOON).part(2))) == 4

    assert "LIMIT 4 OFFSET 2" in queries.captured_queries[-1]["sql"]


@requirement("pages.validators")
def test_whatever_comes_or_goes_is_a_change() -> None:
    page = PolicyPage.objects.create(kind="ai_use", slug="ai", title="AI", body="Text.", status="draft", updated_at=NOW)
    assert changed_at() == NOW

    post = save(title="Soil", publish=True, now=NOW + HOUR).post
    assert changed_at() == NOW + HOUR
    unpublish(post, now=NOW + 2 * HOUR)
    assert changed_at() == NOW + 2 * HOUR
    PolicyPage.objects.filter(pk=page.pk).update(updated_at=NOW + 3 * HOUR)
    assert changed_at() == NOW + 3 * HOUR


@requirement("previews.drafts-hidden")
def test_what_never_was_public_is_no_change() -> None:
    save(title="Draft")

    assert changed_at() is None


@requirement("pages.validators")
def test_a_category_with_another_slug_is_a_change() -> None:
    post = save(title="Soil", category="Garden", publish=True).post
    assert post.category is not None
    before = changed_at()

    edit_category(post.category_id, slug="yard")

    after = changed_at()
    assert before is not None
    assert after is not None
    assert after > before
