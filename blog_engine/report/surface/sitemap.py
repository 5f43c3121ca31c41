"""The sitemap as search engines get it (reader.md 8; sitemaps.org)."""

from collections.abc import Iterator, Mapping
from typing import Final
from weakref import WeakKeyDictionary
from xml.etree.ElementTree import Element

from blog_engine.report.surface.observation import Observation, failed, not_verified
from blog_engine.report.surface.site import Page, Site
from blog_engine.report.surface.xml_document import local_name, parse_xml

Listed = Mapping[str, str | None]
"""The URLs that a sitemap lists, each with its ``lastmod`` as it is written there, if it has one that is not blank."""

_READ: Final[WeakKeyDictionary[Page, Listed | Observation]] = WeakKeyDictionary()
"""What was read from a page, for as long as a report keeps it: each article asks, and 50,000 entries take a while."""


def listed_pages(site: Site) -> Listed | Observation:
    """What the sitemap lists, that of all its parts when it is an index of parts.

    Else what keeps it from being read: it cannot be fetched, answers another status or is no sitemap.
    """
    page = site.open(site.urls.sitemap_path())
    if page.status not in (None, 200) and not site.settings.serve_sitemap:
        return not_verified("The blog serves no sitemap: serve_sitemap is off.")
    if page not in _READ:
        _READ[page] = _listed_on(page, site=site)
    return _READ[page]


def _listed_on(page: Page, *, site: Site) -> Listed | Observation:
    root = _root_of(page, "The sitemap")
    if isinstance(root, Observation):
        return root
    if local_name(root) == "urlset":
        return dict(_entries_of(root, "url"))
    if local_name(root) != "sitemapindex":
        return failed("The sitemap is neither a urlset nor a sitemapindex.")
    listed: dict[str, str | None] = {}
    for url, _ in _entries_of(root, "sitemap"):
        part = _root_of(site.open(url), f"The part {url} of the sitemap")
        if isinstance(part, Observation):
            return part
        if local_name(part) != "urlset":
            return failed(f"The part {url} of the sitemap is not a urlset.")
        listed |= _entries_of(part, "url")
    return listed


def _root_of(page: Page, what: str) -> Element | Observation:
    if not page.is_open:
        return page.unavailable(what)
    root = parse_xml(page.body)
    return failed(f"{what} is not well-formed XML without a DOCTYPE.") if root is None else root


def _entries_of(root: Element, name: str) -> Iterator[tuple[str, str | None]]:
    for entry in root:
        if local_name(entry) == name:
            texts = {local_name(child): (child.text or "").strip() for child in entry}
            if texts.get("loc"):
                yield texts["loc"], texts.get("lastmod") or None
