"""Compiled queries find what the ORM finds."""

from datetime import timedelta

import pytest
from django.db import connection, transaction
from django.db.models import DateTimeField, F, QuerySet
from django.db.transaction import TransactionManagementError
from django.test.utils import CaptureQueriesContext
from pytest_django import DjangoAssertNumQueries

from blog_engine.models import Post
from blog_engine.queries.compiled import CompiledModels, CompiledValues, Parameter
from blog_engine.queries.posts import with_review
from tests.support.factories import NOW, save

pytestmark = pytest.mark.django_db


def posts_with_slug(slug: object) -> QuerySet[Post]:
    described = with_review(Post.objects.filter(slug=slug)).select_related("author", "category", "cover_image")
    return described.defer("body", "public_revision__payload")[:1]


BY_SLUG = CompiledModels(lambda: posts_with_slug(Parameter("slug")))


@pytest.mark.parametrize("category", ["Soil", None])
def test_an_instance_is_that_of_the_orm(category: str | None) -> None:
    save(title="Other", slug="other", publish=True)
    save(title="Clay", slug="clay", category=category, publish=True)

    ours, theirs = BY_SLUG.first(slug="clay"), posts_with_slug("clay").get()

    assert ours is not None
    assert {**vars(ours), "_state": None} == {**vars(theirs), "_state": None}
    assert ours.get_deferred_fields() == theirs.get_deferred_fields() == {"body"}
    assert (ours._state.adding, ours._state.db) == (False, theirs._state.db)
    assert vars(ours.author)["name"] == theirs.author.name
    assert ours.category == theirs.category
    assert ours.cover_image is None
    assert ours.public_revision is not None
    assert ours.public_revision.get_deferred_fields() == {"payload"}


def test_a_deferred_column_is_read_when_it_is_needed(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    save(slug="clay", body="Loam.")
    found = BY_SLUG.first(slug="clay")
    assert found is not None

    with django_assert_num_queries(1):
        assert found.body == "Loam."


def test_no_row_is_none() -> None:
    assert BY_SLUG.first(slug="clay") is None


def test_each_run_sends_one_statement_with_its_own_parameters(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    save(title="Clay", slug="clay")
    save(title="Loam", slug="loam")

    with django_assert_num_queries(2):
        found = [BY_SLUG.first(slug="clay"), BY_SLUG.first(slug="loam")]

    assert [post and post.title for post in found] == ["Clay", "Loam"]


LOCKED = CompiledModels(
    lambda: Post.objects.filter(slug=Parameter("slug")).order_by().select_for_update(of=("self",), no_key=True)
)


@pytest.mark.postgres
def test_a_compiled_query_locks_rows() -> None:
    save(slug="clay")

    for _ in range(2):
        with CaptureQueriesContext(connection) as queries:
            assert LOCKED.first(slug="clay") is not None
        assert queries.captured_queries[0]["sql"].endswith('FOR NO KEY UPDATE OF "blog_engine_post"')


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_rows_are_locked_in_a_transaction_only() -> None:
    with transaction.atomic():
        assert LOCKED.first(slug="clay") is None

    with pytest.raises(TransactionManagementError):
        LOCKED.first(slug="clay")


def test_values_and_parameters_are_converted() -> None:
    save(slug="clay", publish=True)
    query = CompiledValues(
        lambda: Post.objects.filter(created_at__lte=Parameter("now", DateTimeField())).values_list(
            "created_at", "featured", "outline", F("created_at") + timedelta(days=1)
        ),
        lambda *columns: columns,
    )

    assert query.all(now=NOW - timedelta(days=1)) == []
    assert query.all(now=NOW + timedelta(days=1)) == [(NOW, False, [], NOW + timedelta(days=1))]
