"""The statements that a write sends."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from blog_engine.models import Faq
from blog_engine.queries.posts import read_post, tag_names
from blog_engine.services._edit import columns_of
from tests.support.factories import publish, save, update
from tests.support.tables import new_image, stored

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
@pytest.mark.parametrize("faq", [[], [{"question": "Why?", "answer": "So."}]], ids=["none", "one"])
def test_a_new_post_reads_no_faq(faq: list[dict[str, str]]) -> None:
    sent = statements(lambda: save(slug="new", faq=faq))

    assert not [sql for sql in sent if "SELECT" in sql and 'FROM "blog_engine_faq"' in sql]


@pytest.mark.django_db
def test_a_write_reads_the_row_of_its_post_twice() -> None:
    post = save(slug="first", publish=True, **WHOLE).post

    sent = statements(lambda: update(post, body="New.", tags=["clay"], change="substantive"))

    assert (
        len([sql for sql in sent if sql.startswith('SELECT "blog_engine_post"."id", "blog_engine_post"."slug"')]) == 2
    )


RELATIONS = ("author", "category", "series", "public_revision", "cover_image", "social_image")
WRITES: dict[str, dict[str, Any]] = {
    "nothing": {},
    "a published post": {"publish": True},
    "a body": {"body": "# New\n\nText[^1].\n\n[^1]: Note.", "change": "substantive"},
    "FAQ": {"faq": [{"question": "How?", "answer": "So."}, {"question": "Who?", "answer": "She."}]},
    "tags": {"tags": ["worms", "clay"]},
    "no records": {"category": None, "series": None, "series_position": None, "tags": [], "faq": []},
    "other records": {"category": "Sand", "series": "Shores", "author": "Ada"},
    "an approval": {"approval": {"name": "Ines", "facts_checked": True}},
    "texts": {"title": "Nu\u0308", "description": " Of soil ", "slug": "other", "language": "de", "external_id": "7"},
}


@pytest.mark.django_db
@pytest.mark.parametrize("state", ["draft", "published", "scheduled"])
@pytest.mark.parametrize("fields", WRITES.values(), ids=WRITES)
def test_the_post_of_an_answer_is_the_one_that_is_stored(fields: dict[str, Any], state: str) -> None:
    image = {"image_id": stored(new_image()).pk}
    faq = [{"question": "Why?", "answer": "So."}]
    post = save(slug="first", series="Soils", series_position=2, faq=faq, cover_image=image, **WHOLE).post
    other = save(slug="second", translation_of="first", language="fr").post
    if state != "draft":
        publish(post, **({"publish_at": "2026-12-24T12:00:00.123456+05:30"} if state == "scheduled" else {}))
    written = (
        save(**({"slug": "first", "title": post.title} | fields))
        if "publish" in fields
        else update(post, **{"change": "maintenance"} | fields)
    )

    read = read_post(post.pk)
    assert columns_of(written.post) == columns_of(read)
    assert [getattr(written.post, name) for name in RELATIONS] == [getattr(read, name) for name in RELATIONS]
    assert [(row.pk, row.question) for row in written.post.faqs.all()] == [
        (row.pk, row.question) for row in read.faqs.all()
    ]
    assert tag_names(written.post) == tag_names(read)
    assert [one.id for one in written.post.translations] == [one.id for one in read.translations] == [other.pk]
    assert (written.post.is_reviewed, written.post.is_approved) == (read.is_reviewed, read.is_approved)


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
