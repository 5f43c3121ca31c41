"""The pages of categories, tags, authors and series."""

from importlib import reload
from typing import Any

import pytest
from django.test import override_settings
from django.urls import clear_url_caches, resolve, reverse
from django.urls.converters import REGISTERED_CONVERTERS, get_converters

import blog_engine.reader.urls
import blog_engine.urls
import example_site.urls
from blog_engine.models import Author, Category, Series
from tests.requirements import requirement
from tests.support.factories import save, unpublish
from tests.support.hosts import blog_settings
from tests.support.pages import Visitor, meta
from tests.support.tables import insert_redirect, undone

PATHS = {
    "category": "/category/garden",
    "tag": "/tag/roots",
    "author": "/author/ada-example",
    "series": "/series/ground",
}
KINDS = list(PATHS)


def make_post(title: str, **fields: Any) -> None:
    save(title=title, category="Garden", tags=["roots"], series="Ground", publish=True, **fields)


def card_titles(visitor: Visitor, path: str) -> list[str]:
    return [title.text for title in visitor.page(path).all("h2", class_="blog-card__title")]


@requirement("pages.lists", "previews.drafts-hidden")
def test_public_posts_are_listed_newest_first_the_featured_one_among_them(
    visitor: Visitor, subtests: pytest.Subtests
) -> None:
    make_post("First", featured=True)
    make_post("Second")
    save(title="Elsewhere", author={"name": "Somebody else"}, category="Attic", tags=["dust"], publish=True)
    save(title="Draft", category="Garden", tags=["roots"])
    unpublish(save(title="Withdrawn", category="Garden", tags=["roots"], publish=True).post)

    for kind in ["category", "tag", "author"]:
        with subtests.test(kind=kind), undone():
            page = visitor.page(PATHS[kind])

            assert [title.text for title in page.all("h2", class_="blog-card__title")] == ["Second", "First"]
            assert not page.has("article", class_="blog-card--featured")


@requirement("pages.lists", "pages.series")
def test_a_series_is_in_reading_order(visitor: Visitor) -> None:
    make_post("Loose one")
    make_post("Second", series_position=2)
    make_post("First", series_position=1)
    make_post("Loose two")

    assert card_titles(visitor, "/series/ground") == ["First", "Second", "Loose one", "Loose two"]


@requirement("pages.lists.parts")
@override_settings(BLOG_ENGINE=blog_settings(posts_per_page=2))
def test_the_posts_of_a_series_are_numbered_over_all_pages_in_rows(visitor: Visitor) -> None:
    for title, position in (("Third", 30), ("First", 5), ("Second", 20)):
        make_post(title, series_position=position)

    first, second = visitor.page("/series/ground"), visitor.page("/series/ground?page=2")
    shown = [card.one("p", class_="blog-kicker").text for page in (first, second) for card in page.all("article")]

    assert shown == ["Part 1", "Part 2", "Part 3"]
    assert "blog-cards--list" in first.one("div", class_="blog-cards").classes
    assert "Part" not in visitor.page("/category/garden").one("div", class_="blog-cards").text


@requirement("pages.lists.count")
@override_settings(BLOG_ENGINE=blog_settings(posts_per_page=1))
def test_a_list_counts_its_public_posts(visitor: Visitor, subtests: pytest.Subtests) -> None:
    make_post("Soil")

    for kind in KINDS:
        with subtests.test(kind=kind), undone():
            one = visitor.page(PATHS[kind]).one("p", class_="blog-heading__count").text
            make_post("Stone")
            save(title="Draft", category="Garden", tags=["roots"], series="Ground")

            both = [
                visitor.page(f"{PATHS[kind]}{query}").one("p", class_="blog-heading__count")
                for query in ("", "?page=2")
            ]

            assert [one, *(count.text for count in both)] == ["1 post", "2 posts", "2 posts"]


@requirement("pages.lists.empty")
def test_a_list_without_public_posts_says_so(visitor: Visitor, subtests: pytest.Subtests) -> None:
    save(title="Draft", category="Garden", tags=["roots"], series="Ground")

    for kind in KINDS:
        with subtests.test(kind=kind), undone():
            page = visitor.page(PATHS[kind])

            assert page.has("p", class_="blog-empty__title")
            assert page.one("", class_="blog-empty").one("a").attrs["href"] == "/blog/"


