"""Search suggestions as JSON."""

from datetime import timedelta
from typing import Any

import pytest

from tests.requirements import requirement
from tests.support.factories import NOW, save, unpublish
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


@requirement("search.json.description")
def test_a_missing_description_is_the_start_of_the_text(visitor: Visitor) -> None:
    save(title="Orchard", body="# Ground\n\nIt *begins* below.", publish=True)

    assert "begins below" in suggested(visitor, "?q=orchard")[0]["description"]


@requirement("search.json")
def test_at_most_eight_are_suggested_whatever_the_page(visitor: Visitor, subtests: pytest.Subtests) -> None:
    for number in range(10):
        save(title=f"Orchard {number}", publish=True, now=NOW + timedelta(minutes=number))

    for page in ["", "&page=1", "&page=2", "&page=x"]:
        with subtests.test(page=page), undone():
            found = [post["title"] for post in suggested(visitor, f"?q=orchard{page}")]

            assert found == [f"Orchard {number}" for number in range(9, 1, -1)]


@requirement("previews.drafts-hidden")
def test_only_public_posts_are_suggested(visitor: Visitor) -> None:
    save(title="Orchard drafted")
    unpublish(save(title="Orchard withdrawn", publish=True).post)

    assert suggested(visitor, "?q=orchard") == []


@requirement("search.length")
def test_other_queries_find_nothing(visitor: Visitor, subtests: pytest.Subtests) -> None:
    save(title="Orchard xa" + "x" * 101, publish=True)

    for query in [
        "",
        *(f"?q={words}" for words in ("", "a", "%20a%20", "x" * 101, "a%00b", "%ED%A0%80")),
        "?q[]=orchard",
    ]:
        with subtests.test(query=query), undone():
            assert suggested(visitor, query) == []


@requirement("search.json.format-parameter")
def test_format_json_of_the_page_is_the_same(visitor: Visitor) -> None:
    save(title="Orchard", publish=True)

    response = visitor.get("/search?q=orchard&format=json")

    assert response["Content-Type"] == "application/json"
    assert response.json() == suggested(visitor, "?q=orchard")


@requirement("search.json", "pages.validators")
@pytest.mark.parametrize("path", ["/search.json?q=orchard", "/search?q=orchard&format=json"])
def test_the_answer_can_be_revalidated_and_is_noindex(visitor: Visitor, path: str) -> None:
    first = visitor.get(path)
    again = visitor.get(path, if_none_match=first["ETag"])

    assert (again.status_code, again.content) == (304, b"")
    for response in (first, again):
        assert response["X-Robots-Tag"] == "noindex"
        assert response["Cache-Control"] == "max-age=0, private, must-revalidate"


@pytest.mark.parametrize("method", ["post", "put", "patch", "delete"])
@pytest.mark.parametrize("path", ["/blog/search", "/blog/search.json"])
def test_other_methods_are_refused(visitor: Visitor, path: str, method: str) -> None:
    response = getattr(visitor.client, method)(path)

    assert (response.status_code, response["Allow"]) == (405, "GET, HEAD")
