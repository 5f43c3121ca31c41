"""A feed as Atom (RFC 4287; reader.md 7.1, decisions.md 9.23)."""

from typing import Final
from xml.etree.ElementTree import Element, SubElement, tostring

from blog_engine.content.text import with_allowed_characters
from blog_engine.reader.syndication import Entry, Feed, timestamp

ATOM_TYPE: Final = "application/atom+xml"
CATEGORY_SCHEME: Final = "urn:blog-engine:category"
LABEL_SCHEME: Final = "urn:blog-engine:label"
PAID_SCHEME: Final = "urn:blog-engine:paid"


def atom_document(feed: Feed) -> bytes:
    """The feed as an XML document, well-formed whatever the texts hold."""
    root = Element("feed", {"xmlns": "http://www.w3.org/2005/Atom", "xml:lang": feed.language})
    _add(root, "id", feed.url)
    _add(root, "title", feed.title)
    _add(root, "updated", timestamp(feed.updated))
    _add(SubElement(root, "author"), "name", feed.publisher)
    _add(root, "link", rel="self", type=ATOM_TYPE, href=feed.url)
    _add(root, "link", rel="alternate", type="text/html", href=feed.page_url)
    for entry in feed.entries:
        _add_entry(root, entry)
    document: bytes = tostring(root, encoding="utf-8", xml_declaration=True)
    return document


def _add_entry(root: Element, entry: Entry) -> None:
    parent = SubElement(root, "entry")
    _add(parent, "id", entry.id)
    _add(parent, "title", entry.title)
    _add(parent, "link", rel="alternate", type="text/html", href=entry.url)
    if entry.cover:
        cover = entry.cover
        _add(parent, "link", rel="enclosure", type=cover.content_type, length=str(cover.length), href=cover.url)
    if entry.published:
        _add(parent, "published", timestamp(entry.published))
    _add(parent, "updated", timestamp(entry.updated))
    author = SubElement(parent, "author")
    _add(author, "name", entry.author_name)
    _add(author, "uri", entry.author_url)
    if entry.category:
        _add(parent, "category", scheme=CATEGORY_SCHEME, term=entry.category.slug, label=entry.category.name)
    for tag in entry.tags:
        _add(parent, "category", term=tag.slug, label=tag.name)
    # ``label`` is what feed readers show: the notice of a summary, whose text is the description and nothing else.
    if entry.ai_notice:
        _add(parent, "category", scheme=LABEL_SCHEME, term=entry.label.value, label=entry.ai_notice)
    if entry.paid_notice:
        _add(parent, "category", scheme=PAID_SCHEME, term="third_party_paid", label=entry.paid_notice)
    if entry.html is None:
        _add(parent, "summary", entry.summary, type="text")
    else:
        _add(parent, "content", entry.html, type="html")


def _add(parent: Element, name: str, text: str = "", **attributes: str) -> None:
    # Some characters XML has no way to write, not even as a reference.
    written = {key: with_allowed_characters(value) for key, value in attributes.items()}
    SubElement(parent, name, written).text = with_allowed_characters(text) or None