@requirement("pages.lists.words")
@override_settings(BLOG_ENGINE=blog_settings(posts_per_page=1))
def test_the_words_of_a_list(visitor: Visitor, subtests: pytest.Subtests) -> None:
    make_post("First")
    make_post("Second")

    for kind, heading, title, description, second in [
        (
            "category",
            "Garden",
            "Garden — The Example Journal",
            "Posts about Garden — The Example Journal.",
            "Page 2 of the posts about Garden — The Example Journal.",
        ),
        (
            "tag",
            "Tagged: roots",
            "Tagged: roots — The Example Journal",
            "Posts tagged roots — The Example Journal.",
            "Page 2 of the posts tagged roots — The Example Journal.",
        ),
        (
            "author",
            "Ada Example",
            "Ada Example — The Example Journal",
            "Posts by Ada Example — The Example Journal.",
            "Page 2 of the posts by Ada Example — The Example Journal.",
        ),
        (
            "series",
            "Ground",
            "Ground — The Example Journal",
            "Posts in Ground — The Example Journal.",
            "Page 2 of the posts in Ground — The Example Journal.",
        ),
    ]:
        with subtests.test(kind=kind, heading=heading, title=title, description=description, second=second), undone():
            page, further = visitor.page(PATHS[kind]), visitor.page(f"{PATHS[kind]}?page=2")

            assert page.one("h1").text == heading
            assert further.one("h1").text == f"{heading}, page 2"
            assert page.one("title").text == title
            assert further.one("title").text == f"{heading} — Page 2 — The Example Journal"
            for shown, words in ((page, description), (further, second)):
                assert meta(shown, "description") == meta(shown, "og:description") == words
                assert not shown.has("p", class_="blog-heading__tagline")
            url = f"https://example.com/blog{PATHS[kind]}"
            assert page.one("link", rel="canonical").attrs["href"] == url
            assert further.one("link", rel="canonical").attrs["href"] == f"{url}?page=2"


@requirement("pages.lists.description")
def test_a_description_of_its_own_is_shown(visitor: Visitor, subtests: pytest.Subtests) -> None:
    make_post("Soil")

    for kind, field in [("category", "description"), ("author", "bio"), ("series", "description")]:
        with subtests.test(kind=kind, field=field), undone():
            model = {"category": Category, "author": Author, "series": Series}[kind]
            model.objects.update(**{field: "All about <ground>."})

            page = visitor.page(PATHS[kind])

            assert page.one("p", class_="blog-heading__tagline").text == "All about <ground>."
            assert not visitor.page(PATHS[KINDS[1]]).has("p", class_="blog-heading__tagline")
            assert meta(page, "description") == "All about <ground>."


@requirement("pages.lists.primary")
@pytest.mark.parametrize(
    ("primary", "indexed"), [("categories", "category"), ("tags", "tag")], ids=["categories", "tags"]
)
def test_only_the_primary_lists_are_for_search_engines(visitor: Visitor, primary: str, indexed: str) -> None:
    make_post("Soil")

    with override_settings(BLOG_ENGINE=blog_settings(primary_list_type=primary)):
        robots = {kind: meta(visitor.page(path), "robots") for kind, path in PATHS.items()}

    assert robots == {
        kind: "index, follow, max-image-preview:large" if kind == indexed else "noindex, follow" for kind in KINDS
    }


def test_the_structured_data_of_a_list(visitor: Visitor, subtests: pytest.Subtests) -> None:
    make_post("Soil")

    for kind in ["category", "tag", "series"]:
        with subtests.test(kind=kind), undone():
            name = {"category": "Garden", "tag": "roots", "series": "Ground"}[kind]

            entity, crumbs = visitor.graph(PATHS[kind])

            page = visitor.page(PATHS[kind])
            assert entity == {
                "@type": "CollectionPage",
                "name": page.one("title").text,
                "description": meta(page, "description"),
                "url": f"https://example.com/blog{PATHS[kind]}",
                "inLanguage": "en",
                "mainEntity": {
                    "@type": "ItemList",
                    "itemListElement": [
                        {"@type": "ListItem", "position": 1, "url": "https://example.com/blog/soil", "name": "Soil"}
                    ],
                },
            }
            assert crumbs["itemListElement"] == [
                {"@type": "ListItem", "position": 1, "name": "Blog", "item": "https://example.com/blog/"},
                {"@type": "ListItem", "position": 2, "name": name, "item": f"https://example.com/blog{PATHS[kind]}"},
            ]
            assert [item.text for item in page.one("nav", class_="blog-breadcrumbs").all("li")] == ["Blog"]


