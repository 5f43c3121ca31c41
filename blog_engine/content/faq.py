"""Questions and answers: their HTML, and facts about them for the findings."""

import re
from dataclasses import dataclass
from html import escape
from typing import Final

from blog_engine.content._faq_lines import heading_of
from blog_engine.content._markdown import parse_plain
from blog_engine.content.options import TooMuchMarkup
from blog_engine.content.text import compose
from blog_engine.content.urls import is_web_url, trim_bare_url

_BLANK_LINES: Final = re.compile(r"\n(?:[ \t]*\n)+")
_BARE_URL: Final = re.compile(r"https?://[^\s<>\"']+", re.IGNORECASE)
_MOST_MARKUP: Final = 10_000
_SENTENCE_MARKS: Final = ".,;:!?"
_PLAIN_TOKENS: Final = frozenset({"paragraph_open", "inline", "paragraph_close", "text", "softbreak", "hardbreak"})


@dataclass(frozen=True, slots=True)
class FaqPair:
    """A question and its answer, as stored."""

    question: str
    answer: str


def answer_html(answer: str) -> str:
    """Return the answer as escaped HTML paragraphs (pages.faq.lines)."""
    text = answer.replace("\r\n", "\n").replace("\r", "\n")
    paragraphs = (part.strip() for part in _BLANK_LINES.split(text))
    shown = (_link_urls(part).replace("\n", "<br>\n") for part in paragraphs if part)
    return "\n".join(f"<p>{part}</p>" for part in shown)


def answer_has_markup(answer: str) -> bool:
    """Return whether Markdown would find more than paragraphs and line breaks.

    A bare URL is no markup. An answer of thousands of paragraphs counts as markup, because it is not parsed to its end.
    """
    try:
        tokens, has_references = parse_plain(answer, most_markup=_MOST_MARKUP)
    except TooMuchMarkup:
        return True
    inline = (child for token in tokens for child in token.children or ())
    return has_references or any(token.type not in _PLAIN_TOKENS for token in (*tokens, *inline))


def body_has_faq_heading(markdown: str) -> bool:
    """Return whether a level 2 or 3 heading announces an FAQ, even in a code block."""
    headings = (heading_of(line) for line in re.split(r"\r\n|\r|\n", markdown))
    return any(heading.announces_faq for heading in headings if heading)


def question_key(question: str) -> str:
    """Return a key that ignores case, outer white space and Unicode form."""
    return compose(question).strip().lower()


def _link_urls(text: str) -> str:
    out: list[str] = []
    position = 0
    for found in _BARE_URL.finditer(text):
        url = trim_bare_url(found[0], trailing=_SENTENCE_MARKS)
        if is_web_url(url):
            out.append(escape(text[position : found.start()], quote=False))
            out.append(f'<a href="{escape(url)}" rel="noopener">{escape(url, quote=False)}</a>')
            position = found.start() + len(url)
    out.append(escape(text[position:], quote=False))
    return "".join(out)
