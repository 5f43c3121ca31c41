"""The blog at any mount, and the paths that it serves."""

import re
from typing import Any
from urllib.parse import quote

import pytest
from django.test import Client, override_settings

from blog_engine.inputs.base import parse as parse_input
from blog_engine.inputs.records import SavePage
from blog_engine.models import PolicyPage
from blog_engine.public import sitemap_entries
from blog_engine.queries.links import blog_path_of, served_paths
from blog_engine.services import save_page
from tests.reader.conftest import TODAY, preview_path
from tests.requirements import requirement
from tests.support.factories import EDITOR, make_author, make_category, make_series, save, unpublish, update
from tests.support.hosts import ROOT_URLS, Place, blog_settings
from tests.support.pages import Visitor, parse, text_of
from tests.support.tables import insert_redirect


@requirement("host.mount")
def test_every_url_is_under_the_mount(place: Place) -> None:
    save(title="Stone", publish=True)
    save(title="Soil", publish=True, featured=True)

    index, article = (parse(text_of(place.get(path))) for path in ("/", "/soil"))

    assert index.one("link", rel="canonical").attrs["href"] == f"https://example.com{place.prefix}/"
    assert article.one("link", rel="canonical").attrs["href"] == f"https://example.com{place.prefix}/soil"
    assert {link.attrs["href"] for link in index.one("main").all("a")} == {
        f"{place.prefix}{path}"
        for path in ("/", "/soil", "/stone", "/author/ada-example", "/feed.xml", "/feed.json", "/archive")
    }
    assert index.one("form").attrs["action"] == f"{place.prefix}/search"
    assert article.one("nav", aria_label="Breadcrumbs").one("a").attrs["href"] == f"{place.prefix}/"
    assert article.one("span", class_="blog-responsible").one("a").attrs["href"] == f"{quote(place.script_name)}/about"


@requirement("host.mount")
def test_moves_and_removals_work(place: Place) -> None:
    post = save(title="Soil", slug="old", publish=True).post
    update(post, slug="new")

    assert place.get("/old")["Location"] == f"{place.prefix}/new"
    assert place.get("/old.md")["Location"] == f"{place.prefix}/new.md"
    assert place.get("/new/")["Location"] == f"{place.prefix}/new"
    unpublish(post)
    assert place.get("/new").status_code == 410
    assert place.get("/none/at/all").status_code == 404


@requirement("host.mount")
def test_previews_work(place: Place) -> None:
    post = save(title="Soil").post

    page = parse(text_of(place.get(preview_path(post))))

    assert page.one("link", rel="canonical").attrs["href"] == f"https://example.com{place.prefix}/soil"


@requirement("host.mount")
def test_policy_pages_work(place: Place) -> None:
    fields = {"title": "How we use AI", "body": "Sparingly.", "status": "published"}
    save_page(parse_input(SavePage, fields, fixed={"kind": "ai_use"}), actor=EDITOR, now=TODAY)

    page = parse(text_of(place.get("/policies/ai-use")))

    assert page.one("link", rel="canonical").attrs["href"] == f"https://example.com{place.prefix}/policies/ai-use"
    assert page.one("footer").one("a", href=f"{place.prefix}/policies/ai-use").text == "AI use policy"


@requirement("host.mount", "sitemap.entries")
def test_the_sitemap_works(place: Place) -> None:
    save(title="Soil", category="Garden", publish=True)

    found = re.findall("<loc>(.*?)</loc>", text_of(place.get("/sitemap.xml")))

    assert found == [f"https://example.com{place.prefix}{path}" for path in ("/", "/soil", "/category/garden")]
    assert [entry["loc"] for entry in sitemap_entries()] == found


@requirement("host.mount", "pages.theme-colors")
def test_the_hosts_colours_work(place: Place) -> None:
    changed = blog_settings(theme_colors={"accent": "#7a1f5c"})
    with override_settings(BLOG_ENGINE=changed):
        (link,) = re.findall('href="([^"]+/theme-[^"]+|/theme-[^"]+)"', text_of(place.get("/")))
        answer = place.get(link.removeprefix(place.prefix))

    assert link.startswith(f"{place.prefix}/theme-")
    assert (answer.status_code, answer["Content-Type"]) == (200, "text/css; charset=utf-8")


@override_settings(ROOT_URLCONF=ROOT_URLS)
@pytest.mark.parametrize("path", ["//evil.example/", "//evil.example", "/\\evil.example/", "//"])
def test_no_url_redirects_to_another_host(client: Client, db: None, path: str) -> None:
    response = client.get(path)

    assert response.get("Location", "/") == "/"


@requirement("host.mount")
def test_searches_work(place: Place) -> None:
    save(title="Soil", publish=True)

    page = parse(text_of(place.get("/search?q=soil")))

    form = page.one("form", role="search")
    assert form.attrs["action"] == f"{place.prefix}/search"
    assert form.attrs["data-blog-search"] == f"{place.prefix}/search.json"
    assert page.one("link", rel="canonical").attrs["href"] == f"https://example.com{place.prefix}/search?q=soil"
    assert place.get("/search.json?q=soil").json()[0]["url"] == f"https://example.com{place.prefix}/soil"


