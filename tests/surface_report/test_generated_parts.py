"""What a page adds to an article is told apart from what the author wrote."""

import pytest

from blog_engine.surface_report._content_parts import written_part
from blog_engine.surface_report.html import HtmlPage


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("<h1>a</h1><p data-blog-generated>b</p><p>c</p>", "a c"),
        ("<h1>a</h1><p data-blog-author>By <a>b</a></p><p data-blog-published>c</p>", "a"),
        ("<h1>a</h1><p>By <a rel=author>b</a>, <time datetime=2026>c</time></p>", "a By b, c"),
        ("<div data-blog-body><p data-blog-author>a</p><p data-blog-generated>b</p></div>", "a b"),
        ("<div data-blog-body>a<section data-blog-faq>b</section></div><section data-blog-faq>c</section>", "a"),
    ],
)
def test_the_written_part_is_what_stays(source: str, text: str) -> None:
    page = HtmlPage(source)

    assert written_part(page).text() == text
    assert page.text() == HtmlPage(source).text()
