"""The info string of a code block: file name, marked lines, numbers."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from blog_engine.content import _blocks
from blog_engine.content.code_options import (
    MAX_INFO,
    MAX_MARKS,
    MAX_TITLE,
    CodeOptions,
    code_attributes,
    read_code_options,
)
from tests.content.bodies import faults, render_markdown, render_rich_text
from tests.content.test_blocks import text_in
from tests.requirements import requirement


@requirement("rendering.code.info")
@pytest.mark.parametrize(
    ("info", "language", "rest"),
    [
        ("", None, None),
        ("python", "python", None),
        ("  python   title=a.py ", "python", "title=a.py"),
        ("python{2,4}", "python", "{2,4}"),
        ("js {1} linenos", "js", "{1} linenos"),
        ('title="a b.py"', None, 'title="a b.py"'),
        ("{2}", None, "{2}"),
        ("linenos", None, "linenos"),
        ("linenosaurus", "linenosaurus", None),
        ("{.python}", "{.python}", None),
        ("c{x}", "c{x}", None),
    ],
)
def test_the_first_word_is_the_language(info: str, language: str | None, rest: str | None) -> None:
    expected = {name: value for name, value in (("lang", language), ("title", rest)) if value}

    assert code_attributes(info) == expected


@requirement("rendering.code.info", "rendering.code.title", "rendering.code.marked", "rendering.code.numbers")
@pytest.mark.parametrize(
    ("rest", "options"),
    [
        ("", CodeOptions()),
        ('title="a b.py"', CodeOptions(title="a b.py")),
        ("title='a\"b.py'", CodeOptions(title='a"b.py')),
        ("title=a.py", CodeOptions(title="a.py")),
        ('title="" title="second"', CodeOptions(title="second")),
        ('title="first" title="second"', CodeOptions(title="first")),
        ('title="  a \t b "', CodeOptions(title="a b")),
        ('title="open', CodeOptions()),
        ("{2,4-6}", CodeOptions(marked=(range(2, 3), range(4, 7)))),
        ("{ 2 }", CodeOptions()),
        ("{2, 4 - 6}", CodeOptions(marked=(range(2, 3), range(4, 7)))),
        ("{6-4}", CodeOptions(marked=(range(6, 5),))),
        ("{1-2-3,,7}", CodeOptions(marked=(range(7, 8),))),
        ("linenos", CodeOptions(is_numbered=True)),
        ("showLineNumbers", CodeOptions(is_numbered=True)),
        ("nolinenos linenosx LINENOS", CodeOptions()),
        ('xtitle="a" mark file=b {a}', CodeOptions()),
        ('linenos {1} x title="a"', CodeOptions("a", (range(1, 2),), is_numbered=True)),
    ],
)
def test_options_follow_in_any_order(rest: str, options: CodeOptions) -> None:
    assert read_code_options(rest) == options


@requirement("rendering.code.info")
@pytest.mark.parametrize(
    "info",
    [
        "{1 " * 400_000,
        "title='" * 150_000,
        'title="' * 150_000,
        "{1,1-" * 200_000,
        "{" + "1-" * 500_000,
        "a{1" * 300_000,
    ],
)
def test_a_hostile_info_string_is_read_to_its_limit(info: str) -> None:
    attributes = code_attributes(info)

    assert len(attributes.get("title", "")) <= MAX_INFO
    assert len(read_code_options(attributes.get("title", "")).marked) <= MAX_MARKS


@requirement("limits.documented")
def test_options_have_limits() -> None:
    options = read_code_options(f"title={'a' * 300} {{{','.join(['1'] * 150)}}}")

    assert (len(options.title), len(options.marked)) == (MAX_TITLE, MAX_MARKS)
    assert read_code_options(" " * MAX_INFO + "linenos") == CodeOptions()


@requirement("rendering.code.title")
def test_a_file_name_is_the_caption_of_the_block() -> None:
    html = render_markdown('```tide title="<b> & c.py"\nlow\n```').html

    assert html.strip() == (
        '<figure class="blog-highlight" data-lang="tide"><figcaption class="blog-code-title">&lt;b&gt; &amp; c.py'
        '</figcaption><span class="blog-code-lang" aria-hidden="true">tide</span><pre tabindex="0" role="group" '
        'aria-label="Code: tide"><code>low\n</code></pre><button type="button" class="blog-copy" hidden data-blog-copy '
        'aria-label="Copy code">Copy</button></figure>'
    )


@requirement("rendering.code.marked")
def test_marked_lines_have_a_class_and_every_line_its_end() -> None:
    html = render_markdown('```python {2,4-9}\nx = """\nb\n"""\n\n```').html

    assert text_in(html, "pre") == 'x = """\nb\n"""\n\n'
    assert (
        '<span class="blog-line"><span class="n">x</span> <span class="o">=</span> <span class="s2">"""\n</span></span>'
        '<span class="blog-line blog-line-marked"><span class="s2">b\n</span></span>'
        '<span class="blog-line"><span class="s2">"""</span>\n</span>'
        '<span class="blog-line blog-line-marked">\n</span></code>'
    ) in html.replace("&quot;", '"')
    assert "blog-highlight-numbered" not in html


