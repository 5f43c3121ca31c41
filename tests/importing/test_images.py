"""Images of an import: from the source, over the network, and from earlier runs."""

import base64
from pathlib import Path
from typing import Any

import pytest

from blog_engine.images.files import image_storage
from blog_engine.importing.pipeline import ImportRun
from blog_engine.importing.source import ImageUse, LossKind, SourceImage
from blog_engine.importing.spool import Spool
from blog_engine.models import Image, Post
from tests.importing.old_blogs import OLD, OldBlogSource, draft, entry, run_import
from tests.requirements import requirement
from tests.support.factories import LATER, store_image
from tests.support.hosts import blog_settings, file_names
from tests.support.images import gallery, picture_url, png, png_of
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


SVG = b'<?xml version="1.0"?>\n<!-- x -->\n<svg xmlns="http://www.w3.org/2000/svg"></svg>'


@requirement("import.images.there")
def test_drawings_and_oversized_images_are_shown_from_the_old_blog(media: Path, settings: Any) -> None:
    settings.BLOG_ENGINE = blog_settings(max_image_pixels=100)
    (media / "drawing.png").write_bytes(SVG)
    (media / "large.png").write_bytes(png_of(20, 20))
    page = f"{OLD}/2019/post-1/"
    text = "![a](/i.svg)\n\n![b](/x/drawing.png)\n\n![c](/large.png)\n\n![d](e/logo.svg)\n"

    outcome = run_import(entry(body=text, base="posts"), media=media)

    assert Post.objects.get().body == (
        f"![a]({OLD}/i.svg)\n\n![b]({OLD}/x/drawing.png)\n\n![c]({OLD}/large.png)\n\n![d]({page}e/logo.svg)\n"
    )
    reasons = [
        "/i.svg: i.svg is an SVG drawing",
        "/x/drawing.png: drawing.png is an SVG",
        "/large.png: large.png cannot be stored: An image has at most 100 pixels",
        "e/logo.svg: logo.svg is an SVG drawing",
    ]
    for message, reason in zip(outcome.messages(), reasons, strict=True):
        assert message.startswith(reason)
        assert f"It is shown from {OLD}/" in message
        assert "fetched" not in message


@requirement("import.images.there")
def test_without_a_url_a_drawing_stays_as_it_was_written(media: Path) -> None:
    (media / "i.svg").write_bytes(SVG)

    outcome = run_import(entry(body="![a](/i.svg)", url=None, base=""), media=media, url=None)

    assert Post.objects.get().body == "![a](/i.svg)"
    assert outcome.messages() == ["/i.svg: i.svg is an SVG drawing, which the blog does not store."]


@requirement("import.images.reason")
@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "the file is empty"),
        (png()[:40], "it is damaged, or no image of a type"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:00", "is only a pointer of Git LFS"),
    ],
)
def test_the_reason_is_that_of_the_file_and_not_of_the_fetching(media: Path, content: bytes, reason: str) -> None:
    (media / "bad.png").write_bytes(content)

    outcome = run_import(
        entry(body="![a](/bad.png)", cover=ImageUse(url="/bad.png"), url=None, base=""),
        url="http://127.0.0.1:9",
        media=media,
    )

    assert len(outcome.messages()) == 2
    assert all(reason in message for message in outcome.messages())


@requirement("import.images.reason")
def test_an_image_that_is_nowhere_is_named_so(media: Path) -> None:
    with gallery(one=png()) as server:
        outcome = run_import(
            entry(1, body="![a](/gone.png)", url=None, base=""),
            entry(2, body="![a](/gone.png)", url=None, base=""),
            url=f"http://127.0.0.1:{server.port}",
            media=media,
        )
    without = run_import(entry(3, body="![a](gone.png)", url=None, base=""), url=None, media=media, blog="other")

    gone = "/gone.png: gone.png is not in the source, and its server did not answer with an image."
    assert outcome.messages("1") == outcome.messages("2") == [gone]
    assert without.messages("3") == ["gone.png: It is not in the source."]


@requirement("import.images.cover")
@pytest.mark.parametrize("url", [OLD, None])
def test_the_path_of_a_cover_begins_at_its_page_or_at_the_root_of_the_site(media: Path, url: str | None) -> None:
    class Site(OldBlogSource):
        def image_file(self, url: str) -> Path | None:
            path = url.removeprefix(OLD).strip("/")
            return media / "leek.png" if path in {"images/leek.png", "posts/a/near.png"} else None

    def covers(source: Site) -> list[LossKind]:
        with Spool() as spool:
            run = ImportRun(source, spool, now=LATER)
            list(run.read())
            list(run.write())
            return [loss.kind for found in spool.results() for loss in found.losses]

    uses = ["images/leek.png", "near.png", "/images/leek.png", "../a/near.png"]
    posts = [entry(n, cover=ImageUse(url=use), base="posts/a", url=None) for n, use in enumerate(uses)]

    assert covers(Site(posts, url=url)) == []
    assert Post.objects.exclude(cover_image=None).count() == len(uses)


@requirement("import.repeat")
@pytest.mark.parametrize(
    "url", ["http://[x", "//[x/i.png", "/i.svg", "a/i.svg", "i.svg#x", "?i.svg", "#", "data:image/svg+xml;base64,AA=="]
)
def test_any_image_is_imported_again_without_a_change(url: str) -> None:
    bodies = [f"![a]({url})", f"![a](<{url}>)"]
    posts = [entry(n, body=body, base="posts/a", cover=ImageUse(url=url)) for n, body in enumerate(bodies)]
    html = entry(9, body=f'<p><img src="{url}" alt="a"></p>', body_format="html")

    run_import(*posts, html)
    again = run_import(*posts, html, now=LATER)

    assert set(again.results.values()) == {"unchanged"}
