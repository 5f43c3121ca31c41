"""Images of an import: from the source, over the network, and from earlier runs."""

import base64
from pathlib import Path
from typing import Any

import pytest

from blog_engine.images.files import image_storage
from blog_engine.importing.source import ImageUse, LossKind, SourceImage
from blog_engine.models import Image, Post
from tests.importing.old_blogs import OLD, draft, entry, run_import
from tests.requirements import requirement
from tests.support.factories import LATER, store_image
from tests.support.hosts import blog_settings, file_names
from tests.support.images import gallery, picture_url, png
from tests.support.integrity import rows
from tests.support.web import Server

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("own_images")]


@pytest.fixture
def media(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("uploads")
    (folder / "leek.png").write_bytes(png("green"))
    (folder / "leek-300x200.png").write_bytes(png("lime"))
    (folder / "soil-100x50.png").write_bytes(png("brown"))
    (folder / "text.png").write_text("no image")
    return folder


def body_of(body: str, body_format: str = "markdown", **source: Any) -> tuple[str, list[LossKind]]:
    outcome = run_import(entry(body=body, body_format=body_format), **source)
    return Post.objects.get().body, outcome.kinds()


def paths(server: Server) -> list[str]:
    return [head.split(" ", 2)[1] for head in server.requests]


@requirement("import.images")
@pytest.mark.parametrize(
    ("url", "filename"),
    [
        (f"{OLD}/wp-content/uploads/leek.png", "leek.png"),
        ("/wp-content/uploads/leek-300x200.png", "leek.png"),
        ("http://www.old.example/leek-1024x768.png?x=1", "leek.png"),
        (f"{OLD}/soil-100x50.png", "soil-100x50.png"),
        ("https://i0.wp.com/old.example/leek.png?resize=300", "leek.png"),
    ],
)
def test_an_image_of_the_source_is_stored_in_its_largest_size(media: Path, url: str, filename: str) -> None:
    body, losses = body_of(f"![a]({url})", media=media)

    image = Image.objects.get()
    assert (image.filename, losses) == (filename, [])
    assert body == f"![a]({image.url})"
    assert Post.objects.get().body_image_manifest[0]["sha256"] == image.sha256


@requirement("import.images")
def test_images_of_html_lose_their_other_sizes(media: Path) -> None:
    body, _ = body_of(
        f'<p><a href="{OLD}/leek.png"><img src="{OLD}/leek-300x200.png" srcset="{OLD}/leek-300x200.png 300w" '
        'sizes="100vw" alt="Leek"></a></p>'
        '<p><img data-src="/soil-100x50.png" src="data:image/gif;base64,R0" alt=""></p>',
        "html",
        media=media,
    )

    leek, soil = Image.objects.order_by("filename")
    assert (leek.filename, soil.filename) == ("leek.png", "soil-100x50.png")
    assert body.count(leek.url) == 2
    assert soil.url in body
    assert "300w" not in body


@requirement("import.images")
def test_the_library_names_all_sizes_of_an_image(media: Path) -> None:
    (media / "original.png").write_bytes(png("navy"))
    library = SourceImage("7", (f"{OLD}/original.png", f"{OLD}/edited-300x200.png"))

    run_import(entry(body=f"![a]({OLD}/edited-300x200.png)"), library, media=media)

    assert Image.objects.get().filename == "original.png"


@requirement("import.images.missing")
def test_an_image_that_cannot_be_had_is_named_and_its_link_stays(media: Path) -> None:
    text = f"One\n\n![a]({OLD}/gone.png)\n\n![b](/text.png)\n"

    outcome = run_import(entry(body=text), media=media)

    assert (outcome.results, outcome.kinds()) == ({"1": "published"}, [LossKind.IMAGE] * 2)
    assert [loss.line for loss in outcome.losses["1"]] == [3, 5]
    assert Post.objects.get().body == text
    assert not Image.objects.exists()


def test_images_of_other_sites_stay_there(quay: Server, media: Path) -> None:
    url = picture_url(quay)

    body, losses = body_of(f"![a]({url})", media=media)

    assert (body, losses, Image.objects.count()) == (f"![a]({url})", [], 0)
    assert Post.objects.get().body_image_manifest[0]["sha256"]


def test_an_embedded_image_is_stored() -> None:
    data = base64.b64encode(png()).decode()

    body, losses = body_of(f"![a](data:image/png;base64,{data})")

    assert (body, losses) == (f"![a]({Image.objects.get().url})", [])


@requirement("import.images", "import.images.once")
def test_an_image_that_the_source_lacks_is_fetched_once(media: Path) -> None:
    with gallery(one=png("red"), **{"two-300x200": png("blue")}) as server:
        old = f"http://127.0.0.1:{server.port}"
        text = f"![a]({old}/one.png) ![b](/two-300x200.png) ![c]({old}/gone.png)"
        posts = [make(number, body=text, url=None, base=f"{old}/") for number, make in enumerate((entry, entry, draft))]
        first = run_import(*posts, url=old, media=media)
        before, asked = rows(), paths(server)

        second = run_import(*posts, url=old, media=media, now=LATER)

        assert sorted(asked) == ["/gone.png", "/one.png", "/two-300x200.png", "/two.png"]
        assert paths(server)[len(asked) :] == ["/gone.png"]
    assert set(second.results.values()) == {"unchanged"}
    assert second.losses == first.losses
    assert rows() == before


@requirement("import.images.once")
def test_an_external_image_is_fetched_once_for_all_posts(quay: Server) -> None:
    text = f"![a]({picture_url(quay)}) ![b]({picture_url(quay, 'gone')})"

    run_import(entry(1, body=text), entry(2, body=text), draft(3, body=text))

    assert sorted(paths(quay)) == ["/gone.png", "/quay.png"]


@requirement("import.images.cover")
def test_cover_and_social_image_come_from_anywhere(quay: Server, media: Path) -> None:
    outcome = run_import(
        entry(
            1,
            cover=ImageUse(source_id="7", alt="Leeks"),
            social_image=ImageUse(url=picture_url(quay)),
        ),
        draft(2, cover=ImageUse(url=f"{OLD}/leek.png", alt="a" * 300)),
        entry(3, cover=ImageUse(source_id="8"), social_image=ImageUse(url=picture_url(quay, "gone"))),
        SourceImage("7", (f"{OLD}/leek.png",)),
        media=media,
    )

    first, second, third = Post.objects.order_by("slug")
    assert first.cover_image
    assert first.social_image
    assert (first.cover_image.filename, first.cover_alt, first.social_image.filename) == (
        "leek.png",
        "Leeks",
        "quay.png",
    )
    assert (second.cover_image, len(second.cover_alt)) == (first.cover_image, 255)
    assert (third.cover_image, third.social_image) == (None, None)
    assert [outcome.kinds(str(number)) for number in (1, 2, 3)] == [
        [],
        [LossKind.FIELD],
        [LossKind.IMAGE, LossKind.IMAGE],
    ]


def test_images_of_private_networks_are_not_fetched(settings: Any, quay: Server) -> None:
    settings.BLOG_ENGINE = blog_settings(image_fetch_policy="public_only")
    old = f"http://127.0.0.1:{quay.port}"

    outcome = run_import(entry(url=None, body=f"![a]({old}/quay.png)"), url=old)

    assert (outcome.kinds(), paths(quay)) == ([LossKind.IMAGE], [])


def test_a_stored_image_keeps_its_name(media: Path) -> None:
    stored = store_image(png("green"), filename="first.png")

    body, _ = body_of(f"![a]({OLD}/leek.png)", media=media)

    assert (body, Image.objects.count()) == (f"![a]({stored.url})", 1)


@requirement("import.skipped")
def test_a_skipped_post_stores_no_image(media: Path) -> None:
    run_import(entry(title="t" * 300, body=f"![a]({OLD}/leek.png)", cover=ImageUse(url=f"{OLD}/leek.png")), media=media)

    assert (Image.objects.count(), file_names(image_storage())) == (0, [])


def test_a_new_picture_under_the_same_name_updates_the_post(media: Path) -> None:
    post = entry(body=f"![a]({OLD}/leek.png)")
    run_import(post, media=media)
    (media / "leek.png").write_bytes(png("olive"))

    outcome = run_import(post, media=media, now=LATER)

    assert (outcome.results, Image.objects.count()) == ({"1": "updated"}, 2)