LISTS = ["/category/garden", "/category/empty", "/tag/roots", "/author/mina-holt", "/series/tides"]
NO_LISTS = [
    "/category/lost",
    "/category/roots",
    "/tag/garden",
    "/tag/lost",
    "/author/lost",
    "/series/lost",
    "/topic/garden",
]
SUFFIXES = ["", "/", ".html", ".json", ".md", "/feed.xml", "/feed.json", "/feed.xml/", "/feed", "/feed.atom", "/more"]
FORMATS = [
    "",
    "?format=html",
    "?format=json",
    "?format=md",
    "?format=",
    "?format=html&format=json",
    "?q=soil",
    "?page=1",
]
PATHS = [
    *(list_path + suffix for list_path in [*LISTS, *NO_LISTS] for suffix in SUFFIXES),
    *(
        path + query
        for path in ("/", *LISTS, "/category/lost", "/search", "/search.json", "/feed.xml", "/sitemap.xml", "/soil")
        for query in FORMATS
    ),
    *(
        "/search/",
        "/search.html",
        "/search.xml",
        "/search.md",
        "/search.json/",
        "/search/soil",
        "/search.html?format=json",
    ),
    *(
        "/feed",
        "/feed/",
        "/feed.xml/",
        "/feed.json",
        "/feed.json/",
        "/feed.html",
        "/feed.atom",
        "/feed.xml.xml",
        "/feeds.xml",
    ),
    *(
        "/sitemap",
        "/sitemap.xml/",
        "/sitemap.html",
        "/sitemap-1.xml",
        "/sitemap-0.xml",
        "/sitemap-x.xml",
        "/sitemap.json",
    ),
    *("/soil", "/soil/", "/soil.md", "/soil.html", "/soil.json", "/soil.md/", "/withdrawn", "/before", "/before.md"),
    *(
        "/archive",
        "/archive/",
        "/archive?format=md",
        "/archive/2026",
        "/archive/2026/11",
        "/archive/26",
        "/archive/2026/13",
    ),
    *("/archive.html", "/archive.md", "/subscribe", "/subscribe.md", "/tag?format=html", "/tag?format=json", "/topic"),
    *("/category", "/category/", "/tag", "/policies/corrections", "/policies/corrections/", "/policies/lost", "/none"),
    *("/tag/moved", "/tag/moved/", "/tag/moved/feed.xml", "/old/feed.xml", "/theme-0123456789abcdef.css", "/preview/x"),
]


def make_records() -> None:
    """Make one record of each kind that a URL can show."""
    save(slug="soil", category="Garden", tags=["roots"], publish=True)
    unpublish(save(slug="withdrawn", publish=True).post)
    update(save(slug="before", publish=True).post, slug="after")
    make_category(name="Empty")
    make_author(name="Mina Holt")
    make_series(name="Tides")
    PolicyPage.objects.create(kind="corrections", slug="corrections", title="C", body="Text.", status="published")
    insert_redirect("/blog/tag/moved", "/blog/soil")
    insert_redirect("/blog/old/feed.xml", "/blog/feed.xml")


def accepted_by_link_check(wanted: list[str]) -> set[str]:
    """Return the paths that the link check accepts."""
    paths = {one: blog_path_of(f"/blog{one}", page="/blog/soil") for one in wanted}
    found = served_paths({path for path in paths.values() if path}, now=TODAY)
    return {one for one, path in paths.items() if path in found}


def served_by_views(visitor: Visitor, wanted: list[str]) -> set[str]:
    """Return the paths that the views answer with a page, a document or 410."""
    statuses = {one: visitor.client.get(f"/blog{one}", follow=True).status_code for one in wanted}
    assert set(statuses.values()) == {200, 404, 410}
    return {one for one, status in statuses.items() if status != 404}


@requirement("findings.links")
@pytest.mark.parametrize(
    "changes",
    [
        {},
        pytest.param({"serve_sitemap": False, "policy_urls": {}}, marks=pytest.mark.heavy),
        pytest.param({"primary_list_type": "tags", "policy_urls": {"corrections": "/c"}}, marks=pytest.mark.heavy),
    ],
)
def test_the_link_check_agrees_with_the_views(visitor: Visitor, changes: dict[str, Any]) -> None:
    make_records()

    with override_settings(BLOG_ENGINE=blog_settings(search_rate_limit="9999/s", **changes)):
        assert accepted_by_link_check(PATHS) == served_by_views(visitor, PATHS)


_DIGEST = "0" * 64
_ROUTES = [
    *("/{}", "/{}.html", "/{}.md", "/preview/{}", f"/media/{_DIGEST}/{{}}", "/media/{}/quay.png"),
    *(f"/media/{_DIGEST}/w{{}}.webp", f"/media/social/{{}}/{_DIGEST[:32]}.png", "/sitemap-{}.xml", "/checkpoints/{}"),
    *("/{}-key.txt", "/theme-{}.css", "/policies/{}", "/archive/{}", "/archive/2024/{}", "/category/{}"),
    *("/tag/{}.html", "/author/{}/feed.xml", "/series/{}/feed.json", "/search?q={}", "/?page={}", "/tag?page={}"),
]
"""Every route with a part that a client chooses."""


@requirement("pages.dead-ends")
def test_no_path_is_a_fault(visitor: Visitor, subtests: pytest.Subtests) -> None:
    for route in _ROUTES:
        with subtests.test(route=route):
            for part in ("%00", "a%00b", "%ff", "%0a", "%ED%A0%80", "9" * 30, "9" * 5_000, "%F0%9F%8C%B1"):
                assert visitor.get(route.format(part)).status_code in {200, 404}
