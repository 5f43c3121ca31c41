"""Images of a body: figures, URLs of stored images, and sizes of variants."""

import pytest

from blog_engine.content.figures import (
    is_wide,
    own_media_path,
    stored_image_digest,
    variant_formats,
    variant_size,
    variant_widths,
)
from blog_engine.content.options import KnownImage, PictureSource
from blog_engine.content.rendering import BodyImage
from tests.content.bodies import DIGEST, QUAY, faults, render_markdown, render_options, render_rich_text
from tests.requirements import requirement

IMG = '<img src="i" alt="" loading="lazy">'


@requirement("rendering.images.stored")
def test_a_stored_image_gets_its_path_and_size() -> None:
    rendered = render_markdown(f'![The quay](/blog/media/{DIGEST}/old-name.png "At <dawn>")')

    assert rendered.images == (BodyImage(f"/blog/media/{DIGEST}/old-name.png", "The quay"),)
    assert rendered.html.strip() == (
        f'<figure class="blog-figure"><img src="{QUAY.path}" alt="The quay" title="At &lt;dawn&gt;" width="640" '
        'height="480" loading="lazy"><figcaption>At &lt;dawn&gt;</figcaption></figure>'
    )


def test_a_stored_image_with_variants_becomes_a_picture() -> None:
    known = KnownImage("/m/480.webp", 640, 480, (PictureSource("image/avif", "/m/480.avif 480w"),), "100vw")
    html = render_markdown(f"![a](/blog/media/{DIGEST}/x.png)", render_options(images={DIGEST: known})).html

    assert html.strip() == (
        '<figure class="blog-figure"><picture><source type="image/avif" srcset="/m/480.avif 480w" sizes="100vw">'
        '<img src="/m/480.webp" alt="a" width="640" height="480" loading="lazy"></picture></figure>'
    )


@pytest.mark.parametrize("src", [f"/blog/media/{'b' * 64}/x.png", "https://o.example/x.png", "x.png"])
def test_another_image_keeps_its_url(src: str) -> None:
    html = render_markdown(f"![]({src})").html

    assert html.strip() == f'<figure class="blog-figure"><img src="{src}" alt="" loading="lazy"></figure>'


@requirement("rendering.images.figures")
@pytest.mark.parametrize(
    ("source", "html"),
    [
        ("a ![](i) b", f"<p>a</p><figure>{IMG}</figure><p>b</p>"),
        ("a\n![](i)\nb", f"<p>a</p><figure>{IMG}</figure><p>b</p>"),
        ("![](i)\n![](i)", f"<figure>{IMG}</figure><figure>{IMG}</figure>"),
        ("[![](i)](/l)", f'<figure><a href="/l">{IMG}</a></figure>'),
        (
            "**a [b ![](i)](/l) c**",
            f'<p><strong>a <a href="/l">b </a></strong></p><figure><strong><a href="/l">{IMG}</a></strong></figure>'
            "<p><strong> c</strong></p>",
        ),
        ("- a ![](i)", f"<ul>\n<li>a <figure>{IMG}</figure></li>\n</ul>"),
        ("> ![](i)", f"<blockquote>\n<figure>{IMG}</figure>\n</blockquote>"),
        ("`![](i)`", "<p><code>![](i)</code></p>"),
    ],
)
def test_images_leave_their_paragraph_as_figures(source: str, html: str) -> None:
    rendered = render_markdown(source).html

    assert rendered.replace(' class="blog-figure"', "").strip() == html
    assert faults(rendered) == []


def test_a_figure_that_the_author_made_stays_one() -> None:
    html = render_rich_text("<figure><img src=i><figcaption>c</figcaption></figure>").html

    assert html == f'<figure class="blog-figure">{IMG}<figcaption>c</figcaption></figure>'


LARGE = KnownImage(path="/m/w1200.webp", width=1600, height=900, original="/m/large.png")
LARGE_IMG = '<img src="/m/w1200.webp" alt="{}" width="1600" height="900" loading="lazy">'


def figure_of(body: str, image: KnownImage = LARGE) -> str:
    """Return the HTML of a body in which ``{}`` is the path of a stored image."""
    options = render_options(images={DIGEST: image})
    return render_markdown(body.replace("{}", f"/blog/media/{DIGEST}/x.png"), options).html.strip()


SMALL = KnownImage("/m/a.webp", 319, 200)


