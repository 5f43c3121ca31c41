"""Plain text of a body, and an article as a Markdown document."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from html import unescape
from typing import TYPE_CHECKING, Final, assert_never

from blog_engine.content.corrections import DatedNote
from blog_engine.content.faq import FaqPair
from blog_engine.content.image_notes import NotedImage
from blog_engine.content.options import TooMuchMarkup
from blog_engine.enums import BodyFormat

if TYPE_CHECKING:
    from blog_engine.content._tokens import BodyText

MAX_TAGS: Final = 20_000
"""The most tags and character references together in a new HTML text."""

_FIRST_WORDS: Final = 60
_LONGEST_START: Final = 600

_MARKS: Final = re.compile(r"[\\`*_{}\[\]<>&!#|~+-]|\$(?=\S[^\n$]*\$|`)|=(?==)")
_LIST_NUMBER: Final = re.compile(r"^([ \t]*[0-9]+)([.)])(?=\s|$)", re.MULTILINE)
_LINE_START: Final = re.compile(r"^([ \t]*)(=|:(?=\s)|(?=\$\$))", re.MULTILINE)
_CODE_INDENT: Final = re.compile(r"^(?:\t| (?= {3}| {0,2}\t))", re.MULTILINE)
_NOT_IN_AUTOLINKS: Final = str.maketrans({" ": "%20", "<": "%3C", ">": "%3E"})
_LINE_BREAKS: Final = re.compile(r"[\r\n]+")

_HOLDERS: Final = re.compile(
    r"<!--.*?-->|</?(?:p|br|div|span|section|h[1-6]|ul|ol|li|dl|dt|dd|blockquote|pre|code|a|em|strong|b|i|u|s|del|sub|sup)"
    r"(?:\s[^<>]*)?/?>",
    re.DOTALL,
)
"""Comments, and tags of elements that show nothing unless something is in them."""


def plain_text(body: str, *, body_format: BodyFormat) -> str:
    """Return the text that a reader sees, trimmed.

    Markdown keeps code and image texts, drops link targets, and ends a line after each block; its notes come last.
    Rich text gives its text content with nothing between blocks.
    """
    return texts_of_body(body, body_format=body_format).plain


def texts_of_body(body: str, *, body_format: BodyFormat) -> "BodyText":
    """Return the plain text of a body, and its prose."""
    from blog_engine.content._markdown import page_tokens
    from blog_engine.content._tokens import BodyText, body_text, html_prose, html_text

    match body_format:
        case BodyFormat.MARKDOWN:
            try:
                return _bounded_text(body)
            except TooMuchMarkup:
                return body_text(page_tokens(body))
        case BodyFormat.RICH_TEXT:
            return BodyText(html_text(body).strip(), html_prose(body).strip())
        case _:
            assert_never(body_format)


def check_markup(body: str, *, body_format: BodyFormat) -> None:
    """Raise ``TooMuchMarkup`` for a body past the limits of its format.

    Stored bodies past a limit are still rendered.
    """
    match body_format:
        case BodyFormat.MARKDOWN:
            _bounded_text(body)
        case BodyFormat.RICH_TEXT:
            if max(body.count("<"), body.count(">")) + body.count("&") > MAX_TAGS:
                raise TooMuchMarkup(f"A text in HTML has at most {MAX_TAGS} tags and character references together.")
        case _:
            assert_never(body_format)


@lru_cache(maxsize=2)
def _bounded_text(body: str) -> "BodyText":
    """Return the texts of a Markdown body; cached because a write needs them twice."""
    from blog_engine.content._markdown import MAX_MARKUP, page_tokens
    from blog_engine.content._tokens import body_text

    return body_text(page_tokens(body, most_markup=MAX_MARKUP))


def is_blank(html: str) -> bool:
    """Return whether rendered HTML shows nothing: no visible character, and no element such as an image or a rule."""
    start = 0
    for tag in _HOLDERS.finditer(html):
        if _is_visible(html[start : tag.start()]):
            return False
        start = tag.end()
    return not _is_visible(html[start:])


def _is_visible(text: str) -> bool:
    # Of white space and characters without width, only the space is printable.
    return any(char.isprintable() and char != " " for char in unescape(text))


def first_words(text: "BodyText") -> str:
    """Return the first 60 words of the prose, or else of the text, at most 600 characters (rendering.first-words).

    The limit is for languages written without spaces, where a "word" is a paragraph.
    """
    words = (text.prose or text.plain).split(maxsplit=_FIRST_WORDS)
    first = " ".join(words[:_FIRST_WORDS])
    if len(words) <= _FIRST_WORDS and len(first) <= _LONGEST_START:
        return first
    return first[: _LONGEST_START - 1] + "…"


@dataclass(frozen=True, slots=True)
class MarkdownDocument:
    """The parts of an article for ``markdown_text``, in the language of the blog."""

    title: str
    byline: tuple[str, ...]
    """Author, "Published …" and "Updated …", as far as they are known."""
    notices: tuple[str, ...]
    body: str
    body_format: BodyFormat
    images: tuple[NotedImage, ...]
    images_heading: str
    """Unused without ``images``."""
    corrections: tuple[DatedNote, ...]
    corrections_heading: str
    """Unused without ``corrections``."""
    faq: tuple[FaqPair, ...]
    faq_heading: str
    """Unused without ``faq``."""
    canonical_url: str


def markdown_text(document: MarkdownDocument) -> str:
    """Return title, byline, notices, body, images, corrections, FAQ and canonical URL as one document.

    Blank lines separate the parts. A Markdown body is unchanged.
    """
    return "\n\n".join(_parts(document)) + "\n"


def escape_markdown(text: str) -> str:
    """Escape a text so that CommonMark reads none of its characters as markup."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    escaped = _MARKS.sub(r"\\\g<0>", lines)
    # Four columns of white space would start a code block, where backslashes are literal.
    escaped = _CODE_INDENT.sub(lambda found: f"&#{ord(found[0])};", escaped)
    escaped = _LIST_NUMBER.sub(r"\1\\\2", escaped)
    return _LINE_START.sub(r"\1\\\2", escaped)


