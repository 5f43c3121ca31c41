"""JSON-LD objects of schema.org."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from django.utils.safestring import SafeString, mark_safe

from blog_engine.blog_urls import BlogURLs
from blog_engine.conf import get_settings
from blog_engine.content.faq import FaqPair
from blog_engine.content.options import ImageOrigin
from blog_engine.content.source_types import SOURCE_TYPE_SCHEME
from blog_engine.content.text import compact_json
from blog_engine.content.urls import is_safe_link
from blog_engine.enums import AuthorType, ListKind, PolicyKind, Provenance
from blog_engine.models import Author, Post
from blog_engine.queries.articles import PublishedCorrection
from blog_engine.reader.cards import Card, Named
from blog_engine.rules.dates import KnownDates, iso_date

_PARTLY_BY_AI: Final = "compositeWithTrainedAlgorithmicMedia"

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
    description: str,
    dates: KnownDates,
    tags: Sequence[str],
    image: str | dict[str, Any] | None,
    images: Sequence[dict[str, Any]],
    corrections: Sequence[PublishedCorrection],
    policies: Mapping[PolicyKind, str],
    series: Named | None,
    urls: BlogURLs,
) -> dict[str, Any]:
    """Return an article as a ``BlogPosting``, part of the blog and of its series.

    ``corrections`` are in the order of their dates, and ``policies`` the absolute URLs of those that readers can open.
    """
    in_series = [_part("CreativeWorkSeries", series, urls=urls)] if series else []
    return {
        "@type": "BlogPosting",
        "headline": post.title,
        "author": _authors(post, urls=urls),
        "publisher": publisher(policies),
        "mainEntityOfPage": canonical,
        "inLanguage": post.language or get_settings().language,
        "isPartOf": [_part("Blog", Named(get_settings().blog_title, urls.index_path()), urls=urls), *in_series],
        "wordCount": post.word_count,
        **_without_none(
            description=description or None,
            keywords=list(tags) or None,
            articleSection=post.category.name if post.category else None,
            datePublished=_iso(dates.published),
            dateModified=_iso(dates.modified),
            image=image,
            associatedMedia=list(images) or None,
            # Not until an approval: it clears the notice for readers, not the fact.
            digitalSourceType=digital_source(_PARTLY_BY_AI) if post.provenance == Provenance.AI_ASSISTED else None,
            correction=[_correction(entry) for entry in reversed(corrections)] or None,
            publishingPrinciples=_principles(policies),
            license=get_settings().rights.licence,
        ),
    }


def image_entity(url: str, origin: ImageOrigin | None) -> str | dict[str, Any]:
    """Return a stored image of whose origin something is said as an ``ImageObject``, any other as its URL."""
    if origin is None or not (origin.credit or origin.source_type):
        return url
    source = digital_source(origin.source_type) if origin.source_type else None
    described = _without_none(creditText=origin.credit or None, digitalSourceType=source)
    return {"@type": "ImageObject", "url": url, "contentUrl": url, **described}


_SCHEMA_LACKS: Final = frozenset({"humanEdits", "digitalCreation", "softwareImage"})
"""Terms of IPTC that schema.org has no member for."""
_SCHEMA_NAMES: Final = {"computationalCapture": "MultiFrameComputationalCapture"}


def digital_source(term: str) -> str:
    """Return the URL of a source type of IPTC: that of schema.org if it has the type."""
    if term in _SCHEMA_LACKS:
        return SOURCE_TYPE_SCHEME + term
    return f"https://schema.org/{_SCHEMA_NAMES.get(term, term[:1].upper() + term[1:])}DigitalSource"


def _authors(post: Post, *, urls: BlogURLs) -> dict[str, Any] | list[dict[str, Any]]:
    """Return the author, or the list of several."""
    first = author_entity(post.author, name=post.author_name, urls=urls)
    further = [author_entity(one.author, name=one.name, urls=urls) for one in post.coauthors]
    return [first, *further] if further else first


def author_entity(author: Author, *, name: str, urls: BlogURLs) -> dict[str, Any]:
    """Return the author under the given name, with the URLs of the author page and of the profiles."""
    kind = "Organization" if author.type == AuthorType.ORGANIZATION else "Person"
    url = urls.absolute(urls.list_path(ListKind.AUTHOR, author.slug))
    return {"@type": kind, "name": name, "url": url, **_without_none(sameAs=_profiles(author.profile_urls))}


def publisher(policies: Mapping[PolicyKind, str]) -> dict[str, Any]:
    """Return the publisher of the settings as an ``Organization``, with its policies and ``brand.social_links``."""
    who, profiles = get_settings().publisher, get_settings().brand.social_links
    logo = {"@type": "ImageObject", "url": who.logo_url} if who.logo_url else None
    return {
        "@type": "Organization",
        "name": who.name,
        **_without_none(
            url=who.url,
            logo=logo,
            sameAs=_profiles(profiles),
            publishingPrinciples=_principles(policies),
            correctionsPolicy=policies.get(PolicyKind.CORRECTIONS),
        ),
    }


def _principles(policies: Mapping[PolicyKind, str]) -> str | list[str] | None:
    """Return the editorial policy, with the policy on AI if there is one; that alone states no principles."""
    editorial, ai_use = policies.get(PolicyKind.EDITORIAL), policies.get(PolicyKind.AI_USE)
    return [editorial, ai_use] if editorial and ai_use else editorial


def _correction(entry: PublishedCorrection) -> dict[str, Any]:
    return {"@type": "CorrectionComment", "text": entry.note, "datePublished": iso_date(entry.occurred_at)}


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
    entity = {"@type": "ItemList", "itemListElement": items} if items else None
    return _page(kind, name=name, url=url) | {"description": description} | _without_none(mainEntity=entity)


def profile_page(*, name: str, url: str, author: dict[str, Any]) -> dict[str, Any]:
    """Return the page of an author as a ``ProfilePage``."""
    return _page("ProfilePage", name=name, url=url) | {"mainEntity": author}


def web_page(*, name: str, url: str, modified: datetime) -> dict[str, Any]:
    """Return a policy page as a ``WebPage``, described by its name."""
    return _page("WebPage", name=name, url=url) | {"description": name, "dateModified": iso_date(modified)}


def breadcrumb_list(steps: Iterable[tuple[str, str]]) -> dict[str, Any]:
    """Return names and absolute URLs of the breadcrumbs as a ``BreadcrumbList``."""
    items = [
        {"@type": "ListItem", "position": position, "name": name, "item": url}
        for position, (name, url) in enumerate(steps, start=1)
    ]
    return {"@type": "BreadcrumbList", "itemListElement": items}


def _page(kind: str, *, name: str, url: str) -> dict[str, Any]:
    return {"@type": kind, "name": name, "url": url, "inLanguage": get_settings().language}


def _part(kind: str, whole: Named, *, urls: BlogURLs) -> dict[str, Any]:
    return {"@type": kind, "name": whole.name, "url": urls.absolute(whole.path)}


def _profiles(urls: Iterable[str | None]) -> list[str] | None:
    return [url for url in urls if url and is_safe_link(url)] or None


def _iso(moment: datetime | None) -> str | None:
    return iso_date(moment) if moment else None


def _without_none(**values: object) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}
