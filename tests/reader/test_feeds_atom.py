"""Feeds in Atom."""

from datetime import UTC, datetime
from typing import Any

import pytest
from lxml import etree

from blog_engine.enums import Label
from blog_engine.queries.feeds import FeedCategory
from blog_engine.reader.feeds import Enclosure, Entry, Feed, atom_document
from tests.requirements import requirement
from tests.support.pages import ATOM, plain, valid_atom

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
EVERYTHING = "".join(map(chr, [*range(1, 0xD800), *range(0xE000, 0x10000), 0x10000, 0x10FFFF]))


def make_entry(**fields: Any) -> Entry:
    values: dict[str, Any] = {
        "id": "tag:example.com,2026-11-21:post:1",
        "url": "https://example.com/blog/soil",
        "title": "Soil",
        "authors": (("Ada", "https://example.com/blog/author/ada"),),
        "published": NOON,
        "updated": NOON,
        "summary": "All about it.",
        "html": None,
        "label": Label.NONE,
        "ai_notice": None,
        "paid_notice": None,
        "category": None,
        "tags": (),
        "cover": None,
    }
    return Entry(**values | fields)


def make_feed(*entries: Entry, **fields: Any) -> Feed:
    values: dict[str, Any] = {
        "url": "https://example.com/blog/feed.xml",
        "page_url": "https://example.com/blog/",
        "title": "Journal",
        "publisher": "Press",
        "language": "pt-br",
        "updated": NOON,
        "entries": entries,
    }
    return Feed(**values | fields)


@requirement("feeds.atom")
def test_an_empty_feed_is_a_feed() -> None:
    root = valid_atom(atom_document(make_feed()))

    assert root.attrib == {"{http://www.w3.org/XML/1998/namespace}lang": "pt-br"}
    assert [plain(child) for child in root] == [
        ["id", "https://example.com/blog/feed.xml"],
        ["title", "Journal"],
        ["updated", "2026-11-21T12:00:00Z"],
        ["author", [["name", "Press"]]],
        ["link", {"rel": "self", "type": "application/atom+xml", "href": "https://example.com/blog/feed.xml"}, None],
        ["link", {"rel": "alternate", "type": "text/html", "href": "https://example.com/blog/"}, None],
    ]


@requirement("feeds.atom", "feeds.label")
def test_the_whole_entry() -> None:
    entry = make_entry(label=Label.AI_ASSISTED, ai_notice="AI helped.", paid_notice="Paid.")

    found = valid_atom(atom_document(make_feed(entry))).find(f"{ATOM}entry")

    assert [plain(child) for child in found] == [
        ["id", "tag:example.com,2026-11-21:post:1"],
        ["title", "Soil"],
        ["link", {"rel": "alternate", "type": "text/html", "href": "https://example.com/blog/soil"}, None],
        ["published", "2026-11-21T12:00:00Z"],
        ["updated", "2026-11-21T12:00:00Z"],
        ["author", [["name", "Ada"], ["uri", "https://example.com/blog/author/ada"]]],
        ["category", {"scheme": "urn:blog-engine:label", "term": "ai_assisted", "label": "AI helped."}, None],
        ["category", {"scheme": "urn:blog-engine:paid", "term": "third_party_paid", "label": "Paid."}, None],
        ["summary", {"type": "text"}, "All about it."],
    ]


@requirement("feeds.terms")
def test_an_entry_names_its_category_tags_and_cover() -> None:
    entry = make_entry(
        label=Label.AI_ASSISTED,
        ai_notice="AI helped.",
        category=FeedCategory("garden", "Garden"),
        tags=(FeedCategory("c-plus-plus", "C++"), FeedCategory("roots", "Roots")),
        cover=Enclosure("https://example.com/blog/media/0/quay.png", "image/png", 1234),
    )

    found = valid_atom(atom_document(make_feed(entry))).find(f"{ATOM}entry")

    assert [dict(one.attrib) for one in found.findall(f"{ATOM}category")] == [
        {"scheme": "urn:blog-engine:category", "term": "garden", "label": "Garden"},
        {"term": "c-plus-plus", "label": "C++"},
        {"term": "roots", "label": "Roots"},
        {"scheme": "urn:blog-engine:label", "term": "ai_assisted", "label": "AI helped."},
    ]
    assert [dict(one.attrib) for one in found.findall(f"{ATOM}link")][1:] == [
        {
            "rel": "enclosure",
            "type": "image/png",
            "length": "1234",
            "href": "https://example.com/blog/media/0/quay.png",
        }
    ]


@requirement("feeds.full-content", "feeds.label")
def test_a_full_entry_has_its_content_and_no_summary() -> None:
    document = atom_document(make_feed(make_entry(html="<p>1 &lt; 2</p>", published=None)))

    found = valid_atom(document).find(f"{ATOM}entry")

    assert [plain(child) for child in found][-1] == ["content", {"type": "html"}, "<p>1 &lt; 2</p>"]
    assert {etree.QName(child).localname for child in found} == {
        *("id", "title", "link", "updated", "author", "content")
    }


@requirement("feeds.atom")
@pytest.mark.parametrize("html", [None, EVERYTHING])
def test_any_text_makes_a_well_formed_document(html: str | None) -> None:
    entry = make_entry(
        title=EVERYTHING,
        summary=EVERYTHING,
        html=html,
        authors=((EVERYTHING, "https://example.com/blog/author/ada"),),
        label=Label.AI_UNKNOWN,
        ai_notice=EVERYTHING,
        paid_notice=EVERYTHING,
    )

    root = valid_atom(atom_document(make_feed(entry, title=EVERYTHING, publisher=EVERYTHING)))

    for text in (root.findtext(f"{ATOM}title"), root.findtext(f"{ATOM}entry/{ATOM}title")):
        assert not {"\x01", "\x1f", "\ufffe", "\uffff"} & set(text)
        assert {"\t", "<", "&", "]", "\ufffd", "\U0010ffff"} <= set(text)


@pytest.mark.parametrize(
    ("moment", "written"),
    [
        (datetime.fromisoformat("2026-11-21T01:30:00.999999+02:00"), "2026-11-20T23:30:00Z"),
        (datetime(987, 1, 2, 3, 4, 5, tzinfo=UTC), "0987-01-02T03:04:05Z"),
    ],
)
def test_times_are_in_utc_to_the_second(moment: datetime, written: str) -> None:
    root = valid_atom(atom_document(make_feed(updated=moment)))

    assert root.findtext(f"{ATOM}updated") == written


@requirement("feeds.atom")
def test_texts_are_escaped_in_elements_and_attributes() -> None:
    text = "<a> & \"b\" 'c'\t\r\n\x85"
    cover = Enclosure(text, text, 9)
    category = FeedCategory(text, text)

    written = atom_document(make_feed(make_entry(title=text, category=category, cover=cover, html=text))).decode()

    plain_text = "&lt;a&gt; &amp; \"b\" 'c'\t\r\n "
    quoted = "&lt;a&gt; &amp; &quot;b&quot; 'c'&#09;&#13;&#10; "
    assert f"<title>{plain_text}</title>" in written
    assert f'<content type="html">{plain_text}</content>' in written
    assert f'<link rel="enclosure" type="{quoted}" length="9" href="{quoted}" />' in written
    assert f'<category scheme="urn:blog-engine:category" term="{quoted}" label="{quoted}" />' in written


@requirement("feeds.atom")
def test_an_empty_text_is_an_empty_element() -> None:
    written = atom_document(make_feed(make_entry(title="", html=""))).decode()

    assert "<title /><link " in written
    assert '<content type="html" /></entry></feed>' in written
