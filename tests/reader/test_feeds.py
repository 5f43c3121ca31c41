"""The feeds of the blog and of its lists."""

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.db import connection
from django.test import override_settings
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from blog_engine.models import Author, Category, Post
from tests.reader.conftest import count_queries
from tests.reader.test_feeds_atom import EVERYTHING
from tests.requirements import requirement
from tests.support.blogs import publish_crowd
from tests.support.factories import LATER, NOW, approve, declare, save, store_image, unpublish, update
from tests.support.hosts import Place, blog_settings
from tests.support.images import plain
from tests.support.pages import ATOM, Visitor, atom_at, json_at, slugs_at, valid_atom, valid_json_feed
from tests.support.tables import insert_redirect, undone

RECORDS = {
    "category": ("/category/garden", "Garden"),
    "tag": ("/tag/roots", "roots"),
    "author": ("/author/ada-example", "Ada Example"),
    "series": ("/series/ground", "Ground"),
}
FEEDS = ["/feed", *(f"{page}/feed" for page, _ in RECORDS.values())]
DOCUMENTS = [f"{feed}.{suffix}" for feed in FEEDS for suffix in ("xml", "json")]


def make_post(title: str = "Soil", **fields: Any) -> Post:
    fields = {"category": "Garden", "tags": ["roots"], "series": "Ground", "provenance": "human_written"} | fields
    return save(title=title, publish=True, **fields).post


@requirement("feeds.routes", "feeds.cache")
@pytest.mark.parametrize(
    ("path", "content_type"), [("/feed.xml", "application/atom+xml"), ("/feed.json", "application/feed+json")]
)
def test_the_blog_has_two_feeds_without_any_post(visitor: Visitor, path: str, content_type: str) -> None:
    response = visitor.get(path, accept="text/html")

    assert response.status_code == 200
    assert response["Content-Type"] == f"{content_type}; charset=utf-8"
    assert response["Cache-Control"] == "max-age=3600, public"
    assert {"Cookie", "Authorization"} <= set(response["Vary"].split(", "))
    assert "Last-Modified" in response


@requirement("feeds.routes", "feeds.records", "feeds.ids")
def test_every_record_has_two_feeds_of_its_posts(visitor: Visitor, subtests: pytest.Subtests) -> None:
    for kind in RECORDS:
        with subtests.test(kind=kind), undone():
            page, name = RECORDS[kind]
            post = make_post("Soil")
            make_post("Stone", category="Attic", tags=["dust"], series="Sky", author={"name": "Somebody"})

            atom, feed = atom_at(visitor, f"{page}/feed.xml"), json_at(visitor, f"{page}/feed.json")

            url = f"https://example.com/blog{page}"
            assert (atom.findtext(f"{ATOM}title"), atom.findtext(f"{ATOM}id")) == (name, f"{url}/feed.xml")
            assert {link.get("rel"): link.get("href") for link in atom.findall(f"{ATOM}link")} == {
                "self": f"{url}/feed.xml",
                "alternate": url,
            }
            assert (feed["title"], feed["home_page_url"], feed["feed_url"]) == (name, url, f"{url}/feed.json")
            ids = [f"tag:example.com,2026-11-21:post:{post.pk}"]
            assert [entry.findtext(f"{ATOM}id") for entry in atom.findall(f"{ATOM}entry")] == ids
            assert [item["id"] for item in feed["items"]] == ids


@requirement("host.url-names")
@pytest.mark.parametrize("format", ["atom", "json"])
def test_feeds_have_names(format: str) -> None:
    suffix = {"atom": "xml", "json": "json"}[format]

    assert reverse(f"blog_engine:feed_{format}") == f"/blog/feed.{suffix}"
    for kind, (page, _) in RECORDS.items():
        slug = page.rpartition("/")[2]
        assert reverse(f"blog_engine:{kind}_feed_{format}", args=[slug]) == f"/blog{page}/feed.{suffix}"


