"""Bodies as they are stored: links and images lead to what was imported, and HTML is Markdown where it can be."""

from dataclasses import dataclass, field
from typing import Final
from urllib.parse import unquote

from blog_engine.conf import get_settings
from blog_engine.content.destinations import markdown_uses, with_destinations
from blog_engine.enums import BodyFormat
from blog_engine.importing.html.conversion import convert
from blog_engine.importing.images import FoundImage, Images
from blog_engine.importing.missing_images import MissingImage
from blog_engine.importing.old_blog import Links, is_web
from blog_engine.importing.source import Losses, LossKind, SourcePost

_SHOWN: Final = 80


@dataclass(slots=True)
class ConvertedBody:
    """The body of a post as it can be stored, and what was found out about it meanwhile."""

    post: SourcePost
    text: str = ""
    body_format: BodyFormat = BodyFormat.MARKDOWN
    pictures: dict[str, FoundImage] = field(default_factory=dict)
    """The images that it shows, by their digests; they must be stored before it."""
    external: list[str] = field(default_factory=list)
    """The URLs of images that stay at other sites."""
    losses: Losses = field(default_factory=Losses)


class Bodies:
    """Converts the bodies of posts."""

    def __init__(self, links: Links, images: Images) -> None:
        self._links = links
        self._images = images

    def convert(self, post: SourcePost) -> ConvertedBody:
        """Return the body of a post as it can be stored, with what it loses."""
        body = ConvertedBody(post)
        if post.body_format == "markdown":
            body.text = self._markdown(body)
        else:
            self._convert_html(body)
        return body

    def _markdown(self, body: ConvertedBody) -> str:
        text = body.post.body
        uses = markdown_uses(text)
        new: dict[str, str] = {}
        for destination in uses.destinations:
            find = self._image if destination.is_image else self._link
            target = find(body, destination.url, destination.line)
            if target not in (None, destination.url):
                new[destination.url] = target
        for line, html in uses.raw_html:
            body.losses.add(LossKind.HTML, f"Readers will not see this HTML: {_start_of(html)}", line)
        if not new:
            return text
        changed = with_destinations(text, new)
        left = {destination.url for destination in markdown_uses(changed).destinations} & new.keys()
        for destination in uses.destinations:
            if destination.url in left:
                message = f"The link could not be changed to {new[destination.url]}: {_start_of(destination.url)}"
                body.losses.add(LossKind.LINK, message, destination.line)
        return changed

    def _convert_html(self, body: ConvertedBody) -> None:
        def resolve(url: str, is_image: bool, line: int) -> str | None:
            return (self._image if is_image else self._link)(body, url, line)

        allowed = BodyFormat.RICH_TEXT in get_settings().body_formats
        # What links and images lose comes first.
        losses = Losses()
        found = convert(body.post.body, losses=losses, rich_text_allowed=allowed, resolve=resolve)
        body.text, body.body_format = found.body, found.body_format
        body.losses.found += losses.found

    def _image(self, body: ConvertedBody, url: str, line: int) -> str | None:
        found = self._images.in_body(url, body.post.base, body.post.url)
        if isinstance(found, FoundImage):
            body.pictures.setdefault(found.sha256, found)
            return found.url
        if isinstance(found, MissingImage):
            there = self._images.url_there(url, body.post.url) if found.stays_there else None
            shown = f" It is shown from {_start_of(there)} as long as it is there." if there else ""
            body.losses.add(LossKind.IMAGE, f"{_start_of(url)}: {found.reason}{shown}", line)
            return there
        elif is_web(url):
            body.external.append(url)
        return None

    def _link(self, body: ConvertedBody, url: str, line: int) -> str | None:
        if self._links.is_image(url):
            # The full size behind a picture; a link to an image that is not found stays a link.
            found = self._images.in_body(url, body.post.base)
            if isinstance(found, FoundImage):
                body.pictures.setdefault(found.sha256, found)
                return found.url
        target = self._links.target(url, body.post)
        if target is None:
            return None
        if target.is_left_behind and not _is_named(url, body.post):
            message = f"The link leads to a part of the old blog that was not imported: {_start_of(target.url)}"
            body.losses.add(LossKind.LINK, message, line)
        if target.has_no_place:
            message = f"The link leads to the post, which has no such place now: {_start_of(unquote(url))}"
            body.losses.add(LossKind.LINK, message, line)
        return target.url


def _is_named(url: str, post: SourcePost) -> bool:
    """Return whether the source has named a file that stays at the old blog."""
    name = unquote(url.partition("?")[0].rpartition("/")[2])
    files = (loss for loss in post.losses if loss.kind is LossKind.FILE)
    return bool(name) and any(url in loss.message or name in loss.message for loss in files)


def _start_of(text: str) -> str:
    shown = " ".join(text.split())
    return shown if len(shown) <= _SHOWN else f"{shown[:_SHOWN]}…"
