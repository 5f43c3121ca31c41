"""Bodies for feeds."""

from collections.abc import Callable

import pytest

from blog_engine.content.corrections import DatedNote
from blog_engine.content.faq import FaqPair
from blog_engine.content.options import KnownImage, PictureSource
from blog_engine.content.rendering import Rendered
from blog_engine.content.syndication import AroundBody, Cover, syndicated_html
from tests.content.bodies import DIGEST, HTML, MARKDOWN, faults, render_markdown, render_options, render_rich_text
from tests.requirements import requirement

URL = "https://blog.example/sub/blog/soil"


def fed(markdown: str) -> str:
    return syndicated_html(render_markdown(markdown).html, url=URL)


@requirement("feeds.full-content")
@pytest.mark.parametrize(
    ("written", "absolute"),
    [
        ("/about", "https://blog.example/about"),
        ("stone", "https://blog.example/sub/blog/stone"),
        ("../x?y=1&z#a", "https://blog.example/sub/x?y=1&amp;z#a"),
        ("#roots", f"{URL}#roots"),
        ("?page=2", f"{URL}?page=2"),
        ("//cdn.example/x", "https://cdn.example/x"),
        ("https://other.example/", "https://other.example/"),
        ("mailto:ada@example.com", "mailto:ada@example.com"),
        (r"/\cdn.example\x?y=\z", r"https://cdn.example/x?y=\z"),
        (r"http://a\[b]", "http://a/[b]"),
        (" /about\n", "https://blog.example/about"),
    ],
)
def test_links_are_absolute(written: str, absolute: str) -> None:
    html = syndicated_html(f'<p><a href="{written}">x</a></p>'.replace("&z", "&amp;z"), url=URL)

    assert html == f'<p><a href="{absolute}">x</a></p>'


@requirement("feeds.full-content")
def test_pictures_are_absolute_in_every_width() -> None:
    sources = (
        PictureSource("image/avif", f"/blog/media/{DIGEST}/w480.avif 480w, /blog/media/{DIGEST}/w768.avif 768w"),
    )
    known = KnownImage(path=f"/blog/media/{DIGEST}/quay.png", width=900, height=480, sources=sources, sizes="100vw")
    rendered = render_markdown(f"![Quay](/blog/media/{DIGEST}/old.png)", render_options(images={DIGEST: known}))

    media = f"https://blog.example/blog/media/{DIGEST}"
    assert syndicated_html(rendered.html, url=URL) == (
        "<figure><picture>"
        f'<source type="image/avif" srcset="{media}/w480.avif 480w, {media}/w768.avif 768w" sizes="100vw">'
        f'<img src="{media}/quay.png" alt="Quay" width="900" height="480" loading="lazy">'
        "</picture></figure>\n"
    )


def test_a_heading_loses_its_anchor() -> None:
    assert fed("## Roots # and *all*") == "<h2>Roots # and <em>all</em></h2>\n"


def test_code_loses_button_label_and_colours() -> None:
    assert fed("```python\nif x < 1:\n    pass\n```") == (
        '<div><pre role="group" aria-label="Code: python"><code>if x &lt; 1:\n    pass\n</code></pre></div>\n'
    )


@requirement("rendering.code.title", "rendering.code.marked", "rendering.code.numbers")
def test_code_keeps_its_file_name_and_loses_lines() -> None:
    assert fed('```python title="app.py" {2} linenos\nif x < 1:\n    pass\n```') == (
        '<figure><figcaption>app.py</figcaption><pre role="group" aria-label="Code: python">'
        "<code>if x &lt; 1:\n    pass\n</code></pre></figure>\n"
    )


def test_an_image_links_to_its_file() -> None:
    known = KnownImage(path=f"/blog/media/{DIGEST}/w768.webp", width=900, height=480, original="/blog/media/a.png")
    rendered = render_markdown(f"![Quay](/blog/media/{DIGEST}/old.png)", render_options(images={DIGEST: known}))

    html = syndicated_html(rendered.html, url=URL)

    assert '<a href="https://blog.example/blog/media/a.png" aria-label="Image in full size: Quay"><img ' in html


