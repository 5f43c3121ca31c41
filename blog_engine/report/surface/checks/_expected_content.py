"""A stored revision as its page must show it, rendered now with the blog's settings."""

import json
from html import escape

from blog_engine.content.faq import FaqPair
from blog_engine.content.revision import ImageEntry, RevisionContent, revision_payload
from blog_engine.content.text import with_allowed_characters
from blog_engine.models import Post
from blog_engine.queries.rendering import footnote_prefix, render_body
from blog_engine.report.surface.checks._generated_parts import written_part
from blog_engine.report.surface.checks._stored_media import AddressBook
from blog_engine.report.surface.html import Element, HtmlPage


def content_in(payload: str) -> RevisionContent | None:
    """The content that a payload holds; ``None`` unless it is exactly what the engine writes for that content."""
    try:
        raw = json.loads(payload)
        content = RevisionContent(
            **{name: raw[name] for name in ("title", "description", "search_title", "search_description", "author")},
            body=raw["body"],
            faq=tuple(FaqPair(question=one["question"], answer=one["answer"]) for one in raw["faq"]),
            images=tuple(ImageEntry(**one) for one in raw["images"]),
        )
        return content if revision_payload(content) == payload else None
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None


def expected_part(content: RevisionContent, post: Post, *, own: AddressBook) -> Element:
    """The written part of the article: title, description, cover and body. One query when the body shows images."""
    body = render_body(content.body or "", post.body_format, footnote_prefix=footnote_prefix(post.pk)).html
    lede = (content.description or "").strip()
    parts = [
        f"<h1>{escape(content.title or '')}</h1>",
        f"<p>{escape(lede)}</p>" if lede else "",
        *(_image(entry, own) for entry in content.images if entry.role == "cover"),
        f"<div data-blog-body>{body}</div>",
    ]
    return written_part(element_of("".join(parts)))


def element_of(html: str) -> Element:
    """The markup as it reaches a page."""
    return HtmlPage(with_allowed_characters(html)).root


def _image(entry: ImageEntry, own: AddressBook) -> str:
    return f'<img src="{escape(own.of_entry(entry))}" alt="{escape(entry.alt)}">'
