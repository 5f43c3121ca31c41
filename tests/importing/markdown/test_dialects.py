"""Each dialect of Markdown as this engine reads it; what the programs show of each was tried with the real ones."""

from pathlib import Path, PurePosixPath

import pytest

from blog_engine.importing.markdown.bodies import convert_body
from blog_engine.importing.markdown.dialects import COMMON_MARK, GOLDMARK, KRAMDOWN, REMARK, Dialect, python_markdown
from blog_engine.importing.markdown.generator import BodyPlace, Generator, MarkdownSite
from blog_engine.importing.markdown.html import to_our_dialect
from blog_engine.importing.source import Loss, Losses, LossKind, SourcePost
from tests.importing.markdown.sites import losses_of, read_post, write_file
from tests.requirements import requirement
from tests.support.costs import takes_at_most

PYTHON = python_markdown()
MATERIAL = python_markdown(extensions=frozenset({"md_in_html", "attr_list", "admonition", "pymdownx.inlinehilite"}))


def converted(text: str, dialect: Dialect, *, name: str = "a.md") -> tuple[str, list[Loss]]:
    """Return a body with its losses."""
    generator = Generator(MarkdownSite(Path("/nowhere")))
    generator.dialect = dialect
    place = BodyPlace(
        PurePosixPath(name),
        page_path=None,
        base="",
        find_page=lambda path: None,
        has_file=lambda path: True,
        parameter=lambda field: {"title": "A title"}.get(field),
    )
    losses = Losses()
    return convert_body(text, generator, place, losses=losses).text, losses.found


def body_of(text: str, dialect: Dialect, *, name: str = "a.md") -> str:
    """Return a body without the empty lines that syntax left behind."""
    lines = converted(text, dialect, name=name)[0].split("\n")
    kept = [line for number, line in enumerate(lines) if line.strip() or (number and lines[number - 1].strip())]
    return "\n".join(line.rstrip() for line in kept).strip("\n")


CODE = "<p>Para</p>\n<pre>\nfoo\n\n  # Here: a_b *c*\n</pre>\n"
SHOWN_CODE = "Para\n\n```\nfoo\n\n  # Here: a_b *c*\n```"
TABLE = "<table>\n<tr><td>1</td></tr>\n\n<tr><td>2</td></tr>\n</table>\n"
SHOWN_TABLE = "|  |\n| --- |\n| 1 |\n| 2 |"
NOTE = '<div class="note" markdown="1">\n**in** [l](https://x.example)\n</div>'


@requirement("import.markdown.html-blocks")
@pytest.mark.parametrize("dialect", [KRAMDOWN, PYTHON, MATERIAL])
def test_links_in_angle_brackets_begin_no_block_of_html(dialect: Dialect) -> None:
    text = "One:\n\n<https://x.example/a/b>\n\n## Two\n\n- <mailto:a@x.example>\n\n```\nthree\n```"

    assert converted(text, dialect) == (text, [])


@requirement("import.markdown.html", "import.markdown.words")
@pytest.mark.parametrize("dialect", [GOLDMARK, KRAMDOWN, COMMON_MARK])
@pytest.mark.parametrize(
    ("text", "expected", "named"),
    [
        (
            "One <iframe src='//x.example/a'></iframe> *b* `<video>`",
            "One\n\n<https://x.example/a>\n\n*b* `<video>`",
            "iframe",
        ),
        ("<video><source src='/a.mp4'>No video.</video> b", "[/a.mp4](/a.mp4)\n\nb", "video"),
        ("- one\n  <audio src='/a.mp3'></audio>", "- one\n\n  [/a.mp3](/a.mp3)", "audio"),
    ],
)
def test_films_in_a_paragraph_are_links(text: str, expected: str, named: str, dialect: Dialect) -> None:
    body, losses = converted(text, dialect)

    assert body.strip() == expected
    assert [loss.message.partition(":")[0] for loss in losses] == [f"<{named}> is a link now"]


@requirement("import.markdown.html-blocks")
def test_elements_that_python_markdown_does_not_know_are_a_part_of_a_paragraph() -> None:
    text = "<oar> is a placeholder.\n\n## Two\n\n- <boat>\n- three\n\n<div>\n<oar>four</oar>\n\n*five*\n</div>"

    body = body_of(text, PYTHON)

    assert body == "is a placeholder.\n\n## Two\n\n-\n- three\n\nfour \\*five\\*"


