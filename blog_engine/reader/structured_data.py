"""JSON-LD objects of schema.org."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from django.utils.safestring import SafeString, mark_safe

from blog_engine.blog_urls import BlogURLs
from blog_engine.conf import get_settings
from blog_engine.content.faq import FaqPair
from blog_engine.content.text import compact_json
from blog_engine.enums import AuthorType, Label, ListKind
from blog_engine.models import Author, Post
from blog_engine.reader.cards import Card
from blog_engine.rules.dates import KnownDates, iso_date

_MADE_WITH_AI = "https://schema.org/CompositeWithTrainedAlgorithmicMediaDigitalSource"

_ESCAPES = {mark: f"\\u{ord(mark):04x}" for mark in "<>&\u2028\u2029"}


def json_ld(graph: Iterable[dict[str, Any]]) -> SafeString:
    """Return the graph as JSON, escaped for a ``script`` element."""
    document = {"@context": "https://schema.org", "@graph": list(graph)}
    text = compact_json(document)
    for mark, escape in _ESCAPES.items():
        text = text.replace(mark, escape)
    return mark_safe(text)  # noqa: S308 - escaped above


def blog_posting(
    post: Post,
    *,
    canonical: str,
    dates: KnownDates,
    tags: Sequence[str],
    image: str | None,
    label: Label,
    urls: BlogURLs,
) -> dict[str, Any]:
    """Return an article as a ``BlogPosting``."""
    return {
        "@type": "BlogPosting",
        "headline": post.title,
        "description": post.description,
        "author": author_entity(post.author, name=post.author_name, urls=urls),
        "publisher": publisher(),
        "mainEntityOfPage": canonical,
        "wordCount": post.word_count,
        "keywords": list(tags),
        **_without_none(
            articleSection=post.category.name if post.category else None,
            datePublished=_iso(dates.published),
            dateModified=_iso(dates.modified),
            image=image,
            digitalSourceType=_MADE_WITH_AI if label is Label.AI_ASSISTED else None,
        ),
    }


def author_entity(author: Author, *, name: str, urls: BlogURLs) -> dict[str, Any]:
    """Return the author under the given name, with the URL of the author page."""
    kind = "Organization" if author.type == AuthorType.ORGANIZATION else "Person"
    return {"@type": kind, "name": name, "url": urls.absolute(urls.list_path(ListKind.AUTHOR, author.slug))}


def publisher() -> dict[str, Any]:
    """Return the publisher of the settings as an ``Organization``."""
    who = get_settings().publisher
    logo = {"@type": "ImageObject", "url": who.logo_url} if who.logo_url else None
    return {"@type": "Organization", "name": who.name, **_without_none(url=who.url, logo=logo)}


def faq_page(faq: Iterable[FaqPair]) -> dict[str, Any]:
    """Return questions and answers, unchanged, as a ``FAQPage``."""
    questions = [
        {"@type": "Question", "name": pair.question, "acceptedAnswer": {"@type": "Answer", "text": pair.answer}}
        for pair in faq
    ]
    return {"@type": "FAQPage", "mainEntity": questions}


def list_page(kind: str, *, name: str, description: str, url: str, cards: Iterable[Card]) -> dict[str, Any]:
    """Return a page of cards; ``kind`` is ``Blog`` or ``CollectionPage``."""
    items = [
        {"@type": "ListItem", "position": position, "url": card.url, "name": card.title}
        for position, card in enumerate(cards, start=1)
    ]
    entity = {"@type": "ItemList", "itemListElement": items}
    return {"@type": kind, "name": name, "description": description, "url": url, "mainEntity": entity}


def profile_page(*, name: str, url: str, author: dict[str, Any]) -> dict[str, Any]:
    """Return the page of an author as a ``ProfilePage``."""
    return {"@type": "ProfilePage", "name": name, "url": url, "mainEntity": author}


def web_page(*, name: str, url: str, modified: datetime) -> dict[str, Any]:
    """Return a policy page as a ``WebPage``, described by its name."""
    return {"@type": "WebPage", "name": name, "description": name, "url": url, "dateModified": iso_date(modified)}


def breadcrumb_list(steps: Iterable[tuple[str, str]]) -> dict[str, Any]:
    """Return names and absolute URLs of the breadcrumbs as a ``BreadcrumbList``."""
    items = [
        {"@type": "ListItem", "position": position, "name": name, "item": url}
        for position, (name, url) in enumerate(steps, start=1)
    ]
    return {"@type": "BreadcrumbList", "itemListElement": items}


def _iso(moment: datetime | None) -> str | None:
    return iso_date(moment) if moment else None


def _without_none(**values: object) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}
