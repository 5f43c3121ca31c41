"""Feeds in JSON Feed 1.1."""

from blog_engine.enums import Label
from blog_engine.queries.feeds import FeedCategory
from blog_engine.reader.feeds import Enclosure, json_feed_document
from tests.reader.test_feeds_atom import EVERYTHING, make_entry, make_feed
from tests.requirements import requirement
from tests.support.pages import valid_json_feed

HEAD = {
    "version": "https://jsonfeed.org/version/1.1",
    "title": "Journal",
    "home_page_url": "https://example.com/blog/",
    "feed_url": "https://example.com/blog/feed.xml",
    "language": "pt-br",
    "authors": [{"name": "Press"}],
}
ITEM = {
    "id": "tag:example.com,2026-11-21:post:1",
    "url": "https://example.com/blog/soil",
    "title": "Soil",
    "summary": "All about it.",
    "date_published": "2026-11-21T12:00:00Z",
    "date_modified": "2026-11-21T12:00:00Z",
    "authors": [{"name": "Ada", "url": "https://example.com/blog/author/ada"}],
    "_blog_engine": {"label": "none"},
}


@requirement("feeds.json")
def test_an_empty_feed_is_a_feed() -> None:
    assert valid_json_feed(json_feed_document(make_feed())) == HEAD | {"items": []}


@requirement("feeds.json")
def test_the_whole_feed() -> None:
    found = valid_json_feed(json_feed_document(make_feed(make_entry())))

    assert found == HEAD | {"items": [ITEM | {"content_text": "All about it."}]}


@requirement("feeds.full-content")
def test_a_full_entry_has_its_content_as_html_only() -> None:
    found = valid_json_feed(json_feed_document(make_feed(make_entry(html="<p>1 &lt; 2</p>"))))

    assert found["items"] == [ITEM | {"content_html": "<p>1 &lt; 2</p>"}]


@requirement("feeds.label")
def test_an_entry_has_its_label_and_notices() -> None:
    entry = make_entry(label=Label.AI_ASSISTED, ai_notice="AI helped.", paid_notice="Paid.", published=None)

    (item,) = valid_json_feed(json_feed_document(make_feed(entry)))["items"]

    assert item["_blog_engine"] == {"label": "ai_assisted", "third_party_paid": True}
    assert "tags" not in item
    assert "date_published" not in item


@requirement("feeds.terms")
def test_an_entry_names_its_category_tags_and_cover() -> None:
    entry = make_entry(
        category=FeedCategory("garden", "Garden"),
        tags=(FeedCategory("c-plus-plus", "C++"), FeedCategory("roots", "Roots")),
        cover=Enclosure("https://example.com/blog/media/0/quay.png", "image/png", 1234),
    )

    (item,) = valid_json_feed(json_feed_document(make_feed(entry)))["items"]

    assert (item["tags"], item["image"]) == (["C++", "Roots"], "https://example.com/blog/media/0/quay.png")
    assert item["_blog_engine"] == {"label": "none", "category": "Garden"}


def test_any_text_survives() -> None:
    entry = make_entry(title=EVERYTHING, summary=EVERYTHING)

    (item,) = valid_json_feed(json_feed_document(make_feed(entry)))["items"]

    assert (item["title"], item["summary"], item["content_text"]) == (EVERYTHING,) * 3
