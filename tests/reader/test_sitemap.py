"""The sitemap."""

from pathlib import Path

import pytest
from django.test import override_settings
from django.urls import clear_script_prefix, set_script_prefix
from lxml import etree

from blog_engine.blog_urls import BlogURLs
from blog_engine.queries import sitemap as sitemap_queries
from blog_engine.queries.sitemap import ENTRIES_OF_A_PART, SitemapPage, written_in_utc
from blog_engine.reader import sitemap as documents
from blog_engine.reader.sitemap import url_set
from tests.reader.conftest import count_queries
from tests.requirements import requirement
from tests.support.blogs import publish_crowd
from tests.support.factories import LATER, NOW, save, unpublish, update
from tests.support.hosts import blog_settings
from tests.support.pages import Visitor
from tests.support.tables import insert_redirect, undone

SCHEMA = etree.XMLSchema(etree.parse(Path(__file__).with_name("sitemap.xsd")))
SITE = "https://example.com"
MEGABYTES = 1024 * 1024


XHTML = "{http://www.w3.org/1999/xhtml}"


def read(document: bytes) -> dict[str, list[tuple[str, ...]]]:
    """Validate a sitemap and return its root's name with the texts of each entry."""
    root = etree.fromstring(document)
    # The schema wants a declaration of each element of another namespace, and has none for these.
    for link in list(root.iter(f"{XHTML}link")):
        assert (sorted(link.attrib), len(link), link.tail) == (["href", "hreflang", "rel"], 0, None)
        parent = link.getparent()
        assert parent is not None
        parent.remove(link)
    SCHEMA.assertValid(root)
    return {etree.QName(root).localname: [tuple(str(child.text) for child in entry) for entry in root]}


def sitemap(visitor: Visitor, path: str = "/sitemap.xml") -> dict[str, list[tuple[str, ...]]]:
    response = visitor.get(path)
    assert response.status_code == 200
    return read(response.content)


@requirement("sitemap.entries", "sitemap.valid")
def test_the_sitemap_lists_absolute_urls(visitor: Visitor) -> None:
    update(save(title="Soil", category="Garden", publish=True).post, body="New.", change="substantive")
    save(title="Stone", publish=True)

    assert sitemap(visitor) == {
        "urlset": [
            (f"{SITE}/blog/",),
            (f"{SITE}/blog/soil", "2026-11-21T13:00:00+00:00"),
            (f"{SITE}/blog/stone", "2026-11-21T12:00:00+00:00"),
            (f"{SITE}/blog/category/garden",),
        ]
    }
    assert visitor.get("/sitemap.xml")["Content-Type"] == "application/xml"


@requirement("sitemap.valid")
def test_an_empty_blog_has_a_valid_sitemap(visitor: Visitor) -> None:
    assert sitemap(visitor) == {"urlset": [(f"{SITE}/blog/",)]}


@pytest.mark.parametrize("zone", ["Asia/Tokyo", "America/New_York"])
def test_times_are_the_same_for_everybody(visitor: Visitor, zone: str) -> None:
    save(title="Soil", publish=True)

    with override_settings(TIME_ZONE=zone):
        assert sitemap(visitor)["urlset"][1] == (f"{SITE}/blog/soil", "2026-11-21T12:00:00+00:00")


@requirement("sitemap.entries")
def test_every_listed_url_is_an_indexed_page_with_this_canonical_url(visitor: Visitor) -> None:
    like = save(title="Soil", category="Garden", featured=True, publish=True).post
    publish_crowd(30, like=like)

    for url, *_ in sitemap(visitor)["urlset"]:
        page = visitor.page(url.removeprefix(f"{SITE}/blog"))
        assert page.one("link", rel="canonical").attrs["href"] == url
        assert page.one("meta", name="robots").attrs["content"] == "index, follow, max-image-preview:large"


@requirement("sitemap.valid")
@override_settings(BLOG_ENGINE=blog_settings(public_base_url=None))
def test_without_public_base_url_the_urls_follow_the_request(visitor: Visitor) -> None:
    save(title="Soil", canonical_url="http://127.0.0.1:8001/soil", publish=True)

    response = visitor.client.get("/blog/sitemap.xml", headers={"host": "127.0.0.1:8001"})

    urls = [entry[0] for entry in read(response.content)["urlset"]]
    assert urls == ["http://127.0.0.1:8001/blog/", "http://127.0.0.1:8001/blog/soil"]