@requirement("rendering.images.rows")
@pytest.mark.parametrize(
    ("body", "image", "row", "figures"),
    [
        ("![a]({}) ![b]({})", LARGE, '<figure class="blog-gallery">', 3),
        ("![a]({})\n[![b]({})](/l) *![c]({})*", LARGE, '<figure class="blog-gallery blog-wide">', 4),
        ("- ![a]({}) ![b]({})\n\n  text", LARGE, '<figure class="blog-gallery">', 3),
        ("![a]({}) and ![b]({})", LARGE, "", 2),
        ("![a]({})\n\n![b]({})", LARGE, "", 2),
        ("![a]({}) ![b]({})", SMALL, "", 2),
        ("![a]({}) ![b](https://o.example/{})", LARGE, "", 2),
    ],
)
def test_a_paragraph_of_stored_images_only_is_a_row(body: str, image: KnownImage, row: str, figures: int) -> None:
    html = figure_of(body, image)

    assert ("blog-gallery" in html) is bool(row)
    assert row in html
    assert html.count("<figure") == figures
    assert faults(html) == []


@requirement("rendering.images.rows")
def test_the_images_of_a_row_are_chosen_for_their_size() -> None:
    known = KnownImage("/m/480.webp", 640, 480, (PictureSource("image/avif", "/m/480.avif 480w"),), "100vw")

    html = figure_of("![a]({}) ![b]({})", known)

    assert html.count('sizes="(min-width: 60rem) 18rem, 50vw"') == 2


@requirement("rendering.images.full-size")
@pytest.mark.parametrize(
    ("alt", "name"), [("A quay", "Image in full size: A quay"), ("", "Image in full size"), (" ", "Image in full size")]
)
def test_a_large_image_links_to_its_file(alt: str, name: str) -> None:
    html = figure_of(f"![{alt}]({{}})")

    assert html == (
        f'<figure class="blog-figure blog-wide"><a class="blog-zoom" href="/m/large.png" aria-label="{name}">'
        f"{LARGE_IMG.format(alt)}</a></figure>"
    )


@requirement("rendering.images.full-size")
@pytest.mark.parametrize(
    ("width", "height", "is_linked"), [(640, 900, False), (641, 10, True), (10, 901, True), (480, 300, False)]
)
def test_only_an_image_larger_than_its_place_links_to_its_file(width: int, height: int, is_linked: bool) -> None:
    html = figure_of("![a]({})", KnownImage("/m/a.webp", width, height, original="/m/a.png"))

    assert ('href="/m/a.png"' in html) is is_linked


@requirement("rendering.images.full-size")
@pytest.mark.parametrize(
    "body",
    ["[![a]({})](/quay)", "**[![a]({})](/quay)**", "# A ![a]({})", "![a](https://o.example/{})"],
)
def test_an_image_that_the_author_linked_or_that_is_no_stored_figure_is_left_alone(body: str) -> None:
    html = figure_of(body)

    assert "<img" in html
    assert "blog-zoom" not in html


def test_no_link_is_put_into_the_link_of_a_figure() -> None:
    src = f"/blog/media/{DIGEST}/x.png"
    html = render_rich_text(
        f'<a href="/quay"><figure><img src="{src}"></figure></a>'
        f'<figure><figcaption><img src="{src}"></figcaption></figure>',
        render_options(images={DIGEST: LARGE}),
    ).html

    assert html.count("<img") == 2
    assert "blog-zoom" not in html


@requirement("rendering.wide")
@pytest.mark.parametrize(
    ("width", "height", "is_figure_wide"),
    [(1200, 800, True), (1199, 600, False), (1200, 801, False), (4000, 500, True), (1200, 2000, False)],
)
def test_a_figure_is_wide_if_its_image_is(width: int, height: int, is_figure_wide: bool) -> None:
    html = figure_of("![a]({})", KnownImage("/m/a.webp", width, height))

    assert is_wide(width, height) is is_figure_wide
    assert ("blog-wide" in html) is is_figure_wide


@requirement("rendering.wide")
def test_a_figure_of_two_images_is_not_wide() -> None:
    src = f"/blog/media/{DIGEST}/x.png"
    html = render_rich_text(
        f"<figure><img src={src}><img src={src}></figure>", render_options(images={DIGEST: LARGE})
    ).html

    assert html.count("blog-zoom") == 2
    assert "blog-wide" not in html


def test_images_are_listed_as_written() -> None:
    rendered = render_markdown("![a *b*](x.png) `![c](y)` ![](data:image/png,x)\n\n# ![d](z.png)\n\n<img src=w.png>")

    assert rendered.images == (BodyImage("x.png", "a b"), BodyImage("z.png", "d"))