@requirement("import.markdown.html-blocks")
@pytest.mark.parametrize("dialect", [KRAMDOWN, PYTHON])
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (CODE, SHOWN_CODE),
        (TABLE, SHOWN_TABLE),
        (NOTE, "**in** [l](https://x.example)"),
        ("<div markdown='block'>\n*a*\n\n<p>*b*</p>\n</div>", "*a*\n\n\\*b\\*"),
        ("<div markdown='0'>*a*</div>", "\\*a\\*"),
        ("<p markdown='span'>*a*</p>", "*a*"),
        ("<div markdown>\n<div markdown>\n*a*\n</div>\n</div>", "*a*"),
        (
            "<table><tr><td markdown='span'>*a* [b]</td></tr></table>\n\n[b]: /c",
            "|  |\n| --- |\n| *a* [b](/c) |\n\n[b]: /c",
        ),
        (
            "<table><tr><td markdown='1'>*a*[^1]</td></tr></table>\n\n[^1]: b",
            "|  |\n| --- |\n| *a*[^1] |\n\n[^1]: b",
        ),
        (
            "<details markdown='1'><summary>S</summary>\n*a*\n</details>",
            "<details>\n<summary>S</summary>\n\n*a*\n\n</details>",
        ),
        ("<div markdown='1'>\na[^1]\n</div>\n\n[^1]: b", "a[^1]\n\n[^1]: b"),
        ("<div>a</div> *b* <div>c</div>", "a\n\n*b* c"),
        ("text\n<div>a</div>\nmore", "text\n\na\n\nmore"),
        ("<div>\n*a*\n\nto the end", "\\*a\\* to the end"),
        ("- a\n\n  <pre>\n  b\n\n  c\n  </pre>\n\n- d", "- a\n\n  ```\n  b\n\n  c\n  ```\n\n- d"),
        ("<b>a</b>\n*c*", "**a** *c*"),
        ("<hr>\ntext", "***\n\ntext"),
        ("<!-- a\n\nb -->\n\n*c*", "*c*"),
        ("<script>if (a < b) { '</div>' }</script>\n\n*c*", "*c*"),
        ("a\n\n    <div>\n    b", "a\n\n    <div>\n    b"),
    ],
)
def test_a_block_of_html_goes_on_to_its_end_tag(text: str, expected: str, dialect: Dialect) -> None:
    assert body_of(text, dialect) == expected


@requirement("import.markdown.html-blocks")
@pytest.mark.parametrize("dialect", [COMMON_MARK, GOLDMARK, REMARK])
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (TABLE, SHOWN_TABLE),
        (
            "<table>\n<tr><td>\n\n*a* [b]\n\n</td></tr>\n</table>\n\n[b]: /c",
            "|  |\n| --- |\n| *a* [b](/c) |\n\n[b]: /c",
        ),
        ("<figure>\n\n![A](/a.png)\n\n<figcaption>C</figcaption>\n</figure>", '![A](/a.png "C")'),
        ("<blockquote>\n\n*a*[^1]\n\n</blockquote>\n\n[^1]: b", "> *a*[^1]\n\n[^1]: b"),
        ("<div>\n\n*a*\n\n</div>", "*a*"),
        (NOTE, "\\*\\*in\\*\\* \\[l\\](https\\://x.example)"),
    ],
)
def test_blocks_of_markdown_stay_in_the_element_around_them(text: str, expected: str, dialect: Dialect) -> None:
    assert body_of(text, dialect) == expected


@requirement("import.markdown.html-blocks", "import.markdown.words")
@pytest.mark.parametrize("dialect", [COMMON_MARK, GOLDMARK, KRAMDOWN, PYTHON, REMARK])
@pytest.mark.parametrize(
    ("text", "expected", "line"),
    [
        ("<script>\n  x = 1;\n\n  y('</div>');\n</script>\n\n*c*", "*c*", 1),
        ("<div>\n<script>\n  x = 1;\n\n  y();\n</script>\n</div>\n\n*c*", "*c*", 2),
        ("a\n\n<p>b</p><script>\n  x = 1;\n\n  y();\n</script >\n\n*c*", "a\n\nb\n\n*c*", 3),
        ("a <SCRIPT async>x = *1*;</SCRIPT> c", "a  c", 1),
        ("a <style>\nb { c: d }\n</style> e\nf", "a  e f", 1),
        ("- a\n\n  <style>\n  b {\n\n  c: d }\n  </style>\n\n  e", "- a\n\n  e", 3),
    ],
)
def test_scripts_and_styles_go_on_to_their_end_tags(text: str, expected: str, line: int, dialect: Dialect) -> None:
    losses = converted(text, dialect)[1]

    assert body_of(text, dialect) == expected
    assert [(one.kind, one.line) for one in losses if "was left out with its content" in one.message] == [
        (LossKind.HTML, line)
    ]


@requirement("import.markdown.code")
@pytest.mark.parametrize("dialect", [COMMON_MARK, KRAMDOWN])
@pytest.mark.parametrize(
    "text",
    [
        "`<script>` and\n\n`</script>`",
        "```html\n<script>\n\na\n</script>\n```",
        "\\<script> and\n\n*b* `</script>`",
        "a `<!--` b",
    ],
)
def test_scripts_in_code_stay(text: str, dialect: Dialect) -> None:
    assert body_of(text, dialect) == text


