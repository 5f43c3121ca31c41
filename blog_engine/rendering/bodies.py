"""Bodies as HTML, and everything that a write stores of a body."""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypedDict

from blog_engine.content.faq import body_has_faq_heading
from blog_engine.content.faults import faults_of_body
from blog_engine.content.options import ImageOrigin
from blog_engine.content.plain_text import first_words, is_blank, texts_of_body
from blog_engine.content.scripts import TextLength, text_length
from blog_engine.content.search_text import folded_words
from blog_engine.enums import BodyFormat
from blog_engine.models import Image
from blog_engine.rendering.images import (
    digests_in,
    digests_named_in,
    external_images,
    image_entry,
    images_named_in,
    known_images,
    origins_of,
    stored_images,
)
from blog_engine.rendering.options import NO_ORIGINS, render_options, rendering_key
from blog_engine.rules.revision import BodyImageEntry

if TYPE_CHECKING:
    from blog_engine.content.rendering import Rendered

LONGEST_SNIPPET_SOURCE: Final = 20_000


def render_body(body: str, body_format: str, *, footnote_prefix: str, language: str = "") -> "Rendered":
    """Render a body with the blog's settings, in a language; one query when it has stored images."""
    from blog_engine.content.rendering import render

    return _rendered(render, body, BodyFormat(body_format), footnote_prefix, language)[0]


def render_new_body(body: str, body_format: str, *, footnote_prefix: str, language: str = "") -> "Rendered":
    """Render a body as ``render_body`` does; raise ``TooMuchMarkup`` for one that ``check_markup`` refuses."""
    from blog_engine.content.rendering import render_new

    return _rendered(render_new, body, BodyFormat(body_format), footnote_prefix, language)[0]


def render_for_elsewhere(
    body: str,
    body_format: str,
    *,
    footnote_prefix: str,
    language: str = "",
    origins: Mapping[str, ImageOrigin] = NO_ORIGINS,
) -> "Rendered":
    """Render a body as ``render_body`` does, but with the original images only; no query."""
    from blog_engine.content.rendering import render

    options = render_options(footnote_prefix=footnote_prefix, language=language, origins=origins)
    return render(body, body_format=BodyFormat(body_format), options=options)


def render_with_images(
    body: str, body_format: BodyFormat, *, footnote_prefix: str, language: str
) -> tuple["Rendered", dict[str, Image], dict[str, str]]:
    """Return a rendering, the stored images that it was made with, and the digests of the blog's media by URL."""
    from blog_engine.content.rendering import render

    return _rendered(render, body, body_format, footnote_prefix, language)


def _rendered(
    render: Callable[..., "Rendered"], body: str, body_format: BodyFormat, footnote_prefix: str, language: str
) -> tuple["Rendered", dict[str, Image], dict[str, str]]:
    """Return a rendering, the stored images that it was made with, and the digests of the blog's media by URL."""
    # Read first: an image that is stored meanwhile makes the rendering outdated, not wrong.
    stored = images_named_in(body)

    def rendered_with(images: dict[str, Image]) -> "Rendered":
        options = render_options(
            footnote_prefix=footnote_prefix,
            language=language,
            images=known_images(images),
            origins=origins_of(images),
        )
        return render(body, body_format=body_format, options=options)

    rendered = rendered_with(stored)
    own = digests_in(rendered.images)
    # Paths that the body spells in another way, such as with %2F, which must not hide where an image comes from.
    others = stored_images(set(own.values()) - stored.keys() - digests_named_in(body))
    if others:
        stored |= others
        rendered = rendered_with(stored)
    return rendered, stored, own


@dataclass(frozen=True, slots=True)
class DerivedBody:
    """Everything that follows from a body, its format and language, the settings and the stored images."""

    key: str
    """The rendering key of the settings that it was rendered with."""
    html: str
    has_failed_plugins: bool
    """Whether a Markdown plugin of the host failed, so that the HTML is without plugins."""
    outline: list[dict[str, Any]]
    facts: dict[str, Any]
    """What ``Post.body_facts`` stores."""
    length: TextLength
    excerpt: str
    indexed: str
    """Its words for the search index."""
    snippet_source: str
    """The start of its plain text, from which the search makes snippets."""
    images: list[BodyImageEntry]
    """Its images in their order; those of other hosts have no digest."""
    external_images: list[str]
    """The URLs of the images on other hosts, as they are in the body."""
    own_digests: frozenset[str]
    """The digests in the paths of this blog's media that the body names."""
    origins: dict[str, ImageOrigin]
    """What was said of where those of them come from that had a stored image."""

    def is_current(self, language: str) -> bool:
        """Return whether settings, stored images and their origins are still the same; one query if it names images."""
        return self.key == rendering_key(language) and self.origins == origins_of(stored_images(self.own_digests))


def derive_body(body: str, body_format: str, *, footnote_prefix: str, language: str = "") -> DerivedBody:
    """Render a body, and work out everything that a write stores of it; one query if it names stored images.

    ``language`` is that of the post; empty for the language of the blog.
    """
    from blog_engine.content.rendering import render

    return _derived(render, body, BodyFormat(body_format), footnote_prefix, language)


