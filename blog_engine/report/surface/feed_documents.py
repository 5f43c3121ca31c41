"""Feeds as feed readers get them: whether they are valid, and what they hold (RFC 4287; jsonfeed.org, version 1.1)."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final
from xml.etree.ElementTree import Element

from blog_engine.report.surface.dates import read_date
from blog_engine.report.surface.xml_document import parse_xml

_ATOM: Final = "{http://www.w3.org/2005/Atom}"
_JSON_VERSION: Final = "https://jsonfeed.org/version/1.1"
_TIMESTAMP: Final = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]+)?(Z|[+-][0-9]{2}:[0-9]{2})", re.IGNORECASE
)
"""As RFC 3339 writes it, which both formats ask for."""


@dataclass(frozen=True, slots=True)
class FeedDocument:
    """What a feed holds: ``addresses`` are the ids and links of its entries; ``faults`` keep it from being valid."""

    addresses: frozenset[str] = frozenset()
    faults: tuple[str, ...] = ()


def read_atom(body: bytes) -> FeedDocument:
    """An Atom feed: its required elements, and those of its entries."""
    root = parse_xml(body)
    if root is None:
        return FeedDocument(faults=("it is not well-formed XML without a DOCTYPE",))
    if root.tag != f"{_ATOM}feed":
        return FeedDocument(faults=("its root is no feed of Atom",))
    entries = root.findall(f"{_ATOM}entry")
    faults = list(_faults_of_element(root, "the feed"))
    has_author = _has_author(root)
    for number, entry in enumerate(entries, start=1):
        faults += _faults_of_entry(entry, f"entry {number}", is_signed=has_author)
    return FeedDocument(frozenset(address for entry in entries for address in _addresses_of(entry)), tuple(faults))


def read_json_feed(body: bytes) -> FeedDocument:
    """A JSON Feed: its required keys, and those of its items."""
    try:
        feed = json.loads(body.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return FeedDocument(faults=("it is not JSON in UTF-8",))
    if not isinstance(feed, dict):
        return FeedDocument(faults=("it is no JSON object",))
    faults = []
    if feed.get("version") != _JSON_VERSION:
        faults.append(f"its version is not {_JSON_VERSION}")
    if not _is_text(feed.get("title")):
        faults.append("it has no title")
    if not isinstance(feed.get("items"), list):
        return FeedDocument(faults=(*faults, "it has no list of items"))
    for number, item in enumerate(feed["items"], start=1):
        faults += _faults_of_item(item, f"item {number}")
    items = [item for item in feed["items"] if isinstance(item, dict)]
    found = (item.get(key) for item in items for key in ("id", "url", "external_url"))
    return FeedDocument(frozenset(value for value in found if isinstance(value, str)), tuple(faults))


def _faults_of_element(element: Element, what: str) -> Iterator[str]:
    """Id, title and date of change stand once in each feed and entry."""
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
    # The shape alone would let the 31st of February pass.
    return isinstance(value, str) and bool(_TIMESTAMP.fullmatch(value)) and read_date(value.upper()) is not None


def _addresses_of(entry: Element) -> Iterator[str]:
    yield from (_text_of(one) for one in entry.findall(f"{_ATOM}id"))
    yield from _alternates(entry)


def _alternates(entry: Element) -> Iterator[str]:
    for link in entry.findall(f"{_ATOM}link"):
        if link.get("rel", "alternate") == "alternate" and link.get("href", "").strip():
            yield link.get("href", "").strip()


def _has_author(element: Element) -> bool:
    author = element.find(f"{_ATOM}author")
    name = None if author is None else author.find(f"{_ATOM}name")
    return name is not None and bool(_text_of(name))


def _text_of(element: Element) -> str:
    return (element.text or "").strip()


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())
