"""Formulas become MathML and stay TeX wherever MathML is not known."""

# ruff: noqa: RUF001  letters of a style look like plain ones

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blog_engine.content import formulas
from blog_engine.content.dialect import MAX_TEX
from blog_engine.content.formulas import MATH_TAGS
from blog_engine.content.html import parse_html, walk
from blog_engine.content.plain_text import plain_text, texts_of_body
from blog_engine.content.syndication import syndicated_html
from blog_engine.enums import BodyFormat
from tests.content.bodies import faults, render_markdown
from tests.requirements import requirement

URL = "https://blog.example/a"


def tex_in(body: str) -> list[str]:
    """Return the TeX of the formulas that became MathML."""
    tree = parse_html(render_markdown(body).html, tags=frozenset({"annotation"}), keep=lambda *_: True)
    return ["".join(map(str, element.children)) for element in walk(tree)]


@requirement("rendering.math")
@pytest.mark.parametrize(
    ("body", "tex"),
    [
        ("Energy is $E = mc^2$.", ["E = mc^2"]),
        ("$a$, ($b$) and **$c$**", ["a", "b", "c"]),
        (r"$x\$y$ and \$5$", [r"x\$y"]),
        ("设$x$为", ["x"]),
        ("$`a$b`$", ["a$b"]),
        ("the $`n`$th", ["n"]),
        ("It is $$x^2$$, then $$ a $$ and $$2x$$.", ["x^2", "a", "2x"]),
        ("# The $n$th", []),
        ("# Of $n$", ["n"]),
        ("$$\nx^2\n+ y^2\n$$", ["x^2\n+ y^2"]),
        ("Text\n$$ x $$\ntext", ["x"]),
        ("> $$\n> x\n> $$", ["x"]),
        ("```math\nx\n```", ["x"]),
        ("| $a$ |\n|-|\n| $\\|b\\|$ |", ["a", "|b|"]),
        ("`$a$`\n```\n$b$\n```\n\n    $c$", []),
    ],
)
def test_formulas_become_mathml(body: str, tex: list[str]) -> None:
    assert tex_in(body) == tex


@requirement("rendering.math.money")
@pytest.mark.parametrize(
    "body",
    [
        "It costs $5 and $10.",
        "Between $5 or 10$, as you like.",
        "US$5, 7$ and A$8.",
        "$AAPL, $MSFT",
        "Set $HOME and $PATH",
        "$HOME/bin:$PATH",
        "the words $like these$ here",
        "$ a $",
        "$a\nb$",
        "$$",
        "from $$ to $$ and $$-$$$",
        "kill $$; echo $$",
        r"\$a$",
        "Press <kbd>$</kbd> and <kbd>^</kbd> or <kbd>$</kbd>.",
        "$_GET/$_POST",
        "${HOME}/${USER} and ${HOME}:${PATH}",
        "$(pwd)/$(date)",
        "$('a').$('b')",
        "$.get/$.post",
        "价格是$5和$10元",
        "$$ is a prompt",
        f"${'x+' * MAX_TEX}y$",
    ],
)
def test_dollar_signs_of_a_sentence_stay_text(body: str) -> None:
    rendered = render_markdown(body)

    assert "<math" not in rendered.html
    assert (rendered.unreadable_tex, rendered.text) == ((), texts_of_body(body, body_format=BodyFormat.MARKDOWN))


@requirement("rendering.math.unreadable")
@pytest.mark.parametrize(
    ("body", "tex"),
    [
        ("$$\nx\n\ny\n$$", "x"),
        ("Text\n$$\nx_1", "x_1"),
        ("$$ x^2\n\nmore", "x^2"),
        ("> $$\n> x\n\nmore", "x"),
    ],
)
def test_a_block_that_does_not_end_is_reported(body: str, tex: str) -> None:
    rendered = render_markdown(body)

    assert "<math" not in rendered.html
    assert rendered.unreadable_tex == (tex,)
    assert rendered.text == texts_of_body(body, body_format=BodyFormat.MARKDOWN)


@requirement("rendering.math")
def test_a_formula_in_a_line_and_one_on_its_own() -> None:
    inline, block = render_markdown("is $a$").html, render_markdown("$$a$$").html

    math = (
        '<semantics><mrow><mi>a</mi></mrow><annotation encoding="application/x-tex">a</annotation></semantics></math>'
    )
    assert inline == f"<p>is <math>{math}</p>\n"
    assert block == (
        f'<div class="blog-math" tabindex="0" role="group" aria-label="Formula"><math display="block">{math}</div>\n'
    )