@requirement("import.markdown.words")
@pytest.mark.parametrize("dialect", [COMMON_MARK, GOLDMARK, KRAMDOWN, PYTHON, REMARK])
@pytest.mark.parametrize("sign", ["<?", "<? ", "</3", "<! "])
def test_signs_in_html_that_begin_no_markup_are_text(sign: str, dialect: Dialect) -> None:
    text = f"<details>\n<summary>S</summary>\n<pre>\n0/9 [00:00{sign}, ?it/s]\n9/9\n</pre>\n</details>\n\n*c*"

    shown = f"```\n0/9 [00:00{sign}, ?it/s]\n9/9\n```"
    assert body_of(text, dialect) == f"<details>\n<summary>S</summary>\n\n{shown}\n\n</details>\n\n*c*"
    assert body_of("<div>a <?php echo 1; ?>b</div>", dialect) == "a b"


@requirement("import.markdown.html")
@pytest.mark.parametrize("dialect", [COMMON_MARK, GOLDMARK, KRAMDOWN, PYTHON, REMARK])
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('Text\n\n<a href="https://x.example"\n   title="t">link</a>', "Text\n\n[link](https://x.example)"),
        ('<img src="/i.png"\n     alt="Alt\n  text">', "![Alt text](/i.png)"),
        ('> <img src="/i.png"\n>      alt="Alt">\n> after', "> ![Alt](/i.png) after"),
        ('- <a\n  href="/x">b</a>\n  c', "- [b](/x) c"),
        ("a <b> c </b>d", "a  **c** d"),
        ("a <b></b><i class='icon'></i>c", "a c"),
        ("a<br>\nb<br>\n\nc<br/>", "a\\\nb\n\nc"),
        ("<code>a<br>b</code>", "```\na\nb\n```"),
        ("<code>a &lt; b</code>", "`a < b`"),
        (
            "| <b>a</b> | b |\n|---|---|\n| <a href='/u'>c</a> | d<br>e |",
            "| **a** | b |\n|---|---|\n| [c](/u) | d<br>e |",
        ),
    ],
)
def test_tags_in_lines_become_markdown(text: str, expected: str, dialect: Dialect) -> None:
    assert body_of(text, dialect) == expected


@requirement("import.markdown.signs")
@pytest.mark.parametrize(
    ("text", "dialects", "expected"),
    [
        ("(~> 1.4) or (~> 2.0)", [COMMON_MARK, KRAMDOWN, PYTHON], "(\\~> 1.4) or (\\~> 2.0)"),
        ("H~2~O", [COMMON_MARK, KRAMDOWN, PYTHON], "H\\~2\\~O"),
        ("H~2~O", [GOLDMARK, REMARK], "H~2~O"),
        ("~~a~~", [COMMON_MARK, GOLDMARK, KRAMDOWN, REMARK], "~~a~~"),
        ("~~a~~", [PYTHON], "\\~\\~a\\~\\~"),
        ("==a==", [COMMON_MARK, GOLDMARK, KRAMDOWN, REMARK, PYTHON], "\\=\\=a\\=\\="),
        ("one ~ alone, `~a~`, <https://x.example/~a~/>, [b](/~c~)", [KRAMDOWN], None),
        ("<<q>> and a << b", [KRAMDOWN, GOLDMARK], "«q» and a << b"),
        ("Term\n: text", [COMMON_MARK, REMARK], "Term : text"),
        ("Term\n\n: text", [COMMON_MARK, REMARK], "Term\n\n\\: text"),
        ("[a] [b]\n\n[b]: /c", [KRAMDOWN, PYTHON], "[a][b]\n\n[b]: /c"),
    ],
)
def test_signs_are_markup_only_where_they_were(text: str, dialects: list[Dialect], expected: str | None) -> None:
    for dialect in dialects:
        assert body_of(text, dialect) == (text if expected is None else expected)


@requirement("import.markdown.signs")
def test_signs_of_extensions_are_read_where_they_are_named() -> None:
    named = python_markdown(
        extensions=frozenset({"pymdownx.tilde", "pymdownx.caret", "pymdownx.keys", "pymdownx.mark"})
    )

    shown = body_of("H~2~O ~~a~~ x^2^ ^^b^^ ==c== ++ctrl+alt++ $a^2^b$ `x^2^`", named)

    assert shown == (
        "H<sub>2</sub>O ~~a~~ x<sup>2</sup> <ins>b</ins> ==c== <kbd>Ctrl</kbd>+<kbd>Alt</kbd> $a^2^b$ `x^2^`"
    )
    assert body_of("`#!js a` `#!b`", MATERIAL) == "`a` `#!b`"


