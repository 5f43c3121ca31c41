"""What a page adds to an article is told apart from what the author wrote."""

import pytest

from blog_engine.report.surface.checks._generated_parts import written_part
from blog_engine.report.surface.html import HtmlPage


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ('<h1>a</h1><div class="x blog-byline">b</div><p>c</p>', "a c"),
        ("<h1>a</h1><p data-blog-generated>b</p><p>c</p>", "a c"),
        ("<h1>a</h1><p>By <a rel='nofollow author'>b</a></p>", "a"),
        ("<h1>a</h1><div>By <span itemprop=author>b</span>, <time datetime=2026>c</time>, 3 min</div>", "a"),
        ("<h1>a</h1><p>By b</p><p>on <time>c</time></p>", "a By b on c"),
        ("<header><h1>a</h1><time datetime=2026>b</time></header>", "a b"),
        ("<div data-blog-body><p class=blog-byline>a</p><p data-blog-generated>b</p></div>", "a b"),
        ("<div data-blog-body><p>By <a rel=author>a</a> <time datetime=2026>b</time></p></div>", "By a b"),
        ("<div data-blog-body>a<section data-blog-faq>b</section></div><section data-blog-faq>c</section>", "a"),
        ("<h2>a<a class=blog-heading-anchor href='#a'>#</a></h2>", "a"),
        ("<h2>a<a class=blog-heading-anchor href='#a'>b</a></h2>", "ab"),
        ("<h2>a<a class=blog-heading-anchor href='/b'>#</a></h2>", "a#"),
        ("<h2>a<a class=blog-heading-anchor href='#a'><i>#</i></a></h2>", "a#"),
        ("<div data-lang=py><span class=blog-code-lang>py</span>a</div>", "a"),
        ("<div data-lang=py><span class=blog-code-lang>b</span>a</div>", "ba"),
    ],
)
def test_the_written_part_is_what_stays(source: str, text: str) -> None:
    page = HtmlPage(source)

    assert written_part(page.root).text() == text
    assert page.root.text() == HtmlPage(source).root.text()