@requirement("feeds.ids")
def test_the_feed_of_the_blog_is_about_its_index(visitor: Visitor) -> None:
    with override_settings(BLOG_ENGINE=blog_settings(blog_title="Notes", locale="pt_BR")):
        atom, feed = atom_at(visitor), json_at(visitor)

    url = "https://example.com/blog/"
    assert (atom.findtext(f"{ATOM}title"), atom.findtext(f"{ATOM}id")) == ("Notes", f"{url}feed.xml")
    assert [link.get("href") for link in atom.findall(f"{ATOM}link")] == [f"{url}feed.xml", url]
    assert feed == {
        "version": "https://jsonfeed.org/version/1.1",
        "title": "Notes",
        "home_page_url": url,
        "feed_url": f"{url}feed.json",
        "language": "pt-BR",
        "authors": [{"name": "Example Press"}],
        "items": [],
    }


@requirement("feeds.json", "feeds.summary", "feeds.dates")
def test_an_entry_describes_its_post(visitor: Visitor) -> None:
    post = make_post(description="All about it.", canonical_url="https://first.example/soil")
    update(post, body="New.", change="substantive")

    (item,) = json_at(visitor)["items"]

    assert item == {
        "id": f"tag:example.com,2026-11-21:post:{post.pk}",
        "url": "https://example.com/blog/soil",
        "title": "Soil",
        "summary": "All about it.",
        "content_text": "All about it.",
        "date_published": "2026-11-21T12:00:00Z",
        "date_modified": "2026-11-21T13:00:00Z",
        "authors": [{"name": "Ada Example", "url": "https://example.com/blog/author/ada-example"}],
        "tags": ["roots"],
        "_blog_engine": {"label": "none", "category": "Garden"},
    }
    assert atom_at(visitor).findtext(f"{ATOM}updated") == "2026-11-21T13:00:00Z"


@requirement("feeds.size")
@pytest.mark.parametrize("path", ["/feed.json", "/series/ground/feed.json"])
def test_feeds_have_the_newest_posts_and_no_more_than_asked_for(visitor: Visitor, path: str) -> None:
    for number in (1, 2, 3):
        make_post(f"Post {number}", series_position=4 - number, now=NOW + timedelta(minutes=number))

    assert slugs_at(visitor, path) == ["post-3", "post-2", "post-1"]
    with override_settings(BLOG_ENGINE=blog_settings(feed_size=2)):
        assert slugs_at(visitor, path) == ["post-3", "post-2"]


@requirement("feeds.unknown")
def test_a_feed_of_an_unknown_record_is_404(visitor: Visitor, subtests: pytest.Subtests) -> None:
    for suffix in ["xml", "json"]:
        for kind in RECORDS:
            with subtests.test(kind=kind, suffix=suffix):
                page = visitor.page(f"/{kind}/none/feed.{suffix}", status=404)

                assert page.has("main")


@requirement("feeds.unknown")
def test_there_are_no_other_feeds(visitor: Visitor, subtests: pytest.Subtests) -> None:
    make_post()

    for path in [
        "/feed",
        "/feed.rss",
        "/feed.atom",
        "/category/garden/feed",
        "/category/Garden/feed.xml",
        "/soil/feed.xml",
    ]:
        with subtests.test(path=path), undone():
            assert visitor.get(path).status_code == 404


@requirement("feeds.unknown")
def test_a_moved_feed_is_found(visitor: Visitor) -> None:
    insert_redirect("/blog/category/old/feed.xml", "/blog/category/garden/feed.xml")

    response = visitor.get("/category/old/feed.xml")

    assert (response.status_code, response["Location"]) == (301, "/blog/category/garden/feed.xml")
    assert visitor.get("/feed.xml/")["Location"] == "/blog/feed.xml"


@requirement("feeds.label")
def test_summaries_are_labelled_with_ai_and_payment(visitor: Visitor) -> None:
    declare(make_post(provenance="ai_assisted", description="All about it."), third_party_paid=True)

    (item,), atom = json_at(visitor)["items"], atom_at(visitor)

    assert item["_blog_engine"] == {"label": "ai_assisted", "third_party_paid": True, "category": "Garden"}
    assert item["content_text"] == "All about it."
    assert item["tags"] == ["roots"]
    assert [dict(one.attrib) for one in atom.iter(f"{ATOM}category")] == [
        {"scheme": "urn:blog-engine:category", "term": "garden", "label": "Garden"},
        {"term": "roots", "label": "roots"},
        {"scheme": "urn:blog-engine:label", "term": "ai_assisted", "label": "AI helped to make this article."},
        {
            "scheme": "urn:blog-engine:paid",
            "term": "third_party_paid",
            "label": "A third party paid for this article.",
        },
    ]


