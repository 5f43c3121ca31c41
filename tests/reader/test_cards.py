"""Covers, pictures and compositions of posts."""

import pytest
from django.template import Context, Template
from django.test import override_settings
from pytest_django import Settings

from blog_engine.models import Image
from tests.requirements import requirement
from tests.support.factories import make_author, save, store_image
from tests.support.hosts import blog_settings
from tests.support.images import animation, encoded, halves, photo, plain
from tests.support.pages import Element, Visitor, meta, text_of
from tests.support.tables import undone

pytestmark = pytest.mark.usefixtures("storage")


LARGE = encoded(halves(size=(1000, 600)), "PNG")


def publish(image: Image, **fields: object) -> None:
    body = f"Before.\n\n![The quay](/blog/media/{image.sha256}/old-name.png)\n\nAfter."
    save(cover_image={"image_id": image.pk}, cover_alt="A quay", body=body, publish=True, **fields)


def shown(picture: Element) -> tuple[dict[str, str], ...]:
    """Return the attributes of the sources of a picture and of its image."""
    return tuple(child.attrs for child in picture.children if isinstance(child, Element))


def expected(image: Image, *, sizes: str, **attributes: str) -> tuple[dict[str, str], ...]:
    path = f"/blog/media/{image.sha256}"
    sources = (
        {
            "type": f"image/{format}",
            "srcset": f"{path}/w480.{format} 480w, {path}/w768.{format} 768w, {path}/w1200.{format} 1000w",
            "sizes": sizes,
        }
        for format in ("avif", "webp")
    )
    return (*sources, {"src": f"{path}/w1200.jpg", "width": "1000", "height": "600"} | attributes)


@requirement("media.pictures")
def test_the_cover_of_an_article_is_offered_in_all_its_sizes(visitor: Visitor) -> None:
    image = store_image(LARGE)
    publish(image)

    cover = visitor.page("/winter-garden").one("figure", class_="blog-cover")

    assert shown(cover.one("picture")) == expected(
        image, sizes="(min-width: 60rem) 56rem, 100vw", alt="A quay", fetchpriority="high", decoding="async"
    )


@requirement("rendering.images.full-size")
def test_a_cover_that_is_larger_than_shown_links_to_its_file(visitor: Visitor, subtests: pytest.Subtests) -> None:
    for size, alt, name in [
        ((641, 300), 'A "quay"', 'Image in full size: A "quay"'),
        ((300, 901), "", "Image in full size"),
        ((640, 900), "A quay", None),
    ]:
        with subtests.test(size=size, alt=alt, name=name), undone():
            image = store_image(plain(size=size))
            save(title="Soil", cover_image={"image_id": image.pk}, cover_alt=alt, publish=True)

            links = visitor.page("/soil").one("figure", class_="blog-cover").all("a")

            href = f"/blog/media/{image.sha256}/quay.png"
            assert [link.attrs for link in links] == (
                [{"class": "blog-zoom", "href": href, "aria-label": name}] if name else []
            )


@requirement("media.cards")
@pytest.mark.parametrize(
    ("featured", "sizes"),
    [
        (True, "(min-width: 79rem) 31rem, (min-width: 64rem) 40vw, (min-width: 48rem) 55vw, 100vw"),
        (False, "(min-width: 64rem) 26rem, (min-width: 44rem) 46vw, 100vw"),
    ],
)
def test_the_cover_of_a_card_is_offered_in_all_its_sizes(visitor: Visitor, featured: bool, sizes: str) -> None:
    image = store_image(LARGE)
    publish(image, featured=featured)

    picture = visitor.page().one("div", class_="blog-card__media").one("picture")

    assert shown(picture) == expected(image, sizes=sizes, alt="A quay", fetchpriority="high", decoding="async")


@requirement("media.cards")
@pytest.mark.parametrize(
    ("featured", "sizes"),
    [
        (True, "(min-width: 79rem) 62rem, (min-width: 64rem) 80vw, (min-width: 48rem) 110vw, 200vw"),
        (False, "(min-width: 64rem) 52rem, (min-width: 44rem) 92vw, 200vw"),
    ],
)
def test_the_sizes_of_a_panorama_count_what_a_card_cuts_off(visitor: Visitor, featured: bool, sizes: str) -> None:
    publish(store_image(encoded(halves(size=(3200, 900)), "PNG")), featured=featured)

    sources = visitor.page().one("div", class_="blog-card__media").one("picture").all("source")

    assert {source.attrs["sizes"] for source in sources} == {sizes}


