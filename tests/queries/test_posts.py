"""Single posts with everything that answers and findings need."""

from typing import Any

import pytest
from django.core.files.storage import Storage
from pytest_django import DjangoAssertNumQueries

from blog_engine.blog_urls import BlogURLs
from blog_engine.errors import NotFound
from blog_engine.models import Post
from blog_engine.outputs.base import AnswerContext
from blog_engine.outputs.posts import FullPost
from blog_engine.queries.posts import post_with_key, read_post, tag_names, with_review
from tests.support import factories
from tests.support.tables import undone

pytestmark = pytest.mark.django_db

CONTEXT = AnswerContext(BlogURLs.on("https://example.com"), now=factories.LATER, has_responsible_party=True)
PLAIN: dict[str, Any] = {"slug": "plain"}
RICH: dict[str, Any] = {
    "slug": "rich",
    "category": "Garden",
    "series": "Ice",
    "tags": ["winter", "Été", "Frost"],
    "faq": [{"question": "When?", "answer": "Now."}, {"question": "Where?", "answer": "Here."}],
    "body": "## Soil\n\nSand and [clay](https://example.net/).",
}


def give_images(post: Post, *, cover: bool, social: bool) -> Post:
    factories.update(
        post,
        cover_image={"image_id": factories.store_image().pk} if cover else None,
        social_image={"image_id": factories.store_image(filename="other.png").pk} if social else None,
        change="maintenance",
    )
    return post


def said_of(post: Post) -> list[Any]:
    """What a post says of itself and of other rows."""
    columns = [getattr(post, field.attname) for field in Post._meta.concrete_fields]
    rows = [post.author, post.category, post.series, post.cover_image, post.social_image]
    faq = [(entry.question, entry.answer) for entry in post.faqs.all()]
    return [*columns, *rows, tag_names(post), faq, post.public_revision_identifier, post.is_reviewed, post.is_approved]


def test_a_post_is_read_as_the_orm_reads_it(subtests: pytest.Subtests) -> None:
    factories.save(slug="other", tags=["other"], faq=RICH["faq"][:1])

    for publish in [True, False]:
        for fields in [PLAIN, RICH]:
            with subtests.test(fields=fields, publish=publish), undone():
                post = factories.save(**fields, publish=publish).post
                factories.approve(post)
                stored = with_review(Post.objects.filter(pk=post.pk)).get()

                found = read_post(post.pk)

                assert said_of(found) == said_of(stored)
                assert found.faqs.filter(question="When?").count() == stored.faqs.filter(question="When?").count()


def test_a_post_is_read_with_its_images(storage: Storage, subtests: pytest.Subtests) -> None:
    for cover, social in [(True, True), (True, False), (False, True)]:
        with subtests.test(cover=cover, social=social), undone():
            post = give_images(factories.save(publish=True).post, cover=cover, social=social)
            stored = Post.objects.get(pk=post.pk)

            found = read_post(post.pk)

            assert (found.cover_image, found.social_image) == (stored.cover_image, stored.social_image)
            assert (bool(found.cover_image), bool(found.social_image)) == (cover, social)


def test_a_post_takes_three_queries_and_one_each_for_its_series_and_its_images(
    storage: Storage, django_assert_num_queries: DjangoAssertNumQueries, subtests: pytest.Subtests
) -> None:
    for fields, images, queries in [(PLAIN, False, 3), (RICH, False, 4), (RICH, True, 5)]:
        with subtests.test(fields=fields, images=images, queries=queries), undone():
            post = give_images(factories.save(**fields, publish=True).post, cover=images, social=images)

            with django_assert_num_queries(queries):
                FullPost.of(post_with_key(str(post.pk)), CONTEXT).model_dump_json()


def test_a_post_is_found_by_its_id_before_a_slug() -> None:
    first = factories.save().post
    factories.save(slug=str(first.pk))

    assert post_with_key(str(first.pk)).pk == first.pk


def test_a_number_can_be_a_slug() -> None:
    year = factories.save(slug="2030").post

    assert post_with_key("2030").pk == year.pk


@pytest.mark.parametrize("key", ["2030", "missing", "9" * 30, "", "²"])
def test_another_key_finds_nothing(key: str) -> None:
    factories.save(slug="other")

    with pytest.raises(NotFound):
        post_with_key(key)