@requirement("rendering.code.numbers")
def test_a_numbered_block_has_a_class() -> None:
    html = render_markdown("```tide linenos\nlow\nhigh\n```").html

    assert '<div class="blog-highlight blog-highlight-numbered" data-lang="tide">' in html
    assert '<code><span class="blog-line">low\n</span><span class="blog-line">high\n</span></code>' in html


@requirement("rendering.code.numbers")
@pytest.mark.parametrize(("lines", "digits"), [(99, None), (100, 3), (999, 3), (1000, 4), (1999, 4)])
def test_a_block_has_the_width_of_its_largest_number(lines: int, digits: int | None) -> None:
    html = render_markdown("```tide linenos\n" + "low\n" * lines + "```").html

    width = f" blog-highlight-digits-{digits}" if digits else ""
    assert f'<div class="blog-highlight blog-highlight-numbered{width}" data-lang="tide">' in html


@requirement("rendering.code.info")
def test_rich_text_has_the_options_in_its_title() -> None:
    html = render_rich_text("<pre lang=x title='{1} title=\"a.py\"'>a\nb</pre>").html

    assert '<figcaption class="blog-code-title">a.py</figcaption>' in html
    assert '<span class="blog-line blog-line-marked">a\n</span><span class="blog-line">b</span>' in html


@requirement("rendering.code.unchanged", "rendering.code.info")
@settings(deadline=None)
@given(
    st.text(alphabet=st.sampled_from("ab&;<>\"' \n\té{}#=")),
    st.sampled_from(["python", "html", "x"]),
    st.text(alphabet=st.sampled_from("title=\"' {1-3,}linenos<&")),
)
def test_no_info_string_changes_the_text_of_code(code: str, language: str, rest: str) -> None:
    html = render_markdown(f"``````{language} {rest}\n{code}\n``````").html

    assert text_in(html, "code") == f"{code}\n"
    assert faults(html) == []


@requirement("rendering.code.lines")
def test_past_its_lines_a_document_has_no_marks() -> None:
    long = "```x linenos\n" + "\n" * (_blocks.MAX_SEPARATE_LINES - 3) + "```\n\n"

    html = render_markdown(long + "```x {1}\na\n```\n\n```x {1}\nb\n```").html

    first, second, third = html.split("</pre>")[:3]
    assert first.count('class="blog-line"') == _blocks.MAX_SEPARATE_LINES - 3
    assert '<span class="blog-line blog-line-marked">a\n</span>' in second
    assert "<code>b\n</code>" in third


@requirement("rendering.wide")
@pytest.mark.parametrize(("length", "is_wide"), [(72, False), (73, True)])
def test_code_with_a_long_line_is_wide(length: int, is_wide: bool) -> None:
    html = render_markdown(f"```x\nshort\n{'a' * length}\n```").html

    assert ("blog-wide" in html) is is_wide
