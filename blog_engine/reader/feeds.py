"""Feeds: Atom (RFC 4287) and JSON Feed 1.1."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from functools import lru_cache
from typing import Any, Final
from xml.sax.saxutils import escape

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.translation import gettext as _

from blog_engine.blog_urls import BlogURLs
from blog_engine.conf import get_settings
from blog_engine.content.figures import SHARED_TYPES
from blog_engine.content.syndication import KEPT, AroundBody, Cover, syndicated_html
from blog_engine.content.text import compact_json, in_utc, with_allowed_characters
from blog_engine.enums import FeedFormat, Label, ListKind
from blog_engine.models import Image, Translation
from blog_engine.models.reading import page_changes_at
from blog_engine.queries.feeds import FeedCategory, FeedEntry, feed_entries, feed_id, last_change
from blog_engine.queries.listings import Subject, subject_at
from blog_engine.reader.cards import cover_of, own_description
from blog_engine.reader.http import cacheable_response
from blog_engine.reader.links import safe_url
from blog_engine.reader.page import Alternate, alternates_of
from blog_engine.reader.view import ReaderView, queries_of
from blog_engine.rendering.images import original_path, shared_path
from blog_engine.rules.label import PAID, ai_notice, image_notice

_ATOM_TYPE: Final = "application/atom+xml"
_JSON_FEED_TYPE: Final = "application/feed+json"
_XML_DECLARATION: Final = "<?xml version='1.0' encoding='utf-8'?>"
_CATEGORY_SCHEME: Final = "urn:blog-engine:category"
_LABEL_SCHEME: Final = "urn:blog-engine:label"
_COVER_SCHEME: Final = "urn:blog-engine:cover"
_PAID_SCHEME: Final = "urn:blog-engine:paid"
_IN_ATTRIBUTES: Final = {'"': "&quot;", "\r": "&#13;", "\n": "&#10;", "\t": "&#09;"}

_JSON_FEED_VERSION: Final = "https://jsonfeed.org/version/1.1"


@dataclass(frozen=True, slots=True)
class Enclosure:
    """The cover of an entry: absolute URL, media type and size in bytes."""

    url: str
    content_type: str
    length: int
    credit: str = ""
    source_type: str = ""
    """The term of IPTC for where it comes from; empty if that is not known."""
    ai_notice: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One post in a feed."""

    id: str
    url: str
    title: str
    authors: tuple[tuple[str, str], ...]
    """Their names and the URLs of their pages, in the order of the byline."""
    published: datetime | None
    updated: datetime
    summary: str
    html: str | None
    """The content, or ``None`` unless the setting ``feed_content`` is ``full``."""
    label: Label
    ai_notice: str | None
    paid_notice: str | None
    category: FeedCategory | None
    tags: tuple[FeedCategory, ...]
    cover: Enclosure | None
    language: str = ""
    """The tag of a post with a language of its own."""
    versions: tuple[Alternate, ...] = ()
    """The public versions in all languages, that of the entry included; empty for the only one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Feed:
    """A feed, independent of its format."""

    url: str
    page_url: str
    """The absolute URL of the index or list that the feed is of."""
    title: str
    publisher: str
    language: str
    updated: datetime
    description: str = ""
    icon: str = ""
    """The absolute URL of the icon of the blog; empty without one, as the two below."""
    large_icon: str = ""
    logo: str = ""
    hub: str | None = None
    """The WebSub hub that is told of changes; only of the feeds of the whole blog (webhooks.websub.feeds)."""
    entries: tuple[Entry, ...]


class FeedView(ReaderView):
    """A feed of the newest public posts, of the whole blog or of one list."""

    kept_queries = queries_of()

    def get(
        self,
        request: HttpRequest,
        *,
        format: FeedFormat,
        kind: ListKind | None = None,
        slug: str = "",
        **kwargs: Any,
    ) -> HttpResponseBase:
        if kind is None:
            return self._feed(format, about=None)
        subject = subject_at(kind, slug)
        return self._feed(format, about=(kind, subject)) if subject else self.fallback()

    def _feed(self, format: FeedFormat, *, about: tuple[ListKind, Subject] | None) -> HttpResponseBase:
        kind, subject_id = (about[0], about[1].pk) if about else (None, 0)
        entries = feed_entries(kind, subject_id, now=self.now)
        feed = _describe_feed(entries, format, about=about, urls=self.urls, now=self.now)
        content_type, write = _FORMATS[format]
        changed = last_change(entries)
        if feed.updated >= self.now or (changed and changed > self.now):
            # The document, or its Last-Modified, names the time of this response.
            page_changes_at(self.now)
        modified = min(max(feed.updated, changed) if changed else feed.updated, self.now)
        response = HttpResponse(write(feed), content_type=f"{content_type}; charset=utf-8")
        if feed.hub:
            response.headers["Link"] = f'<{feed.hub}>; rel="hub", <{feed.url}>; rel="self"'
        return cacheable_response(self.request, response, modified=modified)


def _describe_feed(
    found: tuple[FeedEntry, ...],
    format: FeedFormat,
    *,
    about: tuple[ListKind, Subject] | None,
    urls: BlogURLs,
    now: datetime,
) -> Feed:
    """Return the feed of the list that ``about`` names, or of the whole blog.

    An empty feed is dated at the start of the day (UTC), so that the document stays the same until the next.
    """
    settings = get_settings()
    entries = tuple(_entry(one, urls=urls) for one in found)
    path = urls.list_path(about[0], about[1].slug) if about else ""
    today = datetime.combine(now.astimezone(UTC).date(), time(tzinfo=UTC))
    if not entries:
        page_changes_at(today + timedelta(days=1))
    return Feed(
        url=urls.absolute(urls.feed_path(format, of=path)),
        page_url=urls.absolute(path or urls.index_path()),
        title=about[1].name if about else settings.blog_title,
        publisher=settings.publisher.name,
        language=settings.language,
        updated=max((entry.updated for entry in entries), default=today),
        description=own_description(about[1]) if about else (settings.blog_tagline or "").strip(),
        icon=_absolute(settings.brand.icon_url or settings.favicon_url, urls=urls),
        large_icon=_absolute(settings.touch_icon_url, urls=urls),
        logo=_absolute(settings.brand.logo_url or settings.publisher.logo_url, urls=urls),
        hub=None if about else settings.notify.websub_hub,
        entries=entries,
    )


def _absolute(configured: str | None, *, urls: BlogURLs) -> str:
    return urls.absolute(safe_url(configured))


def timestamp(moment: datetime) -> str:
    """Return the time in UTC, to the second, as both formats write it."""
    return in_utc(moment, "seconds")


def _entry(found: FeedEntry, *, urls: BlogURLs) -> Entry:
    post, url = found.post, urls.post_url(found.post.slug)
    about_ai, paid = ai_notice(found.label), str(PAID) if found.is_paid else None
    return Entry(
        id=post.feed_id or feed_id(urls.origin, published=found.first_public, post_id=post.pk),
        url=url,
        title=post.title,
        authors=tuple(
            (name, urls.absolute(urls.list_path(ListKind.AUTHOR, author.slug)))
            for name, author in ((post.author_name, post.author), *post.coauthors)
        ),
        published=found.published,
        updated=found.updated,
        summary=found.summary,
        html=None if found.html is None else _whole_article(found, found.html, url=url, urls=urls),
        label=found.label,
        ai_notice=about_ai,
        paid_notice=paid,
        category=FeedCategory(post.category.slug, post.category.name) if post.category else None,
        tags=found.tags,
        cover=_enclosure(post.cover_image, urls=urls) if post.cover_image else None,
        language=post.language,
        versions=_versions(found.versions, urls=urls),
    )


def _whole_article(found: FeedEntry, html: str, *, url: str, urls: BlogURLs) -> str:
    notices = (ai_notice(found.label), str(PAID) if found.is_paid else None)
    cover = cover_of(found.post, urls=urls)
    around = AroundBody(
        notices=tuple(notice for notice in notices if notice),
        cover=Cover(cover.path, cover.alt, cover.width, cover.height, cover.note) if cover else None,
        corrections=found.corrections,
        corrections_heading=_("Corrections"),
        faq=found.faq,
        faq_heading=_("Frequently asked questions"),
    )
    return syndicated_html(html, url=url, around=around)


def _versions(found: tuple[Translation, ...], *, urls: BlogURLs) -> tuple[Alternate, ...]:
    """Return the versions that the head of the page links, without the default, which is no language."""
    alternates = alternates_of(found[0], found[1:], urls=urls) if found else ()
    return tuple(one for one in alternates if one.language != "x-default")


def _enclosure(image: Image, *, urls: BlogURLs) -> Enclosure:
    if image.shared_type in SHARED_TYPES:
        path, content_type, length = shared_path(image, urls=urls), SHARED_TYPES[image.shared_type], image.shared_bytes
    else:
        path, content_type, length = original_path(image, urls=urls), image.content_type, image.byte_size
    return Enclosure(
        *(urls.absolute(path), content_type, length),
        credit=image.credit,
        source_type=image.digital_source_type or "",
        ai_notice=image_notice(image.digital_source_type),
    )


def atom_document(feed: Feed) -> bytes:
    """Return the feed as a well-formed Atom document."""
    head = _as_utf8("".join(_head(feed)))
    return b"".join([head, *(part for entry in feed.entries for part in _entry_parts(entry)), b"</feed>"])


def _head(feed: Feed) -> Iterator[str]:
    yield f"{_XML_DECLARATION}\n"
    yield f'<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="{_quoted(feed.language)}">'
    yield _element("id", feed.url)
    yield _element("title", feed.title)
    if feed.description:
        yield _element("subtitle", feed.description)
    if icon := feed.icon or feed.large_icon:
        yield _element("icon", icon)
    if feed.logo:
        yield _element("logo", feed.logo)
    yield _element("updated", timestamp(feed.updated))
    yield f"<author>{_element('name', feed.publisher)}</author>"
    yield f'<link rel="self" type="{_ATOM_TYPE}" href="{_quoted(feed.url)}" />'
    yield _alternate(feed.page_url)
    if licence := get_settings().rights.licence:
        yield _element("rights", licence)
        yield f'<link rel="license" href="{_quoted(licence)}" />'
    if feed.hub:
        yield f'<link rel="hub" href="{_quoted(feed.hub)}" />'


def _entry_parts(entry: Entry) -> Iterator[bytes]:
    yield _as_utf8(f'<entry xml:lang="{_quoted(entry.language)}">') if entry.language else b"<entry>"
    yield _as_utf8("".join(_description(entry)))
    yield _as_utf8(_element("summary", entry.summary, ' type="text"')) if entry.html is None else _content(entry.html)
    yield b"</entry>"


def _description(entry: Entry) -> Iterator[str]:
    yield _element("id", entry.id)
    yield _element("title", entry.title)
    own = next((one.language for one in entry.versions if one.url == entry.url), "")
    yield _alternate(entry.url, language=own)
    for version in entry.versions:
        if version.url != entry.url:
            yield _alternate(version.url, language=version.language)
    if cover := entry.cover:
        described = f'type="{_quoted(cover.content_type)}" length="{cover.length}" href="{_quoted(cover.url)}"'
        yield f'<link rel="enclosure" {described} />'
    if entry.published:
        yield _element("published", timestamp(entry.published))
    yield _element("updated", timestamp(entry.updated))
    for name, page in entry.authors:
        yield f"<author>{_element('name', name)}{_element('uri', page)}</author>"
    if entry.category:
        yield _category(entry.category.slug, entry.category.name, scheme=_CATEGORY_SCHEME)
    for tag in entry.tags:
        yield _category(tag.slug, tag.name)
    # Feed readers show ``label``. A summary must not hold the notice, so this is where its readers see it.
    if entry.ai_notice:
        yield _category(entry.label.value, entry.ai_notice, scheme=_LABEL_SCHEME)
    if entry.paid_notice:
        yield _category("third_party_paid", entry.paid_notice, scheme=_PAID_SCHEME)
    if entry.cover and entry.cover.ai_notice:
        yield _category(entry.cover.source_type, entry.cover.ai_notice, scheme=_COVER_SCHEME)


@lru_cache(maxsize=KEPT)
def _content(html: str) -> bytes:
    """Return the element of a text that ``syndicated_html`` keeps, so that it need not be written each time."""
    return _as_utf8(_element("content", html, ' type="html"'))


def _category(term: str, label: str, *, scheme: str = "") -> str:
    written = f'scheme="{scheme}" ' if scheme else ""
    return f'<category {written}term="{_quoted(term)}" label="{_quoted(label)}" />'


def _alternate(url: str, *, language: str = "") -> str:
    # Two with the same type and language, or without one, are not allowed (RFC 4287, 4.2.7).
    written = f' hreflang="{_quoted(language)}"' if language else ""
    return f'<link rel="alternate" type="text/html"{written} href="{_quoted(url)}" />'


def _element(name: str, text: str, attributes: str = "") -> str:
    return f"<{name}{attributes}>{escape(text)}</{name}>" if text else f"<{name}{attributes} />"


def _quoted(text: str) -> str:
    """Return the value of an attribute, whose line ends and tabs a reader would otherwise take for spaces."""
    return escape(text, _IN_ATTRIBUTES)


def _as_utf8(markup: str) -> bytes:
    # XML cannot represent some characters, not even as references.
    return with_allowed_characters(markup).encode()


def json_feed_document(feed: Feed) -> bytes:
    """Return the feed as a JSON Feed document."""
    document = {
        "version": _JSON_FEED_VERSION,
        "title": feed.title,
        **({"description": feed.description} if feed.description else {}),
        **({"icon": icon} if (icon := feed.large_icon or feed.logo) else {}),
        **({"favicon": feed.icon} if feed.icon else {}),
        "home_page_url": feed.page_url,
        "feed_url": feed.url,
        "language": feed.language,
        "authors": [{"name": feed.publisher}],
        **({"hubs": [{"type": "WebSub", "url": feed.hub}]} if feed.hub else {}),
        **({"_blog_engine": {"licence": licence}} if (licence := get_settings().rights.licence) else {}),
        "items": [_item(entry) for entry in feed.entries],
    }
    return compact_json(document).encode()


def _item(entry: Entry) -> dict[str, Any]:
    content = {"content_text": entry.summary} if entry.html is None else {"content_html": entry.html}
    published = {"date_published": timestamp(entry.published)} if entry.published else {}
    return {
        "id": entry.id,
        "url": entry.url,
        "title": entry.title,
        "summary": entry.summary,
        **content,
        **published,
        "date_modified": timestamp(entry.updated),
        "authors": [{"name": name, "url": page} for name, page in entry.authors],
        **({"tags": [tag.name for tag in entry.tags]} if entry.tags else {}),
        **({"image": entry.cover.url} if entry.cover else {}),
        **({"language": entry.language} if entry.language else {}),
        "_blog_engine": _extension(entry),
    }


def _extension(entry: Entry) -> dict[str, Any]:
    """Return the values for which JSON Feed has no key."""
    paid = {"third_party_paid": True} if entry.paid_notice else {}
    category = {"category": entry.category.name} if entry.category else {}
    others = [{"language": one.language, "url": one.url} for one in entry.versions if one.url != entry.url]
    translations = {"translations": others} if others else {}
    cover = {"cover": said} if entry.cover and (said := _origin_of(entry.cover)) else {}
    return {"label": entry.label.value, **paid, **category, **cover, **translations}


def _origin_of(cover: Enclosure) -> dict[str, str]:
    said = {"credit": cover.credit, "digital_source_type": cover.source_type, "notice": cover.ai_notice}
    return {name: text for name, text in said.items() if text}


_FORMATS: Final[dict[FeedFormat, tuple[str, Callable[[Feed], bytes]]]] = {
    FeedFormat.ATOM: (_ATOM_TYPE, atom_document),
    FeedFormat.JSON: (_JSON_FEED_TYPE, json_feed_document),
}
