"""Pages make few queries, independent of the number of posts, and write nothing."""

from collections.abc import Iterator

import pytest
from django.core.cache import caches
from django.db import connection
from django.test import override_settings

from blog_engine.models import Author, Post
from tests.reader.conftest import count_queries, preview_path, statements
from tests.requirements import requirement
from tests.support.blogs import publish_crowd
from tests.support.factories import approve, save, unpublish, update
from tests.support.hosts import blog_settings
from tests.support.pages import Visitor, person
from tests.support.tables import new_image

LIMIT = 11


@pytest.fixture
def post(db: None) -> Post:
    """Publish a post with everything that costs a query."""
    faq = [{"question": f"Question {number}?", "answer": "Yes."} for number in range(5)]
    declared = {"connections": [], "third_party_paid": True, "declared_by": "Ines"}
    tags = [f"tag {number}" for number in range(5)]
    cover, avatar = new_image(width=1600, height=900), new_image(width=600, height=600)
    for image in (cover, avatar):
        image.save()
    written = save(
        title="Soil",
        category="Garden",
        series="Ground",
        cover_image={"image_id": cover.pk},
        tags=tags,
        faq=faq,
        provenance="ai_assisted",
        connections=declared,
        publish=True,
    )
    approve(written.post)
    Author.objects.update(avatar=avatar)
    save(title="Favourite", featured=True, category="Garden", publish=True)
    return written.post


PATHS = [
    *["/", "/?page=2", "/soil", "/soil.md", "/none"],
    *["/category/garden", "/tag/tag-1", "/author/ada-example", "/series/ground"],
    *["/search?q=crowd", "/search.json?q=crowd"],
    *["/archive", "/archive/2026", "/archive/2026/11", "/subscribe"],
    *["/category", "/tag", "/author", "/series"],
]


def queries_of_pages(visitor: Visitor) -> dict[str, int]:
    """Return the number of queries that each page takes when nothing was remembered."""
    found = {}
    for path in PATHS:
        caches["memory"].clear()
        found[path] = count_queries(visitor, path, status=404 if path == "/none" else 200)
    return found


@requirement("pages.queries")
def test_the_number_of_posts_costs_nothing(visitor: Visitor, post: Post) -> None:
    # Without policy URLs of the host, the most queries are needed.
    with override_settings(BLOG_ENGINE=blog_settings(policy_urls={}, popular_posts={"enabled": True})):
        publish_crowd(20, like=post)
        few = queries_of_pages(visitor)
        publish_crowd(180, like=post, start=20)
        many = queries_of_pages(visitor)

    assert few == many
    assert max(many.values()) <= LIMIT


@requirement("pages.queries", "page-views.after-response")
@pytest.mark.parametrize("path", ["/soil", "/soil?again"])
def test_counting_takes_one_statement_after_the_response(visitor: Visitor, post: Post, path: str) -> None:
    for_a_program = statements(visitor, path)
    for_a_person = statements(person(), path)

    assert for_a_person[:-1] == for_a_program
    assert for_a_person[-1].split()[:3] == ["INSERT", "INTO", "blog_engine_pageview"]


@requirement("pages.queries")
def test_the_page_with_everything_stays_within_the_limit(visitor: Visitor, post: Post) -> None:
    update(post, description="Grey.", change="correction", note="It was white.")
    save(title="Beside", category="Garden", author={"name": "Bo Beside"}, publish=True)
    # An outdated rendering, too.
    with override_settings(BLOG_ENGINE=blog_settings(policy_urls={}, markdown_hardbreaks=False)):
        caches["memory"].clear()
        assert count_queries(visitor, "/soil") == LIMIT


def test_a_preview_stays_within_the_limit(visitor: Visitor, post: Post) -> None:
    draft = save(title="Draft", category="Garden", faq=[{"question": "Q?", "answer": "A."}]).post

    assert count_queries(visitor, preview_path(draft)) <= LIMIT


@pytest.fixture
def written(db: None) -> Iterator[list[str]]:
    """Return the statements that write."""
    found: list[str] = []

    def watch(execute: object, sql: str, *args: object) -> object:
        if not sql.lstrip(" (").upper().startswith("SELECT"):
            found.append(sql)
        return execute(sql, *args)  # type: ignore[operator]

    with connection.execute_wrapper(watch):
        yield found


def test_reading_writes_nothing(visitor: Visitor, post: Post, written: list[str]) -> None:
    gone = save(title="Gone", publish=True).post
    unpublish(gone)
    draft = save(title="Draft").post
    written.clear()

    for path in (
        "/",
        "/?page=9",
        "/soil",
        "/soil.md",
        "/soil/",
        "/gone",
        "/none",
        preview_path(draft),
        "/preview/x",
    ):
        visitor.get(path)

    assert written == []


@requirement("pages.read-only")
def test_readers_write_only_page_views(post: Post, written: list[str]) -> None:
    reader = person()
    written.clear()

    for path in ("/", "/?page=9", "/soil", "/soil.md", "/soil/", "/none", "/search?q=soil", "/feed.xml"):
        reader.get(path)

    assert [sql.split()[:3] for sql in written] == [["INSERT", "INTO", "blog_engine_pageview"]]


@requirement("pages.queries")
@pytest.mark.django_db(transaction=True)
# The first page of a version also asks when a post expires, which all pages remember (posts.expiry).
@pytest.mark.parametrize(
    ("path", "first", "next_one"),
    [
        ("/", 11, 2),
        ("/?page=2", 11, 2),
        ("/soil", 11, 5),
        ("/favourite", 9, 3),
        ("/soil.md", 8, 4),
        ("/none", 7, 3),
        ("/category/garden", 10, 3),
        ("/feed.xml", 9, 4),
    ],
)
def test_outside_of_a_transaction_pages_remember_what_they_share(
    visitor: Visitor, post: Post, path: str, first: int, next_one: int
) -> None:
    without = blog_settings(policy_urls={}, popular_posts={"enabled": True}, page_cache={"enabled": False})
    with override_settings(BLOG_ENGINE=without):
        publish_crowd(20, like=post)
        caches["memory"].clear()
        status = 404 if path == "/none" else 200

        found = [count_queries(visitor, path, status=status) for _ in range(2)]

    assert found == [first, next_one]
    assert first <= LIMIT
