"""Stored images with their variants."""

import pytest

from blog_engine.blog_urls import BlogURLs
from blog_engine.content import figures
from blog_engine.content.options import KnownImage, PictureSource
from blog_engine.rendering.images import picture_of, thumbnail_path
from tests.requirements import requirement
from tests.support.tables import new_image

HERE = BlogURLs(origin="", prefix="/app/journal")


@requirement("media.pictures")
def test_a_large_image_has_every_width_and_a_fallback_of_medium_width() -> None:
    image = new_image(width=4000, height=3000)
    path = f"/app/journal/media/{image.sha256}"

    assert picture_of(image, urls=HERE, sizes="50vw") == KnownImage(
        path=f"{path}/w1200.jpg",
        width=4000,
        height=3000,
        sources=tuple(
            PictureSource(
                f"image/{format}",
                ", ".join(f"{path}/w{width}.{format} {width}w" for width in (480, 768, 1200, 1600)),
            )
            for format in ("avif", "webp")
        ),
        sizes="50vw",
    )
    assert thumbnail_path(image, urls=HERE) == f"{path}/w480.webp"


@pytest.mark.parametrize("columns", [{"width": 479, "height": 300}, {"width": 900, "height": 600, "is_animated": True}])
def test_an_image_without_variants_is_given_as_it_is(columns: dict[str, int]) -> None:
    image = new_image(filename="quay at dusk.gif", **columns)
    path = f"/app/journal/media/{image.sha256}/quay%20at%20dusk.gif"

    assert picture_of(image, urls=HERE, sizes="50vw") == KnownImage(path, image.width, image.height)
    assert thumbnail_path(image, urls=HERE) == path


@pytest.mark.parametrize(
    ("built_in", "offered"),
    [
        ({"avif", "webp"}, ["image/avif", "image/webp"]),
        ({"webp"}, ["image/webp"]),
        ({"avif"}, []),
        (set(), []),
    ],
)
def test_only_formats_that_this_pillow_writes_are_offered(
    monkeypatch: pytest.MonkeyPatch, built_in: set[str], offered: list[str]
) -> None:
    monkeypatch.setattr(figures, "has_codec", built_in.__contains__)

    picture = picture_of(new_image(width=900, height=600), urls=HERE)

    assert [source.type for source in picture.sources] == offered
