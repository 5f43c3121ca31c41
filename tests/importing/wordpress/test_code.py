"""Code and formulas of plugins in the bodies of WordPress."""

import pytest

from blog_engine.importing.source import Losses, LossKind
from blog_engine.importing.wordpress.bodies import SharedContent, shown_body
from tests.importing.wordpress.test_bodies import block, markdown_of
from tests.requirements import requirement


@requirement("import.wordpress.code")
@pytest.mark.parametrize(
    ("content", "markdown"),
    [
        ('[sourcecode language="html"]\n<b>x</b>\n  a < b\n[/sourcecode]', "```html\n<b>x</b>\n  a < b\n```\n"),
        (
            'a\n[code]\n$x = "<br>";\n\n# no *heading*\n[/code]\nb',
            'a\n\n```\n$x = "<br>";\n\n# no *heading*\n```\n\nb\n',
        ),
        ("[php]\n<?php echo '[gallery]'; ?>\n[/php]", "```php\n<?php echo '[gallery]'; ?>\n```\n"),
        ('[cc lang="c"]\nint a;\n[/cc]', "```c\nint a;\n```\n"),
        ("[cc_php]echo 1;[/cc_php]", "```php\necho 1;\n```\n"),
        ("a [cci]b < c[/cci] d", "a `b < c` d\n"),
        ("[ccie]&lt;b&gt; &amp;amp;[/ccie]", "`<b> &amp;`\n"),
        ("[code language='css']\na &gt; b { }\n[/code]", "```css\na > b { }\n```\n"),
        ("[code]&amp;lt;b&amp;gt;[/code]", "```\n&lt;b&gt;\n```\n"),
        ("[code]<p>&amp;nbsp;</p>[/code]", "```\n<p>&amp;nbsp;</p>\n```\n"),
        ("[sourcecode='js']\n<!-- wp:paragraph -->\n[/sourcecode]", "```js\n<!-- wp:paragraph -->\n```\n"),
        ("[python]\n    indented\n[/python]", "```python\n    indented\n```\n"),
        ("[Code Lang=PHP]<pre>a</pre>[/CODE]", "```php\n<pre>a</pre>\n```\n"),
        ('[code lang="text" title="A & b"]x[/code]', "A & b\n\n```\nx\n```\n"),
        ("[[code]x[/code]]", "\\[code\\]x\\[/code\\]\n"),
        ("[code] is a word, and [php] another", "\\[code\\] is a word, and \\[php\\] another\n"),
        ("<pre>[code]x[/code]</pre>", "```\n[code]x[/code]\n```\n"),
        ('<pre lang="ruby">\nputs 1\n</pre>', "```ruby\nputs 1\n```\n"),
        ('<pre lang="html" line="1"><b>x</b></pre>', "```html\n<b>x</b>\n```\n"),
        ('<pre lang="xml" escaped="true">&lt;a&gt;</pre>', "```xml\n<a>\n```\n"),
        ('<pre lang="c++">a &lt; b</pre>', "```c++\na < b\n```\n"),
        ('<pre lang="en">a</pre>', "```\na\n```\n"),
        ('<pre lang="lua"><code>a</code></pre>', "```lua\na\n```\n"),
        (
            block("syntaxhighlighter/code", '<pre class="x">a &lt; b</pre>', '{"language":"php"}'),
            "```php\na < b\n```\n",
        ),
        (block("shortcode", "[code]\n<i>\n[/code]"), "```\n<i>\n```\n"),
    ],
)
def test_code_is_shown_as_the_plugin_shows_it(content: str, markdown: str) -> None:
    assert markdown_of(content) == (markdown, [])


@requirement("import.wordpress.code", "import.wordpress.lines")
def test_lines_stay_below_code() -> None:
    content = '[php\n  title="x"]\n\na\n\n[/php]\n\n<pre\nlang="ruby">b</pre>\n\n[form id="1"]'

    assert markdown_of(content)[1] == [(LossKind.SHORTCODE, 11)]


@requirement("import.wordpress.lines")
def test_comments_add_no_lines() -> None:
    content = block("paragraph", '<!-- a\nb --><p>[form id="1"]</p>')

    assert markdown_of(content)[1] == [(LossKind.SHORTCODE, 2)]