@requirement("pages.lists.profile")
def test_the_page_of_an_author_is_a_profile(visitor: Visitor) -> None:
    make_post("Soil")
    Author.objects.update(profile_urls=["https://social.example/@ada", "javascript:alert(1)"])

    page = visitor.page("/author/ada-example")

    links = page.one("ul", class_="blog-heading__links").all("a")
    assert [(link.text, link.attrs) for link in links] == [
        ("social.example/@ada", {"href": "https://social.example/@ada", "rel": "me noopener"})
    ]
    assert page.one("span", class_="blog-avatar--profile").text == "AE"
    assert not page.has("aside")
    url = "https://example.com/blog/author/ada-example"
    assert visitor.graph("/author/ada-example")[0] == {
        "@type": "ProfilePage",
        "name": "Ada Example",
        "url": url,
        "inLanguage": "en",
        "mainEntity": {
            "@type": "Person",
            "name": "Ada Example",
            "url": url,
            "sameAs": ["https://social.example/@ada"],
        },
    }


@requirement("pages.lists.feeds")
def test_a_list_announces_its_own_feeds(visitor: Visitor, subtests: pytest.Subtests) -> None:
    make_post("Soil")

    for kind in KINDS:
        with subtests.test(kind=kind), undone():
            alternates = visitor.page(PATHS[kind]).all("link", rel="alternate")

            assert [(link.attrs["type"], link.attrs["href"]) for link in alternates] == [
                ("application/atom+xml", f"/blog{PATHS[kind]}/feed.xml"),
                ("application/feed+json", f"/blog{PATHS[kind]}/feed.json"),
            ]


def test_a_list_that_does_not_exist_is_not_found(visitor: Visitor, subtests: pytest.Subtests) -> None:
    make_post("Soil")

    for path in ["/category/none", "/tag/none", "/author/none", "/series/none", "/category/garden.json"]:
        with subtests.test(path=path), undone():
            visitor.page(path, status=404)


@requirement("pages.moved.any-path")
@pytest.mark.parametrize("kind", KINDS)
def test_a_moved_list_is_redirected(visitor: Visitor, kind: str) -> None:
    insert_redirect(f"/blog/{kind}/old", "/blog/soil")
    insert_redirect(f"/blog/{kind}/gone", None)

    assert visitor.get(f"/{kind}/old")["Location"] == "/blog/soil"
    assert visitor.get(f"/{kind}/old.html")["Location"] == "/blog/soil"
    assert visitor.get(f"/{kind}/gone").status_code == 410


@requirement("pages.moved.any-path")
def test_a_list_comes_before_a_redirect_from_its_path(visitor: Visitor) -> None:
    make_post("Soil")
    insert_redirect("/blog/category/garden", "/blog/soil")

    assert visitor.get("/category/garden").status_code == 200


@pytest.mark.parametrize("kind", KINDS)
def test_the_urls_have_public_names(kind: str) -> None:
    path = reverse(f"blog_engine:{kind}", args=["garden"])

    assert path == f"/blog/{kind}/garden"
    assert resolve(path).view_name == f"blog_engine:{kind}"


@requirement("pages.segments")
def test_segments_are_the_hosts_choice(visitor: Visitor) -> None:
    segments = {"category": "thema", "tag": "stichwort", "author": "von", "series": "reihe"}
    make_post("Soil")
    try:
        with override_settings(BLOG_ENGINE=blog_settings(route_segments=segments)):
            reload_routes()
            for kind, path in PATHS.items():
                moved = path.replace(kind, segments[kind], 1)
                page = visitor.page(moved)
                assert page.one("link", rel="canonical").attrs["href"] == f"https://example.com/blog{moved}"
                assert visitor.get(path).status_code == 404
            links = {link.attrs["href"] for link in visitor.page("/soil").all("a")}
            assert {
                "/blog/thema/garden",
                "/blog/stichwort/roots",
                "/blog/von/ada-example",
                "/blog/reihe/ground",
            } <= links
    finally:
        reload_routes()


def reload_routes() -> None:
    """Rebuild the URL patterns, as a restart does."""
    for converter in ("any_slug", "blog_slug", "revision", "host_theme"):
        del REGISTERED_CONVERTERS[converter]
    get_converters.cache_clear()  # type: ignore[attr-defined]  # functools.cache, which the stubs leave out
    clear_url_caches()
    for module in (blog_engine.reader.urls, blog_engine.urls, example_site.urls):
        reload(module)