@requirement("rendering.math.tex", "rendering.plain-text")
def test_tex_is_kept_where_mathml_is_not_known() -> None:
    body = "## Of $x_1$\n\nIf $a_b < c_d$:\n\n$$\n\\frac{1}{2}\n$$"

    rendered = render_markdown(body)

    assert plain_text(body, body_format=BodyFormat.MARKDOWN) == "Of x_1\nIf a_b < c_d:\n\\frac{1}{2}"
    assert [(heading.text, heading.id) for heading in rendered.headings] == [("Of x_1", "of-x_1")]
    assert syndicated_html(rendered.html, url=URL) == (
        "<h2>Of <code>x_1</code></h2>\n<p>If <code>a_b &lt; c_d</code>:</p>\n"
        '<div role="group" aria-label="Formula"><pre><code>\\frac{1}{2}</code></pre></div>\n'
    )


@requirement("rendering.math.tex", "rendering.plain-text")
def test_the_text_of_an_image_is_as_it_is_written() -> None:
    body = "![A plot of $x^2$ by `plot`](/a.png)"

    (image,) = render_markdown(body).images
    assert image.alt == plain_text(body, body_format=BodyFormat.MARKDOWN) == "A plot of $x^2$ by plot"


@requirement("rendering.math.unreadable")
@pytest.mark.parametrize(
    "tex",
    [
        r"\nonsense",
        r"\frac{1}",
        r"\left( x",
        "x^1^2",
        "a & b",
        "^" * 1000,
        "{" * 100 + "x" + "}" * 100,
        r"\def\a{\a\a}\a",
        r"\newcommand{\b}{x}\b",
        r"\href{javascript:alert(1)}{x}",
        r"\style{color:red}{x}",
        r"\class{blog-copy}{x}",
        r"\unicode{x}",
        r"\sideset{a}{b}\sum",
        r"\text{\alpha}",
        r"\text{a {b} c}",
        r"\operatorname{a+b}",
    ],
)
def test_a_formula_that_cannot_be_read_is_shown_as_tex(tex: str) -> None:
    rendered = render_markdown(f"is ${tex}$.\n\n$$\n{tex}\n$$")

    assert rendered.unreadable_tex == (tex, tex)
    assert rendered.html.count("<code>") == 2
    assert rendered.html.count("<pre><code>") == 1
    assert "<math" not in rendered.html
    assert faults(rendered.html) == []


