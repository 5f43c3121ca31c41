"""The head of pages and the pagination."""

import pytest
from django.conf import settings as host
from django.template.loader import render_to_string
from django.test import override_settings
from pytest_django import Settings

from blog_engine.reader.page import PageLink, PageLinks, page_links
from tests.requirements import requirement
from tests.support.blogs import make_blog
from tests.support.factories import save, store_image, update
from tests.support.hosts import blog_settings
from tests.support.images import plain
from tests.support.pages import Element, Visitor, meta, parse, text_of
from tests.support.tables import undone

SHOWN = ("description", "robots", "og:title", "og:description", "og:type", "og:url", "og:site_name", "twitter:card")


def head_of(page: Element) -> dict[str, str]:
    """Return the title, the canonical URL and the metas that every page has."""
    canonical = page.one("link", rel="canonical").attrs["href"]
    return {"title": page.one("title").text, "canonical": canonical} | {name: meta(page, name) for name in SHOWN}


@requirement("pages.head.sharing")
@override_settings(BLOG_ENGINE=blog_settings(blog_title="Field Notes", blog_tagline="On soil."))
def test_the_head_of_the_index(visitor: Visitor) -> None:
    assert head_of(visitor.page()) == {
        "title": "Field Notes — The Example Journal",
        "canonical": "https://example.com/blog/",
        "description": "On soil.",
        "robots": "index, follow, max-image-preview:large",
        "og:title": "Field Notes",
        "og:description": "On soil.",
        "og:type": "website",
        "og:url": "https://example.com/blog/",
        "og:site_name": "The Example Journal",
        "twitter:card": "summary",
    }


@requirement("pages.descriptions", "search.json.description")
@pytest.mark.parametrize("blank", ["", " \n"])
def test_an_article_without_description_is_described_by_its_first_words(visitor: Visitor, blank: str) -> None:
    body = "# Ground\n\n" + " ".join(f"word{number}" for number in range(90))
    save(title="Soil", description=blank, search_description=blank, body=body, publish=True)

    words = " ".join(f"word{number}" for number in range(60)) + "…"
    article, index = visitor.page("/soil"), visitor.page()
    assert meta(article, "description") == meta(article, "og:description") == words
    assert index.one("p", class_="blog-card__description").text == words
    assert visitor.get("/search.json?q=soil").json()[0]["description"] == words


@requirement("pages.descriptions")
def test_the_words_for_search_engines_come_first(visitor: Visitor) -> None:
    save(title="Soil", search_description="For engines.", body="Text.", publish=True)

    assert meta(visitor.page("/soil"), "description") == "For engines."


@requirement("pages.descriptions")
@override_settings(BLOG_ENGINE=blog_settings(blog_tagline=" "))
def test_no_list_has_an_empty_description(visitor: Visitor) -> None:
    save(title="Soil", category="Garden", tags=["roots"], series="Ground", publish=True)
    paths = [
        "/",
        "/category/garden",
        "/tag/roots",
        "/series/ground",
        "/author/ada-example",
        "/search",
        "/search?q=soil",
    ]

    for path in paths:
        assert meta(visitor.page(path), "description").strip(), path


@requirement("pages.head.sharing", "pages.robots")
def test_the_head_of_an_article(visitor: Visitor) -> None:
    post = save(title="Soil", description="What grows.", publish=True).post
    update(post, body="New.", change="substantive")

    page = visitor.page("/soil")

    assert head_of(page) == {
        "title": "Soil — The Example Journal",
        "canonical": "https://example.com/blog/soil",
        "description": "What grows.",
        "robots": "index, follow, max-image-preview:large",
        "og:title": "Soil",
        "og:description": "What grows.",
        "og:type": "article",
        "og:url": "https://example.com/blog/soil",
        "og:site_name": "The Example Journal",
        "twitter:card": "summary_large_image",
    }
    assert meta(page, "article:published_time") == "2026-11-21T12:00:00+00:00"
    assert meta(page, "article:modified_time") == "2026-11-21T13:00:00+00:00"


@requirement("pages.head.article")
def test_search_texts_and_canonical_url_take_precedence(visitor: Visitor) -> None:
    save(
        title="Soil",
        search_title="All about soil",
        search_description="For searchers.",
        canonical_url="https://first.example/soil",
        publish=True,
    )

    head = head_of(visitor.page("/soil"))

    assert head["title"] == "All about soil — The Example Journal"
    assert head["og:title"] == "All about soil"
    assert head["description"] == "For searchers."
    assert head["canonical"] == head["og:url"] == "https://first.example/soil"


@requirement("pages.head.sharing")
def test_only_the_suffix_of_the_settings_is_left_out(visitor: Visitor) -> None:
    save(title="A — The Example Journal", slug="a", publish=True)

    assert meta(visitor.page("/a"), "og:title") == "A — The Example Journal"


