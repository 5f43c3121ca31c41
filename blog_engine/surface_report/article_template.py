"""The article template rendered outside a page: what a revision should look like, and which markers a host kept."""

from collections.abc import Mapping
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any, Final

from django.template.backends.django import DjangoTemplates
from django.utils.safestring import mark_safe

import blog_engine
from blog_engine.content.faq import answer_html
from blog_engine.content.text import with_allowed_characters
from blog_engine.models import Post
from blog_engine.rendering.bodies import footnote_prefix, render_body
from blog_engine.rules.content_fields import METADATA_TEXTS
from blog_engine.rules.revision import RevisionContent
from blog_engine.surface_report._reading import BaseURL
from blog_engine.surface_report.html import HtmlPage

REQUIRED: Final = frozenset(
    {"data-blog-content", "data-blog-body", "data-blog-faq", "data-blog-faq-entry", "data-blog-author"}
    | {"data-blog-published", "data-blog-updated", "data-blog-ai-notice", "data-blog-paid-notice"}
    | {"data-blog-disclosure", "data-blog-correction"}
)
"""Markers that the report cannot do without."""
ADDED: Final = frozenset({"data-blog-generated", "data-blog-contents"}) | {
    name for name in REQUIRED if name not in {"data-blog-content", "data-blog-body", "data-blog-faq-entry"}
}
"""Markers of what is no part of the text of a revision; its FAQ is compared by itself."""
ARTICLE_TEMPLATE: Final = "blog_engine/post.html"

_DAY: Final = datetime(2026, 11, 21, 12, tzinfo=UTC)
_EVERYTHING: Final[Mapping[str, Any]] = {
    "title": "Title",
    "byline": {
        "author": {"name": "Ada Example", "path": "/"},
        "reading_time_minutes": 1,
        "dates": {"published": _DAY, "updated": _DAY},
    },
    "ai_notice": "AI",
    "paid_notice": "Paid",
    "disclosure": [{"party": "Party", "relation": "relation"}],
    "body": "Body",
    "corrections": [{"occurred_at": _DAY, "note": "Note"}],
    "faq": {"id": "faq", "entries": [{"question": "Question?", "answer": "Answer"}]},
}
"""An article with every part that has a marker."""


def expected_page(content: RevisionContent, post: Post, *, own: BaseURL) -> HtmlPage:
    """Return a revision in the engine's own article template, without what a page adds to it.

    Hosts' versions of the template are not used: what they change in an article must be seen. One query when the body
    shows images.
    """
    body = render_body(
        content.text("body"),
        post.body_format,
        footnote_prefix=footnote_prefix(post.pk),
        language=content.text("language"),
    ).html
    cover = next((entry for entry in content.images if entry.role == "cover"), None)
    article = {name: content.text(name) for name in METADATA_TEXTS} | {
        "title": content.text("title"),
        "lede": content.text("description").strip(),
        "byline": {"reading_time_minutes": 1},
        "cover": cover and {"path": own.of_entry(cover), "alt": cover.alt, "width": 0, "height": 0},
        "body": mark_safe(body),  # noqa: S308 - the renderer's output went through its allow list
        "faq": {"entries": [{"question": one.question, "answer": _answer(one.answer)} for one in content.faq]},
    }
    return _render(_own_templates().get_template(ARTICLE_TEMPLATE), article)


def missing_markers(template: Any) -> list[str]:
    """Return the markers that a version of the article template lacks; raises whatever the template raises."""
    page = _render(template, _EVERYTHING)
    return sorted(marker for marker in REQUIRED if next(page.with_attr(marker), None) is None)


def _render(template: Any, article: Mapping[str, Any]) -> HtmlPage:
    layout = _own_templates().from_string("{% block content %}{% endblock %}")
    return HtmlPage(with_allowed_characters(template.render({"layout": layout, "article": article})))


@cache
def _own_templates() -> DjangoTemplates:
    folder = Path(blog_engine.__file__).parent / "templates"
    return DjangoTemplates({"NAME": "blog_engine", "DIRS": [folder], "APP_DIRS": False, "OPTIONS": {}})


def _answer(text: str) -> str:
    return mark_safe(answer_html(text))  # noqa: S308 - escapes everything but the tags it writes
