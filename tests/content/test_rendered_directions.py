"""The direction of writing of the parts of a body."""

import pytest

from blog_engine.content.rendering import RenderOptions, render
from blog_engine.content.syndication import syndicated_html
from blog_engine.enums import BodyFormat
from tests.requirements import requirement


def shown(body: str, *, direction: str = "ltr") -> str:
    options = RenderOptions(
        hard_breaks=True,
        site_origin=None,
        mount="/blog",
        script_name="",
        footnote_prefix="fn-",
        images={},
        direction=direction,
    )
    return render(body, body_format=BodyFormat.MARKDOWN, options=options).html


@requirement("pages.directions")
@pytest.mark.parametrize(
    ("body", "html"),
    [
        ("مرحبا!", '<p dir="rtl">مرحبا!</p>'),
        ("שלום, Django", "<p>שלום, Django</p>"),
        ("Django هو إطار عمل", '<p dir="rtl">Django هو إطار عمل</p>'),
        ("The word سلام means peace", "<p>The word سلام means peace</p>"),
        ("`settings.DATABASES` هنا", '<p dir="rtl"><code>settings.DATABASES</code> هنا</p>'),
        ("1, 2, 3!", "<p>1, 2, 3!</p>"),
        ("- واحد\n- another item", '<ul dir="rtl">\n<li>واحد</li>\n<li>another item</li>\n</ul>'),
        ("- one\n- اثنان", "<ul>\n<li>one</li>\n<li>اثنان</li>\n</ul>"),
        ("- واحد\n- two", '<ul dir="rtl">\n<li>واحد</li>\n<li>two</li>\n</ul>'),
        ("> اقتباس\n>\n> - واحد", '<blockquote dir="rtl">\n<p>اقتباس</p>\n<ul>\n<li>واحد</li>\n</ul>\n</blockquote>'),
        ("```\nנשר\n```", "<code>נשר\n</code>"),
    ],
)
def test_a_block_in_the_other_direction_says_so(body: str, html: str) -> None:
    assert html in shown(body)


@requirement("pages.directions")
def test_headings_tables_and_alerts_have_a_direction() -> None:
    html = shown("## عنوان\n\n| الاسم | العمر |\n| - | - |\n| سارة | 30 |\n\n> [!NOTE]\n> ملاحظة")

    assert '<h2 id="nwn" dir="rtl">' in html
    assert '<table dir="rtl">' in html
    assert 'role="note" dir="rtl">' in html
    assert '<p class="blog-alert-title" dir="auto">Note</p>' in html


@requirement("pages.directions")
def test_on_a_page_from_right_to_left_it_is_the_other_way_round() -> None:
    html = shown("مرحبا\n\nHello!\n\n> [!NOTE]\n> English", direction="rtl")

    assert "<p>مرحبا</p>" in html
    assert '<p dir="ltr">Hello!</p>' in html
    assert 'role="note" dir="ltr">' in html


@requirement("pages.directions", "feeds.full-content")
@pytest.mark.parametrize("direction", ["ltr", "rtl"])
def test_feed_readers_are_told_what_runs_from_right_to_left(direction: str) -> None:
    html = syndicated_html(shown("مرحبا\n\n> [!NOTE]\n> ملاحظة", direction=direction), url="https://example.com/a")

    assert '<p dir="rtl">مرحبا</p>' in html
    assert '<div role="note" dir="rtl">' in html
