"""Work of a write before it locks anything: edited and rendered bodies, and gathered images."""

from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial, wraps
from secrets import token_hex
from types import MappingProxyType
from typing import Any, Concatenate, Final, ParamSpec, TypeVar

from blog_engine.conf import get_settings
from blog_engine.content.options import TooMuchMarkup
from blog_engine.content.plain_text import check_markup, count_words, first_words, plain_text
from blog_engine.content.rendering import Rendered
from blog_engine.content.search_text import folded_words
from blog_engine.enums import BodyFormat
from blog_engine.errors import ValidationFailed
from blog_engine.findings.base import facts_of
from blog_engine.queries.rendering import (
    body_source_digest,
    outline_of,
    render_body,
    render_new_body,
    rendering_key,
    stored_images_of,
)
from blog_engine.services.images import Gathered

P = ParamSpec("P")
R = TypeVar("R")
T = TypeVar("T")

LONGEST_SNIPPET_SOURCE: Final = 20_000
_ATTEMPTS: Final = 3
"""How often a write is undone because it needs a body that was not made or rendered before."""


def renders_first(write: Callable[Concatenate["Prepared", P], R]) -> Callable[P, R]:
    """Give a write its ``Prepared``; undo it and run it again when it needs something that was not prepared.

    Nothing is edited or rendered while a post is locked. The last attempt works where it is, so that a write ends
    although it finds another body each time, such as one that the host's hook makes up.
    """

    @wraps(write)
    def run(*args: P.args, **kwargs: P.kwargs) -> R:
        prepared = Prepared()
        for _ in range(_ATTEMPTS):
            try:
                return write(prepared, *args, **kwargs)
            except NotPrepared as missing:
                missing.prepare()
        prepared.works_at_once = True
        return write(prepared, *args, **kwargs)

    return run


class NotPrepared(Exception):
    """A write needs something that takes long and was not prepared; ``prepare`` does it."""

    def __init__(self, prepare: Callable[[], object]) -> None:
        super().__init__()
        self.prepare = prepare


@dataclass(frozen=True, slots=True)
class PreparedBody:
    """Everything that follows from a body alone."""

    key: str
    """The rendering key of the settings it was rendered with."""
    stored_images: frozenset[str]
    """The digests of its images that were stored then."""
    rendered: Rendered
    outline: list[dict[str, Any]]
    facts: dict[str, Any]
    words: int
    excerpt: str
    indexed: str
    """Its words for the search index."""
    snippet_source: str
    """The start of its plain text, from which the search makes snippets."""


@dataclass(frozen=True, slots=True)
class PostImages:
    """The images that a write brings."""

    cover: Gathered | None = None
    social: Gathered | None = None
    body_digests: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """The digests of external images by their URLs in the body, as far as they could be fetched."""


