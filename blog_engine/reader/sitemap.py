"""The sitemap (sitemaps.org), in parts when it is large."""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from itertools import islice
from typing import Any
from xml.sax.saxutils import escape

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase

from blog_engine.blog_urls import BlogURLs
from blog_engine.conf import get_settings
from blog_engine.models.reading import page_changes_at
from blog_engine.queries.sitemap import SitemapPage, sitemap_changed_at, sitemap_pages, sitemap_parts
from blog_engine.reader.http import cacheable_response
from blog_engine.reader.view import ReaderView, queries_of

_NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"


class SitemapView(ReaderView):
    """The sitemap, or one of its numbered parts when a single document cannot hold it."""

    kept_queries = queries_of()

    def get(self, request: HttpRequest, *, number: str = "", **kwargs: Any) -> HttpResponseBase:
        if not get_settings().serve_sitemap:
            return self.fallback()
        # Read first, so that a change during the reading of the entries is sent next time.
        modified = sitemap_changed_at()
        parts = sitemap_parts(sitemap_pages(self.urls, now=self.now))
        document = _part(parts, int(number), urls=self.urls) if number else _sitemap(parts, urls=self.urls)
        if document is None:
            return self.fallback()
        response = HttpResponse(document, content_type="application/xml")
        if modified and modified > self.now:
            # After a clock was set back, changes lie in the future, which Last-Modified must not (RFC 9110, 8.8.2.1).
            modified = self.now
            page_changes_at(modified)
        return cacheable_response(request, response, modified=modified)


def _sitemap(parts: Iterator[tuple[SitemapPage, ...]], *, urls: BlogURLs) -> str:
    first = next(parts)
    changes = [_last_change(part) for part in parts]
    if not changes:
        return url_set(first, urls=urls)
    numbered = enumerate([_last_change(first), *changes], start=1)
    lines = (_line("sitemap", urls.absolute(urls.sitemap_path(number)), moment) for number, moment in numbered)
    return _document("sitemapindex", lines)


def _part(parts: Iterator[tuple[SitemapPage, ...]], number: int, *, urls: BlogURLs) -> str | None:
    """Return the part of this number; ``None`` if one document holds all entries."""
    wanted = next(islice(parts, number - 1, None), None)
    if wanted is None or (number == 1 and next(parts, None) is None):
        return None
    return url_set(wanted, urls=urls)


def url_set(entries: Iterable[SitemapPage], *, urls: BlogURLs) -> str:
    """Return the XML document that lists the entries."""
    return _document("urlset", (_line("url", urls.absolute(entry.path), entry.changed_at) for entry in entries))


def _last_change(part: Iterable[SitemapPage]) -> datetime | None:
    return max((entry.changed_at for entry in part if entry.changed_at), default=None)


def _document(root: str, lines: Iterable[str]) -> str:
    return "\n".join(
        ['<?xml version="1.0" encoding="UTF-8"?>', f'<{root} xmlns="{_NAMESPACE}">', *lines, f"</{root}>", ""]
    )


def _line(name: str, url: str, changed_at: datetime | None) -> str:
    return f"<{name}><loc>{escape(url)}</loc>{_last_modified(changed_at) if changed_at else ''}</{name}>"


def _last_modified(moment: datetime) -> str:
    # In UTC, since a cached document must not depend on the time zone of one visitor.
    return f"<lastmod>{moment.astimezone(UTC).isoformat(timespec='seconds')}</lastmod>"
