"""A kept page shows every committed change, and nothing else."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.db import connection

from blog_engine.models import Author, Category, Faq, Post, PostTag, Redirect, Tag
from tests.requirements import requirement
from tests.support.factories import (
    approve,
    declare,
    edit_category,
    remove,
    save,
    unpublish,
    update,
)
from tests.support.pages import ask, save_kept, shown
from tests.support.tables import execute

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def post(transactional_db: None) -> Post:
    return save_kept()


@pytest.fixture
def other() -> Iterator[Any]:
    """Another connection to the same database."""
    found = connection.copy()
    try:
        yield found
    finally:
        found.close()


@requirement("page-cache.fresh")
def test_another_connection_is_seen_when_it_commits(other: Any) -> None:
    before = shown()

    with other.cursor() as cursor:
        cursor.execute("BEGIN")
        cursor.execute("UPDATE blog_engine_post SET title = 'Pier' WHERE slug = 'quay'")
        uncommitted = ask("/blog/quay")
        cursor.execute("COMMIT")
    committed = ask("/blog/quay")

    assert uncommitted.was_kept
    assert uncommitted.response.content.decode() == before
    assert not committed.was_kept
    assert "Pier" in committed.response.content.decode()


@requirement("page-cache.fresh")
def test_a_write_that_is_rolled_back_leaves_the_kept_page(other: Any) -> None:
    before = shown()

    with other.cursor() as cursor:
        cursor.execute("BEGIN")
        cursor.execute("UPDATE blog_engine_post SET title = 'Pier' WHERE slug = 'quay'")
        cursor.execute("ROLLBACK")

    after = ask("/blog/quay")
    assert after.was_kept
    assert after.response.content.decode() == before


Change = Callable[[Post], object]
BY_SERVICE: dict[str, tuple[str, Change]] = {
    "content": ("/blog/quay", lambda post: update(post, body="Written anew.", change="substantive")),
    "correction": ("/blog/quay", lambda post: update(post, body="New.", change="correction", note="It said old.")),
    "approval": ("/blog/quay", approve),
    "declaration": ("/blog/quay", lambda post: declare(post, connections=[{"party": "X", "relation": "customer"}])),
    "tags": ("/blog/quay", lambda post: update(post, tags=["sea"])),
    "faq": ("/blog/quay", lambda post: update(post, faq=[], change="substantive")),
    "related": ("/blog/quay", lambda post: save(title="Related", category="Garden", publish=True)),
    "category": ("/blog/quay", lambda post: edit_category(post.category_id, name="Yard")),
    "index": ("/blog/", lambda post: save(title="First", publish=True)),
    "feed": ("/blog/feed.xml", lambda post: update(post, title="Pier", change="substantive")),
    "markdown": ("/blog/quay.md", lambda post: update(post, body="Written again.", change="substantive")),
    "sitemap": ("/blog/sitemap.xml", lambda post: save(title="Another", publish=True)),
    "unpublish": ("/blog/quay", unpublish),
    "removal": ("/blog/harbour", lambda post: remove(Post.objects.get(slug="harbour"))),
}


@requirement("page-cache.fresh")
def test_a_service_changes_the_page_at_once(post: Post) -> None:
    for name, (path, change) in BY_SERVICE.items():
        before = ask(path).response

        change(Post.objects.get(pk=post.pk))

        after, again = ask(path).response, ask(path).response
        assert (after.status_code, after.content) != (before.status_code, before.content), name
        assert (again.status_code, again.content) == (after.status_code, after.content), name


BY_MODEL: dict[str, tuple[str, Callable[[], object]]] = {
    "category": ("/blog/category/garden", lambda: Category.objects.update(name="Yard")),
    "author": ("/blog/author/ada-example", lambda: Author.objects.update(bio="Writes.")),
    "tag": ("/blog/quay", lambda: Tag.objects.update(name="Earth")),
    "tagging": ("/blog/quay", lambda: PostTag.objects.all().delete()),
    "faq": ("/blog/quay", lambda: execute("UPDATE blog_engine_faq SET answer = 'At eleven.'")),
    "entry": ("/blog/quay", lambda: Faq.objects.get().discard()),
    "post": ("/blog/quay", lambda: execute("UPDATE blog_engine_post SET title = 'Pier'")),
    "related": ("/blog/quay", lambda: execute("UPDATE blog_engine_post SET title = 'Mole' WHERE slug = 'harbour'")),
}


@requirement("page-cache.fresh")
def test_code_and_sql_of_the_host_change_the_page_at_once() -> None:
    for name, (path, change) in BY_MODEL.items():
        before = shown(path)

        change()

        assert shown(path) != before, name


@requirement("page-cache.fresh")
def test_a_redirect_in_place_of_a_withdrawn_page_is_seen(post: Post) -> None:
    ask("/blog/quay")
    unpublish(post)
    gone = ask("/blog/quay").response
    Redirect.objects.update(new_path="/blog/harbour")

    assert (gone.status_code, ask("/blog/quay").response.status_code) == (410, 301)
