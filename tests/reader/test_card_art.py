"""What a post without a cover shows (the setting ``card_art``)."""

from collections.abc import Iterator

import pytest
from django.test import override_settings

from blog_engine.models import Image
from tests.requirements import requirement
from tests.support.factories import save, store_image
from tests.support.hosts import blog_settings
from tests.support.images import plain
from tests.support.pages import Visitor

SHEET = "/static/blog_engine/art.css"
STYLES = ["quiet", "drawing"]


@pytest.fixture
def image(storage: None, db: None) -> Image:
    return store_image(plain(size=(1000, 600)))


@pytest.fixture(params=STYLES)
def style(request: pytest.FixtureRequest) -> Iterator[str]:
    with override_settings(BLOG_ENGINE=blog_settings(card_art=request.param)):
        yield request.param


def sheets(visitor: Visitor, path: str) -> list[str]:
    return [link.attrs["href"] for link in visitor.page(path).all("link", rel="stylesheet")]


@requirement("pages.cards.art")
@pytest.mark.parametrize("featured", [True, False])
@pytest.mark.parametrize("path", ["/", "/category/garden", "/stone"])
def test_without_art_a_card_without_cover_is_text(visitor: Visitor, path: str, featured: bool) -> None:
    save(title="Soil", category="Garden", featured=featured, publish=True)
    save(title="Stone", category="Garden", publish=True)

    page = visitor.page(path)
    cards = page.all("article", class_="blog-card")

    assert cards
    assert ["blog-card--text" in card.classes for card in cards] == [True] * len(cards)
    assert not page.has(class_="blog-card__media")
    assert not page.has(class_="blog-art")
    assert SHEET not in sheets(visitor, path)


@requirement("pages.cards.art")
def test_without_art_an_article_without_cover_has_no_banner(visitor: Visitor) -> None:
    save(title="Soil", publish=True)

    assert not visitor.page("/soil").has("figure", class_="blog-cover")


@requirement("pages.cards.art")
def test_a_cover_is_shown_whatever_the_art(visitor: Visitor, image: Image, style: str) -> None:
    save(title="Soil", cover_image={"image_id": image.pk}, publish=True)

    card, article = visitor.page().one("article", class_="blog-card"), visitor.page("/soil")

    assert card.one("a", class_="blog-card__media").has("picture")
    assert "blog-card--text" not in card.classes
    assert article.one("figure", class_="blog-cover").has("picture")
    assert not article.has(class_="blog-art")


@requirement("pages.cards.art")
def test_without_art_a_card_with_a_cover_shows_it(visitor: Visitor, image: Image) -> None:
    save(title="Soil", cover_image={"image_id": image.pk}, publish=True)

    card = visitor.page().one("article", class_="blog-card")

    assert card.one("a", class_="blog-card__media").has("picture")
    assert "blog-card--text" not in card.classes


@requirement("pages.cards.art")
def test_art_stands_in_for_covers(visitor: Visitor, style: str) -> None:
    post = save(title="Soil", publish=True).post

    arts = [visitor.page(path).one("div", class_="blog-art") for path in ("/", "/soil")]

    assert [f"blog-art--{post.pk % 7}" in art.classes for art in arts] == [True, True]
    assert ["blog-art--quiet" in art.classes for art in arts] == [style == "quiet"] * 2
    assert visitor.page("/soil").one("figure", class_="blog-cover").attrs["aria-hidden"] == "true"
    assert [sheets(visitor, path).count(SHEET) for path in ("/", "/soil")] == [1, 1]


@requirement("pages.cards.art")
def test_an_empty_blog_is_drawn_by_the_same_setting(visitor: Visitor) -> None:
    plain_page = visitor.page()

    with override_settings(BLOG_ENGINE=blog_settings(card_art="drawing")):
        drawn = visitor.page()

    assert [page.has("div", class_="blog-art") for page in (plain_page, drawn)] == [False, True]
