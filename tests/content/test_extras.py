"""Boxes, terms, keys, marked text and the plugins of a host in Markdown."""

from dataclasses import replace

import pytest
from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline

from blog_engine.content.options import MarkdownPlugin
from blog_engine.content.plain_text import plain_text, texts_of_body
from blog_engine.content.syndication import syndicated_html
from blog_engine.enums import BodyFormat
from tests.content.bodies import faults, render_markdown, render_options
from tests.requirements import requirement
from tests.support import hosts


@requirement("rendering.details")
@pytest.mark.parametrize(
    ("body", "html"),
    [
        (
            "<details>\n<summary>More *here*</summary>\n\nHidden **text**\n\n</details>",
            "<details><summary>More <em>here</em></summary><p>Hidden <strong>text</strong></p></details>\n",
        ),
        (
            "<DETAILS open><summary>a</summary>\nb\n</details>",
            "<details open><summary>a</summary><p>b</p></details>\n",
        ),
        (
            "<details>\n<summary>a</summary>\n<details>\n<summary>b</summary>\nc\n</details>\n</details>",
            "<details><summary>a</summary><details><summary>b</summary><p>c</p></details></details>\n",
        ),
        (
            "- <details>\n  <summary>a</summary>\n  b\n  </details>",
            "<ul>\n<li>\n<details><summary>a</summary>\nb</details>\n</li>\n</ul>\n",
        ),
        ("<details>\na\n</details>", "<div>\n<p>a</p>\n</div>\n"),
        (
            "<details>\n<summary>\nMore\n*here*\n</summary>\n\nb\n</details>",
            "<details><summary>More<br>\n<em>here</em></summary><p>b</p></details>\n",
        ),
        (
            "<details><summary>a</summary>b *c*</details>\nd",
            "<details><summary>a</summary><p>b <em>c</em></p></details>\n<p>d</p>\n",
        ),
        ("<details><summary>a</summary>b\n\n</details>", "<details><summary>a</summary><p>b</p></details>\n"),
        ('<details open="">\n<summary>a</summary>\n</details>', "<details open><summary>a</summary></details>\n"),
        (
            "<details><summary>a \\</summary></summary>b</details>",
            "<details><summary>a &lt;/summary&gt;</summary><p>b</p></details>\n",
        ),
        ("<details >\n<summary >a</summary>\n</details >", "<details><summary>a</summary></details>\n"),
    ],
)
def test_boxes_contain_markdown(body: str, html: str) -> None:
    rendered = render_markdown(body)

    assert (rendered.html, rendered.dropped_html) == (html, ())
    assert rendered.text == texts_of_body(body, body_format=BodyFormat.MARKDOWN)


@requirement("rendering.details", "rendering.raw-html")
@pytest.mark.parametrize(
    ("body", "html", "dropped"),
    [
        ("<details>\nopen", "<p>open</p>\n", ("<details>",)),
        ("</details>\n\nx", "<p>x</p>\n", ()),
        ("<details><summary>a</summary>\nopen", "<p>open</p>\n", ("<details><summary>a</summary>",)),
        ("<details><summary>a</summary>open", "<p>open</p>\n", ("<details><summary>a</summary>",)),
        ("<details><summary>a\n\nopen", "<p>open</p>\n", ("<details><summary>a",)),
        ("<summary>a</summary>", "", ("<summary>a</summary>",)),
        ("> <details>\n\n</details>", "<blockquote>\n</blockquote>\n", ("<details>",)),
        ("<details class='x'>\n\ny\n\n</details>", "<p>y</p>\n", ("<details class='x'>",)),
        ("<kbd onclick='x'>a</kbd>", "<p>a</p>\n", ("<kbd onclick='x'>",)),
    ],
)
def test_a_tag_without_its_other_half_or_with_attributes_is_raw_html(
    body: str, html: str, dropped: tuple[str, ...]
) -> None:
    rendered = render_markdown(body)

    assert rendered.html.replace("</kbd>", "") == html
    assert rendered.dropped_html == dropped


@requirement("rendering.details")
def test_the_end_of_a_box_in_code_is_code() -> None:
    rendered = render_markdown("<details>\n<summary>a</summary>\n\n```\n</details>\n```\n\n</details>\n\nafter")

    assert rendered.html.endswith("</details>\n<p>after</p>\n")
    assert rendered.html.count("</details>") == 1


