"""The sitemap (sitemaps.org), in parts when it is large."""

from collections.abc import Iterable
from typing import Any, Final
from xml.sax.saxutils import escape, quoteattr

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase

from blog_engine.blog_urls import BlogURLs
from blog_engine.conf import get_settings
from blog_engine.models.reading import page_changes_at
from blog_engine.queries.sitemap import Sitemap, SitemapPage, written_in_utc
from blog_engine.reader.http import cacheable_response
from blog_engine.reader.page import alternates_of
from blog_engine.reader.view import ReaderView, queries_of

LARGEST_DOCUMENT: Final = 50 * 1024 * 1024
"""The limit of the sitemap protocol, in bytes. Entries that would exceed it have no links to their versions."""

_NAMESPACE: Final = "http://www.sitemaps.org/schemas/sitemap/0.9"
_XHTML: Final = ' xmlns:xhtml="http://www.w3.org/1999/xhtml"'
_END: Final = "</url>"


class SitemapView(ReaderView):
    """The sitemap, or one of its numbered parts when a single document cannot hold it."""

    kept_queries = queries_of()

    def get(self, request: HttpRequest, *, number: str = "", **kwargs: Any) -> HttpResponseBase:
        if not get_settings().serve_sitemap:
            return self.fallback()
        sitemap = Sitemap(self.urls, now=self.now)
        modified = sitemap.changed_at()
        document = _part(sitemap, int(number), urls=self.urls) if number else _whole(sitemap, urls=self.urls)
        if document is None:
            return self.fallback()
        response = HttpResponse(document, content_type="application/xml")
        if modified and modified > self.now:
            # After a clock was set back, changes lie in the future, which Last-Modified must not (RFC 9110, 8.8.2.1).
            modified = self.now
            page_changes_at(modified)
        return cacheable_response(request, response, modified=modified)


def _whole(sitemap: Sitemap, *, urls: BlogURLs) -> str:
    """Return the only document, or the index of the parts."""
    if sitemap.parts == 1:
        return url_set(sitemap.entries(), urls=urls)
    numbered = enumerate(sitemap.changes(), start=1)
    lines = (
        f"<sitemap><loc>{escape(urls.absolute(urls.sitemap_path(number)))}</loc>"
        f"{_last_modified(written_in_utc(moment)) if moment else ''}</sitemap>"
        for number, moment in numbered
    )
    return _document("sitemapindex", lines)


def _part(sitemap: Sitemap, number: int, *, urls: BlogURLs) -> str | None:
    """Return the part of this number; ``None`` if there is none, or one document holds all entries."""
    if number > (parts := sitemap.parts) or parts == 1:
        return None
    return url_set(sitemap.part(number), urls=urls)


def url_set(entries: Iterable[SitemapPage], *, urls: BlogURLs) -> str:
    """Return the XML document that lists the entries."""
    origin = escape(urls.origin)
    found = list(entries)
    # Thousands of pages: each step is one for all of them.
    paths = escape("\n".join([entry.path for entry in found])).split("\n")
    lines = [
        f"<url><loc>{origin}{path}</loc>{_last_modified(entry.changed) if entry.changed else ''}{_END}"
        for path, entry in zip(paths, found, strict=True)
    ]
    translated = [number for number, entry in enumerate(found) if entry.versions]
    if not translated:
        return _document("urlset", lines)
    left = LARGEST_DOCUMENT - len(_document("urlset", lines, more=_XHTML).encode())
    for number in translated:
        links = _links(found[number], urls=urls)
        left -= len(links.encode())
        if left < 0:
            break
        lines[number] = f"{lines[number].removesuffix(_END)}{links}{_END}"
    return _document("urlset", lines, more=_XHTML)


def _links(entry: SitemapPage, *, urls: BlogURLs) -> str:
    """Return the links to the versions of a post, as the head of its page has them."""
    own, *others = entry.versions
    alternates = alternates_of(own, tuple(others), urls=urls)
    written = ((quoteattr(one.language), quoteattr(one.url)) for one in alternates)
    return "".join(f'<xhtml:link rel="alternate" hreflang={language} href={url}/>' for language, url in written)


def _document(root: str, lines: Iterable[str], *, more: str = "") -> str:
    head = f'<{root} xmlns="{_NAMESPACE}"{more}>'
    return "\n".join(['<?xml version="1.0" encoding="UTF-8"?>', head, *lines, f"</{root}>", ""])


def _last_modified(changed: str) -> str:
    # In UTC, since a cached document must not depend on the time zone of one visitor; to the second.
    return f"<lastmod>{changed[:10]}T{changed[11:19]}+00:00</lastmod>"
