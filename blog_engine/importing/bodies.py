"""Bodies as they are stored: links and images lead to what was imported, and HTML is Markdown where it can be."""

from dataclasses import dataclass, field
from typing import Final
from urllib.parse import unquote

from blog_engine.conf import get_settings
from blog_engine.content.destinations import markdown_uses, with_destinations
from blog_engine.enums import BodyFormat
from blog_engine.importing.html.conversion import Converted, convert
from blog_engine.importing.images import FoundImage, Images, MissingImage
from blog_engine.importing.old_blog import Links, is_web
from blog_engine.importing.source import Losses, LossKind, SourcePost

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
            converted = self._html(use)
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

    def _html(self, use: _Use) -> Converted:
        def resolve(url: str, is_image: bool, line: int) -> str | None:
            return (self._image if is_image else self._link)(use, url, line)

        allowed = BodyFormat.RICH_TEXT in get_settings().body_formats
        # What links and images lose comes first.
        losses = Losses()
        converted = convert(use.post.body, losses=losses, rich_text_allowed=allowed, resolve=resolve)
        use.losses.found += losses.found
        return converted

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


def _start_of(text: str) -> str:
    shown = " ".join(text.split())
    return shown if len(shown) <= _SHOWN else f"{shown[:_SHOWN]}…"
