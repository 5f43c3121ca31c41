import pytest

from blog_engine.content.faq import answer_has_markup, answer_html, body_has_faq_heading, question_key
from tests.requirements import requirement


def link(url: str) -> str:
    return f'<a href="{url}" rel="noopener">{url}</a>'


@requirement("pages.faq.lines", "pages.faq")
@pytest.mark.parametrize(
    ("answer", "html"),
    [
        ("One.\n\nTwo.\n \t\n\nThree.", "<p>One.</p>\n<p>Two.</p>\n<p>Three.</p>"),
        ("a\r\nb\rc", "<p>a<br>\nb<br>\nc</p>"),
        ("  \n a \n\n", "<p>a</p>"),
        ("", ""),
        ('**b** <i>x</i> & "q"', '<p>**b** &lt;i&gt;x&lt;/i&gt; &amp; "q"</p>'),
    ],
)
def test_an_answer_becomes_escaped_paragraphs(answer: str, html: str) -> None:
    assert answer_html(answer) == html


@requirement("pages.faq.lines")
@pytest.mark.parametrize(
    ("text", "url", "rest"),
    [
        ("https://a.example/b.", "https://a.example/b", "."),
        ("HTTP://a.example?!", "HTTP://a.example", "?!"),
        ("https://a.example/Tree_(plant)", "https://a.example/Tree_(plant)", ""),
        ("https://a.example/b).", "https://a.example/b", ")."),
        ("https://a.example/b.)", "https://a.example/b", ".)"),
        ("https://a.example/[b]]", "https://a.example/[b]", "]"),
        ("https://a.example/b;c", "https://a.example/b;c", ""),
        ("https://a.example/b'", "https://a.example/b", "'"),
        ("https://a.example/b。次", "https://a.example/b", "。次"),
    ],
)
def test_a_bare_web_url_is_linked_without_the_marks_around_it(text: str, url: str, rest: str) -> None:
    assert answer_html(f"See {text}") == f"<p>See {link(url)}{rest}</p>"


def test_a_url_is_escaped_in_its_link() -> None:
    assert answer_html("https://a.example/?b&c") == f"<p>{link('https://a.example/?b&amp;c')}</p>"


def test_what_no_url_has_is_percent_encoded_in_a_link() -> None:
    shown = answer_html('See https://a.example/?x="onmouseover={1}|é now.')

    assert 'href="https://a.example/?x=%22onmouseover=%7B1%7D%7Cé"' in shown
    assert '>https://a.example/?x="onmouseover={1}|é</a> now.' in shown


@requirement("pages.faq")
@pytest.mark.parametrize(
    "text", ["javascript:alert(1)", "ftp://a.example", "http://", "https://[::1", "[a](b)", "www.a.example"]
)
def test_other_urls_stay_text(text: str) -> None:
    assert answer_html(text) == f"<p>{text}</p>"


@requirement("findings.faq")
@pytest.mark.parametrize("answer", ["Plain.", "a\nb\n\nc", "see https://a.example/b_c_d.", "2 < 3 & 4", "", "a  \nb"])
def test_plain_answers_have_no_markup(answer: str) -> None:
    assert not answer_has_markup(answer)


@requirement("findings.faq")
@pytest.mark.parametrize(
    "answer",
    [
        *("**b**", "- a", "# a", "`a`", "[a](b)", "<https://a.example>", "<b>a</b>", "<div>a</div>", "![a](b)", "> a"),
        *("~~a~~", "    code", "a\n---", "|a|b|\n|-|-|", "1. a", "[a]: b"),
    ],
)
def test_answers_that_markdown_would_change_have_markup(answer: str) -> None:
    assert answer_has_markup(answer)


@requirement("findings.faq")
@pytest.mark.parametrize(
    "line",
    [
        *("## FAQ", "### The FAQ of tides ###", "  ## faq", "## Frequently Asked Questions on tar", "##\tQ&A on knots"),
        *("### common questions", "## About (FAQ)", "## FAQ ##"),
    ],
)
def test_a_level_two_or_three_heading_that_announces_questions_is_found(line: str) -> None:
    assert body_has_faq_heading(f"Start.\r\n\r\n{line}\r\nEnd.")
    assert body_has_faq_heading(f"Start.\r\r{line}\rEnd.")
    assert not body_has_faq_heading(f"```\n{line}\n```")


@pytest.mark.parametrize(
    "line", ["# FAQ", "#### FAQ", "##FAQ", "FAQ", "## FAQs", "## Some common questions", "## Harbour", "##", "## ##"]
)
def test_other_lines_announce_no_questions(line: str) -> None:
    assert not body_has_faq_heading(line)


@requirement("findings.faq")
def test_questions_are_compared_without_case_form_and_white_space() -> None:
    assert question_key(" E\u0301t\u00e9? \n") == question_key("ÉTÉ?")
    assert question_key("a?") != question_key("a")