def test_the_name_of_an_alert_stands_out() -> None:
    title = render_options().labels.alerts["tip"]

    assert fed("> [!TIP]\n> Mulch.") == (f'<div role="note">\n<p><strong>{title}</strong></p>\n<p>Mulch.</p>\n</div>\n')


def test_footnotes_lead_to_the_article() -> None:
    html = fed("Text[^1]\n\n[^1]: Note.")

    assert f'<a href="{URL}#fn-7-1" role="doc-noteref">1</a>' in html
    assert "id=" not in html


@requirement("feeds.label")
def test_notices_come_first_as_text() -> None:
    html = syndicated_html("<p>Text.</p>", url=URL, around=AroundBody(notices=("AI <helped>.", "Paid.")))

    assert html == "<p>AI &lt;helped&gt;.</p><p>Paid.</p><p>Text.</p>"


@requirement("feeds.corrections")
def test_corrections_come_last_as_text() -> None:
    notes = (DatedNote("May 3", "It said <11>.\nNot 12.\n\n\nSorry."), DatedNote("May 4", "هذا"))

    html = syndicated_html(
        "<p>Text.</p>", url=URL, around=AroundBody(corrections=notes, corrections_heading="Corrections")
    )

    assert html == (
        "<p>Text.</p><h2>Corrections</h2><p><strong>May 3</strong> It said &lt;11&gt;.<br>Not 12.</p><p>Sorry.</p>"
        "<p><strong>May 4</strong> هذا</p>"
    )


@requirement("feeds.full-content")
def test_the_cover_comes_after_the_notices_and_the_questions_come_last() -> None:
    around = AroundBody(
        notices=("Paid.",),
        cover=Cover("/blog/media/quay.jpg", 'The "quay" & <sea>', 1600, 900, "Ada, CC BY"),
        corrections=(DatedNote("May 3", "It said 11."),),
        corrections_heading="Corrections",
        faq=(FaqPair("When <b>?", "At *noon*, see https://a.example/x?y&z.\n\nOr\nlater."), FaqPair("متى؟", "ظهرا.")),
        faq_heading="Questions",
    )

    html = syndicated_html("<p>Text.</p>", url=URL, around=around)

    assert html == (
        "<p>Paid.</p>"
        '<figure><img src="https://blog.example/blog/media/quay.jpg" alt="The &quot;quay&quot; &amp; &lt;sea&gt;" '
        'width="1600" height="900"><figcaption>Ada, CC BY</figcaption></figure>'
        "<p>Text.</p>"
        "<h2>Corrections</h2><p><strong>May 3</strong> It said 11.</p>"
        "<h2>Questions</h2><h3>When &lt;b&gt;?</h3>"
        '<p>At *noon*, see <a href="https://a.example/x?y&amp;z" rel="noopener">https://a.example/x?y&amp;z</a>.</p>\n'
        "<p>Or<br>\nlater.</p>"
        '<h3 dir="rtl">متى؟</h3><p dir="rtl">ظهرا.</p>'
    )


def test_everything_else_stays() -> None:
    html = (
        "<h2>A</h2>\n<p>a <strong>b</strong> <del>c</del> <code>d</code> &amp;amp;<br>\ne</p>\n"
        '<ol start="3"><li><p>f</p><ul><li>g</li></ul></li></ol>\n<hr>\n'
        "<blockquote><p>h</p></blockquote>\n"
        '<table><thead><tr><th>i</th></tr></thead><tbody><tr><td lang="de">j</td></tr></tbody></table>\n'
        '<p><input type="checkbox" checked disabled aria-label="k"> k</p>'
    )

    assert syndicated_html(html, url=URL) == html


@requirement("rendering.safe")
@pytest.mark.parametrize("render", [render_markdown, render_rich_text])
def test_it_is_as_safe_as_the_page(render: Callable[[str], Rendered]) -> None:
    for payload in [*MARKDOWN, *HTML]:
        assert faults(syndicated_html(render(payload).html, url=URL)) == []
