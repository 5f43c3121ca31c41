"""Feeds and sitemaps as their readers get them."""

import json
from typing import Any

import pytest
from django.test import override_settings

from blog_engine.surface_report.documents import FeedContent, read_atom, read_json_feed, sitemap_urls
from blog_engine.surface_report.observation import Observation, failed, not_verified
from tests.requirements import requirement
from tests.support.hosts import PLACES, at, blog_settings
from tests.surface_report.conftest import BASE, Staged, answer, asked, save, site

pytestmark = pytest.mark.django_db

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


@requirement("surface-report.t6")
def test_links_to_translations_are_no_entries() -> None:
    own, other = (f'<link hreflang="{tag}" href="https://example.com/{tag}"/>' for tag in ("en", "de"))
    inside = f"{own}{other}{AUTHOR}</entry>"

    assert read_atom(atom(HEAD, ENTRY[: ENTRY.index("<link")], inside)).links == {"urn:a", "https://example.com/en"}


def test_content_may_replace_a_link_and_a_source_an_author() -> None:
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


SITEMAP = "/blog/sitemap.xml"
NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"


def index(*urls: str) -> str:
    parts = "".join(f"<sitemap><loc>{url}</loc><lastmod>2026-11-21</lastmod></sitemap>" for url in urls)
    return f'<sitemapindex xmlns="{NAMESPACE}">{parts}</sitemapindex>'


def url_set(*urls: str) -> str:
    return f'<urlset xmlns="{NAMESPACE}">{"".join(f"<url><loc>{url}</loc></url>" for url in urls)}</urlset>'


@pytest.mark.parametrize("place", PLACES)
def test_the_pages_of_the_blog_are_listed_wherever_it_is_mounted(place: str) -> None:
    with at(place) as found:
        save(title="Soil", publish=True)

        listed = sitemap_urls(site())

    assert listed == {
        f"{BASE}{found.prefix}/": None,
        f"{BASE}{found.prefix}/soil": "2026-11-21T12:00:00+00:00",
    }


def test_the_parts_of_an_index_are_read_together() -> None:
    parts = [f"{BASE}/blog/sitemap-{number}.xml" for number in (1, 2)]
    staged: Staged = {SITEMAP: index(*parts), parts[0]: url_set("a", "b"), parts[1]: url_set("c")}

    assert sitemap_urls(site(staged)) == {"a": None, "b": None, "c": None}


def test_a_sitemap_is_fetched_and_read_once() -> None:
    place = site({SITEMAP: url_set("a")})

    assert sitemap_urls(place) is sitemap_urls(place)
    assert asked(place) == [f"{BASE}{SITEMAP}"]


@pytest.mark.parametrize(
    ("document", "listed"),
    [
        ("<urlset/>", {}),
        ("<urlset><url><loc> a </loc><lastmod>\n2026 </lastmod></url></urlset>", {"a": "2026"}),
        ("<urlset><url><loc>a</loc><lastmod> </lastmod><priority>1</priority></url></urlset>", {"a": None}),
        ("<urlset><url><lastmod>2026</lastmod></url><url><loc/></url><a><loc>b</loc></a><!-- c --></urlset>", {}),
        ("<urlset><url><loc>a&amp;b</loc></url></urlset>", {"a&b": None}),
    ],
)
def test_entries_are_read_as_written(document: str, listed: dict[str, str | None]) -> None:
    assert sitemap_urls(site({SITEMAP: document})) == listed


@requirement("surface-report.malformed-pages")
@pytest.mark.parametrize(
    "document",
    [
        *(
            "",
            "<",
            "<urlset>",
            "<urlset/><urlset/>",
            "\x00",
            "\ud800",
            "<html><p>Sorry.</html>",
            "<urlset>&nbsp;</urlset>",
        ),
        "<a>" * 100_000,
        '<!DOCTYPE urlset [<!ENTITY a "b">]><urlset><url><loc>&a;</loc></url></urlset>',
        '<?xml version="1.0" encoding="nobody-knows"?><urlset/>',
        '<?xml version="1.0" encoding="idna"?><urlset/>',
    ],
)
def test_what_is_no_xml_fails(document: str) -> None:
    staged: Staged = {SITEMAP: answer(document.encode("utf-8", "surrogatepass"))}

    assert sitemap_urls(site(staged)) == failed("The sitemap is not well-formed XML without a DOCTYPE.")


PART = f"{BASE}/blog/sitemap-1.xml"


@pytest.mark.parametrize(
    ("staged", "observation"),
    [
        ({SITEMAP: None}, not_verified("The sitemap could not be fetched.")),
        ({SITEMAP: answer(status=404)}, failed("The sitemap answered 404.")),
        ({SITEMAP: "<rss/>"}, failed("The sitemap is neither a urlset nor a sitemapindex.")),
        ({SITEMAP: index(PART), PART: answer(status=410)}, failed(f"The part {PART} of the sitemap answered 410.")),
        ({SITEMAP: index(PART), PART: None}, not_verified(f"The part {PART} of the sitemap could not be fetched.")),
        ({SITEMAP: index("nowhere")}, not_verified("The part nowhere of the sitemap could not be fetched.")),
        ({SITEMAP: index(PART), PART: index(PART)}, failed(f"The part {PART} of the sitemap is not a urlset.")),
        (
            {SITEMAP: index(PART), PART: "<"},
            failed(f"The part {PART} of the sitemap is not well-formed XML without a DOCTYPE."),
        ),
    ],
)
def test_what_keeps_it_from_being_read_is_reported(staged: Staged, observation: Observation) -> None:
    assert sitemap_urls(site(staged)) == observation


@override_settings(BLOG_ENGINE=blog_settings(serve_sitemap=False))
def test_a_blog_that_serves_none_has_none_to_look_at() -> None:
    assert sitemap_urls(site()) == not_verified("The blog serves no sitemap: serve_sitemap is off.")
    assert sitemap_urls(site({SITEMAP: url_set("a")})) == {"a": None}