@requirement("feeds.full-content", "feeds.label")
def test_full_feeds_have_the_notices_and_the_body(visitor: Visitor) -> None:
    body = "## Roots\n\n[About](/about) and ![Quay](/x.png)"
    declare(make_post(provenance="ai_assisted", body=body), third_party_paid=True)

    with override_settings(BLOG_ENGINE=blog_settings(feed_content="full")):
        (item,), atom = json_at(visitor)["items"], atom_at(visitor)

    assert item["content_html"] == (
        "<p>AI helped to make this article.</p><p>A third party paid for this article.</p>"
        '<h2>Roots</h2>\n<p><a href="https://example.com/about">About</a> and</p>'
        '<figure><img src="https://example.com/x.png" alt="Quay" loading="lazy"></figure>\n'
    )
    assert item["summary"] == "About and Quay"
    assert "content_text" not in item
    content = atom.find(f"{ATOM}entry/{ATOM}content")
    assert (content.get("type"), content.text) == ("html", item["content_html"])
    assert atom.find(f"{ATOM}entry/{ATOM}summary") is None


@requirement("feeds.full-content")
def test_full_feeds_have_the_cover_and_the_questions(visitor: Visitor) -> None:
    cover = store_image(plain(size=(400, 300)))
    pairs = [{"question": "When?", "answer": "At noon."}, {"question": "Where?", "answer": "Here."}]
    post = make_post(body="Text.", cover_image={"image_id": cover.pk}, cover_alt="The quay", faq=pairs)
    make_post("Stone", body="Text.")

    with override_settings(BLOG_ENGINE=blog_settings(feed_content="full")):
        stone, soil = json_at(visitor)["items"]
        update(post, faq=pairs[::-1], change="substantive")
        changed = json_at(visitor)["items"][-1]

    start, _, end = soil["content_html"].partition("<p>Text.</p>")
    assert re.fullmatch(
        r'<figure><img src="https://example\.com/blog/media/[^"]+" alt="The quay" width="400" height="300"></figure>',
        start,
    )
    assert end == ("\n<h2>Frequently asked questions</h2><h3>When?</h3><p>At noon.</p><h3>Where?</h3><p>Here.</p>")
    assert stone["content_html"] == "<p>Text.</p>\n"
    assert changed["content_html"].endswith("<h3>Where?</h3><p>Here.</p><h3>When?</h3><p>At noon.</p>")


@requirement("feeds.head")
def test_the_head_describes_the_blog(visitor: Visitor) -> None:
    settings = blog_settings(
        blog_tagline=" On soil & sand. ",
        favicon_url="/static/icon.png",
        touch_icon_url="https://cdn.example/touch.png",
        publisher={"name": "Press", "logo_url": "https://press.example/logo.png"},
    )
    with override_settings(BLOG_ENGINE=settings):
        atom, feed = atom_at(visitor), json_at(visitor)

    icon, logo = "https://example.com/static/icon.png", "https://press.example/logo.png"
    assert [atom.findtext(f"{ATOM}{name}") for name in ("subtitle", "icon", "logo")] == ["On soil & sand.", icon, logo]
    assert feed["description"] == "On soil & sand."
    assert (feed["icon"], feed["favicon"]) == ("https://cdn.example/touch.png", icon)


@requirement("feeds.head")
@override_settings(
    BLOG_ENGINE=blog_settings(blog_tagline=" ", favicon_url="javascript:alert(1)", touch_icon_url="//cdn.example/x")
)
def test_the_head_has_nothing_empty_or_unsafe(visitor: Visitor) -> None:
    atom, feed = atom_at(visitor), json_at(visitor)

    assert not {"subtitle", "icon", "logo"} & {child.tag.removeprefix(ATOM) for child in atom}
    assert not {"description", "icon", "favicon"} & feed.keys()


