"""Images of a body: URLs, sizes and figures."""

import pytest

from blog_engine.content.options import KnownImage, PictureSource
from blog_engine.content.rendering import BodyImage
from tests.requirements import requirement
from tests.support.content import DIGEST, QUAY, faults, render_markdown, render_options, render_rich_text

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


def test_images_are_listed_as_written() -> None:
    rendered = render_markdown("![a *b*](x.png) `![c](y)` ![](data:image/png,x)\n\n# ![d](z.png)\n\n<img src=w.png>")

    assert rendered.images == (BodyImage("x.png", "a b"), BodyImage("z.png", "d"))