@requirement("import.markdown.attributes")
@pytest.mark.parametrize(
    ("text", "dialect", "expected", "named"),
    [
        ("## A {#b}\n\n[c](#b)", GOLDMARK, "## A\n\n[c](#a)", []),
        ("## A\n{: #b}\n\n[c](#b)", KRAMDOWN, "## A\n\n[c](#a)", []),
        (
            "{: #b .c}\n## A\n\n[c](#b)",
            KRAMDOWN,
            "## A\n\n[c](#a)",
            ["The attributes {#b .c} of a heading are left out."],
        ),
        (
            "## A { #b .c }\n\n[c](#b)",
            PYTHON,
            "## A\n\n[c](#a)",
            ["The attributes { #b .c } of a heading are left out."],
        ),
        ("[](){#b}\n## A\n\n[c](#b)", MATERIAL, "## A\n\n[c](#a)", []),
        (
            "[c](#ueber)\n\n## Über",
            GOLDMARK,
            "[c](#ueber)\n\n## Über",
            ["The link #ueber to a place of the page leads nowhere now"],
        ),
        ('<a name="b"></a>\n\n## A\n\n[c](#b)', KRAMDOWN, "## A\n\n[c](#a)", []),
        ("a{: .b} *c*{:d='e'}\n{: .f}", KRAMDOWN, "a *c*", ["{: .f}", "{: .b}", "{:d='e'}"]),
        ("[a](/b){ .c target=_blank } x_{n=0}", PYTHON, "[a](/b) x_{n=0}", ["{ .c target=_blank }"]),
        ("    a\n{: .language-ruby}", KRAMDOWN, "```ruby\na\n```", []),
        ("~~~\na\n~~~\n{: .language-ruby}", KRAMDOWN, "~~~ruby\na\n~~~", []),
        ("{::comment}\nunseen\n{:/comment}\n\n`{::comment}`", KRAMDOWN, "`{::comment}`", []),
        ("{::options parse_block_html='true' /}\n\n<div>\n*a*\n</div>", KRAMDOWN, "*a*", []),
        ("HTML\n\n*[HTML]: Hyper Text", PYTHON, "HTML", ["*[HTML]: Hyper Text"]),
        ("[TOC]\n\na", PYTHON, "a", ["[TOC]"]),
        ("a {: .b}", COMMON_MARK, "a {: .b}", []),
    ],
)
def test_attributes_are_followed_or_named(text: str, dialect: Dialect, expected: str, named: list[str]) -> None:
    losses = converted(text, dialect)[1]

    assert body_of(text, dialect) == expected
    assert len(losses) == len(named)
    assert all(loss.message.endswith(words) for loss, words in zip(losses, named, strict=True))


@requirement("import.markdown.code")
@pytest.mark.parametrize(
    ("text", "dialect", "expected"),
    [
        ("    :::python\n    a = 1", PYTHON, "```python\na = 1\n```"),
        ("    #!python\n    a = 1", PYTHON, "```python linenos\na = 1\n```"),
        ("    #!/bin/sh\n    a", PYTHON, "    #!/bin/sh\n    a"),
        ("```\n:::python\na\n```", PYTHON, "```python\na\n```"),
        ("- a\n\n        :::sh\n        b", PYTHON, "- a\n\n    ```sh\n    b\n    ```"),
        ('```{.python hl_lines="1 3" title="a.py"}\na\n```', PYTHON, '```python title="a.py" {1,3}\na\n```'),
        ('``` python linenums="1"\na\n```', MATERIAL, "```python linenos\na\n```"),
        ("```ruby?start=2\na\n```", KRAMDOWN, "```ruby\na\n```"),
        ("```js {1,3}\na\n```", COMMON_MARK, "```js {1,3}\na\n```"),
    ],
)
def test_the_language_of_code_is_known(text: str, dialect: Dialect, expected: str) -> None:
    assert body_of(text, dialect) == expected


