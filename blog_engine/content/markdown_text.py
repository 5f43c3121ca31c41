"""The Markdown twin of an article (reader.md 5, decisions.md 3.12)."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, assert_never

from blog_engine.content.faq import FaqPair
from blog_engine.content.plain_text import plain_text
from blog_engine.vocabulary import BodyFormat

_MARKS: Final = re.compile(r"[\\`*_{}\[\]<>&!#|~+-]")
_LIST_NUMBER: Final = re.compile(r"^([ \t]*[0-9]+)([.)])(?=\s|$)", re.MULTILINE)
_UNDERLINE: Final = re.compile(r"^([ \t]*)=", re.MULTILINE)
_CODE_INDENT: Final = re.compile(r"^(?:\t| (?= {3}| {0,2}\t))", re.MULTILINE)
_LINE_ENDS: Final = re.compile(r"[\r\n]+")


@dataclass(frozen=True, slots=True)
class MarkdownDocument:
    """An article as its Markdown text needs it.

    ``byline`` and ``notices`` are already worded: author, "Published …", "Updated …", and one text per notice.
    ``faq_heading`` is used only when there are ``faq`` records.
    """

    title: str
    byline: tuple[str, ...]
    notices: tuple[str, ...]
    body: str
    body_format: BodyFormat
    faq: tuple[FaqPair, ...]
    faq_heading: str
    canonical_url: str


def markdown_text(document: MarkdownDocument) -> str:
    """Title, byline, notices, body, FAQ and canonical URL, each after a blank line; a Markdown body is unchanged."""
    return "\n\n".join(_parts(document)) + "\n"


def escape_markdown(text: str) -> str:
    """The text written so that CommonMark shows each of its characters and reads none as markup."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    escaped = _MARKS.sub(r"\\\g<0>", lines)
    # Four columns of space would make a code block, where backslashes are shown.
    escaped = _CODE_INDENT.sub(lambda found: f"&#{ord(found[0])};", escaped)
    escaped = _LIST_NUMBER.sub(r"\1\\\2", escaped)
    return _UNDERLINE.sub(r"\1\\=", escaped)


def _parts(document: MarkdownDocument) -> Iterator[str]:
    yield f"# {_escape_line(document.title)}"
    yield escape_markdown(" · ".join(document.byline))
    yield from map(escape_markdown, document.notices)
    yield _body(document)
    if document.faq:
        yield f"## {_escape_line(document.faq_heading)}"
    for pair in document.faq:
        yield f"### {_escape_line(pair.question)}"
        yield escape_markdown(pair.answer)
    yield document.canonical_url


def _body(document: MarkdownDocument) -> str:
    match document.body_format:
        case BodyFormat.MARKDOWN:
            return document.body
        case BodyFormat.RICH_TEXT:
            return escape_markdown(plain_text(document.body, body_format=document.body_format))
        case _:
            assert_never(document.body_format)


def _escape_line(text: str) -> str:
    return escape_markdown(" ".join(part.strip() for part in _LINE_ENDS.split(text)).strip())