@requirement("rendering.terms")
@pytest.mark.parametrize(
    ("body", "html"),
    [
        ("Term\n: one\n: two", "<dl><dt>Term</dt><dd>one</dd><dd>two</dd></dl>\n"),
        ("*A*\n: b\n\nC\n: d", "<dl><dt><em>A</em></dt><dd>b</dd><dt>C</dt><dd>d</dd></dl>\n"),
        ("Distance\n~ 5 km", "<p>Distance<br>\n~ 5 km</p>\n"),
        ("a\n:b", "<p>a<br>\n:b</p>\n"),
        (": a", "<p>: a</p>\n"),
    ],
)
def test_terms_have_definitions(body: str, html: str) -> None:
    rendered = render_markdown(body)

    assert rendered.html.replace("<dd>\n<p>", "<dd>").replace("</p>\n</dd>", "</dd>") == html
    assert rendered.text == texts_of_body(body, body_format=BodyFormat.MARKDOWN)


@requirement("rendering.marked")
@pytest.mark.parametrize(
    ("body", "html"),
    [
        ("a ==b *c*== d", "<p>a <mark>b <em>c</em></mark> d</p>\n"),
        ("Press <kbd>Ctrl</kbd>+<KBD>C</KBD>", "<p>Press <kbd>Ctrl</kbd>+<kbd>C</kbd></p>\n"),
        ("<mark>x</mark>", "<p><mark>x</mark></p>\n"),
        ("a <kbd>b", "<p>a <kbd>b</kbd></p>\n"),
        ("*a <kbd>b*</kbd>", "<p><em>a <kbd>b</kbd></em></p>\n"),
        ("if a == b and c == d", "<p>if a == b and c == d</p>\n"),
        ("if a==b or c==d", "<p>if a==b or c==d</p>\n"),
        ("日本==語==日本", "<p>日本<mark>語</mark>日本</p>\n"),
        ("café==x or thé==y", "<p>café==x or thé==y</p>\n"),
        ("===a===", "<p>===a===</p>\n"),
        ("==a", "<p>==a</p>\n"),
        ("`==a==`", "<p><code>==a==</code></p>\n"),
    ],
)
def test_marked_text_and_keys(body: str, html: str) -> None:
    rendered = render_markdown(body)

    assert (rendered.html, rendered.dropped_html) == (html, ())
    assert rendered.text == texts_of_body(body, body_format=BodyFormat.MARKDOWN)


@requirement("feeds.full-content")
def test_feeds_keep_boxes_terms_and_marked_text() -> None:
    html = render_markdown("<details>\n<summary>a</summary>\n==b==\n</details>\n\nC\n: d").html

    assert syndicated_html(html, url="https://blog.example/a") == html


def smile(parser: MarkdownIt) -> None:
    """A plugin: ``%`` becomes markup that the allow list judges."""

    def read(state: StateInline, silent: bool) -> bool:
        if state.src[state.pos] != "%":
            return False
        if not silent:
            state.push("smile", "", 0)
        state.pos += 1
        return True

    parser.inline.ruler.push("smile", read)
    parser.add_render_rule(
        "smile",
        lambda self, tokens, idx, options, env: (
            '<sub>:)</sub><script>alert(1)</script><i onclick="x">j</i><a class="footnote-back">k</a>'
        ),
    )


@requirement("rendering.plugins")
def test_what_a_plugin_adds_passes_the_allow_list() -> None:
    rendered = render_markdown("a % b", replace(render_options(), plugins=(smile,)))

    assert rendered.html == "<p>a <sub>:)</sub>alert(1)<i>j</i><a>k</a> b</p>\n"
    assert faults(rendered.html) == []


@requirement("rendering.plugins.failing")
@pytest.mark.parametrize("plugin", [hosts.failing_plugin, hosts.failing_rule, hosts.unhashable_plugin])
def test_a_body_is_rendered_without_plugins_that_fail(plugin: MarkdownPlugin, caplog: pytest.LogCaptureFixture) -> None:
    rendered = render_markdown("a *b*", replace(render_options(), plugins=(smile, plugin)))

    assert rendered == replace(render_markdown("a *b*"), text=None, has_failed_plugins=True)
    assert [record.exc_info is not None for record in caplog.records] == [True]


@requirement("rendering.plugins")
def test_a_plugin_changes_neither_other_blogs_nor_the_plain_text() -> None:
    with_plugin = render_markdown("a % b", replace(render_options(), plugins=(smile,)))

    assert with_plugin.text is None
    assert plain_text("a % b", body_format=BodyFormat.MARKDOWN) == "a % b"
    assert render_markdown("a % b").html == "<p>a % b</p>\n"
