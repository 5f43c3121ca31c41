"""The body of a WordPress post as HTML, as WordPress shows it."""

import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape, unescape
from typing import Final
from urllib.parse import urlsplit

from blog_engine.content.urls import is_web_url
from blog_engine.importing.source import Losses, LossKind
from blog_engine.importing.wordpress.blocks import html_of_blocks
from blog_engine.importing.wordpress.shortcodes import GalleryImage, html_of_shortcodes
from blog_engine.importing.wordpress.text import NEXT_PAGE, SourceLines, pieces_of, protected_spans, with_paragraphs

_BARE_URL: Final = re.compile(r"^([ \t]*)(https?://[^\s<>\"]+)([ \t]*)$", re.MULTILINE)
_BLOCK: Final = re.compile(r"<!--\s*wp:")

_EMBEDDING: Final = frozenset(
    {"youtube.com", "youtu.be", "vimeo.com", "dailymotion.com", "twitter.com", "x.com", "instagram.com", "facebook.com"}
    | {"soundcloud.com", "spotify.com", "flickr.com", "flic.kr", "tiktok.com", "reddit.com", "ted.com", "mixcloud.com"}
    | {"slideshare.net", "scribd.com", "wordpress.tv", "kickstarter.com", "imgur.com", "giphy.com", "tumblr.com"}
    | {
        "issuu.com",
        "speakerdeck.com",
        "pinterest.com",
        "bsky.app",
        "videopress.com",
        "polldaddy.com",
        "crowdsignal.com",
    }
)
"""Hosts whose URLs WordPress shows as a player or a card when they are alone on a line."""


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
    if has_blocks:
        content = html_of_blocks(content, reusable=shared.reusable, footnotes=footnotes, losses=losses)
    attached = shared.attached.get(post_id, ())
    content = html_of_shortcodes(content, images=shared.images, attached=attached, losses=losses)
    content = _with_links(content, losses)
    return content if has_blocks else with_paragraphs(content)


def pages_of(content: str) -> int:
    """Return on how many pages WordPress shows a content."""
    return content.count(NEXT_PAGE) + 1


def text_without_tags(html: str) -> str:
    """Return a short text without its tags, white space collapsed."""
    return " ".join(unescape("".join(piece.text for piece in pieces_of(html) if not piece.name)).split())


def _with_links(content: str, losses: Losses) -> str:
    """Return a content with links in place of URLs that are alone on a line, which WordPress replaces by players."""
    lines = SourceLines(content)
    spans = protected_spans(content)
    starts = [start for start, _ in spans]

    def link(found: re.Match[str]) -> str:
        at = bisect_right(starts, found.start()) - 1
        if at >= 0 and found.start() < spans[at][1]:
            return found[0]
        url = unescape(found[2])
        if not is_web_url(url):
            return found[0]
        host = (urlsplit(url).hostname or "").removeprefix("www.")
        if host in _EMBEDDING or host.partition(".")[2] in _EMBEDDING:
            losses.add(LossKind.EMBED, f"Content of {host} is a link now: {url}", lines.at(found.start()))
        return f'{found[1]}<a href="{escape(url)}">{escape(url)}</a>{found[3]}'

    return _BARE_URL.sub(link, content)