@requirement("pages.head.topics")
def test_the_author_and_tags_of_an_article_are_in_its_head_alone(visitor: Visitor) -> None:
    save(title="Soil", tags=["roots & all", "粘土"], publish=True)

    def topics(page: Element) -> list[tuple[str, str]]:
        metas = [(tag.attrs.get("property", ""), tag.attrs.get("content", "")) for tag in page.all("meta")]
        return [(name, value) for name, value in metas if name in {"article:author", "article:tag"}]

    assert topics(visitor.page("/soil")) == [
        ("article:author", "https://example.com/blog/author/ada-example"),
        ("article:tag", "roots & all"),
        ("article:tag", "粘土"),
    ]
    assert topics(visitor.page()) == []


@requirement("pages.head.sharing")
def test_a_card_is_large_where_the_image_is(visitor: Visitor) -> None:
    for size, card in [((299, 400), "summary"), ((400, 156), "summary"), ((300, 157), "summary_large_image")]:
        image = store_image(plain(size=size))
        save(title="Soil", slug=f"soil-{size[1]}", social_image={"image_id": image.pk}, publish=True)

        assert meta(visitor.page(f"/soil-{size[1]}"), "twitter:card") == card

    with override_settings(BLOG_ENGINE=blog_settings(default_social_image_url="/card.png")):
        assert meta(visitor.page(), "twitter:card") == "summary_large_image"


@requirement("pages.head.feeds")
def test_the_links_to_feeds_have_different_titles(visitor: Visitor) -> None:
    links = visitor.page().all("link", rel="alternate")

    assert [link.attrs.get("title") for link in links] == ["Blog (Atom)", "Blog (JSON)"]


@requirement("pages.head.suffix")
@override_settings(BLOG_ENGINE=blog_settings(title_suffix=""))
def test_the_suffix_can_be_nothing(visitor: Visitor) -> None:
    assert visitor.page().one("title").text == "Blog"


@requirement("pages.head.social-image")
def test_the_default_image_of_shared_links(visitor: Visitor, subtests: pytest.Subtests) -> None:
    save(title="Soil", publish=True)

    not_drawn = {"enabled": False}

    for url, shown in [
        ("/static/card.png", "https://example.com/static/card.png"),
        ("static/card.png", "https://example.com/static/card.png"),
        ("https://cdn.example/card.png", "https://cdn.example/card.png"),
        ("https://user@cdn.example/card.png", None),
        ("//cdn.example/card.png", None),
        ("ftp://cdn.example/card.png", None),
    ]:
        with subtests.test(url=url, shown=shown), undone():
            with override_settings(BLOG_ENGINE=blog_settings(default_social_image_url=url, social_pictures=not_drawn)):
                pages = [visitor.page(), visitor.page("/soil")]

            for page in pages:
                images = [tag.attrs["content"] for tag in page.all("meta", property="og:image")]
                assert images == ([shown] if shown else [])


@requirement("pages.head.origin")
@override_settings(BLOG_ENGINE=blog_settings(public_base_url=None))
def test_without_public_base_url_urls_follow_the_request(visitor: Visitor) -> None:
    response = visitor.client.get("/blog/", headers={"host": "localhost:8123"}, secure=True)

    assert b'<link rel="canonical" href="https://localhost:8123/blog/">' in response.content


@requirement("pages.head.order")
def test_the_head_is_in_its_order(visitor: Visitor) -> None:
    save(title="Soil", tags=["roots"], publish=True)

    head = visitor.page("/soil").one("head")

    names = [e.attrs.get("name") or e.attrs.get("property") or e.attrs.get("rel") or e.name for e in head.walk()]
    assert names[:27] == [
        "meta",
        "title",
        "description",
        "canonical",
        "robots",
        "viewport",
        "og:title",
        "og:description",
        "og:type",
        "og:url",
        "og:site_name",
        "twitter:card",
        "og:image",
        "og:image:width",
        "og:image:height",
        "og:image:type",
        "og:image:alt",
        "article:published_time",
        "article:modified_time",
        "article:author",
        "article:tag",
        "alternate",
        "alternate",
        "alternate",
        "theme-color",
        "theme-color",
        "script",
    ]


@requirement("pages.csp")
def test_pages_load_only_files_of_their_own(visitor: Visitor, subtests: pytest.Subtests) -> None:
    save(title="Soil", body="## A\n\n```python\nx = 1\n```", publish=True)

    for path, status in [("/", 200), ("/soil", 200), ("/none", 404), ("/preview/x", 404)]:
        with subtests.test(path=path, status=status), undone():
            page = visitor.page(path, status=status)

            loaded = [e.attrs["href"] for e in page.all("link") if e.attrs["rel"] == "stylesheet"]
            loaded += [e.attrs["src"] for e in page.all("script") if "src" in e.attrs]
            assert loaded
            assert all(url.startswith("/static/blog_engine/") for url in loaded)
            assert not page.has("style")
            assert not any(name == "style" or name.startswith("on") for e in page.walk() for name in e.attrs)
            assert [e.attrs["type"] for e in page.all("script") if "src" not in e.attrs] == ["application/ld+json"]


