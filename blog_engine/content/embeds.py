"""Parts of a body for scripts: content of other sites, which readers load by a click, and diagrams."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count
from typing import Final
from urllib.parse import parse_qsl, urlsplit

from blog_engine.content.html import Element, replace_elements, text_of
from blog_engine.content.options import RenderLabels
from blog_engine.enums import EmbedProvider

EMBED_MARK: Final = '<figure class="blog-embed'
"""What the HTML of a body contains if it has an embed; the text of an author cannot contain it."""

_USUAL_URL: Final = re.compile(r"https://[a-z.-]+/[\w/?=&#.,:~+-]{0,500}", re.ASCII)
_TIME: Final = re.compile(r"(?:([0-9]{1,3})h)?(?:([0-9]{1,4})m)?(?:([0-9]{1,6})s?)?", re.ASCII)

_YOUTUBE_HOSTS: Final = frozenset({"youtube.com", "m.youtube.com", "music.youtube.com", "youtube-nocookie.com"})
_YOUTUBE_ID: Final = re.compile(r"[\w-]{11}", re.ASCII)
_YOUTUBE_PATH: Final = re.compile(r"/(?:shorts|live|embed)/([\w-]{11})", re.ASCII)
_VIMEO_PATH: Final = re.compile(
    r"/(?:channels/[\w-]{1,64}/|groups/[\w-]{1,64}/videos/)?([0-9]{1,12})(?:/([0-9a-f]{6,20}))?/?", re.ASCII
)
_VIMEO_PLAYER: Final = re.compile(r"/video/([0-9]{1,12})()/?")
_VIMEO_HASH: Final = re.compile(r"[0-9a-f]{6,20}")
_SPOTIFY_PATH: Final = re.compile(
    r"/(?:intl-[a-z]{2}/)?(track|album|artist|playlist|episode|show)/([0-9A-Za-z]{22})", re.ASCII
)
_CODEPEN_PATH: Final = re.compile(r"/([\w-]{1,64})/pen/([A-Za-z]{5,40})/?", re.ASCII)
DIAGRAM_MARK: Final = '<figure class="blog-diagram" data-blog-diagram="%s">'
"""What the HTML of a body contains if it has a diagram in a language; the text of an author cannot contain it."""


@dataclass(frozen=True, slots=True)
class _Url:
    """The URL of a page at a provider."""

    host: str
    """Without ``www.``."""
    path: str
    query: dict[str, str]
    fragment: dict[str, str]

    @property
    def start(self) -> int:
        """The second from which a video is played; 0 for its start."""
        written = self.query.get("t") or self.query.get("start") or self.fragment.get("t") or ""
        found = _TIME.fullmatch(written)
        hours, minutes, seconds = (int(part or 0) for part in found.groups()) if found else (0, 0, 0)
        return 3600 * hours + 60 * minutes + seconds


@dataclass(frozen=True, slots=True)
class _Provider:
    name: str
    is_video: bool
    frame: Callable[[_Url], str | None]
    """Returns the URL of the frame for the URL of a page, or ``None`` for one that has none."""


def _youtube(url: _Url) -> str | None:
    name = ""
    if url.host == "youtu.be":
        name = url.path.removeprefix("/")
    elif url.host in _YOUTUBE_HOSTS and url.path == "/watch":
        name = url.query.get("v", "")
    elif url.host in _YOUTUBE_HOSTS and (found := _YOUTUBE_PATH.fullmatch(url.path)):
        name = found[1]
    if not _YOUTUBE_ID.fullmatch(name):
        return None
    return f"https://www.youtube-nocookie.com/embed/{name}" + (f"?start={url.start}" if url.start else "")


def _vimeo(url: _Url) -> str | None:
    pattern = {"vimeo.com": _VIMEO_PATH, "player.vimeo.com": _VIMEO_PLAYER}.get(url.host)
    found = pattern.fullmatch(url.path) if pattern else None
    if not found:
        return None
    # Without its hash, a private video is refused.
    private = found[2] or url.query.get("h", "")
    key = f"&h={private}" if private and _VIMEO_HASH.fullmatch(private) else ""
    return f"https://player.vimeo.com/video/{found[1]}?dnt=1{key}" + (f"#t={url.start}s" if url.start else "")


def _spotify(url: _Url) -> str | None:
    found = _SPOTIFY_PATH.fullmatch(url.path) if url.host == "open.spotify.com" else None
    return f"https://open.spotify.com/embed/{found[1]}/{found[2]}" if found else None


def _codepen(url: _Url) -> str | None:
    found = _CODEPEN_PATH.fullmatch(url.path) if url.host == "codepen.io" else None
    return f"https://codepen.io/{found[1]}/embed/{found[2]}?default-tab=result" if found else None


_PROVIDERS: Final = {
    EmbedProvider.YOUTUBE: _Provider("YouTube", True, _youtube),
    EmbedProvider.VIMEO: _Provider("Vimeo", True, _vimeo),
    EmbedProvider.SPOTIFY: _Provider("Spotify", False, _spotify),
    EmbedProvider.CODEPEN: _Provider("CodePen", False, _codepen),
}


def dress_embeds(tree: Element, *, providers: frozenset[str], labels: RenderLabels, id_prefix: str) -> None:
    """Make a figure of each paragraph that only has a bare URL of one of the providers, in place.

    Without a script it is the link. The button is hidden until the script that makes it work has run. Ids start with
    ``id_prefix``.
    """
    ids = (f"{id_prefix}embed-{number}" for number in count(1))

    def dressed(element: Element) -> Element | None:
        link = _only_link(element) if element.name == "p" else None
        return None if link is None else _embed(link, providers=providers, labels=labels, ids=ids) or element

    replace_elements(tree, dressed)


def _only_link(paragraph: Element) -> Element | None:
    """Return the link that is all of a paragraph and whose text is its URL; a text of its own stays a text."""
    parts = [part for part in paragraph.children if isinstance(part, Element) or part.strip()]
    only = parts[0] if len(parts) == 1 else None
    if not isinstance(only, Element) or only.name != "a" or text_of(only).strip() != only.attrs.get("href"):
        return None
    return only


def _embed(link: Element, *, providers: frozenset[str], labels: RenderLabels, ids: Iterator[str]) -> Element | None:
    url = _url_of(link.attrs["href"])
    for key, provider in _PROVIDERS.items():
        frame = provider.frame(url) if url and key in providers else None
        if frame is None:
            continue
        link.attrs["id"] = next(ids)
        label = labels.load_video if provider.is_video else labels.load_content
        button = {
            **{"type": "button", "class": "blog-embed-load", "hidden": "", "data-blog-load": frame},
            "data-blog-title": link.attrs.get("title") or f"{provider.name}: {link.attrs['href']}",
            "aria-describedby": link.attrs["id"],
        }
        kind = "blog-embed blog-embed-video" if provider.is_video else "blog-embed"
        return Element(
            "figure",
            {"class": kind},
            [Element("button", button, [label % {"provider": provider.name}]), Element("figcaption", {}, [link])],
        )
    return None


def _url_of(href: str) -> _Url | None:
    if not _USUAL_URL.fullmatch(href):
        return None
    parts = urlsplit(href)
    query, fragment = (dict(parse_qsl(part)) for part in (parts.query, parts.fragment))
    return _Url(parts.netloc.removeprefix("www."), parts.path, query, fragment)


def wrap_diagrams(tree: Element, *, languages: frozenset[str]) -> None:
    """Wrap each code block in one of the languages in a ``figure`` that names it, in place.

    The block stays what readers see without the script.
    """

    def wrapped(block: Element) -> Element | None:
        language = block.attrs.get("data-lang", "").lower()
        attrs = {"class": "blog-diagram", "data-blog-diagram": language}
        return Element("figure", attrs, [block]) if language in languages else None

    replace_elements(tree, wrapped)
