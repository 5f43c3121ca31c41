"""The names of authors, categories, series and tags that an import brings along."""

from typing import Any

import pytest

from blog_engine.models import Author, Category, Post, Series, Tag
from tests.importing.old_blogs import Outcome, draft, entry, run_import
from tests.requirements import requirement

pytestmark = pytest.mark.django_db

SAME = ["Ann Lee", "ann lee", "ANN  LEE", "Ann\u00a0Lee", "\uff21nn Lee"]
OTHERS = ["Ann-Lee", "ann_lee", "Änn Lee", "C++", "C", "c#", "Node.js", "Node JS", "node-js", "2024", "20-24", "..."]


def names_of(slug: str) -> list[str]:
    """The names that a post has here: author, category, series, tags."""
    post = Post.objects.get(slug=slug)
    assert post.category is not None
    assert post.series is not None
    return [post.author_name, post.category.name, post.series.name, *post.tags.values_list("name", flat=True)]


def imported(make: Any, names: list[str], **fields: Any) -> Outcome:
    """Import a post for each name, which is that of everything in it."""
    return run_import(
        *(make(number, author=name, category=name, series=name, tags=(name,)) for number, name in enumerate(names)),
        **fields,
    )


@requirement("import.names")
@pytest.mark.parametrize("make", [entry, draft])
@pytest.mark.parametrize("system", ["wordpress", "ghost", "markdown"])
def test_names_that_differ_only_in_form_are_one_record(make: Any, system: str) -> None:
    outcome = imported(make, SAME, system=system)

    for number in range(len(SAME)):
        assert names_of(f"post-{number}") == ["Ann Lee"] * 4
        assert outcome.messages(str(number)) == []
    assert [model.objects.count() for model in (Author, Category, Series, Tag)] == [1, 1, 1, 1]


@requirement("import.names")
@pytest.mark.parametrize("make", [entry, draft])
def test_other_names_that_share_a_slug_are_other_records(make: Any) -> None:
    names = ["Ann Lee", *OTHERS]

    first = imported(make, names)
    again = imported(make, names)

    for number, name in enumerate(names):
        assert names_of(f"post-{number}") == [name] * 4
        assert first.messages(str(number)) == []
    assert set(again.results.values()) == {"unchanged"}
    for model in (Author, Category, Series, Tag):
        slugs = dict(model.objects.values_list("name", "slug"))
        assert (slugs["Ann Lee"], slugs["Ann-Lee"], slugs["ann_lee"]) == ("ann-lee", "ann-lee-2", "ann-lee-3")
        assert (slugs["Node.js"], slugs["node-js"]) == ("node-js", "node-js-3")


@requirement("import.names")
def test_further_authors_are_those_of_the_source() -> None:
    run_import(entry(1, author="Ann Lee", coauthors=("ann lee", "Ann-Lee", "ann-Lee", "Bo")))

    assert list(Post.objects.get().byline) == ["Ann Lee", "Ann-Lee", "Bo"]


@requirement("import.names")
def test_a_post_never_gets_another_author_for_a_name_that_is_too_long() -> None:
    outcome = run_import(entry(1, author="Ann " * 100, coauthors=("B" * 256,)))

    assert tuple(Post.objects.get().byline) == (("Ann " * 100)[:254] + "…", "B" * 254 + "…")
    assert [message[:26] for message in outcome.messages()] == ["The author's name was cut "] * 2


def test_posts_with_one_position_of_a_series_are_found_whatever_its_name_looks_like() -> None:
    outcome = run_import(
        entry(1, series="Node JS", series_position=1),
        entry(2, series="node  js", series_position=1),
        entry(3, series="Node.js", series_position=1),
    )

    assert list(Post.objects.order_by("slug").values_list("series_position", flat=True)) == [1, None, 1]
    assert [len(outcome.messages(str(number))) for number in (1, 2, 3)] == [0, 1, 0]
