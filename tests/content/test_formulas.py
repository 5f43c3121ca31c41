"""Formulas become MathML and stay TeX wherever MathML is not known."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blog_engine.content import formulas
from blog_engine.content._markdown_math import MAX_TEX
from blog_engine.content.html import parse_html, walk
from blog_engine.content.plain_text import plain_text
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
        "$$\nx\n\ny\n$$",
        "$$ x $$ and more",
        r"\$a$",
        f"${'x+' * MAX_TEX}y$",
    ],
)
def test_dollar_signs_of_a_sentence_stay_text(body: str) -> None:
    rendered = render_markdown(body)

    assert "<math" not in rendered.html
    assert (rendered.unreadable_tex, rendered.text) == ((), plain_text(body, body_format=BodyFormat.MARKDOWN))


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
        '<div role="group" aria-label="Formula"><code>\\frac{1}{2}</code></div>\n'
    )


@requirement("rendering.math.tex", "rendering.plain-text")
def test_the_text_of_an_image_keeps_its_tex() -> None:
    body = "![A plot of $x^2$](/a.png)"

    (image,) = render_markdown(body).images
    assert image.alt == plain_text(body, body_format=BodyFormat.MARKDOWN) == "A plot of x^2"


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
    ],
)
def test_a_formula_that_cannot_be_read_is_shown_as_tex(tex: str) -> None:
    rendered = render_markdown(f"is ${tex}$.\n\n$$\n{tex}\n$$")

    assert rendered.unreadable_tex == (tex, tex)
    assert rendered.html.count("<code>") == 2
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
    ],
)
def test_what_mathematicians_write_is_understood(tex: str, kept: str) -> None:
    rendered = render_markdown(f"$${tex}$$")

    assert rendered.unreadable_tex == ()
    assert kept in rendered.html


COMMANDS = [
    *(
        r"\frac",
        r"\sqrt",
        r"\left(",
        r"\right)",
        r"\text",
        r"\begin{matrix}",
        r"\end{matrix}",
        r"\color{red}",
        r"\hline",
    ),
    *("{", "}", "[", "]", "^", "_", "&", r"\\", "'", "<", ">", '"', "a", "1", " ", r"\%", "#", "%", "~", "é", "&lt;"),
    *(r"\href{x}", r"\mathbf", r"\overset", r"\limits", r"\sum", r"\cancel", r"\genfrac", r"\bbox", r"\tag{1}"),
]


@requirement("rendering.safe", "rendering.math.safe")
@given(st.lists(st.sampled_from(COMMANDS), min_size=1, max_size=30).map("".join))
def test_any_formula_gives_safe_html(tex: str) -> None:
    html = render_markdown(f"$${tex}$$").html

    assert faults(html) == []
    assert " style=" not in html
    assert "href" not in html.replace("\\href", "")
