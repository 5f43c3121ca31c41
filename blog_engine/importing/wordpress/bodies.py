"""The body of a WordPress post as HTML, as WordPress shows it."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape, unescape
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from blog_engine.content.urls import is_web_url
from blog_engine.importing.source import Losses, LossKind
from blog_engine.importing.text import LineStarts
from blog_engine.importing.wordpress.blocks import BlockReader
from blog_engine.importing.wordpress.code import with_code
from blog_engine.importing.wordpress.formulas import with_formulas
from blog_engine.importing.wordpress.shortcodes import GalleryImage, ShortcodeReader, protected_ranges

_BARE_URL: Final = re.compile(r"^([ \t]*)(https?://[^\s<>\"]+)([ \t]*)$", re.MULTILINE)
_BLOCK: Final = re.compile(r"<!--\s*wp:")

_EMBEDDING: Final = frozenset(
    {"youtube.com", "youtu.be", "vimeo.com", "dailymotion.com", "twitter.com", "x.com", "instagram.com", "facebook.com"}
    | {"soundcloud.com", "spotify.com", "flickr.com", "flic.kr", "tiktok.com", "reddit.com", "ted.com", "mixcloud.com"}
    | {"slideshare.net", "scribd.com", "wordpress.tv", "kickstarter.com", "imgur.com", "giphy.com", "tumblr.com"}
    | {"issuu.com", "speakerdeck.com", "pinterest.com", "bsky.app", "videopress.com", "polldaddy.com"}
    | {"crowdsignal.com"}
)
"""Hosts whose URLs WordPress shows as a player or a card when they are alone on a line."""
_TAG: Final = re.compile(r"""</?([A-Za-z][^\s/>]*+)(?:[^>"']++|"[^"]*+"|'[^']*+')*+>""")
_MARK: Final = re.compile(r"<(?:!--|/?[A-Za-z])")
_BLANK_LINES: Final = re.compile(r"\n[ \t]*(?:\n[ \t]*)+")

_AS_WRITTEN: Final = frozenset({"pre", "script", "style", "textarea", "svg", "select"})
_BLOCKS: Final = frozenset(
    {"table", "thead", "tfoot", "caption", "colgroup", "col", "tbody", "tr", "td", "th", "div", "dl", "dd", "dt"}
    | {"ul", "ol", "li", "pre", "form", "blockquote", "address", "style", "script", "p", "hr", "fieldset", "legend"}
    | {"h1", "h2", "h3", "h4", "h5", "h6", "section", "article", "aside", "header", "footer", "nav", "figure", "iframe"}
    | {"figcaption", "details", "summary", "main", "audio", "video", "!--"}
)
_NEXT_PAGE: Final = "<!--nextpage-->"


@dataclass(frozen=True, slots=True)
class SharedContent:
    """Content that posts show of other items of the export."""

    reusable: Mapping[str, str] = field(default_factory=dict)
    """The contents of reusable blocks by id."""
    images: Mapping[str, GalleryImage] = field(default_factory=dict)
    """The images that galleries name, by id."""
    attached: Mapping[str, Sequence[GalleryImage]] = field(default_factory=dict)
    """The images of posts whose galleries show all of them, by the id of the post."""


def shown_body(content: str, *, post_id: str, footnotes: str, shared: SharedContent, losses: Losses) -> str:
    """Return the content of a post as HTML; each line stays where it is in WordPress' editor."""
    content = content.replace("\r\n", "\n").replace("\r", "\n")
    has_blocks = _BLOCK.search(content) is not None
    content = with_code(content)
    if has_blocks:
        content = BlockReader(shared.reusable, footnotes, losses).html(content)
    content = with_formulas(content)
    content = ShortcodeReader(shared.images, shared.attached.get(post_id, ()), losses).html(content)
    content = _with_links(content, losses)
    return content if has_blocks else _with_paragraphs(content)


def pages_of(content: str) -> int:
    """Return on how many pages WordPress shows a content."""
    return content.count(_NEXT_PAGE) + 1


def text_without_tags(html: str) -> str:
    """Return a short text without its tags, white space collapsed."""
    return " ".join(unescape("".join(piece.text for piece in _pieces_of(html) if not piece.name)).split())


def _with_links(content: str, losses: Losses) -> str:
    """Return a content with links in place of URLs that are alone on a line, which WordPress replaces by players."""
    lines = LineStarts(content)
    protected = protected_ranges(content)

    def link(found: re.Match[str]) -> str:
        url = unescape(found[2])
        if protected.end_at(found.start()) or not is_web_url(url):
            return found[0]
        host = (urlsplit(url).hostname or "").removeprefix("www.")
        if host in _EMBEDDING or host.partition(".")[2] in _EMBEDDING:
            losses.add(LossKind.EMBED, f"Content of {host} is a link now: {url}", lines.number_at(found.start()))
        return f'{found[1]}<a href="{escape(url)}">{escape(url)}</a>{found[3]}'

    return _BARE_URL.sub(link, content)


class _SourcePiece(NamedTuple):
    """A tag or comment, or the text between two of them (``name`` is empty)."""

    text: str
    name: str = ""


def _pieces_of(source: str) -> Iterator[_SourcePiece]:
    """Yield the tags, comments and texts of a source; together they are the source."""
    position = 0
    while found := _MARK.search(source, position):
        start = found.start()
        if found[0] == "<!--":
            end = source.find("-->", start)
            end = len(source) if end < 0 else end + 3
            name = "!--"
        else:
            tag = _TAG.match(source, start)
            if not tag:
                break
            end, name = tag.end(), tag[1].lower()
        if start > position:
            yield _SourcePiece(source[position:start])
        yield _SourcePiece(source[start:end], name)
        position = end
    if position < len(source):
        yield _SourcePiece(source[position:])


def _with_paragraphs(source: str) -> str:
    """Return a text of the classic editor with the paragraphs and line breaks that WordPress shows.

    An empty line begins a paragraph and a single one is a break, but not beside blocks and not in ``pre``. No line is
    added or removed.
    """
    out: list[str] = []
    pieces = list(_pieces_of(_without_comments(source)))
    kept_as_written = in_code = 0
    for position, piece in enumerate(pieces):
        if piece.name:
            step = -1 if piece.text.startswith("</") else 1
            if piece.name in _AS_WRITTEN:
                kept_as_written = max(0, kept_as_written + step)
            elif piece.name == "code":
                in_code = max(0, in_code + step)
            out.append(piece.text)
        elif kept_as_written:
            out.append(piece.text)
        elif in_code:
            # An empty line in code is one of it.
            out.append(piece.text.replace("\n", "<br>\n"))
        else:
            before = pieces[position - 1].name if position else "!--"
            after = pieces[position + 1].name if position + 1 < len(pieces) else "!--"
            out.append(_paragraphs(piece.text, before=before, after=after))
    return "".join(out)


def _without_comments(source: str) -> str:
    """Return a source without comments; a page break is the start of a paragraph."""
    return "".join(
        ("<p>" if piece.text == _NEXT_PAGE else "") + "\n" * piece.text.count("\n")
        if piece.name == "!--"
        else piece.text
        for piece in _pieces_of(source)
    )


def _paragraphs(text: str, *, before: str, after: str) -> str:
    start, end = 0, len(text)
    if before in _BLOCKS:
        start = len(text) - len(text.lstrip())
    elif before == "br":
        start = len(text) - len(text.lstrip(" \t")) + text.lstrip(" \t").startswith("\n")
    if after in _BLOCKS or after == "br":
        end = max(start, len(text.rstrip()))
    inner = text[start:end]
    if "\n" not in inner:
        return text
    parts: list[str] = []
    position = 0
    for found in _BLANK_LINES.finditer(inner):
        parts += [inner[position : found.start()].replace("\n", "<br>\n"), found[0], "<p>"]
        position = found.end()
    parts.append(inner[position:].replace("\n", "<br>\n"))
    return text[:start] + "".join(parts) + text[end:]
