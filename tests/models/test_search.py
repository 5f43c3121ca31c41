"""The search column of PostgreSQL finds posts, ranks them, and takes every text."""

import pytest
from django.db import connection
from django.db.models import F, Q

from blog_engine.models import Post
from blog_engine.models.search import INDEXED_BYTES, search_matches, search_rank
from tests.models.hostile_texts import HOSTILE, fill, words_of_three_bytes
from tests.models.rows import make_author, make_post

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]

_LARGEST = 1024 * 1024 - 1
_SIZE = """
    SELECT sum((octet_length(lexeme) + 1) / 2 * 2 + 2 + 2 * cardinality(positions))
    FROM blog_engine_post, unnest(search_vector) WHERE id = %s
"""


def size_of_index(post: Post) -> int:
    """What counts against PostgreSQL's limit: words, made even, with their positions."""
    with connection.cursor() as cursor:
        cursor.execute(_SIZE, [post.pk])
        return int(cursor.fetchone()[0] or 0)


def slugs_found(words: str) -> list[str]:
    return list(Post.objects.filter(search_matches(words)).order_by("id").values_list("slug", flat=True))


def test_the_indexed_texts_together_stay_under_the_bound_of_the_migration() -> None:
    assert sum(INDEXED_BYTES.values()) == 511 * 1024


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_hostile_text_of_the_full_size_is_stored(kind: str) -> None:
    texts = fill(HOSTILE[kind](), INDEXED_BYTES)

    post = make_post(**texts)

    assert 0 <= size_of_index(post) <= _LARGEST


def test_the_worst_text_nearly_reaches_what_postgresql_can_take() -> None:
    post = make_post(**fill(words_of_three_bytes(), INDEXED_BYTES))

    assert _LARGEST - 4096 < size_of_index(post) <= _LARGEST


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_text_above_the_full_size_is_stored_too(kind: str) -> None:
    texts = fill(HOSTILE[kind](), {column: 3 * size for column, size in INDEXED_BYTES.items()})

    post = make_post(**texts)

    assert size_of_index(post) <= _LARGEST


@pytest.mark.parametrize(
    "words",
    [
        "harbour",
        "HARBOUR",
        "harbour log",
        '"harbour log"',
        "log harbour",
        "harbour or mountain",
        "harbour -mountain",
        "été",
        "ÉTÉ",
        "well-known",
        "well known",
        "example.com",
        "https://example.com/tide?x=1",
        "don't",
        "ada@example.org",
        "c++ harbour",
    ],
)
def test_words_of_a_post_find_it(words: str) -> None:
    text = "harbour log of the été, well-known from https://example.com/tide?x=1 (c++); don't ask ada@example.org"
    make_post(slug="found", indexed_body=text)
    make_post(slug="other", indexed_body="mountain diary")

    found = slugs_found(words)

    assert "found" in found
    assert found == (["found", "other"] if " or " in words else ["found"])


@pytest.mark.parametrize(
    "words",
    ["diary", "harbour -log", '"log harbour"', "harb", "", " ", "-", '"', "' OR 1=1 --", "%", "\\", "&|!():*<->"],
)
def test_other_words_do_not_find_a_post(words: str) -> None:
    make_post(slug="found", indexed_body="harbour log")

    assert slugs_found(words) == []


@pytest.mark.parametrize("words", ["harbour " * 20_000, "x" * 5_000, '"harbour ' * 5_000, "-" * 5_000])
def test_an_immense_query_is_answered(words: str) -> None:
    make_post(indexed_body="mountain")

    assert slugs_found(words) == []


def test_a_title_ranks_above_a_description_above_faq_above_body() -> None:
    for column in ("indexed_body", "indexed_title", "indexed_faq", "indexed_description"):
        make_post(slug=column, **{column: "harbour"})

    ranked = Post.objects.filter(search_matches("harbour")).order_by(search_rank("harbour").desc())

    assert list(ranked.values_list("slug", flat=True)) == [
        "indexed_title",
        "indexed_description",
        "indexed_faq",
        "indexed_body",
    ]


def test_a_search_combines_with_joins_conditions_counts_and_subqueries() -> None:
    author = make_author()
    post = make_post(author=author, indexed_body="harbour")
    make_post(indexed_body="harbour")
    search = Post.objects.filter(search_matches("harbour") & Q(author__slug=author.slug))

    ranked = search.select_related("author", "series").annotate(rank=search_rank("harbour")).order_by(F("rank").desc())

    assert ranked.count() == 1
    assert [(found, found.author, found.rank > 0) for found in ranked] == [(post, author, True)]
    assert list(Post.objects.filter(pk__in=search.values("pk"))) == [post]
    assert list(Post.objects.filter(~search_matches("harbour"))) == []


def test_a_search_uses_the_index() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")

    assert "blog_engine_post_search" in Post.objects.filter(search_matches("harbour")).order_by().explain()
