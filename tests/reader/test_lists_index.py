"""The index page."""

import pytest
from django.test import override_settings

from tests.reader.conftest import preview_path
from tests.requirements import requirement
from tests.support.factories import NOW, publish, save, unpublish
from tests.support.hosts import blog_settings
from tests.support.pages import Visitor, meta
from tests.support.tables import undone

FEW = 5
PAGES = blog_settings(posts_per_page=FEW)


def card_titles(visitor: Visitor, path: str = "/") -> list[str]:
    return [title.text for title in visitor.page(path).all("h2", class_="blog-card__title")]


def make_posts(count: int, **fields: object) -> None:
    for number in range(1, count + 1):
        save(title=f"Post {number}", publish=True, **fields)


def test_an_empty_index_says_so(visitor: Visitor) -> None:
    page = visitor.page()

    assert page.one("h1").text == "Blog"
    assert page.has("p", class_="blog-empty__title")
    assert page.one("div", class_="blog-heading").text == "Blog"
    assert not page.has("nav", class_="blog-pagination")


@requirement("pages.index", "previews.drafts-hidden")
def test_only_published_posts_are_listed_newest_first(visitor: Visitor) -> None:
    save(title="Draft")
    make_posts(3)
    hidden = save(title="Withdrawn", publish=True)
    unpublish(hidden.post)

    assert card_titles(visitor) == ["Post 3", "Post 2", "Post 1"]


def test_a_card_does_not_carry_a_whole_text_that_has_no_spaces(visitor: Visitor) -> None:
    save(title="海", body="海は広いな大きいな。" * 500, publish=True)

    shown = visitor.page().one("p", class_="blog-card__description").text

    assert shown.endswith("…")
    assert len(shown) <= 600


@requirement("pages.head.pages")
@override_settings(BLOG_ENGINE=PAGES | {"blog_title": "Notes", "blog_tagline": "From the wall."})
def test_the_head_of_the_index_is_its_title_and_on_later_pages_the_page(visitor: Visitor) -> None:
    make_posts(FEW + 1)

    first, second = visitor.page("/"), visitor.page("/?page=2")

    assert first.one("div", class_="blog-heading").text == "Notes From the wall."
    assert second.one("div", class_="blog-heading").text == "Notes, page 2"
    assert second.one("title").text == "Notes — Page 2 — The Example Journal"
    assert second.one("link", rel="canonical").attrs["href"] == "https://example.com/blog/?page=2"
    assert visitor.page("/?page=1").one("link", rel="canonical").attrs["href"] == "https://example.com/blog/"
    assert meta(second, "description") == "Page 2 of the blog of The Example Journal."


@requirement("pages.index", "pages.page-numbers")
@override_settings(BLOG_ENGINE=PAGES)
def test_the_featured_post_is_on_the_first_page_and_never_among_the_cards(visitor: Visitor) -> None:
    save(title="Old favourite", publish=True, featured=True)
    favourite = save(title="Favourite", publish=True, featured=True)
    make_posts(FEW)

    first, second = visitor.page("/"), visitor.page("/?page=2")

    card = first.one("article", class_="blog-card--featured")
    assert card.one("h2").text == favourite.post.title
    assert "Featured" in card.text
    assert [h.text for h in first.all("h2", class_="blog-card__title")][1:] == [
        "Post 5",
        "Post 4",
        "Post 3",
        "Post 2",
        "Post 1",
    ]
    assert not second.has("article", class_="blog-card--featured")
    assert [h.text for h in second.all("h2", class_="blog-card__title")] == ["Old favourite"]


@override_settings(BLOG_ENGINE=PAGES)
def test_the_featured_post_does_not_count_for_the_pages(visitor: Visitor) -> None:
    save(title="Favourite", publish=True, featured=True)
    make_posts(FEW)

    assert not visitor.page().has("nav", class_="blog-pagination")
    assert visitor.get("/?page=2").status_code == 404


@requirement("pages.page-numbers")
@override_settings(BLOG_ENGINE=PAGES)
def test_every_page_has_its_entry(visitor: Visitor) -> None:
    make_posts(2 * FEW + 1)

    navigation = visitor.page("/?page=2").one("nav", class_="blog-pagination")

    assert navigation.attrs["aria-label"] == "Pagination"
    assert [(link.attrs["href"], link.attrs["aria-label"]) for link in navigation.one("ol").all("a")] == [
        ("/blog/", "Page 1"),
        ("/blog/?page=3", "Page 3"),
    ]
    assert navigation.one("span").attrs["aria-current"] == "page"
    assert navigation.one("span").text == "2"