@requirement("feeds.head")
def test_the_feed_of_a_list_has_its_description(visitor: Visitor) -> None:
    make_post()
    Category.objects.update(description="All that grows.")
    Author.objects.update(bio="Knows soil.")

    with override_settings(BLOG_ENGINE=blog_settings(blog_tagline="On soil.")):
        found = {kind: json_at(visitor, f"{page}/feed.json").get("description") for kind, (page, _) in RECORDS.items()}

    assert found == {"category": "All that grows.", "author": "Knows soil.", "tag": None, "series": None}


@requirement("feeds.full-content")
def test_full_feeds_follow_the_renderer(visitor: Visitor) -> None:
    make_post(body="One\ntwo")

    with override_settings(BLOG_ENGINE=blog_settings(feed_content="full", markdown_hardbreaks=False)):
        assert json_at(visitor)["items"][0]["content_html"] == "<p>One\ntwo</p>\n"


def test_bodies_of_outdated_renderings_are_read_together(visitor: Visitor) -> None:
    for title in ("Soil", "Stone", "Sand"):
        make_post(title=title, body=f"{title}\nagain")

    with override_settings(BLOG_ENGINE=blog_settings(feed_content="full", policy_urls={})):
        current = count_queries(visitor, "/feed.json")
        outdated = blog_settings(feed_content="full", policy_urls={}, markdown_hardbreaks=False)
        with override_settings(BLOG_ENGINE=outdated), CaptureQueriesContext(connection) as queries:
            items = json_at(visitor)["items"]

    assert [item["content_html"] for item in items] == [
        f"<p>{title}\nagain</p>\n" for title in ("Sand", "Stone", "Soil")
    ]
    assert len(queries) == current + 1


@requirement("feeds.atom")
@pytest.mark.parametrize("content", ["summary", "full"])
def test_any_stored_text_makes_a_valid_feed(visitor: Visitor, content: str) -> None:
    hostile = "]]>&amp;<b>\x01\x0b\x1f\x7f\ufffe\uffff\U0001f331<!--"
    # No text may have more than 30 combining marks in a row.
    body = re.sub("(?s)(.{30})", r"\1 ", EVERYTHING)
    make_post(title=hostile, slug="soil", description=hostile, body=body, author={"name": hostile})

    with override_settings(BLOG_ENGINE=blog_settings(feed_content=content)):
        atom, feed = atom_at(visitor), json_at(visitor)

    assert atom.findtext(f"{ATOM}entry/{ATOM}title") == "]]>&amp;<b>      \U0001f331<!--"
    assert feed["items"][0]["title"] == hostile


@requirement("feeds.validators")
def test_a_feed_is_sent_once(visitor: Visitor, subtests: pytest.Subtests) -> None:
    make_post()

    for path in DOCUMENTS:
        with subtests.test(path=path), undone():
            first = visitor.get(path)

            for headers in ({"if_none_match": first["ETag"]}, {"if_modified_since": first["Last-Modified"]}):
                again = visitor.get(path, **headers)
                assert (again.status_code, again.content) == (304, b"")
                assert (again["ETag"], again["Cache-Control"]) == (first["ETag"], first["Cache-Control"])


@requirement("feeds.validators")
def test_an_empty_feed_is_the_same_all_day(visitor: Visitor, clock: time_machine.Traveller) -> None:
    first = visitor.get("/feed.xml")
    clock.shift(timedelta(hours=3))
    later = visitor.get("/feed.xml")
    clock.shift(timedelta(days=1))

    assert later.content == first.content
    assert valid_atom(first.content).findtext(f"{ATOM}updated") == "2026-11-22T00:00:00Z"
    assert visitor.get("/feed.xml", if_modified_since=first["Last-Modified"]).status_code == 200


def rename(post: Post) -> None:
    category = Category.objects.get()
    category.name = "Yard"
    category.save()


CHANGES: dict[str, Callable[[Post], object]] = {
    "unpublished": lambda post: unpublish(post),
    "renamed": rename,
    "title": lambda post: update(post, title="Clay", change="maintenance"),
    "approval": lambda post: approve(post, now=LATER),
    "payment": lambda post: declare(post, third_party_paid=True, now=LATER),
    "another": lambda post: save(title="Stone", category="Garden", publish=True, now=LATER),
}


