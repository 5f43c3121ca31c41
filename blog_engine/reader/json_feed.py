"""A feed as JSON Feed 1.1 (jsonfeed.org; reader.md 7.2, decisions.md 9.23)."""

from typing import Any, Final

from blog_engine.content.text import compact_json
from blog_engine.reader.syndication import Entry, Feed, timestamp

JSON_FEED_TYPE: Final = "application/feed+json"

_VERSION: Final = "https://jsonfeed.org/version/1.1"


def json_feed_document(feed: Feed) -> bytes:
    """The feed as a JSON document."""
    document = {
        "version": _VERSION,
        "title": feed.title,
        "home_page_url": feed.page_url,
        "feed_url": feed.url,
        "language": feed.language,
        "authors": [{"name": feed.publisher}],
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
        "authors": [{"name": entry.author_name, "url": entry.author_url}],
        **({"tags": [tag.name for tag in entry.tags]} if entry.tags else {}),
        **({"image": entry.cover.url} if entry.cover else {}),
        "_blog_engine": _extension(entry),
    }


def _extension(entry: Entry) -> dict[str, Any]:
    """Return what JSON Feed has no key for."""
    paid = {"third_party_paid": True} if entry.paid_notice else {}
    category = {"category": entry.category.name} if entry.category else {}
    return {"label": entry.label.value, **paid, **category}