@requirement("pages.pagination")
@override_settings(BLOG_ENGINE=PAGES)
def test_the_page_before_and_the_page_after_are_one_step_away(visitor: Visitor, subtests: pytest.Subtests) -> None:
    make_posts(2 * FEW + 1)

    for path, steps in [
        ("/", [("next", "/blog/?page=2", "Next page")]),
        ("/?page=2", [("prev", "/blog/", "Previous page"), ("next", "/blog/?page=3", "Next page")]),
        ("/?page=3", [("prev", "/blog/?page=2", "Previous page")]),
    ]:
        with subtests.test(path=path, steps=steps), undone():
            shown = visitor.page(path).one("ul", class_="blog-pagination__steps").all("a")

            assert [(link.attrs["rel"], link.attrs["href"], link.text) for link in shown] == steps


@requirement("pages.cards.line", "pages.cards.link")
@override_settings(BLOG_ENGINE=blog_settings(card_art="drawing"))
def test_a_card_shows_its_post(visitor: Visitor) -> None:
    save(title="Soil", description="What grows where.", category="Garden", publish=True, author={"name": "Morgan Reed"})

    card = visitor.page().one("article", class_="blog-card")

    assert [link.attrs["href"] for link in card.all("a")].count("/blog/soil") == 1
    art = card.one("div", class_="blog-card__media").one("div", class_="blog-art")
    assert art.attrs["aria-hidden"] == "true"
    assert [(span.text, span.attrs) for span in art.all("span")] == [("", {})] * 3
    assert card.one("p", class_="blog-kicker").text == "Garden"
    assert card.one("h2").one("a").attrs["href"] == "/blog/soil"
    assert card.one("p", class_="blog-card__description").text == "What grows where."
    line = card.one("p", class_="blog-meta")
    assert line.text == "Morgan Reed Nov 21, 2026 1 min read"
    assert line.one("a").attrs["href"] == "/blog/author/morgan-reed"
    assert line.one("time").attrs["datetime"] == "2026-11-21T12:00:00+00:00"
    assert not card.has(class_="blog-avatar")


@requirement("pages.no-dead-links")
def test_no_link_of_a_page_is_dead(visitor: Visitor) -> None:
    body = "## Ground\n\n## Roots\n\n## Rain\n\nText[^1].\n\n[^1]: Note."
    faq = [{"question": "Why?", "answer": "Because."}]
    for title in ("Stone", "Soil"):
        save(title=title, category="Garden", tags=["roots"], series="Ground", body=body, faq=faq, publish=True)

    for path in ("/", "/soil", "/category/garden", "/tag/roots", "/author/ada-example", "/series/ground"):
        page = visitor.page(path)
        links = {link.attrs["href"] for link in [*page.all("a"), *page.all("link", rel="alternate")]}
        ids = {element.attrs["id"] for element in page.walk() if "id" in element.attrs}
        assert {link[1:] for link in links if link.startswith("#")} <= ids
        dead = [link for link in links if link.startswith("/blog/") and visitor.client.get(link).status_code != 200]
        assert dead == []


@requirement("pages.no-dead-links")
@override_settings(BLOG_ENGINE=blog_settings(public_history="full"))
def test_relative_links_lead_on_from_earlier_versions_and_previews_too(visitor: Visitor) -> None:
    save(title="Tides", publish=True)
    post = save(title="Wall", body="See [the tides](tides) and [below](#below).", publish=True).post
    draft = save(title="Draft", body="See [the tides](tides).").post

    for path in (f"/wall/history/{post.current_revision_identifier}", preview_path(draft)):
        body = visitor.page(path).one(class_="blog-prose")
        assert body.all("a")[0].attrs["href"] == "/blog/tides"
    assert visitor.page("/wall").one(class_="blog-prose").all("a")[0].attrs["href"] == "tides"


def test_a_post_published_later_moves_to_the_top(visitor: Visitor) -> None:
    draft = save(title="First written", now=NOW)
    save(title="First out", publish=True)
    publish(draft.post)

    assert card_titles(visitor) == ["First written", "First out"]
