from datetime import timedelta
from typing import Any

import pytest
from django.db.models import OuterRef
from pytest_django import DjangoAssertNumQueries

from blog_engine.inputs.base import parse
from blog_engine.inputs.posts import ListPosts
from blog_engine.models import Category, Post, Tag
from blog_engine.queries.checked import KnownOfListed, other_rows
from blog_engine.queries.post_lists import (
    ListedAuthor,
    ListedCategory,
    ListedPost,
    PostFilter,
    filtered_posts,
    listed_posts,
)
from blog_engine.queries.posts import tag_names, with_review
from tests.requirements import requirement
from tests.support import factories
from tests.support.tables import undone

pytestmark = pytest.mark.django_db


def titles(**sent: Any) -> list[str]:
    return [post.title for post in listed_posts(parse(ListPosts, sent)).rows]


def save(title: str, *, minutes: int = 0, **fields: Any) -> None:
    factories.save(title=title, now=factories.NOW + timedelta(minutes=minutes), **fields)


@requirement("posts.list.filters")
def test_the_filters_are_those_of_the_input() -> None:
    beside = {"q", "fields", "page", "per_page", "cursor"}

    assert set(PostFilter.base_filters) == set(ListPosts.model_fields) - beside


@requirement("posts.list.drafts", "posts.list.order")
def test_posts_of_all_states_come_newest_first() -> None:
    save("Old", publish=True)
    save("New", minutes=2)
    save("Between", minutes=1)
    save("Also between", minutes=1)

    assert titles() == ["New", "Also between", "Between", "Old"]


def test_a_state_selects_its_posts() -> None:
    save("Draft")
    save("Public", publish=True)

    assert titles(status="published") == ["Public"]


@requirement("posts.list.filters")
def test_a_name_a_slug_or_an_id_selects_posts(subtests: pytest.Subtests) -> None:
    value: Any = "Rose Bed"

    for name, field in [("category", "category"), ("series", "series"), ("tag", "tags"), ("author", "author")]:
        with subtests.test(name=name, field=field), undone():
            save("In", **{field: [value] if field == "tags" else value})
            save("Out", minutes=1)
            post = filtered_posts(ListPosts()).get(title="In")
            named = post.tags.get() if field == "tags" else getattr(post, field)

            assert titles(**{name: "Rose Bed"}) == ["In"]
            assert titles(**{name: "rose-bed"}) == ["In"]
            assert titles(**{name: str(named.pk)}) == ["In"]


def test_anything_else_selects_nothing(subtests: pytest.Subtests) -> None:
    save("In", category="Rose Bed", series="Rose Bed", tags=["Rose Bed"], author="Rose Bed")
    category = Category.objects.get()

    for name in ["category", "series", "tag", "author"]:
        for value in ["other", "Rose", "Rose-Bed", "0{id}", "+{id}", "{id}.0", "9" * 200, "%", "_"]:
            with subtests.test(value=value, name=name), undone():
                assert titles(**{name: value.format(id=category.pk)}) == []


@requirement("posts.list.case")
def test_a_tag_is_found_without_regard_to_case() -> None:
    save("In", tags=["ÉTÉ"])

    assert titles(tag="été") == ["In"]


@requirement("posts.list.once")
def test_a_post_comes_once_though_two_of_its_tags_match() -> None:
    save("Other", tags=["frost"])
    frost_id = str(Tag.objects.get().pk)
    save("In", minutes=1, tags=["frost", frost_id])

    assert titles(tag=frost_id) == ["In", "Other"]
    assert filtered_posts(ListPosts(tag=frost_id)).count() == 2


@requirement("posts.list.filters")
def test_filters_combine() -> None:
    save("Both", category="Garden", tags=["frost"], publish=True)
    save("One", category="Garden", publish=True)
    save("Other", tags=["frost"], publish=True)
    save("Draft", category="Garden", tags=["frost"])

    assert titles(category="garden", tag="frost", status="published") == ["Both"]


def test_words_and_filters_combine() -> None:
    save("Frost in the garden", category="Garden")
    save("Frost on the road", category="Road")

    assert titles(q="frost", category="road") == ["Frost on the road"]


