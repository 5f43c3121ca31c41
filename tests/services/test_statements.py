"""The statements that a write sends."""

from collections.abc import Callable

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from blog_engine.models import Faq
from blog_engine.queries.posts import tag_names
from tests.support.factories import save, update

WHOLE = {"category": "Garden", "tags": ["roots", "worms"], "author": "Mina"}


def statements(write: Callable[[], object]) -> list[str]:
    with CaptureQueriesContext(connection) as queries:
        write()
    return [query["sql"] for query in queries.captured_queries]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("is_new", [True, False], ids=["a new post", "another text"])
def test_a_publication_needs_no_savepoint(is_new: bool) -> None:
    first = save(slug="first", publish=True, **WHOLE).post

    def write() -> object:
        return save(slug="new", publish=True, **WHOLE) if is_new else update(first, body="New.", change="substantive")

    assert not [sql for sql in statements(write) if sql.startswith("SAVEPOINT")]


@pytest.mark.postgres
@pytest.mark.django_db
def test_a_publication_locks_the_redirects_once() -> None:
    sent = statements(lambda: save(slug="first", publish=True))

    assert len([sql for sql in sent if "pg_advisory_xact_lock" in sql]) == 1


@pytest.mark.postgres
@pytest.mark.django_db
def test_a_return_to_public_locks_the_redirects() -> None:
    post = save(slug="first").post

    sent = statements(lambda: save(slug="first", publish=True))

    assert post.slug == "first"
    assert [sql for sql in sent if "pg_advisory_xact_lock" in sql]


@pytest.mark.django_db
@pytest.mark.parametrize(("faq", "reads"), [([], 0), ([{"question": "Why?", "answer": "So."}], 1)])
def test_a_new_post_without_faq_reads_none(faq: list[dict[str, str]], reads: int) -> None:
    sent = statements(lambda: save(slug="new", faq=faq))

    assert len([sql for sql in sent if "SELECT" in sql and 'FROM "blog_engine_faq"' in sql]) == reads


@pytest.mark.django_db
def test_the_answer_has_the_faq_and_the_tags_that_are_stored() -> None:
    post = save(slug="new", faq=[{"question": "Why?", "answer": "So."}], tags=["roots", "worms"]).post
    emptied = update(post, faq=[], tags=["worms", "clay"]).post

    assert [row.question for row in post.faqs.all()] == ["Why?"]
    assert list(emptied.faqs.all()) == list(Faq.objects.all()) == []
    assert tag_names(emptied) == ["worms", "clay"]


@pytest.mark.django_db
def test_the_text_of_a_post_costs_no_query() -> None:
    short = len(statements(lambda: save(slug="short", body="Clay.", publish=True, **WHOLE)))
    long = len(
        statements(lambda: save(slug="long", body="## Clay\n\n" + "- Clay and sand\n" * 50, publish=True, **WHOLE))
    )

    assert long <= short
