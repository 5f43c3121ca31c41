"""How lists arrange their cards: the setting ``brand``, text cards, and what a card says."""

from datetime import timedelta

import pytest
from django.test import override_settings

from blog_engine.models import Image
from tests.requirements import requirement
from tests.support.factories import LATER, NOW, adopt, save, store_image, update
from tests.support.hosts import blog_settings
from tests.support.images import encoded, halves
from tests.support.pages import Element, Visitor
from tests.support.tables import undone

PATHS = ["/", "/category/garden", "/tag/roots", "/author/ada-example"]


def make_post(title: str, **fields: object) -> None:
    save(title=title, category="Garden", tags=["roots"], series="Ground", publish=True, **fields)


@pytest.fixture
def image(storage: None, db: None) -> Image:
    return store_image(encoded(halves(size=(1000, 600)), "PNG"))


def sizes_on(page: Element) -> set[str]:
    """Return the ``sizes`` of all pictures of cards."""
    return {source.attrs["sizes"] for source in page.one(class_="blog-cards").all("source")}


@requirement("pages.cards.arranged")
def test_a_host_arranges_cards_as_a_grid_or_in_rows(visitor: Visitor, image: Image, subtests: pytest.Subtests) -> None:
    make_post("Soil", cover_image={"image_id": image.pk})

    for arranged, sizes in [
        ("grid", "(min-width: 64rem) 26rem, (min-width: 44rem) 46vw, 100vw"),
        ("list", "(min-width: 44rem) 14rem, 10rem"),
    ]:
        for path in PATHS:
            with subtests.test(path=path, arranged=arranged, sizes=sizes), undone():
                with override_settings(BLOG_ENGINE=blog_settings(brand={"cards": arranged})):
                    page = visitor.page(path)

                assert f"blog-cards--{arranged}" in page.one("div", class_="blog-cards").classes
                assert sizes_on(page) == {sizes}


@requirement("pages.cards.arranged")
@pytest.mark.parametrize("path", ["/soil", "/none"])
def test_related_and_recent_posts_stay_a_grid(visitor: Visitor, image: Image, path: str) -> None:
    for title in ("Soil", "Stone"):
        save(title=title, cover_image={"image_id": image.pk}, publish=True)

    with override_settings(BLOG_ENGINE=blog_settings(brand={"cards": "list"})):
        page = visitor.page(path, status=404 if path == "/none" else 200)

    assert "blog-cards--list" not in page.one(class_="blog-cards").classes
    assert sizes_on(page) == {"(min-width: 64rem) 26rem, (min-width: 44rem) 46vw, 100vw"}


@requirement("pages.cards.arranged")
def test_a_host_chooses_the_style_of_cards(visitor: Visitor, subtests: pytest.Subtests) -> None:
    make_post("Favourite", featured=True)
    make_post("Soil")

    for path in [*PATHS, "/series/ground"]:
        for style in ["panel", "plain"]:
            with subtests.test(style=style, path=path), undone():
                with override_settings(BLOG_ENGINE=blog_settings(brand={"card_style": style})):
                    cards = visitor.page(path).all("article", class_="blog-card")

                assert [f"blog-card--{style}" in card.classes for card in cards] == [True, True]


@requirement("pages.cards.line")
def test_a_card_tells_when_its_post_appeared_not_when_it_changed(visitor: Visitor) -> None:
    post = save(title="Soil", publish=True, now=NOW).post
    update(post, change="substantive", title="Marl", now=NOW + timedelta(hours=3))

    line = visitor.page().one("article").one("p", class_="blog-meta")

    assert line.one("", data_blog_published="").text == "Nov 21, 2026"
    assert not line.has("", data_blog_updated="")


@requirement("pages.cards.line")
def test_a_card_without_a_known_publication_tells_when_it_changed(visitor: Visitor) -> None:
    update(adopt().post, body="New", change="substantive", now=LATER)

    line = visitor.page().one("article").one("p", class_="blog-meta")

    assert not line.has("", data_blog_published="")
    assert line.one("", data_blog_updated="").text == "Updated Nov 21, 2026"


@requirement("pages.cards.line")
def test_search_results_have_the_same_line(visitor: Visitor) -> None:
    make_post("Soil")

    card, result = visitor.page(), visitor.page("/search?q=soil")

    lines = [page.one("article").one("p", class_="blog-meta").text for page in (card, result)]
    assert lines[0] == lines[1] == "Ada Example Nov 21, 2026 1 min read"