@requirement("posts.list.search", "posts.list.answer")
def test_a_search_is_cut_into_pages_and_counts_all() -> None:
    for number in range(5):
        save(f"Frost {number}", minutes=number)

    page = listed_posts(ListPosts(q="frost", page=2, per_page=2))
    past = listed_posts(ListPosts(q="frost", page=4, per_page=2))

    assert ([post.title for post in page.rows], page.place) == (
        ["Frost 2", "Frost 1"],
        {"page": 2, "per_page": 2, "total": 5, "next_cursor": None},
    )
    assert (past.rows, past.place["total"]) == ([], 5)


def test_a_list_takes_few_queries(django_assert_num_queries: DjangoAssertNumQueries, subtests: pytest.Subtests) -> None:
    for sent, queries in [({}, 4), ({"status": "draft"}, 4), ({"page": 1, "per_page": 100}, 4), ({"tag": "frost"}, 4)]:
        for number in [1, 25]:
            with subtests.test(number=number, sent=sent, queries=queries), undone():
                for count in range(number):
                    save(
                        f"Frost {count}",
                        minutes=count,
                        author=f"Author {count % 3}",
                        category="Garden",
                        tags=["frost", "winter"],
                    )

                with django_assert_num_queries(queries):
                    page = listed_posts(parse(ListPosts, sent))

                assert len(page.rows) == number


@requirement("posts.list.drafts")
def test_the_total_counts_the_posts_of_all_pages(subtests: pytest.Subtests) -> None:
    save("Public", publish=True)
    save("Also public", publish=True)
    save("Draft")
    factories.remove(factories.save(title="Archived", publish=True).post)

    for status, total in [(None, 4), ("published", 2), ("draft", 1), ("archived", 1)]:
        for page in [1, 2]:
            with subtests.test(page=page, status=status, total=total), undone():
                found = listed_posts(
                    parse(ListPosts, {"page": page, "per_page": 1} | ({"status": status} if status else {}))
                )

                assert found.place["total"] == total


def test_a_row_says_what_the_post_says() -> None:
    save("Draft")
    save("Public", category="Garden", tags=["été", "Frost"], series="Ice", publish=True, provenance="human_written")
    for number, title in enumerate(["Checked", "Checked before", "Checked and edited"], start=1):
        post = factories.save(title=title, publish=True, now=factories.NOW + timedelta(minutes=number)).post
        factories.approve(post, facts_checked=True)
    factories.update(Post.objects.get(title="Checked before"), change="substantive", body="New.")
    factories.approve(Post.objects.get(title="Checked and edited"), facts_checked=False)
    factories.unpublish(Post.objects.get(title="Checked and edited"))
    factories.update(Post.objects.get(title="Checked and edited"), body="New.")
    factories.declare(Post.objects.get(title="Public"))
    factories.save(title="Checked", slug="unchecked")
    flags = other_rows(OuterRef("pk"), OuterRef("title"), OuterRef("description_key"))
    stored = with_review(filtered_posts(ListPosts())).select_related("author", "category").annotate(**flags)

    rows = listed_posts(ListPosts()).rows

    assert rows == [
        ListedPost(
            *(post.id, post.slug, post.status, post.title, post.description, post.language, post.published_at),
            post.modified_at,
            *(post.publish_at, post.current_revision_identifier, post.provenance, post.images_verified),
            *(post.review_requested_by, post.review_requested_at, post.review_asked_name),
            *(post.review_returned_by, post.review_returned_at, post.open_remarks),
            *(post.version, post.canonical_url, post.cover_image_id, post.social_image_id),
            *(
                post.rendered_with,
                post.own_findings,
                post.coauthor_ids,
                post.is_reviewed,
                post.public_revision_identifier,
            ),
            KnownOfListed(post.has_same_title, post.has_same_description, post.is_declared, False, post.style_version),
            ListedAuthor(post.author.id, post.author.name, post.author.slug, post.author.type, post.author.url),
            [],
            post.category and ListedCategory(*(getattr(post.category, name) for name in ListedCategory._fields)),
            tag_names(post),
            None,
        )
        for post in stored
    ]
    assert [row.is_reviewed for row in rows] == [False, False, True, False, False, False]
    assert {(row.title, row.status) for row in rows if row.known.has_same_title} == {("Checked", "draft")}
    assert [row.title for row in rows if row.known.is_declared] == ["Public"]