@requirement("feeds.validators")
def test_no_change_is_answered_with_what_was_before(visitor: Visitor, subtests: pytest.Subtests) -> None:
    settings = blog_settings(policy_urls={"responsible_party": "/about"})

    for path in ["/category/garden/feed.xml", "/category/garden/feed.json"]:
        for change in CHANGES:
            with subtests.test(change=change, path=path), undone():
                with time_machine.travel(NOW, tick=False):
                    make_post("Older", provenance="ai_assisted", now=NOW - timedelta(days=1))
                    post = make_post(provenance="ai_assisted")
                    with override_settings(BLOG_ENGINE=settings):
                        before = visitor.get(path)

                with time_machine.travel(LATER, tick=False), override_settings(BLOG_ENGINE=settings):
                    CHANGES[change](post)
                    by_tag = visitor.get(path, if_none_match=before["ETag"])
                    by_date = visitor.get(path, if_modified_since=before["Last-Modified"])

                assert (by_tag.status_code, by_date.status_code) == (200, 200)
                assert by_tag.content != before.content


@requirement("feeds.corrections")
@pytest.mark.parametrize(("content", "is_told"), [("summary", False), ("full", True)])
def test_full_feeds_end_with_the_corrections(visitor: Visitor, content: str, is_told: bool) -> None:
    make_post("Stone", tags=["dust"])
    post = make_post(body="11 arches.", tags=["roots", "earth"])
    for moment, note in [(LATER, "It said 11."), (LATER + timedelta(days=9), "Of the future.")]:
        update(post, body=f"{note} 12 arches.", change="correction", note=note, now=moment)

    with override_settings(BLOG_ENGINE=blog_settings(feed_content=content)):
        atom, items = atom_at(visitor), json_at(visitor)["items"]

    shown = "<h2>Corrections</h2><p><strong>November 21, 2026</strong> It said 11.</p>"
    entry = atom.findall(f"{ATOM}entry")[0]
    assert (entry.findtext(f"{ATOM}content") or "").endswith(shown) is is_told
    assert items[0].get("content_html", "").endswith(shown) is is_told
    assert [item["tags"] for item in items] == [["roots", "earth"], ["dust"]]
    assert "Corrections" not in str(items[1])


@requirement("feeds.queries")
@pytest.mark.parametrize("content", ["summary", "full"])
def test_the_number_of_posts_costs_nothing(visitor: Visitor, content: str) -> None:
    post = make_post(provenance="ai_assisted", body="![Quay](/x.png)")
    approve(declare(post, third_party_paid=True).post)

    with override_settings(BLOG_ENGINE=blog_settings(feed_content=content, policy_urls={})):
        publish_crowd(10, like=post)
        few = {path: count_queries(visitor, path) for path in DOCUMENTS}
        publish_crowd(190, like=post, start=10)
        many = {path: count_queries(visitor, path) for path in DOCUMENTS}

    assert few == many == {path: 7 if path.startswith("/feed.") else 8 for path in DOCUMENTS}


@requirement("host.mount", "feeds.ids")
@pytest.mark.parametrize("feed", FEEDS)
def test_every_url_is_under_the_mount(place: Place, feed: str) -> None:
    make_post()

    atom = valid_atom(bytes(place.get(f"{feed}.xml").content))
    content = valid_json_feed(bytes(place.get(f"{feed}.json").content))

    prefix = f"https://example.com{place.prefix}"
    page = f"{prefix}{feed.removesuffix('feed')}" if feed == "/feed" else f"{prefix}{feed.removesuffix('/feed')}"
    author = f"{prefix}/author/ada-example"
    assert atom.findtext(f"{ATOM}id") == f"{prefix}{feed}.xml"
    assert [link.get("href") for link in atom.findall(f"{ATOM}link")] == [f"{prefix}{feed}.xml", page]
    assert (content["feed_url"], content["home_page_url"]) == (f"{prefix}{feed}.json", page)
    assert [(item["url"], item["authors"][0]["url"]) for item in content["items"]] == [(f"{prefix}/soil", author)]


def test_without_public_base_url_feeds_use_the_host_of_the_request(visitor: Visitor) -> None:
    with override_settings(BLOG_ENGINE=blog_settings(public_base_url=None)):
        assert json_at(visitor)["feed_url"] == "http://testserver/blog/feed.json"
