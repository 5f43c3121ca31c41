"""New renderings of bodies whose stored one is outdated, kept in this process until ``render_posts`` stores them.

After an upgrade or a changed setting each page of such a post is rendered once in each process. Nothing is written, so
that pages can be read from a replica. A kept rendering is used while body and stored images are those that it was made
of; the rest of what it depends on is in the rendering key.
"""

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from threading import Lock
from typing import Any, Final, NamedTuple

from blog_engine.conf.load import kept_until_settings_change
from blog_engine.content.options import ImageOrigin, KnownImage
from blog_engine.enums import BodyFormat
from blog_engine.models import Image
from blog_engine.rendering.bodies import outline_of, render_with_images
from blog_engine.rendering.images import digests_named_in, known_images, origins_of, stored_images
from blog_engine.rendering.options import rendering_key

_MOST_CHARACTERS: Final = 8_000_000
"""Of the HTML that one process keeps; the renderings that were not used for longest go first."""


class OutdatedBody(NamedTuple):
    """A body to render."""

    footnote_prefix: str
    """It names the post or page."""
    body: str
    body_format: str
    language: str = ""


class NewRendering(NamedTuple):
    """A rendering that is not stored."""

    html: str
    outline: list[dict[str, Any]]
    has_failed_plugins: bool
    """Whether a Markdown plugin of the host failed, so that the HTML is without plugins."""


@dataclass(frozen=True, slots=True)
class _KeptRendering:
    rendered: NewRendering
    digest: bytes
    """The SHA-256 of the body."""
    own_digests: frozenset[str]
    """Those of the media of this blog that the body names."""
    images: Mapping[str, KnownImage]
    origins: Mapping[str, ImageOrigin]

    def is_of(self, body: str, stored: Mapping[str, Image]) -> bool:
        """Return whether it was made of this body and these images."""
        if self.digest != _digest(body):
            return False
        found = {name: stored[name] for name in self.own_digests if name in stored}
        return self.images == known_images(found) and self.origins == origins_of(found)


@dataclass(slots=True)
class _RenderingMemory:
    by_key: OrderedDict[tuple[str, ...], _KeptRendering] = field(default_factory=OrderedDict)
    characters: int = 0
    lock: Lock = field(default_factory=Lock)

    def find(self, key: tuple[str, ...]) -> _KeptRendering | None:
        with self.lock:
            if key in self.by_key:
                self.by_key.move_to_end(key)
            return self.by_key.get(key)

    def keep(self, key: tuple[str, ...], kept: _KeptRendering) -> None:
        with self.lock:
            if replaced := self.by_key.pop(key, None):
                self.characters -= len(replaced.rendered.html)
            self.by_key[key] = kept
            self.characters += len(kept.rendered.html)
            while self.characters > _MOST_CHARACTERS:
                _, dropped = self.by_key.popitem(last=False)
                self.characters -= len(dropped.rendered.html)


@kept_until_settings_change
def _memory() -> _RenderingMemory:
    return _RenderingMemory()


def renewed(bodies: Sequence[OutdatedBody]) -> list[NewRendering]:
    """Return the renderings of bodies; of those that were rendered before, one query if any names stored images."""
    memory = _memory()
    keys = [(one.footnote_prefix, one.body_format, one.language, rendering_key(one.language)) for one in bodies]
    known = [memory.find(key) for key in keys]
    stored = stored_images(frozenset().union(*(kept.own_digests for kept in known if kept)))
    found: list[NewRendering] = []
    for one, key, kept in zip(bodies, keys, known, strict=True):
        if kept is None or not kept.is_of(one.body, stored):
            kept = _render(one)
            # While a plugin of the host fails, each page tries again.
            if not kept.rendered.has_failed_plugins:
                memory.keep(key, kept)
        found.append(kept.rendered)
    return found


def _render(one: OutdatedBody) -> _KeptRendering:
    rendered, images, own = render_with_images(
        one.body, BodyFormat(one.body_format), footnote_prefix=one.footnote_prefix, language=one.language
    )
    return _KeptRendering(
        NewRendering(rendered.html, outline_of(rendered), rendered.has_failed_plugins),
        _digest(one.body),
        own_digests=frozenset(own.values()) | digests_named_in(one.body),
        images=known_images(images),
        origins=origins_of(images),
    )


def _digest(body: str) -> bytes:
    return sha256(body.encode()).digest()
