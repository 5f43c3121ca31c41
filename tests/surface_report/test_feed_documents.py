"""Which feeds are valid, and what they hold."""

import json
from typing import Any

import pytest

from blog_engine.surface_report.documents import FeedContent, read_atom, read_json_feed
from tests.requirements import requirement

ENTRY = (
    "<entry><id>urn:a</id><title>A</title><updated>2026-11-21T12:00:00Z</updated>"
    '<link href=" https://example.com/a "/><link rel="enclosure" href="/b"/></entry>'
)
HEAD = "<id>urn:feed</id><title>T</title><updated>2026-11-21T12:00:00.5+01:00</updated>"
AUTHOR = "<author><name>Ada</name></author>"
ITEM = {"id": "urn:a", "url": "https://example.com/a", "content_text": "", "date_published": "2026-11-21t12:00:00z"}


def atom(*parts: str) -> bytes:
    return f'<feed xmlns="http://www.w3.org/2005/Atom">{"".join(parts)}</feed>'.encode()


def json_feed(**changes: Any) -> bytes:
    feed = {"version": "https://jsonfeed.org/version/1.1", "title": "T", "items": [ITEM]} | changes
    return json.dumps({key: value for key, value in feed.items() if value is not ...}).encode()


def entry(old: str, new: str) -> bytes:
    assert old in ENTRY
    return atom(HEAD, AUTHOR, ENTRY.replace(old, new))


def item(**changes: Any) -> bytes:
    changed = ITEM | changes
    return json_feed(items=[{key: value for key, value in changed.items() if value is not ...}])


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(atom(HEAD, AUTHOR, ENTRY), id="one author for all"),
        pytest.param(atom(HEAD, ENTRY.replace("</entry>", AUTHOR + "</entry>")), id="an author of its own"),
    ],
)
def test_an_atom_feed_holds_the_ids_and_pages_of_its_entries(body: bytes) -> None:
    assert read_atom(body) == FeedContent(frozenset({"urn:a", "https://example.com/a"}))


def test_content_may_stand_for_a_link_and_a_source_for_an_author() -> None:
    inside = f'<content type="html"/><source>{AUTHOR}</source>'

    assert read_atom(atom(HEAD, ENTRY[: ENTRY.index("<link")], inside, "</entry>")).faults == ()


def test_a_feed_may_be_empty() -> None:
    assert (read_atom(atom(HEAD)), read_json_feed(json_feed(items=[]))) == (FeedContent(), FeedContent())


FAULTY_ATOM = {
    "nothing of its own": atom(ENTRY, AUTHOR),
    "all twice": atom(HEAD, HEAD, AUTHOR),
    "blank id": atom(HEAD.replace("urn:feed", " "), AUTHOR),
    "no time zone": atom(HEAD.replace(".5+01:00", ""), AUTHOR),
    "no such day": atom(HEAD.replace("2026-11-21", "2026-02-31"), AUTHOR),
    "no author": atom(HEAD, ENTRY),
    "no name": atom(HEAD, "<author/>", ENTRY),
    "entry without id": entry("<id>urn:a</id>", ""),
    "entry without title": entry("<title>A</title>", ""),
    "entry without change": entry("<updated>2026-11-21T12:00:00Z</updated>", ""),
    "entry of yesterday": entry("<title>A</title>", "<title>A</title><published>yesterday</published>"),
    "entry without page": entry('<link href=" https://example.com/a "/>', ""),
    "namespace": atom(HEAD).replace(b"2005/Atom", b"2006/Atom"),
    "root": atom(HEAD).replace(b"feed", b"seed"),
    "doctype": b"<!DOCTYPE feed>" + atom(HEAD),
    "not closed": atom(HEAD)[:-1],
    "entity": atom(HEAD, "&nbsp;"),
    "empty": b"",
    "bytes": b"\x00\xff",
    "deep": b"<a>" * 100_000,
}


@requirement("surface-report.t6", "surface-report.malformed-pages")
@pytest.mark.parametrize("body", FAULTY_ATOM.values(), ids=FAULTY_ATOM)
def test_an_atom_feed_without_what_it_must_have_is_not_valid(body: bytes) -> None:
    assert read_atom(body).faults


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_a_json_feed_holds_the_ids_and_pages_of_its_items(mark: bytes) -> None:
    assert read_json_feed(mark + json_feed()) == FeedContent(frozenset({"urn:a", "https://example.com/a"}))


FAULTY_JSON = {
    "no version": json_feed(version=...),
    "other version": json_feed(version="https://jsonfeed.org/version/2"),
    "no title": json_feed(title=...),
    "blank title": json_feed(title=" "),
    "no items": json_feed(items=...),
    "no list": json_feed(items={}),
    "items of other types": json_feed(items=[None, 1, [], "a"]),
    "item without id": item(id=...),
    "item with a number": item(id=1),
    "item with a blank id": item(id=""),
    "item without content": item(content_text=...),
    "item with null": item(content_text=None),
    "item of a day": item(date_published="2026-11-21"),
    "item changed never": item(date_modified=None),
    "item of no such hour": item(date_modified="2026-11-21T25:00:00Z"),
    "empty": b"",
    "list": b"[]",
    "null": b"null",
    "not closed": b"{",
    "no UTF-8": b"\xff",
    "deep": b"[" * 100_000,
    "large number": b'{"items": ' + b"9" * 5_000 + b"}",
}


@requirement("surface-report.t6", "surface-report.malformed-pages")
@pytest.mark.parametrize("body", FAULTY_JSON.values(), ids=FAULTY_JSON)
def test_a_json_feed_without_what_it_must_have_is_not_valid(body: bytes) -> None:
    assert read_json_feed(body).faults
