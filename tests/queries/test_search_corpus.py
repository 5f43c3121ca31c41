"""The corpus of ``benchmarks/search``: how often the first three results have the expected post."""

from datetime import timedelta

import pytest

from benchmarks.search.corpus import queries, texts
from blog_engine.models import Post
from blog_engine.queries.search import public_matches
from tests.requirements import requirement
from tests.support import factories

LEAST = 83
"""Percent of the queries."""


@requirement("search.quality")
@pytest.mark.django_db
@pytest.mark.heavy
def test_the_first_three_results_have_what_was_looked_for() -> None:
    for number, text in enumerate(texts()):
        factories.save(**text._asdict(), publish=True, now=factories.NOW + timedelta(minutes=number))
    slugs = dict(Post.objects.values_list("pk", "slug"))

    missed = [
        query
        for query in queries()
        if not {slugs[pk] for pk in public_matches(query.words).ids[:3]}.intersection(query.targets)
    ]

    assert len(missed) <= len(queries()) * (100 - LEAST) / 100, missed


def test_the_corpus_is_whole() -> None:
    slugs = [text.slug for text in texts()]

    assert len(slugs) == len(set(slugs)) == 200
    assert len(queries()) >= 100
    assert {target for query in queries() for target in query.targets} <= set(slugs)