@pytest.mark.parametrize("size", [(1600, 900), (900, 1600)])
def test_the_sizes_of_other_covers_are_those_of_the_card(visitor: Visitor, size: tuple[int, int]) -> None:
    publish(store_image(encoded(halves(size=size), "PNG")))

    source = visitor.page().one("div", class_="blog-card__media").all("source")[0]

    assert source.attrs["sizes"] == "(min-width: 64rem) 26rem, (min-width: 44rem) 46vw, 100vw"


@pytest.mark.parametrize(
    ("sizes", "enlarged"),
    [
        ("100vw", "150vw"),
        ("(min-width: 20.5rem) 33.3vw, 90px", "(min-width: 20.5rem) 49.95vw, 135px"),
        ("(min-width: 20rem) calc(50vw - 1rem), 1rem", "(min-width: 20rem) calc(50vw - 1rem), 1.5rem"),
    ],
)
def test_only_the_lengths_of_sizes_are_enlarged(sizes: str, enlarged: str) -> None:
    shown = Template("{% load blog_engine %}{{ sizes|enlarged:1.5 }}").render(Context({"sizes": sizes}))

    assert shown == enlarged


def test_the_first_picture_of_a_list_is_eager_and_the_others_are_lazy(
    visitor: Visitor, subtests: pytest.Subtests
) -> None:
    image = store_image(LARGE)

    for path in ["/", "/category/garden"]:
        for featured in [True, False]:
            with subtests.test(featured=featured, path=path), undone():
                for number in range(3):
                    publish(image, title=f"Quay {number}", category="Garden", featured=featured and number == 1)

                images = [card.one("img").attrs for card in visitor.page(path).all("div", class_="blog-card__media")]

                assert [attrs.get("fetchpriority") for attrs in images] == ["high", None, None]
                assert [attrs.get("loading") for attrs in images] == [None, "lazy", "lazy"]


@requirement("media.pictures")
def test_an_image_of_a_body_is_offered_in_all_its_sizes(visitor: Visitor) -> None:
    image = store_image(LARGE)
    publish(image)

    picture = visitor.page("/winter-garden").one("figure", class_="blog-figure").one("picture")

    assert shown(picture) == expected(image, sizes="(min-width: 44rem) 40rem, 100vw", alt="The quay", loading="lazy")


@requirement("media.pictures")
def test_every_url_of_a_picture_is_an_image_of_its_size(visitor: Visitor, settings: Settings) -> None:
    settings.BLOG_ENGINE = blog_settings(image_delivery="proxy")
    publish(store_image(LARGE))
    page = visitor.page("/winter-garden")
    choices = {choice for source in page.all("source") for choice in source.attrs["srcset"].split(", ")}

    found = {choice: visitor.client.get(choice.split(" ")[0]) for choice in choices}

    assert len(found) == 6
    for choice, answer in found.items():
        assert (answer.status_code, answer.headers["Content-Type"]) == (200, f"image/{choice.split(' ')[0][-4:]}")
        assert answer.getvalue()


@requirement("media.unchanged")
@pytest.mark.parametrize("data", [plain(size=(400, 300)), animation(size=(600, 300))], ids=["small", "animated"])
def test_an_image_without_variants_is_shown_as_it_is(visitor: Visitor, data: bytes) -> None:
    image = store_image(data)
    publish(image)

    page = visitor.page("/winter-garden")

    assert not page.has("picture")
    path, size = f"/blog/media/{image.sha256}/quay.png", {"width": str(image.width), "height": str(image.height)}
    assert page.one("figure", class_="blog-cover").one("img").attrs == size | {
        "src": path,
        "alt": "A quay",
        "fetchpriority": "high",
        "decoding": "async",
    }
    assert page.one("figure", class_="blog-figure").one("img").attrs == size | {
        "src": path,
        "alt": "The quay",
        "loading": "lazy",
    }


def test_a_rotated_photo_has_the_size_that_readers_see(visitor: Visitor) -> None:
    publish(store_image(photo(halves(size=(900, 1200)))))

    cover = visitor.page("/winter-garden").one("figure", class_="blog-cover").one("img")

    assert (cover.attrs["width"], cover.attrs["height"]) == ("1200", "900")


@requirement("media.shared")
def test_shared_links_show_the_copy(visitor: Visitor) -> None:
    image = store_image(LARGE)
    publish(image)

    page = visitor.page("/winter-garden")

    copy = f"https://example.com/blog/media/{image.sha256}/w1200.jpg"
    assert meta(page, "og:image") == copy
    assert [thing.get("image") for thing in visitor.graph("/winter-garden") if thing["@type"] == "BlogPosting"] == [
        copy
    ]