@requirement("rendering.math.limits")
def test_formulas_past_the_limits_are_shown_as_tex(monkeypatch: pytest.MonkeyPatch) -> None:
    many = " ".join(["$x$"] * (formulas.MAX_FORMULAS + 3))
    long = " ".join([f"${'x' * 1000}$"] * (formulas.MAX_TEX_OF_TEXT // 1000 + 2))

    assert render_markdown(many).html.count("<code>x</code>") == 3
    assert render_markdown(long).html.count("<code>") == 2


@requirement("rendering.math")
@pytest.mark.parametrize(
    ("tex", "kept"),
    [
        (r"\begin{aligned} a &= b \\ &= c \end{aligned}", "<mtable"),
        (r"\begin{gathered} a \\ b \end{gathered}", "<mtable"),
        (r"\begin{alignedat}{2} a &= b \end{alignedat}", "<mtable"),
        (r"\begin{pmatrix} a & b \end{pmatrix}", "<mtable"),
        (r"\begin{array}{cc} a & b \end{array}", "<mtable"),
        (r"\langle x \rangle", '<mo stretchy="false">⟨</mo>'),
        (r"a \& b", "&amp;"),
        (r"\text{a < b}", "<mtext>a\u00a0&lt;\u00a0b</mtext>"),
        (r"\text{50\% if $x$}", "<mtext>50%\u00a0if\u00a0</mtext><mrow><mi>x</mi></mrow>"),
        (r"a\!b", '<mspace width="-0.167em">'),
    ],
)
def test_what_mathematicians_write_is_understood(tex: str, kept: str) -> None:
    rendered = render_markdown(f"$${tex}$$")

    assert rendered.unreadable_tex == ()
    assert kept in rendered.html


@requirement("rendering.math.look")
@pytest.mark.parametrize(
    ("tex", "kept"),
    [
        (r"\mathbf{Ax1}", "<mi>𝐀</mi><mi>𝐱</mi><mn>𝟏</mn>"),
        (r"\mathbb{RN} \mathbb R", "<mi>ℝ</mi><mi>ℕ</mi></mrow><mi>ℝ</mi>"),
        (r"\mathcal{ABg}", "<mi>𝒜</mi><mi>ℬ</mi><mi>ℊ</mi>"),
        (r"\mathfrak{CA}", "<mi>ℭ</mi><mi>𝔄</mi>"),
        (r"\mathtt{a1}", "<mi>𝚊</mi><mn>𝟷</mn>"),
        (r"\mathsf{ab}", "<mi>𝖺</mi><mi>𝖻</mi>"),
        (r"\bm{xh} \boldsymbol{\beta}", "<mi>𝒙</mi><mi>𝒉</mi></mrow><mrow><mi>𝜷</mi></mrow>"),
        (r"\mathit{ab}", "<mi>a</mi><mi>b</mi>"),
        (r"\mathbf{a+b}", "<mo>+</mo>"),
    ],
)
def test_letters_of_a_style_are_characters_that_every_browser_shows(tex: str, kept: str) -> None:
    html = render_markdown(f"$${tex}$$").html

    assert kept in html
    assert "mathvariant" not in html


@requirement("rendering.math.look")
def test_a_single_upright_letter_is_upright() -> None:
    assert '<mi mathvariant="normal">d</mi></mrow></mrow><mi>x</mi>' in render_markdown(r"$$\mathrm{d}x$$").html


@requirement("rendering.math.look")
@pytest.mark.parametrize(
    ("tex", "kept"),
    [
        (r"\lim_{x}", '<munder><mo movablelimits="true">lim</mo><mrow><mi>x</mi></mrow></munder>'),
        (r"\bigcup_i^n", '<munderover><mo movablelimits="true">⋃</mo>'),
        (r"\bigoplus_i", '<munder><mo movablelimits="true">⨁</mo>'),
        (r"\operatorname*{arg\,max}_x", '<munder><mo movablelimits="true">arg\u00a0max</mo>'),
        (r"\int_0^1", "<msubsup><mo>∫</mo>"),
    ],
)
def test_limits_are_below_and_above_where_there_is_space(tex: str, kept: str) -> None:
    assert kept in render_markdown(f"$${tex}$$").html


@requirement("rendering.math.look")
@pytest.mark.parametrize(
    ("tex", "kept"),
    [
        (r"\mathop{\frac{1}{2}}", "<mrow><mrow><mfrac>"),
        (r"\mathrel{R}", '<mo movablelimits="true">R</mo>'),
        (r"\mathbin{\star}", '<mo lspace="0.22em" rspace="0.22em">⋆</mo>'),
        (r"\mathord{x}", "<mrow><mrow><mi>x</mi></mrow></mrow>"),
        (r"\mathopen{(}", '<mo stretchy="false" lspace="0em" rspace="0em">(</mo>'),
    ],
)
def test_a_token_has_only_text(tex: str, kept: str) -> None:
    tree = parse_html(render_markdown(f"$${tex}$$").html, tags=MATH_TAGS, keep=lambda *_: True)

    tokens = [element for element in walk(tree) if element.name in {"mi", "mn", "mo", "mtext"}]
    assert [token for token in tokens if any(not isinstance(child, str) for child in token.children)] == []
    assert kept in render_markdown(f"$${tex}$$").html


@requirement("rendering.math.look")
def test_lines_of_an_array_are_at_rows_and_cells() -> None:
    html = render_markdown("$$\n\\begin{array}{|c|c} \\hline a & b \\\\ \\hline c & d \\end{array}\n$$").html

    cell = '<mtd columnalign="center" columnlines="solid"><mi>{}</mi></mtd><mtd columnalign="center"><mi>{}</mi></mtd>'
    assert f'<mtable><mtr rowlines="solid">{cell.format("a", "b")}</mtr><mtr>{cell.format("c", "d")}</mtr>' in html


COMMANDS = [
    *(r"\frac", r"\sqrt", r"\left(", r"\right)", r"\text", r"\begin{matrix}", r"\end{matrix}", r"\color{red}"),
    *(r"\hline", "{", "}", "[", "]", "^", "_", "&", r"\\", "'", "<", ">", '"', "a", "1", " ", r"\%", "#", "%", "~"),
    *("é", "&lt;", r"\href{x}", r"\mathbf", r"\overset", r"\limits", r"\sum", r"\cancel", r"\genfrac", r"\bbox"),
    *(r"\tag{1}", r"\mathop", r"\mathrm{d}", r"\begin{array}{|c|}", r"\end{array}", r"\text{$x$}"),
    *(r"\operatorname{a\,b}", r"\lim"),
]


@requirement("rendering.safe", "rendering.math.safe")
@given(st.lists(st.sampled_from(COMMANDS), min_size=1, max_size=30).map("".join))
def test_any_formula_gives_safe_html(tex: str) -> None:
    html = render_markdown(f"$${tex}$$").html

    assert faults(html) == []
    assert " style=" not in html
    assert "href" not in html.replace("\\href", "")
