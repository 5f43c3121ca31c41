"""Bodies and policy texts, prepared before the transaction begins, and how large they may be."""

from collections.abc import Callable
from dataclasses import dataclass
from secrets import token_hex
from typing import Any, Final, TypeVar

from blog_engine.conf import get_settings
from blog_engine.content.options import TooMuchMarkup
from blog_engine.content.plain_text import check_markup, count_words, first_words, plain_text
from blog_engine.content.rendering import Rendered
from blog_engine.enums import BodyFormat
from blog_engine.errors import ValidationFailed
from blog_engine.queries.findings.base import facts_of
from blog_engine.queries.images import body_source_digest
from blog_engine.queries.rendering import outline_of, render_body, rendering_key, stored_images_of
from blog_engine.services._search_index import SearchedBody


def check_body_size(body: str) -> None:
    """Raise ``ValidationFailed(["body"])`` when a body has more than ``max_body_bytes`` bytes of UTF-8."""
    limit = get_settings().max_body_bytes
    if len(body.encode()) > limit:
        raise ValidationFailed(
            ["body"], hint=f"A body has at most {limit} bytes of UTF-8: shorten it, or make several posts of it."
        )


def check_body_markup(body: str, body_format: str) -> None:
    """Raise ``ValidationFailed(["body"])`` when a body that was sent would take too long to render."""
    try:
        check_markup(body, body_format=BodyFormat(body_format))
    except TooMuchMarkup as excess:
        raise ValidationFailed(["body"], hint=f"{excess} Shorten the body, or make several posts of it.") from excess


R = TypeVar("R")

_ATTEMPTS: Final = 3
"""How often a write may find a body that was not prepared for it."""


@dataclass(frozen=True, slots=True)
class PreparedBody:
    """Everything that follows from a body alone, under the settings of ``key`` and with the images stored then."""

    key: str
    stored_images: frozenset[str]
    rendered: Rendered
    outline: list[dict[str, Any]]
    facts: dict[str, Any]
    words: int
    excerpt: str
    searched: SearchedBody


class NotPrepared(Exception):
    """A write came to a body that was not prepared for it; ``Bodies.around`` leaves the transaction and prepares it."""

    def __init__(self, body: str, body_format: str, *, is_unchecked: bool = False) -> None:
        super().__init__(body_format)
        self.body = body
        self.body_format = body_format
        self.is_unchecked = is_unchecked


class Bodies:
    """The prepared bodies of one write.

    Footnotes carry the id of their post, which a new one does not have yet: ``footnote_prefix`` stands in for it.
    """

    def __init__(self) -> None:
        self.footnote_prefix: Final = f"fn-new{token_hex(8)}-"
        self._prepared: dict[str, PreparedBody] = {}
        self._checked: set[str] = set()
        self._renders_at_once = False

    def prepare(self, body: str, body_format: str) -> PreparedBody:
        """Render a body and take out its facts and its text; call it outside of a transaction."""
        # Asked first: an image that is stored meanwhile makes the rendering out of date, not wrong.
        stored_images = stored_images_of(body)
        rendered = render_body(body, body_format, footnote_prefix=self.footnote_prefix)
        plain = plain_text(body, body_format=BodyFormat(body_format))
        prepared = PreparedBody(
            key=rendering_key(),
            stored_images=stored_images,
            rendered=rendered,
            outline=outline_of(rendered),
            facts=facts_of(rendered, body, body_format),
            words=count_words(plain),
            excerpt=first_words(plain),
            searched=SearchedBody.of(plain),
        )
        self._prepared[body_source_digest(body, body_format)] = prepared
        return prepared

    def check(self, body: str, body_format: str) -> None:
        """Check the markup of a body that somebody sends; call it outside of a transaction.

        Raises ``ValidationFailed(["body"])``.
        """
        check_body_markup(body, body_format)
        self._checked.add(body_source_digest(body, body_format))

    def require_checked(self, body: str, body_format: str) -> None:
        """Raise ``NotPrepared`` for a new body whose markup was not checked."""
        if body_source_digest(body, body_format) in self._checked:
            return
        if not self._renders_at_once:
            raise NotPrepared(body, body_format, is_unchecked=True)
        self.check(body, body_format)

    def of(self, body: str, body_format: str) -> PreparedBody:
        """Return the body as it was prepared; raises ``NotPrepared`` when it was not, or no longer fits."""
        prepared = self._prepared.get(body_source_digest(body, body_format))
        if prepared and prepared.key == rendering_key() and prepared.stored_images == stored_images_of(body):
            return prepared
        if self._renders_at_once:
            return self.prepare(body, body_format)
        raise NotPrepared(body, body_format)

    def around(self, write: Callable[[], R]) -> R:
        """Run a write; one that comes to a body that was not prepared is undone and runs again with that body.

        The last attempt renders where it is: a write ends although it finds another body each time, such as one that
        the host's hook makes up.
        """
        for _ in range(_ATTEMPTS):
            try:
                return write()
            except NotPrepared as missing:
                if missing.is_unchecked:
                    self.check(missing.body, missing.body_format)
                self.prepare(missing.body, missing.body_format)
        self._renders_at_once = True
        return write()