class Prepared:
    """The bodies and images that one write has ready.

    ``ready`` is the work of an earlier step, whose bodies are not rendered again.
    """

    def __init__(self, ready: "Prepared | None" = None) -> None:
        self.images: PostImages | None = None
        """``None`` until the images are gathered, which a write that runs again does not repeat."""
        self.made_bodies: dict[Hashable, Any] = ready.made_bodies if ready else {}
        """What edits and proposals make of a body, by what they start from."""
        self.works_at_once = False
        # Footnotes carry the id of their post, which a new post does not have yet.
        self.footnote_prefix: Final[str] = ready.footnote_prefix if ready else f"fn-new{token_hex(8)}-"
        self._bodies: dict[tuple[str, str], PreparedBody] = ready._bodies if ready else {}
        self._checked: set[str] = ready._checked if ready else set()

    def make(self, key: Hashable, work: Callable[[], T]) -> T:
        """Return what the work makes of a body, which is done once for each key; call it outside of a transaction."""
        if key not in self.made_bodies:
            self.made_bodies[key] = work()
        made: T = self.made_bodies[key]
        return made

    def made(self, key: Hashable, work: Callable[[], T]) -> T:
        """Return what ``make`` made; raises ``NotPrepared`` when it was not called for this key."""
        if key not in self.made_bodies:
            self._need(partial(self.make, key, work))
        made: T = self.made_bodies[key]
        return made

    def _need(self, prepare: Callable[[], object]) -> None:
        if not self.works_at_once:
            raise NotPrepared(prepare)
        prepare()

    def render(self, body: str, body_format: str, language: str = "") -> PreparedBody:
        """Render a body and work out its facts and its text; call it outside of a transaction.

        ``language`` is that of the post; empty for the language of the blog.
        """
        return self._prepare(render_body, body, body_format, language)

    def render_new(self, body: str, body_format: str, language: str = "") -> PreparedBody:
        """Check the markup of a body and render it, as above. Raises ``ValidationFailed(["body"])``."""
        with refusing_too_much_markup():
            prepared = self._prepare(render_new_body, body, body_format, language)
        self._checked.add(body_source_digest(body, body_format))
        return prepared

    def _prepare(self, render: Callable[..., Rendered], body: str, body_format: str, language: str) -> PreparedBody:
        # Asked first: an image that is stored meanwhile makes the rendering out of date, not wrong.
        stored_images = stored_images_of(body)
        rendered = render(body, body_format, footnote_prefix=self.footnote_prefix, language=language)
        plain = plain_text(body, body_format=BodyFormat(body_format)) if rendered.text is None else rendered.text
        prepared = PreparedBody(
            key=rendering_key(language),
            stored_images=stored_images,
            rendered=rendered,
            outline=outline_of(rendered),
            facts=facts_of(rendered, body, body_format),
            words=count_words(plain),
            excerpt=first_words(plain),
            indexed=folded_words(plain),
            snippet_source=plain[:LONGEST_SNIPPET_SOURCE],
        )
        self._bodies[body_source_digest(body, body_format), language] = prepared
        return prepared

    def body(self, body: str, body_format: str, language: str = "") -> PreparedBody:
        """Return the rendered body; raises ``NotPrepared`` when there is none, or one that is out of date."""
        prepared = self._bodies.get((body_source_digest(body, body_format), language))
        if prepared and prepared.key == rendering_key(language) and prepared.stored_images == stored_images_of(body):
            return prepared
        self._need(partial(self.render, body, body_format, language))
        return self._bodies[body_source_digest(body, body_format), language]

    def check(self, body: str, body_format: str) -> None:
        """Check the markup of a body; call it outside of a transaction. Raises ``ValidationFailed(["body"])``."""
        check_body_markup(body, body_format)
        self._checked.add(body_source_digest(body, body_format))

    def require_checked(self, body: str, body_format: str, language: str = "") -> None:
        """Raise ``NotPrepared`` for a new body whose markup was not checked."""
        if body_source_digest(body, body_format) in self._checked:
            return
        self._need(partial(self.render_new, body, body_format, language))


def check_body_size(body: str) -> None:
    """Raise ``ValidationFailed(["body"])`` when a body has more than ``max_body_bytes`` bytes of UTF-8."""
    if len(body.encode()) > get_settings().max_body_bytes:
        raise body_too_long()


def body_too_long() -> ValidationFailed:
    """Return the refusal of a body that is too long."""
    limit = get_settings().max_body_bytes
    return ValidationFailed(
        ["body"], hint=f"A body has at most {limit} bytes of UTF-8: shorten it, or make several posts of it."
    )


def check_body_markup(body: str, body_format: str) -> None:
    """Raise ``ValidationFailed(["body"])`` when a body would take too long to render."""
    with refusing_too_much_markup():
        check_markup(body, body_format=BodyFormat(body_format))


@contextmanager
def refusing_too_much_markup() -> Iterator[None]:
    """Raise ``ValidationFailed(["body"])`` for ``TooMuchMarkup``."""
    try:
        yield
    except TooMuchMarkup as excess:
        raise ValidationFailed(["body"], hint=f"{excess} Shorten the body, or make several posts of it.") from excess
