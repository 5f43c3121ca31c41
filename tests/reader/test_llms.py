"""``llms.txt`` and ``llms-full.txt``."""

import pytest
from django.test import override_settings

from blog_engine.reader.llms import LINKS_ON_PAGE, TEXTS_ON_PAGE
from tests.reader.conftest import count_queries
from tests.requirements import requirement
from tests.support.blogs import publish_crowd
from tests.support.factories import approve, save, unpublish
from tests.support.hosts import Place, blog_settings
from tests.support.pages import Visitor
from tests.support.tables import insert_redirect

SITE = "https://example.com/blog"
BOTH = ["/llms.txt", "/llms-full.txt"]
MOST_QUERIES = 7


def text_at(visitor: Visitor, path: str) -> str:
    response = visitor.get(path)
    assert response.status_code == 200
    assert response.headers["Content-Type"] == "text/plain; charset=utf-8"
    return response.content.decode()


def titles(text: str) -> list[str]:
    """The titles of the linked posts."""
    lines = text.partition("## Posts\n")[2].partition("\n## ")[0].split("\n")
    return [line[3:].partition("](")[0] for line in lines if line]


@requirement("llms-txt.links")
def test_the_links_come_in_sections(visitor: Visitor) -> None:
    save(title="Soil", description="What *lies* below.", publish=True)
    save(title="Stone", body="Hard words.", publish=True)
    changes = {
        "policy_urls": {"ai_use": "/ai", "corrections": "https://example.org/a(b)", "editorial": "javascript:x"},
        "blog_title": "Journal",
        "title_suffix": " — Garden",
        "blog_tagline": "All about soil.",
    }

    with override_settings(BLOG_ENGINE=blog_settings(**changes)):
        text = text_at(visitor, "/llms.txt")

    assert (
        text
        == f"""\
# Journal — Garden

> All about soil.

## Posts

- [Stone]({SITE}/stone.md): Hard words.
- [Soil]({SITE}/soil.md): What \\*lies\\* below.

## Policy pages

- [Corrections policy](https://example.org/a%28b%29)
- [AI use policy](https://example.com/ai)

## Feeds

- [Atom feed]({SITE}/feed.xml)
- [JSON feed]({SITE}/feed.json)

## Optional

- [llms-full.txt]({SITE}/llms-full.txt)
- [sitemap.xml]({SITE}/sitemap.xml)
"""
    )


@requirement("llms-txt.links")
def test_an_empty_blog_has_no_section_of_posts(visitor: Visitor) -> None:
    with override_settings(BLOG_ENGINE=blog_settings(policy_urls={}, serve_sitemap=False, blog_tagline=None)):
        text, full = (text_at(visitor, path) for path in BOTH)

    assert [line for line in text.split("\n") if line.startswith("#")] == [
        *("# Blog — The Example Journal", "## Feeds", "## Optional")
    ]
    assert full == "# Blog — The Example Journal\n\n> The blog of The Example Journal.\n"
    assert "sitemap" not in text


@requirement("llms-txt.links")
def test_the_words_are_in_the_language_of_the_blog(visitor: Visitor) -> None:
    save(title="Soil", publish=True)

    with override_settings(BLOG_ENGINE=blog_settings(locale="de")):
        text, full = (text_at(visitor, path) for path in BOTH)

    assert "## Artikel\n" in text
    assert "Atom-Feed" in text
    assert "> Der Blog von" in full


@requirement("llms-txt.links", "llms-txt.texts", "host.mount")
def test_links_follow_the_mount(place: Place) -> None:
    save(title="Soil", publish=True)

    text = place.get("/llms.txt").content.decode()

    assert f"{place.prefix}/soil.md)" in text


@requirement("llms-txt.texts")
def test_the_texts_are_those_of_the_posts(visitor: Visitor) -> None:
    paid = {"connections": [], "third_party_paid": True, "declared_by": "Ines"}
    faq = [{"question": "Why?", "answer": "So."}, {"question": "How?", "answer": "Thus."}]
    save(title="Plain", provenance="human_written", publish=True)
    save(title="Paid", faq=faq, connections=paid, provenance="ai_assisted", publish=True)
    approve(save(title="Checked", provenance="ai_assisted", faq=faq[:1], publish=True).post)
    with override_settings(BLOG_ENGINE=blog_settings(body_formats=["markdown", "rich_text"])):
        save(title="Rich", body="<p>One &amp; two.</p>", body_format="rich_text", publish=True)

    introduction, *texts = text_at(visitor, "/llms-full.txt").split("\n\n---\n\n")

    assert introduction == "# Blog — The Example Journal\n\n> The blog of The Example Journal."
    expected = [
        visitor.get(f"/{slug}.md").content.decode().partition("[How this article")[0]
        for slug in ("rich", "checked", "paid", "plain")
    ]
    assert [text.strip() for text in texts] == [text.strip() for text in expected]
    assert "AI helped to make this article.\n\nA third party paid for this article.\n" in texts[2]


