"""The search page."""

from datetime import timedelta

import pytest
from django.test import override_settings
from django.utils import timezone

from blog_engine.models import PageView
from tests.reader.test_page import head_of
from tests.requirements import requirement
from tests.support.factories import NOW, save, unpublish
from tests.support.hosts import blog_settings
from tests.support.pages import Element, Visitor, graph_of, meta
from tests.support.tables import undone

FEW = blog_settings(posts_per_page=2)


def titles(page: Element) -> list[str]:
    return [title.text for title in page.all("h2", class_="blog-card__title")]


def found(visitor: Visitor, words: str) -> list[str]:
    return titles(visitor.page(f"/search?q={words}"))


@requirement("search.fields", "previews.drafts-hidden")
def test_only_public_posts_are_found(visitor: Visitor) -> None:
    save(title="Hoarfrost drafted")
    save(title="Hoarfrost scheduled", publish=True, publish_at="2026-12-24T12:00:00Z")
    unpublish(save(title="Hoarfrost withdrawn", publish=True).post)
    save(title="Hoarfrost in public", publish=True)

    assert found(visitor, "hoarfrost") == ["Hoarfrost in public"]
    assert [one["title"] for one in visitor.get("/search.json?q=hoarfrost").json()] == ["Hoarfrost in public"]


UNUSABLE = ["", "a", "%20a%20", "x" * 101, "a%00b", "+", f"or{'%CC%81' * 31}"]


@requirement("search.length")
def test_other_queries_find_nothing(visitor: Visitor, subtests: pytest.Subtests) -> None:
    save(title="Orchard xa" + "x" * 101, publish=True)

    for query in ["", *(f"?q={words}" for words in UNUSABLE), "?q[]=Orchard", "?q[0]=Orchard"]:
        with subtests.test(query=query), undone():
            page = visitor.page(f"/search{query}")

            assert titles(page) == []
            assert visitor.get(f"/search.json{query}").json() == []
            assert page.has("p", class_="blog-empty__title")
            assert page.one("link", rel="canonical").attrs["href"] == "https://example.com/blog/search"
    assert visitor.get("/search.json?q=%ED%A0%80").json() == []


def test_the_page_counts_what_it_found(visitor: Visitor) -> None:
    for number in range(3):
        save(title=f"Orchard {number}", publish=True)

    with override_settings(BLOG_ENGINE=FEW):
        said = visitor.page("/search?q=orchard").one("p", class_="blog-found")

    assert said.text == "3 posts with orchard"
    assert said.attrs["role"] == "status"


@requirement("pages.page-numbers")
@override_settings(BLOG_ENGINE=FEW)
def test_pages_keep_the_words(visitor: Visitor) -> None:
    for number in range(5):
        save(title=f"Orchard notes {number}", publish=True, now=NOW + timedelta(minutes=number))

    page = visitor.page("/search?q=+orchard%20notes&page=2")

    assert titles(page) == ["Orchard notes 2", "Orchard notes 1"]
    assert page.one("h1").text == "Search articles, page 2"
    assert [link.attrs["href"] for link in page.one("nav", class_="blog-pagination").all("a")] == [
        "/blog/search?q=orchard+notes",
        "/blog/search?q=orchard+notes&page=3",
        "/blog/search?q=orchard+notes",
        "/blog/search?q=orchard+notes&page=3",
    ]
    assert head_of(page) == {
        "title": "Search articles — Page 2 — The Example Journal",
        "canonical": "https://example.com/blog/search?q=orchard+notes&page=2",
        "description": meta(visitor.page("/search"), "description"),
        "robots": "noindex, follow",
        "og:title": "Search articles — Page 2",
        "og:description": meta(page, "description"),
        "og:type": "website",
        "og:url": "https://example.com/blog/search?q=orchard+notes&page=2",
        "og:site_name": "The Example Journal",
        "twitter:card": "summary",
    }


def test_the_head_of_the_first_page(visitor: Visitor) -> None:
    page = visitor.page("/search?q=%C3%A9t%C3%A9+%26&page=1")

    assert head_of(page)["title"] == "Search articles — The Example Journal"
    assert head_of(page)["canonical"] == "https://example.com/blog/search?q=%C3%A9t%C3%A9+%26"
    assert head_of(page)["description"] != ""


def test_the_structured_data_lists_what_was_found(visitor: Visitor) -> None:
    save(title="Orchard", publish=True)

    page = visitor.page("/search?q=orchard")

    assert graph_of(page) == [
        {
            "@type": "CollectionPage",
            "name": "Search articles — The Example Journal",
            "description": meta(page, "description"),
            "url": "https://example.com/blog/search?q=orchard",
            "inLanguage": "en",
            "mainEntity": {
                "@type": "ItemList",
                "itemListElement": [
                    {"@type": "ListItem", "position": 1, "url": "https://example.com/blog/orchard", "name": "Orchard"}
                ],
            },
        },
        {
            "@type": "BreadcrumbList",
            "itemListElement": [
                {"@type": "ListItem", "position": 1, "name": "Blog", "item": "https://example.com/blog/"},
                {"@type": "ListItem", "position": 2, "name": "Search", "item": "https://example.com/blog/search"},
            ],
        },
    ]
    assert page.one("nav", aria_label="Breadcrumbs").one("a").attrs["href"] == "/blog/"