def derive_new_body(body: str, body_format: str, *, footnote_prefix: str, language: str = "") -> DerivedBody:
    """Do as ``derive_body`` does; raise ``TooMuchMarkup`` for a body that ``check_markup`` refuses."""
    from blog_engine.content.rendering import render_new

    return _derived(render_new, body, BodyFormat(body_format), footnote_prefix, language)


def _derived(
    render: Callable[..., "Rendered"], body: str, body_format: BodyFormat, footnote_prefix: str, language: str
) -> DerivedBody:
    rendered, stored, own = _rendered(render, body, body_format, footnote_prefix, language)
    text = texts_of_body(body, body_format=body_format) if rendered.text is None else rendered.text
    return DerivedBody(
        key=rendering_key(language),
        html=rendered.html,
        has_failed_plugins=rendered.has_failed_plugins,
        outline=outline_of(rendered),
        facts=facts_of(rendered, body, body_format),
        length=text_length(text.plain),
        excerpt=first_words(text),
        indexed=folded_words(text.plain),
        snippet_source=text.plain[:LONGEST_SNIPPET_SOURCE],
        images=[image_entry(image, stored.get(own.get(image.src, ""))) for image in rendered.images],
        external_images=external_images(image.src for image in rendered.images),
        own_digests=frozenset(own.values()) | digests_named_in(body),
        origins=origins_of(stored),
    )


def outline_of(rendered: "Rendered") -> list[dict[str, Any]]:
    """Return the headings of a rendering, as stored with the post."""
    return [
        {"level": heading.level, "id": heading.id, "text": heading.text}
        | ({"former_id": heading.former_id} if heading.former_id else {})
        for heading in rendered.headings
    ]


def footnote_prefix(post_id: int) -> str:
    """Return the prefix of footnote ids, which allows several posts on one page."""
    return f"fn-{post_id}-"


def body_source_digest(body: str, body_format: str) -> str:
    """Return the digest that shows whether an image manifest belongs to a body."""
    return hashlib.sha256(f"{body_format}\0{body}".encode()).hexdigest()


class HeadingFact(TypedDict):
    level: int
    text: str


class ImageFact(TypedDict):
    src: str
    alt: str


class FaultFact(TypedDict):
    code: str
    shown: str
    is_link: bool


class BodyFacts(TypedDict):
    """Headings before the shift, images and links in document order, and the first three pieces of dropped HTML.

    Of formulas that cannot be read and of lone notes, the first three are named too.
    """

    headings: list[HeadingFact]
    images: list[ImageFact]
    links: list[str]
    has_faq_heading: bool
    dropped_html: list[str]
    dropped_html_count: int
    unusable_urls: list[str]
    unreadable_tex: list[str]
    lone_notes: list[str]
    is_hard_wrapped: bool
    is_blank: bool
    """Whether readers see nothing of the body."""
    faults: list[FaultFact]


def facts_of(rendered: "Rendered", body: str, body_format: str) -> dict[str, Any]:
    """Return the facts of a body as they are stored in ``Post.body_facts``."""
    facts = BodyFacts(
        headings=[HeadingFact(level=heading.level, text=heading.text) for heading in rendered.source_headings],
        images=[ImageFact(src=image.src, alt=image.alt) for image in rendered.images],
        links=list(rendered.links),
        has_faq_heading=body_format == BodyFormat.MARKDOWN and body_has_faq_heading(body),
        dropped_html=[_one_line(html) for html in rendered.dropped_html[:3]],
        dropped_html_count=len(rendered.dropped_html),
        unusable_urls=[_one_line(shown) for shown in rendered.unusable_urls[:3]],
        unreadable_tex=[_one_line(tex) for tex in rendered.unreadable_tex[:3]],
        lone_notes=[_one_line(note) for note in rendered.lone_notes[:3]],
        is_hard_wrapped=rendered.is_hard_wrapped,
        is_blank=is_blank(rendered.html),
        faults=[
            FaultFact(code=code, shown=shown, is_link=is_link)
            for code, shown, is_link in faults_of_body(rendered.prose, body)
        ],
    )
    return dict(facts)


def _one_line(html: str) -> str:
    words = " ".join(html[:200].split())
    return words if len(words) <= 60 else f"{words[:59]}…"


def stored_facts(stored: dict[str, Any]) -> BodyFacts:
    """Return the stored facts; a post without any has an empty body."""
    return BodyFacts(
        headings=stored.get("headings", []),
        images=stored.get("images", []),
        links=stored.get("links", []),
        has_faq_heading=stored.get("has_faq_heading", False),
        dropped_html=stored.get("dropped_html", []),
        dropped_html_count=stored.get("dropped_html_count", 0),
        unusable_urls=stored.get("unusable_urls", []),
        unreadable_tex=stored.get("unreadable_tex", []),
        lone_notes=stored.get("lone_notes", []),
        is_hard_wrapped=stored.get("is_hard_wrapped", False),
        is_blank=stored.get("is_blank", not stored),
        faults=stored.get("faults", []),
    )