@requirement("import.markdown.boxes")
@pytest.mark.parametrize(
    ("text", "dialect", "expected"),
    [
        ("!!! note\n    a\n\n    - b\n\nc", PYTHON, "> [!NOTE]\n> a\n>\n> - b\n\nc"),
        ('!!! note inline end "T *x*"\n    a', PYTHON, "> **T *x***\n>\n> a"),
        ('!!! danger ""\n    a', PYTHON, "> a"),
        ("!!! example\n    a", PYTHON, "> **Example**\n>\n> a"),
        ('??? note "T `x`"\n    *a*', PYTHON, "<details>\n<summary>T `x`</summary>\n\n*a*\n\n</details>"),
        ("???+ note\n    a", PYTHON, "<details open>\n<summary>Note</summary>\n\na\n\n</details>"),
        ('=== "A"\n\n    b\n\n=== "C"\n\n    d', PYTHON, "**A**\n\nb\n\n**C**\n\nd"),
        ("- a\n\n    !!! tip\n        b\n\n    c", PYTHON, "- a\n\n    > [!TIP]\n    > b\n\n    c"),
        ("- !!! tip\n        b", PYTHON, "- > [!TIP]\n  > b"),
        ("a\n\n    !!! note\n        b", PYTHON, "a\n\n    !!! note\n        b"),
        ("```\n!!! note\n    a\n```", PYTHON, "```\n!!! note\n    a\n```"),
        ("!!! note\n\ta\n\n\t\tb\tc", PYTHON, "> [!NOTE]\n> a\n>\n>     b\tc"),
        ("!!! note\n    !!! tip\n        a", PYTHON, "> [!NOTE]\n> > [!TIP]\n> > a"),
        (":::note[A *t*]\na\nb\n:::\nc", REMARK, "> **A *t***\n>\n> a b\n\nc"),
        ("::: warning\na\n:::", COMMON_MARK, "> [!WARNING]\n> a"),
        (":::tip Title\na\n:::", COMMON_MARK, "> **Title**\n>\n> a"),
        ("::::note\n:::tip\na\n:::\n::::", REMARK, "> [!NOTE]\n> > [!TIP]\n> > a"),
        (":::details More\na\n:::", COMMON_MARK, "<details>\n<summary>More</summary>\n\na\n\n</details>"),
        (":::note\nto the end", REMARK, "> [!NOTE]\n> to the end"),
        ("at 10:30 :smile: ::", REMARK, "at 10:30 :smile: ::"),
        (":::note\na\n:::", KRAMDOWN, ":::note a :::"),
        ("a :material-check: b", MATERIAL, "a b"),
        ("```{admonition} Old\n:class: warning\na *b*\n```\n\nc", PYTHON, "> **Old**\n>\n> a *b*\n\nc"),
        ("```{note}\na\n```", PYTHON, "> [!NOTE]\n> a"),
    ],
)
def test_boxes_are_quotations(text: str, dialect: Dialect, expected: str) -> None:
    assert body_of(text, dialect) == expected


@requirement("import.markdown.boxes")
def test_directives_without_meaning_are_named_with_source_and_line() -> None:
    body, losses = converted('a\n\n::github{repo="x/y"}\n\n:::cards{.wide}\nb :abbr[c]{title="d"}\n:::\n', REMARK)

    assert "".join(body.split()) == "abc"
    assert [(loss.kind, loss.line, loss.message) for loss in losses] == [
        (LossKind.SHORTCODE, 3, 'A directive is left out; text in it remains: ::github{repo="x/y"}'),
        (LossKind.SHORTCODE, 6, 'A directive is left out; text in it remains: :abbr[c]{title="d"}'),
        (LossKind.SHORTCODE, 5, "A directive is left out; text in it remains: :::cards{.wide}"),
    ]


@requirement("import.markdown.boxes")
def test_lines_are_those_of_the_source_behind_boxes() -> None:
    losses = converted('!!! note "T"\n    a\n\nb <video src="/v.mp4"></video>\n\n<object></object>\n', PYTHON)[1]

    assert [loss.line for loss in losses] == [4, 6]


@requirement("import.markdown.mdx")
@pytest.mark.parametrize(
    ("text", "expected", "named"),
    [
        ("a {1 + 1} b", "a  b", [("An expression of JavaScript is left out: {1 + 1}", 1)]),
        ("a {'b'} {`c`} {2} {frontmatter.title}", "a b c 2 A title", []),
        ("a {/* unseen */}\n\n\\{b}", "a\n\n\\{b}", []),
        (
            "\n{items.map((one) => (\n  <li>{one}</li>\n))}\n",
            "",
            [("An expression of JavaScript is left out: {items.map((one) => ( <li>{one}</li> ))}", 2)],
        ),
        ("import pic from './pic.png';\n\n<Image src={pic} alt='A' />", "![A](./pic.png)", None),
        ('<Box a="}" b={{ c: "<" }}>\n*d*\n</Box>', "*d*", None),
        ("<div className='a' style={{ b: 1 }}>\n**c**\n</div>", "**c**", []),
        ("<A>\n\n    *b*\n\n</A>", "*b*", None),
        ("`<A>` `{b}`\n\n```jsx\n<A>{b}</A>\n```", "`<A>` `{b}`\n\n```jsx\n<A>{b}</A>\n```", []),
        ("<A.B /><></>a", "a", None),
        ("a {b", "a \\{b", []),
    ],
)
def test_jsx_is_shown_or_named(text: str, expected: str, named: list[tuple[str, int]] | None) -> None:
    losses = converted(text, REMARK, name="a.mdx")[1]

    assert body_of(text, REMARK, name="a.mdx") == expected
    assert named is None or [(loss.message, loss.line) for loss in losses] == named