@requirement("import.html.code-lines")
@pytest.mark.parametrize(
    ("content", "markdown"),
    [
        ("<p><code>one<br />two</code></p>", "```\none\ntwo\n```\n"),
        ("<code>\ndef foo\n  1\n\nend\n</code>", "```\ndef foo\n  1\n\nend\n```\n"),
        ("<p>a <code>one<br>two</code> b</p>", "a\n\n```\none\ntwo\n```\n\nb\n"),
        ("<ul><li><code>one<br>two</code></li></ul>", "- ```\n  one\n  two\n  ```\n"),
        ("<p><code>one<br></code></p>", "`one`\n"),
        ("<p><strong><code>one<br>two</code></strong></p>", "**`one`**\\\n**`two`**\n"),
        ("<p><code><span>one<br></span>two</code></p>", "```\none\ntwo\n```\n"),
    ],
)
def test_code_with_line_breaks_keeps_its_lines_and_is_named(content: str, markdown: str) -> None:
    assert markdown_of(content) == (markdown, [(LossKind.HTML, 1)])


@requirement("import.wordpress.words")
@pytest.mark.parametrize(
    ("content", "markdown"),
    [
        ("[vc_column]Left[/vc_column][vc_column]Right[/vc_column]", "Left\n\nRight\n"),
        ("[one_half]Left[/one_half] [one_half_last]Right[/one_half_last]", "Left\n\nRight\n"),
        ("<p>[a]One[/a][a]Two[/a]</p>", "One\n\nTwo\n"),
        ("before[tab]in[/tab]after", "before\n\nin\n\nafter\n"),
        ("some [dropcap]w[/dropcap]ord and [highlight]more[/highlight].", "some word and more.\n"),
        ("<ul><li>[col]a[/col][col]b[/col]</li></ul>", "- a\n\n  b\n"),
        ("<h2>[x]a[/x][x]b[/x]</h2>", "## a b\n"),
    ],
)
def test_words_of_columns_do_not_join(content: str, markdown: str) -> None:
    assert markdown_of(content)[0] == markdown


@requirement("import.wordpress.formulas")
@pytest.mark.parametrize(
    ("content", "markdown"),
    [
        (r"a $latex e^{i\pi}$ b", "a $e^{i\\pi}$ b\n"),
        (r"a $latex x_1 &lt; 2&amp;s=2&bg=ffffff$ b", "a $x_1 < 2$ b\n"),
        ("a [latex]x^2[/latex] b", "a $x^2$ b\n"),
        ("<p>a</p><p>$$\\frac{a}{b}\n+ c$$</p>", "a\n\n$$\n\\frac{a}{b} + c\n$$\n"),
        (r"a \(x^2\) b", "a $x^2$ b\n"),
        (r"<p>\[x^2\]</p>", "$$\nx^2\n$$\n"),
        ("from $$ to $$$ and $latex", "from \\$\\$ to \\$\\$\\$ and \\$latex\n"),
        (r"\(a word\)", "\\\\(a word\\\\)\n"),
        ("<code>$latex x$</code>", "`$latex x$`\n"),
    ],
)
def test_formulas_are_formulas(content: str, markdown: str) -> None:
    assert markdown_of(content) == (markdown, [])


@requirement("import.wordpress.blocks", "import.wordpress.galleries")
@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            '<!-- wp:acf/note {"data":{"text":"Mind \\u003cb\\u003ethe\\u003c/b\\u003e gap","_text":"field 1"}} /-->',
            "Mind the gap",
        ),
        ("<!-- wp:acf/note {} /-->", "WordPress makes its content for each visit"),
        ('<!-- wp:latest-posts {"postsToShow":4} /-->', "WordPress makes its content for each visit"),
        ("[gallery]", "A gallery was left out: the export has no pictures"),
        ('[gallery ids="77"]', "Pictures of a gallery are not in the export: 77"),
    ],
)
def test_what_is_left_out_has_the_right_sentence(content: str, message: str) -> None:
    losses = markdown_losses(content)

    assert len(losses) == 1
    assert message in losses[0]


def markdown_losses(content: str) -> list[str]:
    """The messages of what a content loses."""
    losses = Losses()
    shown_body(content, post_id="77", footnotes="", shared=SharedContent(), losses=losses)
    return [loss.message for loss in losses.found]


def test_the_foot_of_a_table_is_named() -> None:
    body = "<thead><tr><th>a</th></tr></thead><tbody><tr><td>b</td></tr></tbody>"
    table = f"<table>{body}<tfoot><tr><td>c</td></tr></tfoot></table>"

    assert markdown_of(table) == ("| a |\n| --- |\n| b |\n| c |\n", [(LossKind.HTML, 1)])