SHA = "0123456789abcdef" * 4


@pytest.mark.parametrize(
    ("src", "mount", "script_name"),
    [
        (f"/blog/media/{SHA}/a.png", "/blog", ""),
        (f"/blog/media/{SHA}/w480.webp", "/blog", ""),
        (f"https://blog.example/blog/media/{SHA}/a.png", "/blog", ""),
        (f"HTTPS://BLOG.example:443/blog/media/{SHA}/a.png", "/blog", ""),
        (f"//blog.example/blog/media/{SHA}/a.png", "/blog", ""),
        (f"https:\\\\blog.example\\blog\\media\\{SHA}\\a.png", "/blog", ""),
        (f"https://blog.example/other/../blog/%6dedia/{SHA}/a.png?download#top", "/blog", ""),
        (f"/media/{SHA}/a.png", "", ""),
        (f"/app/blog/media/{SHA}/a.png", "/blog", "/app"),
        (f"/blog/media/{SHA}/a.png", "/blog", "/app"),
    ],
)
def test_a_url_of_our_media_names_its_digest(src: str, mount: str, script_name: str) -> None:
    found = stored_image_digest(src, site_origin="https://blog.example", mount=mount, script_name=script_name)

    assert found == SHA


@pytest.mark.parametrize(
    "src",
    [
        f"/journal/media/{SHA}/a.png",
        f"/blog/media/{SHA}",
        f"/blog/media/{SHA.upper()}/a.png",
        f"/blog/media/{SHA[1:]}/a.png",
        f"https://other.example/blog/media/{SHA}/a.png",
        f"https://blog.example:8443/blog/media/{SHA}/a.png",
        f"http://blog.example/blog/media/{SHA}/a.png",
        f"https://blog.example:port/blog/media/{SHA}/a.png",
        f"//[/blog/media/{SHA}/a.png",
        f"/blog/media/../{SHA}/a.png",
        f"blog/media/{SHA}/a.png",
        "",
    ],
)
def test_another_url_names_none(src: str) -> None:
    assert stored_image_digest(src, site_origin="https://blog.example", mount="/blog") is None


def test_without_an_origin_only_paths_are_ours() -> None:
    path = f"/blog/media/{SHA}/a.png"

    assert stored_image_digest(path, site_origin=None, mount="/blog") == SHA
    assert stored_image_digest(f"https://blog.example{path}", site_origin=None, mount="/blog") is None


@pytest.mark.parametrize(("src", "path"), [("/blog/media/lost.png", "lost.png"), ("/blog/mediation/x", None)])
def test_a_url_under_our_media_is_ours_also_when_it_names_no_image(src: str, path: str | None) -> None:
    assert own_media_path(src, site_origin=None, mount="/blog") == path


@requirement("media.widths")
@pytest.mark.parametrize(
    ("width", "height", "widths"),
    [
        (1, 1, ()),
        (479, 300, ()),
        (480, 300, (480,)),
        (481, 300, (480, 768)),
        (768, 300, (480, 768)),
        (1000, 300, (480, 768, 1200)),
        (1200, 300, (480, 768, 1200)),
        (1600, 300, (480, 768, 1200, 1600)),
        (4000, 3000, (480, 768, 1200, 1600)),
        (1600, 20_000, (480, 768, 1200)),
        (480, 20_000, ()),
    ],
)
def test_an_image_has_the_widths_it_can_fill(width: int, height: int, widths: tuple[int, ...]) -> None:
    assert variant_widths(width, height, is_animated=False) == widths


@requirement("media.unchanged")
def test_an_animation_has_no_variants() -> None:
    assert variant_widths(4000, 3000, is_animated=True) == ()


@requirement("media.widths")
@pytest.mark.parametrize(
    ("width", "height", "to", "size"),
    [
        (4000, 3000, 1200, (1200, 900)),
        (1000, 750, 1200, (1000, 750)),
        (1601, 1001, 480, (480, 300)),
        (50_000, 9, 480, (480, 1)),
    ],
)
def test_a_variant_keeps_the_proportions_and_is_never_larger(
    width: int, height: int, to: int, size: tuple[int, int]
) -> None:
    assert variant_size(width, height, to=to) == size


def test_this_pillow_writes_both_formats_the_smaller_files_first() -> None:
    assert variant_formats() == ("avif", "webp")
