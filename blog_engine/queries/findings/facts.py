"""What findings need to know of a body, gathered when it is rendered, so that no reading parses it again."""

from typing import Any, TypedDict

from blog_engine.content.faq import body_has_faq_heading
from blog_engine.content.rendering import Rendered
from blog_engine.vocabulary import BodyFormat


class HeadingFact(TypedDict):
    level: int
    text: str


class ImageFact(TypedDict):
    src: str
    alt: str


class BodyFacts(TypedDict):
    """Headings before the shift, images and links in document order, and the first three pieces of dropped HTML."""

    headings: list[HeadingFact]
    images: list[ImageFact]
    links: list[str]
    has_faq_heading: bool
    dropped_html: list[str]
    dropped_html_count: int
    is_hard_wrapped: bool


def facts_of(rendered: Rendered, body: str, body_format: str) -> dict[str, Any]:
    """The facts of a body, as they are stored in ``Post.body_facts``."""
    facts = BodyFacts(
        headings=[HeadingFact(level=heading.level, text=heading.text) for heading in rendered.source_headings],
        images=[ImageFact(src=image.src, alt=image.alt) for image in rendered.images],
        links=list(rendered.links),
        has_faq_heading=body_format == BodyFormat.MARKDOWN and body_has_faq_heading(body),
        dropped_html=[_one_line(html) for html in rendered.dropped_html[:3]],
        dropped_html_count=len(rendered.dropped_html),
        is_hard_wrapped=rendered.is_hard_wrapped,
    )
    return dict(facts)


def stored_facts(stored: dict[str, Any]) -> BodyFacts:
    """The stored facts; a post without any has an empty body."""
    return BodyFacts(
        headings=stored.get("headings", []),
        images=stored.get("images", []),
        links=stored.get("links", []),
        has_faq_heading=stored.get("has_faq_heading", False),
        dropped_html=stored.get("dropped_html", []),
        dropped_html_count=stored.get("dropped_html_count", 0),
        is_hard_wrapped=stored.get("is_hard_wrapped", False),
    )


def _one_line(html: str) -> str:
    words = " ".join(html[:200].split())
    return words if len(words) <= 60 else f"{words[:59]}…"
