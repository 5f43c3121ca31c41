"""Search suggestions as JSON."""

from datetime import timedelta
from typing import Any

import pytest

from tests.requirements import requirement
from tests.support.factories import NOW, save
from tests.support.pages import Visitor
from tests.support.tables import undone


def suggested(visitor: Visitor, query: str) -> Any:
    response = visitor.get(f"/search.json{query}")
    assert response.status_code == 200
    assert response["Content-Type"] == "application/json"
    return response.json()


@requirement("search.json")
def test_a_suggestion_has_title_url_and_description(visitor: Visitor) -> None:
    save(title="Orchard & <b>notes</b>", slug="orchard", description="What grows, and where.", publish=True)

    assert suggested(visitor, "?q=orchard") == [
        {
            "title": "Orchard & <b>notes</b>",
            "url": "https://example.com/blog/orchard",
            "description": "What grows, and where.",
        }
    ]


@requirement("search.json")
def test_at_most_eight_are_suggested_whatever_the_page(visitor: Visitor, subtests: pytest.Subtests) -> None:
    for number in range(10):
        save(title=f"Orchard {number}", publish=True, now=NOW + timedelta(minutes=number))

    for page in ["", "&page=1", "&page=2", "&page=x"]:
        with subtests.test(page=page), undone():
            found = [post["title"] for post in suggested(visitor, f"?q=orchard{page}")]

            assert found == [f"Orchard {number}" for number in range(9, 1, -1)]


@requirement("search.all-words")
def test_only_posts_with_all_words_are_suggested(visitor: Visitor) -> None:
    save(title="Orchard", body="Trees.", publish=True)
    save(title="Meadow", publish=True)

    assert suggested(visitor, "?q=orchard+meadow") == []
    assert [post["title"] for post in suggested(visitor, "?q=trees+orchrad")] == ["Orchard"]


@requirement("search.json.format-parameter")
def test_format_json_of_the_page_is_the_same(visitor: Visitor) -> None:
    save(title="Orchard", publish=True)

    response = visitor.get("/search?q=orchard&format=json")

    assert response["Content-Type"] == "application/json"
    assert response.json() == suggested(visitor, "?q=orchard")