@requirement("host.mount", "sitemap.valid")
@pytest.mark.parametrize("script_name", ["/sub", "/a&b's"])
def test_a_prefix_is_part_of_every_url(visitor: Visitor, script_name: str) -> None:
    save(title="Soil", category="Garden", publish=True)
    set_script_prefix(f"{script_name}/")

    response = visitor.client.get("/blog/sitemap.xml", SCRIPT_NAME=script_name)

    clear_script_prefix()
    urls = [entry[0] for entry in read(response.content)["urlset"]]
    wanted = [f"{SITE}{script_name}/blog{path}" for path in ("/", "/soil", "/category/garden")]
    assert urls == wanted


@requirement("sitemap.off")
@override_settings(BLOG_ENGINE=blog_settings(serve_sitemap=False))
@pytest.mark.parametrize("path", ["/sitemap.xml", "/sitemap-1.xml"])
def test_a_sitemap_that_is_switched_off_is_not_found(visitor: Visitor, path: str) -> None:
    assert visitor.page(path, status=404).has("div", class_="blog-message")


@requirement("sitemap.parts")
def test_a_small_sitemap_has_no_parts(visitor: Visitor, subtests: pytest.Subtests) -> None:
    save(title="Soil", publish=True)

    for path in ["/sitemap-1.xml", "/sitemap-2.xml", "/sitemap-0.xml", "/sitemap-01.xml", "/sitemap-99999.xml"]:
        with subtests.test(path=path), undone():
            assert visitor.page(path, status=404).has("div", class_="blog-message")


@requirement("pages.moved.any-path")
def test_a_redirect_from_a_former_sitemap_part_works(visitor: Visitor) -> None:
    insert_redirect("/blog/sitemap-1.xml", "/blog/sitemap.xml")

    assert visitor.get("/sitemap-1.xml")["Location"] == "/blog/sitemap.xml"


@requirement("sitemap.parts", "sitemap.valid", "pages.queries")
@override_settings(BLOG_ENGINE=blog_settings(posts_per_page=1, primary_list_type="tags", policy_urls={}))
@pytest.mark.parametrize(
    ("size", "tags", "posts"),
    [(500, 9, 50), pytest.param(50_000, 99, 500, marks=pytest.mark.heavy)],
    ids=["small parts", "parts"],
)
def test_a_large_sitemap_is_an_index_of_parts(
    visitor: Visitor, monkeypatch: pytest.MonkeyPatch, size: int, tags: int, posts: int
) -> None:
    monkeypatch.setattr(sitemap_queries, "ENTRIES_OF_A_PART", size)
    # One page of the index and of each tag for each post, and the posts.
    like = save(title="Soil", tags=[f"tag {number}" for number in range(tags)], publish=True).post
    publish_crowd(posts - 1, like=like)

    first, second = (f"{SITE}/blog/sitemap-{number}.xml" for number in (1, 2))
    assert sitemap(visitor) == {"sitemapindex": [(first, "2026-11-21T12:00:00+00:00"), (second,)]}
    parts = [sitemap(visitor, f"/sitemap-{number}.xml")["urlset"] for number in (1, 2)]
    assert [len(part) for part in parts] == [size, posts]
    assert len({url for part in parts for (url, *_) in part}) == size + posts
    assert parts[1][-1] == (f"{SITE}/blog/tag/tag-{tags - 1}?page={posts}",)
    assert visitor.get("/sitemap-3.xml").status_code == 404
    assert [count_queries(visitor, f"/sitemap{part}.xml") for part in ("", "-1", "-2")] == [8, 8, 7]


def test_the_largest_document_is_below_the_limit() -> None:
    urls = BlogURLs.on(f"https://{'h' * 253}:65535")
    longest = SitemapPage(f"/{'m' * 150}/{'s' * 200}/{'s' * 200}?page=99999", written_in_utc(NOW))

    one, two = (len(url_set([longest] * count, urls=urls)) for count in (1, 2))

    assert one + (ENTRIES_OF_A_PART - 1) * (two - one) < 50 * MEGABYTES


@requirement("pages.validators")
def test_shared_caches_may_keep_the_sitemap_for_an_hour(visitor: Visitor) -> None:
    save(title="Soil", publish=True)

    first = visitor.get("/sitemap.xml")
    again = visitor.get("/sitemap.xml", if_none_match=first["ETag"])
    by_date = visitor.get("/sitemap.xml", if_modified_since=first["Last-Modified"])

    assert first["Cache-Control"] == "max-age=3600, public"
    assert first["Last-Modified"] == "Sat, 21 Nov 2026 12:00:00 GMT"
    assert [(answer.status_code, answer.content) for answer in (again, by_date)] == [(304, b"")] * 2
    assert again["ETag"] == first["ETag"]