@requirement("llms-txt.order")
def test_only_public_posts_are_shown_newest_first_with_the_featured_one(visitor: Visitor) -> None:
    save(title="Old", featured=True, publish=True)
    save(title="Draft")
    unpublish(save(title="Withdrawn", publish=True).post)
    save(title="New", publish=True)

    text, full = (text_at(visitor, path) for path in BOTH)

    assert titles(text) == ["New", "Old"]
    assert [line for line in full.split("\n") if line.startswith("# ")][1:] == ["# New", "# Old"]


@requirement("llms-txt.pages")
def test_pages_link_to_each_other_and_have_every_post_once(visitor: Visitor) -> None:
    total = 2 * LINKS_ON_PAGE + 1
    publish_crowd(total, like=save(title="Soil").post)

    pages = [text_at(visitor, f"/llms.txt?page={number}") for number in (1, 2, 3)]

    assert pages[0] == text_at(visitor, "/llms.txt")
    assert [len(titles(page)) for page in pages] == [LINKS_ON_PAGE, LINKS_ON_PAGE, 1]
    assert len({title for page in pages for title in titles(page)}) == total
    assert pages[0].endswith(f"- [Next page]({SITE}/llms.txt?page=2)\n")
    assert pages[1].endswith(
        f"## Optional\n\n- [Previous page]({SITE}/llms.txt)\n- [Next page]({SITE}/llms.txt?page=3)\n"
    )
    assert pages[2].endswith(f"- [Previous page]({SITE}/llms.txt?page=2)\n")
    assert "## Feeds" not in pages[1]


@requirement("llms-txt.pages")
def test_texts_are_paged_as_well(visitor: Visitor) -> None:
    publish_crowd(TEXTS_ON_PAGE + 2, like=save(title="Soil").post)

    first, second = (text_at(visitor, f"/llms-full.txt?page={number}") for number in (1, 2))

    assert first.endswith(f"---\n\n[Next page]({SITE}/llms-full.txt?page=2)\n")
    assert (first.count("\n---\n"), second.count("\n---\n")) == (TEXTS_ON_PAGE + 1, 2)
    assert "Next page" not in second


@requirement("llms-txt.escaped")
def test_a_title_cannot_break_the_list(visitor: Visitor) -> None:
    save(title="A [b](c) \\ `d`", description="One.\n\n## Two\n- three", publish=True)

    assert "- [A \\[b\\](c) \\\\ \\`d\\`](" in text_at(visitor, "/llms.txt")
    assert "): One. \\#\\# Two \\- three\n" in text_at(visitor, "/llms.txt")


@requirement("llms-txt.off")
@pytest.mark.parametrize("path", BOTH)
def test_a_host_can_turn_them_off(visitor: Visitor, path: str) -> None:
    with override_settings(BLOG_ENGINE=blog_settings(serve_llms_txt=False)):
        assert visitor.get(path).status_code == 404
        insert_redirect(f"/blog{path}", "/elsewhere")
        assert visitor.get(path).status_code == 301


@requirement("llms-txt.cache", "pages.forged-host")
@pytest.mark.parametrize("path", BOTH)
def test_without_a_public_origin_no_shared_cache_keeps_them(visitor: Visitor, path: str) -> None:
    with override_settings(BLOG_ENGINE=blog_settings(public_base_url=None)):
        assert "private" in visitor.get(path).headers["Cache-Control"]


@requirement("llms-txt.queries")
def test_the_number_of_posts_costs_no_query(visitor: Visitor) -> None:
    paid = {"connections": [], "third_party_paid": True, "declared_by": "Ines"}
    faq = [{"question": "Why?", "answer": "So."}]
    like = save(title="Soil", faq=faq, connections=paid, provenance="ai_assisted", publish=True).post
    found = []
    with override_settings(BLOG_ENGINE=blog_settings(policy_urls={})):
        for start, number in ((0, LINKS_ON_PAGE + 1), (LINKS_ON_PAGE + 1, 300)):
            publish_crowd(number, like=like, start=start)
            paths = (*BOTH, "/llms.txt?page=2", "/llms-full.txt?page=2")
            found.append({path: count_queries(visitor, path) for path in paths})

    assert found[0] == found[1]
    assert max(found[1].values()) <= MOST_QUERIES