def pelican_post(folder: Path, body: str) -> SourcePost:
    write_file(folder / "pelicanconf.py", "PATH = 'content'\n")
    return read_post(folder, f"Title: A post\nDate: 2024-01-02\n\n{body}\n", name="content/a.md")


@requirement("import.markdown.liquid-tags")
@pytest.mark.parametrize(
    ("body", "expected", "kinds"),
    [
        ("{% img /a.png %}", "![](/a.png)", []),
        ('{% img left half /a.png 300 200 "A title" "An alt" %}', "![An alt](/a.png)", []),
        ("{% img https://x.example/a.png 'Words' %}", "![Words](https://x.example/a.png)", []),
        (
            "{% include_code hello.py lang:python Hello %}",
            '```python title="Hello hello.py"\nprint(1)\nprint(2)\n```',
            [],
        ),
        ("{% include_code hello.py lines:2-2 %}", '```py title="hello.py"\nprint(2)\n```', []),
        ("{% include_code missing.py %}", "", [LossKind.SHORTCODE]),
        ("{% video /v.mp4 640 360 %}", "[/v.mp4](/v.mp4)", [LossKind.FILE]),
        (
            "{% youtube abc 640 %}",
            "[https://www.youtube.com/watch?v=abc](https://www.youtube.com/watch?v=abc)",
            [LossKind.EMBED],
        ),
        ("{% literal img /a.png %} `{% literal b %}`", "{% img /a.png %} `{% b %}`", []),
        ("{% strange 1 %} {% endstrange %}", "", [LossKind.SHORTCODE]),
        ("`{% img /a.png %}`", "`{% img /a.png %}`", []),
    ],
)
def test_tags_of_liquid_tags_are_read_or_named(tmp_path: Path, body: str, expected: str, kinds: list[LossKind]) -> None:
    write_file(tmp_path / "content" / "code" / "hello.py", "print(1)\nprint(2)\n")

    post = pelican_post(tmp_path, body)

    assert post.body.strip() == expected
    assert [loss.kind for loss in post.losses] == kinds
    assert all(loss.message.endswith(body.partition(" {% end")[0]) for loss in post.losses)


NOTEBOOK = """{"nbformat": 4, "cells": [
{"cell_type": "markdown", "source": ["# A note\\n", "*words*"]},
{"cell_type": "code", "source": "print(1)", "outputs": [
 {"output_type": "stream", "text": ["1\\r\\n"]},
 {"output_type": "display_data", "data": {"image/png": "iVBORw0KGgo=", "text/plain": "<Figure>"}}]}
]}"""
OLD_NOTEBOOK = """{"nbformat": 3, "worksheets": [{"cells": [
{"cell_type": "heading", "level": 2, "source": "A note"},
{"cell_type": "code", "input": "x", "language": "python", "outputs": [{"output_type": "pyout", "text": "2"}]}
]}]}"""


@requirement("import.markdown.liquid-tags")
def test_a_notebook_is_its_texts_code_and_results(tmp_path: Path) -> None:
    write_file(tmp_path / "content" / "notebooks" / "a.ipynb", NOTEBOOK)
    write_file(tmp_path / "content" / "notebooks" / "b.ipynb", OLD_NOTEBOOK)
    write_file(tmp_path / "content" / "notebooks" / "c.ipynb", "{")

    post = pelican_post(
        tmp_path, "{% notebook a.ipynb %}\n\n{% notebook b.ipynb cells[1:] %}\n\n{% notebook c.ipynb %}"
    )

    assert (
        post.body.strip()
        == "# A note\n*words*\n\n```python\nprint(1)\n```\n\n```\n1\n```\n\n\n\n\n\n```python\nx\n```\n\n```\n2\n```"
    )
    assert losses_of(post) == [
        (LossKind.IMAGE, "1 results that are no text are left out of the notebook: {% notebook a.ipynb %}", 1),
        (LossKind.SHORTCODE, "A tag of liquid_tags is left out: {% notebook c.ipynb %}", 5),
    ]


@requirement("import.markdown.shortcodes")
@pytest.mark.parametrize(
    ("parameters", "expected"),
    [
        ('caption="C *e* [l](/u)"', "![C e l](/a.png)\n\nC *e* [l](/u)"),
        ('alt="A" title="T" attr="By **B**" attrlink="/b"', "![A](/a.png)\n\nT [By **B**](/b)"),
        ('alt="A" caption="C"', '![A](/a.png "C")'),
    ],
)
def test_captions_of_figures_are_markdown(tmp_path: Path, parameters: str, expected: str) -> None:
    write_file(tmp_path / "hugo.toml", "")
    figure = f'{{{{< figure src="/a.png" {parameters} >}}}}'

    post = read_post(tmp_path, f"---\ntitle: A\ndate: 2024-01-02\n---\n{figure}\n", name="content/posts/a.md")

    assert post.body.strip() == expected
    assert post.losses == ()