@pytest.mark.parametrize(
    ("data", "name"), [(LARGE, "w480.webp"), (plain(size=(64, 64)), "quay.png")], ids=["large", "small"]
)
def test_an_avatar_is_the_smallest_variant(visitor: Visitor, data: bytes, name: str) -> None:
    image = store_image(data)
    author = make_author(avatar={"image_id": image.pk})
    save(author=author.slug, publish=True)

    avatars = [avatar.attrs["src"] for avatar in visitor.page("/winter-garden").all("img", class_="blog-avatar")]

    assert set(avatars) == {f"/blog/media/{image.sha256}/{name}"}


@requirement("media.no-metadata")
def test_no_metadata_reach_readers_through_a_page(visitor: Visitor, settings: Settings) -> None:
    settings.BLOG_ENGINE = blog_settings(image_delivery="proxy")
    publish(store_image(photo(halves(size=(900, 1200)))))
    page = visitor.page("/winter-garden")
    paths = {image.attrs["src"] for image in page.all("img")}
    paths |= {choice.split(" ")[0] for source in page.all("source") for choice in source.attrs["srcset"].split(", ")}

    bodies = [visitor.client.get(path).getvalue() for path in paths]

    assert paths
    assert not any(b"Pocket 3" in body or b"Exif" in body for body in bodies)


def test_alternative_texts_are_escaped(visitor: Visitor) -> None:
    save(cover_image={"image_id": store_image(LARGE).pk}, cover_alt='"><script>alert(1)</script>', publish=True)

    assert "<script>alert" not in text_of(visitor.get("/winter-garden"))


SHEET = "/static/blog_engine/art.css"
STYLES = ["quiet", "drawing"]


@pytest.fixture
def image(storage: None, db: None) -> Image:
    return store_image(plain(size=(1000, 600)))


def sheets(visitor: Visitor, path: str) -> list[str]:
    return [link.attrs["href"] for link in visitor.page(path).all("link", rel="stylesheet")]


@requirement("pages.cards.art")
def test_without_art_a_card_without_cover_is_text(visitor: Visitor, subtests: pytest.Subtests) -> None:
    for path in ["/", "/category/garden", "/stone"]:
        for featured in [True, False]:
            with subtests.test(featured=featured, path=path), undone():
                save(title="Soil", category="Garden", featured=featured, publish=True)
                save(title="Stone", category="Garden", publish=True)

                page = visitor.page(path)
                cards = page.all(class_="blog-card")

                assert cards
                assert ["blog-card--text" in card.classes for card in cards] == [True] * len(cards)
                assert not page.has(class_="blog-card__media")
                assert not page.has(class_="blog-art")
                assert not page.has("figure", class_="blog-cover")
                assert SHEET not in sheets(visitor, path)


@requirement("pages.cards.art")
@pytest.mark.parametrize("style", ["none", *STYLES])
def test_a_cover_is_shown_whatever_the_art(visitor: Visitor, image: Image, style: str) -> None:
    save(title="Soil", cover_image={"image_id": image.pk}, publish=True)

    with override_settings(BLOG_ENGINE=blog_settings(card_art=style)):
        card, article = visitor.page().one("article", class_="blog-card"), visitor.page("/soil")

    assert card.one("div", class_="blog-card__media").has("picture")
    assert "blog-card--text" not in card.classes
    assert article.one("figure", class_="blog-cover").has("picture")
    assert not article.has(class_="blog-art")


@requirement("pages.cards.art")
@pytest.mark.parametrize("style", STYLES)
def test_art_replaces_missing_covers(visitor: Visitor, settings: Settings, style: str) -> None:
    settings.BLOG_ENGINE = blog_settings(card_art=style)
    post = save(title="Soil", publish=True).post

    arts = [visitor.page(path).one("div", class_="blog-art") for path in ("/", "/soil")]

    assert [f"blog-art--{post.pk % 7}" in art.classes for art in arts] == [True, True]
    assert ["blog-art--quiet" in art.classes for art in arts] == [style == "quiet"] * 2
    assert visitor.page("/soil").one("figure", class_="blog-cover").attrs["aria-hidden"] == "true"
    assert [sheets(visitor, path).count(SHEET) for path in ("/", "/soil")] == [1, 1]


@requirement("pages.cards.art")
def test_an_empty_blog_shows_art_by_the_same_setting(visitor: Visitor) -> None:
    plain_page = visitor.page()

    with override_settings(BLOG_ENGINE=blog_settings(card_art="drawing")):
        drawn = visitor.page()

    assert [page.has("div", class_="blog-art") for page in (plain_page, drawn)] == [False, True]
