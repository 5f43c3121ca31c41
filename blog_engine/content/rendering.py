"""A body as safe HTML, with what the page and the findings need to know of it (reader.md 16).

source → HTML → allow list → transform. Rendering reads and writes nothing else, and takes bounded time: nesting, link
references, highlighted code and bare addresses have limits of their own (``_markdown``, ``_parse``, ``_highlight``).
"""

from dataclasses import dataclass
from typing import Final, assert_never

from blog_engine.content._annotations import annotate, wrap_tables
from blog_engine.content._code_blocks import dress_code_blocks
from blog_engine.content._direction import mark_direction
from blog_engine.content._figures import dress_images
from blog_engine.content._headings import Heading, SourceHeading, dress_headings, read_headings
from blog_engine.content._links import mark_external_links, read_links
from blog_engine.content._markdown import compile_markdown
from blog_engine.content._normalize import normalize
from blog_engine.content._sanitize import foreign_elements, sanitize_compiled, sanitize_sent
from blog_engine.content._tree import Element, walk, write_html
from blog_engine.content.options import KnownImage, PictureSource, RenderLabels, RenderOptions
from blog_engine.vocabulary import BodyFormat

__all__ = [
    "RENDERER_VERSION",
    "BodyImage",
    "Heading",
    "KnownImage",
    "PictureSource",
    "RenderLabels",
    "RenderOptions",
    "Rendered",
    "SourceHeading",
    "render",
]

RENDERER_VERSION: Final = 6
"""Rises whenever the same source gives other HTML or facts, so that stored renderings are made again."""


@dataclass(frozen=True, slots=True)
class BodyImage:
    """An image as the author wrote it; ``alt`` is empty when none was given."""

    src: str
    alt: str


@dataclass(frozen=True, slots=True)
class Rendered:
    """A rendered body.

    ``html`` is what pages show and ``headings`` its headings. The rest describes the sanitised source before anything
    moved: headings with the author's levels, images in order, and the distinct link targets in order. ``dropped_html``
    is the raw HTML that is not shown: fragments of a Markdown source, or elements of an HTML source.
    ``is_hard_wrapped``: an editor wrapped the lines of a Markdown source at a column.
    """

    html: str
    headings: tuple[Heading, ...]
    source_headings: tuple[SourceHeading, ...]
    images: tuple[BodyImage, ...]
    links: tuple[str, ...]
    dropped_html: tuple[str, ...]
    is_hard_wrapped: bool


def render(body: str, *, body_format: BodyFormat, options: RenderOptions) -> Rendered:
    """The body as safe HTML5; the same input always gives the same output."""
    prefix = options.footnote_prefix
    match body_format:
        case BodyFormat.MARKDOWN:
            html, dropped, is_hard_wrapped = compile_markdown(
                body, hard_breaks=options.hard_breaks, footnote_prefix=prefix
            )
            tree = sanitize_compiled(html, footnote_prefix=prefix)
        case BodyFormat.RICH_TEXT:
            tree, dropped, is_hard_wrapped = sanitize_sent(body), foreign_elements(body), False
        case _:
            assert_never(body_format)
    normalize(tree)
    source_headings, images, links = read_headings(tree), _read_images(tree), read_links(tree)
    headings = _transform(tree, options=options)
    return Rendered(write_html(tree), headings, source_headings, images, links, dropped, is_hard_wrapped)


def _transform(tree: Element, *, options: RenderOptions) -> tuple[Heading, ...]:
    labels = options.labels
    annotate(tree, labels=labels)
    dress_images(tree, options=options)
    mark_external_links(tree, site_origin=options.site_origin)
    headings = dress_headings(tree, labels=labels)
    wrap_tables(tree, labels=labels)
    dress_code_blocks(tree, labels=labels)
    mark_direction(tree, direction=options.direction)
    return headings


def _read_images(tree: Element) -> tuple[BodyImage, ...]:
    images = (element.attrs for element in walk(tree) if element.name == "img")
    return tuple(BodyImage(attrs["src"], attrs.get("alt", "")) for attrs in images)
