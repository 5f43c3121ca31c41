"""Every page of the index and of the lists."""

import pytest
from django.test import override_settings
from pytest_django import DjangoAssertNumQueries

from blog_engine.blog_urls import BlogURLs
from blog_engine.models import Category, Post
from blog_engine.queries.listings import ListPage, sitemap_list_pages
from blog_engine.queries.remembered import with_authors
from tests.support.factories import LATER, save
from tests.support.hosts import blog_settings

pytestmark = pytest.mark.django_db


def pages() -> list[ListPage]:
    return list(sitemap_list_pages(BlogURLs.on("https://example.com")))


def test_an_empty_blog_has_its_index() -> None:
    assert pages() == [ListPage("/blog/", is_primary=True)]


@override_settings(BLOG_ENGINE=blog_settings(posts_per_page=1))
def test_lists_have_as_many_pages_as_their_public_posts_fill() -> None:
    save(title="One", category="Soil", tags=["Clay"], series="Spring", publish=True)
    save(title="Two", category="Soil", tags=["Clay", "Loam"], featured=True, publish=True)
    save(title="Draft", category="Soil", tags=["Clay"])
    Category.objects.create(name="Empty", slug="empty", created_at=LATER, updated_at=LATER)

    assert pages() == [
        ListPage("/blog/", is_primary=True),
        ListPage("/blog/category/soil", is_primary=True),
        ListPage("/blog/category/soil?page=2", is_primary=True),
        ListPage("/blog/category/empty", is_primary=True),
        ListPage("/blog/tag/clay", is_primary=False),
        ListPage("/blog/tag/clay?page=2", is_primary=False),
        ListPage("/blog/tag/loam", is_primary=False),
        ListPage("/blog/author/ada-example", is_primary=False),
        ListPage("/blog/author/ada-example?page=2", is_primary=False),
        ListPage("/blog/series/spring", is_primary=False),
    ]


@override_settings(BLOG_ENGINE=blog_settings(primary_list_type="tags"))
def test_primary_lists_come_first() -> None:
    save(category="Soil", tags=["Clay"], publish=True)

    assert [(page.path, page.is_primary) for page in pages()] == [
        ("/blog/", True),
        ("/blog/tag/clay", True),
        ("/blog/category/soil", False),
        ("/blog/author/ada-example", False),
    ]


def test_queries_do_not_grow_with_the_lists(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    for number in range(5):
        save(
            title=f"Post {number}",
            category=f"Category {number}",
            tags=[f"Tag {number}"],
            series=f"Series {number}",
            publish=True,
        )

    with django_assert_num_queries(6):
        assert len(pages()) == 1 + 5 + 5 + 1 + 5


def test_a_post_whose_author_is_gone_is_left_out() -> None:
    """Between the two queries of a page, an editor may give a post to somebody else and delete its author."""
    post = save(title="Soil", publish=True).post
    read_before = Post(title="Stone", author_id=post.author_id + 1)

    assert [found.title for found in with_authors([read_before, post])] == ["Soil"]