@requirement("import.markdown.images")
def test_the_caption_of_a_cover_is_named(tmp_path: Path) -> None:
    front_matter = "title: A\ndate: 2024-01-02\ncover:\n  image: /a.png\n  alt: B\n  caption: By *C*\n"

    post = read_post(tmp_path, f"---\n{front_matter}---\ntext\n")

    assert losses_of(post) == [(LossKind.FIELD, "The caption of the cover has no place here: By *C*", None)]


@requirement("import.markdown.words")
def test_extensions_of_the_configuration_of_pelican_decide(tmp_path: Path) -> None:
    write_file(tmp_path / "pelicanconf.py", "MARKDOWN = {'extension_configs': {'pymdownx.tilde': {}}}\n")

    post = read_post(tmp_path, "Title: A post\nDate: 2024-01-02\n\n~~a~~ H~2~O\n", name="content/a.md")

    assert post.body.strip() == "~~a~~ H<sub>2</sub>O"


@requirement("import.markdown.signs", "import.markdown.attributes")
@pytest.mark.parametrize(
    ("configuration", "text", "expected"),
    [
        ("", "a {.b} H~2~O\n: c", "a {.b} H\\~2\\~O : c"),
        ("require('markdown-it-attrs')", "## A { #b.c }\n\n[d](#b.c)", "## A\n\n[d](#a)"),
        ("require('markdown-it-attrs')", "[a](/b){.c}", "[a](/b)"),
        (
            "import sub from 'markdown-it-sub'; import mark from 'markdown-it-mark'",
            "H~2~O ==a==",
            "H<sub>2</sub>O ==a==",
        ),
        ("import terms from 'markdown-it-deflist'", "A\n: b", "A\n: b"),
        ("markdownIt({ html: true, breaks: true })", "a\nb", "a\nb"),
        ("// require('markdown-it-attrs'), breaks: true", "[a](/b){.c}\nd", "[a](/b){.c} d"),
    ],
)
def test_plugins_of_the_configuration_of_eleventy_decide(
    tmp_path: Path, configuration: str, text: str, expected: str
) -> None:
    write_file(tmp_path / "eleventy.config.js", f"{configuration}\nmodule.exports = function (config) {{}};\n")

    post = read_post(tmp_path, f"---\ntitle: A post\ndate: 2024-01-02\n---\n{text}\n", name="posts/a.md")

    assert post.body.strip() == expected


@requirement("import.markdown.signs", "import.markdown.html-blocks")
@pytest.mark.parametrize(
    ("configuration", "expected"),
    [
        ("", "~~a~~ b\n\n\\*c\\*"),
        ("kramdown:\n  input: kramdown\n", "\\~\\~a\\~\\~ b\n\n\\*c\\*"),
        ("kramdown: {parse_block_html: true}\n", "~~a~~ b\n\n*c*"),
        ("markdown: CommonMarkGhPages\n", "~~a~~ b{: .d}\n\n\\*c\\*"),
    ],
)
def test_the_configuration_of_jekyll_chooses_the_dialect(tmp_path: Path, configuration: str, expected: str) -> None:
    write_file(tmp_path / "_config.yml", f"title: A blog\n{configuration}")
    text = "---\ntitle: A post\n---\n~~a~~ b{: .d}\n\n<div>\n*c*\n</div>\n"

    post = read_post(tmp_path, text, name="_posts/2024-01-02-a.md")

    assert "\n".join(line for line in post.body.split("\n") if line).replace("\n", "\n\n") == expected


@requirement("import.markdown.words")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('!!! note "T"\n    a\n\n:::tip\nb\n:::', "> **T**\n>\n> a\n\n> [!TIP]\n> b"),
        ("## A {#b}\n\n[c](#b){: .d}", "## A\n\n[c](#a)"),
        ("<div markdown='1'>\n*a*\n</div>\n\n~b~ ==c== H~2~O\n\nT\n: d", "*a*\n\n~b~ ==c== H~2~O\n\nT\n: d"),
    ],
)
def test_in_a_folder_of_no_program_the_syntax_of_all_is_read(tmp_path: Path, text: str, expected: str) -> None:
    post = read_post(tmp_path, f"---\ntitle: A post\ndate: 2024-01-02\n---\n{text}\n")

    assert post.body.strip() == expected