def _parts(document: MarkdownDocument) -> Iterator[str]:
    yield f"# {escape_line(document.title)}"
    yield escape_markdown(" · ".join(document.byline))
    yield from map(escape_markdown, document.notices)
    yield _body(document)
    if document.images:
        yield f"## {escape_line(document.images_heading)}"
        yield "\n".join(_image_line(image) for image in document.images)
    if document.corrections:
        yield f"## {escape_line(document.corrections_heading)}"
    for correction in document.corrections:
        yield f"### {escape_line(correction.date)}"
        yield escape_markdown(correction.note)
    if document.faq:
        yield f"## {escape_line(document.faq_heading)}"
    for pair in document.faq:
        yield f"### {escape_line(pair.question)}"
        yield escape_markdown(pair.answer)
    yield f"<{document.canonical_url.translate(_NOT_IN_AUTOLINKS)}>"


def _image_line(image: NotedImage) -> str:
    # A parenthesis would end the URL.
    url = image.url.replace("(", "%28").replace(")", "%29")
    return f"- [{escape_line(image.name)}]({url}): {escape_line(image.note)}"


def _body(document: MarkdownDocument) -> str:
    match document.body_format:
        case BodyFormat.MARKDOWN:
            return document.body
        case BodyFormat.RICH_TEXT:
            return escape_markdown(plain_text(document.body, body_format=document.body_format))
        case _:
            assert_never(document.body_format)


def escape_line(text: str) -> str:
    """Return a text on one line, escaped so that CommonMark reads none of its characters as markup."""
    return escape_markdown(" ".join(part.strip() for part in _LINE_BREAKS.split(text)).strip())