def passages(page: Element) -> list[str]:
    return [passage.text for passage in page.all("p", class_="blog-result__passage")]


@requirement("search.limit")
@pytest.mark.parametrize(
    ("words", "place", "told"),
    [
        ("soil", "p", "More than 2 posts with soil; these are the best matches."),
        ("soil moon", "h2", "More than 2 posts with some of the words"),
    ],
)
def test_the_page_says_that_more_posts_were_found(
    words: str, place: str, told: str, visitor: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("blog_engine.queries.search.MOST_SHOWN", 2)
    for number in range(3):
        save(title=f"Soil {number}", publish=True)
    save(title="Moon", publish=True)

    page = visitor.page(f"/search?q={words.replace(' ', '+')}")

    assert page.one("div", class_="blog-list__main").all(place)[0].text == told
    assert len(page.all("article", class_="blog-result")) == 2


@requirement("search.snippet")
def test_a_result_shows_the_passage_with_the_hits_marked(visitor: Visitor) -> None:
    body = f"{'Before. ' * 60}The **tides** turn at the quay. {'After. ' * 60}"
    save(title="Harbour", body=body, category="Sea", publish=True)

    page = visitor.page("/search?q=tide+quay")

    result = page.one("article", class_="blog-result")
    assert [mark.text for mark in result.all("mark")] == ["tides", "quay"]
    assert "The tides turn at the quay. After." in passages(page)[0]
    assert len(passages(page)[0]) < 300
    assert result.one("p", class_="blog-kicker").text == "Sea"


@requirement("search.snippet")
@pytest.mark.parametrize(
    ("fields", "marked", "text"),
    [
        ({"description": "Of the tide."}, ["tide"], "Of the tide."),
        ({"description": "Elsewhere.", "faq": [{"question": "Tide?", "answer": "Yes."}]}, ["Tide"], "Tide? Yes."),
        ({"title": "Tide", "description": "Elsewhere."}, [], "Elsewhere."),
        ({"title": "Tide", "body": "The text alone."}, [], "The text alone."),
    ],
)
def test_the_passage_comes_from_where_the_hit_is(
    visitor: Visitor, fields: dict[str, object], marked: list[str], text: str
) -> None:
    save(publish=True, **fields)

    page = visitor.page("/search?q=tide")

    assert [mark.text for mark in page.all("mark")] == marked
    assert [passage.strip() for passage in passages(page)] == [text]


HOSTILE = "<script>alert(1)</script> <img src=x onerror=alert(1)> </p></mark><b>tide</b> &lt;i&gt; \"'"


@requirement("search.snippet", "rendering.safe")
def test_passages_are_text(visitor: Visitor, subtests: pytest.Subtests) -> None:
    for words in ["tide", "script", "alert", "img onerror", "mark", "%22%3E%3Cscript%3E"]:
        for fields in [
            {"body": f"`{HOSTILE}`"},
            {"description": HOSTILE},
            {"faq": [{"question": HOSTILE, "answer": HOSTILE}]},
        ]:
            with subtests.test(fields=fields, words=words), undone():
                save(title="Harbour", publish=True, **fields)

                page = visitor.page(f"/search?q={words}")

                (result,) = page.all("article", class_="blog-result")
                assert not any(result.has(tag) for tag in ("script", "img", "b", "i"))
                assert "<b>tide</b>" in passages(page)[0]
                assert result.has("mark")


@requirement("search.no-results")
def test_where_nothing_is_found_the_newest_posts_are_offered(visitor: Visitor) -> None:
    save(title="Orchard", publish=True)
    save(title="Draft")

    page = visitor.page("/search?q=zzzz")

    section = page.one("div", class_="blog-empty").one("section")
    assert section.one("h2").text == "Recent posts"
    assert [(link.text, link.attrs["href"]) for link in section.all("a")] == [("Orchard", "/blog/orchard")]


@requirement("search.no-results")
@override_settings(BLOG_ENGINE=blog_settings(popular_posts={"enabled": True}))
def test_where_nothing_is_found_popular_posts_are_offered(visitor: Visitor) -> None:
    read = save(title="Read", publish=True).post
    save(title="Orchard", publish=True)
    PageView.objects.create(post=read, day=timezone.now().date(), views=3)

    page = visitor.page("/search?q=zzzz")

    section = page.one("div", class_="blog-empty").one("section")
    assert section.one("h2").text == "Popular articles"
    assert [link.text for link in section.all("a")] == ["Read"]


def test_where_something_is_found_nothing_else_is_offered(visitor: Visitor) -> None:
    save(title="Orchard", publish=True)

    assert not visitor.page("/search?q=orchard").has("div", class_="blog-empty")


@requirement("search.some-words")
def test_posts_with_some_of_the_words_have_a_heading_of_their_own(visitor: Visitor) -> None:
    save(title="Orchard", publish=True)

    some = visitor.page("/search?q=orchard+zzzz").one("div", class_="blog-list__main")
    all_of_them = visitor.page("/search?q=orchard").one("div", class_="blog-list__main")

    assert some.one("p", class_="blog-found").text == "No post has all words of orchard zzzz."
    assert [some.one(name).text for name in ("h2", "h3")] == ["1 post with some of the words", "Orchard"]
    assert all_of_them.one("p", class_="blog-found").text == "1 post with orchard"
    assert all_of_them.one("h2").text == "Orchard"
