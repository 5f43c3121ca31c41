"""The seeded posts: the same in every run, and as if each had been written through the services."""

import hashlib
from datetime import UTC, datetime
from typing import Any

import pytest
from django.db import connection

from benchmarks.speed.seed import SEED_VERSION, date_of, relations_of, seed
from benchmarks.speed.texts import PATTERNS, post_text
from blog_engine import services
from blog_engine.doctor import run_probes
from blog_engine.doctor.base import ProbeContext
from blog_engine.models import Post, PostTag, Revision, SearchEntry, SearchWord
from tests.support.databases import replayed
from tests.support.factories import save, update

SIZE = 24
DIGESTS = {1: "668751228afbe7bc"}
"""The seeded texts and relations of each version."""


@replayed
def _seed() -> None:
    seed(SIZE)


@pytest.fixture
def seeded(db: None) -> None:
    """A blog whose second half are copies."""
    _seed()


def test_the_same_version_seeds_the_same() -> None:
    numbers = [0, 1, 5, PATTERNS - 1, PATTERNS, 999, 99_999]
    told = [(post_text(number), relations_of(number, size=1000)) for number in numbers]

    assert hashlib.sha256(repr(told).encode()).hexdigest()[:16] == DIGESTS[SEED_VERSION]


def test_posts_have_eight_hundred_words_and_differ() -> None:
    texts = [post_text(number) for number in range(2 * PATTERNS)]

    assert all(700 < len(text.body.split()) < 1000 for text in texts)
    assert len({text.body for text in texts}) == len({text.title for text in texts}) == len(texts)


def test_dates_differ_and_are_past() -> None:
    dates = {date_of(number, size=1000) for number in range(1000)}

    assert len(dates) == 1000
    assert max(dates) < datetime(2026, 6, 2, tzinfo=UTC)


@pytest.mark.heavy
@pytest.mark.usefixtures("seeded")
def test_the_doctor_finds_nothing() -> None:
    found = {probe.name: probe for probe in run_probes(ProbeContext(now=datetime.now(UTC), newest_posts=None))}

    assert found["Records"].message == f"Recomputed all {SIZE} public posts: all are as recorded."
    assert found["Declarations"].status == "ok"


@pytest.mark.usefixtures("seeded")
def test_copies_are_as_the_services_derive_them() -> None:
    stored = rows()
    with connection.cursor() as cursor:
        cursor.execute("UPDATE blog_engine_post SET rendered_with = '', indexed_with = ''")

    assert services.render_posts() == services.index_posts() == SIZE
    assert rows() == stored


@pytest.mark.usefixtures("seeded")
@pytest.mark.heavy
def test_copies_have_what_is_unique_or_unlike() -> None:
    posts = list(Post.objects.order_by("pk"))

    for post in posts:
        assert post.feed_id == f"tag:example.com,{post.published_at:%Y-%m-%d}:post:{post.pk}"
        assert post.description_key == hashlib.sha256(post.description.encode()).hexdigest()
        assert post.public_revision_identifier == post.current_revision_identifier
    assert PostTag.objects.count() == 4 * SIZE
    assert set(SearchEntry.objects.values_list("word", flat=True)) <= set(
        SearchWord.objects.values_list("key", flat=True)
    )
    assert Revision.objects.count() > SIZE
    assert len({tuple(post.taggings.values_list("tag", flat=True)) for post in posts}) > SIZE / 2


@pytest.mark.django_db
@pytest.mark.heavy
def test_tables_number_their_next_rows() -> None:
    seed(SIZE)
    copied = Post.objects.order_by("-pk")[0]
    fields = {"body": f"{copied.body}\nMore.", "change": "substantive"}

    assert update(copied, **fields).post.pk == copied.pk
    assert save(publish=True).post.pk > copied.pk


def rows() -> list[dict[str, Any]]:
    """Return everything that the posts and the search index hold."""
    posts = [post | {"updated_at": None} for post in Post.objects.order_by("pk").values()]
    return [*posts, *SearchEntry.objects.order_by("post", "word").values("post", "word", "rank", "listed")]