class TestColorScheme:
    def test_the_system_decides_and_readers_may_switch(self, visitor: Visitor) -> None:
        page = visitor.page()

        assert "data-theme" not in page.one("html").attrs
        assert "hidden" in page.one("button", data_blog_theme_switch="").attrs
        assert [e.attrs["src"] for e in page.all("script") if "type" not in e.attrs] == [
            "/static/blog_engine/theme-boot.js"
        ]
        assert len({tag.attrs["content"] for tag in page.all("meta", name="theme-color")}) == 2

    @pytest.mark.parametrize("scheme", ["light", "dark"])
    def test_a_fixed_scheme_has_no_switch(self, visitor: Visitor, scheme: str) -> None:
        with override_settings(BLOG_ENGINE=blog_settings(color_scheme=scheme)):
            page = visitor.page()

        assert page.one("html").attrs["data-theme"] == scheme
        assert not page.has("button", data_blog_theme_switch="")
        assert not page.has("script", src="/static/blog_engine/theme-boot.js")
        assert len({tag.attrs["content"] for tag in page.all("meta", name="theme-color")}) == 1


GAP = "…"


def shown(*, current: int, count: int) -> str:
    page = parse(
        render_to_string("blog_engine/_pagination.html", {"pages": page_links("/", current=current, count=count)})
    )
    return " ".join(entry.text for entry in page.one("ol").all("li"))


@requirement("pages.pagination")
@pytest.mark.parametrize(
    ("current", "count", "entries"),
    [
        (1, 2, "1 2"),
        (2, 5, "1 2 3 4 5"),
        (1, 5, "1 2 3 … 5"),
        (1, 9, "1 2 3 … 9"),
        (4, 9, "1 2 3 4 5 6 … 9"),
        (5, 9, "1 … 3 4 5 6 7 … 9"),
        (6, 9, "1 … 4 5 6 7 8 9"),
        (9, 9, "1 … 7 8 9"),
        (5000, 10_000, "1 … 4998 4999 5000 5001 5002 … 10000"),
    ],
)
def test_pages_far_away_are_left_out(current: int, count: int, entries: str) -> None:
    assert shown(current=current, count=count) == entries


@requirement("pages.pagination")
@pytest.mark.parametrize("count", [2, 7, 8, 9, 100, 1_000_000])
def test_the_number_of_links_does_not_grow(count: int) -> None:
    for current in {1, 2, count // 2 or 1, count - 1, count}:
        links = page_links("/", current=current, count=count)

        assert links is not None
        assert len(links.links) <= 7
        assert [link.number for link in links if link.is_current] == [current]


def test_gaps_are_hidden_from_screen_readers_and_are_not_links() -> None:
    page = parse(render_to_string("blog_engine/_pagination.html", {"pages": page_links("/", current=5, count=9)}))

    gaps = page.all("li", class_="blog-pagination__gap")

    assert [(gap.text, gap.attrs["aria-hidden"], gap.has("a")) for gap in gaps] == [(GAP, "true", False)] * 2


def test_a_single_page_has_no_navigation() -> None:
    assert page_links("/", current=1, count=1) is None


def test_links_and_steps_have_their_paths() -> None:
    first, second = PageLink(1, "/", is_current=False), PageLink(2, "/?page=2", is_current=True)

    assert page_links("/", current=2, count=2) == PageLinks((first, second), previous=first, next=None)


MISSING = "NOTHING-UNDER-%s"


@pytest.mark.usefixtures("storage")
def test_no_page_uses_a_missing_value(visitor: Visitor, settings: Settings) -> None:
    paths = make_blog()
    engine = host.TEMPLATES[0]
    settings.TEMPLATES = [{**engine, "OPTIONS": {**engine["OPTIONS"], "string_if_invalid": MISSING}}]

    pages = {name: text_of(visitor.get(path)) for name, path in paths.items()}

    assert [name for name, page in pages.items() if MISSING.removesuffix("%s") in page] == []


def test_page_numbers_are_not_grouped(settings: Settings) -> None:
    settings.USE_THOUSAND_SEPARATOR = True

    page = parse(render_to_string("blog_engine/_pagination.html", {"pages": page_links("/", current=1000, count=1001)}))

    last = page.one("a", aria_label="Page 1001")
    assert [page.one("span").text, last.text] == ["1000", "1001"]