@requirement("pages.validators")
def test_a_removed_entry_changes_last_modified(visitor: Visitor) -> None:
    post = save(title="Soil", publish=True).post
    before = visitor.get("/sitemap.xml")["Last-Modified"]

    unpublish(post, now=LATER)

    assert visitor.get("/sitemap.xml", if_modified_since=before).status_code == 200


def versions(document: bytes) -> dict[str, list[tuple[str, str]]]:
    """Return the languages and URLs of the versions of each entry that has any."""
    entries = {
        str(entry[0].text): entry.findall(f"{XHTML}link[@rel='alternate']") for entry in etree.fromstring(document)
    }
    return {
        url: [(str(link.get("hreflang")), str(link.get("href"))) for link in links]
        for url, links in entries.items()
        if links
    }


def publish_versions() -> None:
    """Publish a post with versions in two languages, and others that no entry links."""
    save(title="Soil", publish=True)
    save(title="Boden", language="de-AT", translation_of="soil", publish=True)
    save(title="Turba", language="ar", translation_of="soil", publish=True)
    save(title="Jord", language="da", translation_of="soil")
    save(title="Sol", language="fr", translation_of="soil", canonical_url="https://first.example/sol", publish=True)
    save(title="Stone", publish=True)


@requirement("sitemap.alternates", "sitemap.valid")
def test_entries_link_their_versions_as_the_pages_do(visitor: Visitor) -> None:
    publish_versions()

    document = visitor.get("/sitemap.xml").content

    links = [
        ("ar", f"{SITE}/blog/turba"),
        ("de-AT", f"{SITE}/blog/boden"),
        ("en", f"{SITE}/blog/soil"),
        ("x-default", f"{SITE}/blog/soil"),
    ]
    assert versions(document) == dict.fromkeys([f"{SITE}/blog/{slug}" for slug in ("turba", "boden", "soil")], links)
    assert len(read(document)["urlset"]) == 5
    for path in ("turba", "boden", "soil", "stone"):
        heads = visitor.page(f"/{path}").all("link", rel="alternate")
        on_page = [(one.attrs["hreflang"], one.attrs["href"]) for one in heads if one.attrs.get("hreflang")]
        assert on_page == versions(document).get(f"{SITE}/blog/{path}", [])


@requirement("sitemap.alternates")
def test_a_version_that_is_withdrawn_leaves_the_entries_of_the_others(visitor: Visitor) -> None:
    save(title="Soil", publish=True)
    german = save(title="Boden", language="de", translation_of="soil", publish=True).post
    before = versions(visitor.get("/sitemap.xml").content)

    unpublish(german)

    assert (len(before), versions(visitor.get("/sitemap.xml").content)) == (2, {})


@requirement("sitemap.alternates")
def test_a_post_with_its_original_on_this_site_has_no_versions(visitor: Visitor) -> None:
    save(title="Soil", canonical_url=f"{SITE}/soil", publish=True)
    save(title="Boden", language="de", translation_of="soil", publish=True)
    save(title="Turba", language="ar", translation_of="soil", publish=True)

    assert set(versions(visitor.get("/sitemap.xml").content)) == {f"{SITE}/blog/boden", f"{SITE}/blog/turba"}


@requirement("sitemap.alternates.queries")
def test_translations_cost_one_query(visitor: Visitor) -> None:
    with override_settings(BLOG_ENGINE=blog_settings(policy_urls={})):
        save(title="Stone", publish=True)
        without = count_queries(visitor, "/sitemap.xml")
        save(title="Soil", publish=True)
        save(title="Boden", language="de", translation_of="soil", publish=True)
        one = count_queries(visitor, "/sitemap.xml")
        for number in range(5):
            save(title=f"Sea {number}", publish=True)
            save(title=f"See {number}", language="de", translation_of=f"sea-{number}", publish=True)

        # The last one is that of the translations.
        assert (one - without, count_queries(visitor, "/sitemap.xml") - without) == (1, 1)


@requirement("sitemap.alternates.size")
def test_links_to_versions_end_at_the_limit_of_a_document(visitor: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    publish_versions()
    whole = visitor.get("/sitemap.xml").content
    one_entry = max(len(line) for line in whole.splitlines())

    monkeypatch.setattr(documents, "LARGEST_DOCUMENT", len(whole) - 1)
    cut = visitor.get("/sitemap.xml").content

    assert len(whole) - one_entry < len(cut) < len(whole)
    assert (len(versions(whole)), len(versions(cut))) == (3, 2)
    assert read(cut) == read(whole)
