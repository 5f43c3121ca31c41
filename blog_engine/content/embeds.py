"""Content of other sites, which readers load by a click."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from blog_engine.content.html import Element, text_of
from blog_engine.content.options import RenderLabels
from blog_engine.enums import EmbedProvider

EMBED_MARK: Final = '<figure class="blog-embed'
"""What the HTML of a body contains if it has an embed; the text of an author cannot contain it."""


@dataclass(frozen=True, slots=True)
class _Provider:
    name: str
    is_video: bool
    pattern: re.Pattern[str]
    """Matches the URL of a page."""
    frame: Callable[[re.Match[str]], str]
    """Returns the URL of the frame."""


def _youtube(found: re.Match[str]) -> str:
    start = f"?start={found['start']}" if found["start"] else ""
    return f"https://www.youtube-nocookie.com/embed/{found['id']}{start}"


def _vimeo(found: re.Match[str]) -> str:
    return f"https://player.vimeo.com/video/{found['id']}?dnt=1" + (f"&h={found['hash']}" if found["hash"] else "")


def _spotify(found: re.Match[str]) -> str:
    return f"https://open.spotify.com/embed/{found['kind']}/{found['id']}"


def _codepen(found: re.Match[str]) -> str:
    return f"https://codepen.io/{found['user']}/embed/{found['id']}?default-tab=result"


_PROVIDERS: Final = {
    EmbedProvider.YOUTUBE: _Provider(
        "YouTube",
        True,
        re.compile(
            r"https://(?:(?:www\.|m\.)?youtube\.com/(?:watch\?v=|shorts/|live/|embed/)|youtu\.be/)(?P<id>[\w-]{11})"
            r"(?:[?&](?:t=(?P<start>[0-9]{1,6})s?|(?!t=)[a-z_]{1,16}=[\w.-]{0,64})){0,4}",
            re.ASCII,
        ),
        _youtube,
    ),
    EmbedProvider.VIMEO: _Provider(
        "Vimeo",
        True,
        re.compile(r"https://(?:www\.)?vimeo\.com/(?P<id>[0-9]{1,12})(?:/(?P<hash>[0-9a-f]{6,20}))?/?"),
        _vimeo,
    ),
    EmbedProvider.SPOTIFY: _Provider(
        "Spotify",
        False,
        re.compile(
            r"https://open\.spotify\.com/(?:intl-[a-z]{2}/)?(?P<kind>track|album|artist|playlist|episode|show)"
            r"/(?P<id>[0-9A-Za-z]{22})(?:\?[\w=&.-]{0,200})?",
            re.ASCII,
        ),
        _spotify,
    ),
    EmbedProvider.CODEPEN: _Provider(
        "CodePen",
        False,
        re.compile(r"https://codepen\.io/(?P<user>[\w-]{1,64})/pen/(?P<id>[A-Za-z]{5,40})/?", re.ASCII),
        _codepen,
    ),
}


def dress_embeds(element: Element, *, providers: frozenset[str], labels: RenderLabels) -> None:
    """Make a figure of each paragraph that only has a bare URL of one of the providers, in place.

    Without a script it is the link. The button is hidden until the script that makes it work has run.
    """
    for position, child in enumerate(element.children):
        if not isinstance(child, Element):
            continue
        link = _only_link(child) if child.name == "p" else None
        if link is not None:
            element.children[position] = _embed(link, providers=providers, labels=labels) or child
        else:
            dress_embeds(child, providers=providers, labels=labels)


def _only_link(paragraph: Element) -> Element | None:
    parts = [part for part in paragraph.children if isinstance(part, Element) or part.strip()]
    only = parts[0] if len(parts) == 1 else None
    is_bare = isinstance(only, Element) and only.name == "a" and text_of(only).strip().startswith("https://")
    return only if is_bare and isinstance(only, Element) else None


def _embed(link: Element, *, providers: frozenset[str], labels: RenderLabels) -> Element | None:
    for key, provider in _PROVIDERS.items():
        found = provider.pattern.fullmatch(link.attrs.get("href", "")) if key in providers else None
        if not found:
            continue
        label = labels.load_video if provider.is_video else labels.load_content
        button = {"type": "button", "class": "blog-embed-load", "hidden": "", "data-blog-load": provider.frame(found)}
        kind = "blog-embed blog-embed-video" if provider.is_video else "blog-embed"
        return Element(
            "figure",
            {"class": kind},
            [Element("button", button, [label % {"provider": provider.name}]), Element("figcaption", {}, [link])],
        )
    return None
