"""Bodies as they are stored: links and images lead to what was imported, and HTML is Markdown where it can be."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import escape, unescape
from typing import Final, NamedTuple
from urllib.parse import unquote

from blog_engine.conf import get_settings
from blog_engine.content.destinations import markdown_uses, with_destinations
from blog_engine.enums import BodyFormat
from blog_engine.importing.html.conversion import convert
from blog_engine.importing.images import FoundImage, Images, MissingImage
from blog_engine.importing.old_blog import Links, is_web
from blog_engine.importing.source import Losses, LossKind, SourcePost

_TAG: Final = re.compile(r"""<(a|area|img)(?=[\s/])(?:[^<>"']|"[^"<]*"|'[^'<]*')*>""", re.IGNORECASE)
_ATTRIBUTE: Final = re.compile(r"""([\w:-]+)\s*=\s*("[^"]*"|'[^']*'|[^\s"'<>]+)""")
_LAZY: Final = ("data-src", "data-lazy-src", "data-original")
_DROPPED: Final = frozenset({"srcset", "sizes", "data-srcset", "data-lazy-srcset", *_LAZY})
_SHOWN: Final = 80


@dataclass(frozen=True, slots=True)
class ConvertedBody:
    """A body as it can be stored."""

    text: str
    body_format: BodyFormat
    pictures: tuple[FoundImage, ...]
    """The images that it shows, which must be stored before it."""
    external: tuple[str, ...]
    """The URLs of images that stay at other sites."""
    losses: Losses


@dataclass(slots=True)
class _Use:
    """The images and losses of the body of one post so far."""

    post: SourcePost
    losses: Losses = field(default_factory=Losses)
    pictures: dict[str, FoundImage] = field(default_factory=dict)
    external: list[str] = field(default_factory=list)


class Bodies:
    """Converts the bodies of posts."""

    def __init__(self, links: Links, images: Images) -> None:
        self._links = links
        self._images = images

    def convert(self, post: SourcePost) -> ConvertedBody:
        """Return the body of a post as it can be stored, with what it loses."""
        use = _Use(post)
        if post.body_format == "markdown":
            text, body_format = self._markdown(use), BodyFormat.MARKDOWN
        else:
            allowed = BodyFormat.RICH_TEXT in get_settings().body_formats
            converted = convert(self._html(use), losses=use.losses, rich_text_allowed=allowed)
            text, body_format = converted.body, converted.body_format
        return ConvertedBody(text, body_format, tuple(use.pictures.values()), tuple(use.external), use.losses)

    def _markdown(self, use: _Use) -> str:
        body = use.post.body
        uses = markdown_uses(body)
        new: dict[str, str] = {}
        for destination in uses.destinations:
            find = self._image if destination.is_image else self._link
            target = find(use, destination.url, destination.line)
            if target not in (None, destination.url):
                new[destination.url] = target
        for line, html in uses.raw_html:
            use.losses.add(LossKind.HTML, f"Readers will not see this HTML: {_start_of(html)}", line)
        changed = with_destinations(body, new)
        left = {destination.url for destination in markdown_uses(changed).destinations} & new.keys()
        for destination in uses.destinations:
            if destination.url in left:
                message = f"The link could not be changed to {new[destination.url]}: {_start_of(destination.url)}"
                use.losses.add(LossKind.LINK, message, destination.line)
        return changed

    def _html(self, use: _Use) -> str:
        parts: list[str] = []
        end, line = 0, 1
        for tag in _TAG.finditer(use.post.body):
            line += use.post.body.count("\n", end, tag.start())
            parts += [use.post.body[end : tag.start()], self._tag(use, tag[0], tag[1].lower(), line)]
            line += tag[0].count("\n")
            end = tag.end()
        return "".join([*parts, use.post.body[end:]])

    def _tag(self, use: _Use, tag: str, name: str, line: int) -> str:
        attributes = list(_attributes(tag))
        values = {attribute.name: attribute.value for attribute in attributes}
        wanted = "src" if name == "img" else "href"
        url = values.get(wanted)
        if name == "img" and (not url or url.startswith("data:")):
            url = next((values[lazy] for lazy in _LAZY if values.get(lazy)), url)
        if not url:
            return tag
        target = (self._image if name == "img" else self._link)(use, url, line) or url
        parts: list[str] = []
        end = 0
        is_set = False
        for attribute in attributes:
            if attribute.name == wanted and not is_set:
                parts += [tag[end : attribute.start], f'{wanted}="{escape(target)}"']
                end, is_set = attribute.end, True
            elif name == "img" and attribute.name in _DROPPED:
                parts.append(tag[end : attribute.start])
                end = attribute.end
        changed = "".join([*parts, tag[end:]])
        start = len(name) + 1
        return changed if is_set else f'{changed[:start]} {wanted}="{escape(target)}"{changed[start:]}'

    def _image(self, use: _Use, url: str, line: int) -> str | None:
        found = self._images.in_body(url, use.post.base)
        if isinstance(found, FoundImage):
            use.pictures.setdefault(found.sha256, found)
            return found.url
        if isinstance(found, MissingImage):
            use.losses.add(LossKind.IMAGE, f"{_start_of(url)}: {found.reason}", line)
        elif is_web(url):
            use.external.append(url)
        return None

    def _link(self, use: _Use, url: str, line: int) -> str | None:
        if self._links.is_image(url):
            # The full size behind a picture; a link to an image that is not found stays a link.
            found = self._images.in_body(url, use.post.base)
            if isinstance(found, FoundImage):
                use.pictures.setdefault(found.sha256, found)
                return found.url
        target = self._links.target(url, use.post)
        if target is None:
            return None
        if target.is_left_behind and not _is_named(url, use.post):
            message = f"The link leads to a part of the old blog that was not imported: {_start_of(target.url)}"
            use.losses.add(LossKind.LINK, message, line)
        return target.url


def _is_named(url: str, post: SourcePost) -> bool:
    """Return whether the source has named a file that stays at the old blog."""
    name = unquote(url.partition("?")[0].rpartition("/")[2])
    files = (loss for loss in post.losses if loss.kind is LossKind.FILE)
    return bool(name) and any(url in loss.message or name in loss.message for loss in files)


class _Attribute(NamedTuple):
    start: int
    end: int
    name: str
    value: str


def _attributes(tag: str) -> Iterator[_Attribute]:
    for match in _ATTRIBUTE.finditer(tag):
        value = match[2][1:-1] if match[2][0] in "\"'" else match[2]
        yield _Attribute(*match.span(), match[1].lower(), unescape(value).strip())


def _start_of(text: str) -> str:
    shown = " ".join(text.split())
    return shown if len(shown) <= _SHOWN else f"{shown[:_SHOWN]}…"
