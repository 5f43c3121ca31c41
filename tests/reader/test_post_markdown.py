"""The Markdown text of an article."""

from datetime import timedelta

import pytest
from django.test import override_settings

from blog_engine.queries.previews import preview_token
from tests.reader.conftest import TODAY
from tests.requirements import requirement
from tests.support.factories import LATER, NOW, approve, declare, save, unpublish, update
from tests.support.hosts import blog_settings
from tests.support.pages import Visitor, text_of

BODY = "## Roots\n\n*Deep* and wide.\n\n"


@requirement("pages.markdown.content")
def test_the_whole_text(visitor: Visitor) -> None:
    post = save(
        title="Soil - a primer",
        description="Not shown.",
        body=BODY,
        faq=[{"question": "Why?", "answer": "Because.\nSo."}],
        provenance="ai_assisted",
        publish=True,
        now=NOW - timedelta(days=49),
    ).post
    declare(post, third_party_paid=True)
    update(post, body=BODY + "More.", change="correction", note="It said *less*.\n\nMuch less.")

    response = visitor.get("/soil-a-primer.md")

    assert text_of(response) == (
        "# Soil \\- a primer\n\n"
        "Ada Example · Published October 3, 2026 · Updated November 21, 2026\n\n"
        "AI helped to make this article.\n\n"
        "A third party paid for this article.\n\n"
        "## Roots\n\n*Deep* and wide.\n\nMore.\n\n"
        "## Corrections\n\n"
        "### November 21, 2026\n\n"
        "It said \\*less\\*.\n\nMuch less.\n\n"
        "## Frequently asked questions\n\n"
        "### Why?\n\n"
        "Because.\nSo.\n\n"
        "<https://example.com/blog/soil-a-primer>\n\n"
        "[How this article was made](https://example.com/blog/soil-a-primer/history)\n"
    )


@requirement("pages.markdown.corrections")
def test_corrections_come_in_their_order_once_they_are_published(visitor: Visitor) -> None:
    post = save(title="Soil", body="11 arches.", provenance="human_written", publish=True).post
    notes = {"Of today.": LATER, "Of tomorrow.": TODAY, "Of the future.": TODAY + timedelta(days=9)}
    for number, (note, moment) in enumerate(notes.items(), 12):
        update(post, body=f"{number} arches.", change="correction", note=note, now=moment)

    text = text_of(visitor.get("/soil.md"))

    assert "14 arches.\n\n## Corrections\n\n### November 21, 2026\n\nOf today.\n\n### November 22, 2026\n" in text
    assert "Of tomorrow.\n\n<https://example.com/blog/soil>\n" in text


@requirement("pages.markdown.plain")
def test_a_plain_text_has_no_notices(visitor: Visitor) -> None:
    post = save(title="Soil", body="Text.", provenance="ai_assisted", publish=True).post
    approve(post)

    assert text_of(visitor.get("/soil.md")) == (
        "# Soil\n\nAda Example · Published November 21, 2026\n\nText.\n\n<https://example.com/blog/soil>\n\n"
        "[How this article was made](https://example.com/blog/soil/history)\n"
    )


@requirement("pages.markdown")
def test_the_headers(visitor: Visitor) -> None:
    save(title="Soil", canonical_url="https://first.example/soil", publish=True)

    response = visitor.get("/soil.md")

    assert response["Content-Type"] == "text/markdown; charset=utf-8"
    assert response["X-Robots-Tag"] == "noindex"
    assert response["Link"] == '<https://first.example/soil>; rel="canonical"'
    assert "\n\n<https://first.example/soil>\n\n" in text_of(response)


@requirement("pages.markdown.format-parameter")
def test_the_format_can_be_asked_for_in_the_query(visitor: Visitor) -> None:
    save(title="Soil", publish=True)

    assert visitor.get("/soil?format=md").content == visitor.get("/soil.md").content


@pytest.mark.parametrize("collapsed", [True, False])
def test_the_faq_is_there_open_or_closed(visitor: Visitor, collapsed: bool) -> None:
    save(title="Soil", faq=[{"question": "Why?", "answer": "So."}], publish=True)

    with override_settings(BLOG_ENGINE=blog_settings(faq_collapsed=collapsed)):
        assert "### Why?" in text_of(visitor.get("/soil.md"))


@requirement("previews.drafts-hidden")
def test_a_draft_has_no_text(visitor: Visitor) -> None:
    save(title="Soil")

    assert visitor.get("/soil.md").status_code == 404


@requirement("pages.moved.markdown")
def test_a_moved_article_keeps_its_suffix(visitor: Visitor) -> None:
    post = save(title="Soil", slug="old", publish=True).post
    update(post, slug="new", now=LATER)

    response = visitor.get("/old.md")

    assert (response.status_code, response["Location"]) == (301, "/blog/new.md")


@requirement("pages.gone", "pages.dead-ends")
def test_a_removed_article_answers_the_page(visitor: Visitor) -> None:
    post = save(title="Soil", publish=True).post
    unpublish(post)

    response = visitor.get("/soil.md")

    assert response.status_code == 410
    assert response["Content-Type"] == "text/html; charset=utf-8"


def test_a_canonical_url_beyond_ascii_is_sent_as_a_uri(visitor: Visitor) -> None:
    save(title="Soil", canonical_url="https://first.example/ä/日本", publish=True)

    response = visitor.get("/soil.md")

    assert response["Link"] == '<https://first.example/%C3%A4/%E6%97%A5%E6%9C%AC>; rel="canonical"'


@requirement("pages.markdown.announced")
def test_an_article_announces_its_markdown_text_and_other_pages_announce_none(visitor: Visitor) -> None:
    save(title="Soil", category="Garden", publish=True)
    draft = save(title="Draft").post

    def announced(path: str, *, status: int = 200) -> list[str | None]:
        page = visitor.page(path, status=status)
        return [link.attrs["href"] for link in page.all("link", rel="alternate", type="text/markdown")]

    (path,) = announced("/soil")
    others = ["/", "/category/garden", "/search", f"/preview/{preview_token(draft, now=TODAY).token}"]

    assert path == "/blog/soil.md"
    assert visitor.client.get(path).headers["Content-Type"] == "text/markdown; charset=utf-8"
    assert [announced(other) for other in others] == [[]] * len(others)
    assert announced("/none", status=404) == []