HOSTILE = [
    *(
        "<div>\n",
        "<div>x</div>\n",
        "<div markdown='1'>\n",
        "</div>\n",
        '<p "',
        "<!--",
        "<td>\n\n",
        "<b>",
        "<code>a*</code>",
    ),
    *(
        "{::comment}",
        "{: .x}\n",
        "(a){.x} ",
        "!!! note\n    x\n\n",
        "!!! note\n    ",
        ":::note\n",
        ":a[b]{c} ",
        "~a ",
        "^a^ ",
    ),
    *(
        "{",
        "{a} ",
        "<A b={",
        "<A>",
        "[a] [b]\n",
        "<<a>> ",
        "    :::python\n\n",
        "- !!! note\n",
        "<details markdown=1>\n",
    ),
    *("> <div>\n", "<a id='x'></a>\n\n# b\n\n", '=== "T"\n\n    x\n\n', "{% img /a.png %} "),
    *("a <script>\n\n", "a <script>\n\n</script>", "a `<script>\n\n`</script>` ", "<div><?, ", "<style>a</style> "),
]


@requirement("import.markdown.hostile")
@pytest.mark.parametrize("part", HOSTILE)
def test_the_time_for_a_dialect_grows_with_the_text(part: str) -> None:
    text = part * (20_000 // len(part))
    with takes_at_most(6):
        for dialect, name in ((KRAMDOWN, "a.md"), (MATERIAL, "a.md"), (REMARK, "a.mdx")):
            converted(text, dialect, name=name)


@requirement("import.markdown.breaks")
def test_a_text_in_our_dialect_stays_as_it_is() -> None:
    text = "# A\n\na *b* `c`\n\n- d\n\n> e\n"

    assert to_our_dialect(text, COMMON_MARK, losses=Losses())[0] == text


QUOTED = "It's \"so -- *'here'*\" and 5\" --- on... `it's` [l's](/x \"t's\") \\\"no\\\" $a'$ 1/2 --> (c) [a](/1/2)"
SMART = (
    "It\u2019s \u201cso \u2013 *\u2018here\u2019*\u201d and 5\" \u2014 on\u2026 `it's` "
    '[l\u2019s](/x "t\'s") \\"no\\" $a\'$ 1/2 '
)


@requirement("import.markdown.typography")
@pytest.mark.parametrize(
    ("files", "name", "expected"),
    [
        ({"hugo.toml": ""}, "content/posts/a.md", f"{SMART}\u2013> (c) [a](/1/2)"),
        ({"hugo.toml": "[markup.goldmark.extensions]\ntypographer = false\n"}, "content/posts/a.md", QUOTED),
        ({"hugo.toml": "[markup.goldmark.extensions.typographer]\ndisable = true\n"}, "content/posts/a.md", QUOTED),
        ({"_config.yml": ""}, "_posts/2024-01-02-a.md", f"{SMART}\u2013> (c) [a](/1/2)"),
        ({"_config.yml": "markdown: CommonMark\n"}, "_posts/2024-01-02-a.md", QUOTED),
        (
            {"_config.yml": "kramdown: {smart_quotes: 'apos,apos,quot,quot', gfm_quirks: no_auto_typographic}\n"},
            "_posts/2024-01-02-a.md",
            QUOTED,
        ),
        (
            {"astro.config.mjs": "export default {}"},
            "src/content/blog/a.md",
            SMART.replace("\u2014", "---").replace("\u2013", "\u2014") + "\u2014> (c) [a](/1/2)",
        ),
        ({"astro.config.mjs": "x = { smartypants: false }"}, "src/content/blog/a.md", QUOTED),
        ({"eleventy.config.js": ""}, "posts/a.md", QUOTED),
        ({"eleventy.config.js": "x({ typographer: true })"}, "posts/a.md", f"{SMART}\u2013> \u00a9 [a](/1/2)"),
        ({"config.toml": 'base_url = "https://b.example"\n'}, "content/blog/a.md", QUOTED),
        (
            {"config.toml": 'base_url = "https://b.example"\n[markdown]\nsmart_punctuation = true\n'},
            "content/blog/a.md",
            f"{SMART}\u2013> (c) [a](/1/2)",
        ),
        ({"mkdocs.yml": "markdown_extensions: [smarty]\n"}, "docs/posts/a.md", f"{SMART}\u2013> (c) [a](/1/2)"),
        (
            {"mkdocs.yml": "markdown_extensions: [smarty, pymdownx.smartsymbols]\n"},
            "docs/posts/a.md",
            SMART.replace("1/2", "\u00bd") + "\u2192 \u00a9 [a](/1/2)",
        ),
        ({"mkdocs.yml": "site_name: A\n"}, "docs/posts/a.md", QUOTED),
    ],
)
def test_signs_are_those_that_readers_saw(tmp_path: Path, files: dict[str, str], name: str, expected: str) -> None:
    for file, content in files.items():
        write_file(tmp_path / file, content)

    post = read_post(tmp_path, f"---\ntitle: A\ndate: 2024-01-02\n---\n{QUOTED}\n", name=name)

    assert post.body.strip() == expected
