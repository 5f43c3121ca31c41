"""Feeds and sitemaps as their readers get them (RFC 4287; jsonfeed.org, version 1.1; sitemaps.org)."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple, NoReturn
from weakref import WeakKeyDictionary
from xml.etree.ElementTree import Element, ParseError, TreeBuilder, XMLParser

from blog_engine.surface_report.observation import Observation, failed, not_verified
from blog_engine.surface_report.page_facts import read_date
from blog_engine.surface_report.site import FetchedPage, Site

_ATOM: Final = "{http://www.w3.org/2005/Atom}"
_JSON_VERSION: Final = "https://jsonfeed.org/version/1.1"
_TIMESTAMP: Final = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]+)?(Z|[+-][0-9]{2}:[0-9]{2})", re.IGNORECASE
)
"""RFC 3339, which both formats require."""

SitemapURLs = Mapping[str, str | None]
"""The URLs in a sitemap, each with its ``lastmod`` as written, ``None`` when it is missing or blank."""

_READ: Final[WeakKeyDictionary[FetchedPage, SitemapURLs | Observation]] = WeakKeyDictionary()
"""What was read from a page, while a report keeps it: each article asks, and reading 50,000 entries takes a while."""


class FeedContent(NamedTuple):
    """The ids and links of the entries of a feed, and the faults that make it invalid."""

    links: frozenset[str] = frozenset()
    faults: tuple[str, ...] = ()


def parse_xml(source: bytes) -> Element | None:
    """Return the root of the document; ``None`` when it is not well-formed or has a DOCTYPE.

    No document of a blog needs one, and entities declared there can grow a few bytes to gigabytes.
    """
    parser = XMLParser(target=_WithoutDoctype())  # noqa: S314 - the target refuses what could be dangerous
    try:
        parser.feed(source)
        root: Element = parser.close()
    except (ParseError, ValueError, LookupError):
        # The last two come from encodings that Python does not know or expat cannot read.
        return None
    return root


class _WithoutDoctype(TreeBuilder):
    def doctype(self, name: str, public_id: str | None, system_id: str | None) -> NoReturn:
        raise ValueError("A document with a DOCTYPE is not read.")


def read_atom(body: bytes) -> FeedContent:
    """Read an Atom feed and check its required elements."""
    root = parse_xml(body)
    if root is None:
        return FeedContent(faults=("it is not well-formed XML without a DOCTYPE",))
    if root.tag != f"{_ATOM}feed":
        return FeedContent(faults=("its root is no feed of Atom",))
    entries = root.findall(f"{_ATOM}entry")
    faults = list(_faults_of_element(root, "the feed"))
    has_author = _has_author(root)
    for number, entry in enumerate(entries, start=1):
        faults += _faults_of_entry(entry, f"entry {number}", is_signed=has_author)
    ids = (_text_of(one) for entry in entries for one in entry.findall(f"{_ATOM}id"))
    return FeedContent(frozenset(ids).union(*map(_alternates, entries)), tuple(faults))


def read_json_feed(body: bytes) -> FeedContent:
    """Read a JSON Feed and check its required keys."""
    try:
        feed = json.loads(body.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return FeedContent(faults=("it is not JSON in UTF-8",))
    if not isinstance(feed, dict):
        return FeedContent(faults=("it is no JSON object",))
    faults = []
    if feed.get("version") != _JSON_VERSION:
        faults.append(f"its version is not {_JSON_VERSION}")
    if not _is_text(feed.get("title")):
        faults.append("it has no title")
    if not isinstance(feed.get("items"), list):
        return FeedContent(faults=(*faults, "it has no list of items"))
    for number, item in enumerate(feed["items"], start=1):
        faults += _faults_of_item(item, f"item {number}")
    items = [item for item in feed["items"] if isinstance(item, dict)]
    found = (item.get(key) for item in items for key in ("id", "url", "external_url"))
    return FeedContent(frozenset(value for value in found if isinstance(value, str)), tuple(faults))


def sitemap_urls(site: Site) -> SitemapURLs | Observation:
    """Return what the sitemap and its parts list, or the observation why it cannot be read."""
    page = site.open(site.urls.sitemap_path())
    if page.status not in (None, 200) and not site.settings.serve_sitemap:
        return not_verified("The blog serves no sitemap: serve_sitemap is off.")
    if page not in _READ:
        _READ[page] = _read_sitemap(page, "The sitemap", site=site)
    return _READ[page]


def _read_sitemap(page: FetchedPage, what: str, *, site: Site, is_part: bool = False) -> SitemapURLs | Observation:
    if not page.is_open:
        return page.unavailable(what)
    root = parse_xml(page.body)
    if root is None:
        return failed(f"{what} is not well-formed XML without a DOCTYPE.")
    if _local_name(root) == "urlset":
        return dict(_entries_of(root, "url"))
    if is_part or _local_name(root) != "sitemapindex":
        return failed(f"{what} is not a urlset." if is_part else f"{what} is neither a urlset nor a sitemapindex.")
    listed: dict[str, str | None] = {}
    for url, _ in _entries_of(root, "sitemap"):
        part = _read_sitemap(site.open(url), f"The part {url} of the sitemap", site=site, is_part=True)
        if isinstance(part, Observation):
            return part
        listed |= part
    return listed


def _entries_of(root: Element, name: str) -> Iterator[tuple[str, str | None]]:
    for entry in root:
        if _local_name(entry) == name:
            texts = {_local_name(child): _text_of(child) for child in entry}
            if texts.get("loc"):
                yield texts["loc"], texts.get("lastmod") or None


def _local_name(element: Element) -> str:
    """Return the name of an element without its namespace."""
    return element.tag.rpartition("}")[2]


def _faults_of_element(element: Element, what: str) -> Iterator[str]:
    for name in ("id", "title", "updated"):
        found = element.findall(_ATOM + name)
        if len(found) != 1:
            yield f"{what} has {len(found)} elements {name} and should have one"
        elif name == "id" and not _text_of(found[0]):
            yield f"the id of {what} is blank"
    for name in ("updated", "published"):
        if not all(_is_timestamp(_text_of(one)) for one in element.findall(_ATOM + name)):
            yield f"the date {name} of {what} is not a timestamp"


def _faults_of_entry(entry: Element, what: str, *, is_signed: bool) -> Iterator[str]:
    yield from _faults_of_element(entry, what)
    source = entry.find(f"{_ATOM}source")
    if not is_signed and not _has_author(entry) and (source is None or not _has_author(source)):
        yield f"{what} has no author, and neither has the feed"
    if entry.find(f"{_ATOM}content") is None and not list(_alternates(entry)):
        yield f"{what} has neither content nor a link to its page"


def _faults_of_item(item: Any, what: str) -> Iterator[str]:
    if not isinstance(item, dict):
        yield f"{what} is no object"
        return
    if not _is_text(item.get("id")):
        yield f"{what} has no id"
    if not any(isinstance(item.get(key), str) for key in ("content_html", "content_text")):
        yield f"{what} has no content"
    for key in ("date_published", "date_modified"):
        if key in item and not _is_timestamp(item[key]):
            yield f"{key} of {what} is not a timestamp"


def _is_timestamp(value: object) -> bool:
    # The pattern alone would let 31 February pass.
    return isinstance(value, str) and bool(_TIMESTAMP.fullmatch(value)) and read_date(value.upper()) is not None


def _alternates(entry: Element) -> Iterator[str]:
    links = [link for link in entry.findall(f"{_ATOM}link") if link.get("rel", "alternate") == "alternate"]
    # The links after the first one that have another language lead to translations, which are other posts.
    own = (link for link in links if link.get("hreflang") == links[0].get("hreflang"))
    return (href for link in own if (href := link.get("href", "").strip()))


def _has_author(element: Element) -> bool:
    return bool((element.findtext(f"{_ATOM}author[1]/{_ATOM}name") or "").strip())


def _text_of(element: Element) -> str:
    return (element.text or "").strip()


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())
