"""The code of a body: its colours, its label, and its text as it was written."""

from html.parser import HTMLParser

from hypothesis import given
from hypothesis import strategies as st

from tests.content.builders import render_markdown, render_rich_text
from tests.content.safe_html import faults


def text_in(html: str, tag: str) -> str:
    """The text inside the elements of one name, read by the standard library."""
    reader = _TextReader(tag)
    reader.feed(html)
    reader.close()
    return "".join(reader.texts)


class _TextReader(HTMLParser):
    def __init__(self, tag: str) -> None:
        super().__init__()
        self.texts: list[str] = []
        self._tag = tag
        self._inside = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._inside += tag == self._tag

    def handle_endtag(self, tag: str) -> None:
        self._inside -= tag == self._tag

    def handle_data(self, data: str) -> None:
        if self._inside:
            self.texts.append(data)


def test_code_of_a_known_language_is_coloured() -> None:
    html = render_markdown("```python title\nx = 'é' # <b>\n```").html

    assert html.strip() == (
        '<div class="blog-highlight" data-lang="python"><span class="blog-code-lang" aria-hidden="true">python</span>'
        '<pre tabindex="0" role="group" aria-label="Code: python"><code><span class="n">x</span> '
        '<span class="o">=</span> <span class="s1">\'é\'</span> <span class="c1"># &lt;b&gt;</span>\n</code></pre>'
        '<button type="button" class="blog-copy" hidden data-blog-copy aria-label="Copy code">Copy</button></div>'
    )


def test_code_of_an_unknown_language_stays_plain_with_its_label() -> None:
    html = render_markdown("```tide-log\nlow & high\n```").html

    assert 'data-lang="tide-log"' in html
    assert "<code>low &amp; high\n</code>" in html


def test_code_without_a_language_has_no_label() -> None:
    html = render_markdown("    low").html

    assert html.startswith('<div class="blog-highlight"><pre tabindex="0" role="group" aria-label="Code"><code>low\n')
    assert "blog-code-lang" not in html


@given(
    st.text(alphabet=st.sampled_from("ab&;<>\"'lt#x39amp \n\té⛵{}()\\/*`")),
    st.sampled_from(["python", "html", "js", "x"]),
)
def test_the_text_of_code_is_unchanged(code: str, language: str) -> None:
    html = render_markdown(f"``````{language}\n{code}\n``````").html

    assert text_in(html, "code") == f"{code}\n"
    assert faults(html) == []


def test_rich_text_code_is_one_block_of_text() -> None:
    html = render_rich_text('<pre lang="x-tide">a<b>b</b><img src=i></pre>').html

    assert 'data-lang="x-tide"' in html
    assert "<code>ab</code></pre>" in html
